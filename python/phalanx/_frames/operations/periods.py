"""Arithmetic and comparisons of columns of periods: of their numbers where the frequency is one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..columns.column import Column
from ..columns.inference import infer
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn
from ..columns.periods import PeriodColumn, of_period_objects
from ..missing import is_missing
from .operands import Operand, Scalar, operand, refuse


def has_periods(left: Operand, right: Operand) -> bool:
    """Returns whether one side is a column of periods."""
    return isinstance(left, PeriodColumn) or isinstance(right, PeriodColumn)


def period_result(left: Any, right: Any, column: ObjectColumn) -> Column:
    """Results of objects' arithmetic as periods where they are; without any as they were."""
    if bool(column.missing_rows().all()) and not (_are_periods(left) and _are_periods(right)):
        periods: Any = left if isinstance(left, PeriodColumn) else right
        nothing: Column = periods.missing(len(column))
        return nothing
    made = infer(column.objects)
    return made if isinstance(made, PeriodColumn) else column


def _are_periods(given: Any) -> bool:
    return isinstance(given, PeriodColumn) or hasattr(getattr(given, "value", None), "ordinal")


def counts_to_compare(name: str, left: Any, right: Any) -> tuple[Any, Any] | None:
    """Both sides as counts of one frequency; None where they are unlike and only that is asked.

    A text is a period beside periods. Raises TypeError for an order with what is no period of the
    same frequency.
    """
    periods = left if isinstance(left, PeriodColumn) else right
    try:
        one, other = (_counts(each, periods.dtype) for each in (left, right))
    except ValueError:
        one = other = None
    if one is not None and other is not None:
        return one, other
    if name not in ("eq", "ne"):
        refuse(name, left, right)
    return None


def _counts(given: Any, dtype: Any) -> Any:
    if isinstance(given, PeriodColumn):
        return given.counts if given.dtype == dtype else None
    if isinstance(given, Scalar):
        if not (isinstance(given.value, str) or hasattr(given.value, "ordinal")):
            return None
        one = of_period_objects(np.array([given.value], object), dtype)
        return operand(np.asarray(one.counts.values)[0])
    if isinstance(given, ObjectColumn):
        known = [is_missing(each) or hasattr(each, "ordinal") for each in given.objects]
        return of_period_objects(given.objects, dtype).counts if all(known) else None
    return None


def unlike(name: str, rows: int) -> Column:
    """Unequal in each row."""
    import phalanx as px

    return NumberColumn(px.full(rows, name == "ne"))
