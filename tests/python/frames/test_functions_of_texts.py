"""Users' functions of texts: whole columns give what Python gives row by row."""

from __future__ import annotations

import contextlib
import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from phalanx.errors import UserFunctionWarning

import phalanx as px

from .against_pandas import ours
from .test_user_functions import check

PREFIX, SIZE, KNOWN, ENDS = "a", 2, {"abc", "日本語", "x"}, ("c", "e")


def shortened(s):
    if len(s) > 3:
        return s[:3].upper() + "…"
    return s


def domain(s):
    at = s.find("@")
    if at < 0:
        return None
    return s[at + 1 :]


def titled(name):
    """The way that passengers' titles are taken from their names."""
    return name.split(",")[1].split(".")[0].strip() if "," in name and "." in name else "none"


def graded(s):
    made = s.strip()
    if made.startswith("S") or made.endswith("e"):
        made = made.lower()
    elif len(made) > 4:
        made = made + "!"
    return made.replace("a", "[a]")


def guarded(s):
    if pd.isna(s):
        return "missing"
    return s.upper()


def by_class(s):
    if not isinstance(s, str):
        return 0
    return len(s)


def either(s):
    if len(s) % 2:
        return s
    return len(s)


def counted(s):
    total = 0
    for _ in range(len(s)):
        total += s.count("a") + len(s)
    return total


def halves(s):
    middle = len(s) - 2
    return s[middle:] + "|" + s[:middle]


def emphasized(s, mark="!"):
    return s + mark if s else mark


def through_helpers(s):
    return emphasized(s.strip()) + emphasized(s, "?")


def chosen(s):
    t = "none"
    if "a" in s:
        t = s
    if len(s) > 5:
        t = t.upper()
    return t if t != "none" else None


ELEMENTS = {
    "length": lambda s: len(s),
    "double length": lambda s: len(s) * 2 + 1,
    "first": lambda s: s[0],
    "last if any": lambda s: s[-1] if s else "-",
    "slice": lambda s: s[1:3],
    "slice from end": lambda s: s[-2:],
    "slice by step": lambda s: s[::2],
    "backward": lambda s: s[::-1],
    "slice by name": lambda s: s[:SIZE],
    "equal": lambda s: s == "abc",
    "unequal": lambda s: s != "abc",
    "unlike itself": lambda s: s != s,
    "equal to a number": lambda s: s == 5,
    "less": lambda s: s < "b",
    "chain": lambda s: "a" <= s < "t",
    "order of parts": lambda s: s[:1] <= s[1:2],
    "less than a number": lambda s: s < 5,
    "in": lambda s: "a" in s,
    "not in": lambda s: "ß" not in s,
    "part of itself": lambda s: s[1:] in s,
    "part of a literal": lambda s: s in "xabcd",
    "one of": lambda s: s in ("abc", "Straße", ""),
    "one of a name": lambda s: s in KNOWN,
    "none of": lambda s: s not in ["12", "x"],
    "upper": lambda s: s.upper(),
    "lower": lambda s: s.lower(),
    "other cases": lambda s: s.title() + s.capitalize() + s.swapcase() + s.casefold(),
    "strip": lambda s: s.strip(),
    "strips": lambda s: s.lstrip() + "|" + s.rstrip() + "|" + s.strip("ac"),
    "starts": lambda s: s.startswith("a"),
    "starts with name": lambda s: s.startswith(PREFIX) and s.endswith(ENDS),
    "find": lambda s: s.find("a"),
    "finds": lambda s: s.find("a", 1) + s.rfind("a") * 100,
    "index": lambda s: s.index("a"),
    "count": lambda s: s.count("a") + s.count(""),
    "replace": lambda s: s.replace("a", "ß"),
    "replace one": lambda s: s.replace("a", "", 1),
    "affixes": lambda s: s.removeprefix("a").removesuffix("c"),
    "pads": lambda s: s.zfill(5) + s.ljust(4, "é") + s.rjust(4) + s.center(5, "*"),
    "is digit": lambda s: s.isdigit(),
    "tests": lambda s: s.isalpha() or s.isspace() or (s.isupper() and not s.islower()),
    "concatenated": lambda s: "<" + s + ">",
    "repeated": lambda s: s * 2,
    "formatted": lambda s: f"{s}: {len(s)}",
    "join": lambda s: "-".join([s, "x", s.upper()]),
    "int": lambda s: int(s),
    "float": lambda s: float(s) / 2,
    "int if digits": lambda s: int(s) if s.isdigit() else -1,
    "str": lambda s: str(s),
    "bool": lambda s: bool(s),
    "not": lambda s: not s,
    "or": lambda s: s or "empty",
    "and": lambda s: s and s[0],
    "choice": lambda s: "long" if len(s) > 3 else "short",
    "choice of kinds": lambda s: "long" if len(s) > 3 else 0.5,
    "bool or text": lambda s: s == "x" if len(s) < 3 else s,
    "none or number": lambda s: None if s == "abc" else len(s),
    "nan or text": lambda s: float("nan") if s == "abc" else s,
    "itself": lambda s: s,
    "is none": lambda s: s is None,
    "is na": lambda s: pd.isna(s),
    "kind": lambda s: isinstance(s, str),
    "kind of nothing": lambda s: "" if isinstance(s, float) else s,
    "part": lambda s: s.split(",")[0],
    "second part": lambda s: s.split(",")[1],
    "last part": lambda s: s.split(",")[-1],
    "last words": lambda s: s.rsplit(None, 1)[-1] if s.strip() else "",
    "words": lambda s: len(s.split()),
    "split once": lambda s: s.split(",", maxsplit=1)[-1],
    "list": lambda s: s.split(","),
    "method": lambda s: s.encode(),
    "comprehension": lambda s: sum(c == "a" for c in s),
    "len itself": len,
    "upper itself": str.upper,
    "str itself": str,
    "int itself": int,
    "shortened": shortened,
    "domain": domain,
    "titled": titled,
    "graded": graded,
    "guarded": guarded,
    "by class": by_class,
    "either": either,
    "counted": counted,
    "halves": halves,
    "helpers": through_helpers,
    "chosen": chosen,
}

TEXTS = [
    "abc", "Straße", "İstanbul", "e\u0301clair", "日本語", "a,b,c", "  x ", "12", "Zoë@home.org",
    "😀a", "ΑΣ", "aaaa", "Braund, Mr. Owen", "x",
]  # fmt: skip
MISSING = ["abc", None, "Straße", "日本語", None, "a,b"]
COLUMNS = {
    "str": pd.Series(TEXTS, index=list("abcdefghijklmn"), name="n"),
    "with empty": pd.Series([*TEXTS, "", "ab"]),
    "numbers": pd.Series(["12", " 7 ", "1_000", "-5", "+3", "٣"]),
    "floats": pd.Series(["1.5", "nan", " 2 ", "-1e400", "7", "inf"]),
    "no numbers": pd.Series(["1", "+-5", "2"]),
    "missing": pd.Series(MISSING),
    "string": pd.Series(TEXTS, dtype="string[python]"),
    "string missing": pd.Series(MISSING, dtype="string[python]"),
    "object": pd.Series(TEXTS, dtype=object),
    "object missing": pd.Series(MISSING, dtype=object),
    "all missing": pd.Series([None, None], dtype="str"),
    "slice": pd.Series(["zz", *TEXTS])[1:4],
}


def stored(made):
    """pandas' texts as Arrow has them. With these, it has numbers as Arrow's, too, which we have
    not: the oracle is the other storage."""
    is_python = isinstance(made, pd.Series) and made.dtype == pd.StringDtype("python")
    return made.astype("string[pyarrow]") if is_python else made


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("method", ["apply", "map ignore"])
def test_elements(kind, method):
    keywords = {"na_action": "ignore"} if "ignore" in method else {}
    wrong = []
    with px.option_context("compute.user_functions", "compile"):
        for name, function in ELEMENTS.items():
            try:
                check(
                    lambda s, f=function: stored(getattr(s, method.split()[0])(f, **keywords)),
                    COLUMNS[kind],
                )
            except AssertionError as error:
                wrong.append(f"{name}: {' '.join(str(error).split())[:300]}")
    assert not wrong, "\n".join(wrong)


def of_names(row):
    if row["last"] == "":
        return row.first
    return row["first"][:1] + ". " + row["last"]


def labelled(row, mark="#"):
    if row["n"] > 2 and row["first"].startswith("A"):
        return f"{row['first']}{mark}{row['n']}"
    return row["last"].lower()


def filled(row):
    if pd.isna(row["last"]):
        return row["first"]
    return row["last"] if len(row["last"]) > len(row["first"]) else row["first"]


ROWS = {
    "sum": lambda row: row["first"] + " " + row["last"],
    "attributes": lambda row: row.first.upper(),
    "equal": lambda row: row["first"] == row["last"],
    "less": lambda row: row["first"] < row["last"],
    "in": lambda row: row["first"] in row["last"],
    "find": lambda row: row["last"].find(row["first"]),
    "number and text": lambda row: row["n"] * len(row["first"]),
    "written": lambda row: f"{row['n']}/{row['x']} of {row['first']}",
    "str": lambda row: str(row["x"]) + str(row["n"]),
    "choice": lambda row: row["first"] if row["n"] % 2 else row["last"],
    "choice of kinds": lambda row: row["first"] if row["n"] % 2 else row["x"],
    "class": lambda row: "high" if row["x"] > 1 else "low" if row["x"] > 0 else None,
    "iloc": lambda row: row.iloc[0] + row.iloc[1],
    "to a number": lambda row: row["first"][: row["n"]],
    "of names": of_names,
    "labelled": labelled,
    "filled": filled,
}
NAMES = {
    "first": ["Ada", "Aé", "ß", "", "日本", "A"],
    "last": ["Lovelace", "", "Weiß", "x", "日本語", "A"],
}
NUMBERS = {"n": [1, 2, 3, 4, 5, -6], "x": [0.5, float("nan"), 1e20, -0.0, 3.0, float("inf")]}
FRAMES = {
    "with numbers": pd.DataFrame(NAMES | NUMBERS, index=list("uvwxyz")),
    "texts": pd.DataFrame(NAMES),
    "missing": pd.DataFrame(NAMES | NUMBERS | {"last": ["a", None, "c", "ß", None, ""]}),
    "string": pd.DataFrame(NAMES | NUMBERS).astype({"first": "string", "last": "string"}),
    "object": pd.DataFrame(NAMES | NUMBERS).astype({"first": object}),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_rows(kind):
    wrong = []
    with px.option_context("compute.user_functions", "compile"):
        for name, function in ROWS.items():
            try:
                check(lambda f, g=function: f.apply(g, axis=1), FRAMES[kind])
            except AssertionError as error:
                wrong.append(f"{name}: {' '.join(str(error).split())[:300]}")
        check(lambda f: f.apply(labelled, axis=1, mark="%"), FRAMES[kind])
    assert not wrong, "\n".join(wrong)


def grade(x):
    if x < 0:
        return "none"
    return "low" if x < 10 else f"high: {x}"


NUMBERS_TO_TEXTS = {
    "grade": grade,
    "two": lambda x: "odd" if x % 2 else "even",
    "written": lambda x: f"{x} km",
    "str": lambda x: str(x) + "!",
    "str itself": str,
    "length": lambda x: len(str(x)),
    "text or number": lambda x: "large" if x > 2 else x,
    "text or none": lambda x: "large" if x > 2 else None,
}


@pytest.mark.parametrize("name", NUMBERS_TO_TEXTS)
def test_texts_of_numbers(name):
    function = NUMBERS_TO_TEXTS[name]
    with px.option_context("compute.user_functions", "compile"):
        for values in ([1, -2, 30, 2**40], [1.0, 0.1, -1e300, 1e16, float("nan"), 12.5]):
            check(lambda s: s.map(function), pd.Series(values))
        check(lambda s: s.map(function), pd.Series([True, False]))
        check(lambda s: s.map(function, na_action="ignore"), pd.Series([1.0, None, 20.5]))
        check(lambda s: s.map(function), pd.Series([0.1, 2.5], dtype="float32"))


# What is not computed of whole columns, whatever it gives.
LEFT = {"list", "method", "comprehension", "less than a number", "nan or text"}
# What looks at no text where none is missing.
LEFT |= {"equal to a number", "is none", "is na", "kind"}


def test_what_is_compiled():
    texts = ours(pd.Series(["Braund, Mr. Owen", "a, b. c"]))
    numbers = ours(pd.Series(["12", "7"]))
    with px.option_context("compute.user_functions", "compile"), warnings.catch_warnings():
        warnings.simplefilter("error", UserFunctionWarning)
        for name, function in ELEMENTS.items():
            if name not in LEFT:
                (numbers if "int" in name or name == "float" else texts).map(function)
        frame = ours(FRAMES["with numbers"])
        for name, function in ROWS.items():
            if name != "to a number":
                frame.apply(function, axis=1)
        for function in NUMBERS_TO_TEXTS.values():
            px.Series([1, 20]).map(function)


REASONS = {
    "list": ("a list as a result", ELEMENTS["list"]),
    "method": ("the method encode", ELEMENTS["method"]),
    "index": ("an index that is computed", lambda s: s[len(s) - 1]),
    "order": ("a comparison of a text and what is none", ELEMENTS["less than a number"]),
    "format": ("a format", lambda s: f"{s:>5}"),
    "sum": ("the operator Sub of a text and what is none", lambda s: s - 1),
}


@pytest.mark.parametrize("name", REASONS)
def test_warning_says_why(name):
    reason, function = REASONS[name]
    column = px.Series(["abc", "de"])
    with (
        px.option_context("compute.user_functions", "compile"),
        pytest.warns(UserFunctionWarning) as seen,
        contextlib.suppress(TypeError),
    ):
        column.map(function)
    assert len(seen) == 1 and reason in str(seen[0].message), seen[0].message


def test_error_names_the_row():
    with px.option_context("compute.user_functions", "compile"):
        with pytest.raises(IndexError, match="out of range") as caught:
            px.Series(["a", "b", "", "c"], index=list("wxyz")).map(lambda s: s[0])
        assert caught.value.__notes__ == ["raised for row 2, whose label is 'y'"]
        with pytest.raises(AttributeError, match="no attribute 'upper'") as caught:
            px.Series(["a", None]).map(lambda s: s.upper())
        assert caught.value.__notes__ == ["raised for row 1, whose label is 1"]
        # Only rows that come to it raise.
        made = px.Series(["a", ""]).map(lambda s: s[0] if s else "none")
        assert made.tolist() == ["a", "none"]


def test_large_columns():
    generator = np.random.default_rng(5)
    words = np.array([*TEXTS, "Ann, Ms. B", "a@b", "aaa,bb"], object)
    texts = pd.Series(words[generator.integers(0, len(words), 60_000)])
    for name in ("shortened", "domain", "titled", "graded", "either", "chosen", "halves"):
        check(lambda s, f=ELEMENTS[name]: s.map(f), texts)
    frame = pd.DataFrame({"first": texts, "last": texts[::-1].to_numpy(), "n": range(60_000)})
    check(lambda f: f.iloc[:4000].apply(labelled, axis=1), frame)
    # It is not Python that goes row by row.
    column = ours(texts)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserFunctionWarning)
        column.map(graded)


def test_bounds_of_rows():
    with px.device("cpu"):
        column = ours(pd.Series(["abc", "日本語", "", "😀a"]))._column
    key = column.key()
    bounds = np.array([1, -2, 5, 0]), np.array([9, -1, 7, 1])
    offsets, text, _ = px._engine.frames.text_slice_each(key, *bounds)
    made = [bytes(text[a:b]).decode() for a, b in itertools.pairwise(offsets)]
    assert made == ["bc", "本", "", "😀"]
    for wrong in ((bounds[0][:2], None), (None, np.arange(9))):
        with pytest.raises(ValueError, match="as many as there are rows"):
            px._engine.frames.text_slice_each(key, *wrong)
    with pytest.raises(ValueError, match="as many rows"):
        px._engine.frames.text_positions_each(key, key, 3)
    assert px._engine.frames.text_positions_each(key, key, 4).tolist() == [0] * 4
