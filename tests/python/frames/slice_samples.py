"""Functions of series, arrays and frames, and columns in groups to call them for."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

FACTOR, WEIGHTS, COUNT = 1.5, np.array([0.5, 0.25, 0.25]), 2


def spread(x):
    return x.max() - x.min()


def helped(x):
    return spread(x) + spread(x - x.mean())


def weighted(x, factor, offset=1.0):
    total = 0.0
    for i in range(len(x)):
        total += x.iloc[i] * (i + factor)
    return total + offset


def counted(x):
    n = 0
    for v in x:
        if v > 1:
            n += 1
    return n


def named(x):
    low, high = x.min(), x.max()
    if len(x) < 2 or high == low:
        return 0.0
    scaled = (x - low) / (high - low)
    low = 5.0  # what `scaled` is made of does not change
    return scaled.mean() + low


def checked(x):
    if len(x) > 3:
        raise ValueError(f"not {len(x)}")
    return x.sum()


# Of a series: what a group's function does.
REDUCING = {
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "min": lambda x: x.min(),
    "max": lambda x: x.max(),
    "std": lambda x: x.std(),
    "std of all": lambda x: x.std(ddof=0),
    "var": lambda x: x.var(),
    "sem": lambda x: x.sem(),
    "median": lambda x: x.median(),
    "quantile": lambda x: x.quantile(0.3),
    "count": lambda x: x.count(),
    "nunique": lambda x: x.nunique(),
    "prod": lambda x: x.prod(),
    "any": lambda x: (x > 1).any(),
    "all": lambda x: (x > 1).all(),
    "any of numbers": lambda x: x.any(),
    "len": lambda x: len(x),
    "size": lambda x: x.size + x.shape[0],
    "empty": lambda x: x.empty,
    "spread": spread,
    "helped": helped,
    "keep": lambda x: x.mean(skipna=False),
    "keep max": lambda x: x.max(skipna=False),
    "keep sum": lambda x: x.sum(skipna=False),
    "np.sum": lambda x: np.sum(x),
    "np.mean": lambda x: np.mean(x) * 2,
    "np.std": lambda x: np.std(x) * 2,
    "np.var": lambda x: np.var(x, ddof=1),
    "np.median": lambda x: np.median(x) + 1,
    "np.percentile": lambda x: np.percentile(x, 75),
    "np.nanmean": lambda x: np.nanmean(x),
    "np.nanstd": lambda x: np.nanstd(x),
    "np.nanpercentile": lambda x: np.nanpercentile(x, 40),
    "np.max": lambda x: np.max(x) - np.min(x),
    "np.ptp": lambda x: np.ptp(x),
    "builtin sum": lambda x: sum(x) + 0.5,
    "builtin max": lambda x: max(x),
    "values": lambda x: x.values.sum(),
    "values max": lambda x: x.values.max(),
    "values std": lambda x: x.to_numpy().std(),
    "argmax": lambda x: x.values.argmax(),
    "first": lambda x: x.iloc[0],
    "last": lambda x: x.iloc[-1],
    "growth": lambda x: x.iloc[-1] / x.iloc[0] - 1,
    "second": lambda x: x.iloc[1] if len(x) > 1 else np.nan,
    "mad": lambda x: (x - x.mean()).abs().mean(),
    "squares": lambda x: ((x - x.mean()) ** 2).sum(),
    "norm": lambda x: np.sqrt((x**2).sum()),
    "positive": lambda x: x[x > 1].sum(),
    "of positive": lambda x: x[x > 1].mean(),
    "loc": lambda x: x.loc[(x > 0) & (x < 3)].max(),
    "not": lambda x: len(x[~(x > 1)]),
    "share": lambda x: (x > 1).mean(),
    "how many": lambda x: (x > 1).sum(),
    "missing": lambda x: x.isna().sum(),
    "there": lambda x: x.notna().all(),
    "dropna": lambda x: x.dropna().iloc[0] if x.count() > 0 else -1.0,
    "fillna": lambda x: x.fillna(0).mean(),
    "clip": lambda x: x.clip(0, 2).sum(),
    "where": lambda x: x.where(x > 1).sum(),
    "where 0": lambda x: x.where(x > 1, 0).sum(),
    "mask": lambda x: x.mask(x > 1, 0).sum(),
    "np.where": lambda x: np.where(x > 1, x, 0).sum(),
    "np.maximum": lambda x: np.maximum(x, 1).sum(),
    "np.abs": lambda x: np.abs(x).sum(),
    "log": lambda x: np.log(x.abs() + 1).sum(),
    "diff": lambda x: x.diff().abs().sum(),
    "shift": lambda x: (x - x.shift(1)).mean(),
    "pct": lambda x: x.pct_change().max(),
    "np.diff": lambda x: np.diff(x).sum(),
    "head": lambda x: x.head(2).sum(),
    "tail": lambda x: x.tail(2).mean(),
    "iloc slice": lambda x: x.iloc[1:].sum() - x.iloc[:-1].sum(),
    "corr": lambda x: x.corr(x * x),
    "dot": lambda x: np.dot(x, np.arange(len(x))),
    "average": lambda x: np.average(x, weights=np.arange(1, len(x) + 1)),
    "between": lambda x: x.between(0, 2).sum(),
    "methods": lambda x: x.sub(1).mul(FACTOR).ge(0).sum(),
    "mixed": lambda x: x.mean() if len(x) > 2 else 0,
    "none": lambda x: None if len(x) < 2 else x.sum(),
    "bool or none": lambda x: None if len(x) < 2 else len(x) > 3,
    "constant": lambda x: 3 if len(x) else 4,
    "max of two": lambda x: max(x.max(), 1.5),
    "loop": weighted,
    "counted": counted,
    "named": named,
    "global": lambda x: x.max() * FACTOR + COUNT,
    "float": lambda x: float(x.sum()),
    "int": lambda x: int(len(x) / 2),
    "inf": lambda x: 1 / (x.min() - x.max()),
    "astype": lambda x: x.astype(float).sum(),
    "as bool": lambda x: (x > 1).astype(int).sum(),
    "isnull": lambda x: pd.isna(x).sum(),
    # What is left to Python.
    "index": lambda x: x.index[0],
    "name": lambda x: x.name,
    "idxmax": lambda x: x.idxmax() if x.notna().any() else -1,
    "text": lambda x: str(len(x)),
    "list": lambda x: x.tolist(),
    "cumsum": lambda x: x.cumsum().iloc[-1],
    "sorted": lambda x: x.sort_values().iloc[0],
    "joined": lambda x: (x[x > 1] - x[x < 3]).sum(),
    "aligned": lambda x: (x - x.shift(1).dropna()).sum(),
    "label": lambda x: x[x.index[0]],
    "itself": np.nanmax,
    "len itself": len,
    "sum itself": sum,
    "raising": checked,
    "sqrt": lambda x: math.sqrt(x.sum()),
}

ROWS = {
    "demeaned": lambda x: x - x.mean(),
    "score": lambda x: (x - x.mean()) / x.std(),
    "share": lambda x: x / x.sum(),
    "filled": lambda x: x.fillna(x.mean()),
    "shifted": lambda x: x.shift(1),
    "ints": lambda x: x * 2,
    "greater": lambda x: x > x.mean(),
    "np": lambda x: np.where(x > 1, 1.0, 0.0),
    "values": lambda x: x.values - x.values[0],
    "number": lambda x: x.max() - x.min(),
    "clipped": lambda x: x.clip(x.min(), x.mean()),
    "either": lambda x: x * 1.5 if len(x) > 2 else x - 1.5,
    "filtered": lambda x: x[x > 1],
    "ranked": lambda x: x.rank(),
}

KEYS = np.array([3, 1, 2, 1, 3, 3, 4, 1, 5, 3, 5, 1])
FLOATS = np.array([1.5, 0.1, -2.5, 3.0, 20.25, 0.5, 7.0, 0.1, 0.5, 1.0, 2.0, 0.0])
WHOLE = np.array([3, 1, 2, 0, -7, 11, 5, 1, 1, 2, 9, 4])
WITH_NAN = np.array([1.5, np.nan, np.nan, 3.0, np.nan, 0.5, 7.0, 0.1, np.nan, 1.0, np.nan, 0.0])
INFINITE = np.array([1.5, np.inf, 1.0, 3.0, -np.inf, 0.5, np.inf, 0.1, 0.5, np.inf, 2.0, 0.0])
_LONG = np.random.default_rng(5).normal(size=700).round(3)


def frame_of(keys, values):
    """Rows whose labels are not their positions."""
    return pd.DataFrame({"k": keys, "x": values}, index=np.arange(len(keys)) * 3)


# Of floats all kinds of groups in one frame: plain, constant, with NaN, infinite, and long ones.
_KINDS = [FLOATS, np.full(12, 0.1), WITH_NAN, INFINITE]
FRAMES = {
    "floats": frame_of(
        np.concatenate([*(KEYS + 10 * i for i in range(4)), np.repeat([90, 91], [150, 550])]),
        np.concatenate([*_KINDS, _LONG]),
    ),
    "int64": frame_of(KEYS, WHOLE),
    "bool": frame_of(KEYS, np.array([True, False] * 6)),
    "int8": frame_of(KEYS, WHOLE.astype(np.int8)),
    "float32": frame_of(KEYS, np.linspace(-1, 3, 12).astype(np.float32)),
    "Int64": frame_of(KEYS, pd.array([None, *WHOLE[1:]], dtype="Int64")),
    "no group": frame_of([np.nan, 1.0, 1.0, np.nan, 2.0], [1.5, 2.5, 3.5, 4.5, 5.5]),
    "empty": frame_of(KEYS[:0], FLOATS[:0]),
}
# Functions that are tried with the other dtypes, as each is compiled again.
FEW = (
    "sum", "mean", "min", "std", "median", "any", "len", "spread", "keep max", "np.std",
    "values max", "first", "growth", "mad", "positive", "share", "clip", "where 0", "np.maximum",
    "diff", "head", "dot", "mixed", "none", "counted", "name", "text", "sum itself", "raising",
    "builtin max", "as bool", "prod", "count",
)  # fmt: skip


OF_FRAMES = {
    "weighted": lambda g: (g["a"] * g["b"]).sum() / g["b"].sum(),
    "attributes": lambda g: (g.a - g.b).abs().max(),
    "len": lambda g: len(g),
    "corr": lambda g: g.a.corr(g.b),
    "filtered": lambda g: g["a"][g["b"] > 1].mean(),
    "choice": lambda g: g.a.sum() if g.b.max() > 3 else None,
    "test": lambda g: g.a.mean() > 1,
    "average": lambda g: np.average(g["a"], weights=g["b"] + 1),
    "whole": lambda g: g.sum(),
    "absent": lambda g: g["z"].sum(),
    "text": lambda g: g["t"].iloc[0],
    "rows": lambda g: g["a"] * 2,
    "frame": lambda g: g.head(1),
}


ARRAYS = {
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "min": lambda x: x.min(),
    "max": lambda x: x.max() - x.min(),
    "std": lambda x: x.std(),
    "var": lambda x: x.var(ddof=1),
    "np.median": lambda x: np.median(x),
    "np.percentile": lambda x: np.percentile(x, 25),
    "np.nansum": lambda x: np.nansum(x),
    "np.nanmax": lambda x: np.nanmax(x),
    "np.nanstd": lambda x: np.nanstd(x),
    "any": lambda x: (x > 1).any(),
    "len": lambda x: len(x),
    "first": lambda x: x[0],
    "growth": lambda x: x[-1] / x[0],
    "weights": lambda x: (x[-2:] * WEIGHTS[:2]).sum() if len(x) > 1 else -1.0,
    "dot": lambda x: np.dot(x, WEIGHTS) if len(x) == 3 else x[0],
    "any length": lambda x: np.dot(x, WEIGHTS),
    "rising": lambda x: np.dot(x, np.arange(1, len(x) + 1)) / np.arange(1, len(x) + 1).sum(),
    "average": lambda x: np.average(x, weights=np.arange(len(x)) + 1),
    "diff": lambda x: np.diff(x).sum(),
    "differences": lambda x: np.abs(x[1:] - x[:-1]).max() if len(x) > 1 else 0,
    "filtered": lambda x: x[x > 1].sum(),
    "nan": lambda x: np.isnan(x).sum(),
    "there": lambda x: x[~np.isnan(x)].mean(),
    "np.where": lambda x: np.where(x > 1, 1, 0).sum(),
    "argmax": lambda x: x.argmax(),
    "product": lambda x: np.prod(1 + x) - 1,
    "norm": lambda x: np.sqrt((x * x).sum()),
    "loop": counted,
    "bool": lambda x: x[0] > 1,
    "int": lambda x: 5,
    "division": lambda x: 1 / (x[0] - x[0]),
    "np.max": np.max,
    "builtin": sum,
    "sorted": lambda x: np.sort(x)[0],
    "copied": lambda x: x.copy().sum(),
    "none": lambda x: None,
    "text": lambda x: str(x[0]),
    "list": lambda x: x.tolist()[0],
    "raising": checked,
    "far": lambda x: x[7],
}
