"""Functions for the CPU."""

from typing import Any, assert_type

import numpy as np
from phalanx.types import float64, int64

from phalanx import get_num_threads, guvectorize, jit, njit, prange, set_advice, vectorize

Floats = np.ndarray[Any, np.dtype[np.float64]]


@njit(parallel=True, cache=True)
def norms(points: Floats) -> Floats:
    made = np.empty(points.shape[0])
    for i in prange(points.shape[0]):
        made[i] = np.sqrt((points[i] ** 2).sum())
    return made


@jit
def dot(a: Floats, b: Floats, scale: float = 1.0) -> float:
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total * scale


@njit("float64(float64, int64)", error_model="numpy", fastmath={"nnan", "ninf"})
def power(x: float, n: int) -> float:
    return float(x**n)


@njit([float64(float64), float64(int64)])
def half(x: float) -> float:
    return x / 2


@vectorize(["float64(float64, float64)"], target="parallel")
def weighted(a: float, b: float) -> float:
    return 2 * a + b


@vectorize
def plain(a: float) -> float:
    return a


@guvectorize(["void(float64[:], float64[:])"], "(n)->()", writable_args=("out",))
def mean(row: Floats, out: Floats) -> None:
    out[0] = row.mean()


points = np.ones((10, 3))
assert_type(norms(points), Floats)
assert_type(dot(points[0], points[1], scale=2.0), float)
assert_type(power(2.0, 3), float)
assert_type(half(3.0), float)
assert_type(weighted(1.0, 2.0), float)
print(weighted(points, points, out=np.empty_like(points)), plain(points), mean(points))
print(norms.py_func(points), dot.signatures, weighted.types)
print(get_num_threads())
set_advice(float64=False, low_occupancy=None)
