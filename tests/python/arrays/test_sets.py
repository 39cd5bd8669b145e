"""Distinct elements and sets, with NumPy as the oracle."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

DTYPES = (
    "bool",
    "int8",
    "int64",
    "float32",
    "float64",
    "complex64",
    "datetime64[s]",
)


def sample(dtype, shape, seed=0):
    random = np.random.default_rng(seed)
    made = random.integers(-9, 9, shape)
    if dtype == "bool":
        return made > 0
    made = made.astype(dtype)
    if dtype.startswith(("float", "complex")):
        made[made == 3] = np.nan
        made[made == 0] = -0.0
    if dtype.startswith("datetime"):
        made[made == np.datetime64(3, "s")] = np.datetime64("NaT")
    return made


def same(made, expected):
    if isinstance(expected, tuple):
        assert len(made) == len(expected)
        assert getattr(made, "_fields", None) == getattr(expected, "_fields", None)
        for each, other in zip(made, expected, strict=True):
            same(each, other)
        return
    assert np.asarray(made).dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(made), expected)


def without_inverse(made, expected, flags, x):
    """Both without the inverse, which leads to x: NumPy's order of several NaN is any."""
    if not flags[1]:
        return made, expected
    place = 1 + flags[0]
    inverse = np.asarray(made[place])
    assert inverse.dtype == expected[place].dtype
    np.testing.assert_array_equal(np.asarray(made[0])[inverse], x)
    return tuple(
        tuple(each for i, each in enumerate(both) if i != place and (i != 1 or not flags[0]))
        for both in (made, expected)
    )


@pytest.mark.parametrize("shape", [(0,), (1,), (70,), (9, 11), (5000,)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_distinct_elements(dtype, shape):
    x = sample(dtype, shape)
    ours = px.asarray(x)
    for flags in itertools.product((False, True), repeat=3):
        # NumPy 2.4 takes each NaT for one where it sorts, and all for one where it hashes.
        for equal_nan in (True,) if dtype[0] == "d" else (True, False):
            expected = np.unique(x, *flags, equal_nan=equal_nan)
            made = px.unique(ours, *flags, equal_nan=equal_nan)
            same(*without_inverse(made, expected, flags, x))
    for name in ("unique_all", "unique_counts", "unique_inverse") if dtype[0] != "d" else ():
        made, expected = getattr(px, name)(ours), getattr(np, name)(x)
        flags = (name == "unique_all", name != "unique_counts", name != "unique_inverse")
        assert made._fields == expected._fields
        same(*without_inverse(tuple(made), tuple(expected), flags, x))
    if dtype[0] != "d":
        same(px.sort(px.unique_values(ours)), np.sort(np.unique_values(x)))


def test_parts_along_an_axis():
    x = sample("int64", (20, 2))
    same(px.unique(px.asarray(x), axis=0), np.unique(x, axis=0))


PAIRS = [
    (first, second)
    for first, second in itertools.combinations_with_replacement(DTYPES, 2)
    if ("datetime" in first) == ("datetime" in second)
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_arrays(first, second):
    x, y = sample(first, (8, 5)), sample(second, 17, 1)
    ours, others = px.asarray(x), px.asarray(y)
    for invert in (False, True):
        same(px.isin(ours, others, invert=invert), np.isin(x, y, invert=invert))
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
        same(getattr(px, name)(ours, others), getattr(np, name)(x, y))
    same(
        px.intersect1d(ours, others, return_indices=True),
        np.intersect1d(x, y, return_indices=True),
    )
    x, y = np.unique(x, equal_nan=False), np.unique(y, equal_nan=False)
    for name in ("intersect1d", "setdiff1d", "setxor1d"):
        made = getattr(px, name)(px.asarray(x), px.asarray(y), assume_unique=True)
        same(made, getattr(np, name)(x, y, assume_unique=True))


def test_nothing():
    empty = px.zeros(0)
    same(px.isin(px.arange(3), empty), np.isin(np.arange(3), np.zeros(0)))
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
        for pair in ((empty, px.arange(3.0)), (px.arange(3.0), empty)):
            expected = getattr(np, name)(*map(np.asarray, pair))
            same(getattr(px, name)(*pair), expected)
