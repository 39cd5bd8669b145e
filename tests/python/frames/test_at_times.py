"""Rows by their times: `asfreq`, `at_time`, `between_time` and `asof` beside pandas'."""

import datetime

import numpy as np
import pandas as pd
import pytest

from .against_pandas import check_all, ours
from .reshape_samples import module_of

HOURS = pd.date_range("2020-01-01 22:00", periods=9, freq="90min")
DAYS = pd.DatetimeIndex(["2020-01-01", "2020-01-03", "2020-01-04 12:00", "2020-01-09"], name="t")
VALUES = {
    "float": [1.5, np.nan, 3.0, np.nan],
    "int": [1, 2, 3, 4],
    "bool": [True, False, True, True],
    "str": ["a", None, "c", "d"],
    "category": pd.Categorical(["x", None, "y", "x"]),
    "Int64": pd.array([1, None, 3, 4], "Int64"),
    "date": pd.to_datetime(["2020", None, "2021", "2022"]),
    "none": [np.nan] * 4,
}
SAMPLES = {name: pd.Series(values, DAYS, name="v") for name, values in VALUES.items()}
SAMPLES["frame"] = pd.DataFrame(VALUES, DAYS).drop(columns="none")
SAMPLES["zoned"] = SAMPLES["float"].tz_localize("Europe/Paris")
SAMPLES["numbers"] = pd.Series([1.0, None, 3.0], [1, 5, 9])
SAMPLES["unsorted"] = SAMPLES["float"].iloc[::-1]
SAMPLES["repeated"] = SAMPLES["int"].iloc[[0, 0, 1, 2]]
SAMPLES["empty"] = SAMPLES["float"].iloc[:0]
SAMPLES["empty frame"] = SAMPLES["frame"].iloc[:0]
TIMED = {
    "series": pd.Series(range(9), HOURS),
    "frame": pd.DataFrame({"a": range(9), "b": 1.5}, HOURS),
    "columns": pd.DataFrame([range(9)], columns=HOURS),
    "zoned": pd.Series(range(9), HOURS.tz_localize("UTC")),
    "numbers": pd.Series([1, 2]),
    "empty": pd.Series([], pd.DatetimeIndex([]), dtype=float),
}

ASFREQ = [
    lambda s: s.asfreq("D"),
    lambda s: s.asfreq("12h"),
    lambda s: s.asfreq("B", method="ffill"),
    lambda s: s.asfreq("D", method="bfill"),
    lambda s: s.asfreq("36h", normalize=True),
    lambda s: s.asfreq(module_of(s).offsets.Day(2)),
    lambda s: s.asfreq("zz"),
    lambda s: s.asfreq("W"),
    lambda s: s.asfreq("D").index.freqstr,
]


@pytest.mark.parametrize("number", range(len(ASFREQ)))
def test_asfreq(number):
    check_all(ASFREQ[number], SAMPLES, but=("numbers",))


def test_asfreq_is_filled():
    check_all(
        lambda s: s.asfreq("D", fill_value=0),
        SAMPLES,
        but=("str", "category", "date", "frame", "numbers"),
    )


def test_asfreq_of_numbers():
    with pytest.raises(TypeError, match="DatetimeIndex"):
        ours(SAMPLES["numbers"]).asfreq("D")


TIMES = [
    lambda s: s.at_time("23:30"),
    lambda s: s.at_time(datetime.time(4)),
    lambda s: s.at_time("4:00am"),
    lambda s: s.at_time("23:30", axis=1),
    lambda s: s.at_time(datetime.time(5, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))),
    lambda s: s.at_time("4:00", asof=True),
    lambda s: s.between_time("1:00", "4:00"),
    lambda s: s.between_time("23:00", "2:30"),
    lambda s: s.between_time("1:00", "4:00", axis=1),
    lambda s: s.between_time(datetime.time(1), datetime.time(4), inclusive="left"),
    lambda s: s.between_time("1:00", "4:00", inclusive="right"),
    lambda s: s.between_time("0100", "040000", inclusive="neither"),
    lambda s: s.between_time("1:00", "4:00", inclusive="zz"),
    lambda s: s.between_time("zz", "4:00"),
    lambda s: s.index.indexer_at_time("23:30"),
    lambda s: s.index.indexer_between_time("1:00AM", "4:00AM"),
]


@pytest.mark.parametrize("number", range(len(TIMES)))
def test_times_of_the_day(number):
    check_all(TIMES[number], TIMED)


@pytest.mark.parametrize(("time", "error"), [("zz", ValueError), (5, TypeError)])
def test_what_is_no_time(time, error):
    with pytest.raises(error, match="to a time"):
        ours(TIMED["series"]).at_time(time)


def test_asof_of_bools():
    found = ours(SAMPLES["bool"]).asof(ours(pd.DatetimeIndex(DATES[:2])))
    assert found.tolist()[0] is False
    assert found.isna().tolist() == [False, True]


DATES = ["2020-01-03", "2019-12-31", "2020-01-05", "2020-02-01"]
ASOF = [
    lambda s: s.asof(DATES[0]),
    lambda s: s.asof(DATES[1]),
    lambda s: s.asof(module_of(s).Timestamp(DATES[2])),
    lambda s: s.asof(module_of(s).DatetimeIndex(DATES)),
    lambda s: s.asof(module_of(s).DatetimeIndex(DATES[1:2])),
    lambda s: s.asof(module_of(s).DatetimeIndex(DATES[2:])),
    lambda s: s.asof(DATES[2], subset=["int"]),
    lambda s: s.asof(module_of(s).DatetimeIndex(DATES), subset="float"),
    lambda s: s.asof(DATES[0], subset="zz"),
]


@pytest.mark.parametrize("number", range(len(ASOF)))
def test_asof(number):
    # pandas finds no room for NaN among bools, which become objects here.
    samples = SAMPLES | {"frame": SAMPLES["frame"].drop(columns="bool")}
    check_all(ASOF[number], samples, but=("numbers", "zoned", "empty", "empty frame", "bool"))


def test_asof_of_numbers():
    for where in (0, 1, 7, [0, 5, 20], 9.5):
        check_all(lambda s, where=where: s.asof(where), {"numbers": SAMPLES["numbers"]})
