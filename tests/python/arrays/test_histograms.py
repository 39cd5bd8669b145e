"""Histograms, counts and bins of elements, with NumPy as the oracle."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

DTYPES = ("bool", "int8", "uint16", "int64", "float16", "float32", "float64")


def sample(dtype, shape, seed=0):
    made = np.random.default_rng(seed).standard_normal(shape) * 20
    if dtype == "bool":
        return made > 0
    return made.astype("int64").astype(dtype) if "int" in dtype else made.astype(dtype)


def same(made, expected):
    assert np.asarray(made).dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(made), expected)


def both(x, *args, **kwargs):
    for made, expected in zip(
        px.histogram(px.asarray(x), *args, **kwargs), np.histogram(x, *args, **kwargs), strict=True
    ):
        same(made, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_bins_of_one_width(dtype):
    x = sample(dtype, (30, 40))
    for bins in (1, 10, 37, 3000 if dtype != "float16" else 50):
        both(x, bins)
        both(x, bins, (-7.5, 12))
    both(x.T[::3])
    both(np.repeat(x.reshape(-1)[:1], 9))
    whole = np.arange(100).astype(dtype)
    both(whole, 10)
    both(whole, 99, (0, 99))


@pytest.mark.parametrize("dtype", DTYPES)
def test_edges(dtype):
    x = sample(dtype, 3000)
    for edges in (
        [-5, 0, 0, 3],
        [0, 1],
        np.array([-20.5, -3, 2.25, 30]),
        np.linspace(-40, 40, 9000),
    ):
        both(x, edges)
    both(x, [])
    same(px.digitize(px.asarray(x), px.asarray([0, np.nan])), np.digitize(x, [0, np.nan]))
    large = np.array([2**62, 2**62 + 1, 2**62 + 2])
    both(large, large)
    made = px.histogram(px.asarray(x), px.asarray(np.array([-5.0, 0, 3])))
    same(made[0], np.histogram(x, [-5.0, 0, 3])[0])


@pytest.mark.parametrize("weight", ["int64", "float32", "float64"])
def test_weights_and_densities(weight):
    x, w = sample("float64", (20, 50)), sample(weight, (20, 50), 1)
    for bins in (7, [-30, -2, 0, 11, 30]):
        made, edges = px.histogram(px.asarray(x), bins, weights=px.asarray(w))
        expected, theirs = np.histogram(x, bins, weights=w)
        np.testing.assert_allclose(np.asarray(made), expected, rtol=1e-5)
        assert made.dtype == expected.dtype
        same(edges, theirs)
        made, _ = px.histogram(px.asarray(x), bins, density=True)
        np.testing.assert_allclose(np.asarray(made), np.histogram(x, bins, density=True)[0])


def test_nan_and_infinity():
    x = sample("float64", 1000)
    x[::7], x[3] = np.nan, np.inf
    both(x, 10, (-20, 20))
    for wrong in (lambda xp, a: xp.histogram(a), lambda xp, a: xp.histogram(a, 5, (0, np.inf))):
        with pytest.raises(ValueError):
            wrong(np, x)
        with pytest.raises(ValueError):
            wrong(px, px.asarray(x))


@pytest.mark.parametrize(
    ("bins", "extent"),
    [(0, None), (3, (2, 1)), ([1, 0], None), ([[1]], None), (2.5, None), ("no", None)],
)
def test_wrong_bins(bins, extent):
    x = sample("float32", 50)
    with pytest.raises((ValueError, TypeError)) as expected:
        np.histogram(x, bins, extent)
    with pytest.raises(expected.type):
        px.histogram(px.asarray(x), bins, extent)


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint16", "int64", "uint32"])
@pytest.mark.parametrize("places", [1, 2, 100, 5000, 20_000])
def test_counts(dtype, places):
    most = min(places, np.iinfo(dtype).max + 1)
    x = np.random.default_rng(1).integers(0, most, 200_000).astype(dtype)
    same(px.bincount(px.asarray(x)), np.bincount(x))
    same(px.bincount(px.asarray(x)[::3], minlength=300), np.bincount(x[::3], minlength=300))
    with pytest.raises(ValueError):
        px.bincount(px.asarray(np.array([1, -1] * 100_000)))


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtype", ["int16", "float32", "float64"])
def test_numbers_of_bins(dtype, right):
    x = sample(dtype, (20, 30))
    for edges in ([-9, 0, 0, 4, 12], [12, 4, 0, 0, -9], [1]):
        made = px.digitize(px.asarray(x), px.asarray(np.array(edges, dtype)), right)
        same(made, np.digitize(x, np.array(edges, dtype), right))
    with pytest.raises(ValueError):
        px.digitize(px.asarray(x), px.asarray(np.array([0, 2, 1.0])))
