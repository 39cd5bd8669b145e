"""Reductions of no rows, of missing ones and of one or two: results have pandas' dtypes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import phalanx as px

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

DTYPES = (
    *("bool", "int8", "uint8", "int64", "float32", "float64"),
    *("Int8", "Int64", "UInt8", "Float32", "Float64", "boolean"),
    *("M8[us]", "M8[ns]", "M8[s]", "m8[us]", "m8[ns]", "datetime64[ns, UTC]"),
    *("str", "string", "category", "object"),
)
WITHOUT_MISSING = ("bool", "int8", "uint8", "int64")
PLAIN = (
    *("sum", "prod", "min", "max", "mean", "median", "std", "var", "sem", "skew", "kurt"),
    *("any", "all", "count", "nunique", "mode", "idxmin", "cumsum", "describe"),
)
METHODS = {
    **{name: lambda of, name=name: getattr(of, name)() for name in PLAIN},
    "sum of at least one": lambda of: of.sum(min_count=1),
    "prod of at least one": lambda of: of.prod(min_count=1),
    "quantile": lambda of: of.quantile(0.5),
    "quantiles": lambda of: of.quantile([0.25, 0.5]),
}
ROWS = {
    "none": lambda one: [],
    "missing": lambda one: [None, None],
    "one": lambda one: [one],
    "one and a missing": lambda one: [one, None],
    "two": lambda one: [one, one],
}
OF_ONE = {
    **dict.fromkeys(("bool", "boolean"), True),
    **dict.fromkeys(("str", "string", "category", "object"), "a"),
    **dict.fromkeys(("M8[us]", "M8[ns]", "M8[s]", "datetime64[ns, UTC]"), "2020-01-02"),
}


def differs_on_purpose(dtype, rows, method):
    """What pandas does and we do not."""
    is_quantile = method.startswith("quantile")
    return (
        # pandas cuts quantiles of whole numbers off where one is missing: 5 between 5 and 6.
        (is_quantile and rows == "one and a missing" and dtype in ("Int8", "Int64", "UInt8"))
        # TypeError says that these have no quantiles.
        or (is_quantile and dtype in ("category", "object"))
        # Missing objects are left out; pandas adds them up to TypeError.
        or (dtype == "object" and rows == "one and a missing" and method in ("sum", "cumsum"))
        or (dtype == "object" and rows == "one and a missing" and method == "sum of at least one")
        # A Python float for float32's NaN, of series only.
        or (dtype == "float32" and rows == "missing" and method == "mean")
    )


def told(library, dtype, rows, method, is_frame):
    """The dtype of a result, or its class, or that there was an error."""
    values = ROWS[rows](OF_ONE.get(dtype, 5))
    series = library.Series(values, dtype=object if dtype == "object" else dtype)
    try:
        made = METHODS[method](series.to_frame("a") if is_frame else series)
    except (TypeError, ValueError, NotImplementedError):  # the last is Arrow's
        return "an error"
    if getattr(made, "ndim", 0) == 2:
        return ", ".join(map(str, made.dtypes))
    if getattr(made, "ndim", 0) == 1:
        return f"{made.dtype} column"
    names = {"float": "float64", "int": "int64", "bool_": "bool"}
    name = str(made.dtype) if isinstance(made, np.generic) else type(made).__name__
    return names.get(name, name)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_dtype_is_pandas(dtype, method):
    for rows in ROWS:
        if "missing" in rows and dtype in WITHOUT_MISSING:
            continue
        if differs_on_purpose(dtype, rows, method):
            continue
        for is_frame in (False, True):
            case = (dtype, rows, method, is_frame)
            assert told(px, *case) == told(pd, *case), case


@pytest.mark.parametrize("dtype", ["int64", "string", "Int64", "str", "category"])
def test_counts_of_values_in_groups_are_nullable_as_pandas(dtype):
    one = OF_ONE.get(dtype, 5)
    for rows in ([], [one, one]):
        found, wanted = (
            library.DataFrame({"k": rows, "v": library.Series(rows, dtype=dtype)})
            .groupby("k")["v"]
            .value_counts()
            for library in (px, pd)
        )
        assert str(found.dtype) == str(wanted.dtype)


@pytest.mark.parametrize("rows", [0, 3])
@pytest.mark.parametrize("dtype", ["bool", "boolean", "M8[us]", "str", "category", "float32"])
def test_descriptions_of_groups_have_their_columns_without_rows(dtype, rows):
    values = [OF_ONE.get(dtype, 5)] * rows
    found, wanted = (
        library.DataFrame({"k": [1] * rows, "v": library.Series(values, dtype=dtype)})
        .groupby("k")
        .describe()
        for library in (px, pd)
    )
    assert found.columns.tolist() == wanted.columns.tolist()
    assert [str(each) for each in found.dtypes] == [str(each) for each in wanted.dtypes]


def test_quantiles_of_groups_keep_a_nullable_float():
    frame = px.DataFrame({"k": [1, 1, 2], "v": px.Series([1.5, 2.5, None], dtype="Float32")})
    found = frame.groupby("k")["v"].quantile(0.5)
    assert str(found.dtype) == "Float32"
    assert found.tolist() == [2.0, px.NA]
    assert str(frame.groupby("k")["v"].quantile([0.5, 1.0]).dtype) == "Float32"


@pytest.mark.parametrize("axis", ["index", "columns"])
def test_isin_refuses_labels_that_come_twice(axis):
    frame = px.DataFrame({"a": [1, 2], "b": [3, 4]})
    twice = frame.set_axis([0, 0] if axis == "index" else ["a", "a"], axis=axis)
    with pytest.raises(ValueError, match="duplicate axis"):
        frame.isin(twice)
    with pytest.raises(ValueError, match="duplicate axis"):
        frame.isin(px.Series([1, 2], index=[0, 0]))
