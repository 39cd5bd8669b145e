"""`resample` and `Grouper` beside pandas: rules x keywords x indexes x methods."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import phalanx as px

pd = pytest.importorskip("pandas")

from .against_pandas import check, check_all  # noqa: E402

pytestmark = pytest.mark.usefixtures("device")

draw = np.random.default_rng(6)
COUNT = 45
TIMES = pd.Timestamp("2024-02-27 05:00") + pd.to_timedelta(
    np.cumsum(draw.integers(0, 60, COUNT)), "h"
)
SERIES = pd.Series(np.where(draw.random(COUNT) < 0.2, np.nan, draw.normal(size=COUNT)), TIMES)
SERIES.name = "n"
UNIQUE = SERIES[~SERIES.index.duplicated()]
FRAME = pd.DataFrame(
    {
        "key": draw.choice(list("abc"), COUNT),
        "real": SERIES.to_numpy(),
        "int": draw.integers(-9, 9, COUNT),
        "bool": draw.random(COUNT) < 0.5,
        "Int64": pd.array([None if i % 5 == 2 else i for i in range(COUNT)], dtype="Int64"),
        "float32": draw.integers(-9, 9, COUNT).astype("f4") / 4 + 1 / 3,
        "when": TIMES,
    },
    index=TIMES,
)
RULES = ["D", "2D", "7h", "36h", "90min", "W", "W-WED", "2W", "ME", "MS", "2ME", "QE", "QS",
         "QE-JAN", "YE", "YS", "B", "3B", "24h", "1D12h"]  # fmt: skip
SIDES = (None, "left", "right")


@pytest.mark.parametrize("rule", RULES)
def test_rules(rule):
    for closed, label in itertools.product(SIDES, SIDES):
        for method in ("sum", "mean"):
            check(
                lambda s, c=closed, n=label, m=method: getattr(
                    s.resample(rule, closed=c, label=n), m
                )(),
                SERIES,
            )


@pytest.mark.parametrize("rule", RULES)
def test_indexes(rule):
    indexes = {f"zone {tz}": TIMES.tz_localize(tz) for tz in ("Europe/Berlin", "UTC")}
    indexes |= {f"unit {unit}": TIMES.as_unit(unit) for unit in ("s", "ms", "ns")}
    indexes |= {"backward": TIMES[::-1], "missing": TIMES.where(np.arange(COUNT) % 7 != 3)}
    check_all(
        lambda s: s.resample(rule).sum(), {name: SERIES.set_axis(i) for name, i in indexes.items()}
    )
    check(lambda s: s.resample(rule).count(), SERIES.set_axis(TIMES - TIMES[0]))
    for rows in (SERIES.iloc[:1], SERIES.iloc[:0]):
        for method in ("sum", "count", "size", "mean"):
            check(lambda s, m=method: getattr(s.resample(rule), m)(), rows)


@pytest.mark.parametrize("origin", ["epoch", "start", "start_day", "end", "end_day",
                                    "2024-02-25 01:00", pd.Timestamp("2024-05-01")])  # fmt: skip
def test_origins_and_offsets(origin):
    zoned = SERIES.tz_localize("Europe/Berlin")
    for rule, offset, closed in itertools.product(
        ("D", "7h", "36h"), (None, "2h", "-30min"), SIDES
    ):
        keywords = {"origin": origin, "offset": offset, "closed": closed}
        check(lambda s, r=rule, k=keywords: s.resample(r, **k).count(), SERIES)
        if isinstance(origin, str) and not origin.startswith("2"):
            check(lambda s, r=rule, k=keywords: s.resample(r, **k).count(), zoned)


def test_durations():
    series = UNIQUE.set_axis(UNIQUE.index - UNIQUE.index[0])
    for rule, closed, offset in itertools.product(("D", "7h", "36h"), SIDES, (None, "1h")):
        for method in ("sum", "ffill", "asfreq"):
            check(
                lambda s, r=rule, c=closed, o=offset, m=method: getattr(
                    s.resample(r, closed=c, offset=o), m
                )(),
                series,
            )
    check(lambda s: s.resample("ME").sum(), series)


METHODS = ["sum", "mean", "count", "min", "max", "first", "last", "median", "std", "var", "prod",
           "nunique", "size", "sem", "ohlc", "quantile"]  # fmt: skip
# Where the numbers that come out are small pandas narrows them to the column's dtype.
APART = {("mean", "float32"), ("sem", "float32"), ("quantile", "bool")}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["real", "int", "bool", "Int64", "float32"])
def test_methods(method, kind):
    if (method, kind) in APART:
        return
    exact = kind != "float32"
    for rule in ("12h", "ME"):
        check(lambda f, r=rule: getattr(f[kind].resample(r), method)(), FRAME, exact=exact)
        check(lambda f, r=rule: getattr(f.resample(r)[kind], method)(), FRAME, exact=exact)


@pytest.mark.parametrize("method", METHODS)
def test_frames(method):
    two = ["real", "int"]
    check(lambda f: getattr(f[two].resample("12h"), method)(), FRAME)
    check(lambda f: getattr(f[[*two, "when"]].resample("3D", on="when"), method)(), FRAME)
    check(lambda f: getattr(f[[*two, "when"]].resample("3D", on="when"), method)(), FRAME[::-1])
    check(lambda f: getattr(f[[*two, "when"]].resample("3D", on="when")["int"], method)(), FRAME)
    check(lambda f: getattr(f[two].resample("5D")[["int"]], method)(), FRAME)
    check(lambda f: getattr(f[[*two, "key"]].groupby("key").resample("9D"), method)(), FRAME)
    levels = FRAME.set_index("key", append=True).rename_axis(["time", "key"])
    check(lambda f: getattr(f[two].resample("9D", level="time"), method)(), levels)


@pytest.mark.parametrize("method", ["sum", "prod", "min", "max", "first", "last"])
def test_min_count(method):
    for count in (1, 2):
        check(lambda f, n=count: getattr(f[["real", "int"]].resample("36h"), method)(min_count=n),
              FRAME)  # fmt: skip


def test_keywords_of_methods():
    two = ["real", "int"]
    for name in ("std", "var", "sem"):
        check(lambda f, n=name: getattr(f[two].resample("5D"), n)(ddof=0), FRAME)
    check(lambda f: f[["real", "key"]].resample("5D").mean(), FRAME)
    check(lambda f: f[["real", "key"]].resample("5D").mean(numeric_only=True), FRAME)
    check(lambda f: f["real"].resample("5D").quantile([0.2, 0.5]), FRAME)
    check(lambda f: f["real"].resample("5D").quantile(0.3, interpolation="lower"), FRAME)
    check(lambda f: f["real"].resample("5D").quantile(1.3), FRAME)
    with pytest.raises(NotImplementedError, match="skipna"):
        px.from_pandas(SERIES).resample("D").first(skipna=False)


FUNCTIONS = {
    "name": "sum",
    "names": ["sum", "mean"],
    "function": lambda v: v.max() - v.min(),
    "length": len,
    "numpy": np.max,
    "mixed": ["sum", np.std],
    "dict": {"int": "sum", "real": "mean"},
    "dict of lists": {"int": ["sum", "min"], "real": "mean"},
    "unknown": "nothing_such",
    "unknown column": {"nothing": "sum"},
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_agg(name):
    func = FUNCTIONS[name]
    if "column" not in name and "dict" not in name:
        check(lambda s: s.resample("5D").agg(func), SERIES)
    if name != "mixed":
        check(lambda f: f[["int", "real"]].resample("5D").agg(func), FRAME)
        check(lambda f: f[["int", "real"]].resample("5D").apply(func), FRAME)


def test_more_functions():
    check(lambda s: s.resample("5D").agg(a="sum", b="mean"), SERIES)
    check(lambda s: s.resample("5D").agg({"a": "sum", "b": "mean"}), SERIES)
    check(lambda f: f.resample("5D").agg(total=("int", "sum"), most=("real", "max")), FRAME)
    check(lambda f: f.resample("9D").apply(lambda g: g["int"].sum() + len(g)), FRAME)
    check(lambda s: s.resample("5D").pipe(lambda r: r.sum() + 1), SERIES)
    for func in ("sum", "mean", lambda v: v - v.mean()):
        check(lambda s, func=func: s.resample("5D").transform(func), SERIES)
    check(lambda f: f[["int", "real"]].resample("5D").transform("sum"), FRAME)
    with pytest.raises(NotImplementedError, match="transform"):
        px.from_pandas(SERIES).resample("5D").apply(lambda v: v.head(2))


@pytest.mark.parametrize("rule", ["12h", "36h", "W", "ME", "B"])
def test_upsampling(rule):
    for method, closed in itertools.product(("asfreq", "ffill", "bfill", "nearest"), SIDES):
        check(lambda s, m=method, c=closed: getattr(s.resample(rule, closed=c), m)(), UNIQUE)
    check(lambda s: s.resample(rule).asfreq(fill_value=0), UNIQUE)
    check(lambda s: s.resample(rule).ffill(limit=1), UNIQUE)
    check(lambda s: s.resample(rule).interpolate(), UNIQUE)
    check(lambda s: s.resample(rule).interpolate("time", limit=2), UNIQUE)
    check(lambda s: s.to_frame().resample(rule).bfill(), UNIQUE)
    check(lambda f: f.resample(rule, on="when").ffill(), FRAME)


def test_iteration():
    check(lambda s: list(s.resample("36h"))[:5], SERIES)
    check(lambda s: (len(s.resample("36h")), s.resample("36h").ngroups), SERIES)
    check(lambda s: s.resample("D").get_group(np.datetime64("2024-02-28")), SERIES)
    mine, wanted = px.from_pandas(SERIES).resample("9D"), SERIES.resample("9D")
    assert list(mine.groups.values()) == list(wanted.groups.values())
    for found, rows in zip(mine.indices.values(), wanted.indices.values(), strict=True):
        assert list(found) == list(rows)


def test_groupers():
    def grouped(f, *by, **keywords):
        library = pd if isinstance(f, pd.DataFrame) else px
        keys = [library.Grouper(**each) if isinstance(each, dict) else each for each in by]
        return f.groupby(keys if len(keys) > 1 else keys[0], **keywords)[["int", "real"]]

    for rule in ("5D", "ME", "36h"):
        time = {"freq": rule, "key": "when"}
        for method in ("sum", "mean", "count"):
            check(lambda f, t=time, m=method: getattr(grouped(f, t), m)(), FRAME)
            check(lambda f, t=time, m=method: getattr(grouped(f, t, "key"), m)(), FRAME)
            check(lambda f, r=rule, m=method: getattr(grouped(f, {"freq": r}), m)(), FRAME)
    check(lambda f: grouped(f, {"key": "key"}, "bool").sum(), FRAME)
    check(lambda f: grouped(f, {"freq": "W", "key": "when", "closed": "left"}).sum(), FRAME)
    for keywords in ({"key": "a", "level": 0}, {"freq": "nothing"}, {"key": "a", "some": 1},
                     {"freq": "D", "closed": "up"}):  # fmt: skip
        with pytest.raises((ValueError, TypeError)):
            px.Grouper(**keywords)


WRONG = {
    "rule": {"rule": "nothing"},
    "closed": {"rule": "D", "closed": "up"},
    "label": {"rule": "D", "label": "up"},
    "origin": {"rule": "D", "origin": "up"},
    "offset": {"rule": "D", "offset": "up"},
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments(name):
    check(lambda s: s.resample(**WRONG[name]).sum(), SERIES)


def test_wrong_times():
    check(lambda s: s.resample("D"), pd.Series([1, 2]))
    check(lambda f: f.resample("D", on="nothing"), FRAME)
    check(lambda f: f.resample("D", on="int"), FRAME)
    check(lambda f: f.resample("D")["nothing"], FRAME)
    check(lambda f: f.resample("D").nothing, FRAME)
    check(lambda f: f.resample("D", on="when", level=0), FRAME)
    with pytest.raises(NotImplementedError, match="convention"):
        px.from_pandas(SERIES).resample("D", convention="start")
    with pytest.raises(ValueError, match="finer than the index"):
        px.from_pandas(SERIES.set_axis(TIMES.as_unit("s"))).resample("5ms")


def test_periods_are_refused_with_what_to_take():
    found = px.Series([1, 2], index=px.period_range("2020-01", periods=2, freq="M"))
    with pytest.raises(NotImplementedError, match=r"to_timestamp\(\)"):
        found.resample("YE").sum()
    found.index = found.index.to_timestamp()
    assert found.resample("YE").sum().tolist() == [3]
