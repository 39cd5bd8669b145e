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
