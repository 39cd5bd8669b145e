"""`interpolate`, `ffill`, `bfill`, and `shift` by a frequency, beside pandas."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import phalanx as px

pd = pytest.importorskip("pandas")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from .against_pandas import check, check_all  # noqa: E402
from .frame_samples import EMPTY, SERIES  # noqa: E402

pytestmark = pytest.mark.usefixtures("device")

draw = np.random.default_rng(8)
VALUES = np.where(draw.random(24) < 0.6, np.nan, draw.normal(size=24))
INDEXES = {
    "range": pd.RangeIndex(24),
    "float": pd.Index(np.sort(draw.random(24))),
    "unsorted": pd.Index(draw.permutation(24) * 2),
    "repeated": pd.Index(np.arange(24) // 3),
    "dates": pd.date_range("2024-01-30", periods=24, freq="7h"),
    "zone": pd.date_range("2024-03-30", periods=24, freq="h", tz="Europe/Berlin"),
    "durations": pd.to_timedelta(np.arange(24) ** 2, unit="s"),
    "text": pd.Index([f"k{i}" for i in range(24)]),
    "missing": pd.Index([np.nan, *range(23)]),
}
COLUMNS = {
    "float": VALUES,
    "none": np.full(24, np.nan),
    "whole": np.arange(24.0),
    "float32": VALUES.astype("f4"),
    "Int64": pd.array([None if v != v else int(v * 9) for v in VALUES], dtype="Int64"),
    "Float64": pd.array([None if v != v else v for v in VALUES], dtype="Float64"),
    "int": np.arange(24),
    "bool": np.arange(24) % 2 == 0,
}
LIMITS = list(
    itertools.product(
        (None, 1, 3), (None, "forward", "backward", "both"), (None, "inside", "outside")
    )
)


@pytest.mark.parametrize("method", ["linear", "index", "values", "time"])
@pytest.mark.parametrize("labels", INDEXES)
def test_indexes(method, labels):
    series = pd.Series(VALUES, INDEXES[labels], name="n")
    if labels == "text" and method in ("index", "values"):
        with pytest.raises(TypeError, match="no positions"):
            px.from_pandas(series).interpolate(method)
        return
    for limit, direction, area in LIMITS:
        keywords = {"limit": limit, "limit_direction": direction, "limit_area": area}
        check(lambda s, k=keywords: s.interpolate(method, **k), series)


@pytest.mark.parametrize("method", ["linear", "values"])
@pytest.mark.parametrize("kind", COLUMNS)
def test_dtypes(method, kind):
    for limit, direction, area in LIMITS:
        keywords = {"limit": limit, "limit_direction": direction, "limit_area": area}
        check(lambda s, k=keywords: s.interpolate(method, **k), pd.Series(COLUMNS[kind]))


def test_other_dtypes():
    check_all(lambda s: s.interpolate(), SERIES)
    check_all(lambda s: s.interpolate(), EMPTY)


def test_nearest_and_zero():
    values = px.Series([np.nan, 1, np.nan, np.nan, np.nan, 5, np.nan])
    found = values.interpolate("nearest", limit_direction="both")
    assert found.tolist()[1:-1] == [1, 1, 1, 5, 5]
    assert found.isna().tolist() == [True, *[False] * 5, True]
    assert values.interpolate("zero").tolist()[1:-1] == [1, 1, 1, 1, 5]
    assert values.interpolate("zero", limit=1).isna().sum() == 4
    uneven = px.Series([1, np.nan, 5], index=[0, 9, 10])
    assert uneven.interpolate("nearest").tolist() == [1, 5, 5]
    with pytest.raises(NotImplementedError, match="sort_index"):
        uneven.iloc[::-1].interpolate("nearest")


def test_frames():
    frame = pd.DataFrame({"a": VALUES, "b": VALUES[::-1], "c": np.arange(24)})
    check(lambda f: f.interpolate(), frame)
    check(lambda f: f.interpolate(axis=1), frame)
    check(lambda f: f.interpolate(axis=1, limit=1, limit_direction="both"), frame)
    check(lambda f: f.interpolate(), frame.assign(text="x"))
    check(lambda f: f.interpolate(), frame.iloc[:0])
    mine = px.from_pandas(frame)
    assert mine.interpolate(inplace=True) is mine
    pd.testing.assert_frame_equal(mine.to_pandas(), frame.interpolate())


WRONG = {
    "limit": {"limit": 0},
    "limit text": {"limit": "a"},
    "limit part": {"limit": 1.5},
    "direction": {"limit_direction": "up"},
    "area": {"limit_area": "up"},
    "method": {"method": "nothing"},
    "no method": {"method": None},
    "pad": {"method": "pad"},
    "pad backward": {"method": "pad", "limit_direction": "backward"},
    "spline": {"method": "spline"},
    "axis": {"axis": 1},
    "inplace": {"inplace": 1},
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments(name):
    check(lambda s: s.interpolate(**WRONG[name]), pd.Series(VALUES))


def test_what_is_left_out():
    for method in ("cubic", "pchip"):
        with pytest.raises(NotImplementedError, match="SciPy"):
            px.Series([1, np.nan]).interpolate(method)


@pytest.mark.parametrize("method", ["ffill", "bfill"])
def test_carried(method):
    for limit, area in itertools.product((None, 1, 2), (None, "inside", "outside")):
        check_all(lambda s, n=limit, a=area: getattr(s, method)(limit=n, limit_area=a), SERIES)
        check_all(lambda s, n=limit, a=area: getattr(s, method)(limit=n, limit_area=a), EMPTY)
        for kind in COLUMNS.values():
            check(
                lambda s, n=limit, a=area: getattr(s, method)(limit=n, limit_area=a),
                pd.Series(kind),
            )
    check(lambda s: getattr(s, method)(limit=0), pd.Series(VALUES))
    with pytest.raises(ValueError, match="limit_area"):  # pandas takes it as None
        getattr(px.Series([1.0]), method)(limit_area="up")


def test_long_gaps_over_chunks():
    values = np.full(120_000, np.nan)
    values[[3, 50_000, 50_001, 110_000]] = [1, 2, 3, 4]
    for keywords in ({}, {"limit": 30_000}, {"limit": 20_000, "limit_direction": "both"}):
        check(lambda s, k=keywords: s.interpolate(**k), pd.Series(values))
    for method in ("ffill", "bfill"):
        check(lambda s, m=method: getattr(s, m)(), pd.Series(values))
        check(lambda s, m=method: getattr(s, m)(limit=40_000), pd.Series(values))


@pytest.mark.parametrize("labels", INDEXES)
@pytest.mark.parametrize("freq", ["h", "2D", "ME", "B", "infer", "nothing"])
def test_shift_by_frequency(labels, freq):
    series = pd.Series(VALUES, INDEXES[labels], name="n")
    if labels == "durations" and freq in ("ME", "B"):
        return  # an error of NumPy's in pandas
    for periods in (0, 1, -2):
        check(lambda s, p=periods: s.shift(p, freq=freq), series)
        check(lambda f, p=periods: f.shift(p, freq=freq), series.to_frame())
    check(lambda s: s.shift(1, freq=freq, fill_value=0), series)
    if freq in ("h", "2D") and labels in ("dates", "zone"):
        check(lambda s: s.pct_change(freq=freq), series)
        check(lambda s: s.to_frame().pct_change(2, freq=freq), series)


values = st.lists(st.one_of(st.floats(-1e3, 1e3), st.just(float("nan"))), max_size=20)


@settings(max_examples=60, deadline=None)
@given(
    values, st.sampled_from([None, 1, 2]), st.sampled_from([None, "backward", "both"]),
    st.sampled_from([None, "inside", "outside"]),
)  # fmt: skip
def test_random(values, limit, direction, area):
    keywords = {"limit": limit, "limit_direction": direction, "limit_area": area}
    check(lambda s: s.interpolate(**keywords), pd.Series(values, dtype="f8"), exact=False)
