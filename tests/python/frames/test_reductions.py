"""Reductions of columns against pandas' Series: every dtype, missing rows left out or not."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest
from phalanx._frames import reductions
from phalanx._frames.columns import column_of
from phalanx._frames.missing import NA, is_missing
from phalanx._frames.scalars import NaT

from .against_pandas import time_of_pandas
from .column_samples import SAMPLES, assert_outcome, assert_same, outcome

samples = pytest.mark.parametrize("name", SAMPLES)
NAMES = ["sum", "prod", "min", "max", "mean", "median", "var", "std", "sem", "skew", "kurt", "any",
         "all"]  # fmt: skip


def assert_scalar(actual, expected):
    """The same value, or a missing one of the same kind, or an error of the same class."""
    if isinstance(expected, Exception):
        assert isinstance(actual, Exception), f"pandas raises {expected!r}, here it is {actual!r}"
        assert isinstance(actual, type(expected).__mro__[:-3]), f"{actual!r} for {expected!r}"
        return
    if isinstance(actual, Exception):
        raise actual
    if is_missing(expected):
        assert is_missing(actual)
        assert (actual is NA) == (expected is pd.NA)
        assert (actual is NaT) == (expected is pd.NaT)
        return
    if isinstance(expected, pd.Timestamp):
        # pandas' means are floats, which do not hold all nanoseconds.
        assert abs(time_of_pandas(actual) - expected) < pd.Timedelta(1, "us")
    elif isinstance(expected, pd.Timedelta):
        assert abs(time_of_pandas(actual) - expected) <= pd.Timedelta(1, "us")
    elif isinstance(expected, (np.generic, float)):
        rtol = 1e-5 if getattr(expected, "dtype", None) == np.float32 else 1e-10
        np.testing.assert_allclose(actual, expected, rtol=rtol, atol=1e-12)
        if isinstance(expected, np.generic):
            assert actual.dtype == expected.dtype
    else:
        assert actual == expected


def is_apart(operation, name, skipna):
    """Returns whether pandas has a rule for which there is no reason."""
    inexact = name in ("complex", "float64 NaN") and operation in ("skew", "kurt")  # with infinity
    texts = name.startswith("object") and operation in ("min", "max", "sum", "prod", "any", "all")
    objects = name in ("object dates", "object mixed", "object None") and (texts or not skipna)
    # pandas sees no bools in nullable bools; it orders complex numbers with NaN by Python's rules.
    odd = name == "complex" and operation in ("min", "max", "median", "var", "std", "sem")
    return inexact or objects or odd or name == "object dates"


@samples
@pytest.mark.parametrize("skipna", [True, False])
@pytest.mark.parametrize("operation", NAMES)
def test_one_value(device, operation, skipna, name):
    if is_apart(operation, name, skipna):
        return
    series = SAMPLES[name]
    expected = outcome(lambda: getattr(series, operation)(skipna=skipna))
    actual = outcome(lambda: reductions.reduce(column_of(series), operation, skipna=skipna))
    assert_scalar(actual, expected)


EMPTY = ["int64", "int8", "float64", "float32", "bool", "Int64", "Float64", "boolean", "M8[ns]",
         "m8[ns]", "str", "object", "category"]  # fmt: skip


@pytest.mark.parametrize("values", [[], [None], [None, None]], ids=repr)
@pytest.mark.parametrize("dtype", EMPTY)
@pytest.mark.parametrize("operation", NAMES)
def test_of_nothing(device, operation, dtype, values):
    series = outcome(lambda: pd.Series(values, dtype=dtype))
    if isinstance(series, Exception) or (dtype == "bool" and values):
        return
    if (dtype, operation) in {("object", "min"), ("object", "max")} or dtype == "float32":
        assert is_missing(reductions.reduce(column_of(series), "min"))
        return
    expected = outcome(getattr(series, operation))
    actual = outcome(lambda: reductions.reduce(column_of(series), operation))
    if isinstance(actual, np.float64) and type(expected) is float:
        expected = np.float64(expected)
    assert_scalar(actual, expected)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("name", ["int64", "float64 whole", "Int64 NA", "boolean NA"])
@pytest.mark.parametrize("operation", ["sum", "prod"])
def test_least_counts(device, operation, name, count):
    series = SAMPLES[name]
    expected = getattr(series, operation)(min_count=count)
    assert_scalar(reductions.reduce(column_of(series), operation, min_count=count), expected)


@pytest.mark.parametrize("ddof", [0, 1, 2, 4])
@pytest.mark.parametrize("name", ["int64", "float64 whole", "Int64 NA", "float32"])
@pytest.mark.parametrize("operation", ["var", "std", "sem"])
def test_degrees_of_freedom(device, operation, name, ddof):
    series = SAMPLES[name]
    if name == "Int64 NA" and ddof > 1:
        assert (
            reductions.reduce(column_of(series), operation, ddof=ddof) is NA
        )  # infinite in pandas
        return
    expected = getattr(series, operation)(ddof=ddof)
    assert_scalar(reductions.reduce(column_of(series), operation, ddof=ddof), expected)


@pytest.mark.parametrize("operation", ["mean", "var", "std", "sem", "skew", "kurt", "median"])
@pytest.mark.parametrize("dtype", ["float64", "Int64", "float32"])
def test_of_many_rows(device, operation, dtype):
    generator = np.random.default_rng(5)
    values = generator.integers(-1000, 1000, 5000).astype(np.float64)
    values[::7] = np.nan
    series = pd.Series(values).astype(dtype)
    assert_scalar(reductions.reduce(column_of(series), operation), getattr(series, operation)())


@samples
def test_counts(device, name):
    series, column = SAMPLES[name], column_of(SAMPLES[name])
    assert reductions.count(column) == series.count()
    for dropna in (True, False):
        assert reductions.nunique(column, dropna=dropna) == series.nunique(dropna)


@samples
@pytest.mark.parametrize("dropna", [True, False])
def test_modes(device, name, dropna):
    series = SAMPLES[name]
    if (series.hasnans and not dropna) or name == "object mixed":
        return  # where missing values come in the order is not the same
    assert_same(reductions.mode(column_of(series), dropna=dropna), series.mode(dropna))


@samples
@pytest.mark.parametrize("skipna", [True, False])
@pytest.mark.parametrize("operation", ["min", "max"])
def test_positions(device, operation, skipna, name):
    series = SAMPLES[name]
    if name in ("complex", "category ordered") or name.startswith("object"):
        return
    expected = outcome(lambda: int(getattr(series, f"arg{operation}")(skipna=skipna)))
    column = column_of(series)
    assert_scalar(outcome(lambda: reductions.argument(column, operation, skipna=skipna)), expected)


def test_positions_of_bounds(device):
    lowest = np.iinfo(np.int8).min
    column = column_of([None, lowest, lowest], "Int8")
    assert reductions.argument(column, "max") == 1
    assert reductions.reduce(column, "max") == lowest
    assert reductions.reduce(column_of([None], "Int8"), "max") is NA
    with pytest.raises(ValueError, match="empty"):
        reductions.argument(column_of([], "int64"), "min")
    with pytest.raises(ValueError, match="all NA"):
        reductions.argument(column_of([None], "Int64"), "min")


@pytest.mark.parametrize("interpolation", ["linear", "lower", "higher", "nearest", "midpoint"])
@pytest.mark.parametrize("q", [0.5, 0.1, [0.0, 0.25, 1.0], []], ids=repr)
@samples
def test_quantiles(device, name, q, interpolation):
    series = SAMPLES[name]
    if name in ("complex", "float64 NaN") or name.startswith(("object", "category", "str")):
        return  # with infinity, and what has no numbers
    expected = outcome(lambda: series.quantile(q, interpolation))
    actual = outcome(lambda: reductions.quantile(column_of(series), q, interpolation))
    if isinstance(q, list):
        assert_outcome(actual, expected, check_dtype=bool(q), rtol=1e-6)
    else:
        assert_scalar(actual, expected)


def test_quantiles_are_parts_of_numbers(device):
    for values in (["a"], [{}]):
        with pytest.raises(TypeError, match=r"'quantile' (with|of)"):
            reductions.quantile(column_of(values))
    with pytest.raises(ValueError, match="interval"):
        reductions.quantile(column_of([1, 2]), 1.5)


CUMULATIVE_APART = {"object mixed", "object dates", "object None"}


@samples
@pytest.mark.parametrize("skipna", [True, False])
@pytest.mark.parametrize("operation", ["cumsum", "cumprod", "cummin", "cummax"])
def test_cumulative(device, operation, skipna, name):
    if name in CUMULATIVE_APART or (name == "complex" and operation[3:] in ("min", "max")):
        return
    series = SAMPLES[name]
    expected = outcome(lambda: getattr(series, operation)(skipna=skipna))
    column = column_of(series)
    assert_outcome(
        outcome(lambda: reductions.accumulate(column, operation, skipna=skipna)), expected
    )


def test_objects(device):
    column = column_of(SAMPLES["object None"])
    assert reductions.reduce(column, "sum") == 4
    assert reductions.accumulate(column, "cumsum").tolist()[2:] == [3, 4]
    dates = column_of([datetime.date(2020, 1, 2), None, datetime.date(2020, 1, 1)])
    assert reductions.reduce(dates, "min") == datetime.date(2020, 1, 1)
    with pytest.raises(TypeError, match="to numeric: 'mean' of objects"):
        reductions.reduce(dates, "mean")
