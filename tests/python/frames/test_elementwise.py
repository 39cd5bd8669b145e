"""What is done row by row with one column: signs, filled and chosen rows, equal rows."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest
from phalanx._frames.columns import column_of
from phalanx._frames.operations import choosing, equal_rows, unary

import phalanx as px

from .column_samples import SAMPLES, assert_outcome, assert_same, outcome

samples = pytest.mark.parametrize("name", SAMPLES)

UNARY = {
    "negative": (unary.negative, lambda series: -series),
    "positive": (unary.positive, lambda series: +series),
    "absolute": (unary.absolute, abs),
    "invert": (unary.invert, lambda series: ~series),
    "rounded": (unary.rounded, lambda series: series.round()),
    "rounded to tens": (lambda each: unary.rounded(each, -1), lambda series: series.round(-1)),
}
UNARY_APART = {
    # pandas: NumPy's for bools alone, Arrow's errors, objects that are None.
    ("negative", "boolean"), ("negative", "boolean NA"), ("negative", "bool"),
    ("absolute", "str"), ("absolute", "str NaN"), ("absolute", "str numbers"),
    ("absolute", "str dates"), ("absolute", "string NA"),
    ("rounded", "object None"), ("rounded to tens", "object None"),
    *((operation, "object None") for operation in UNARY),
    *((operation, "object dates") for operation in UNARY),
    *((operation, "object mixed") for operation in UNARY),
    ("rounded", "category"), ("rounded", "category NaN"), ("rounded", "category ordered"),
}  # fmt: skip


@pytest.mark.parametrize("operation", UNARY)
@samples
def test_of_one_column(device, operation, name):
    if (operation, name) in UNARY_APART:
        return
    ours, function = UNARY[operation]
    assert_outcome(outcome(ours, column_of(SAMPLES[name])), outcome(function, SAMPLES[name]))


VALUES = {
    "0": 0, "7": 7, "1.5": 1.5, "1.0": 1.0, "300": 300, "-1": -1, "True": True, "text": "a",
    "None": None, "NaN": np.nan, "date": datetime.datetime(2021, 5, 1, 1, 1, 1, 5),
    "duration": datetime.timedelta(microseconds=5), "date64": np.datetime64("2020-01-01", "s"),
}  # fmt: skip
# Where pandas has a rule for which there is no reason.
FILLED_APART = {
    ("complex", "True"),
    *((name, "duration") for name in ("timedelta s", "datetime s")),
    *((name, "date") for name in ("datetime s",)),
}


@pytest.mark.parametrize("value", VALUES)
@samples
def test_missing_rows_are_filled(device, name, value):
    if value in ("None", "NaN"):
        return  # pandas asks for a value
    series = SAMPLES[name]
    expected = outcome(series.fillna, VALUES[value])
    assert_outcome(outcome(choosing.fillna, column_of(series), VALUES[value]), expected)


@pytest.mark.parametrize("value", VALUES)
@samples
def test_rows_are_chosen(device, name, value):
    if (name, value) in FILLED_APART:
        return
    series, kept = SAMPLES[name], pd.Series([True, False, True, False])
    column, other = column_of(series), VALUES[value]
    expected = outcome(series.where, kept, other)
    assert_outcome(outcome(choosing.chosen, column, px.asarray(kept.to_numpy()), other), expected)
    assert_same(choosing.chosen(column, px.ones(4, bool), None), series)


PAIRS = [
    ("int8", "int64"), ("int64", "float64"), ("float32", "float64"), ("bool", "int64"),
    ("Int64 NA", "int64"), ("str", "str NaN"), ("datetime s", "datetime NaT"), ("int64", "str"),
    ("category", "category"), ("str", "int64"), ("object mixed", "int64"), ("int64", "float64 NaN"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "other"), PAIRS)
def test_rows_of_another_column(device, name, other):
    kept = pd.Series([True, False, True, False])
    first, second = SAMPLES[name], SAMPLES[other]
    if (name, other) == ("int8", "int64"):
        second = second * 1000
    expected = outcome(first.where, kept, second)
    column = column_of(first)
    mask = px.asarray(kept.to_numpy())
    assert_outcome(outcome(choosing.chosen, column, mask, column_of(second)), expected)


def test_conditions_are_bools_and_lengths_match(device):
    column = column_of([1, 2, 3])
    with pytest.raises(TypeError, match="Boolean array expected"):
        choosing.mask_of(column)
    with pytest.raises(ValueError, match="Lengths must match"):
        choosing.chosen(column, px.ones(3, bool), column_of([1, 2]))
    condition = column_of([True, None, False], "boolean")
    assert choosing.chosen(column, choosing.mask_of(condition), 0).tolist() == [1, 0, 0]


@samples
@pytest.mark.parametrize(
    "values",
    [[1, 2.0, "a"], [np.nan], [None], [pd.NA, 3], ["a", "b"], [True], [], [0, -3, 1.5],
     [datetime.datetime(2020, 1, 1)], [datetime.timedelta(seconds=1), pd.NaT], list("abcdefghij")],
    ids=repr,
)  # fmt: skip
def test_is_in(device, name, values):
    if (name.startswith("object") or name == "category ints") and values == [True]:
        return  # 1 is True to a set
    series = SAMPLES[name]
    expected = outcome(series.isin, values)
    if isinstance(expected, pd.Series) and isinstance(expected.dtype, pd.ArrowDtype):
        expected = expected.astype("boolean")
    if name.startswith(("zoned", "datetime", "timedelta", "complex")) or (
        values and values[0] is pd.NA
    ):
        actual = equal_rows.isin(column_of(series), values)
        assert len(actual) == 4
        return
    assert_outcome(outcome(equal_rows.isin, column_of(series), values), expected)


def test_dates_are_in(device):
    dates = column_of(SAMPLES["datetime NaT"])
    wanted = [np.datetime64("2020-01-01", "s"), "2024-02-29"]
    assert equal_rows.isin(dates, wanted).tolist() == [True, False, False, False]
    assert equal_rows.isin(dates, [None]).tolist() == [False, True, False, True]
    moment = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    assert equal_rows.isin(column_of(SAMPLES["zoned NaT"]), [moment]).tolist()[0]
    assert not equal_rows.isin(dates, [moment]).values.any()


@samples
def test_duplicated(device, name):
    series = SAMPLES[name]
    column = column_of(series)
    for keep in ("first", "last", False):
        expected = series.duplicated(keep).tolist()
        assert equal_rows.duplicated([column], keep).tolist() == expected


def test_groups_of_rows(device):
    columns = [column_of([1, 1, 2, 1, None]), column_of(["a", "b", "a", "a", "a"])]
    from phalanx._frames.columns.codes import codes_of

    codes, firsts = codes_of(columns)
    assert codes.tolist() == [0, 1, 2, 0, -1]
    assert firsts.tolist() == [0, 1, 2]
    codes, firsts = codes_of(columns, keep_missing=True)
    assert codes.tolist() == [0, 1, 2, 0, 3]
    assert equal_rows.duplicated(columns).tolist() == [False, False, False, True, False]
    with pytest.raises(ValueError, match="keep must be"):
        equal_rows.duplicated(columns, "none")
