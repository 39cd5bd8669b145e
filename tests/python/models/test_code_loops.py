"""Values looked up among sorted ones, and the kinds of a column, against NumPy's functions."""

import numpy as np
import pytest
from phalanx._models.preprocessing.category_columns import categories_of, codes_of
from phalanx._models.preprocessing.code_loops import kinds_of, numbered

import phalanx as px

DRAW = np.random.default_rng(0)
DTYPES = ["int32", "uint32", "int64", "uint64", "float32", "float64"]


def expected_codes(column, table):
    near = np.minimum(np.searchsorted(table, column), len(table) - 1)
    return np.where(table[near] == column, near, -1)


@pytest.mark.parametrize("kinds", [1, 2, 3, 7, 100, 1000])
@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 70_000])
@pytest.mark.parametrize("dtype", DTYPES)
def test_places_are_those_of_a_binary_search(dtype, count, kinds):
    table = np.sort(DRAW.choice(2 * kinds, kinds, replace=False)).astype(dtype)
    column = DRAW.integers(0, 2 * kinds + 1, count).astype(dtype)
    found = numbered(column, table, -1)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, expected_codes(column, table))


def test_places_of_gaps_infinities_and_nothing():
    table = np.array([-np.inf, -1.0, 0.0, 2.5])
    column = np.array([np.nan, 2.5, -np.inf, np.inf, -0.0, 1.0] * 100)
    assert numbered(column, table, 4)[:6].tolist() == [4, 3, 0, -1, 2, -1]
    assert numbered(column, table[:0], 7)[:6].tolist() == [7, -1, -1, -1, -1, -1]
    assert numbered(np.array([1, 2]), np.zeros(0, np.int64), -1).tolist() == [-1, -1]


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", ["few", "many", "few and one rare", "sorted", "one"])
def test_kinds_are_those_of_a_sort(shape, dtype, step):
    count = 20_000
    column = {
        "few": DRAW.integers(0, 9, count),
        "many": DRAW.integers(0, 5000, count),
        "few and one rare": np.where(np.arange(count) == 4567, 77, DRAW.integers(0, 9, count)),
        "sorted": np.arange(count) // 100,
        "one": np.full(count, 3),
    }[shape].astype(dtype)[::step]
    np.testing.assert_array_equal(kinds_of(column), np.unique(column))
    categories = categories_of(px.asarray(np.ascontiguousarray(column)))
    assert categories.dtype == column.dtype
    np.testing.assert_array_equal(categories, np.unique(column))


def test_texts_and_gaps_of_objects():
    values = np.array(["b", None, "a", float("nan"), "b", np.nan, "c"], object)
    categories = categories_of(values)
    assert categories[:4].tolist() == ["a", "b", "c", None]
    assert np.isnan(categories[4])
    assert codes_of(values, categories).tolist() == [1, 3, 0, 4, 1, 4, 2]
    others = np.array(["z", np.nan, "a"], object)
    assert codes_of(others, np.array(["a", "b"], object)).tolist() == [-1, -1, 0]
    with pytest.raises(TypeError, match="uniformly strings or numbers"):
        categories_of(np.array(["a", 1, None], object))
