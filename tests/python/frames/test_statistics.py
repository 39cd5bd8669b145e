"""Reductions, quantiles, descriptions and correlations, against pandas."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx as px

from .against_pandas import check, check_all
from .frame_samples import EMPTY, FEW, FRAMES, NUMBERS, SERIES

REDUCTIONS = [
    "sum",
    "prod",
    "mean",
    "median",
    "min",
    "max",
    "std",
    "var",
    "sem",
    "skew",
    "kurt",
    "any",
    "all",
]
OTHERS = ["count", "nunique", "idxmin", "idxmax", "mode"]
# pandas refuses texts before it looks for missing values, we after.
MIXED = ("object",)


@pytest.mark.parametrize("name", REDUCTIONS + OTHERS)
def test_series(name):
    check_all(lambda s: getattr(s, name)(), FEW)
    check_all(lambda s: getattr(s.iloc[:1], name)(), FEW)
    check_all(lambda s: getattr(s[s.isna()], name)(), FEW, but=MIXED)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_series_without_rows(name):
    check_all(lambda s: getattr(s, name)(), EMPTY, but=MIXED)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_missing_rows_count(name):
    check_all(lambda s: getattr(s, name)(skipna=False), FEW, but=MIXED)


@pytest.mark.parametrize("name", [*REDUCTIONS, "count"])
@pytest.mark.parametrize("axis", [0, 1])
def test_frames(name, axis):
    for frame in (NUMBERS, NUMBERS[["a", "b"]], NUMBERS[["b"]], NUMBERS[["c"]]):
        check(lambda d: getattr(d, name)(axis=axis), frame)
        if name != "count":
            check(lambda d: getattr(d, name)(axis=axis, skipna=False), frame)


@pytest.mark.parametrize("name", REDUCTIONS + OTHERS)
def test_frames_of_all_kinds(name):
    check(lambda d: getattr(d, name)(), FRAMES["str"])
    if name not in ("nunique", "any", "all"):
        check(lambda d: getattr(d, name)(numeric_only=True), FRAMES["str"])


def test_min_count_ddof_and_all_axes():
    check(lambda s: (s.sum(min_count=4), s.prod(min_count=3)), SERIES["float/str"])
    check(lambda d: (d.sum(min_count=4), d.sum(min_count=3, axis=1)), NUMBERS)
    check(lambda s: (s.std(ddof=0), s.var(ddof=3), s.sem(ddof=0)), SERIES["float/str"])
    check(lambda d: (d.sum(axis=None), d.max(axis=None), d.mean(axis=None)), NUMBERS[["a", "b"]])
    check(lambda d: d.sum(axis="nothing"), NUMBERS)
    check(lambda d: d.sum(nothing=1), NUMBERS)


@pytest.mark.parametrize("interpolation", ["linear", "lower", "higher", "nearest", "midpoint"])
@pytest.mark.parametrize("q", [0.5, 0, [0.1, 0.9]])
def test_quantile(q, interpolation):
    kinds = {
        kind: SERIES[f"{kind}/str"] for kind in ("int", "float", "Int64", "datetime", "timedelta")
    }
    check_all(lambda s: s.quantile(q, interpolation=interpolation), kinds)
    check(lambda d: d.quantile(q, interpolation=interpolation), NUMBERS[["a", "b"]])


def test_describe():
    check_all(lambda s: s.describe(), FEW)
    check(lambda d: d.describe(), NUMBERS)
    check(lambda d: d.describe(include="all"), NUMBERS)
    check(lambda d: d.describe(percentiles=[0.05, 0.5, 0.999]), NUMBERS)
    check(lambda d: d.describe(include=[np.number]), NUMBERS)
    check(lambda d: d.describe(include=["object"]), FRAMES["str"])
    check(lambda d: d.describe(), FRAMES["str"][["int", "float", "str", "bool"]])
    check(lambda d: d.describe(), FRAMES["str"][["str"]])


@pytest.mark.parametrize("method", ["pearson", lambda a, b: float(len(a))])
def test_corr(method):
    check(lambda d: d.corr(method=method, numeric_only=True), NUMBERS)
    check(lambda a, b: a.corr(b, method=method), SERIES["int/str"], SERIES["float/str"])


def test_corr_of_ranks():
    """pandas asks SciPy for these; what they are is known."""
    a, b = px.Series([1, 2, 3, 4, 5]), px.Series([5, 6, 7, 8, 7])
    assert np.isclose(a.corr(b, method="spearman"), a.rank().corr(b.rank()))
    assert np.isclose(a.corr(b, method="kendall"), 7 / np.sqrt(10 * 9))
    assert px.DataFrame({"a": a, "b": b}).corr("spearman").shape == (2, 2)


def test_cov_and_products():
    check(lambda d: (d.cov(), d.cov(ddof=0), d.cov(min_periods=4)), NUMBERS)
    check(lambda a, b: (a.cov(b), a.autocorr()), SERIES["int/str"], SERIES["float/str"])
    check(lambda d: (d.corrwith(d["a"]), d.corrwith(d[["a", "b"]] * 2)), NUMBERS)
    check(lambda d: (d.dot(d.T), d["a"].dot(d["a"]), d["a"] @ d[["a"]]), NUMBERS[["a"]])
    check(lambda d: d.dot(d), NUMBERS[["a", "b"]])
    check(lambda d: d.cov(), FRAMES["str"])
