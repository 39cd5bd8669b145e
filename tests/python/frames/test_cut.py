"""`cut`, `qcut` and intervals beside pandas."""

import pickle

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import check, check_all, ours
from .reshape_samples import module_of

pytestmark = pytest.mark.usefixtures("device")

VALUES = {
    "ints": pd.Series([1, 7, 5, 4, 6, 3], name="n"),
    "floats": pd.Series([0.5, 2.25, np.nan, 7.125, 3.0, 0.001], index=list("uvwxyz")),
    "small": pd.Series([0.00012, 0.00034, 0.00056]),
    "negative": pd.Series([-3.5, 0, 3.5, 10]),
    "bools": pd.Series([True, False, True]),
    "nullable": pd.Series([1, None, 5, 3], dtype="Int64"),
    "one": pd.Series([4.0, 4.0]),
    "zero": pd.Series([0, 0]),
    "dates": pd.Series(pd.to_datetime(["2020-01-01", "2020-03-01", None, "2020-02-02"])),
    "one date": pd.Series(pd.to_datetime(["2020-01-01"])),
    "durations": pd.Series(pd.to_timedelta([1, 5, 3, None], unit="h")),
    "empty": pd.Series([], dtype=float),
    "infinite": pd.Series([1.0, np.inf]),
}
KEYWORDS = [
    {}, {"right": False}, {"labels": False}, {"include_lowest": True}, {"precision": 1},
    {"retbins": True}, {"include_lowest": True, "labels": False}, {"ordered": False},
    {"right": False, "retbins": True, "labels": False}, {"labels": True}, {"duplicates": "x"},
]  # fmt: skip
NUMBERS = ("ints", "floats", "small", "negative", "bools", "nullable", "one", "zero", "empty")


@pytest.mark.parametrize("keywords", KEYWORDS, ids=str)
@pytest.mark.parametrize("bins", [1, 3, 7, 0])
def test_bins_of_one_width(bins, keywords):
    check_all(lambda s: module_of(s).cut(s, bins, **keywords), VALUES)


BOUNDS = {
    "bounds": [0, 2, 4, 8], "floats": [0.0, 0.5, 3.3333, 7], "repeated": [0, 2, 2, 8],
    "down": [8, 2, 0], "two": [1, 1], "one": [3], "none": [], "infinite": [-np.inf, 3, np.inf],
}  # fmt: skip


@pytest.mark.parametrize("keywords", [*KEYWORDS, {"duplicates": "drop"}], ids=str)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_bounds(bounds, keywords):
    if bounds == "none" and keywords.get("include_lowest"):
        pytest.skip("pandas asks for the lowest of no bounds")
    few = {name: VALUES[name] for name in NUMBERS}
    check_all(lambda s: module_of(s).cut(s, BOUNDS[bounds], **keywords), few)


LABELS = [list("abc"), ["a", "b"], ["a", "b", "a"], [3, 1, 2], np.array(["x", "y", "z"])]


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("labels", LABELS, ids=str)
def test_labels(labels, ordered):
    few = {name: VALUES[name] for name in ("ints", "floats", "dates")}
    check_all(lambda s: module_of(s).cut(s, 3, labels=labels, ordered=ordered), few)
    check_all(lambda s: module_of(s).qcut(s, 3, labels=labels), few)


def test_other_bins_and_data():
    dates = pd.to_datetime(["2020-01-01", "2020-02-01", "2020-04-01"])
    check(lambda s, b: module_of(s).cut(s, b), VALUES["dates"], dates)
    check(lambda s, b: module_of(s).cut(s, b), VALUES["ints"], dates)
    check(lambda s: module_of(s).cut(s, [1, 2]), VALUES["dates"])
    intervals = pd.IntervalIndex.from_tuples([(0, 1), (2, 3), (4, 6)])
    check(lambda s, b: module_of(s).cut(s, b), VALUES["floats"], intervals)
    check(lambda s, b: module_of(s).cut(s, b, retbins=True)[0], VALUES["ints"], intervals)
    check(lambda s, b: module_of(s).cut(s, b), VALUES["ints"],
          pd.IntervalIndex.from_tuples([(0, 3), (2, 5)]))  # fmt: skip
    for data in ([1, 5, 2.5], np.array([1, 2, 3]), range(4), np.ones((2, 2)), 3):
        check(lambda s, d: module_of(s).cut(d, 2), VALUES["ints"], data)
    with pytest.raises(TypeError, match="have no bins"):
        px.cut(["a", "b"], 2)
    check(lambda s: module_of(s).cut(np.asarray(s), 2, labels=False), VALUES["ints"])


@pytest.mark.parametrize("keywords", [
    {}, {"labels": False}, {"retbins": True}, {"precision": 1}, {"duplicates": "drop"},
    {"labels": True},
], ids=str)  # fmt: skip
@pytest.mark.parametrize("q", [1, 4, 5, [0, 0.3, 1], [0.1, 0.9], 0, "x"], ids=str)
def test_quantiles(q, keywords):
    but = () if q != 1 else ("one", "zero")
    check_all(lambda s: module_of(s).qcut(s, q, **keywords), VALUES, but=(*but, "infinite"))


@pytest.mark.parametrize("keywords", [{}, {"normalize": True}, {"sort": False},
                                      {"ascending": True}, {"dropna": False}], ids=str)  # fmt: skip
@pytest.mark.parametrize("bins", [2, 3, [0, 2, 4, 8], [20, 30]], ids=str)
def test_counts_of_bins(bins, keywords):
    few = {name: VALUES[name] for name in ("ints", "floats", "negative")}
    check_all(lambda s: s.value_counts(bins=bins, **keywords), few)


def test_groups_of_bins():
    frame = pd.DataFrame({"x": [1, 7, 5, 4, 6, 3], "y": [1.5, 2, 3, 4, 5, 6]})

    def grouped(f):
        bins = module_of(f).cut(f["x"], [0, 3, 5, 9])
        return f.groupby(bins, observed=True)["y"].mean()

    check(grouped, frame)
    check(lambda f: f.assign(b=module_of(f).cut(f["x"], 3)).pivot_table("y", "b"), frame)
    check(lambda f: repr(module_of(f).cut(f["y"], [0, 3.5, 9])), frame)
    check(lambda f: repr(module_of(f).cut(list(f["y"]), 2)), frame)
    check(lambda f: module_of(f).cut(f["x"], 3).cat.categories.left, frame)
    check(lambda f: module_of(f).cut(f["x"], [0, 5, 9]).astype(str), frame)
    check(
        lambda f: module_of(f).get_dummies(module_of(f).cut(f["x"], [0, 5, 9]), prefix="b"), frame
    )


INDEXES = {
    "ints": pd.IntervalIndex.from_breaks([0, 1, 2, 4]),
    "floats": pd.IntervalIndex.from_tuples([(0, 1.5), (2, 3), None], closed="left", name="z"),
    "both": pd.IntervalIndex.from_arrays([0, 3], [2, 3], closed="both"),
    "neither": pd.IntervalIndex.from_breaks([5, 4.5][::-1], closed="neither"),
    "overlapping": pd.IntervalIndex.from_tuples([(0, 2), (1, 3), (0, 2)]),
    "down": pd.IntervalIndex.from_tuples([(3, 4), (1, 2)]),
    "dates": pd.IntervalIndex.from_breaks(pd.date_range("2020-01-01", periods=4)),
    "durations": pd.IntervalIndex.from_breaks(pd.to_timedelta([0, 1, 30], unit="h")),
    "empty": pd.IntervalIndex.from_breaks([0]),
}
ASKED = {
    "left": lambda i: i.left, "right": lambda i: i.right, "mid": lambda i: i.mid,
    "length": lambda i: i.length, "closed": lambda i: i.closed, "dtype": lambda i: str(i.dtype),
    "is_empty": lambda i: i.is_empty, "overlapping": lambda i: i.is_overlapping,
    "follow": lambda i: i.is_non_overlapping_monotonic, "flags": lambda i: (
        i.closed_left, i.closed_right, i.open_left, i.open_right),
    "set_closed": lambda i: i.set_closed("both"), "set_closed wrong": lambda i: i.set_closed("x"),
    "tuples": lambda i: i.to_tuples(), "len": len, "unique": lambda i: i.is_unique,
    "take": lambda i: i.take([0]), "slice": lambda i: i[1:], "isna": lambda i: i.isna(),
    "sort": lambda i: i.sort_values(), "text": lambda i: repr(i), "append": lambda i: i.append(i),
    "series": lambda i: module_of(i).Series(i),
    "series text": lambda i: repr(module_of(i).Series(i)),
    "loc of a value": lambda i: i.get_loc(1), "loc of nothing": lambda i: i.get_loc(99),
    "indexer": lambda i: i.get_indexer([1, 0.5, 99, 2]),
    "indexer of itself": lambda i: i.get_indexer(i),
    "first": lambda i: str(i[0]), "contains": lambda i: i.contains(1),
    "in": lambda i: (1 in i, i[:1].to_numpy()[0] in i), "equals": lambda i: i.equals(i.copy()),
    "duplicated": lambda i: i.duplicated(), "increasing": lambda i: i.is_monotonic_increasing,
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_indexes(name):
    timed = ("dates", "durations")
    but = {
        "indexer": (*timed, "empty"), "contains": timed, "loc of a value": timed,
        "text": ("durations",),
        "series text": ("durations",), "tuples": ("floats", "empty"),
        "indexer of itself": ("overlapping",),
    }  # fmt: skip
    check_all(ASKED[name], INDEXES, but=but.get(name, ()))


MADE = {
    "breaks": lambda m: m.IntervalIndex.from_breaks([0, 1, 2.5], closed="both", name="n"),
    "arrays": lambda m: m.IntervalIndex.from_arrays([0, 2], [1, 3]),
    "arrays wrong": lambda m: m.IntervalIndex.from_arrays([2], [1]),
    "arrays of lengths": lambda m: m.IntervalIndex.from_arrays([2], [3, 4]),
    "arrays missing": lambda m: m.IntervalIndex.from_arrays([0, np.nan], [1, 3]),
    "texts": lambda m: m.IntervalIndex.from_breaks(list("abc")),
    "tuples": lambda m: m.IntervalIndex.from_tuples([(0, 1), (1, 2)], closed="left"),
    "tuples wrong": lambda m: m.IntervalIndex.from_tuples([(0, 1, 2)]),
    "closed wrong": lambda m: m.IntervalIndex.from_breaks([0, 1], closed="x"),
    "intervals": lambda m: m.IntervalIndex([m.Interval(0, 1), m.Interval(1, 2)]),
    "index": lambda m: m.Index([m.Interval(0, 1), m.Interval(1, 2.5)]),
    "series": lambda m: m.Series([m.Interval(0, 1), m.Interval(1, 2)]),
    "mixed": lambda m: m.IntervalIndex([m.Interval(0, 1), m.Interval(1, 2, "left")]),
    "numbers": lambda m: m.IntervalIndex([1, 2]),
    "range": lambda m: m.interval_range(0, 5),
    "range freq": lambda m: m.interval_range(0, 6, freq=2),
    "range periods": lambda m: m.interval_range(0, 6, 4), "range end": lambda m: m.interval_range(
        end=5, periods=4, closed="both"), "range float": lambda m: m.interval_range(0, periods=4,
        freq=1.5), "range wrong": lambda m: m.interval_range(0),
    "days": lambda m: m.interval_range(m.Timestamp("2018"), periods=3, closed="neither"),
    "months": lambda m: m.interval_range(m.Timestamp("2018"), m.Timestamp("2018-03"), freq="MS"),
    "offset": lambda m: m.interval_range(m.Timestamp("2018"), periods=2, freq=m.offsets.MonthEnd()),
    "even dates": lambda m: m.interval_range(m.Timestamp(2018, 1, 1), m.Timestamp(2018, 1, 4), 2),
    "durations": lambda m: m.interval_range(m.Timedelta(0), m.Timedelta("3 days"), name="n"),
    "hours": lambda m: m.interval_range(m.Timedelta(0), periods=2, freq="6h"),
    "date to number": lambda m: m.interval_range(m.Timestamp("2018"), 5, periods=3),
    "date to duration": lambda m: m.interval_range(m.Timestamp("2018"), m.Timedelta(1), 3),
    "days of numbers": lambda m: m.interval_range(0, 5, freq="D"),
    "number of dates": lambda m: m.interval_range(m.Timestamp("2018"), periods=3, freq=1),
    "of a text": lambda m: m.interval_range("a", periods=3),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_making(name):
    check(lambda s: MADE[name](module_of(s)), VALUES["ints"])


SCALARS = {
    "text": str, "repr": repr, "mid": lambda i: i.mid, "length": lambda i: i.length,
    "in": lambda i: (0 in i, 0.5 in i, 1 in i, i in i), "empty": lambda i: i.is_empty,
    "flags": lambda i: (i.closed_left, i.open_right), "add": lambda i: str(i + 1),
    "times": lambda i: str(2 * i), "less": lambda i: str(i - 1), "part": lambda i: str(i / 2),
    "equal": lambda i: (i == i, i < i + 1, i >= i + 1, i != i + 1), "other": lambda i: i == 3,
    "overlaps": lambda i: (i.overlaps(i), i.overlaps(i + 1), i.overlaps(i + 5)),
    "hash": lambda i: len({i, i + 0}),
}  # fmt: skip


@pytest.mark.parametrize("name", SCALARS)
def test_intervals(name):
    for closed in ("left", "right", "both", "neither"):
        for bounds in ((0, 1), (0.5, 1.25), (1, 1)):
            theirs = SCALARS[name](pd.Interval(*bounds, closed))
            assert SCALARS[name](px.Interval(*bounds, closed)) == theirs, (closed, bounds)


def test_wrong_intervals():
    for bounds in ((2, 1), ("a", "b"), (1, 2, "x")):
        with pytest.raises(ValueError, match=r"left side|endpoints|closed"):
            px.Interval(*bounds)
    with pytest.raises(TypeError, match="Interval"):
        px.Interval(0, 1).overlaps(3)
    assert pickle.loads(pickle.dumps(px.Interval(0, 1))) == px.Interval(0, 1)


def test_rows_by_value():
    series = ours(pd.Series([1, 2, 3], index=INDEXES["ints"]))
    assert series.loc[0.5] == 1
    assert series.loc[[0.5, 3]].tolist() == [1, 3]
    assert series[px.Interval(1, 2)] == 2
    with pytest.raises(KeyError):
        series.loc[9]


def test_many_values():
    draw = np.random.default_rng(4)
    values = np.where(draw.random(300_000) < 0.1, np.nan, draw.integers(0, 50, 300_000) / 4)
    dates = pd.Series(draw.integers(0, 10**6, 300_000)).astype("M8[s]")
    for keywords in ({}, {"right": False}, {"include_lowest": True}, {"labels": False}):
        check(lambda s, k: module_of(s).cut(s, [0, 1.5, 3, 12], **k), pd.Series(values), keywords)
        check(lambda s, k: module_of(s).cut(s, 3, **k), dates, keywords)
    check(lambda s: module_of(s).qcut(s, 7, duplicates="drop"), pd.Series(values))
    check(lambda s: module_of(s).cut(s, 100), pd.Series(values))
