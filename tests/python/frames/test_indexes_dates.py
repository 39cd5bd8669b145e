"""Indexes of dates and durations, and their ranges, beside pandas'."""

from __future__ import annotations

import pytest

from .indexes_against_pandas import check, expressions

INDEXES = {
    "exact": lambda m: m.DatetimeIndex(
        ["2020-01-31 10:15:30.123456", "2019-12-31", "2020-02-29 23:59:59"], name="z"
    ),
    "with NaT": lambda m: m.DatetimeIndex(["2020-01-31", "NaT", "2020-02-29 12:00"]),
    "daily": lambda m: m.date_range("2019-12-30", periods=40),
    "hourly": lambda m: m.date_range("2020-01-01", periods=50, freq="h"),
    "business": lambda m: m.date_range("2020-01-01", periods=10, freq="B"),
    "monthly": lambda m: m.date_range("2020-01-01", periods=10, freq="ME"),
    "zoned": lambda m: m.date_range("2020-03-28", periods=5, freq="12h", tz="Europe/Paris"),
    "unsorted": lambda m: m.DatetimeIndex(["2020-03-01", "2020-01-05", "2020-01-01"]),
    "repeated": lambda m: m.DatetimeIndex(["2020-01-01", "2020-01-01", "2020-01-02"]),
    "falling": lambda m: m.date_range("2020-01-30", periods=30)[::-1],
    "nanoseconds": lambda m: m.DatetimeIndex(["2020-01-01 00:00:00.000000001", "2020-01-02"]),
}

NUMBERS = """
year month day hour minute second microsecond nanosecond quarter day_of_week dayofweek weekday
day_of_year dayofyear days_in_month daysinmonth is_month_start is_month_end is_quarter_start
is_quarter_end is_year_start is_year_end is_leap_year date time freqstr inferred_freq unit
resolution is_normalized asi8
"""
EXPRESSIONS = """
'
str(i.tz)
i.day_name()
i.month_name()
i.strftime('%Y/%m/%d %H:%M')
i.normalize()
i.floor('D')
i.floor('h')
i.ceil('D')
i.ceil('15min')
i.round('h')
i.round('s')
i.round('7D')
i.floor('ME')
i.floor('zz')
i.tz_localize('UTC')
i.tz_localize('US/Eastern')
i.tz_localize('zz/zz')
i.tz_localize(None)
i.tz_convert('UTC')
i.tz_convert('Asia/Tokyo')
i.tz_convert(None)
i.as_unit('s')
i.as_unit('ns')
i.as_unit('zz')
i.to_julian_date()
i.mean()
i.min()
i.max()
i.shift(1)
i.shift(2,freq='D')
i.shift(-1,freq='ME')
i.shift(1,freq='B')
i.snap('MS')
i.indexer_at_time('00:00')
i.indexer_between_time('10:00','14:00')
i.indexer_between_time('22:00','02:00')
i.get_loc('2020-01-31')
i.get_loc('2020-01')
i.get_loc('2020')
i.get_loc('2020Q1')
i.get_loc('2020-01-01')
i.get_loc('2020-01-01 05')
i.get_loc('2020-01-01 05:00')
i.get_loc('2020-01-01 05:00:00')
i.get_loc('2020-01-31 10:15:30.123456')
i.get_loc('2035')
i.get_loc('zzz')
i.get_loc(5)
i.get_loc(None)
i.get_loc(np.nan)
i.get_loc(datetime.datetime(2020,1,1))
i.get_loc(datetime.date(2020,1,1))
i.get_loc(np.datetime64('2020-01-01'))
i.get_loc(pd.Timestamp('2020-01-31'))
i.get_loc(pd.Timestamp('2020-03-28',tz='Europe/Paris'))
i.get_loc(datetime.timedelta(1))
'2020-01' in i
'2020-01-31' in i
'zz' in i
datetime.datetime(2020,1,31) in i
5 in i
i.slice_locs('2020-01','2020-02')
i.slice_locs('2020-01-05','2020-01-20')
i.slice_locs('2020','2020')
i.slice_locs('2020-01-01 03:00','2020-01-01 07')
i.slice_locs(datetime.datetime(2020,1,5),datetime.datetime(2020,2,1))
i.slice_locs(datetime.date(2020,1,5),None)
i.slice_locs('zz')
i.slice_locs(5)
i.slice_indexer('2020-01','2020-02',2)
i.slice_indexer('2020-02','2020-01',-1)
i.searchsorted('2020-01-15')
i.searchsorted(np.datetime64('2020-01-15'))
i.searchsorted(datetime.datetime(2020,1,15))
i.searchsorted(['2020-01-15','2020-01-20'])
i.searchsorted('zz')
i.searchsorted(5)
i.get_indexer(['2020-01-31','2020-02-29'])
i.get_indexer([datetime.datetime(2020,1,31)])
i.get_indexer(['zz'])
i.get_indexer(m.DatetimeIndex(['2020-01-31','2020-02-29']),method='ffill')
i.get_indexer(m.DatetimeIndex(['2020-01-31 00:10']),method='nearest',tolerance='1h')
i.get_indexer([1,2])
i.isin(['2020-01-31'])
i.isin([datetime.datetime(2020,1,31)])
i.isin([5])
i.insert(0,'2020-01-01')
i.insert(0,datetime.datetime(2020,1,1))
i.insert(0,'zz')
i.insert(0,None)
i.fillna('2020-01-01')
i.drop('2020-01-31')
i.union(['2020-01-01'])
i.append(m.DatetimeIndex(['2020-01-01']))
i.delete(0)
i.delete([0,1])
i[::2]
i[:0]
i[1:2]
i.unique()
i.sort_values()
i.to_pydatetime()
i.to_list()
i.astype(str)
i.astype('int64')
i.astype('datetime64[ns]')
i.astype('datetime64[s]')
i.astype(object)
i.astype('float64')
i.astype('timedelta64[ns]')
i==i[0]
i=='2020-01-31'
i<'2020-02'
i>datetime.datetime(2020,1,31)
i==5
i-i[0]
i-i
i+datetime.timedelta(days=1)
i+np.timedelta64(1,'h')
i+5
i*2
i+m.TimedeltaIndex(['1h']*len(i))
datetime.datetime(2021,1,1)-i
i.rename('q')
i.reindex(['2020-01-31'])
i.equals(i.as_unit('ns'))
i.identical(i.as_unit('ns'))
i.map(lambda x:1)
i.duplicated()
"""
MAKING = """
m.DatetimeIndex(['2020-01-01','2020-01-02'],freq='D')
m.DatetimeIndex(['2020-01-01','2020-01-03'],freq='D')
m.DatetimeIndex(['2020-01-01','2020-01-02','2020-01-03'],freq='infer')
m.DatetimeIndex(['2020-01-01','2020-01-02'],tz='Europe/Paris')
m.DatetimeIndex(['2020-03-29 02:30'],tz='Europe/Paris')
m.DatetimeIndex(['2020-10-25 02:30'],tz='Europe/Paris')
m.DatetimeIndex(['2020-03-29 02:30']).tz_localize('Europe/Paris',nonexistent='shift_forward')
m.DatetimeIndex(['2020-03-29 02:30']).tz_localize('Europe/Paris',nonexistent='shift_backward')
m.DatetimeIndex(['2020-03-29 02:30']).tz_localize('Europe/Paris',nonexistent='NaT')
m.DatetimeIndex(['2020-10-25 02:30']).tz_localize('Europe/Paris',ambiguous='NaT')
m.DatetimeIndex(['2020-10-25 02:30']).tz_localize('Europe/Paris',ambiguous=np.array([True]))
m.DatetimeIndex(['2020-10-25 02:30']).tz_localize('Europe/Paris',ambiguous=np.array([False]))
m.DatetimeIndex(['1900-01-01','2050-07-01']).tz_localize('America/New_York')
m.DatetimeIndex(['2020-01-01T10:00:00+02:00'])
m.DatetimeIndex(['2020-01-01T10:00:00Z'])
m.DatetimeIndex(['2020'])
m.DatetimeIndex(['2020-01'])
m.DatetimeIndex(['zz'])
m.DatetimeIndex([1,2])
m.DatetimeIndex([1.5])
m.DatetimeIndex([])
m.DatetimeIndex()
m.DatetimeIndex([datetime.datetime(2020,1,1),None])
m.DatetimeIndex([datetime.date(2020,1,1)])
m.DatetimeIndex(np.array(['2020-01-01'],'M8[h]'))
m.DatetimeIndex(np.array(['2020-01-01'],'M8[ns]'),name='x')
m.DatetimeIndex(['2020-01-01'],dtype='datetime64[s]')
m.DatetimeIndex(['2020-01-01'],dtype='datetime64[ns, UTC]')
m.DatetimeIndex([True])
m.DatetimeIndex([datetime.timedelta(1)])
m.DatetimeIndex(['2020-01-01 00:00:00.000000001'])
m.DatetimeIndex(['20200101'])
m.DatetimeIndex(['2020/01/05'])
m.date_range('2020-01-01','2020-01-05')
m.date_range(0,1,1)
m.date_range(0,periods=3,tz='US/Eastern')
m.date_range('2020-01-01','2020-01-05',freq='2D')
m.date_range('2020-01-01','2020-01-05',periods=3)
m.date_range('2020-01-01',periods=3)
m.date_range(end='2020-01-05',periods=3)
m.date_range('2020-01-01')
m.date_range('2020-01-01','2020-01-05',periods=3,freq='D')
m.date_range('2020-01-01',periods=-1)
m.date_range('2020-01-01',periods=1.5)
m.date_range('2020-01-01',periods=0)
m.date_range('2020-01-05','2020-01-01')
m.date_range('2020-01-05','2020-01-01',freq='-1D')
m.date_range('2020-01-01',periods=3,freq='-2h')
m.date_range('2020-01-15',periods=4,freq='ME')
m.date_range('2020-01-15',periods=4,freq='MS')
m.date_range('2020-01-15',periods=4,freq='2MS')
m.date_range('2020-01-31','2020-12-31',freq='3ME')
m.date_range('2020-01-15',periods=4,freq='QE')
m.date_range('2020-01-15',periods=4,freq='QS')
m.date_range('2020-01-15',periods=4,freq='QE-NOV')
m.date_range('2020-01-15',periods=4,freq='QS-FEB')
m.date_range('2020-01-15',periods=4,freq='YE')
m.date_range('2020-01-15',periods=4,freq='YS')
m.date_range('2020-01-15',periods=4,freq='YE-MAR')
m.date_range('2020-01-15',periods=4,freq='2YS-JUL')
m.date_range('2020-01-15',periods=4,freq='W')
m.date_range('2020-01-15',periods=4,freq='W-MON')
m.date_range('2020-01-15',periods=4,freq='2W')
m.date_range('2020-01-15',periods=8,freq='B')
m.date_range('2020-01-18',periods=4,freq='2B')
m.date_range('2020-01-18','2020-02-01',freq='B')
m.date_range(end='2020-01-18',periods=4,freq='B')
m.date_range(end='2020-01-18',periods=4,freq='ME')
m.date_range(end='2020-01-18',periods=4,freq='MS')
m.date_range('2020-01-15 10:30',periods=3,freq='ME')
m.date_range('2020-01-15 10:30','2020-03-31 10:00',freq='ME')
m.date_range('2020-01-15 10:30',periods=3,freq='D',normalize=True)
m.date_range('2020-01-01',periods=3,freq='h')
m.date_range('2020-01-01',periods=3,freq='90min')
m.date_range('2020-01-01',periods=3,freq='1h30min')
m.date_range('2020-01-01',periods=3,freq='s')
m.date_range('2020-01-01',periods=3,freq='ms')
m.date_range('2020-01-01',periods=3,freq='us')
m.date_range('2020-01-01',periods=3,freq='ns')
m.date_range('2020-01-01',periods=3,freq='M')
m.date_range('2020-01-01',periods=3,freq='H')
m.date_range('2020-01-01',periods=3,freq='zz')
m.date_range('2020-01-01',periods=3,freq='0D')
m.date_range('2020-01-01',periods=3,freq=datetime.timedelta(hours=5))
m.date_range('2020-01-01',periods=3,freq=pd.Timedelta('1D'))
m.date_range('2020-01-01',periods=3,freq=pd.offsets.MonthEnd(2))
m.date_range('2020-01-01','2020-01-05',inclusive='left')
m.date_range('2020-01-01','2020-01-05',inclusive='right')
m.date_range('2020-01-01','2020-01-05',inclusive='neither')
m.date_range('2020-01-01','2020-01-05',inclusive='zz')
m.date_range('2020-01-01','2020-01-05',name='nm')
m.date_range('2020-01-01','2020-01-05',unit='s')
m.date_range('2020-01-01','2020-01-05',unit='ns')
m.date_range('2020-03-28',periods=4,tz='Europe/Paris')
m.date_range('2020-03-28',periods=4,freq='8h',tz='Europe/Paris')
m.date_range('2020-01-01','2020-01-03',tz='UTC')
m.date_range(datetime.datetime(2020,1,1),datetime.datetime(2020,1,3))
m.date_range(np.datetime64('2020-01-01'),periods=2)
m.date_range(np.datetime64('2020-01-01','ns'),periods=2)
m.date_range(pd.Timestamp('2020-01-01'),periods=2)
m.date_range(pd.Timestamp('2020-01-01',tz='UTC'),periods=2)
m.date_range('2020-01-01','2020-01-02',periods=4)
m.date_range(None,None,3)
m.date_range('zz',periods=2)
m.date_range('2020-01-01','2020-02-10',freq='W-THU').inferred_freq
m.date_range('2020-01-01',periods=5,freq='2QS').inferred_freq
m.date_range('2020-01-01',periods=5,freq='QE-NOV').inferred_freq
m.date_range('2020-01-01',periods=5,freq='YE').inferred_freq
m.date_range('2020-01-01',periods=5,freq='3ME').inferred_freq
m.date_range('2020-01-01',periods=5,freq='MS').inferred_freq
m.date_range('2020-01-01',periods=9,freq='B').inferred_freq
m.date_range('2020-01-01',periods=5,freq='2B').inferred_freq
m.date_range('2020-01-01',periods=5,freq='25min').inferred_freq
m.date_range('2020-01-01',periods=5,freq='48h').inferred_freq
m.date_range('2020-01-01',periods=5,freq='3D').inferred_freq
m.DatetimeIndex(['2020-01-01','2020-01-05','2020-01-06']).inferred_freq
m.date_range('2020-03-28',periods=4,tz='Europe/Paris').inferred_freq
m.timedelta_range('1 days',periods=3)
m.timedelta_range('1 days','3 days')
m.timedelta_range('1h',periods=3,freq='30min')
m.timedelta_range('1 days','2 days',periods=3)
m.timedelta_range(end='3 days',periods=2)
m.timedelta_range('1 days','3 days',closed='left')
m.timedelta_range('1 days',periods=3,name='q')
m.timedelta_range('1 days',periods=3,freq='ME')
m.timedelta_range('1 days')
m.timedelta_range(0,periods=3,freq='h')
m.timedelta_range('1 days',periods=3,unit='ns')
m.TimedeltaIndex(['1 days','2h','-3s'])
m.TimedeltaIndex([1,2])
m.TimedeltaIndex([1.5])
m.TimedeltaIndex(['zz'])
m.TimedeltaIndex([datetime.timedelta(1)])
m.TimedeltaIndex([])
m.TimedeltaIndex(['1 days','2 days','3 days'],freq='infer')
m.TimedeltaIndex(['1 days','2 days'],freq='D')
m.TimedeltaIndex(np.array([1,2],'m8[s]'))
m.TimedeltaIndex(['1 days 02:03:04.5',None]).days
m.TimedeltaIndex(['1 days 02:03:04.5',None]).seconds
m.TimedeltaIndex(['1 days 02:03:04.5']).microseconds
m.TimedeltaIndex(['1 days 02:03:04.5']).nanoseconds
m.TimedeltaIndex(['1 days 02:03:04.5',None]).total_seconds()
m.TimedeltaIndex(['-1 days 02:03:04.5'])
m.TimedeltaIndex(['1 days 02:03:04.5']).to_pytimedelta()
m.TimedeltaIndex(['1 days 02:03:04.5']).round('h')
m.TimedeltaIndex(['1 days 02:03:04.5']).floor('D')
m.TimedeltaIndex(['1 days 02:03:04.5']).ceil('D')
m.TimedeltaIndex(['1 days','2 days']).get_loc('1 days')
m.TimedeltaIndex(['1 days','2 days']).get_loc(datetime.timedelta(1))
m.TimedeltaIndex(['1 days','2 days']).get_loc('9 days')
m.TimedeltaIndex(['1 days','2 days']).get_loc('zz')
m.TimedeltaIndex(['1 days','2 days']).get_loc(5)
m.TimedeltaIndex(['1 days 01:00','1 days 02:00']).get_loc('1 days')
m.TimedeltaIndex(['1 days','2 days','3 days']).slice_locs('1 days','2 days')
m.TimedeltaIndex(['1 days 05:00','2 days 06:00','3 days']).slice_locs('1 days','2 days')
m.TimedeltaIndex(['1 days','2 days'])+datetime.datetime(2020,1,1)
m.TimedeltaIndex(['1 days','2 days'])/datetime.timedelta(hours=1)
m.TimedeltaIndex(['1 days','2 days'])//2
m.TimedeltaIndex(['1 days','2 days'])*1.5
m.TimedeltaIndex(['1 days','2 days']).mean()
m.TimedeltaIndex(['1 days','2 days']).astype('int64')
m.TimedeltaIndex(['1 days','2 days']).astype(str)
m.TimedeltaIndex(['1 days','2 days']).unit
m.TimedeltaIndex(['1 days','2 days','4 days']).inferred_freq
m.TimedeltaIndex(['1 days','2 days']).shift(1,freq='h')
m.TimedeltaIndex(['1 days','2 days']).insert(0,'3 days')
m.TimedeltaIndex(['1 days','2 days']).isin(['1 days'])
m.TimedeltaIndex(['1 days','2 days'])>'1 days'
"""

KNOWN = {
    # A new first date that is no end of a month leaves no frequency of these.
    "monthly": ("i.insert(0,'2020-01-01')", "i.insert(0,datetime"),
    # Python's dates, which labels of a zone are, have no nanoseconds.
    "nanoseconds": ("i.tz_localize('U",),
}
KNOWN_MAKING = (
    # Texts of durations say a point of time here, in pandas a span that fails.
    "m.TimedeltaIndex(['1 days 01:00','1 days 02:00']).get_loc",
    "m.TimedeltaIndex(['1 days 05:00','2 days 06:00','3 days']).slice_locs",
    # The sign of days is read by columns.
    "m.TimedeltaIndex(['-1 days 02:03:04.5'])",
    "m.timedelta_range('1 days',periods=3,freq='ME')",
)


@pytest.mark.parametrize("name", INDEXES)
@pytest.mark.parametrize("line", [f"i.{each}" for each in NUMBERS.split()])
def test_field_is_as_in_pandas(name, line):
    check(line, INDEXES[name])


@pytest.mark.parametrize("name", INDEXES)
@pytest.mark.parametrize("line", expressions(EXPRESSIONS))
def test_expression_is_as_in_pandas(name, line):
    if not any(line.startswith(each) for each in KNOWN.get(name, ())):
        check(line, INDEXES[name])


@pytest.mark.parametrize("line", expressions(MAKING))
def test_index_is_made_as_in_pandas(line):
    if not line.startswith(KNOWN_MAKING):
        check(line)
