"""`concat`: frames and series below or beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import phalanx as px
from phalanx.errors import InvalidIndexError

from .. import above
from ..building.columns import is_frame, is_series, ours
from ..columns import Column
from ..in_place import in_place
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..indexes.ranges import RangeIndex
from ..indexes.sets import same_name
from ..operations.joined import joined_columns, joined_in_frames
from ..relabelling.columns_as_index import level_column
from ..shared.base import Labelled
from ..signatures import NO_DEFAULT, leaves_out


@leaves_out("levels", "copy", "union_categories")
@in_place
def concat(
    objs: Any,
    *,
    axis: Any = 0,
    join: str = "outer",
    ignore_index: bool = False,
    keys: Any = None,
    names: Any = None,
    verify_integrity: bool = False,
    sort: Any = False,
) -> Any:
    """Frames and series below each other, or with ``axis=1`` beside each other.

    The other labels are those of all (``join="outer"``) or those that all have (``"inner"``).
    Raises TypeError for what is neither, ValueError for nothing, and for repeated labels if
    ``verify_integrity``.
    """
    if isinstance(objs, (Labelled, str)):
        raise TypeError(
            "first argument must be an iterable of pandas objects, you passed an object of type "
            f'"{type(objs).__name__}"'
        )
    if join not in ("outer", "inner"):
        raise ValueError("Only can inner (intersect) or outer (join) the other axis")
    items, keys = _items(objs, keys)
    ranks = {"index": 0, "rows": 0, "columns": 1}
    number = ranks.get(axis, axis)
    if number not in (0, 1):
        raise ValueError(f"No axis named {axis} for object type DataFrame")
    titles = None if ignore_index else _Titles(keys, names)
    sort = bool(sort) if sort is not NO_DEFAULT else False
    if join == "outer" and keys is None and names is None and all(map(is_frame, items)):
        # Frames without rows and columns leave no trace, not even their labels' dtypes.
        items = [each for each in items if any(each.shape)] or items[:1]
    made = (_below if number == 0 else _beside)(items, join, sort, titles)
    if verify_integrity:
        labels = made.index if number == 0 else made.columns
        if not labels.is_unique:
            raise ValueError(
                f"Indexes have overlapping values: {labels[labels.duplicated()].unique()!r}"
            )
    return made


class _Titles:
    """The labels that `keys` puts before those of each object."""

    def __init__(self, keys: Any, names: Any) -> None:
        self.keys = keys
        self.names = names


def _items(objs: Any, keys: Any) -> tuple[list[Any], Any]:
    if isinstance(objs, Mapping):
        keys = list(objs) if keys is None else list(keys)
        objs = [objs[each] for each in keys]
    items = [ours(each) for each in objs]
    if not items:
        raise ValueError("No objects to concatenate")
    if keys is not None:
        keys = keys if isinstance(keys, Index) else list(keys)
        if len(keys) != len(items):
            raise ValueError(
                f"The length of the keys ({len(keys)}) must match the length of the objects to "
                f"concatenate ({len(items)})"
            )
        kept = [i for i, each in enumerate(items) if each is not None]
        keys = [keys[i] for i in kept]
    items = [each for each in items if each is not None]
    if not items:
        raise ValueError("All objects passed were None")
    for each in items:
        if not isinstance(each, Labelled):
            raise TypeError(
                f"cannot concatenate object of type '{type(each)}'; only Series and DataFrame objs "
                "are valid"
            )
    return items, keys


# Below each other.


def _below(items: list[Any], join: str, sort: bool, titles: _Titles | None) -> Any:
    if titles is not None and titles.keys is None:
        # Frames of nothing have no say in what the index is and is called.
        items = [each for each in items if each.ndim == 1 or any(each.shape)] or items
    index = joined_index([each.index for each in items], titles)
    if all(map(is_series, items)):
        return _series_below(items, index)

    frames = [_as_frame(each) for each in items]
    labels = met_labels([each.columns for each in frames], join, sort)
    parts = [_stacked(frames, label, places) for label, places in _places(frames, labels)]
    return _kept(above.DataFrame._of(parts, index, labels), items)


def _kept(made: Any, items: list[Any]) -> Any:
    """With the attributes that all have."""
    first = items[0].attrs
    return (
        items[0]._keep_attrs(made) if first and all(each.attrs == first for each in items) else made
    )


def _series_below(items: list[Any], index: Index) -> Any:

    name = items[0].name
    if not all(same_name(each.name, name) for each in items[1:]):
        name = None
    return _kept(
        above.Series._of(joined_columns([each._parts[0] for each in items]), index, name), items
    )


def _as_frame(item: Any) -> Any:
    if is_frame(item):
        return item
    return item.to_frame(0 if item.name is None else item.name)


def _places(frames: list[Any], labels: Index) -> Any:
    """For each label the number of its column in each frame, -1 where there is none."""
    if all(each.columns is labels or each.columns.equals(labels) for each in frames):
        for i, label in enumerate(labels):
            yield label, [i] * len(frames)
        return
    for each in frames:
        if not each.columns.is_unique:
            raise InvalidIndexError("Reindexing only valid with uniquely valued Index objects")
    found = [np.asarray(each.columns.get_indexer_for(labels)).tolist() for each in frames]
    for i, label in enumerate(labels):
        yield label, [each[i] for each in found]


def _stacked(frames: list[Any], label: Any, places: list[int]) -> Column:
    """A column of all frames; rows of those that have it not are missing."""
    present = [frame._parts[i] for frame, i in zip(frames, places, strict=True) if i >= 0]
    if len(present) == len(frames):
        return joined_in_frames(present)
    whole = joined_columns(present)
    rows, start = [], 0
    for frame, i in zip(frames, places, strict=True):
        count = len(frame.index)
        if i < 0:
            rows.append(np.full(count, -1, np.int64))
        else:
            rows.append(np.arange(start, start + count))
            start += count
    chosen = np.concatenate(rows)
    # Frames of no rows count too: the dtype is one that can have missing values.
    return whole.take(px.asarray(chosen), has_missing=True)


def met_labels(given: Sequence[Index], join: str, sort: bool) -> Index:
    """The labels that all objects, or one of them, have, in the order in which they come."""
    first = given[0]
    others = [each for each in given[1:] if each is not first and not each.equals(first)]
    if not others:
        made = first
    elif join == "inner":
        made = first
        for each in others:
            made = made.intersection(each, sort=False)
    else:
        made = first
        for each in others:
            made = made.union(each, sort=False)
    names = {each.name for each in given} if all(each.nlevels == 1 for each in given) else {None}
    if len(names) > 1:
        made = made.rename(None)
    if sort and not made.is_monotonic_increasing:
        try:
            made = made.sort_values()
        except TypeError:
            return made
    return made


def joined_index(given: list[Index], titles: _Titles | None) -> Index:
    """The labels of all objects one after the other, under those of `keys`; or numbers."""
    if titles is None:
        return RangeIndex(sum(map(len, given)))
    if titles.keys is None:
        made: Index = given[0].append(given[1:]) if len(given) > 1 else given[0]
        return made
    return _keyed_index(given, titles)


def _keyed_index(given: list[Any], titles: _Titles) -> Index:
    counts = [len(each) for each in given]
    heads = index_of(titles.keys)
    rows = np.repeat(np.arange(len(given)), counts)
    outer = [heads.get_level_values(i)._take(rows) for i in range(heads.nlevels)]
    inner: list[Any] = []
    width = given[0].nlevels
    if any(each.nlevels != width for each in given):
        raise NotImplementedError("concat with keys: the indexes have different numbers of levels")
    for i in range(width):
        parts = [level_column(each, i) for each in given]
        inner.append(index_of(joined_columns(parts), tuples=False))
    names = list(heads.names) if titles.names is None else list(titles.names)
    names += [None] * (heads.nlevels - len(names))
    if len(names) < heads.nlevels + width:
        own = [_common_name([each.names[i] for each in given]) for i in range(width)]
        names += own[len(names) - heads.nlevels :]
    return MultiIndex.from_arrays([*outer, *inner], names=names)


def _common_name(names: list[Any]) -> Any:
    return names[0] if all(same_name(each, names[0]) for each in names[1:]) else None


# Beside each other.


def _beside(items: list[Any], join: str, sort: bool, titles: _Titles | None) -> Any:

    index = met_labels([each.index for each in items], join, sort)
    parts: list[Column] = []
    for each in items:
        same = each.index is index or each.index.equals(index)
        parts += each._parts if same else each.reindex(index)._parts
    return _kept(above.DataFrame._of(parts, index, _titles_of(items, titles)), items)


def _titles_of(items: list[Any], titles: _Titles | None) -> Index:
    width = sum(len(each._parts) for each in items)
    if titles is None:
        return RangeIndex(width)
    all_series = all(map(is_series, items))
    if titles.keys is not None and all_series:
        return index_of(titles.keys, name=titles.names[0] if titles.names else None)  # type: ignore[no-any-return]
    if all_series and all(each.name is None for each in items):
        return RangeIndex(width)
    if all_series:
        return index_of(_numbered(items))  # type: ignore[no-any-return]
    labels, number = [], 0
    for each in items:
        if is_frame(each):
            labels.append(each.columns)
        elif each.name is None:
            labels.append(index_of([number]))
            number += 1
        else:
            labels.append(index_of([each.name]))
    if titles.keys is not None:
        return _keyed_index(labels, titles)
    return labels[0].append(labels[1:]) if len(labels) > 1 else labels[0]  # type: ignore[no-any-return]


def _numbered(items: list[Any]) -> list[Any]:
    """Names of series; those without one are numbered."""
    made, number = [], 0
    for each in items:
        if each.name is None:
            made.append(number)
            number += 1
        else:
            made.append(each.name)
    return made
