"""What `resample` gives: rows in bins of time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..columns import Column
from ..columns.making import column_of
from ..dtypes import StringDtype
from ..groups.calling import names_of
from ..groups.core import Options
from ..groups.groupby import DataFrameGroupBy
from ..groups.runs import Runs
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.ranges import RangeIndex
from ..operations.joined import joined_columns
from ..windows.aggregating import Aggregating
from .bins import Bins, Rule, bins_of
from .sorted_rows import SortedRows


class Binned(Aggregating):
    """Rows in bins, and columns with a row for each bin.

    `keywords` are the rule and where the times are.
    """

    names_functions = True

    def _names_of(self, functions: list[Any]) -> list[Any]:
        """As groups of a frame have them; a series' lambdas are not numbered."""
        return names_of(functions) if self._of.ndim == 2 else super()._names_of(functions)

    def __init__(
        self, of: Any, keywords: dict[str, Any], selection: Any = None, found: Any = None
    ) -> None:
        super().__init__(of, keywords, selection)
        rule: Rule = keywords["rule"]
        self._sorted: SortedRows
        self._bins: Bins
        if found is None:
            rows = SortedRows(of, keywords["on"], keywords["level"])
            found = rows, bins_of(rows.axis, rule)
        self._sorted, self._bins = found
        sizes = self._bins.sizes()
        self._present = np.flatnonzero(sizes)  # bins with rows
        # Where the rows of these begin, and where those of the last one end.
        self._bounds = np.append(0, self._bins.ends[self._present])

    def _with_selection(self, key: Any) -> Any:
        return type(self)(self._of, self._keywords, key, (self._sorted, self._bins))

    def __repr__(self) -> str:
        rule: Rule = self._keywords["rule"]
        return (
            f"{type(self).__name__} [freq={rule.freq!r}, closed={rule.closed}, label={rule.label}]"
        )

    def _left_out(self) -> Any:
        return self._keywords["on"]

    def _ordered(self, column: Column) -> Column:
        return self._sorted.take(column)

    def _index(self, count: int) -> Index:
        return self._bins.labels  # type: ignore[no-any-return]

    # Groups: the bins with rows are the groups of the engine's operators.

    def _grouped(self, columns: list[Column]) -> Any:
        labels = self._bins.labels
        present = labels._values_column().take(px.asarray(self._present))
        grouping = Runs(self._bounds, present, labels.name)
        count = int(self._bounds[-1])
        frame = above.DataFrame._of(columns, RangeIndex(count), RangeIndex(len(columns)))
        return DataFrameGroupBy(frame, grouping, Options(), frame, frame)

    def _places(self) -> np.ndarray:
        """The group of each bin; -1 of bins without rows."""
        places = np.full(len(self._bins.ends), -1, np.int64)
        places[self._present] = np.arange(len(self._present))
        return places

    def _filled(self, column: Column, fill: Any, enough: np.ndarray | None = None) -> Column:
        """A column of groups as one of bins, in which bins without rows have a value, or miss one.

        `enough` says which groups have a result.
        """
        places = self._places()
        if enough is not None:
            places[self._present[~enough]] = -1
        if not (places < 0).any():
            return column
        if fill is None:
            if column.dtype == bool:  # pandas has numbers where some are missing
                column = column.astype(np.dtype(np.float64))
            return column.take(px.asarray(places), has_missing=True)
        fill = "" if isinstance(column.dtype, StringDtype) else fill
        both = joined_columns([column, column_of([fill]).astype(column.dtype)])
        return both.take(px.asarray(np.where(places < 0, len(column), places)))

    def _made(self, columns: list[Column], labels: Any) -> Any:
        index = self._index(0)
        if self._is_series:
            return above.Series._of(columns[0], index, self._selected.name)
        return above.DataFrame._of(columns, index, labels)

    def _empty(self, dtype: Any = None) -> Any:
        """What there is of no rows: the columns as they are."""
        data = self._data("", False)
        columns = [each if dtype is None else each.astype(dtype) for each in data.columns]
        return self._made(columns, data.labels)

    # Bins as groups.

    @property
    def ngroups(self) -> int:
        """How many bins there are."""
        return len(self._bins.ends)

    def __len__(self) -> int:
        return self.ngroups

    def _ordered_selection(self) -> Any:
        selected = self._selected
        return selected if self._sorted.rows is None else selected._at(self._sorted.rows)

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of a bin's label and its rows."""
        ordered, start = self._ordered_selection(), 0
        for i, end in enumerate(self._bins.ends.tolist()):
            yield self._bins.labels._label(i), ordered._at(slice(start, end))
            start = end

    def get_group(self, name: Any) -> Any:
        """The rows of the bin of a label. Raises KeyError where there is none such."""
        place = self._bins.labels.get_loc(name)
        start = int(self._bins.ends[place - 1]) if place else 0
        return self._ordered_selection()._at(slice(start, int(self._bins.ends[place])))

    @property
    def groups(self) -> dict[Any, int]:
        """For each bin's label the number of rows in it and before."""
        return dict(zip(self._bins.labels, self._bins.ends.tolist(), strict=True))

    @property
    def indices(self) -> dict[Any, np.ndarray]:
        """For each bin's label its rows, of bins that have any."""
        rows = np.arange(self._bounds[-1]) if self._sorted.rows is None else self._sorted.rows
        starts = np.append(0, self._bins.ends[:-1])
        return {
            self._bins.labels._label(i): rows[starts[i] : self._bins.ends[i]]
            for i in self._present.tolist()
        }

    def _frame_labels(self, names: list[str]) -> Index:
        made: Index = index_of(names)
        return made
