"""CSV that is wrong or unusual, full disks, long reads on a terminal."""

from __future__ import annotations

import gzip
import io
import sys
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phalanx._core import progress_bar
from phalanx._frames.files import parquet_rows
from phalanx.errors import EmptyDataError, ParserError

import phalanx as px

from .against_pandas import attempt
from .test_chains import check_results
from .test_csv_generated import has_no_lost_field

pytestmark = pytest.mark.filterwarnings("ignore")

# Text, keywords, what is raised and a part of the message: the line, and what was found.
WRONG = {
    "more fields": (b"a,b\n1,2\n3,4,5\n", {}, ParserError, "line 3: expected 2 fields, found 3"),
    "more fields after blank lines": (b"a,b\n\n\n1,2,3\n1,2,3,4\n", {}, ParserError, "line 5"),
    "a quote that never closes": (b'a,b\n1,2\n3,"x\n4,5\n', {}, ParserError, "line 3: a quote"),
    "all bytes": (bytes(range(256)) * 4, {}, ParserError, "NUL byte; the file is binary"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", {}, ParserError, "not UTF-8"),
    "compressed": (gzip.compress(b"a\n1\n"), {}, ParserError, "binary"),
    "UTF-16": ("a\n1\n".encode("utf-16"), {}, ParserError, "UTF-16"),
    "latin-1": ("a\n1\nü\n".encode("latin-1"), {}, ParserError, "line 3: .* not UTF-8"),
    "latin-1 in the header": ("ü\n".encode("latin-1"), {}, ParserError, "line 1"),
    "cut off in a letter": (b"a\nx\xc3", {}, ParserError, "line 2"),
    "no such encoding": (b"a\n", {"encoding": "nothing"}, LookupError, "nothing"),
    "no such handler": (b"\xff\n", {"encoding_errors": "bad"}, LookupError, "bad"),
    "too large for int8": (b"a\n1\n300\n", {"dtype": "int8"}, ValueError, "line 3: column 'a'"),
    "no integer": (b"a\n1\nx\n", {"dtype": "int64"}, ValueError, "line 3: column 'a'.*'x'"),
    "a missing integer": (b"a,b\n,1\n", {"dtype": {"a": "int64"}}, ValueError, "line 2"),
    "no float": (b"a\n1\nx\n", {"dtype": "float64"}, ValueError, "line 3"),
    "nothing": (b"", {}, EmptyDataError, "No columns"),
    "blank lines": (b"\n\r\n\n", {}, EmptyDataError, "No columns"),
    "a byte order mark": (b"\xef\xbb\xbf", {}, EmptyDataError, "No columns"),
    "no such column": (b"a\n1\n", {"usecols": ["z"]}, ValueError, "'z'"),
    "a header beyond the end": (b"a\n1\n", {"header": 9}, ParserError, "9"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_text(name, tmp_path):
    text, keywords, kind, message = WRONG[name]
    path = tmp_path / "file.csv"
    path.write_bytes(text)
    for source in (path, io.BytesIO(text), text):
        with pytest.raises(kind, match=message):
            px.read_csv(source, **keywords)
    assert path.read_bytes() == text
    with pytest.raises(Exception):  # noqa: B017
        pd.read_csv(io.BytesIO(text), **keywords)


UNUSUAL = {
    "fewer fields": (b"a,b\n1,2\n3\n", {}),
    "cut off": (b"a,b\n1,2\n3,", {}),
    "a quote within": (b'a,b\n1,x"y\n', {}),
    "beyond 64 bits unsigned": (b"a\n18446744073709551615\n1\n", {}),
    "floats beyond their range": (b"a\n1e400\n-1e400\n1e-400\n", {}),
    "numbers and texts": (b"a\n1\nx\n2.5\n", {}),
    "bools and numbers": (b"a\nTrue\n1\n", {}),
    "a header alone": (b"a,b", {}),
    "a byte order mark": (b"\xef\xbb\xbfa\n1\n", {}),
    "names that are there again": (b"a,a,b,a\n1,2,3,4\n", {}),
    "names that are there again and numbered": (b"a,a.1,a\n1,2,3\n", {}),
    "no names": (b",a,\n1,2,3\n", {}),
    "returns": (b"a,b\r1,2\r3,4\r", {}),
    "all line ends": (b"a,b\r\n1,2\n3,4\r5,6", {}),
    "wrong letters are replaced": (b"a\n\xff\n", {"encoding_errors": "replace"}),
    "wrong letters are left out": (b"a\n\xffx\n", {"encoding_errors": "ignore"}),
    "bad lines are left out": (b"a,b\n1,2\n1,2,3\n4,5\n", {"on_bad_lines": "skip"}),
    "bad lines are told": (b"a,b\n1,2\n1,2,3\n4,5\n", {"on_bad_lines": "warn"}),
    "dates that are none": (b"a\n2020-01-01\n2020-13-45\n", {"parse_dates": ["a"]}),
    "a long field": (b"a,b\n" + b"x" * 3_000_000 + b",1\n", {}),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_text(name):
    text, keywords = UNUSUAL[name]
    check_results(px.read_csv(text, **keywords), pd.read_csv(io.BytesIO(text), **keywords))


def test_many_columns():
    count = 100_000
    text = ",".join(f"c{i}" for i in range(count)) + "\n" + ",".join(map(str, range(count)))
    frame = px.read_csv(text.encode())
    assert frame.shape == (1, count)
    assert frame["c99999"].tolist() == [99_999]


def is_wrong(text):
    """True for bytes that we refuse and pandas may take: NUL, and what is not UTF-8."""
    try:
        return "\0" in text.decode()
    except UnicodeDecodeError:
        return True


@settings(max_examples=150)
@given(st.binary(max_size=40) | st.text('a1,"\n\r\t .-ä', max_size=40).map(str.encode))
def test_any_bytes(text):
    found, own = attempt(px.read_csv, text)
    if own is not None:
        assert isinstance(own, (ParserError, EmptyDataError)), own
        assert isinstance(own, EmptyDataError) or str(own).startswith("line "), own
    if is_wrong(text) or not has_no_lost_field(text.decode()):
        return
    wanted, error = attempt(lambda: pd.read_csv(io.BytesIO(text), float_precision="round_trip"))
    assert (own is None) == (error is None), (own, error)
    if own is None and "object" not in map(str, wanted.dtypes):
        check_results(found, wanted)


WRITERS = ["csv", "json", "parquet", "feather", "pickle"]
FULL_DISK = """
import resource, signal, sys
from pathlib import Path
import numpy as np
import phalanx as px

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
frame = px.DataFrame({"a": np.random.default_rng(1).random(50_000)})
where = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
for form in %r:
    path = where / f"file.{form}"
    path.write_bytes(b"old")
    try:
        getattr(frame, f"to_{form}")(path)
        print(form, "was written")
    except OSError as error:
        pass
    if path.read_bytes() != b"old" or frame["a"].count() != 50_000:
        print(form, "is gone")
print(sorted(each.name for each in where.iterdir()))
"""


def test_a_full_disk(tmp_path, run_python):
    pytest.importorskip("pyarrow")
    where = tmp_path / "files"
    where.mkdir()
    code = FULL_DISK % WRITERS
    done = run_python(code.replace("sys.argv[1]", repr(str(where))), PHALANX_CACHE="0")
    assert done.stdout.split("\n")[0] == str(sorted(f"file.{form}" for form in WRITERS))


class Terminal(io.StringIO):
    """Standard error that somebody looks at, or nobody."""

    def __init__(self, seen):
        super().__init__()
        self.seen = seen

    def isatty(self):
        return self.seen


@pytest.mark.parametrize("seen", [True, False])
def test_bars_of_long_reads(seen, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(progress_bar, "SILENT", -1.0)
    monkeypatch.setattr(parquet_rows, "_LONG", 1)
    frame = px.DataFrame({"a": np.arange(300_000), "t": ["x"] * 300_000})
    frame.to_csv(tmp_path / "file.csv", index=False)
    frame.to_parquet(tmp_path / "file.parquet", row_group_size=50_000)
    for read in (px.read_csv, px.read_parquet):
        terminal = Terminal(seen)
        monkeypatch.setattr(sys, "stderr", terminal)
        made = read(tmp_path / f"file.{read.__name__.removeprefix('read_')}")
        assert made["a"].sum() == 300_000 * 299_999 // 2
        told = terminal.getvalue()
        assert (f"\r{read.__name__} [" in told) == seen
        assert told.endswith("\r\x1b[K") == seen
        assert seen or not told


def resident():
    """Bytes of memory that the process has."""
    with open("/proc/self/statm") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * 4096


def test_reading_takes_little_more_than_the_columns(tmp_path):
    path = tmp_path / "file.csv"
    part = px.DataFrame({f"f{i}": np.random.default_rng(i).random(20_000) for i in range(12)})
    text = part.to_csv(index=False)
    header, _, rows = text.partition("\n")
    with path.open("w") as file:
        file.write(header + "\n")
        for _ in range(10):
            file.write(rows)
    del text, rows
    px.read_csv(b"f0\n1.5\n")
    before, most, is_over = resident(), [0], threading.Event()

    def watch():
        while not is_over.wait(0.002):
            most[0] = max(most[0], resident())

    thread = threading.Thread(target=watch)
    thread.start()
    frame = px.read_csv(path)
    is_over.set()
    thread.join()
    assert len(frame) == 200_000
    columns = frame.memory_usage(index=False).sum()
    assert most[0] - before < columns + (256 << 20)
