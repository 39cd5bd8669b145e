"""Transforms of arrays in a GPU's memory, by cuFFT.

Each takes an array of float32, float64, complex64 or complex128, lengths and axes as NumPy reads
them, and a norm; gives an array that is recorded as far as it is scaled, so that the scale fuses
with what comes after.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from .. import _engine
from . import coerce, creation, joining, shapes

_COMPLEX = {"float32": "complex64", "float64": "complex128"}
_REAL = {each: real for real, each in _COMPLEX.items()}
_MOST_DIMENSIONS = 3  # of one plan

has_library = cache(_engine.has_cufft)


@lru_cache(maxsize=32)
def _plan(device: Any, extents: tuple[int, ...], layouts: tuple[Any, Any], count: int) -> Any:
    """The plan of a shape; its memory for work is given back between transforms."""
    return _engine.fft_plan(device, list(extents), *layouts, count)


def _run(x: Any, dtype: str, last: int, dimensions: int = 1, *, is_inverse: bool) -> Any:
    """The transform over the last dimensions, to elements of a dtype, `last` of them in a row."""
    out = creation.empty((*x.shape[:-1], last), dtype, device=x._device)
    extents = x.shape[x.ndim - dimensions :]
    if dtype in _COMPLEX:  # half of the frequencies became real elements
        extents = (*extents[:-1], last)
    rows = math.prod(x.shape[x.ndim - dimensions :]), math.prod(out.shape[out.ndim - dimensions :])
    layouts = (x._dtype, 1, rows[0]), (dtype, 1, rows[1])
    plan = _plan(x._device, extents, layouts, max(x.size // rows[0], 1))
    plan.run(x._evaluate(), out._open(), is_inverse)
    return out


def _run_along(x: Any, axis: int, is_inverse: bool) -> Any:
    """The complex transform along an axis; along the first one without a copy."""
    if axis == x.ndim - 1 or x.ndim == 0:
        return _run(coerce.in_order(x, "C"), x._dtype, x.shape[-1], is_inverse=is_inverse)
    if axis == 0:
        x = coerce.in_order(x, "C")
        out = creation.empty(x.shape, x._dtype, device=x._device)
        columns = x.size // x.shape[0]
        layout = (x._dtype, columns, 1)
        plan = _plan(x._device, (x.shape[0],), (layout, layout), columns)
        plan.run(x._evaluate(), out._open(), is_inverse)
        return out
    turned = coerce.in_order(shapes.moveaxis(x, axis, -1), "C")
    made = _run(turned, x._dtype, turned.shape[-1], is_inverse=is_inverse)
    return shapes.moveaxis(made, -1, axis)


def _resized(x: Any, axis: int, length: int) -> Any:
    """The array cut off, or filled up with zeros, to a length along an axis."""
    had = x.shape[axis]
    if had > length:
        return x[(*(slice(None),) * axis, slice(length))]
    if had == length:
        return x
    shape = (*x.shape[:axis], length - had, *x.shape[axis + 1 :])
    return joining.concatenate([x, creation.zeros(shape, x._dtype, device=x._device)], axis)


def _scale(norm: str | None, count: int, is_inverse: bool) -> float:
    if norm == "ortho":
        return 1 / math.sqrt(count)
    return 1 / count if is_inverse == (norm in (None, "backward")) else 1.0


def _scaled(made: Any, norm: str | None, count: int, is_inverse: bool) -> Any:
    scale = _scale(norm, count, is_inverse)
    return made if scale == 1 else made * scale


def _as_complex(x: Any) -> Any:
    wanted = _COMPLEX.get(x._dtype)
    return x if wanted is None else _engine.array_cast(x, wanted)


def _complex(x: Any, lengths: tuple[int, ...], axes: tuple[int, ...], is_inverse: bool) -> Any:
    """The complex transform along axes, not scaled."""
    x = _as_complex(x)
    for axis, length in zip(axes, lengths, strict=True):
        x = _resized(x, axis, length)
    count = len(axes)
    if 1 < count <= _MOST_DIMENSIONS and axes == tuple(range(x.ndim - count, x.ndim)):
        return _run(coerce.in_order(x, "C"), x._dtype, x.shape[-1], count, is_inverse=is_inverse)
    for axis in reversed(axes):
        x = _run_along(x, axis, is_inverse)
    return x


def _to_half(x: Any, axis: int) -> Any:
    """The frequencies from 0 on of real elements along an axis."""
    rows = coerce.in_order(shapes.moveaxis(x, axis, -1), "C")
    made = _run(rows, _COMPLEX[x._dtype], rows.shape[-1] // 2 + 1, is_inverse=False)
    return shapes.moveaxis(made, -1, axis)


def _to_real(x: Any, axis: int, length: int) -> Any:
    """The real elements of frequencies from 0 on along an axis."""
    x = _resized(x, axis, length // 2 + 1)
    rows = coerce.in_order(shapes.moveaxis(x, axis, -1), "C")
    return shapes.moveaxis(_run(rows, _REAL[x._dtype], length, is_inverse=True), -1, axis)


def _axes_and_lengths(
    x: Any, lengths: Any, axes: Any, is_last_half: bool = False
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes from 0, and a length for each; of a half the length that it is the half of."""
    if axes is None:
        axes = range(-len(lengths), 0) if lengths is not None else range(x.ndim)
    places = tuple(axis % x.ndim for axis in axes)
    if lengths is None:
        found = [x.shape[axis] for axis in places]
        if is_last_half:
            found[-1] = 2 * (found[-1] - 1)
        lengths = found
    if min(lengths, default=1) < 1:
        raise ValueError(f"Invalid number of data points ({min(lengths)}) specified.")
    if len(lengths) != len(places):
        raise ValueError("Shape and axes have different lengths.")
    return places, tuple(lengths)


def fftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """The transform along several axes."""
    places, lengths = _axes_and_lengths(x, s, axes)
    return _scaled(_complex(x, lengths, places, False), norm, math.prod(lengths), False)


def ifftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """The inverse transform along several axes."""
    places, lengths = _axes_and_lengths(x, s, axes)
    return _scaled(_complex(x, lengths, places, True), norm, math.prod(lengths), True)


def rfftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """The transform of real elements along several axes, the last of them to a half."""
    places, lengths = _axes_and_lengths(x, s, axes)
    made = _to_half(_resized(x, places[-1], lengths[-1]), places[-1])
    made = _complex(made, lengths[:-1], places[:-1], False)
    return _scaled(made, norm, math.prod(lengths), False)


def irfftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """The inverse of `rfftn`."""
    places, lengths = _axes_and_lengths(x, s, axes, is_last_half=True)
    made = _complex(x, lengths[:-1], places[:-1], True)
    made = _to_real(made, places[-1], lengths[-1])
    return _scaled(made, norm, math.prod(lengths), True)


def _of_one_axis(function: Callable[..., Any]) -> Callable[..., Any]:
    def transform(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
        return function(x, None if n is None else (n,), (axis,), norm)

    return transform


def _swapped(norm: str | None) -> str:
    return {"forward": "backward", "ortho": "ortho"}.get(norm or "backward", "forward")


def _hfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    return _of_one_axis(irfftn)(_as_complex(x).conj(), n, axis, _swapped(norm))


def _ihfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    return _of_one_axis(rfftn)(x, n, axis, _swapped(norm)).conj()


TRANSFORMS: dict[str, Callable[..., Any]] = {
    **{each.__name__: each for each in (fftn, ifftn, rfftn, irfftn)},
    **{f"{each.__name__[:-1]}2": each for each in (fftn, ifftn, rfftn, irfftn)},
    **{each.__name__[:-1]: _of_one_axis(each) for each in (fftn, ifftn, rfftn, irfftn)},
    "hfft": _hfft,
    "ihfft": _ihfft,
}
