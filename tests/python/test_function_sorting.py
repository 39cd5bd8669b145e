"""Sorting and selection in CPU functions against NumPy, at the sizes where the method changes."""

import numpy as np
import pytest

from phalanx import njit, prange

DTYPES = (
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32",
    "float64",
)  # fmt: skip
# About a vector, the base case of a sort, where counting begins, and where a sample is drawn.
SIZES = (0, 1, 7, 33, 300, 5000, 40_000)
KINDS = ("random", "few", "nan", "infinite", "equal", "sorted")


def sample(dtype, size, kind):
    rng = np.random.default_rng([size, len(kind)])
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        a = rng.standard_normal(size).astype(dtype)
        if kind in ("nan", "infinite"):
            a[rng.random(size) < 0.2] = np.inf
            a[rng.random(size) < 0.2] = -np.inf
        if kind == "nan":
            a[rng.random(size) < 0.2] = -np.nan
            a[rng.random(size) < 0.2] = np.nan
    elif dtype.kind == "b":
        a = rng.random(size) < 0.5
    else:
        limits = np.iinfo(dtype)
        a = rng.integers(limits.min, limits.max, size, dtype, endpoint=True)
    if kind == "few":
        a = (a.astype(np.float64) % 3).astype(dtype)
    if kind == "equal":
        a = np.zeros(size, dtype)
    return np.sort(a) if kind == "sorted" else a


def same(actual, expected):
    np.testing.assert_array_equal(np.asarray(actual), np.asarray(expected), strict=True)


@njit
def sorted_copy(a):
    return np.sort(a)


@njit
def order(a):
    return np.argsort(a)


@njit
def sort_in_place(a):
    a.sort()


@njit
def statistics(a):
    return np.median(a), np.percentile(a, 1.0), np.quantile(a, 0.999), np.percentile(a, 100)


@njit
def statistics_of_numbers(a):
    return np.nanmedian(a), np.nanpercentile(a, 30.0), np.nanquantile(a, 1.0)


@njit
def many_percentiles(a, q):
    return np.percentile(a, q)


@njit
def parts(a, kth):
    return np.partition(a, kth), a[np.argpartition(a, kth)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_sorted_as_numpy_does(dtype):
    for size in SIZES:
        for kind in KINDS:
            a = sample(dtype, size, kind)
            same(sorted_copy(a), np.sort(a))
            same(order(a), np.argsort(a, kind="stable"))
            backward = a.copy()[::-1]
            sort_in_place(backward)
            same(backward, np.sort(a))
            strided = np.repeat(a, 2)[::2]
            same(order(strided), np.argsort(a, kind="stable"))


@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.filterwarnings("ignore")
def test_order_statistics_as_numpy(dtype):
    q = np.linspace(0, 100, 21)
    for size in SIZES[1:]:
        for kind in KINDS:
            if kind == "infinite":  # between infinities NumPy interpolates to NaN as it comes
                continue
            a = sample(dtype, size, kind)
            near = {"rtol": 1e-6 if dtype == "float32" else 1e-12}
            expected = np.median(a), np.percentile(a, 1.0), np.quantile(a, 0.999), a.max()
            if kind != "nan":
                np.testing.assert_allclose(statistics(a), np.array(expected, float), **near)
                np.testing.assert_allclose(many_percentiles(a, q), np.percentile(a, q), **near)
            else:
                assert np.isnan(statistics(a)).all() == np.isnan(a).any()
            finite = np.where(np.isinf(a), np.nan, a) if kind == "nan" else a
            if not np.isnan(finite).all():
                expected = np.nanmedian(finite), np.nanpercentile(finite, 30.0), np.nanmax(finite)
                actual = statistics_of_numbers(finite.astype(a.dtype))
                np.testing.assert_allclose(actual, np.array(expected, float), **near)


@pytest.mark.parametrize("dtype", DTYPES)
def test_parts_are_below_and_above(dtype):
    for size in SIZES[1:]:
        for kind in KINDS:
            a = sample(dtype, size, kind)
            for kth in {0, size // 3, size - 1, -1}:
                for found in parts(a, kth):
                    place = kth % size
                    same(np.sort(found), np.sort(a))
                    same(found[place], np.sort(a)[place])
                    assert not (found[:place] > found[place]).any()
                    assert not (found[place:] < found[place]).any()


@njit
def counted(a, bins):
    return np.histogram(a, bins)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8"])
def test_bins_are_those_of_their_edges(dtype):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        a = np.round(np.abs(rng.standard_normal(500)) * 10, seed % 3).astype(dtype)
        for bins in (1, 7, 10, 1000):
            counts, edges = counted(a, bins)
            expected_counts, expected_edges = np.histogram(a, bins)
            same(counts, expected_counts)
            np.testing.assert_allclose(edges, expected_edges, rtol=1e-6)
            assert edges.dtype == expected_edges.dtype


def test_a_range_that_is_not_finite_raises():
    with pytest.raises(ValueError, match="not finite"):
        counted(np.array([1.0, np.nan]), 4)
    with pytest.raises(ValueError, match="one bin or more"):
        counted(np.ones(3), 0)


def test_rows_are_sorted_on_all_cores():
    @njit(parallel=True)
    def sort_rows(a):
        for i in prange(a.shape[0]):
            a[i].sort()

    a = np.random.default_rng(0).random((200, 500))
    expected = np.sort(a)
    sort_rows(a)
    same(a, expected)


def test_sorting_changes_no_array_that_may_not_be_written():
    a = np.arange(5)[::-1].copy()
    a.flags.writeable = False
    with pytest.raises(Exception, match="read"):
        sort_in_place(a)
    same(sorted_copy(a), np.arange(5))


def test_the_median_of_the_largest_numbers_is_finite():
    most = np.finfo(np.float64).max
    assert statistics(np.full(255, most))[0] == most
