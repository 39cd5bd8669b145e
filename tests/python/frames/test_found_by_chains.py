"""What random chains of methods found: each was another result than pandas', or an error."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import attempt
from .test_chains import check_results, is_fine

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]


def missing_keys(lib):
    """Frames whose key of dates has a missing one, repeated on the right."""
    left = lib.DataFrame({"k": lib.to_datetime(["2020", None, "2019"]), "v": [1, 2, 3]})
    right = lib.DataFrame({"k": lib.to_datetime(["2020", "2020", None]), "w": [1, 2, 3]})
    return left, right


def nullable(lib):
    """A frame whose mask does not lie in C order."""
    made = lib.DataFrame({"k": [1, 1, 2], "v": lib.Series([True, None, False], dtype="boolean")})
    return made.iloc[::-1]


def located(lib, value, rows=(True, False), column="new"):
    """A frame of which some rows get a value in a column, which may be new."""
    made = lib.DataFrame({"a": [1, 2][: len(rows)], "t": ["x", "y"][: len(rows)]})
    made.loc[lib.Series(rows, dtype=bool), column] = value
    return made


def levels_of_columns(lib):
    """A frame whose columns have two levels."""
    labels = lib.MultiIndex.from_tuples([("x", 1), ("y", 2)], names=["u", "v"])
    return lib.DataFrame([[1, 2], [3, 4]], columns=labels)


def array_of(value):
    """An array of one object, and one that is missing."""
    return np.array([value, None], dtype=object)


def objects(lib):
    """Numbers and texts in one column."""
    return lib.DataFrame({"j": [1, 1, 1, 1], "k": lib.Series([1, "a", None, -3], dtype=object)})


CASES = {
    "fills of a narrow dtype": lambda p: p.Series([1, 2], dtype="int8").shift(9, fill_value=7),
    "shift of no rows": lambda p: p.DataFrame({"a": [1]}).iloc[:0].shift(1),
    "differences of no distance": lambda p: p.Series([3, 1]).diff(0),
    "unsigned differences": lambda p: p.Series([3, 1, 9], dtype="uint8").diff(1),
    "ranks of NA texts": lambda p: p.Series(["b", None, "a"], dtype="string").rank(),
    "texts without a number": lambda p: p.to_numeric(p.Series(["", "1"], dtype="string")),
    "texts that are no number": lambda p: p.to_numeric(
        p.Series(["x", "1"], dtype="string"), errors="coerce"
    ),
    "floats that are whole": lambda p: p.Series([3.0, None], dtype="Float64").convert_dtypes(),
    "floats beyond 64 bits": lambda p: p.Series([1e300, 3.0]).convert_dtypes(),
    "bools in objects": lambda p: p.Series([True, None], dtype=object).convert_dtypes(),
    "both kinds of texts": lambda p: p.DataFrame(
        {"a": p.Series(["x"], dtype="string"), "b": ["y"]}
    ).select_dtypes("str"),
    "NA among values": lambda p: p.Series([1, None], dtype="Int64").isin(
        p.Series([None, 1], dtype="Int64")
    ),
    "sizes of NA texts": lambda p: p.Series(["x", "y"], dtype="string").groupby([1, 1]).size(),
    "rows of categories": lambda p: p.DataFrame(
        {"a": p.Series(["x", "y"], dtype="category"), "b": [1, 2]}
    ).value_counts(),
    "ranges as an index": lambda p: p.DataFrame({"a": np.array([0, 2, 4], "int8")}).set_index("a"),
    "labels of NumPy": lambda p: p.DataFrame([[1, 2]]).set_index(np.int64(1)),
    "equal ranges": lambda p: p.concat([p.DataFrame({"a": [1]}, index=p.RangeIndex(5, 6))] * 2),
    "columns that no row has": lambda p: p.concat(
        [p.DataFrame({"a": [1], "b": [2]}).iloc[:0], p.DataFrame({"b": [2]}).iloc[:0]]
    ),
    "other dtypes as rows": lambda p: p.DataFrame(
        {"a": p.Series([1], dtype="Int64"), "b": [2]}
    ).T,
    "masks turned round": lambda p: nullable(p).groupby("k")["v"].max(),
    "keys turned round": lambda p: nullable(p).groupby("v")["k"].sum(),
    "numbers before texts": lambda p: objects(p).sort_values(["j", "k"]),
    "a table of both": lambda p: p.crosstab(objects(p)["j"], objects(p)["k"]),
    "None for floats": lambda p: p.Series([0.0, 1.5], dtype="float32").replace(0, None),
    "columns of one float": lambda p: p.DataFrame(
        {"a": np.array([1.5], "float32")}
    ).reindex(columns=["a", "b"]),
    "keys that are missing": lambda p: missing_keys(p)[0].merge(
        missing_keys(p)[1], on="k", how="outer"
    ),
    "labels that are missing": lambda p: missing_keys(p)[0].set_index("k").join(
        missing_keys(p)[1].set_index("k"), how="outer"
    ),
    "other dtypes of repeated labels": lambda p: p.Series([1, 2], index=[0, 0]).combine_first(
        p.Series(["a", "b"], index=[0, 0])
    ),
    "names twice": lambda p: p.DataFrame({"a": [1]}).rename_axis("a").sort_values("a"),
    "a key that is a value": lambda p: p.DataFrame(
        {"a": [1], "b": [2], "c": [3], "d": [4]}
    ).pivot_table("a", "a", "b"),
    "no texts to look up": lambda p: p.Series([], dtype="str").map({"a": 1}),
    "rows of no columns": lambda p: p.DataFrame().value_counts(),
    "sizes beside a key of that name": lambda p: p.DataFrame({"size": [1]}).groupby(
        "size", as_index=False
    ).size(),
    "objects that were labels": lambda p: p.DataFrame(
        {"a": [1, 2]}, index=p.Index([1, None], dtype=object, name="b")
    ).reset_index(),
    "a name of one level": lambda p: p.MultiIndex.from_arrays([[1]]).set_names("n").names[0],
    "functions of no columns": lambda p: p.DataFrame(index=[1]).agg(["sum", "min"]),
    "functions of nullable columns": lambda p: p.DataFrame(
        {"a": p.Series([1, None], dtype="Int64"), "b": p.Series(["x", None], dtype="string")}
    ).agg(["min", "max"]),
    "ranks of nullable columns": lambda p: p.Series([2, 1], dtype="Int64").to_frame().rank(),
    "columns that a dict lacks": lambda p: p.DataFrame(
        {"a": p.Series([1], dtype="Int64"), "b": [1]}
    ).isin({"b": [1]}),
    "dtypes of one type": lambda p: p.DataFrame(
        {"a": p.Series([1], dtype="Int64"), "b": [1], "c": [1.0]}
    ).select_dtypes("int64"),
    "one column twice": lambda p: p.DataFrame({"a": [1]}).explode(["a", "a"]),
    "texts of lists": lambda p: p.Series([["a", "b"], None]).explode(),
    "dates in an array": lambda p: p.DataFrame(array_of(p.Timestamp("2020"))[:, None]),
    "zoned dates in an array": lambda p: p.Series(array_of(p.Timestamp("2020", tz="UTC"))),
    "durations in an array": lambda p: p.Index(array_of(p.Timedelta(1, "s"))),
    "midnight of a zone": lambda p: repr(p.Series(array_of(p.Timestamp("2020", tz="UTC")))),
    "texts in a new column": lambda p: located(p, "x"),
    "bools in a new column": lambda p: located(p, True),
    "dates in a new column": lambda p: located(p, p.Timestamp("2020")),
    "nothing in a new column": lambda p: located(p, "x", [False, False]),
    "a new column of no rows": lambda p: located(p, 1, []),
    "what no row gets": lambda p: located(p, "x", [False, False], "a"),
    "missing values for no row": lambda p: located(p, None, [False, False], "a"),
    "numbers that texts do not get": lambda p: located(p, 1, [False, False], "t"),
    "floats that integers hold": lambda p: p.Series([1]).where([False], p.Series([4.0])),
    "integers that floats hold": lambda p: p.Series([1.5, 2], dtype="float32").where(
        [True, False], p.Series([3, 4])
    ),
    "larger integers": lambda p: p.Series([1], dtype="int8").where([False], p.Series([3])),
    "an array of nullable columns": lambda p: p.DataFrame(
        {"a": p.Series([1], dtype="Int64"), "b": [1]}
    ).to_numpy(),
    "functions below levels of columns": lambda p: levels_of_columns(p)
    .groupby(p.Series([1, 1]))
    .agg(["min", "max"]),
    "a label of levels as a subset": lambda p: levels_of_columns(p).groupby(p.Series([1, 1]))[
        ("x", 1)
    ],
    "texts below numbers": lambda p: p.DataFrame({"a": ["x"], "b": [np.nan]}).melt(),
    "no columns of rows": lambda p: p.DataFrame(index=[1]).value_counts(),
    "signs that are needed": lambda p: p.Series([1], dtype="uint8").mask(
        [True], p.Series([-1], dtype="int8")
    ),
    "numbers as labels of objects": lambda p: p.DataFrame(
        {"a": p.Series([2.5], dtype=object)}
    ).value_counts(),
    "signs that are not needed": lambda p: p.Series([1], dtype="uint8").mask([True], p.Series([3])),
    "masks that are not needed": lambda p: p.Series([1.5]).where(
        [False], p.Series([3], dtype="Int64")
    ),
    "numbers for bools": lambda p: p.Series([None], dtype="boolean").fillna(p.Series([0])),
    "texts for numbers": lambda p: p.Series([None], dtype="Int64").fillna(p.Series(["x"])),
    "texts that are categories": lambda p: p.Series([None, "x"], dtype="category").fillna(
        p.Series(["x", "x"])
    ),
    "others where none is needed": lambda p: p.Series([1], dtype="Int64").where([True], "x"),
    "NA in dicts": lambda p: p.Series([1, None], dtype="Int64").to_frame().to_dict("list"),
    "NA in a dict": lambda p: p.Series(["x", None], dtype="string").to_dict(),
    "tuples as labels": lambda p: p.DataFrame([[1]], [("a", 1)], [("b", 2)]).index,
    "tuples as labels of columns": lambda p: p.Series([1]).to_frame().set_axis([("b", 2)], axis=1),
    "lists as levels": lambda p: p.Series([1, 2], index=[["a", "b"], [1, 2]]),
    "an empty list": lambda p: p.DataFrame({"a": [], "b": ()}),
    "an empty list as a column": lambda p: p.DataFrame({"a": [1]}).iloc[:0].assign(b=[]),
    "greatest of no rows": lambda p: p.DataFrame({"a": [1]}).iloc[:0].max(axis=1),
    "sums of no dates": lambda p: p.DataFrame({"a": p.to_datetime(["2020"])}).iloc[:0].sum(axis=1),
    "sums of no groups": lambda p: p.DataFrame(np.array([[1, 2]], "int8"), columns=["a", "b"])
    .iloc[:0]
    .groupby("a")
    .sum(),
    "running sums of no groups": lambda p: p.DataFrame({"a": np.array([1], "uint8")})
    .iloc[:0]
    .groupby("a")["a"]
    .cumsum(),
    "NA of another dtype": lambda p: p.DataFrame({"a": p.Series([1], dtype="Int64"), "b": [1]}).sub(
        p.Series([None, None], index=["a", "b"], dtype="Float64")
    ),
    "a level of both kinds": lambda p: p.Series(
        [1, 2], p.MultiIndex.from_arrays([p.Index([1, "a"], dtype=object), [1, 2]])
    ).sort_index(level=0),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_case(name):
    wanted, error = attempt(CASES[name], pd)
    found, own = attempt(CASES[name], px)
    if error is not None:
        assert own is not None and is_fine(own, error), (error, own, found)
        return
    assert own is None, own
    check_results(found, wanted)
