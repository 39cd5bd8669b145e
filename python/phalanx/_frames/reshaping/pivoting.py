"""`pivot`: the values of a column under the labels of two others."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import above
from ..building.columns import is_frame, ours
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..columns.objects import ObjectColumn
from ..in_place import in_place
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..indexes.multi_making import level_of
from ..signatures import NO_DEFAULT
from .stacking import met_columns
from .unstacking import unstacked


def listed(given: Any) -> list[Any]:
    """A label, or several of them, as a list."""
    if isinstance(given, (list, np.ndarray, Index)) or (
        is_list_like(given) and not isinstance(given, tuple)
    ):
        return list(given)
    return [given]


@in_place
def pivot(data: Any, *, columns: Any, index: Any = NO_DEFAULT, values: Any = NO_DEFAULT) -> Any:
    """The values of a column under the labels of two others, of rows and of columns.

    Several values make columns of two levels. Raises KeyError for columns that are not there,
    ValueError where two rows have the same labels.

    >>> frame = px.DataFrame({"r": [1, 1], "c": ["x", "y"], "v": [5, 6]})
    >>> px.pivot(frame, index="r", columns="c", values="v")
    c  x  y
    r
    1  5  6
    """
    data = ours(data)
    if not is_frame(data):
        raise TypeError(f"pivot takes a DataFrame, not a {type(data).__name__}")
    across = listed(columns)
    down = [] if index is NO_DEFAULT else listed(index)
    chosen = [] if values is NO_DEFAULT or isinstance(values, tuple) else listed(values)
    for name, labels in (("columns", across), ("index", down), ("values", chosen)):
        missing = [each for each in labels if each not in data.columns]
        if missing:
            raise KeyError(
                f"The following '{name}' labels are not columns of the DataFrame: {missing}"
            )
    own = data.index
    levels: list[Any] = []
    names: list[Any] = []
    if index is NO_DEFAULT:
        levels = own._parts() if own.nlevels > 1 else [level_of(own)]
        names = list(own.names)
    keyed = down + across
    levels += [level_of(data[each]) for each in keyed]
    under = MultiIndex._of_levels(levels, names + keyed)
    numbers = list(range(len(levels) - len(across), len(levels)))
    of = _values_under(data, under, values, keyed)
    return unstacked(of, numbers, None, True)


def _values_under(data: Any, labels: Any, values: Any, keyed: list[Any]) -> Any:
    """A series, or a frame where several columns are wanted, under the labels."""
    if values is NO_DEFAULT:
        rest = [i for i, each in enumerate(data.columns) if each not in keyed]
        parts = [data._parts[i] for i in rest]
        return above.DataFrame._of(parts, labels, data.columns._take(np.array(rest, np.int64)))
    if is_list_like(values) and not isinstance(values, tuple):
        # As one table they have one dtype; texts among objects are texts again.
        parts = [_inferred(each) for each in met_columns(data[list(values)]._parts)]
        return above.DataFrame._of(parts, labels, index_of(list(values)))
    return above.Series._of(data[values]._parts[0], labels, None)


def _inferred(column: Column) -> Column:
    return column_of(column.to_numpy()) if isinstance(column, ObjectColumn) else column
