"""Offsets of the calendar: dates, series and indexes of ours move as pandas' do."""

import datetime
import pickle

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, same_kind, theirs

KINDS = [
    "Day()",
    "Hour()",
    "Minute(90)",
    "Second()",
    "Milli(5)",
    "Micro(5)",
    "Nano(5)",
    "BusinessDay()",
    "BusinessDay(offset=datetime.timedelta(hours=2,minutes=30))",
    "BusinessDay(normalize=True)",
    "MonthEnd()",
    "MonthBegin()",
    "BMonthEnd()",
    "BMonthBegin()",
    "MonthEnd(normalize=True)",
    "QuarterEnd()",
    "QuarterBegin()",
    "BQuarterEnd()",
    "BQuarterBegin()",
    "QuarterEnd(startingMonth=2)",
    "BQuarterBegin(startingMonth=1)",
    "HalfYearEnd()",
    "HalfYearBegin()",
    "BHalfYearEnd()",
    "BHalfYearBegin()",
    "YearEnd()",
    "YearBegin()",
    "BYearEnd()",
    "BYearBegin()",
    "YearEnd(month=3)",
    "BYearBegin(month=7)",
    "Week()",
    "Week(weekday=0)",
    "Week(weekday=6)",
    "WeekOfMonth()",
    "WeekOfMonth(week=3,weekday=4)",
    "LastWeekOfMonth()",
    "LastWeekOfMonth(weekday=6)",
    "SemiMonthEnd()",
    "SemiMonthBegin()",
    "SemiMonthEnd(day_of_month=27)",
    "SemiMonthBegin(day_of_month=2)",
    "Easter()",
    "CustomBusinessDay(holidays=['2020-01-01','2020-02-14'])",
    "CDay(weekmask='1100011')",
    "CBMonthEnd(holidays=['2020-01-31'])",
    "CBMonthBegin(holidays=['2020-01-01'])",
    "DateOffset()",
    "DateOffset(months=1)",
    "DateOffset(years=1,months=-1,days=3)",
    "DateOffset(weeks=1,hours=5)",
    "DateOffset(day=31)",
    "DateOffset(month=2,day=30,hour=4,minute=7)",
    "DateOffset(weekday=2)",
    "DateOffset(hours=3,microseconds=7)",
    "DateOffset(nanoseconds=5)",
    "DateOffset(year=2021,second=9)",
    "DateOffset(months=1,normalize=True)",
]
TIMES = [-3, -1, 0, 1, 2, 13]
DATES = [
    "2020-01-01", "2019-12-31", "2020-01-31", "2020-01-31 15:30:12.5", "2020-02-28 23:59:59",
    "2020-02-29", "2020-03-01", "2020-03-14 12:00", "2020-03-15", "2020-03-16", "2020-04-12",
    "2020-04-30 00:00:01", "2020-05-02", "2020-05-31", "2020-06-30", "2020-11-01", "2021-02-27",
    "1969-12-31 06:00", "1970-01-01", "1900-03-01",
]  # fmt: skip


def both(text):
    """An offset of pandas', and ours, of the text of a call."""
    return tuple(
        eval(text, {name: getattr(m, name) for name in dir(m)} | {"datetime": datetime})
        for m in (pd.offsets, px.offsets)
    )


def compared(wrong, label, function, theirs_args, our_args):
    wanted, error = attempt(function, *theirs_args)
    found, own = attempt(function, *our_args)
    try:
        if error is None and own is None:
            found, wanted = plain(found), plain(wanted)
            assert_same(theirs(found), wanted)
        else:
            assert error is not None and own is not None and same_kind(error, own)
    except AssertionError:
        wrong.append(f"{label}: pandas {wanted!r} {error!r} ours {found!r} {own!r}")


def plain(thing):
    """An offset as its text, which is the same for both."""
    if isinstance(thing, (pd.offsets.BaseOffset, px.offsets.BaseOffset)):
        return type(thing).__name__, repr(thing)
    return thing


def moved(offset, n, date):
    return [
        date + offset * n, date - offset * n, offset.rollforward(date), offset.rollback(date),
        offset.is_on_offset(date),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_dates(kind):
    their, own = both(kind)
    wrong = []
    for text in DATES:
        for n in TIMES if "LastWeek" not in kind and "Easter" not in kind else (-2, 1, 2):
            for unit in ("us", "ns"):
                args = pd.Timestamp(text).as_unit(unit), px.Timestamp(text).as_unit(unit)
                label = f"{kind} {n} {text} {unit}"
                compared(wrong, label, moved, (their, n, args[0]), (own, n, args[1]))
    assert not wrong, f"{len(wrong)} differ, first " + "\n".join(wrong[:3])


def moved_labels(offset, n, dates):
    return [dates + offset * n, offset * n + dates, dates - offset * n]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tz", [None, "UTC", "Europe/Paris"])
def test_indexes_and_series(kind, tz):
    their, own = both(kind)
    wrong = []
    index = pd.DatetimeIndex([*DATES, "NaT"], name="when").as_unit("ns").tz_localize(tz)
    mine = px.from_pandas(index)
    for n in (1, -2):
        compared(wrong, f"{kind} {n}", moved_labels, (their, n, index), (own, n, mine))
        compared(
            wrong, f"{kind} {n} series", moved_labels, (their, n, index.to_series(index=range(21))),
            (own, n, px.from_pandas(index.to_series(index=range(21)))),
        )  # fmt: skip
    assert not wrong, f"{len(wrong)} differ, first " + "\n".join(wrong[:3])


PROPERTIES = [
    lambda o: repr(o),
    lambda o: repr(o * 3),
    lambda o: repr(o * -1),
    lambda o: o.freqstr,
    lambda o: (o * 2).freqstr,
    lambda o: o.name,
    lambda o: o.rule_code,
    lambda o: o.n,
    lambda o: o.normalize,
    lambda o: o.nanos,
    lambda o: o.base,
    lambda o: o.copy(),
    lambda o: o == o.copy(),
    lambda o: o == o * 2,
    lambda o: o != o.copy(),
    lambda o: o == o.freqstr,
    lambda o: hash(o) == hash(o.copy()),
    lambda o: hash(o) == hash(o * 2),
    lambda o: o - o,
    lambda o: o + o,
    lambda o: -o,
    lambda o: 2 * o,
    lambda o: o * 1.5,
    lambda o: o / 2,
    lambda o: o < o * 2,
    lambda o: o >= o * 2,
    lambda o: o + None,
    lambda o: o + 1,
    lambda o: 1 - o,
    lambda o: o - 1,
    lambda o: o + datetime.timedelta(1),
    lambda o: datetime.timedelta(1) + o,
    lambda o: datetime.timedelta(1) - o,
    lambda o: o - datetime.timedelta(1),
    lambda o: o == datetime.timedelta(1),
    lambda o: o + np.datetime64("2020-01-15"),
    lambda o: np.datetime64("2020-01-15") + o,
    lambda o: o + datetime.date(2020, 1, 15),
    lambda o: datetime.datetime(2020, 1, 15) - o,
    lambda o: o - datetime.datetime(2020, 1, 1),
    lambda o: setattr(o, "n", 3),
    lambda o: o.is_on_offset("2020-01-01"),
    lambda o: o.rollback("2020-01-05"),
    lambda o: o.rollforward("NaT"),
    lambda o: o == None,  # noqa: E711
    lambda o: pickle.loads(pickle.dumps(o)) == o,
    lambda o: bool(o),
    lambda o: o.nothing,
    lambda o: [repr(each) for each in o * np.array([1, 2])],
    lambda o: type(o)(1.5),
    lambda o: type(o)("a"),
    lambda o: type(o)(2.0),
    lambda o: type(o)(1, normalize=True),
    lambda o: type(o)(nothing=1),
    lambda o: type(o)(0),
]


# Where pandas has no reason for what it does: a part of a span that is cut off, weeks that are
# added to anything, texts as dates and offsets, NaT as an error.
APART = {
    **{key: {23, 33} for key in ("Second()", "Milli(5)", "Micro(5)", "Nano(5)")},
    **{key: {33} for key in ("Hour()", "Minute(90)")},
    "Day()": {33, 41},
    "Week()": {19, 30, 31, 32},
    "BusinessDay(offset=datetime.timedelta(hours=2,minutes=30))": {15},
}


@pytest.mark.parametrize("kind", KINDS)
def test_properties(kind):
    their, own = both(kind)
    wrong = []
    but = {43} if kind.startswith(("CDay", "CustomBusinessDay")) else APART.get(kind, ())
    for number, function in enumerate(PROPERTIES):
        if number in but:
            continue
        compared(wrong, f"{kind} {number}", function, (their,), (own,))
    assert not wrong, f"{len(wrong)} differ, first " + "\n".join(wrong[:3])


PAIRS = [
    "Day(1) == Hour(24)",
    "Day(1) + Hour(1)",
    "Hour(1) + Minute(1)",
    "Hour(24) + Hour(24)",
    "Hour(2) / Minute(1)",
    "Hour(2) / pd.Timedelta('1h')",
    "pd.Timedelta('3h') / Hour(2)",
    "Hour(1) < Minute(80)",
    "Day(1) < Hour(30)",
    "Hour(24) == pd.Timedelta('1D')",
    "pd.Timedelta('1D') == Day(1)",
    "Hour(1) == '60min'",
    "MonthEnd() == 'M'",
    "MonthEnd() == 'ME'",
    "Hour(1) < pd.Timedelta('2h')",
    "pd.Timedelta('2h') - Hour()",
    "Hour() - pd.Timedelta('2h')",
    "pd.Timedelta('2h') + Day()",
    "pd.Timedelta(Hour(3))",
    "pd.Timedelta(Day(3))",
    "MonthEnd(1, True) == MonthEnd(1)",
    "MonthEnd() == MonthBegin()",
    "isinstance(Hour(), DateOffset)",
    "isinstance(MonthEnd(), DateOffset)",
    "issubclass(Tick, BaseOffset)",
    "pd.NaT + MonthEnd()",
    "MonthEnd() + pd.NaT",
    "pd.NaT - Day()",
    "Week(weekday=9)",
    "WeekOfMonth(week=5)",
    "LastWeekOfMonth(0)",
    "SemiMonthEnd(day_of_month=30)",
    "SemiMonthBegin(day_of_month=1)",
    "YearEnd(month=13)",
    "DateOffset(foo=1)",
    "DateOffset(millisecond=1)",
    "DateOffset(2)",
    "DateOffset(days=1) == Day()",
    "MonthEnd() - MonthBegin()",
    "Hour(1) + pd.Timestamp('2020', tz='UTC')",
    "pd.Timestamp('2020-03-28 02:30', tz='Europe/Paris') + Day()",
    "pd.Timestamp('2020-03-28 12:30', tz='Europe/Paris') + Day()",
    "pd.Timestamp('2020-03-28 12:30', tz='Europe/Paris') + Hour(24)",
    "pd.Timestamp('2020-03-28 12:30', tz='Europe/Paris') + DateOffset(days=1)",
    "pd.Timestamp('2020-03-28 12:30', tz='Europe/Paris') + DateOffset(hours=24)",
    "pd.Timestamp('2020-03-28 12:30', tz='Europe/Paris') + MonthEnd()",
    "pd.timedelta_range('1h', periods=3) + Hour(2)",
    "pd.timedelta_range('1h', periods=3) - Day(2)",
    "pd.timedelta_range('1h', periods=3) + MonthEnd()",
    "pd.Series([1, 2]) + MonthEnd()",
    "pd.Series(['a']) + Day()",
    "pd.Series([pd.Timedelta('1h')]) + Hour(2)",
    "pd.Series(pd.to_datetime(['2020-01-05', None])) * Day()",
    "MonthEnd() - pd.Series(pd.to_datetime(['2020-01-05']))",
    "pd.DataFrame({'a': pd.to_datetime(['2020-01-05', None])}) + MonthEnd()",
    "pd.Timestamp.max + MonthEnd()",
    "pd.Timestamp.max + Day()",
    "pd.Timestamp.max + DateOffset(months=1)",
    "pd.Series(pd.to_datetime(['2020-01-05'])) > Day()",
    "pd.Series(pd.to_datetime(['2020-01-05'])) == MonthEnd()",
]


@pytest.mark.parametrize("text", PAIRS)
def test_pairs(text):
    wrong = []

    def evaluated(module, offsets):
        return eval(text, {name: getattr(offsets, name) for name in dir(offsets)} | {"pd": module})

    compared(wrong, text, evaluated, (pd, pd.offsets), (px, px.offsets))
    assert not wrong, f"{len(wrong)} differ, first " + "\n".join(wrong[:3])


def test_names():
    for name in ("BusinessHour", "CustomBusinessHour", "FY5253", "FY5253Quarter"):
        with pytest.raises(NotImplementedError, match=name):
            getattr(px.offsets, name)
    lacking = {each for each in dir(pd.offsets) if each[0].isupper()} - set(dir(px.offsets))
    assert lacking == {"BusinessHour", "CustomBusinessHour", "FY5253", "FY5253Quarter"}
    assert px.DateOffset is px.offsets.DateOffset
    with pytest.raises(AttributeError, match="nothing"):
        px.offsets.nothing  # noqa: B018


def test_offsets_of_pandas():
    assert px.tseries.frequencies.to_offset(pd.offsets.QuarterEnd(2)) == px.offsets.QuarterEnd(2)
    with pytest.raises(NotImplementedError, match="method"):
        px.offsets.Easter(method=1)
