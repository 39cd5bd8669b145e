"""What frames and series have of `groupby`."""

from __future__ import annotations

from typing import Any

from .by_parts import grouping_of
from .core import Options
from .groupby import DataFrameGroupBy, SeriesGroupBy
from .grouper import Grouper
from .keys import keys_of, own_labels, positions_without


class FrameGrouping:
    """`DataFrame.groupby`."""

    def groupby(
        self,
        by: Any = None,
        level: Any = None,
        *,
        as_index: bool = True,
        sort: bool = True,
        group_keys: bool = True,
        observed: bool = True,
        dropna: bool = True,
    ) -> DataFrameGroupBy:
        """Its rows in groups of equal keys: columns or levels by label, series, arrays, functions.

        Groups are in the order of their keys with ``sort``, else of their first rows; rows of
        missing keys are in none with ``dropna``; without ``observed`` categories that no row has
        make groups too. Raises KeyError for labels that are not there, TypeError without keys.
        """
        of: Any = self
        if isinstance(by, Grouper):
            if by.freq is not None:
                return by.resampler(of)  # type: ignore[attr-defined, no-any-return]
            sort, dropna = by.sort, by.dropna
        keys, is_list = keys_of(of, by, level, observed)
        options = Options(as_index, sort, group_keys, observed, dropna, is_list)
        own = own_labels(keys)
        data = of._columns_at(positions_without(of.columns, own)) if own else of
        grouping = grouping_of(of, keys, sort=sort, dropna=dropna)
        return DataFrameGroupBy(of, grouping, options, data, of)


class SeriesGrouping:
    """`Series.groupby`."""

    def groupby(
        self,
        by: Any = None,
        level: Any = None,
        *,
        as_index: bool = True,
        sort: bool = True,
        group_keys: bool = True,
        observed: bool = True,
        dropna: bool = True,
    ) -> SeriesGroupBy:
        """Its rows in groups of equal keys: levels by name, series, arrays, functions.

        The keywords are those of ``DataFrame.groupby``, but that ``as_index=False`` is a TypeError.
        """
        if not as_index:
            raise TypeError("as_index=False only valid with DataFrame")
        if isinstance(by, Grouper) and by.freq is not None:
            return by.resampler(self)  # type: ignore[attr-defined, no-any-return]
        keys, is_list = keys_of(self, by, level, observed)
        options = Options(True, sort, group_keys, observed, dropna, is_list)
        grouping = grouping_of(self, keys, sort=sort, dropna=dropna)
        return SeriesGroupBy(self, grouping, options, self, self)
