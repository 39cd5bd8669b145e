"""Functions that run through NumPy as they are; some of a GPU's arrays by `device_functions`.

Each takes what NumPy's function of the name takes, and gives arrays where that one does.
"""

from __future__ import annotations

import importlib
from typing import Any

from .. import _engine
from . import coerce, examples, host, outputs

_DOCS = {
    # Order statistics and averages
    "nanargmin": "The index of the least element that is not NaN. Raises `ValueError` of none.",
    "nanargmax": "The index of the greatest element that is not NaN. Raises `ValueError` of none.",
    "cov": "The covariances of variables, which are rows.",
    "corrcoef": "The correlation coefficients of variables, which are rows.",
    "correlate": "The cross-correlation of two sequences.",
    "convolve": "The convolution of two sequences.",
    # Counts
    "histogram2d": "How many points of a plane are in each of the bins, and the bins' edges.",
    "histogramdd": "How many points are in each of the bins, and the bins' edges.",
    "histogram_bin_edges": "The edges of the bins that `histogram` would take.",
    # Differences
    "ediff1d": "The differences of neighbours in the flat array.",
    "gradient": "The derivative by central differences along the axes.",
    "interp": "The value at each x of the function that is linear between given points.",
    "unwrap": "Angles in which no step is larger than half a period.",
    "i0": "The modified Bessel function of the first kind, of order 0.",
    "real_if_close": "The real parts where all imaginary ones are nearly 0, else the array.",
    # Order
    "sort_complex": "The sorted elements as complex numbers.",
    # Bits, and functions of parts
    "packbits": "The elements, true or false, as the bits of uint8.",
    "unpackbits": "The bits of uint8 as elements 0 and 1.",
    "apply_along_axis": "What a function makes of each row along an axis, an array of NumPy's.",
    "piecewise": "What a function of each condition makes of the elements where it is true.",
    # Windows
    "bartlett": "The window of that length that is a triangle.",
    "blackman": "The window of that length of three cosines.",
    "hamming": "The window of that length of a raised cosine, not 0 at its ends.",
    "hanning": "The window of that length of a raised cosine, 0 at its ends.",
    "kaiser": "The window of that length by the modified Bessel function, of shape beta.",
    # Products
    "kron": "The Kronecker product.",
    "cross": "The cross product of vectors of 3 elements.",
}


class HostFunction:
    """One function of NumPy's, or of one of its namespaces, of our arrays; `out` may be one, too.

    It is pickled as what `module` has under its name.
    """

    def __init__(
        self, name: str, doc: str, module: str = "phalanx", namespace: str | None = None
    ) -> None:
        self.__name__ = self.__qualname__ = name
        self.__doc__ = examples.documented(f"{namespace}.{name}" if namespace else name, doc)
        self.__module__ = module
        self._namespace = namespace

    def __repr__(self) -> str:
        return f"<function {self.__name__}>"

    def __reduce__(self) -> str:
        return self.__name__

    @property
    def _numpy(self) -> Any:
        import numpy as np

        return getattr(getattr(np, self._namespace) if self._namespace else np, self.__name__)

    @property
    def __signature__(self) -> Any:
        import inspect

        return inspect.signature(self._numpy)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        made = self._on_device(*args, **kwargs) if self._namespace is None else None
        if made is not None:
            return made
        function = self._numpy
        kwargs.pop("overwrite_input", None)  # a permission, which nobody needs to use
        if not _may_have_out(kwargs, args):
            return host.run(function, *args, **kwargs)
        import inspect

        bound = inspect.signature(function).bind(*args, **kwargs)
        out = bound.arguments.pop("out", None)
        made = host.run(function, *bound.args, **bound.kwargs)
        return outputs.store(out, made, "unsafe", name=self.__name__)

    def _on_device(self, *args: Any, **kwargs: Any) -> Any:
        """What `device_functions` makes of an array in a GPU's memory; None: it makes nothing."""
        first = args[0] if args else None
        if not isinstance(first, _engine.Array) or not coerce.has_gpu_kernels(first):
            return None
        import inspect

        found = importlib.import_module(f"{__package__}.device_functions")
        function = getattr(found, self.__name__, None)
        if function is None or kwargs.get("out") is not None:
            return None
        try:
            inspect.signature(function).bind(*args, **kwargs)
        except TypeError:  # what only NumPy takes
            return None
        return function(*args, **kwargs)


def _may_have_out(kwargs: dict[str, Any], args: tuple[Any, ...]) -> bool:
    return "out" in kwargs or len(args) > 3


_MADE = {name: HostFunction(name, doc) for name, doc in _DOCS.items()}


def __getattr__(name: str) -> HostFunction:
    try:
        return _MADE[name]
    except KeyError:
        raise AttributeError(name) from None
