"""Warnings of assignments that change nothing: where pandas warns, and only there."""

from __future__ import annotations

import sys
import warnings

import pandas as pd
import pytest

import phalanx as px

from .against_pandas import theirs

pytestmark = pytest.mark.skipif(
    sys.implementation.name != "cpython", reason="only CPython counts references"
)
KEPT = None


def of_item(frame):
    frame["a"][0] = 9


def of_mask(frame):
    frame[frame["a"] > 1]["b"] = 9


def of_loc(frame):
    frame["a"].loc[0] = 9


def of_iloc(frame):
    frame["a"].iloc[0] = 9


def of_at(frame):
    frame["a"].at[0] = 9


def of_iat(frame):
    frame["a"].iat[0] = 9


def of_rows(frame):
    frame.loc[frame["a"] > 1]["b"] = 9


def of_rows_by_loc(frame):
    frame[frame["a"] > 1].loc[:, "b"] = 9


def filled(frame):
    frame["a"].fillna(0, inplace=True)


def replaced(frame):
    frame["a"].replace(1, 2, inplace=True)


def in_one_step(frame):
    frame.loc[0, "a"] = 9
    frame.iloc[0, 0] = 8
    frame["b"] = 7
    frame.fillna(0, inplace=True)


def kept_series(frame):
    series = frame["a"]
    series[0] = 9
    series.loc[1] = 8
    series.fillna(0, inplace=True)


def kept_global(frame):
    global KEPT
    KEPT = frame["a"]
    KEPT[0] = 9
    KEPT.iloc[0] = 9


def kept_in_a_list(frame):
    held = [frame["a"]]
    held[0][0] = 9
    held[0].iloc[0] = 9


def kept_by_a_loop(frame):
    for _, series in frame[["a", "b"]].items():  # noqa: PERF102
        series[0] = 9


def given(frame):
    def change(series):
        series[0] = 9

    change(frame["a"])


def of_a_method(frame):
    class Holder:
        def __init__(self):
            self.frame = frame.copy()

        def change(self):
            self.frame["c"] = 1
            self.frame.loc[0, "c"] = 2
            self.frame.fillna(1, inplace=True)

    Holder().change()


def deleted(frame):
    copied = frame.copy()
    del copied["a"]
    copied.pop("b")


CASES = [
    of_item, of_mask, of_loc, of_iloc, of_at, of_iat, of_rows, of_rows_by_loc, filled, replaced,
    in_one_step, kept_series, kept_global, kept_in_a_list, kept_by_a_loop, given, of_a_method,
    deleted,
]  # fmt: skip


def warned(case, frame, kind):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        case(frame)
    return [each.filename for each in found if issubclass(each.category, kind)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_warned_as_pandas_warns(case):
    frame = pd.DataFrame({"a": [1.0, 2, 3], "b": [1.0, 2, 3]})
    mine = px.from_pandas(frame)
    wanted = warned(case, frame, pd.errors.ChainedAssignmentError)
    found = warned(case, mine, px.errors.ChainedAssignmentError)
    assert found == wanted  # also of this file's line
    pd.testing.assert_frame_equal(theirs(mine), frame)
