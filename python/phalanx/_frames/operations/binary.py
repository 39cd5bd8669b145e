"""Arithmetic, comparisons and logic of two operands: a rule for each pair of families."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..columns.column import Column
from ..columns.inference import infer
from ..columns.objects import object_array
from ..columns.time_texts import date_of_text, duration_of_text
from ..dtypes import DatetimeTZDtype
from ..missing import NA, is_missing
from ..scalars import Timestamp
from . import comparisons, logical, offsets, texts, times
from .decimals import compare_decimals, decimal_arithmetic
from .lists import compare_lists
from .numeric import nullable_arithmetic, plain_arithmetic
from .object_arithmetic import object_arithmetic, object_logic
from .operands import Scalar, family_of, length_of, operand, refuse, scalar_of

Rule = Callable[[str, Any, Any], Column]
Line = tuple[tuple[str, ...], tuple[str, ...], Rule]

_PLAIN = ("bool", "number")
_NUMBERS = (*_PLAIN, "nullable")
_DATES = ("datetime", "zoned")
_OTHERS = ("timedelta", "decimal", "text", "category", "list", "object", "missing", "offset")
_ALL = (*_NUMBERS, *_DATES, *_OTHERS)


def _table(lines: list[Line], default: Rule) -> dict[tuple[str, str], Rule]:
    """The rule for each pair of families, whichever side each is on; later lines win."""
    table = dict.fromkeys(((left, right) for left in _ALL for right in _ALL), default)
    for firsts, seconds, rule in lines:
        for first in firsts:
            for second in seconds:
                table[first, second] = table[second, first] = rule
    return table


def _nan_or_na(name: str, left: Any, right: Any) -> Column:
    """NaN among numbers is a float, NA an object, and None is refused."""
    scalar = left if isinstance(left, Scalar) else right
    if isinstance(scalar.value, float):
        number = Scalar("number", float("nan"), "float")
        return plain_arithmetic(name, *((number, right) if scalar is left else (left, number)))
    if scalar.value is NA:
        return object_arithmetic(name, left, right)
    return refuse(name, left, right)


_ARITHMETIC = _table(
    [
        (_PLAIN, _PLAIN, plain_arithmetic),
        (("nullable",), _NUMBERS, nullable_arithmetic),
        (_DATES, (*_DATES, "timedelta"), times.date_arithmetic),
        (("timedelta",), ("timedelta",), times.duration_arithmetic),
        (("timedelta",), ("number", "nullable"), times.duration_by_number),
        (("offset",), (*_DATES, "timedelta"), offsets.moved_by),
        (("text",), ("text",), texts.text_arithmetic),
        (("text",), ("number", "nullable"), texts.repeated),
        (("object",), _ALL, object_arithmetic),
        (("category",), _ALL, refuse),
        (("decimal",), _ALL, decimal_arithmetic),
        (("decimal",), ("category", "list"), refuse),
        (("missing",), _PLAIN, _nan_or_na),
        (("missing",), ("nullable",), nullable_arithmetic),
        (("missing",), (*_DATES, "timedelta"), times.with_nothing),
        (("missing",), ("text",), texts.with_nothing),
    ],
    refuse,
)


def _decoded(name: str, left: Any, right: Any) -> Column:
    """A category beside another column is what it is a category of; only the other side orders."""
    category, other = (left, right) if family_of(left) == "category" else (right, left)
    if isinstance(other, Scalar):
        return comparisons.compare_category(name, left, right)
    if category is left and name not in ("eq", "ne"):
        raise TypeError(
            f"Cannot compare a Categorical for op __{name}__ with dtype {other.dtype}; "
            "compare with a column of the same categories"
        )
    values = category.values()
    return compare(name, *((values, right) if category is left else (left, values)))


def _text_with_times(name: str, left: Any, right: Any) -> Column:
    """A text is a date or a duration beside such a column, if it can be read as one."""
    scalar = left if isinstance(left, Scalar) else right
    column = right if scalar is left else left
    if family_of(column if isinstance(scalar, Scalar) else left) == "text":
        return comparisons.compare_unlike(name, left, right)
    try:
        if not isinstance(scalar, Scalar):
            return compare(name, left, _read_all(right, left.dtype))
        read = scalar_of(_read(scalar.value, column.dtype))
    except ValueError:
        return comparisons.compare_unlike(name, left, right)
    pair = (read, column) if scalar is left else (column, read)
    return compare(name, *pair)


def _read_all(texts: Column, dtype: Any) -> Column:
    """The texts of a column as dates or durations, each counted as finely as it says."""
    read = [each if is_missing(each) else _read(each, dtype) for each in texts.tolist()]
    made = infer(object_array(read))
    return made if made.dtype != object else made.astype(dtype)


def _read(text: str, dtype: Any) -> Any:
    """A text as a date or a duration; what has no zone of its own is of the dtype's."""
    if dtype.kind == "m":
        return duration_of_text(text)
    read = date_of_text(text)
    if isinstance(dtype, DatetimeTZDtype) and isinstance(read, np.datetime64):
        return Timestamp(read, tz=dtype.tz)
    return read


def _lists(name: str, left: Any, right: Any) -> Column:
    return compare_lists(name, left, right, compare)


_COMPARISONS = _table(
    [
        (_PLAIN, _PLAIN, comparisons.compare_values),
        (("nullable",), _NUMBERS, comparisons.compare_nullable),
        (("datetime",), ("datetime",), comparisons.compare_values),
        (("zoned",), ("zoned",), comparisons.compare_values),
        (("timedelta",), ("timedelta",), comparisons.compare_values),
        (("text",), ("text",), texts.compare_texts),
        (("text",), (*_DATES, "timedelta"), _text_with_times),
        (("object",), _ALL, comparisons.compare_objects),
        (("category",), _ALL, _decoded),
        (("category",), ("category",), comparisons.compare_categories),
        (("missing",), _ALL, comparisons.compare_with_nothing),
        (("decimal",), _ALL, compare_decimals),
        (("list",), _ALL, _lists),
        (("decimal", "list"), ("category",), _decoded),
    ],
    comparisons.compare_unlike,
)

_LOGICAL = _table(
    [
        (_PLAIN, _PLAIN, logical.plain_logical),
        (("nullable",), _NUMBERS, logical.nullable_logical),
        (("object",), ("object", *_NUMBERS), object_logic),
        (("missing",), _NUMBERS, logical.logical_with_nothing),
    ],
    refuse,
)


def _apply(table: dict[tuple[str, str], Rule], name: str, left: Any, right: Any) -> Column:
    first, second = operand(left), operand(right)
    length_of(first, second)
    return table[family_of(first), family_of(second)](name, first, second)


def arithmetic(name: str, left: Any, right: Any) -> Column:
    """A row by row sum, product or the like, of two columns or a column and a scalar.

    `name` is add, sub, mul, truediv, floordiv, mod or pow. Results have pandas' dtypes. Raises
    TypeError, with both dtypes, for what has no such operation, and ValueError for other lengths.
    """
    return _apply(_ARITHMETIC, name, left, right)


def compare(name: str, left: Any, right: Any) -> Column:
    """Row by row: eq, ne, lt, le, gt or ge, as bool or, of nullable dtypes, boolean.

    Raises TypeError, with both dtypes, for an order of what has none, and ValueError for other
    lengths.
    """
    return _apply(_COMPARISONS, name, left, right)


def logical_operation(name: str, left: Any, right: Any) -> Column:
    """Row by row: and, or, xor. Raises TypeError, with both dtypes, and ValueError for lengths."""
    return _apply(_LOGICAL, name, left, right)
