"""What frames and series have of `groupby`."""

from __future__ import annotations

from typing import Any

from ..signatures import leaves_out
from .groupby import GroupBy
from .grouping import Grouping, keys_of, refuse_unobserved


class FrameGrouping:
    """`DataFrame.groupby`."""

    @leaves_out("level", "group_keys")
    def groupby(
        self,
        by: Any = None,
        *,
        as_index: bool = True,
        sort: bool = True,
        observed: bool = True,
        dropna: bool = True,
    ) -> GroupBy:
        """Its rows in groups of equal keys: columns by label, series or arrays.

        Groups are in the order of their keys with ``sort``, else of their first rows; rows of
        missing keys are in none with ``dropna``. Raises KeyError for a label that is no column,
        TypeError without keys, NotImplementedError for functions, dicts, and ``observed=False``.
        """
        if by is None:
            raise TypeError("You have to supply one of 'by' and 'level'")
        if getattr(by, "rule", None) is not None:
            return by.resampler(self)  # type: ignore[no-any-return]
        keys, names, own = keys_of(self, by)
        refuse_unobserved(keys, observed)
        grouping = Grouping(keys, names, sort=sort, dropna=dropna)
        frame: Any = self
        labels = [each for each in frame.columns if each not in own]
        return GroupBy(frame, grouping, labels, as_index=as_index, is_series=False)
