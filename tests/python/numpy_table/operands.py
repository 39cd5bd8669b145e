"""Operands of the table's calls: arrays of every dtype, shape, layout and kind of values."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip

# By the number of dimensions; the first one has elements, others have one or none.
SHAPES: dict[int, tuple[tuple[int, ...], ...]] = {
    0: ((),),
    1: ((5,), (1,), (0,)),
    2: ((3, 4), (4, 2), (1, 1), (0, 3), (3, 0)),
    3: ((2, 3, 4), (3, 1, 2), (2, 0, 3), (2, 3, 0)),
    4: ((2, 3, 2, 2), (1, 2, 1, 3), (2, 1, 0, 3)),
}
SQUARE: dict[int, tuple[tuple[int, ...], ...]] = {
    **SHAPES,
    2: ((3, 3), (1, 1), (0, 0), (2, 3)),
    3: ((3, 3, 3), (2, 2, 2), (0, 0, 0), (2, 3, 3)),
    4: ((2, 2, 2, 2), (2, 2, 2, 3)),
}
LAYOUTS = ("C", "F", "reversed", "broadcast")
VALUES = ("plain", "special")

_SPECIAL_FLOATS = (np.nan, 1.5, np.inf, -0.0, -np.inf, 0.0, 2.0, np.nan, -1.0)


class Place(NamedTuple):
    """What the operands of a call are like."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    layout: str
    values: str
    seed: int


def layouts(ndim: int) -> tuple[str, ...]:
    """The layouts that differ for so many dimensions."""
    return {0: ("C",), 1: ("C", "reversed", "broadcast")}.get(ndim, LAYOUTS)


def _special(dtype: np.dtype[Any], count: int) -> Any:
    if dtype.kind == "b":
        return np.resize([True, False, False, True], count)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        known = [limits.max, 0, limits.min, 1, limits.max - 1, limits.min + 1]
        return np.resize(np.array(known, dtype), count)
    if dtype.kind == "f":
        return np.resize(np.array(_SPECIAL_FLOATS, dtype), count)
    return np.resize(
        np.array([complex(np.nan, 1), 2 - 1j, 0, complex(1, np.nan), 1j], dtype), count
    )


def _plain(dtype: np.dtype[Any], count: int, rng: np.random.Generator) -> Any:
    if dtype.kind == "b":
        return rng.random(count) < 0.6
    low = 0 if dtype.kind == "u" else -4
    numbers = rng.integers(low, 9, count).astype(np.float64)
    if dtype.kind in "fc":
        numbers = numbers + rng.integers(0, 4, count) / 4
    if dtype.kind == "c":
        return (numbers + 1j * rng.integers(-4, 5, count)).astype(dtype)
    return numbers.astype(dtype)


def _laid_out(flat: Any, shape: tuple[int, ...], layout: str) -> Any:
    packed = flat.reshape(shape)
    if layout == "F":
        return np.asfortranarray(packed)
    if layout == "reversed":
        backward = (slice(None, None, -1),) * len(shape)
        return np.ascontiguousarray(packed[backward])[backward]
    if layout == "broadcast" and shape:
        return np.broadcast_to(packed[:1], shape)
    return packed


def array(place: Place, which: int = 0, shape: tuple[int, ...] | None = None) -> Any:
    """An array for the place; `which` makes those of one call differ."""
    extents = place.shape if shape is None else shape
    seed = zlib.crc32(repr((str(place.dtype), extents, which, place.seed)).encode())
    count = int(np.prod(extents))
    if place.values == "special":
        flat = np.roll(_special(place.dtype, count + which * 3), which * 2)[which * 3 :]
    else:
        flat = _plain(place.dtype, count, np.random.default_rng(seed))
    return _laid_out(np.ascontiguousarray(flat, place.dtype), extents, place.layout)


def _vector(place: Place) -> Any:
    return array(place, 1, (place.shape[-1] if place.shape else 1,))


def _whole(place: Place, low: int, high: int, shape: tuple[int, ...]) -> Any:
    return np.random.default_rng(len(shape)).integers(low, high, shape)


def _sorted(place: Place) -> Any:
    kept = place._replace(layout="C", values="plain")
    return np.sort(array(kept, 2, (6,)))


# What a parameter of a row stands for.
OPERANDS: dict[str, Callable[[Place], Any]] = {
    "a": array,
    "like": lambda place: array(place, 1),
    "third": lambda place: array(place, 2),
    "row": _vector,
    "short": lambda place: array(place, 2, (3,)),
    "matrix": lambda place: array(place, 3, (place.shape[-1] if place.shape else 1, 2)),
    "tall": lambda place: array(place, 3, (3, 2)),
    "order": _sorted,
    "xp": lambda place: np.array([-2.0, 0.5, 1.0, 6.0]),
    "fp": lambda place: np.array([1.0, -1.0, 3.0, 2.0]),
    "mask": lambda place: np.asarray(array(place._replace(dtype=np.dtype(bool)), 1)),
    "x": lambda place: array(place._replace(layout="C"), 4, (1,))[0].item(),
    "scalar": lambda place: array(place._replace(layout="C"), 4, (1,))[0],
    "positions": lambda place: _whole(place, -1, 1, (4,)),
    "grid": lambda place: _whole(place, -1, 1, (2, 3)),
    "counts": lambda place: _whole(place, 0, 4, (int(np.prod(place.shape)),)),
    "weights": lambda place: np.arange(1.0, np.prod(place.shape) + 1).reshape(place.shape),
    "floats": lambda place: np.arange(1.0, (place.shape[-1] if place.shape else 1) + 1) * 1.5,
    "bins": lambda place: np.array([-1.0, 0.5, 2.0, 4.0]),
    "falling": lambda place: np.array([4.0, 2.0, 0.5, -1.0]),
    "out": lambda place: np.zeros(place.shape, place.dtype),
    "n": lambda place: 3,
}


def places(
    dtype: str, ndim: int, layout: str, square: bool, values: tuple[str, ...] = VALUES
) -> Iterator[Place]:
    """What one compiled function is called with: all values of the first shape, plain others."""
    shapes = (SQUARE if square else SHAPES)[ndim]
    for seed, (shape, kind) in enumerate(itertools.product(shapes, values)):
        if kind == "plain" or shape == shapes[0]:
            yield Place(np.dtype(dtype), shape, layout, kind, seed)
