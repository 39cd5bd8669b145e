"""`Series.str` and `Index.str` against pandas: each method, of each dtype, of each sort of text."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from . import against_pandas
from .string_samples import CALLS, KINDS, ODD, PATTERNS, SERIES, STR, STRING, TEXTS, series_of


def plain(thing):
    """pandas' objects whose texts are kept as Python's."""
    if isinstance(thing, pd.DataFrame):
        made = thing.copy()
        for i in range(made.shape[1]):
            made.isetitem(i, plain(made.iloc[:, i]))
        return made
    if isinstance(thing, (pd.Series, pd.Index)) and isinstance(thing.dtype, pd.StringDtype):
        return thing.astype(STR if thing.dtype.na_value is not pd.NA else STRING)
    return thing


def bare(found):
    """Lists and tuples in a form that can be compared."""
    return repr(found) if isinstance(found, (list, tuple, dict)) else found


def check(function, *args):
    """Raises AssertionError where pandas and we give different results or errors."""
    wanted, error = against_pandas.attempt(function, *args)
    found, own = against_pandas.attempt(function, *against_pandas.ours(args))
    if error is not None or own is not None:
        same = error is not None and own is not None and against_pandas.same_kind(error, own)
        assert same, f"pandas: {wanted!r} {error!r}\nours: {found!r} {own!r}"
        return
    found, wanted = plain(against_pandas.theirs(found)), plain(wanted)
    if isinstance(wanted, pd.Series) and wanted.dtype == object:
        assert found.dtype == object, found.dtype
        assert found.name == wanted.name
        assert found.index.equals(wanted.index)
        for mine, other in zip(found, wanted, strict=True):
            if isinstance(other, (list, tuple, dict)):
                assert repr(mine) == repr(other)
            else:
                against_pandas.assert_same_scalar(mine, other, 0)
        return
    against_pandas.assert_same(found, wanted)


def check_samples(function, samples, but=()):
    wrong = []
    for name, each in samples.items():
        if name in but:
            continue
        try:
            check(function, each)
        except AssertionError as error:
            wrong.append(f"{name}: {error}")
    assert not wrong, "\n".join(wrong)


# pandas puts categories into an array of NumPy's texts, which have no null bytes at their ends.
APART = {"get_dummies": ("category/controls",)}


@pytest.mark.parametrize("name", CALLS)
def test_methods(name):
    check_samples(CALLS[name], SERIES, APART.get(name.split("(")[0], ()))


@pytest.mark.parametrize("name", CALLS)
def test_methods_of_odd_objects(name):
    check_samples(CALLS[name], ODD)


HOW = {
    "contains": lambda pat: lambda of: of.str.contains(pat),
    "match": lambda pat: lambda of: of.str.match(pat),
    "fullmatch": lambda pat: lambda of: of.str.fullmatch(pat),
    "count": lambda pat: lambda of: of.str.count(pat),
    "findall": lambda pat: lambda of: of.str.findall(pat),
    "replace": lambda pat: lambda of: of.str.replace(pat, "<>", regex=True),
    "replace once": lambda pat: lambda of: of.str.replace(pat, r"é\\", n=1, regex=True),
    "replace by group": lambda pat: lambda of: of.str.replace(pat, r"[\g<0>]", regex=True),
    "replace by function": lambda pat: (
        lambda of: of.str.replace(pat, lambda found: found.group().upper(), regex=True)
    ),
    "split": lambda pat: lambda of: of.str.split(pat, regex=True),
    "split to columns": lambda pat: lambda of: of.str.split(pat, n=2, expand=True, regex=True),
    "extract": lambda pat: lambda of: of.str.extract(pat),
    "extract one": lambda pat: lambda of: of.str.extract(f"({pat})", expand=False),
    "extract all": lambda pat: lambda of: of.str.extractall(pat),
    "compiled": lambda pat: lambda of: of.str.contains(re.compile(pat)),
    "no case": lambda pat: lambda of: of.str.contains(pat, case=False),
    "flags": lambda pat: lambda of: of.str.fullmatch(pat, flags=re.DOTALL | re.MULTILINE),
}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns(pattern, how):
    function = HOW[how](PATTERNS[pattern])
    check_samples(function, {name: each for name, each in SERIES.items() if "str/" in name})


@pytest.mark.parametrize("how", HOW)
def test_patterns_of_other_dtypes(how):
    for pattern in (r"(\w)(l)?", "é", "["):
        check_samples(HOW[how](pattern), SERIES | ODD)


def index_of(kind, texts):
    made = series_of(kind, texts)
    return pd.Index(made.array, name="labels", dtype=made.dtype)


@pytest.mark.parametrize("name", CALLS)
def test_methods_of_indexes(name):
    if name.startswith("get_dummies") or "partition" in name:
        pytest.skip("levels of an index")
    samples = {
        f"{kind}/{key}": index_of(kind, TEXTS[key])
        for kind in ("str", "object")
        for key in ("ascii", "missing", "accents", "wide", "none")
    }
    check_samples(CALLS[name], samples)


OTHERS = {
    "list": lambda of: ["x", "é", None, "日"],
    "series": lambda of: type(of)(["x", "é", None, "日"], index=of.index),
    "shuffled": lambda of: type(of)(["x", "é", None, "日"], index=["r3", "r1", "r0", "rx"]),
    "array": lambda of: np.array(["x", "é", None, "日"], object),
    "two": lambda of: [of, np.array(["x", "é", "y", "日"], object)],
    "frame": lambda of: of.to_frame().assign(other=["p", "q", "r", "s"]),
    "matrix": lambda of: np.array([["x", "é"], ["y", "z"], ["", "a"], ["日", "b"]], object),
    "index": lambda of: of.index,
    "short": lambda of: ["x"],
    "numbers": lambda of: [1, 2, 3, 4],
    "nested": lambda of: [["a"], "b"],
    "number": lambda of: 3,
}


@pytest.mark.parametrize("join", ["left", "right", "inner", "outer"])
@pytest.mark.parametrize("others", OTHERS)
def test_cat(others, join):
    samples = {kind: series_of(kind, ["a", None, "ß", ""]) for kind in KINDS}
    for sep in (None, "-", "→"):
        for na_rep in (None, "?"):
            check_samples(
                lambda of, sep=sep, na_rep=na_rep: of.str.cat(
                    OTHERS[others](of), sep=sep, na_rep=na_rep, join=join
                ),
                samples,
            )


def test_repeats_by_row():
    samples = {
        f"{kind}": series_of(kind, ["a", None, "ß", ""]) for kind in ("str", "string", "object")
    }
    check_samples(lambda of: of.str.repeat([0, 1, 2, 3]), samples)


def test_bytes():
    check_samples(lambda of: of.str.decode("utf-8"), ODD)
    check_samples(lambda of: of.str.decode("utf-8", dtype=object), ODD)
    check_samples(lambda of: of.str.decode("utf-8", dtype=int), ODD)
    check_samples(lambda of: of.str.encode("utf-16").str.decode("utf-16"), SERIES)


@pytest.mark.parametrize("values", [[1], [1.5], [True], ["2020-01-01"], [1, 2.5]])
def test_other_values_have_no_texts(values):
    wrong = px.Series(values)
    if isinstance(values[0], str):
        wrong = px.Series(np.array(values, "M8[s]"))
    with pytest.raises(AttributeError, match="string values"):
        wrong.str  # noqa: B018
    assert not hasattr(wrong, "str")
    with pytest.raises(AttributeError, match="string values"):
        px.Index(wrong).str  # noqa: B018
    with pytest.raises(AttributeError, match="MultiIndex"):
        px.MultiIndex.from_tuples([("a", 1)]).str  # noqa: B018


def test_normal_forms_are_four():
    with pytest.raises(ValueError, match="NFC"):
        px.Series(["a"]).str.normalize("X")


def test_names():
    names = {name for name in dir(pd.Series.str) if not name.startswith("_")}
    assert names <= set(dir(px.Series(["a"]).str))
    with pytest.raises(TypeError, match="iterable"):
        iter(px.Series(["a"]).str)
