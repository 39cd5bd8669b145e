"""`melt`, `lreshape` and `wide_to_long` beside pandas."""

import pandas as pd
import pytest

from .against_pandas import check, check_all
from .frame_samples import FRAMES
from .reshape_samples import module_of

pytestmark = pytest.mark.usefixtures("device")

IDS = [None, "int", ["str"], ["category", "Int64"], ["datetime", "bool"], "none", ["none"]]
VALUES = [None, "float", ["int", "float"], ["bool"], ["str", "str"], ["Int64", "float"], [],
          ["object", "str"], ["category"]]  # fmt: skip


@pytest.mark.parametrize("values", VALUES, ids=str)
@pytest.mark.parametrize("ids", IDS, ids=str)
def test_melt(ids, values):
    frames = {name: each for name, each in FRAMES.items() if name in ("range", "str", "no rows")}
    check_all(lambda f: f.melt(ids, values), frames)


KEYWORDS = [
    {"var_name": "v"}, {"value_name": "w"}, {"value_name": "int"}, {"ignore_index": False},
    {"var_name": "w", "value_name": "w"}, {"var_name": ["v"]}, {"col_level": 0},
    {"col_level": 3}, {"var_name": "str", "id_vars": "str"}, {"id_vars": ["int", "int"]},
]  # fmt: skip


@pytest.mark.parametrize("keywords", KEYWORDS, ids=str)
def test_keywords(keywords):
    columns = ["int", "str", "float"]
    frames = {name: FRAMES[name][columns] for name in ("range", "str", "repeated", "datetime")}
    frames["named"] = frames["str"].rename_axis("c", axis=1)
    frames["no columns"] = FRAMES["no columns"]
    check_all(lambda f: f.melt(**keywords), frames)
    check_all(lambda f: module_of(f).melt(f, **keywords), frames)


LEVELS = [
    {}, {"col_level": 0}, {"col_level": "n"}, {"id_vars": [("p", 1)]}, {"id_vars": ("p", 1)},
    {"id_vars": [("p", 1)], "value_vars": [("q", 2)]}, {"var_name": ["s", "t"]},
    {"col_level": 0, "id_vars": ["p"]}, {"id_vars": ["p"]}, {"var_name": ["s"]},
]  # fmt: skip


@pytest.mark.parametrize("names", [["m", "n"], [None, None], ["m", None]], ids=str)
@pytest.mark.parametrize("keywords", LEVELS, ids=str)
def test_columns_of_levels(keywords, names):
    columns = pd.MultiIndex.from_tuples([("p", 1), ("q", 2), ("r", 1)], names=names)
    frame = FRAMES["str"][["int", "float", "int"]].set_axis(columns, axis=1)
    check(lambda f: f.melt(**keywords), frame)


def test_lreshape():
    frame = pd.DataFrame(
        {"h1": [5, 6], "h2": [7.0, None], "team": ["r", "y"], "y1": [1, 2], "y2": [3, 4]}
    )
    for dropna in (True, False):
        check(
            lambda f, d: module_of(f).lreshape(f, {"h": ["h1", "h2"], "y": ["y1", "y2"]}, dropna=d),
            frame, dropna,
        )  # fmt: skip
    check(lambda f: module_of(f).lreshape(f, {"h": ["h1", "h2"], "y": ["y1"]}), frame)


WIDE = pd.DataFrame(
    {
        "A1970": list("abc"), "A1980": list("def"), "B1970": [2.5, 1.2, 0.7],
        "B1980": [3.2, 1.3, 0.1], "X": [1, 2, 3], "id": [0, 1, 2], "k": list("uvw"),
    }
)  # fmt: skip
TEXTS = WIDE.rename(columns={"A1970": "A-one", "A1980": "A-two", "B1970": "B-one", "B1980": "C-x"})


@pytest.mark.parametrize("i", ["id", ["id"], ["id", "k"], "X"], ids=str)
def test_wide_to_long(i):
    check(lambda f: module_of(f).wide_to_long(f, ["A", "B"], i=i, j="year"), WIDE)
    check(lambda f: module_of(f).wide_to_long(f, "A", i=i, j="year"), WIDE)
    check(
        lambda f: module_of(f).wide_to_long(f, ["A", "B"], i=i, j="w", sep="-", suffix=r"\w+"),
        TEXTS,
    )
    check(lambda f: module_of(f).wide_to_long(f, ["X"], i=i, j="year"), WIDE)
    check(lambda f: module_of(f).wide_to_long(f, ["A"], i="B9", j="year"), WIDE)
    check(lambda f: module_of(f).wide_to_long(f, ["A"], i=i, j="year"), WIDE.iloc[[0, 0]])
