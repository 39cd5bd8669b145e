"""`stack` and `unstack` beside pandas: dtypes x indexes x levels x fill values."""

import numpy as np
import pandas as pd
import pytest

from .against_pandas import check, check_all
from .chain_frames import KINDS as DTYPES
from .frame_samples import FRAMES, NUMBERS
from .reshape_samples import KINDS, LABELS

pytestmark = pytest.mark.usefixtures("device")

# A fill value that the dtype does not hold: pandas makes objects of it, and says that it will not.
FILLS = [None, 0, 1.5, "x"]


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("level", [0, 1, -1, [0], "x"])
def test_series(level, sort):
    check_all(lambda s: s.unstack(level, sort=sort), KINDS)
    if sort:  # Where levels have labels that no row has, pandas takes wrong ones unless it sorts.
        check_all(lambda s: s.iloc[:1].unstack(level), KINDS)


@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("labels", ["whole", "gaps", "missing"])
def test_values_where_no_row_is(labels, fill):
    few = {name: each for name, each in KINDS.items() if name.startswith(labels)}
    # pandas makes columns that it cannot show of nullable ones and a value that they do not hold.
    nullable = [each for each in few if each.endswith(("/Int64", "/boolean"))]
    broken = () if fill in (None, 0) else nullable
    check_all(lambda s: s.unstack(fill_value=fill), few, but=broken)


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("level", [0, 1, -1, [0, 1], [2, 0], [1, 2], ["x", "z"], [], "none", 5])
def test_frames(level, sort):
    numbers = ["int", "float", "bool", "str", "Int64", "category"]
    frames = {name: FRAMES["range"][numbers].set_axis(each) for name, each in LABELS.items()}
    frames["two levels of columns"] = frames["three"][["int", "bool"]].set_axis(
        pd.MultiIndex.from_tuples([("p", 1), ("p", 2)], names=["m", "n"]), axis=1
    )
    frames["one column"] = frames["three"][["int"]]
    check_all(lambda f: f.unstack(level, sort=sort), frames)


def test_frames_of_one_level():
    check_all(lambda f: f.unstack(), {name: each[["int", "float"]] for name, each in
                                      FRAMES.items() if "column" not in name})  # fmt: skip
    for columns in (["int"], ["str"], ["int", "str"], ["Int64"], ["float", "bool"]):
        check(lambda f: f.unstack(), FRAMES["str"][columns])
        named = FRAMES["str"][columns].rename_axis("r").rename_axis("c", axis=1)
        check(lambda f: f.unstack(0), named)
    check(lambda f: f.corr(numeric_only=True).unstack(), NUMBERS)


CHOICES = [["int"], ["int", "float"], ["bool"], ["bool", "int"], ["str"], ["Int64"], ["category"],
           ["Int64", "boolean"], ["datetime"], ["timedelta", "datetime"], ["int", "str"],
           ["object", "float"]]  # fmt: skip


@pytest.mark.parametrize("columns", CHOICES, ids=str)
def test_stack(columns):
    frames = {name: each[columns] for name, each in FRAMES.items() if "column" not in name}
    frames["levels"] = FRAMES["range"][columns].set_axis(LABELS["gaps"])
    frames["twice"] = FRAMES["str"][columns * 2].set_axis(range(2 * len(columns)), axis=1)
    frames["named"] = FRAMES["str"][columns].rename_axis("r").rename_axis("c", axis=1)
    check_all(lambda f: f.stack(), frames)


COLUMN_LEVELS = {
    "whole": [("p", 1), ("p", 2), ("q", 1), ("q", 2)],
    "gaps": [("p", 2), ("q", 1), ("p", 1), ("r", 3)],
    "one": [("p", 2), ("q", 2), ("r", 2), ("s", 2)],
    "three": [("p", 2, "u"), ("q", 1, "v"), ("p", 1, "u"), ("q", 2, "v")],
}


@pytest.mark.parametrize("labels", COLUMN_LEVELS)
@pytest.mark.parametrize("level", [-1, 0, 1, [0, 1], [1, 0], "n", ["n", "m"], [0, 0], 7, [2, 0]])
def test_stack_levels(level, labels):
    tuples = COLUMN_LEVELS[labels]
    index = pd.MultiIndex.from_tuples(tuples, names=["m", "n", "o"][: len(tuples[0])])
    for kinds in (["int"] * 4, ["int", "float", "int", "int"], ["str"] * 4, ["Int64"] * 4,
                  ["bool"] * 4, ["datetime"] * 4):  # fmt: skip
        frame = FRAMES["str"][kinds].set_axis(index, axis=1)
        check(lambda f: f.stack(level), frame)
        check(lambda f: f.stack(level), frame.set_axis(LABELS["gaps"]))
        check(lambda f: f.stack(level), frame.iloc[:1])


PAIRED = ["bool", "int8", "float32", "Int64", "str", "string", "ordered", "date", "zoned"]
TWO_LEVELS = pd.MultiIndex.from_tuples([("p", 1), ("p", 2)])


@pytest.mark.parametrize("rows", [0, 2])
@pytest.mark.parametrize("first", PAIRED)
def test_pairs_of_dtypes(first, rows):
    for second in PAIRED:
        frame = pd.DataFrame({each: DTYPES[kind](list(range(rows))) for each, kind in
                              [("a", first), ("b", second)]})  # fmt: skip
        check(lambda f: f.stack(), frame)
        check(lambda f: f.unstack(), frame)
        for level in (1, 0, [0, 1]):
            check(lambda f, level=level: f.stack(level), frame.set_axis(TWO_LEVELS, axis=1))


def test_no_columns():
    for frame in (pd.DataFrame(), pd.DataFrame(index=[1, 2]), NUMBERS.iloc[:0, :0]):
        check(lambda f: f.stack(), frame)
        check(lambda f: f.unstack(), frame)


def test_there_and_back():
    frame = FRAMES["str"][["int", "float"]]
    check(lambda f: f.stack().unstack(), frame)
    check(lambda f: f.unstack().unstack(), frame)
    check(lambda f: f.stack().unstack(0), frame)


def test_keywords_of_the_former_stack():
    check(lambda f: f.stack(dropna=True), NUMBERS)
    check(lambda f: f.stack(sort=False), NUMBERS)


def test_attributes_are_kept():
    frame = NUMBERS.copy()
    frame.attrs["k"] = 1
    check(lambda f: f.stack().attrs, frame)


@pytest.mark.parametrize("rows", [1, 1000])
def test_many_rows(rows):
    draw = np.random.default_rng(1)
    index = pd.MultiIndex.from_product([range(rows), list("abcd")])
    series = pd.Series(draw.random(4 * rows), index=index)
    check(lambda s: s.unstack(), series)
    check(lambda s: s.unstack(0), series)
    check(lambda s: s.unstack(), series.sample(frac=1, random_state=1))
    check(lambda s: s.unstack(), series.sample(frac=0.7, random_state=1))
