"""`get_dummies` and `from_dummies` beside pandas."""

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import check, check_all
from .frame_samples import EMPTY, FEW, FRAMES
from .reshape_samples import module_of

pytestmark = pytest.mark.usefixtures("device")

KEYWORDS = [
    {}, {"prefix": "p"}, {"prefix_sep": "."}, {"prefix": "p", "prefix_sep": "."},
    {"dummy_na": True}, {"drop_first": True}, {"dtype": float}, {"dtype": "int8"},
    {"dtype": "Int64"}, {"dummy_na": True, "drop_first": True, "prefix": "p"}, {"dtype": object},
    {"dtype": "boolean"},
]  # fmt: skip
MORE = {
    "string": pd.Series(["b", None, "a"], dtype="string"),
    "all missing": pd.Series([None, None], dtype="str"),
    "one value": pd.Series(["a", "a"]),
    "unused": pd.Series(pd.Categorical(["x", None], categories=["z", "x"])),
}


@pytest.mark.parametrize("keywords", KEYWORDS, ids=str)
def test_series(keywords):
    check_all(lambda s: module_of(s).get_dummies(s, **keywords), {**FEW, **EMPTY, **MORE},
              but=("object",))  # fmt: skip


@pytest.mark.parametrize("keywords", KEYWORDS, ids=str)
def test_frames(keywords):
    chosen = ["int", "str", "float", "category"]
    frames = {name: FRAMES[name][chosen] for name in ("range", "str", "no rows")}
    if keywords.get("dtype") is not object:  # which pandas takes where no column is text
        frames["numbers"] = frames["str"][["int", "float"]]
    frames["texts"] = frames["str"][["str"]]
    check_all(lambda f: module_of(f).get_dummies(f, **keywords), frames)
    check_all(lambda f: module_of(f).get_dummies(f, columns=["int"], **keywords), frames)


@pytest.mark.parametrize(
    "keywords",
    [
        {"prefix": ["a", "b"]}, {"prefix": ["a"]}, {"prefix": {"str": "s", "category": "c"}},
        {"prefix_sep": ["-", "."]}, {"prefix_sep": {"str": "-", "category": "."}},
        {"prefix_sep": ["-"]}, {"columns": "str"}, {"columns": ["none"]}, {"columns": []},
        {"columns": ["category", "int"]},
    ],
    ids=str,
)  # fmt: skip
def test_prefixes(keywords):
    frame = FRAMES["str"][["int", "str", "float", "category"]]
    check(lambda f: module_of(f).get_dummies(f, **keywords), frame)


def test_other_data():
    for data in (list("aba"), np.array([3, 1, 3]), ["a", None]):
        check(lambda f, d: module_of(f).get_dummies(d), FRAMES["range"], data)
    with pytest.raises(NotImplementedError, match="sparse"):
        px.get_dummies(list("ab"), sparse=True)


DUMMIES = {
    "plain": pd.DataFrame({"a": [1, 0, 0, 1], "b": [0, 1, 0, 0], "c": [0, 0, 1, 0]}),
    "bools": pd.DataFrame({"p_a": [True, False], "p_b": [False, True], "q_a": [False, False],
                           "q_b": [True, True]}, index=["x", "y"]),
    "none": pd.DataFrame({"p_a": [1, 0, 0], "p_b": [0, 1, 0]}),
    "two": pd.DataFrame({"p_a": [1, 0], "p_b": [1, 1]}),
    "missing": pd.DataFrame({"p_a": [1, None], "p_b": [0, 1]}),
    "others": pd.DataFrame({"p_a": [1, 5], "p_b": ["u", "v"]}),
}  # fmt: skip


@pytest.mark.parametrize(
    "keywords", [{}, {"sep": "_"}, {"sep": "_", "default_category": "d"}, {"sep": 3},
                 {"sep": "_", "default_category": {"p": "d"}}, {"default_category": "d"},
                 {"sep": "_", "default_category": {"p": "d", "q": "e"}}], ids=str,
)  # fmt: skip
def test_from_dummies(keywords):
    check_all(lambda f: module_of(f).from_dummies(f, **keywords), DUMMIES)
