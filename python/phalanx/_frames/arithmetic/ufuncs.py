"""NumPy's functions of series and frames."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..building.columns import is_frame, is_series, ours
from ..columns import Column
from ..columns.decimal_casts import floats_of
from ..columns.decimals import DecimalColumn
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..columns.selected import filter_of, over_all_rows
from ..dtypes import NullableDtype, nullable_of
from ..indexes.sets import same_name
from ..operations.unary import absolute
from ..shared.base import Labelled
from .operands import Aligned, _operand, _series_pair, frame_pairs

# Functions that are operators: the labels meet as for these.
_OPERATIONS = {
    "add": "add", "subtract": "sub", "multiply": "mul", "true_divide": "truediv",
    "divide": "truediv", "floor_divide": "floordiv", "remainder": "mod", "power": "pow",
    "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt",
    "greater_equal": "ge", "bitwise_and": "and_", "bitwise_or": "or_", "bitwise_xor": "xor",
}  # fmt: skip
_REFLECTED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
_REDUCTIONS = {
    "add": "sum", "multiply": "prod", "minimum": "min", "maximum": "max", "logical_and": "all",
    "logical_or": "any",
}  # fmt: skip


def applied(
    of: Any, ufunc: Any, method: str, inputs: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """What NumPy asks for by ``__array_ufunc__``: functions of elements, and reductions."""
    if keywords.pop("out", None) is not None:
        raise NotImplementedError(f"np.{ufunc.__name__}: out= cannot be a series or a frame")
    if method == "reduce" and ufunc.__name__ in _REDUCTIONS:
        keywords = {key: value for key, value in keywords.items() if key == "axis"}
        return getattr(of, _REDUCTIONS[ufunc.__name__])(skipna=False, **keywords)
    if method != "__call__":
        values = [np.asarray(each) if isinstance(each, Labelled) else each for each in inputs]
        return getattr(ufunc, method)(*values, **keywords)
    inputs = tuple(map(ours, inputs))
    if len(inputs) == 2 and ufunc.__name__ in _OPERATIONS and not keywords:
        return _operation(_OPERATIONS[ufunc.__name__], *inputs)
    return _elementwise(ufunc, inputs, keywords)


def _operation(name: str, left: Any, right: Any) -> Any:
    if isinstance(left, Labelled) and not (is_series(left) and is_frame(right)):
        return left._operation(name, right)  # type: ignore[attr-defined]
    reflected = _REFLECTED.get(name, f"r{name}")
    return right._operation(reflected, left)


def _elementwise(ufunc: Any, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    if len(inputs) == 1 and ufunc.__name__ == "negative":
        return -inputs[0]
    if len(inputs) == 1:
        of = inputs[0]
        columns = [_computed(ufunc, (each,), keywords) for each in of._parts]
        return _wrapped(of, columns, ufunc.nout)
    first = next(each for each in inputs if isinstance(each, Labelled))
    if len(inputs) > 2:
        raise NotImplementedError(
            f"np.{ufunc.__name__} of series and frames with {len(inputs)} operands"
        )
    other = inputs[1] if inputs[0] is first else inputs[0]
    swapped = inputs[0] is not first
    if first.ndim == 1 and is_frame(other):
        first, other, swapped = other, first, not swapped
    pairs, of = _pairs(first, other)
    columns = [
        _computed(ufunc, (b, a) if swapped else (a, b), keywords)
        for a, b in zip(pairs.lefts, pairs.rights, strict=True)
    ]
    return _wrapped(of, columns, ufunc.nout)


def _pairs(first: Any, other: Any) -> tuple[Any, Any]:
    if first.ndim == 2:
        pairs = frame_pairs(first, other, "add", 1, flexible=True)
        columns = first.columns if pairs.columns is None else pairs.columns
        return pairs, above.DataFrame._of(pairs.lefts, pairs.index, columns)
    if is_series(other):
        pairs = _series_pair(first, other, "add", True)
        name = first.name if same_name(first.name, other.name) else None
    else:
        pairs = Aligned([first._parts[0]], [_operand(other, first)], first._row_labels)
        name = first.name
    return pairs, above.Series._of(pairs.lefts[0], pairs.index, name)


def _wrapped(of: Any, columns: list[Any], outputs: int) -> Any:
    if outputs == 1:
        return of._keep_attrs(of._with(columns))
    return tuple(of._keep_attrs(of._with([each[i] for each in columns])) for i in range(outputs))


def _computed(ufunc: Any, operands: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The function of the values of columns, in our arrays where we have the function."""
    if any(isinstance(each, DecimalColumn) for each in operands):
        if ufunc.__name__ == "absolute":
            return absolute(operands[0])
        operands = tuple(
            floats_of(each) if isinstance(each, DecimalColumn) else each for each in operands
        )
    numbers = all(
        not isinstance(each, Column) or isinstance(each, NumberColumn) for each in operands
    )
    function = getattr(px, ufunc.__name__, None) if numbers else None
    chosen = filter_of(operands)
    if function is not None and chosen is not None and ufunc.nout == 1:
        made = over_all_rows(
            lambda *columns: _column(function(*map(_array, columns), **keywords), None),
            operands,
            chosen,
        )
        if made is not None:
            return made
    values = [_values(each, function is not None) for each in operands]
    made = (ufunc if function is None else function)(*values, **keywords)
    valid = _valid(operands)
    if isinstance(made, tuple):
        return tuple(_column(each, valid) for each in made)
    return _column(made, valid)


def _array(operand: Any) -> Any:
    return _values(operand, True)


def _values(operand: Any, ours_too: bool) -> Any:
    if not isinstance(operand, Column):
        return operand
    if ours_too:
        return operand.values  # type: ignore[attr-defined]
    return operand.to_numpy()


def _valid(operands: tuple[Any, ...]) -> Any:
    """None for plain columns; for nullable ones the rows that all of them have."""
    masks = [
        each.present()  # type: ignore[attr-defined]
        for each in operands
        if isinstance(each, Column) and isinstance(each.dtype, NullableDtype)
    ]
    if not masks:
        return None
    valid = masks[0]
    for each in masks[1:]:
        valid = valid & each
    return valid


def _column(values: Any, valid: Any) -> Column:
    if valid is not None:
        return NumberColumn(px.asarray(values), valid, nullable_of(values.dtype))
    return column_of(values)
