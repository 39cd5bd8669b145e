"""`crosstab`: how often values come together."""

from __future__ import annotations

from typing import Any

from .. import above
from ..building.columns import is_frame, is_series, ours
from ..building.kinds import is_list_like
from ..combining.concat import concat
from ..in_place import in_place
from ..indexes.index import Index
from .pivot_tables import pivot_table


@in_place
def crosstab(
    index: Any,
    columns: Any,
    values: Any = None,
    rownames: Any = None,
    colnames: Any = None,
    aggfunc: Any = None,
    margins: bool = False,
    margins_name: Any = "All",
    dropna: bool = True,
    normalize: Any = False,
) -> Any:
    """How often values of two arrays, or of several, come together; or what `aggfunc` gives.

    ``normalize`` is "all" or True, "index" or 0, "columns" or 1: shares of all, of rows, of
    columns. Raises ValueError for values without a function or the other way round.

    >>> px.crosstab(px.Series(["a", "b", "a"]), px.Series(["x", "x", "y"]))
    col_0  x  y
    row_0
    a      1  1
    b      1  0
    """
    if values is None and aggfunc is not None:
        raise ValueError("aggfunc cannot be used without values.")
    if values is not None and aggfunc is None:
        raise ValueError("values cannot be used without an aggfunc.")
    rows, across = _arrays(index), _arrays(columns)
    names = _names(rows, rownames, "row"), _names(across, colnames, "col")
    every = {*names[0], *names[1]}
    keys = [
        [f"{prefix}_{i}" if name in every else name for i, name in enumerate(given)]
        for prefix, given in zip(("row", "col"), names, strict=True)
    ]
    data = dict(zip([*keys[0], *keys[1]], [*rows, *across], strict=True))
    frame = above.DataFrame(data, index=_common_index([*rows, *across]))
    frame["__dummy__"] = 0 if values is None else ours(values)
    options = {"aggfunc": len, "fill_value": 0} if values is None else {"aggfunc": aggfunc}
    table = pivot_table(
        frame, "__dummy__", keys[0], keys[1], margins=margins, margins_name=margins_name,
        dropna=dropna, observed=dropna, **options,
    )  # fmt: skip
    if normalize is not False:
        table = normalized(table, normalize, margins, margins_name)
    table = table.rename_axis(index=dict(zip(keys[0], names[0], strict=True)))
    return table.rename_axis(columns=dict(zip(keys[1], names[1], strict=True)))


def _arrays(given: Any) -> list[Any]:
    given = ours(given)
    nested = (
        isinstance(given, (list, tuple))
        and len(given) > 0
        and all(is_list_like(each) for each in given)
    )
    return [ours(each) for each in given] if nested else [given]


def _names(arrays: list[Any], given: Any, prefix: str) -> list[Any]:
    if given is None:
        return [
            each.name if is_series(each) and each.name is not None else f"{prefix}_{i}"
            for i, each in enumerate(arrays)
        ]
    if len(given) != len(arrays):
        raise AssertionError("arrays and names must have the same length")
    return list(given)


def _common_index(arrays: list[Any]) -> Index | None:
    """The labels that all series have."""
    found = [each.index for each in arrays if is_series(each) or is_frame(each)]
    if not found:
        return None
    made: Index = found[0]
    for each in found[1:]:
        if not each.equals(made):
            made = made.intersection(each, sort=False)
    return made


_AXES = {0: "index", 1: "columns"}


def normalized(table: Any, normalize: Any, margins: bool, name: Any) -> Any:
    """A table of shares: of all, of its rows or of its columns."""
    kind = "all" if normalize is True else _AXES.get(normalize, normalize)
    if kind not in ("all", "index", "columns"):
        raise ValueError("Not a valid normalize argument")
    if not margins:
        return _shares(table, kind)
    last = table.index[-1]
    if name != last and name not in last:
        raise ValueError(f"{name} not in pivoted DataFrame")
    below, beside = table.iloc[-1, :-1], table.iloc[:-1, -1]
    core = _shares(table.iloc[:-1, :-1], kind)
    beside, below = beside / beside.sum(), below / below.sum()
    if kind == "columns":
        made = concat([core, beside], axis=1).fillna(0)
        return made.set_axis(table.columns, axis=1)
    if kind == "index":
        made = concat([core, below.to_frame().T]).fillna(0)
        return made.set_axis(table.index, axis=0)
    corner = above.Series([*below.tolist(), 1.0], index=table.columns)
    made = concat([core, beside], axis=1).set_axis(table.columns, axis=1)
    return concat([made, corner.to_frame().T]).fillna(0).set_axis(table.index, axis=0)


def _shares(table: Any, kind: str) -> Any:
    if kind == "all":
        made = table / table.sum(axis=1).sum(axis=0)
    elif kind == "columns":
        made = table / table.sum()
    else:
        made = table.div(table.sum(axis=1), axis=0)
    return made.fillna(0)
