"""`Categorical`, ``Series.cat`` and what categories do elsewhere, beside pandas."""

import pickle

import numpy as np
import pandas as pd
import pytest
from phalanx._frames.categories.unions import union_categoricals

import phalanx as px

from .against_pandas import check, check_all
from .reshape_samples import module_of

pytestmark = pytest.mark.usefixtures("device")

ARRAYS = {
    "plain": pd.Categorical(["b", "a", None, "b"], categories=["b", "c", "a"]),
    "ordered": pd.Categorical(["b", "a", None, "b"], categories=["b", "c", "a"], ordered=True),
    "whole": pd.Categorical(["b", "a", "c", "b"], categories=["b", "c", "a"], ordered=True),
    "ints": pd.Categorical([3, 1, 3], ordered=True),
    "floats": pd.Categorical([3.5, 1, np.nan]),
    "dates": pd.Categorical(pd.to_datetime(["2020-01-02", "2020-01-01", None])),
    "bools": pd.Categorical([True, False, True]),
    "empty": pd.Categorical([], categories=["a"]),
    "many": pd.Categorical(list("abcdefghijklmnop") * 2),
}
SERIES = {name: pd.Series(each, name="n") for name, each in ARRAYS.items()}
SERIES["labelled"] = pd.Series(ARRAYS["whole"], index=list("wxyz"))

CHANGES = {
    "rename list": lambda c: c.rename_categories(list("xyz")),
    "rename dict": lambda c: c.rename_categories({"a": "A", 3: 9}),
    "rename function": lambda c: c.rename_categories(lambda v: v * 2),
    "rename fewer": lambda c: c.rename_categories(["x"]),
    "rename twice": lambda c: c.rename_categories(list("xxy")),
    "rename missing": lambda c: c.rename_categories(["x", "y", None]),
    "reorder": lambda c: c.reorder_categories(list("abc")),
    "reorder ordered": lambda c: c.reorder_categories(list("cab"), ordered=True),
    "reorder ints": lambda c: c.reorder_categories([3, 1]),
    "add": lambda c: c.add_categories("z"),
    "add list": lambda c: c.add_categories(["z", "y"]),
    "add nothing": lambda c: c.add_categories([]),
    "add known": lambda c: c.add_categories(["a", "z"]),
    "add index": lambda c: c.add_categories(module_of(c).Index(["z"])),
    "remove": lambda c: c.remove_categories("a"),
    "remove list": lambda c: c.remove_categories(["a", "c"]),
    "remove unknown": lambda c: c.remove_categories(["q"]),
    "remove int": lambda c: c.remove_categories(3),
    "remove unused": lambda c: c.remove_unused_categories(),
    "set": lambda c: c.set_categories(list("az")),
    "set ordered": lambda c: c.set_categories(list("az"), ordered=True),
    "set rename": lambda c: c.set_categories(list("xyz"), rename=True),
    "set rename fewer": lambda c: c.set_categories(list("x"), rename=True),
    "set none": lambda c: c.set_categories([]),
    "as ordered": lambda c: c.as_ordered(),
    "as unordered": lambda c: c.as_unordered(),
    "categories": lambda c: c.categories,
    "ordered": lambda c: c.ordered,
}


@pytest.mark.parametrize("name", CHANGES)
def test_other_categories(name):
    change = CHANGES[name]
    check_all(change, ARRAYS)
    check_all(lambda s: change(s.cat), SERIES)
    check_all(lambda s: change(module_of(s).CategoricalIndex(s)), SERIES)


def test_codes():
    check_all(lambda s: s.cat.codes, SERIES)
    check_all(lambda c: c.codes, ARRAYS)


MAKERS = {
    "texts": lambda m: m.Categorical(["b", "a", None, "b"]),
    "categories": lambda m: m.Categorical(["b", "a", "q"], categories=["b", "a"]),
    "ordered": lambda m: m.Categorical(["b", "a"], ordered=True),
    "numbers": lambda m: m.Categorical([3, 1, 2, 3], categories=[3, 2], ordered=True),
    "array": lambda m: m.Categorical(np.array([1.5, np.nan, 0.5])),
    "mixed": lambda m: m.Categorical([1, "a", 2.5]),
    "mixed ordered": lambda m: m.Categorical([1, "a"], ordered=True),
    "nothing": lambda m: m.Categorical([]),
    "scalar": lambda m: m.Categorical(3),
    "text": lambda m: m.Categorical("ab"),
    "repeated": lambda m: m.Categorical(["a"], categories=["a", "a"]),
    "missing category": lambda m: m.Categorical(["a"], categories=["a", None]),
    "no list": lambda m: m.Categorical(["a"], categories="a"),
    "dtype": lambda m: m.Categorical(["a", "z"], dtype=m.CategoricalDtype(["z", "a"], True)),
    "dtype text": lambda m: m.Categorical(["a", "z"], dtype="category"),
    "dtype text and list": lambda m: m.Categorical(["a"], ["z", "a"], dtype="category"),
    "both": lambda m: m.Categorical(["a"], ["a"], dtype=m.CategoricalDtype(["a"])),
    "other dtype": lambda m: m.Categorical(["a"], dtype="int64"),
    "series": lambda m: m.Categorical(m.Series(["a", "b"])),
    "of itself": lambda m: m.Categorical(m.Categorical(["a", "b"], ["b", "a"], ordered=True)),
    "other categories": lambda m: m.Categorical(m.Categorical(["a", "b"]), ["b"]),
    "range": lambda m: m.Categorical(range(3)),
    "codes": lambda m: m.Categorical.from_codes([0, 1, -1], ["x", "y"]),
    "codes ordered": lambda m: m.Categorical.from_codes([0, 1], ["x", "y"], ordered=True),
    "codes dtype": lambda m: m.Categorical.from_codes([0], dtype=m.CategoricalDtype(["a", "b"])),
    "codes above": lambda m: m.Categorical.from_codes([0, 2], ["x", "y"]),
    "codes below": lambda m: m.Categorical.from_codes([-2], ["x", "y"]),
    "codes of texts": lambda m: m.Categorical.from_codes(["a"], ["x", "y"]),
    "codes of floats": lambda m: m.Categorical.from_codes([0.5], ["x", "y"]),
    "codes alone": lambda m: m.Categorical.from_codes([0]),
    "no codes": lambda m: m.Categorical.from_codes([], ["x"]),
    "series of": lambda m: m.Series(m.Categorical(["a", "b"], ["b", "a"])),
    "frame of": lambda m: m.DataFrame({"a": m.Categorical(["a", "b"], ["b", "a"]), "n": [1, 2]}),
    "index of": lambda m: m.Index(m.Categorical(["a", "b"], ["b", "a"])),
    "dtype of": lambda m: str(m.Categorical(["a"]).dtype),
    "dtype repr": lambda m: repr(m.CategoricalDtype(["b", "a"], ordered=True)),
    "dtype equal": lambda m: m.CategoricalDtype(["b", "a"]) == m.CategoricalDtype(["a", "b"]),
    "dtype unequal": lambda m: m.CategoricalDtype(["b"], True) == m.CategoricalDtype(["b"]),
    "dtype of no list": lambda m: m.CategoricalDtype("ab"),
    "dtype of no bool": lambda m: m.CategoricalDtype(["a"], "yes"),
    "cut series": lambda m: m.Series(["a"]).cat,
}


@pytest.mark.parametrize("name", MAKERS)
def test_making(name):
    check(lambda f: MAKERS[name](module_of(f)), pd.Series([1]))


METHODS = {
    "repr": repr, "list": list, "len": len, "element": lambda c: c[0], "last": lambda c: c[-1],
    "slice": lambda c: c[1:], "mask": lambda c: c[np.arange(len(c)) % 2 == 0],
    "rows": lambda c: c[[0, 0]], "beyond": lambda c: c[99], "take": lambda c: c.take([0, 1]),
    "take missing": lambda c: c.take([0, -1], allow_fill=True), "unique": lambda c: c.unique(),
    "isna": lambda c: c.isna(), "notna": lambda c: c.notna(), "dropna": lambda c: c.dropna(),
    "fillna": lambda c: c.fillna("c"), "fillna unknown": lambda c: c.fillna("q"),
    "min": lambda c: c.min(), "max": lambda c: c.max(), "min all": lambda c: c.min(skipna=False),
    "value_counts": lambda c: c.value_counts(),
    "value_counts missing": lambda c: c.value_counts(dropna=False),
    "describe": lambda c: c.describe(), "isin": lambda c: c.isin(["a", 3]),
    "map": lambda c: c.map(lambda v: v if v != v else v in ("a", 3)),
    "map dict": lambda c: c.map({"a": 1, "b": 2, "c": 1}), "tolist": lambda c: c.tolist(),
    "astype": lambda c: c.astype("category"),
    "astype object": lambda c: np.asarray(c.astype(object)),
    "array": np.asarray, "contains": lambda c: "a" in c, "contains missing": lambda c: np.nan in c,
    "sort": lambda c: c.sort_values(), "sort down": lambda c: c.sort_values(ascending=False),
    "argsort": lambda c: c.argsort(), "eq": lambda c: c == "b", "lt": lambda c: c < "c",
    "ge": lambda c: c >= "c", "lt unknown": lambda c: c < "zz", "ne self": lambda c: c != c,
    "le self": lambda c: c <= c, "lt list": lambda c: c < ["b"] * len(c),
    "equals": lambda c: c.equals(c.copy()), "size": lambda c: (c.size, c.shape, c.ndim),
}  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
def test_arrays(name):
    # Equal values are in any order where pandas sorts quickly.
    check_all(METHODS[name], ARRAYS, but=("many",) if name == "argsort" else ())


SERIES_METHODS = {
    "unique": lambda s: s.unique(), "map": lambda s: s.map(lambda v: v == "a" or v == 3, "ignore"),
    "map same": lambda s: s.map(lambda v: 1, "ignore"), "map none": lambda s: s.map(lambda v: v),
    "map dict": lambda s: s.map({"a": 1, "b": 2, "c": 3, 1: 4, 3: 5}),
    "map series": lambda s: s.map(module_of(s).Series([1, 2], index=["a", "b"])),
    "values": lambda s: s.values, "array": lambda s: s.array, "sort": lambda s: s.sort_values(),
    "concat": lambda s: module_of(s).concat([s, s]),
    "concat others": lambda s: module_of(s).concat([s, s.cat.remove_unused_categories()]),
    "counts": lambda s: s.value_counts(), "mode": lambda s: s.mode(), "max": lambda s: s.max(),
    "group": lambda s: s.to_frame("k").assign(v=1).groupby("k", observed=True)["v"].sum(),
    "merge": lambda s: s.to_frame("k").merge(s.drop_duplicates().to_frame("k").assign(v=1)),
    "rank": lambda s: s.rank(), "repr": repr,
    "replace": lambda s: s.replace("a", "c"), "replace unknown": lambda s: s.replace("a", "z"),
    "searchsorted": lambda s: s.sort_values().searchsorted(s.cat.categories[0]),
    "searchsorted unknown": lambda s: s.searchsorted("zz"),
}  # fmt: skip


@pytest.mark.parametrize("name", SERIES_METHODS)
def test_series(name):
    check_all(SERIES_METHODS[name], SERIES, but=("many",) if name == "sort" else ())


def test_an_element_is_assigned():
    array = px.Categorical(["a", "b", None], categories=["a", "b"])
    array[0] = "b"
    array[2] = "a"
    assert array.tolist() == ["b", "b", "a"]
    array[:2] = None
    assert array.codes.tolist() == [-1, -1, 0]
    with pytest.raises(TypeError, match="new category"):
        array[0] = "z"
    assert array.codes.tolist() == [-1, -1, 0]


def test_pickles():
    array = px.Categorical(["a", "b", None], ordered=True)
    assert pickle.loads(pickle.dumps(array)).equals(array)


UNIONS = {
    "same": [["a", "b"], ["b", "a"]], "more": [["a", "b"], ["c", "a"]], "none": [],
    "numbers": [["a"], [1]], "missing": [["b", None], ["a"]],
}  # fmt: skip


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("ordered", [None, True, "first"])
@pytest.mark.parametrize("name", UNIONS)
def test_unions(name, ordered, sort):
    def union(frame):
        library = module_of(frame)
        parts = [
            library.Categorical(each, ordered=bool(ordered) and (ordered is True or not i))
            for i, each in enumerate(UNIONS[name])
        ]
        unite = union_categoricals if library is px else pd.api.types.union_categoricals
        return unite(parts, sort_categories=sort), unite(parts, ignore_order=True)

    check(union, pd.Series([1]))
