"""Indexing by masks and nonzero, as kernels whatever the size."""

import numpy as np
import pytest
from phalanx._arrays import gathering

import phalanx as px

# A block takes 2,048 elements, a warp 256 of them.
SHAPES = [(1,), (31,), (33,), (2048,), (2049,), (100_000,), (3, 5), (70, 50), (4, 5, 600)]
SHAPES += [(0,), (0, 3), (3, 0)]


@pytest.fixture(autouse=True)
def always_kernels(monkeypatch):
    monkeypatch.setattr(gathering, "_FEW", 0)


def masks_of(shape):
    """None, some and all of the elements."""
    random = np.random.default_rng(1).random(shape)
    return [random < share for share in (0, 0.3, 1)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["float32", "int8", "complex128", "bool", "float16", "uint64"])
def test_masks_of_all_dimensions(device, dtype, shape):
    host = (np.random.default_rng(2).random(shape) * 3).astype(dtype)
    x = px.asarray(host)
    for mask in masks_of(shape):
        ours = px.asarray(mask)
        for made, expected in (
            (x[ours], host[mask]),
            (x[mask], host[mask]),
            (x.T[ours.T], host.T[mask.T]),
            (x[::-1][ours], host[::-1][mask]),
            ((x + x)[ours & ~ours[::-1]], (host + host)[mask & ~mask[::-1]]),
        ):
            np.testing.assert_array_equal(np.asarray(made), expected)
            assert made.dtype == expected.dtype and made.shape == expected.shape


@pytest.mark.parametrize("shape", SHAPES)
def test_masks_of_some_dimensions_and_beside_other_indices(device, shape):
    host = np.random.default_rng(2).random((*shape, 4))
    x = px.asarray(host)
    for mask in masks_of(shape):
        np.testing.assert_array_equal(np.asarray(x[px.asarray(mask)]), host[mask])
        np.testing.assert_array_equal(np.asarray(x[px.asarray(mask), 1:3]), host[mask, 1:3])
        np.testing.assert_array_equal(np.asarray(x[mask, -1]), host[mask, -1])
    column = np.array([True, False, True, True])
    np.testing.assert_array_equal(np.asarray(x[..., px.asarray(column)]), host[..., column])


@pytest.mark.parametrize("shape", SHAPES)
def test_positions(device, shape):
    for mask in masks_of(shape):
        x = px.asarray(mask * 1.5)
        for made, expected in zip(px.nonzero(x), np.nonzero(mask), strict=True):
            np.testing.assert_array_equal(np.asarray(made), expected)
            assert made.dtype == expected.dtype
        np.testing.assert_array_equal(np.asarray(px.argwhere(x)), np.argwhere(mask))
        np.testing.assert_array_equal(np.asarray(px.flatnonzero(x)), np.flatnonzero(mask))
        np.testing.assert_array_equal(np.asarray(px.where(x)[0]), np.where(mask)[0])


def test_masks_that_are_expressions(device):
    host = np.random.default_rng(2).random((300, 200), np.float32)
    x = px.asarray(host)
    np.testing.assert_array_equal(
        np.asarray(x[(x > 0.25) & (x < 0.5)]), host[(host > 0.25) & (host < 0.5)]
    )
    above = px.sin(x) > px.sin(x).mean()  # long, and of a reduction
    expected = np.sin(host) > np.float32(np.asarray(px.sin(x).mean()))
    np.testing.assert_array_equal(np.asarray((x * 2)[above]), (host * 2)[np.asarray(above)])
    assert (np.asarray(above) == expected).mean() > 0.999
    rows = x - x.mean(axis=1, keepdims=True)
    np.testing.assert_array_equal(
        np.asarray(rows[rows > 0]), np.asarray(rows)[np.asarray(rows) > 0]
    )


def test_what_was_taken_is_another_array(device):
    x = px.arange(100_000)
    taken = x[x % 2 == 0]
    taken += 1
    x[:] = 0
    np.testing.assert_array_equal(np.asarray(taken), np.arange(100_000)[::2] + 1)
    assert px.explain(taken).kernels


def test_masks_that_do_not_fit(device):
    x = px.arange(6).reshape(2, 3)
    for mask in (np.ones((3, 2), bool), np.ones((2, 2), bool), np.ones((2, 3, 1), bool)):
        with pytest.raises(IndexError):
            x[px.asarray(mask)]
    with pytest.raises(ValueError, match="0d"):
        px.nonzero(px.asarray(3))
