"""Frames of parquet whose columns are read at first use: what is read, and that it is the same."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from phalanx._frames.files import parquet_rows
from phalanx.errors import ChangedFileError, DamagedFileError

import phalanx as px

from .chain_frames import frames
from .chain_samples import CHAINS
from .test_chains import check_results

pytest.importorskip("pyarrow")
pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

COUNT = 1000
TABLE = pd.DataFrame(
    {
        "i": np.arange(COUNT),
        "f": np.where(np.arange(COUNT) % 7 == 0, np.nan, np.arange(COUNT) / 4),
        "t": pd.array([f"k{i:04}" if i % 9 else None for i in range(COUNT)], dtype="str"),
        "d": pd.date_range("2020-01-01", periods=COUNT, unit="us"),
        "b": np.arange(COUNT) % 2 == 0,
        "c": pd.Categorical(["x", "y"] * (COUNT // 2)),
        "n": pd.array([None, 1] * (COUNT // 2), dtype="Int64"),
        "down": np.arange(COUNT, dtype="float32")[::-1],
    }
)  # fmt: skip


@pytest.fixture
def path(tmp_path):
    """A file of ten row groups."""
    made = tmp_path / "file.parquet"
    TABLE.to_parquet(made, row_group_size=COUNT // 10)
    return made


@pytest.fixture
def reads(monkeypatch):
    """What is read of files: pairs of names and row groups."""
    made = []
    read = parquet_rows.ParquetSource.read

    def told(self, fields, groups):
        made.append((sorted(set(fields)), groups))
        return read(self, fields, groups)

    monkeypatch.setattr(parquet_rows.ParquetSource, "read", told)
    return made


ALL = list(range(10))
USES = {
    "nothing": (lambda f: (len(f), f.shape, f.dtypes, f.columns, f.index, f.copy()), []),
    "a column": (lambda f: f["i"].sum(), [(["i"], ALL)]),
    "a column twice": (lambda f: f["i"].sum() + f["i"].max(), [(["i"], ALL)]),
    "some columns": (lambda f: f[["i", "f"]].sum(), [(["f", "i"], ALL)]),
    "other names": (lambda f: f.rename(columns={"i": "j"}).assign(k=1)["j"].max(), [(["i"], ALL)]),
    "the first rows": (lambda f: f.head()["t"].tolist(), [(["t"], [0])]),
    "the last rows": (lambda f: f.tail(150)["t"].tolist(), [(["t"], [8, 9])]),
    "a slice": (lambda f: f.iloc[250:260]["f"].sum(), [(["f"], [2])]),
    "rows": (lambda f: f.iloc[[5, 905, 6]]["i"].tolist(), [(["i"], [0, 9])]),
    "a filter": (lambda f: f[f["i"] > 820]["t"].tolist(), [(["i"], [8, 9]), (["t"], [8, 9])]),
    "the other way": (lambda f: f[f["i"] > 820]["t"].tolist(), [(["i"], [8, 9]), (["t"], [8, 9])]),
    "equal": (lambda f: f[f["i"] == 333]["f"].tolist(), [(["i"], [3]), (["f"], [3])]),
    "less": (lambda f: f[f["f"] <= 3]["i"].tolist(), [(["f"], [0]), (["i"], [0])]),
    "float32": (lambda f: f[f["down"] < 50]["i"].tolist(), [(["down"], [9]), (["i"], [9])]),
    "texts": (lambda f: f[f["t"] >= "k0950"]["i"].tolist(), [(["t"], [9]), (["i"], [9])]),
    "two conditions": (
        lambda f: f[(f["i"] > 420) & (f["f"] < 120)]["t"].tolist(),
        [(["f", "i"], [4]), (["t"], [4])],
    ),
    "nothing passes": (lambda f: f[f["i"] > 5000]["t"].tolist(), [(["t"], [])]),
    "NaN": (lambda f: f[f["f"] == float("nan")]["t"].tolist(), [(["t"], [])]),
    "a filter of a filter": (
        lambda f: (lambda g: g[g["f"] > 240]["t"].tolist())(f[f["i"] > 820]),
        [(["i"], [8, 9]), (["f"], [9]), (["t"], [9])],
    ),
    "a filter of loc": (lambda f: f.loc[f["i"] < 50, "t"].tolist(), None),
    "a mask that is looked at": (lambda f: (f["i"] > 820).sum(), [(["i"], ALL)]),
    "or": (
        lambda f: f[(f["i"] > 820) | (f["i"] < 5)]["t"].tolist(),
        [(["i"], ALL), (["t"], [0, 8, 9])],
    ),
    "not": (lambda f: f[~(f["i"] > 5)]["t"].tolist(), [(["i"], ALL), (["t"], [0])]),
    "a query": (lambda f: f.query("i > 995")["t"].tolist(), None),
    "other rows": (lambda f: f[f["i"] != 3]["i"].sum(), None),
    "groups": (lambda f: f.groupby("c", observed=True)["i"].sum(), [(["i"], ALL)]),
}  # fmt: skip


@pytest.mark.parametrize("name", USES)
def test_what_is_read(name, path, reads):
    use, expected = USES[name]
    frame = px.read_parquet(path)
    at_once = [(["c"], ALL)]
    assert reads == at_once
    found, wanted = use(frame), use(TABLE)
    if expected is not None:
        assert reads == at_once + expected
    if name != "nothing":
        assert_equal(found, wanted)


def assert_equal(found, wanted):
    if isinstance(wanted, list):
        assert pd.Series(found, dtype=object).equals(pd.Series(wanted, dtype=object))
    elif isinstance(wanted, (pd.Series, pd.DataFrame)):
        check_results(found, wanted)
    else:
        assert found == wanted


def test_columns_that_are_named(path, reads):
    frame = px.read_parquet(path, columns=["t", "i"])
    assert reads == []
    assert list(frame) == ["t", "i"]
    check_results(frame, TABLE[["t", "i"]])
    assert reads == [(["i", "t"], ALL)]


def test_all_is_as_at_once(path):
    check_results(px.read_parquet(path), TABLE)
    again = pickle.loads(pickle.dumps(px.read_parquet(path)))
    check_results(again, TABLE)
    assert px.read_parquet(path).equals(again)


@settings(max_examples=30)
@given(frames(), CHAINS)
def test_chains(tmp_path_factory, frame, chain):
    if "object" in map(str, frame.dtypes) or not frame.columns.is_unique:
        return
    where = tmp_path_factory.mktemp("chains") / "file.parquet"
    px.from_pandas(frame).to_parquet(where, row_group_size=4)
    check_results(px.read_parquet(where), frame)
    from .test_chains import attempt, chained

    wanted, error = attempt(chained, px.from_pandas(frame), chain)
    found, own = attempt(chained, px.read_parquet(where), chain)
    assert type(error) is type(own), (error, own)
    if error is None:
        check_results(found, wanted.to_pandas() if hasattr(wanted, "to_pandas") else wanted)


def test_explain(path):
    frame = px.read_parquet(path)
    frame["i"].sum()
    told = repr(px.explain(frame[frame["i"] > 820]))
    assert "t: str, not read: 179 of 1000 rows, 2 of 10 row groups of" in told
    assert "file.parquet" in told
    told = repr(px.explain(frame))
    assert "t: str, not read: 1000 of 1000 rows, 10 of 10 row groups" in told
    assert "i: int64, not read" not in told


def test_new_files_in_the_place(path):
    frame = px.read_parquet(path)
    frame.assign(i=0).to_parquet(path)
    assert frame["i"].sum() == TABLE["i"].sum()
    assert px.read_parquet(path)["i"].sum() == 0
    frame = px.read_parquet(path)
    path.unlink()
    assert frame["t"].tolist()[1] == "k0001"


def test_files_that_are_written_to(path):
    frame = px.read_parquet(path)
    total = frame["i"].sum()
    data = path.read_bytes()
    with path.open("r+b") as file:
        file.truncate(len(data) // 2)
    with pytest.raises(ChangedFileError, match=r"file\.parquet.*read it again"):
        frame["t"].tolist()
    assert frame["i"].sum() == total
    path.write_bytes(data[:4] + b"\xff" * 300 + data[304:])
    with pytest.raises(DamagedFileError, match=r"file\.parquet"):
        px.read_parquet(path)["i"].tolist()


def test_many_threads(path):
    frame = px.read_parquet(path)
    found, errors = [], []

    def use():
        try:
            found.append((frame["i"].sum(), frame[frame["f"] > 100]["t"].count()))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert errors == []
    assert set(found) == {(TABLE["i"].sum(), TABLE[TABLE["f"] > 100]["t"].count())}


def test_files_are_closed(path):
    opened = Path("/proc/self/fd")
    before = len(list(opened.iterdir()))
    for _ in range(20):
        px.read_parquet(path)["i"].sum()
    assert len(list(opened.iterdir())) < before + 10


def test_statistics_may_be_absent(tmp_path, reads):
    path = tmp_path / "file.parquet"
    TABLE.to_parquet(path, row_group_size=100, write_statistics=False)
    frame = px.read_parquet(path)
    assert (
        frame[frame["f"] > 240]["d"].tolist()
        == px.from_pandas(TABLE[TABLE["f"] > 240])["d"].tolist()
    )
    # Without statistics integers may have missing values, so that their dtype is not known.
    assert reads == [(["b", "c", "i"], ALL), (["f"], ALL), (["d"], [9])]
