"""Reductions that a kernel folds on its way: softmax, layer norm, variances."""

import numpy as np
import pytest

import phalanx as px
from phalanx import _engine


def softmax(xp, x, axis):
    """Of the elements along the axis."""
    e = xp.exp(x - xp.max(x, axis=axis, keepdims=True))
    return e / xp.sum(e, axis=axis, keepdims=True)


def layer_norm(xp, x, axis):
    """Without weights."""
    centred = x - xp.mean(x, axis=axis, keepdims=True)
    return centred / xp.sqrt(xp.mean(centred * centred, axis=axis, keepdims=True) + 1e-5)


def variance(xp, x, axis):
    """A reduction of what another one is in."""
    centred = x - xp.mean(x, axis=axis, keepdims=True)
    return xp.sum(centred * centred, axis=axis)


def from_largest(xp, x, axis):
    """Of whole numbers and of their places."""
    return xp.argmax(x, axis=axis, keepdims=True) - (x == xp.max(x, axis=axis, keepdims=True))


def share(xp, x, axis):
    """Of a truth and of a product."""
    return xp.where(xp.any(x > 0.9, axis=axis, keepdims=True), x, -x) * xp.prod(
        x, axis=axis, keepdims=True
    )


FUNCTIONS = [softmax, layer_norm, variance, from_largest, share]
LAYOUTS = {
    "C": lambda x: x,
    "F": lambda x: x.copy(order="F"),
    "reversed": lambda x: x[::-1, ::-1],
    "strided": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
}
# One for each choice: tiny, small, rows that fill a device, rows too long for a block, columns.
SHAPES = [(1, 1), (3, 5), (7, 100), (300, 257), (40000, 33), (2, 70000), (1, 30000)]


def kernels():
    """Launched until now."""
    return _engine.array_statistics()["kernels"]


# argmax takes one axis
AXES = [(f, axis) for f in FUNCTIONS for axis in (0, 1)]
AXES += [(f, (0, 1)) for f in FUNCTIONS if f is not from_largest]


@pytest.mark.parametrize(("function", "axis"), AXES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_rows_are_as_numpy_has_them(device, function, shape, layout, axis):
    x = np.random.default_rng(1).random(shape)
    laid = LAYOUTS[layout](x)
    ours = px.asarray(laid)
    made = function(px, ours, axis)
    np.testing.assert_allclose(np.asarray(made), function(np, laid, axis), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex64", "int8", "uint64", "bool"])
def test_rows_of_other_dtypes(device, dtype):
    x = (np.random.default_rng(1).random((20, 300)) * 3).astype(dtype)
    for name in ("sum", "prod", "any", "all", "max", "argmin"):
        if dtype == "complex64" and name in ("max", "argmin"):
            continue  # NumPy's order of complex numbers has no kernel
        fold = getattr(np, name)(x, axis=1, keepdims=True)
        made = px.where(x > 1, x, getattr(px, name)(px.asarray(x), axis=1, keepdims=True))
        expected = np.where(x > 1, x, fold)
        assert made.dtype == expected.dtype
        np.testing.assert_allclose(np.asarray(made), expected, rtol=2e-3)


@pytest.mark.parametrize("function", [softmax, layer_norm, variance, from_largest])
def test_rows_are_one_kernel(device, function):
    for shape in ((10, 40), (2000, 500)):
        x = px.asarray(np.random.default_rng(1).random(shape, np.float32))
        made = function(px, x, 1)
        before = kernels()
        np.asarray(made)
        assert kernels() == before + 1


def test_a_row_is_folded_before_it_is_written_to(device):
    host = np.random.default_rng(1).random((500, 300))
    x = px.asarray(host.copy())
    x /= x.sum(axis=1, keepdims=True)
    x -= x.max(axis=1, keepdims=True)
    expected = host / host.sum(axis=1, keepdims=True)
    expected -= expected.max(axis=1, keepdims=True)
    np.testing.assert_allclose(np.asarray(x), expected, rtol=1e-12, atol=1e-14)
    y = px.asarray(np.arange(4.0))
    y[...] = y.sum(axis=0)
    np.testing.assert_array_equal(y, [6, 6, 6, 6])
    z = px.asarray(host.copy())
    z[...] = z.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(np.asarray(z), host.sum(1, keepdims=True) + np.zeros(300))


def test_rows_of_transposes_and_of_one_array_twice(device):
    host = np.random.default_rng(1).random((100, 100))
    x = px.asarray(host)
    made = x / x.sum(axis=1, keepdims=True) + x.T / x.T.sum(axis=1, keepdims=True)
    expected = host / host.sum(1, keepdims=True) + host.T / host.T.sum(1, keepdims=True)
    np.testing.assert_allclose(np.asarray(made), expected)
    both = x - x.mean(axis=0) - x.mean(axis=1, keepdims=True)  # along both: not of one row
    np.testing.assert_allclose(
        np.asarray(both), host - host.mean(0) - host.mean(1, keepdims=True), atol=1e-15
    )
    m = x.max(axis=1)
    outer = m[:, None] - m[None, :]  # a value for rows, and for columns
    np.testing.assert_array_equal(outer, host.max(1)[:, None] - host.max(1)[None, :])


def test_what_folds_on_the_way_can_be_looked_at_later(device):
    host = np.random.default_rng(1).random((64, 64))
    x = px.asarray(host)
    mean = x.mean(axis=1, keepdims=True)
    centred = x - mean
    np.testing.assert_allclose(np.asarray(centred), host - host.mean(1, keepdims=True), atol=1e-15)
    np.testing.assert_allclose(np.asarray(mean), host.mean(1, keepdims=True))
    text = px.explain(x - mean * 2).kernels[-1].code
    assert "sum" not in text  # it is in memory


def test_three_dimensions(device):
    host = np.random.default_rng(1).random((30, 20, 50))
    x = px.asarray(host)
    for axis in (0, 1, 2, (1, 2), (0, 2), (0, 1, 2)):
        np.testing.assert_allclose(np.asarray(softmax(px, x, axis)), softmax(np, host, axis))
        np.testing.assert_allclose(np.asarray(variance(px, x, axis)), variance(np, host, axis))
