"""`union_categoricals`: the values of several arrays of categories in one."""

from __future__ import annotations

from typing import Any

from ..building.columns import ours
from ..building.kinds import is_list_like
from ..dtypes import CategoricalDtype
from .categorical import Categorical


def union_categoricals(
    to_union: Any, sort_categories: bool = False, ignore_order: bool = False
) -> Any:
    """One array of the values of several, whose categories are those of all.

    Raises ValueError for nothing, TypeError for categories of different dtypes and for ordered
    ones that differ.
    """
    arrays = [_categorical(ours(each)) for each in to_union]
    if not arrays:
        raise ValueError("No Categoricals to union")
    first = arrays[0]
    if any(each.categories.dtype != first.categories.dtype for each in arrays):
        raise TypeError("dtype of categories must be the same")
    if all(each.dtype == first.dtype for each in arrays):
        return _of_same(arrays, sort_categories, ignore_order)
    if not ignore_order and any(each.ordered for each in arrays):
        if all(each.ordered for each in arrays):
            raise TypeError("to union ordered Categoricals, all categories must be the same")
        raise TypeError("Categorical.ordered must be the same")
    every = first.categories
    for each in arrays[1:]:
        every = every.append(each.categories.difference(every, sort=False))
    if sort_categories:
        every = every.sort_values()
    dtype = CategoricalDtype(every, False)
    columns = [each._column.with_dtype(dtype) for each in arrays]
    return Categorical._of(columns[0].joined(columns[1:]))


def _of_same(arrays: list[Any], sort_categories: bool, ignore_order: bool) -> Any:
    first = arrays[0]
    ordered = first.ordered and not ignore_order
    if sort_categories and first.ordered and not ignore_order:
        raise TypeError("Cannot use sort_categories=True with ordered Categoricals")
    every = first.categories.sort_values() if sort_categories else first.categories
    dtype = CategoricalDtype(every, ordered)
    columns = [each._column.with_dtype(dtype) for each in arrays]
    return type(first)._of(columns[0].joined(columns[1:]))


def _categorical(given: Any) -> Any:
    if isinstance(given, Categorical):
        return given
    if is_list_like(given) and isinstance(getattr(given, "dtype", None), CategoricalDtype):
        return Categorical(given)
    raise TypeError("all components to combine must be Categorical")
