"""`rolling` beside pandas: methods x numbers x windows, of rows and of time, of groups too."""

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
from .window_samples import (  # noqa: E402
    FRAME,
    METHODS,
    MIXED,
    NUMBERS,
    SERIES,
    TIMED,
    TIMES,
    call,
)

pytestmark = pytest.mark.usefixtures("device")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("window", [0, 1, 3, 100])
def test_numbers(method, window):
    # pandas counts infinities for `sem`, though they are no part of the deviation.
    but = ("infinite",) if method.startswith("sem") else ()
    check_all(
        lambda s: call(s.rolling(window, min_periods=min(window, 2)), method), SERIES, but=but
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("closed", [None, "right", "left", "both", "neither"])
def test_keywords(method, closed):
    # pandas ranks a row that has left the window where no row enters with it, and no row as 0.
    is_rank = method.startswith("rank")
    centers, counts = ((False,), (1, 4)) if is_rank else ((False, True), (None, 0, 4))
    for center, least, step in itertools.product(centers, counts, (None, 3)):
        keywords = {"center": center, "min_periods": least, "step": step, "closed": closed}
        check(
            lambda s, keywords=keywords: call(s.rolling(4, **keywords), method),
            SERIES["holes"], exact=method != "kurt",
        )  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("window", ["1h", "36h"])
def test_times(method, window):
    for closed in (None, "left", "both", "neither"):
        check_all(lambda s, closed=closed: call(s.rolling(window, closed=closed), method), TIMED)


@pytest.mark.parametrize("closed", [None, "right", "left", "both", "neither"])
@pytest.mark.parametrize("least", [None, 0, 2])
def test_centered_times(closed, least):
    for method, window in itertools.product(("sum", "max", "count"), ("2h", "3D")):
        check_all(
            lambda s, m=method, w=window: call(
                s.rolling(w, center=True, closed=closed, min_periods=least), m
            ),
            TIMED,
        )


def test_texts_and_durations():
    windows = ["2D", "1D 3h", "90min", np.timedelta64(3, "h"), pd.Timedelta("2D"),
               pd.Timedelta(days=1).to_pytimedelta()]  # fmt: skip
    for window in windows:
        check(lambda s, window=window: s.rolling(window).sum(), TIMED["up"])


@pytest.mark.parametrize("method", ["count", "sum", "median", "first", "nunique", "rank average"])
def test_dtypes(method):
    check_all(lambda s: call(s.rolling(2, min_periods=1), method), FEW)


@pytest.mark.parametrize("method", METHODS)
def test_frames(method):
    name, *_ = method.split()
    for frame in (FRAME, FRAME[["int"]], FRAME.iloc[:0], FRAME[[]], FRAME.iloc[:1]):
        check(lambda f: call(f.rolling(5, min_periods=2), method), frame, exact=method != "kurt")
    check(lambda f: call(f.rolling(2), method), MIXED)
    check(lambda f: getattr(f.rolling(2), name)(*METHODS[method], numeric_only=True), MIXED)
    if name == "sem":  # pandas takes the root of `when`
        return
    check(lambda f: call(f[["normal", "when", "int"]].rolling("2D", on="when"), method), MIXED)
    check(lambda f: call(f.rolling(3, on="when")[["int", "when"]], method), MIXED)
    check(lambda f: call(f.rolling("2D", on="when")["int"], method), MIXED)


def test_numeric_only_of_series():
    check(lambda s: s.rolling(2).sum(numeric_only=True), pd.Series(["a"]))
    check(lambda s: s.rolling(2).sum(numeric_only=True), pd.Series([1, 2]))


OTHERS = {
    "series": SERIES["repeated"],
    "frame": FRAME[["int", "normal"]].set_axis(["int", "other"], axis=1),
    "shorter": SERIES["normal"].iloc[10:40],
    "later": pd.Series(NUMBERS["normal"], index=range(30, 90)),
    "none": None,
    "list": [1, 2],
}


@pytest.mark.parametrize("method", ["cov", "corr"])
@pytest.mark.parametrize("other", OTHERS)
def test_pairs(method, other):
    for of, pairwise in itertools.product((SERIES["holes"], FRAME), (None, True, False)):
        if other == "frame" and pairwise is True and of.ndim == 1:
            continue
        check(
            lambda of, other, p=pairwise: getattr(of.rolling(6, min_periods=3), method)(
                other, pairwise=p
            ),
            of, OTHERS[other], exact=False,
        )  # fmt: skip


def test_pairs_of_times_and_keywords():
    both = (TIMED["up"], TIMED["up"] ** 2)
    check(lambda a, b: a.rolling("3D").corr(b), *both, exact=False)
    check(lambda a, b: a.rolling(4, closed="left").cov(b, ddof=0), *both, exact=False)
    check(lambda f: f.rolling(4, step=2).cov(), FRAME)
    check(lambda f: f.rolling(4).corr(numeric_only=True), MIXED, exact=False)
    check(lambda f: f.rolling(4).corr(), MIXED)


FUNCTIONS = {
    "name": "sum",
    "names": ["sum", "mean"],
    "numpy": np.sum,
    "builtin": max,
    "function": lambda v: v.max() - v.min(),
    "mixed": ["sum", np.std, lambda v: v.sum()],
    "dict": {"int": "sum", "holes": "mean"},
    "dict of lists": {"int": ["sum", "min"], "holes": "mean"},
    "unknown": "nothing_such",
    "unknown column": {"nothing": "sum"},
    "nothing": None,
    "empty": [],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_agg(name):
    func = FUNCTIONS[name]
    check(lambda f: f.rolling(3).agg(func), FRAME)
    check(lambda f: f.rolling(3)[["int", "holes"]].agg(func), FRAME)
    if name not in ("dict", "dict of lists", "unknown column"):
        check(lambda s: s.rolling(3).agg(func), SERIES["int"])
    if name in ("name", "function", "dict"):  # lists with `on` are an error of pandas
        check(lambda f: f.rolling("2D", on="when").agg(func), MIXED[["int", "holes", "when"]])


def test_agg_by_keywords():
    check(lambda f: f.rolling(3).agg(total=("int", "sum"), most=("holes", "max")), FRAME)
    check(lambda f: f.rolling(3).agg(total="sum"), FRAME)
    check(lambda s: s.rolling(3).agg({"a": "sum", "b": "mean"}), SERIES["int"])
    check(lambda f: f.rolling(3).agg("var", ddof=0), FRAME)
    check(lambda f: f.rolling(3).pipe(lambda r: r.sum() + 1), FRAME)


@pytest.mark.parametrize("raw", [True, False])
def test_apply(raw):
    def spread(values, times=1):
        return (values.max() - values.min()) * times

    for of in (SERIES["holes"], SERIES["infinite"], FRAME, SERIES["no rows"], MIXED):
        check(lambda of: of.rolling(4, min_periods=2).apply(spread, raw=raw), of)
        check(
            lambda of: of.rolling(4, min_periods=2).apply(spread, raw=raw, args=(2,), kwargs={}),
            of,
        )
    check(lambda s: s.rolling(4).apply(spread, raw=raw, kwargs={"times": 3}), SERIES["normal"])
    check(lambda s: s.rolling("2D").apply(spread, raw=raw), TIMED["up"])
    check(lambda s: s.rolling(3, step=2, center=True).apply(spread, raw=raw), SERIES["normal"])
    check(lambda s: s.rolling(3).apply(lambda v: "1", raw=raw), SERIES["normal"])
    check(lambda s: s.rolling(3).apply(lambda v: 1 / 0, raw=raw), SERIES["normal"])
    check(lambda s: s.rolling(3).apply(lambda v: len(v), raw=raw), SERIES["int"])


def test_apply_has_labels_and_keywords():
    check(lambda s: s.rolling(3).apply(lambda v: v.index[0]), SERIES["int"])
    check(lambda s: s.rolling(3).apply(sum, raw=2), SERIES["int"])
    check(lambda s: s.rolling(3).apply(sum, raw=True, engine="nothing"), SERIES["int"])
    check(lambda s: s.rolling(3).apply(sum, raw=True, engine_kwargs={}), SERIES["int"])
    with pytest.raises(NotImplementedError, match="numba"):
        px.Series([1, 2]).rolling(2).apply(sum, raw=True, engine="numba")
    with pytest.raises(NotImplementedError, match="engine"):
        px.Series([1, 2]).rolling(2).sum(engine="numba")


WRONG = {
    "negative": {"window": -1},
    "fraction": {"window": 2.5},
    "bool": {"window": True},
    "nothing": {"window": None},
    "text": {"window": "3D"},
    "min_periods": {"window": 3, "min_periods": 4},
    "min_periods text": {"window": 3, "min_periods": "4"},
    "min_periods negative": {"window": 3, "min_periods": -1},
    "center": {"window": 3, "center": 1},
    "closed": {"window": 3, "closed": "up"},
    "step": {"window": 3, "step": -1},
    "step text": {"window": 3, "step": "1"},
    "on": {"window": 3, "on": "nothing"},
    "method": {"window": 3, "method": "nothing"},
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_windows(name):
    check(lambda s: s.rolling(**WRONG[name]), SERIES["int"])
    check(lambda f: f.rolling(**WRONG[name]), FRAME)


def test_wrong_times():
    for window in ("ME", "B", "nothing", 1.5, None, True):
        check(lambda s, window=window: s.rolling(window), TIMED["up"])
    check(lambda s: s.rolling("2D", step=2), TIMED["up"])
    check(lambda s: s.rolling("2D"), TIMED["up"].iloc[[3, 30, 5]])
    missing = TIMED["up"].set_axis(TIMES.where(np.arange(len(TIMES)) != 4))
    check(lambda s: s.rolling("2D"), missing)


def test_wrong_arguments():
    check(lambda s: s.rolling(2).rank("dense"), SERIES["int"])
    check(lambda s: s.rolling(2).quantile(1.5), SERIES["int"])
    check(lambda s: s.rolling(2).quantile(0.5, "nothing"), SERIES["int"])
    check(lambda f: f.rolling(2)["nothing"], FRAME)
    check(lambda f: f.rolling(2)["int"]["int"], FRAME)
    check(lambda f: f.rolling(2).nothing, FRAME)
    check(lambda f: f.rolling(2).int.sum(), FRAME)
    check(lambda f: list(f.rolling(2))[:4], FRAME)
    check(lambda f: list(f.rolling(3, step=20)["int"]), FRAME)
    for keywords in ({"win_type": "chebwin"}, {"method": "table"}):
        with pytest.raises(NotImplementedError, match="of pandas is not supported"):
            px.Series([1, 2]).rolling(2, **keywords)
    assert repr(px.Series([1]).rolling(2)) == "Rolling [window=2,center=False,method=single]"


GROUPED = MIXED.assign(
    key=pd.array(
        np.where(np.arange(len(MIXED)) % 7 == 5, None, np.arange(len(MIXED)) % 3).tolist()
    ),
    other=np.arange(len(MIXED)) // 11 % 2,
).drop(columns="text")


@pytest.mark.parametrize("method", METHODS)
def test_groups(method):
    numbers = ["normal", "int"]
    programs = [
        lambda f: call(f[["key", *numbers]].groupby("key").rolling(3), method),
        lambda f: call(f[["key", *numbers]].groupby("key", sort=False)["int"].rolling(1), method),
        lambda f: call(f[["key", *numbers]].groupby("key", as_index=False).rolling(2), method),
        lambda f: call(f.groupby(["other", "key"])[numbers].rolling(4, 2, closed="left"), method),
        lambda f: call(
            f[["key", *numbers, "when"]].groupby("key").rolling("3D", on="when"), method
        ),
        lambda f: call(
            f[["key", *numbers, "when"]].groupby("key").rolling("3D", on="when")["int"], method
        ),
        lambda f: call(f.set_index("when").groupby("other")[numbers].rolling("2D"), method),
        lambda f: call(f.iloc[:0].groupby("other")[numbers].rolling(2), method),
    ]
    # pandas divides by the root of a count, of the keys and of `when` too.
    skipped = (2, 4) if method.startswith("sem") else ()
    for number, program in enumerate(programs):
        if number not in skipped:
            check(program, GROUPED, exact=method != "kurt")


def test_other_methods_of_groups():
    numbers = ["key", "normal", "int"]
    check(lambda f: f[numbers].groupby("key").rolling(3).agg(["sum", "mean"]), GROUPED)
    check(lambda f: f[numbers].groupby("key").rolling(3).agg({"int": "sum"}), GROUPED)
    check(lambda f: f[numbers].groupby("key").rolling(3).apply(max, raw=True), GROUPED)
    # With rows in no group pandas has labels of more rows than it has.
    check(lambda f: f.groupby("other")[["int"]].rolling(3).apply(max), GROUPED)
    check(lambda f: f[numbers].groupby("key").rolling(5).corr(), GROUPED, exact=False)
    check(lambda f: f[numbers].groupby("key").rolling(5).cov(), GROUPED, exact=False)
    check(lambda f: f[numbers].groupby("key").rolling(3, center=True).sum(), GROUPED)
    check(lambda f: f[numbers].groupby("key").rolling(3, step=2).sum(), GROUPED)
    turned = GROUPED.iloc[np.r_[30:60, 0:30]]
    check(lambda f: f.groupby("other")[["int", "when"]].rolling("3D", on="when").sum(), turned)
    check(
        lambda f: f[["key", "int", "when"]].groupby("key").rolling("3D", on="when").sum(),
        turned.iloc[np.r_[0:20, 40:60, 20:40]],
    )


values = st.lists(
    st.one_of(st.floats(-1e6, 1e6), st.just(float("nan")), st.integers(-2, 2).map(float)),
    max_size=40,
)


@settings(max_examples=40, deadline=None)
@given(values, st.integers(1, 12), st.integers(0, 3), st.sampled_from(sorted(METHODS)))
def test_random(values, window, least, method):
    if method.split()[0] in ("skew", "kurt"):
        values = [round(each) if each == each else each for each in values]
    least = min(window, least)
    check(
        lambda s: call(s.rolling(window, min_periods=least), method),
        pd.Series(values, dtype="f8").round(3), exact=False,
    )  # fmt: skip


def test_variance_far_from_zero():
    values = 1e9 + np.random.default_rng(1).normal(size=50)
    found = px.Series(values).rolling(5).var().to_numpy()
    wanted = [np.var(values[i - 4 : i + 1] - values[i], ddof=1) for i in range(4, 50)]
    np.testing.assert_allclose(found[4:], wanted, rtol=1e-12)
    spike = np.r_[1e17, values - 1e9, 1e17]
    found = px.Series(spike).rolling(5).sum().to_numpy()[5:-1]
    wanted = [spike[i - 4 : i + 1].sum() for i in range(5, 51)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("method", METHODS)
def test_long_columns_are_cut_in_chunks(method):
    draw = np.random.default_rng(3)
    series = pd.Series(np.where(draw.random(40_000) < 0.1, np.nan, draw.normal(size=40_000)))
    check(lambda s: call(s.rolling(37, min_periods=5), method), series, exact=False)
    times = pd.Timestamp("2024-01-01") + pd.to_timedelta(
        np.cumsum(draw.integers(0, 90, len(series))), "s"
    )
    check(lambda s: call(s.rolling("1h"), method), series.set_axis(times), exact=False)
