"""`sum`, `mean` and the other methods that give a number for each group."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.making import column_of
from ..dtypes import is_numeric
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..signatures import leaves_out
from .aggregation import Wanted, aggregated
from .by_rows import rows_of_extreme
from .core import GroupByCore

_numba = leaves_out("engine", "engine_kwargs")


class GroupReductions(GroupByCore):
    """A number for each group and column. Raises TypeError for dtypes that have none such."""

    def _chosen(self, name: str, numeric_only: bool) -> tuple[list[Column], Index | None]:
        """The columns, and their labels, that an aggregation is of."""
        if not isinstance(numeric_only, (bool, np.bool_)):
            raise ValueError("numeric_only accepts only Boolean values")
        if self._is_series:
            if numeric_only and not is_numeric(self._data.dtype):
                raise TypeError(
                    f"Cannot use numeric_only=True with SeriesGroupBy.{name} and non-numeric "
                    "dtypes."
                )
            return self._data._parts, None
        of = self._data._numeric() if numeric_only else self._data
        return of._parts, of.columns

    def _reduce(self, name: str, numeric_only: bool = False, **keywords: Any) -> Any:
        columns, labels = self._chosen(name, numeric_only)
        titles = [self._data.name] if labels is None else list(labels)
        wanted = [
            Wanted(each, name, keywords, title) for each, title in zip(columns, titles, strict=True)
        ]
        return self._wrapped(aggregated(self._grouping, wanted), labels)

    @_numba
    def sum(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Any:
        """The sum of each group, 0 where all are missing; texts are put one after the other."""
        return self._reduce("sum", numeric_only, min_count=min_count, skipna=skipna)

    def prod(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Any:
        """The product of each group; 1 where all are missing."""
        return self._reduce("prod", numeric_only, min_count=min_count, skipna=skipna)

    @_numba
    def mean(self, numeric_only: bool = False, skipna: bool = True) -> Any:
        """The mean of each group, of what is not missing."""
        return self._reduce("mean", numeric_only, skipna=skipna)

    def median(self, numeric_only: bool = False, skipna: bool = True) -> Any:
        """The median of each group."""
        return self._reduce("median", numeric_only, skipna=skipna)

    @_numba
    def var(self, ddof: int = 1, numeric_only: bool = False, skipna: bool = True) -> Any:
        """The variance of each group, over its count less `ddof`."""
        return self._reduce("var", numeric_only, ddof=ddof, skipna=skipna)

    @_numba
    def std(self, ddof: int = 1, numeric_only: bool = False, skipna: bool = True) -> Any:
        """The standard deviation of each group, over its count less `ddof`."""
        return self._reduce("std", numeric_only, ddof=ddof, skipna=skipna)

    def sem(self, ddof: int = 1, numeric_only: bool = False, skipna: bool = True) -> Any:
        """The standard error of the mean of each group."""
        return self._reduce("sem", numeric_only, ddof=ddof, skipna=skipna)

    def skew(self, skipna: bool = True, numeric_only: bool = False) -> Any:
        """The skewness of each group, free of bias."""
        return self._reduce("skew", numeric_only, skipna=skipna)

    def kurt(self, skipna: bool = True, numeric_only: bool = False) -> Any:
        """The excess kurtosis of each group, free of bias."""
        return self._reduce("kurt", numeric_only, skipna=skipna)

    @_numba
    def min(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Any:
        """The least of each group."""
        return self._reduce("min", numeric_only, min_count=min_count, skipna=skipna)

    @_numba
    def max(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Any:
        """The greatest of each group."""
        return self._reduce("max", numeric_only, min_count=min_count, skipna=skipna)

    def first(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Any:
        """The first of each group that is not missing."""
        return self._reduce("first", numeric_only, min_count=min_count, skipna=skipna)

    def last(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Any:
        """The last of each group that is not missing."""
        return self._reduce("last", numeric_only, min_count=min_count, skipna=skipna)

    def any(self, skipna: bool = True) -> Any:
        """True for groups of which one is true."""
        return self._reduce("any", skipna=skipna)

    def all(self, skipna: bool = True) -> Any:
        """True for groups of which all are true."""
        return self._reduce("all", skipna=skipna)

    def count(self) -> Any:
        """How many of each group are not missing."""
        return self._reduce("count")

    def nunique(self, dropna: bool = True) -> Any:
        """How many different values each group has; with ``dropna=False`` missing is one too."""
        return self._reduce("nunique", dropna=dropna)

    # Labels of rows.

    def _labels_of(self, name: str, skipna: bool, numeric_only: bool) -> Any:
        columns, labels = self._chosen(name, numeric_only)
        is_hidden = any(not each.observed for each in self._grouping.keys)
        if is_hidden and columns and bool((self._sizes() == 0).any()):
            raise ValueError(
                f"Can't get {name} of an empty group due to unobserved categories. Specify "
                "observed=True in groupby instead."
            )
        return self._wrapped([self._label_column(each, name, skipna) for each in columns], labels)

    def _label_column(self, column: Column, name: str, skipna: bool) -> Column:
        if not skipna and column.has_missing():
            raise ValueError(f"{name} with skipna=False encountered an NA value.")
        if isinstance(column, CategoryColumn) and not column.dtype.ordered:
            raise TypeError(f"Cannot perform {name} with non-ordered Categorical")
        rows = rows_of_extreme(self._grouping, column, least=name == "idxmin")
        if (rows < 0).any():
            raise ValueError(f"{name} with skipna=True encountered all NA values in a group.")
        found: Column = self._of.index._take(rows)._values_column()
        return found

    # Quantiles.

    def quantile(
        self, q: Any = 0.5, interpolation: str = "linear", numeric_only: bool = False
    ) -> Any:
        """The value below which a part of each group is; a level of the parts for several.

        Raises ValueError for a part that is not from 0 to 1.
        """
        parts = np.asarray(q, np.float64)
        if ((parts < 0) | (parts > 1)).any():
            raise ValueError(f"Each 'q' must be between 0 and 1. Got '{q}' instead")
        if parts.ndim == 0:
            return self._reduce("quantile", numeric_only, q=float(q), interpolation=interpolation)
        columns, labels = self._chosen("quantile", numeric_only)
        wanted = [
            Wanted(each, "quantile", {"q": float(part), "interpolation": interpolation})
            for each in columns
            for part in parts
        ]
        made = aggregated(self._grouping, wanted)
        count, groups = len(parts), self._grouping.count
        rows = px.asarray(np.arange(groups * count).reshape(count, groups).T.ravel())
        joined = [
            made[i].joined(made[i + 1 : i + count]).take(rows)
            for i in range(0, len(made), count)
            if count
        ]
        return self._with_parts(joined, labels, parts)

    def _with_parts(self, columns: list[Column], labels: Index | None, parts: np.ndarray) -> Any:
        """Results of which each group has a row for each part, under a level of these."""
        groups, count = self._grouping.count, len(parts)
        rows = px.asarray(np.repeat(np.arange(groups), count))
        keys = [each.take(rows) for each in self._grouping.labels()]
        level = column_of(np.tile(parts, groups))
        if labels is None:
            labels = index_of([self._data.name])
        levels = [index_of(each, tuples=False) for each in (*keys, level)]
        index = MultiIndex.from_arrays(levels, names=[*self._grouping.names, None])
        made: Any = above.DataFrame._of(columns, index, labels)
        if not self._options.as_index:
            names = [self._key_name(i) for i in range(len(keys))]
            made.index.names = [*names, f"level_{len(keys)}"]
            return made.reset_index()
        return made._column_series(0) if self._is_series else made

    def ohlc(self) -> Any:
        """The first, the greatest, the least and the last of each group: columns open, high, low,
        close. Raises TypeError for what is no number.
        """
        names = {"open": "first", "high": "max", "low": "min", "close": "last"}
        columns, labels = self._chosen("ohlc", False)
        for each in columns:
            if not is_numeric(each.dtype):
                raise TypeError("No numeric types to aggregate")
        wanted = [Wanted(each, name) for each in columns for name in names.values()]
        made = aggregated(self._grouping, wanted)
        titles = index_of(list(names))
        if labels is not None:
            titles = MultiIndex.from_product([labels, titles], names=[labels.name, None])
        if not self._options.as_index:
            return self._beside_keys(made, titles)
        return above.DataFrame._of(made, self._grouping.index, titles)


class SeriesExtremes(GroupReductions):
    """`idxmin` and `idxmax` of series."""

    def idxmin(self, skipna: bool = True) -> Any:
        """The label of the first row of the least of each group.

        Raises ValueError where all of a group are missing.
        """
        return self._labels_of("idxmin", skipna, False)

    def idxmax(self, skipna: bool = True) -> Any:
        """The label of the first row of the greatest of each group.

        Raises ValueError where all of a group are missing.
        """
        return self._labels_of("idxmax", skipna, False)


class FrameExtremes(GroupReductions):
    """`idxmin` and `idxmax` of frames."""

    def idxmin(self, skipna: bool = True, numeric_only: bool = False) -> Any:
        """The label of the first row of the least of each group and column.

        Raises ValueError where all of a group are missing.
        """
        return self._labels_of("idxmin", skipna, numeric_only)

    def idxmax(self, skipna: bool = True, numeric_only: bool = False) -> Any:
        """The label of the first row of the greatest of each group and column.

        Raises ValueError where all of a group are missing.
        """
        return self._labels_of("idxmax", skipna, numeric_only)
