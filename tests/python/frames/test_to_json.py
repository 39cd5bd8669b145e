"""`to_json` beside pandas, by table: columns x orients x keywords."""

import gzip
import io

import numpy as np
import pytest

import phalanx as px

from .against_pandas import attempt
from .column_samples import SAMPLES
from .frame_samples import FRAMES

pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.usefixtures("device")

ORIENTS = [None, "columns", "records", "split", "index", "values"]
NAMES = [name for name in SAMPLES if name not in ("complex", "object mixed")]


def same(thing, **keywords):
    wanted, error = attempt(lambda: thing.to_json(**keywords))
    if error is not None:
        with pytest.raises(type(error)):
            px.from_pandas(thing).to_json(**keywords)
        return
    assert px.from_pandas(thing).to_json(**keywords) == wanted


@pytest.mark.parametrize("orient", ORIENTS)
@pytest.mark.parametrize("name", NAMES)
def test_columns(name, orient):
    same(SAMPLES[name], orient=orient)
    same(pd.DataFrame({"a": SAMPLES[name], "b": 1}), orient=orient)
    same(pd.DataFrame({"a": SAMPLES[name]}).iloc[:0], orient=orient)


@pytest.mark.parametrize("orient", ORIENTS)
@pytest.mark.parametrize("name", ["range", "int", "str", "datetime", "repeated", "no rows"])
def test_indexes(name, orient):
    frame = FRAMES[name].drop(columns="object")
    for keywords in (
        {},
        {"index": False},
        {"index": True},
        {"lines": True},
        {"date_unit": "s"},
        {"date_unit": "ns"},
        {"double_precision": 2},
        {"force_ascii": False},
    ):
        same(frame, orient=orient, **keywords)
        same(frame["float"], orient=orient, **keywords)


def test_floats():
    draw = np.random.default_rng(1)
    values = [0.1, 1 / 3, 1e10, 1e15, 1e-5, 1.2345678e-8, 2.0, 100.0, np.inf, 0.3, 1e-10, 1e-11]
    for each in (values, np.round(draw.normal(0, 100, 500), 4), draw.normal(size=500)):
        same(pd.Series(each), orient="values")
        same(pd.Series(each), orient="values", double_precision=5)


def test_texts():
    same(pd.Series(['a"b', "a/b", "é你", "\n\t\\", "", "<>&'"]), orient="values")
    same(pd.Series(["é你"]), orient="values", force_ascii=False)


def test_files(tmp_path):
    frame = px.DataFrame({"a": [1, 2], "t": ["é", None]})
    text = frame.to_json()
    frame.to_json(tmp_path / "j.json")
    assert (tmp_path / "j.json").read_text() == text
    frame.to_json(tmp_path / "j.json.gz")
    assert gzip.decompress((tmp_path / "j.json.gz").read_bytes()).decode() == text
    for _ in range(2):
        frame.to_json(tmp_path / "l", orient="records", lines=True, mode="a")
    assert len((tmp_path / "l").read_text().splitlines()) == 4
    file, binary = io.StringIO(), io.BytesIO()
    frame.to_json(file)
    frame.to_json(binary)
    assert file.getvalue() == binary.getvalue().decode() == text


def test_what_is_not_supported_is_told():
    frame = px.DataFrame({"a": [1]})
    for keywords in ({"orient": "table"},):
        with pytest.raises(NotImplementedError, match="to_json"):
            frame.to_json(**keywords)
    with pytest.raises(NotImplementedError, match="complex"):
        px.DataFrame({"a": [1j]}).to_json()
    for keywords in (
        {"orient": "other"},
        {"lines": True},
        {"mode": "r"},
        {"double_precision": 16},
        {"date_unit": "h"},
        {"orient": "records", "mode": "a"},
    ):
        with pytest.raises(ValueError, match=r"\w"):
            frame.to_json(**keywords)
