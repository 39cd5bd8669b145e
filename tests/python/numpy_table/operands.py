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


class OperandSpec(NamedTuple):
    """What the operands of a call are like."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    layout: str
    values: str
    seed: int


def layouts(ndim: int) -> tuple[str, ...]:
    """The layouts that differ for an array of `ndim` dimensions."""
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


def array(spec: OperandSpec, which: int = 0, shape: tuple[int, ...] | None = None) -> Any:
    """An array for the spec; `which` makes those of one call differ."""
    extents = spec.shape if shape is None else shape
    seed = zlib.crc32(repr((str(spec.dtype), extents, which, spec.seed)).encode())
    count = int(np.prod(extents))
    if spec.values == "special":
        flat = np.roll(_special(spec.dtype, count + which * 3), which * 2)[which * 3 :]
    else:
        flat = _plain(spec.dtype, count, np.random.default_rng(seed))
    return _laid_out(np.ascontiguousarray(flat, spec.dtype), extents, spec.layout)


def _vector(spec: OperandSpec) -> Any:
    return array(spec, 1, (spec.shape[-1] if spec.shape else 1,))


def _whole(spec: OperandSpec, low: int, high: int, shape: tuple[int, ...]) -> Any:
    return np.random.default_rng(len(shape)).integers(low, high, shape)


def _sorted(spec: OperandSpec) -> Any:
    kept = spec._replace(layout="C", values="plain")
    return np.sort(array(kept, 2, (6,)))


# What a parameter of a row means.
OPERANDS: dict[str, Callable[[OperandSpec], Any]] = {
    "a": array,
    "like": lambda spec: array(spec, 1),
    "third": lambda spec: array(spec, 2),
    "row": _vector,
    "short": lambda spec: array(spec, 2, (3,)),
    "matrix": lambda spec: array(spec, 3, (spec.shape[-1] if spec.shape else 1, 2)),
    "tall": lambda spec: array(spec, 3, (3, 2)),
    "order": _sorted,
    "xp": lambda spec: np.array([-2.0, 0.5, 1.0, 6.0]),
    "fp": lambda spec: np.array([1.0, -1.0, 3.0, 2.0]),
    "mask": lambda spec: np.asarray(array(spec._replace(dtype=np.dtype(bool)), 1)),
    "x": lambda spec: array(spec._replace(layout="C"), 4, (1,))[0].item(),
    "scalar": lambda spec: array(spec._replace(layout="C"), 4, (1,))[0],
    "positions": lambda spec: _whole(spec, -1, 1, (4,)),
    "grid": lambda spec: _whole(spec, -1, 1, (2, 3)),
    "counts": lambda spec: _whole(spec, 0, 4, (int(np.prod(spec.shape)),)),
    "weights": lambda spec: np.arange(1.0, np.prod(spec.shape) + 1).reshape(spec.shape),
    "floats": lambda spec: np.arange(1.0, (spec.shape[-1] if spec.shape else 1) + 1) * 1.5,
    "bins": lambda spec: np.array([-1.0, 0.5, 2.0, 4.0]),
    "falling": lambda spec: np.array([4.0, 2.0, 0.5, -1.0]),
    "out": lambda spec: np.zeros(spec.shape, spec.dtype),
    "n": lambda spec: 3,
}


def specs(
    dtype: str, ndim: int, layout: str, square: bool, values: tuple[str, ...] = VALUES
) -> Iterator[OperandSpec]:
    """What one compiled function is called with: all values of the first shape, plain others."""
    shapes = (SQUARE if square else SHAPES)[ndim]
    for seed, (shape, kind) in enumerate(itertools.product(shapes, values)):
        if kind == "plain" or shape == shapes[0]:
            yield OperandSpec(np.dtype(dtype), shape, layout, kind, seed)
