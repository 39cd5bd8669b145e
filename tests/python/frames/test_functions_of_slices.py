"""Users' functions of groups and windows give what pandas gives, compiled or run by Python."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from phalanx.errors import UserFunctionWarning

import phalanx as px

from .against_pandas import assert_same, ours, theirs
from .slice_samples import (
    ARRAYS,
    COUNT,
    FEW,
    FLOATS,
    FRAMES,
    INFINITE,
    KEYS,
    OF_FRAMES,
    REDUCING,
    ROWS,
    WHOLE,
    WITH_NAN,
    checked,
    weighted,
)


def attempt(function):
    """A result or the error, without warnings."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(), None
        except Exception as error:
            return None, error


def check(call, thing):
    """One call of pandas and ours: the same result, or the same kind of error."""
    wanted, error = attempt(lambda: call(thing))
    found, own = attempt(lambda: call(ours(thing)))
    if error is not None or own is not None:
        kinds = {type(each).__name__ for each in (error, own)}
        assert len(kinds) == 1 or kinds == {"KeyError", "LabelError"}, f"{error!r} {own!r}"
        return
    assert_same(theirs(found), wanted)


def check_all(functions, call, thing, apart=()):
    wrong = []
    for name, function in functions.items():
        if name in apart:
            continue
        try:
            check(lambda of, f=function: call(of, f), thing)
        except AssertionError as error:
            wrong.append(f"{name}: {' '.join(str(error).split())[:300]}")
    assert not wrong, "\n".join(wrong)


@pytest.fixture(params=["compile", "python"])
def mode(request):
    with px.option_context("compute.user_functions", request.param):
        yield request.param


def args_of(function):
    return (2.0,) if function is weighted else ()


# Floats of 32 bits are Python's; it rounds, and makes sums of ints and floats, apart from pandas.
APART = {
    "float32": {"std", "np.std", "dot", "sum itself", "score"},
    "Int64": {"values max", "values"},
    "empty": {"raising"},
}
MODES = [("compile", kind) for kind in FRAMES] + [("python", "floats"), ("python", "int64")]


@pytest.mark.parametrize(("choice", "kind"), MODES)
def test_numbers_of_groups(choice, kind):
    whole = choice == "compile" and kind == "floats"
    functions = REDUCING if whole else {name: REDUCING[name] for name in FEW}
    apart = APART.get(kind, ())
    frame = FRAMES[kind] if whole else FRAMES[kind].iloc[:36]
    with px.option_context("compute.user_functions", choice):
        check_all(functions, lambda of, f: of.groupby("k")["x"].agg(f, *args_of(f)), frame, apart)
        some = {name: functions[name] for name in list(functions)[:: 1 if kind == "floats" else 4]}
        check_all(some, lambda of, f: of.groupby("k")["x"].apply(f, *args_of(f)), frame, apart)


@pytest.mark.parametrize(("choice", "kind"), [each for each in MODES if each[1] != "empty"])
def test_rows_of_groups(choice, kind):
    few = FRAMES[kind].iloc[:36]
    apart = APART.get(kind, ())
    with px.option_context("compute.user_functions", choice):
        check_all(ROWS, lambda of, f: of.groupby("k")["x"].transform(f), few, apart)
        check_all(ROWS, lambda of, f: of.groupby("k")["x"].apply(f), few, apart)
        some = {name: ROWS[name] for name in ("demeaned", "ints", "greater", "number", "filtered")}
        check_all(some, lambda of, f: of.groupby("k", group_keys=False)["x"].apply(f), few, apart)
        check_all(some, lambda of, f: of.groupby("k").transform(f), few, {"filtered"})


def test_frames(mode):
    frame = pd.DataFrame({"k": KEYS, "a": WITH_NAN, "b": WHOLE, "t": list("abcdefghijkl")})
    for keywords in ({}, {"as_index": False}, {"sort": False}):
        check_all(OF_FRAMES, lambda of, f, k=keywords: of.groupby("k", **k).apply(f), frame)
    numbers = frame.drop(columns="t")
    some = {name: REDUCING[name] for name in ("spread", "mad", "first", "mixed", "len", "name")}
    calls = [
        lambda of, f: of.groupby("k").agg(f),
        lambda of, f: of.groupby("k", as_index=False).agg({"a": f, "b": "sum"}),
        lambda of, f: of.groupby("k").agg(one=("a", f), two=("b", f)),
        lambda of, f: of.groupby("k").agg({"a": [f, "mean"]}),
        lambda of, f: of.groupby(["k", "b"])["a"].agg([f, "max"]),
    ]
    for call in calls:
        check_all(some, call, numbers)
    del some["mixed"]  # pandas has another error
    check_all(some, lambda of, f: of.groupby("k")[["a"]].transform(f), numbers)
    for function in (OF_FRAMES["test"], OF_FRAMES["len"]):
        check(lambda of, f=function: of.groupby("k").filter(f), numbers)
    check(lambda of: of.groupby("k")["a"].filter(lambda x: x.mean() > 1), frame)
    check(lambda of: of.groupby("k")["b"].filter(lambda x: len(x) > 2, dropna=False), frame)


@pytest.mark.parametrize("raw", [True, False])
def test_windows(mode, raw):
    values = np.concatenate([FLOATS, WITH_NAN, INFINITE])
    frame = pd.DataFrame({"x": values, "k": np.tile(KEYS, 3)})
    few = ("sum", "std", "median", "spread", "mad", "first", "growth", "keep", "name", "counted",
           "mixed", "positive", "fillna", "diff", "raising", "np.std", "values std")  # fmt: skip
    functions = ARRAYS if raw else {name: REDUCING[name] for name in few}
    calls = [
        lambda of, f: of["x"].rolling(3).apply(f, raw=raw),
        lambda of, f: of["x"].rolling(4, min_periods=1, center=True).apply(f, raw=raw),
        lambda of, f: of["x"].expanding(2).apply(f, raw=raw),
        lambda of, f: of["x"].rolling(3, min_periods=2, step=2, closed="left").apply(f, raw=raw),
    ]
    for call in calls if mode == "compile" else calls[:2]:
        check_all(functions, call, frame)
    some = {name: functions[name] for name in ("sum", "first", "growth", "raising")}
    check_all(some, lambda of, f: of.groupby("k")["x"].rolling(2).apply(f, raw=raw), frame)
    check_all(some, lambda of, f: of.groupby("k")["x"].expanding().apply(f, raw=raw), frame)
    check_all(some, lambda of, f: of.rolling(2).apply(f, raw=raw), frame)
    of_ints = frame["k"].to_frame("x")
    check_all(some, lambda of, f: of["x"].rolling(2).apply(f, raw=raw), of_ints)
    dates = frame.set_index(pd.date_range("2020", periods=len(frame), freq="12h"))
    check_all(some, lambda of, f: of["x"].rolling("2D").apply(f, raw=raw), dates)


def test_arguments(mode):
    frame = FRAMES["int64"]

    def scaled(x, by, offset=0.0, *, last=1):
        return x.sum() * by + offset + last

    check(lambda of: of.groupby("k")["x"].agg(scaled, 2, offset=1.5), frame)
    check(lambda of: of.groupby("k")["x"].apply(scaled, 2.5, last=COUNT), frame)
    check(lambda of: of.groupby("k")["x"].agg(scaled, np.float64(2)), frame)
    check(lambda of: of.groupby("k")["x"].agg(scaled), frame)
    for raw in (True, False):
        check(lambda of, r=raw: of["x"].rolling(2).apply(scaled, raw=r, args=(2,)), frame)
        check(
            lambda of, r=raw: of["x"].rolling(2).apply(scaled, raw=r, kwargs={"by": 2, "last": 3}),
            frame,
        )
    categories = frame.assign(k=pd.Categorical(frame["k"], categories=[1, 2, 3, 4, 5, 6]))
    for name in ("sum", "mean", "spread", "first", "len"):
        check(lambda of, f=REDUCING[name]: of.groupby("k", observed=False)["x"].agg(f), categories)


# What is left to Python, with what its warning says; all others of the tables are compiled.
LEFT = {
    "index": "the attribute index of a series",
    "name": "the attribute name of a series",
    "idxmax": "the method idxmax of a series",
    "text": "the function str",
    "list": "the method tolist of a series",
    "cumsum": "the method cumsum of a series",
    "sorted": "the method sort_values of a series",
    "joined": "series or arrays of different filters together",
    "aligned": "series or arrays of different filters together",
    "label": "the attribute index of a series",
}


@pytest.mark.parametrize("kind", ["floats", "int64"])
def test_what_is_compiled(kind):
    groups = ours(FRAMES[kind]).groupby("k")["x"]
    names = REDUCING if kind == "floats" else FEW
    wrong = []
    with px.option_context("compute.user_functions", "compile"):
        for name in names:
            if name in ("raising", "itself", "len itself", "sum itself", "sqrt"):
                continue
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                try:
                    groups.agg(REDUCING[name], *args_of(REDUCING[name]))
                except Exception as error:
                    wrong.append(f"{name}: {error!r}")
            said = [str(each.message) for each in seen if each.category is UserFunctionWarning]
            if name not in LEFT and said:
                wrong.append(f"{name}: {said}")
            if name in LEFT and (len(said) != 1 or LEFT[name] not in said[0]):
                wrong.append(f"{name}: {said}")
    assert not wrong, "\n".join(wrong)


def test_windows_and_frames_are_compiled():
    with px.option_context("compute.user_functions", "compile"), warnings.catch_warnings():
        warnings.simplefilter("error", UserFunctionWarning)
        column = px.Series(FLOATS)
        for name in ("sum", "std", "rising", "weights", "differences", "there", "loop", "np.max"):
            column.rolling(3).apply(ARRAYS[name], raw=True)
        for name in ("sum", "mad", "growth"):
            column.rolling(3).apply(REDUCING[name])
        frame = px.DataFrame({"k": KEYS, "a": FLOATS, "b": WHOLE})
        for name in ("weighted", "attributes", "len", "corr", "filtered", "choice", "average"):
            frame.groupby("k").apply(OF_FRAMES[name])
        for name in ("demeaned", "score", "filled", "shifted", "np", "number", "clipped"):
            frame[["k", "a"]].groupby("k").transform(ROWS[name])
        for name in ("demeaned", "score", "clipped"):
            frame.groupby("k")["a"].apply(ROWS[name])


def test_one_warning_names_the_reason():
    frame = px.DataFrame({"k": KEYS, "a": FLOATS, "b": FLOATS})
    with px.option_context("compute.user_functions", "compile"):
        for call in (
            lambda: frame.groupby("k").agg(lambda x: x.idxmax()),
            lambda: frame.groupby("k")["a"].apply(lambda x: x.idxmax()),
            lambda: frame.groupby("k").transform(lambda x: x.rank()),
            lambda: frame.rolling(2).apply(lambda x: x.rank().iloc[0]),
        ):
            with pytest.warns(UserFunctionWarning) as seen:
                call()
            said = [str(each.message) for each in seen]
            assert len(said) == 1 and "for each group or window: the method" in said[0], said
            assert seen[0].filename == __file__


@pytest.mark.parametrize(
    ("reason", "function"),
    [
        ("column 'at', values of datetime64", lambda g: g["at"].max()),
        ("a group without columns of numbers", lambda g: len(g)),
    ],
)
def test_warning_says_what_is_wrong_with_a_groups_column(reason, function):
    frame = px.DataFrame({"at": px.to_datetime(["2026-01-01", "2026-01-02"])})
    with (
        px.option_context("compute.user_functions", "compile"),
        pytest.warns(UserFunctionWarning, match=reason),
    ):
        frame.groupby([1, 2]).apply(function)


@pytest.mark.parametrize("choice", ["compile", "python"])
def test_error_names_the_group_or_the_window(choice):
    frame = px.DataFrame({"k": KEYS, "x": FLOATS}, index=list("abcdefghijkl"))
    with px.option_context("compute.user_functions", choice):
        for call in (
            lambda: frame.groupby("k")["x"].agg(checked),
            lambda: frame.groupby("k")["x"].apply(checked),
            lambda: frame.groupby("k").apply(lambda g: checked(g["x"])),
            lambda: frame.groupby("k").transform(checked),
        ):
            with pytest.raises(ValueError, match="not 4") as caught:
                call()
            assert "groupby: raised for the group 1" in caught.value.__notes__
        for raw in (True, False):
            with pytest.raises(ValueError, match="not 4") as caught:
                frame["x"].expanding().apply(checked, raw=raw)
            assert caught.value.__notes__ == ["raised for row 3, whose label is 'd'"]


def test_few_groups_are_left_to_python_and_many_are_not():
    few = px.DataFrame({"k": KEYS, "x": FLOATS})
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserFunctionWarning)
        few.groupby("k")["x"].agg(lambda x: str(x))
    keys = np.arange(6000) % 2000
    frame = pd.DataFrame({"k": keys, "x": np.random.default_rng(1).normal(size=6000)})
    with pytest.warns(UserFunctionWarning):
        px.DataFrame(frame).groupby("k")["x"].agg(lambda x: str(x))
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserFunctionWarning)
        for name in ("spread", "mad", "positive"):
            check(lambda of, f=REDUCING[name]: of.groupby("k")["x"].agg(f), frame)
        check(lambda of: of["x"].rolling(20).apply(ARRAYS["rising"], raw=True), frame)
