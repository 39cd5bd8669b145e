"""Alignment of two indexes, what is kept of an index, and what errors say."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from phalanx._frames.indexes import (
    Index,
    InvalidIndexError,
    LabelError,
    MultiIndex,
    RangeIndex,
    UnsortedIndexError,
    align,
    date_range,
    index_of,
)

import phalanx as px

from .indexes_against_pandas import of_pandas, plain, samples

HOWS = ("outer", "inner", "left", "right")


def aligned_by_pandas(left, right, how):
    """Labels and rows of both, by `align` of series that have their rows as values."""
    first = pd.Series(np.arange(len(left)), index=left)
    second = pd.Series(np.arange(len(right)), index=right)
    one, other = first.align(second, join=how)
    return one.index, one.fillna(-1).astype(int).tolist(), other.fillna(-1).astype(int).tolist()


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([3, 1, 2], [2, 5, 3]),
        ([1, 2, 3], [2, 3, 4]),
        ([1, 1, 2], [1, 2, 2, 3]),
        ([1.5, 2.0], [2, 3]),
        (["b", "a"], ["a", "c", "b"]),
        (["b", "a", "a"], ["a", "c"]),
        (range(3), range(1, 5)),
        (pd.date_range("2020", periods=3), pd.date_range("2020-01-02", periods=3)),
        ([("a", 1), ("b", 2)], [("b", 2), ("a", 3)]),
        ([1, 2], ["a"]),
        ([], ["a"]),
    ],
    ids=str,
)
def test_align_is_as_in_pandas(left, right, how):
    theirs = aligned_by_pandas(pd.Index(left), pd.Index(right), how)
    first, second = index_of(left), index_of(right)
    index, rows, others = align(first, second, how)
    for given, operand, expected in ((rows, first, theirs[1]), (others, second, theirs[2])):
        found = np.arange(len(operand)) if given is None else np.asarray(given)
        assert found.tolist() == expected
    assert plain(index)[1] == plain(theirs[0])[1]


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("labels", [[1, 2, 3], [3, 1, 2], [1, 1, 2]])
@pytest.mark.parametrize("name", [None, "n", "m"])
def test_what_is_joined_has_the_name_that_pandas_gives_it(how, labels, name):
    def names(library):
        left = library.Series([1, 2, 3], index=library.Index(labels, name="n"))
        right = library.Series([4, 5], index=library.Index([2, 3], name=name))
        joined = left.index.join(right.index, how=how).name
        return joined, left.align(right, join=how)[0].index.name, (left + right).index.name

    assert names(px) == names(pd)


def test_operands_with_the_same_labels_stay_as_they_are():
    left, right = index_of(["a", "b"], name="x"), index_of(["a", "b"], name="y")
    for second in (left, right, left.copy()):
        index, rows, others = align(left, second, "outer")
        assert rows is None
        assert others is None
        assert index is left
    assert align(left, right, "right")[0] is right


def test_rows_are_arrays_of_the_library():
    _, rows, others = align(index_of([1, 2, 3]), index_of([3, 4, 1]), "outer")
    for each in (rows, others):
        assert isinstance(each, px.ndarray)
        assert each.dtype == np.int64


def test_an_operand_whose_rows_are_all_there_in_order_is_not_gathered():
    index, rows, others = align(index_of([1, 2, 3]), index_of([2]), "left")
    assert rows is None
    assert np.asarray(others).tolist() == [-1, 0, -1]
    assert list(index) == [1, 2, 3]


def test_align_refuses_other_joins():
    with pytest.raises(ValueError, match="do not recognize join method zz"):
        align(index_of([1]), index_of([2]), "zz")


# What is kept of labels.


@pytest.mark.parametrize("data", [np.arange(10) * 7, np.arange(10).view("M8[s]"), [1.5, 2.5]])
def test_numbers_and_dates_are_found_without_a_dict(data):
    index = Index(data)
    assert index.get_loc(index[3 % len(index)]) == 3 % len(index)
    assert index._positions().places is None


def test_a_range_is_written_out_when_it_must():
    numbers = RangeIndex(10**15)
    assert (len(numbers), numbers[-1], numbers.get_loc(77)) == (10**15, 10**15 - 1, 77)
    assert numbers.get_indexer([5, -1, 10**15]).tolist() == [5, -1, -1]
    assert numbers[10:20].slice_locs(12, 15) == (2, 6)
    assert (numbers + 5).is_unique
    assert numbers.max() == 10**15 - 1
    assert repr(numbers) == f"RangeIndex(start=0, stop={10**15}, step=1)"
    assert numbers.equals(RangeIndex(10**15))
    assert "column" not in numbers._known


def test_what_is_known_is_shared_under_another_name():
    index = Index([3, 1, 2])
    assert index.is_unique
    assert index.rename("x")._known is index._known


def test_levels_of_many_labels_have_keys_too():
    columns = [np.random.default_rng(seed).permutation(400) for seed in range(8)]
    theirs = pd.MultiIndex.from_arrays(columns)
    mine = of_pandas(theirs)
    assert mine.get_indexer(mine[::-1]).tolist() == theirs.get_indexer(theirs[::-1]).tolist()
    assert mine.get_loc(theirs[17]) == 17
    assert list(mine.sort_values()) == list(theirs.sort_values())
    assert mine.is_unique


@pytest.mark.parametrize("kind", samples())
def test_an_index_is_pickled(kind):
    index = of_pandas(samples()[kind])
    again = pickle.loads(pickle.dumps(index))
    assert type(again) is type(index)
    assert repr(again) == repr(index)


def test_an_index_of_an_index_is_that_index():
    index = Index(["a", "b"])
    assert index_of(index) is index
    assert index_of(index, name="x").name == "x"
    assert index.name is None


def test_pandas_is_not_imported():
    code = (
        "import sys; from phalanx._frames import indexes as m; i = m.Index(['a', 'b']);"
        "repr(m.date_range('2020', periods=3)); i.union(['c']);"
        "assert 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# What errors say.


def test_a_label_that_is_not_there_is_told_with_the_nearest():
    index = Index(["colour", "size", "weight"])
    with pytest.raises(KeyError) as caught:
        index.get_loc("color")
    assert caught.value.args == ("color",)
    assert str(caught.value) == "'color'; the nearest label is 'colour'"
    assert isinstance(caught.value, LabelError)


def test_a_label_like_no_other_is_told_as_pandas_does():
    for index, label in ((Index(["a"]), "zzz"), (Index([1, 2]), 5), (Index([1, 2]), "a")):
        with pytest.raises(KeyError) as caught:
            index.get_loc(label)
        assert str(caught.value) == repr(label)


def test_a_label_of_a_level_is_told_with_the_nearest():
    index = MultiIndex.from_product([["north", "south"], [1, 2]])
    with pytest.raises(KeyError, match="'nort'; the nearest label is 'north'"):
        index.get_loc("nort")


def test_slices_need_sorted_levels():
    index = MultiIndex.from_tuples([("b", 2), ("a", 1)])
    with pytest.raises(UnsortedIndexError, match="lexsort depth 0"):
        index.get_locs([slice("a", "b")])


def test_repeated_labels_have_no_single_row():
    with pytest.raises(InvalidIndexError, match="uniquely valued"):
        Index([1, 1]).get_indexer([1])


def test_an_index_stays_intact_where_it_is_given_wrong_names():
    index = MultiIndex.from_product([["a"], [1]], names=["x", "y"])
    for names, error in ((["x"], ValueError), ([[], "y"], TypeError), ("xy", ValueError)):
        with pytest.raises(error):
            index.names = names
    assert index.names == ["x", "y"]
    days = date_range("2020", periods=3)
    with pytest.raises(ValueError, match="does not conform"):
        days.freq = "h"
    assert days.freqstr == "D"
