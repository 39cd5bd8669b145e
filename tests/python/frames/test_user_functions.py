"""Users' functions: compiled or run by Python, they give what pandas gives."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from phalanx.errors import UserFunctionWarning

import phalanx as px

from .against_pandas import assert_same, ours, theirs

RATE, COUNT, LIMIT, CHOSEN = 1.5, 3, np.float64(0.25), (1, 2, 5)


def helper(x, y=2.0):
    if x > y:
        return x - y
    return y


def grade(x):
    if x > 10:
        return 2.5
    if x > 1:
        return 1
    return None


def steps(x):
    total = 0.0
    n = 0
    while total < 10 and n < 5:
        total += x * x + 1
        n += 1
        if n == 4:
            break
    return total / n


def loops(x):
    made = 1.0
    for i in range(3):
        if i == 1:
            continue
        made = made * x + i
    return made


def swapped(x):
    a, b = x, x + 1
    a, b = b, a
    return a - 2 * b


def checked(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x


def collatz(n):
    n = abs(int(n)) % 50 + 1
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


def only_sometimes(x):
    if x > 1:
        y = x
    return y


# Of one element: by the text that a program has.
ELEMENTS = {
    "sum": lambda x: x * 2 + 1,
    "square": lambda x: x**2,
    "cube": lambda x: x**3 - x,
    "quotient": lambda x: x / 3,
    "inverse": lambda x: 1 / x,
    "floor": lambda x: x // 2,
    "remainder": lambda x: x % 3,
    "by itself": lambda x: x % x,
    "negative": lambda x: -x,
    "absolute": lambda x: abs(x),
    "compare": lambda x: x > 1,
    "chain": lambda x: 0 < x <= 2,
    "choice": lambda x: 1 if x > 1 else 0,
    "mixed choice": lambda x: 1 if x > 1 else 0.5,
    "none": lambda x: None if x > 1 else x,
    "or nothing": lambda x: x > 2 if x > 1 else None,
    "bool or int": lambda x: x > 2 if x > 1 else 7,
    "bool or float": lambda x: x > 2 if x > 1 else 7.5,
    "all none": lambda x: None,
    "always nan": lambda x: float("nan"),
    "constant": lambda x: 5,
    "global": lambda x: x * RATE + COUNT,
    "numpy's global": lambda x: x / LIMIT,
    "power of name": lambda x: x**COUNT,
    "in": lambda x: x in (1, 2.5, 3),
    "in a name": lambda x: x not in CHOSEN,
    "and": lambda x: x > 0 and x < 2,
    "or value": lambda x: x or 5,
    "not": lambda x: not x,
    "is nan": lambda x: x != x,
    "math.isnan": lambda x: math.isnan(x),
    "isna": lambda x: 0.0 if pd.isna(x) else x * 1.0,
    "is none": lambda x: x is None,
    "sqrt": lambda x: math.sqrt(x),
    "sqrt of size": lambda x: math.sqrt(abs(x)),
    "exp": lambda x: math.exp(x),
    "log": lambda x: math.log(x),
    "sin": lambda x: math.sin(x) + math.cos(x),
    "math.floor": lambda x: math.floor(x),
    "int": lambda x: int(x),
    "float": lambda x: float(x),
    "bool": lambda x: bool(x),
    "round": lambda x: round(x),
    "round 2": lambda x: round(x, 1),
    "max": lambda x: max(x, 2),
    "min": lambda x: min(x, x + 1),
    "np.sqrt": lambda x: np.sqrt(x),
    "np.abs": lambda x: np.abs(x),
    "np.exp": lambda x: np.exp(x) / 2,
    "np quotient": lambda x: np.sqrt(x) / x,
    "np.where": lambda x: np.where(x > 1, 1, 2),
    "np.isnan": lambda x: np.isnan(x),
    "bits": lambda x: x & 3,
    "shift": lambda x: x << 2,
    "bools": lambda x: (x > 1) | (x < 0),
    "sum of bools": lambda x: (x > 1) + (x > 2),
    "invert": lambda x: ~x,
    "power": lambda x: x**0.5,
    "huge": lambda x: x * 2**62,
    "far": lambda x: x + 2**63 - 1,
    "helper": lambda x: helper(x) + 1,
    "helper of two": lambda x: helper(x, 1.0),
    "text": lambda x: str(x),
    "tuple": lambda x: (x, x),
    "grade": grade,
    "steps": steps,
    "loops": loops,
    "swapped": swapped,
    "checked": checked,
    "collatz": collatz,
    "sometimes": only_sometimes,
    "built in": abs,
    "int itself": int,
    "float itself": float,
    "math itself": math.sqrt,
    "text itself": str,
    "ufunc": np.exp,
}

COLUMNS = {
    "int64": pd.Series([3, 1, 2, 0, -7, 11], index=list("abcdef"), name="n"),
    "positive": pd.Series([5, 1, 2, 2, 70]),
    "int8": pd.Series([1, -2, 127], dtype="int8"),
    "uint64": pd.Series([1, 2, 3], dtype="uint64"),
    "large uint64": pd.Series([1, 2**64 - 1], dtype="uint64"),
    "large": pd.Series([2**62, -(2**62), 2**53 + 1, 3]),
    "float64": pd.Series([1.5, 0.0, -2.5, 3.0, 20.25]),
    "nan": pd.Series([1.5, np.nan, 2.5]),
    "infinite": pd.Series([np.inf, -np.inf, 1.0, 1e300]),
    "all nan": pd.Series([np.nan, np.nan]),
    "float32": pd.Series([0.1, 2.5, -1.0], dtype="float32"),
    "bool": pd.Series([True, False, True]),
    "Int64": pd.Series([1, 2, 3], dtype="Int64"),
    "Int64 missing": pd.Series([1, None, 3], dtype="Int64"),
    "Float64": pd.Series([1.5, 2.5, 0.5], dtype="Float64"),
    "boolean": pd.Series([True, False], dtype="boolean"),
    "text": pd.Series(["a", "b"]),
    "empty": pd.Series([], dtype="float64"),
    "empty int": pd.Series([], dtype="int64"),
    "one": pd.Series([4]),
}

# pandas' NA is no missing value of ours, and the other way round: pd.isna(px.NA) is False. np.abs
# of what 63 bits do not hold is a float in pandas' constructor only where it meets an int.
APART = {
    "Int64 missing": {
        "isna",
        "np.sqrt",
        "np.exp",
        "np quotient",
        "np.isnan",
        "bits",
        "tuple",
        "ufunc",
    },
    "large uint64": {"np.abs"},
}


def attempt(function):
    """A result or the error, without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(), None
        except Exception as error:
            return None, error


def check(call, thing):
    """One call of pandas and ours: the same result, or the same error."""
    wanted, error = attempt(lambda: call(thing))
    found, own = attempt(lambda: call(ours(thing)))
    if error is not None or own is not None:
        kinds = {type(each).__name__ for each in (error, own)}
        assert len(kinds) == 1 or kinds == {"KeyError", "LabelError"}, f"{error!r} {own!r}"
        assert "NA is ambiguous" in str(own) or str(own) == str(error)
        return
    assert_same(theirs(found), wanted)


@pytest.fixture(params=["compile", "python"])
def mode(request):
    with px.option_context("compute.user_functions", request.param):
        yield request.param


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("method", ["apply", "map", "map ignore"])
def test_elements(mode, kind, method):
    keywords = {"na_action": "ignore"} if "ignore" in method else {}
    wrong = []
    for name, function in ELEMENTS.items():
        if name in APART.get(kind, ()) or (name == "ufunc" and method == "apply"):
            continue
        try:
            check(lambda s, f=function: getattr(s, method.split()[0])(f, **keywords), COLUMNS[kind])
        except AssertionError as error:
            wrong.append(f"{name}: {' '.join(str(error).split())[:300]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", ["float64", "int64", "bool"])
def test_elements_of_frames(mode, kind):
    column = COLUMNS[kind]
    frame = pd.DataFrame({"a": column, "b": column[::-1].to_numpy(), "c": column.astype(float)})
    for name in ("sum", "choice", "mixed choice", "none", "sqrt of size", "grade", "text"):
        check(lambda f, name=name: f.map(ELEMENTS[name]), frame)
        check(lambda f, name=name: f.map(ELEMENTS[name], na_action="ignore"), frame)
    check(lambda f: f["a"].transform(ELEMENTS["sum"]), frame)
    check(lambda f: f["a"].apply(helper, args=(1,)), frame)
    check(lambda f: f["a"].apply(helper, y=0.5), frame)
    check(lambda f: f["c"].apply(helper), frame)
    check(lambda f: f["a"].apply(helper, args=(1, 2, 3)), frame)


def ratio(row):
    if row["b"] > row["a"]:
        return row["a"] / row["b"]
    return row.a - row.b


def tariff(row, base, factor=2):
    made = base
    if row["a"] > 1 and row["b"] < 5:
        made = row["a"] * factor
    elif row["b"] == 0:
        made = row["b"] * 1.0 if factor < 0 else base
    return made


ROWS = {
    "sum": lambda row: row["a"] + row["b"],
    "attributes": lambda row: row.a * row.b,
    "quotient": lambda row: row.a / row.b,
    "whole quotient": lambda row: row.a // row.b,
    "remainder": lambda row: row.a % row.b,
    "iloc": lambda row: row.iloc[0] - row.iloc[-1],
    "choice": lambda row: row.a if row.a > row.b else row.b,
    "mixed": lambda row: 1 if row.a > row.b else 0.5,
    "max": lambda row: max(row.a, row.b),
    "power": lambda row: row.a**2,
    "of power": lambda row: row.a**row.b,
    "sqrt": lambda row: math.sqrt(row.b * row.b),
    "np.sqrt": lambda row: np.sqrt(row.a),
    "none": lambda row: None if row.a > 1 else row.b,
    "bools": lambda row: (row.a > 1) & (row.b > 1),
    "inverted": lambda row: ~(row.a > 1),
    "sum of bools": lambda row: (row.a > 1) + (row.b > 1),
    "constant": lambda row: 1,
    "huge": lambda row: row.a * 2**62,
    "ratio": ratio,
    "plain quotient": lambda row: 1 / COUNT + row.a,
    "int": lambda row: int(row.a) / int(row.b),
    "whole row": lambda row: row.sum(),
    "list": lambda row: [row.a, row.b],
    "absent": lambda row: row["z"],
    "other": lambda row: row["a"] if row["other"] else 0,
    "isna": lambda row: pd.isna(row.a),
    "round": lambda row: round(row.a),
    "name": lambda row: row.name,
}

FRAMES = {
    "ints": pd.DataFrame({"a": [1, 2, 3, 0], "b": [4, 0, 3, 2]}, index=list("wxyz")),
    "floats": pd.DataFrame({"a": [1.5, -2.0, 0.0, np.nan], "b": [0.0, 2.5, 0.0, 1.0]}),
    "ints and floats": pd.DataFrame({"a": [1, 2, 3], "b": [0.5, np.nan, 3.0]}),
    "bools": pd.DataFrame({"a": [True, False], "b": [True, True]}),
    "bools and ints": pd.DataFrame({"a": [5, 2, 0], "b": [1, 2, 0], "other": [True, False, True]}),
    "with text": pd.DataFrame({"a": [1.5, 2.5], "b": [3, 4], "other": ["p", "q"]}),
    "int8": pd.DataFrame({"a": [1, 100], "b": [2, 100]}, dtype="int8"),
    "float32": pd.DataFrame({"a": [0.1, 2.5], "b": [1.0, 0.3]}, dtype="float32"),
    "Int64": pd.DataFrame({"a": [1, 2], "b": [3, 4]}, dtype="Int64"),
    "large": pd.DataFrame({"a": [2**62, 3], "b": [2**62, 2**53 + 1]}),
    "empty": pd.DataFrame({"a": [], "b": []}, dtype=float),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_rows(mode, kind):
    wrong = []
    for name, function in ROWS.items():
        if name == "list" and kind == "with text":
            continue  # pandas makes arrays of lists whose numbers fit one
        for keywords in ({}, {"result_type": "expand"}):
            try:
                check(lambda f, g=function, k=keywords: f.apply(g, axis=1, **k), FRAMES[kind])
            except AssertionError as error:
                wrong.append(f"{name} {keywords}: {' '.join(str(error).split())[:300]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", FRAMES)
def test_rows_with_arguments(mode, kind):
    check(lambda f: f.apply(tariff, axis=1, args=(2,)), FRAMES[kind])
    check(lambda f: f.apply(tariff, axis=1, base=1.5, factor=3), FRAMES[kind])
    check(lambda f: f.apply(tariff, axis=1), FRAMES[kind])


# What must be compiled, by the column: the others may be, or not.
COMPILED = {
    "int64": [
        "sum",
        "square",
        "cube",
        "quotient",
        "floor",
        "remainder",
        "negative",
        "absolute",
        "compare",
        "chain",
        "choice",
        "mixed choice",
        "none",
        "or nothing",
        "bool or int",
        "constant in x",
        "global",
        "numpy's global",
        "power of name",
        "in",
        "in a name",
        "and",
        "or value",
        "not",
        "isna",
        "is none",
        "sqrt of size",
        "exp",
        "sin",
        "int",
        "float",
        "bool",
        "np.abs",
        "bits",
        "bools",
        "helper of two",
        "grade",
        "swapped",
        "collatz",
        "built in",
        "int itself",
    ],
    "float64": [
        "sum",
        "square",
        "quotient",
        "floor",
        "negative",
        "absolute",
        "compare",
        "choice",
        "mixed choice",
        "none",
        "global",
        "and",
        "is nan",
        "math.isnan",
        "isna",
        "sqrt of size",
        "sin",
        "math.floor",
        "round",
        "min",
        "np.sqrt",
        "np.exp",
        "helper",
        "grade",
        "steps",
        "loops",
        "swapped",
        "float itself",
    ],
}
ELEMENTS["constant in x"] = lambda x: 5 if x == x else 6


@pytest.mark.parametrize("kind", COMPILED)
def test_what_is_compiled(kind):
    column = ours(COLUMNS[kind])
    with px.option_context("compute.user_functions", "compile"), warnings.catch_warnings():
        warnings.simplefilter("error", UserFunctionWarning)
        for name in COMPILED[kind]:
            column.map(ELEMENTS[name])


def test_rows_are_compiled():
    frame = ours(FRAMES["floats"])
    with px.option_context("compute.user_functions", "compile"), warnings.catch_warnings():
        warnings.simplefilter("error", UserFunctionWarning)
        for name in (
            "sum",
            "attributes",
            "quotient",
            "iloc",
            "choice",
            "mixed",
            "power",
            "of power",
            "np.sqrt",
            "ratio",
            "isna",
        ):
            frame.apply(ROWS[name], axis=1)
        frame.apply(tariff, axis=1, args=(2.0,))


REASONS = {
    "text": ("the function repr", lambda x: repr(x)),
    "sometimes": ("y is an int or a float, depending on the path, or not assigned", only_sometimes),
    "huge": ("an int beyond 64 bits (row 0)", ELEMENTS["huge"]),
    "sum of bools": ("arithmetic of two bools", ELEMENTS["sum of bools"]),
    "method": ("the attribute bit_length", lambda x: x.bit_length()),
}


@pytest.mark.parametrize("name", REASONS)
def test_warning_says_why(name):
    reason, function = REASONS[name]
    column = px.Series([3, 4, 5])
    with (
        px.option_context("compute.user_functions", "compile"),
        pytest.warns(UserFunctionWarning) as seen,
    ):
        made = column.apply(function)
    assert len(seen) == 1 and reason in str(seen[0].message), seen[0].message
    assert seen[0].filename == __file__
    assert made.tolist() == [function(each) for each in (3, 4, 5)]


def half(x):
    return x / 2


def of_a_line_further_down(x):
    y = half(x)
    return repr(y)


def of_another_function(x):
    return of_a_line_further_down(x)


@pytest.mark.parametrize("function", [of_a_line_further_down, of_another_function])
def test_warning_names_the_line(function):
    line = of_a_line_further_down.__code__.co_firstlineno + 2
    with (
        px.option_context("compute.user_functions", "compile"),
        pytest.warns(UserFunctionWarning, match=rf"{__file__}:{line}\)"),
    ):
        px.Series([3, 4, 5]).apply(function)


def test_warning_says_what_is_wrong_with_a_rows_element():
    frame = px.DataFrame({"a": [1.0, 2.0], "at": px.to_datetime(["2026-01-01", "2026-01-02"])})
    with (
        px.option_context("compute.user_functions", "compile"),
        pytest.warns(UserFunctionWarning, match="element 'at' is neither a number nor a text"),
    ):
        frame.apply(lambda row: row["at"] == row["at"], axis=1)


def test_short_columns_are_left_to_python():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert px.Series([1, 2]).apply(lambda x: repr(x)).tolist() == ["1", "2"]
    with pytest.warns(UserFunctionWarning):
        px.Series(np.arange(30_000)).apply(lambda x: repr(x))
    with (
        pytest.raises(ValueError, match="auto"),
        px.option_context("compute.user_functions", "never"),
    ):
        px.Series([1]).apply(abs)


@pytest.mark.parametrize("choice", ["compile", "python"])
def test_error_names_the_row(choice):
    column = px.Series([1, 2, 3, 4], index=["a", "b", "c", "d"])
    with px.option_context("compute.user_functions", choice):
        with pytest.raises(ValueError, match="not 3") as caught:
            column.apply(checked)
        assert caught.value.__notes__ == ["raised for row 2, whose label is 'c'"]
        frame = px.DataFrame({"a": [1.0, -4.0], "b": ["x", "y"]}, index=[7, 8])
        with pytest.raises(ValueError, match="math domain error") as caught:
            frame.apply(lambda row: math.sqrt(row["a"]), axis=1)
        assert caught.value.__notes__ == ["raised for row 1, whose label is np.int64(8)"]


def test_large_columns():
    values = np.random.default_rng(3).normal(size=200_000)
    whole = np.arange(-100_000, 100_000)
    frame = pd.DataFrame({"a": values, "b": whole, "c": values > 0})
    for name in ("sum", "grade", "steps", "collatz", "mixed choice", "none"):
        check(lambda f, name=name: f["a"].map(ELEMENTS[name]), frame)
        check(lambda f, name=name: f["b"].map(ELEMENTS[name]), frame)
    check(lambda f: f[["a", "b"]].iloc[:3000].apply(ratio, axis=1), frame)
    check(lambda f: f.iloc[:3000].apply(lambda row: row.a * 2 if row.c else row.b, axis=1), frame)
