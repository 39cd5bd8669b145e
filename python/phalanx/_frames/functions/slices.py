"""Users' functions of groups and windows as compiled code, wherever that gives what pandas gives.

As in `compiled`, None says that Python has to call the function for each group or window, after
one `UserFunctionWarning` that says why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import above
from ..columns import Column
from ..columns.numbers import NumberColumn
from ..dtypes import NullableDtype
from .compiled import UserFunction, is_wanted
from .compiling.kinds import NONE, Kind, Refused, kind_of_dtype
from .compiling.slice_program import program_of_slices
from .compiling.slice_statements import GivesRows
from .compiling.slices import Table
from .of_arrays import SliceRaised, run
from .results import assembled
from .row_by_row import warn_of

FEWEST_SLICES = 1_000
_ROW_BY_ROW = "for each group or window"


class Slices(NamedTuple):
    """Rows that lie one after the other: where each group or window begins and ends, as int64."""

    starts: np.ndarray
    ends: np.ndarray
    # Python's call for one of them, which raises the error that is to be seen.
    call: Callable[[int], Any]


def of_windows(
    function: UserFunction, values: np.ndarray, slices: Slices, *, raw: bool
) -> np.ndarray | None:
    """The floats that a function gives for windows of floats: arrays, or without `raw` series."""

    def compute() -> np.ndarray:
        kind = Kind("float", True)
        program = _program(function, kind, is_series=not raw)
        if NONE in program.kinds:
            raise Refused("a result that is None")
        made: np.ndarray = _run(program, [values], slices)[0]
        return made.astype(np.float64, copy=False)

    return _attempted(function, slices, compute)  # type: ignore[no-any-return]


def of_groups(function: UserFunction, column: Column, slices: Slices) -> Column | None:
    """What a function of a series gives for each group: a number or None."""

    def compute() -> Column:
        values, kind = _values(column)
        program = _program(function, kind)
        return assembled_of(program.kinds, *_run(program, [values], slices))

    return _attempted(function, slices, compute)  # type: ignore[no-any-return]


def rows_of_groups(
    function: UserFunction, column: Column, slices: Slices, *, only_series: bool = False
) -> Column | None:
    """What a function of a series gives for the rows of each group, which lie as in the column.

    A number is one for all rows of a group; with `only_series` it is refused.
    """

    def compute() -> Column:
        values, kind = _values(column)
        program = _program(function, kind, results="series" if only_series else "rows")
        return assembled_of(program.kinds, *_run(program, [values], slices, of_rows=True))

    return _attempted(function, slices, compute)  # type: ignore[no-any-return]


def of_group_frames(
    function: UserFunction, frame: Any, slices: Slices, *, take: Callable[[Column], Column]
) -> Column | None:
    """What a function of a frame gives for each group: a number or None.

    `take` puts a column's rows in the order of the slices: only columns that are looked at are.
    """

    def compute() -> Column:
        labels = list(frame._columns)
        if len(set(labels)) != len(labels):
            raise Refused("labels of columns that are not unique")
        kinds = {
            label: _kind_or_reason(each) for label, each in zip(labels, frame._parts, strict=True)
        }
        attributes = {
            each for each in labels if isinstance(each, str) and not hasattr(above.DataFrame, each)
        }
        program = _program(function, Table(kinds, attributes))
        columns = [_values(take(frame._parts[labels.index(each)]))[0] for each in program.columns]
        return assembled_of(program.kinds, *_run(program, columns, slices))

    return _attempted(function, slices, compute)  # type: ignore[no-any-return]


def gives_rows(function: UserFunction, column: Column) -> bool:
    """True for a function that is compiled and gives a series of a group's rows."""
    try:
        _program(function, _values(column)[1])
    except GivesRows:
        return True
    except Refused:
        return False
    return False


def _program(function: UserFunction, of: Any, **keywords: Any) -> Any:
    given = function.function, function.args, function.kwargs
    return program_of_slices(*given, of, **keywords)


def _run(program: Any, columns: list[np.ndarray], slices: Slices, **keywords: Any) -> Any:
    starts, ends = (np.ascontiguousarray(each, np.int64) for each in slices[:2])
    return run(program, columns, starts, ends, **keywords)


def assembled_of(kinds: tuple[str, ...], values: np.ndarray, codes: Any) -> Column:
    """The column of results, as for functions of elements."""
    import phalanx as px

    return assembled(px.asarray(values), codes, kinds)


def _attempted(function: UserFunction, slices: Slices, compute: Callable[[], Any]) -> Any:
    """What compiled code gives. Raises the function's own error for the first group or window."""
    if not is_wanted(len(slices.starts), FEWEST_SLICES):
        return None
    try:
        return compute()
    except Refused as refused:
        warn_of(function.function, str(refused), refused.place, _ROW_BY_ROW)
    except SliceRaised as raised:
        slices.call(raised.number)
        warn_of(function.function, f"compiled code stopped: {raised}", how=_ROW_BY_ROW)
    return None


def _kind_or_reason(column: Column) -> Kind | Refused:
    try:
        return _kind(column)
    except Refused as refused:
        return refused


def _kind(column: Column) -> Kind:
    """The kind of a series' elements. Raises Refused for those of other dtypes than 64 bits."""
    if not isinstance(column, NumberColumn) or isinstance(column.dtype, NullableDtype):
        raise Refused(f"values of {column.dtype} are not compiled")
    return kind_of_dtype(np.dtype(column.dtype), True)  # type: ignore[arg-type]


def _values(column: Column) -> tuple[np.ndarray, Kind]:
    kind = _kind(column)
    assert isinstance(column, NumberColumn)
    return np.asarray(column.values), kind
