"""Names and keywords of pandas: what we have takes all of them, or says which it does not."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from phalanx._frames.missing_names import FRAME, MODULE, SERIES

import phalanx as px

PAIRS = {"DataFrame": (px.DataFrame, pd.DataFrame, FRAME), "Series": (px.Series, pd.Series, SERIES)}


def accepted(method):
    """The keywords that a method takes, and those of which it says that it does not."""
    names = set(inspect.signature(method).parameters)
    while True:
        names |= set(getattr(method, "left_out", ()))
        names |= {"inplace"} if getattr(method, "has_inplace", False) else set()
        if not hasattr(method, "__wrapped__"):
            return names
        method = method.__wrapped__


def methods(kind):
    ours, theirs, _ = PAIRS[kind]
    for name in dir(theirs):
        both = getattr(ours, name, None), getattr(theirs, name)
        if not name.startswith("_") and all(map(callable, both)) and not inspect.isclass(both[1]):
            yield name


# These hand their keywords on as they are.
PLAIN = (str, int, float, bool, tuple)
OPEN = {"to_string", "to_html", "query", "eval"}


@pytest.mark.parametrize("kind", PAIRS)
def test_keywords(kind):
    ours, theirs, _ = PAIRS[kind]
    wrong = {}
    for name in methods(kind):
        wanted = inspect.signature(getattr(theirs, name)).parameters.values()
        named = {
            each.name for each in wanted if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
        } - {"self", "data"}  # what pandas calls the object in `hist`
        lacking = named - accepted(getattr(ours, name))
        if lacking and name not in OPEN:
            wrong[name] = lacking
    assert wrong == {}


@pytest.mark.parametrize("kind", PAIRS)
def test_defaults(kind):
    ours, theirs, _ = PAIRS[kind]
    wrong = {}
    for name in methods(kind):
        mine = inspect.signature(getattr(ours, name)).parameters
        for each in inspect.signature(getattr(theirs, name)).parameters.values():
            own = mine.get(each.name)
            if own is None or own.default is None or not isinstance(each.default, PLAIN):
                continue
            if own.default != each.default and own.default == own.default:
                wrong[name, each.name] = own.default
    assert wrong == {}


@pytest.mark.parametrize("kind", PAIRS)
def test_tables_of_names(kind):
    _, theirs, table = PAIRS[kind]
    assert {name for name in dir(theirs) if not name.startswith("_")} <= table


def test_names_that_are_missing():
    frame, series = px.DataFrame({"a": [1]}), px.Series([1])
    for of in (frame, series, px):
        with pytest.raises(NotImplementedError, match="read_sas" if of is px else "to_xarray"):
            getattr(of, "read_sas" if of is px else "to_xarray")
        with pytest.raises(AttributeError, match="nothing_such"):
            of.nothing_such  # noqa: B018
        assert not hasattr(of, "to_xarray")
    assert "read_sas" in MODULE


def test_keywords_that_are_missing():
    series = px.Series([1, 2])
    with pytest.raises(NotImplementedError, match="'engine' of pandas"):
        series.map(len, engine="numba")
    with pytest.raises(TypeError, match="nothing_such"):
        series.value_counts(nothing_such=3)
    with pytest.raises(NotImplementedError, match="'level' beside a frame"):
        series.to_frame().add(series.to_frame(), level=0)
    with pytest.raises(NotImplementedError, match="engine"):
        px.DataFrame({"a": [1]}).apply(len, engine="numba")


def output(program):
    """What a program prints in a process of its own."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_import_is_light():
    names = "('numpy', 'pandas', 'phalanx._frames')"
    assert output(f"import sys, phalanx; print([m for m in {names} if m in sys.modules])") == "[]"
    program = (
        "import sys, phalanx as px; d = px.DataFrame({'a': [1, None], 'b': ['x', 'y']}); repr(d);"
        "d.describe(); px.concat([d, d]).sort_values('a'); print('pandas' in sys.modules)"
    )
    assert output(program) == "False"


def test_pickles_and_copies():
    frame = px.DataFrame({"a": [1, 2], "b": ["x", None]}, index=["p", "q"])
    frame.attrs["k"] = 1
    again = pickle.loads(pickle.dumps(frame))
    assert again.equals(frame)
    assert again.attrs == {"k": 1}
    series = pickle.loads(pickle.dumps(frame["a"]))
    assert series.equals(frame["a"])
    assert series.name == "a"
    copied = frame.copy()
    copied.loc["p", "a"] = 9
    assert frame.loc["p", "a"] == 1


def test_truth_and_hash():
    for of in (px.DataFrame({"a": [1]}), px.Series([1])):
        with pytest.raises(ValueError, match="ambiguous"):
            bool(of)
        with pytest.raises(TypeError, match="unhashable"):
            hash(of)


def test_attributes():
    frame = px.DataFrame({"a": [1, 2], "b": [1.5, 2.5]})
    assert (frame.shape, frame.size, frame.ndim, frame.empty) == ((2, 2), 4, 2, False)
    assert frame.memory_usage(index=False).tolist() == [16, 16]
    assert frame["a"].nbytes == 16
    frame.b = [3.0, 4.0]
    assert frame["b"].tolist() == [3.0, 4.0]
    assert "a" in dir(frame)


def test_arrays():
    frame = px.DataFrame({"a": [1, 2], "b": [1.5, 2.5]})
    assert np.asarray(frame).tolist() == [[1, 1.5], [2, 2.5]]
    assert np.asarray(frame["a"]).dtype == np.int64
    assert not frame["a"].to_numpy().flags.writeable
    assert frame["a"].to_numpy(copy=True).flags.writeable
    assert isinstance(frame["a"].array, px.ndarray)


def test_missing_values_of_the_module():
    assert px.isna(None)
    assert px.isna(px.NA)
    assert not px.notna(float("nan"))
    assert px.isna([1, None]).tolist() == [False, True]
    assert px.isna(px.Series([1.0, None])).tolist() == [False, True]


def test_pandas_objects_as_arguments():
    frame = px.DataFrame({"a": [1, 2]})
    frame["b"] = pd.Series([3, 4])
    assert (frame["a"] + pd.Series([1, 1])).tolist() == [2, 3]
    assert px.concat([frame, pd.DataFrame({"a": [5]})]).shape == (3, 2)
    assert px.from_pandas(frame.to_pandas()).equals(frame)
    with pytest.raises(TypeError, match="pandas"):
        px.from_pandas([1])


def test_random_rows_of_the_global_generator():
    np.random.seed(1)  # noqa: NPY002
    mine = px.Series(range(9)).sample(3).tolist()
    np.random.seed(1)  # noqa: NPY002
    assert mine == pd.Series(range(9)).sample(3).tolist()
