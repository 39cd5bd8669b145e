"""`read_html` beside pandas with lxml, by table: pages x keywords."""

from __future__ import annotations

import io
from functools import partial

import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, same_kind, theirs

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]
pytest.importorskip("lxml")

PAGES = {
    "plain": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x</td></tr>"
    "<tr><td>2</td><td></td></tr></table>",
    "sections": "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td>"
    "<td>2.5</td></tr></tbody><tfoot><tr><td>sum</td><td>3</td></tr></tfoot></table>",
    "no header": "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>",
    "two headers": "<table><thead><tr><th>p</th><th>p</th></tr>"
    "<tr><th>x</th><th>y</th></tr></thead>"
    "<tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
    "spans": "<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td rowspan=2>1</td>"
    "<td colspan='2'>x</td></tr><tr><td>y</td><td>z</td></tr></table>",
    "spans of headers": "<table><thead><tr><th rowspan=2>k</th><th colspan=2>v</th></tr>"
    "<tr><th>x</th><th>y</th></tr></thead><tr><td>1</td><td>2</td><td>3</td></tr></table>",
    "ragged": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td></tr>"
    "<tr><td>1</td><td>2</td></tr></table>",
    "numbers": "<table><tr><th>n</th><th>d</th></tr><tr><td>1,234</td><td>2024-01-02</td></tr>"
    "<tr><td>5</td><td>2024-02-03</td></tr></table>",
    "blanks": "<table><tr><th> a \n b</th></tr><tr><td>x<br>y</td></tr>"
    "<tr><td> z  w </td></tr></table>",
    "hidden": "<table><tr><th>a</th></tr><tr style='display: none'><td>1</td></tr>"
    "<tr><td>2<span style='display:none'>3</span></td></tr></table>",
    "several": "<p>text</p><table id='one'><tr><th>a</th></tr><tr><td>1</td></tr></table>"
    "<table class='big' id='two'><tr><th>it's</th></tr><tr><td>2</td></tr></table>",
    "empty table": "<table></table>",
    "no table": "<p>nothing</p>",
    "nothing": "",
}
KEYWORDS = [
    {},
    {"header": 0},
    {"header": [0, 1]},
    {"index_col": 0},
    {"skiprows": 1},
    {"match": "2"},
    {"match": "it's"},
    {"attrs": {"id": "two"}},
    {"attrs": {"class": "big"}},
    {"thousands": None},
    {"parse_dates": ["d"]},
    {"converters": {"a": str}},
    {"na_values": ["x"]},
    {"displayed_only": False},
]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("keywords", KEYWORDS, ids=str)
def test_as_pandas(name, keywords):
    wanted, error = attempt(
        partial(pd.read_html, flavor="lxml", **keywords), io.StringIO(PAGES[name])
    )
    found, own = attempt(partial(px.read_html, **keywords), io.StringIO(PAGES[name]))
    if error is not None or own is not None:
        assert error is not None and own is not None, (wanted, found, error, own)
        assert same_kind(error, own) or isinstance(own, ValueError), (error, own)
        return
    assert len(found) == len(wanted)
    for mine, theirs_ in zip(found, wanted, strict=True):
        assert_same(theirs(mine), theirs_)


def test_frames_come_back(tmp_path):
    frame = px.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    (tmp_path / "t.html").write_text(frame.to_html())
    (back,) = px.read_html(tmp_path / "t.html", index_col=0)
    assert back.equals(frame)


def test_what_is_not_there_is_told():
    page = io.StringIO(PAGES["plain"])
    with pytest.raises(NotImplementedError, match="bs4"):
        px.read_html(page, flavor="bs4")
    with pytest.raises(NotImplementedError, match="extract_links"):
        px.read_html(page, extract_links="all")
