"""Frames to group: a column of every dtype, and keys of every kind."""

from __future__ import annotations

import numpy as np
import pandas as pd


def frame() -> pd.DataFrame:
    """Nine rows: group 3 of `k` is one row, in which all is missing that can be."""
    none = None
    return pd.DataFrame(
        {
            "k": [2, 1, 2, 1, 2, 3, 1, 2, 1],
            "s": pd.array(["b", "a", none, "b", "a", "a", "c", none, "b"], dtype="str"),
            "c": pd.Categorical(list("yxyxzyxzy"), categories=list("wxyz")),
            "r": [0.5, np.nan, 0.5, 1.5, 1.5, np.nan, 0.5, 2.5, 1.5],
            "int": [3, 1, 2, 1, 5, 9, 4, -2, 7],
            "int8": np.array([3, 1, 2, 1, 5, 9, 4, -2, 7], "int8"),
            "uint8": np.array([3, 1, 2, 1, 5, 9, 4, 2, 7], "uint8"),
            "float": [1.5, np.nan, -2, 0.0, 4, np.nan, 2.5, 1.25, -7],
            "float32": np.array([1.5, np.nan, -2, 0.0, 4, np.nan, 2.5, 1.25, -7], "float32"),
            "bool": [True, False, True, True, False, True, False, True, False],
            "str": pd.array(["b", "a", none, "c", "", none, "d", "a", "b"], dtype="str"),
            "datetime": pd.to_datetime(
                ["2020-01-03", "2020-01-01", none, "2021-05-05 10:00", "2020-01-02", none,
                 "2020-02-02", "1969-12-31", "2020-01-01"], format="ISO8601"),
            "timedelta": pd.to_timedelta([1, 2, none, 86400, 7, none, 3, -5, 2], unit="s"),
            "Int64": pd.array([1, none, 3, 2, 7, none, 3, 5, 4], dtype="Int64"),
            "Float64": pd.array([1.5, none, 3, 2, 7, none, 3.25, 5, 4], dtype="Float64"),
            "boolean": pd.array(
                [True, none, False, True, True, none, False, none, True], dtype="boolean"
            ),
            "category": pd.Categorical(["x", "y", none, "x", "z", none, "y", "x", "x"]),
            "ordered": pd.Categorical(
                ["x", "y", none, "x", "z", none, "y", "x", "x"], list("zyx"), ordered=True
            ),
            "object": np.array([1, 2.5, none, 4, 5, none, 6, 7, 8], object),
        },
        index=list("ihgfedcba"),
    )  # fmt: skip


KEYS = ["k", "s", "c", "r"]
VALUES = [each for each in frame().columns if each not in KEYS]
BY = {"k": "k", "s": "s", "c": "c", "r": "r", "two": ["k", "s"], "three": ["c", "r", "k"]}
