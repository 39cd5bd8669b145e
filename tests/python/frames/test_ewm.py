"""`ewm` beside pandas: methods x numbers x ways to say the weights, of groups too."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import phalanx as px

pd = pytest.importorskip("pandas")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from .against_pandas import check, check_all  # noqa: E402
from .frame_samples import SERIES as FEW  # noqa: E402
from .window_samples import FRAME, MIXED, SERIES, TIMES  # noqa: E402

pytestmark = pytest.mark.usefixtures("device")

METHODS = {"mean": {}, "sum": {}, "var": {}, "std": {}, "var biased": {"bias": True},
           "std biased": {"bias": True}}  # fmt: skip
WEIGHTS = {
    "com": {"com": 2},
    "com 0": {"com": 0},
    "span": {"span": 5.5},
    "halflife": {"halflife": 3},
    "alpha": {"alpha": 0.3},
    "alpha 1": {"alpha": 1},
}


def call(of, method, keywords):
    return getattr(of.ewm(**keywords), method.split()[0])(**METHODS[method])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_numbers(method, weights):
    for adjust, ignore, least in itertools.product((True, False), (True, False), (0, 4)):
        keywords = {"adjust": adjust, "ignore_na": ignore, "min_periods": least, **WEIGHTS[weights]}
        check_all(lambda s, k=keywords: call(s, method, k), SERIES)


@pytest.mark.parametrize("method", METHODS)
def test_frames(method):
    for frame in (FRAME, FRAME.iloc[:0], FRAME[[]], MIXED):
        check(lambda f: call(f, method, {"com": 1}), frame)
    check(lambda f: call(f, method, {"com": 1, "min_periods": None}), FRAME)
    check(lambda f: getattr(f.ewm(1), method.split()[0])(numeric_only=True), MIXED)
    check(lambda f: getattr(f.ewm(1)["int"], method.split()[0])(), MIXED)
    check(lambda f: call(f.groupby("int"), method, {"com": 1}), FRAME)
    check(lambda f: call(f.groupby("int")[["holes"]], method, {"com": 2, "adjust": False}), FRAME)


@pytest.mark.parametrize("method", ["mean", "var"])
def test_dtypes(method):
    check_all(lambda s: call(s, method, {"com": 1}), FEW)


TIMINGS = {
    "series": pd.Series(TIMES),
    "index": TIMES,
    "seconds": TIMES.as_unit("s"),
    "zone": pd.Series(TIMES.tz_localize("UTC")),
}


@pytest.mark.parametrize("times", TIMINGS)
def test_times(times):
    for adjust, ignore, half in itertools.product(
        (True, False), (True, False), ("1D", "90min", pd.Timedelta("2D"), np.timedelta64(8, "h"))
    ):
        keywords = {"adjust": adjust, "ignore_na": ignore, "halflife": half}
        check(lambda s, t, k=keywords: s.ewm(times=t, **k).mean(), SERIES["holes"], TIMINGS[times])
    check(lambda s, t: s.ewm(halflife="1D", com=2, times=t).mean(), SERIES["int"], TIMINGS[times])
    check(
        lambda f, t: f.groupby("int")[["holes"]].ewm(halflife="1D", times=t).mean(),
        FRAME, TIMINGS[times],
    )  # fmt: skip


@pytest.mark.parametrize("method", ["cov", "corr"])
def test_pairs(method):
    for pairwise in (None, True, False):
        for other in (None, SERIES["repeated"], FRAME[["int", "normal"]]):
            check(
                lambda f, o, p=pairwise: getattr(f.ewm(2), method)(o, pairwise=p), FRAME, other,
                exact=False,
            )  # fmt: skip
    check(lambda a, b: getattr(a.ewm(2), method)(b), SERIES["holes"], SERIES["infinite"])
    check(lambda a: getattr(a.ewm(2), method)([1]), SERIES["holes"])
    check(lambda f: getattr(f.groupby("int").ewm(2), method)(), FRAME, exact=False)
    with pytest.raises(NotImplementedError, match="join them first"):
        getattr(px.from_pandas(FRAME).groupby("int").ewm(2), method)(px.Series([1]))


def test_agg():
    for func in ("mean", ["mean", "std"], {"int": "mean"}, {"int": ["mean"], "holes": "sum"}):
        check(lambda f, func=func: f.ewm(2).agg(func), FRAME)
    check(lambda f: f.ewm(2).agg(lambda v: v.sum()), FRAME)
    check(lambda f: f.ewm(2).agg("median"), FRAME)


WRONG = {
    "none": {},
    "two": {"com": 1, "span": 2},
    "com": {"com": -1},
    "span": {"span": 0.5},
    "halflife": {"halflife": 0},
    "alpha": {"alpha": 0},
    "alpha 2": {"alpha": 2},
    "duration": {"halflife": "1D"},
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_weights(name):
    check(lambda s: s.ewm(**WRONG[name]), SERIES["int"])


def test_wrong_times():
    series, times = SERIES["int"], pd.Series(TIMES)
    check(lambda s, t: s.ewm(halflife="1D", times=t), series, times.iloc[:5])
    check(lambda s, t: s.ewm(halflife=2, times=t), series, times)
    check(lambda s, t: s.ewm(halflife="1D", times=t), series, times.where(times.index != 3))
    check(lambda s: s.ewm(halflife="1D", times=s), series)
    check(lambda s, t: s.ewm(halflife="1D", com=1, adjust=False, times=t), series, times)
    for method in ("sum", "var", "std", "cov", "corr"):
        check(lambda s, t, m=method: getattr(s.ewm(halflife="1D", times=t), m)(), series, times)
    check(lambda s: s.ewm(2, adjust=False).sum(), series)
    for keywords in ({"method": "table"}, {"min_periods": 1}):
        if "method" in keywords:
            with pytest.raises(NotImplementedError, match="table"):
                px.Series([1]).ewm(1, **keywords)
    with pytest.raises(NotImplementedError, match="online"):
        px.Series([1]).ewm(1).online()


values = st.lists(st.one_of(st.floats(-1e3, 1e3), st.just(float("nan"))), max_size=30)


@settings(max_examples=40, deadline=None)
@given(values, st.floats(0, 10), st.booleans(), st.booleans(), st.sampled_from(sorted(METHODS)))
def test_random(values, com, adjust, ignore, method):
    # With a com of 1 and no adjustment pandas weighs as if there were times.
    com = com if adjust or com != 1 else 2
    keywords = {"com": com, "adjust": adjust, "ignore_na": ignore}
    check(lambda s: call(s, method, keywords), pd.Series(values, dtype="f8").round(3), exact=False)


@pytest.mark.parametrize("adjust", [True, False])
def test_long_columns_begin_anew(adjust):
    values = np.random.default_rng(4).normal(size=600_000) + 5
    for keywords in ({"com": 3}, {"span": 500, "min_periods": 200_000}):
        check(
            lambda s, k=keywords: s.ewm(adjust=adjust, **k).mean(), pd.Series(values), exact=False
        )
    check(lambda s: s.ewm(com=9, adjust=adjust).var(), pd.Series(values), exact=False)
