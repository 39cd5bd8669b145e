"""Discrete Fourier transforms: of arrays of a GPU by cuFFT, else on the host.

Each function takes what NumPy's of the name takes, and gives arrays where that one does. Where
SciPy is installed its transforms do the host's work, which have vectors and threads.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from typing import Any

from .. import _engine
from . import coerce, device_fft, host, hosted

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
_WHOLE = ("bool", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)))


@cache
def _scipy() -> Any:
    """`scipy.fft`, or None."""
    try:
        return importlib.import_module("scipy.fft")
    except ImportError:
        return None


_HALVES = ("rfft", "rfft2", "rfftn", "ihfft")  # of real elements only
_AXES = {"2": (-2, -1), "n": None}  # by default, by the name's last letter; -1 for others


class Transform(hosted.HostFunction):
    """A transform, by cuFFT or by SciPy's function of the name where these have NumPy's meaning."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.__name__ in _SEVERAL and _has_no_axis(*args, **kwargs):
            return args[0]  # as NumPy's, the array itself
        plain = self._plain(*args, **kwargs) if len(args) <= 4 else None
        if plain is None:
            return super().__call__(*args, **kwargs)
        if _is_for_cufft(plain[0]):
            return device_fft.TRANSFORMS[self.__name__](_as_floats(plain[0]), *plain[1:])
        if _scipy() is None or plain[0]._dtype not in _DTYPES:
            return super().__call__(*args, **kwargs)
        function = getattr(_scipy(), self.__name__)
        return host.run(function, *plain, workers=os.cpu_count() or 1)

    def _plain(self, a: Any = None, *args: Any, norm: Any = None, **kwargs: Any) -> Any:
        """The array, lengths, axes and norm, where NumPy would refuse none; else None."""
        is_one = self.__name__[-1] not in _AXES
        names = ("n", "axis") if is_one else ("s", "axes")
        given = dict(zip((*names, "norm"), args, strict=False))
        if not isinstance(a, _engine.Array) or {*given} & {*kwargs} or {*kwargs} - {*names}:
            return None
        given = {"norm": norm, **given, **kwargs}
        axes = given.get(names[1], -1 if is_one else _AXES[self.__name__[-1]])
        plain = (a, given.get(names[0]), axes, given["norm"])
        least = 2 if self.__name__.endswith("2") else 1  # dimensions
        is_complex = a._dtype.startswith("complex")
        if a.ndim < least or (is_complex and self.__name__ in _HALVES):
            return None
        return plain if _is_plain(*plain) else None


def _has_no_axis(
    a: Any = None, s: Any = None, axes: Any = None, *rest: Any, **options: Any
) -> bool:
    return isinstance(a, _engine.Array) and axes is not None and len(axes) == 0 and not s


def _is_plain(a: Any, extents: Any, axes: Any, norm: Any) -> bool:
    """True for what NumPy, SciPy and we read alike."""
    places = [each % a.ndim for each in _several(axes) if type(each) is int]
    is_plain = all(type(each) is int and each > 0 for each in _several(extents))
    is_plain &= all(type(each) is int and -a.ndim <= each < a.ndim for each in _several(axes))
    is_plain &= len({*places}) == len(places) and axes != ()
    is_plain &= axes is not None or len(_several(extents)) in (0, a.ndim)
    is_plain &= axes is None or len(_several(extents)) in (0, len(_several(axes)))
    return bool(is_plain and a.size and norm in (None, "backward", "ortho", "forward"))


def _is_for_cufft(array: Any) -> bool:
    has_kind = array._dtype in _DTYPES or array._dtype in _WHOLE
    return has_kind and coerce.is_tied_to_gpu(array) and bool(device_fft.has_library())


def _as_floats(array: Any) -> Any:
    return _engine.array_cast(array, "float64") if array._dtype in _WHOLE else array


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
