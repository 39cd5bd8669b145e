"""Series of every dtype, with and without missing values, and how columns are compared to them."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
from phalanx._frames.columns import Column, column_of
from phalanx._frames.columns.of_pandas import to_pandas


def _numbers() -> dict[str, pd.Series]:
    made = {
        "bool": pd.Series([True, False, True, True]),
        "int8": pd.Series([1, 0, -3, 7], dtype="int8"),
        "uint8": pd.Series([1, 0, 3, 200], dtype="uint8"),
        "int32": pd.Series([5, -2, 0, 9], dtype="int32"),
        "int64": pd.Series([1, 300, -3, 0]),
        "uint64": pd.Series([1, 0, 3, 9], dtype="uint64"),
        "float32": pd.Series([1.5, 2.0, -0.25, 0.0], dtype="float32"),
        "float32 NaN": pd.Series([np.nan, 2.0, -0.25, np.nan], dtype="float32"),
        "float64": pd.Series([1.5, 2.0, -0.25, 0.0]),
        "float64 NaN": pd.Series([1.5, np.nan, 0.0, np.inf]),
        "float64 whole": pd.Series([1.0, np.nan, 0.0, 1.0]),
        "complex": pd.Series([1 + 2j, 0, np.nan, 1]),
    }
    for name in ("Int8", "Int64", "UInt8", "Float32", "Float64"):
        made[name] = pd.Series([3, 1, 0, 3], dtype=name)
        made[f"{name} NA"] = pd.Series([3, None, 0, None], dtype=name)
    made["boolean"] = pd.Series([True, False, True, True], dtype="boolean")
    made["boolean NA"] = pd.Series([True, None, False, None], dtype="boolean")
    return made


def _times() -> dict[str, pd.Series]:
    dates = pd.Series(["2020-01-01", "1969-12-31 23:59:59.5", "2024-02-29 12:00", "2020-01-01"])
    dates = dates.astype("M8[ns]")
    made = {f"datetime {unit}": dates.astype(f"M8[{unit}]") for unit in ("s", "us", "ns")}
    made["datetime NaT"] = pd.Series(["2020-01-01", None, "2024-02-29", None], dtype="M8[us]")
    made["zoned"] = made["datetime us"].dt.tz_localize("Europe/Berlin")
    made["zoned NaT"] = made["datetime NaT"].dt.tz_localize("UTC")
    made["timedelta s"] = pd.Series([1, 86400, -5, 0], dtype="m8[s]")
    made["timedelta NaT"] = pd.Series([1500, None, 10**9, -1], dtype="m8[us]")
    made["timedelta ns"] = pd.Series([1500, 3, 10**9, -1], dtype="m8[ns]")
    return made


def _others() -> dict[str, pd.Series]:
    return {
        "str": pd.Series(["a", "", "naïve 你", "a"]),
        "str NaN": pd.Series(["b", None, "a", None]),
        "str numbers": pd.Series(["1", "20", "-3", "4"]),
        "str dates": pd.Series(["2020-01-01", "2020-01-02 12:00", "2024-02-29", "1999-12-31"]),
        "string NA": pd.Series(["b", None, "a", "b"], dtype="string"),
        "category": pd.Series(["b", "a", "c", "b"], dtype="category"),
        "category NaN": pd.Series(["b", None, "a", "b"], dtype="category"),
        "category ordered": pd.Series(
            ["b", "a", None, "b"], dtype=pd.CategoricalDtype(["c", "b", "a"], ordered=True)
        ),
        "category ints": pd.Series([3, 1, 3, 2], dtype="category"),
        "object ints": pd.Series([1, 2, 3, 1], dtype=object),
        "object None": pd.Series([1, None, 2, 1], dtype=object),
        "object mixed": pd.Series([1, "a", 2.5, None], dtype=object),
        "object dates": pd.Series([datetime.datetime(2020, 1, 1), None] * 2, dtype=object),
    }


class _Samples(Mapping):
    """A Series by its name, each time a copy: pandas' `cummax` and `cummin` write to their operand.

    They put the least or greatest number behind its missing values, where later powers and products
    meet it (`_cum_func` of pandas 3.1.1).
    """

    def __init__(self, made: dict[str, pd.Series]) -> None:
        self._made = made

    def __getitem__(self, name: str) -> pd.Series:
        return self._made[name].copy()

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


SAMPLES = _Samples({**_numbers(), **_times(), **_others()})


def assert_same(column: Column, expected: pd.Series, **options: object) -> None:
    """The column has the values, the dtype and the kind of missing values of a Series."""
    assert isinstance(column, Column)
    pd.testing.assert_series_equal(
        to_pandas(column), expected.reset_index(drop=True), check_names=False, **options
    )


def outcome(function, *arguments):
    """What a function gives, or the exception that it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments)
        except Exception as error:
            return error


def assert_outcome(actual, expected, **options: object) -> None:
    """The same values, or an exception of the class that pandas raises or of a base of it."""
    if isinstance(expected, Exception):
        assert isinstance(actual, Exception), f"pandas raises {expected!r}, here it is {actual!r}"
        allowed = type(expected).__mro__[:-3]
        assert isinstance(actual, allowed), f"{actual!r} where pandas raises {expected!r}"
        assert str(actual)
        return
    if isinstance(actual, Exception):
        raise actual
    assert_same(actual, expected, **options)


__all__ = ["SAMPLES", "assert_outcome", "assert_same", "column_of", "outcome"]
