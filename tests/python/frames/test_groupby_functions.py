"""`agg`, `transform`, `apply` and `filter` of groups beside pandas."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import check, check_all
from .groupby_samples import BY, VALUES, frame


def spread(values):
    return values.max() - values.min()


class Doubled:
    def __call__(self, values):
        return values.sum() * 2


SERIES_AGG = {
    "name": "sum",
    "names": ["sum", "mean", "count"],
    "function": spread,
    "lambda": lambda s: s.count(),
    "functions": ["min", spread],
    "lambdas": [lambda s: s.iloc[0], lambda s: s.iloc[-1]],
    "numpy": np.sum,
    "numpy mean": np.mean,
    "numpy std": np.std,
    "numpys": [np.sum, np.max, np.min, np.var, np.prod],
    "python": sum,
    "python max": max,
    "length": len,
    "lengths": [len, "size"],
    "partial": [functools.partial(spread), "sum"],
    "class": [Doubled(), "sum"],
    "pairs": [("low", "min"), ("high", max)],
    "repeated": ["sum", "sum"],
    "dict": {"a": "sum"},
    "wrong name": "nothing",
    "wrong names": ["sum", "nothing"],
    "rows": ["cumsum", "shift"],
    "quantiles": ["median", "quantile"],
    "last": lambda s: s.index[-1],
    "of one": lambda s: s.head(1),
    "missing": lambda s: np.nan,
    "none": lambda s: None,
    "text": lambda s: "x",
    "truth": lambda s: len(s) > 2,
    "tuple": lambda s: (1, 2),
}


@pytest.mark.parametrize("name", SERIES_AGG)
def test_agg_of_series(name):
    for by in ("k", "two"):
        for as_index in (True, False):
            check(
                lambda f, by, as_index: f.groupby(BY[by], as_index=as_index)["int"].agg(
                    SERIES_AGG[name]
                ),
                frame(), by, as_index,
            )  # fmt: skip
    check(lambda f: f.groupby("k")["float"].agg(SERIES_AGG[name]), frame())


RESULTS = {
    "length": len,
    "first": lambda s: s.iloc[0],
    "greatest": lambda s: s.max(),
    "different": lambda s: s.nunique(),
    "first there": lambda s: s.dropna().iloc[0] if s.notna().any() else None,
    "numpy": np.min,
}


@pytest.mark.parametrize("name", RESULTS)
def test_dtypes_of_results(name):
    columns = [each for each in VALUES if each not in ("object", "category", "ordered")]
    samples = {each: (frame(), each) for each in columns}
    check_all(lambda f, each: f.groupby("k")[each].agg(RESULTS[name]), samples)


FRAME_AGG = {
    "name": "sum",
    "names": ["sum", "mean"],
    "mixed names": ["sum", spread],
    "function": spread,
    "numpy": np.sum,
    "length": len,
    "dict": {"int": "sum", "float": "mean"},
    "dict of lists": {"int": ["min", "max"], "float": "mean"},
    "dict of functions": {"int": spread, "float": np.mean},
    "dict with key": {"k": "count", "int": "sum"},
    "dict of wrong": {"none": "sum"},
    "dict of dicts": {"int": {"a": "sum"}},
    "repeated": ["sum", "sum"],
    "rows": ["cumsum"],
    "wrong name": "nothing",
    "lambdas": [lambda s: s.max(), lambda s: s.min()],
    "empty": [],
}


@pytest.mark.parametrize("name", [each for each in FRAME_AGG if each != "empty"])
def test_agg_of_frames(name):
    for by in ("k", "two"):
        for as_index in (True, False):
            check(
                lambda f, by, as_index: f[["k", "s", "int", "float"]]
                .groupby(BY[by], as_index=as_index)[["int", "float"]]
                .agg(FRAME_AGG[name]),
                frame(), by, as_index,
            )  # fmt: skip
    check(lambda f: f[["k", "int", "float"]].groupby("k").agg(FRAME_AGG[name]), frame())


def test_named_aggregation():
    def call(f, library):
        groups = f.groupby("k")
        return groups.agg(
            low=("int", "min"),
            spread=("float", spread),
            rows=("str", "size"),
            same=library.NamedAgg("int", "max"),
            part=library.NamedAgg("int", lambda s, n: s.sum() + n, 3),
        )

    wanted = call(frame(), pd)
    pd.testing.assert_frame_equal(call(px.from_pandas(frame()), px).to_pandas(), wanted)
    check(lambda f: f.groupby("k", as_index=False).agg(a=("int", "sum"), b=("s", "first")), frame())
    check(lambda f: f.groupby("k")["int"].agg(a="sum", b=spread), frame())
    check(lambda f: f.groupby(["k", "s"], as_index=False)["int"].agg(a="sum", b="max"), frame())
    check(lambda f: f.groupby("k").agg(a=("none", "sum")), frame())
    check(lambda f: f.groupby("k").agg(a="sum"), frame())
    check(lambda f: f.groupby("k").agg(), frame())
    check(lambda f: f.groupby("k")["int"].agg(), frame())


def test_arguments_of_functions():
    check(lambda f: f.groupby("k")["int"].agg(lambda s, n: s.sum() + n, 3), frame())
    check(lambda f: f.groupby("k")["int"].agg("quantile", q=0.3), frame())
    check(lambda f: f.groupby("k")["int"].agg("std", ddof=0), frame())
    check(lambda f: f.groupby("k")["int"].transform(lambda s, n: s + n, n=3), frame())
    check(lambda f: f.groupby("k")["int"].apply(lambda s, n: s.sum() + n, n=3), frame())


TRANSFORMS = {
    **{each: each for each in ("sum", "mean", "count", "first", "size", "nunique", "std", "idxmax",
                               "cumsum", "shift", "rank", "ffill", "ngroup", "cumcount", "nothing",
                               "head", "median", "any")},
    "scalar": lambda s: s.max(),
    "series": lambda s: s - s.mean(),
    "array": lambda s: (s * 2).to_numpy(),
    "numpy": np.mean,
    "python": len,
    "list": ["sum", "mean"],
    "dict": {"int": "sum"},
    "two": lambda s: [1, 2],
}  # fmt: skip


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transform(name):
    for by in ("k", "s", "c", "two") if name not in ("list", "dict") else ():
        check(lambda f, by: f.groupby(BY[by])["int"].transform(TRANSFORMS[name]), frame(), by)
    whole = frame()[["k", "int", "float"]][frame()["float"].notna()]
    check(lambda f: f.groupby("k").transform(TRANSFORMS[name]), whole)
    if name not in ("list", "dict"):
        check(lambda f: f.groupby("k", as_index=False)["int"].transform(TRANSFORMS[name]), whole)


def test_transform_of_other_dtypes():
    for column in ("str", "datetime", "category", "Int64", "bool"):
        for name in ("first", "last", "count", "nunique"):
            check(lambda f, c, n: f.groupby("s")[c].transform(n), frame(), column, name)
        check(lambda f, c: f.groupby("s")[c].transform(lambda s: s), frame(), column)


APPLIED = {
    "scalar": lambda d: d["int"].sum(),
    "length": len,
    "series": lambda d: d[["int", "float"]].sum(),
    "other series": lambda d: d["int"],
    "same frame": lambda d: d,
    "copy": lambda d: d.copy(),
    "some columns": lambda d: d[["int"]],
    "head": lambda d: d.head(1),
    "sorted": lambda d: d.sort_values("int"),
    "none": lambda d: None,
    "some none": lambda d: d if len(d) > 2 else None,
    "text": lambda d: "x",
    "name": lambda d: str(d.name),
    "columns": lambda d: len(d.columns),
    "changed": lambda d: d.assign(new=d["int"] * 2),
    "array": lambda d: np.array([1, 2]),
    "list": lambda d: [1, 2],
}


@pytest.mark.parametrize("group_keys", [True, False])
@pytest.mark.parametrize("name", APPLIED)
def test_apply_of_frames(name, group_keys):
    columns = ["k", "s", "int", "float"]
    for by in ("k", "s", "two"):
        check(
            lambda f, by: f[columns].groupby(BY[by], group_keys=group_keys).apply(APPLIED[name]),
            frame(), by,
        )  # fmt: skip
    if name not in ("array", "list"):
        check(
            lambda f: (
                f[["k", "int", "float"]]
                .groupby("k", as_index=False, group_keys=group_keys)
                .apply(APPLIED[name])
            ),
            frame(),
        )


APPLIED_SERIES = {
    "scalar": lambda s: s.sum(),
    "same": lambda s: s * 2,
    "head": lambda s: s.head(2),
    "described": lambda s: s.describe(),
    "dict": lambda s: {"a": s.min(), "b": s.max()},
    "frame": lambda s: s.to_frame(),
    "list": lambda s: s.tolist(),
    "text": lambda s: "x",
    "name": lambda s: str(s.name),
    "none": lambda s: None,
    "counts": lambda s: s.value_counts(),
}


@pytest.mark.parametrize("group_keys", [True, False])
@pytest.mark.parametrize("name", APPLIED_SERIES)
def test_apply_of_series(name, group_keys):
    for by in ("k", "s", "two"):
        check(
            lambda f, by: f.groupby(BY[by], group_keys=group_keys)["int"].apply(
                APPLIED_SERIES[name]
            ),
            frame(), by,
        )  # fmt: skip


def test_apply_by_name():
    check(lambda f: f.groupby("k")["int"].apply("sum"), frame())
    check(lambda f: f.groupby("k")["int"].apply("quantile", 0.2), frame())
    check(lambda f: f.groupby("k")["int"].apply("ngroups"), frame())
    check(lambda f: f.groupby("k")["int"].apply("nothing"), frame())
    check(lambda f: f.groupby("k").apply(len, include_groups=True), frame())
    for rows in (0, 1):
        check(lambda f: f.groupby("k")["int"].apply(lambda s: s.sum()), frame().iloc[:rows])
        check(lambda f: f[["k", "int"]].groupby("k").apply(lambda d: d), frame().iloc[:rows])


FILTERS = {
    "large": lambda d: len(d) > 1,
    "numpy": lambda d: np.bool_(len(d) == 4),
    "none": lambda d: False,
    "all": lambda d: True,
    "missing": lambda d: np.nan,
    "wrong": lambda d: "x",
}


@pytest.mark.parametrize("name", FILTERS)
def test_filter(name):
    for by in ("k", "s", "two"):
        for dropna in (True, False):
            check(lambda f, by, d: f.groupby(BY[by]).filter(FILTERS[name], dropna=d)
                  if name != "wrong" else f.groupby(BY[by]).filter(lambda _: 3, dropna=d),
                  frame()[["k", "s", "int", "float", "str"]], by, dropna)  # fmt: skip
            if name != "wrong":
                check(lambda f, by, d: f.groupby(BY[by])["int"].filter(FILTERS[name], dropna=d),
                      frame(), by, dropna)  # fmt: skip


@pytest.mark.parametrize("name", ["corr", "cov"])
@pytest.mark.parametrize("keywords", [{}, {"min_periods": 3}], ids=str)
def test_relations(name, keywords):
    columns = ["int", "float", "int8"]
    for by in ("k", "two"):
        for options in ({}, {"group_keys": False}, {"as_index": False}, {"sort": False}):
            check(
                lambda f, by, o: getattr(f.groupby(BY[by], **o)[columns], name)(**keywords),
                frame(), by, options,
            )  # fmt: skip
    check(lambda f: getattr(f.groupby("k"), name)(), frame())
    # pandas' cov refuses dates before it leaves out what is no number.
    numbers = frame().drop(columns=["datetime", "timedelta"])
    check(lambda f: getattr(f.groupby("k"), name)(numeric_only=True), numbers)


def test_relations_of_other_kinds():
    check(lambda f: f.groupby("k")[["int", "float"]].corr(method="spearman"), frame())
    check(lambda f: f.groupby("k")[["int", "int8"]].cov(ddof=0), frame())
    check(lambda f: f.groupby("k")["int"].corr(f["float"]), frame())
    check(lambda f: f.groupby("k")["int"].cov(f["float"]), frame())


def test_an_error_says_of_which_group_it_is():
    def fails(values):
        raise RuntimeError("no")

    groups = px.from_pandas(frame()).groupby("s")
    for call in (groups.apply, groups["int"].agg, groups["int"].transform, groups.filter):
        with pytest.raises(RuntimeError, match="no") as caught:
            call(fails)
        assert "group 'a'" in caught.value.__notes__[0]
