"""`to_csv` beside pandas, by table: columns x keywords, files, compression, what fails."""

import bz2
import csv
import errno
import gzip
import io
import lzma
import os
import resource
import sys
import zipfile
from contextlib import contextmanager
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phalanx as px

from .against_pandas import attempt
from .column_samples import SAMPLES
from .frame_samples import FRAMES, LEVELS, SERIES

pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.usefixtures("device")


def same_text(thing, **keywords):
    """Both libraries write the same text, or raise the same error."""
    wanted, error = attempt(lambda: thing.to_csv(**keywords))
    found, own = attempt(lambda: px.from_pandas(thing).to_csv(**keywords))
    if error is not None:
        assert own is not None, f"pandas raises {error!r}, ours gives {found!r}"
        assert isinstance(own, type(error)) or type(own).__name__ == type(error).__name__, own
        return
    if own is not None:
        raise own
    assert found == wanted


KEYWORDS = {
    "plain": {},
    "separator": {"sep": ";"},
    "tab": {"sep": "\t", "na_rep": "NA"},
    "missing": {"na_rep": "a,b"},
    "missing with a quote": {"na_rep": 'x"y'},
    "all quoted": {"quoting": csv.QUOTE_ALL},
    "texts quoted": {"quoting": csv.QUOTE_NONNUMERIC, "na_rep": "none"},
    "nothing quoted": {"quoting": csv.QUOTE_NONE, "escapechar": "\\"},
    "another quote": {"quotechar": "'"},
    "escaped quotes": {"doublequote": False, "escapechar": "\\"},
    "no labels": {"index": False},
    "no header": {"header": False},
    "decimal": {"decimal": ",", "sep": ";"},
    "decimal as separator": {"decimal": ","},
    "format": {"float_format": "%.2f"},
    "exponents": {"float_format": "%.3e"},
    "general": {"float_format": "%g"},
    "wide format": {"float_format": "%10.3f"},
    "format and comma": {"float_format": "%.2f", "decimal": ","},
    "function": {"float_format": lambda value: f"<{value:.1f}>"},
    "format and quotes": {"float_format": "%.2f", "quoting": csv.QUOTE_NONNUMERIC},
    "lines": {"lineterminator": "\r\n"},
    "lines of letters": {"lineterminator": "a\n"},
    "digits as separator": {"sep": "1"},
    "points as separator": {"sep": "."},
    "dates": {"date_format": "%d.%m.%Y %H:%M"},
    "chunks": {"chunksize": 2},
    "label": {"index_label": "rows"},
    "no label": {"index_label": False},
    "labels": {"index_label": ["rows"]},
}
# Dates with a time of day in some chunks only.
BY_CHUNK = {"chunks"}


@pytest.mark.parametrize("keywords", KEYWORDS)
def test_columns(keywords):
    wrong = []
    for name, series in SAMPLES.items():
        if keywords in BY_CHUNK and series.dtype.kind in "mM":
            continue
        try:
            same_text(series, **KEYWORDS[keywords])
        except AssertionError as error:
            wrong.append(f"{name}: {error}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("keywords", KEYWORDS)
def test_frames(keywords):
    wrong = []
    for name, frame in FRAMES.items():
        if keywords in BY_CHUNK:
            frame = frame.select_dtypes(exclude=["M8", "m8"])
        try:
            same_text(frame, **KEYWORDS[keywords])
        except AssertionError as error:
            wrong.append(f"{name}: {error}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("keywords", KEYWORDS)
def test_indexes_and_labels(keywords):
    frame = pd.DataFrame({"a": [1, 2, 3, 4], 'b"c': ["x", "y,z", 'q"', "line\nline"]})
    indexes = [each.index for each in SERIES.values()][:6]
    indexes += [
        LEVELS.index,
        pd.Index([1.5, np.nan, 2, 3], name="n"),
        pd.date_range("2020", periods=4, tz="UTC"),
        pd.DatetimeIndex(["2020-01-01", None, "2020-01-02", "2020-01-03"], name="when"),
        pd.CategoricalIndex(["u", "v", "u", None]),
        pd.timedelta_range("1 day", periods=4),
        pd.MultiIndex.from_arrays([[1.5, 2, np.nan, 3], ["a", None, "c", "d"]]),
    ]
    for index in indexes:
        same_text(frame.set_axis(index), **KEYWORDS[keywords])


@pytest.mark.parametrize("keywords", ["plain", "no labels", "label", "no label", "texts quoted"])
def test_labels_of_columns(keywords):
    rows = pd.DataFrame(np.arange(6).reshape(2, 3))
    for labels in (
        [1, 2, 3],
        [1.5, 2.5, np.nan],
        ["a", None, "c,d"],
        pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]),
        pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)]),
        pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["x", "y"]),
        pd.Index(["a", "a", "b"], name="name"),
    ):
        same_text(rows.set_axis(labels, axis=1), **KEYWORDS[keywords])
        same_text(rows.set_axis(labels, axis=1).rename_axis("label"), **KEYWORDS[keywords])
        levels = pd.MultiIndex.from_tuples([("u", 1), ("v", 2)], names=["p", None])
        same_text(rows.set_axis(labels, axis=1).set_axis(levels), **KEYWORDS[keywords])


def test_columns_and_aliases():
    frame = FRAMES["str"]
    for keywords in (
        {"columns": ["str", "int"]},
        {"columns": []},
        {"columns": ["nothing"]},
        {"columns": ["int"], "header": ["i"]},
        {"columns": ["int", "float"], "header": ["i"]},
        {"columns": ["int"], "header": ["i"], "index": False},
        {"columns": ["int"], "header": []},
        {"columns": pd.Index(["int"])},
    ):
        same_text(frame, **keywords)
    same_text(LEVELS.T, columns=[("a", 1)])
    same_text(SERIES["int/str"], header=["n"])
    same_text(SERIES["int/str"].rename(None))


TEXTS = [
    "",
    " ",
    "a",
    "a,b",
    'a"b',
    '"',
    "a\nb",
    "a\rb",
    "\\",
    "a\\b",
    "ö你",
    "'",
    "a;b",
    '""',
    "\t",
]


@pytest.mark.parametrize("quoting", [0, 1, 2, 3])
@pytest.mark.parametrize("escape", [None, "\\", '"'])
@pytest.mark.parametrize("double", [True, False])
@pytest.mark.parametrize("index", [True, False])
def test_texts_quotes_and_escapes(quoting, escape, double, index):
    for text in TEXTS:
        if text == "a\rb" and sys.version_info < (3, 13):
            continue  # Python left it bare then, and readers take it as the end of a line.
        for dtype in ("str", "object", "category"):
            frame = pd.DataFrame({"t": pd.Series([text, None], dtype=dtype)})
            keywords = {"quoting": quoting, "escapechar": escape, "doublequote": double}
            same_text(frame, index=index, **keywords)
            same_text(frame.assign(n=1), index=index, **keywords)


def test_returns_are_quoted():
    frame = px.DataFrame({"t": ["a\rb"]})
    assert frame.to_csv(index=False) == 't\n"a\rb"\n'
    assert frame.to_csv(index=False, lineterminator="|") == 't|"a\rb"|'


def test_objects():
    objects = [1, 1.5, True, None, "a,b", (1, 2), b"x", Decimal("1.10"), 1 + 2j, np.float32(0.1)]
    for quoting in (0, 1, 2):
        same_text(pd.DataFrame({"o": pd.Series(objects, dtype=object)}), quoting=quoting)


def test_floats_are_the_shortest_text():
    draw = np.random.default_rng(1)
    bits = draw.integers(0, 2**63, 20000, dtype=np.int64) | (draw.integers(0, 2, 20000) << 63)
    floats = bits.view(np.float64)
    more = [
        0.0,
        -0.0,
        1e16,
        9999999999999998.0,
        1e-4,
        9.999e-5,
        1e22,
        5e-324,
        1.7976931348623157e308,
    ]
    more += [0.1, 123456.789, 1e15, 1e9, 999999999.999999, 0.000123, 2.5e-7, np.inf, -np.inf, 1 / 3]
    rounded = np.round(draw.normal(0, 1000, 20000), 3)
    for values in (floats, np.array(more), rounded, draw.normal(size=5000)):
        found = px.Series(values).to_csv(index=False, header=False, na_rep="nan")
        assert found.split("\n")[:-1] == [repr(each) for each in values.tolist()]
    small = draw.integers(0, 2**32, 20000, dtype=np.uint32).view(np.float32)
    found = px.Series(small).to_csv(index=False, header=False, na_rep="nan")
    assert found.split("\n")[:-1] == [str(each) for each in small]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_dates_of_all_years(unit):
    draw = np.random.default_rng(2)
    days = draw.integers(-90_000, 90_000, 500).astype("M8[D]")
    for values in (days.astype(f"M8[{unit}]"), days.astype("M8[s]").astype(f"M8[{unit}]") + 1):
        same_text(pd.Series(values))
    if unit == "s":
        same_text(pd.Series(np.array(["0001-01-01", "9999-12-31T12:00", "1582-10-15"], "M8[s]")))
        same_text(pd.Series(np.array(["12000-01-01", "1970-01-01"], "M8[s]")))


def wide(rows):
    draw = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "i": draw.integers(-9, 9, rows),
            "f": draw.normal(size=rows),
            "t": draw.choice(["a", "b,c", 'd"', "", None], rows),
        }
    )


@pytest.mark.parametrize("rows", [1, 1000, 70_000])
def test_many_rows_are_in_order(rows, tmp_path):
    frame = wide(rows)
    wanted = frame.to_csv()
    mine = px.from_pandas(frame)
    assert mine.to_csv() == wanted
    for name, mode in (("new", "w"), ("other", "x"), ("new", "a")):
        mine.to_csv(tmp_path / name, mode=mode)
    assert (tmp_path / "other").read_text() == wanted
    assert (tmp_path / "new").read_text() == wanted * 2


OPENERS = {
    "t.csv": open,
    "t.csv.gz": gzip.open,
    "t.csv.bz2": bz2.open,
    "t.csv.xz": lzma.open,
}


@pytest.mark.parametrize("name", OPENERS)
@pytest.mark.parametrize("encoding", [None, "utf-8", "utf-16", "latin-1", "utf-8-sig"])
def test_compression_and_encodings(name, encoding, tmp_path):
    frame = px.from_pandas(wide(3000)).assign(u="grün")
    frame.to_csv(tmp_path / name, encoding=encoding)
    frame.to_csv(tmp_path / "pandas.csv", encoding=encoding)
    with OPENERS[name](tmp_path / name, "rb") as file:
        read = file.read()
    frame.to_pandas().to_csv(tmp_path / "pandas", encoding=encoding)
    assert read == (tmp_path / "pandas").read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(
        {name, "pandas", "pandas.csv"}
    )


def test_zip_and_options(tmp_path):
    frame = px.from_pandas(wide(100))
    frame.to_csv(tmp_path / "t.csv.zip")
    with zipfile.ZipFile(tmp_path / "t.csv.zip") as archive:
        assert archive.namelist() == ["t.csv"]
        assert archive.read("t.csv").decode() == frame.to_csv()
    frame.to_csv(tmp_path / "z", compression={"method": "zip", "archive_name": "inner.csv"})
    assert zipfile.ZipFile(tmp_path / "z").namelist() == ["inner.csv"]
    frame.to_csv(tmp_path / "g", compression={"method": "gzip", "compresslevel": 1, "mtime": 1})
    first = (tmp_path / "g").read_bytes()
    frame.to_csv(tmp_path / "g", compression={"method": "gzip", "compresslevel": 1, "mtime": 1})
    assert (tmp_path / "g").read_bytes() == first
    frame.to_csv(tmp_path / "plain.gz", compression=None)
    assert (tmp_path / "plain.gz").read_text() == frame.to_csv()


def test_open_files(tmp_path):
    frame = px.from_pandas(wide(50))
    text, binary = io.StringIO(), io.BytesIO()
    frame.to_csv(text)
    frame.to_csv(binary, encoding="utf-16")
    assert text.getvalue() == frame.to_csv()
    assert binary.getvalue().decode("utf-16") == frame.to_csv()
    squeezed = io.BytesIO()
    frame.to_csv(squeezed, compression="gzip")
    assert gzip.decompress(squeezed.getvalue()).decode() == frame.to_csv()
    with (tmp_path / "f").open("w") as file:
        file.write("# first\n")
        frame.to_csv(file)
    assert (tmp_path / "f").read_text() == "# first\n" + frame.to_csv()
    with pytest.warns(RuntimeWarning, match="compression"):
        frame.to_csv(io.StringIO(), compression="gzip")


def test_surrogates():
    frame = px.DataFrame({"t": ["\ud800", "퟿"]})
    assert frame.to_csv() == ",t\n0,\ud800\n1,퟿\n"
    with pytest.raises(UnicodeEncodeError):
        frame.to_csv(io.BytesIO())
    file = io.BytesIO()
    frame.to_csv(file, errors="replace")
    assert file.getvalue() == ",t\n0,?\n1,퟿\n".encode()
    with pytest.raises(UnicodeEncodeError):
        px.DataFrame({"t": ["ö"]}).to_csv(io.BytesIO(), encoding="ascii")


@contextmanager
def at_most(size):
    """Files of this process may not be longer: what writes more gets an error."""
    import signal

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.csv.zip"])
def test_a_file_that_cannot_be_finished_is_removed(name, tmp_path):
    frame = px.from_pandas(wide(70_000))
    with at_most(1 << 16), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        frame.to_csv(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / name).write_text("before")
    with at_most(1 << 16), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        frame.to_csv(tmp_path / name)
    with at_most(1 << 16), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        frame.to_csv(tmp_path / name, mode="a", compression=None)
    assert (tmp_path / name).read_text() == "before"
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_a_full_device():
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        px.from_pandas(wide(1000)).to_csv("/dev/full")


def test_links_and_rights_stay(tmp_path):
    (tmp_path / "there").write_text("old")
    (tmp_path / "there").chmod(0o640)
    (tmp_path / "link").symlink_to(tmp_path / "there")
    px.DataFrame({"a": [1]}).to_csv(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there").read_text() == ",a\n0,1\n"
    assert (tmp_path / "there").stat().st_mode & 0o777 == 0o640


WRONG = {
    "separator": {"sep": "ab"},
    "no separator": {"sep": ""},
    "quoting": {"quoting": 9},
    "no quote": {"quotechar": None},
    "escape": {"escapechar": "ab"},
    "storage": {"storage_options": {"a": 1}},
    "compression": {"compression": "rar", "path_or_buf": "x"},
    "compression without a method": {"compression": {"level": 1}, "path_or_buf": "x"},
    "folder": {"path_or_buf": "/nothing/such/t.csv"},
    "escapes": {"quoting": csv.QUOTE_NONE},
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    same_text(pd.DataFrame({"a": ["x,y", "z"]}), **WRONG[name])
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_supported_is_told(tmp_path):
    frame = px.DataFrame({"a": [1]})
    for keywords in (
        {"sep": "§"},
        {"path_or_buf": "s3://a/b"},
        {"path_or_buf": tmp_path / "t.tar"},
    ):
        with pytest.raises(NotImplementedError, match="to_csv"):
            frame.to_csv(**keywords)
    with pytest.raises(ValueError, match="mode"):
        frame.to_csv(tmp_path / "t", mode="r")
    frame.to_csv(tmp_path / "t", mode="x")
    with pytest.raises(FileExistsError):
        frame.to_csv(tmp_path / "t", mode="x")


VALUES = st.one_of(
    st.lists(st.floats(), min_size=1).map(lambda each: np.array(each, np.float64)),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1).map(
        lambda each: np.array(each, np.int64)
    ),
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1),
        min_size=1,
    ),
)


@settings(max_examples=60, deadline=None)
@given(values=VALUES, quoting=st.sampled_from([0, 1, 2]), end=st.sampled_from(["\n", "\r\n"]))
def test_what_is_written_is_read(values, quoting, end):
    frame = px.DataFrame({"v": list(values) if isinstance(values, list) else values, "n": 1})
    text = frame.to_csv(index=False, quoting=quoting, lineterminator=end)
    dtype = "str" if isinstance(values, list) else values.dtype
    read = px.read_csv(
        text.encode(), dtype={"v": dtype}, keep_default_na=not isinstance(values, list)
    )
    assert read["n"].tolist() == [1] * len(values)
    wanted, found = frame["v"].tolist(), read["v"].tolist()
    assert found == wanted or np.array_equal(np.array(found), np.array(wanted), equal_nan=True)
    returns = isinstance(values, list) and any(c in each for each in values for c in "\r\n")
    if not returns or sys.version_info >= (3, 13):  # as in test_returns_are_quoted
        assert text == frame.to_pandas().to_csv(index=False, quoting=quoting, lineterminator=end)
