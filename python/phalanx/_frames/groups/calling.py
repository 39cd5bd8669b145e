"""Functions of users on groups: which of them the engine has, and what their results make."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..building.columns import is_frame, is_series
from ..columns.column import Column
from ..columns.making import column_of, empty
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn, object_array
from ..dtypes import NullableDtype, StringDtype, nullable_of
from ..functions.applying import _is_hashable, function_name
from ..indexes.index import Index
from ..missing import is_missing
from .aggregation import NAMES

# Functions of which the engine has the same: name and keywords.
_SAME: dict[Any, tuple[str, dict[str, Any]]] = {
    np.sum: ("sum", {}), np.mean: ("mean", {}), np.max: ("max", {}), np.min: ("min", {}),
    np.std: ("std", {"ddof": 0}), np.var: ("var", {"ddof": 0}), np.prod: ("prod", {}),
    len: ("size", {}), np.size: ("size", {}),
}  # fmt: skip
# The same only where nothing is missing, which these do not skip.
_SAME_OF_WHOLE: dict[Any, str] = {
    builtins.sum: "sum",
    builtins.max: "max",
    builtins.min: "min",
    np.median: "median",
}
_WIDE = (np.dtype(np.int64), np.dtype(np.float64))


def known(func: Any, column: Column) -> tuple[str, dict[str, Any]] | None:
    """The aggregation and its keywords that a name or function means; None for others."""
    if isinstance(func, str):
        return (func, {}) if func in NAMES and func != "quantile" else None
    if not _is_hashable(func):
        return None
    if func is len and column.dtype.kind not in "iu":
        return None if isinstance(column.dtype, NullableDtype) else _SAME[func]
    if column.dtype not in _WIDE or not len(column):
        return None
    if func in _SAME:
        return _SAME[func]
    if func in _SAME_OF_WHOLE and not column.has_missing():
        return _SAME_OF_WHOLE[func], {}
    return None


def names_of(functions: list[Any]) -> list[Any]:
    """The labels of results; lambdas of a list of several functions are numbered."""
    names = [_name_of(each) for each in functions]
    if len(names) < 2:
        return names
    made, number = [], 0
    for each in names:
        if each == "<lambda>":
            made.append(f"<lambda_{number}>")
            number += 1
        else:
            made.append(each)
    return made


def _name_of(function: Any) -> Any:
    """The name of a function, of an object that can be called its class's."""
    plain = isinstance(function, str) or hasattr(function, "__name__") or hasattr(function, "func")
    return function_name(function) if plain else type(function).__name__


@contextmanager
def told(label: Any) -> Iterator[None]:
    """An error of a user's function says of which group it is."""
    try:
        yield
    except Exception as error:
        error.add_note(f"groupby: raised for the group {label!r}")
        raise


def scalar_of(result: Any) -> Any:
    """The only element of a series or an array of one, as pandas takes it."""
    if isinstance(result, np.ndarray) and result.ndim == 1 and len(result) == 1:
        return result[0]
    if is_series(result) or isinstance(result, Index):
        if len(result) == 1:
            return (
                result._values_column().element(0)
                if isinstance(result, Index)
                else (result._parts[0].element(0))
            )
        return result.to_numpy()
    return result


def column_of_results(results: list[Any], column: Column) -> Column:
    """What a function gave for the groups of a column, in the dtype that pandas gives it."""
    if not results:
        return empty(column.dtype)
    if isinstance(column.dtype, NullableDtype):
        return _nullable_results(results, column)
    if any(isinstance(each, (np.ndarray, list, tuple, dict, set)) for each in results):
        return ObjectColumn(object_array(results))
    made = _like_dates(results, column)
    if made is None:
        made = column_of(results)
    return narrowed(made, column)


def _like_dates(results: list[Any], column: Column) -> Column | None:
    """Dates of the column's own unit."""
    if column.dtype.kind not in "mM" or not isinstance(column.dtype, np.dtype):
        return None
    kinds = {getattr(getattr(each, "dtype", None), "kind", "") for each in results}
    if kinds != {column.dtype.kind}:
        return None
    return column_of(np.array(results, column.dtype))


def narrowed(made: Column, column: Column) -> Column:
    """Numbers in the dtype of the column that they are of, where that holds them."""
    dtype = column.dtype
    if isinstance(dtype, StringDtype):
        return made.astype(dtype) if isinstance(made.dtype, StringDtype) else made
    both = (made.dtype.kind, dtype.kind)
    is_alike = (both[0] in "iu" and both[1] in "iu") or both in (("f", "f"), ("c", "c"))
    if not is_alike or made.dtype == dtype or not isinstance(dtype, np.dtype):
        return made
    if not isinstance(made, NumberColumn) or not isinstance(made.dtype, np.dtype):
        return made
    values = np.asarray(made.values)
    smaller = values.astype(dtype)
    if both[0] in "iu":
        return column_of(smaller) if (smaller == values).all() else made
    is_close = np.allclose(smaller, values, equal_nan=True, rtol=0)
    return column_of(smaller) if is_close else made


def _nullable_results(results: list[Any], column: Column) -> Column:
    gone = [is_missing(each) for each in results]
    if all(gone):
        return column_of([None] * len(results), column.dtype)
    there = column_of([each for each, is_gone in zip(results, gone, strict=True) if not is_gone])
    if there.dtype.kind not in "biuf" or not isinstance(there.dtype, np.dtype):
        return column_of(results)
    dtype: Any = nullable_of(there.dtype)
    if dtype.kind == column.dtype.kind:
        dtype = column.dtype
    return column_of([None if g else v for v, g in zip(results, gone, strict=True)], dtype)


def is_like(result: Any, piece: Any) -> bool:
    """True for a series or frame of a group's rows: as many dimensions, and the same labels."""
    if is_series(result):
        return piece.ndim == 1 and bool(result.index.equals(piece.index))
    return is_frame(result) and bool(result.index.equals(piece.index))


Function = Callable[..., Any]
