"""`px.merge` beside pandas, by table: kinds of keys x how, and what is refused."""

import numpy as np
import pytest

import phalanx as px

pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.usefixtures("device")

DRAW = np.random.default_rng(8)


def keys_of(kind, count):
    numbers = DRAW.integers(0, 12, count)
    if kind == "int":
        return numbers
    if kind == "float with NaN":
        return np.where(numbers == 3, np.nan, numbers / 2)
    if kind == "text":
        return pd.array([f"k{i}" if i != 4 else None for i in numbers], dtype="str")
    if kind == "Int64":
        return pd.array([int(i) if i != 5 else None for i in numbers], dtype="Int64")
    if kind == "date":
        return np.datetime64("2024-01-01", "us") + numbers.astype("m8[D]")
    if kind == "category":
        return pd.Categorical([f"c{i}" for i in numbers], categories=[f"c{i}" for i in range(12)])
    return np.array([i if i % 2 else f"o{i}" for i in numbers], object)


KINDS = ["int", "float with NaN", "text", "Int64", "date", "category", "object"]
HOW = ["inner", "left", "right", "outer"]


def sides(kind, counts=(40, 25)):
    left = pd.DataFrame({"key": keys_of(kind, counts[0]), "x": np.arange(counts[0]) * 1.5})
    right = pd.DataFrame({"y": np.arange(counts[1]), "key": keys_of(kind, counts[1])})
    return left, right


def check(left, right, **keywords):
    wanted = pd.merge(left, right, **keywords)
    found = px.merge(px.from_pandas(left), px.from_pandas(right), **keywords)
    pd.testing.assert_frame_equal(found.to_pandas(), wanted)
    pd.testing.assert_frame_equal(px.from_pandas(left).merge(right, **keywords).to_pandas(), wanted)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_those_of_pandas(kind, how):
    if kind == "object" and how == "outer":
        pytest.skip("pandas does not order numbers and texts either")
    check(*sides(kind), how=how)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("counts", [(0, 5), (5, 0), (0, 0), (1, 1)])
def test_sides_without_rows(how, counts):
    check(*sides("int", counts), how=how)


@pytest.mark.parametrize("how", HOW)
def test_several_keys(how):
    left, right = sides("int")
    left["other"], right["other"] = left["key"] % 3, right["key"] % 2
    check(left, right, how=how, on=["key", "other"])
    check(left, right, how=how, on="key")
    check(left, right, how=how, on="key", suffixes=(None, "_right"))
    check(left, right, how=how, left_on=["key"], right_on=["other"])


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("indicator", [True, "where"])
def test_an_indicator_says_where_a_row_is_from(how, indicator):
    check(*sides("int"), how=how, indicator=indicator)


@pytest.mark.parametrize("how", ["inner", "left"])
def test_results_are_sorted_where_asked_for(how):
    check(*sides("int"), how=how, sort=True)


def test_all_pairs():
    left, right = sides("int", (3, 4))
    check(left, right.rename(columns={"key": "z"}), how="cross")
    check(left, right, how="cross")


def test_numbers_of_other_dtypes_are_equal():
    left, right = sides("int")
    check(left, right.astype({"key": "int16"}))
    check(left, right.astype({"key": "float64"}), how="outer")


def test_a_series_with_a_name_is_a_column():
    left, right = sides("int")
    wanted = pd.merge(left, right["key"].drop_duplicates())
    found = px.merge(px.from_pandas(left), px.from_pandas(right["key"].drop_duplicates()))
    pd.testing.assert_frame_equal(found.to_pandas(), wanted)


WRONG = [
    ({"on": "kee"}, KeyError),
    ({"how": "both"}, ValueError),
    ({"on": "key", "left_on": "key"}, ValueError),
    ({"left_on": "key"}, ValueError),
    ({"left_on": ["key", "x"], "right_on": ["key"]}, ValueError),
    ({"on": "key", "validate": "1:1"}, ValueError),
    ({"on": "key", "validate": "some"}, ValueError),
    ({"left_on": "x", "right_on": "name"}, ValueError),
    ({"on": "key", "suffixes": (None, None), "with": "x"}, ValueError),
]


@pytest.mark.parametrize(("keywords", "error"), WRONG)
def test_what_is_wrong_is_told(keywords, error):
    left, right = sides("int")
    right["name"] = "text"
    keywords = dict(keywords)
    if keywords.pop("with", None):
        right["x"] = 1
    with pytest.raises(error):
        pd.merge(left, right, **keywords)
    with pytest.raises(error):
        px.merge(px.from_pandas(left), px.from_pandas(right), **keywords)
