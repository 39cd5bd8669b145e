"""`concat`, `compare`, `combine_first` and `update`, against pandas."""

from __future__ import annotations

import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, check_program, ours, same_kind, theirs
from .frame_samples import COLUMNS, FRAMES, LEVELS, SERIES


def check_concat(make, **keywords):
    """`concat` of what a function makes of the samples, theirs and ours."""
    wanted, error = attempt(lambda: pd.concat(make(lambda x: x), **keywords))
    found, own = attempt(lambda: px.concat(make(ours), **keywords))
    if error is not None or own is not None:
        assert error is not None and own is not None and same_kind(error, own), (error, own)
        return
    assert_same(theirs(found), wanted)


@pytest.mark.parametrize("first", COLUMNS)
@pytest.mark.parametrize("second", COLUMNS)
def test_dtypes(first, second):
    if {first, second} == {"category"}:
        return
    left, right = SERIES[f"{first}/str"], SERIES[f"{second}/str"]
    check_concat(lambda as_is: [as_is(left), as_is(right)])
    # Of frames pandas has other rules: bools beside numbers, frames that lack a column.
    left, right = left.to_frame("a"), right.to_frame("a")
    for rows in (len(left), 0):
        top, none, other = left[:rows], right.iloc[:rows, 1:], right.set_axis(["b"], axis=1)
        for frames in ([top, right, top], [top, none], [top, other]):
            check_concat(lambda as_is, given=frames: [as_is(each) for each in given])


@pytest.mark.parametrize("labels", FRAMES)
def test_frames(labels):
    frame = FRAMES[labels]
    check_concat(lambda as_is: [as_is(frame), as_is(frame.iloc[:2])])
    check_concat(lambda as_is: [as_is(frame), as_is(frame)], ignore_index=True)
    if labels in ("no columns", "repeated columns", "no rows"):
        return
    parts = frame[["int", "str"]], frame[["float", "int", "bool"]]
    for keywords in ({}, {"join": "inner"}, {"ignore_index": True}, {"sort": True}):
        check_concat(lambda as_is: [as_is(each) for each in parts], **keywords)
    check_concat(lambda as_is: [as_is(frame), as_is(frame)], keys=["a", "b"], names=["K"])
    check_concat(lambda as_is: {"x": as_is(frame), "y": as_is(frame)})
    check_concat(lambda as_is: [as_is(frame), as_is(frame)], verify_integrity=True)


def test_beside():
    frame = FRAMES["str"]
    columns = frame["int"], frame["str"]
    check_concat(lambda as_is: [as_is(frame[["int"]]), as_is(frame["str"])], axis=1)
    check_concat(lambda as_is: [as_is(each) for each in columns], axis=1)
    check_concat(lambda as_is: [as_is(each) for each in columns], axis=1, keys=["p", "q"])
    check_concat(
        lambda as_is: [as_is(frame[["int"]]), as_is(frame[["str"]])], axis=1, keys=["p", "q"]
    )
    check_concat(lambda as_is: [as_is(frame["int"]), as_is(frame["int"].iloc[1:])], axis=1)
    check_concat(
        lambda as_is: [as_is(frame["int"]), as_is(frame["int"].iloc[1:])], axis=1, join="inner"
    )
    check_concat(lambda as_is: [as_is(frame["int"].rename(None))] * 2, axis=1)
    check_concat(lambda as_is: [as_is(frame), as_is(frame)], axis=1, ignore_index=True)


def test_others():
    frame = FRAMES["str"]
    check_concat(lambda as_is: [as_is(frame), None])
    check_concat(lambda as_is: [as_is(frame[["int"]]), as_is(frame["int"])])
    check_concat(lambda as_is: [as_is(LEVELS), as_is(LEVELS)])
    check_concat(lambda as_is: [as_is(LEVELS), as_is(LEVELS)], keys=[1, 2])
    check_concat(lambda as_is: [])
    check_concat(lambda as_is: [None])
    check_concat(lambda as_is: as_is(frame))
    check_concat(lambda as_is: [as_is(frame), 3])
    check_concat(lambda as_is: [as_is(frame)], axis=3)
    check_concat(lambda as_is: [as_is(frame)], join="no")
    check_concat(lambda as_is: [as_is(frame)], keys=[1, 2])


def test_arrays_are_concatenated_as_arrays():
    assert px.concat([px.arange(2), px.arange(3)]).tolist() == [0, 1, 0, 1, 2]


def first(lib):
    data = {"a": [1, 2, 3], "b": ["x", "y", None], "f": [1.0, None, 3.0]}
    return lib.DataFrame(data, index=["p", "q", "r"])


def second(lib):
    data = {"a": [1, 5, 3], "b": ["x", "z", None], "f": [1.0, 2.0, None]}
    return lib.DataFrame(data, index=["p", "q", "r"])


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"keep_shape": True},
        {"keep_equal": True},
        {"align_axis": 0},
        {"result_names": ("l", "r")},
    ],
)
def test_compare(keywords):
    check_program(lambda lib: first(lib).compare(second(lib), **keywords))


def test_compare_of_series_and_other_labels():
    check_program(lambda lib: first(lib)["a"].compare(second(lib)["a"]))
    check_program(lambda lib: first(lib).compare(second(lib).iloc[1:]))


def test_combine_first():
    check_program(lambda lib: first(lib).combine_first(second(lib)))
    check_program(lambda lib: first(lib)["f"].combine_first(second(lib)["f"]))
    other = {"a": [9, 8], "z": [1, 2]}
    check_program(lambda lib: first(lib).combine_first(lib.DataFrame(other, index=["r", "s"])))


@pytest.mark.parametrize(
    "keywords", [{}, {"overwrite": False}, {"errors": "raise"}, {"join": "outer"}]
)
def test_update(keywords):
    def program(lib):
        frame = first(lib)
        frame.update(second(lib), **keywords)
        return frame

    check_program(program)


def test_explode():
    check_program(lambda lib: lib.DataFrame({"a": [[1, 2], 3, []], "b": [1, 2, 3]}).explode("a"))
    check_program(lambda lib: lib.Series([[1, 2], 3]).explode())
    check_program(lambda lib: lib.Series([1, 3]).explode(ignore_index=True))
