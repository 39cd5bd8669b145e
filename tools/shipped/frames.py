"""What programs do with data frames: the kernels of these calls come with the package, too.

A first look at a table of some thousand rows would else wait for a hundred kernels, a twentieth of
a second each. `ship.py` runs the rows as those of operations.py; a row that raises is a mistake.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import phalanx as px

Row = tuple[str, Callable[[], Any]]

SIZES = (6, 300, 4000, 60_000)
# Columns by their names' first letters: i and j int64, f and g float64, of which f misses values.
_NUMBERS = ("i", "j", "f", "g", "n", "b", "s")


def table(rows: int) -> Any:
    """Return a frame with a column of each common dtype."""
    numbers = np.arange(rows)
    floats = numbers % 7 / 2
    return px.DataFrame(
        {
            "i": numbers % 5,
            "j": numbers % 3 + 1,
            "f": np.where(numbers % 4 == 0, np.nan, floats),
            "g": floats + 1,
            "n": px.Series(numbers % 6).astype("Int64").mask(px.Series(numbers % 6 == 0)),
            "b": numbers % 2 == 0,
            "s": (numbers % 9).astype("int32"),
            "t": px.Series(numbers % 4).map({0: "a", 1: "Ab", 2: "c d", 3: None}),
            "k": px.Series(numbers % 3).map({0: "x", 1: "y", 2: "z"}).astype("category"),
            "d": px.date_range("2024-01-01", periods=rows, freq="min"),
        }
    )


_FIELDS = ("year", "month", "day", "hour", "minute", "second", "dayofweek", "dayofyear", "quarter",
           "date", "is_month_end", "is_month_start")  # fmt: skip
_OF_GROUPS = (
    "sum",
    "mean",
    "count",
    "min",
    "max",
    "std",
    "median",
    "first",
    "last",
    "nunique",
    "size",
)

# Of a column of numbers, beside a column of int64 and one of float64.
OF_NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "isna": lambda x, f: (x.isna(), x.notna(), x.isna().sum(), x.isna().any(), x.isna().mean()),
    "fillna": lambda x, f: (x.fillna(0), x.fillna(x.max()), x.dropna()),
    "sums": lambda x, f: (x.sum(), x.mean(), x.min(), x.max(), x.count(), x.any(), x.all()),
    "spread": lambda x, f: (x.std(), x.var(), x.median()),
    "quantile": lambda x, f: (x.quantile(0.25) if x.name != "b" else x.sum(),),
    "moments": lambda x, f: (x.skew(), x.kurt(), x.sem()),
    "describe": lambda x, f: x.describe(),
    "places": lambda x, f: (x.idxmax(), x.idxmin(), x.argmax(), x.nlargest(3), x.nsmallest(3)),
    "counts": lambda x, f: (x.value_counts(), x.value_counts(normalize=True), x.nunique()),
    "different": lambda x, f: (x.unique(), x.drop_duplicates(), x.duplicated(), x.mode()),
    "order": lambda x, f: (x.sort_values(), x.sort_values(ascending=False), x.rank()),
    "moved": lambda x, f: (x.shift(1), x.shift(-1), x.head(), x.tail(2), x.iloc[1:4], x[x > 1]),
    "changes": lambda x, f: (x.diff(), x.pct_change()) if x.name != "b" else (x.shift(1),),
    "running": lambda x, f: (x.cumsum(), x.cummax(), x.cummin(), x.cumprod()),
    "limits": lambda x, f: (x.clip(1, 3), x.between(1, 3), x.isin([1, 2]), x.abs()),
    "types": lambda x, f: (x.astype("float64"), x.fillna(0).astype("int64"), x.astype("str")),
    "choices": lambda x, f: (x.where(x > 1), x.mask(x > 1, 0), x.replace(1, 9)),
    "compared": lambda x, f: (x > 2, x >= 2, x < 2, x <= 2, x == 2, x != 2, x == f["i"]),
    "both": lambda x, f: ((x > 1) & (f["j"] < 3), (x > 1) | (f["j"] < 3), ~(x > 1)),
    "with a number": lambda x, f: (x + 1, x - 1, x * 2, x / 2, 1 - x, 2 * x, 1 / (x + 1)),
    "with a float": lambda x, f: (x + 0.5, x * 1.5, x - x.mean(), (x - x.mean()) / x.std()),
    "whole": lambda x, f: (x // 2, x % 2) if x.name != "b" else (x,),
    "with columns": lambda x, f: (x + f["g"], x - f["g"], x * f["g"], x / f["g"], x + f["i"]),
    "round": lambda x, f: (x.round(), x.round(2), (x * 100).round(2)),
    "functions": lambda x, f: (np.log1p(x), np.sqrt(x), np.exp(x)) if x.name != "b" else (x,),
    "windows": lambda x, f: (x.rolling(3).mean(), x.rolling(3).sum(), x.expanding().mean()),
    "set": lambda x, f: f.assign(y=x).loc[x > 1, "y"],
    "shown": lambda x, f: (repr(x), repr(x.to_frame())),
}

OF_FRAMES: dict[str, Callable[[Any], Any]] = {
    "shown": lambda f: (repr(f), f._repr_html_(), f.info(buf=_Nowhere()), f.dtypes),
    "described": lambda f: (f.describe(), f.describe(include="all"), f.memory_usage(deep=True)),
    "missing": lambda f: (f.isna().sum(), f.isnull().mean(), f.dropna(), f.isna().any(), f.count()),
    "filled": lambda f: (f.ffill(), f.bfill(), f[["f", "g"]].fillna(f[["f", "g"]].mean())),
    "numbers": lambda f: (
        _numbers(f).sum(),
        _numbers(f).mean(),
        _numbers(f).std(),
        _numbers(f).max(),
    ),
    "rows": lambda f: (f[["g", "f"]].sum(axis=1), f[["g", "f"]].mean(axis=1)),
    "relations": lambda f: (f[["i", "f", "g"]].corr(), f["f"].corr(f["g"]), f[["f", "g"]].cov()),
    "order": lambda f: (f.sort_values("g"), f.sort_values(["i", "g"], ascending=[True, False])),
    "selected": lambda f: (f[f["i"] > 2], f.loc[f["f"].notna(), ["i", "f"]], f.query("i > 2")),
    "equal": lambda f: (f.drop_duplicates("i"), f.duplicated(["i", "j"]), f.nunique()),
    "texts": lambda f: (f["t"].isna(), f["t"].fillna("u"), f["t"] == "a", f["t"].str.len()),
    "more texts": lambda f: (
        f["t"].str.contains("A", na=False),
        f["t"].value_counts(),
        f["t"].map(str),
    ),
    "categories": lambda f: (f["k"].cat.codes, f["k"] == "x", f["k"].value_counts(), f["k"].isna()),
    "dates": lambda f: [getattr(f["d"].dt, name) for name in _FIELDS],
    "more dates": lambda f: (
        f["d"] > "2024-01-01 00:03",
        f["d"].dt.floor("h"),
        f["d"].diff(),
        f["d"].max(),
    ),
    "lengths of time": lambda f: (
        (f["d"] - f["d"].min()).dt.total_seconds(),
        (f["d"] - f["d"].min()).dt.days,
    ),
    "parts": lambda f: (
        px.cut(f["g"], 3),
        px.qcut(f["g"], 2, duplicates="drop"),
        px.get_dummies(f["t"]),
    ),
    "groups": lambda f: [getattr(f.groupby("i")[["f", "g", "j"]], name)() for name in _OF_GROUPS],
    "groups of two": lambda f: f.groupby(["t", "i"]).agg({"f": ["sum", "mean"], "j": "max"}),
    "groups named": lambda f: f.groupby("k", observed=True).agg(n=("i", "size"), m=("g", "mean")),
    "within groups": lambda f: [
        f.groupby("t")["g"].transform(name) for name in ("mean", "sum", "max")
    ],
    "ranks of groups": lambda f: (
        f.groupby("i")["g"].rank(),
        f.groupby("i")["g"].cumsum(),
        f.groupby("i").cumcount(),
    ),
    "merged": lambda f: [f.merge(_other(), on="i", how=how) for how in ("inner", "left", "outer")],
    "together": lambda f: (
        px.concat([f, f]),
        px.concat([f, f], ignore_index=True),
        px.concat([f[["i"]], f[["g"]]], axis=1),
    ),
    "pivot": lambda f: (
        f.pivot_table("g", "i", "j"),
        px.crosstab(f["i"], f["j"]),
        f.melt(["i"], ["f", "g"]),
    ),
    "unstacked": lambda f: (f.groupby(["i", "j"])["g"].mean().unstack(), f[["i", "g"]].stack()),
    "bins of time": lambda f: (
        f.set_index("d")["g"].resample("h").mean(),
        f.set_index("d")[["g", "i"]].resample("D").sum(),
    ),
    "windows": lambda f: (f.set_index("d")["g"].rolling("5min").mean(), f["g"].ewm(span=3).mean()),
    "labels": lambda f: (
        f.set_index("i"),
        f.reset_index(),
        f.rename(columns={"i": "l"}),
        f.reindex(range(4)),
    ),
    "arrays": lambda f: (
        _numbers(f).to_numpy(dtype="float64"),
        f[["f", "g"]].values,
        f.to_dict("list"),
    ),
    "set": lambda f: _changed(f),
    "turned": lambda f: (f.head(3).T, f.to_dict("records"), f.iloc[2 % len(f)]),
    "replaced": lambda f: (f["t"].replace(["a", "c d"], "z"), f["t"].replace({"a": "b"})),
    "scaled": lambda f: _numbers(f)[["i", "g"]].apply(lambda c: (c - c.mean()) / c.std()),
    "shape of numbers": lambda f: (f.skew(numeric_only=True), f.corr(numeric_only=True).round(3)),
    "rows of a mask": lambda f: (f.where(f["g"] > 1).dropna(), f.duplicated().sum()),
    "counted parts": lambda f: px.cut(f["g"], 3).value_counts(),
    "text": lambda f: f.to_csv(),
}


class _Nowhere:
    def write(self, text: str) -> None:
        """Take a text and forget it."""


def _numbers(f: Any) -> Any:
    return f[["i", "j", "f", "g", "b"]]


def _other() -> Any:
    return px.DataFrame({"i": [0, 1, 2, 9], "w": [0.5, 1.5, 2.5, 3.5], "x": [1, 2, 3, 4]})


def _changed(f: Any) -> Any:
    f = f.copy()
    f["y"] = f["i"] * 2 + f["g"]
    f.loc[f["i"] > 2, "g"] = 0.0
    f.loc[f["f"].isna(), "f"] = f["f"].mean()
    f["flag"] = (f["i"] == 1).astype(int)
    f["level"] = np.where(f["g"] > 1, "high", "low")
    return f


def rows(size: int) -> Iterator[Row]:
    """Yield all calls for a frame of that many rows."""
    f = table(size)
    for name, of_frame in OF_FRAMES.items():
        yield f"frame of {size}: {name}", partial(of_frame, f)
    for label in _NUMBERS:
        for name, of_numbers in OF_NUMBERS.items():
            yield f"{f[label].dtype} of {size}: {name}", partial(of_numbers, f[label], f)


def run(row: Row) -> None:
    """Call it, and look at all that it gives."""
    found = row[1]()
    for each in found if isinstance(found, tuple | list) else (found,):
        if isinstance(each, px.DataFrame | px.Series):
            each.to_numpy()
