"""`stack`: labels of columns become a level of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..dtypes import OBJECT, ExtensionDtype
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..indexes.multi_making import Level
from ..operations.joined import common_dtype, joined_columns, joined_in_frames


def met_columns(parts: Sequence[Column]) -> list[Column]:
    """Columns in the one dtype that the table of all has: object where pandas' own dtypes meet."""
    if not parts:
        return []
    first = parts[0].dtype
    if all(each.dtype == first for each in parts):
        return list(parts)
    dtype = common_dtype([each.dtype for each in parts])
    if isinstance(dtype, ExtensionDtype):
        dtype = OBJECT
    return [each.astype(dtype) for each in parts]


def values_below(parts: Sequence[Column]) -> Column:
    """The values of columns, column after column."""
    met = met_columns(parts)
    if not met:
        return no_values([])
    return met[0].joined(met[1:]) if len(met) > 1 else met[0]


def no_values(parts: Sequence[Column]) -> Column:
    """A column of no rows, of the dtype that NumPy's array of the columns has: floats of none.

    Texts of two dtypes are objects: pandas finds their dtype by the values, which are not there.
    """
    if not parts:
        return column_of([], np.dtype(np.float64))
    dtype = common_dtype([each.dtype for each in parts])
    return column_of([], OBJECT if isinstance(dtype, ExtensionDtype) else dtype)


def values_by_row(parts: Sequence[Column], height: int) -> Column:
    """The values of columns of one dtype, row after row."""
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(each, NumberColumn) for each in parts):
        numbers: list[Any] = list(parts)
        values = px.stack([each.values for each in numbers], axis=1).ravel()
        valid = None
        if any(each.valid is not None for each in numbers):
            valid = px.stack([each.present() for each in numbers], axis=1).ravel()
        made: Column = numbers[0]._like(values, valid)
        return made
    rows = px.arange(height * len(parts)).reshape(len(parts), height).T.ravel()
    return parts[0].joined(parts[1:]).take(rows)


def stacked(frame: Any, level: Any) -> Any:
    """What ``stack`` gives: each row becomes as many as there are labels in the level.

    Raises ValueError for repeated labels of columns or levels, KeyError and IndexError for levels
    that are not there.
    """
    columns = frame.columns
    given = level if isinstance(level, (list, tuple)) else [level]
    numbers = [columns._level_number(each) for each in given]
    if not columns.is_unique:
        raise ValueError("Columns with duplicate values are not supported in stack")
    if len(set(numbers)) != len(numbers):
        raise ValueError(f"level should not contain duplicate values, got level numbers {numbers}")
    if not numbers:
        return frame
    if columns.nlevels == 1:
        return _of_one_level(frame)
    return _of_levels(frame, numbers)


def _of_one_level(frame: Any) -> Any:
    columns, height = frame.columns, len(frame.index)
    index = index_below(frame.index, [Level(columns._named(None), np.arange(len(columns)))],
                        [columns.name])  # fmt: skip
    parts = frame._parts
    if not parts or (not height and any(each.dtype != parts[0].dtype for each in parts)):
        return above.Series._of(no_values(parts), index, None)
    values = values_by_row(met_columns(parts), height)
    if values.dtype == OBJECT and height:
        values = column_of(values.to_numpy())
    return above.Series._of(values, index, None)


def index_below(index: Any, inner: list[Level], names: list[Any]) -> Index:
    """The labels of rows, and under each row those of columns."""
    if index.nlevels > 1:
        outer, own = index._parts(), list(index.names)
    else:
        codes, labels = _counted(index)
        outer, own = [Level(labels, codes)], [index.name]
    width, height = len(inner[0].codes), len(index)
    levels = [Level(each.labels, np.repeat(each.codes, width)) for each in outer]
    levels += [Level(each.labels, np.tile(each.codes, height)) for each in inner]
    return MultiIndex._of_levels(levels, own + names)


def _counted(index: Any) -> tuple[np.ndarray, Any]:
    if index.is_unique:
        return np.arange(len(index)), index._named(None)
    codes, labels = index.factorize(use_na_sentinel=False)
    return codes, labels


def _of_levels(frame: Any, numbers: list[int]) -> Any:
    """Some levels of several: the others are left as labels of columns."""
    columns = frame.columns
    chosen = columns._of_numbers(sorted(numbers))
    met = chosen.drop_duplicates()
    kept = [i for i in range(columns.nlevels) if i not in numbers]
    place = met.get_indexer(chosen)
    width, height = len(met), len(frame.index)
    if kept:
        rest = columns._of_numbers(kept)
        rest = rest if len(kept) > 1 else rest._level_values(0)
        labels = rest.drop_duplicates()
        owner = labels.get_indexer(rest)
    else:
        labels, owner = index_of([0]), np.zeros(len(columns), np.int64)
    parts = []
    for i in range(len(labels)):
        own = np.full(width, -1, np.int64)
        mine = np.flatnonzero(owner == i)
        own[place[mine]] = mine
        parts.append(
            _below(frame._parts, own, height, bool(kept)) if height else no_values(frame._parts)
        )
    inner = _inner(met, numbers)
    names = [columns.names[each] for each in numbers]
    index = index_below(frame.index, inner, names)
    if not kept:
        return above.Series._of(parts[0], index, None)
    return above.DataFrame._of(parts, index, labels)


def _inner(met: Any, numbers: list[int]) -> list[Level]:
    """The labels under each row, level by level as they were asked for."""
    ranks = np.argsort(np.argsort(numbers))
    if len(numbers) == 1:
        only = met._level_values(0)
        return [Level(only._named(None), np.arange(len(only)))]
    return [Level(met._levels[k], met._codes[k]) for k in ranks]


def _below(parts: list[Column], own: np.ndarray, height: int, in_frames: bool) -> Column:
    """The rows of some columns row after row; -1 is a column of missing values."""
    there = [parts[i] for i in own if i >= 0]
    whole = (joined_in_frames if in_frames and len(there) == len(own) else joined_columns)(there)
    if len(there) == len(own):
        dtype = whole.dtype
        return values_by_row([each.astype(dtype) for each in there], height)
    starts = np.full(len(own), -1, np.int64)
    starts[own >= 0] = np.arange(len(there)) * height
    rows = starts[None, :] + np.where(own >= 0, np.arange(height)[:, None], 0)
    return whole.take(px.asarray(rows.ravel()), has_missing=True)
