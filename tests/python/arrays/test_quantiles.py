"""Medians and quantiles by every method, with NumPy as the oracle."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

DTYPES = ("int8", "uint16", "int64", "float16", "float32", "float64")
METHODS = (
    *("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "hazen", "weibull"),
    *("averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf"),
    *("median_unbiased", "normal_unbiased"),
)
LEVELS = (0, 1, 0.5, 0.25, [0.0, 0.1, 1 / 3, 0.5, 0.9, 1.0], np.float32(0.3))
AXES = (None, 0, 1, -1, (0, 2), (2, 0), (0, 1, 2))


def sample(dtype, shape, has_nan):
    random = np.random.default_rng(len(shape))
    made = (random.standard_normal(shape) * 20).astype("int64").astype(dtype)
    if has_nan and dtype.startswith("float"):
        made[random.random(shape) < 0.2] = np.nan
        # Not the first part, whose type NumPy would take for all.
        made.reshape(-1)[-shape[-1] :] = np.nan
        made.reshape(-1)[:: shape[-1]] = 1
    return made


def same(made, expected):
    assert np.asarray(made).dtype == np.asarray(expected).dtype
    assert made.shape == np.shape(expected)
    # Two elements and a part of the step between them: NumPy's bits but for those of its sums.
    np.testing.assert_allclose(
        np.asarray(made), expected, rtol=3e-3 if expected.dtype == "float16" else 5e-7
    )


def both(name, x, *args, **kwargs):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = getattr(np, name)(x, *args, **kwargs)
    return getattr(px, name)(px.asarray(x), *args, **kwargs), expected


@pytest.mark.parametrize("has_nan", [False, True])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_methods(dtype, method, has_nan):
    x = sample(dtype, (4, 5, 6), has_nan)
    for q in LEVELS:
        same(*both("quantile", x, q, 1, method=method))
        same(*both("nanquantile", x, q, -1, method=method))
    same(*both("percentile", x, [10, 50.5], method=method))
    same(*both("nanpercentile", x, 50, 0, method=method, keepdims=True))


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("dtype", ["int64", "float32"])
def test_axes(dtype, axis):
    for x in (sample(dtype, (4, 5, 6), True), sample(dtype, (3, 4, 7), False).T):
        for keepdims in (False, True):
            for name in ("median", "nanmedian"):
                same(*both(name, x, axis, keepdims=keepdims))
            for name in ("quantile", "nanquantile"):
                same(*both(name, x, [0.2, 0.7], axis, keepdims=keepdims))


@pytest.mark.parametrize("size", [1, 2, 3, 10, 1001])
@pytest.mark.parametrize("dtype", DTYPES)
def test_medians(dtype, size):
    for has_nan in (False, True):
        x = sample(dtype, (3, size), has_nan)
        for name in ("median", "nanmedian"):
            same(*both(name, x, 1))
            same(*both(name, x))


def test_outputs():
    x = sample("float64", (4, 6), False)
    out = px.zeros(4)
    assert px.median(px.asarray(x), 1, out=out) is out
    np.testing.assert_allclose(np.asarray(out), np.median(x, 1))
    assert px.quantile(px.asarray(x), 0.3, 1, out=out) is out
    np.testing.assert_allclose(np.asarray(out), np.quantile(x, 0.3, 1))


def test_weights_and_others():
    x = sample("float64", (4, 6), False)
    weights = np.arange(6.0)
    made = px.quantile(px.asarray(x), 0.5, 1, method="inverted_cdf", weights=px.asarray(weights))
    expected = np.quantile(x, 0.5, 1, method="inverted_cdf", weights=weights)
    np.testing.assert_array_equal(np.asarray(made), expected)
    same(*both("quantile", np.zeros((0, 3)), 0.5, 1))
    for wrong in (
        lambda xp, a: xp.quantile(a, 1.1),
        lambda xp, a: xp.percentile(a, [50, -1]),
        lambda xp, a: xp.quantile(a, 0.5, method="no"),
        lambda xp, a: xp.quantile(a, 0.5, 2),
        lambda xp, a: xp.median(a, 2),
    ):
        with pytest.raises(ValueError):
            wrong(np, x)
        with pytest.raises(ValueError):
            wrong(px, px.asarray(x))
    with pytest.raises(TypeError):
        px.quantile(px.asarray(x + 1j), 0.5)


def test_medians_of_dates_and_complex_numbers():
    for x in (
        np.array([1, "NaT", 3], "m8[s]"),
        np.array(["NaT"], "M8[D]"),
        np.array([1 + 1j, np.nan, 3]),
        np.array([True, False, True]),
    ):
        for name in ("median", "nanmedian"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                try:
                    expected = getattr(np, name)(x)
                except TypeError as error:
                    with pytest.raises(type(error)):
                        getattr(px, name)(px.asarray(x))
                    continue
                made = getattr(px, name)(px.asarray(x))
            np.testing.assert_array_equal(np.asarray(made), expected)
    with pytest.raises(TypeError):
        px.quantile(px.ones(3), 1j)
