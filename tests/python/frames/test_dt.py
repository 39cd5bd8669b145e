"""`Series.dt` against pandas': every field and method by unit, zone and missing rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phalanx as px

from .against_pandas import check, check_all

pytestmark = pytest.mark.filterwarnings("ignore")

TEXTS = [
    "2020-02-29 23:59:59.123456789", "1969-12-31 23:59:59.999999999", "1970-01-01", "2000-12-31",
    "1677-09-21 00:12:44", "2262-04-11 23:47:16", "1900-03-01 12:00", "2021-01-03 10:00:00.5",
    "2024-10-27 01:30", "2023-03-26 00:59:59", "2020-03-31",
]  # fmt: skip
UNITS = ("s", "ms", "us", "ns")


def dates(unit, zone=None, missing=False):
    values = pd.DatetimeIndex(TEXTS).as_unit(unit)
    if zone is not None:
        values = values[[0, 2, 3, 7, 8, 9]].tz_localize("UTC").tz_convert(zone)
    made = pd.Series(values, name="d", index=range(5, 5 + len(values)))
    if missing:
        made.iloc[1] = pd.NaT
    return made


SERIES = {
    f"{unit}/{zone}/{missing}": dates(unit, zone, missing)
    for unit in UNITS
    for zone in (None, "UTC", "Europe/Rome", "America/New_York")
    for missing in (False, True)
} | {
    "far s": pd.Series(np.array(["-0100-03-01", "12000-12-31", "0001-01-01"], "M8[s]")),
    "none": pd.Series([], dtype="M8[us]"),
    "one": pd.Series(pd.DatetimeIndex(["2024-12-30"])),
    "all missing": pd.Series([pd.NaT, pd.NaT]),
    "category": dates("us").astype("category"),
}
FIELDS = """
    year month day hour minute second microsecond nanosecond quarter day_of_week dayofweek weekday
    day_of_year dayofyear days_in_month daysinmonth is_leap_year is_month_start is_month_end
    is_quarter_start is_quarter_end is_year_start is_year_end unit date time timetz
""".split()  # noqa: SIM905
METHODS = {
    "isocalendar": lambda s: s.dt.isocalendar(),
    "names": lambda s: (s.dt.day_name(), s.dt.month_name()),
    "normalize": lambda s: s.dt.normalize(),
    "strftime": lambda s: (s.dt.strftime("%Y-%m-%d"), s.dt.strftime("%d %b %H:%M %Z")),
    "as_unit": lambda s: (s.dt.as_unit("s"), s.dt.as_unit("ms")),
    "tz": lambda s: str(s.dt.tz),
    "tz_convert": lambda s: (s.dt.tz_convert("Asia/Tokyo"), s.dt.tz_convert(None)),
    "tz_localize": lambda s: s.dt.tz_localize("Asia/Tokyo"),
    "tz_localize None": lambda s: s.dt.tz_localize(None),
    "to_pydatetime": lambda s: s.dt.to_pydatetime(),
    "bogus": lambda s: s.dt.bogus,
} | {
    f"{how} {freq}": lambda s, how=how, freq=freq: getattr(s.dt, how)(freq)
    for how in ("floor", "ceil", "round")
    for freq in ("D", "h", "7min", "s", "3D", "ME")
}
# Python's dates, which these are made by, end at the year 9999.
FAR = {"date", "time", "timetz", "strftime", "to_pydatetime", "tz_localize"}


@pytest.mark.parametrize("name", FIELDS)
def test_field(name):
    # pandas infers dates again of objects that are all NaT.
    but = ("far s", "all missing") if name in FAR else ()
    check_all(lambda s: getattr(s.dt, name), SERIES, but=but)


@pytest.mark.parametrize("name", METHODS)
def test_method(name):
    check_all(METHODS[name], SERIES, but=("far s", "all missing") if name in FAR else ())


SPANS = {
    f"{unit}/{missing}": pd.Series(
        pd.to_timedelta([0, 1, -1, 10**9, -(10**15) - 7, 86400 * 10**9] + [None] * missing).as_unit(
            unit
        )
    )
    for unit in UNITS
    for missing in (0, 1)
} | {"none": pd.Series([], dtype="m8[ms]")}
PARTS = ("days", "seconds", "microseconds", "nanoseconds", "components", "unit")
SPAN_METHODS = {
    "total_seconds": lambda s: s.dt.total_seconds(),
    "as_unit": lambda s: (s.dt.as_unit("s"), s.dt.as_unit("ns")),
    "round": lambda s: (s.dt.floor("h"), s.dt.ceil("s"), s.dt.round("2s")),
    "to_pytimedelta": lambda s: s.dt.to_pytimedelta().tolist(),
    "no date": lambda s: s.dt.year,
}


@pytest.mark.parametrize("name", PARTS)
def test_part_of_durations(name):
    check_all(lambda s: getattr(s.dt, name), SPANS)


@pytest.mark.parametrize("name", SPAN_METHODS)
def test_method_of_durations(name):
    check_all(SPAN_METHODS[name], SPANS)


@pytest.mark.parametrize("values", [[1, 2], ["a"], [1.5], [True], []])
def test_other_dtypes_have_none(values):
    check(lambda s: s.dt, pd.Series(values))
    with pytest.raises(AttributeError, match="datetimelike"):
        _ = px.Series(values).dt


CLOCKS = pd.DatetimeIndex(
    ["2020-10-25 01:30", "2020-10-25 02:30", "2020-10-25 02:45", "2020-10-25 02:15",
     "2020-10-25 02:50", "2020-10-25 03:30"]
)  # fmt: skip
SKIPPED = pd.DatetimeIndex(["2020-03-29 01:59:59.5", "2020-03-29 02:00", "2020-03-29 02:59:59"])


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "rule", ["raise", "NaT", "infer", True, False, [True, True, False, True, False, False], "x"]
)
def test_times_shown_twice(unit, rule):
    if isinstance(rule, list):
        rule = np.array(rule)
    series = pd.Series(CLOCKS.as_unit(unit))
    if not isinstance(rule, bool):  # pandas takes a bool for single dates only.
        check(lambda s: s.dt.tz_localize("Europe/Rome", ambiguous=rule), series)
    check(lambda s: s.dt.tz_localize("Europe/Rome", ambiguous=rule), series[::-1])


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "rule",
    [
        "raise",
        "NaT",
        "shift_forward",
        "shift_backward",
        pd.Timedelta("1h"),
        pd.Timedelta("2h"),
        "x",
    ],
)
def test_times_never_shown(unit, rule):
    series = pd.Series(SKIPPED.as_unit(unit))
    check(lambda s: s.dt.tz_localize("Europe/Rome", nonexistent=rule), series)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20),
    st.sampled_from(UNITS),
    st.sampled_from(
        ["year", "month", "day", "day_of_year", "quarter", "is_month_end", "hour", "microsecond"]
    ),
)
def test_fields_of_any_counts(counts, unit, name):
    series = pd.Series(np.array(counts, np.int64).view(f"M8[{unit}]"))
    if unit == "s":  # NumPy's and pandas' years are int32.
        near = np.clip(np.array(counts, np.int64), -(10**15), 10**15)
        series = pd.Series(near.view("M8[s]"))
    check(lambda s: getattr(s.dt, name), series)
