"""Reductions and running results of decimals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrow_dtypes import MOST_DIGITS, DecimalDtype
from ..columns import decimal_rows
from ..columns.decimal_casts import floats_of
from ..columns.decimals import DecimalColumn
from ..missing import NA

# What is computed of the decimals themselves, and what the engine calls it.
FOLDS = {"sum": "sum", "prod": "product", "mean": "mean", "min": "min", "max": "max"}


def sum_dtype(name: str, dtype: DecimalDtype) -> DecimalDtype:
    """The dtype of a reduction: sums and products have as many digits as there are."""
    return DecimalDtype(MOST_DIGITS, dtype.scale) if name in ("sum", "prod") else dtype


def of_decimals(
    name: str, column: DecimalColumn, skipna: bool, min_count: int, reduce: Callable[..., Any]
) -> Any:
    """A decimal for sums, products, means and extremes, a bool for truths, else a float.

    Raises DecimalOverflowError for more digits than 38.
    """
    if name in ("any", "all"):
        there = column.present()
        truths = column.words.any(axis=1) & there if name == "any" else (
            column.words.any(axis=1) | ~there
        )  # fmt: skip
        return np.bool_(truths.any() if name == "any" else truths.all())
    if not skipna and column.has_missing():
        return NA
    if name not in FOLDS:
        return reduce(floats_of(column), name)
    words, counts = decimal_rows.fold(FOLDS[name], column.numbers, column.dtype.scale)
    least = min_count if name in ("sum", "prod") else 1
    return NA if counts[0] < least else column.decimal_of(words[0])


_RUNS = {"cumsum": "sum", "cummin": "min", "cummax": "max"}


def running(
    column: DecimalColumn, name: str, codes: Any = None, groups: int = 1, known: Any = None
) -> DecimalColumn:
    """cumsum, cummin or cummax of the rows of a group up to each; missing rows stay missing.

    `known` says which rows have a result, None those that are there. Raises TypeError for cumprod
    and DecimalOverflowError for more digits than 38.
    """
    if name not in _RUNS:
        raise TypeError(
            f"operation '{name}' not supported for dtype '{column.dtype}': cast to float64 before"
        )
    words = decimal_rows.run(_RUNS[name], column.numbers, codes, groups)
    dtype = DecimalDtype(MOST_DIGITS, column.dtype.scale) if name == "cumsum" else column.dtype
    return DecimalColumn(words, column.valid if known is None else known, dtype)


def accumulated(column: DecimalColumn, name: str, skipna: bool) -> DecimalColumn:
    """The same of all rows; with `skipna` False rows after the first missing one are missing."""
    known = None
    if not skipna and column.valid is not None:
        known = np.logical_and.accumulate(column.valid)
    return running(column, name, known=known)
