"""`pivot_table`: aggregations of groups, whose keys are labels of rows and of columns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..building.columns import column_from, is_frame, is_series, ours
from ..building.kinds import is_array, is_list_like
from ..combining.concat import concat
from ..in_place import in_place
from ..indexes.index import Index
from ..indexes.making import index_of
from .group_functions import Groups, aggregated, function_name
from .key_order import arranged
from .margins import with_margins


class Table(NamedTuple):
    """What a table is to have."""

    values: Any
    down: list[Any]
    across: list[Any]
    aggfunc: Any
    fill_value: Any
    margins: bool
    dropna: bool
    margins_name: Any
    observed: bool
    sort: bool
    kwargs: dict[str, Any]


@in_place
def pivot_table(
    data: Any,
    values: Any = None,
    index: Any = None,
    columns: Any = None,
    aggfunc: Any = "mean",
    fill_value: Any = None,
    margins: bool = False,
    dropna: bool = True,
    margins_name: Any = "All",
    observed: bool = True,
    sort: bool = True,
    **kwargs: Any,
) -> Any:
    """Aggregations of groups of a frame: keys of rows `index`, keys of columns `columns`.

    ``aggfunc`` is a name, a function of a series, a list of these, or a dict of them by column.
    Raises KeyError for columns that are not there, ValueError without keys.

    >>> frame = px.DataFrame({"k": ["a", "a", "b"], "x": [1.0, 3.0, 5.0]})
    >>> px.pivot_table(frame, values="x", index="k")
         x
    k
    a  2.0
    b  5.0
    """
    data = ours(data)
    if not is_frame(data):
        raise TypeError(f"pivot_table takes a DataFrame, not a {type(data).__name__}")
    wanted = Table(values, _keys(index), _keys(columns), aggfunc, fill_value, margins, dropna,
                   margins_name, observed, sort, kwargs)  # fmt: skip
    if not isinstance(aggfunc, list):
        return data._keep_attrs(_made(data, wanted))
    pieces = [_made(data, wanted._replace(aggfunc=each)) for each in aggfunc]
    return data._keep_attrs(concat(pieces, keys=list(map(function_name, aggfunc)), axis=1))


def _keys(by: Any) -> list[Any]:
    if by is None:
        return []
    by = ours(by)
    if not is_list_like(by) or is_array(by) or isinstance(by, Index) or is_series(by):
        return [by]
    return list(by)


def _is_label(key: Any, data: Any) -> bool:
    return not (is_array(key) or is_series(key) or isinstance(key, (Index, list))) and (
        key in data.columns
    )


def _made(data: Any, wanted: Table) -> Any:
    keys = wanted.down + wanted.across
    values, several = _values(data, wanted.values, keys)
    options = {"observed": wanted.observed, "sort": wanted.sort, "dropna": wanted.dropna}
    met = None if wanted.sort else [_labels_met(data, each) for each in keys]
    found = aggregated(Groups(data, keys, options), values, wanted.aggfunc, wanted.kwargs)
    if wanted.dropna and found.ndim == 2 and len(found.columns):
        found = found.dropna(how="all")
    table = arranged(found, wanted, met)
    if wanted.fill_value is not None:
        table = _filled(table, wanted)
    if wanted.margins:
        table = with_margins(table, _rows_for_margins(data, keys, values, wanted), values, wanted)
    if wanted.values is not None and not several and table.ndim == 2 and table.columns.nlevels > 1:
        table = table.set_axis(table.columns.droplevel(0), axis=1)
    if not wanted.down and wanted.across:
        table = table.T
    if table.ndim == 2 and wanted.dropna:
        table = table.dropna(how="all", axis=1)
    return table


def _values(data: Any, values: Any, keys: list[Any]) -> tuple[list[Any], bool]:
    """The labels of the columns to aggregate, and True unless one was given by itself."""
    if values is None:
        named = [each for each in keys if _is_label(each, data)]
        return [each for each in data.columns if each not in named], True
    several = is_list_like(values) and not (isinstance(values, tuple) and values in data.columns)
    labels = list(values) if several else [values]
    for each in labels:
        if each not in data.columns:
            raise KeyError(each)
    # Only then does pandas choose columns, and has those twice that are named twice.
    named = [each for each in keys if _is_label(each, data)] + labels
    for each in named if len(named) < len(data.columns) else ():
        if named.count(each) > 1 and named.index(each) < len(named) - len(labels):
            raise ValueError(f"Grouper for {each!r} not 1-dimensional")
    return labels, several


def _labels_met(data: Any, key: Any) -> Index:
    """The labels of a key in the order in which its rows have them."""
    values = data[key] if _is_label(key, data) else key
    made: Index = index_of(values if is_series(values) else column_from(values), name=None)
    return made._named(None).unique()  # type: ignore[no-any-return]


def _filled(table: Any, wanted: Table) -> Any:
    table = table.fillna(wanted.fill_value)
    whole = isinstance(wanted.fill_value, (int, np.integer)) and wanted.fill_value is not True
    if wanted.aggfunc is len and not wanted.observed and whole:
        table = table.astype(np.int64)
    return table


def _rows_for_margins(data: Any, keys: list[Any], values: list[Any], wanted: Table) -> Any:
    """The rows that margins are of: with ``dropna`` those in which no column is missing."""
    if not wanted.dropna:
        return data
    if wanted.values is not None:
        used = [each for each in [*keys, *values] if _is_label(each, data)]
        data = data[list(dict.fromkeys(used))]
    return data[data.notna().all(axis=1)]
