"""What `groupby` takes as keys: labels, levels, series, arrays, functions, dicts, groupers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..building.columns import column_from, is_series, ours
from ..building.kinds import is_hashable, is_list_like
from ..columns.column import Column
from ..functions.questions import is_scalar
from ..indexes.index import Index
from ..indexes.lookups import LabelError
from ..indexes.making import index_of
from .grouper import Grouper


class Key(NamedTuple):
    """A column of keys, its name, and the label that it has in the frame, if it is one of it.

    With ``observed`` False categories that no row has make groups too.
    """

    column: Column
    name: Any
    label: Any = None
    is_own: bool = False
    observed: bool = True


class Given(NamedTuple):
    """The keys, and whether they came as a list: groups' labels then are tuples."""

    keys: list[Key]
    is_list: bool


def keys_of(of: Any, by: Any, level: Any, observed: bool) -> Given:
    """The keys that ``by`` and ``level`` name in a frame or a series.

    Raises KeyError for labels that are not there, ValueError for keys of another length, levels
    that are not there and labels that name a column and a level, TypeError without keys.
    """
    if by is None and level is None:
        raise TypeError("You have to supply one of 'by' and 'level'")
    if level is not None:
        return _of_levels(of, by, level, observed)
    by = ours(by)
    many = list(by) if isinstance(by, list) else [by]
    if isinstance(by, list) and _is_one_array(of, many):
        return Given([Key(column_from(many), None, observed=observed)], False)
    keys = [_key(of, each, observed) for each in many]
    if not keys:
        raise ValueError("No group keys passed!")
    return Given(keys, isinstance(by, list) and len(keys) == 1)


def _is_one_array(of: Any, many: list[Any]) -> bool:
    """True for a list that has a value for each row, of which not all are labels."""
    if len(many) != len(of) or not many:
        return False
    for each in many:
        if callable(each) or isinstance(each, (Mapping, Grouper)) or is_list_like(each):
            return False
    return not all(_is_column(of, each) or each in of.index.names for each in many)


def _of_levels(of: Any, by: Any, level: Any, observed: bool) -> Given:
    levels = list(level) if isinstance(level, (list, tuple)) else [level]
    if by is not None:
        if len(levels) != 1:
            raise NotImplementedError("groupby: several levels together with 'by'")
        mapped = _level(of.index, levels[0]).map(by)
        return Given([Key(column_from(mapped), mapped.name, observed=observed)], False)
    if not levels:
        raise ValueError("No group keys passed!")
    if of.index.nlevels == 1:
        _check_level(of.index, levels)
    found = [_level(of.index, each) for each in levels]
    keys = [Key(each._values_column(), each.name, observed=observed) for each in found]
    return Given(keys, isinstance(level, (list, tuple)) and len(levels) == 1)


def _check_level(index: Index, levels: list[Any]) -> None:
    if len(levels) > 1:
        raise ValueError("multiple levels only valid with MultiIndex")
    level = levels[0]
    if isinstance(level, str):
        if index.name != level:
            raise ValueError(f"level name {level} is not the name of the index")
    elif level > 0 or level < -1:
        raise ValueError("level > 0 or level < -1 only valid with MultiIndex")


def _level(index: Index, level: Any) -> Index:
    if index.nlevels == 1:
        return index
    found: Index = index.get_level_values(level)
    return found


def _key(of: Any, key: Any, observed: bool) -> Key:
    key = ours(key)
    if isinstance(key, Grouper):
        return _of_grouper(of, key, observed)
    if is_series(key):
        return _of_series(of, key, observed)
    if isinstance(key, Index):
        return Key(_fitting(of, key._values_column()), key.name, observed=observed)
    if is_list_like(key) and not isinstance(key, (tuple, Mapping)):
        return Key(_fitting(of, column_from(key)), None, observed=observed)
    if callable(key) or isinstance(key, Mapping):
        found = of.index.map(key.get if isinstance(key, Mapping) else key)
        return Key(column_from(found), found.name, observed=observed)
    if not len(of) and not isinstance(key, tuple) and not is_scalar(key):
        # Mapped to no label as pandas does; a library asks so for the dtypes of results.
        return Key(column_from(of.index), None, observed=observed)
    return _of_label(of, key, observed)


def _fitting(of: Any, column: Column) -> Column:
    if len(column) != len(of):
        raise ValueError(
            f"Grouper and axis must be same length: {len(column)} keys, {len(of)} rows"
        )
    return column


def _of_series(of: Any, key: Any, observed: bool) -> Key:
    """A series by its labels; one that is a column of the frame counts as its label."""
    column = key._parts[0]
    if of.ndim == 2 and is_hashable(key.name):
        for label, each in zip(of.columns, of._parts, strict=True):
            if each is column and label == key.name:
                return Key(column, key.name, key.name, is_own=True, observed=observed)
    if key.index is not of.index and not key.index.equals(of.index):
        column = key.reindex(of.index)._parts[0]
    return Key(column, key.name, observed=observed)


def _of_grouper(of: Any, key: Grouper, observed: bool) -> Key:
    if key.key is not None and key.level is not None:
        raise ValueError("The Grouper cannot specify both a key and a level!")
    if key.freq is not None:
        bins: Any = key
        column, name, own = bins.key_column(of)
        return Key(column, name, own, is_own=own is not None, observed=observed)
    if key.key is not None:
        if not _is_column(of, key.key):
            raise _no_such(of, key.key)
        return _of_label(of, key.key, observed)
    if key.level is None:
        raise TypeError("Grouper: one of 'key' and 'level' is needed")
    if of.index.nlevels == 1 and key.level not in (0, of.index.name):
        raise ValueError(f"The level {key.level} is not valid")
    found = _level(of.index, key.level)
    return Key(found._values_column(), found.name, observed=observed)


def _is_column(of: Any, label: Any) -> bool:
    return of.ndim == 2 and is_hashable(label) and label in of.columns


def _of_label(of: Any, label: Any, observed: bool) -> Key:
    is_level = label is not None and is_hashable(label) and label in of.index.names
    if _is_column(of, label):
        if is_level:
            raise ValueError(
                f"{label!r} is both an index level and a column label, which is ambiguous."
            )
        column = of[label]
        if column.ndim != 1:
            raise ValueError(f"Grouper for {label!r} not 1-dimensional")
        return Key(column._parts[0], label, label, is_own=True, observed=observed)
    if is_level:
        return Key(_level(of.index, label)._values_column(), label, observed=observed)
    raise _no_such(of, label)


def _no_such(of: Any, label: Any) -> KeyError:
    """The error for a label that is neither a column's nor a level's, with the nearest one."""
    names = [each for each in of.index.names if each is not None]
    known = [*(of.columns if of.ndim == 2 else ()), *names]
    return LabelError(label, index_of(known, tuples=False) if known else None)


def own_labels(keys: list[Key]) -> set[Any]:
    """The labels of the columns that are keys."""
    return {each.label for each in keys if each.is_own}


def positions_without(columns: Index, labels: set[Any]) -> np.ndarray:
    """The positions of the columns whose labels are not among some."""
    if not labels:
        return np.arange(len(columns))
    return np.array([i for i, each in enumerate(columns) if each not in labels], np.int64)
