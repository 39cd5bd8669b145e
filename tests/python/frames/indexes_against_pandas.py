"""Indexes of ours beside those of pandas: samples, and what makes two results the same."""

from __future__ import annotations

import datetime
import warnings

import numpy as np
import pandas as pd
from phalanx._frames import indexes
from phalanx._frames.indexes import Index, index_of
from phalanx._frames.missing import NA
from phalanx._frames.scalars import NaT, Timedelta, Timestamp

from .against_pandas import time_of_pandas

NAN, NAT = "NaN", "NaT"


def samples():
    """Indexes of pandas' by what is special about them."""
    nan = np.nan
    days = pd.to_datetime(["2020-01-03", "2020-01-01", "2020-02-01", "2021-01-05"])
    return {
        "ints": pd.Index([3, 1, 4, 15, 9], name="n"),
        "sorted ints": pd.Index([1, 3, 4, 9, 15]),
        "falling ints": pd.Index([15, 9, 4, 3, 1]),
        "repeated ints": pd.Index([3, 1, 3, 4, 1]),
        "sorted repeated ints": pd.Index([1, 1, 3, 3, 4]),
        "far ints": pd.Index([10**15, -5, 7, 10**18]),
        "int8": pd.Index([3, 1, 2], dtype="int8"),
        "uint64": pd.Index([3, 2**63 + 1, 2], dtype="uint64"),
        "floats": pd.Index([1.5, 3.0, -2.5, 0.0]),
        "floats with NaN": pd.Index([1.5, nan, -2.5, nan, 3.0]),
        "sorted floats": pd.Index([-2.5, 1.5, 3.0]),
        "bools": pd.Index([True, False, True]),
        "texts": pd.Index(["b", "a", "d", "cc"], name="t"),
        "sorted texts": pd.Index(["a", "b", "cc", "d"]),
        "repeated texts": pd.Index(["b", "a", "b", "c"]),
        "texts with NaN": pd.Index(["b", None, "a"]),
        "mixed": pd.Index([1, "a", 2.5, None], dtype=object),
        "objects": pd.Index([3, 1, 2], dtype=object),
        "none": pd.Index([], dtype=object),
        "no ints": pd.Index([], dtype="int64"),
        "range": pd.RangeIndex(5),
        "falling range": pd.RangeIndex(10, 0, -3),
        "no range": pd.RangeIndex(0),
        "dates": pd.DatetimeIndex(days, name="d"),
        "sorted dates": pd.DatetimeIndex(days.sort_values()),
        "dates with NaT": pd.DatetimeIndex(["2020-01-03", "NaT", "2020-01-01"]),
        "daily": pd.date_range("2020-01-30", periods=5),
        "hourly": pd.date_range("2020-01-30 10:00", periods=30, freq="3h"),
        "zoned": pd.date_range("2020-03-28", periods=4, tz="Europe/Paris"),
        "durations": pd.to_timedelta(["2 days", "1 days", "3 days 02:00:00"]),
        "durations with NaT": pd.TimedeltaIndex(["2 days", None, "1 days 00:00:00.5"]),
        "spaced durations": pd.timedelta_range("1 days", periods=4),
        "categories": pd.CategoricalIndex(["b", "a", "b", "c"], name="c"),
        "unique categories": pd.CategoricalIndex(["b", "a", "c"], categories=["c", "b", "a"]),
        "ordered categories": pd.CategoricalIndex(
            ["b", "a", None], categories=["c", "b", "a"], ordered=True
        ),
        "nullable": pd.Index([3, 1, 2], dtype="Int64"),
        "nullable with NA": pd.Index([3, None, 2], dtype="Int64"),
        "levels": pd.MultiIndex.from_tuples(
            [("b", 2), ("a", 1), ("b", 1), ("a", 3)], names=["x", "y"]
        ),
        "sorted levels": pd.MultiIndex.from_product([["a", "b"], [1, 2, 3]], names=["x", None]),
        "repeated levels": pd.MultiIndex.from_tuples([("b", 2), ("a", 1), ("b", 2), ("a", 3)]),
        "levels with NaN": pd.MultiIndex.from_tuples([("b", 2), (None, 1), ("a", 3)]),
    }


def of_pandas(index):
    """The index of ours of one of pandas'."""
    return index_of(index)


def plain(value):
    """What two results are compared by."""
    if type(value).__name__ == "RangeIndex":
        # Whether a result is a range is looked at where ranges are tested.
        value = of_class(value)(np.asarray(value), name=value.name)
    if isinstance(value, (Index, pd.Index)):
        return repr(value), [plain(each) for each in value]
    if isinstance(value, pd.api.extensions.ExtensionArray):
        value = np.asarray(value)
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, np.ndarray):
        return value.dtype.kind.replace("u", "i"), [plain(each) for each in value.tolist()] if (
            value.dtype.kind not in "mM"
        ) else [plain(each) for each in value]
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in value.items()}
    return scalar(value)


def of_class(value):
    return pd.Index if isinstance(value, pd.Index) else Index


def scalar(value):
    if value is NA or value is pd.NA:
        return "NA"
    if isinstance(value, (Timestamp, Timedelta)):
        return moment(time_of_pandas(value))
    if isinstance(value, (pd.Timestamp, pd.Timedelta)):
        return moment(value)
    if (
        value is pd.NaT
        or value is NaT
        or (isinstance(value, (np.datetime64, np.timedelta64)) and value != value)
    ):
        return NAT
    if isinstance(value, (np.datetime64, np.timedelta64, datetime.datetime, datetime.timedelta)):
        return moment(value)
    if isinstance(value, (float, np.floating)) and value != value:
        return NAN
    if isinstance(value, np.generic):
        return value.item()
    if type(value).__name__ in ("ndarray",):
        return plain(np.asarray(value))
    return value


def moment(value):
    if isinstance(value, pd.Timestamp):
        return ("date", value.tz is None, value.as_unit("ns").value)
    if isinstance(value, (pd.Timedelta, np.timedelta64, datetime.timedelta)):
        return (
            ("span", int(np.timedelta64(value).astype("m8[ns]").astype(int)))
            if not isinstance(value, pd.Timedelta)
            else ("span", value.as_unit("ns").value)
        )
    return moment(pd.Timestamp(value))


BUILTIN = {
    "KeyError", "TypeError", "ValueError", "IndexError", "NotImplementedError", "AttributeError",
    "InvalidIndexError", "UnsortedIndexError", "AssertionError",
}  # fmt: skip


def outcome(action, *operands):
    """The result of an action as `plain` has it, or the names of the error that it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return plain(action(*operands))
        except Exception as error:
            names = [each.__name__ for each in type(error).__mro__]
            return "raises", frozenset(names) & BUILTIN


def same(ours, theirs):
    """Returns whether two outcomes are the same; an error may be a special case of pandas'."""
    if isinstance(theirs, tuple) and isinstance(ours, tuple) and theirs[0] == ours[0] == "raises":
        return theirs[1] <= ours[1]
    return ours == theirs


def differences(action, cases):
    """The cases where an action on ours differs from the same on pandas': both outcomes."""
    found = {}
    for name, (ours, theirs) in cases.items():
        mine, others = outcome(action, *ours), outcome(action, *theirs)
        if not same(mine, others):
            found[name] = (mine, others)
    return found


def expressions(text):
    """The lines of a table of Python expressions of `m`, which is our indexes or pandas."""
    return [line for line in text.strip().split("\n") if line]


def evaluated(line, module, index=None):
    """What an expression gives, as `plain` has it."""
    names = {"m": module, "np": np, "pd": pd, "datetime": datetime}
    return outcome(lambda: eval(line, names | {"i": None if index is None else index(module)}))


def check(line, index=None):
    """Assert that an expression gives the same of our indexes and of pandas'."""
    mine, others = evaluated(line, indexes, index), evaluated(line, pd, index)
    assert same(mine, others), f"{mine} is not {others}"
