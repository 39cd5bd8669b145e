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

from .. import above
from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn, has_own_missing, nullable
from ..columns.strings import StringColumn
from ..dtypes import STR, NullableDtype, StringDtype
from ..missing_names import SERIES
from ..options import get_option
from . import kernels
from .compiling.expressions import Row
from .compiling.kinds import BOOL, FLOAT, INT, Kind, Refused, kind_of_dtype
from .compiling.program import Program, program_of
from .compiling.texts import Texts
from .places import computed_on_host, on_host
from .results import result_of
from .row_by_row import add_row, warn_of
from .text_columns import TextColumns, missing_of, texts_in, without_mask

_FEWEST_ELEMENTS = 20_000
_FEWEST_ROWS = 1_000


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

    def compute() -> Column:
        return _elements(function, column, na_action)

    return _attempted(function, lambda: computed_on_host(compute, [column]), index)


def of_rows(function: UserFunction, frame: Any) -> Column | None:
    """A function of each row of a frame, as ``DataFrame.apply(axis=1)`` has it."""
    if not is_wanted(len(frame), _FEWEST_ROWS) or not frame._parts:
        return None

    def compute() -> Column:
        return _rows(function, frame)

    return _attempted(function, lambda: computed_on_host(compute, frame._parts), frame._index)


def is_wanted(count: int, fewest: int) -> bool:
    """True if the option has that many things compiled."""
    mode = get_option("compute.user_functions")
    return mode != "python" and count >= (fewest if mode == "auto" else 1)


def _attempted(function: UserFunction, compute: Callable[[], Column], index: Any) -> Column | None:
    """What compiled code gives. Raises the function's own error, with the row that it is of."""
    try:
        return compute()
    except Refused as refused:
        warn_of(function.function, str(refused), refused.place)
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
    texts = texts_in(column)
    if texts is not None:
        return _elements_of_texts(function, texts, na_action)
    if not isinstance(column, NumberColumn):
        raise Refused(f"elements of {column.dtype} are Python's objects")
    there = _rows_there(column, na_action)
    values = _plain(column.values)
    kind = kind_of_dtype(values.dtype, False)._replace(symbol=("column", None))
    program = program_of(function.function, function.args, function.kwargs, kind)
    if there is None:
        return _of_column(column, program, values, None)
    rows = np.flatnonzero(there)
    if not len(rows):
        raise Refused("all elements are missing")
    return _of_column(column, program, values, rows)


def _elements_of_texts(
    function: UserFunction, column: StringColumn, na_action: str | None
) -> Column:
    rows, given = None, column
    if na_action is not None and column.has_missing():
        rows = np.flatnonzero(np.asarray(column.present()))
        if not len(rows):
            raise Refused("all elements are missing")
        given = column.take(px.asarray(rows))
    given = without_mask(given)
    texts = Texts()
    kind = texts.base(0, missing_of(given))
    program = program_of(function.function, function.args, function.kwargs, kind, texts)
    try:
        made = result_of(program, [], TextColumns(texts, [given], {}, len(given)))
    except kernels.RowRaised as raised:
        row = raised.row if rows is None else int(rows[raised.row])
        raise _StoppedAt(raised, row, column.element(row)) from None
    if rows is None:
        return made
    if column.dtype != STR and len(program.kinds) > 1 and not isinstance(made, StringColumn):
        raise Refused("results of several kinds among missing values")
    return _spread_texts(made, rows, column)


def _spread_texts(made: Column, rows: np.ndarray, column: StringColumn) -> Column:
    """Results at the rows that were there; the others are the column's missing value."""
    if column.dtype == STR and isinstance(made, StringColumn):
        places = np.full(len(column), -1)
        places[rows] = np.arange(len(rows))
        return made.take(px.asarray(places), has_missing=True)
    if column.dtype == STR and isinstance(made, NumberColumn):
        return _spread(made, rows, len(column), False)
    objects = np.full(len(column), column.dtype.na_value, object)
    objects[rows] = made.objects_of()
    return column_of(list(objects))


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
        texts = TextColumns(program.texts, [], {None: given}, len(given))
        made = result_of(program, [given], texts)
    except kernels.RowRaised as raised:
        row = raised.row if rows is None else int(rows[raised.row])
        raise _StoppedAt(raised, row, values[row].item()) from None
    if rows is None:
        return made
    if is_nullable and program.kinds not in ((INT,), (FLOAT,), (BOOL,)):
        raise Refused("results of several kinds among missing values")
    return _spread(made, rows, len(column), is_nullable)


def _spread(made: Column, rows: np.ndarray, count: int, is_nullable: bool) -> Column:
    """Results at the rows that were there; the others are missing."""
    places = np.full(count, -1)
    places[rows] = np.arange(len(rows))
    if not isinstance(made, NumberColumn):
        objects = np.full(count, np.nan, object)
        objects[rows] = made.objects_of()
        return column_of(list(objects))
    if is_nullable:
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


# Rows.


def _rows(function: UserFunction, frame: Any) -> Column:
    labels = list(frame._columns)
    if len(set(labels)) != len(labels):
        raise Refused("labels of columns that are not unique")
    texts = Texts()
    bases: list[StringColumn] = []
    kinds = dict(zip(labels, _kinds_of_rows(frame, texts, bases), strict=True))
    attributes = {
        each
        for each in labels
        if isinstance(each, str) and each not in SERIES and not hasattr(above.Series, each)
    }
    row = Row(kinds, attributes, labels)
    program = program_of(function.function, function.args, function.kwargs, row, texts)
    columns = [
        _converted(frame._parts[labels.index(each)], kinds[each]) for each in program.columns
    ]
    numbers = dict(zip(program.columns, columns, strict=True))
    try:
        return result_of(program, columns, TextColumns(texts, bases, numbers, len(frame)))
    except kernels.RowRaised as raised:
        raise _StoppedAt(raised, raised.row, frame._row_series(raised.row)) from None


def _kinds_of_rows(frame: Any, texts: Texts, bases: list[StringColumn]) -> list[Kind | None]:
    """The kinds of a row's elements: of the columns' common dtype, or objects of each column's.

    Columns of texts are added to `bases`.
    """
    dtype = frame._row_column(0).dtype if len(frame) else np.dtype(object)
    if isinstance(dtype, StringDtype) or dtype == np.dtype(object):
        return [
            _kind_of_object(*each, texts, bases)
            for each in zip(frame._columns, frame._parts, strict=True)
        ]
    if isinstance(dtype, np.dtype) and dtype.kind != "O":
        kind = kind_of_dtype(dtype, True)
        return [kind._replace(symbol=("column", each)) for each in frame._columns]
    if isinstance(dtype, NullableDtype):
        if any(each.has_missing() for each in frame._parts):
            raise Refused("rows of nullable columns with missing values")
        kind = kind_of_dtype(dtype.numpy_dtype, True)
        return [kind._replace(symbol=("column", each)) for each in frame._columns]
    return [None for _ in frame._parts]


def _kind_of_object(
    label: Any, column: Column, texts: Texts, bases: list[StringColumn]
) -> Kind | None:
    """What an element is in a row of objects; None for what is not compiled."""
    if isinstance(column, StringColumn):
        given = without_mask(on_host(column))
        if any(given.has_missing() and each.has_missing() and given.dtype != each.dtype
               for each in bases):  # fmt: skip
            return None  # What is missing would be NaN in one and NA in the other.
        bases.append(given)
        return texts.base(len(bases) - 1, missing_of(given))
    if not isinstance(column, NumberColumn) or not isinstance(column.dtype, np.dtype):
        return None
    if column.dtype.kind not in "biuf":
        return None
    return kind_of_dtype(column.dtype, False)._replace(symbol=("column", label))


def _converted(column: Column, kind: Kind | None) -> np.ndarray:
    assert isinstance(column, NumberColumn) and kind is not None
    values = _plain(column.values)
    return values.astype({INT: np.int64, FLOAT: np.float64, BOOL: np.bool_}[kind.base], copy=False)
