"""`to_json`'s forms of dates and lines beside pandas: orient x form of dates x unit x indent."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest

import phalanx as px

from .against_pandas import attempt, ours

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

TIMES = pd.DataFrame(
    {
        "t": pd.to_datetime(["2024-01-01 10:00:00.123456", None]),
        "z": pd.to_datetime(["2024-01-01", "2024-02-01"]).tz_localize("Europe/Rome"),
        "d": pd.to_timedelta(["1D 02:03:04.5", None]),
        "x": [1, 2],
    },
    index=pd.date_range("2024", periods=2),
)
DATA = {
    "times": TIMES,
    "dates": TIMES["t"],
    "zoned": TIMES["z"],
    "no rows": pd.DataFrame({"a": []}),
    "empty": pd.Series([], dtype=float),
    "lists": pd.Series([[1, 2], {"a": 1}]),
    "nested": pd.Series([{"a": {}, "b": []}]),
    "braces": pd.Series(["a{,", 'b"\\}']),
    "words": pd.DataFrame({"a": pd.Series(["x"], dtype="category")}),
    "durations": pd.Series([pd.Timedelta("-1D 00:00:01.5"), pd.Timedelta("36h")]),
    "mixed": pd.Series([pd.Timestamp("2024", tz="UTC"), 1, None]),
}
FORMS = list(itertools.product((None, "iso", "epoch"), ("s", "ms", "us", "ns"), (None, 0, 1, 4)))


@pytest.mark.parametrize("orient", ["split", "records", "index", "columns", "values"])
@pytest.mark.parametrize("name", DATA)
def test_forms(name, orient):
    data = DATA[name]
    for form, unit, indent in FORMS:
        keywords = {"orient": orient, "date_format": form, "date_unit": unit, "indent": indent}
        wanted, error = attempt(lambda each, given=keywords: each.to_json(**given), data)
        found, own = attempt(lambda each, given=keywords: each.to_json(**given), ours(data))
        assert found == wanted, keywords
        assert (error is None) == (own is None)


def test_values_without_a_form():
    series = px.Series([{1, 2}, 1 + 2j])
    with pytest.raises(NotImplementedError, match="default_handler"):
        series.to_json()
    assert series.to_json(default_handler=str) == '{"0":[1,2],"1":"(1+2j)"}'
    with pytest.raises(ValueError, match="date_format"):
        series.to_json(date_format="never")
