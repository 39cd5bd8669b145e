"""Groups, joins and orders by way of files: the results of those in memory, and no file left."""

import errno
import gc
import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from phalanx._frames.spilling import files, room

import phalanx as px

pd = pytest.importorskip("pandas")

from . import groupby_samples  # noqa: E402

ROWS = 2000
ROOM = 40_000  # bytes: some parts of the columns that are worked on here


@pytest.fixture(autouse=True)
def on_the_host():
    """Files help out of the host's memory: tests make their frames there."""
    with px.device("cpu"):
        yield


@pytest.fixture
def little_room(monkeypatch):
    """As if so little memory was left; gives how many operations went through files since.

    Frames are made on the host, whose memory files help out of, as those of `on_the_host`.
    """
    monkeypatch.setattr(room, "room", lambda: ROOM)
    before = px.memory_info("cpu").file_spills
    with px.device("cpu"):
        yield lambda: px.memory_info("cpu").file_spills - before


@pytest.fixture
def room_for_orders(little_room, monkeypatch):
    """More, for what moves all columns."""
    monkeypatch.setattr(room, "room", lambda: 3 * ROOM)
    return little_room


def table(rows=ROWS, seed=3):
    """The columns of every dtype that groups are tested with, many rows of them."""
    draw = np.random.default_rng(seed)
    few = groupby_samples.frame().drop(columns="object")
    made = few.iloc[draw.integers(0, len(few), rows)].reset_index(drop=True)
    made["many"] = draw.integers(0, rows // 4, rows)
    made["float64"] = np.where(draw.random(rows) < 0.1, np.nan, draw.integers(-30, 30, rows) / 4)
    made["long"] = pd.array(
        [f"a text of key {i}" for i in draw.integers(0, 200, rows)], dtype="str"
    )
    made["time"] = made["datetime"].dt.tz_localize("Europe/Rome")
    return made


THEIRS = table()
with px.device("cpu"):
    OURS = px.from_pandas(THEIRS)
COLUMNS = list(THEIRS.columns)


def check(found, wanted):
    if isinstance(wanted, pd.Series):
        pd.testing.assert_series_equal(found.to_pandas(), wanted)
    else:
        pd.testing.assert_frame_equal(found.to_pandas(), wanted)


# Orders.


ORDERS = [(each, bool(i % 2)) for i, each in enumerate([*COLUMNS, "s", ("k", "r"), ("s", "many")])]


@pytest.mark.parametrize(("by", "ascending"), ORDERS, ids=str)
def test_rows_in_order_are_those_of_pandas(room_for_orders, by, ascending):
    by = list(by) if isinstance(by, tuple) else by
    wanted = THEIRS.sort_values(by, ascending=ascending, kind="stable")
    check(OURS.sort_values(by, ascending=ascending), wanted)
    assert room_for_orders() == 1


@pytest.mark.parametrize("index", ["texts", "levels", "dates", "range"])
@pytest.mark.parametrize(
    "keywords", [{}, {"ignore_index": True}, {"na_position": "first"}], ids=str
)
def test_labels_go_with_their_rows(little_room, index, keywords):
    labels = {
        "texts": pd.Index([f"r{i}" for i in range(ROWS)], name="row"),
        "levels": pd.MultiIndex.from_arrays([THEIRS["c"], THEIRS["many"]]),
        "dates": pd.DatetimeIndex(THEIRS["datetime"]),
        "range": pd.RangeIndex(5, 5 + 2 * ROWS, 2),
    }[index]
    theirs = THEIRS[["float64", "long"]].set_index(labels)
    wanted = theirs.sort_values("float64", kind="stable", **keywords)
    check(px.from_pandas(theirs).sort_values("float64", **keywords), wanted)
    check(
        px.from_pandas(theirs)["long"].sort_values(**keywords),
        theirs["long"].sort_values(kind="stable", **keywords),
    )
    assert little_room() == 2


def test_orders_of_equal_rows_and_of_functions_of_keys(little_room):
    same = OURS.assign(one=1)
    check(same.sort_values("one"), THEIRS.assign(one=1).sort_values("one", kind="stable"))
    check(
        OURS.sort_values("many", key=lambda each: -each),
        THEIRS.sort_values("many", key=lambda each: -each, kind="stable"),
    )
    assert little_room() == 2


def test_python_objects_go_with_their_rows(little_room):
    theirs = THEIRS[["many"]].assign(o=[(i, "x") for i in range(ROWS)])
    check(px.from_pandas(theirs).sort_values("many"), theirs.sort_values("many", kind="stable"))
    assert little_room() == 1


# Groups.

KEYS = [
    "k", "s", "c", "r", "many", "long", "bool", "Int64", "boolean", "datetime", "time",
    ("k", "s"), ("c", "r", "many"),
]  # fmt: skip
NAMES = [
    "sum", "prod", "mean", "median", "var", "std", "sem", "min", "max", "first", "last", "count",
    "nunique", "size", "any", "all",
]  # fmt: skip
NUMBERS = ["int", "int8", "uint8", "float", "float32", "bool", "Int64", "Float64", "boolean"]
OTHERS = ["str", "datetime", "timedelta", "category", "ordered", "time"]
OF_OTHERS = ["first", "last", "count", "nunique"]


def groups(by, columns, **keywords):
    by = list(by) if isinstance(by, tuple) else by
    keywords = {"observed": True, **keywords}
    columns = [each for each in columns if each not in (by if isinstance(by, list) else [by])]
    return OURS.groupby(by, **keywords)[columns], THEIRS.groupby(by, **keywords)[columns]


@pytest.mark.parametrize("name", NAMES)
def test_aggregations_of_numbers(little_room, name):
    found, wanted = groups("many", NUMBERS)
    check(getattr(found, name)(), getattr(wanted, name)())
    assert little_room() > 0


@pytest.mark.parametrize("name", OF_OTHERS)
def test_aggregations_of_other_columns(little_room, name):
    found, wanted = groups("long", OTHERS)
    check(getattr(found, name)(), getattr(wanted, name)())
    assert little_room() > 0


@pytest.mark.parametrize(("sort", "dropna"), [(True, True), (False, False)])
@pytest.mark.parametrize("by", KEYS, ids=str)
def test_groups_are_in_the_order_of_pandas(little_room, by, sort, dropna):
    found, wanted = groups(by, ["int", "float64"], sort=sort, dropna=dropna)
    check(found.sum(), wanted.sum())
    check(found.agg(["min", "count"]), wanted.agg(["min", "count"]))
    assert little_room() > 0


def test_skewness_is_that_in_memory(monkeypatch):
    inside = OURS.groupby("many")[["int", "float"]].skew().to_pandas()
    monkeypatch.setattr(room, "room", lambda: ROOM)
    check(OURS.groupby("many")[["int", "float"]].skew(), inside)


def test_what_needs_the_group_of_each_row_is_in_memory(little_room):
    found, wanted = groups("many", ["int"])
    check(found.transform("sum"), wanted.transform("sum"))
    check(found.cumsum(), wanted.cumsum())
    assert len(found) == len(wanted)
    check(OURS["int"].groupby(OURS["s"]).sum(), THEIRS["int"].groupby(THEIRS["s"]).sum())
    check(
        OURS.groupby("k", as_index=False)["float"].quantile(0.3),
        THEIRS.groupby("k", as_index=False)["float"].quantile(0.3),
    )


# Joins.

HOW = ["inner", "left", "right", "outer", "left_anti", "right_anti"]
ON = ["many", "long", ["float64", "Int64", "bool"], ["many", "c"], ["s", "many", "bool"]]


def sides(on, rows):
    """Two tables whose keys are in both, in part, and values of all kinds beside them."""
    keys = on if isinstance(on, list) else [on]
    values = ["int8", "str", "boolean", "datetime", "category", "bool", "uint8"]
    left = table(rows[0], seed=1)[[*keys, *(each for each in values if each not in keys)]]
    right = table(rows[1], seed=2)[[*keys, "float32", "str", "int"]]
    if "many" in keys:
        right["many"] += 40
    return left.drop_duplicates(keys), right.drop_duplicates([*keys, "str"])


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    ("on", "rows"),
    [*((each, (2000, 1500)) for each in ON), ("many", (2000, 60)), ("many", (60, 2000))],
    ids=str,
)
def test_joined_rows_are_those_of_pandas(monkeypatch, on, how, rows):
    left, right = sides(on, rows)
    one, other = px.from_pandas(left), px.from_pandas(right)
    wanted = left.merge(right, on=on, how=how, indicator=True)
    before = px.memory_info("cpu").file_spills
    monkeypatch.setattr(room, "room", lambda: 9000)
    check(one.merge(other, on=on, how=how, indicator=True), wanted)
    assert px.memory_info("cpu").file_spills == before + 1


@pytest.mark.parametrize("how", HOW)
def test_joins_by_keys_of_other_names_and_dtypes_in_order(little_room, how):
    left = THEIRS[["many", "float64"]].head(1500)
    right = (
        THEIRS[["int8", "long"]].tail(1000).assign(key=lambda f: (f["int8"] * 20).astype("int16"))
    )
    keywords = {"left_on": "many", "right_on": "key", "how": how, "sort": True}
    check(
        px.from_pandas(left).merge(px.from_pandas(right), **keywords), left.merge(right, **keywords)
    )
    assert little_room() == 1


def test_keys_that_never_are_equal_are_refused_as_in_memory(little_room):
    with pytest.raises(ValueError, match="trying to merge on"):
        OURS.merge(OURS[["long"]], left_on="many", right_on="long")


# Limits and files.


def open_files():
    """The files without a name that are open in the folder of the test."""
    found = []
    for each in pathlib.Path("/proc/self/fd").iterdir():
        try:
            found.append(str(each.readlink()))
        except FileNotFoundError:  # that of the list itself
            continue
    return [each for each in found if "(deleted)" in each and os.environ[files.FOLDER] in each]


@pytest.mark.parametrize("work", ["group", "order", "join"])
def test_a_limit_is_kept(tmp_path, monkeypatch, work):
    monkeypatch.setenv(files.FOLDER, str(tmp_path))
    count = 400_000
    draw = np.random.default_rng(0)
    names = {
        "k": draw.integers(0, count // 2, count),
        "v": draw.random(count),
        "w": draw.random(count),
    }
    for name, values in names.items():
        np.save(tmp_path / name, values)
    columns = {name: px.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in names}
    frame = px.DataFrame(columns, copy=False)
    theirs = pd.DataFrame(names)
    limit = px.memory_info("cpu").used_bytes + (2 << 20)
    before = px.memory_info("cpu").file_bytes
    px.set_memory_limit(limit, "cpu")
    try:
        if work == "group":
            found, wanted = frame.groupby("k")["v"].max(), theirs.groupby("k")["v"].max()
        elif work == "order":
            found, wanted = frame.sort_values("v"), theirs.sort_values("v")
        else:
            other = frame[["k", "w"]].head(200_000)
            found = frame.merge(other, on="k")
            wanted = theirs.merge(theirs[["k", "w"]].head(200_000), on="k")
    finally:
        px.set_memory_limit(None, "cpu")
    assert px.memory_info("cpu").file_bytes > before
    check(found, wanted)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["k.npy", "v.npy", "w.npy"]
    del found
    gc.collect()
    assert open_files() == []


def without_disk(monkeypatch, after):
    """Writes fail once so many bytes are written, as on a full disk."""
    written = 0
    whole = files.os.write

    def write(descriptor, data):
        nonlocal written
        if written > after:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written += len(data)
        return whole(descriptor, data[: max(len(data) // 2, 1)])  # a part of it, as disks may

    monkeypatch.setattr(files.os, "write", write)


@pytest.mark.parametrize("after", [0, 20_000, 250_000])
@pytest.mark.parametrize("work", ["group", "order", "join"])
def test_a_full_disk_is_told_and_leaves_nothing(little_room, tmp_path, monkeypatch, work, after):
    monkeypatch.setenv(files.FOLDER, str(tmp_path))
    without_disk(monkeypatch, after)
    doing = {
        "group": lambda: OURS.groupby("long").min(numeric_only=True),
        "order": lambda: OURS.sort_values("long"),
        "join": lambda: OURS.merge(OURS[["many", "int"]], on="many"),
    }[work]
    with pytest.raises(
        px.errors.SpillError, match=f"{tmp_path}.*{files.FOLDER}.*set_memory_limit"
    ) as told:
        doing()
    assert told.value.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == []
    assert open_files() == []
    monkeypatch.undo()
    check(OURS, THEIRS)
    check(OURS.sort_values("long"), THEIRS.sort_values("long", kind="stable"))


def test_a_folder_that_is_not_there_is_named(little_room, monkeypatch):
    monkeypatch.setenv(files.FOLDER, "/no/such/folder")
    with pytest.raises(px.errors.SpillError, match="/no/such/folder"):
        OURS.sort_values("k")


def test_a_limit_of_file_sizes_is_a_full_disk():
    """The system's own refusal, in a process that has no more than it."""
    script = """
        import resource
        import numpy as np
        import phalanx as px
        from phalanx._frames.spilling import room
        room.room = lambda: 40_000
        frame = px.DataFrame({"k": np.arange(20_000)[::-1]})
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        try:
            frame.sort_values("k")
        except px.errors.SpillError as error:
            print(type(error).__name__, error.errno)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PHALANX_DEVICE": "cpu"},
    )
    assert done.stdout == f"SpillError {errno.EFBIG}\n"
    assert done.stderr == ""  # no bar where nobody looks
