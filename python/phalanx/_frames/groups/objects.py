"""Aggregations of Python's objects, one group after the other on the host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn
from ..columns.periods import PeriodColumn, of_period_objects
from ..missing import is_missing
from ..statistics.columns import reduced
from .grouping import Grouping

_TRUTHS = ("any", "all")


def by_python(
    grouping: Grouping, column: ObjectColumn, name: str, keywords: Mapping[str, Any]
) -> Column:
    """What `name` makes of the objects of each group: objects, of truths bools.

    Raises what the objects raise, mostly TypeError.
    """
    rows, bounds = grouping.rows, grouping.bounds
    objects = column.objects[rows]
    known = {key: keywords[key] for key in ("skipna", "ddof") if key in keywords}
    made = np.empty(grouping.count, object)
    for group in range(grouping.count):
        part = objects[bounds[group] : bounds[group + 1]]
        made[group] = _reduced(part, name, known, keywords.get("min_count", -1))
    if name in _TRUTHS:
        return NumberColumn(px.asarray(made.astype(bool)))
    if name in ("std", "sem"):
        return NumberColumn(px.asarray(made.astype(np.float64)))
    if isinstance(column, PeriodColumn) and name in ("min", "max"):
        return of_period_objects(made, column.dtype)
    return ObjectColumn(made)


def _reduced(part: np.ndarray, name: str, known: dict[str, Any], least: int) -> Any:
    if name == "sum" and least > 0 and sum(not is_missing(each) for each in part) < least:
        return None
    if name == "sum" and known.get("skipna", True):
        total: Any = None
        for each in part:
            if not is_missing(each):
                total = each if total is None else total + each
        return 0 if total is None else total
    if not len(part) and name not in (*_TRUTHS, "prod"):
        return np.nan
    return reduced(name, ObjectColumn(part), **known)
