"""``cupy.testing``: NumPy's comparisons of arrays, of ours too, and arrays to test with."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from . import _cupy_table
from .cupy_functions import asnumpy


def _comparing(name: str) -> Callable[..., Any]:
    compare = getattr(np.testing, name)

    @functools.wraps(compare)
    def compare_ours(x: Any, y: Any, *args: Any, **options: Any) -> Any:
        return compare(asnumpy(x), asnumpy(y), *args, **options)

    return compare_ours


assert_allclose = _comparing("assert_allclose")
assert_array_almost_equal = _comparing("assert_array_almost_equal")
assert_array_almost_equal_nulp = _comparing("assert_array_almost_equal_nulp")
assert_array_equal = _comparing("assert_array_equal")
assert_array_less = _comparing("assert_array_less")
assert_array_max_ulp = _comparing("assert_array_max_ulp")


def assert_array_list_equal(xlist: Any, ylist: Any, **options: Any) -> None:
    """Raises `AssertionError` where the arrays of two lists differ."""
    if len(xlist) != len(ylist):
        raise AssertionError(f"List size is different: {len(xlist)} and {len(ylist)}")
    for x, y in zip(xlist, ylist, strict=True):
        assert_array_equal(x, y, **options)


def shaped_arange(shape: Any, xp: Any = px, dtype: Any = np.float32, order: str = "C") -> Any:
    """The numbers from 1 on in a shape, of `numpy` or `cupy`; booleans take turns."""
    kind = np.dtype(dtype)
    made = np.arange(1, math.prod(shape) + 1)
    if kind == np.bool_:
        made = made % 2 == 0
    elif kind.kind == "c":
        made = made + made * 1j
    return xp.array(made.astype(kind).reshape(shape), order=order)


def shaped_random(
    shape: Any,
    xp: Any = px,
    dtype: Any = np.float32,
    scale: float = 10,
    seed: int = 0,
) -> Any:
    """Random numbers from 0 to `scale` in a shape, of `numpy` or `cupy`."""
    kind = np.dtype(dtype)
    state = np.random.RandomState(seed)
    if kind == np.bool_:
        return xp.asarray(state.randint(2, size=shape) > 0)
    made = state.rand(*shape) * scale
    if kind.kind == "c":
        made = made + state.rand(*shape) * scale * 1j
    return xp.asarray(made.astype(kind))


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"phalanx does not provide cupy.testing.{name}; {_cupy_table.remedy('cupy.testing')}"
    )
