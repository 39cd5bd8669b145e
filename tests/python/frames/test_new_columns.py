"""``frame.loc[rows, new label] = value`` beside pandas, by table: values x rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, ours, theirs

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

FRAME = pd.DataFrame({"g": ["a", "b", "b"], "x": [1, 2, 3]})
VALUES = {
    "text": "q",
    "int": 5,
    "float": 1.5,
    "bool": True,
    "nan": np.nan,
    "None": None,
    "date": pd.Timestamp("2024"),
    "NumPy's date": np.datetime64("2024-01-01"),
    "zoned": pd.Timestamp("2024", tz="UTC"),
    "duration": pd.Timedelta("1D"),
    "period": pd.Period("2024"),
    "NaT": pd.NaT,
    "int8": np.int8(3),
    "complex": 1j,
    "texts": ["a", "b"],
    "ints": [1, 2],
    "dates": [pd.Timestamp("2024")] * 2,
    "array": np.array([1, 2]),
    "array of bools": np.array([True, False]),
    "series": pd.Series([1.5, 2], index=[1, 2]),
    "series of texts": pd.Series(["u", "v", "w"]),
    "series of bools": pd.Series([True, False, True]),
    "categories": pd.Series(["u", "v", "w"], dtype="category"),
    "Int64": pd.Series([1, 2, 3], dtype="Int64"),
}
ROWS = {
    "mask": lambda f: f["g"] == "b",
    "all by a mask": lambda f: f["g"] != "z",
    "list": lambda f: [1, 2],
    "one": lambda f: 1,
    "slice": lambda f: slice(1, 2),
    "every": lambda f: slice(None),
}
# pandas puts the array itself into one row, as an object, or not, by its length.
CHANCE = {("array of bools", "all by a mask"), ("array of bools", "one"), ("array", "one")}


def with_new(frame, rows, label, value):
    frame = frame.copy()
    frame.loc[rows(frame), label] = value
    return frame


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("name", list(VALUES))
def test_one_new_column(name, rows):
    if (name, rows) in CHANCE:
        return
    value = VALUES[name]
    wanted, error = attempt(lambda f: with_new(f, ROWS[rows], "new", value), FRAME)
    mine = ours(FRAME)
    own_value = ours(value) if isinstance(value, pd.Series) else px.NaT if name == "NaT" else value
    found, own = attempt(lambda f: with_new(f, ROWS[rows], "new", own_value), mine)
    assert (error is None) == (own is None), (error, own)
    if error is None:
        assert_same(theirs(found), wanted)


@pytest.mark.parametrize("label", ["new", ["new", "x"], ["x", "new"]], ids=str)
@pytest.mark.parametrize(
    "value", [object(), ["a"], [1, 2, 3, 4], {"k": 1}, "q"], ids=lambda v: type(v).__name__
)
def test_what_fails_changes_nothing(label, value):
    mine = px.from_pandas(FRAME)
    before = mine.to_pandas()
    _, own = attempt(lambda f: f.loc.__setitem__((ROWS["mask"](f), label), value), mine)
    if own is not None:
        assert_same(theirs(mine), before)
        assert mine.columns.tolist() == ["g", "x"]


COLUMNS = {
    "float": pd.Series([1.5]),
    "int": pd.Series([1]),
    "text": pd.Series(["a"]),
    "date": pd.Series([pd.Timestamp("2024")]),
    "duration": pd.Series([pd.Timedelta("1D")]),
    "category": pd.Series(["a"], dtype="category"),
    "Int64": pd.Series([1], dtype="Int64"),
}
FORMS = {"list": lambda value: [value], "value": lambda value: value, "dict": lambda v: {"x": v}}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("value", [None, np.nan], ids=str)
@pytest.mark.parametrize("form", FORMS)
def test_a_new_row_without_a_value(name, value, form):
    frame = COLUMNS[name].to_frame("x")
    mine = ours(frame)
    frame.loc[1] = FORMS[form](value)
    mine.loc[1] = FORMS[form](value)
    assert_same(theirs(mine), frame)
