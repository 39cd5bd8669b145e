"""NumPy's functions of its Python, which arrays of a GPU have as recorded expressions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

DTYPES = ("int8", "uint16", "int64", "float16", "float32", "float64")


def sample(dtype, shape, seed=0):
    return (np.random.default_rng(seed).standard_normal(shape) * 20).astype("int64").astype(dtype)


def same(name, *args, **kwargs):
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(*args, **kwargs)
    given = [px.asarray(each) if isinstance(each, np.ndarray) else each for each in args]
    made = getattr(px, name)(*given, **kwargs)
    pairs = zip(made, expected, strict=True) if isinstance(expected, tuple) else [(made, expected)]
    for own, other in pairs:
        assert np.asarray(own).dtype == np.asarray(other).dtype
        assert own.shape == np.shape(other)
        limit = 2e-3 if np.asarray(other).dtype == "float16" else 2e-6
        np.testing.assert_allclose(np.asarray(own), other, rtol=limit, atol=limit)


@pytest.mark.parametrize("dtype", DTYPES)
def test_differences(dtype):
    x = sample(dtype, (5, 6, 7))
    same("ediff1d", x)
    same("ediff1d", x, x.dtype.type(3), x.dtype.type(1))
    for steps, axis, order in itertools.product(((), (2.0,)), (None, 0, -1, (0, 2)), (1, 2)):
        same("gradient", x, *steps, axis=axis, edge_order=order)
    same("gradient", x, 1.5, 2.0, 3.0)
    same("gradient", x[0, 0], np.arange(7.0) ** 2)
    if dtype.startswith("float"):
        same("unwrap", x[0] / 3)
        same("unwrap", x, axis=0)
        same("unwrap", x[0] / 3, 4.0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_interpolation(dtype):
    points, values = np.unique(sample(dtype, 40)), None
    values = sample(dtype, points.size, 1)
    for x in (sample(dtype, (9, 8), 2), np.linspace(-70, 70, 300), points):
        same("interp", x, points, values)
        same("interp", x, points, values, -1.0, 5.0)
    same("interp", np.array([np.nan, 1.0]), points, values)
    same("interp", np.linspace(0, 9, 20), np.array([3.0]), np.array([7.0]))
    same("interp", np.linspace(0, 9, 20), np.arange(5.0), np.arange(5.0), period=4.0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_covariances(dtype):
    x, y = sample(dtype, (4, 30)), sample(dtype, (4, 30), 1)
    for rowvar, bias, ddof in itertools.product((True, False), (True, False), (None, 0, 2)):
        same("cov", x, None, rowvar, bias, ddof)
        same("cov", x, y, rowvar, bias, ddof)
    same("cov", x[0])
    same("cov", x[0], y[0], False)
    same("cov", x[:1], rowvar=False)
    same("cov", x, None, True, False, None, np.arange(1, 31))
    same("corrcoef", x)
    same("corrcoef", x, y, False)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32"])
def test_extremes_without_nan(dtype):
    x = sample(dtype, (5, 6))
    if dtype.startswith("float"):
        x[1, 2:4] = np.nan
    for name, axis in itertools.product(("nanargmin", "nanargmax"), (None, 0, 1)):
        same(name, x, axis)
        same(name, x, axis, keepdims=True)
        same(name, x, axis, None)
    if dtype.startswith("float"):
        x[:, 0] = np.nan
        with pytest.raises(ValueError):
            px.nanargmin(px.asarray(x), 0)


@pytest.mark.parametrize("dtype", [*DTYPES, "complex64"])
def test_products_and_orders(dtype):
    x, y = sample(dtype, (2, 3, 3)), sample(dtype, (4, 3), 1)
    same("kron", x, y)
    same("kron", y[0], y)
    same("cross", x, x[:, ::-1])
    same("cross", x, x[:, ::-1], -1, -1, -1)
    same("cross", x, x[:, ::-1], 1, 2, 0)
    same("sort_complex", y[0])
    same("sort_complex", y)
