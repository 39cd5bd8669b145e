"""What groups are made by, and what is asked of the groups themselves, beside pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import check, check_all
from .groupby_samples import frame


def levels():
    index = pd.MultiIndex.from_tuples(
        [("a", 1), ("a", 2), ("b", 1), ("b", None), ("a", 1)], names=["x", "y"]
    )
    return pd.DataFrame({"v": [1, 2, 3, 4, 5], "w": [5.5, 4, 3, 2, 1]}, index=index)


# The key, as a function of the frame.
KEYS = {
    "label": lambda f: "k",
    "list": lambda f: ["k"],
    "labels": lambda f: ["k", "c"],
    "series": lambda f: f["k"] % 2,
    "own series": lambda f: f["k"],
    "other labels": lambda f: f["k"].iloc[:5],
    "series and label": lambda f: [f["int"] > 2, "k"],
    "array": lambda f: np.arange(9) % 4,
    "list of values": lambda f: list("aabbccaab"),
    "arrays": lambda f: [np.arange(9) % 2, np.arange(9) % 3],
    "function": lambda f: lambda label: label < "d",
    "functions": lambda f: [str.upper, "k"],
    "dict": lambda f: dict(zip("abcdefg", [1, 1, 2, 2, 3, 3, 1], strict=True)),
    "index": lambda f: f.index,
    "objects": lambda f: "object",
    "dates": lambda f: "datetime",
    "bools": lambda f: "bool",
    "nullable": lambda f: "Int64",
    "none such": lambda f: "nothing",
    "short": lambda f: np.arange(3),
    "empty": lambda f: [],
    "none": lambda f: None,
    "tuple": lambda f: ("k", "s"),
}


@pytest.mark.parametrize("keywords", [{}, {"as_index": False}, {"sort": False}, {"dropna": False}],
                         ids=str)  # fmt: skip
def test_keys(keywords):
    samples = {name: (frame(), name) for name in KEYS}
    # pandas puts missing ones in the middle of sorted objects.
    but = ("objects",) if keywords == {"dropna": False} else ()
    check_all(
        lambda f, name: f.groupby(KEYS[name](f), **keywords)[["int", "float"]].sum(),
        samples,
        but=but,
    )
    check_all(lambda f, name: f.groupby(KEYS[name](f), **keywords).size(), samples, but=but)


LEVELS = {
    "number": {"level": 0}, "last": {"level": -1}, "name": {"level": "y"},
    "names": {"level": ["x", "y"]}, "one": {"level": ["x"]}, "turned": {"level": [1, 0]},
    "by": {"by": "x"}, "both": {"by": ["x", "v"]}, "none such": {"level": "z"},
    "too far": {"level": 5},
}  # fmt: skip


@pytest.mark.parametrize("name", LEVELS)
def test_levels(name):
    for sort in (True, False):
        check(lambda f, s: f.groupby(sort=s, **LEVELS[name])["w"].sum(), levels(), sort)
        if "v" not in str(LEVELS[name]):
            check(lambda f, s: f["v"].groupby(sort=s, **LEVELS[name]).max(), levels(), sort)


def test_levels_of_plain_indexes():
    named = frame().rename_axis("name")
    for keywords in ({"level": 0}, {"level": "name"}, {"by": "name"}, {"level": 1},
                     {"level": "other"}, {"level": [0]}, {"level": [0, 1]}):  # fmt: skip
        check(lambda f, keywords: f.groupby(**keywords)["int"].sum(), named, keywords)
        check(lambda f, keywords: f["int"].groupby(**keywords).sum(), named, keywords)
    check(lambda f: f.groupby("k").sum(), frame().rename_axis("k"))


SERIES_KEYS = {
    "array": lambda s: np.arange(9) % 4,
    "series": lambda s: s % 2,
    "function": lambda s: lambda label: label < "d",
    "dict": lambda s: {"a": 1, "b": 2, "c": 1},
    "label": lambda s: "k",
    "list": lambda s: [np.arange(9) % 2, np.arange(9) % 3],
    "itself": lambda s: s,
}


def test_series():
    samples = {name: (frame()["int"], name) for name in SERIES_KEYS}
    for method in ("sum", "size", "cumsum", "count", "head"):
        named = {name: (*each, method) for name, each in samples.items()}
        check_all(lambda s, name, m: getattr(s.groupby(SERIES_KEYS[name](s)), m)(), named)
    check(lambda s: s.groupby("k", as_index=False), frame()["int"])
    check(lambda s: s.groupby(), frame()["int"])


@pytest.mark.parametrize("library", [pd, px])
def test_groupers(library):
    wanted = frame().groupby(["k", "s"])["int"].sum()
    of = frame() if library is pd else px.from_pandas(frame())
    made = of.groupby([library.Grouper(key="k"), library.Grouper(key="s")])["int"].sum()
    assert made.tolist() == wanted.tolist()
    made = of.rename_axis("n").groupby(library.Grouper(level="n"))["int"].sum()
    assert made.tolist() == frame()["int"].tolist()
    with pytest.raises(KeyError):
        of.groupby(library.Grouper(key="nothing")).sum()
    with pytest.raises(ValueError, match="both a key and a level"):
        of.groupby(library.Grouper(key="k", level=0)).sum()


@pytest.mark.parametrize("observed", [True, False])
@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("dropna", [True, False])
@pytest.mark.parametrize("by", ["category", "ordered", ["category", "k"], ["c", "category"],
                                ["k", "c", "ordered"]], ids=str)  # fmt: skip
def test_categories(by, observed, sort, dropna):
    keywords = {"observed": observed, "sort": sort, "dropna": dropna}
    for name in ("sum", "min", "count", "first", "size", "ngroup", "cumcount"):
        check(lambda f, name: getattr(f.groupby(by, **keywords)["int"], name)(), frame(), name)
    check(lambda f: f.groupby(by, as_index=False, **keywords)["float"].mean(), frame())


def test_groups():
    for by in ("k", "s", "c", ["k", "s"], "datetime"):
        check(lambda f, by: {k: list(v) for k, v in f.groupby(by).groups.items()}, frame(), by)
        check(lambda f, by: {k: v.tolist() for k, v in f.groupby(by).indices.items()}, frame(), by)
        check(lambda f, by: [f.groupby(by).ngroups, len(f.groupby(by))], frame(), by)
    for by in ("k", ["k"], ["k", "s"]):
        check(lambda f, by: list(f.groupby(by)), frame(), by)
        check(lambda f, by: list(f.groupby(by)[["int", "str"]]), frame(), by)
        check(lambda f, by: list(f.groupby(by)["int"]), frame(), by)
    check(lambda f: list(f.groupby("c", observed=False)), frame())
    check(lambda f: f.groupby("k").pipe(lambda groups, n: groups.head(n), 1), frame())


@pytest.mark.parametrize(
    ("by", "name"),
    [("k", 2), ("k", 9), (["k"], (2,)), (["k"], 2), (["k", "s"], (1, "a")), (["k", "s"], 1),
     (["k", "s"], (1, "a", 2)), ("c", "w"), ("s", "b"), ("r", 0.5)],
    ids=str,
)  # fmt: skip
def test_get_group(by, name):
    check(lambda f: f.groupby(by).get_group(name), frame())
    check(lambda f: f.groupby(by)["int"].get_group(name), frame())
    check(lambda f: f.groupby(by, dropna=False).get_group(np.nan), frame())


def test_get_group_of_a_date():
    groups = px.from_pandas(frame()).groupby("datetime")
    assert groups.get_group("2020-01-01")["int"].tolist() == [1, 7]


def test_selections():
    check(lambda f: f.groupby("k").int.sum(), frame())
    check(lambda f: f.groupby("k")["k"].sum(), frame())
    check(lambda f: f.groupby("k")[["k", "int"]].sum(), frame())
    check(lambda f: f.groupby("k", as_index=False)[["k", "int"]].sum(), frame())
    check(lambda f: f.groupby("k")["none"], frame())
    check(lambda f: f.groupby("k")[["int", "none"]], frame())
    check(lambda f: f.groupby("k")["int", "float"], frame())
    check(lambda f: f.groupby("k").nothing, frame())


def test_nearest_names():
    ours = px.from_pandas(frame())
    with pytest.raises(KeyError, match="nearest label is 'float'"):
        ours.groupby("floot")
    with pytest.raises(KeyError, match="nearest label is 'float'"):
        ours.groupby("k")["floot"]
    with pytest.raises(KeyError, match="nearest label is 'float'"):
        ours.groupby("k").agg({"floot": "sum"})


def test_missing_keys_everywhere():
    gone = pd.DataFrame({"k": [np.nan, np.nan], "v": [1, 2]})
    for dropna in (True, False):
        for name in ("sum", "mean", "size", "cumsum", "head", "first", "ngroup"):
            check(lambda f, n, d: getattr(f.groupby("k", dropna=d)["v"], n)(), gone, name, dropna)


def test_named_columns():
    named = frame()[["k", "int", "float"]].rename_axis(columns="names")
    for name in ("sum", "head", "cumsum"):
        for as_index in (True, False):
            check(lambda f, n, a: getattr(f.groupby("k", as_index=a), n)(), named, name, as_index)
