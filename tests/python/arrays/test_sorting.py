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


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_several_keys(axis):
    random = np.random.default_rng(3)
    keys = [random.integers(0, 4, (30, 40)), random.random((30, 40)).round(1), np.ones((30, 40))]
    made = px.lexsort([px.asarray(each) for each in keys], axis=axis)
    np.testing.assert_array_equal(np.asarray(made), np.lexsort(keys, axis=axis))
    whole = np.stack([each.astype(float) for each in keys])
    made = px.lexsort(px.asarray(whole), axis=axis)
    np.testing.assert_array_equal(np.asarray(made), np.lexsort(whole, axis=axis))
    for wrong in ([], [keys[0], keys[1].T]):
        with pytest.raises((TypeError, ValueError)):
            np.lexsort(wrong)
        with pytest.raises((TypeError, ValueError)):
            px.lexsort([px.asarray(each) for each in wrong])


@pytest.mark.parametrize("kth", [0, 7, -1, (3, 11)])
@pytest.mark.parametrize("axis", [0, 1, None])
@pytest.mark.parametrize("dtype", ["int16", "float32", "complex64"])
def test_parts(dtype, axis, kth):
    x = numbers(dtype, (20, 30))
    made = np.asarray(px.partition(px.asarray(x), kth, axis=axis))
    order = np.asarray(px.argpartition(px.asarray(x), kth, axis=axis))
    flat = x.reshape(-1) if axis is None else x
    along = -1 if axis is None else axis
    by_order = np.take_along_axis(flat, order, along)
    for each in (made, by_order):
        places = np.sort(flat, axis=along).take(kth, axis=along)
        np.testing.assert_array_equal(each.take(kth, axis=along), places)
        np.testing.assert_array_equal(np.sort(each, axis=along), np.sort(flat, axis=along))
    for wrong in (700, 1.5):
        with pytest.raises((ValueError, TypeError)):
            px.partition(px.asarray(x), wrong, axis=axis)


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_largest_elements(dtype, largest):
    x = numbers(dtype, (6, 50))
    for axis, k in ((-1, 5), (0, 6), (1, 0)):
        values, indices = px.topk(px.asarray(x), k, axis=axis, largest=largest)
        order = np.argsort(x, axis=axis, kind="stable")
        if largest:
            backwards = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
            order = np.flip(x.shape[axis] - 1 - backwards, axis)
        expected = order.take(range(k), axis=axis)
        np.testing.assert_array_equal(np.asarray(indices), expected)
        np.testing.assert_array_equal(np.asarray(values), np.take_along_axis(x, expected, axis))
    with pytest.raises(ValueError, match="k=7"):
        px.topk(px.asarray(x), 7, axis=0)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", [*WHOLE, "float16", "float32", "float64", "complex64"])
def test_searches(dtype, side):
    values = np.sort(numbers(dtype, 200))
    keys = numbers(dtype, (30, 7)).T
    made = px.searchsorted(px.asarray(values), px.asarray(keys), side=side)
    np.testing.assert_array_equal(np.asarray(made), np.searchsorted(values, keys, side))
    order = np.random.default_rng(2).permutation(200)
    sorter = np.argsort(values[order], kind="stable")
    made = px.searchsorted(
        px.asarray(values[order]), px.asarray(keys), side=side, sorter=px.asarray(sorter)
    )
    np.testing.assert_array_equal(
        np.asarray(made), np.searchsorted(values[order], keys, side, sorter)
    )
    for number in (3, 2.5, True, 300, -1, 2.0001):
        expected = np.searchsorted(values, number, side)
        assert int(px.searchsorted(px.asarray(values), number, side=side)) == expected
    with pytest.raises(ValueError):
        px.searchsorted(px.asarray(values), px.asarray(keys), side="middle")


@pytest.mark.parametrize(
    "kth", [0, -5, [4, 1], np.array([], int), 5, -6, [0, 7], 1.0, True, None, "a", [[1]]], ids=str
)
@pytest.mark.parametrize("name", ["partition", "argpartition"])
def test_places_of_partitions_are_checked(device, monkeypatch, name, kth):
    monkeypatch.setenv("PHALANX_ARRAY_KERNELS", "gpu")
    x = np.array([3.0, 1, 2, 5, 4])
    try:
        expected = getattr(np, name)(x, kth)
    except (TypeError, ValueError) as problem:
        with pytest.raises(type(problem)):
            getattr(px, name)(px.asarray(x), kth)
        return
    made = np.asarray(getattr(px, name)(px.asarray(x), kth))
    made, expected = (x[each] if name == "argpartition" else each for each in (made, expected))
    for each in np.ravel(kth):
        assert made[each] == expected[each]


def test_bfloat16_with_nan_is_sorted(device):
    x = px.asarray([3, np.nan, 1, -np.inf, 2, np.nan, -0.0], dtype=px.bfloat16)
    wide = np.asarray(px.astype(x, "float32"))
    for made, expected in (
        (px.sort(x), np.sort(wide)),
        (px.argsort(x), np.argsort(wide, stable=True)),
        (px.lexsort((x, x)), np.lexsort((wide, wide))),
        (px.partition(x, 2)[2:3], np.partition(wide, 2)[2:3]),
        (px.unique(x), np.unique(wide)),
        (px.searchsorted(px.sort(x), x), np.searchsorted(np.sort(wide), wide)),
    ):
        np.testing.assert_array_equal(np.asarray(px.astype(made, "float64")), expected)
    assert px.sort(x).dtype == px.unique(x).dtype == px.partition(x, 1).dtype == x.dtype
    values, places = px.topk(x, 2)
    assert places.tolist() == [1, 5] and values.dtype == x.dtype


def test_arrays_are_sorted_in_place_along_an_axis():
    x = px.arange(4).reshape(2, 2)
    for name, *args in (("sort",), ("partition", 1)):
        with pytest.raises(TypeError, match="integer"):
            getattr(x, name)(*args, axis=None)
    assert x.tolist() == [[0, 1], [2, 3]]
