"""Dates of time zones against pandas': labels of zones, operators, casts, groups, joins, files."""

from __future__ import annotations

import io
import operator

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import check, check_all

pytestmark = pytest.mark.filterwarnings("ignore")

# In Rome clocks are put forward in March and back in October.
TEXTS = [
    "2020-03-28 23:30", "2020-10-24 23:30:00", "2020-10-25 00:30", "2020-10-25 01:30",
    "1999-12-31 23:59:59", "2020-03-29 01:00", "2020-10-24 23:30",
]  # fmt: skip
UNITS = ("s", "us", "ns")


def moments(unit="us", zone="Europe/Rome", missing=True, name="d"):
    values = pd.DatetimeIndex([*TEXTS, None] if missing else TEXTS).as_unit(unit)
    if zone is not None:
        values = values.tz_localize("UTC").tz_convert(zone)
    return pd.Series(values, name=name)


ROME, TOKYO, NAIVE = moments(), moments("ns", "Asia/Tokyo"), moments(zone=None)
UTC = moments("s", "UTC")
STAMP = {
    "rome": pd.Timestamp("2020-10-25 01:30", tz="UTC").tz_convert("Europe/Rome"),
    "tokyo": pd.Timestamp("2020-10-25 09:30", tz="Asia/Tokyo"),
    "naive": pd.Timestamp("2020-10-25 02:30"),
    "NaT": pd.NaT,
    "text": "2020-10-25 03:30",
    "text of an offset": "2020-10-25 03:30+02:00",
    "bad text": "noon",
    "python": pd.Timestamp("2020-10-25 01:30", tz="UTC").to_pydatetime(),
    "numpy": np.datetime64("2020-10-25T01:30"),
    "number": 3,
    "span": pd.Timedelta("90min"),
    "nanoseconds": pd.Timedelta(1, "ns"),
}
OTHERS = {"rome": ROME, "tokyo": TOKYO, "utc": UTC, "naive": NAIVE, "shifted": ROME.shift(1)} | {
    "spans": pd.Series(pd.to_timedelta([1, 2, None, 4, 5, 6, 7, 8], "h")),
    "numbers": pd.Series(range(8)),
    "objects": ROME.astype(object),
    "texts": NAIVE.astype(str),
}
OPERATORS = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge", "sub", "add")
}


def scalar_of(module, thing):
    """One date of pandas as that of a module."""
    if module is pd or not isinstance(thing, (pd.Timestamp, pd.Timedelta)):
        return px.NaT if module is px and thing is pd.NaT else thing
    if isinstance(thing, pd.Timedelta):
        return px.Timedelta(thing.asm8)
    made = px.Timestamp(thing.asm8)
    return made if thing.tz is None else made.tz_localize("UTC").tz_convert(str(thing.tz))


def module_of(thing):
    return pd if type(thing).__module__.startswith("pandas") else px


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_with_columns(name):
    # pandas has no reason to refuse objects less dates: dates less objects are apart by durations.
    pairs = {
        f"{a} {b}": (OTHERS[a], OTHERS[b]) for a in OTHERS for b in OTHERS
        if {a, b} & {"rome", "tokyo", "utc"} and not (a == "objects" and name == "sub")
    }  # fmt: skip
    check_all(OPERATORS[name], pairs)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("kind", STAMP)
def test_operators_with_one(name, kind):
    def done(series, swapped=False):
        other = scalar_of(module_of(series), STAMP[kind])
        return OPERATORS[name](other, series) if swapped else OPERATORS[name](series, other)

    check_all(done, {"rome": ROME, "utc": UTC})
    check_all(lambda s: done(s, True), {"rome": ROME, "utc": UTC})


LABELS = {
    "naive": pd.date_range("2020-10-24", periods=4, freq="D"),
    "hours": pd.date_range("2020-10-25", periods=5, freq="h"),
    "skipped": pd.DatetimeIndex(["2020-03-29 01:30", "2020-03-29 02:30"]),
    "zoned": pd.date_range("2020-10-24", periods=4, freq="12h", tz="Europe/Rome"),
    "numbers": pd.Index([1, 2]),
    "none": pd.DatetimeIndex([]),
    "levels": pd.MultiIndex.from_product([["a", "b"], pd.date_range("2020-10-24", periods=2)],
                                         names=["k", "t"]),
    "zoned levels": pd.MultiIndex.from_product(
        [pd.date_range("2020-10-24", periods=2, tz="UTC"), ["a", "b"]]),
}  # fmt: skip
LABEL_METHODS = {
    "localize": lambda s: s.tz_localize("Europe/Rome"),
    "localize None": lambda s: s.tz_localize(None),
    "localize NaT": lambda s: s.tz_localize("Europe/Rome", ambiguous="NaT", nonexistent="NaT"),
    "localize infer": lambda s: s.tz_localize("Europe/Rome", ambiguous="infer"),
    "localize forward": lambda s: s.tz_localize(
        "Europe/Rome", ambiguous=np.ones(len(s), bool), nonexistent="shift_forward"),
    "localize level": lambda s: s.tz_localize("UTC", level=1),
    "localize level name": lambda s: s.tz_localize("UTC", level="t"),
    "localize level 0": lambda s: s.tz_localize(None, level=0),
    "localize rule": lambda s: s.tz_localize("UTC", nonexistent="x"),
    "localize unknown": lambda s: s.tz_localize("Nowhere/None"),
    "convert": lambda s: s.tz_convert("Asia/Tokyo"),
    "convert None": lambda s: s.tz_convert(None),
    "convert level": lambda s: s.tz_convert("Asia/Tokyo", level=0),
    "convert level 1": lambda s: s.tz_convert("Asia/Tokyo", level=1),
    "convert no level": lambda s: s.tz_convert("Asia/Tokyo", level=7),
    "convert axis": lambda s: s.tz_convert("Asia/Tokyo", axis=0),
}  # fmt: skip


@pytest.mark.parametrize("name", LABEL_METHODS)
def test_zones_of_labels(name):
    series = {key: pd.Series(range(len(each)), each, name="n") for key, each in LABELS.items()}
    check_all(LABEL_METHODS[name], series)
    check_all(LABEL_METHODS[name], {key: each.to_frame() for key, each in series.items()})


def test_zones_of_columns_labels():
    frames = {key: pd.Series(range(len(each)), each).to_frame().T for key, each in LABELS.items()}
    check_all(lambda f: f.tz_localize("UTC", axis=1), frames)
    check_all(lambda f: f.tz_convert("Asia/Tokyo", axis="columns"), frames)
    check_all(lambda f: f.tz_localize(None, axis=1), frames)
    check_all(lambda f: f.tz_localize(None, axis=2), frames)


METHODS = {
    "utc of texts": lambda s: module_of(s).to_datetime(s.astype(str), utc=True),
    "utc": lambda s: module_of(s).to_datetime(s, utc=True),
    "again": lambda s: module_of(s).to_datetime(s),
    "utc of objects": lambda s: module_of(s).to_datetime(s.astype(object), utc=True),
    "objects": lambda s: module_of(s).to_datetime(s.astype(object)),
    "index": lambda s: module_of(s).DatetimeIndex(s),
    "index in a zone": lambda s: module_of(s).DatetimeIndex(s, tz="UTC"),
    "astype zone": lambda s: s.astype("datetime64[ns, Asia/Tokyo]"),
    "astype unit": lambda s: s.astype("datetime64[s, UTC]"),
    "astype dtype": lambda s: s.astype(module_of(s).DatetimeTZDtype("ms", "US/Eastern")),
    "astype naive": lambda s: s.astype("datetime64[ns]"),
    "astype int": lambda s: s[s.notna()].astype("int64"),
    "astype float": lambda s: s.astype("float64"),
    "astype str": lambda s: s.astype(str),
    "astype object": lambda s: s.astype(object),
    "astype category": lambda s: s.astype("category"),
    "category back": lambda s: s.astype("category").astype(s.dtype),
    "repr": repr,
    "repr of a frame": lambda s: repr(s.to_frame()),
    "repr of labels": lambda s: repr(s.to_frame().set_index("d", append=False).index),
    "repr by labels": lambda s: repr(s.reset_index().set_index("d")),
    "repr of one": lambda s: [repr(each) for each in s],
    "html": lambda s: s.to_frame().to_html(),
    "info": lambda s: str(s.dtype),
    "csv": lambda s: s.to_csv(),
    "csv index": lambda s: s.reset_index().set_index("d").to_csv(),
    "csv format": lambda s: s.to_csv(date_format="%d.%m.%Y %H:%M %z"),
    "json": lambda s: s.to_json(),
    "dict": lambda s: s.to_dict(),
    "list": lambda s: s.tolist(),
    "numpy": lambda s: s.to_numpy(),
    "numpy M8": lambda s: s.to_numpy("M8[ns]"),
    "values": lambda s: s.to_numpy(dtype=object),
    "sort": lambda s: s.sort_values(),
    "sort down": lambda s: s.sort_values(ascending=False, na_position="first"),
    "sort two": lambda s: s.reset_index().sort_values(["d", "index"], ascending=[True, False]),
    "rank": lambda s: s.rank(),
    "argsort": lambda s: s[s.notna()].argsort(),
    "unique": lambda s: list(s.unique()),
    "nunique": lambda s: s.nunique(),
    "value_counts": lambda s: s.value_counts(),
    "value_counts all": lambda s: s.value_counts(dropna=False, sort=False),
    "mode": lambda s: s.mode(),
    "factorize": lambda s: s.factorize(),
    "duplicated": lambda s: (s.duplicated(), s.drop_duplicates()),
    "isin": lambda s: (s.isin(s[:2]), s.isin([s[0]])),
    "isin naive": lambda s: s.isin(s[:2].dt.tz_localize(None)),
    "min max": lambda s: (s.min(), s.max(), s.mean(), s.median()),
    "std": lambda s: s.std(),
    "idxmin": lambda s: (s.idxmin(), s.idxmax(), s.count()),
    "quantile": lambda s: (s.quantile(0.25), s.quantile([0.1, 0.5])),
    "describe": lambda s: s.describe(),
    "sum": lambda s: s.sum(),
    "prod": lambda s: s.prod(),
    "cummax": lambda s: (s.cummax(), s.cummin()),
    "diff": lambda s: s.diff(),
    "shift": lambda s: (s.shift(1), s.shift(-1, fill_value=s[0])),
    "fill": lambda s: (s.ffill(), s.bfill(), s.fillna(s[0]), s.dropna()),
    "fill other": lambda s: s.fillna(s[0].tz_convert("Asia/Tokyo")),
    "fill naive": lambda s: s.fillna(s[0].tz_localize(None)),
    "fill text": lambda s: s.fillna("x"),
    "where": lambda s: (s.where(s > s[3]), s.mask(s > s[3], s[0])),
    "where other": lambda s: s.where(s > s[3], s.dt.tz_convert("Asia/Tokyo")),
    "clip": lambda s: s.clip(s[0], s[3]),
    "replace": lambda s: s.replace(s[0], s[1]),
    "between": lambda s: s.between(s[0], s[3]),
    "map": lambda s: s.map(lambda each: each.hour),
    "apply": lambda s: s.apply(lambda each: each.tzname()),
    "map dict": lambda s: s.map({s[0]: 1}),
    "equals": lambda s: (s.equals(s.copy()), s.equals(s.dt.tz_convert("UTC"))),
    "concat": lambda s: module_of(s).concat([s, s]),
    "concat other": lambda s: module_of(s).concat([s, s.dt.tz_convert("Asia/Tokyo")]),
    "concat naive": lambda s: module_of(s).concat([s, s.dt.tz_localize(None)]),
    "concat units": lambda s: module_of(s).concat([s, s.dt.as_unit("ns")]),
    "concat frames": lambda s: module_of(s).concat([s.to_frame(), s.to_frame("e")]),
    "combine_first": lambda s: s.combine_first(s.shift(1)),
    "insert": lambda s: module_of(s).Index(s).insert(0, s[1]),
    "insert other": lambda s: module_of(s).Index(s).insert(0, s[1].tz_convert("Asia/Tokyo")),
    "append": lambda s: module_of(s).Index(s).append(module_of(s).Index(s.dt.tz_convert("UTC"))),
    "union": lambda s: module_of(s).Index(s).union(module_of(s).Index(s.dt.tz_convert("UTC"))),
    "difference": lambda s: module_of(s).Index(s).difference(module_of(s).Index(s[:2])),
    "groupby": lambda s: s.reset_index().groupby("d").sum(),
    "groupby all": lambda s: s.reset_index().groupby("d", dropna=False)["index"].agg(list),
    "groupby values": lambda s: s.groupby(np.arange(len(s)) % 2).agg(["min", "max", "count"]),
    "groupby first": lambda s: s.groupby(np.arange(len(s)) % 2).first(),
    "groupby nth": lambda s: s.groupby(np.arange(len(s)) % 2).nth(1),
    "groupby mean": lambda s: s.groupby(np.arange(len(s)) % 2).mean(),
    "groupby shift": lambda s: s.groupby(np.arange(len(s)) % 2).shift(),
    "groupby cummax": lambda s: s.groupby(np.arange(len(s)) % 2).cummax(),
    "groupby hour": lambda s: s.groupby(s.dt.hour).count(),
    "merge": lambda s: s.reset_index().merge(s.reset_index(), on="d"),
    "merge units": lambda s: s.to_frame().merge(s.dt.as_unit("ns").to_frame(), on="d"),
    "merge zones": lambda s: s.to_frame().merge(s.dt.tz_convert("UTC").to_frame(), on="d"),
    "merge zones outer": lambda s: s[:3].to_frame().merge(
        s[2:7].dt.tz_convert("UTC").to_frame(), "outer", on="d"),
    "merge zones right": lambda s: s[:3].to_frame().merge(
        s[2:7].dt.tz_convert("UTC").to_frame(), "right", on="d"),
    "merge naive": lambda s: s.to_frame().merge(s.dt.tz_localize(None).to_frame(), on="d"),
    "merge outer": lambda s: s[:3].reset_index().merge(s[2:7].reset_index(), "outer", on="d"),
    "set item": lambda s: set_rows(s, 0, s[1].tz_convert("Asia/Tokyo")),
    "set rows": lambda s: set_rows(s, slice(0, 2), s[2:4].dt.tz_convert("UTC").tolist()),
    "set naive": lambda s: set_rows(s, 0, s[1].tz_localize(None)),
    "set text": lambda s: set_rows(s, 0, "2020-01-01 10:00"),
    "set bad": lambda s: set_rows(s, 0, "noon"),
    "set None": lambda s: set_rows(s, 0, None),
    "loc": lambda s: s.reset_index().set_index("d").sort_index().loc["2020-10-25"],
    "loc slice": lambda s: s.dropna().reset_index().set_index("d").sort_index().loc["2020-10":],
    "loc offset": lambda s: s.reset_index().set_index("d").loc["2020-10-25 01:30:00+01:00"],
    "loc stamp": lambda s: s.reset_index().set_index("d").loc[s[3].tz_convert("UTC")].tolist(),
    "reindex": lambda s: s.reset_index().drop_duplicates("d").set_index("d").reindex(s[:3]),
    "normalize": lambda s: s.dt.normalize(),
    "floor day": lambda s: s.dt.floor("D"),
    "ceil day": lambda s: s.dt.ceil("D"),
    "floor hours": lambda s: s.dt.floor("2h", ambiguous="NaT"),
    "round hour": lambda s: s.dt.round("h", ambiguous=np.ones(len(s), bool)),
    "strftime": lambda s: s.dt.strftime("%a %d %H:%M %z %Z"),
    "parts": lambda s: (s.dt.date, s.dt.time, s.dt.timetz, s.dt.hour, s.dt.day_name()),
    "isocalendar": lambda s: s.dt.isocalendar(),
    "explode": lambda s: module_of(s).Series([s.tolist()]).explode().tolist(),
    "stack": lambda s: s.to_frame().assign(e=s).stack(),
    "pivot": lambda s: s.reset_index().drop_duplicates("d").pivot(columns="d", values="index"),
    "melt": lambda s: s.to_frame().assign(e=s).melt(),
    "T": lambda s: s.to_frame().T,
    "iloc": lambda s: (s.iloc[1], s.iloc[[1, 7]], s.iat[3], s.at[4]),
    "arrow": lambda s: str(arrow_of(s).schema.field("d").type),
    "select": lambda s: s.to_frame().select_dtypes("datetimetz"),
    "select none": lambda s: s.to_frame().select_dtypes("datetime"),
    "resample": lambda s: s.dropna().reset_index().set_index("d").sort_index().resample("YE").sum(),
    "searchsorted": lambda s: s.dropna().sort_values().searchsorted(s[3]),
    "nlargest": lambda s: (s.nlargest(2), s.nsmallest(2)),
    "argmin": lambda s: s.dropna().argmin(),
    "convert_dtypes": lambda s: s.convert_dtypes(),
    "dtype": lambda s: (s.dtype == "datetime64[us, Europe/Rome]", str(s.dt.tz), repr(s.dtype)),
    "infer": lambda s: s.astype(object).infer_objects(),
    "unstack": lambda s: s.reset_index().assign(k=1).set_index(["k", "index"])["d"].unstack(),
    "from list": lambda s: module_of(s).Series(s.tolist()),
    "from frame": lambda s: module_of(s).DataFrame({"a": s, "b": s[0]}),
    "from texts": lambda s: module_of(s).Series(["2020-07-01"], dtype="datetime64[ns, UTC]"),
    "agg": lambda s: s.agg(["min", "max"]),
    "update": lambda s: updated(s),
    "compare": lambda s: s.compare(s.shift(1)),
    "rolling": lambda s: s.dropna().sort_values().pipe(
        lambda t: module_of(s).Series(range(len(t)), t).rolling("2h").sum()),
}  # fmt: skip

ROUNDED = ("min max", "quantile", "describe")


def set_rows(series, rows, value):
    made = series.copy()
    made.iloc[rows] = value
    return made


def updated(series):
    made = series.copy()
    made.update(series[2:4].reset_index(drop=True))
    return made


def arrow_of(series):
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.table(series.to_frame())


SAMPLES = {
    f"{unit} {zone}": moments(unit, zone)
    for unit, zone in (("s", "Europe/Rome"), ("us", "America/New_York"), ("ns", "UTC"))
}  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
def test_method(name):
    # pandas rounds the sums and the parts of nanoseconds to floats: ours are exact.
    samples = {key: each for key, each in SAMPLES.items() if name not in ROUNDED or key[:2] != "ns"}
    check_all(METHODS[name], samples)


RANGES = """
    m.Series(np.array(['2020-07-01'], 'M8[us]'), dtype='datetime64[ns, Europe/Rome]')
    m.Series(m.Series(np.array(['2020-07-01'], 'M8[us]')), dtype='datetime64[ns, Europe/Rome]')
    m.Series(['2020-07-01 00:00+05:00', None], dtype='datetime64[ns, Europe/Rome]')
    m.Series(['2020-07-01 00:00', None]).astype('datetime64[us, Europe/Rome]')
    m.Series(['2020-07-01 00:00+05:00', '2020-07-01 00:00']).astype('datetime64[us, Europe/Rome]')
    m.Series([np.datetime64('2020-07-01')], dtype='datetime64[ns, Europe/Rome]')
    m.Series([m.Timestamp('2020'), m.Timestamp('2020', tz='UTC')], dtype='M8[ns, Europe/Rome]')
    m.Series([m.NaT, None], dtype='datetime64[ns, Europe/Rome]')
    m.Series(['2020-03-29 02:30'], dtype='datetime64[ns, Europe/Rome]')
    m.Series(['2020-10-25 02:30'], dtype='datetime64[ns, Europe/Rome]')
    m.Series([10**18], dtype='datetime64[ns, Europe/Rome]')
    m.DatetimeIndex([m.Timestamp('2020-07-01', tz='Asia/Tokyo')], tz='UTC')
    m.DatetimeIndex(['2020-07-01 00:00+05:00'], tz='UTC')
    m.DatetimeIndex(m.DatetimeIndex(['2020-07-01'], tz='Asia/Tokyo'), dtype='datetime64[ns, UTC]')
    m.DatetimeIndex(m.DatetimeIndex(['2020-07-01'], tz='Asia/Tokyo'), tz='Asia/Tokyo')
    m.date_range('2020-03-28', periods=4, tz='Europe/Rome')
    m.date_range('2020-10-24', '2020-10-27', freq='12h', tz='Europe/Rome')
    m.date_range('2020-01-01', periods=3, freq='ME', tz='UTC')
    m.date_range('2020-01-01', '2020-01-03', periods=3, tz='Asia/Tokyo')
    m.date_range(m.Timestamp('2020-01-01', tz='UTC'), periods=3, tz='Asia/Tokyo')
    m.date_range(m.Timestamp('2020-01-01', tz='UTC'), m.Timestamp('2020-01-03', tz='UTC'))
    m.date_range(m.Timestamp('2020-01-01', tz='UTC'), m.Timestamp('2020-01-03'))
    m.date_range('2020-01-01', periods=3, tz='UTC', normalize=True, name='x', unit='s')
    m.date_range('2020-01-01', periods=3, tz='UTC').normalize()
    m.date_range('2020-01-01', periods=3, tz='UTC') - m.date_range('2020-01-01', periods=3)
    m.date_range('2020-01-01', periods=3, tz='UTC') - m.Timestamp('2020-01-01', tz='Asia/Tokyo')
    m.date_range('2020-01-01', periods=3, tz='UTC') < m.Timestamp('2020-01-02')
    m.date_range('2020-01-01', periods=3, tz='UTC') == m.Timestamp('2020-01-02')
    m.date_range('2020-01-01', periods=3, tz='UTC').to_series()
    m.date_range('2020-01-01', periods=3, tz='UTC').to_frame()
    m.to_datetime(['2020-01-01 10:00+01:00', '2020-07-01 10:00+02:00'], utc=True)
    m.to_datetime(['2020-01-01 10:00+01:00', '2020-07-01 10:00+02:00'])
    m.to_datetime(['2020-01-01 10:00+01:00', '2020-07-01 10:00+01:00'])
    m.to_datetime(['2020-01-01 10:00', None, '2020-07-01 10:00'], utc=True)
    m.to_datetime('2020-01-01 10:00+01:00', utc=True)
    m.to_datetime([1, 2], unit='D', utc=True)
    m.to_datetime(['01.02.2020 +0100'], format='%d.%m.%Y %z', utc=True)
    m.to_datetime(m.DataFrame({'year': [2020], 'month': [2], 'day': [3]}), utc=True)
    m.DatetimeTZDtype('ns', 'UTC')
    m.DatetimeTZDtype('us', 'Europe/Rome').name
    m.DatetimeTZDtype('us', 'Europe/Rome') == m.DatetimeTZDtype('us', 'Europe/Rome')
    m.DatetimeTZDtype('us', 'Europe/Rome') == m.DatetimeTZDtype('ns', 'Europe/Rome')
    m.DatetimeTZDtype()
    m.DatetimeTZDtype('h', 'UTC')
    m.DatetimeTZDtype(tz='Nowhere/None')
    m.Timestamp('2020-01-01 10:00', tz='Europe/Rome').floor('D')
    m.Timestamp('2020-01-01 10:00', tz='Europe/Rome').normalize()
    m.Timestamp('2020-10-25 02:30').tz_localize('Europe/Rome', ambiguous=False)
    m.Timestamp('2020-10-25 01:30', tz='UTC').tz_convert('Europe/Rome').floor('h')
    m.Timestamp('2020-10-25 03:30', tz='Europe/Rome') - m.Timedelta('1h')
    m.Timestamp('2020-10-25 03:30', tz='Europe/Rome').strftime('%H %z %Z')
    m.Timestamp('2020-10-25 03:30', tz='Europe/Rome').isoformat()
""".strip().splitlines()


@pytest.mark.parametrize("text", [each.strip() for each in RANGES])
def test_expression(text):
    def done(sample):
        found = eval(text, {"m": module_of(sample), "np": np})
        return repr(found) if type(found).__name__ == "DatetimeTZDtype" else found

    check(done, ROME)


def test_hash_of_the_second_of_two_equal_clock_times():
    # Python's hash asked a zone for the offset of a date that was not whole yet.
    again = px.Timestamp("2020-10-25 01:30", tz="UTC").tz_convert("Europe/Rome")
    assert again.fold == 1
    assert hash(again) == hash(again.tz_convert("Asia/Tokyo")) == hash(again.tz_convert("UTC"))
    first = again - px.Timedelta("1h")
    assert len({first, again, again.tz_convert("UTC")}) == 2


NAIVE_SAMPLES = {
    "dates": (NAIVE, NAIVE.astype(str)),
    "seconds": (NAIVE.dt.as_unit("s"), pd.Series([f"{each}.5" for each in NAIVE])),
    "no dates": (NAIVE, pd.Series(["x"] * 8)),
    "spans": (OTHERS["spans"], OTHERS["spans"].astype(str)),
}


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "ge"])
def test_times_with_texts(name):
    check_all(OPERATORS[name], NAIVE_SAMPLES)
    # pandas' own texts fail beside durations.
    check_all(lambda a, b: OPERATORS[name](b, a), NAIVE_SAMPLES, but=("spans",))


@pytest.mark.parametrize("unit", UNITS)
def test_files(unit, tmp_path):
    # What is written is read again, and by pandas too.
    pytest.importorskip("pyarrow")
    frame = px.from_pandas(moments(unit).to_frame())
    frame.to_parquet(tmp_path / "zoned.parquet")
    # Parquet has no seconds.
    kept = frame["d"].dt.as_unit("ms") if unit == "s" else frame["d"]
    assert px.read_parquet(tmp_path / "zoned.parquet")["d"].equals(kept)
    assert str(pd.read_parquet(tmp_path / "zoned.parquet")["d"].dtype) == str(kept.dtype)
    assert px.DataFrame(frame.to_arrow())["d"].dtype == frame["d"].dtype
    text = frame.to_csv(index=False)
    again = px.read_csv(io.StringIO(text))["d"]
    assert px.to_datetime(again, utc=True).equals(frame["d"].dt.tz_convert("UTC").dt.as_unit("us"))
