"""`px.read_csv` beside pandas: the frames that columns of CSV become."""

import io

import numpy as np
import pytest

import phalanx as px

pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.usefixtures("device")

TABLE = """id,name,price,when,ok,count
3,Rome,1.5,2024-01-02,True,7
1,,2.25,2024-03-04,False,
2,"a ""b"", c",,2023-12-31,True,-4
"""
BOOLS = "a,b\nTrue,1\n,2\nFalse,3\n"
LABELLED = "x,y\nr1,1,2\nr2,3,4\n"
CASES = {
    "as it is": (TABLE, {}),
    "label": (TABLE, {"index_col": "id"}),
    "place of the label": (TABLE, {"index_col": 1}),
    "several labels": (TABLE, {"index_col": ["name", "id"]}),
    "dates": (TABLE, {"parse_dates": ["when"]}),
    "category": (TABLE, {"dtype": {"name": "category"}}),
    "nullable": (TABLE, {"dtype": {"count": "Int64", "id": "Int32"}}),
    "narrow": (TABLE, {"dtype": {"id": "int8", "price": "float32"}}),
    "some columns": (TABLE, {"usecols": ["price", "id"]}),
    "some rows": (TABLE, {"nrows": 2, "skiprows": 0}),
    "no header": (TABLE, {"header": None}),
    "names": (TABLE, {"header": 0, "names": list("abcdef")}),
    "bools with a missing one": (BOOLS, {}),
    "labels without a name": (LABELLED, {}),
    "no labels": ("x,y,z\nr1,1,2\nr2,3,4\n", {"index_col": False}),
    "no rows": ("a,b\n", {}),
    "no rows of a dtype": ("a,b\n", {"dtype": {"a": "float64"}}),
    "repeated names": ("a,a,b\n1,2,3\n", {}),
}


@pytest.mark.parametrize("name", CASES)
def test_the_frame_is_that_of_pandas(name):
    text, keywords = CASES[name]
    wanted = pd.read_csv(io.StringIO(text), **keywords)
    found = px.read_csv(text.encode(), **keywords)
    assert isinstance(found, px.DataFrame)
    pd.testing.assert_frame_equal(found.to_pandas(), wanted)


@pytest.mark.parametrize("keywords", [{}, {"index_col": "id"}])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_chunks_are_frames(size, keywords):
    wanted = pd.read_csv(io.StringIO(TABLE), chunksize=size, dtype={"count": "float64"}, **keywords)
    chunks = px.read_csv(TABLE.encode(), chunksize=size, dtype={"count": "float64"}, **keywords)
    with chunks:
        for one, other in zip(chunks, wanted, strict=True):
            pd.testing.assert_frame_equal(one.to_pandas(), other, check_dtype=False)


def test_a_path_and_work_with_what_was_read(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    frame = px.read_csv(path, parse_dates=["when"])
    frame["total"] = frame["price"] * frame["count"]
    late = frame[frame["when"] > np.datetime64("2024-01-01")]
    assert late["id"].tolist() == [3, 1]
    assert frame["total"].sum() == 10.5


@pytest.mark.parametrize(
    ("text", "keywords", "error", "words"),
    [
        ("a,b\n1,2\n1,2,3\n", {}, px.errors.ParserError, "line 3"),
        ("", {}, px.errors.EmptyDataError, "No columns"),
        ("a\n1\n", {"dtype_backend": "pyarrow"}, NotImplementedError, "dtype_backend"),
        ("a\n1\n", {"speed": 3}, TypeError, "speed"),
        ("a\nx\n", {"dtype": {"a": "int64"}}, ValueError, "line 2"),
        ("a\n1\n", {"index_col": "b"}, KeyError, "b"),
    ],
)
def test_what_is_wrong_is_told(text, keywords, error, words):
    with pytest.raises(error, match=words):
        px.read_csv(text.encode(), **keywords)
