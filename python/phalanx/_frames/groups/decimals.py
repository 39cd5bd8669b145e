"""Aggregations and running results of decimals in groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import engine
from ..columns import decimal_rows
from ..columns.column import Column
from ..columns.decimals import DecimalColumn
from ..reductions.decimals import FOLDS, running, sum_dtype
from .grouping import Grouping


def folded(
    grouping: Grouping, column: DecimalColumn, name: str, keywords: Mapping[str, Any]
) -> Column:
    """sum, prod, mean, min or max of each group.

    Raises DecimalOverflowError for more digits than 38.
    """
    codes = engine.on_host(grouping.raw)
    words, counts = decimal_rows.fold(
        FOLDS[name], column.numbers, column.dtype.scale, codes, grouping.count
    )
    known = counts >= max(keywords.get("min_count", 0), 0 if name in ("sum", "prod") else 1)
    if not keywords.get("skipna", True) and column.valid is not None:
        lost = codes[~column.valid & (codes >= 0)]
        known[lost] = False
    valid = None if known.all() else known
    return grouping.arrange(DecimalColumn(words, valid, sum_dtype(name, column.dtype)))


def accumulated_in_groups(
    grouping: Grouping, column: DecimalColumn, name: str, known: Any
) -> Column:
    """cumsum, cummin or cummax in each group; missing are rows that are it, and those in none.

    `known` says which rows have a result, None those that are there. Raises TypeError for cumprod.
    """
    codes = engine.on_host(grouping.placed_codes)
    there = column.valid if known is None else np.asarray(known)
    if grouping.has_dropped:
        there = (codes >= 0) if there is None else there & (codes >= 0)
    made = running(column, name, codes, grouping.count, known=column.present())
    return DecimalColumn(made.words, there, made.dtype)
