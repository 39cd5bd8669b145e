# ruff: noqa: RUF001
"""Columns of texts of each dtype, and the methods of `.str` with what they are called with."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

TEXTS = {
    "ascii": ["Hello world", "abc", "", "A,b,,c", "x1y22z333", "ALL CAPS", " padded ", "-12", "+7"],
    "missing": ["one two", None, "Two", "", None, "a_b|c", "tail\n", "x"],
    "accents": ["éclair Été", "naïve", "STRASSE straße", "ÀÉÎ", "e\u0301e\u0301", "ñ", "ﬁn ǆ ǅ"],
    "cased": ["İstanbul ıI", "ΣΑΣ ΣΣ", "ὈΔΥΣΣΕΎΣ", "ŉ ǰ ΐ", "K Å ſ", "\u1fb3\u1fbc", "a\u0345b"],
    "wide": [
        "日本 語テキスト",
        "中文字符",
        "😀 smile 👨‍👩‍👧",
        "١٢٣ ½ ² Ⅷ 五",
        "한국어",
        "\U0001d7d8 \U0001d518",
    ],
    "spaces": [
        "\u00a0x\u2003",
        "\u3000 日 \u3000",
        "\t\n\v\f\r x \x1c\x1d\x1e\x1f\x85",
        "\u2028",
        " ",
    ],
    "controls": ["a\0b\0", "\0", "line\nline\r\nend\n", "tab\tx", "\x7f\x80", "ab\n", "ab\n\n"],
    "few": ["a"],
    "none": [],
    "nothing": [None, None],
}
# What pandas computes by Arrow has other rules for Unicode: Python's own are the oracle.
STR = pd.StringDtype("python", na_value=np.nan)
STRING = pd.StringDtype("python", na_value=pd.NA)


def series_of(kind, texts):
    """A series of pandas of one of the dtypes that hold texts."""
    labels = [f"r{i}" for i in range(len(texts))]
    if kind == "category":
        values = pd.Categorical(pd.array(texts, STR))
    else:
        dtype = {"str": STR, "string": STRING}.get(kind)
        values = np.array([*texts, None], object)[:-1] if dtype is None else pd.array(texts, dtype)
    return pd.Series(values, index=labels, name="name", dtype=values.dtype)


KINDS = ("str", "string", "category", "object")
SERIES = {
    f"{kind}/{name}": series_of(kind, texts) for kind in KINDS for name, texts in TEXTS.items()
}
ODD = {
    "mixed": pd.Series(["a b", 1, None, ["x", "y"], 2.5, {"a": 3}, ("p", "q"), b"c"], dtype=object),
    "bytes": pd.Series([b"ab", None, b"c"], dtype=object),
    "lists": pd.Series([["a", "b"], ["c"], [], None], dtype=object),
}

CASES = ["lower", "upper", "title", "capitalize", "swapcase", "casefold"]
IS = [
    "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "islower", "isnumeric", "isspace",
    "istitle", "isupper",
]  # fmt: skip


def call(name, *args, **keywords):
    """The name of a call and what it does to a series or an index."""
    # Not the addresses of functions, which differ between processes.
    told = ["function" if callable(each) else repr(each) for each in args]
    shown = ", ".join([*told, *(f"{k}={v!r}" for k, v in keywords.items())])
    return f"{name}({shown})", lambda of: getattr(of.str, name)(*args, **keywords)


CALLS = dict([
    *(call(name) for name in CASES + IS),
    call("len"),
    *(call("normalize", form) for form in ("NFC", "NFD", "NFKC", "NFKD")),
    *(call("get", i) for i in (0, 2, -1, -3, 50)),
    *(call("slice", *part) for part in (
        (1,), (None, 2), (1, 4), (-3,), (None, -1), (-4, -2), (3, 1), (None, None, 2),
        (None, None, -1), (5, 0, -2), (0, 0), (-100, 100), (4, -1), (-2, 3),
    )),
    ("[1:3]", lambda of: of.str[1:3]),
    ("[0]", lambda of: of.str[0]),
    *(call("slice_replace", *part, repl="<é>") for part in (
        (), (1,), (None, 2), (1, 3), (-2,), (3, 1), (2, -1), (50, 60))),
    *(call(name, *args) for name in ("strip", "lstrip", "rstrip")
      for args in ((), ("",), ("a ",), ("éx1日\u3000",), ("\n\0",))),
    *(call(name, text) for name in ("removeprefix", "removesuffix")
      for text in ("", "a", "x", "naï", "\n", "日本")),
    *(call("pad", width, side, fill) for width in (-1, 0, 5, 12)
      for side in ("left", "right", "both") for fill in (" ", "é")),
    *(call(name, 9, "*") for name in ("center", "ljust", "rjust")),
    call("zfill", 6), call("zfill", -2),
    call("repeat", 3), call("repeat", 0), call("repeat", -1),
    call("wrap", 5), call("wrap", 8, break_long_words=False),
    *(call("contains", pat, regex=False) for pat in ("", "a", "é", "日本", "l", "\0", "ab")),
    *(call("contains", pat, case=False, regex=False) for pat in ("a", "SS", "é", "i")),
    *(call("contains", "a", na=na, regex=False) for na in (True, False, None, np.nan)),
    call("contains", "a|b", na=3),
    *(call(name, text) for name in ("startswith", "endswith")
      for text in ("", "a", "é", ("x", "A", "日"), "\n", ())),
    *(call(name, "a", na=False) for name in ("startswith", "endswith")),
    *(call(name, *args) for name in ("find", "rfind") for args in (
        ("",), ("a",), ("é",), ("日",), ("\0",), ("l", 3), ("l", 0, 3), ("e", -4), ("e", 1, -1),
        ("", 2), ("", 50), ("", 2, 1),
    )),
    call("index", ""), call("index", "a"), call("rindex", "", 1), call("rindex", "zz"),
    *(call("count", pat) for pat in ("a", "é", "", ".", "l+", r"\w")),
    *(call("replace", *args) for args in (
        ("a", "<>"), ("é", ""), ("", "-"), ("l", "LL", 1), ("a", "b", 0), ("日", "ä"), ("ll", "l"),
        (" ", ""), ("\0", "0"),
    )),
    call("replace", "A", "<>", case=False), call("replace", {"a": "b", "b": "c"}),
    call("replace", "É", "x", flags=re.IGNORECASE),
    *(call("split", *args, **kw)
      for args in ((), (" ",), (",",), ("l",), ("é",), ("ab",), (r"\s",), ("日",))
      for kw in ({}, {"n": 1}, {"expand": True}, {"n": 1, "expand": True})),
    call("split", ".", regex=True), call("split", "..", regex=False),
    call("split", re.compile("a")),
    call("split", re.compile("a"), regex=False),
    *(call("rsplit", *args, **kw) for args in ((), (" ",), (",",), ("é",))
      for kw in ({}, {"n": 1}, {"expand": True}, {"n": 1, "expand": True})),
    call("rsplit", 3),
    *(call(name, *args, **kw) for name in ("partition", "rpartition")
      for args in ((), ("l",), ("é",)) for kw in ({}, {"expand": False})),
    call("partition", ""),
    call("join", "-"), call("join", "é"),
    call("get_dummies"), call("get_dummies", ","), call("get_dummies", dtype=bool),
    call("get_dummies", dtype="float"), call("get_dummies", dtype=str),
    call("encode", "utf-8"), call("encode", "ascii", "replace"), call("encode", "ascii"),
    call("translate", {97: "AA", 233: None, 0x65E5: "sun", 10: 32, 108: 76}),
    call("translate", str.maketrans("abc", "xyz")),
    call("cat"), call("cat", sep="-"), call("cat", sep=", ", na_rep="é"), call("cat", "a"),
    call("pad", 5, "middle"), call("pad", "5"), call("pad", 5, fillchar="ab"), call("zfill", 1.5),
    call("pad", 5, fillchar=3), call("find", 3), call("startswith", 3),
    call("replace", "a"), call("replace", "a", lambda m: "b"), call("replace", {"a": "b"}, "c"),
    call("nothing_such"), call("split", expand=3), call("repeat", [1, 2]),
])  # fmt: skip

PATTERNS = {
    "literal": "a",
    "accent": "é",
    "dot": "a.",
    "classes": r"[a-cé]+\d",
    "negated": "[^a-zé ]",
    "word": r"\w+",
    "not word": r"\W",
    "digit": r"\d+",
    "not digit": r"^\D+$",
    "space": r"\s",
    "not space": r"\S+$",
    "boundary": r"\b\w",
    "inner": r"\B.",
    "end": "b$",
    "start": "^l",
    "absolute": r"\Aa|b\Z",
    "lines": "(?m)^l|e$",
    "dots": "(?s)a.+",
    "branch": "cat|one|two|日本",
    "lazy": "l.*?l",
    "counted": "l{2}|x{1,3}",
    "ahead": "l(?=l)",
    "not ahead": "l(?!l)",
    "behind": "(?<=l)l",
    "not behind": "(?<!l)l",
    "back": r"(.)\1",
    "named": r"(?P<first>\w)(?P<second>\w)",
    "ignored": "(?i)k|s|straße|i",
    "ignored class": "(?i)[a-k]",
    "ascii flag": r"(?a)\w+\s\b",
    "optional": "(a)?(b)?",
    "repeated": "(?:a|l)+",
    "nested": "((a|l)+)o?",
    "empty": "",
    "alternatives": "(a)|(l)|(日)",
    "atomic": "(?>a+)b",
    "possessive": "l++o",
    "conditional": "(a)?(?(1)b|l)",
    "verbose": "(?x) l  o # comment",
    "zero": "\0",
    "newline": "\\n",
    "any": "(?:.|\n)*x",
    "empty loop": "(a*)*",
    "emoji": "[😀-😂]",
    "hex": r"\x61|\u00e9",
}
