"""`read_fwf` beside pandas, by table: texts x keywords."""

from __future__ import annotations

import io

import pandas as pd
import pytest

import phalanx as px

from .against_pandas import assert_same, attempt, theirs

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

TEXTS = {
    "plain": "id8141    360.242940   149.910199\nid1594    444.953632   166.985655\n",
    "header": "name   count  price\nRome       3   1.50\nOslo      12\n\nä, \"b\"     7   0.25\n",
    "missing": "a    b\n1    NA\n     2\n3    x\n",
    "comment": "# about\na  b\n1  2\n",
    "short lines": "abc  def\n1\n22   333\n",
    "one column": "abc\n1\n2\n",
    "tabs": "a\tb\n1\t2\n",
    "returns": "a  b\r\n1  2\r\n3  4\r\n",
    "empty": "",
    "blanks": "   \n  \n",
}  # fmt: skip
KEYWORDS = {
    "infer": {},
    "few rows": {"infer_nrows": 1},
    "no header": {"header": None},
    "names": {"header": None, "names": ["x", "y", "z"]},
    "widths": {"widths": [5, 8, 6]},
    "widths without header": {"widths": [4, 4], "header": None},
    "specs": {"colspecs": [(0, 4), (6, 12)]},
    "open specs": {"colspecs": [(None, 5), (5, None)], "header": None},
    "skipped": {"skiprows": 1, "header": None},
    "dtype": {"dtype": str, "header": None},
    "rows": {"nrows": 1, "header": None},
    "index": {"index_col": 0},
    "used": {"usecols": [0]},
    "delimiter": {"delimiter": "#"},
    "missing values": {"na_values": ["3"], "keep_default_na": False},
}


@pytest.mark.parametrize("keywords", KEYWORDS)
@pytest.mark.parametrize("text", TEXTS)
def test_texts(text, keywords):
    given = KEYWORDS[keywords]
    wanted, error = attempt(lambda: pd.read_fwf(io.StringIO(TEXTS[text]), **given))
    found, own = attempt(lambda: px.read_fwf(io.StringIO(TEXTS[text]), **given))
    if error is not None or own is not None:
        assert error is not None and own is not None, (error, own)
        return
    assert_same(theirs(found), wanted)


def test_wrong_keywords():
    for wrong in ({"colspecs": None}, {"widths": [1], "colspecs": [(0, 1)]}):
        with pytest.raises(ValueError, match="colspecs"):
            px.read_fwf(io.StringIO("a"), **wrong)
    for wrong in (5, [1, 2], [("a", "b")]):
        with pytest.raises(TypeError, match="column specification"):
            px.read_fwf(io.StringIO("a"), colspecs=wrong)


def test_chunks_and_files(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("a  b\n1  2\n3  4\n5  6\n")
    assert [len(each) for each in px.read_fwf(path, chunksize=2)] == [2, 1]
    with pytest.raises(FileNotFoundError):
        px.read_fwf(tmp_path / "none.txt")
