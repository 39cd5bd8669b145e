"""Users' functions run as compiled code over columns, wherever that gives what Python gives.

Each function here gives None where Python has to go row by row; it has then said why, in one
`UserFunctionWarning`. The option ``"compute.user_functions"`` chooses: ``"auto"`` leaves short
columns to Python, for which that is faster than a compiler; ``"compile"`` compiles for those too;
``"python"`` never compiles, and does not warn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn, has_own_missing
from ..dtypes import NullableDtype
from ..missing_names import SERIES
from ..options import get_option
from ..shared import classes
from . import kernels
from .compiling.expressions import Row
from .compiling.kinds import BOOL, FLOAT, INT, NONE, Kind, Refused, kind_of_dtype
from .compiling.program import Program, program_of
from .row_by_row import add_row, warn_of

_FEWEST_ELEMENTS = 20_000
_FEWEST_ROWS = 1_000
_MODES = ("auto", "compile", "python")


class UserFunction:
    """A function with the arguments that follow the element or row."""

    def __init__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs

    def __call__(self, first: Any) -> Any:
        return self.function(first, *self.args, **self.kwargs)


def of_elements(
    function: UserFunction, column: Column, index: Any, na_action: str | None = None
) -> Column | None:
    """A function of each element of a column, as ``Series.map`` has it."""
    if not is_wanted(len(column), _FEWEST_ELEMENTS):
        return None
    return _attempted(function, lambda: _elements(function, column, na_action), index)


def of_rows(function: UserFunction, frame: Any) -> Column | None:
    """A function of each row of a frame, as ``DataFrame.apply(axis=1)`` has it."""
    if not is_wanted(len(frame), _FEWEST_ROWS) or not frame._parts:
        return None
    return _attempted(function, lambda: _rows(function, frame), frame._index)


def is_wanted(count: int, fewest: int) -> bool:
    """True if the option has that many things compiled. Raises ValueError for an unknown mode."""
    mode = get_option("compute.user_functions")
    if mode not in _MODES:
        raise ValueError(f"compute.user_functions is one of {_MODES}, not {mode!r}")
    return mode != "python" and count >= (fewest if mode == "auto" else 1)


def _attempted(function: UserFunction, compute: Callable[[], Column], index: Any) -> Column | None:
    """What compiled code gives. Raises the function's own error, with the row that it is of."""
    try:
        return compute()
    except Refused as refused:
        warn_of(function.function, str(refused), refused.line)
    except _StoppedAt as stopped:
        try:
            function(stopped.thing)
        except Exception as error:
            add_row(error, index, stopped.row)
            raise
        warn_of(function.function, f"compiled code stopped: {stopped}")
    return None


class _StoppedAt(Exception):
    """Compiled code raised for a row: Python's element or row goes with it."""

    def __init__(self, raised: kernels.RowRaised, row: int, thing: Any) -> None:
        super().__init__(str(raised))
        self.row = row
        self.thing = thing


# Elements.


def _elements(function: UserFunction, column: Column, na_action: str | None) -> Column:
    if not isinstance(column, NumberColumn):
        raise Refused(f"elements of {column.dtype} are Python's objects")
    there = _rows_there(column, na_action)
    values = _plain(column.values)
    program = program_of(
        function.function, function.args, function.kwargs, kind_of_dtype(values.dtype, False)
    )
    if there is None:
        return _of_column(column, program, values, None)
    rows = np.flatnonzero(there)
    if not len(rows):
        raise Refused("all elements are missing")
    return _of_column(column, program, values, rows)


def _rows_there(column: NumberColumn, na_action: str | None) -> np.ndarray | None:
    """Which elements the function gets; None for all."""
    is_nullable = isinstance(column.dtype, NullableDtype)
    if na_action is None:
        if is_nullable and column.has_missing():
            raise Refused("missing values of nullable columns are objects (na_action='ignore')")
        return None
    if not is_nullable and not has_own_missing(column.values.dtype):
        return None
    there = ~np.asarray(column.isna())
    return None if bool(there.all()) else there


def _of_column(
    column: NumberColumn, program: Program, values: np.ndarray, rows: np.ndarray | None
) -> Column:
    is_nullable = isinstance(column.dtype, NullableDtype)
    given = values if rows is None else values[rows]
    try:
        made, codes = kernels.run(program, [given])
    except kernels.RowRaised as raised:
        row = raised.row if rows is None else int(rows[raised.row])
        raise _StoppedAt(raised, row, values[row].item()) from None
    if rows is None:
        return assembled(made, codes, program.kinds)
    if is_nullable and codes is not None:
        raise Refused("results of several kinds among missing values")
    return _spread(assembled(made, codes, program.kinds), rows, len(column), is_nullable)


def _spread(made: Column, rows: np.ndarray, count: int, is_nullable: bool) -> Column:
    """Results at the rows that were there; the others are missing."""
    places = np.full(count, -1)
    places[rows] = np.arange(len(rows))
    if not isinstance(made, NumberColumn):
        objects = np.full(count, np.nan, object)
        objects[rows] = made.objects_of()
        return column_of(list(objects))
    if is_nullable:
        from ..columns.numbers import nullable

        made = nullable(made.values, None)
    elif made.dtype.kind == "b":
        return _spread(made.astype(np.dtype(object)), rows, count, False)
    return made.take(px.asarray(places), has_missing=True)


def _plain(values: Any) -> np.ndarray:
    """Numbers of 64 bits, as Python's are. Raises Refused for those that have no such form."""
    made = np.asarray(values)
    if made.dtype == np.uint64 and len(made) and made.max() > np.iinfo(np.int64).max:
        raise Refused("ints beyond 63 bits")
    wanted = {"i": np.int64, "u": np.int64, "f": np.float64}.get(made.dtype.kind)
    return made if wanted is None else made.astype(wanted, copy=False)


def assembled(values: Any, codes: Any, kinds: tuple[str, ...]) -> Column:
    """The column of results, in the dtype that pandas infers for Python's objects of these kinds.

    `codes` says which of several kinds each row has.
    """
    if codes is None:
        return NumberColumn(values)
    places = np.asarray(codes)
    found = {kind for i, kind in enumerate(kinds) if (places == i).any()}
    if found <= {INT} or found <= {BOOL} or found <= {FLOAT}:
        dtype = np.dtype({INT: np.int64, BOOL: np.bool_, FLOAT: np.float64}[found.pop()])
        return NumberColumn(values.astype(dtype))
    if found <= {INT, FLOAT, NONE} and found != {NONE}:
        floats = values.astype(np.float64)
        if NONE in found:
            floats = px.where(px.asarray(places == kinds.index(NONE)), np.nan, floats)
        return NumberColumn(floats)
    return column_of(list(_objects(np.asarray(values), places, kinds)))


def _objects(values: np.ndarray, places: np.ndarray, kinds: tuple[str, ...]) -> np.ndarray:
    made = np.full(len(values), None, object)
    dtypes = {INT: np.int64, BOOL: np.bool_, FLOAT: np.float64}
    for i, kind in enumerate(kinds):
        rows = places == i
        if kind != NONE:
            made[rows] = values[rows].astype(dtypes[kind]).astype(object)
    return made


# Rows.


def _rows(function: UserFunction, frame: Any) -> Column:
    labels = list(frame._columns)
    if len(set(labels)) != len(labels):
        raise Refused("labels of columns that are not unique")
    kinds = dict(zip(labels, _kinds_of_rows(frame), strict=True))
    attributes = {
        each
        for each in labels
        if isinstance(each, str) and each not in SERIES and not hasattr(classes.Series, each)
    }
    row = Row(kinds, attributes, labels)
    program = program_of(function.function, function.args, function.kwargs, row)
    if not program.columns:
        raise Refused("a function that looks at no element of the row")
    columns = [
        _converted(frame._parts[labels.index(each)], kinds[each]) for each in program.columns
    ]
    try:
        made, codes = kernels.run(program, columns)
    except kernels.RowRaised as raised:
        raise _StoppedAt(raised, raised.row, frame._row_series(raised.row)) from None
    return assembled(made, codes, program.kinds)


def _kinds_of_rows(frame: Any) -> list[Kind | None]:
    """The kinds of a row's elements: of the columns' common dtype, or objects of each column's."""
    dtype = frame._row_column(0).dtype if len(frame) else np.dtype(object)
    if isinstance(dtype, np.dtype) and dtype.kind != "O":
        kind = kind_of_dtype(dtype, True)
        return [kind for _ in frame._parts]
    if isinstance(dtype, NullableDtype):
        if any(each.has_missing() for each in frame._parts):
            raise Refused("rows of nullable columns with missing values")
        kind = kind_of_dtype(dtype.numpy_dtype, True)
        return [kind for _ in frame._parts]
    return [_kind_of_object(each) for each in frame._parts]


def _kind_of_object(column: Column) -> Kind | None:
    """What an element is in a row of objects; None for what is not compiled."""
    if not isinstance(column, NumberColumn) or not isinstance(column.dtype, np.dtype):
        return None
    return kind_of_dtype(column.dtype, False) if column.dtype.kind in "biuf" else None


def _converted(column: Column, kind: Kind | None) -> np.ndarray:
    assert isinstance(column, NumberColumn) and kind is not None
    values = _plain(column.values)
    return values.astype({INT: np.int64, FLOAT: np.float64, BOOL: np.bool_}[kind.base], copy=False)
