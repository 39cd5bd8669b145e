"""Hashes of rows, which are pandas' numbers."""

import numpy as np
import pandas as pd
import pytest
from phalanx.util import hash_array, hash_pandas_object

import phalanx as px

_NUMBERS = [
    "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16", "bool",
    "M8[ns]", "m8[us]", "M8[s]",
]  # fmt: skip
COLUMNS = {
    **{dtype: np.array([0, 1, 2, 100, 3]).astype(dtype) for dtype in _NUMBERS},
    "negative": np.array([-1, -2, 3, -4, 5], "i4"),
    "special": np.array([0.0, -0.0, np.nan, -np.nan, np.inf]),
    "text": pd.array(["a", "", "longer than eight bytes", "exactly8", "ä€"], "str"),
    "gaps": pd.array(["a", None, "b", "a", None], "str"),
    "objects": np.array([1, "a", None, 2.5, True], object),
    "bytes": np.array(["x", b"y", "z", "x", None], object),
    "categories": pd.Categorical(["a", "b", None, "a", "b"]),
    "categories of numbers": pd.Categorical([3, 1, 2, 1, None]),
    "Int64": pd.array([1, None, 3, 4, 5], "Int64"),
    "boolean": pd.array([True, None, False, True, True], "boolean"),
    "Float32": pd.array([1, None, 3, 4, 5], "Float32"),
    "string": pd.array(["a", None, "b", "c", "d"], "string"),
    "zoned": pd.date_range("2020", periods=5, tz="Europe/Paris"),
    "no time": pd.to_datetime(["2020-01-01", None, "2021-01-01", None, None]),
}
FRAMES = {
    "mixed": lambda frame: frame,
    "no columns": lambda frame: frame[[]],
    "no rows": lambda frame: frame[:0],
    "two levels": lambda frame: frame.set_index(["i1", "text"]),
    "index": lambda frame: frame.index,
    "index of two levels": lambda frame: frame.set_index(["i1", "text"]).index,
}


def same(made, expected):
    assert made.dtype == np.uint64
    assert np.asarray(made).tolist() == np.asarray(expected).tolist()


@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("name", COLUMNS)
def test_series(name, index):
    series = pd.Series(COLUMNS[name])
    expected = pd.util.hash_pandas_object(series, index=index)
    same(hash_pandas_object(px.from_pandas(series), index=index), expected)


@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("name", FRAMES)
def test_frames_and_indexes(name, index):
    columns = {each: COLUMNS[each] for each in ("i1", "text", "categories", "f8")}
    theirs = FRAMES[name](pd.DataFrame(columns, index=list("abcde")))
    expected = pd.util.hash_pandas_object(theirs, index=index)
    same(hash_pandas_object(px.from_pandas(theirs), index=index), expected)


@pytest.mark.parametrize("name", ["i4", "f8", "objects"])
def test_arrays_and_other_keys(name):
    same(hash_array(COLUMNS[name]), pd.util.hash_array(COLUMNS[name]))
    key = "another key of16"
    expected = pd.util.hash_pandas_object(pd.Series(COLUMNS[name]), hash_key=key)
    same(hash_pandas_object(px.Series(COLUMNS[name]), hash_key=key), expected)


def test_what_is_refused():
    with pytest.raises(TypeError, match="Unexpected type for hashing"):
        hash_pandas_object([1, 2])
    with pytest.raises(ValueError, match="16-byte"):
        hash_pandas_object(px.Series(["a"]), hash_key="short")
