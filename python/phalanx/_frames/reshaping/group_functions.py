"""Aggregations of groups by a name, by a function of the user's, and by a dict of these."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import phalanx as px
from phalanx import _engine

from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..combining.concat import concat
from ..groups.aggregation import NAMES
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..shared import classes

# Functions that have the meaning of a name.
_NAMED: dict[Any, str] = {
    np.sum: "sum", np.mean: "mean", np.median: "median", np.min: "min", np.max: "max",
    np.prod: "prod", np.any: "any", np.all: "all",
}  # fmt: skip


class Groups(NamedTuple):
    """A frame, the keys of its groups, and how groups are made."""

    frame: Any
    keys: list[Any]
    options: dict[str, Any]

    def groupby(self) -> Any:
        """The groups of the frame."""
        return self.frame.groupby(self.keys, **self.options)


def function_name(func: Any) -> str:
    """What a function is called in labels."""
    return func if isinstance(func, str) else getattr(func, "__name__", str(func))


def aggregated(groups: Groups, values: list[Any], func: Any, kwargs: dict[str, Any]) -> Any:
    """A row for each group, of what a name, a function or a dict by column gives.

    Raises NotImplementedError for names that `groupby` has not, KeyError for columns of a dict
    that are not there.
    """
    if isinstance(func, dict):
        return _by_column(groups, values, func, kwargs)
    if is_list_like(func):
        raise NotImplementedError("a list of functions for all columns of groups")
    if not isinstance(func, str) and not callable(func):
        raise TypeError(f"{func!r} is neither a name nor a function")
    name = func if isinstance(func, str) else _named(func)
    if name is not None:
        grouped = groups.groupby()[values]
        if kwargs or name not in NAMES:
            return getattr(grouped, name)(**kwargs)
        return grouped.agg(name)
    return _called(groups, values, func, kwargs)


def _named(func: Any) -> str | None:
    try:
        return _NAMED.get(func)
    except TypeError:  # a function without a hash
        return None


def _by_column(groups: Groups, values: list[Any], func: Any, kwargs: dict[str, Any]) -> Any:
    lacking = [each for each in func if each not in values]
    if lacking:
        raise KeyError(f"Label(s) {lacking} do not exist")
    has_lists = any(is_list_like(each) for each in func.values())
    parts: list[Any] = []
    labels: list[Any] = []
    for label, given in func.items():
        for each in given if is_list_like(given) else [given]:
            made = aggregated(groups, [label], each, kwargs)
            parts.append(made if made.ndim == 2 else made.to_frame())
            labels.append((label, function_name(each)) if has_lists else label)
    made = concat(parts, axis=1)
    made.columns = MultiIndex.from_tuples(labels) if has_lists else index_of(labels)
    return made


def _called(
    groups: Groups, values: list[Any], func: Callable[..., Any], kwargs: dict[str, Any]
) -> Any:
    """A function of the series of each column in each group."""
    # The labels of the groups are those of any aggregation.
    grouping = groups.groupby()._grouping
    rows, bounds = map(np.asarray, _engine.frames.rows_by_group(grouping.codes, grouping.count))
    index = grouping.index
    columns: list[Column] = []
    if func is len and not kwargs:
        counts: Column = NumberColumn(px.asarray(np.diff(bounds)))
        return classes.DataFrame._of([counts] * len(values), index, index_of(values))
    for label in values:
        series = groups.frame[label]
        made = [func(series.iloc[rows[first:last]], **kwargs) for first, last in pairwise(bounds)]
        columns.append(column_of(made) if made else series._parts[0].slice(slice(0, 0)))
    return classes.DataFrame._of(columns, index, index_of(values))
