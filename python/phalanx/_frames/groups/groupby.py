"""The objects that ``groupby`` gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.ranges import RangeIndex
from ..shared import classes
from ..signatures import MissingNameError
from .aggregation import NAMES, NUMERIC, Wanted, aggregated, is_number
from .grouping import Grouping
from .resampling import GroupResampling


class GroupBy(GroupResampling):
    """Groups of a frame's rows: `sum`, `mean` and so on give a row for each group.

    Functions of users, windows and what is left of pandas' methods raise NotImplementedError.
    """

    def __init__(
        self, of: Any, grouping: Grouping, labels: list[Any], *, as_index: bool, is_series: bool
    ) -> None:
        self._of = of
        self._grouping = grouping
        self._labels = labels  # of the columns that are aggregated
        self._as_index = as_index
        self._is_series = is_series

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._of.columns:
            return self[name]
        raise MissingNameError(f"groupby(...).{name} is not supported in phalanx")

    def __getitem__(self, key: Any) -> GroupBy:
        """The groups with some of the columns: of a label a series, of a list a frame."""
        labels = list(key) if isinstance(key, list) else [key]
        for each in labels:
            if each not in self._of.columns:
                raise KeyError(f"Column not found: {each}")
        return GroupBy(
            self._of, self._grouping, labels,
            as_index=self._as_index, is_series=not isinstance(key, list),
        )  # fmt: skip

    def __len__(self) -> int:
        return self._grouping.count

    @property
    def ngroups(self) -> int:
        """How many groups there are."""
        return self._grouping.count

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of a group's label and its rows."""
        rows = np.argsort(self._grouping.codes, kind="stable")
        codes = self._grouping.codes[rows]
        bounds = np.searchsorted(codes, np.arange(self._grouping.count + 1))
        labels = self._grouping.index()
        of = self._of[self._labels[0]] if self._is_series else self._of
        for i in range(self._grouping.count):
            label = labels[i]
            yield label, of.iloc[rows[bounds[i] : bounds[i + 1]]]

    # Aggregations.

    def _part(self, label: Any) -> Column:
        found: Column = self._of[label]._parts[0]
        return found

    def _frame(self, columns: list[Column], labels: Index) -> Any:
        grouping = self._grouping
        if self._as_index:
            return classes.DataFrame._of(columns, grouping.index(), labels)
        names = index_of([*grouping.names, *labels])
        keys = grouping.labels()
        return classes.DataFrame._of([*keys, *columns], RangeIndex(grouping.count), names)

    def _result(self, columns: list[Column]) -> Any:
        if self._is_series and self._as_index:
            made = self._frame(columns, index_of([self._labels[0]]))
            return made[self._labels[0]]
        return self._frame(columns, index_of(self._labels))

    def _aggregate(self, name: str, numeric_only: bool = False, argument: Any = None) -> Any:
        labels = self._labels
        if numeric_only:
            labels = [each for each in labels if is_number(self._part(each))]
        wanted = [Wanted(self._part(each), name, argument) for each in labels]
        for label, each in zip(labels, wanted, strict=True):
            if name in NUMERIC and not is_number(each.column):
                raise TypeError(
                    f"dtype '{each.column.dtype}' of column {label!r} does not support operation "
                    f"'{name}'; numeric_only=True leaves such columns out"
                )
        of = GroupBy(
            self._of, self._grouping, labels, as_index=self._as_index, is_series=self._is_series
        )
        return of._result(aggregated(self._grouping, wanted))

    def sum(self, numeric_only: bool = False) -> Any:
        """The sum of each group; 0 where all are missing."""
        return self._aggregate("sum", numeric_only)

    def prod(self, numeric_only: bool = False) -> Any:
        """The product of each group; 1 where all are missing."""
        return self._aggregate("prod", numeric_only)

    def mean(self, numeric_only: bool = False) -> Any:
        """The mean of each group, of what is not missing."""
        return self._aggregate("mean", numeric_only)

    def median(self, numeric_only: bool = False) -> Any:
        """The median of each group."""
        return self._aggregate("median", numeric_only)

    def var(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """The variance of each group, over its count less `ddof`."""
        return self._aggregate("var", numeric_only, ddof)

    def std(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """The standard deviation of each group, over its count less `ddof`."""
        return self._aggregate("std", numeric_only, ddof)

    def min(self, numeric_only: bool = False) -> Any:
        """The least of each group."""
        return self._aggregate("min", numeric_only)

    def max(self, numeric_only: bool = False) -> Any:
        """The greatest of each group."""
        return self._aggregate("max", numeric_only)

    def first(self, numeric_only: bool = False) -> Any:
        """The first of each group that is not missing."""
        return self._aggregate("first", numeric_only)

    def last(self, numeric_only: bool = False) -> Any:
        """The last of each group that is not missing."""
        return self._aggregate("last", numeric_only)

    def count(self) -> Any:
        """How many of each group are not missing."""
        return self._aggregate("count")

    def nunique(self) -> Any:
        """How many different values each group has."""
        return self._aggregate("nunique")

    def any(self) -> Any:
        """True for groups of which one is true."""
        return self._aggregate("any")

    def all(self) -> Any:
        """True for groups of which all are true."""
        return self._aggregate("all")

    def size(self) -> Any:
        """How many rows each group has: a series, or with ``as_index=False`` a frame."""
        counts = np.bincount(self._grouping.codes[self._grouping.codes >= 0],
                             minlength=self._grouping.count)  # fmt: skip
        if not self._as_index:
            made = Index(px.asarray(counts.astype(np.int64)))
            return self._frame([made.column], index_of(["size"]))
        name = self._labels[0] if self._is_series else None
        return classes.Series(counts.astype(np.int64), index=self._grouping.index(), name=name)

    def agg(self, func: Any = None, **named: Any) -> Any:
        """Several at once: a name, a list of names, a dict by column, or ``out=(column, name)``."""
        if isinstance(func, str):
            return self._named(func)
        if func is None:
            return self._by_pairs(list(named), list(named.values()))
        if isinstance(func, dict):
            if any(isinstance(each, list) for each in func.values()):
                raise NotImplementedError("groupby(...).agg: lists of functions for a column")
            return self._by_pairs(list(func), list(func.items()))
        if isinstance(func, list) and self._is_series:
            return self._by_pairs(func, [(self._labels[0], each) for each in func])
        raise NotImplementedError(f"groupby(...).agg of {type(func).__name__}; name functions")

    aggregate = agg

    def _named(self, name: str) -> Any:
        if name not in NAMES:
            raise _unknown("agg", name)
        return getattr(self, name)()

    def _by_pairs(self, labels: list[Any], pairs: list[tuple[Any, Any]]) -> Any:
        wanted = []
        for label, name in pairs:
            if not isinstance(name, str) or name not in NAMES:
                raise NotImplementedError(
                    f"groupby(...).agg: {name!r}; there are {', '.join(NAMES)}"
                )
            if label not in self._of.columns:
                raise KeyError(f"Label(s) [{label!r}] do not exist")
            wanted.append(Wanted(self._part(label), name, 1 if name in ("var", "std") else None))
        return self._frame(aggregated(self._grouping, wanted), index_of(labels))

    def transform(self, func: str) -> Any:
        """For each row what `func`, the name of an aggregation, gives for its group."""
        if not isinstance(func, str) or func not in NAMES:
            raise _unknown("transform", func)
        wanted = [
            Wanted(self._part(each), func, 1 if func in ("var", "std") else None)
            for each in self._labels
        ]
        codes = self._grouping.codes.astype(np.int64)
        has_missing = bool((codes < 0).any())
        columns = [
            each.take(px.asarray(codes), has_missing=has_missing)
            for each in aggregated(self._grouping, wanted)
        ]
        made = classes.DataFrame._of(columns, self._of.index, index_of(self._labels))
        return made[self._labels[0]] if self._is_series else made


def _unknown(method: str, name: Any) -> NotImplementedError:
    return NotImplementedError(f"groupby(...).{method}: {name!r}; there are {', '.join(NAMES)}")
