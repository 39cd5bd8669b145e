"""`phalanx.fft`: discrete Fourier transforms, on the host.

Each function takes what NumPy's of the name takes, and gives arrays where that one does. Where
SciPy is installed its transforms do the work, which have vectors and threads.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from typing import Any

from .. import _engine
from . import coerce, host, hosted

_DOCS = {
    "fft": "The transform along one axis.",
    "ifft": "The inverse transform along one axis.",
    "fft2": "The transform along two axes.",
    "ifft2": "The inverse transform along two axes.",
    "fftn": "The transform along several axes, by default all.",
    "ifftn": "The inverse transform along several axes, by default all.",
    "rfft": "The transform of real elements along one axis: the frequencies from 0 on.",
    "irfft": "The inverse of `rfft`.",
    "rfft2": "The transform of real elements along two axes.",
    "irfft2": "The inverse of `rfft2`.",
    "rfftn": "The transform of real elements along several axes, by default all.",
    "irfftn": "The inverse of `rfftn`.",
    "hfft": "The real transform of a signal whose negative half is the conjugate of the other.",
    "ihfft": "The inverse of `hfft`.",
    "fftshift": "The elements with frequency 0 in the middle.",
    "ifftshift": "The inverse of `fftshift`.",
}

_SEVERAL = ("fft2", "ifft2", "fftn", "ifftn")
_SHIFTS = ("fftshift", "ifftshift")
_DTYPES = ("float32", "float64", "complex64", "complex128")  # others NumPy converts in its way


@cache
def _scipy() -> Any:
    """`scipy.fft`, or None."""
    try:
        return importlib.import_module("scipy.fft")
    except ImportError:
        return None


class Transform(hosted.HostFunction):
    """A transform, by SciPy's function of the name where that has the same meaning."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.__name__ in _SEVERAL and args and isinstance(args[0], _engine.Array):
            extents = args[1] if len(args) > 1 else kwargs.get("s")
            axes = args[2] if len(args) > 2 else kwargs.get("axes")
            if axes is not None and len(axes) == 0 and not extents:
                return args[0]  # along no axis: as NumPy's, the array itself
        least = 2 if self.__name__.endswith("2") else 1  # dimensions
        if kwargs or not 1 <= len(args) <= 4 or not _is_plain(*args) or args[0].ndim < least:
            return super().__call__(*args, **kwargs)
        function = getattr(_scipy(), self.__name__)
        return host.run(function, *args, workers=os.cpu_count() or 1)


def _is_plain(a: Any, extents: Any = None, axes: Any = None, norm: Any = None) -> bool:
    """True for an array of ours and what NumPy and SciPy read alike, if there is SciPy."""
    if not isinstance(a, _engine.Array) or a._dtype not in _DTYPES or not a.size:
        return False
    is_plain = all(type(each) is int and each > 0 for each in _several(extents))
    is_plain &= all(type(each) is int and -a.ndim <= each < a.ndim for each in _several(axes))
    return is_plain and norm in (None, "backward", "ortho", "forward") and _scipy() is not None


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else () if value is None else (value,)


def _function(name: str, doc: str) -> Any:
    kind = hosted.HostFunction if name in _SHIFTS else Transform
    return kind(name, doc, __name__, "fft")


_MADE = {name: _function(name, doc) for name, doc in _DOCS.items()}


def fftfreq(n: int, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of a transform of `n` samples that are `d` apart."""
    return _frequencies("fftfreq", (n, d), dtype, device)


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of a transform of `n` real samples that are `d` apart."""
    return _frequencies("rfftfreq", (n, d), dtype, device)


def _frequencies(name: str, samples: tuple[int, float], dtype: Any, device: Any) -> Any:
    import numpy as np

    return coerce.asarray(getattr(np.fft, name)(*samples), dtype, device=device)


def __getattr__(name: str) -> Any:
    try:
        return _MADE[name]
    except KeyError:
        raise AttributeError(f"phalanx.fft has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted([*_MADE, "fftfreq", "rfftfreq"])
