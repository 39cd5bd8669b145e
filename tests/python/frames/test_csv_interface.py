"""What CSV text is read from, what it is read to, and what is refused."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import threading

import numpy as np
import pytest
from phalanx._frames.csv_columns import CsvChunks, read_csv_columns
from phalanx.errors import EmptyDataError, ParserError

import phalanx as px

from .csv_oracle import ours, values_of

TEXT = b"a,b,c\n1,x,2.5\n2,,\n3,z,-1e3\n"
VALUES = [
    ("a", "int64", [1, 2, 3]),
    ("b", "str", ["x", None, "z"]),
    ("c", "float64", ["2.5", None, "-1000.0"]),
]


def by_name(columns):
    return dict(columns)


def test_columns_lie_as_arrow_has_them():
    columns = by_name(read_csv_columns(TEXT))
    assert columns["a"].values.dtype == np.int64
    assert columns["a"].valid is None
    assert columns["b"].offsets.tolist() == [0, 1, 1, 2]
    assert columns["b"].bytes.tobytes() == b"xz"
    assert columns["b"].valid.tolist() == [True, False, True]
    assert np.isnan(columns["c"].values[1])
    assert columns["c"].valid.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("ending", "compress"),
    [(".csv", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
def test_compressed_files(tmp_path, ending, compress):
    path = tmp_path / f"file{ending}"
    path.write_bytes(compress(TEXT))
    assert ours(path) == ours(str(path)) == VALUES
    with path.open("rb") as file:
        kind = {".csv": None, ".gz": "gzip", ".bz2": "bz2", ".xz": "xz"}[ending]
        assert ours(file, compression=kind) == VALUES


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_encodings(tmp_path, encoding):
    path = tmp_path / "file.csv"
    path.write_bytes("ä,b\nü,1\n".encode(encoding))
    assert ours(path, encoding=encoding) == [("ä", "str", ["ü"]), ("b", "int64", [1])]


def test_text_of_an_open_file(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("ä\nü\n", encoding="latin-1")
    with path.open(encoding="latin-1") as file:
        assert ours(file) == [("ä", "str", ["ü"])]


def test_long_text_of_other_encodings_is_in_a_file():
    text = "ä\n" + "0123456789\n" * 7_000_000
    ((name, column),) = read_csv_columns(text.encode("latin-1"), encoding="latin-1")
    assert name == "ä"
    assert column.values.sum() == 123456789 * 7_000_000


def test_chunks_are_the_whole():
    text = b"a,b\n" + b"".join(b'%d,"x\n%d"\n' % (i, i) for i in range(5000))
    whole = ours(text)
    with read_csv_columns(text, chunksize=999) as chunks:
        assert isinstance(chunks, CsvChunks)
        parts = [[values_of(column) for _, column in part] for part in chunks]
    assert [len(part[0]) for part in parts] == [999, 999, 999, 999, 999, 5]
    for i, (_, _, values) in enumerate(whole):
        assert [each for part in parts for each in part[i]] == values


def test_chunks_of_as_many_rows_as_are_asked_for():
    chunks = read_csv_columns(b"a\n1\n2\n3\n4\n", iterator=True, nrows=3)
    assert values_of(chunks.get_chunk(2)[0][1]) == [1, 2]
    assert values_of(chunks.get_chunk()[0][1]) == [3]
    with pytest.raises(StopIteration):
        next(chunks)


def test_progress_tells_bytes(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(b"a\n" + b"12345678\n" * 500_000)
    seen = []
    read_csv_columns(path, progress=lambda done, of: seen.append((done, of)))
    assert seen
    assert seen == sorted(seen)
    assert {of for _, of in seen} == {path.stat().st_size}
    assert seen[-1][0] == path.stat().st_size


def test_progress_may_stop_it():
    def stop(done, of):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        read_csv_columns(b"a\n" + b"1\n" * 1_000_000, progress=stop)


def test_a_file_that_becomes_shorter_is_an_error(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(b"a\n" + b"12345678\n" * 2_000_000)

    def cut(done, of):
        os.truncate(path, 1000)

    # A GPU's reader has the whole text before it tells of its progress.
    with px.device("cpu"), pytest.raises(OSError, match="while it was read"):
        read_csv_columns(path, progress=cut)


def test_a_file_that_grows_is_an_error(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(b"a\n" + b"12345678\n" * 100_000)

    def grow(done, of):
        with path.open("ab") as file:
            file.write(b"x\n")

    with pytest.raises(OSError, match="changed while it was read"):
        read_csv_columns(path, progress=grow)


def test_other_threads_run_meanwhile():
    text = b"a,b\n" + b"1.5,x\n" * 2_000_000
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    read_csv_columns(text)
    done.set()
    thread.join()
    assert counted > 0


def test_a_keyword_that_is_not_there():
    with pytest.raises(NotImplementedError, match="dtype_backend"):
        read_csv_columns(TEXT, dtype_backend="pyarrow")


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"separator": ";"}, TypeError, "unexpected keyword argument 'separator'"),
        ({"sep": "::", "nrows": -1}, ValueError, "'nrows' must be an integer"),
        ({"skipfooter": 1, "nrows": 2}, ValueError, "not supported with 'nrows'"),
        ({"header": [0, "a"]}, ValueError, "list of integers"),
        ({"index_col": "a"}, NotImplementedError, "index_col"),
        ({"on_bad_lines": print}, NotImplementedError, "on_bad_lines"),
        ({"compression": "rar"}, ValueError, "Unrecognized compression type: rar"),
        ({"nrows": -1}, ValueError, "'nrows' must be an integer"),
        ({"chunksize": 0}, ValueError, "'chunksize' must be an integer"),
        ({"usecols": ["q"]}, ValueError, "not found: \\['q'\\]"),
        ({"usecols": [7]}, ParserError, "out-of-bounds"),
        ({"dtype": {"b": "int64"}}, ValueError, "line 2: column 'b' of dtype int64 has 'x'"),
        ({"dtype": {"c": "int64"}}, ValueError, "line 3: Integer column has NA values"),
        ({"dtype": {"c": "Int64"}}, ValueError, "line 2: column 'c' of dtype int64 has 2.5"),
        ({"dtype": {"a": "complex128"}}, TypeError, "no dtype complex128"),
        ({"parse_dates": ["q"]}, ValueError, "'parse_dates': \\['q'\\]"),
        ({"names": ["x", "x"]}, ValueError, "Duplicate names"),
    ],
)
def test_refused(options, kind, message):
    with pytest.raises(kind, match=message):
        read_csv_columns(TEXT, **options)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        (b"", EmptyDataError, "No columns"),
        (b"a,b\n1,2\n3,4,5\n", ParserError, "line 3: expected 2 fields, found 3"),
        (b'a,b\n1,"2\n', ParserError, "line 2: a quote that is not closed"),
        (b"a,b\n1,\xff\n", ParserError, "line 2: .*not UTF-8"),
        (b"a,b\n1,2\n\0\0\n", ParserError, "line 3: a NUL byte"),
        ("a,b\n1,2\n".encode("utf-16"), ParserError, "line 1: "),
        (b"\x7fELF\x02\x01\0\0\0\0", ParserError, "line 1: a NUL byte"),
    ],
)
def test_text_that_is_wrong(text, kind, message):
    with pytest.raises(kind, match=message):
        read_csv_columns(text)


def test_lines_left_out_are_told():
    with pytest.warns(px.errors.ParserWarning, match="skipped line 3: expected 2 fields, found 3"):
        columns = read_csv_columns(b"a,b\n1,2\n3,4,5\n6,7\n", on_bad_lines="warn")
    assert values_of(columns[0][1]) == [1, 6]


def test_dictionary_has_words_as_they_come():
    columns = by_name(read_csv_columns(b"a,b\ny,q\nx,\ny,q\n", dtype={"a": "dictionary"}))
    assert columns["a"].values.dtype == np.int32
    assert columns["a"].values.tolist() == [0, 1, 0]
    assert columns["a"].strings() == ["y", "x"]


def test_category_has_words_in_order():
    text = b"a\n" + b"".join(b"w%d\n" % (i % 1000) for i in range(200_000)) + b"NA\n"
    column = by_name(read_csv_columns(text, dtype="category"))["a"]
    words = column.strings()
    assert words == sorted(words)
    assert [words[code] for code in column.values[:1000]] == [f"w{i}" for i in range(1000)]
    assert column.values[-1] == -1


def test_nullable_integers_are_whole():
    column = by_name(read_csv_columns(b"a,b\n9007199254740993,1\n,2\n", dtype={"a": "Int64"}))["a"]
    assert column.nullable
    assert column.kind == "int64"
    assert column.values[0] == 9007199254740993
    assert column.valid.tolist() == [True, False]


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        (["2020-01-01", "1969-12-31", "0001-01-01"], "datetime64[us]"),
        (["2020-01-01 10:20:30.5", "2020-02-29 00:00:00.123456"], "datetime64[us]"),
        (["2020-01-01T10:20:30.123456789"], "datetime64[ns]"),
        (["2020-01-01", ""], "datetime64[us]"),
        (["2020-01-01", "2020-01-01 10:00"], "string"),
        (["2021-02-29"], "string"),
        (["2020-01-01 24:00"], "string"),
    ],
)
def test_dates(fields, kind):
    text = ("a,b\n" + "".join(f"{field},1\n" for field in fields)).encode()
    column = by_name(read_csv_columns(text, parse_dates=["a"]))["a"]
    assert column.kind == kind
    if kind != "string":
        expected = np.array([field or "NaT" for field in fields], kind.replace("datetime64", "M8"))
        assert column.values.tolist() == expected.view(np.int64).tolist()


def test_open_quote_in_a_long_file_takes_little_memory():
    text = b'a,b\n"x,' + b"1,2\n" * 2_000_000
    with pytest.raises(ParserError, match="line 2: a quote that is not closed"):
        read_csv_columns(text)


def test_a_reader_stays_where_it_was_after_an_error():
    chunks = read_csv_columns(b"a,b\n1,2\n3,4\n5,6,7\n", iterator=True)
    with pytest.raises(ParserError, match="line 4"):
        chunks.get_chunk(3)
    assert values_of(chunks.get_chunk(2)[0][1]) == [1, 3]
