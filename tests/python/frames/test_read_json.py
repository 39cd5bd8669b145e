"""`read_json` beside pandas, by table: columns x orients x keywords, and text that is wrong."""

from __future__ import annotations

import bz2
import gzip
import io

import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, same_kind, theirs
from .column_samples import SAMPLES
from .frame_samples import FRAMES

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

ORIENTS = ["columns", "records", "split", "index", "values"]
NAMES = [name for name in SAMPLES if name not in ("complex", "object mixed", "object dates")]
KEYWORDS = [
    {}, {"dtype": False}, {"convert_axes": False}, {"convert_dates": False},
    {"convert_dates": ["a"]}, {"dtype": {"a": "float64"}}, {"dtype": "str"},
    {"keep_default_dates": False}, {"date_unit": "ms"},
]  # fmt: skip


def same(text, **keywords):
    wanted, error = attempt(lambda: pd.read_json(io.StringIO(text), **keywords))
    found, own = attempt(lambda: px.read_json(io.StringIO(text), **keywords))
    if error is not None or own is not None:
        fine = error is not None and own is not None
        assert fine and (same_kind(error, own) or isinstance(own, (ValueError, TypeError))), (
            error,
            own,
            text,
        )
        return
    assert_same(theirs(found), wanted)


@pytest.mark.parametrize("orient", ORIENTS)
@pytest.mark.parametrize("name", NAMES)
def test_columns(name, orient):
    frame = pd.DataFrame({"a": SAMPLES[name], "date": SAMPLES[name], "n": 1})
    for keywords in KEYWORDS if orient in ("columns", "records") else KEYWORDS[:3]:
        same(frame.to_json(orient=orient), orient=orient, **keywords)
    if orient != "records":
        series = SAMPLES[name].to_json(orient="index" if orient == "columns" else orient)
        same(series, orient="index" if orient == "columns" else orient, typ="series")


@pytest.mark.parametrize("orient", ORIENTS)
@pytest.mark.parametrize("name", ["range", "int", "str", "float", "datetime", "no rows"])
def test_indexes(name, orient):
    frame = FRAMES[name].drop(columns=["object", "timedelta"])
    for keywords in ({}, {"convert_axes": False}, {"convert_dates": ["datetime"]}):
        same(frame.to_json(orient=orient), orient=orient, **keywords)
        same(frame.to_json(orient=orient, date_unit="ns"), orient=orient, **keywords)


@pytest.mark.parametrize("name", [*NAMES, "category ordered"])
def test_tables(name):
    frame = pd.DataFrame({"a": SAMPLES[name], "n": 1})
    text, error = attempt(lambda: frame.to_json(orient="table"))
    if error is None:
        same(text, orient="table")
        same(frame.set_index("n").to_json(orient="table"), orient="table")


LINES = '{"a":1,"b":"x"}\n\n{"a":2,"b":"y"}\n{"b":"z","a":3.5}\n{"a":null}\n'


def test_lines():
    for keywords in ({}, {"nrows": 2}, {"nrows": 0}, {"nrows": 99}, {"dtype": False}):
        same(LINES, lines=True, **keywords)
    for size in (1, 2, 9):
        wanted = list(
            pd.read_json(io.StringIO(LINES.replace("\n\n", "\n")), lines=True, chunksize=size)
        )
        with px.read_json(
            io.StringIO(LINES.replace("\n\n", "\n")), lines=True, chunksize=size
        ) as parts:
            for one, other in zip(parts, wanted, strict=True):
                assert_same(theirs(one), other)
    parts = px.read_json(io.StringIO(LINES), lines=True, chunksize=3, nrows=3)
    assert [len(each) for each in parts] == [2]


TEXTS = [
    "{}", "[]", "1", '"a"', "null", "", "{", '{"a":[1,2]}', '{"a":1}', '[{"a":1},{"b":2}]',
    '[[1,"x"],[2,null]]', '{"a":{"0":1,"1":"x"}}', '{"a":{"b":{"c":1}}}', '[{"a":{"b":1}}]',
    '{"columns":["a","a"],"data":[[1,2]]}', '{"columns":["a"],"index":[5],"data":[[1]],"x":1}',
    '{"a":{"0":"1","1":"2"}}', '{"a":{"0":"1.5","1":"x"}}', '{"a":{"0":true,"1":null}}',
    '{"a":{"2020-01-01":1,"2020-01-02":2}}', '{"a":{"0":1e400}}', '[{"a":[1,2]},{"a":[]}]',
    '{"date":{"0":"2020-01-01","1":"2020-01-02T10:00:00Z"}}', '{"date":{"0":1577836800000}}',
    '{"x_at":{"0":5,"1":1577836800}}', '{"timestamp":{"0":"x"}}', '{"a":{"0":"","1":"3"}}',
]  # fmt: skip


@pytest.mark.parametrize("orient", [None, "records", "split", "index", "values"])
def test_texts(orient):
    for text in TEXTS:
        same(text, orient=orient)
        if orient != "records":
            same(text, orient=orient, dtype=False, convert_axes=False)


WRONG = {
    "chunks without lines": {"chunksize": 2},
    "rows without lines": {"nrows": 2},
    "typ": {"typ": "array"},
    "unit": {"date_unit": "min"},
    "table and dtype": {"orient": "table", "dtype": True},
    "chunks of nothing": {"lines": True, "chunksize": 0},
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_keywords(name):
    for read in (pd.read_json, px.read_json):
        with pytest.raises(ValueError):
            read(io.StringIO("[]"), **WRONG[name])


def test_wrong_text_has_its_place():
    with pytest.raises(ValueError, match="line 2, column 2"):
        px.read_json(io.StringIO('{"a":\n x}'))
    with pytest.raises(ValueError, match="line 3, column 6"):
        px.read_json(io.StringIO('{"a":1}\n\n{"a":x}\n'), lines=True)
    with pytest.raises(ValueError, match="too deep"):
        px.read_json(io.StringIO("[" * 200_000))
    with pytest.raises(FileNotFoundError):
        px.read_json('{"a":1}')
    with pytest.raises(ValueError, match="storage_options"):
        px.read_json("none.json", storage_options={"a": 1})
    with pytest.raises(UnicodeDecodeError):
        px.read_json(io.BytesIO(b'{"a\xff":1}'))


def test_files(tmp_path):
    text = '{"ä":{"0":1}}'
    for ending, compress in ((".json", bytes), (".json.gz", gzip.compress), (".bz2", bz2.compress)):
        path = tmp_path / f"file{ending}"
        path.write_bytes(compress(text.encode()))
        assert px.read_json(path)["ä"].tolist() == [1]
        assert px.read_json(str(path))["ä"].tolist() == [1]
    (tmp_path / "latin").write_bytes(text.encode("latin-1"))
    assert list(px.read_json(tmp_path / "latin", encoding="latin-1")) == ["ä"]
    frame = px.DataFrame(
        {"a": [1, 2], "b": ["x", None], "date": px.date_range("2020-01-01", periods=2)}
    )
    assert px.read_json(io.StringIO(frame.to_json()))["date"].dtype.kind == "M"
