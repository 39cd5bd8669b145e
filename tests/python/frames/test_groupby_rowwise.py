"""Methods of groups that give rows for rows, beside pandas: methods x dtypes x keywords x keys."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from .against_pandas import check, check_all
from .groupby_samples import BY, VALUES, frame

METHODS = {
    "cumsum": [{}, {"skipna": False}],
    "cumprod": [{}, {"skipna": False}],
    "cummin": [{}, {"skipna": False}],
    "cummax": [{}, {"skipna": False}],
    "shift": [{}, {"periods": -1}, {"periods": 0}, {"periods": 2, "fill_value": 0},
              {"periods": [1, -1]}, {"periods": [0, 1], "suffix": "x"}],
    "diff": [{}, {"periods": -1}],
    "pct_change": [{}, {"periods": 2}],
    "ffill": [{}, {"limit": 1}],
    "bfill": [{}, {"limit": 1}],
    "rank": [{}, *({"method": each} for each in ("min", "max", "first", "dense")),
             {"ascending": False}, {"na_option": "top"}, {"na_option": "bottom"}, {"pct": True},
             {"method": "dense", "pct": True}, {"na_option": "top", "ascending": False}],
    "cumcount": [{}, {"ascending": False}],
    "ngroup": [{}, {"ascending": False}],
    "head": [{}, {"n": 1}, {"n": -1}, {"n": 0}],
    "tail": [{}, {"n": 1}, {"n": -1}, {"n": 0}],
    "nlargest": [{}, {"n": 2}, {"n": 2, "keep": "last"}, {"n": 1, "keep": "all"}],
    "nsmallest": [{}, {"n": 2}],
}  # fmt: skip
# What is not the same, and why.
APART = {
    # The text of pandas' error is another class: of Arrow's, of NumPy's, or none.
    ("cumsum", "str"), ("rank", "object"),
}  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
def test_series(name):
    samples = {
        f"{column} {keywords}": (frame(), column, keywords)
        for column in VALUES
        for keywords in METHODS[name]
        if (name, column) not in APART
    }
    check_all(
        lambda f, column, keywords: getattr(f.groupby("k")[column], name)(**keywords), samples
    )


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("by", BY)
def test_keys(name, by):
    def call(f, sort, dropna):
        groups = f.groupby(BY[by], sort=sort, dropna=dropna)
        return getattr(groups["int"], name)()

    for sort, dropna in ((True, True), (False, True), (True, False)):
        check(call, frame(), sort, dropna)


@pytest.mark.parametrize("name", [each for each in METHODS if not each.startswith("n")])
def test_frames(name):
    columns = ["int", "float", "Int64", "int8"]
    for as_index in (True, False):
        check(lambda f, a: getattr(f.groupby("k", as_index=a)[columns], name)(), frame(), as_index)
    check(lambda f: getattr(f[[*columns, "k"]].groupby("k"), name)(), frame())


@pytest.mark.parametrize("name", METHODS)
def test_few_rows(name):
    for rows in (0, 1):
        check(lambda f: getattr(f.groupby("k")["int"], name)(), frame().iloc[:rows])


def test_numeric_only():
    for name in ("cumsum", "cummax"):
        check(lambda f, n: getattr(f.groupby("k"), n)(numeric_only=True), frame(), name)
        check(lambda f, n: getattr(f.groupby("k")["str"], n)(numeric_only=True), frame(), name)


@pytest.mark.parametrize(
    "n",
    [0, 1, -1, 7, [0, 2], [-1, 0], slice(1, None), slice(None, -1), slice(0, None, 2),
     slice(-2, None), slice(1, 3), slice(-3, -1), (0, slice(2, None))],
    ids=str,
)  # fmt: skip
def test_nth(n):
    for by in ("k", "s", "two"):
        check(lambda f, by: f.groupby(BY[by]).nth(n), frame(), by)
        check(lambda f, by: f.groupby(BY[by])["int"].nth(n), frame(), by)


@pytest.mark.parametrize("how", ["any", "all"])
@pytest.mark.parametrize("n", [0, 1, -1])
def test_nth_of_whole_rows(n, how):
    check(lambda f: f.groupby("k").nth(n, dropna=how), frame())
    check(lambda f: f.groupby("k")[["float", "str"]].nth(n, dropna=how), frame())


@pytest.mark.parametrize(
    "keywords",
    [{}, {"n": 2, "replace": True}, {"frac": 0.5}, {"weights": list(range(1, 10))}],
    ids=str,
)
def test_sample(keywords):
    check(lambda f: f.groupby("k").sample(random_state=3, **keywords), frame())
    check(lambda f: f.groupby("k")["int"].sample(random_state=3, **keywords), frame())


@pytest.mark.parametrize(
    "call",
    [
        lambda g: g.shift(1.5),
        lambda g: g.shift([]),
        lambda g: g.shift(1, suffix="x"),
        lambda g: g.rank(na_option="no"),
        lambda g: g.rank(method="no"),
        lambda g: g.pct_change(fill_method="ffill"),
        lambda g: g.nth("x"),
        lambda g: g.nth([0], dropna="any"),
        lambda g: g.nth(0, dropna="no"),
        lambda g: g.nth(slice(None, None, -1)),
        lambda g: g.sample(50),
        lambda g: g.sample(1, frac=0.1),
    ],
)
def test_errors(call):
    check(lambda f: call(f.groupby("k")[["int", "float"]]), frame())


def test_many_rows():
    draw = np.random.default_rng(3)
    keys = draw.integers(-1, 50, 20_000)
    data = pd.DataFrame({"k": np.where(keys < 0, np.nan, keys), "v": draw.integers(0, 99, 20_000)})
    data["w"] = np.where(draw.random(20_000) < 0.3, np.nan, data["v"] / 4)
    for name in ("cumsum", "shift", "rank", "ffill", "cumcount", "ngroup", "diff"):
        check(lambda f, name: getattr(f.groupby("k")[["v", "w"]], name)(), data, name)
    check(lambda f: f.groupby("k")["v"].nlargest(3), data)
    check(lambda f: f.groupby("k").head(2), data)
