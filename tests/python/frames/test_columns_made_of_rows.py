"""Frames made of rows, and of aggregations by lists: dtypes and names are pandas'."""

import pandas as pd
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")


@pytest.mark.parametrize(
    "dtypes",
    [["int8"], ["int8", "uint8"], ["int8", "float32"], ["bool"], ["bool", "int8"], ["str", "int8"]],
    ids=str,
)
def test_rows_that_are_series_make_columns_of_their_dtype(dtypes):
    def made(library):
        one = [library.Series(["a" if dtype == "str" else 1] * 2, dtype=dtype) for dtype in dtypes]
        return [str(each) for each in library.DataFrame(one).dtypes]

    assert made(px) == made(pd)


@pytest.mark.parametrize(
    "how",
    [["min", "max"], {"a": ["min", "max"]}, {"a": ["min"], "b": ["max"]}, ["cumsum"]],
    ids=str,
)
@pytest.mark.parametrize("rows", [0, 2])
def test_aggregations_by_lists_keep_the_name_of_columns(how, rows):
    values = {"a": [1, 2][:rows], "b": [3, 4][:rows]}
    found, wanted = (
        library.DataFrame(values, dtype="int64").rename_axis("m", axis=1).agg(how)
        for library in (px, pd)
    )
    assert list(found.columns.names) == list(wanted.columns.names)
    assert found.columns.tolist() == wanted.columns.tolist()
