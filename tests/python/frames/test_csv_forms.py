"""`read_csv` of texts that are rewritten first, of headers of several rows, and what is done after
reading: converters, dates of any form, URLs and archives. pandas is the oracle."""

from __future__ import annotations

import csv
import functools
import gzip
import http.server
import io
import sys
import tarfile
import threading
import zipfile

import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, same_kind, theirs

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

PLAIN = "a,b,c\n1,x,2.5\n2,y,\n3,,7\n\n4,z,8\n"
FORMS = {
    "plain": PLAIN,
    "quotes": 'a,b,c\n1,"x,\ny",2\n"2","y ""z""",\n,"",3\n',
    "blanks": "a  b c\n1 x\t2.5  \n  2   'y' 7\n3 z 8\n",
    "quoted blanks": 'a b c\n1 "x  y"   2\n2  "z\tw" 3\n',
    "two characters": "a::b::c\n1::x::2\n2::y::3\n",
    "semicolons": "a;b;c\n1;x;2.5\n2;y,z;3\n",
    "lines of bars": "a,b|1,x|2,\ny|",
    "footer": "a,b\n1,2\n3,4\ntotal: 4\n\n",
    "title": "a title\na,b\n# none\n1,2\n3,4 # four\n5,6\n",
    "no header": "1,2\n3,4\n5,6\n",
    "empty": "",
    "header only": "a,b,c\n",
    "other letters": "äöü§b\n1§ß\n2§你\n",
}
KEYWORDS = [
    {},
    {"sep": r"\s+"},
    {"sep": r"\s+", "header": None},
    {"sep": "::", "engine": "python"},
    {"sep": "[;,]", "engine": "python"},
    {"sep": None, "engine": "python"},
    {"sep": "§"},
    {"sep": ";", "skipfooter": 1, "engine": "python"},
    {"skipfooter": 2, "engine": "python"},
    {"skipfooter": 9, "engine": "python"},
    {"lineterminator": "|"},
    {"lineterminator": "|", "header": None},
    {"skiprows": [1]},
    {"skiprows": [0, 2]},
    {"skiprows": [1, 3], "header": None},
    {"skiprows": lambda line: line % 2 == 1},
    {"skiprows": [2], "comment": "#"},
    {"skiprows": [2], "nrows": 1},
    {"skiprows": [2], "index_col": 0},
    {"skiprows": [2], "usecols": [0]},
    {"skiprows": [1], "chunksize": 2},
    {"dialect": csv.excel_tab},
    {"dialect": "unix"},
    {"header": [0]},
]
# Which record's width says if there are labels, and which column is the first of `usecols` then, is
# pandas' chance there.
RAGGED = {("semicolons", "skipfooter"), ("title", "usecols")}


def read(module, text, keywords):
    made = module.read_csv(io.StringIO(text), **keywords)
    return made.get_chunk() if "chunksize" in keywords else made


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("keywords", KEYWORDS, ids=lambda given: " ".join(given) or "none")
def test_form(form, keywords):
    if any((form, name) in RAGGED for name in keywords) and "sep" not in keywords:
        pytest.skip("pandas' own readers differ there")
    wanted, error = attempt(read, pd, FORMS[form], keywords)
    found, own = attempt(read, px, FORMS[form], keywords)
    if error is not None or own is not None:
        assert error is not None and own is not None, (wanted, found, error, own)
        assert same_kind(error, own) or isinstance(own, (px.errors.ParserError, ValueError)), own
        return
    assert_same(theirs(found), wanted)


HEADERS = {
    "two rows": "p,p,q\nx,y,x\n1,2,3\n4,5,6\n",
    "with blanks": ",p,,q\n,x,y,x\n1,2,3,4\n5,6,7,8\n",
    "with names": "l,p,p,q\nm,x,y,x\nn,,,\n1,2,3,4\n5,6,7,8\n",
    "two labels": "l,,p,q\nm,,x,x\nn,o,,\n1,2,3,4\n5,6,7,8\n",
    "three rows": "a,b\nc,d\ne,f\n1,2\n",
    "ragged": "a,b\nc\n1,2\n",
    "short": "a,b\n",
    "no rows": "a,b\nc,d\n",
}


@pytest.mark.parametrize("text", HEADERS)
@pytest.mark.parametrize("header", [[0, 1], [0, 2], [1, 2], [0, 1, 2]], ids=str)
@pytest.mark.parametrize("index_col", [None, 0, [0, 1], False, "l"], ids=str)
def test_header_of_several_rows(text, header, index_col):
    keywords = {"header": header, "index_col": index_col}
    wanted, error = attempt(read, pd, HEADERS[text], keywords)
    found, own = attempt(read, px, HEADERS[text], keywords)
    if error is not None or own is not None:
        assert error is not None and own is not None, (wanted, found, error, own)
        return
    assert_same(theirs(found), wanted)


def test_header_of_several_rows_refuses():
    for keywords in ({"usecols": [0]}, {"names": ["a", "b"]}):
        with pytest.raises(ValueError, match="multi-index header"):
            px.read_csv(io.StringIO(HEADERS["two rows"]), header=[0, 1], **keywords)


def test_tables_with_levels_come_back(tmp_path):
    table = pd.DataFrame({"a": [1, 2, 1], "b": list("xyx"), "v": [1.5, 2, 3], "w": [1, 2, 3]})
    table = table.pivot_table(index="a", columns="b", values=["v", "w"], aggfunc="sum")
    px.from_pandas(table).to_csv(tmp_path / "t.csv")
    keywords = {"header": [0, 1], "index_col": 0}
    wanted = pd.read_csv(tmp_path / "t.csv", **keywords)
    assert_same(theirs(px.read_csv(tmp_path / "t.csv", **keywords)), wanted)


CONVERTERS = {
    "int": lambda text: int(text or 0),
    "float": lambda text: float(text or "nan"),
    "upper": str.upper,
    "strip": lambda text: text.strip("x") or None,
    "bool": lambda text: text == "x",
    "mixed": lambda text: len(text) or text,
    "raises": lambda text: {}[text],
}
TEXTS = "a,b,c\n1,x,NA\n2,,\n3,yx,x\n"


@pytest.mark.parametrize("converter", CONVERTERS)
@pytest.mark.parametrize("column", ["a", "b", 2])
def test_converters(converter, column):
    keywords = {"converters": {column: CONVERTERS[converter]}}
    wanted, error = attempt(read, pd, TEXTS, keywords)
    found, own = attempt(read, px, TEXTS, keywords)
    if error is not None or own is not None:
        assert type(error) is type(own), (wanted, found, error, own)
        return
    assert_same(theirs(found), wanted)


DATES = {
    "iso": ["2024-02-01", "2024-12-31"],
    "slashes": ["01/02/2024", "03/04/2024"],
    "day first": ["13/02/2024", "14/02/2024"],
    "words": ["1 Feb 2024", "2 Mar 2024"],
    "compact": ["20240201", "20241231"],
    "missing": ["", "2024-02-01"],
    "none": ["x", "2024-02-01"],
    "times": ["2024-02-01 10:30", "2024-02-02 11:45"],
}


@pytest.mark.parametrize("dates", DATES)
@pytest.mark.parametrize(
    "keywords",
    [
        {"parse_dates": ["d"]},
        {"parse_dates": [0], "dayfirst": True},
        {"parse_dates": ["d"], "date_format": "%d/%m/%Y"},
        {"parse_dates": ["d"], "date_format": {"d": "%Y-%m-%d"}},
        {"parse_dates": True, "index_col": "d"},
        {"parse_dates": True, "index_col": 0, "dayfirst": True},
        {"parse_dates": True},
        {"parse_dates": ["d"], "index_col": ["d", "v"]},
        {"parse_dates": ["d"], "converters": {"d": str.strip}},
    ],
    ids=str,
)
def test_dates(dates, keywords):
    if dates == "compact" and keywords.get("dayfirst"):
        pytest.skip("pandas takes the month of 20240201 for its day")
    text = "d,v\n" + "".join(f"{each},{i}\n" for i, each in enumerate(DATES[dates]))
    wanted = read(pd, text, keywords)
    assert_same(theirs(read(px, text, keywords)), wanted)


def test_labels_without_a_name_are_dates():
    text = "v\n2024-02-01,1\n2024-02-02,2\n"
    keywords = {"parse_dates": True}
    assert_same(theirs(read(px, text, keywords)), read(pd, text, keywords))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of the same text in several forms, and the address of a server that shows it."""
    where = tmp_path_factory.mktemp("served")
    (where / "t.csv").write_text(PLAIN)
    (where / "t.csv.gz").write_bytes(gzip.compress(PLAIN.encode()))
    with zipfile.ZipFile(where / "t.zip", "w") as archive:
        archive.writestr("t.csv", PLAIN)
    with zipfile.ZipFile(where / "two.zip", "w") as archive:
        archive.writestr("t.csv", PLAIN)
        archive.writestr("u.csv", PLAIN)
    with tarfile.open(where / "t.tar.gz", "w:gz") as archive:
        archive.add(where / "t.csv", "t.csv")
    px.read_csv(where / "t.csv").to_parquet(where / "t.parquet")
    px.read_csv(where / "t.csv").to_json(where / "t.json")

    class Handler(http.server.SimpleHTTPRequestHandler):
        log_message = staticmethod(lambda *_: None)

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=where)
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield where, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.zip", "t.tar.gz"])
def test_archives_and_addresses(name, folder):
    where, address = folder
    wanted = pd.read_csv(where / "t.csv")
    for source in (where / name, f"file://{where}/{name}", f"{address}/{name}"):
        assert_same(theirs(px.read_csv(source)), wanted)


def test_a_name_that_looks_like_an_address(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a::b.csv").write_text(PLAIN)
    assert_same(theirs(px.read_csv("a::b.csv")), pd.read_csv("a::b.csv"))


def test_addresses_of_other_files(folder):
    where, address = folder
    wanted = pd.read_csv(where / "t.csv")
    assert_same(theirs(px.read_parquet(f"{address}/t.parquet")), wanted)
    assert_same(theirs(px.read_json(f"{address}/t.json")), pd.read_json(where / "t.json"))


def test_addresses_and_archives_that_are_wrong(folder, monkeypatch):
    where, address = folder
    with pytest.raises(OSError, match="404"):
        px.read_csv(f"{address}/none.csv")
    with pytest.raises(ValueError, match="Multiple files found"):
        px.read_csv(where / "two.zip")
    with pytest.raises(ValueError, match="storage_options"):
        px.read_csv(where / "t.csv", storage_options={"a": 1})
    with pytest.raises(ImportError, match="fsspec"), monkeypatch.context() as patched:
        patched.setitem(sys.modules, "fsspec", None)
        px.read_csv("s3://bucket/t.csv")
