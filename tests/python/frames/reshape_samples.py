"""Frames to reshape: every dtype, with and without missing labels, empty, of one row."""

from __future__ import annotations

import numpy as np
import pandas as pd

import phalanx as px

from .frame_samples import COLUMNS

LABELS = {
    "whole": pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["x", "y"]),
    "gaps": pd.MultiIndex.from_tuples([("b", 2), ("a", 1), ("b", 3), ("c", 1)], names=["x", "y"]),
    "missing": pd.MultiIndex.from_tuples(
        [("b", 2.0), ("a", np.nan), (None, 3.0), (None, np.nan)], names=["x", None]
    ),
    "three": pd.MultiIndex.from_tuples(
        [("b", 2, "p"), ("a", 1, "q"), ("b", 3, "p"), ("a", 2, "q")], names=["x", "y", "z"]
    ),
    "dates": pd.MultiIndex.from_product(
        [pd.date_range("2020-01-01", periods=2), pd.Categorical(["v", "u"])], names=["d", "c"]
    ),
    "repeated": pd.MultiIndex.from_tuples([("a", 1), ("a", 1), ("b", 1), ("b", 2)]),
}
# A column of each dtype under each index.
KINDS = {
    f"{labels}/{kind}": pd.Series(values, index=index, name="v")
    for labels, index in LABELS.items()
    for kind, values in COLUMNS.items()
}


def table(count=40):
    """A frame of keys of several kinds and of numbers to aggregate."""
    draw = np.random.default_rng(3)
    numbers = draw.integers(0, 4, count)
    return pd.DataFrame(
        {
            "text": pd.array([f"k{i}" if i != 3 else None for i in numbers], dtype="str"),
            "whole": draw.integers(-1, 2, count),
            "real": np.where(draw.random(count) < 0.2, np.nan, draw.integers(0, 2, count) / 2),
            "category": pd.Categorical([f"c{i}" for i in 3 - numbers]),
            "day": np.datetime64("2024-01-01", "us") + draw.integers(0, 3, count).astype("m8[D]"),
            "i": draw.integers(-9, 9, count),
            "f": np.where(draw.random(count) < 0.3, np.nan, draw.integers(-99, 99, count) / 8),
            "n": pd.array([int(i) if i % 4 else None for i in draw.integers(0, 9, count)], "Int64"),
        }
    )


def module_of(thing):
    """The library of an object, or of the first of a list."""
    if isinstance(thing, (list, tuple)):
        thing = thing[0]
    return pd if type(thing).__module__.startswith("pandas") else px
