"""Functions that programs hand over, and expressions, against pandas."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx as px

from .against_pandas import check, check_program
from .frame_samples import NUMBERS, SERIES

TWO = NUMBERS[["a", "b"]]
FUNCTIONS = {
    "sum": lambda s: s.sum(),
    "twice": lambda s: s * 2,
    "range": lambda s: s.max() - s.min(),
    "rows": lambda s: s.iloc[:2],
    "list": lambda s: [1, 2],
    "length": len,
    "text": lambda s: "x",
    "head": lambda s: s.head(1),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("axis", [0, 1])
def test_apply(name, axis):
    check(lambda d: d.apply(FUNCTIONS[name], axis=axis), TWO)


def test_apply_keywords():
    check(lambda d: d.apply(lambda s: [1, 2], axis=1, result_type="expand"), TWO)
    check(lambda d: d.apply(lambda s: s.sum(), axis=1, result_type="broadcast"), TWO)
    check(lambda d: d.apply(lambda s: s.sum(), axis=1, result_type="nothing"), TWO)
    check(lambda d: d.apply("sum"), NUMBERS)
    check(lambda d: d.apply(np.sqrt), TWO)
    check(lambda d: d.apply(lambda x: x.sum(), raw=True, axis=1), TWO)
    check(lambda d: d.apply(lambda s, k, m: s.sum() + k + m, args=(1,), m=2), TWO)
    check(lambda d: d.map(lambda x: x + 1), TWO)
    check(lambda d: d.iloc[:0].apply(lambda s: s.sum()), TWO)


def test_apply_of_series():
    check(lambda s: s.apply(lambda x: x * 2), SERIES["float/str"])
    check(lambda s: s.apply(lambda x, y: x + y, args=(3,)), SERIES["int/str"])
    check(lambda s: (s.apply(np.sqrt), s.apply("sum"), s.apply(["sum", "min"])), SERIES["int/str"])
    check(lambda s: s.map(str), SERIES["int/str"])
    check(lambda s: s.map(lambda x: x, na_action="ignore"), SERIES["str/str"])
    check(lambda s: s.map(s), SERIES["int/range"])


AGGREGATIONS = [
    "sum", ["sum", "mean"], {"a": "sum", "b": "mean"}, {"a": ["sum", "min"], "b": ["max"]}, ["sum"],
    {"a": ["sum"]}, np.sum, [np.sum, "min"], {"nothing": "sum"}, "nothing", lambda s: s.max(),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(AGGREGATIONS)))
def test_agg(number):
    check(lambda d: d.agg(AGGREGATIONS[number]), TWO)


def test_agg_keywords():
    check(lambda d: d.agg(x=("a", "sum"), y=("b", "min")), TWO)
    check(lambda d: (d.agg("sum", axis=1), d.agg(["sum", "min"], axis=1)), TWO)
    check(lambda s: (s.agg(["sum", "min"]), s.agg({"x": "sum"}), s.agg("mean")), SERIES["int/str"])
    check(lambda d: (d.transform(lambda x: x + 1), d["a"].transform("cumsum")), TWO)
    check(lambda d: d.transform("sum"), TWO)


limit = 2
QUERIES = [
    "a > @limit", "a > 1 and b < 4", "a in [1, 2]", "not c", "a + b > 3", "a not in [1]",
    "(a > 1) | (b > 3)", "(a > 1) & (b > 3)", "a > 1 & b > 3", "a == [1, 2]", "index == 'w'",
    "1 < a < 4", "a.isna()", "b.isna() or a > @limit", "c", "`a` > 2", "a > b", "nothing > 1",
    "a % 2 == 0", "-a < -2", "a == 'x'", "@limit < a", "a != a", "a >", "~c", "c == True",
]  # fmt: skip


@pytest.mark.parametrize("text", QUERIES)
def test_query(text):
    check(lambda d: d.query(text), NUMBERS)


@pytest.mark.parametrize(
    "text",
    ["a + b", "a * 2 - b", "n = a + b", "a > 2", "n = a\nm = n * 2", "sqrt(a)", "a + @limit", "~c",
     "a ** 2", "a // 2", "b.mean()", "nothing"],
)  # fmt: skip
def test_eval(text):
    check(lambda d: d.eval(text), NUMBERS)


def test_expressions_are_no_door_to_the_program():
    frame = px.DataFrame({"a": [1]})
    for text in ("a.__class__", "(lambda: 1)()", "[x for x in a]", "a if a else a"):
        with pytest.raises((NotImplementedError, AttributeError)):
            frame.eval(text)


def test_pipe_and_local_names():
    check_program(lambda lib: lib.DataFrame({"a b": [1, 2]}).query("`a b` > 1"))
    frame = px.DataFrame({"x": [1, 2]})
    assert frame.query("x > @k", local_dict={"k": 1})["x"].tolist() == [2]
