"""``cupyx.scipy``: SciPy's functions of our arrays.

What `phalanx.special` has is its own; the others are SciPy's, on the host: without a copy on the
CPU device, while a GPU's arrays go there and back. `module` makes the modules below.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

import phalanx as px

from .._arrays import coerce, host
from .._arrays import special as own_special  # cupyx.scipy.special becomes an attribute here
from . import _cupy_table

# The modules below, of SciPy's names. Sparse arrays have rows of their own in `_cupy_table`.
MODULES = (
    "fft", "fftpack", "interpolate", "linalg", "ndimage", "signal", "signal.windows", "spatial",
    "spatial.distance", "special", "stats",
)  # fmt: skip
_OUTPUTS = ("output", "out")
# Hints for a GPU, which SciPy does not know.
_CUPYS = ("adaptive_index_dtype", "block_params", "float64_distances", "texture_memory")


def get_array_module(*args: Any) -> ModuleType:
    """`cupyx.scipy` if an argument is an array or a sparse matrix of ours, else `scipy`."""
    from .. import sparse

    ours = any(isinstance(each, px.ndarray) or sparse.issparse(each) for each in args)
    return importlib.import_module("cupyx.scipy" if ours else "scipy")


class HostObject:
    """An object of SciPy's, such as an interpolator, whose methods take and give our arrays."""

    def __init__(self, own: Any) -> None:
        self._own = own

    def __call__(self, *args: Any, **options: Any) -> Any:
        """What the object makes of the arguments."""
        return _run(self._own, *args, **options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self._own, name)
        return functools.partial(_run, found) if callable(found) else _as_ours(found, None)

    def __len__(self) -> int:
        return len(self._own)

    def __getitem__(self, key: Any) -> Any:
        return _as_ours(self._own[key], None)

    def __iter__(self) -> Iterator[Any]:
        return (_as_ours(each, None) for each in self._own)

    def __repr__(self) -> str:
        return repr(self._own)


def _as_host(value: Any) -> Any:
    if isinstance(value, HostObject):
        return value._own
    made = host.as_host(value)
    # Compiled functions of SciPy's ask for memory that they could write to.
    return made.copy() if isinstance(made, np.ndarray) and not made.flags.writeable else made


def _as_ours(value: Any, device: Any) -> Any:
    if isinstance(value, tuple) and type(value) is not tuple:
        parts = [_as_ours(each, device) for each in value]
        try:
            return type(value)(*parts)
        except TypeError:  # SciPy's results with more fields than a tuple shows
            return HostObject(value)
    if isinstance(value, (tuple, list)):
        return type(value)(_as_ours(each, device) for each in value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "OSUV":
        return value
    if type(value).__module__.partition(".")[0] == "scipy":
        return HostObject(value)
    return host.as_ours(value, device)


def _run(function: Any, *args: Any, **options: Any) -> Any:
    """The function of SciPy's, of our arrays; an array for its results is written to at the end."""
    # Permissions to overwrite operands are not passed on: their memory is ours.
    named = {
        key: each
        for key, each in options.items()
        if not key.startswith("overwrite_") and key not in _CUPYS
    }
    args, named, out = _without_output(function, args, named)
    device = coerce.common_device([*args, *named.values()])
    hosted = {key: _as_host(each) for key, each in named.items()}
    made = _as_ours(function(*map(_as_host, args), **hosted), device)
    if out is None:
        return made
    out[...] = made[0] if isinstance(made, tuple) else made
    return (out, *made[1:]) if isinstance(made, tuple) else out


def _without_output(
    function: Any, args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
    """The arguments without an array of ours for the results, which asks for its dtype, and it."""
    name = next((each for each in _OUTPUTS if each in _parameters(function)), "out")
    if isinstance(function, np.ufunc) and len(args) > function.nin:
        args, named = args[: function.nin], {**named, "out": args[function.nin]}
    elif name not in named and len(args) > 1:
        places = [*_parameters(function)]
        if name in places and len(args) > places.index(name):
            named = {**dict(zip(places, args, strict=False)), **named}
            args = ()
    out = named.get(name)
    out = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    if not isinstance(out, px.ndarray):
        return args, named, None
    rest = {key: each for key, each in named.items() if key != name}
    return args, {**rest, name: out.dtype} if name == "output" else rest, out


@functools.cache
def _parameters(function: Any) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()


def _own(module: str, name: str) -> Any:
    """What Phalanx has itself under a name of a module, or None."""
    if module != "special":
        return None
    found = getattr(own_special, name, None) if name in own_special.OWN else None
    return None if found is None else _with_out(found)


def _with_out(function: Any) -> Any:
    @functools.wraps(function)
    def run(*args: Any, out: Any = None, **options: Any) -> Any:
        made = function(*args, **options)
        if out is None:
            return made
        out[...] = made
        return out

    return run


class ScipyModule(ModuleType):
    """A module of ``cupyx.scipy``. A name that is nowhere raises `AttributeError`."""

    def __getattr__(self, name: str) -> Any:
        module = self.__name__.removeprefix("cupyx.scipy.")
        if f"{module}.{name}" in MODULES:
            return importlib.import_module(f"{self.__name__}.{name}")
        found = None if name.startswith("_") else _own(module, name) or self._of_scipy(name)
        if found is None:
            raise AttributeError(
                f"module {self.__name__!r}, served by phalanx, has no attribute {name!r}"
            )
        setattr(self, name, found)
        return found

    def _of_scipy(self, name: str) -> Any:
        function = getattr(_scipy(self.__name__.removeprefix("cupyx.")), name, None)
        if not callable(function):
            return function if isinstance(function, (int, float, str)) else None
        if isinstance(function, type) and issubclass(function, (Exception, Warning)):
            return function

        def run(*args: Any, **options: Any) -> Any:
            return _run(function, *args, **options)

        run.__name__ = run.__qualname__ = name
        run.__doc__ = f"As `{self.__name__.removeprefix('cupyx.')}.{name}`, which computes it."
        return run

    def __dir__(self) -> list[str]:
        try:
            names = getattr(_scipy(self.__name__.removeprefix("cupyx.")), "__all__", ())
        except ImportError:
            names = ()
        return sorted({*super().__dir__(), *names})


def _scipy(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(
            f"cupyx.{name} needs SciPy, which computes it on the host: pip install scipy", name=name
        ) from error


def module(name: str) -> ModuleType | None:
    """The module of that name below ``cupyx.scipy``, None where there is none.

    Raises `ImportError` where it needs SciPy, and that is not installed.
    """
    below = name.removeprefix("cupyx.scipy.")
    if below not in MODULES:
        return None
    if below != "special":
        _scipy(f"scipy.{below}")
    return ScipyModule(name, f"``{name}``: the functions of SciPy's module, of our arrays.")


def __getattr__(name: str) -> Any:
    if name in MODULES or f"cupyx.scipy.{name}" in _cupy_table.TABLE:
        return importlib.import_module(f"cupyx.scipy.{name}")
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"phalanx does not provide cupyx.scipy.{name}; {_cupy_table.remedy('cupyx.scipy')}"
    )
