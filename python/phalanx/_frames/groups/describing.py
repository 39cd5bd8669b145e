"""What there is to say of each group: `describe`, `value_counts`, `unique`, the largest."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

import phalanx as px

from .. import above, engine
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn, object_array
from ..combining.concat import concat
from ..dtypes import NULLABLE, NullableDtype, has_na, is_numeric, nullable_of
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..indexes.ranges import RangeIndex
from ..statistics.describing import _parts, _row_order, described, percent_labels
from .aggregation import Wanted, aggregated
from .grouping import Grouping, sorted_rows
from .keys import Key
from .reductions import GroupReductions


def keyed_index(grouping: Grouping, groups: np.ndarray, index: Index) -> MultiIndex:
    """The labels of rows under those of the groups that they are in."""
    places = px.asarray(groups)
    keys = [index_of(each.take(places), tuples=False) for each in grouping.labels()]
    inner = [index.get_level_values(i) for i in range(index.nlevels)]
    return MultiIndex.from_arrays([*keys, *inner], names=[*grouping.names, *index.names])


class GroupDescribing(GroupReductions):
    """What series and frames have alike."""

    def _rows_described(self) -> np.ndarray | None:
        """The groups in the order in which each key's labels come; None: as they are."""
        keys = self._grouping.labels()
        if self._options.sort or len(keys) < 2:
            return None
        codes = [engine.group_rows([each.key()], False)[0] for each in keys]
        return np.lexsort([np.asarray(each) for each in reversed(codes)])

    def _with_descriptions(self, parts: list[Column], titles: Index) -> Any:
        """The result of `describe`, of whose columns each has a row for each group."""
        order = self._rows_described()
        if not self._options.as_index:
            made = self._beside_keys(parts, titles)
            if order is None:
                return made
            return made._with([each.take(px.asarray(order)) for each in made._parts])
        made = above.DataFrame._of(parts, self._grouping.index, titles)
        if not len(self._of):
            labels = index_of([self._data.name] if self._is_series else [0])
            return made._with(parts, labels._slice(slice(0, 0)))
        return made if order is None else made._at(order)

    def _described_column(self, series: Any, parts: np.ndarray) -> Any:
        column = series._parts[0]
        if is_numeric(column.dtype) and column.dtype.kind in "iuf":
            return self._described_numbers(column, parts)
        tables = [described(each, parts) for each in self._pieces(series)]
        labels = _row_order(tables or [described(series, parts)])
        columns = [
            ObjectColumn(object_array([each.get(label, np.nan) for each in tables]))
            for label in labels
        ]
        if tables and all(each.dtype != np.dtype(object) for each in tables):
            columns = [each.astype(tables[0].dtype) for each in columns]  # type: ignore[misc]
        return above.DataFrame._of(columns, self._grouping.index, index_of(labels))

    def _described_numbers(self, column: Column, parts: np.ndarray) -> Any:
        names = ["count", "mean", "std", "min"]
        wanted = [Wanted(column, each) for each in names]
        wanted += [Wanted(column, "quantile", {"q": float(part)}) for part in parts]
        made = aggregated(self._grouping, [*wanted, Wanted(column, "max")])
        is_nullable = isinstance(column.dtype, NullableDtype)
        dtype = NULLABLE["Float64"] if is_nullable else np.dtype(np.float64)
        labels = index_of([*names, *percent_labels(parts), "max"])
        return above.DataFrame._of(
            [each.astype(dtype) for each in made], self._grouping.index, labels
        )

    # Counts of values.

    def _counted(
        self, values: list[Key], *, normalize: bool, sort: bool, ascending: bool, dropna: bool
    ) -> Any:
        """How often values are in each group: a series under labels of both."""
        keys = [*self._grouping.keys, *values]
        if dropna == self._options.dropna:
            whole = Grouping(keys, sort=False, dropna=dropna)
        else:
            rows = px.asarray(np.flatnonzero(self._rows_with_keys(values, dropna)))
            keys = [each._replace(column=each.column.take(rows)) for each in keys]
            whole = Grouping(keys, sort=False, dropna=False)
        counts = whole.sizes.astype(np.int64)
        labels, width = whole.labels(), len(self._grouping.keys)
        order = np.arange(whole.count)
        if sort:
            order = np.argsort(counts if ascending else -counts, kind="stable")
        if self._options.sort:
            outer = [each.take(px.asarray(order)) for each in labels[:width]]
            order = order[sorted_rows(outer)]
        labels = [each.take(px.asarray(order)) for each in labels]
        counts = counts[order]
        name = "proportion" if normalize else "count"
        made: Any = NumberColumn(px.asarray(counts))
        if normalize:
            made = _parts_of_groups(labels[:width], counts)
        if self._is_series and has_na(self._data.dtype):
            made = NumberColumn(made.values, None, nullable_of(made.values.dtype))
        return self._with_counts(labels, [each.name for each in keys], made, name)

    def _rows_with_keys(self, values: list[Key], dropna: bool) -> np.ndarray:
        """Which rows are in groups, or have values, where one of both may be missing."""
        if self._options.dropna:
            return self._grouping.codes >= 0
        gone = [np.asarray(each.column.isna()) for each in values if dropna]
        return ~np.logical_or.reduce(gone) if gone else np.ones(len(self._of), bool)

    def _with_counts(self, labels: list[Column], names: list[Any], made: Any, name: str) -> Any:
        if self._options.as_index:
            levels = [index_of(each, tuples=False) for each in labels]
            index: Any = MultiIndex.from_arrays(levels, names=names)
            if len(levels) == 1:
                index = levels[0].rename(names[0])
            return above.Series._of(made, index, name)
        told = [f"level_{i}" if each is None else each for i, each in enumerate(names)]
        if name in told:
            raise ValueError(f"Column label '{name}' is duplicate of result column")
        return above.DataFrame._of([*labels, made], RangeIndex(len(made)), index_of([*told, name]))


def _parts_of_groups(keys: list[Column], counts: np.ndarray) -> Column:
    codes, count, _ = engine.group_rows([each.key() for each in keys], False)
    places = np.asarray(codes)
    totals = np.bincount(places, weights=counts, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = counts / totals[places]
    return NumberColumn(px.asarray(np.where(np.isnan(found), 0.0, found)))


class SeriesGroupDescribing(GroupDescribing):
    """What there is to say of the groups of a series."""

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Any:
        """The count, the mean, the deviation and quantiles; of others the most frequent value."""
        made = self._described_column(self._data, _parts(percentiles))
        return self._with_descriptions(made._parts, made.columns)

    def value_counts(
        self,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        bins: Any = None,
        dropna: bool = True,
    ) -> Any:
        """How often each value is in each group, or which part of the group it is."""
        if bins is not None:
            return self._counted_bins(
                normalize=normalize, sort=sort, ascending=ascending, bins=bins, dropna=dropna
            )
        own = {each.label for each in self._grouping.keys if each.is_own}
        name = self._data.name
        keys = [] if name in own else [Key(self._data._parts[0], name, observed=False)]
        return self._counted(
            keys, normalize=normalize, sort=sort, ascending=ascending, dropna=dropna
        )

    def _counted_bins(self, **how: Any) -> Any:
        """How often values are in intervals, as `cut` makes them of each group."""
        made = {label: values.value_counts(**how) for label, values in self}
        counted = concat(made.values(), keys=list(made))
        names = [each.name for each in self._grouping.keys]
        return counted.rename_axis([*names, self._data.name])

    @property
    def is_monotonic_increasing(self) -> Any:
        """True for each group whose values never fall."""
        return self.apply(lambda values: values.is_monotonic_increasing)

    @property
    def is_monotonic_decreasing(self) -> Any:
        """True for each group whose values never rise."""
        return self.apply(lambda values: values.is_monotonic_decreasing)

    def unique(self) -> Any:
        """The different values of each group, in their order, as arrays."""
        grouping, column = self._grouping, self._data._parts[0]
        if not grouping.count:
            return self._wrapped([column])
        keys = [("codes", grouping.placed_codes.astype(np.int64), None), column.key()]
        _, _, firsts = engine.group_rows(keys, False)
        rows = np.asarray(firsts)
        codes = grouping.codes[rows]
        rows, codes = rows[codes >= 0], codes[codes >= 0]
        order = np.argsort(codes, kind="stable")
        values = column.take(px.asarray(rows[order]))
        bounds = np.searchsorted(codes[order], np.arange(grouping.count + 1)).tolist()
        made = [
            above.Series._of(values.slice(slice(first, last)), index_of(range(last - first)))
            for first, last in pairwise(bounds)
        ]
        return self._wrapped([ObjectColumn(object_array([each.unique() for each in made]))])

    # The largest.

    def nlargest(self, n: int = 5, keep: str = "first") -> Any:
        """The largest of each group, the largest first, under its label and their own."""
        return self._best(n, keep, greatest=True)

    def nsmallest(self, n: int = 5, keep: str = "first") -> Any:
        """The smallest of each group, the smallest first, under its label and their own."""
        return self._best(n, keep, greatest=False)

    def _best(self, n: int, keep: str, *, greatest: bool) -> Any:
        column = self._data._parts[0]
        if not self._grouping.count and self._options.group_keys:
            return self._wrapped([column])
        is_plain = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufmM"
        if keep != "first" or n < 0 or not is_plain or column.has_missing():
            name = "nlargest" if greatest else "nsmallest"
            return self._apply_all(lambda each: getattr(each, name)(n, keep=keep), same=False)
        parts = engine.parts_of(column)
        rows, bounds = engine.best_rows(
            self._grouping.placed_codes, self._grouping.count, parts, n, greatest
        )
        taken = self._data._at(rows)
        if self._options.group_keys and self._options.as_index:
            groups = np.repeat(np.arange(self._grouping.count), np.diff(np.asarray(bounds)))
            taken = taken._with(taken._parts, keyed_index(self._grouping, groups, taken.index))
        return taken


class FrameGroupDescribing(GroupDescribing):
    """What there is to say of the groups of a frame."""

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Any:
        """`describe` of each column of numbers and dates, or of the dtypes that are asked for."""
        if not self._data._parts:
            raise ValueError("Cannot describe a DataFrame without columns")
        of = self._data._described(include, exclude)
        percents = _parts(percentiles)
        made = [
            self._described_column(of._column_series(i), percents) for i in range(len(of._parts))
        ]
        names = _row_order([above.Series(range(len(e.columns)), index=e.columns) for e in made])
        nothing = ObjectColumn(np.full(self._grouping.count, np.nan, object))
        parts = []
        for each in made:
            own = dict(zip(each.columns, each._parts, strict=True))
            parts += [own.get(name, nothing) for name in names]
        outer = of.columns._take(np.repeat(np.arange(len(made)), len(names)))
        titles = MultiIndex.from_arrays([outer, names * len(made)], names=[of.columns.name, None])
        return self._with_descriptions(parts, titles)

    def value_counts(
        self,
        subset: Any = None,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        dropna: bool = True,
    ) -> Any:
        """How often the columns have the same values in each group.

        Raises ValueError for labels in `subset` that are keys, or are not there.
        """
        own = {each.label for each in self._grouping.keys if each.is_own}
        columns = self._data.columns
        labels = set(columns) if subset is None else set(subset)
        if subset is not None:
            if labels & own:
                raise ValueError(
                    f"Keys {labels & own} in subset cannot be in the groupby column keys."
                )
            if labels - set(columns):
                raise ValueError(
                    f"Keys {labels - set(columns)} in subset do not exist in the DataFrame."
                )
        keys = [
            Key(part, label, observed=False)
            for label, part in zip(columns, self._data._parts, strict=True)
            if label in labels and label not in own
        ]
        return self._counted(
            keys, normalize=normalize, sort=sort, ascending=ascending, dropna=dropna
        )
