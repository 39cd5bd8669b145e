"""Series and frames of pandas: kinds of columns, of indexes, of missing values, none at all."""

from __future__ import annotations

import numpy as np
import pandas as pd

COLUMNS = {
    "int": [3, 1, 2, 1],
    "float": [1.5, np.nan, -2, 0.0],
    "bool": [True, False, True, True],
    "str": ["b", "a", None, "c"],
    "datetime": pd.to_datetime(
        ["2020-01-03", "2020-01-01", None, "2021-05-05 10:00"], format="ISO8601"
    ),
    "timedelta": pd.to_timedelta([1, 2, None, 86400], unit="s"),
    "Int64": pd.array([1, None, 3, 2], dtype="Int64"),
    "boolean": pd.array([True, None, False, True], dtype="boolean"),
    "category": pd.Categorical(["x", "y", None, "x"]),
    "object": np.array([1, "a", None, 2.5], object),
}

INDEXES = {
    "range": pd.RangeIndex(4),
    "int": pd.Index([10, 20, 5, 7]),
    "str": pd.Index(list("wxyz")),
    "repeated": pd.Index(list("aabc")),
    "float": pd.Index([0.5, 1.5, 2.5, 3.0]),
    "datetime": pd.date_range("2020-01-01", periods=4),
}

SERIES = {
    f"{kind}/{labels}": pd.Series(values, index=index, name="name")
    for kind, values in COLUMNS.items()
    for labels, index in INDEXES.items()
}
# One index for each kind of column, and columns without rows.
FEW = {name: each for name, each in SERIES.items() if name.endswith("/str")}
EMPTY = {f"{name} empty": each.iloc[:0] for name, each in FEW.items()}

FRAMES = {labels: pd.DataFrame(COLUMNS, index=index) for labels, index in INDEXES.items()}
FRAMES["no rows"] = FRAMES["str"].iloc[:0]
FRAMES["no columns"] = FRAMES["str"].iloc[:, :0]
FRAMES["repeated columns"] = FRAMES["str"][["int", "float"]].set_axis(["a", "a"], axis=1)

NUMBERS = pd.DataFrame(
    {"a": [1, 2, 3, 4], "b": [1.5, np.nan, 3, 4], "c": [True, False, True, False]},
    index=list("wxyz"),
)
LEVELS = pd.DataFrame(
    {"v": [1, 2, 3, 4]},
    index=pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1), ("b", 2)], names=["x", "y"]),
)
