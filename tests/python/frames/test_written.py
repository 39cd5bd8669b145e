"""Single elements written one after the other, against pandas, and what else has the column."""

from __future__ import annotations

import pickle
import random
import threading

import numpy as np
import pandas as pd
import pytest
from phalanx._frames.columns import written

import phalanx as px

from .against_pandas import assert_same, attempt, same_kind, theirs

NAN = float("nan")
DAY = np.datetime64("2021-03-04", "us")
# A column of six rows of each dtype, and values for rows of it, some of which it does not hold.
COLUMNS = {
    "float64": ([1.5, NAN, -0.0, 4.0, 5.0, 6.0], [7.25, NAN, None, 8, np.float32(0.1), "x", True]),
    "float32": (
        [1.5, NAN, -0.0, 4.0, 5.0, 6.0],
        [7.25, np.float32(0.1), 0.1, 1e300, np.float64(0.1), None, 3],
    ),
    "int64": ([1, 2, 3, 4, 5, 6], [9, np.int64(8), 7.0, -(2**63), 7.5, "x", True]),
    "int8": ([1, 2, 3, 4, 5, 6], [9, np.int8(8), np.int64(-128), 127, 2.0]),
    "uint64": ([1, 2, 3, 4, 5, 6], [9, 2**64 - 1, np.uint64(2**63), -1, 3.0]),
    "bool": ([True, False, True, True, False, True], [False, np.False_, True, 1, None, 0.0]),
    "complex128": ([1 + 2j, 2.0, 3.0, 4.0, 5.0, 6.0], [1j, 2.0, 3, np.complex128(4 - 1j)]),
    "str": ([*list("abcd"), None, "é"], ["", "other", "ü€", None, NAN, 5]),
    "object": ([1, "b", None, 2.5, (1, 2), True], ["x", 3, None, NAN, 2.5, True]),
    "category": ([*list("abca"), None, "b"], ["b", "a", None, "zz"]),
    "datetime64[us]": ([DAY, "NaT", DAY + 1, DAY, DAY, DAY], [DAY + 7, None, "2022-02-02", 5]),
    "timedelta64[us]": (
        [1, 2, 3, 4, 5, 6],
        [np.timedelta64(7, "us"), None, np.timedelta64(2, "h")],
    ),
    "Int64": ([1, None, 3, 4, 5, 6], [9, None, 2**62 + 1, 2.0, 2.5, np.int64(3)]),
    "Float64": ([1.5, None, 3.0, 4.0, 5.0, 6.0], [9.5, None, 2, np.float64(1.25)]),
    "boolean": ([True, None, False, True, True, True], [False, None, True, 2]),
}
WAYS = {
    "at": "f.at[{row}, 'a'] = v",
    "loc": "f.loc[{row}, 'a'] = v",
    "iat": "f.iat[{row}, 1] = v",
    "iloc": "f.iloc[{row}, 1] = v",
    "iloc from the end": "f.iloc[{row} - 6, -1] = v",
    "a series": "s[{row}] = v",
    "iat of a series": "s.iat[{row}] = v",
}


def frame_of(lib, dtype):
    values = COLUMNS[dtype][0]
    if dtype.startswith(("datetime", "timedelta")):
        values = np.array(values, dtype)
    return lib.DataFrame({"k": range(6), "a": lib.Series(values, dtype=dtype)})


def check(program):
    """The same dict of results with both libraries, or an error of the same kind."""
    (wanted, error), (found, own) = attempt(program, pd), attempt(program, px)
    if error is not None or own is not None:
        assert same_kind(error, own), f"pandas: {error!r}, ours: {own!r}"
        return
    assert found.keys() == wanted.keys()
    for name, each in wanted.items():
        try:
            assert_same(theirs(found[name]), each)
        except AssertionError as problem:
            raise AssertionError(f"{name}: {problem}") from problem


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", COLUMNS)
def test_values(dtype, way):
    """Each value by each way: errors, elements that are read back, and the whole."""
    for value in COLUMNS[dtype][1]:

        def program(lib, value=value):
            frame = frame_of(lib, dtype)
            names = {"f": frame, "s": frame["a"].copy(), "v": value}
            exec(WAYS[way].format(row=2), names)
            exec(WAYS[way].format(row=4), names)
            read = [names["s"].iloc[2], names["f"].at[4, "a"], names["f"].iat[0, 1]]
            few = names["f"].iloc[1:4]
            return {"s": names["s"], "f": names["f"], "read": lib.Series(read), "few": few}

        check(program)


@pytest.mark.parametrize("dtype", COLUMNS)
def test_nobody_else_sees_it(dtype):
    """Copies, columns, slices and filters from before and between the writes are as they were."""
    first, second = COLUMNS[dtype][1][:2]

    def program(lib):
        f = frame_of(lib, dtype)
        made = {"copy before": f.copy(), "column before": f["a"], "slice before": f.iloc[1:5]}
        f.at[1, "a"] = first
        made |= {"copy": f.copy(), "column": f["a"], "slice": f.iloc[1:5], "head": f.head(2)}
        made["filter"] = f[f["k"] > 0]
        f.at[1, "a"] = second
        f.at[3, "a"] = first
        made["both"] = f.copy()
        made["copy"].at[2, "a"] = second  # two writers over one log
        f.at[2, "a"] = first
        made["column"][5] = first
        return made | {"f": f, "again": f.copy(), "row": f.loc[1]}

    check(program)


@pytest.mark.parametrize("dtype", COLUMNS)
@pytest.mark.parametrize("most", [1, 3, 4096])
def test_random_writes(dtype, most, monkeypatch):
    """Writers that copy each other at random, with logs that are full now and then."""
    monkeypatch.setattr(written, "_MOST_ENTRIES", most)
    values = [each for each in COLUMNS[dtype][1][:3] if each is not None]

    def program(lib):
        chance = random.Random(most)
        series = [frame_of(lib, dtype)["a"].copy()]
        read = []
        for _ in range(60):
            one = chance.choice(series)
            choice = chance.random()
            if choice < 0.15 and len(series) < 5:
                series.append(one.copy())
            elif choice < 0.25:
                read.append(one.iloc[chance.randrange(6)])
            elif choice < 0.3:
                read.append(one.isna().sum())
            else:
                one[chance.randrange(6)] = chance.choice(values)
        return {str(i): each for i, each in enumerate(series)} | {
            "read": lib.Series(read, dtype=object)
        }

    check(program)


@pytest.mark.parametrize(("dtype", "value"), [("int8", 128), ("int64", 2**63), ("uint8", -1)])
def test_integers_that_do_not_fit(dtype, value):
    """pandas tells some of these as errors of its own."""
    series = px.Series([1, 2], dtype=dtype)
    with pytest.raises(TypeError, match="Invalid value"):
        series[0] = value
    assert series.tolist() == [1, 2]


def test_missing_durations():
    """NaT alone is a duration where one is asked for."""
    assert px.Series([px.NaT, None], dtype="m8[us]").dtype == np.dtype("m8[us]")


def test_intervals():
    """Columns without a log are written, too."""
    one = px.Series(px.interval_range(0, 3))
    other = one.copy()
    one[1] = one[0]
    assert list(one) == [other[0], other[0], other[2]]
    assert one.dtype == other.dtype


def test_a_loop_copies_nothing():
    """A write makes no array as long as nobody looks, and elements are read from the log."""
    frame = px.DataFrame({"a": np.zeros(100_000)})
    before = frame._parts[0]
    for row in range(1, 500):
        frame.at[row, "a"] = frame.at[row - 1, "a"] + 1.0
    column = frame._parts[0]
    assert column._log is not None
    assert column._log.base is before
    assert frame["a"].sum() == 499 * 500 / 2
    assert column._log is None
    assert before.to_numpy().sum() == 0


def test_pickles():
    frame = px.DataFrame({"a": [1.0, 2.0], "s": ["x", "y"]})
    frame.at[0, "a"] = 5.0
    frame.at[1, "s"] = "z"
    again = pickle.loads(pickle.dumps(frame))
    assert again.equals(frame)
    again.at[0, "a"] = 6.0
    assert frame.at[0, "a"] == 5.0


def test_arrays_of_numpy_stay():
    """What `to_numpy` gave before a write, and what was computed of the column, do not change."""
    series = px.Series([1.0, 2.0, 3.0])
    series[0] = 4.0
    array, sums = series.to_numpy(), series + 1
    series[0] = 9.0
    series[1] = 9.0
    assert array.tolist() == [4.0, 2.0, 3.0]
    assert sums.tolist() == [5.0, 3.0, 4.0]
    assert series.tolist() == [9.0, 9.0, 3.0]


def test_threads_with_copies():
    """Threads that write into copies of one series do not see each other's elements."""
    start = px.Series(np.zeros(64))
    start[0] = 1.0
    copies = [start.copy() for _ in range(4)]

    def write(number):
        for i in range(2000):
            copies[number][i % 64] = float(number)

    threads = [threading.Thread(target=write, args=(i,)) for i in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [each.sum() for each in copies] == [0.0, 64.0, 128.0, 192.0]
    assert start.sum() == 1.0


def test_filters_and_new_rows():
    """A column of a filter is written, and one that was written grows."""

    def program(lib):
        frame = lib.DataFrame({"k": np.arange(200_000) % 5, "a": np.arange(200_000.0)})
        kept = frame[frame["k"] > 2]
        kept.iloc[3, 1] = -1.0
        kept.loc[4, "a"] = -2.0
        small = kept.head(4).copy()
        small.at[3, "a"] = 7.5
        small.loc[10**6] = [1, 2.5]
        small.at[10**6, "a"] += 1
        return {"kept": kept, "frame": frame.head(10), "small": small}

    check(program)


def test_pandas_values():
    """Scalars of pandas go in, too."""
    series = px.Series(np.array(["2020-01-01"] * 2, "M8[us]"))
    series[0] = pd.Timestamp("2021-01-01")
    series.iat[1] = pd.NaT
    assert series.isna().tolist() == [False, True]
    assert series[0] == px.Timestamp("2021-01-01")
