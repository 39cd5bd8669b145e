"""Frequencies of every offset: ranges, labels that are moved, bins, and what is inferred."""

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import check
from .test_offsets import KINDS, both, compared

BOUNDS = {
    "start and end": {"start": "2019-12-15 10:00", "end": "2021-08-03"},
    "end first": {"start": "2020-03-01", "end": "2020-01-01"},
    "days": {"start": "2020-01-01", "end": "2020-01-04"},
    "start": {"start": "2020-01-31 12:00", "periods": 7},
    "end": {"end": "2020-03-31", "periods": 7},
    "none": {"start": "2020-01-31", "periods": 0},
    "left": {"start": "2019-12-31", "end": "2020-12-31", "inclusive": "left"},
    "normalized": {"start": "2020-02-01 10:00", "periods": 3, "normalize": True},
}
# Spans of less than a day make too many dates for ranges of years.
SMALL = ("Second", "Milli", "Micro", "Nano", "DateOffset(hours", "DateOffset(nano")
# Fields that are replaced do not go on from date to date.
STILL = ("DateOffset(day=", "DateOffset(month=", "DateOffset(weekday", "DateOffset(year=")


def made(module, offset, bounds, n, tz):
    index = module.date_range(freq=offset * n, tz=tz, **bounds)
    return [index, index.freqstr]


@pytest.mark.parametrize("kind", KINDS)
def test_ranges(kind):
    if kind.startswith((*STILL, "DateOffset(nano", "BusinessDay(offset")) or "normalize" in kind:
        return  # pandas ends such a range where it would end if its steps were taken at once.
    their, own = both(kind)
    wrong = []
    for name, bounds in BOUNDS.items():
        if kind.startswith(SMALL) and "end" in bounds and "start" in bounds:
            continue
        for n in (1, 2) if kind.startswith(("DateOffset", "Easter")) else (1, 2, -1):
            for tz in (None, "Europe/Paris"):
                label = f"{kind} {name} {n} {tz}"
                args = (pd, their, bounds, n, tz), (px, own, bounds, n, tz)
                compared(wrong, label, made, *args)
    assert not wrong, f"{len(wrong)} differ, first " + "\n".join(wrong[:3])


INDEX = pd.DatetimeIndex(
    ["2020-01-01", "2020-01-02 10:00", "2020-01-31", "2020-02-29", "2020-03-14", "2020-05-31 23:00"]
)
MOVED = [
    lambda o, i: i.shift(1, freq=o),
    lambda o, i: i.shift(-2, freq=o),
    lambda o, i: (
        i.to_series(index=range(6)).rename("x").to_frame().set_index("x").index.shift(3, freq=o)
    ),
    lambda o, i: i.to_series().shift(2, freq=o),
    lambda o, i: i.to_frame(name="a").shift(-1, freq=o),
    lambda o, i: i.to_series().shift(0, freq=o),
]


@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_moved(kind):
    their, own = both(kind)
    wrong = []
    for number, function in enumerate(MOVED):
        for tz in (None, "UTC"):
            index = INDEX.tz_localize(tz)
            args = (their, index), (own, px.from_pandas(index))
            compared(wrong, f"{kind} {number} {tz}", function, *args)
    assert not wrong, f"{len(wrong)} differ, first " + "\n".join(wrong[:3])


BINNED = [
    lambda o, s: s.resample(o).sum(),
    lambda o, s: s.resample(o * 2, closed="right", label="left").max(),
    lambda o, s: s.resample(o, label="right").count(),
    lambda o, s: s.to_frame().resample(o).mean(),
]


@pytest.mark.parametrize("kind", KINDS)
def test_bins(kind):
    if kind.startswith((*SMALL, *STILL)) or "normalize" in kind:
        return
    their, own = both(kind)
    wrong = []
    series = pd.Series(np.arange(6.0), INDEX.as_unit("us"), name="v")
    for number, function in enumerate(BINNED):
        args = (their, series), (own, px.from_pandas(series))
        compared(wrong, f"{kind} {number}", function, *args)
    assert not wrong, f"{len(wrong)} differ, first " + "\n".join(wrong[:3])


@pytest.mark.parametrize("kind", KINDS)
def test_inferred(kind):
    if kind.startswith(STILL):
        return
    their, _ = both(kind)
    wrong = []
    for n in (1, 2, 5):
        for tz in (None, "Europe/Paris"):
            index = pd.date_range("2020-01-01", periods=9, freq=their * n, tz=tz)
            args = (pd, index), (px, px.from_pandas(index))
            label = f"{kind} {n} {tz}"
            compared(wrong, label, lambda m, i: [m.infer_freq(i), i.inferred_freq], *args)
    assert not wrong, f"{len(wrong)} differ, first " + "\n".join(wrong[:3])


TEXTS = [
    "D",
    "2D",
    "h",
    "90min",
    "1.5h",
    "1h30min",
    "1D2h",
    "-2ME",
    "ME",
    "3ME",
    "QE",
    "QE-FEB",
    "YE-MAR",
    "BQE",
    "BYS-JUL",
    "W",
    "W-TUE",
    "WOM-2TUE",
    "LWOM-FRI",
    "SME",
    "SMS-10",
    "B",
    "C",
    "CBME",
    "CBMS",
    "HYE",
    "HYS-MAR",
    "BHYE",
    "us",
    "5ns",
    "M",
    "Q",
    "H",
    "T",
    "zz",
    "2",
    "+3D",
    "0D",
    "ME-JAN",
    "W-ZZZ",
    "WOM-9MON",
    "QE-XXX",
    "ME2h",
    "1.5D",
    "h,min",
]


def test_texts():
    wrong = []
    for text in TEXTS:
        both_of = (pd.tseries.frequencies.to_offset, text), (px.tseries.frequencies.to_offset, text)
        compared(wrong, text, lambda read, text: read(text), *both_of)
    assert not wrong, f"{len(wrong)} differ, first " + "\n".join(wrong[:9])


@pytest.mark.parametrize(
    "thing", [None, 5, (1, "D"), pd.Timedelta("36h"), pd.Timedelta("1D")], ids=str
)
def test_other_frequencies(thing):
    wrong = []
    both_of = (pd.tseries.frequencies.to_offset, thing), (px.tseries.frequencies.to_offset, thing)
    compared(wrong, thing, lambda read, thing: read(thing), *both_of)
    assert not wrong, "\n".join(wrong)


BUSINESS = [
    {"start": "2020-01-01", "end": "2020-01-15"},
    {"start": "2020-01-01 10:00", "periods": 5},
    {"start": "2020-01-01 10:00", "periods": 5, "normalize": False},
    {"end": "2020-01-11", "periods": 4, "name": "n", "tz": "UTC"},
    {"start": "2020-01-01", "end": "2020-01-15", "freq": "2B", "inclusive": "left"},
    {"start": "2020-01-01", "periods": 5, "freq": "C", "weekmask": "Mon Wed"},
    {"start": "2020-01-01", "periods": 5, "freq": "C", "holidays": ["2020-01-02"]},
    {"start": "2020-01-01", "periods": 5, "weekmask": "Mon Wed"},
    {"start": "2020-01-01", "periods": 3, "freq": "CBME", "holidays": ["2020-01-31"]},
    {"start": "2020-01-01", "periods": 5, "freq": "Cz", "holidays": ["2020-01-02"]},
    {"start": "2020-01-01", "periods": 5, "freq": None},
    {"start": "2020-01-01"},
]


@pytest.mark.parametrize("number", range(len(BUSINESS)))
def test_business_days(number):
    wrong = []
    args = (pd, BUSINESS[number]), (px, BUSINESS[number])
    compared(wrong, number, lambda m, keywords: m.bdate_range(**keywords), *args)
    assert not wrong, "\n".join(wrong)


INFERRED = {
    "few": ["2020-01-01", "2020-01-02"],
    "falling": ["2020-01-03", "2020-01-02", "2020-01-01"],
    "repeated": ["2020-01-01", "2020-01-01", "2020-01-01"],
    "missing": ["2020-01-01", None, "2020-01-03"],
    "irregular": ["2020-01-01", "2020-01-02", "2020-01-05"],
    "texts": None,
}


@pytest.mark.parametrize("name", INFERRED)
def test_what_has_no_frequency(name):
    values = INFERRED[name]
    index = pd.Index(["a", "b", "c"]) if values is None else pd.DatetimeIndex(values)

    def found(thing):
        module = px if type(thing).__module__.startswith("phalanx") else pd
        return module.infer_freq(thing)

    check(found, index)
    check(found, index.to_series())
    check(found, pd.Index([1, 2, 3]))
    check(found, pd.timedelta_range("1h", periods=4, freq="90min"))
