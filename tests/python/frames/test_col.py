"""`col` and `select` beside pandas, by table: expressions, their texts, where they are taken."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, ours, same_kind, theirs

pytestmark = pytest.mark.usefixtures("device")

FRAME = pd.DataFrame(
    {
        "a": [1, 2, 3, 4],
        "b": [0.5, None, 2.5, 1.0],
        "t": ["x", "Yz", None, "w"],
        "d": pd.date_range("2024-01-30", periods=4),
    },
    index=list("pqrs"),
)
EXPRESSIONS = {
    "column": lambda c: c("a"),
    "sum": lambda c: c("a") + c("b"),
    "number": lambda c: 2 * c("a") - 1,
    "swapped": lambda c: 1 / (c("a") + 1),
    "powers": lambda c: c("a") ** 2 % 3 + 7 // c("a"),
    "swapped powers": lambda c: 2 ** c("a"),
    "signs": lambda c: -(c("a") - 3),
    "absolute": lambda c: abs(c("a") - 3),
    "compared": lambda c: c("a") > 2,
    "both": lambda c: (c("a") > 1) & (c("b") < 2) | ~c("b").isna(),
    "method": lambda c: c("b").fillna(0),
    "method of an expression": lambda c: (c("a") - c("b")).round(1),
    "arguments": lambda c: c("b").fillna(c("a")),
    "keywords": lambda c: c("b").clip(lower=c("a") - 1),
    "reduced": lambda c: c("a") - c("a").mean(),
    "texts": lambda c: c("t").str.upper(),
    "dates": lambda c: c("d").dt.month,
    "function": lambda c: np.log(c("a")),
    "two in a function": lambda c: np.maximum(c("a"), c("b")),
    "element": lambda c: c("a")[c("a") > 2],
    "renamed": lambda c: c("a").rename("z"),
    "missing": lambda c: c("nothing"),
}
PLACES = {
    "assign": lambda frame, given: frame.assign(y=given),
    "assign twice": lambda frame, given: frame.assign(a=given, y=given),
    "loc": lambda frame, given: frame.loc[given],
    "loc of columns": lambda frame, given: frame.loc[given, ["a", "t"]],
    "item": lambda frame, given: frame[given],
    "where": lambda frame, given: frame["a"].to_frame().where(given),
    "select": lambda frame, given: frame.select("t", given),
    "select named": lambda frame, given: frame.select("t", y=given),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_texts(name):
    assert repr(EXPRESSIONS[name](px.col)) == repr(EXPRESSIONS[name](pd.col))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_where_they_are_taken(name, place):
    take = PLACES[place]
    wanted, error = attempt(take, FRAME, EXPRESSIONS[name](pd.col))
    found, own = attempt(take, ours(FRAME), EXPRESSIONS[name](px.col))
    if error is not None or own is not None:
        assert error is not None and own is not None, (wanted, found, error, own)
        assert same_kind(error, own) or isinstance(own, (ValueError, KeyError)), (error, own)
        return
    assert_same(theirs(found), wanted)


def test_assigned_to():
    frame, mine = FRAME.copy(), ours(FRAME)
    frame.loc[pd.col("a") > 2, "b"] = 9
    mine.loc[px.col("a") > 2, "b"] = 9
    assert_same(theirs(mine), frame)


SELECTIONS = {
    "labels": (lambda c: ("t", "a"), {}),
    "a list": (lambda c: (["a", "t"],), {}),
    "twice": (lambda c: ("a", "a"), {}),
    "none": (lambda c: (), {}),
    "not there": (lambda c: ("q",), {}),
    "function": (lambda c: ("a",), {"y": lambda f: f["a"] * 2}),
    "number": (lambda c: ("a",), {"y": 3}),
    "later": (lambda c: ("a",), {"y": lambda f: f["a"] * 2, "z": lambda f: f["y"] + 1}),
    "no series": (lambda c: (c("a").sum(),), {}),
}


@pytest.mark.parametrize("name", SELECTIONS)
def test_select(name):
    args, kwargs = SELECTIONS[name]
    wanted, error = attempt(lambda frame: frame.select(*args(pd.col), **kwargs), FRAME)
    found, own = attempt(lambda frame: frame.select(*args(px.col), **kwargs), ours(FRAME))
    if error is not None or own is not None:
        assert error is not None and own is not None, (wanted, found, error, own)
        return
    assert_same(theirs(found), wanted)


def test_what_they_are_not():
    for use in (bool, iter, list, hash):
        with pytest.raises(TypeError):
            use(px.col("a"))
    with pytest.raises(TypeError, match="Expected Hashable"):
        px.col([1])
    with pytest.raises(ValueError, match="did you mean"):
        ours(FRAME).assign(y=px.col("q"))
