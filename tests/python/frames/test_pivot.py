"""`pivot`, `pivot_table` and `crosstab` beside pandas: keys x values x functions x keywords."""

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import check, check_all
from .reshape_samples import module_of, table

pytestmark = pytest.mark.usefixtures("device")

INDEXES = [None, "text", ["whole"], ["text", "whole"], "category", "real", "day"]
COLUMNS = [None, "whole", ["category"], ["whole", "real"], "day"]


def pivoted(rows, *args, **keywords):
    check(lambda f: f.pivot_table(*args, **keywords), rows)


def crossed(rows, index, columns, values=None, **keywords):
    def of(frame):
        row, column = ([frame[each] for each in keys] for keys in (index, columns))
        row = row if len(row) > 1 else row[0]
        column = column if len(column) > 1 else column[0]
        value = None if values is None else frame[values]
        return module_of(frame).crosstab(row, column, value, **keywords)

    check(of, rows)


def keyed(index, columns):
    keys = [*np.atleast_1d(index or []), *np.atleast_1d(columns or [])]
    return len(set(keys)) == len(keys)


@pytest.mark.parametrize("columns", COLUMNS, ids=str)
@pytest.mark.parametrize("index", INDEXES, ids=str)
def test_keys(index, columns):
    if not keyed(index, columns):
        pytest.skip("a key of rows and of columns")
    for values in (["i", "f"], "n"):
        for rows in (table(), table(1), *([table(0)] if index or columns else [])):
            pivoted(rows, values, index, columns)


NAMES = ["sum", "mean", "median", "var", "std", "min", "max", "first", "last", "count", "nunique",
         "size", "prod", "any"]  # fmt: skip


@pytest.mark.parametrize("columns", [None, "whole", ["whole", "real"]], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_functions_by_name(name, columns):
    if name == "size" and columns is None:
        pytest.skip("pandas fails where the table is a series")
    for values in ("i", ["f", "n"]):
        pivoted(table(), values, "text", columns, name)


FUNCTIONS = {
    "np.sum": np.sum, "np.mean": np.mean, "len": len, "max": max, "min": min, "sum": sum,
    "range": lambda s: s.max() - s.min(),
}  # fmt: skip
SEVERAL = [["sum"], ["sum", "mean"], ["count", np.mean, len], {"i": "sum"},
           {"i": "sum", "f": "mean"}, {"f": ["min", "max"], "i": "sum"},
           {"none": "sum"}]  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    for columns in (None, "whole"):
        pivoted(table(), "i", "text", columns, FUNCTIONS[name])
        pivoted(table(), ["i", "f"], ["text"], columns, FUNCTIONS[name])


@pytest.mark.parametrize("aggfunc", SEVERAL, ids=range(len(SEVERAL)))
def test_several_functions(aggfunc):
    for columns in (None, "whole", ["whole", "day"]):
        pivoted(table(), ["i", "f"], "text", columns, aggfunc)
        rows = table()[["text", "i", "f", *np.atleast_1d(columns or [])]]
        pivoted(rows, index="text", columns=columns, aggfunc=aggfunc)


KEYWORDS = [
    {"fill_value": 0}, {"fill_value": -1.5}, {"dropna": False}, {"sort": False},
    {"dropna": False, "fill_value": 0}, {"sort": False, "dropna": False},
]  # fmt: skip


@pytest.mark.parametrize("aggfunc", ["mean", "sum", "count", "max"])
@pytest.mark.parametrize("keywords", KEYWORDS, ids=str)
def test_keywords(keywords, aggfunc):
    for index, columns in (("text", "whole"), (["text", "real"], None), ("text", ["real", "day"])):
        pivoted(table(), ["f", "i"], index, columns, aggfunc, **keywords)


MARGINS = [{}, {"margins_name": "Total"}, {"fill_value": 0}, {"dropna": False},
           {"margins_name": 3}, {"margins_name": "k1"}]  # fmt: skip


@pytest.mark.parametrize("aggfunc", ["mean", "sum", "count", "max", len, {"i": "sum"}], ids=str)
@pytest.mark.parametrize("keywords", MARGINS, ids=str)
def test_margins(keywords, aggfunc):
    for index, columns in (
        ("text", "whole"), ("text", None), (["text", "whole"], None), (["text", "whole"], "day"),
        ("text", ["whole", "category"]), ("day", "category"),
    ):  # fmt: skip
        for values in ("i", ["i", "f"]):
            if isinstance(aggfunc, dict) and values == "i":
                continue
            if not keywords.get("dropna", True) and "category" in (columns or ()):
                continue  # Groups of categories without rows: `groupby`'s observed=False.
            pivoted(table(), values, index, columns, aggfunc, margins=True, **keywords)


def test_keys_that_are_no_columns():
    rows = table()
    key = rows["whole"] % 2
    check(lambda f, k: f.pivot_table("i", k, "whole"), rows, key.rename("key"))
    check(lambda f, k: f.pivot_table("i", [k, "text"]), rows, key)
    check(lambda f: f.pivot_table("i", np.arange(len(f)) % 3, "whole"), rows)
    check(lambda f: f.pivot_table("i", "nothing"), rows)
    check(lambda f: f.pivot_table("nothing", "text"), rows)
    check(lambda f: f.pivot_table("i"), rows)
    check(lambda f: f.pivot_table("text", "whole"), rows)
    check(lambda f: module_of(f).pivot_table(f, "i", "text"), rows)


def test_what_is_left_out_says_so():
    with pytest.raises(NotImplementedError, match="margins"):
        px.from_pandas(table()).pivot_table("i", columns="whole", margins=True)


# pivot


WIDE = {
    "plain": pd.DataFrame(
        {"a": list("xxyy"), "b": [1, 2, 1, 2], "c": list("qpqp"), "v": [1.0, 2, 3, 4],
         "i": [1, 2, 3, 4], "s": list("lmno")}, index=list("efgh"),
    ),
    "gaps": pd.DataFrame(
        {"a": list("yxz"), "b": [2, 1, 1], "c": list("qpq"), "v": [1.0, 2, 3], "i": [1, 2, 3],
         "s": list("lmn")}
    ),
    "twice": pd.DataFrame(
        {"a": list("xx"), "b": [1, 1], "c": list("qq"), "v": [1.0, 2], "i": [1, 2], "s": ["", ""]}
    ),
    "missing": pd.DataFrame(
        {"a": ["x", None, "x"], "b": [1, 1, np.nan], "c": list("qpr"), "v": [1.0, 2, 3],
         "i": [1, 2, 3], "s": list("lmn")}
    ),
}  # fmt: skip
WIDE["no rows"] = WIDE["plain"].iloc[:0]
WIDE["one row"] = WIDE["plain"].iloc[:1]
WIDE["named"] = WIDE["plain"].rename_axis("r").rename_axis("h", axis=1)
PIVOTS = [
    {"index": "a", "columns": "b", "values": "v"}, {"index": "a", "columns": "b", "values": "i"},
    {"index": "a", "columns": "b"}, {"columns": "b", "values": "v"}, {"columns": "b"},
    {"index": "a", "columns": "b", "values": ["v", "i"]},
    {"index": "a", "columns": "b", "values": ["v", "s"]},
    {"index": "a", "columns": ["b", "c"], "values": "i"},
    {"index": ["a", "c"], "columns": "b", "values": "i"},
    {"index": ["a", "c"], "columns": "b"}, {"index": "a", "columns": ["b", "c"]},
    {"index": "a", "columns": "b", "values": "s"}, {"index": "a", "columns": "b", "values": ["s"]},
    {"index": "none", "columns": "b"}, {"columns": "none"},
    {"index": "a", "columns": "b", "values": "none"},
]  # fmt: skip


@pytest.mark.parametrize("keywords", PIVOTS, ids=str)
def test_pivot(keywords):
    check_all(lambda f: f.pivot(**keywords), WIDE)
    check_all(lambda f: module_of(f).pivot(f, **keywords), WIDE)


# crosstab


CROSS = [
    {}, {"normalize": True}, {"normalize": "index"}, {"normalize": "columns"}, {"normalize": 0},
    {"normalize": "all"}, {"normalize": "none"}, {"margins": True}, {"dropna": False},
    {"margins": True, "margins_name": "T"}, {"margins": True, "normalize": "index"},
    {"margins": True, "normalize": "columns"}, {"margins": True, "normalize": True},
    {"rownames": ["r"], "colnames": ["c"]}, {"rownames": ["r", "s"]},
]  # fmt: skip


@pytest.mark.parametrize("keywords", CROSS, ids=str)
def test_crosstab(keywords):
    rows = table()
    for a, b in (("text", "whole"), ("whole", "day"), ("real", "text")):
        crossed(rows, [a], [b], **keywords)
    # The empty text of the margins' labels is NaT to pandas if these are dates.
    third = "i" if keywords.get("margins") else "day"
    crossed(table(1), ["text"], ["whole"], **keywords)
    # The labels of a level that no row has any more, of which pandas tells another inferred type.
    apart = keywords.get("margins") and keywords.get("normalize") == "columns"
    if "rownames" not in keywords and not apart:
        crossed(rows, ["text", "whole"], [third], **keywords)
        crossed(rows, ["text"], ["whole", third], **keywords)


def test_crosstab_of_values():
    rows = table()
    for name in ("sum", "mean", np.mean, len):
        crossed(rows, ["text"], ["whole"], "i", aggfunc=name)
        crossed(rows, ["text"], ["whole"], "i", aggfunc=name, margins=True)
    check(lambda f: module_of(f).crosstab(f["text"], f["whole"], f["i"]), rows)
    check(lambda f: module_of(f).crosstab(f["text"], f["whole"], aggfunc="sum"), rows)
    check(lambda f: module_of(f).crosstab(np.array(f["whole"]), f["day"]), rows)
    check(lambda f: module_of(f).crosstab(f["whole"], f["whole"]), rows)
