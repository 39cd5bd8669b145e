"""`px.merge` by indexes and `DataFrame.join` beside pandas: kinds of indexes x how x keywords."""

import numpy as np
import pytest

import phalanx as px

from .against_pandas import attempt, same_kind

pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.usefixtures("device")

HOW = ["inner", "left", "right", "outer", "left_anti", "right_anti"]


def index_of(kind, side):
    numbers = [3, 1, 4, 1, 5] if side == 0 else [1, 3, 9, 2]
    if kind == "unique":
        numbers = [3, 1, 4, 7, 5] if side == 0 else numbers
    if kind == "sorted":
        numbers = [1, 1, 3, 4, 5] if side == 0 else [1, 2, 3, 9]
    if kind == "both repeated":
        numbers = [3, 1, 4, 1, 5] if side == 0 else [1, 3, 1, 2]
    if kind == "range":
        return pd.RangeIndex(5 if side == 0 else 4)
    if kind == "text":
        return pd.Index([f"k{i}" for i in numbers], name="label")
    if kind == "float":
        return pd.Index([np.nan if i == 3 else i / 2 for i in numbers])
    if kind == "date":
        return pd.DatetimeIndex(np.datetime64("2024-01-01", "us") + np.array(numbers, "m8[D]"))
    if kind == "category":
        return pd.CategoricalIndex(
            [f"k{i}" for i in numbers], categories=[f"k{i}" for i in range(10)]
        )
    if kind == "levels":
        return pd.MultiIndex.from_arrays(
            [numbers, [f"t{i % 2}" for i in numbers]], names=["m", "n"]
        )
    return pd.Index(numbers, name="label" if kind == "named" else None)


KINDS = ["int", "named", "unique", "sorted", "both repeated", "range", "text", "float", "date"]
KINDS += ["category", "levels"]


def sides(kind, rows=(5, 4)):
    left = pd.DataFrame({"a": [1, 2, 3, 4, 5], "x": list("pqrst")}, index=index_of(kind, 0))
    right = pd.DataFrame({"b": [1.5, 2.5, 3.5, 4.5], "y": [1, 3, 3, 8]}, index=index_of(kind, 1))
    return left.iloc[: rows[0]], right.iloc[: rows[1]]


def same(left, right, function):
    """A function of both libraries gives the same frame, or an error of the same kind."""
    wanted, error = attempt(function, pd, left, right)
    found, own = attempt(function, px, px.from_pandas(left), px.from_pandas(right))
    if error is not None:
        assert own is not None, f"pandas raises {error!r}"
        assert same_kind(error, own) or isinstance(own, type(error)), (error, own)
        return
    if own is not None:
        raise own
    pd.testing.assert_frame_equal(found.to_pandas(), wanted)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind", KINDS)
def test_both_indexes(kind, how):
    def program(lib, left, right):
        return lib.merge(left, right, how=how, left_index=True, right_index=True)

    same(*sides(kind), program)
    for rows in ((0, 4), (5, 0), (0, 0), (1, 1)):
        same(*sides(kind, rows), program)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind", ["int", "both repeated", "named", "range"])
def test_sorted_by_both_indexes(kind, how):
    same(
        *sides(kind),
        lambda lib, left, right: lib.merge(
            left, right, how=how, left_index=True, right_index=True, sort=True
        ),
    )


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind", ["int", "named", "unique", "both repeated", "range"])
@pytest.mark.parametrize("sort", [False, True])
def test_a_column_and_an_index(kind, how, sort):
    same(
        *sides(kind),
        lambda lib, left, right: lib.merge(
            left, right, how=how, left_on="a", right_index=True, sort=sort
        ),
    )
    same(
        *sides(kind),
        lambda lib, left, right: lib.merge(
            left, right, how=how, left_index=True, right_on="y", sort=sort
        ),
    )
    same(
        *sides(kind),
        lambda lib, left, right: lib.merge(
            left,
            right.rename(columns={"b": "a"}),
            how=how,
            left_on="a",
            right_index=True,
            sort=sort,
        ),
    )


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("rows", [(0, 4), (5, 0), (0, 0), (1, 1)])
def test_a_column_and_an_index_without_rows(how, rows):
    for keywords in (
        {"left_on": "a", "right_index": True},
        {"left_index": True, "right_on": "y"},
    ):
        same(
            *sides("int", rows),
            lambda lib, left, right, keywords=keywords: lib.merge(left, right, how=how, **keywords),
        )


def with_levels():
    left = pd.DataFrame({"m": [1, 3, 3, 7], "n": list("abab"), "v": [1, 2, 3, 4]})
    right = pd.DataFrame(
        {"w": [1.5, 2.5, 3.5]},
        index=pd.MultiIndex.from_tuples([(3, "b"), (1, "a"), (8, "z")], names=["m", "n"]),
    )
    return left, right


@pytest.mark.parametrize("how", ["inner", "left", "left_anti"])
@pytest.mark.parametrize("sort", [False, True])
def test_columns_and_levels(how, sort):
    left, right = with_levels()
    same(
        left,
        right,
        lambda lib, left, right: lib.merge(
            left, right, how=how, left_on=["m", "n"], right_index=True, sort=sort
        ),
    )
    same(
        left,
        right,
        lambda lib, left, right: lib.merge(
            right,
            left,
            how={"left": "right"}.get(how, "inner"),
            left_index=True,
            right_on=["m", "n"],
            sort=sort,
        ),
    )
    if how != "left_anti":
        same(
            left,
            right,
            lambda lib, left, right: left.join(right, on=["m", "n"], how=how, sort=sort),
        )


@pytest.mark.parametrize("how", HOW)
def test_names_of_levels_are_keys(how):
    left, right = with_levels()
    for program in (
        lambda lib, left, right: lib.merge(left, right, on=["m", "n"], how=how),
        lambda lib, left, right: lib.merge(left, right, on="m", how=how),
        lambda lib, left, right: lib.merge(left.set_index("m"), right, on="m", how=how),
        lambda lib, left, right: lib.merge(
            left.set_index(["m", "n"]), right, on=["m", "n"], how=how
        ),
        lambda lib, left, right: lib.merge(right, left.set_index("n"), on="n", how=how),
        lambda lib, left, right: lib.merge(left, right, left_on="v", right_on="m", how=how),
    ):
        same(left, right, program)


@pytest.mark.parametrize("how", HOW)
def test_arrays_are_keys(how):
    keys = np.array([1, 3, 4, 9, 3]), np.array([3, 1, 8, 3])
    for program in (
        lambda lib, left, right: lib.merge(left, right, how=how, left_on=keys[0], right_on=keys[1]),
        lambda lib, left, right: lib.merge(left, right, how=how, left_on=keys[0], right_on="y"),
        lambda lib, left, right: lib.merge(left, right, how=how, left_on="a", right_on=[keys[1]]),
        lambda lib, left, right: lib.merge(
            left, right, how=how, left_on=["a", keys[0]], right_on=["y", keys[1]]
        ),
        lambda lib, left, right: lib.merge(
            left, right, how=how, left_on=lib.Series(keys[0]), right_on=lib.Index(keys[1])
        ),
        lambda lib, left, right: lib.merge(left, right, how=how, left_on=keys[0], right_index=True),
    ):
        same(*sides("int"), program)


@pytest.mark.parametrize("how", ["left_anti", "right_anti"])
def test_rows_without_a_partner(how):
    left = pd.DataFrame({"k": [1, 2, 3, 2], "v": list("abcd")})
    right = pd.DataFrame({"k": [2, 5, 5], "w": [1.5, 2.5, 3.5]})
    for keywords in ({"on": "k"}, {"on": "k", "sort": True}, {"on": "k", "indicator": True}):
        same(
            left,
            right,
            lambda lib, left, right, keywords=keywords: lib.merge(left, right, how, **keywords),
        )
    same(left, right, lambda lib, left, right: left.merge(right, how, left_on="k", right_on="w"))


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    ("dtypes", "units"),
    [(("category", "str"), None), (("str", "category"), None), (None, ("s", "us"))],
)
def test_keys_of_other_dtypes(how, dtypes, units):
    left = pd.DataFrame({"k": ["a", "b", "c"], "v": [1, 2, 3]})
    right = pd.DataFrame({"k": ["b", "c", "d"], "w": [1, 2, 3]})
    if dtypes:
        left, right = left.astype({"k": dtypes[0]}), right.astype({"k": dtypes[1]})
    else:
        left["k"] = pd.Series(["2024-01-01", "2024-01-02", "2024-01-03"], dtype=f"M8[{units[0]}]")
        right["k"] = pd.Series(["2024-01-02", "2024-01-03", "2024-01-04"], dtype=f"M8[{units[1]}]")
    same(left, right, lambda lib, left, right: lib.merge(left, right, how=how, on="k"))


@pytest.mark.parametrize("how", HOW)
def test_categories_that_differ(how):
    left = pd.DataFrame({"k": pd.Categorical(["a", "b", "c"]), "v": [1, 2, 3]})
    right = pd.DataFrame({"k": pd.Categorical(["b", "c", "d"]), "w": [1, 2, 3]})
    same(left, right, lambda lib, left, right: lib.merge(left, right, how=how, on="k"))


JOINS = {
    "plain": {},
    "suffixes": {"lsuffix": "_l", "rsuffix": "_r"},
    "one suffix": {"rsuffix": "_r"},
    "pair": {"suffixes": ("_1", None)},
    "sorted": {"sort": True},
    "checked": {"validate": "1:1"},
}


@pytest.mark.parametrize("how", [*HOW, "cross"])
@pytest.mark.parametrize("name", JOINS)
def test_join(name, how):
    for kind in ("unique", "both repeated", "named", "levels"):
        left, right = sides(kind)
        if "suffix" in name or name == "pair":
            right = right.rename(columns={"y": "a"})
        same(left, right, lambda lib, left, right: left.join(right, how=how, **JOINS[name]))
        same(left, right, lambda lib, left, right: left.join(right["b"], how=how, **JOINS[name]))


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
@pytest.mark.parametrize("kind", ["unique", "both repeated", "text"])
@pytest.mark.parametrize("sort", [False, True])
def test_join_several(kind, how, sort):
    left, right = sides(kind)
    same(
        left,
        right,
        lambda lib, left, right: left.join(
            [right, right.iloc[1:].rename(columns={"b": "c", "y": "z"})], how=how, sort=sort
        ),
    )


@pytest.mark.parametrize("how", HOW)
def test_join_on_a_column(how):
    for kind in ("unique", "named", "range"):
        left, right = sides(kind)
        same(left, right, lambda lib, left, right: left.join(right, on="a", how=how))
        same(left, right, lambda lib, left, right: left.join(right["b"], on="a", how=how))


def test_an_index_joined_with_levels():
    left = pd.DataFrame({"v": [1, 2, 3]}, index=pd.Index([1, 3, 4], name="m"))
    _, right = with_levels()
    for how in ("inner", "left", "right"):
        same(left, right, lambda lib, left, right, how=how: left.join(right, how=how))
        same(left, right, lambda lib, left, right, how=how: right.join(left, how=how))


WRONG = {
    "on and index": {"on": "a", "left_index": True},
    "left twice": {"left_on": "a", "left_index": True, "right_on": "y"},
    "right twice": {"right_on": "y", "right_index": True, "left_on": "a"},
    "left alone": {"left_index": True},
    "right alone": {"right_index": True},
    "no flag": {"left_index": 1, "right_index": True},
    "levels": {"left_on": ["a", "x"], "right_index": True},
    "cross": {"how": "cross", "left_index": True},
    "repeated left": {"left_index": True, "right_index": True, "validate": "1:1"},
    "no label": {"left_on": "nothing", "right_index": True},
    "indicator": {"left_index": True, "right_index": True, "indicator": "a"},
    "indicator of no kind": {"left_index": True, "right_index": True, "indicator": 3},
    "text and numbers": {"left_on": "x", "right_index": True},
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told(name):
    left, right = sides("int")
    keywords = WRONG[name]
    _, error = attempt(lambda: pd.merge(left, right, **keywords))
    _, own = attempt(lambda: px.merge(px.from_pandas(left), px.from_pandas(right), **keywords))
    assert error is not None
    assert own is not None
    assert same_kind(error, own) or isinstance(own, ValueError), (error, own)


def test_wrong_joins():
    left, right = map(px.from_pandas, sides("unique"))
    with pytest.raises(ValueError, match="overlap"):
        left.join(left)
    with pytest.raises(ValueError, match="name"):
        left.join(px.Series([1, 2]))
    with pytest.raises(ValueError, match="on index"):
        left.join([right], on="a")
    with pytest.raises(ValueError, match="Suffixes"):
        left.join([right], rsuffix="_r")
    with pytest.raises(NotImplementedError, match="asof"):
        left.merge(right, how="asof")
