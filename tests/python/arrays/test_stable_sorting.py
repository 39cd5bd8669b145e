"""Stable sorts leave equal elements in their order: zeros of either sign, and NaN, bit by bit."""

import itertools

import numpy as np
import pytest

import phalanx as px

DTYPES = ("float16", "float32", "float64", "complex64", "complex128")
SHAPES = ((7,), (4095,), (300_001,), (3, 5000), (5000, 3), (2, 40, 200))
STABLE = ({"kind": "stable"}, {"kind": "mergesort"}, {"stable": True})


def equals(dtype, shape):
    """Few numbers, of which many are zeros and NaN of both signs."""
    random = np.random.default_rng(0)
    chosen = np.array([0.0, -0.0, np.nan, -np.nan, 1.0, -1.0, np.inf, -np.inf, 0.5])
    parts = random.choice(chosen, (2, *shape), p=[0.2, 0.2, 0.1, 0.1, *[0.08] * 5])
    made = parts[0].astype(dtype)
    if made.dtype.kind == "c":
        made.imag = parts[1]
    return made


def bits(array):
    return np.ascontiguousarray(array).view("uint8")


def axes(shape):
    return (None, *range(len(shape)))


@pytest.mark.parametrize("kernels", ["", "gpu"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_equal_elements_keep_their_order(device, monkeypatch, dtype, shape, kernels):
    if kernels:
        monkeypatch.setenv("PHALANX_ARRAY_KERNELS", kernels)
    host = equals(dtype, shape)
    x = px.asarray(host)
    for axis, options in itertools.product(axes(shape), STABLE):
        made = np.asarray(px.sort(x, axis, **options))
        np.testing.assert_array_equal(bits(made), bits(np.sort(host, axis, **options)))
        order = np.asarray(px.argsort(x, axis, **options))
        np.testing.assert_array_equal(order, np.argsort(host, axis, **options))
    for axis in range(len(shape)):
        keys = (host, host[..., ::-1].copy())
        made = px.lexsort(tuple(map(px.asarray, keys)), axis)
        np.testing.assert_array_equal(np.asarray(made), np.lexsort(keys, axis))
    x.sort(kind="stable")
    np.testing.assert_array_equal(bits(np.asarray(x)), bits(np.sort(host, kind="stable")))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_equal_elements_keep_their_order_when_descending(device, dtype, shape):
    host = equals(dtype, shape)
    x = px.asarray(host)
    for axis in axes(shape):
        made = px.sort(x, axis, stable=True, descending=True)
        order = np.asarray(px.argsort(x, axis, stable=True, descending=True))
        flat = host.ravel() if axis is None else host
        expected = np.take_along_axis(flat, order, -1 if axis is None else axis)
        np.testing.assert_array_equal(bits(np.asarray(made)), bits(expected))
