"""Aggregations of groups beside pandas: methods x dtypes x keywords x keys."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest

from .against_pandas import check, check_all
from .groupby_samples import BY, VALUES, frame

METHODS = {
    "sum": [{}, {"min_count": 1}, {"min_count": 3}, {"skipna": False}],
    "prod": [{}, {"min_count": 2}, {"skipna": False}],
    "mean": [{}, {"skipna": False}],
    "median": [{}, {"skipna": False}],
    "var": [{}, {"ddof": 0}, {"skipna": False}],
    "std": [{}, {"ddof": 0}, {"skipna": False}],
    "sem": [{}, {"ddof": 0}, {"skipna": False}],
    "skew": [{}, {"skipna": False}],
    "kurt": [{}, {"skipna": False}],
    "min": [{}, {"min_count": 2}, {"skipna": False}],
    "max": [{}, {"min_count": 2}, {"skipna": False}],
    "first": [{}, {"min_count": 2}, {"skipna": False}],
    "last": [{}, {"min_count": 2}, {"skipna": False}],
    "any": [{}, {"skipna": False}],
    "all": [{}, {"skipna": False}],
    "count": [{}],
    "nunique": [{}, {"dropna": False}],
    "size": [{}],
    "idxmin": [{}, {"skipna": False}],
    "idxmax": [{}],
    "quantile": [{}, {"q": 0.25}, {"q": [0.1, 0.5]}, {"q": 0.3, "interpolation": "lower"},
                 {"q": 0.3, "interpolation": "nearest"}],
    "unique": [{}],
    "value_counts": [{}, {"normalize": True}, {"ascending": True}, {"sort": False},
                     {"dropna": False}],
    "describe": [{}],
}  # fmt: skip
# What is not the same, and why.
APART = {
    # A reduction of categories to truths gives a category whose codes are the truths.
    ("any", "category"), ("all", "category"), ("any", "ordered"), ("all", "ordered"),
    # Arrays of values are NumPy's here.
    *(("unique", each) for each in ("datetime", "timedelta", "Int64", "Float64", "boolean")),
}  # fmt: skip


# pandas computes those of float32 in float32.
FLOATS = ("var", "std", "sem", "skew", "kurt")


def called(groups, name, **keywords):
    """A method's result. The order of values that are as frequent is that of pandas' sort."""
    made = getattr(groups, name)(**keywords)
    if name != "value_counts":
        return made
    if made.ndim == 1:
        return made.sort_index()
    return made.sort_values(list(made.columns), ignore_index=True)


@pytest.mark.parametrize("name", METHODS)
def test_series(name):
    samples = {
        f"{column} {keywords}": (frame(), column, keywords)
        for column in VALUES
        for keywords in METHODS[name]
        if (name, column) not in APART
    }
    check_all(
        lambda f, column, keywords: called(f.groupby("k")[column], name, **keywords),
        samples,
        exact=name not in FLOATS,
    )


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("by", BY)
def test_keys(name, by):
    values = ["int", "float", "Int64"]
    for as_index, sort in itertools.product((True, False), repeat=2):
        if name == "describe" and not (as_index or sort) and by in ("two", "three"):
            continue  # pandas puts the keys beside rows of other groups.
        check(
            lambda f, as_index, sort: called(
                f.groupby(BY[by], as_index=as_index, sort=sort)["int"], name
            ),
            frame(), as_index, sort,
        )  # fmt: skip
        if name != "unique":
            check(
                lambda f, as_index, sort: called(
                    f.groupby(BY[by], as_index=as_index, sort=sort)[values], name
                ),
                frame()[frame()["float"].notna()], as_index, sort,
            )  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
def test_missing_keys_and_all_categories(name):
    if name in ("idxmin", "idxmax"):
        options = [{"dropna": False}]
    else:
        options = [{"dropna": False}, {"observed": False}, {"dropna": False, "sort": False}]
    for keywords, by in itertools.product(options, ("s", "c", "three", "two")):
        check(
            lambda f, by, keywords: called(f.groupby(BY[by], **keywords)["int"], name),
            frame(), by, keywords,
        )  # fmt: skip


@pytest.mark.parametrize("name", [each for each in METHODS if each not in ("unique", "size")])
def test_whole_frames(name):
    check(lambda f: called(f.groupby("k"), name), frame())
    if name not in ("count", "nunique", "any", "all", "value_counts", "describe"):
        whole = frame()[frame()["float"].notna()]
        exact = name not in FLOATS
        check(lambda f: called(f.groupby("k"), name, numeric_only=True), whole, exact=exact)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("rows", [0, 1])
def test_few_rows(name, rows):
    check(lambda f: getattr(f.groupby("k")["int"], name)(), frame().iloc[:rows])
    check(lambda f: getattr(f.groupby(["k", "s"])["float"], name)(), frame().iloc[:rows])


def test_frames_without_columns():
    only = frame()[["k"]]
    for name in ("sum", "mean", "count", "first", "min", "size"):
        check(lambda f, name: getattr(f.groupby("k"), name)(), only, name)


def test_repeated_columns():
    twice = frame()[["k", "int", "float"]].set_axis(["k", "a", "a"], axis=1)
    for name in ("sum", "mean", "max", "cumsum", "head"):
        check(lambda f, name: getattr(f.groupby("k"), name)(), twice, name)


def test_ohlc():
    check(lambda f: f.groupby("k")["int"].ohlc(), frame())
    check(lambda f: f.groupby("k")[["int", "float"]].ohlc(), frame())
    check(lambda f: f.groupby("k")["str"].ohlc(), frame())


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f.groupby("k")["str"].sum(numeric_only=True),
        lambda f: f.groupby("k").sum(numeric_only="yes"),
        lambda f: f.groupby("k")["int"].quantile(1.5),
        lambda f: f.groupby("k")[["int", "str"]].mean(),
        lambda f: f.groupby("c", observed=False)["int"].idxmin(),
    ],
)
def test_errors(call):
    check(call, frame())


@pytest.mark.parametrize("dropna", [True, False])
@pytest.mark.parametrize("normalize", [True, False])
def test_counts_in_intervals(dropna, normalize):
    # No value of the second group is in an interval.
    given = pd.DataFrame({"k": ["a", "b", "a", "a"], "x": [1.0, 7, 3, None]})
    for bins in ([0, 5], 2):  # pandas counts of several given intervals are wrong
        check(
            lambda f, bins: (
                f.groupby("k")["x"]
                .value_counts(bins=bins, dropna=dropna, normalize=normalize, sort=False)
                .sort_index()
            ),
            given,
            bins,
        )


def test_messages_name_the_column():
    import phalanx as px

    with pytest.raises(TypeError, match=r"'str'.*numeric_only=True"):
        px.from_pandas(frame()).groupby("k")[["int", "str"]].mean()


def test_oracle_has_all():
    groups = pd.DataFrame({"a": [1]}).groupby("a")
    assert all(hasattr(groups, name) or name == "unique" for name in METHODS)
