"""Filters whose rows are not gathered: whatever follows has pandas' results."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phalanx._frames.columns.selected import SelectedColumn
from phalanx._frames.selection import filtering

import phalanx as px

from .against_pandas import assert_same, attempt, check, ours, same_kind, theirs


@pytest.fixture(autouse=True)
def filters_of_short_columns(monkeypatch):
    monkeypatch.setattr(filtering, "_FEWEST_ROWS", 1)


INDEXES = {
    "range": None,
    "text": list("abcdefgh"),
    "repeated": [3, 1, 3, 1, 2, 2, 9, 9],
    "floats": [0.5, 1.5, 2.5, 3, 4, 5, 6, 7],
    "dates": pd.date_range("2024-01-01", periods=8),
    "levels": pd.MultiIndex.from_product([["x", "y"], [1, 2, 3, 4]], names=["p", "q"]),
}


def sample(index="range"):
    return pd.DataFrame(
        {
            "a": [1.5, -2.0, np.nan, 4.0, 0.0, 6.5, np.inf, -1.0],
            "b": [3, -1, 4, 1, 0, 9, 2, 6],
            "c": [True, False, True, True, False, False, True, False],
            "d": np.array([1, 2, 100, 127, 0, -128, 7, 8], "int8"),
            "e": np.array([1, 2, 3, 4, 5, 6, 7, 8], "float32"),
        },
        index=INDEXES[index],
    )  # fmt: skip


MIXED = sample().assign(
    t=list("pqrstuvw"),
    n=pd.array([1, None, 3, 4, 5, None, 7, 8], "Int64"),
    w=pd.date_range("2024-01-01", periods=8),
    k=pd.Categorical(list("xyxyxyxy")),
)

MASKS = {
    "some": lambda f: f["b"] > 1,
    "all": lambda f: f["b"] > -99,
    "none": lambda f: f["b"] > 99,
    "bools": lambda f: f["c"],
    "array": lambda f: np.array([True, False] * 4),
    "list": lambda f: [False, True] * 4,
    "inverted": lambda f: ~f["c"],
    "two": lambda f: (f["a"] > 0) & (f["b"] < 5),
    "missing": lambda f: f["a"].isna(),
    "wrong length": lambda f: [True, False],
}

USES = {
    "frame": lambda d: d,
    "column": lambda d: d["a"],
    "columns": lambda d: d[["b", "a"]],
    "index": lambda d: d.index,
    "length": lambda d: len(d),
    "shape": lambda d: (d.shape, d["a"].shape, d.size, d.empty),
    "chain": lambda d: ((d["a"] * 2 + d["b"]) / 3 - 1).sum(),
    "chain of rows": lambda d: (d["a"] * 2 + d["b"]) / 3 - 1,
    "compare": lambda d: (d["a"] > d["b"]).sum(),
    "logic": lambda d: (d["c"] & (d["b"] > 2)) | d["c"],
    "whole quotient": lambda d: d["b"] // d["d"],
    "remainder": lambda d: d["b"] % d["b"],
    "power": lambda d: d["b"] ** 2,
    "powers": lambda d: d["b"] ** d["b"],
    "power of float": lambda d: d["a"] ** d["b"],
    "floor of float": lambda d: (d["a"] // d["b"]).sum(),
    "reflected": lambda d: (1 - d["a"]) * (2 / d["b"]),
    "negative": lambda d: -d["a"] + abs(d["b"]),
    "invert": lambda d: ~d["b"],
    "invert bool": lambda d: (~d["c"]).sum(),
    "small ints": lambda d: d["d"] + d["d"],
    "sum of small ints": lambda d: d["d"].sum(),
    "float32": lambda d: d["e"].sum() + (d["e"] * 2).mean(),
    "np": lambda d: np.sqrt(d["b"] * d["b"]).sum(),
    "np of two": lambda d: np.maximum(d["a"], d["b"]),
    "np of one and list": lambda d: np.add(d["a"], 1.5),
    "where": lambda d: d["a"].where(d["b"] > 1, 0),
    "fillna": lambda d: d["a"].fillna(0).sum(),
    "again": lambda d: d[d["b"] < 5],
    "thrice": lambda d: d[d["b"] < 5][lambda f: f["a"] > 0]["b"].sum(),
    "again by series": lambda d: d["a"][d["b"] < 5],
    "again chained": lambda d: (d["a"] + 1)[d["b"] * 2 < 9].sum(),
    "other labels": lambda d: d["a"] + d["b"].iloc[1:],
    "with an array": lambda d: d["a"] + np.arange(len(d)),
    "scalar text": lambda d: d["b"] == "x",
    "none": lambda d: d["b"] == None,  # noqa: E711
    "nan": lambda d: (d["b"] + np.nan).sum(),
    "assign": lambda d: d.assign(z=d["a"] * 2, y=1),
    "frame sum": lambda d: d.sum(),
    "frame mean": lambda d: d.mean(),
    "frame times": lambda d: d[["a", "b"]] * 2 + d[["a", "b"]],
    "frame compare": lambda d: (d[["a", "b"]] > 1).sum(),
    "describe": lambda d: d["b"].describe(),
    "sort": lambda d: d.sort_values("b", kind="stable"),
    "group": lambda d: d.groupby("c")["b"].sum(),
    "loc": lambda d: d.loc[d["b"] > 2, "a"],
    "loc columns": lambda d: d.loc[d["b"] > 2, ["a", "c"]],
    "iloc": lambda d: d.iloc[:2],
    "element": lambda d: d["b"].iloc[0],
    "head": lambda d: d.head(1)["a"].sum() + d["a"].sum(),
    "astype": lambda d: d["b"].astype("float32").sum(),
    "copy": lambda d: d.copy()["a"].sum(),
    "rename": lambda d: d["a"].rename("q"),
    "reset": lambda d: d.reset_index(drop=True),
    "idxmax": lambda d: d["b"].idxmax(),
    "isna": lambda d: d["a"].isna().sum(),
    "count": lambda d: d["a"].count(),
    "unique": lambda d: d["b"].nunique(),
    "median": lambda d: d["a"].median(),
    "cumsum": lambda d: d["b"].cumsum(),
    "concat": lambda d: d["a"].map(lambda x: x).sum(),
    "iterate": lambda d: list(d["b"]),
    "query": lambda d: d.query("a > 0 and b < 5"),
    "eval": lambda d: d.eval("a * 2 + b").sum(),
    "boolean": lambda d: bool((d["b"] > 0).all()),
    "text": lambda d: repr(d["b"]),
    "to_numpy": lambda d: d.to_numpy(),
    "transpose": lambda d: d.T,
    "pickle": lambda d: len(pickle.dumps(d["a"])) > 0,
}
REDUCTIONS = (
    "sum",
    "prod",
    "min",
    "max",
    "mean",
    "median",
    "var",
    "std",
    "sem",
    "skew",
    "kurt",
    "any",
    "all",
    "count",
)


CASES = [("range", mask) for mask in MASKS] + [
    (index, mask) for index in INDEXES if index != "range" for mask in ("some", "none")
]


@pytest.mark.parametrize(("index", "mask"), CASES)
def test_use(index, mask):
    for name, use in USES.items():
        try:
            check(lambda f, use=use: use(f[MASKS[mask](f)]), sample(index))
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


def _plain(number):
    return float(number) if isinstance(number, np.float32) else number


@pytest.mark.parametrize("mask", MASKS)
def test_reductions(mask):
    for name in REDUCTIONS:
        for column in "abcde":
            for keywords in ({}, {"skipna": False}, {"min_count": 2}):
                if name not in ("sum", "prod") and "min_count" in keywords:
                    continue
                if name == "count" and keywords:
                    continue
                if name in ("skew", "kurt") and column == "c":
                    continue  # of equal bools pandas has NaN
                check(
                    lambda f, n=name, c=column, k=keywords: _plain(
                        getattr(f[MASKS[mask](f)][c], n)(**k)
                    ),
                    sample(),
                    exact=column != "e",
                )


@pytest.mark.parametrize("mask", MASKS)
def test_other_kinds(mask):
    for column in MIXED.columns:
        check(lambda f, c=column: f[MASKS[mask](f)][c], MIXED)
        check(lambda f, c=column: f.loc[MASKS[mask](f), c], MIXED)
        check(lambda f, c=column: f[c][MASKS[mask](f)], MIXED)
        check(lambda f, c=column: f[MASKS[mask](f)][c].count(), MIXED)
    check(lambda f: f[MASKS[mask](f)][f["a"].notna()], MIXED)
    check(lambda f: f[MASKS[mask](f)].query("n > 2")["b"].sum(), MIXED)


def test_assignment_keeps_the_others():
    def program(f):
        d = f[f["b"] > 1]
        other = d["a"] * 2
        d["a"] = 0.0
        d.loc[d["b"] > 3, "b"] = -1
        d["z"] = other
        return d, other, f

    check(program, sample())
    check(lambda f: (lambda d: (d.__setitem__("a", d["a"] + 1), d))(f[f["b"] > 1])[1], sample())

    def in_place(f):
        d = f[f["b"] > 1]
        s = d["a"]
        s += 1
        d.sort_values("b", inplace=True)
        return d, s, d["a"].sum()

    check(in_place, sample())

    def labels(f):
        d = f[f["b"] > 1]
        d.index = range(len(d))
        s = f["b"][f["b"] > 1]
        s.index = list("abcdefgh")[: len(s)]
        return d, s

    check(labels, sample("text"))


def test_division_by_zero_of_rows_that_are_left_out():
    check(lambda f: f[f["b"] != 0]["b"] // f[f["b"] != 0]["b"], sample())
    check(lambda f: (lambda d: d["d"] // d["b"])(f[f["b"] != 0]), sample())
    check(lambda f: (lambda d: d["d"] % d["b"])(f[f["b"] != 0]), sample())
    check(lambda f: (lambda d: d["d"] ** d["b"])(f[f["b"] >= 0]), sample())


def test_one_kernel_reads_the_whole_columns():
    frame = ours(sample())
    kept = frame[frame["b"] > 1]
    made = (kept["a"] * 2 + kept["b"]) / 3
    assert isinstance(made._parts[0], SelectedColumn) and made._parts[0].whole is not None
    made.sum()
    assert "rows" not in vars(made._parts[0].chosen)
    assert kept["a"].index is kept["b"].index


# Random chains.

STEPS = (
    lambda s, o: s + o,
    lambda s, o: s * 2,
    lambda s, o: o - s,
    lambda s, o: s / 3,
    lambda s, o: s - 1,
    lambda s, o: -s,
    lambda s, o: abs(s),
    lambda s, o: s + (o > 1),
    lambda s, o: s // 2,
    lambda s, o: s % 7,
    lambda s, o: s // o,
    lambda s, o: s.fillna(1),
    lambda s, o: s.clip(-5, 5),
    lambda s, o: s.where(o > 0, -1),
    lambda s, o: s[s > 0],
    lambda s, o: s[o < 4],
    lambda s, o: s.round(1),
    lambda s, o: s.head(3),
    lambda s, o: s + s.iloc[::-1],
    lambda s, o: s.astype(float),
    lambda s, o: s.reset_index(drop=True),
)
ENDS = (
    lambda s: s,
    lambda s: s.sum(),
    lambda s: s.mean(),
    lambda s: s.max(),
    lambda s: s.std(),
    lambda s: s.count(),
    lambda s: len(s),
    lambda s: (s > 0).sum(),
    lambda s: s.index,
    lambda s: s.sort_values(kind="stable"),
)


@given(
    st.lists(st.sampled_from(range(len(STEPS))), max_size=6),
    st.sampled_from(sorted(set(MASKS) - {"wrong length"})),
    st.sampled_from(("a", "b", "d")),
    st.sampled_from(("a", "b")),
    st.sampled_from(range(len(ENDS))),
    st.sampled_from(("range", "text", "dates")),
)
@settings(max_examples=150, deadline=None)
def test_random_chains(steps, mask, first, second, end, index):
    def program(frame):
        kept = frame[MASKS[mask](frame)]
        made, other = kept[first], kept[second]
        for step in steps:
            made = STEPS[step](made, other)
        return ENDS[end](made)

    frame = sample(index)
    wanted, error = attempt(program, frame)
    found, own = attempt(program, ours(frame))
    if error is not None or own is not None:
        assert error is not None and own is not None and same_kind(error, own), (error, own, found)
        return
    assert_same(theirs(found), wanted, exact=False)


def test_large_columns():
    generator = np.random.default_rng(5)
    frame = pd.DataFrame(
        {"a": generator.normal(size=300_000), "b": generator.integers(0, 9, 300_000)}
    )
    for use in ("chain", "again", "thrice", "sort"):
        check(lambda f, use=use: USES[use](f[f["a"] > 0.5]), frame, exact=False)
    with px.option_context("display.max_rows", 6):
        check(lambda f: len(f[f["a"] > 0]), frame)


def test_explain_tells_of_each_column():
    frame = ours(sample())
    kept = frame[frame["b"] > 1].assign(t="x")
    kept["a"] = kept["a"] * 2 + kept["b"]
    found = px.explain(kept)
    assert list(found.columns) == ["a", "b", "c", "d", "e", "t"]
    state, kernels = found.columns["a"]
    assert "not gathered" in state and len(kernels.kernels) == 1
    assert found.columns["t"][1] is None and "t: str" in repr(found)
    assert "float64" in repr(px.explain(kept["a"]))
    with pytest.raises(ValueError, match="text"):
        px.explain(kept, "svg")


def test_query_and_eval_record_one_expression():
    frame = ours(sample())
    made = frame.query("a > 0 and b < 5").eval("(a * 2 + b) / 3 - a")
    _, found = px.explain(made).columns[None]
    assert len(found.kernels) == 1 and "not gathered" in px.explain(made).columns[None][0]
