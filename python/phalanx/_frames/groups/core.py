"""What `groupby` gives: which columns of what are in which groups, and how results are put."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import above
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..dtypes import NULLABLE, has_na
from ..in_place import InPlace
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.ranges import RangeIndex
from ..missing import is_missing
from ..scalars import Timestamp
from ..shared.base import Labelled
from ..signatures import MissingNameError
from .aggregation import Wanted, aggregated
from .grouping import Grouping

# What pandas has and we have not.
MISSING = frozenset((
    "dtypes", "fillna", "is_monotonic_decreasing", "is_monotonic_increasing",
    "take",
))  # fmt: skip


class Options(NamedTuple):
    """The keywords of `groupby`; `is_list`: the keys were a list of one, labels are tuples."""

    as_index: bool = True
    sort: bool = True
    group_keys: bool = True
    observed: bool = True
    dropna: bool = True
    is_list: bool = False


class GroupByCore(InPlace):
    """Groups of rows: `_data` are the columns that are computed with, `_shown` those of results
    that are rows of the object itself, among which are the keys too.
    """

    def __init__(
        self, of: Any, grouping: Grouping, options: Options, data: Any, shown: Any
    ) -> None:
        self._of = of
        self._grouping = grouping
        self._options = options
        self._data = data
        self._shown = shown

    def _like(self, *, data: Any = None, as_index: bool | None = None) -> Any:
        """The same groups of other columns, or with the other way of showing keys."""
        options = self._options
        if as_index is not None:
            options = options._replace(as_index=as_index)
        given = self._data if data is None else data
        kind = above.SeriesGroupBy if given.ndim == 1 else above.DataFrameGroupBy
        shown = self._shown if data is None else data
        return kind(self._of, self._grouping, options, given, shown)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and self._data.ndim == 2 and name in self._of.columns:
            return self[name]  # type: ignore[index]
        kind = type(self).__name__
        if name in MISSING:
            raise MissingNameError(
                f"groupby(...).{name} of pandas is not supported; to_pandas() gives an object "
                "that has it"
            )
        raise AttributeError(f"'{kind}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        labels = self._of.columns if self._of.ndim == 2 else ()
        named = [each for each in labels if isinstance(each, str) and each.isidentifier()]
        return sorted({*super().__dir__(), *named})

    @property
    def obj(self) -> Any:
        """The frame or the series that is in groups, all of its columns."""
        return self._of if self._of.ndim == self._data.ndim else self._data

    @property
    def _grouper(self) -> list[Any]:
        """The keys as series: libraries that group other rows likewise ask pandas' objects so."""
        return [
            above.Series._of(each.column, self._of._index, each.name)
            for each in self._grouping.keys
        ]

    # Groups.

    def __len__(self) -> int:
        return self._grouping.count

    @property
    def ngroups(self) -> int:
        """How many groups there are."""
        return self._grouping.count

    @cached_property
    def _group_labels(self) -> list[Any]:
        return list(self._grouping.index)

    @property
    def groups(self) -> dict[Any, Index]:
        """The labels of the rows of each group."""
        labels = self._of.index._take(self._grouping.rows)
        bounds = self._grouping.bounds.tolist()
        return {
            label: labels._slice(slice(first, last))
            for label, first, last in zip(self._group_labels, bounds, bounds[1:], strict=False)
        }

    @property
    def indices(self) -> dict[Any, np.ndarray]:
        """The positions of the rows of each group that has some."""
        rows, bounds = self._grouping.rows, self._grouping.bounds.tolist()
        return {
            label: rows[first:last]
            for label, first, last in zip(self._group_labels, bounds, bounds[1:], strict=False)
            if last > first
        }

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {_without_nan(each): i for i, each in enumerate(self._group_labels)}

    def get_group(self, name: Any) -> Any:
        """The rows of a group by its label. Raises KeyError where no group has it.

        With several keys the label is a tuple; ValueError if it is none, or of another length.
        """
        wanted = name
        if self._options.is_list:
            if not isinstance(name, tuple) or len(name) != 1:
                raise KeyError(name)
            wanted = name[0]
        keys = len(self._grouping.keys)
        if keys > 1 and (not isinstance(wanted, tuple) or len(wanted) != keys):
            raise ValueError(
                f"must supply a tuple of {keys} labels to get_group with multiple grouping keys"
            )
        place = self._places.get(_without_nan(self._as_label(wanted)))
        bounds = self._grouping.bounds
        if place is None or bounds[place] == bounds[place + 1]:
            raise KeyError(name)
        return self._shown._at(self._grouping.rows[bounds[place] : bounds[place + 1]])

    def _as_label(self, name: Any) -> Any:
        """A label as groups have it: of texts and NumPy's dates a Timestamp."""
        sample = self._group_labels[0] if self._group_labels else None
        if isinstance(sample, Timestamp) and isinstance(name, (str, np.datetime64)):
            return Timestamp(name, tz=sample.tz)
        return name

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of a group's label and its rows."""
        for label, piece in zip(self._group_labels, self._pieces(self._shown), strict=True):
            yield (label,) if self._options.is_list else label, piece

    def _pieces(self, of: Any) -> Iterator[Any]:
        """The rows of each group, one group after the other."""
        rows = px.asarray(self._grouping.rows)
        parts = [each.take(rows) for each in of._parts]
        index = of.index._take(self._grouping.rows)
        bounds = self._grouping.bounds.tolist()
        for first, last in pairwise(bounds):
            part = slice(first, last)
            yield of._with([each.slice(part) for each in parts], index._slice(part))

    def pipe(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """``func(self, ...)``; a pair of a function and a keyword names where this goes."""
        return Labelled.pipe(self, func, *args, **kwargs)  # type: ignore[arg-type]

    # Results of a row for each group.

    @cached_property
    def _result_index(self) -> Index:
        """The groups' labels, or numbers where the labels are put beside the results."""
        as_index = self._options.as_index
        return self._grouping.index if as_index else RangeIndex(self._grouping.count)

    @property
    def _is_series(self) -> bool:
        return bool(self._data.ndim == 1)

    def _wrapped(self, columns: list[Column], labels: Index | None = None) -> Any:
        """Columns of a row for each group under the groups' labels, or beside them."""
        if self._is_series:
            if self._options.as_index:
                made = above.Series._of(columns[0], self._grouping.index, self._data.name)
                return self._of._keep_attrs(made)
            return self._beside_keys(columns, index_of([_column_label(self._data.name)]))
        labels = self._data.columns if labels is None else labels
        if not self._options.as_index:
            return self._beside_keys(columns, labels)
        made = above.DataFrame._of(columns, self._grouping.index, labels)
        return self._of._keep_attrs(made)

    def _beside_keys(self, columns: list[Column], labels: Index) -> Any:
        """A frame of the keys and then of columns; keys whose names are there are left out."""
        parts, names = list(columns), list(labels)
        keys = self._grouping.labels()
        for place in range(len(keys) - 1, -1, -1):
            name: Any = self._key_name(place)
            if labels.nlevels > 1 and not isinstance(name, tuple):
                name = (name,) + ("",) * (labels.nlevels - 1)
            if name not in names:
                names.insert(0, name)
                parts.insert(0, keys[place])
        count = self._grouping.count
        # None among texts stays what it is in a column of objects only.
        plain = None if all(each is not None for each in names) else np.dtype(object)
        titles = index_of(names, plain, tuples=labels.nlevels > 1)
        if labels.nlevels == 1:
            titles = titles.rename(labels.name)
        else:
            titles.names = labels.names
        made = above.DataFrame._of(parts, RangeIndex(count), titles)
        return self._of._keep_attrs(made)

    def _key_name(self, place: int) -> Any:
        name = self._grouping.names[place]
        if name is not None:
            return name
        return "index" if len(self._grouping.keys) == 1 else f"level_{place}"

    def size(self) -> Any:
        """How many rows each group has: a series, or with ``as_index=False`` a frame."""
        counts = NumberColumn(px.asarray(self._sizes()))
        if self._is_series and has_na(self._data.dtype):
            counts = NumberColumn(counts.values, None, NULLABLE["Int64"])
        if not self._options.as_index:
            if "size" in self._grouping.index.names:
                raise ValueError("cannot insert size, already exists")
            return self._beside_keys([counts], index_of(["size"]))
        name = self._data.name if self._is_series else None
        made = above.Series._of(counts, self._grouping.index, name)
        return self._of._keep_attrs(made)

    def _sizes(self) -> np.ndarray:
        whole = NumberColumn(px.asarray(np.zeros(len(self._of), np.int8)))
        (made,) = aggregated(self._grouping, [Wanted(whole, "size")])
        return np.asarray(made.values)  # type: ignore[attr-defined]

    # Results of a row for each row.

    def _for_rows(self, columns: list[Column], labels: Index | None = None) -> Any:
        """Columns as long as the object, under its labels."""
        index = self._of.index
        if self._is_series:
            made = above.Series._of(columns[0], index, self._data.name)
        else:
            labels = self._data.columns if labels is None else labels
            made = above.DataFrame._of(columns, index, labels)
        return self._of._keep_attrs(made)

    def _numbers_for_rows(self, values: np.ndarray) -> Any:
        """A series of numbers without a name: NaN for rows that are in no group."""
        if self._grouping.has_dropped:
            values = np.where(self._grouping.codes < 0, np.nan, values.astype(np.float64))
        return above.Series._of(NumberColumn(px.asarray(values)), self._of.index)

    def ngroup(self, ascending: bool = True) -> Any:
        """The number of each row's group, in the order of the groups."""
        codes = self._grouping.codes.astype(np.int64)
        if any(not each.observed for each in self._grouping.keys):
            met = np.unique(codes[codes >= 0])  # groups without rows are not counted
            codes = np.where(codes < 0, -1, np.searchsorted(met, codes))
        if not ascending:
            codes = self._grouping.count - 1 - codes
        return self._numbers_for_rows(codes)


def _without_nan(label: Any) -> Any:
    """A label under which missing ones are found: NaN is not equal to itself."""
    if isinstance(label, tuple):
        return tuple(map(_without_nan, label))
    return _MISSING_LABEL if is_missing(label) else label


_MISSING_LABEL = object()


def _column_label(name: Any) -> Any:
    return 0 if name is None else name
