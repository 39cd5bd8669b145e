"""`expanding` beside pandas: methods x numbers, of groups too."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx as px

pd = pytest.importorskip("pandas")

from .against_pandas import check, check_all  # noqa: E402
from .frame_samples import SERIES as FEW  # noqa: E402
from .window_samples import FRAME, METHODS, MIXED, SERIES, TIMED, call  # noqa: E402

pytestmark = pytest.mark.usefixtures("device")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("least", [0, 1, 5, 100])
def test_numbers(method, least):
    # pandas counts infinities for `sem`, though they are no part of the deviation.
    but = ("infinite",) if method.startswith("sem") else ()
    exact = method not in ("kurt", "skew")
    check_all(lambda s: call(s.expanding(least), method), SERIES, but=but, exact=exact)


@pytest.mark.parametrize("method", METHODS)
def test_frames(method):
    for frame in (FRAME, FRAME[["int"]], FRAME.iloc[:0], FRAME[[]], MIXED):
        check(lambda f: call(f.expanding(3), method), frame, exact=method != "kurt")
    check(lambda f: call(f.expanding()["int"], method), MIXED)
    check(lambda f: call(f.groupby("int").expanding()["normal"], method), FRAME)
    check(lambda f: call(f.groupby("int")[["holes"]].expanding(2), method), FRAME)
    check(lambda s: call(s.expanding(2), method), TIMED["zone"], exact=method != "kurt")


@pytest.mark.parametrize("method", ["count", "sum", "max", "last"])
def test_dtypes(method):
    check_all(lambda s: call(s.expanding(), method), FEW)


def test_pairs_and_functions():
    check(lambda f: f.expanding(3).cov(), FRAME, exact=False)
    check(lambda f, s: f.expanding(3).corr(s), FRAME, SERIES["normal"], exact=False)
    check(lambda f: f.expanding().agg(["sum", "mean"]), FRAME)
    check(lambda f: f.expanding().agg({"int": "sum", "holes": ["min", "max"]}), FRAME)
    check(lambda f: f.expanding().apply(lambda v: v.sum(), raw=True), FRAME)
    check(lambda f: f.expanding(2).apply(lambda v: v.index[-1]), FRAME)
    check(lambda s: list(s.expanding())[:3], SERIES["int"])


def test_wrong_arguments():
    for least in (-1, "1", 1.5):
        check(lambda s, least=least: s.expanding(least), SERIES["int"])
    check(lambda s: s.expanding(method="nothing"), SERIES["int"])
    check(lambda f: f.expanding()["nothing"], FRAME)
    with pytest.raises(NotImplementedError, match="table"):
        px.Series([1]).expanding(method="table")
    assert repr(px.Series([1]).expanding()) == "Expanding [min_periods=1,method=single]"


def test_long_columns():
    values = np.random.default_rng(2).normal(size=40_000)
    for method in ("sum", "max", "median", "rank average"):
        check(lambda s, m=method: call(s.expanding(3), m), pd.Series(values), exact=False)
