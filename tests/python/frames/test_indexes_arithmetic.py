"""Operators of indexes beside pandas'."""

from __future__ import annotations

import datetime
import operator

import numpy as np
import pandas as pd
import pytest
from phalanx._frames.indexes import Index, RangeIndex, index_of

from .indexes_against_pandas import differences, of_pandas, outcome, samples

OPERATORS = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod"),
    *("eq", "ne", "lt", "le", "gt", "ge"),
)
OTHERS = {
    "2": 2,
    "2.5": 2.5,
    "text": "a",
    "duration": datetime.timedelta(days=1),
    "date": datetime.datetime(2020, 1, 1),
}


def operands():
    """Named pairs of an index and what it is computed with."""
    for kind, index in samples().items():
        if (
            kind in ("mixed", "nullable with NA")
            or "categories" in kind
            or kind.startswith(("no", "far"))
        ):
            continue
        for name, other in OTHERS.items():
            yield f"{kind} {name}", index, other
        yield f"{kind} itself", index, index


def ours(value):
    return of_pandas(value) if isinstance(value, pd.Index) else value


# Where pandas itself is uneven: 2.5 durations of a frequency are refused, those of none are not.
KNOWN = {
    "mul": ("spaced durations 2.5", "duration"),
    # Python's durations stay Python's there; here they are Timedelta.
    "truediv": ("objects duration",),
    "mod": ("floats", "objects duration"),
    "floordiv": ("floats", "objects duration"),
}


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("swapped", [False, True])
def test_operator_is_as_in_pandas(name, swapped):
    compute = getattr(operator, name)
    cases = {}
    for case, index, other in operands():
        if any(case.startswith(each) or case.endswith(each) for each in KNOWN.get(name, ())):
            continue
        sides = (other, index) if swapped else (index, other)
        cases[case] = [ours(each) for each in sides], list(sides)
    found = differences(compute, cases)
    assert not found, found


@pytest.mark.parametrize("name", ["neg", "pos", "abs", "invert"])
def test_unary_operator_is_as_in_pandas(name):
    cases = {
        kind: ([of_pandas(index)], [index])
        for kind, index in samples().items()
        if "text" not in kind and not kind.startswith("no")
    }
    found = differences(getattr(operator, name), cases)
    assert not found, found


@pytest.mark.parametrize("function", [np.sqrt, np.exp, np.abs, np.negative, np.isfinite])
def test_functions_of_numpy_give_indexes(function):
    theirs = pd.Index([1.0, 4.0], name="x")
    assert outcome(function, index_of(theirs)) == outcome(function, theirs)


def test_numpy_on_the_left_asks_the_index():
    theirs = pd.Index([1, 4], name="x")
    mine = index_of(theirs)
    for left in (np.int64(2), np.array([2, 3])):
        for compute in (operator.add, operator.sub, operator.lt, operator.truediv):
            assert outcome(compute, left, mine) == outcome(compute, left, theirs)


def test_sums_of_a_range_with_integers_are_ranges():
    numbers = RangeIndex(0, 10, 2, name="r")
    for made, expected in (
        (numbers + 1, range(1, 11, 2)),
        (3 - numbers, range(3, -7, -2)),
        (numbers * 3, range(0, 30, 6)),
        (numbers // 2, range(5)),
        (-numbers, range(0, -10, -2)),
    ):
        assert isinstance(made, RangeIndex)
        assert (list(made), made.name) == (list(expected), "r")
    assert type(numbers // 3) is Index


def test_lengths_that_differ_are_refused():
    with pytest.raises(ValueError, match=r"[Ll]ength"):
        index_of([1, 2]) + index_of([1, 2, 3])
