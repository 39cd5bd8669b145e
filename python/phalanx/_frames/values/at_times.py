"""Rows by their times: `asfreq`, `at_time`, `between_time` and `asof`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import above
from ..building.kinds import is_list_like
from ..indexes.date_ranges import date_range
from ..indexes.dates import DatetimeIndex
from ..indexes.making import index_of
from ..scalars import Timestamp
from ..selection.rows import RowMethods


class AtTimes(RowMethods):
    """`asfreq`, `at_time`, `between_time`, `asof`."""

    def asfreq(
        self,
        freq: Any,
        method: Any = None,
        how: Any = None,
        normalize: bool = False,
        fill_value: Any = None,
    ) -> Any:
        """The rows at the dates of a frequency, from the first label to the last.

        Dates without a row are missing, or ``fill_value``, or by ``method`` ('ffill', 'bfill')
        the row before or after. Raises TypeError for an index without dates, ValueError for one
        that repeats some.
        """
        if how is not None:
            raise NotImplementedError("asfreq: the keyword 'how' of pandas is not supported")
        index = _dates_of(self, "asfreq")
        if len(index) == 0:
            labels = index._view()
            labels._freq = DatetimeIndex([], freq=freq)._freq
            return self._keep_attrs(self._with(list(self._parts), labels))
        labels = date_range(index.min(), index.max(), freq=freq)
        labels._name = index.name
        keywords = {} if fill_value is None else {"fill_value": fill_value}
        made: Any = self.reindex(labels, method=method, **keywords)  # type: ignore[attr-defined]
        made.index = labels.normalize() if normalize else labels
        return made

    def at_time(self, time: Any, asof: bool = False, axis: Any = None) -> Any:
        """The rows, or columns, at a time of the day, such as "9:30".

        Raises TypeError for labels that are no dates.
        """
        number = 0 if axis is None else self._axis(axis)
        rows = _dates_of(self, "at_time", number).indexer_at_time(time, asof=asof)
        return self._along(number, rows)

    def between_time(
        self, start_time: Any, end_time: Any, inclusive: str = "both", axis: Any = None
    ) -> Any:
        """The rows, or columns, between two times of the day, over midnight if they are so.

        Raises TypeError for labels that are no dates, ValueError for an ``inclusive`` other than
        'both', 'neither', 'left' and 'right'.
        """
        if inclusive not in ("both", "neither", "left", "right"):
            raise ValueError("Inclusive has to be either 'both', 'neither', 'left' or 'right'")
        number = 0 if axis is None else self._axis(axis)
        rows = _dates_of(self, "between_time", number).indexer_between_time(
            start_time,
            end_time,
            include_start=inclusive in ("both", "left"),
            include_end=inclusive in ("both", "right"),
        )
        return self._along(number, rows)

    def asof(self, where: Any, subset: Any = None) -> Any:
        """The last row at or before a label, or before each of some, in which nothing is missing.

        Of a frame only the columns of ``subset`` must be there. Raises ValueError for an index
        that is not sorted, and for a ``subset`` of a series.
        """
        if isinstance(where, str):
            where = Timestamp(where)
        if not self._index.is_monotonic_increasing:
            raise ValueError("asof requires a sorted index")
        if self.ndim == 1 and subset is not None:
            raise ValueError("subset is not valid for Series")
        single = not is_list_like(where)
        labels = index_of([where] if single else where)
        whole = self._whole_rows(subset)
        found = self._rows_before(labels, whole)
        made = self._empty_rows(labels)
        if len(whole):
            made = self._reindexed_rows(labels, found)  # type: ignore[attr-defined]
        return self._only_row(made, int(found[0]), where) if single else made

    def _whole_rows(self, subset: Any) -> np.ndarray:
        """The rows in which nothing is missing."""
        parts: Any = self._parts
        if subset is not None:
            parts = self[subset if is_list_like(subset) else [subset]]._parts  # type: ignore[index]
        there = np.ones(len(self), bool)
        for each in parts:
            there &= ~np.asarray(each.isna())
        return np.flatnonzero(there)

    def _rows_before(self, labels: Any, whole: np.ndarray) -> np.ndarray:
        """For each label the last of some rows that is not after it; -1 where none is."""
        own: Any = self._index
        if len(whole) == 0:
            return np.full(len(labels), -1)
        places = np.asarray(own._take(whole).searchsorted(labels, side="right")) - 1
        return np.where(places < 0, -1, whole[np.maximum(places, 0)])

    def _empty_rows(self, labels: Any) -> Any:
        """Rows of NaN."""
        if self.ndim == 1:
            return above.Series(np.nan, index=labels, name=self._name)  # type: ignore[attr-defined]
        return above.DataFrame(np.nan, index=labels, columns=self._columns)  # type: ignore[attr-defined]

    def _only_row(self, made: Any, row: int, where: Any) -> Any:
        if self.ndim == 1:
            if row < 0 and len(self) and not where < self._index[0]:
                return self._parts[0].tolist()[0]  # missing, as all before it are
            return np.nan if row < 0 else made.iloc[0]
        if row < 0:
            return above.Series(np.nan, index=self._columns, name=where, dtype=np.float64)  # type: ignore[attr-defined]
        return made.iloc[-1]


def _dates_of(of: Any, name: str, axis: int = 0) -> Any:
    labels = of._labels_of(axis)
    if not isinstance(labels, DatetimeIndex):
        raise TypeError(f"{name}: Index must be DatetimeIndex, not {type(labels).__name__}")
    return labels
