"""`read_excel`, `to_excel` beside pandas: columns x keywords, several sheets, damage."""

from __future__ import annotations

import datetime
import io
import sys

import pandas as pd
import pytest
from phalanx.errors import DamagedFileError

import phalanx as px

from .against_pandas import attempt, same_kind
from .column_samples import SAMPLES
from .frame_samples import FRAMES
from .test_chains import check_results

openpyxl = pytest.importorskip("openpyxl")
pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

NAMES = [name for name in SAMPLES if name not in ("complex", "object mixed", "object dates")]
WRITING = [
    {}, {"index": False}, {"header": False}, {"na_rep": "NA"}, {"startrow": 2, "startcol": 1},
    {"index_label": "label"}, {"float_format": "%.1f"}, {"inf_rep": "big"},
]  # fmt: skip


def cells(data):
    """What the sheets of a workbook have."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    return {
        each.title: [[shown(cell.value) for cell in row] for row in each.rows]
        for each in book.worksheets
    }


def shown(value):
    """A value; floats to twelve decimals, as pandas adds durations below 0 up from days."""
    return round(value, 12) + 0.0 if isinstance(value, float) else value


def written(frame, **keywords):
    made = io.BytesIO()
    frame.to_excel(made, **keywords)
    return made.getvalue()


def same(frame, **keywords):
    wanted, error = attempt(lambda: written(frame, **keywords))
    found, own = attempt(lambda: written(px.from_pandas(frame), **keywords))
    if error is not None or own is not None:
        assert error is not None and own is not None and same_kind(error, own), (error, own)
        return None
    assert cells(found) == cells(wanted)
    return wanted


@pytest.mark.parametrize("name", NAMES)
def test_columns(name):
    frame = pd.DataFrame({"a": SAMPLES[name], "n": 1.5})
    for keywords in WRITING:
        data = same(frame, **keywords)
        if data is not None and not name.startswith("timedelta"):
            check_results(px.read_excel(io.BytesIO(data)), pd.read_excel(io.BytesIO(data)))


@pytest.mark.parametrize("name", ["range", "int", "str", "repeated", "float", "datetime"])
def test_indexes(name):
    frame = FRAMES[name][["int", "float", "str", "boolean", "datetime"]]
    for keywords in WRITING[:4]:
        same(frame, **keywords)
    data = same(frame.rename_axis("i"))
    for keywords in ({"index_col": 0}, {"index_col": "i"}, {"index_col": [0, 1]}):
        wanted = pd.read_excel(io.BytesIO(data), **keywords)
        check_results(px.read_excel(io.BytesIO(data), **keywords), wanted)
    levels = frame.set_index("int", append=True)
    same(levels, merge_cells=False)
    same(levels)


SHEET = [
    ["name", "count", "price", None, "name", "text", "when", "yes"],
    ["Rome", 3, 1.5, None, "x", "1", datetime.datetime(2020, 1, 1), True],
    [None, 4, None, "NA", "y", "2.5", datetime.datetime(2020, 1, 2, 3), False],
    ["n/a", 5.0, "#N/A", None, "z", "7", None, True],
    [],
    ["=1+1", 6, 2, None, "w", " 8 ", datetime.datetime(2020, 1, 4), None],
]
READING = {
    "plain": {}, "no header": {"header": None}, "header": {"header": 1}, "rows": {"nrows": 2},
    "skipped": {"skiprows": 1}, "skipped list": {"skiprows": [1, 3]},
    "skipped function": {"skiprows": lambda i: i == 2}, "numbers": {"usecols": [0, 2]},
    "names": {"usecols": ["price", "count"]}, "letters": {"usecols": "A:B,F"},
    "function": {"usecols": lambda each: str(each) > "o"}, "dtype": {"dtype": {"count": "float64"}},
    "texts": {"dtype": str, "usecols": [0, 4]},
    "missing": {"na_values": ["x"], "keep_default_na": False},
    "other names": {"header": None, "names": list("abcdefgh")}, "index": {"index_col": 0},
    "no filter": {"na_filter": False, "usecols": [0, 1, 4]}, "no such column": {"usecols": ["no"]},
}  # fmt: skip


@pytest.fixture(scope="module")
def book():
    made = openpyxl.Workbook()
    made.active.title = "first"
    for row in SHEET:
        made.active.append(row)
    made.create_sheet("empty")
    made.create_sheet("third").append(["a"])
    data = io.BytesIO()
    made.save(data)
    return data.getvalue()


@pytest.mark.parametrize("name", READING)
def test_reading(name, book):
    wanted, error = attempt(lambda: pd.read_excel(io.BytesIO(book), **READING[name]))
    found, own = attempt(lambda: px.read_excel(io.BytesIO(book), **READING[name]))
    if error is not None:
        assert isinstance(own, type(error)), (error, own)
        return
    assert own is None, own
    check_results(found, wanted)


def test_sheets(book, tmp_path):
    for name in (0, -1, "third", "empty", [0, "third"], None):
        wanted = pd.read_excel(io.BytesIO(book), sheet_name=name)
        found = px.read_excel(io.BytesIO(book), sheet_name=name)
        both = (found, wanted) if isinstance(wanted, dict) else ({0: found}, {0: wanted})
        assert list(both[0]) == list(both[1])
        for key in both[1]:
            check_results(both[0][key], both[1][key])
    with px.ExcelFile(io.BytesIO(book)) as file:
        assert file.sheet_names == ["first", "empty", "third"]
        assert list(file.parse("third")) == ["a"]
    frame = px.DataFrame({"a": [1]})
    path = tmp_path / "book.xlsx"
    with px.ExcelWriter(path) as writer:
        frame.to_excel(writer, sheet_name="x", index=False)
        frame["a"].to_excel(writer, sheet_name="y", index=False)
    assert {key: each["a"].tolist() for key, each in px.read_excel(path, None).items()} == {
        "x": [1],
        "y": [1],
    }
    with pytest.raises(ValueError, match="no"), px.ExcelWriter(path) as writer:
        raise ValueError("no")
    assert px.ExcelFile(str(path)).sheet_names == ["x", "y"]


def test_what_is_refused(book, tmp_path, monkeypatch):
    for name in ("none", 9):
        with pytest.raises(ValueError, match="Worksheet"):
            px.read_excel(io.BytesIO(book), name)
    (tmp_path / "text.xlsx").write_text("no workbook")
    (tmp_path / "cut.xlsx").write_bytes(book[: len(book) // 2])
    for name in ("text", "cut"):
        with pytest.raises(DamagedFileError, match=name):
            px.read_excel(tmp_path / f"{name}.xlsx")
    with pytest.raises(FileNotFoundError):
        px.read_excel(tmp_path / "none.xlsx")
    for keywords in ({"engine": "xlrd"}, {"thousands": ","}, {"header": [0, 1]}):
        with pytest.raises(NotImplementedError):
            px.read_excel(io.BytesIO(book), **keywords)
    with pytest.raises(TypeError, match="nothing_such"):
        px.read_excel(io.BytesIO(book), nothing_such=1)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    for use in (px.read_excel, px.DataFrame({"a": [1]}).to_excel):
        with pytest.raises(ImportError, match="pip install openpyxl"):
            use("a.xlsx")
