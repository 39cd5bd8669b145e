"""Variances in one pass: as exact as NumPy's, which takes two."""

import warnings

import numpy as np
import pytest

import phalanx as px

SHAPES = [(1,), (7,), (1000,), (100_000,), (3, 5), (600, 700), (2, 40_000), (40_000, 2), (5, 6, 7)]
# Numbers about the first one, as far apart as the second.
PLACES = [(0, 1), (1e6, 1), (-1e9, 0.1), (0, 1e-6), (1e15, 10)]


def check(host, axis, ddof=0, units=50):
    """No error is more than four times NumPy's, or so many units in the last place."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exact = np.asarray(np.var(host.astype(np.longdouble), axis=axis, ddof=ddof))
        numpys = np.asarray(np.var(host, axis=axis, ddof=ddof))
        made = np.asarray(px.asarray(host).var(axis=axis, ddof=ddof))
        assert made.dtype == numpys.dtype
        assert made.shape == numpys.shape
        np.testing.assert_array_equal(np.isnan(made), np.isnan(numpys))
        allowed = np.maximum(4 * abs(numpys - exact), units * np.finfo(made.dtype).eps * exact)
        assert not (abs(made - exact) > np.nanmax(allowed, initial=0)).any()


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("shape", SHAPES)
def test_numbers_far_from_zero(device, shape, dtype):
    random = np.random.default_rng(1)
    for middle, width in PLACES[: 1 if dtype == "float16" else None]:
        host = (middle + width * random.standard_normal(shape)).astype(dtype)
        for axis in (None, *range(len(shape))):
            for ddof in (0, 1):
                check(host, axis, ddof)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "int64"])
@pytest.mark.parametrize("shape", SHAPES)
def test_whole_numbers(device, shape, dtype):
    host = np.random.default_rng(1).integers(0, 100, shape).astype(dtype)
    for axis in (None, *range(len(shape))):
        check(host, axis)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("place", [0, 1, 255, 256, 99_999])
def test_one_number_far_from_all_others(device, place, dtype):
    host = (1e6 + np.random.default_rng(1).standard_normal(100_000)).astype(dtype)
    host[place] = 0
    check(host, None, units=10_000 if dtype == "float64" else 50)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 1e200])
@pytest.mark.parametrize("place", [0, 300, 999])
def test_numbers_that_are_none(device, place, number):
    host = np.ones((3, 1000))
    host[1, place] = number
    for axis in (None, 0, 1):
        with np.errstate(all="ignore"):
            expected = np.var(host, axis=axis)
            made = np.asarray(px.var(px.asarray(host), axis=axis))
        np.testing.assert_allclose(made, expected)


def test_equal_numbers_have_none(device):
    for number in (0.1, 1e300, -7):
        assert float(px.full(10_000, number).var()) == 0


def test_shapes_without_elements(device):
    for shape, axis in (((0,), None), ((0, 3), 0), ((0, 3), 1), ((3, 0), 1)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = np.var(np.ones(shape), axis=axis)
            made = px.asarray(np.ones(shape)).var(axis=axis)
        np.testing.assert_array_equal(np.asarray(made), expected)


def test_keepdims_and_large_counts(device):
    host = np.random.default_rng(1).random((40, 50)).astype(np.float32)
    made = px.asarray(host).std(axis=1, keepdims=True)
    assert made.shape == (40, 1)
    np.testing.assert_allclose(np.asarray(made), host.std(axis=1, keepdims=True), rtol=1e-6)


@pytest.mark.parametrize("size", [2, 16, 64, 1000, 100_000])
def test_squares_beyond_the_range_are_infinite(device, size):
    host = (np.random.default_rng(1).random(size) - 0.5) * 1e200
    assert float(px.array(host).var()) == np.inf
    assert np.isinf(np.asarray(px.array(np.stack([host, host])).std(axis=1))).all()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("ddof", [0, 1, 2, 3])
@pytest.mark.parametrize("dtype", ["bool", "int32", "float32", "float64", "complex64"])
@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd"])
def test_no_degrees_of_freedom_left_of_what_a_mask_chooses(
    device, name, dtype, ddof, axis, keepdims
):
    host = np.arange(12).reshape(3, 4).astype(dtype)
    if name.startswith("nan") and host.dtype.kind in "fc":
        host[0, 1] = host[1, 0] = np.nan
    for chosen in range(4):
        where = np.zeros((3, 4), bool)
        where[(slice(chosen), 0) if axis == 0 else (0, slice(chosen))] = True
        options = {"axis": axis, "ddof": ddof, "keepdims": keepdims, "where": where}
        expected = np.asarray(getattr(np, name)(host, **options))
        made = np.asarray(getattr(px, name)(px.asarray(host), **options))
        assert made.dtype == expected.dtype
        assert made.shape == expected.shape
        np.testing.assert_allclose(made, expected, rtol=1e-5)
