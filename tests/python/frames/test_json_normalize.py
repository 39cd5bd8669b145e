"""`json_normalize` beside pandas, by table: data x paths x keywords."""

from __future__ import annotations

from functools import partial

import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, same_kind, theirs

pytestmark = pytest.mark.usefixtures("device")

STATES = [
    {
        "state": "Florida",
        "info": {"governor": "R", "of": {"year": 2011}},
        "counties": [{"name": "Dade", "population": 12345, "at": {"x": 1}}, {"name": "Broward"}],
    },
    {"state": "Ohio", "info": {"governor": "J"}, "counties": [{"name": "Summit", "population": 1}]},
    {"state": "None", "info": {}, "counties": []},
]
DEEP = {
    "school": "ABC",
    "classes": [
        {"grade": 1, "teacher": {"name": "T"}, "students": [{"n": "a", "v": 1.5}, {"n": "b"}]},
        {"grade": 2, "teacher": {"name": "U"}, "students": [{"n": "c", "v": None}]},
    ],
}
DATA = {
    "states": STATES,
    "one": STATES[0],
    "deep": DEEP,
    "several deep": [DEEP, {**DEEP, "school": "DEF"}],
    "flat": [{"a": 1, "b": 2.5}, {"a": 3}, {"c": "x"}],
    "nested": [{"a": {"b": {"c": 1, "d": 2}}, "e": 3}, {"a": {"b": 5}}],
    "numbers": {"of": "x", "values": [1, 2, 3]},
    "nulls": [{"a": 1, "rows": None}, {"a": 2, "rows": [{"b": 3}]}],
    "empty": [],
    "empty dict": {},
    "series": pd.Series([{"a": {"b": 1}}, {"a": {"b": 2}}], index=["x", "y"]),
    "text": "abc",
}
KEYWORDS = [
    {},
    {"max_level": 0},
    {"max_level": 1},
    {"sep": "_"},
    {"record_path": "counties"},
    {"record_path": "counties", "meta": "state"},
    {"record_path": "counties", "meta": ["state", ["info", "governor"]], "errors": "ignore"},
    {"record_path": "counties", "meta": ["state", ["info", "governor"]]},
    {"record_path": ["counties"], "meta": ["state"], "record_prefix": "c_", "meta_prefix": "m_"},
    {"record_path": "counties", "meta": ["name"]},
    {"record_path": ["classes", "students"]},
    {"record_path": ["classes", "students"], "meta": ["school", ["classes", "grade"]]},
    {"record_path": ["classes", "students"], "meta": [["classes", "teacher", "name"]]},
    {"record_path": "classes", "meta": "school", "sep": "/"},
    {"record_path": "values", "meta": "of"},
    {"record_path": "rows", "meta": "a"},
    {"record_path": "state"},
    {"record_path": "nothing", "errors": "ignore"},
]


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("keywords", KEYWORDS, ids=str)
def test_as_pandas(name, keywords):
    wanted, error = attempt(partial(pd.json_normalize, **keywords), DATA[name])
    found, own = attempt(partial(px.json_normalize, **keywords), DATA[name])
    if error is not None or own is not None:
        assert error is not None and own is not None, (wanted, found, error, own)
        assert same_kind(error, own), (error, own)
        return
    assert_same(theirs(found), wanted)
