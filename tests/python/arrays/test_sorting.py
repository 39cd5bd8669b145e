"""Sorting of large arrays, which vectors and threads do, with NumPy as the oracle."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

WHOLE = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
DTYPES = (*WHOLE, "float16", "float32", "float64", "complex128", "datetime64[s]")
SIZES = (4095, 5000, 70_000, 300_001)  # by NumPy, by a thread, by several


def numbers(dtype, shape):
    random = np.random.default_rng(1)
    made = np.asarray(random.standard_normal(shape) * 1000)
    with np.errstate(invalid="ignore"):
        made = made.astype("int64").astype(dtype) if dtype in WHOLE else made.astype("int64") / 8
    if dtype not in WHOLE:
        made = made.astype("int64").astype(dtype) if dtype[0] == "d" else made.astype(dtype)
        flat = made.reshape(-1)
        if dtype[0] == "d":
            flat[::97] = np.datetime64("NaT")
        else:
            flat[::97], flat[::89], flat[::83] = np.nan, np.inf, -np.inf
            flat[::5], flat[1::5] = 0.0, -0.0
    return made


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_one_row(dtype, size):
    x = numbers(dtype, size)
    ours = px.asarray(x)
    before = x.copy()
    np.testing.assert_array_equal(np.asarray(px.sort(ours)), np.sort(x))
    np.testing.assert_array_equal(np.asarray(px.argsort(ours)), np.argsort(x, kind="stable"))
    np.testing.assert_array_equal(np.asarray(ours), before)
    np.testing.assert_array_equal(np.asarray(px.sort(ours, descending=True)), np.sort(x)[::-1])


@pytest.mark.parametrize("axis", [0, 1, 2, -1, None])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "float64"])
def test_axes_and_strides(dtype, axis):
    x = numbers(dtype, (40, 30, 50))
    for view in (lambda a: a, lambda a: a.T, lambda a: a[::-2, :, 1:]):
        theirs, ours = view(x), view(px.asarray(x))
        np.testing.assert_array_equal(
            np.asarray(px.sort(ours, axis=axis)), np.sort(theirs, axis=axis)
        )
        expected = np.argsort(theirs, axis=axis, kind="stable")
        np.testing.assert_array_equal(np.asarray(px.argsort(ours, axis=axis)), expected)


def test_in_place_and_kinds():
    x = numbers("float64", 20_000)
    for kind in ("quicksort", "heapsort", "mergesort", "stable"):
        ours = px.array(x)
        ours.sort(kind=kind)
        np.testing.assert_array_equal(np.asarray(ours), np.sort(x))
    for wrong in (
        lambda xp: xp.sort(xp.asarray(x), axis=1),
        lambda xp: xp.sort(xp.asarray(x), kind="no"),
    ):
        with pytest.raises(ValueError):
            wrong(np)
        with pytest.raises(ValueError):
            wrong(px)
    assert px.sort(px.zeros((0, 5000))).shape == (0, 5000)
    assert px.sort(px.zeros((5000, 1))).shape == (5000, 1)
