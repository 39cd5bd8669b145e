"""Operands that lie across each other: transposes, and folds of all pairs of rows."""

import numpy as np
import pytest

import phalanx as px

SHAPES = [(64, 64), (100, 70), (33, 1000), (31, 31), (5, 40, 50), (1, 50, 60), (40, 3, 50)]
DTYPES = ["float32", "float64", "int8", "complex64", "complex128", "float16", "bool"]


def numbers(shape, dtype, seed=1):
    """Whole numbers, so that sums of them are exact."""
    return np.floor(np.random.default_rng(seed).random(shape) * 100).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_transposes(device, shape, dtype):
    a, b = numbers(shape, dtype), numbers(shape[::-1], dtype, 2)
    x, y = px.asarray(a), px.asarray(b)
    for made, expected in (
        (x + y.T, a + b.T),
        (x[::-1] + y.T[:, ::-1], a[::-1] + b.T[:, ::-1]),
        (x * y.T + y.T, a * b.T + b.T),
        (y + x.T, b + a.T),
        (x[..., ::2] + y.T[..., ::2], a[..., ::2] + b.T[..., ::2]),
    ):
        np.testing.assert_array_equal(np.asarray(made), expected)
        assert made.dtype == expected.dtype
    z = px.zeros(shape, dtype)
    z[...] = y.T
    np.testing.assert_array_equal(np.asarray(z), b.T)


def test_many_transposes_in_one_kernel(device):
    """More than shared memory keeps."""
    hosts = [numbers((70, 80), "complex128", seed) for seed in range(5)]
    made = sum(px.asarray(each).T for each in hosts) + px.asarray(numbers((80, 70), "float64"))
    expected = sum(each.T for each in hosts) + numbers((80, 70), "float64")
    np.testing.assert_array_equal(np.asarray(made), expected)


def test_transposes_of_other_axes(device):
    a = numbers((40, 35, 33), "float32")
    x = px.asarray(a)
    for axes in ((0, 2, 1), (1, 0, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)):
        moved = x.transpose(axes)
        other = px.asarray(np.ascontiguousarray(a.transpose(axes)))
        np.testing.assert_array_equal(np.asarray(moved - other), np.zeros(moved.shape))


def distances(xp, a, b):
    """Euclidean, of all pairs of rows."""
    return xp.sqrt(xp.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=2))


def largest(xp, a, b):
    """Chebyshev's distances."""
    return xp.max(abs(a[:, None, :] - b[None, :, :]), axis=2)


def nearest(xp, a, b):
    """A place instead of a number."""
    return xp.argmin(a[:, None, :] * b[None, :, :], axis=2)


def backwards(xp, a, b):
    """Elements that follow each other from the end."""
    return xp.sum(a[:, None, :] * b[None, :, ::-1], axis=2)


def both(xp, a, b):
    """One operand twice."""
    return xp.sum(a[:, None, :] * b[None, :, :] + b[None, :, :], axis=2)


def triples(xp, a, b):
    """Two operands that lie across, and four dimensions."""
    made = a[:, None, None, :] - b[None, :5, None, :] + b[None, None, :, :]
    return xp.any(made > 120, axis=3)


PAIRS = [(32, 32, 8), (33, 64, 9), (40, 100, 32), (100, 40, 33), (64, 64, 100), (70, 50, 1000)]
PAIRS += [(5, 50, 40), (50, 5, 40), (40, 40, 7)]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "complex64"])
@pytest.mark.parametrize("sizes", PAIRS)
@pytest.mark.parametrize("function", [distances, largest, nearest, backwards, both, triples])
def test_pairs_of_rows(device, function, sizes, dtype):
    if dtype == "complex64" and function in (largest, nearest, triples):
        dtype = "complex128" if function is largest else "uint8"
    n, m, k = sizes
    a, b = numbers((n, k), dtype), numbers((m, k), dtype, 2)
    made = function(px, px.asarray(a), px.asarray(b))
    expected = function(np, a, b)
    np.testing.assert_allclose(np.asarray(made), expected, rtol=2e-5)
    assert made.dtype == expected.dtype


def test_sums_of_wide_rows(device):
    """Of columns whose neighbours are read by one thread."""
    for shape in ((300, 1024), (300, 1025), (1000, 3000), (2, 300, 1100)):
        a = numbers(shape, "float32")
        axis = len(shape) - 2
        np.testing.assert_array_equal(np.asarray(px.asarray(a).sum(axis=axis)), a.sum(axis=axis))
        np.testing.assert_array_equal(np.asarray(px.asarray(a).max(axis=axis)), a.max(axis=axis))
        np.testing.assert_array_equal(
            np.asarray(px.asarray(a).argmin(axis=axis)), a.argmin(axis=axis)
        )
