"""How columns vary together in each group: `corr`, `cov`."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import above, engine
from ..columns.making import column_of
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..statistics.relations import _check, as_floats
from .reductions import GroupReductions


def _numbers(column: Any, name: str) -> engine.Array:
    """What is added up of a column: its integers and floats, or floats with NaN of others."""
    dtype = column.dtype
    is_plain = isinstance(dtype, np.dtype) and (dtype.kind in "iu" or dtype == np.float64)
    return engine.placed((column if is_plain else as_floats(column, name)).values)


class SeriesGroupRelations(GroupReductions):
    """Relations of a series to another one."""

    def corr(self, other: Any, method: Any = "pearson", min_periods: int | None = None) -> Any:
        """The correlation of each group with the rows of another series that have its labels."""
        _check(method)
        return self._each_group(lambda own: own.corr(other, method, min_periods))

    def cov(self, other: Any, min_periods: int | None = None, ddof: int | None = 1) -> Any:
        """The covariance of each group with the rows of another series that have its labels."""
        return self._each_group(lambda own: own.cov(other, min_periods, ddof))

    def _each_group(self, function: Any) -> Any:
        values = [function(each) for each in self._pieces(self._data)]
        return self._wrapped([column_of(np.array(values, np.float64))])


class FrameGroupRelations(GroupReductions):
    """Relations of the columns of a frame: a table of columns by columns for each group."""

    def corr(
        self, method: Any = "pearson", min_periods: int = 1, numeric_only: bool = False
    ) -> Any:
        """The correlation of each two columns in each group, of the rows that both have."""
        _check(method)
        of = self._data._numeric() if numeric_only else self._data
        if method != "pearson":
            return self._table_of_groups(of, lambda each: each.corr(method, min_periods))
        numbers = [_numbers(each, "corr") for each in of._parts]
        found = self._pairs(numbers, "corr", 1, min_periods)
        for i in range(len(numbers)):  # What is on the diagonal is the variance.
            with np.errstate(invalid="ignore"):
                found[i][i] = np.where(found[i][i] > 0, 1.0, np.nan)
        return self._tables(of, found)

    def cov(
        self, min_periods: int | None = None, ddof: int | None = 1, numeric_only: bool = False
    ) -> Any:
        """The covariance of each two columns in each group, of the rows that both have."""
        of = self._data._numeric() if numeric_only else self._data
        if ddof not in (1, None):
            return self._table_of_groups(of, lambda each: each.cov(min_periods, ddof))
        numbers = [_numbers(each, "cov") for each in of._parts]
        return self._tables(of, self._pairs(numbers, "cov", 1, min_periods or 1))

    def corrwith(
        self, other: Any, drop: bool = False, method: Any = "pearson", numeric_only: bool = False
    ) -> Any:
        """The correlation of each column of each group with a series, or another frame's column."""
        return self.apply(lambda each: each.corrwith(other, 0, drop, method, numeric_only))

    def _pairs(
        self, numbers: list[engine.Array], kind: str, ddof: int, least: int
    ) -> list[list[np.ndarray]]:
        """A number of each group for each two columns; variances on the diagonal."""
        grouping, count = self._grouping, len(numbers)
        places = [(i, j) for i in range(count) for j in range(i + 1)]
        requests: list[tuple[Any, ...]] = [
            (numbers[i], None, "var", ddof)
            if i == j
            else (numbers[i], None, kind, (numbers[j], None, ddof))
            for i, j in places
        ]
        if least > 1:
            whole = [each == each for each in numbers]
            requests += [(numbers[i], whole[i] & whole[j], "count") for i, j in places]
        answers = grouping.aggregate(requests)
        found = [[np.empty(0)] * count for _ in range(count)]
        for place, (i, j) in enumerate(places):
            values = np.asarray(answers[place][0])
            if least > 1:
                known = np.asarray(answers[len(places) + place][0]) >= least
                values = np.where(known, values, np.nan)
            if grouping.order is not None:
                values = values[np.asarray(grouping.order)]
            found[i][j] = found[j][i] = values
        return found

    def _tables(self, of: Any, found: list[list[np.ndarray]]) -> Any:
        parts = [column_of(np.stack(rows, axis=1).ravel(), copy=False) for rows in found]
        return self._under_keys(parts, of.columns)

    def _table_of_groups(self, of: Any, function: Any) -> Any:
        tables = [function(each) for each in self._pieces(of)]
        parts = [
            column_of(np.concatenate([np.asarray(each._parts[i].to_numpy()) for each in tables]))
            for i in range(len(of._parts))
        ]
        return self._under_keys(parts, of.columns)

    def _under_keys(self, parts: list[Any], columns: Any) -> Any:
        """Columns of which each group has a row for each column of the frame."""
        groups, width = self._grouping.count, len(columns)
        titles = columns._take(np.tile(np.arange(width), groups))
        if not (self._options.group_keys and self._options.as_index):
            return above.DataFrame._of(parts, titles, columns)
        rows = px.asarray(np.repeat(np.arange(groups), width))
        keys = [index_of(each.take(rows), tuples=False) for each in self._grouping.labels()]
        inner = [titles.get_level_values(i) for i in range(titles.nlevels)]
        index = MultiIndex.from_arrays(
            [*keys, *inner], names=[*self._grouping.names, *titles.names]
        )
        return above.DataFrame._of(parts, index, columns)
