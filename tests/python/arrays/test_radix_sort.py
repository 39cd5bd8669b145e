"""Sorting by the kernels that arrays of a GPU have, on either device, with NumPy as the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from phalanx._sorting import merging, radix, rows, searching

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

WHOLE = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
FLOATS = ("float16", "float32", "float64")
DTYPES = (*WHOLE, *FLOATS, "datetime64[s]", "timedelta64[ms]")
# One element; rows that fit a block of each shape, and are one longer; several tiles; several rows
# of more than one tile.
SHAPES = (
    (1,),
    (5, 1),
    (31,),
    (3, 128),
    (2, 129),
    (2, 1024),
    (2, 1025),
    (6145,),
    (30_000,),
    (3, 6200),
)


def filled(dtype, shape, seed=0):
    """Random bits, so that all values of a dtype come, with many that are equal or special."""
    random = np.random.default_rng(seed)
    count = int(np.prod(shape))
    item = np.dtype(dtype).itemsize
    made = random.integers(0, 256, count * item, np.uint8).view(dtype if dtype != "bool" else "u1")
    made = (made % 2).astype("bool") if dtype == "bool" else made.copy()
    made[random.random(count) < 0.3] = 1
    if dtype in FLOATS:
        for value in (np.nan, -np.nan, 0.0, -0.0, np.inf, -np.inf):
            made[random.random(count) < 0.05] = value
    elif dtype[0] in "dt":
        made[random.random(count) < 0.1] = np.array("NaT", dtype)
    return made.reshape(shape)


def descending_order(x):
    return np.flip(x.shape[-1] - 1 - np.argsort(np.flip(x, -1), -1, kind="stable"), -1)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_rows(dtype, shape):
    x = filled(dtype, shape)
    ours = px.asarray(x)
    order = np.argsort(x, axis=-1, kind="stable")
    np.testing.assert_array_equal(np.asarray(rows.sort(ours)), np.sort(x, axis=-1))
    np.testing.assert_array_equal(np.asarray(rows.argsort(ours)), order)
    backwards = descending_order(x)
    np.testing.assert_array_equal(np.asarray(rows.argsort(ours, True)), backwards)
    expected = np.take_along_axis(x, backwards, -1)
    np.testing.assert_array_equal(np.asarray(rows.sort(ours, True)), expected)
    np.testing.assert_array_equal(np.asarray(ours), x)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_rows_more_than_one_digit_counts(dtype):
    x = filled(dtype, (300, 6200))
    ours = px.asarray(x)
    np.testing.assert_array_equal(np.asarray(rows.sort(ours)), np.sort(x))
    order = np.argsort(x, axis=-1, kind="stable")
    np.testing.assert_array_equal(np.asarray(rows.argsort(ours)), order)


@pytest.mark.parametrize("size", [100, 20_000])
def test_bfloat16_in_the_order_of_float32(size):
    x = filled("float32", size)
    ours = px.asarray(x).astype("bfloat16")
    wide = np.asarray(ours.astype("float32"))
    sorted_wide = np.asarray(rows.sort(ours).astype("float32"))
    np.testing.assert_array_equal(sorted_wide, np.sort(wide))
    np.testing.assert_array_equal(np.asarray(rows.argsort(ours)), np.argsort(wide, kind="stable"))


@pytest.mark.parametrize("shape", [(20_000,), (3, 7000)])
@pytest.mark.parametrize("dtype", ["int8", "float32", "float64"])
def test_counts_of_64_bits(monkeypatch, dtype, shape):
    monkeypatch.setattr(rows, "_MOST_COUNTED", 1000)
    x = filled(dtype, shape)
    ours = px.asarray(x)
    np.testing.assert_array_equal(np.asarray(rows.sort(ours)), np.sort(x))
    order = np.argsort(x, axis=-1, kind="stable")
    np.testing.assert_array_equal(np.asarray(rows.argsort(ours)), order)


@pytest.mark.parametrize("threads", [256, 512])
@pytest.mark.parametrize("items", [1, 5])
def test_other_tiles(monkeypatch, threads, items):
    monkeypatch.setattr(radix, "tile_of", lambda what: radix.Tile(threads, items))
    x = filled("float32", 20_001)
    ours = px.asarray(x)
    np.testing.assert_array_equal(np.asarray(rows.sort(ours)), np.sort(x))
    np.testing.assert_array_equal(np.asarray(rows.argsort(ours)), np.argsort(x, kind="stable"))


@pytest.mark.parametrize("size", [7, 6144, 50_000])
def test_all_equal_and_in_order(size):
    for x in (np.zeros(size, np.int32), np.arange(size, dtype=np.int32)):
        for each in (x, x[::-1].copy()):
            ours = px.asarray(each)
            np.testing.assert_array_equal(np.asarray(rows.sort(ours)), np.sort(each))
            expected = np.argsort(each, kind="stable")
            np.testing.assert_array_equal(np.asarray(rows.argsort(ours)), expected)


def test_bits_of_keys_are_kept():
    bits = np.array([0x7FC00001, 0xFFC00002, 0x80000000, 0, 0x7F800001, 0x3F800000], np.uint32)
    made = np.asarray(rows.sort(px.asarray(bits.view(np.float32)))).view(np.uint32)
    assert made.tolist() == [0x80000000, 0, 0x3F800000, 0x7FC00001, 0xFFC00002, 0x7F800001]


def test_what_has_no_keys():
    assert not rows.takes("complex64")
    assert not rows.takes("complex128")
    assert all(rows.takes(np.dtype(each).name) for each in DTYPES)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", [*WHOLE, *FLOATS])
def test_searches(dtype, side):
    values, keys = np.sort(filled(dtype, 999)), filled(dtype, 3000, seed=1)
    made = searching.searchsorted(px.asarray(values), px.asarray(keys), side == "right")
    np.testing.assert_array_equal(np.asarray(made), np.searchsorted(values, keys, side))
    none = searching.searchsorted(px.asarray(values), px.asarray(keys[:0]), False)
    assert none.shape == (0,)


# Nothing, one element, less and more than a tile, and a tile's edge.
PAIRS = ((1, 0), (0, 3), (1, 1), (5, 700), (merging.TILE, 1), (30_000, 9001), (7, 20_000))


@pytest.mark.parametrize("dtype", [*WHOLE, *FLOATS])
def test_two_sorted_vectors_are_merged(dtype):
    for seed, sizes in enumerate(PAIRS):
        first, second = (
            np.sort(filled(dtype, (size,), 2 * seed + i)) for i, size in enumerate(sizes)
        )
        made = np.asarray(merging.merged(px.asarray(first), px.asarray(second)))
        np.testing.assert_array_equal(made, np.sort(np.concatenate([first, second])), str(sizes))


@pytest.mark.parametrize("dtype", ["uint8", "float32", "int64"])
def test_merged_vectors_begin_anywhere_and_tiles_are_found_in_rounds(dtype, monkeypatch):
    monkeypatch.setattr(merging, "_STRIDES", (4, 2, 1))
    for seed, (first, second) in enumerate(((40_000, 21_003), (9, 70_000), (30_000, 0))):
        whole = [np.sort(filled(dtype, size + 31, seed=seed)) for size in (first, second)]
        for i, j in ((0, 1), (1, 31), (30, 13)):
            pieces = [px.asarray(whole[0])[i : i + first], px.asarray(whole[1])[j : j + second]]
            made = np.asarray(merging.merged(*pieces))
            expected = np.sort(np.concatenate([whole[0][i : i + first], whole[1][j : j + second]]))
            np.testing.assert_array_equal(made, expected, f"{first} {second} {i} {j}")


def test_of_equal_elements_the_first_vectors_come_first():
    first, second = np.full(5000, -0.0), np.full(6000, 0.0)
    made = np.asarray(merging.merged(px.asarray(first), px.asarray(second)))
    assert np.signbit(made[:5000]).all() and not np.signbit(made[5000:]).any()
