"""Reductions and statistics of arrays, with NumPy as the oracle."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx as px
from arrays.math_table import DTYPES, agree, check, layouts, ours, sample
from phalanx import _engine

REDUCTIONS = ["sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "ptp"]
POSITIONS = ["argmin", "argmax"]
NAN = ["nansum", "nanprod", "nanmin", "nanmax", "nanmean", "nanvar", "nanstd"]
AXES = [None, 0, -1, 1, (0, 2), (), (2, 0, 1), 3, -4, (0, 0)]
pytestmark = pytest.mark.usefixtures("device")


def finite(dtype, shape):
    return sample(dtype, shape, is_special=False)


def allowed(name, dtype):
    """NumPy subtracts no booleans."""
    return not (name == "ptp" and dtype == "bool")


@pytest.mark.parametrize("name", REDUCTIONS + POSITIONS + NAN + ["count_nonzero"])
def test_every_dtype(device, name):
    for i, dtype in enumerate(DTYPES):
        if allowed(name, dtype):
            check(name, finite(dtype, (3, 8)), axis=i % 2)
            if dtype[0] == "f":
                special = sample(dtype, (4, 6))
                special[2] = np.nan
                check(name, special, axis=1)
            kind = ("F", "transposed", "strided", "reversed")[i % 4]
            check(name, layouts(finite(dtype, (3, 8)))[kind])


@pytest.mark.parametrize("name", REDUCTIONS + NAN + ["count_nonzero", "average", "median"])
def test_axes(device, name):
    array = finite("float32", (2, 3, 4))
    for axis in AXES:
        if name == "median" and axis == ():
            continue
        check(name, array, axis=axis)
        check(name, array, axis=axis, keepdims=True)
    for shape in ((), (0,), (2, 0), (0, 3), (1, 1)):
        if name != "median":
            check(name, np.zeros(shape, "float32") + 1, axis=None if name == "average" else -1)
            check(name, np.zeros(shape, "int16"))


EMPTY = [(0,), (0, 0), (0, 5, 0), (2, 0), (0, 2), (3, 0, 2)]


@pytest.mark.parametrize("name", REDUCTIONS + POSITIONS + ["nanmin", "nanmax", "nansum"])
@pytest.mark.parametrize("shape", EMPTY)
def test_axes_without_elements(device, name, shape):
    several = () if name in POSITIONS else [(0, -1)] * (len(shape) > 1)
    for dtype in ("float32", "int64", "complex64", "M8[s]"):
        is_of_numbers = name not in ("min", "max", "ptp", *POSITIONS)
        if (dtype[0] == "M" and is_of_numbers) or (dtype[0] == "c" and name in ("var", "std")):
            continue
        for axis in (None, *range(len(shape)), *several):
            check(name, np.zeros(shape, dtype), axis=axis)
            check(name, np.zeros(shape, dtype), axis=axis, keepdims=True)


@pytest.mark.parametrize("name", POSITIONS)
def test_positions(device, name):
    array = np.round(finite("float32", (2, 3, 4)))
    for axis in (None, 0, 1, -1, 3, 1.5):
        check(name, array, axis=axis)
        check(name, array, axis=axis, keepdims=True)
    check(name, np.zeros((0, 3)), axis=0)
    check(name, np.zeros((0, 3)), axis=1)
    check(name, np.float64(3))
    out = np.zeros(4, np.int64)
    made = ours(out)
    assert getattr(px, name)(ours(array[0]), 0, made) is made
    agree(made, getattr(np, name)(array[0], 0, out))


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "nansum", "nanmean"])
def test_dtypes_asked_for(device, name):
    for dtype in ("int16", "float16", "float32", "float64", "complex64"):
        for own in ("bool", "uint8", "int32", "float16", "float32"):
            check(name, finite(own, (3, 4)), 0, dtype)


@pytest.mark.parametrize(
    "name", ["sum", "prod", "min", "max", "any", "all", "mean", "var", "nanvar"]
)
def test_masks_and_initial_values(device, name):
    array = finite("float32", (3, 4))
    mask = sample("bool", (3, 4))
    has_initial = name in ("sum", "prod", "min", "max")
    for where in (mask, mask[0], np.zeros(4, bool), np.ones((2, 3, 4), bool)):
        more = {"initial": 1.5} if has_initial else {}
        if (name == "var" and not where.any()) or where.ndim == 3:
            continue
        check(name, array, axis=1, where=where, **more)
        check(name, array, where=where, keepdims=True, **more)
        if name in ("min", "max"):
            check(name, array, where=where)
    if has_initial:
        check(name, array, initial=-2)
        check(name, array.astype("complex64"), axis=0, initial=2)
        check(name, np.zeros((0, 2)), axis=0, initial=3)
        check(name, np.zeros((0, 2)), axis=0, initial=3, keepdims=True)
    with pytest.raises(ValueError, match=r"mask|broadcast"):
        getattr(px, name)(ours(array), where=np.ones((2, 3, 4), bool), **more)


@pytest.mark.parametrize("name", ["sum", "min", "all", "mean", "std", "ptp"])
def test_out(device, name):
    array = finite("float64", (3, 4))
    out = np.zeros(4, "bool" if name == "all" else "float64")
    made = ours(out)
    assert getattr(px, name)(ours(array), axis=0, out=made) is made
    agree(made, getattr(np, name)(array, axis=0, out=out))
    theirs = np.zeros_like(out)
    assert getattr(px, name)(ours(array), axis=0, out=theirs) is theirs
    agree(px.asarray(theirs), out)
    with pytest.raises(ValueError, match="shape"):
        getattr(px, name)(ours(array), axis=0, out=px.asarray(np.zeros(5, out.dtype)))
    with pytest.raises(TypeError):
        getattr(px, name)(ours(array), axis=0, out=[1, 2, 3, 4])


@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd"])
def test_degrees_of_freedom(device, name):
    array = sample("float64", (3, 4), name.startswith("nan"))
    for options in ({"ddof": 1}, {"correction": 1.5}, {"ddof": 1, "correction": 1}, {"ddof": 4}):
        check(name, array, axis=1, **options)
    if not name.startswith("nan"):
        check(name, array, mean=array.mean(keepdims=True))


def test_averages_with_weights(device):
    array = finite("float32", (3, 4))
    check("average", array, weights=np.abs(array) + 1)
    check("average", array, axis=1, weights=np.arange(4), returned=True)
    check("average", array, axis=0, weights=np.abs(array) + 1, returned=True, keepdims=True)
    check("average", array, axis=0, returned=True)
    check("average", np.arange(5), weights=np.zeros(5))
    check("average", np.arange(5), weights=np.arange(4))


def test_methods(device):
    array = np.round(finite("float64", (3, 4)), 2)
    for name in ("sum", "prod", "min", "max", "any", "all", "mean", "var", "std"):
        for axis in (None, 0, (0, 1)):
            check(f".{name}", array, axis)
            check(f".{name}", array, axis=axis, keepdims=True)
    for name in ("argmin", "argmax", "cumsum", "cumprod", "round", "conj", "conjugate", "trace"):
        check(f".{name}", array)
    for name in ("argmin", "argmax", "cumsum", "cumprod", "argsort"):
        check(f".{name}", array, 1)
    check(".clip", array, -0.5, 0.7)
    check(".clip", array, max=0.5)
    check(".round", array, 1)
    check(".dot", array, array.T)
    check(".trace", array, 1)
    check(".searchsorted", np.arange(5.0), np.array([1.5, 3]))
    check(".std", array, ddof=1)


def test_small_floats_are_summed_in_float32(device):
    """In float16 a sum of ones stops at 2048."""
    ones = px.asarray(np.ones(5000, np.float16))
    assert ones.sum().item() == 5000 and ones.sum().dtype == np.float16
    assert ones.mean().item() == 1
    large = px.asarray(np.full(100, 60000, np.float16))
    assert large.mean().item() == 60000


def test_what_is_elementwise_and_a_reduction_is_recorded(device):
    """The mean is one kernel, and all around it the other."""
    x = px.asarray(np.arange(40000.0).reshape(200, 200))
    transposed = x._view((200, 200), [(1, 0, 1), (0, 0, 1)])
    before = _engine.array_statistics()["kernels"]
    made = x + transposed - x.mean(axis=0)
    assert _engine.array_statistics()["kernels"] == before
    np.asarray(made)
    assert _engine.array_statistics()["kernels"] == before + 2
    np.asarray(px.var(x, axis=0))
    assert _engine.array_statistics()["kernels"] <= before + 5


def test_sums_of_many_floats_are_as_exact_as_pairwise_ones(device):
    """One after the other, ten million would miss the fourth digit."""
    x = np.full(10_000_019, 0.1, np.float32)
    for made in (px.asarray(x).sum(), px.asarray(x).mean() * x.size):
        assert made.item() == pytest.approx(x.sum(dtype="float64"), rel=4e-6)
    columns = x[:9_000_000].reshape(-1, 3)
    assert np.asarray(px.asarray(columns).sum(axis=0)) == pytest.approx(
        columns.sum(axis=0, dtype="float64"), rel=4e-6
    )


# Around the 32 threads of a block on the CPU, and the elements of a chunk, 8,192.
LENGTHS = (1, 31, 32, 33, 63, 65, 8191, 8192, 8193, 8225)


@pytest.mark.parametrize(
    "name", ["sum", "prod", "min", "max", "any", "all", "mean", "std", "argmin", "argmax"]
)
@pytest.mark.parametrize("dtype", ["bool", "int16", "uint64", "float32", "float64", "complex64"])
def test_lengths_around_whole_blocks(device, name, dtype):
    random = np.random.default_rng(3)
    for length in LENGTHS:
        for rows in (1, 3):
            host = random.integers(0, 3, (rows, length)).astype(dtype)
            if name in ("any", "all"):  # one element decides
                host = np.full((rows, length), name == "all", dtype)
                host[:, random.integers(length)] = name == "any"
            if name == "prod":
                host = np.ones((rows, length), dtype)
                host[:, random.integers(length, size=8)] = 2
            made, wanted = getattr(px, name)(ours(host), axis=1), getattr(np, name)(host, axis=1)
            agree(made, wanted, what=(length, rows))
            made, wanted = getattr(px, name)(ours(host)), getattr(np, name)(host)
            agree(made, wanted, what=(length, rows))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rows_around_whole_blocks(device, dtype):
    """Rows that are folded twice and written, in one kernel."""
    random = np.random.default_rng(4)
    for length in LENGTHS:
        host = random.normal(size=(3, length)).astype(dtype)
        x = ours(host)
        made = px.exp(x - px.max(x, axis=1, keepdims=True))
        made = made / px.sum(made, axis=1, keepdims=True)
        wide = np.exp(host.astype(np.longdouble) - host.max(axis=1, keepdims=True))
        wanted = wide / wide.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(np.asarray(made), wanted, rtol=200 * np.finfo(dtype).eps)
