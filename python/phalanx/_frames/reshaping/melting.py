"""Columns become rows: `melt`, `lreshape`, `wide_to_long`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..building.columns import is_frame, ours
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..in_place import in_place
from ..indexes.making import index_of
from ..indexes.ranges import RangeIndex
from ..operations.joined import joined_columns


def _listed(given: Any, name: str, columns: Any) -> list[Any]:
    if given is None:
        return []
    if not is_list_like(given) or (isinstance(given, tuple) and columns.nlevels == 1
                                   and given in columns):  # fmt: skip
        return [given]
    if columns.nlevels > 1 and not isinstance(given, list):
        raise ValueError(f"{name} must be a list of tuples when columns are a MultiIndex")
    return list(given)


@in_place
def melt(
    frame: Any,
    id_vars: Any = None,
    value_vars: Any = None,
    var_name: Any = None,
    value_name: Any = "value",
    col_level: Any = None,
    ignore_index: bool = True,
) -> Any:
    """A row for each element of a frame: its column's label, its value, the columns `id_vars`.

    Raises KeyError for columns that are not there, ValueError for names that come twice.

    >>> px.melt(px.DataFrame({"k": [1], "x": [2], "y": [3]}), id_vars="k")
       k variable  value
    0  1        x      2
    1  1        y      3
    """
    frame = ours(frame)
    columns = frame.columns
    if value_name in columns:
        raise ValueError(
            f"value_name ({value_name}) cannot match an element in the DataFrame columns."
        )
    ids = _listed(id_vars, "id_vars", columns)
    wanted = _listed(value_vars, "value_vars", columns)
    if len(columns.get_indexer_for(ids)) > len(ids):
        raise ValueError("id_vars cannot contain duplicate columns.")
    labels = columns if col_level is None else columns.get_level_values(col_level)
    chosen = _chosen(labels, ids, wanted, value_vars is not None)
    labels = labels._take(chosen)
    names = _variable_names(labels, var_name)
    titles = [*ids, *names, value_name]
    repeated = [each for each in titles if titles.count(each) > 1]
    if repeated:
        raise ValueError(f"melt output columns cannot contain duplicate names: {set(repeated)}")
    parts = [frame._parts[i] for i in chosen]
    id_rows = [_only(labels, each) for each in ids]
    rows = [i for i in range(len(parts)) if i not in set(id_rows)]
    made = [below_itself(parts[i], len(rows)) for i in id_rows]
    height = len(frame.index)
    owners = px.asarray(np.repeat(np.array(rows, np.int64), height))
    for i in range(len(names)):
        level: Any = labels.get_level_values(i) if labels.nlevels > 1 else labels
        made.append(level._values_column().take(owners))
    made.append(values_of([parts[i] for i in rows]))
    index = RangeIndex(len(rows) * height)
    if not ignore_index:
        index = frame.index._take(np.tile(np.arange(height), len(rows)))
    return above.DataFrame._of(made, index, index_of(titles))


def _only(labels: Any, label: Any) -> int:
    found = labels.get_loc(label)
    if not isinstance(found, (int, np.integer)):
        raise ValueError("id_vars cannot contain duplicate columns.")
    return int(found)


def _chosen(labels: Any, ids: list[Any], wanted: list[Any], some: bool) -> np.ndarray:
    """The numbers of the columns that are melted, or repeated beside it."""
    if not ids and not wanted:
        return np.arange(len(labels))
    rows = np.asarray(labels.get_indexer_for(ids + wanted))
    if (rows < 0).any():
        known = set(labels)
        lacking = [each for each in ids + wanted if each not in known]
        raise KeyError(
            f"The following id_vars or value_vars are not present in the DataFrame: {lacking}"
        )
    return np.array(list(dict.fromkeys(rows.tolist()))) if some else np.arange(len(labels))


def _variable_names(labels: Any, given: Any) -> list[Any]:
    several = labels.nlevels > 1
    if given is None:
        if not several:
            return ["variable" if labels.name is None else labels.name]
        names = list(labels.names)
        return (
            names if len(set(names)) == len(names) else [f"variable_{i}" for i in range(len(names))]
        )
    if not is_list_like(given):
        return [given]
    if not several:
        raise ValueError(f"var_name={given!r} must be a scalar.")
    names = list(given)
    if len(names) > len(labels):
        raise ValueError(
            f"var_name={names!r} has {len(names)} items, but the dataframe columns only have "
            f"{len(labels)} levels."
        )
    return names


def below_itself(column: Column, times: int) -> Column:
    """The rows of a column so many times."""
    if times == 0:
        return column.slice(slice(0, 0))
    return column.joined([column] * (times - 1)) if times > 1 else column


def values_of(parts: Sequence[Column]) -> Column:
    """The values of columns, column after column, in the dtype that they have in common."""
    if not parts:
        return column_of(np.zeros(0))
    made = joined_columns(parts)
    # Of objects pandas makes a frame anew, which looks whether they are texts or dates.
    return column_of(made.to_numpy()) if made.dtype == object and len(made) else made


@in_place
def lreshape(data: Any, groups: dict[Any, list[Any]], dropna: bool = True) -> Any:
    """Columns below each other: for each name of ``groups`` those that it lists.

    Rows that miss one of these values are left out with ``dropna``. Raises ValueError for lists
    of different lengths.

    >>> frame = px.DataFrame({"x1": [1], "x2": [2]})
    >>> px.lreshape(frame, {"x": ["x1", "x2"]})
       x
    0  1
    1  2
    """
    data = ours(data)
    times = len(next(iter(groups.values())))
    made: dict[Any, Column] = {}
    used: list[Any] = []
    for name, labels in groups.items():
        if len(labels) != times:
            raise ValueError("All column lists must be same length")
        made[name] = joined_columns([data[each]._parts[0] for each in labels])
        used += labels
    rest = list(data.columns.difference(used))
    parts = [below_itself(data[each]._parts[0], times) for each in rest]
    parts += list(made.values())
    if dropna:
        there = ~np.any([np.asarray(each.isna()) for each in made.values()], axis=0)
        if not there.all():
            parts = [each.filter(px.asarray(there)) for each in parts]
    titles = index_of([*rest, *made])
    return above.DataFrame._of(parts, RangeIndex(len(parts[0])), titles)


@in_place
def wide_to_long(
    df: Any, stubnames: Any, i: Any, j: Any, sep: str = "", suffix: str = r"\d+"
) -> Any:
    r"""Columns named by a stub and a suffix, such as ``A1970``, as rows under the suffix.

    Rows are labelled by the columns ``i``, which must name each row, and the suffix ``j``, a
    number where all are. Raises ValueError for stubs that are columns and for repeated ``i``.

    >>> frame = px.DataFrame({"x1": [5], "x2": [6], "id": [0]})
    >>> px.wide_to_long(frame, "x", i="id", j="n")
          x
    id n
    0  1  5
       2  6
    """
    df = ours(df)
    if not is_frame(df):
        raise TypeError(f"wide_to_long takes a DataFrame, not a {type(df).__name__}")
    stubs = list(stubnames) if is_list_like(stubnames) else [stubnames]
    if df.columns.isin(stubs).any():
        raise ValueError("stubname can't be identical to a column name")
    keys = list(i) if is_list_like(i) else [i]
    if df[keys].duplicated().any():
        raise ValueError("the id variables need to uniquely identify each row")
    melted, used = [], []
    for stub in stubs:
        pattern = re.compile(rf"^{re.escape(stub)}{re.escape(sep)}{suffix}$")
        labels = [each for each in df.columns if isinstance(each, str) and pattern.match(each)]
        used += labels
        melted.append(_of_stub(df, stub, keys, (j, sep), labels))
    frame = px.concat(melted, axis=1)
    rest = df[list(df.columns.difference(used))]
    if len(keys) > 1:
        return rest.merge(frame.reset_index(), on=keys).set_index([*keys, j])
    own = rest.set_index(keys[0])
    rows = own.index.get_indexer(frame.index.get_level_values(0))
    parts = [each.take(px.asarray(rows)) for each in own._parts]
    titles = index_of([*own.columns, *frame.columns])
    return above.DataFrame._of([*parts, *frame._parts], frame.index, titles)


def _of_stub(df: Any, stub: str, keys: list[Any], new: tuple[Any, str], labels: list[str]) -> Any:
    j, sep = new
    made = melt(df, keys, labels, value_name=stub.rstrip(sep), var_name=j)
    start = len(stub + sep)
    made[j] = _suffixes([each[start:] for each in labels], len(df))
    return made.set_index([*keys, j])


def _suffixes(texts: list[str], height: int) -> Any:
    """Suffixes as numbers where all are, each in as many rows as the frame has."""
    few: Any
    try:
        few = [int(each) for each in texts]
    except ValueError:
        try:
            few = [float(each) for each in texts]
        except ValueError:
            few = texts
    return above.Series._of(
        column_of(few).take(px.asarray(np.repeat(np.arange(len(texts)), height))),
        RangeIndex(len(texts) * height),
    )
