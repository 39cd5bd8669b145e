"""Periods against pandas': single ones, columns of them and what they are made of."""

from __future__ import annotations

import datetime
import operator
import pickle

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import attempt, check_all, same_kind
from .test_zones import module_of

pytestmark = pytest.mark.filterwarnings("ignore")

FREQUENCIES = (
    "Y", "Y-JAN", "Q", "Q-JAN", "Q-FEB", "M", "W", "W-WED", "D", "h", "min", "s", "ms", "us", "ns",
    "2M", "3D", "12h", "2Q",
)  # fmt: skip
TEXTS = [
    "1970-01-01 10:30", "2021-11-17 10:30:15.123456", "1969-12-31 23:59:59.5", "1900-02-28",
    "2020-02-29", "1999-01-31 00:00", "2021-11-30",
]  # fmt: skip
FIELDS = [
    "ordinal",
    "start_time",
    "end_time",
    "year",
    "quarter",
    "qyear",
    "month",
    "day",
    "hour",
    "minute",
    "second",
    "weekday",
    "dayofweek",
    "day_of_week",
    "week",
    "weekofyear",
    "dayofyear",
    "day_of_year",
    "days_in_month",
    "daysinmonth",
    "is_leap_year",
    "freqstr",
]


@pytest.mark.parametrize("freq", FREQUENCIES)
def test_fields_of_one(freq):
    for text in TEXTS:
        wanted, found = pd.Period(text, freq), px.Period(text, freq)
        for name in FIELDS:
            assert str(getattr(found, name)) == str(getattr(wanted, name)), (text, name)
        assert repr(found) == repr(wanted)
        assert hash(found) == hash(px.Period(text, freq))
        assert pickle.loads(pickle.dumps(found)) == found


EXPRESSIONS = (
    """
    P('2020') | P('2020Q1') | P('2020-01') | P('2020-01-05') | P('2020-01-05 10')
    P('2020-01-05 10:11') | P('2020-01-05 10:11:12') | P('2020-01-05 10:11:12.5') | P('x')
    P(year=2020, quarter=2, freq='Q') | P(year=2020, month=3, freq='M') | P(year=2020, freq='Y')
    P(year=2020, month=3, day=4, hour=5, minute=6, second=7, freq='s') | P(year=2020, bad=1)
    P(month=3, freq='M') | P(year=2020, month=3) | P(year=2020, quarter=3, freq='M')
    P(2020, 'Y') | P(2020) | P(None, 'M') | P('NaT') | P('2020', 'ME') | P('2020', 'zz') | P(1.5)
    P(T('2020-03-04'), 'M') | P(T('2020-03-04')) | P(ordinal=3, freq='M') | P(ordinal=3)
    P(datetime.date(2020, 3, 4), 'W') | P(np.datetime64('2020-03-04'), 'D') | P(P('2020'), 'M')
    P(T('2020-03-01', tz='UTC').tz_convert('Asia/Tokyo'), 'h')
    P('2020-01', 'M') + 5 | 5 + P('2020-01', 'M') | P('2020-01', '2M') + 5 | P('2020-01') - 3
    P('2020-01', 'M') + 1.5 | P('2020-01', 'M') + 'a' | P('2020-01') + NaT | P('2020-01') - NaT
    P('2020-01', 'M') + D('1D') | P('2020-01-01', 'D') + D('1D') | P('2020-01-01', 'h') - D('3h')
    P('2020-01-01', 'h') + np.timedelta64(2, 'h') | P('2020-01-01', 'h') + D('30min')
    P('2020-01-01', 'D') + datetime.timedelta(2) | (P('2021-03') - P('2020-01')).n
    (P('2020-01', '2M') - P('2020-03', '2M')).n | P('2020-01') - P('2020-01-01')
    P('2020-01') < P('2020-02') | P('2020-01') >= P('2020-02') | P('2020-01') == P('2020-01')
    P('2020-01') < P('2020-01-01') | P('2020-01') == P('2020-01-01') | P('2020-01') != 3
    P('2020-01') < 3 | P('2020-01') == NaT | P('2020-01') <= NaT | P('2020-01') > T('2020')
    P('2020-01', 'M').to_timestamp(how='E') | P('2020-01', 'M').to_timestamp('D')
    P('2020-05', 'M').to_timestamp('Y') | P('2020-01', 'M').to_timestamp(how='bad')
    P('2020-01', 'M').asfreq('D') | P('2020-01', 'M').asfreq('D', 'S') | P('2020', 'Y').asfreq('h')
    P('2020-01', '2M').asfreq('D', 'E') | P('2020-01-05', 'D').asfreq('Q') | P('2020').asfreq('bad')
    P('2020Q1').strftime('%Y %q %f %F %m %d') | P('2020-01').strftime('%b %Y') | str(P('2020Q3'))
    P('2020-01-05 10:11:12.5').strftime('%H:%M')
""".replace("|", "\n")
    .strip()
    .splitlines()
)


@pytest.mark.parametrize("text", [each.strip() for each in EXPRESSIONS])
def test_expressions_of_one(text):
    def done(module):
        names = {"P": module.Period, "T": module.Timestamp, "D": module.Timedelta,
                 "NaT": module.NaT, "np": np, "datetime": datetime}  # fmt: skip
        return repr(eval(text, names))

    wanted, error = attempt(done, pd)
    found, own = attempt(done, px)
    assert (error is None) == (own is None), (wanted, error, found, own)
    assert found == wanted if error is None else same_kind(own, error), (wanted, error, found, own)


def dates(missing):
    made = pd.Series(pd.to_datetime(TEXTS, format="mixed"), index=range(3, 10), name="p")
    if missing:
        made.iloc[2] = pd.NaT
    return made


SAMPLES = {
    f"{freq} {missing}": dates(missing).dt.to_period(freq)
    for freq in ("Y", "Q-JAN", "M", "W", "D", "h", "us", "2M")
    for missing in (False, True)
} | {"none": pd.Series([], dtype="period[M]")}
DATES = {f"{missing}": dates(missing) for missing in (False, True)} | {
    "zoned": dates(True).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"),
    "regular": pd.Series(pd.date_range("2020-01-31", periods=4, freq="ME")),
    "days": pd.Series(pd.date_range("2020-01-31", periods=4, freq="D")),
}


@pytest.mark.parametrize("freq", [*FREQUENCIES, None, "ME", "bad", "B2"])
def test_to_period(freq):
    check_all(lambda s: s.dt.to_period(freq), DATES)


FIELDS_OF_COLUMNS = [each for each in FIELDS if each not in ("ordinal", "freqstr")]


@pytest.mark.parametrize("name", [*FIELDS_OF_COLUMNS, "bogus"])
def test_field_of_columns(name):
    check_all(lambda s: getattr(s.dt, name), SAMPLES)


def first(series):
    return series.iloc[0]


METHODS = {
    "to_timestamp": lambda s: s.dt.to_timestamp(),
    "to_timestamp end": lambda s: s.dt.to_timestamp(how="end"),
    "to_timestamp of days": lambda s: s.dt.to_timestamp("D"),
    "to_timestamp of years": lambda s: s.dt.to_timestamp("Y"),
    "asfreq": lambda s: s.dt.asfreq("D"),
    "asfreq start": lambda s: s.dt.asfreq("h", "S"),
    "asfreq coarser": lambda s: s.dt.asfreq("Y"),
    "asfreq bad": lambda s: s.dt.asfreq("bad"),
    "strftime": lambda s: s.dt.strftime("%Y-%m-%d %q"),
    "freq": lambda s: s.dt.freq.n,
    "dtype": lambda s: (repr(s.dtype), str(s.dtype), s.dtype == "period[M]"),
    "repr": repr,
    "repr of a frame": lambda s: repr(s.to_frame()),
    "list": lambda s: [repr(each) for each in s],
    "numpy": lambda s: [repr(each) for each in s.to_numpy()],
    "astype str": lambda s: s.astype(str),
    "astype int": lambda s: s[s.notna()].astype("int64"),
    "astype dates": lambda s: s.astype("datetime64[ns]"),
    "astype object": lambda s: [repr(each) for each in s.astype(object)],
    "astype category": lambda s: s.astype("category").cat.codes,
    "astype periods": lambda s: s.astype("period[Y]"),
    "astype float": lambda s: s.astype("float64"),
    "from objects": lambda s: module_of(s).Series(s.astype(object).tolist()),
    "from ints": lambda s: module_of(s).Series([1, 2]).astype("period[M]"),
    "from texts": lambda s: module_of(s).Series(["2020-01", None], dtype="period[M]"),
    "from dates": lambda s: module_of(s).Series(s.dt.to_timestamp()).astype("period[M]"),
    "add": lambda s: s + 2,
    "radd": lambda s: 2 + s,
    "sub": lambda s: s - 2,
    "add column": lambda s: s + module_of(s).Series(range(len(s)), s.index),
    "add float": lambda s: s + 1.5,
    "add text": lambda s: s + "a",
    "add NaT": lambda s: s + module_of(s).NaT,
    "mul": lambda s: s * 2,
    "sub periods": lambda s: [getattr(each, "n", None) for each in s - s.shift(-1)],
    "sub one": lambda s: [getattr(each, "n", None) for each in s - first(s)],
    "sub other": lambda s: s - module_of(s).Period("2020-01-01 10:11", "min"),
    "isna": lambda s: (s.isna(), s.count(), s.dropna(), s.hasnans),
    "sort": lambda s: (s.sort_values(), s.sort_values(ascending=False), s.argsort().tolist()),
    "rank": lambda s: s.rank(),
    "min max": lambda s: [repr(each) for each in (s.min(), s.max())],
    "idxmin": lambda s: (s.dropna().idxmin(), s.dropna().idxmax()),
    "unique": lambda s: [repr(each) for each in s.unique()],
    "nunique": lambda s: (s.nunique(), s.is_unique, s.duplicated(), s.drop_duplicates()),
    "value_counts": lambda s: s.value_counts(),
    "value_counts all": lambda s: s.value_counts(dropna=False, sort=False),
    "factorize": lambda s: s.factorize()[0],
    "isin": lambda s: s.isin(s[:2]),
    "groupby": lambda s: s.reset_index().groupby("p").sum(),
    "groupby values": lambda s: s.groupby(np.arange(len(s)) % 2).first(),
    "groupby min": lambda s: s.groupby(np.arange(len(s)) % 2).agg(["min", "max"]),
    "groupby sum": lambda s: s.groupby(np.arange(len(s)) % 2).sum(),
    "groupby count": lambda s: s.groupby(np.arange(len(s)) % 2).count(),
    "merge": lambda s: s.reset_index().merge(s.reset_index(), on="p"),
    "concat": lambda s: module_of(s).concat([s, s]),
    "concat others": lambda s: module_of(s).concat([s, s.dt.asfreq("min")]).dtype == object,
    "shift": lambda s: (s.shift(1), s.shift(-1, fill_value=first(s))),
    "fillna": lambda s: s.fillna(first(s)),
    "ffill": lambda s: (s.ffill(), s.bfill()),
    "where": lambda s: (s.where(s > first(s)), s.mask(s > first(s))),
    "set": lambda s: with_row(s, first(s)),
    "set None": lambda s: with_row(s, None),
    "set number": lambda s: with_row(s, 1.5),
    "iloc": lambda s: (s.iloc[1:3], s.iloc[[2, 0]], repr(s.iloc[2])),
    "map": lambda s: s.map(str),
    "apply": lambda s: s.dropna().apply(lambda each: each.year),
    "csv": lambda s: s.to_csv(),
    "select": lambda s: s.to_frame().dtypes.astype(str),
    "equals": lambda s: (s.equals(s.copy()), s.equals(s + 1)),
    "pickle": lambda s: pickle.loads(pickle.dumps(s)),
    "reindex": lambda s: s.reindex([3, 4, 99]),
    "eq text": lambda s: s == str(first(s)),
    "eq bad": lambda s: s == "bad",
    "lt bad": lambda s: s < "bad",
}  # fmt: skip
NEEDS_ROWS = {name for name in METHODS if "text" in name or name == "min max"} | {
    "sub one", "fillna", "where", "set", "set None", "set number", "iloc", "shift", "asfreq bad",
    "idxmin", "apply", "add column", "add float", "mul", "sub other", "groupby sum",
}  # fmt: skip


def with_row(series, value):
    made = series.copy()
    made.iloc[1] = value
    return made


@pytest.mark.parametrize("name", METHODS)
def test_method(name):
    check_all(METHODS[name], SAMPLES, but=("none",) if name in NEEDS_ROWS else ())


INDEX_EXPRESSIONS = """
    m.period_range('2020-01', periods=3, freq='M') | m.period_range('2020-01', '2020-06', freq='2M')
    m.period_range(end='2020-01', periods=3, freq='Q', name='x') | m.period_range('2020', '2020-02')
    m.period_range(m.Period('2020'), periods=2) | m.period_range('2020') | m.period_range()
    m.period_range(m.Period('2020'), m.Period('2021-01')) | m.PeriodIndex(['2020-01'])
    m.period_range('2020', '2019', freq='Y') | m.period_range('2020', periods=1.5, freq='Y')
    m.PeriodIndex(['2020-01', None], freq='M') | m.PeriodIndex(d, freq='M') | m.PeriodIndex('a')
    m.PeriodIndex(p, dtype='period[Y]') | m.PeriodIndex.from_ordinals([1, 2], freq='M', name='x')
    m.Index([m.Period('2020'), m.Period('2021')]) | d.to_period('W') | d.to_period()
    d[[0, 3]].to_period() | p.get_loc('2020-03') | p.get_loc(m.Period('2020-04'))
    p.get_loc('2030')
    int(p.get_loc('2020').stop) | p.get_loc('x') | p.freq.n | p.freqstr | p.asi8 | p.year | p.month
    p.quarter | p.is_leap_year | p.to_timestamp() | p.to_timestamp(how='E') | p.end_time
    p.start_time | p + 1 | p - 1 | p.shift(2) | p.asfreq('D') | p.asfreq('Y', 'S')
    p.strftime('%b')
    p.union(p + 2) | p.intersection(p + 2) | p.difference(p + 2) | p.isin(p[:2]) | p.append(p)
    p < m.Period('2020-03') | p == '2020-02' | p.inferred_type | p.dtype == 'period[M]' | p.min()
    p.is_monotonic_increasing | p.is_unique | p[::-1].sort_values() | p[2] | p[1:3] | p.astype(str)
    p.insert(0, m.Period('2019-01')) | p.to_series() | p.to_frame() | p.name | p.rename('y')
    s | s['2020-02'] | s['2020-02':'2020-04'] | s.loc[m.Period('2020-02')] | s.loc['2021']
    s + s.shift(1) | s + s[2:] | s.reindex(p[:3] + 1) | s.sort_index(ascending=False) | s['x']
    s.to_timestamp() | s.to_timestamp(how='end') | s.to_timestamp().to_period('M') | s.to_period()
    s.to_frame().to_timestamp('D') | s.to_frame().T.to_timestamp(axis=1) | s.to_timestamp(axis=2)
    m.Series([1, 2]).to_period('M') | s.reset_index() | s.groupby(p.year).sum()
    list(s.index.names)
    s.to_csv() | s.to_frame().reset_index().set_index('index') | s.to_dict() | s.idxmax()
""".replace("|", "\n").strip()  # fmt: skip


@pytest.mark.parametrize("text", [each.strip() for each in INDEX_EXPRESSIONS.splitlines()])
def test_indexes(text):
    def done(module):
        months = module.period_range("2020-01", periods=14, freq="M")
        names = {"m": module, "p": months, "s": module.Series(range(14), months),
                 "d": module.date_range("2020-01-31", periods=4, freq="ME")}  # fmt: skip
        return repr(eval(text, names))

    wanted, error = attempt(done, pd)
    found, own = attempt(done, px)
    assert (error is None) == (own is None), (wanted, error, found, own)
    assert found == wanted if error is None else same_kind(own, error), (wanted, error, found, own)


OTHERS = {
    "same": lambda s: s,
    "shifted": lambda s: s.shift(1),
    "one": first,
    "other": lambda s: module_of(s).Period("2020-01-01 10:11", "min"),
    "others": lambda s: s.dt.asfreq("min"),
    "NaT": lambda s: module_of(s).NaT,
    "number": lambda s: 3,
    "objects": lambda s: s.astype(object),
}


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "ge"])
@pytest.mark.parametrize("other", OTHERS)
def test_comparisons(name, other):
    compare = getattr(operator, name)
    samples = {key: each for key, each in SAMPLES.items() if key != "none"}
    check_all(lambda s: compare(s, OTHERS[other](s)), samples)
