"""What pandas' own tests found (tests/conformance), as programs for both libraries."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, same_kind, theirs

MASK = [True, False, True]
DATES = ["2020-01-01", "2020-01-02", "2020-01-03"]


def dates(m):
    return m.Series(m.to_datetime(DATES))


def numbers(m):
    return m.DataFrame({"a": [1, 2, 3], "b": [0.5, 1.5, 2.5]}, index=["x", "y", "z"])


KEYS = {
    "all": [True, True, True],
    "one of a mask": [True, False, False],
    "none": [False, False, False],
    "rows": [0, 1],
    "row": [1],
    "slice": slice(0, 2),
    "number": 1,
}
VALUES = {
    "[9]": [9],
    "array": np.array([9]),
    "two": [8, 9],
    "floats": np.array([7.0, np.nan]),
    "objects": np.array(["x"], dtype=object),
}


def with_values(m, how, key, value):
    series = m.Series([1, 2, 3])
    (series if how == "[]" else getattr(series, how))[key] = value
    return series


KINDS = {
    "str": lambda m: m.Series(["a"]),
    "category": lambda m: m.Series(["a"], dtype="category"),
    "dates": dates,
    "interval": lambda m: m.Series([m.Interval(0, 1)]),
    "object": lambda m: m.Series(["a"], dtype=object),
}


def levels(m):
    index = m.MultiIndex.from_product([["a", "b"], [1, 2]])
    return m.DataFrame(np.arange(16).reshape(4, 4), index=index, columns=index)


RESULTS = {
    "names of operators": lambda m: [
        getattr(m.Index([1]), f"__{name}__").__name__
        for name in ("add", "rsub", "eq", "lt", "floordiv", "rpow")
    ],
    "where, one value in a list": lambda m: m.Series([1, 2, 3]).where(MASK, [9]),
    "where, one value in an array": lambda m: m.Series([1, 2, 3]).mask(MASK, np.array([9.5])),
    "loc ...": lambda m: numbers(m).loc[...],
    "loc ... and a column": lambda m: numbers(m).loc[..., "a"],
    "loc a row and ...": lambda m: numbers(m).loc["y", ...],
    "loc ..., a row and a column": lambda m: numbers(m).loc[..., "y", "b"],
    "loc ... of a series": lambda m: m.Series([1, 2]).loc[...],
    "iloc ...": lambda m: (numbers(m).iloc[...], numbers(m).iloc[..., 1], numbers(m).iloc[0, ...]),
    "loc of columns": lambda m: levels(m).loc(axis=1)["a"],
    "loc of columns, a label of levels": lambda m: levels(m).loc(axis="columns")["b", 2],
    "loc of rows": lambda m: levels(m).loc(axis=0)[("a", 1) : ("b", 1)],
    **{
        f"{'no rows' if not rows else 'rows'} of {dtype}": lambda m, rows=rows, dtype=dtype: (
            m.DataFrame(index=rows, columns=["a"], dtype=dtype)
        )
        for rows in ([], [0, 1])
        for dtype in ("int64", "uint8", "float32", "bool", "Int64", "datetime64[ns]", "str", object)
    },
    **{
        f"zone {zone}": lambda m, zone=zone: [
            str(each) for each in m.DatetimeIndex(["2020-07-01 03:00"]).tz_localize(zone)
        ]
        for zone in ("+01:15", "UTC-02:15", "dateutil/US/Pacific", "utc")
    },
    **{
        f"names {a!r} and {b!r}": lambda m, a=a, b=b: (
            m.Series([1], name=a) + m.Series([2], name=b),
            m.Series([1], name=a) + m.Index([2], name=b),
        )
        for a in ("a", None, np.nan, float("nan"))
        for b in ("a", None, np.nan)
    },
    "names NA": lambda m: (
        (m.Series([1], name=m.NA) + m.Index([2], name=m.NA)).name is m.NA,
        (m.Series([1], name=m.NA) * m.Index([2], name="a")).name,
        m.Index(m.Index([1], name=m.NA), name="a").name,
        (m.Series([1], name=m.NA) + m.Series([2], name=np.nan)).name,
        (m.Series([1], name=m.NA) + m.Series([2], name=m.NA)).name is m.NA,
        (m.Series([1], name=m.NaT) + m.Series([2], name=m.NA)).name,
    ),
    **{
        f"{dtype} as {unit}": lambda m, dtype=dtype, unit=unit: m.DataFrame(
            np.array([[1, 2, 3]], dtype=dtype)
        ).astype(unit)
        for dtype in ("int8", "int64", "float32", "float64")
        for unit in ("M8[h]", "m8[m]", "M8[D]", "M8[s]", "m8[ns]")
    },
    "labels by an iterator": lambda m: (
        numbers(m).set_index(iter([7, 8, 9])),
        numbers(m).set_index(["a", iter([7, 8, 9])]),
    ),
    "ufuncs of small integers": lambda m: [
        np.exp(m.Index([1, 2], dtype=dtype)) for dtype in ("int8", "uint8", "int16", "float32")
    ],
    "ufuncs with out": lambda m: np.equal(m.Index(["a"]), m.Index(["a"]), out=np.zeros(1, bool)),
    "ufuncs that reduce": lambda m: [
        ufunc.reduce(m.Index(labels))
        for ufunc in (np.maximum, np.minimum)
        for labels in ([1, 3, 2], ["b", "a"], [1.5, np.nan])
    ],
    "nearest with a limit": lambda m: m.Index([0, 10, 20]).get_indexer(
        [1, 2, 3, 9, 12, 40], method="nearest", limit=1
    ),
}

ERRORS = {
    "where of two values": (
        lambda m: m.Series([1, 2, 3]).where(MASK, [9, 9]),
        r"Length of values \(2\) does not match length of index \(3\)",
    ),
    "several ...": (lambda m: numbers(m).loc[..., ...], "may only contain one '...' entry"),
    "too many beside ...": (lambda m: numbers(m).iloc[0, 0, ...], "Too many indexers"),
    "dates and": (lambda m: dates(m) & m.Series([1, 2, 3]), "operation 'and_' not supported for"),
    "dates xor": (lambda m: dates(m) ^ True, "operation 'xor' not supported for dtype 'datetime"),
    "texts or": (lambda m: m.Series(["a"]) | m.Series([1]), "operation 'or_' not supported for"),
    "floats or": (lambda m: m.Series([1.0]) | m.Series([1.0]), r"unsupported operand type\(s\)"),
    "lists and": (lambda m: m.Series([True]) & [True], r"Logical ops \(and, or, xor\) between"),
    "nlargest of texts": (lambda m: m.Series(["a"]).nlargest(1), "'nlargest' with dtype str"),
    "nsmallest of objects": (
        lambda m: m.Series(["a"], dtype=object).nsmallest(1),
        "'nsmallest' with dtype object",
    ),
    "nlargest by texts": (
        lambda m: m.DataFrame({"a": ["x", "y"], "b": [1, 2]}).nlargest(1, ["b", "a"]),
        "Column 'a' has dtype str, cannot use method 'nlargest' with this dtype",
    ),
    "windows of dates": (lambda m: dates(m).rolling(2).sum(), "No numeric types to aggregate"),
    "windows of texts": (
        lambda m: m.Series(["a"]).expanding().mean(),
        "No numeric types to aggregate",
    ),
    "windows of dates in a frame": (
        lambda m: m.DataFrame({"a": dates(m)}).rolling(2).sum(),
        r"Cannot aggregate non-numeric type: datetime64",
    ),
    **{
        f"{name} of {kind}": (lambda m, name=name, kind=kind: getattr(KINDS[kind](m), name)(), text)
        for kind, names, text in (
            ("str", "mean prod std median sem skew kurt var", "with string dtype"),
            ("str", "cumprod", "operation 'cumprod' not supported for dtype 'str'"),
            ("category", "sum mean prod any all var", "'Categorical' with dtype category does not"),
            ("dates", "sum prod sem skew var", "'DatetimeArray' with dtype datetime64"),
            ("dates", "any all", "with datetime64 dtypes is not supported"),
            ("interval", "sum prod any all mean std", "'IntervalArray' with dtype interval"),
            ("object", "mean std median sem skew kurt var", "Could not convert 'a' to numeric"),
        )
        for name in names.split()
    },
    "a bool is no label": (
        lambda m: numbers(m).loc[True],
        "True: boolean label can not be used without a boolean index",
    ),
    "a bool ends no slice": (
        lambda m: numbers(m).loc[False:True],
        "boolean values can not be used in a slice",
    ),
    "labels too few": (
        lambda m: numbers(m).set_index([np.array([1, 2]), "a"]),
        "Length mismatch: Expected 3 rows, received array of length 2",
    ),
    "a class as dtype": (
        lambda m: m.Series(["a"]).astype(m.CategoricalDtype),
        "Expected an instance of CategoricalDtype, but got the class instead",
    ),
    "other errors": (
        lambda m: m.Series([1]).astype("int8", errors=True),
        r"to be one of \['raise', 'ignore'\]. Supplied value is 'True'",
    ),
    "take with out": (lambda m: m.Index([1, 2]).take([0], out=1), "the 'out' parameter is not"),
    "take with a mode": (lambda m: m.Index([1]).take([0], mode="clip"), "the 'mode' parameter"),
    "take with another": (lambda m: m.Index([1]).take([0], foo=1), "unexpected keyword argument"),
}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("how", ["[]", "loc", "iloc"])
def test_values_for_rows_are_as_many(how, key):
    for name, value in VALUES.items():
        wanted, error = attempt(with_values, pd, how, KEYS[key], value)
        found, own = attempt(with_values, px, how, KEYS[key], value)
        assert (error is None) == (own is None), (name, error, own)
        if error is None:
            assert_same(theirs(found), wanted)
        else:
            assert same_kind(error, own), (name, error, own)


@pytest.mark.parametrize("name", RESULTS)
def test_results(name):
    wanted, error = attempt(RESULTS[name], pd)
    assert error is None
    assert_same(theirs(RESULTS[name](px)), wanted)


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    program, text = ERRORS[name]
    for error in (attempt(program, pd)[1], attempt(program, px)[1]):
        assert re.search(text, str(error))
    assert same_kind(attempt(program, pd)[1], attempt(program, px)[1])


WARNINGS = {
    "a tuple": lambda m: m.Series([1, 2]) * (1, 2),
    "a tuple by a method": lambda m: m.Series([1, 2]).sub((1, 2)),
    "convert_dtypes": lambda m: m.Series([1]).convert_dtypes(convert_integer=False),
}


LINES = {name: program.__code__.co_firstlineno for name, program in WARNINGS.items()}


@pytest.mark.parametrize("name", WARNINGS)
def test_warnings(name):
    texts = []
    for library in (pd, px):
        with pytest.warns(DeprecationWarning) as caught:
            WARNINGS[name](library)
        assert (caught[0].filename, caught[0].lineno) == (__file__, LINES[name])
        texts.append(str(caught[0].message))
    assert texts[0] == texts[1]
