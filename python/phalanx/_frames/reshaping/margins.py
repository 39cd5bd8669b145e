"""The margins of pivot tables: what all rows, and all columns, give together."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import above
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..combining.concat import concat
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..missing import is_missing
from ..operations.joined import joined_columns
from .group_functions import Groups, aggregated
from .stacking import met_columns


def with_margins(table: Any, data: Any, values: list[Any], wanted: Any) -> Any:
    """A table with a last row of all rows, and columns of all columns.

    Raises ValueError where the name of the margins is a label already.
    """
    name = wanted.margins_name
    if not isinstance(name, str):
        raise ValueError("margins_name argument must be a string")
    if not values or table.ndim == 1 or not wanted.down:
        raise NotImplementedError("pivot_table: margins without values or without index")
    lists = isinstance(wanted.aggfunc, dict) and any(map(is_list_like, wanted.aggfunc.values()))
    if lists:
        raise NotImplementedError("pivot_table: margins of lists of functions")
    _check_name(table, name)
    grand = _of_all(data, values, wanted)
    options = {"observed": wanted.dropna, "dropna": wanted.dropna}

    def of(keys: list[Any]) -> Any:
        return aggregated(Groups(data, keys, options), values, wanted.aggfunc, wanted.kwargs)

    across = len(wanted.across)
    if across and not len(table.columns):
        return table
    if across:
        table = _with_columns(table, of(wanted.down), name, across)
        by_column = of(wanted.across)
        row = [_margin(by_column, label, grand, name, wanted) for label in table.columns]
    else:
        row = [grand.get(label, np.nan) for label in table.columns]
    key = (name, *[""] * (len(wanted.down) - 1)) if len(wanted.down) > 1 else name
    return _with_row(table, row, key)


def _check_name(table: Any, name: str) -> None:
    levels = [_level(table.index, i) for i in range(table.index.nlevels)]
    levels += [_level(table.columns, i) for i in range(1, table.columns.nlevels)]
    if any(name in each for each in levels):
        raise ValueError(f'Conflicting name "{name}" in margins')


def _level(index: Any, number: int) -> Any:
    return index._level_values(number) if index.nlevels > 1 else index


def _of_all(data: Any, values: list[Any], wanted: Any) -> dict[Any, Any]:
    """What each column has as a whole; columns that a function does not take have nothing."""
    found = {}
    for label in values:
        func = wanted.aggfunc
        if isinstance(func, dict):
            if label not in func:
                continue
            func = func[label]
        series = data[label]
        try:
            call = getattr(series, func) if isinstance(func, str) else None
            found[label] = call(**wanted.kwargs) if call else func(series, **wanted.kwargs)
        except TypeError:
            continue
    return found


def _with_columns(table: Any, margin: Any, name: str, across: int) -> Any:
    """The table with a column of all columns after those of each value."""
    pieces = []
    # As pandas has it, which takes the values apart by way of rows.
    met = met_columns(table._parts)
    for label in _level(table.columns, 0).unique():
        rows = np.flatnonzero(_level(table.columns, 0) == label)
        parts = [met[i] for i in rows]
        own = margin[label].reindex(table.index)
        title = MultiIndex.from_tuples([(label, name, *[""] * (across - 1))])
        labels = table.columns._take(rows).append(title)._named(table.columns.names)
        pieces.append(above.DataFrame._of([*parts, own._parts[0]], table.index, labels))
    return concat(pieces, axis=1) if pieces else table


def _margin(by_column: Any, label: Any, grand: Any, name: str, wanted: Any) -> Any:
    """What all rows of a column of the table give together."""
    value, rest = label[0], label[1:]
    if rest[0] == name:
        return grand.get(value, np.nan)
    key = rest[0] if len(rest) == 1 else rest
    missing = np.nan if wanted.fill_value is None else wanted.fill_value
    if value not in by_column.columns:
        return missing
    row = by_column.index.get_indexer([key] if len(rest) == 1 else MultiIndex.from_tuples([key]))
    return by_column[value]._parts[0].element(int(row[0])) if row[0] >= 0 else missing


def _with_row(table: Any, row: list[Any], key: Any) -> Any:
    parts = [
        joined_columns([part, _one(value, part)])
        for part, value in zip(table._parts, row, strict=True)
    ]
    last = MultiIndex.from_tuples([key]) if isinstance(key, tuple) else index_of([key])
    index = table.index.append(last)
    names = list(table.index.names)
    index = index._named(names if index.nlevels > 1 else names[0])
    return above.DataFrame._of(parts, index, table.columns)


def _one(value: Any, column: Column) -> Column:
    """A value as a column of the dtype of another one, where this holds it."""
    one = column_of([value])
    if is_missing(value) or one.dtype == column.dtype:
        return one
    try:
        made = one.astype(column.dtype)
    except (TypeError, ValueError, OverflowError):
        return one
    return made if made.tolist() == one.tolist() else one
