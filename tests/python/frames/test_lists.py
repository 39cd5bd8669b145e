"""Columns of lists against pandas' ArrowDtype."""

from __future__ import annotations

import operator
import pickle
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import phalanx as px

from .test_decimals import OURS, check, shown

LISTS = {
    "int64": ([[1, 2, 3], None, [], [4, None], [5]], pa.int64()),
    "int32": ([[1, 2], [3]], pa.int32()),
    "double": ([[1.5, 2.0], None, [float("nan")]], pa.float64()),
    "string": ([["a", "b"], [None], []], pa.string()),
    "bool": ([[True, None], None], pa.bool_()),
    "decimal": ([[Decimal("1.5")], None], pa.decimal128(5, 2)),
    "nested": ([[[1], [2, 3]], None], pa.list_(pa.int64())),
    "long": ([list(range(200))], pa.int64()),
}


def lists(name):
    rows, element = LISTS[name]
    labels = range(10, 10 + len(rows))
    return pd.Series(rows, dtype=pd.ArrowDtype(pa.list_(element)), name="l", index=labels)


ROWS = {
    "rows": lambda s: (s, s[:0], s[::-1], s.iloc[[0, -1]], s[s.isna()]),
    "missing": lambda s: (s.isna(), s.dropna(), s.shift(1), s.ffill(), s.count()),
    "reindexed": lambda s: (s.reindex([10, 99]), s.where(s.index > 10)),
    "explode": lambda s: (s.explode(), s[:0].explode(), s.explode(ignore_index=True)),
    "elements": lambda s: (s.list.len(), s.list.flatten(), s.list[0:1], s.list[1:], s.list[::2]),
    "none": lambda s: (s[:0].list.len(), s[:0].list.flatten(), s[:0].list[0]),
    "first": lambda s: s.list[0],
}


@pytest.mark.parametrize("name", LISTS)
def test_rows(name):
    for function in ROWS.values():
        check(function, lists(name))
    theirs, ours = lists(name), px.Series(lists(name))
    for write in (repr, lambda s: s.to_csv(), lambda s: repr(s.to_frame()), lambda s: str(s.dtype)):
        assert write(ours) == write(theirs)
    assert ours.astype("str").tolist()[0] == theirs.astype("str").tolist()[0]
    assert name == "double" or ours.to_pandas().equals(theirs)  # NaN is unequal to itself there
    assert shown(pickle.loads(pickle.dumps(ours))) == shown(theirs)
    joined = px.concat([ours, ours[::-1]]), pd.concat([theirs, theirs[::-1]])
    assert shown(joined[0]) == shown(joined[1])


def test_elements():
    theirs = lists("int64")[[10, 14]]
    for key in (0, -1, 1, slice(0, 2), slice(1, 3, 2), slice(5, 9), "x"):
        try:
            wanted = theirs.list[key]
        except (pa.ArrowInvalid, ValueError):
            with pytest.raises((IndexError, ValueError)):
                px.Series(theirs).list[key]
        else:
            assert shown(px.Series(theirs).list[key]) == shown(wanted)
    ours = px.Series(lists("int64"))
    assert ours.list[-2:].tolist() == [[2, 3], px.NA, [], [4, None], [5]]
    assert ours.list.get(1).tolist() == [2, px.NA, px.NA, px.NA, px.NA]
    assert ours.list.get(1, 0).tolist() == [2, px.NA, 0, px.NA, 0]
    for wrong in (lambda: ours.list[::-1], lambda: ours.list[::0]):
        with pytest.raises(ValueError, match="step"):
            wrong()
    with pytest.raises(AttributeError, match="int64"):
        px.Series([1]).list.len()
    with pytest.raises(TypeError, match="not iterable"):
        list(ours.list)


def test_frames_with_lists(tmp_path):
    theirs = lists("int64").to_frame().assign(k=[1, 1, 2, 2, 2])
    ours = px.from_pandas(theirs)
    for function in (
        lambda f: f.explode("l"),
        lambda f: f.assign(z=f["l"]).explode(["l", "z"]),
        lambda f: f[f["k"] == 2],
        lambda f: f.merge(f, on="k"),
        lambda f: f.groupby("k")["l"].first(),
        lambda f: f.groupby("k")["l"].last(),
        lambda f: f.groupby("k")["l"].count(),
        lambda f: f.groupby("k").head(1),
        lambda f: f["l"].list.len().groupby(f["k"]).sum(),
    ):
        check(function, theirs)
    assert repr(ours) == repr(theirs)
    assert ours.equals(ours.copy())
    assert not ours.equals(ours.assign(l=ours["l"].shift(1)))
    for name in ("parquet", "feather"):
        path = tmp_path / name
        getattr(ours, f"to_{name}")(path)
        assert getattr(px, f"read_{name}")(path).equals(ours)
        assert list(getattr(pd, f"read_{name}")(path)["l"].iloc[0]) == [1, 2, 3]


def test_equal_rows():
    ours = px.Series(lists("int64"))
    same = (ours == ours).tolist()
    assert same == [True, px.NA, True, True, True]
    other = px.Series([[1, 2, 4], [1], [], [4, None], [5, 6]], ours.index, dtype=ours.dtype)
    assert (ours == other).tolist() == [False, px.NA, True, True, False]
    assert (ours != other).tolist() == [True, px.NA, False, False, True]


NONE_OF = "sum min max mean unique value_counts nunique drop_duplicates duplicated sort_values rank"
NONE_OF += " any cumsum diff abs mode idxmin factorize"


@pytest.mark.parametrize("name", NONE_OF.split())
def test_what_lists_have_not(name):
    with pytest.raises((TypeError, NotImplementedError)):
        operator.methodcaller(name)(px.Series(lists("int64")))


def test_other_refusals():
    ours = px.Series(lists("int64"))
    frame = px.DataFrame({"l": ours, "k": 1})
    for wrong in (
        lambda: ours < ours,
        lambda: ours + 1,
        lambda: ours.fillna(0),
        lambda: ours.astype("int64"),
        lambda: ours.isin([[1]]),
        lambda: frame.groupby("l").size(),
        lambda: frame.merge(frame, on="l"),
        lambda: frame.groupby("k")["l"].sum(),
    ):
        with pytest.raises((TypeError, NotImplementedError)):
            wrong()
    with pytest.raises(NotImplementedError, match="explode"):
        frame.groupby("l").size()
    for wrong in ([1], [[1], "x"]):
        with pytest.raises(TypeError, match=r"Cannot cast|list expected"):
            px.Series(wrong, dtype=ours.dtype)


def test_from_arrow_and_back():
    for name in LISTS:
        array = lists(name).array.__arrow_array__().combine_chunks()
        for data in (array, array[1:], array[:0]):
            assert str(px.Series(data).to_arrow().to_pylist()) == str(data.to_pylist())
        assert px.Series(array).to_arrow().type == array.type
    fixed = pa.array([[1, 2], None], pa.list_(pa.int64(), 2))
    assert px.Series(fixed).tolist() == [[1, 2], px.NA]
    large = pa.array([[1], [2, 3]], pa.large_list(pa.int64()))
    assert px.Series(large).dtype == "list<item: int64>[pyarrow]"
    of_dicts = pa.array([[{"a": 1}]])
    assert px.Series(of_dicts).dtype == object
    assert OURS["int32[pyarrow]"] == str(px.Series(large).list.len().dtype)


def test_many_rows():
    """Rows are moved without an object for each: a million in a moment."""
    offsets = pa.array(np.arange(0, 4_000_001, 4, dtype=np.int32))
    ours = px.Series(pa.ListArray.from_arrays(offsets, pa.array(np.arange(4_000_000))))
    assert int(ours[::-1].explode().iloc[0]) == 3_999_996
    assert int(ours.list[-1].sum()) == int(np.arange(3, 4_000_000, 4).sum())
