"""Methods of series against pandas': each for every kind of column and of index."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from .against_pandas import check, check_all
from .frame_samples import EMPTY, FEW, SERIES


def listed(values):
    """The values of an array; ours of dates is NumPy's."""
    times = isinstance(values, np.ndarray) and values.dtype.kind in "mM"
    return list(pd.Series(values) if times else values)


METHODS = {
    "itself": lambda s: s,
    "head": lambda s: (s.head(2), s.head(-1), s.tail(3), s.tail(0)),
    "isna": lambda s: (s.isna(), s.notna(), s.hasnans),
    "dropna": lambda s: (s.dropna(), s.dropna(ignore_index=True)),
    "ffill": lambda s: (s.ffill(), s.bfill(), s.ffill(limit=1)),
    "fillna its own": lambda s: s.fillna(s.iloc[0]),
    "fillna 0": lambda s: s.fillna(0),
    "fillna text": lambda s: s.fillna("x"),
    "reset_index": lambda s: (s.reset_index(), s.reset_index(drop=True)),
    "to_frame": lambda s: (s.to_frame(), s.to_frame("other")),
    "shift": lambda s: (s.shift(), s.shift(-2), s.shift(9)),
    "where": lambda s: s.where([True, False, True, False]),
    "mask": lambda s: s.mask([True, False, True, False]),
    "where its own": lambda s: s.where([True, False, True, False], s.iloc[1]),
    "drop": lambda s: s.drop(s.index[1]),
    "reindex": lambda s: s.reindex([*s.index[::-1], "q"]),
    "rename": lambda s: (s.rename("other"), s.add_prefix("p")),
    "to_numpy": lambda s: s.to_numpy(),
    "items": lambda s: [label for label, _ in s.items()],
    "dtype": lambda s: str(s.dtype),
    "shape": lambda s: (s.shape, s.size, s.ndim, s.empty, len(s)),
    "sort_values": lambda s: s.sort_values(kind="stable"),
    "sort_values down": lambda s: s.sort_values(ascending=False, kind="stable"),
    "sort_values missing first": lambda s: s.sort_values(na_position="first", kind="stable"),
    "sort_index": lambda s: (s.sort_index(), s.sort_index(ascending=False)),
    "argsort": lambda s: s.argsort(kind="stable"),
    "nlargest": lambda s: s.nlargest(2),
    "nsmallest": lambda s: (s.nsmallest(3, keep="last"), s.nsmallest(3, keep="all")),
    "duplicated": lambda s: [s.duplicated(keep) for keep in ("first", "last", False)],
    "drop_duplicates": lambda s: [
        s.drop_duplicates(keep=keep) for keep in ("first", "last", False)
    ],
    "unique": lambda s: (listed(s.unique()), s.nunique(), s.nunique(dropna=False), s.is_unique),
    "value_counts": lambda s: s.value_counts(),
    "value_counts of missing": lambda s: s.value_counts(normalize=True, dropna=False),
    "value_counts as they come": lambda s: s.value_counts(sort=False),
    "value_counts up": lambda s: s.value_counts(ascending=True),
    "is_monotonic": lambda s: (s.is_monotonic_increasing, s.is_monotonic_decreasing),
    "convert_dtypes": lambda s: s.convert_dtypes(),
    "infer_objects": lambda s: s.infer_objects(),
    "factorize": lambda s: s.factorize()[0].tolist(),
    "round": lambda s: s.round(1),
    "cumsum": lambda s: s.cumsum(),
    "cumprod": lambda s: s.cumprod(),
    "cummin": lambda s: s.cummin(),
    "cummax": lambda s: (s.cummax(), s.cummax(skipna=False)),
    "diff": lambda s: s.diff(),
    "pct_change": lambda s: s.pct_change(),
    "isin": lambda s: s.isin([s.iloc[0], s.iloc[3]]),
    "isin None": lambda s: s.isin([None]),
    "replace": lambda s: s.replace(s.iloc[0], s.iloc[1]),
    "replace by dict": lambda s: s.replace({s.iloc[0]: s.iloc[3]}),
    "replace list": lambda s: s.replace([s.iloc[0], s.iloc[1]], s.iloc[3]),
    "map by dict": lambda s: s.map({s.iloc[0]: 1}),
    "clip": lambda s: s.clip(s.iloc[0], s.iloc[3]),
    "between": lambda s: s.between(s.iloc[0], s.iloc[3]),
    "equals": lambda s: (s.equals(s.copy()), s.equals(s.iloc[::-1]), s.equals(1)),
    "repeat": lambda s: s.repeat(2),
    "combine_first": lambda s: s.combine_first(s.bfill()),
    "neg": lambda s: -s,
    "abs": lambda s: abs(s),
    "invert": lambda s: ~s,
    "truth": lambda s: bool(s),
    "squeeze": lambda s: s.iloc[:1].squeeze(),
    "align": lambda s: s.align(s.iloc[1:], join="inner"),
    "xs": lambda s: s.xs(s.index[1]),
    "get": lambda s: (s.get(s.index[3]), s.get("nothing", 7)),
    "valid_index": lambda s: (s.first_valid_index(), s.last_valid_index()),
}
# pandas refuses to look at some missing values here, and names other classes of errors.
BUT = {"pct_change": {"bool/str empty"}}


@pytest.mark.parametrize("name", METHODS)
def test_method(name):
    check_all(METHODS[name], SERIES, but=BUT.get(name, ()))


WITHOUT_ROWS = [
    name for name in METHODS if "its own" not in name and name not in (
        "where", "mask", "drop", "isin", "clip", "between", "replace", "replace by dict",
        "replace list", "map by dict", "get", "xs", "squeeze", "equals", "combine_first",
        "value_counts of missing", "fillna 0", "fillna text", "truth",
    )
]  # fmt: skip


@pytest.mark.parametrize("name", WITHOUT_ROWS)
def test_method_without_rows(name):
    check_all(METHODS[name], EMPTY, but=BUT.get(name, ()))


@pytest.mark.parametrize(
    "dtype", ["float64", "str", "object", "Int64", "category", "string", "bool", "Float32"]
)
def test_astype(dtype):
    check_all(lambda s: s.astype(dtype), SERIES)


@pytest.mark.parametrize("method", ["average", "min", "max", "first", "dense"])
@pytest.mark.parametrize("na_option", ["keep", "top", "bottom"])
def test_rank(method, na_option):
    check_all(lambda s: s.rank(method=method, na_option=na_option), FEW)
    check_all(lambda s: s.rank(method=method, na_option=na_option, ascending=False, pct=True), FEW)


@pytest.mark.parametrize(
    "method",
    [
        lambda s: s.rank(method="no"),
        lambda s: s.sort_values(na_position="no"),
        lambda s: s.duplicated(keep="no"),
        lambda s: s.fillna([1]),
        lambda s: s.isin(1),
        lambda s: s.head(2).item(),
        lambda s: s.replace(1),
        lambda s: s.between(1, 2, inclusive="no"),
        lambda s: s.sample(99),
        lambda s: s.quantile(2),
        lambda s: s.map(3),
        lambda s: s.dropna(axis=1),
        lambda s: s.drop("no"),
        lambda s: s.drop(),
        lambda s: s.rename([1]),
        lambda s: s.reindex([1], method="no"),
        lambda s: s.corr(s, method="no"),
        lambda s: s.truncate("z", "a"),
        lambda s: s.shift("a"),
    ],
)
def test_wrong_arguments(method):
    check(method, FEW["int/str"])


def test_in_place():
    def program(s):
        results = [
            s.sort_values(inplace=True),
            s.rename_axis("k", inplace=True),
            s.fillna(7, inplace=True),
        ]
        return s, [each is s for each in results]

    check(program, FEW["float/str"])
