"""The dtype that holds the values of several columns, and columns in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from ..columns.column import Column
from ..columns.numbers import storage_of
from ..dtypes import (
    OBJECT,
    STRING,
    CategoricalDtype,
    DatetimeTZDtype,
    Dtype,
    family,
    finer_unit,
    nullable_of,
    unit_of,
)


def common_dtype(left: Dtype, right: Dtype) -> Dtype:
    """The dtype that pandas takes for values of two; object where no other holds both."""
    if left == right:
        return left
    left, right = _of_values(left), _of_values(right)
    if left == right:
        return left
    rule = _RULES.get(frozenset({family(left), family(right)}))
    return OBJECT if rule is None else rule(left, right)


def _of_values(dtype: Any) -> Dtype:
    """The dtype of categories, which other values have too, or of unlike lists of them."""
    plain: Dtype = dtype.values.dtype if isinstance(dtype, CategoricalDtype) else dtype
    return plain


def _numbers(left: Any, right: Any) -> Dtype:
    return np.result_type(left, right)


def _nullables(left: Any, right: Any) -> Dtype:
    met = np.result_type(storage_of(left), storage_of(right))
    # Bools are no numbers, and there are no nullable complex numbers.
    unlike = (left.kind == "b") != (right.kind == "b") or met.kind == "c"
    return OBJECT if unlike else nullable_of(met)


def _times(left: Any, right: Any) -> Dtype:
    return np.dtype(f"{left.kind}8[{finer_unit(unit_of(left), unit_of(right))}]")


def _zoned(left: Any, right: Any) -> Dtype:
    if left.tz != right.tz:
        return OBJECT
    return DatetimeTZDtype(finer_unit(left.unit, right.unit), left.tz)


_RULES: dict[frozenset[str], Callable[[Any, Any], Dtype]] = {
    frozenset({"number"}): _numbers,
    frozenset({"nullable"}): _nullables,
    frozenset({"nullable", "number"}): _nullables,
    frozenset({"nullable", "bool"}): _nullables,
    frozenset({"datetime"}): _times,
    frozenset({"timedelta"}): _times,
    frozenset({"zoned"}): _zoned,
    frozenset({"text"}): lambda left, right: STRING,
}


def in_zone_of(column: Column, other: Column) -> Column:
    """Moments in the time zone of another column's; columns without zones as they are."""
    own, zone = column.dtype, other.dtype
    if not (isinstance(own, DatetimeTZDtype) and isinstance(zone, DatetimeTZDtype)):
        return column
    return column.astype(DatetimeTZDtype(own.unit, zone.tz))


def in_common(columns: Sequence[Column]) -> list[Column]:
    """The columns in the dtype that holds the values of all, ready to be joined."""
    dtype = reduce(common_dtype, (each.dtype for each in columns))
    return [each.astype(dtype) for each in columns]
