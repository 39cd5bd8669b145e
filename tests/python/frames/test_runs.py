"""Runs of rows beside the same groups by codes, by the host's operators and a GPU's kernels."""

import itertools

import numpy as np
import pytest
from phalanx._engine import frames

from .kernel_operators import KernelOperators

KINDS = [
    ("size",), ("count",), ("sum",), ("product",), ("mean",), ("var", 1), ("std", 0), ("min",),
    ("max",), ("first",), ("last",), ("any",), ("all",), ("idxmin",), ("idxmax",), ("first_row",),
    ("last_row",), ("median",), ("quantile", (0.3, "linear")), ("nunique",), ("corr",), ("cov",),
]  # fmt: skip
DTYPES = ["bool", "int8", "int32", "int64", "uint64", "float32", "float64", "datetime64[ns]"]
# Lengths of runs: ones without rows, of fewer rows than lanes, of many, a few very long ones.
LENGTHS = {
    "short": [0, 1, 2, 3, 0, 5, 9, 4, 0],
    "many": list(np.random.default_rng(3).integers(0, 90, 900)),
    "long": [0, 70_000, 1, 20_000],
    "none": [],
    "one without rows": [0],
}


@pytest.fixture(params=["host", "kernels"])
def operators(request, device, monkeypatch):
    """The engine's functions on the host, or by kernels."""
    if request.param == "host":
        return frames
    monkeypatch.setenv("PHALANX_ARRAY_KERNELS", "gpu")
    return KernelOperators()


def column(dtype, rows):
    """Values, of floats and dates with missing ones and infinities, and a mask."""
    draw = np.random.default_rng(rows + len(dtype))
    values = draw.integers(0, 40, rows)
    if dtype.startswith("float"):
        values = np.where(draw.random(rows) < 0.2, np.nan, draw.normal(size=rows))
        values[draw.random(rows) < 0.01] = -np.inf
    made = values.astype(dtype)
    if dtype.startswith("date"):
        made[draw.random(rows) < 0.2] = "NaT"
    return made, draw.random(rows) < 0.7


def requests(dtype, lengths, kinds):
    """Aggregations of each kind, with and without a mask."""
    values, mask = column(dtype, sum(lengths))
    finite = values if values.dtype.kind != "f" else np.where(np.isinf(values), 1, values)
    made = []
    for kind, *argument in kinds:
        is_pair = kind in ("corr", "cov")
        if is_pair and values.dtype.kind == "M":
            continue
        first = finite.astype(values.dtype) if is_pair else values
        more = [(first[::-1].copy(), mask, 1)] if is_pair else argument
        made += [(first, valid, kind, *more) for valid in (None, mask)]
    return made


def expect_groups(operators, lengths, wanted):
    """Compares runs with groups by the host's codes."""
    bounds = np.cumsum([0, *lengths], dtype=np.int64)
    codes = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    made = operators.aggregate_runs(bounds, wanted)
    expected = frames.aggregate(codes, len(lengths), wanted)
    for found, known, request in zip(made, expected, wanted, strict=True):
        there, known_there = (
            np.ones(len(lengths), bool) if valid is None else valid != 0
            for _, valid in (found, known)
        )  # fmt: skip
        np.testing.assert_array_equal(there, known_there, err_msg=request[2])
        one, other = found[0][there], known[0][there]
        assert one.dtype == other.dtype
        if one.dtype.kind == "f":
            tolerance = 1e-4 if request[0].dtype == np.float32 else 1e-11
            np.testing.assert_allclose(one, other, tolerance, tolerance, err_msg=request[2])
        else:
            np.testing.assert_array_equal(one, other, err_msg=request[2])


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_runs_are_groups(dtype, lengths):
    wanted = requests(dtype, LENGTHS[lengths], KINDS)
    expect_groups(frames, LENGTHS[lengths], wanted)


def test_runs_are_groups_by_kernels(device, monkeypatch):
    monkeypatch.setenv("PHALANX_ARRAY_KERNELS", "gpu")
    kinds = [each for each in KINDS if each[0] != "product"]  # overflows in another order
    for dtype, lengths in itertools.product(("int32", "float64"), ("short", "many")):
        wanted = requests(dtype, LENGTHS[lengths], kinds)
        expect_groups(KernelOperators(), LENGTHS[lengths], wanted)


def test_sums_of_runs_lose_no_digits():
    values = np.tile([1e16, 1.0, 1.0, -1e16], 25)
    ((found, _),) = frames.aggregate_runs(np.array([0, 0, 100]), [(values, None, "sum")])
    assert found.tolist() == [0.0, 50.0]


@pytest.mark.parametrize("closed", [False, True])
def test_rows_before_edges(closed, operators):
    draw = np.random.default_rng(5)
    for rows, edges in ((0, 3), (1, 5), (1000, 1), (1000, 0), (5000, 300), (50, 40_000)):
        times, sought = (np.sort(draw.integers(0, 2000, count)) for count in (rows, edges))
        found = operators.rows_before(times, sought, closed)
        expected = np.searchsorted(times, sought, "right" if closed else "left")
        np.testing.assert_array_equal(found, expected)


def test_bounds_that_go_back_are_refused():
    for bounds in ([], [1, 2], [0, 3, 2]):
        with pytest.raises(ValueError, match="bounds"):
            frames.aggregate_runs(np.array(bounds, np.int64), [])
