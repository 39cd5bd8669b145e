"""Equal rows: `duplicated`, `unique`, `value_counts`."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..building.kinds import is_list_like
from ..categories.categorical import Categorical
from ..columns import Column
from ..columns.categories import CategoryColumn
from ..columns.codes import codes_of, counts_of, firsts_of
from ..columns.numbers import NumberColumn, nullable
from ..columns.strings import StringColumn
from ..dtypes import ArrowDtype, NullableDtype
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..indexes.ranges import RangeIndex
from ..operations.equal_rows import duplicated
from ..selection.rows import RowMethods
from ..selection.selectors import rows_of_mask
from ..signatures import in_place
from .keys import ordered_rows


def repeated_rows(parts: list[Column], keep: Any, count: int) -> Any:
    """Which rows are equal to another one; of equal ones ``keep`` says which does not count."""
    if keep is not False and keep not in ("first", "last"):
        raise ValueError('keep must be either "first", "last" or False')
    return duplicated(parts, keep) if parts and count else px.zeros(count, bool)


class Repeats(RowMethods):
    """What is the same for series and frames."""

    def _each_once(self, mask: Any, ignore_index: bool) -> Any:
        made = self._at(rows_of_mask(~mask))
        return made.reset_index(drop=True) if ignore_index else made  # type: ignore[attr-defined]


def counted(parts: list[Column], *, sort: bool, ascending: bool, dropna: bool) -> tuple[Any, Any]:
    """The first row of each different row, and how many are equal to it; most of them first."""
    if not dropna and len(parts) == 1 and isinstance(parts[0].dtype, NullableDtype):
        codes, firsts = _missing_last(parts[0], *codes_of(parts, keep_missing=True))
        counts = px.bincount(codes, minlength=firsts.shape[0]).astype(np.int64)
    else:
        firsts, counts = counts_of(parts, keep_missing=not dropna)
    if sort:
        order = ordered_rows(NumberColumn(counts), ascending=ascending)
        return firsts[order], counts[order]
    return firsts, counts


def _missing_last(column: Column, codes: Any, firsts: Any) -> tuple[Any, Any]:
    """Groups of which that of the missing rows, if there is one, has the last number."""
    missing = px.asarray(column.take(firsts).isna())
    order = px.concatenate([px.flatnonzero(~missing), px.flatnonzero(missing)])
    numbers = px.argsort(order, stable=True)
    return numbers[codes], firsts[order]


class SeriesRepeats(Repeats):
    """Equal values of series."""

    _name: Any

    def duplicated(self, keep: Any = "first") -> Any:
        """Which values are there before; ``keep`` False: which are there more than once."""
        mask = repeated_rows(self._parts, keep, len(self))
        return self._keep_attrs(self._with([NumberColumn(mask)]))

    @in_place
    def drop_duplicates(self, *, keep: Any = "first", ignore_index: bool = False) -> Any:
        """Each value once."""
        return self._each_once(repeated_rows(self._parts, keep, len(self)), ignore_index)

    def _distinct(self, *, dropna: bool) -> Column:
        if not len(self):
            return self._parts[0]
        return self._parts[0].take(firsts_of(self._parts, keep_missing=not dropna))

    def unique(self) -> Any:
        """Each value once, in the order in which they come: NumPy's array, or a `Categorical`."""
        column = self._distinct(dropna=False)
        if not isinstance(column, CategoryColumn):
            return column.to_numpy()
        return Categorical._of(column)

    @property
    def is_unique(self) -> bool:
        """True if no value is there twice."""
        return len(self._distinct(dropna=False)) == len(self)

    def nunique(self, dropna: bool = True) -> int:
        """How many different values there are; missing ones count with ``dropna=False``."""
        return len(self._distinct(dropna=dropna)) if len(self) else 0

    def factorize(self, sort: bool = False, use_na_sentinel: bool = True) -> tuple[Any, Any]:
        """The number of each value among the different ones, -1 for missing ones, and these."""
        column = self._parts[0]
        if sort or not isinstance(column, (NumberColumn, StringColumn)) or not len(column):
            return index_of(column, tuples=False).factorize(sort, use_na_sentinel)  # type: ignore[no-any-return]
        codes, firsts = codes_of([column], keep_missing=not use_na_sentinel)
        labels = index_of(column.take(firsts), tuples=False)
        return np.asarray(codes).astype(np.intp, copy=False), labels

    def value_counts(
        self,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        bins: Any = None,
        dropna: bool = True,
    ) -> Any:
        """How often each value is there, or with ``normalize`` which part of all it is.

        ``bins`` counts the values of intervals, as `cut` has them.
        """
        if bins is not None:
            made = above.binned_counts(self, bins, normalize=normalize, dropna=dropna)
            return made.sort_values(ascending=ascending) if sort else made
        column = self._parts[0]
        if isinstance(column, CategoryColumn):
            column, counts = _category_counts(column, sort=sort, ascending=ascending, dropna=dropna)
        else:
            firsts, counts = counted([column], sort=sort, ascending=ascending, dropna=dropna)
            column = column.take(firsts)
        index = index_of(column, name=self._name, tuples=False)
        # Counts of nullable values are nullable too.
        has_na = isinstance(column.dtype, (ArrowDtype, NullableDtype))
        kind = nullable if has_na else NumberColumn
        if normalize:
            return above.Series._of(kind(counts / counts.sum(), None), index, "proportion")
        return above.Series._of(kind(counts, None), index, "count")


def _category_counts(
    column: CategoryColumn, *, sort: bool, ascending: bool, dropna: bool
) -> tuple[Column, Any]:
    """The same of categories: those without a row count 0."""
    size = len(column.dtype.values)
    codes = column.codes.astype(np.int64)
    counts = px.bincount(codes[codes >= 0], minlength=size).astype(np.int64)
    labels = px.arange(size, dtype=np.int64)
    missing = int((codes < 0).sum())
    if missing and not dropna:
        counts = px.concatenate([counts, px.asarray(np.array([missing]))])
        labels = px.concatenate([labels, px.asarray(np.array([-1]))])
    if sort:
        order = ordered_rows(NumberColumn(counts), ascending=ascending)
        counts, labels = counts[order], labels[order]
    return CategoryColumn(labels.astype(column.codes.dtype), column.dtype), counts


class FrameRepeats(Repeats):
    """Equal rows of frames."""

    def _subset(self, subset: Any) -> list[Column]:
        if subset is None:
            return self._parts
        labels = (
            list(subset) if is_list_like(subset) and not isinstance(subset, tuple) else [subset]
        )
        gone = [each for each in labels if each not in self._labels_of(1)]
        if gone:
            raise KeyError(gone)
        return list(self[labels]._parts)  # type: ignore[index]

    def duplicated(self, subset: Any = None, keep: Any = "first") -> Any:
        """Which rows are there before; ``keep`` False: which are there more than once."""
        mask = repeated_rows(self._subset(subset), keep, len(self))
        return above.Series._of(NumberColumn(mask), self._index)

    @in_place
    def drop_duplicates(
        self, subset: Any = None, *, keep: Any = "first", ignore_index: bool = False
    ) -> Any:
        """Each row once, as some columns have it."""
        return self._each_once(repeated_rows(self._subset(subset), keep, len(self)), ignore_index)

    def nunique(self, axis: Any = 0, dropna: bool = True) -> Any:
        """How many different values each column has, or each row."""
        if self._axis(axis) == 1:
            return self.T.nunique(0, dropna)  # type: ignore[attr-defined]
        counts = [self._column_series(i).nunique(dropna) for i in range(len(self._parts))]  # type: ignore[attr-defined]
        return above.Series._of(
            NumberColumn(px.asarray(np.array(counts, np.int64))), self._labels_of(1)
        )

    def value_counts(
        self,
        subset: Any = None,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        dropna: bool = True,
    ) -> Any:
        """How often each row is there, under labels of its values."""
        labels = list(self._labels_of(1)) if subset is None else subset
        labels = (
            list(labels) if is_list_like(labels) and not isinstance(labels, tuple) else [labels]
        )
        parts = self._subset(labels)
        if not parts:
            if subset is not None or len(self):
                raise ValueError("No group keys passed!")
            return above.Series._of(NumberColumn(px.zeros(0, np.int64)), RangeIndex(0), "count")
        for each in labels:
            if each is not None and each in self._index.names:
                raise ValueError(
                    f"'{each}' is both an index level and a column label, which is ambiguous."
                )
        if any(isinstance(each, CategoryColumn) for each in parts):
            made = self._counts_of_categories(labels, normalize, sort, ascending, dropna)
            if made.index.nlevels == 1 and (is_list_like(subset) or subset is None):
                made.index = MultiIndex.from_arrays([made.index], names=labels)
            return made
        firsts, counts = counted(parts, sort=sort, ascending=ascending, dropna=dropna)
        levels = [index_of(each.take(firsts), tuples=False) for each in parts]
        if len(parts) == 1 and parts[0].dtype == object:
            levels = [index_of(list(levels[0]), tuples=False)]  # pandas looks what they are
        if len(levels) == 1 and not is_list_like(subset) and subset is not None:
            index: Any = levels[0].rename(labels[0])
        else:
            index = MultiIndex.from_arrays(levels, names=labels)
        if normalize:
            return above.Series._of(NumberColumn(counts / counts.sum()), index, "proportion")
        return above.Series._of(NumberColumn(counts), index, "count")

    def _counts_of_categories(
        self, labels: list[Any], normalize: bool, sort: bool, ascending: bool, dropna: bool
    ) -> Any:
        """The same where categories that no row has are counted too, as groups count them."""
        groups = self.groupby(labels, sort=False, dropna=dropna, observed=False)  # type: ignore[attr-defined]
        counts = groups.size().rename("proportion" if normalize else "count")
        if sort:
            counts = counts.sort_values(ascending=ascending, kind="stable")
        return counts / counts.sum() if normalize else counts
