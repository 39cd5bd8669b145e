"""Lines of usual programs that once differed: what they print beside pandas, also of types."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import attempt

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]


def _rows(m):
    return m.DataFrame({"y": [1, 2], "t": ["a", "b"]})


def _repeated(m):
    return m.Series([1, 2, 3], index=["a", "a", "b"])


def _empty_column(m):
    frame = m.DataFrame(index=[])
    frame["a"] = []
    return frame


def _with_na(m):
    frame = m.DataFrame({"x": [1, 2]})
    frame.loc[frame["x"] > 1, "x"] = (
        m.NA if m is pd else px.DataFrame({"a": [1, None]}, dtype="Int64").iat[1, 0]
    )
    return frame


def _dear(m):
    return m.DataFrame({"g": ["a", "a", "b", "b"], "x": [1.0, 2, 5, 3]})


LINES = {
    "classes of dates": lambda m: m.Series([m.Timestamp("2024")]).apply(type).iloc[0].__name__,
    "classes": lambda m: m.Series([1, "a"], dtype=object).apply(type).tolist(),
    "replace beside lists": lambda m: m.DataFrame({"a": [1.0, np.inf], "l": [[1], [2]]}).replace(
        [np.inf, -np.inf], np.nan
    ),
    "empty list": lambda m: m.DataFrame({"a": []}).dtypes.tolist(),
    "empty lists": lambda m: m.DataFrame({"a": [], "b": ()}).dtypes.tolist(),
    "empty iterator": lambda m: m.DataFrame({"a": iter([])}).dtypes.tolist(),
    "empty range": lambda m: m.DataFrame({"a": range(0)}).dtypes.tolist(),
    "empty column": lambda m: _empty_column(m).dtypes.tolist(),
    "empty series": lambda m: m.Series([]).dtype,
    "columns without rows": lambda m: m.DataFrame(columns=["a"]).dtypes.tolist(),
    "expanded": lambda m: _rows(m).apply(lambda r: [r.y, r.y / 2], axis=1, result_type="expand"),
    "expanded mixed": lambda m: _rows(m).apply(lambda r: (r.y, r.t), axis=1, result_type="expand"),
    "expanded bools": lambda m: _rows(m).apply(lambda r: (r.y, True), axis=1, result_type="expand"),
    "repeated labels": lambda m: m.DataFrame({"p": _repeated(m), "q": m.Series([1], index=["a"])}),
    "the same labels": lambda m: m.DataFrame({"p": _repeated(m), "q": _repeated(m)}),
    "markdown": lambda m: m.DataFrame({"x": [1]}, index=m.Index(["u"], name="row")).to_markdown(),
    "rising": lambda m: _dear(m).groupby("g")["x"].is_monotonic_increasing,
    "falling": lambda m: _dear(m).groupby("g")["x"].is_monotonic_decreasing,
    "NA in integers": _with_na,
    "names of rows": lambda m: [repr(_rows(m).iloc[1].name), repr(_rows(m)["y"].idxmax())],
    "types of rows": lambda m: [type(each).__name__ for each in _rows(m).iloc[0]],
    "types of rows one by one": lambda m: [
        type(each).__name__ for _, row in _rows(m).iterrows() for each in row
    ],
    "lambdas": lambda m: _dear(m).groupby("g").agg({"x": ["sum", lambda s: s.mean()]}),
    "lambdas of bins": lambda m: (
        m.Series([1.0, 2], m.date_range("2024", periods=2))
        .resample("D")
        .agg(["sum", lambda s: s.mean()])
    ),
    "texts that correlate": lambda m: _rows(m).corr(),
}


@pytest.mark.parametrize("name", LINES)
def test_prints_what_pandas_prints(name):
    wanted, error = attempt(LINES[name], pd)
    found, own = attempt(LINES[name], px)
    if error is not None:
        assert type(own).__name__ == type(error).__name__, (found, own)
    else:
        assert own is None and repr(found) == repr(wanted)
        if isinstance(wanted, pd.DataFrame):
            assert list(map(str, found.dtypes)) == list(map(str, wanted.dtypes))


def test_an_attribute_that_is_no_column_is_told():
    frame = px.DataFrame({"a": [1]})
    with pytest.warns(UserWarning, match=r"frame\['total'\] = "):
        frame.total = [2]
    assert "total" not in frame.columns
    frame.note = "kept"
    frame.a = [5]
    assert frame.a.tolist() == [5] and frame.note == "kept"
