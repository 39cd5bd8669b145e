"""Frames over several devices beside pandas."""

import itertools

import numpy as np
import pandas as pd
import pytest
from phalanx._frames.several.groups import PARTIAL

import phalanx as px


def data(rows=60):
    random = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "key": random.integers(0, 7, rows),
            "name": random.choice(["ab", "c", "def"], rows),
            "x": np.where(random.random(rows) < 0.2, np.nan, random.normal(1e6, 1.0, rows)),
            "n": random.integers(-9, 9, rows),
            "small": random.random(rows).astype("float32"),
        }
    )


def same(found, expected):
    kind = pd.testing.assert_frame_equal if found.ndim == 2 else pd.testing.assert_series_equal
    kind(found.to_pandas(), expected, rtol=1e-6)


@pytest.fixture
def spread(group):
    return px.SpreadFrame(px.from_pandas(data()), group)


@pytest.mark.parametrize("name", sorted(PARTIAL))
def test_aggregations(spread, name):
    host = data()
    columns = ["x", "n", "small"]
    for keys, sort, as_index in itertools.product(
        ("key", ["key"], ["name", "key"], "name"), (True, False), (True, False)
    ):
        options = {"sort": sort, "as_index": as_index}
        expected = getattr(host.groupby(keys, **options)[columns], name)()
        same(getattr(spread.groupby(keys, **options)[columns], name)(), expected)
        if name != "size":
            expected = getattr(host.groupby(keys, **options)["x"], name)()
            same(getattr(spread.groupby(keys, **options)["x"], name)(), expected)


@pytest.mark.parametrize("ddof", [0, 1, 2])
def test_variances_of_few_rows(group, ddof):
    host = data(9)
    spread = px.SpreadFrame(px.from_pandas(host), group)
    for name in ("var", "std"):
        expected = getattr(host.groupby("key")[["x", "n"]], name)(ddof=ddof)
        found = getattr(spread.groupby("key")[["x", "n"]], name)(ddof=ddof)
        same(found, expected)


FORMS = [
    "sum",
    ["min", "max"],
    {"x": "mean", "n": "sum"},
    {"x": ["mean", "std"], "small": ["count"]},
]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_forms_of_agg(spread, form):
    host = data().drop(columns="name")
    spread = spread.drop(columns="name")
    same(spread.groupby("key").agg(form), host.groupby("key").agg(form))


def test_named_pairs(spread):
    host = data()
    named = {"total": ("x", "sum"), "most": ("n", "max"), "rows": ("n", "size")}
    same(spread.groupby("name").agg(**named), host.groupby("name").agg(**named))


def test_gaps_in_keys(group):
    host = data()
    host.loc[::5, "key"] = np.nan
    spread = px.SpreadFrame(px.from_pandas(host), group)
    for dropna in (True, False):
        expected = host.groupby("key", dropna=dropna)["n"].sum()
        same(spread.groupby("key", dropna=dropna)["n"].sum(), expected)


def test_rows_stay_where_they_are(spread, group):
    host = data()
    made = spread.assign(y=lambda f: f.n * 2).query("y > 3")
    expected = host.assign(y=lambda f: f.n * 2).query("y > 3")
    same(made.gather(), expected)
    assert [part.device for part in spread["n"].parts] == [each.name for each in group]
    same(made[made["n"] > 4].gather(), expected[expected["n"] > 4])
    spread["z"] = spread["n"] + 1
    assert np.asarray(spread["z"]).tolist() == (host["n"] + 1).tolist()
    same(spread.head(25), host.assign(z=host.n + 1).head(25))
    assert len(spread) == len(host)
    assert list(spread.columns) == [*host.columns, "z"]
    assert "60" in repr(spread)


def test_methods_of_rows_take_spread_arrays(spread):
    host = data()
    made = spread.assign(y=spread["n"] * 2, z=1)
    same(made.gather(), host.assign(y=host.n * 2, z=1))
    same(spread[["n"]].add(1).gather(), host[["n"]].add(1))
    with pytest.raises(ValueError, match="60 rows"):
        spread.assign(y=spread.group.arange(7))


def test_rows_of_values_that_are_not_spread_are_not_guessed(spread):
    rows = len(spread.parts[0])
    for values in (np.arange(rows), [1] * rows, px.Series(range(rows))):
        with pytest.raises(TypeError, match=r"group\.asarray"):
            spread.assign(y=values)


def test_the_group_is_one(spread):
    with pytest.raises(TypeError, match=r"phalanx\.devices\(\.\.\.\), not str"):
        px.SpreadFrame(spread.gather(), "all")


def test_what_is_not_there_is_refused_by_name(spread):
    with pytest.raises(NotImplementedError, match="'sort_values'"):
        spread.sort_values("x")
    with pytest.raises(NotImplementedError, match="'median'"):
        spread.groupby("key").median()
    with pytest.raises(NotImplementedError, match="'nunique'"):
        spread.groupby("key").agg({"x": "nunique"})
    with pytest.raises(NotImplementedError, match="'name'"):
        spread["name"]
    with pytest.raises(KeyError):
        spread.groupby("none")
    with pytest.raises(TypeError, match="asarray"):
        spread["y"] = [1, 2, 3]
    with pytest.raises(ValueError, match="60 rows"):
        spread["y"] = spread.group.arange(7)


def test_frames_of_parts(group):
    host = data(60)
    cuts = np.array_split(np.arange(60), len(group))
    parts = [px.from_pandas(host.iloc[rows].reset_index(drop=True)) for rows in cuts]
    spread = px.SpreadFrame.of_parts(group, parts)
    same(spread.groupby("key")["n"].sum(), host.groupby("key")["n"].sum())
    assert [part["n"]._parts[0].values.device for part in spread.parts] == [
        each.name for each in group
    ]
    with pytest.raises(ValueError, match="frames for"):
        px.SpreadFrame.of_parts(group, parts[1:])
    with pytest.raises(ValueError, match="other columns"):
        px.SpreadFrame.of_parts(group, [*parts[1:], parts[0][["n"]]])
    with pytest.raises(TypeError, match="not ndarray"):
        px.SpreadFrame.of_parts(group, [*parts[1:], np.ones(3)])


def test_columns_are_made_of_spread_arrays(group):
    x = group.arange(5.0)
    host = np.asarray(x)
    for made in (px.Series(x), px.Index(x), px.DataFrame({"a": x})["a"], px.DataFrame(x)[0]):
        assert made.dtype == np.float64 and np.array_equal(np.asarray(made), host)
    frame = px.DataFrame({"a": [1, 2, 3, 4, 5]})
    frame["b"] = x
    assert frame["b"].dtype == np.float64
    assert (px.Series(host) + x).dtype == np.float64
