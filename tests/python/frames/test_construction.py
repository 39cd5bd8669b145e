"""Series and frames of what programs have, against pandas."""

from __future__ import annotations

import datetime
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pyarrow
import pytest

import phalanx as px

from .against_pandas import check_program


@dataclass
class Point:
    x: int
    y: str


Pair = namedtuple("Pair", "p q")

DATA = {
    "columns": {"a": [1, 2], "b": ["x", "y"]},
    "a column and a value": {"a": 1, "b": [1, 2, 3]},
    "values": {"a": 1},
    "dicts": [{"a": 1, "b": 2}, {"a": 3, "c": 4}],
    "tuples": [(1, 2), (3, 4)],
    "lists": [[1, "x"], [2.5, None]],
    "ragged lists": [[1], [2, 3]],
    "named tuples": [Pair(1, 2), Pair(3, 4)],
    "dataclasses": [Point(1, "a"), Point(2, "b")],
    "an array": np.arange(3.0),
    "a table": np.arange(6).reshape(3, 2),
    "three dimensions": np.zeros((2, 2, 2)),
    "objects": np.array([["a", 1], ["b", 2]], object),
    "records": np.array([(1, 2.5), (3, 4.5)], dtype=[("u", int), ("v", float)]),
    "an empty dict": {},
    "None": None,
    "an empty list": [],
    "a list": [1, 2, 3],
    "texts": ["a", "b"],
    "a range": range(3),
    "dicts by column": {"a": {"x": 1, "y": 2}, "b": {"y": 3, "z": 4}},
    "other lengths": {"a": [1, 2], "b": [1, 2, 3]},
    "a text": "abc",
    "a number": 5,
    "dates": {"t": [datetime.datetime(2020, 1, 1), None]},
    "lists in rows": {"a": [[1, 2], [3]]},
    "bools with None": {"a": [True, None, False]},
    "floats": {"a": [1, None, 2.5]},
    "NumPy's dates": {"a": np.array(["2020-01-01", "NaT"], "M8[ns]")},
    "empty dicts": [{}, {}],
    "numbers as labels": {0: [1, 2], 5: [3, 4]},
    "tuples as labels": {("a", 1): [1, 2], ("a", 2): [3, 4]},
}
KEYWORDS = {
    "alone": {},
    "index": {"index": ["p", "q"]},
    "columns": {"columns": ["a", "b"]},
    "both": {"index": ["p", "q", "r"], "columns": ["b", "zz"]},
    "dtype": {"dtype": "float64"},
    "object": {"dtype": object},
}
# pandas reads records without a field, keys of two levels and dates as floats in its own way.
BUT = {
    ("records", "columns"), ("records", "both"), ("tuples as labels", "columns"),
    ("NumPy's dates", "dtype"),
}  # fmt: skip


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("keywords", KEYWORDS)
def test_frame(data, keywords):
    if (data, keywords) in BUT:
        return
    check_program(lambda lib: lib.DataFrame(DATA[data], **KEYWORDS[keywords]))


@pytest.mark.parametrize("data", DATA)
def test_series(data):
    check_program(lambda lib: lib.Series(DATA[data]))
    check_program(lambda lib: lib.Series(DATA[data], index=["p", "q", "r"], name="n"))


@pytest.mark.parametrize(
    "make",
    [
        lambda lib: {
            "a": lib.Series([1, 2], index=["x", "y"]),
            "b": lib.Series([3, 4], index=["y", "z"]),
        },
        lambda lib: {"a": lib.Series([1, 2], index=["x", "y"]), "b": [5, 6]},
        lambda lib: lib.Series([1, 2], name="q"),
        lambda lib: [lib.Series([1, 2], name="q"), lib.Series([3, 4], index=[1, 2])],
        lambda lib: lib.Index([1, 2], name="k"),
        lambda lib: lib.DataFrame({"a": [1]}),
        lambda lib: iter([(1, 2), (3, 4)]),
    ],
)
@pytest.mark.parametrize("keywords", ["alone", "columns"])
def test_of_labelled(make, keywords):
    check_program(lambda lib: lib.DataFrame(make(lib), **KEYWORDS[keywords]))


def test_series_of_labelled():
    check_program(lambda lib: lib.Series(lib.Series([1, 2], index=["a", "b"]), index=["b", "c"]))
    check_program(lambda lib: lib.Series(lib.Index([1, 2], name="k")))
    check_program(lambda lib: lib.Series({"a": 1, "b": 2}, index=["b", "c"]))


def test_from_dict_and_records():
    rows = {"r": [1, 2], "s": [3, 4]}
    check_program(lambda lib: lib.DataFrame.from_dict(rows, orient="index", columns=["a", "b"]))
    check_program(
        lambda lib: lib.DataFrame.from_dict({"r": {"a": 1}, "s": {"b": 2}}, orient="index")
    )
    records = [(1, "a"), (2, "b")]
    check_program(lambda lib: lib.DataFrame.from_records(records, columns=["x", "y"], index="x"))

    def tight(lib):
        return lib.DataFrame.from_dict(lib.DataFrame(rows).to_dict("tight"), orient="tight")

    check_program(tight)


def test_of_our_arrays():
    frame = px.DataFrame({"a": px.arange(3), "b": px.asarray([1.5, 2.5, 3.5])})
    assert frame.to_dict("list") == {"a": [0, 1, 2], "b": [1.5, 2.5, 3.5]}
    assert px.DataFrame(px.arange(6).reshape(3, 2)).to_numpy().tolist() == [[0, 1], [2, 3], [4, 5]]


def test_writing_to_an_array_does_not_change_what_was_made_of_it():
    array = px.arange(3)
    series = px.Series(array)
    array[0] = 9
    assert series.tolist() == [0, 1, 2]


def test_of_arrow():
    table = pyarrow.table({"a": [1, 2, 3], "s": ["x", None, "z"]})
    frame = px.DataFrame(table)
    assert frame.equals(px.DataFrame({"a": [1, 2, 3], "s": ["x", None, "z"]}))
    assert pyarrow.table(frame).to_pydict() == table.to_pydict()
    assert px.DataFrame.from_arrow(table).equals(frame)
