"""`Timestamp`, `Timedelta` and `NaT` against pandas': a table of expressions."""

from __future__ import annotations

import copy
import datetime as dt
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phalanx as px

from .against_pandas import attempt, same_kind, theirs

TIMESTAMPS = """
T('2020-01-01')
T('2020-01-01 10:00:00.123456789')
T('2020-01-01 10:00:00.123')
T(1)
T(1.5)
T(1,unit='s')
T(1.5,unit='s')
T(1,unit='D')
T(1.5,unit='D')
T(1e9,unit='s')
T(2020,1,1)
T(2020,1,1,12,nanosecond=5)
T(year=2020,month=1,day=1,hour=3)
T(year=2020,month=1,day=1,tz='UTC')
T(dt.date(2020,1,1))
T(dt.datetime(2020,1,1))
T(np.datetime64('2020-01-01'))
T(np.datetime64('2020-01-01T00','h'))
T('2020-01-01T00:00Z')
T('2020-01-01T00:00+02:00')
T('2020-01-01',tz='Europe/Rome')
T('2020-01-01 00:00+00:00',tz='Europe/Rome')
T(0,tz='Europe/Rome')
T(None)
T('NaT')
T('')
T('bad')
T('2020')
T('2020-05')
T('202005')
T('20200501')
T('5/1/2020')
T('13/1/2020')
T('1 May 2020')
T('May 1, 2020 3pm')
T('2020Q1')
T()
T('2020-01-01 10:00').value
str(T('2020-01-01 10:00:00.000000001'))
str(T('2020-01-01 10:00').to_period('D'))
str(T('2020-03-31').to_period('Q'))
str(T('2020-01-01 23:00',tz='America/New_York').to_period('h'))
T('2020-01-01').to_period()
T('2020-01-01').isoformat()
T('2020-01-01').isoformat(timespec='milliseconds')
T('2020-01-01').isoformat(sep=' ')
T(1).isoformat()
T('2020-01-01')+dt.timedelta(1)
T('2020-01-01')+D(1,'ns')
T('2020-01-01')+np.timedelta64(1,'h')
T('2020-01-01')+np.timedelta64(1,'ns')
T('2020-01-01')-T('2019-01-01')
T('2020-01-01')-dt.datetime(2019,1,1)
dt.datetime(2021,1,1)-T('2020-01-01')
T('2020-01-01')-np.datetime64('2019-01-01')
T('2020-01-01')+1
T('2020-01-01')-T('2020-01-01',tz='UTC')
T('2020-01-01')<T('2020-01-01',tz='UTC')
T('2020-01-01')==T('2020-01-01',tz='UTC')
T('2020-01-01')==dt.date(2020,1,1)
T('2020-01-01')<dt.date(2020,1,2)
T('2020-01-01')==np.datetime64('2020-01-01')
T('2020-01-01')<np.datetime64('2020-01-02')
T('2020-01-01')+np.array([1,2],'m8[D]')
T('2020-01-01')==np.array(['2020-01-01'],'M8[D]')
T('2020-01-01')==N
T('2020-01-01')<N
T('2020-01-01')-N
T('2020-01-01')=='2020-01-01'
T('2020-01-01')<'2020-01-01'
T(np.datetime64(20000,'Y'))
T(np.datetime64(-5000,'Y'))
T(np.datetime64(20000,'Y').astype('M8[s]')).year
T.max
T.min
T.resolution
T('2020-01-01').as_unit('ns')
T('9999-01-01').as_unit('ns')
T('2020-01-01 10:12:13.5').round('s')
T('2020-01-01 10:12:13.5').floor('h')
T('2020-01-01 10:12:13.5').ceil('2D')
T('2020-01-01').to_numpy()
T('2020-01-01').to_datetime64()
T('2020-01-01').to_pydatetime()
T(1).to_pydatetime()
T('2020-01-01').to_julian_date()
T('2020-01-01').timestamp()
T('2020-01-01').replace(hour=5)
T('2020-01-01').replace(nanosecond=5)
T('2020-01-01').replace(tzinfo=dt.timezone.utc)
T('2020-01-01').tz_localize('Europe/Rome')
T('2020-01-01').tz_convert('Europe/Rome')
T('2020-03-29 02:30').tz_localize('Europe/Rome')
T('2020-10-25 02:30').tz_localize('Europe/Rome')
T('2020-10-25 02:30').tz_localize('Europe/Rome',ambiguous=True)
T('2020-10-25 02:30').tz_localize('Europe/Rome',ambiguous='NaT')
T('2020-03-29 02:30').tz_localize('Europe/Rome',nonexistent='shift_forward')
T('2020-03-29 02:30').tz_localize('Europe/Rome',nonexistent=D('1h'))
T('2020-01-01',tz='Europe/Rome').tz
T('2020-01-01',tz='UTC').tz
T('2020-01-01',tz='Europe/Rome').day_name()
T('2020-01-01').isocalendar()
T('2020-01-01').week
T('2020-01-01').quarter
T('2020-01-01').dayofyear
T('2020-01-01').is_month_start
T('2020-01-01').days_in_month
T('2020-01-01').asm8
T('2020-01-01').normalize()
T('2020-01-01 10:00',tz='Europe/Rome').normalize()
T.fromtimestamp(1.5, tz='UTC')
T.fromisoformat('2020-01-01')
T.strptime('2020','%Y')
T.combine(dt.date(2020,1,1),dt.time(3))
T.fromordinal(737425)
T('2020-01-01').ctime()
T('2020-01-01').date()
T('2020-01-01').time()
T('2020-01-01 12:30:00.5').strftime('%Y/%m/%d %H:%M:%S.%f')
f"{T('2020-01-01')}"
f"{T('2020-01-01'):%Y}"
hash(T('2020-01-01'))==hash(dt.datetime(2020,1,1))
hash(T('2020-01-01').as_unit('ns')+D(1))
T('2020-01-01 10:00', unit='s')
T('2020-01-01').as_unit('D')
T('2020-01-01') > dt.datetime(2019,1,1)
dt.datetime(2019,1,1) < T('2020-01-01')
T('1500-01-01')
T('1500-01-01').as_unit('ns')
T('0001-01-01')
T('2262-04-12')
T(2**63-1)
T(-2**63)
T(-2**63+1)
T(1e18)
T('2020-01-01').unit
T('2020-01-01 00:00:00.000000000').unit
T(True)
T([1])
T(dt.timedelta(1))
T('2020-01-01', 'UTC')
T('2020-01-01T24:00')
T('2020-02-30')
T('2020-01-01 10:00 Europe/Rome')
T('2020-01-01 10:00 UTC')
T(dt.datetime(2020,1,1,tzinfo=dt.timezone.utc))
T(dt.datetime(2020,1,1,tzinfo=dt.timezone(dt.timedelta(hours=2))))
T(dt.datetime(2020,1,1,tzinfo=dt.timezone.utc), tz='Europe/Rome')
T(T('2020-01-01').as_unit('s'))
T('2020-01-01').dst()
T('2020-06-01',tz='Europe/Rome').dst()
T('2020-06-01',tz='Europe/Rome').utcoffset()
T('2020-06-01',tz='Europe/Rome').tzname()
T('2020-06-01',tz='Europe/Rome').timetuple()
T('2020-01-01') - D('1h')
D('1h') + T('2020-01-01')
D('1h') - T('2020-01-01')
"""  # fmt: skip

TIMEDELTAS = """
D(1)
D(1,'s')
D(1.5,'s')
D(1.5,'D')
D(1,'min')
D(1,unit='W')
D(days=1)
D(days=1,hours=2.5)
D(nanoseconds=1)
D(days=1,nanoseconds=1)
D(milliseconds=3)
D('1 days')
D('1 days 02:03:04.5')
D('1 days 02:03:04.123456789')
D('-1 days')
D('P1DT2H')
D('PT1.5S')
D('1h')
D('bad')
D('NaT')
D(None)
D(dt.timedelta(1))
D(np.timedelta64(1,'s'))
D(np.timedelta64(1,'h'))
D(np.timedelta64(1,'ns'))
D(np.timedelta64(2**62,'s'))
D()
D(D('1h'),'s')
D('1h','s')
D(1).value
str(D('-1 days'))
str(D('-1ns'))
D('1.5s').isoformat()
D('1 days 2h').isoformat()
D('-1h').isoformat()
D('1.5s').components
D('-1.5s').components
D('-1.5s').seconds
D('1.5s').microseconds
D('1.5us').nanoseconds
D('1h').total_seconds()
D('1.5us').total_seconds()
D('1h')+D('1ns')
D('1h')-D('1ns')
D('1h')+dt.timedelta(1)
dt.timedelta(1)+D('1h')
dt.timedelta(1)-D('1h')
D('1h')+np.timedelta64(1,'s')
D('1h')*2
2*D('1h')
D('1h')*1.5
D('1h')/2
D('1h')/D('1min')
D('1h')/np.timedelta64(1,'s')
D('1h')//D('7min')
D('1h')//7
D('1h')%D('7min')
divmod(D('1h'),D('7min'))
divmod(D('1h'),7)
D('1h')/dt.timedelta(1)
dt.timedelta(1)/D('1h')
dt.timedelta(1)//D('1h')
-D('1h')
abs(D('-1h'))
+D('1h')
D('1h')*D('1h')
D('1h')+1
D('1h')<D('2h')
D('1h')==dt.timedelta(hours=1)
D('1h')==np.timedelta64(1,'h')
D('1h')==3600
D('1h')<3600
D('1h')=='1h'
D('1h')<'2h'
D('1h')==N
D('1h')+N
D('1h')/N
D('1h')//N
D('1.5s').round('s')
D('2.5s').round('s')
D('1.5s').floor('s')
D('1.5s').ceil('s')
D('1h').as_unit('ns')
D('-1.5s').as_unit('s')
D('1.5s').as_unit('s', round_ok=False)
D('1h').to_pytimedelta()
D('1h').to_timedelta64()
D('1h').view('i8')
D('1h').resolution_string
D.max
D.min
D.resolution
hash(D('1h'))==hash(dt.timedelta(hours=1))
bool(D(0))
D(2**63-1).as_unit('us')
D(10**6,'D')
D(10**9,'D')
D('106752 days')
D(10**15,'s')
D(1,'M')
D(1,'H')
D(1,'m')
D(True)
D(1.2345678,'s')
D(1.5,'us')
D('5')
D('5.5')
D(hours=1, bogus=1)
D('1h')*np.array([1,2])
D('1h')/np.array([1,2])
D('1h')+np.array([1,2],'m8[s]')
D('1h')+np.array(['2020'],'M8[s]')
D('1h')<np.array([1,7200],'m8[s]')
D(np.nan)
D('1h')*np.nan
D('1h')/0
np.timedelta64(1,'s')+D('1h')
np.datetime64('2020')+D('1h')
D('1 day 1 day')
D('1:00')
D('01:00:00')
"""  # fmt: skip

NATS = """
N
N.value
N.year
N.is_month_start
N.isoformat()
N.strftime('%Y')
N.date()
N.day_name()
N==N
N!=N
N<N
N+1
N+D(1)
N-N
N*2
N*D(1)
N/2
N/N
-N
N==1
N<1
N<T(0)
T(0)<N
N<dt.date(2020,1,1)
N.total_seconds()
N.to_numpy()
N.tz
N.tz_localize('UTC')
N.floor('D')
N.replace(year=1)
bool(N)
isinstance(N,dt.datetime)
isinstance(N,T)
N.timetuple()
N.weekday()
N.isocalendar()
N.as_unit('s')
N.bogus
N.components
N+np.array([1,2],'m8[s]')
N==np.array([1,2],'m8[s]')
"""  # fmt: skip


OURS = {"T": px.Timestamp, "D": px.Timedelta, "N": px.NaT, "np": np, "dt": dt}
THEIRS = {"T": pd.Timestamp, "D": pd.Timedelta, "N": pd.NaT, "np": np, "dt": dt}


def shown(value):
    """What two results are compared by."""
    if isinstance(value, tuple):
        return [shown(each) for each in value]
    return repr(value), getattr(value, "unit", None), type(value).__name__


def lines_of(*tables):
    return [line for table in tables for line in table.strip().splitlines()]


@pytest.mark.parametrize("line", lines_of(TIMESTAMPS, TIMEDELTAS, NATS))
def test_expression(line):
    wanted, error = attempt(eval, line, dict(THEIRS))
    found, own = attempt(eval, line, dict(OURS))
    if error is not None:
        assert own is not None and same_kind(error, own), (found, own, error)
        return
    assert own is None, own
    assert shown(found) == shown(wanted)


MOMENTS = [
    ("2020-02-29 23:59:59.123456789", None), ("1969-12-31 23:59:59.999999", None),
    ("1677-09-21 00:12:43.145224193", None), ("2262-04-11 23:47:16.854775807", None),
    ("0001-01-01", None), ("9999-12-31 23:59:59.999999", None), ("2000-01-01", "UTC"),
    ("2020-03-29 03:30", "Europe/Rome"), ("2020-10-25 02:30:00.5", "UTC"),
    ("1900-03-01 12:00", "Asia/Tokyo"), ("2024-12-31", None), ("2021-03-31 10:00", None),
]  # fmt: skip
FIELDS = (
    "year month day hour minute second microsecond nanosecond quarter day_of_week dayofweek fold "
    "day_of_year dayofyear days_in_month daysinmonth week is_leap_year is_month_start is_month_end "
    "is_quarter_start is_quarter_end is_year_start is_year_end unit asm8 tz _value"
)
METHODS = {
    "day_name": lambda t: (t.day_name(), t.month_name()),
    "weekday": lambda t: (t.weekday(), t.isoweekday(), tuple(t.isocalendar())),
    "text": lambda t: (str(t), repr(t), t.isoformat(), t.isoformat(sep=" ", timespec="seconds")),
    "format": lambda t: (f"{t}", f"{t:%d.%m.%y}", t.strftime("%H:%M:%S")),
    "python": lambda t: (t.to_pydatetime(warn=False), t.date(), t.time(), t.timetz()),
    "numpy": lambda t: (t.to_numpy(), t.to_datetime64(), t.asm8),
    "units": lambda t: [t.as_unit(each) for each in ("s", "ms", "us")],
    "floor": lambda t: [t.floor(each) for each in ("D", "h", "7min", "250ms", "3us")],
    "ceil": lambda t: [t.ceil(each) for each in ("D", "h", "7min")],
    "round": lambda t: [t.round(each) for each in ("D", "h", "7min", "ms")],
    "normalize": lambda t: t.normalize(),
    "localize": lambda t: t.tz_localize(None).tz_localize("America/New_York"),
    "convert": lambda t: t.tz_convert("Australia/Sydney"),
    "replace": lambda t: (t.replace(minute=5), t.replace(day=1, month=1), t.replace(tzinfo=None)),
    "julian": lambda t: float(t.to_julian_date()),
    "seconds": lambda t: t.timestamp(),
    "hash": lambda t: hash(t),
    "ordinal": lambda t: t.toordinal(),
    "offset": lambda t: (t.utcoffset(), t.dst()),
}


@pytest.mark.parametrize("text, zone", MOMENTS)
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns", None])
def test_fields_and_methods(text, zone, unit):
    wanted, error = attempt(lambda: made(pd.Timestamp(text, tz=zone), unit))
    found, own = attempt(lambda: made(px.Timestamp(text, tz=zone), unit))
    if error is not None:
        assert own is not None and same_kind(error, own)
        return
    for name in FIELDS.split():
        assert getattr(found, name) == getattr(wanted, name), name
    for name, method in METHODS.items():
        assert_alike(method, found, wanted, name)


def made(moment, unit):
    return moment if unit is None else moment.as_unit(unit)


def assert_alike(method, found, wanted, name):
    expected, error = attempt(method, wanted)
    result, own = attempt(method, found)
    if error is not None:
        assert own is not None and same_kind(error, own), (name, result, own, error)
        return
    assert own is None, (name, own)
    assert theirs(result) == expected, name


@pytest.mark.parametrize(
    "value",
    [px.Timestamp(1), px.Timestamp("2020", tz="Europe/Rome"), px.Timedelta("1.5s"), px.NaT,
     px.Timestamp(2020, 1, 1)],
)  # fmt: skip
def test_copies_are_equal(value):
    for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert type(other) is type(value)
        assert other is px.NaT if value is px.NaT else other == value and other.unit == value.unit


counts = st.integers(-(2**63) + 1, 2**63 - 1)
units = st.sampled_from(["s", "ms", "us", "ns"])


@settings(max_examples=200, deadline=None)
@given(counts, units, counts, units)
def test_sums_and_differences_of_any_counts(first, unit, second, other):
    def program(timestamp, timedelta):
        a = timestamp(np.datetime64(first, unit))
        b = timestamp(np.datetime64(second, other))
        d = timedelta(np.timedelta64(second, other))
        for each in (lambda: a - b, lambda: a + d, lambda: d * 2, lambda: a < b, lambda: a == b):
            result, error = attempt(each)
            yield (error and "error") or repr(result)
        yield repr(a), repr(d), a.year, d.components, d.days

    assert list(program(px.Timestamp, px.Timedelta)) == list(program(pd.Timestamp, pd.Timedelta))
