"""Random labels, and the clocks of time zones, beside pandas'."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from .indexes_against_pandas import of_pandas, outcome, plain, same

ZONES = (
    *("Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"),
    *("Africa/Cairo", "America/Sao_Paulo", "Pacific/Apia"),
)
FLOATS = [0.0, 1.5, -1.5, np.nan, 3.0, -np.inf, np.inf]
MAKERS = (
    lambda rng, n: pd.Index(rng.integers(-5, 5, n)),
    lambda rng, n: pd.Index(rng.choice(FLOATS, n)),
    lambda rng, n: pd.Index(rng.integers(-(2**62), 2**62, n) * rng.choice([1, 0], n)),
    lambda rng, n: pd.Index(rng.integers(-5, 5, n).astype("int8")),
    lambda rng, n: pd.RangeIndex(int(rng.integers(-5, 5)), n, int(rng.choice([1, 2, -1, 3]))),
)
OTHERS = (
    lambda rng, n: pd.Index(rng.choice(list("abcd"), n).astype(object), dtype="str"),
    lambda rng, n: pd.DatetimeIndex(rng.integers(0, 5, n).astype("M8[D]").astype("M8[s]")),
    lambda rng, n: pd.Index(rng.integers(0, 4, n).astype("uint64") + np.uint64(2**63 - 2)),
    lambda rng, n: pd.MultiIndex.from_arrays(
        [rng.integers(0, 3, n), rng.choice(list("ab"), n).astype(object)]
    ),
)


def unordered(index):
    return sorted(map(str, plain(index.tolist())))


def joined(left, right, how):
    """Labels and rows of a join, in an order of their own."""
    index, rows, others = left.join(right, how=how, return_indexers=True)
    rows = np.arange(len(left)) if rows is None else rows
    others = np.arange(len(right)) if others is None else others
    found = zip(plain(index)[1], rows.tolist(), others.tolist(), strict=True)
    return sorted(map(str, found))


METHODS = {
    "get_indexer_for": lambda i, j: i.get_indexer_for(j),
    "get_indexer_non_unique": lambda i, j: i.get_indexer_non_unique(j),
    "isin": lambda i, j: i.isin(j),
    "equals": lambda i, j: i.equals(j),
    "duplicated": lambda i, j: [i.duplicated(keep) for keep in ("first", "last", False)],
    "unique": lambda i, j: i.unique(),
    "sort_values": lambda i, j: i.sort_values().tolist(),
    "union": lambda i, j: unordered(i.union(j, sort=False)),
    "intersection": lambda i, j: unordered(i.intersection(j)),
    "difference": lambda i, j: unordered(i.difference(j)),
    **{
        f"join {how}": lambda i, j, how=how: joined(i, j, how)
        for how in ("left", "right", "inner", "outer")
    },
}


def pairs(rng, count):
    """Pairs of indexes of pandas whose labels can be equal."""
    for _ in range(count):
        kind = rng.integers(0, 2 + len(OTHERS))
        makers = MAKERS if kind < 2 else OTHERS[kind - 2 : kind - 1]
        first, second = (makers[rng.integers(0, len(makers))] for _ in range(2))
        yield first(rng, int(rng.integers(0, 12))), second(rng, int(rng.integers(0, 12)))


@pytest.mark.parametrize("method", METHODS)
def test_random_labels_are_as_in_pandas(method):
    rng = np.random.default_rng(sum(map(ord, method)))
    for left, right in pairs(rng, 150):
        mine = outcome(METHODS[method], of_pandas(left), of_pandas(right))
        theirs = outcome(METHODS[method], left, right)
        assert same(mine, theirs), f"{left} and {right}: {mine} is not {theirs}"


@pytest.mark.parametrize("zone", ZONES)
def test_clocks_of_zones_show_what_they_do_in_pandas(zone):
    moments = np.random.default_rng(7).integers(-2 * 10**9, 2 * 10**9, 300).view("M8[s]")
    theirs = pd.DatetimeIndex(moments).tz_localize("UTC").tz_convert(zone)
    mine = of_pandas(pd.DatetimeIndex(moments)).tz_localize("UTC").tz_convert(zone)
    shown = np.asarray(mine.tz_localize(None))
    assert (shown == theirs.tz_localize(None).values).all()
    rules = {"ambiguous": "NaT", "nonexistent": "NaT"}
    again = of_pandas(pd.DatetimeIndex(shown)).tz_localize(zone, **rules)
    expected = pd.DatetimeIndex(shown).tz_localize(zone, **rules).tz_convert(None).values
    found = np.asarray(again.tz_convert(None))
    assert np.array_equal(found, expected, equal_nan=True)
