"""What is computed of data runs where that lies, whatever the thread's current device is.

Tables of all methods, functions and models: with another current device the results are the same,
and lie where the data does.
"""

from __future__ import annotations

import datetime
import operator
import types

import numpy as np
import pandas as pd
import pytest
from data_elsewhere import (
    ELSEWHERE,
    HOME,
    OF_NUMPY,
    arrays,
    check,
    outcome,
    places_of,
    wrong_in,
)
from device_group import NAMES
from frames.chain_samples import STEPS
from phalanx._arrays import names as array_names
from phalanx._arrays.ndarray import ndarray

import phalanx as px

pytestmark = pytest.mark.filterwarnings("ignore")


# Frames.


def frame():
    """A frame with columns of most dtypes."""
    rows = np.arange(12)
    made = pd.DataFrame({
        "a": rows % 5 - 1,
        "b": np.where(rows % 4 == 1, np.nan, rows / 4),
        "c": pd.array([["x", "a b", None, "é1"][i % 4] for i in rows], dtype="str"),
        "d": pd.Categorical(list("uvwuvwuvwuvw")),
        "e": pd.to_datetime("2024-01-30") + pd.to_timedelta(rows[::-1], "D"),
    })  # fmt: skip
    return px.from_pandas(made.set_index(pd.Index(rows % 7, name="r")))


# Steps that make frames, or labels, of Python's objects: new ones lie on the current device.
NEW = (
    "trips: ",
    "reshaped: columns of levels",
    "reshaped: stack of a level",
    "reshaped: a level of c",
    "reshaped: swaplevel of c",
)


@pytest.mark.parametrize("pair", [(0, 0), (1, 6)], ids=str)
def test_steps_of_chains(pair):
    table = {name: lambda f, step=step: step(f, *pair) for name, step in STEPS.items()}
    assert not wrong_in(table, frame, NEW)


OBJECTS = {
    "frame": frame,
    "numbers": lambda: frame()[["a", "b"]],
    "integers": lambda: frame()["a"],
    "floats": lambda: frame()["b"],
    "texts": lambda: frame()["c"],
    "categories": lambda: frame()["d"],
    "dates": lambda: frame()["e"],
    "str": lambda: frame()["c"].str,
    "dt": lambda: frame()["e"].dt,
    "cat": lambda: frame()["d"].cat,
    "index": lambda: frame().index,
    "index of texts": lambda: px.Index(frame()["c"]),
    "index of dates": lambda: px.Index(frame()["e"]),
    "levels": lambda: frame().set_index(["c", "a"]).index,
    "groups": lambda: frame().groupby("d"),
    "groups of one": lambda: frame().groupby("a")["b"],
    "rolling": lambda: frame()["b"].rolling(3, min_periods=1),
    "expanding": lambda: frame()[["a", "b"]].expanding(),
    "ewm": lambda: frame()["b"].ewm(com=1),
    "windows of groups": lambda: frame().groupby("d")["b"].rolling(2),
    "resample": lambda: frame().set_index("e")[["a", "b"]].resample("4D"),
    "categorical": lambda: px.Categorical(frame()["d"]),
}
# Of these a call without arguments draws at random, writes files, or shows figures and memory.
LEFT = {"hist", "boxplot", "info", "memory_usage", "plot", "sample", "pipe", "itertuples"}
ARGUMENTS = [(), (1,), ("a",), (np.arange(12.0),)]


def methods_of(make):
    """A row for each attribute, and each call with some arguments of those that are methods."""
    made = make()
    for name in dir(made):
        if name.startswith("_") or name in LEFT or name.startswith(("to_", "from_")):
            continue
        if not callable(getattr(type(made), name, None)):
            yield name, lambda of, name=name: getattr(of, name)
            continue
        for given in ARGUMENTS:
            yield f"{name}{given}", lambda of, n=name, g=given: getattr(of, n)(*g)


@pytest.mark.parametrize("name", OBJECTS)
def test_methods(name):
    assert not wrong_in(dict(methods_of(OBJECTS[name])), OBJECTS[name])


@pytest.mark.parametrize("how", ["groupby", "merge", "sort"])
def test_what_spills(how):
    ways = {
        "groupby": lambda f: f.groupby("key")["value"].sum(),
        "merge": lambda f: f.merge(f.rename(columns={"value": "other"}), on="key", how="left"),
        "sort": lambda f: f.sort_values("value", ascending=False),
    }

    def spilling(of):
        before = px.memory_info(HOME).file_spills
        px.set_memory_limit(px.memory_info(HOME).used_bytes + (4 << 20), HOME)
        try:
            return ways[how](of), px.memory_info(HOME).file_spills > before
        finally:
            px.set_memory_limit(None, HOME)

    rows = np.arange(200_000)

    def make():
        return px.DataFrame({"key": rows % 50_000 + rows // 150_000, "value": rows * 1.0})

    check(spilling, make)


def test_files(tmp_path):
    path = str(tmp_path / "f.parquet")
    frame().to_parquet(path)
    with px.device(HOME):
        unread = px.read_parquet(path)
    with px.device(ELSEWHERE):
        made = unread[unread["a"] > 0]
        assert places_of(made.sum(numeric_only=True)) <= places_of(made["b"] + 1) == {HOME}
        assert made.to_csv() == unread.to_pandas().query("a > 0").to_csv()


# Arrays.


# These write files, say where things are, or give what has not been written to.
NO_FUNCTIONS = {
    "printoptions",
    "empty",
    "empty_like",
    "info",
    "save",
    "savetxt",
    "savez",
    "savez_compressed",
}
CALLS = [
    (1,), (0,), (2,), (1, 1), (0, 1), (1, 2), (2, 1), (3, 1), (0, 0), (3, 1, 1), (1, 1, 1), (0, 2),
]  # fmt: skip


FUNCTIONS = [
    name
    for name in array_names.NAMES
    if isinstance(getattr(np, name, None), (np.ufunc, types.FunctionType, np.vectorize))
    and name not in NO_FUNCTIONS
]


OF_SHAPES = {"ones", "indices"}  # which make new arrays where the current device is


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_functions_of_arrays(call):
    table = {
        name: lambda of, name=name: getattr(px, name)(*(of[i] for i in call))
        for name in FUNCTIONS
        if name not in OF_SHAPES
    }
    assert not wrong_in(table, arrays)


# Where one argument is ours and the others are NumPy's, these come to it.
NO_OPERANDS = {"require", "asarray_chkfinite"} | OF_SHAPES  # which take a dtype


def beside_numpys(call, ours, is_list):
    """The arguments of a call, all but one NumPy's, or lists."""
    others = [np.ndarray.tolist if is_list else np.copy] * len(call)
    others[ours] = lambda each: each
    return lambda of: [
        of[i] if place == ours else others[place](OF_NUMPY[i]) for place, i in enumerate(call)
    ]


@pytest.mark.parametrize("is_list", [False, True], ids=["arrays", "lists"])
@pytest.mark.parametrize("call", [each for each in CALLS if len(each) > 1], ids=str)
def test_functions_beside_numpys_arrays(call, is_list):
    table = {}
    for ours in range(len(call)):
        given = beside_numpys(call, ours, is_list)
        for name in FUNCTIONS:
            if name not in NO_OPERANDS:
                table[f"{name} of ours at {ours}"] = lambda of, name=name, given=given: getattr(
                    px, name
                )(*given(of))
    assert not wrong_in(table, arrays)


METHODS = [
    name
    for name in dir(ndarray)
    if not name.startswith("_")
    and callable(getattr(ndarray, name))
    and name not in ("tofile", "dump")
]


@pytest.mark.parametrize("is_list", [False, True], ids=["arrays", "lists"])
@pytest.mark.parametrize("call", [each for each in CALLS if len(each) > 1], ids=str)
def test_methods_beside_numpys_arrays(call, is_list):
    given = beside_numpys(call, 0, is_list)

    def of_method(name):
        def called(of):
            own, *others = given(of)
            return getattr(own, name)(*others), own

        return called

    assert not wrong_in({name: of_method(name) for name in METHODS}, arrays)


MASK = np.array([True, False, True])
BY_NAME = {
    "sum where": lambda x: x.sum(where=MASK),
    "any where": lambda x: x.any(where=MASK),
    "mean where": lambda x: x.mean(where=MASK),
    "std where": lambda x: x.std(where=MASK),
    "nansum where": lambda x: px.nansum(x, where=MASK),
    "nanmean where": lambda x: px.nanmean(x, where=MASK),
    "hypot.reduce where": lambda x: px.hypot.reduce(x, where=MASK, initial=0.0),
    "add where": lambda x: px.add(x, OF_NUMPY[1], where=MASK),
    "add out": lambda x: px.add(OF_NUMPY[1], OF_NUMPY[2], out=x),
    "add out where": lambda x: px.add(OF_NUMPY[1], OF_NUMPY[2], out=x, where=MASK),
    "add.outer": lambda x: px.add.outer(OF_NUMPY[1], x),
    "add.at": lambda x: (px.add.at(x, [0, 0], OF_NUMPY[1][:2]), x),
    "clip": lambda x: px.clip(x, min=OF_NUMPY[2], max=[2, 2, 2]),
    "clip of NumPy's": lambda x: px.clip(OF_NUMPY[2], min=x),
    "isclose": lambda x: px.isclose(x, OF_NUMPY[1], rtol=OF_NUMPY[1]),
    "average": lambda x: px.average(x, weights=OF_NUMPY[1]),
    "average of NumPy's": lambda x: px.average(OF_NUMPY[1], weights=x),
    "trapezoid": lambda x: px.trapezoid(x, OF_NUMPY[2]),
    "trapezoid dx": lambda x: px.trapezoid(x, dx=OF_NUMPY[2][:2]),
    "trapezoid of NumPy's": lambda x: px.trapezoid(OF_NUMPY[1], x),
    "copyto": lambda x: (px.copyto(x, OF_NUMPY[2], where=MASK), x),
    "select": lambda x: px.select([MASK], [x], OF_NUMPY[2]),
    "select of NumPy's": lambda x: px.select([MASK, x > 1], [OF_NUMPY[1], OF_NUMPY[2]], x),
    "stack": lambda x: px.stack([OF_NUMPY[1], x]),
    "concatenate out": lambda x: px.concatenate([OF_NUMPY[1][:1], OF_NUMPY[1][:2]], out=x),
    "vstack": lambda x: px.vstack([OF_NUMPY[1], x]),
    "hstack": lambda x: px.hstack([OF_NUMPY[1], x]),
    "dstack": lambda x: px.dstack([OF_NUMPY[1], x]),
    "column_stack": lambda x: px.column_stack([OF_NUMPY[1], x]),
    "block": lambda x: px.block([[OF_NUMPY[1]], [x]]),
    "piecewise": lambda x: px.piecewise(x, [MASK], [lambda y: y + OF_NUMPY[1][:2], 7.0]),
    "interp": lambda x: px.interp(OF_NUMPY[1], OF_NUMPY[1][::-1], x),
    "histogram": lambda x: px.histogram(x, OF_NUMPY[1][::-1].cumsum(), weights=OF_NUMPY[2]),
    "bincount": lambda x: px.bincount(x.astype(int), weights=OF_NUMPY[1]),
    "bincount of NumPy's": lambda x: px.bincount(OF_NUMPY[2], weights=x),
    "insert": lambda x: px.insert(x, [1, 2], OF_NUMPY[1][:2]),
    "einsum": lambda x: px.einsum("i,i->", OF_NUMPY[1], x),
    "linalg.solve": lambda x: px.linalg.solve(OF_NUMPY[0], x),
    "linalg.outer": lambda x: px.linalg.outer(OF_NUMPY[1], x),
    "linalg.multi_dot": lambda x: px.linalg.multi_dot([OF_NUMPY[1], OF_NUMPY[0], x]),
    "histogram of NumPy's": lambda x: px.histogram(OF_NUMPY[1], px.sort(x)),
    "take of NumPy's": lambda x: px.take(OF_NUMPY[1], x.astype(int) - 1),
    "repeat of NumPy's": lambda x: px.repeat(OF_NUMPY[1], x.astype(int)),
    "diff of NumPy's": lambda x: px.diff(OF_NUMPY[1], append=x),
    "percentile of NumPy's": lambda x: px.percentile(OF_NUMPY[1], x),
    "quantile weights": lambda x: px.quantile(
        OF_NUMPY[1], 0.5, weights=x, method="inverted_cdf"
    ),
    "sum of NumPy's where": lambda x: px.sum(OF_NUMPY[1], where=x > 1),
    "mean of NumPy's where": lambda x: px.mean(OF_NUMPY[1], where=x > 1),
    "nanmean of NumPy's where": lambda x: px.nanmean(OF_NUMPY[1], where=x > 1),
    "hypot.reduce of NumPy's where": lambda x: px.hypot.reduce(
        OF_NUMPY[1], where=x > 1, initial=0.0
    ),
    "clip of NumPy's where": lambda x: px.clip(OF_NUMPY[1], 1, 2, out=x.copy(), where=x > 1),
    "var mean": lambda x: px.var(x, mean=np.array([2.0])),
    "var of NumPy's": lambda x: px.var(OF_NUMPY[1], mean=x[:1]),
    "add.reduceat of NumPy's": lambda x: px.add.reduceat(OF_NUMPY[1], x.astype(int) - 1),
    "meshgrid": lambda x: px.meshgrid(OF_NUMPY[1], x),
    "nan_to_num": lambda x: px.nan_to_num(np.array([np.nan, 1.0, 2.0]), nan=x),
    "linspace": lambda x: px.linspace(OF_NUMPY[1], x, 3),
    "sum of a list": lambda x: px.sum([OF_NUMPY[1], x], axis=0),
    "maximum.reduce of a list": lambda x: px.maximum.reduce([OF_NUMPY[1], x]),
    "asarray of a list": lambda x: px.asarray([x, [x, x]][:1]),
    "a date": lambda x: x.astype("M8[D]") == np.datetime64("1970-01-04"),
    "a date of Python's": lambda x: x.astype("M8[D]") + datetime.timedelta(days=1),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_NAME)
def test_arguments_by_name_beside_numpys(name):
    check(lambda of: BY_NAME[name](of[1]), arrays)


OPERATORS = [
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor",
    "lshift", "rshift", "eq", "ne", "lt", "le", "gt", "ge", "iadd", "imul", "isub", "imatmul",
]  # fmt: skip


@pytest.mark.parametrize("is_list", [False, True], ids=["arrays", "lists"])
@pytest.mark.parametrize("call", [each for each in CALLS if len(each) == 2], ids=str)
def test_operators_beside_numpys_arrays(call, is_list):
    table = {}
    for ours in range(2):
        given = beside_numpys(call, ours, is_list)
        for name in OPERATORS:
            table[f"{name} of ours at {ours}"] = lambda of, name=name, given=given: getattr(
                operator, name
            )(*given(of))
        for name in ("add", "dot", "where", "concatenate", "clip"):  # NumPy's own, given ours
            table[f"np.{name} of ours at {ours}"] = lambda of, name=name, given=given: getattr(
                np, name
            )(*given(of))
    assert not wrong_in(table, arrays)


NO_ARRAYS = NO_OPERANDS | {"issubdtype", "mintypecode"}
JOINED = ["concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "block"]
JOINED += ["asarray", "array", "sum", "median"]


@pytest.mark.parametrize("call", [each for each in CALLS if len(each) == 2], ids=str)
def test_arrays_of_two_devices_are_refused(call):
    def given(other):
        with px.device(HOME):
            first = arrays()[call[0]]
        with px.device(other):
            return first, arrays()[call[1]]

    table = {name: getattr(px, name) for name in FUNCTIONS if name not in NO_ARRAYS}
    table |= {f"{each} of a list": lambda *of, f=each: getattr(px, f)([*of]) for each in JOINED}
    for name, function in table.items():
        is_unary = getattr(function, "nin", 2) == 1  # the other is where the results go
        if is_unary or isinstance(outcome(lambda f=function: f(*given(HOME))), type):
            continue
        with pytest.raises(
            ValueError, match=f"different devices, {HOME} and {ELSEWHERE}: bring them"
        ):
            pytest.fail(f"{name}: {function(*given(ELSEWHERE))}")


def numbered(count, is_pending):
    """The numbers from 0, recorded or in memory."""
    return px.arange(float(count)) if is_pending else px.asarray(np.arange(float(count)))


KEYS = {
    "list": lambda count: [0, count - 1],
    "integers": lambda count: np.arange(count)[::-1],
    "mask": lambda count: np.arange(count) % 2 == 0,
    "a tuple of a list": lambda count: ([0, 2, 1],),
    "an empty list": lambda count: [],
}


@pytest.mark.parametrize("is_pending", [True, False])
@pytest.mark.parametrize("count", [5, 50_000])
def test_keys_of_the_host(count, is_pending):
    # Keys and values that are no arrays of ours come to where the array is.
    def read(of, key):
        return of[key]

    def write(of, key, value):
        of[key] = value if np.isscalar(value) else value[key]
        return of

    def add(of, key):
        of[key] += 1
        return of

    table = {}
    for name, make in KEYS.items():
        key = make(count)
        table[f"{name} read"] = lambda of, k=key: read(of, k)
        table[f"{name} of a number"] = lambda of, k=key: write(of, k, 7.0)
        table[f"{name} of NumPy's"] = lambda of, k=key: write(of, k, -np.arange(float(count)))
        table[f"{name} added to"] = lambda of, k=key: add(of, k)
    assert not wrong_in(table, lambda: numbered(count, is_pending))


@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_what_auto_makes_meets_arrays_of_any_device(name, is_kept):
    host = np.arange(5.0)
    there = px.asarray(host, device=name)
    with px.device("auto"):
        made = px.asarray(host) if is_kept else px.array(host) * 1
        px.sum(made).item()
        summed = made + there
    assert places_of(summed) == {name}
    assert summed.tolist() == (host + host).tolist()
