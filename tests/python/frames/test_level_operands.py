"""Arithmetic by a level of the labels, and what users of pandas missed, beside pandas by table."""

from __future__ import annotations

import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, ours, theirs

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

LEVELS = pd.DataFrame(
    {"x": range(12), "y": [1.5] * 12},
    index=pd.MultiIndex.from_product(
        [["B", "A"], [2020, 2021, 2022], ["p", "q"]], names=["grp", "y", "z"]
    ),
)
GROUPS = pd.Series([1, 2, 5], pd.Index(["A", "B", "C"], name="grp"))
YEARS = pd.Series([1.5, 2], pd.Index([2020, 2022]))
DATA = (LEVELS, GROUPS, YEARS)
OPERATIONS = {
    "frame": lambda d, g, h: d.add(g, level="grp", axis=0),
    "series": lambda d, g, h: d["x"].add(g, level="grp"),
    "by number": lambda d, g, h: d["x"].mul(h, level=1),
    "missing labels": lambda d, g, h: d.sub(h, level="y", axis=0),
    "levels on the right": lambda d, g, h: g.add(d["x"], level="grp"),
    "filled": lambda d, g, h: d["x"].div(h, level=1, fill_value=1),
    "both with levels": lambda d, g, h: d["x"].add(d["y"], level=0),
    "comparison": lambda d, g, h: d.gt(h, axis=0, level=1),
    "number": lambda d, g, h: d["x"].add(3, level=0),
    "no such level": lambda d, g, h: d["x"].add(g, level="q"),
    # Selections of levels.
    "label and list": lambda d, g, h: d.loc[("A", [2020, 2022]), :],
    "label, list, slice": lambda d, g, h: d.loc[("A", [2020, 2022], slice(None)), :],
    "label and slice": lambda d, g, h: d.loc[("A", slice(2020, 2021)), :],
    "list and label": lambda d, g, h: d.loc[(["A"], 2020), :],
    "two lists": lambda d, g, h: d.loc[(["A", "B"], [2021]), :],
    "of a series": lambda d, g, h: d["x"].loc["A", [2020, 2022]],
    "list of last": lambda d, g, h: d.loc[("B", 2021, ["q"]), "x"],
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_by_levels(name):
    operation = OPERATIONS[name]
    wanted, error = attempt(lambda data: operation(*data), DATA)
    found, own = attempt(lambda data: operation(*map(ours, data)), DATA)
    if error is not None or own is not None:
        assert error is not None and own is not None, (wanted, found, error, own)
        return
    assert_same(theirs(found), wanted)


COUNTS = pd.DataFrame(
    {
        "r": ["a", "b", "a", None],
        "c": pd.Categorical(["x", "y", "x", "x"]),
        "n": [1, 2, 1, 1],
        "v": [1.0, 2, 3, 8],
    }
)


@pytest.mark.parametrize("subset", ["r", "c", "n", ["r"], ["c"], ["r", "n"], None, ("r",)], ids=str)
@pytest.mark.parametrize("keywords", [{}, {"normalize": True}, {"dropna": False}], ids=str)
def test_value_counts_of(subset, keywords):
    wanted, error = attempt(lambda frame: frame.value_counts(subset, **keywords), COUNTS)
    found, own = attempt(lambda frame: frame.value_counts(subset, **keywords), ours(COUNTS))
    assert (error is None) == (own is None)
    if error is None:
        assert_same(theirs(found), wanted)
        assert type(found.index).__name__ == type(wanted.index).__name__
        if "dropna" not in keywords:
            assert repr(found) == repr(wanted)


INDEXES = {
    "levels": pd.MultiIndex.from_tuples([(1, "a"), (1, "a"), (2, "b")], names=["p", "q"]),
    "floats": pd.Index([1.0, 2, 2, None], name="n"),
    "ints": pd.Index([1, 3, 2]),
    "texts": pd.Index(list("aba"), name="t"),
    "dates": pd.date_range("2024", periods=3),
    "zoned": pd.date_range("2024", periods=3, tz="Europe/Rome"),
    "durations": pd.timedelta_range("1D", periods=3),
}
METHODS = {
    "value_counts": lambda i: i.value_counts(),
    "normalize": lambda i: i.value_counts(normalize=True, dropna=False),
    "diff": lambda i: i.diff(),
    "transpose": lambda i: i.transpose(),
    "replace": lambda i: i.replace(2, 5) if i.dtype.kind in "if" else i,
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", INDEXES)
def test_of_indexes(name, method):
    wanted, error = attempt(METHODS[method], INDEXES[name])
    found, own = attempt(METHODS[method], ours(INDEXES[name]))
    assert (error is None) == (own is None), (error, own)
    if error is None:
        assert_same(theirs(found), wanted)


@pytest.mark.parametrize("keys", ["r", ["r", "n"]], ids=str)
@pytest.mark.parametrize("bins", [2, [0, 2, 9]], ids=str)
@pytest.mark.parametrize("keywords", [{}, {"normalize": True}, {"sort": False}], ids=str)
def test_counts_of_bins_in_groups(keys, bins, keywords):
    wanted = COUNTS.groupby(keys)["v"].value_counts(bins=bins, **keywords)
    found = ours(COUNTS).groupby(keys)["v"].value_counts(bins=bins, **keywords)
    assert_same(theirs(found), wanted)


FREQUENCIES = [
    "B", "2B", "D", "h", "W", "ME", "MS", "BME", "BMS", "QS-FEB", "QE-MAR", "BQE", "BQS-FEB",
    "YE-MAR", "YS-APR", "BYE", "BYS-JUL", "SME",
]  # fmt: skip


@pytest.mark.parametrize("freq", FREQUENCIES)
def test_bounds_of_frequencies_and_zones(freq):
    dates = pd.date_range("2023-01-02", periods=400, freq=freq)
    mine = px.date_range("2023-01-02", periods=400, freq=freq)
    for part in ("month", "quarter", "year"):
        for end in ("start", "end"):
            name = f"is_{part}_{end}"
            assert (getattr(mine, name) == getattr(dates, name)).all(), name
    for zone in ("UTC", "America/New_York"):
        local, own = dates[:40].tz_localize(zone), mine[:40].tz_localize(zone)
        assert str(own.freq) == str(local.freq)
        assert str(own.tz_convert("Europe/Rome").freq) == str(local.tz_convert("Europe/Rome").freq)
    assert repr(px.Series(1, mine[:3].tz_localize("UTC"))) == repr(
        pd.Series(1, dates[:3].tz_localize("UTC"))
    )


def test_errors_have_pandas_names():
    series = px.Series([1.0, None])
    with pytest.raises(px.errors.IntCastingNaNError):
        series.astype(int)
    with pytest.raises(px.errors.MergeError):
        px.DataFrame({"a": [1]}).merge(px.DataFrame({"b": [1]}))
    with pytest.raises(px.errors.OutOfBoundsDatetime):
        px.Timestamp("2999-01-01").as_unit("ns")
    with pytest.raises(px.errors.UndefinedVariableError):
        px.DataFrame({"a": [1]}).query("q > 1")
    with pytest.raises(px.errors.IndexingError):
        px.DataFrame({"a": [1]}).iloc[0, 0, 0]
