"""`read_sql`, `to_sql` beside pandas: columns x databases x keywords, and what is refused."""

from __future__ import annotations

import sqlite3

import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, same_kind, theirs
from .column_samples import SAMPLES
from .frame_samples import FRAMES

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

NAMES = [
    name for name in SAMPLES
    if name not in ("complex", "object mixed", "object dates", "uint64")
    and not name.startswith(("timedelta", "zoned"))
]  # fmt: skip
KEYWORDS = [{}, {"index": False}, {"index_label": "label"}, {"chunksize": 3}, {"method": "multi"}]


@pytest.fixture(params=["sqlite3", "sqlalchemy"])
def connections(request):
    """Two empty databases of a kind, for pandas and for us."""
    if request.param == "sqlite3":
        both = [sqlite3.connect(":memory:") for _ in range(2)]
        yield both
        for each in both:
            each.close()
        return
    alchemy = pytest.importorskip("sqlalchemy")
    both = [alchemy.create_engine("sqlite://") for _ in range(2)]
    yield both
    for each in both:
        each.dispose()


def same(connections, frame, *, reading=None, **keywords):
    """Both write a table, and both read both tables."""
    theirs_in, ours_in = connections
    wanted, error = attempt(lambda: frame.to_sql("t", theirs_in, **keywords))
    found, own = attempt(lambda: px.from_pandas(frame).to_sql("t", ours_in, **keywords))
    if error is not None or own is not None:
        assert error is not None and own is not None and same_kind(error, own), (error, own)
        return
    assert found == wanted
    result = pd.read_sql("select * from t", theirs_in, **(reading or {}))
    for each in connections:
        assert_same(theirs(px.read_sql("select * from t", each, **(reading or {}))), result)


@pytest.mark.parametrize("name", NAMES)
def test_columns(connections, name):
    frame = pd.DataFrame({"a": SAMPLES[name], "n": 1.5})
    same(connections, frame, if_exists="replace")
    same(connections, frame, if_exists="append")
    same(connections, frame.iloc[:0], if_exists="delete_rows")


@pytest.mark.parametrize("name", ["range", "int", "str", "repeated", "float", "no rows"])
def test_indexes(connections, name):
    frame = FRAMES[name][["int", "float", "str", "boolean"]]
    for keywords in KEYWORDS:
        same(connections, frame, if_exists="replace", **keywords)
    same(connections, frame.rename_axis("i"), if_exists="replace", reading={"index_col": "i"})
    same(connections, frame)  # the table is there


READING = [
    {"index_col": "a"}, {"index_col": ["a", "b"]}, {"parse_dates": ["d"]},
    {"parse_dates": {"d": "%Y-%m-%d"}}, {"parse_dates": {"s": "s"}}, {"dtype": {"a": "float64"}},
    {"parse_dates": {"d": {"errors": "coerce"}}}, {"coerce_float": False},
]  # fmt: skip
SAMPLE = pd.DataFrame(
    {"a": [1, 2, 3], "b": ["x", None, "z"], "d": ["2020-01-01"] * 3, "s": [1, 2, 3]}
)


def test_reading(connections):
    for each in connections:
        SAMPLE.to_sql("t", each, index=False)
    for keywords in READING:
        wanted = pd.read_sql("select * from t", connections[0], **keywords)
        assert_same(theirs(px.read_sql("select * from t", connections[1], **keywords)), wanted)
        assert_same(
            theirs(px.read_sql_query("select * from t", connections[1], **keywords)), wanted
        )
    for size in (1, 2, 3, 5):
        wanted = list(pd.read_sql("select * from t", connections[0], chunksize=size))
        found = list(px.read_sql("select * from t", connections[1], chunksize=size))
        for one, other in zip(found, wanted, strict=True):
            assert_same(theirs(one), other)
    query = "select a from t where a > ?"
    wanted = pd.read_sql(query, connections[0], params=(1,))
    assert_same(theirs(px.read_sql(query, connections[1], params=(1,))), wanted)


def test_tables():
    alchemy = pytest.importorskip("sqlalchemy")
    engine = alchemy.create_engine("sqlite://")
    SAMPLE.to_sql("t", engine, index=False)
    for keywords in (
        {},
        {"columns": ["b"]},
        {"columns": ["b"], "index_col": "a"},
        {"index_col": ["a"]},
    ):
        wanted = pd.read_sql_table("t", engine, **keywords)
        assert_same(theirs(px.read_sql_table("t", engine, **keywords)), wanted)
        assert_same(
            theirs(px.read_sql("t", engine, **keywords)), pd.read_sql("t", engine, **keywords)
        )
    with engine.connect() as connection:
        assert len(px.read_sql(alchemy.text("select * from t"), connection)) == 3
    with pytest.raises(ValueError, match="Table none not found"):
        px.read_sql_table("none", engine)


def test_what_is_refused(connections, monkeypatch):
    frame = px.DataFrame({"a": [1, 2]})
    with pytest.raises(OSError, match="select nothing"):
        px.read_sql("select nothing", connections[1])
    with pytest.raises(ValueError, match="if_exists"):
        frame.to_sql("t", connections[1], if_exists="so")
    with pytest.raises(TypeError, match="con is a int"):
        px.read_sql("select 1", 1)
    with pytest.raises(NotImplementedError, match="method"):
        frame.to_sql("t", connections[1], method=len)
    monkeypatch.setitem(__import__("sys").modules, "sqlalchemy", None)
    with pytest.raises(ImportError, match="pip install sqlalchemy"):
        px.read_sql("select 1", "sqlite://")


def test_all_rows_or_none():
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t (a integer check (a < 3))")
    with pytest.raises(OSError, match="CHECK"):
        px.DataFrame({"a": [1, 2, 3]}).to_sql(
            "t", connection, if_exists="append", index=False, chunksize=1
        )
    assert connection.execute("select count(*) from t").fetchone() == (0,)
    with pytest.raises(OSError, match="no column"):
        px.DataFrame({"b": [1]}).to_sql("t", connection, if_exists="append", index=False)
    px.DataFrame({'a "q"': [1]}).to_sql('t; drop table t"', connection, index=False)
    assert list(px.read_sql('select * from "t; drop table t"""', connection)) == ['a "q"']
