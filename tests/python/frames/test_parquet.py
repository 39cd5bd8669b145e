"""Parquet, feather, ORC and pickles beside pandas: what one library writes the other reads."""

import datetime
import errno
import io
import os
import subprocess
import sys
from decimal import Decimal

import numpy as np
import pytest
from phalanx.errors import DamagedFileError

import phalanx as px

from .column_samples import SAMPLES
from .frame_samples import FRAMES, LEVELS
from .test_to_csv import at_most, wide

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

pytestmark = [
    pytest.mark.usefixtures("device"),
    pytest.mark.filterwarnings("ignore:.*feather.*:FutureWarning"),
    pytest.mark.filterwarnings("ignore:.*values returning an ndarray.*"),
]

INDEXES = {
    "range": pd.RangeIndex(4),
    "range with steps": pd.RangeIndex(3, 11, 2, name="r"),
    "int": pd.Index([3, 1, 2, 9]),
    "named": pd.Index(list("wxyz"), name="name"),
    "name of a column": pd.Index([1, 2, 3, 4], name="a"),
    "float": pd.Index([0.5, np.nan, 2, 3]),
    "dates": pd.date_range("2020-01-01", periods=4, name="when"),
    "zoned": pd.date_range("2020-01-01", periods=4, tz="Europe/Berlin"),
    "category": pd.CategoricalIndex(["x", "y", "x", "z"], name="c"),
    "levels": LEVELS.index,
    "levels without names": LEVELS.index.set_names([None, None]),
}
LABELS = {
    "int": [0, 1, 2],
    "float": [0.5, 1.5, 2.5],
    "named": pd.Index(["a", "b", "c"], name="n"),
    "dates": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]),
    "levels": pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["x", "y"]),
}


def written(frame, **keywords):
    file = io.BytesIO()
    frame.to_parquet(file, **keywords)
    file.seek(0)
    return file


def same(found, wanted):
    pd.testing.assert_frame_equal(found.to_pandas(), wanted, check_freq=False)


def both_ways(frame, **keywords):
    """What pandas reads of its own file is what all four ways give."""
    wanted = pd.read_parquet(written(frame, **keywords))
    mine = px.from_pandas(frame)
    same(px.read_parquet(written(frame, **keywords)), wanted)
    pd.testing.assert_frame_equal(
        pd.read_parquet(written(mine, **keywords)), wanted, check_freq=False
    )
    same(px.read_parquet(written(mine, **keywords)), wanted)


@pytest.mark.parametrize(
    "name", [name for name in SAMPLES if name not in ("complex", "object mixed")]
)
def test_columns(name):
    both_ways(pd.DataFrame({"a": SAMPLES[name]}))
    both_ways(pd.DataFrame({"a": SAMPLES[name].iloc[:0], "b": SAMPLES[name].iloc[:0]}))


@pytest.mark.parametrize("index", [None, True, False])
@pytest.mark.parametrize("name", INDEXES)
def test_indexes(name, index):
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": list("pqrs")}, index=INDEXES[name])
    both_ways(frame, index=index)
    both_ways(frame.iloc[:0], index=index)


@pytest.mark.parametrize("name", LABELS)
def test_labels_of_columns(name):
    both_ways(pd.DataFrame(np.arange(6).reshape(2, 3), columns=LABELS[name]))


def test_frames_of_all_columns():
    for name in ("range", "int", "str", "float", "datetime", "no rows", "no columns"):
        both_ways(FRAMES[name].drop(columns=["object"], errors="ignore"))


def test_objects_that_arrow_has():
    objects = {
        "dates": [datetime.date(2020, 1, 2), None],
        "bytes": [b"x", None],
        "bools": [True, None],
        "texts": ["x", None],
        "times": [datetime.time(1, 2), None],
    }
    for values in objects.values():
        both_ways(pd.DataFrame({"a": pd.Series(values, dtype=object)}))
    decimals = pd.DataFrame({"a": pd.Series([Decimal("1.50"), None], dtype=object)})
    kind = pd.ArrowDtype(pa.decimal128(3, 2))
    same(px.read_parquet(written(decimals)), decimals.astype(kind))
    lists = pa.table({"a": [[1, 2], None, []], "b": [{"x": 1}, None, {"x": 2}]})
    found = px.DataFrame.from_arrow(lists)
    assert found["a"].tolist() == [[1, 2], px.NA, []]
    assert found["b"].tolist() == [{"x": 1}, None, {"x": 2}]


def test_attributes():
    frame = pd.DataFrame({"a": [1]})
    frame.attrs["unit"] = "m"
    assert px.read_parquet(written(frame)).attrs == {"unit": "m"}
    assert pd.read_parquet(written(px.from_pandas(frame))).attrs == {"unit": "m"}


def test_columns_row_groups_and_filters(tmp_path):
    frame = wide(1000).assign(n=np.arange(1000) * 7 % 1000).set_index("n")
    px.from_pandas(frame).to_parquet(tmp_path / "t.parquet", row_group_size=100)
    path = str(tmp_path / "t.parquet")
    for keywords in (
        {"columns": ["f"]},
        {"columns": []},
        {"filters": [("i", ">", 3)]},
        {"filters": [[("i", ">", 3), ("f", "<", 0)], [("i", "==", -9)]]},
        {"columns": ["t"], "filters": [("n", "<", 250)]},
        {"engine": "pyarrow", "columns": ["i", "f"]},
    ):
        same(px.read_parquet(path, **keywords), pd.read_parquet(path, **keywords))
    same(px.read_parquet(path, row_groups=[1, 3]), frame.iloc[[*range(100, 200), *range(300, 400)]])
    same(px.read_parquet(path, row_groups=2, columns=["i"]), frame[["i"]].iloc[200:300])
    with pytest.raises(ValueError, match="not there"):
        px.read_parquet(path, filters=[("nothing", ">", 1)])
    with pytest.raises(IndexError, match="row group 10"):
        px.read_parquet(path, row_groups=10)


def test_folders_and_several_files(tmp_path):
    frame = wide(60).assign(key=["x", "y", "z"] * 20)
    mine = px.from_pandas(frame)
    mine.to_parquet(tmp_path / "parts", partition_cols=["key"])
    assert sorted(each.name for each in (tmp_path / "parts").iterdir()) == [
        "key=x",
        "key=y",
        "key=z",
    ]
    same(px.read_parquet(tmp_path / "parts"), pd.read_parquet(tmp_path / "parts"))
    for i in range(2):
        mine.iloc[i * 30 : i * 30 + 30].to_parquet(tmp_path / f"{i}.parquet")
    paths = [str(tmp_path / "0.parquet"), str(tmp_path / "1.parquet")]
    assert px.read_parquet(paths)["i"].tolist() == frame["i"].tolist()
    with pytest.raises(ValueError, match="partition_cols"):
        mine.to_parquet(partition_cols=["key"])


@pytest.mark.parametrize("compression", ["snappy", "gzip", "zstd", "brotli", "lz4", None])
def test_compression(compression):
    mine = px.from_pandas(wide(100))
    same(px.read_parquet(written(mine, compression=compression)), mine.to_pandas())
    assert isinstance(mine.to_parquet(compression=compression), bytes)


DAMAGE = {
    "empty": lambda data: b"",
    "text": lambda data: b"a,b\n1,2\n" * 20,
    "cut off": lambda data: data[: len(data) // 2],
    "no end": lambda data: data[:-8] + b"\0" * 8,
    "pages": lambda data: data[:4] + b"\xff" * 200 + data[204:],
    "footer": lambda data: data[:-60] + b"\xff" * 52 + data[-8:],
}
READERS = {"parquet": px.read_parquet, "feather": px.read_feather, "orc": px.read_orc}


@pytest.mark.parametrize("form", READERS)
@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_files_are_named(name, form, tmp_path):
    if name in ("pages", "no end", "footer") and form != "parquet":
        pytest.skip("other forms are written another way")
    path = tmp_path / f"some.{form}"
    getattr(px.from_pandas(wide(500)), f"to_{form}")(path)
    path.write_bytes(DAMAGE[name](path.read_bytes()))
    with pytest.raises(DamagedFileError, match="some"):
        READERS[form](path).to_pandas()  # parquet is read when somebody looks
    with pytest.raises(DamagedFileError, match="open file"):
        READERS[form](io.BytesIO(path.read_bytes()))


def test_what_is_wrong_is_told(tmp_path):
    frame = px.DataFrame({"a": [1]})
    for reader in READERS.values():
        with pytest.raises(FileNotFoundError):
            reader(tmp_path / "nothing")
    with pytest.raises(ValueError, match="Duplicate"):
        px.concat([frame, frame], axis=1).to_parquet()
    with pytest.raises((ValueError, TypeError)):
        px.DataFrame({"a": [1, "x"]}).to_parquet()
    for keywords in ({"engine": "fastparquet"}, {"storage_options": {"a": 1}}):
        with pytest.raises(NotImplementedError):
            frame.to_parquet(**keywords)
        with pytest.raises((NotImplementedError, ValueError)):
            px.read_parquet(tmp_path / "t", **keywords)
    with pytest.raises(ValueError, match="engine"):
        frame.to_parquet(engine="other")
    with pytest.raises(NotImplementedError, match="dtype_backend"):
        px.read_parquet(written(frame), dtype_backend="pyarrow")
    with pytest.raises(OSError, match="non-existent"):
        frame.to_parquet(tmp_path / "no" / "t")


def test_a_file_that_cannot_be_finished_is_removed(tmp_path):
    frame = px.from_pandas(wide(50_000))
    for name in ("to_parquet", "to_feather", "to_pickle"):
        with at_most(1 << 14), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
            getattr(frame, name)(tmp_path / "t")
        assert list(tmp_path.iterdir()) == []


def test_feather(tmp_path):
    frame = FRAMES["range"].drop(columns="object")
    for each in (frame, frame.iloc[:0]):
        for one in (each, px.from_pandas(each)):
            one.to_feather(tmp_path / "f")
            wanted = pd.read_feather(tmp_path / "f")
            same(px.read_feather(tmp_path / "f"), wanted)
            if len(each):
                pd.testing.assert_frame_equal(wanted, each)
    same(px.read_feather(tmp_path / "f", columns=["int"]), frame[["int"]].iloc[:0])
    px.from_pandas(frame).to_feather(tmp_path / "f", compression="zstd")
    same(px.read_feather(tmp_path / "f"), frame)


def test_orc(tmp_path):
    frame = pd.DataFrame(
        {
            "i": [1, 2, None],
            "f": [1.5, np.nan, 2],
            "b": [True, False, True],
            "s": ["x", None, "z"],
            "d": np.array(["2020-01-01", "NaT", "2021-05-05T10:00"], "M8[ns]"),
        }
    )
    for one in (frame, px.from_pandas(frame)):
        one.to_orc(tmp_path / "o")
        same(px.read_orc(tmp_path / "o"), pd.read_orc(tmp_path / "o"))
        same(px.read_orc(tmp_path / "o", columns=["s"]), pd.read_orc(tmp_path / "o", columns=["s"]))
    mine = px.from_pandas(frame)
    assert isinstance(mine.to_orc(), bytes)
    with pytest.raises(ValueError, match="index"):
        mine.set_index("i").to_orc()
    with pytest.raises(NotImplementedError, match="dtype"):
        px.DataFrame({"c": px.Series(["a"], dtype="category")}).to_orc()


@pytest.mark.parametrize("name", ["p.pkl", "p.pkl.gz", "p.pkl.bz2", "p.pkl.xz", "p.pkl.zip"])
def test_pickles(name, tmp_path):
    frame = px.from_pandas(FRAMES["str"])
    for thing in (frame, frame["str"]):
        thing.to_pickle(tmp_path / name)
        assert px.read_pickle(tmp_path / name).equals(thing)
    px.to_pickle({"a": 1}, tmp_path / name)
    assert px.read_pickle(tmp_path / name) == {"a": 1}
    file = io.BytesIO()
    frame.to_pickle(file, protocol=-1)
    file.seek(0)
    assert px.read_pickle(file).equals(frame)


def test_tables_with_tabs():
    text = "a\tb\n1\tx\n2\ty\n"
    same(px.read_table(text.encode()), pd.read_table(io.StringIO(text)))
    same(px.read_table(text.replace("\t", ";").encode(), sep=";"), pd.read_table(io.StringIO(text)))


def test_without_pyarrow_an_error_says_what_to_install():
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import phalanx as px\n"
        "frame = px.DataFrame({'a': [1]})\n"
        "for call in (frame.to_parquet, frame.to_orc, lambda: px.read_parquet('x'),\n"
        "             lambda: px.read_feather('x'), frame.__arrow_c_stream__):\n"
        "    try:\n"
        "        call()\n"
        "    except ImportError as error:\n"
        "        assert 'pip install pyarrow' in str(error), error\n"
        "    else:\n"
        "        raise SystemExit('no error')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
