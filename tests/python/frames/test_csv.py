"""Tricky files, in every dialect, are read as pandas reads them."""

from __future__ import annotations

import pytest

from .csv_oracle import assert_same

pytest.importorskip("pandas", reason="the oracle of these tests")

TEXTS = {
    "whole": "a,b\n1,2\n3,4\n",
    "no end of line": "a,b\n1,2\n3,4",
    "returns": "a,b\r1,2\r3,4\r",
    "returns and feeds": "a,b\r\n1,2\r\n\r\n3,4\r\n",
    "mixed ends": "a,b\n1,2\r3,4\r\n5,6\n",
    "empty first after return": "a,b\r,2\r3,4",
    "floats": "a,b\n1.5,-2e10\n.5,5.\n-0.0,1e-400\n1e400,-1e400\n",
    "long floats": "a\n0.1\n123456789012345678\n0.12345678901234567\n3.141592653589793238462643\n",
    "halfway": "a\n9007199254740993.0\n9007199254740992.5\n1.7976931348623157e308\n5e-324\n",
    "not floats": "a,b,c,d,e,f,g\n.,1e,1e+,0x1F,1_000,--1,1 2\n",
    "signs": "a,b\n+5,+1.5\n-7,-0\n",
    "blanks around": "a,b,c\n 1 , 2.5 ,x \n3,\t4, y\n",
    "infinities": "a,b\ninf,-Infinity\n+INF,1\n",
    "blank infinity": "a\n inf\n1\n",
    "missing": "a,b,c\n1,,x\nNA,2.5,\n3,nan,NULL\n",
    "all missing": "a,b\n,NA\n,\n",
    "quoted missing": 'a,b\n"NA",""\n"1","2"\n',
    "booleans": "a,b,c\nTrue,true,\nFALSE,x,TRUE\n",
    "booleans and numbers": "a,b\ntrue,1\n1,true\n",
    "largest": "a,b\n9223372036854775807,18446744073709551615\n-9223372036854775808,0\n",
    "beyond int64": "a,b\n9223372036854775808,1\n1,9223372036854775808\n",
    "beyond uint64": "a\n18446744073709551616\n1\n",
    "far beyond, a float after": "a\n99999999999999999999999\n1.5\n",
    "far beyond, a float before": "a\n1.5\n99999999999999999999999\n",
    "unsigned and negative": "a\n18446744073709551615\n-1\n",
    "unsigned and missing": "a,b\n18446744073709551615,1\n,2\n",
    "unsigned and float": "a\n18446744073709551615\n1.5\n",
    "large digits and a point": "a\n123456789012345678901234.5\n",
    "leading zeros": "a,b\n007,1\n00000000000000000000001,2\n",
    "negative zero": "a,b\n-0,-0.0\n0,1\n",
    "strings": 'a,b\nx,"y,z"\n"u ""v""","w\nw"\n',
    "quote within": 'a,b\nx"y",2\n"x"y"z",3\n',
    "quotes doubled": 'a\n""""\n"a""b"\n""\n"x"\n',
    "quoted numbers": 'a,b\n"1","2.5"\n"3","4"\n',
    "unicode": "a,ä\nü,日本\n𝄞,x\n",
    "mark of UTF-8": "\ufeffa,b\n1,2\n",
    "mark and quote": '\ufeff"a",b\n1,2\n',
    "fewer fields": "a,b,c\n1\n2,3\n4,5,6\n",
    "index by width": "a,b\n1,2,3\n4,5,6\n",
    "two of index": "a,b\nx,1,2,3\ny,4,5,6\n",
    "more fields": "a,b\n1,2\n3,4,5\n6,7\n",
    "end separators": "a,b\n1,2,\n3,4,\n",
    "blank lines": "\n\na,b\n\n1,2\n  \n \t \n3,4\n\n",
    "one column, blanks": "a\n1\n\n 2\n \n3\n",
    "empty": "",
    "feeds only": "\n\n\n",
    "header only": "a,b\n",
    "header without end": "a,b",
    "same names": "a,a,a.1,a\n1,2,3,4\n",
    "no names": ",b,,\n1,2,3,4\n",
    "name twice of unnamed": "Unnamed: 1,,\n1,2,3\n",
    "open quote": 'a,b\n1,"x\n2,3\n',
    "comments": "#h\na,b\n1,2#x\n#c\n3#4,5\n #x,y\n6,\"#\"\n",
    "escapes": "a,b\n1\\,2,3\n\"4\\\"5\",6\n",
    "escaped end": "a\n1\\\n2\n",
    "escape at the end": "a,b\n1,2\\",
    "spaces after": 'a, b\n1, "x, y"\n2,  z\n',
    "semicolons": "a;b\n1,5;2\n1.000,25;3\n",
    "thousands": "a;b\n1,000;2,5.5\n1,2,3;1,\n",
    "dates": "a,b\n2020-01-01,2020-01-01 10:00\n2020-02-29,2020-01-01 10:01\n",
    "tabs": "a\tb\n1\t2\n\t\n3\t\n",
    "one separator a line": "a,b\n,\n1,2\n",
    "invalid UTF-8": b"a,b\n1,\xff\n",
    "cut UTF-8": b"a,b\n1,\xe6\x97\n2,3\n",
    "surrogate": b"a,b\n1,\xed\xa0\x80\n",
    "single quotes": "a,b\n'1','2,3'\n",
    "numbers late": "a,b\n" + "1,2\n" * 5000 + "x,2.5\n",
    "numbers late, large": "a,b\n" + "1,2\n" * 5000 + "9223372036854775808,99999999999999999999\n",
    "missing first": "a,b\n" + ",NA\n" * 5000 + "true,7\n",
}  # fmt: skip
OPTIONS = {
    "none": {},
    "no header": {"header": None},
    "second header": {"header": 1},
    "names": {"names": ["x", "y", "z"]},
    "names for header": {"header": 0, "names": ["x", "y"]},
    "usecols": {"usecols": [0]},
    "usecols by name": {"usecols": ["b"]},
    "skip": {"skiprows": 1},
    "two rows": {"nrows": 2},
    "no rows": {"nrows": 0},
    "semicolon": {"sep": ";", "decimal": ",", "thousands": "."},
    "thousands": {"sep": ";", "thousands": ","},
    "tab": {"sep": "\t"},
    "space": {"sep": " "},
    "comment": {"comment": "#"},
    "escape": {"escapechar": "\\"},
    "no quotes": {"quoting": 3},
    "quotes not doubled": {"doublequote": False},
    "single quotes": {"quotechar": "'"},
    "floats": {"quoting": 2},
    "initial space": {"skipinitialspace": True},
    "initial space, blanks": {"skipinitialspace": True, "skip_blank_lines": False},
    "blank lines": {"skip_blank_lines": False},
    "no filter": {"na_filter": False},
    "own missing": {"keep_default_na": False, "na_values": ["x", 1, 7.0]},
    "missing too": {"na_values": ["x", "3"]},
    "missing by column": {"na_values": {"a": [1], "b": ["x", "2"]}},
    "truths": {"true_values": ["x", "1"], "false_values": ["y"]},
    "skip bad": {"on_bad_lines": "skip"},
    "warn bad": {"on_bad_lines": "warn"},
    "no index": {"index_col": False},
    "strings": {"dtype": str},
    "floats asked": {"dtype": "float64"},
    "small": {"dtype": "int8"},
    "nullable": {"dtype": "Int64"},
    "booleans": {"dtype": {"a": "bool"}},
    "category": {"dtype": {"a": "category"}},
    "float32": {"dtype": {"b": "float32"}},
    "dates": {"parse_dates": ["a"]},
    "latin": {"encoding": "latin-1"},
}  # fmt: skip


# The texts whose results are meant to differ, by option.
DIFFERENT = {
    # pandas fails where `usecols` has places and the records have fields for the index.
    "usecols": ("index by width", "two of index", "end separators", "comments", "escapes",
                        "spaces after", "semicolons", "thousands", "single quotes",
                        # pandas does not look at fields that are not used.
                        "invalid UTF-8", "cut UTF-8", "surrogate"),
    # pandas has no index then; the others are not looked at by pandas.
    "no rows": ("index by width", "end separators", "comments", "escapes", "spaces after",
                        "semicolons", "single quotes", "invalid UTF-8", "cut UTF-8", "surrogate"),
    # pandas reads dates of other forms, and strings of the index and of no rows.
    "dates": ("leading zeros", "index by width", "end separators", "header only",
                      "header without end", "spaces after", "single quotes"),
    # With thousands' separators pandas does not round correctly.
    "thousands": ("long floats", "halfway"),
    # pandas' index is int64.
    "small": ("index by width",),
    # pandas takes the header for a record of one field.
    "skip": ("empty first after return",),
}  # fmt: skip


def is_different(text, option):
    return text in DIFFERENT.get(option, ())


CASES = [
    pytest.param(text, option, id=f"{text}-{option}")
    for text in TEXTS
    for option in OPTIONS
    if not is_different(text, option)
]


@pytest.mark.parametrize(("text", "option"), CASES)
def test_as_pandas(text, option):
    assert_same(TEXTS[text], **OPTIONS[option])
