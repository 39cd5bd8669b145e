"""Reductions of frames with many columns, which are of one table, beside pandas."""

import numpy as np
import pandas as pd
import pytest

import phalanx as px

from .against_pandas import check

NAMES = [
    "sum",
    "mean",
    "min",
    "max",
    "std",
    "var",
    "sem",
    "skew",
    "kurt",
    "median",
    "prod",
    "any",
    "all",
    "count",
]
NUMBERS = np.random.default_rng(3).normal(size=(7, 40)).round(1)
HOLES = np.where(NUMBERS > 1, np.nan, NUMBERS)
HOLES[:, 5] = np.nan
TABLES = {
    "float": NUMBERS,
    "holes": HOLES,
    "int": (NUMBERS * 10).astype(np.int64),
    "bool": NUMBERS > 0,
    "one row": NUMBERS[:1],
    "no row": NUMBERS[:0],
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("table", TABLES)
def test_many_columns(name, table):
    frame = pd.DataFrame(TABLES[table])
    check(lambda f: getattr(f, name)(), frame, exact=False)
    if name != "count":
        check(lambda f: getattr(f, name)(skipna=False), frame, exact=False)
    if name in ("sum", "prod"):
        check(lambda f: getattr(f, name)(min_count=6), frame, exact=False)
    if name in ("std", "var", "sem"):
        check(lambda f: getattr(f, name)(ddof=0), frame, exact=False)


def test_mixed_columns_are_taken_one_by_one():
    frame = pd.DataFrame(NUMBERS).assign(text="a", whole=1)
    check(lambda f: f.sum(numeric_only=True), frame, exact=False)
    check(lambda f: f.isna().sum(), frame)


def test_attributes_are_kept():
    frame = px.DataFrame(NUMBERS)
    frame.attrs["source"] = "x"
    assert frame.sum().attrs == {"source": "x"}
