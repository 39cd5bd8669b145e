"""Partitions one after the other, whatever categories each has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import phalanx as px

from ..._frames.categories.unions import union_categoricals
from ..._frames.dtypes import CategoricalDtype


def concat(
    dfs: Sequence[Any],
    axis: int = 0,
    join: str = "outer",
    uniform: bool = False,
    filter_warning: bool = True,
    ignore_index: bool = False,
    **kwargs: Any,
) -> Any:
    """Frames, series or indexes as one, in which a column has the categories of all partitions."""
    ignore_order = kwargs.pop("ignore_order", False)
    parts = list(dfs)
    if axis in (1, "columns"):
        return px.concat(parts, axis=1, join=join, **kwargs)
    if isinstance(parts[0], px.Index):
        return _indexes(parts, ignore_order)
    parts = _with_one_kind_of_labels(parts, ignore_order)
    parts = _with_one_set_of_categories(parts, ignore_order)
    return px.concat(parts, join=join, ignore_index=ignore_index, **kwargs)


def _indexes(parts: list[Any], ignore_order: bool) -> Any:
    first = parts[0]
    if isinstance(first, px.MultiIndex):
        levels = [
            _indexes([each.get_level_values(i) for each in parts], ignore_order)
            for i in range(first.nlevels)
        ]
        return px.MultiIndex.from_arrays(levels, names=list(first.names))
    if isinstance(first.dtype, CategoricalDtype):
        same = [each if _is_category(each) else each.astype("category") for each in parts]
        return px.CategoricalIndex(unite(same, ignore_order=ignore_order), name=first.name)
    return first.append(parts[1:])


def unite(parts: list[Any], sort_categories: bool = False, ignore_order: bool = False) -> Any:
    """As `union_categoricals`; parts without categories are no reason to refuse the others."""
    kinds = {str(each.dtype.categories.dtype) for each in parts}
    if len(kinds) > 1:
        full = [each for each in parts if len(each.dtype.categories)]
        if full and len({str(each.dtype.categories.dtype) for each in full}) == 1:
            parts = [
                each if len(each.dtype.categories) else each.astype(full[0].dtype) for each in parts
            ]
    return union_categoricals(parts, sort_categories=sort_categories, ignore_order=ignore_order)


def _is_category(x: Any) -> bool:
    return isinstance(x.dtype, CategoricalDtype)


def _with_one_set_of_categories(parts: list[Any], ignore_order: bool) -> list[Any]:
    """The parts, whose columns of categories have those of all parts, in the order met."""
    if all(isinstance(each, px.Series) for each in parts):
        return _recast(parts, ignore_order)
    frames = [each for each in parts if isinstance(each, px.DataFrame) and each.columns.is_unique]
    labels = {
        label: None
        for each in frames
        for label, dtype in each.dtypes.items()
        if isinstance(dtype, CategoricalDtype)
    }
    changed = {i: each.copy() for i, each in enumerate(parts) if labels}
    for label in labels:
        having = [
            i
            for i, each in enumerate(parts)
            if any(each is other for other in frames) and label in each.columns
        ]
        for i, made in zip(
            having, _recast([parts[i][label] for i in having], ignore_order), strict=True
        ):
            changed[i][label] = made
    return [changed.get(i, each) for i, each in enumerate(parts)]


def _recast(columns: list[Any], ignore_order: bool) -> list[Any]:
    """Series of one dtype, if all of them have categories."""
    if len(columns) < 2 or not all(map(_is_category, columns)):
        return columns
    if all(each.dtype == columns[0].dtype for each in columns):
        return columns
    together = unite(columns, ignore_order=ignore_order)
    return [each.astype(together.dtype) for each in columns]


def _with_one_kind_of_labels(parts: list[Any], ignore_order: bool) -> list[Any]:
    """The parts, whose labels of rows have one dtype where they are categories."""
    labels = [each.index for each in parts]
    if labels[0].nlevels > 1 or not all(map(_is_category, labels)):
        return parts
    made = []
    for part, index in zip(
        parts, _recast([px.Series(each) for each in labels], ignore_order), strict=True
    ):
        other = part.copy()
        other.index = px.CategoricalIndex(index.array, name=part.index.name)
        made.append(other)
    return made
