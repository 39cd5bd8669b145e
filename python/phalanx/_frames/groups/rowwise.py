"""`cumsum`, `shift`, `rank` and the other methods that give a value for each row."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import engine
from ..building.kinds import is_list_like
from ..columns.column import Column
from ..combining.concat import concat
from ..dtypes import is_numeric
from ..operations.by_name import computed
from ..signatures import NO_DEFAULT, leaves_out
from .core import GroupByCore
from .running import accumulated, filled, ranked, shifted

_METHODS = ("average", "min", "max", "first", "dense")
_SMALL = ("int8", "int16")


class GroupRowwise(GroupByCore):
    """A value for each row, out of those of its group; missing for rows that are in none."""

    def _accumulate(self, name: str, numeric_only: bool, skipna: bool) -> Any:
        if self._is_series:
            if numeric_only and not is_numeric(self._data.dtype):
                raise TypeError(
                    f"Cannot use numeric_only=True with SeriesGroupBy.{name} and non-numeric "
                    "dtypes."
                )
            of = self._data
        else:
            of = self._data._numeric() if numeric_only else self._data
        parts = [accumulated(self._grouping, each, name, skipna=skipna) for each in of._parts]
        return self._for_rows(parts, None if self._is_series else of.columns)

    def cumsum(self, numeric_only: bool = False, skipna: bool = True) -> Any:
        """The sum of the rows of the group up to each row."""
        return self._accumulate("cumsum", numeric_only, skipna)

    def cumprod(self, numeric_only: bool = False, skipna: bool = True) -> Any:
        """The product of the rows of the group up to each row."""
        return self._accumulate("cumprod", numeric_only, skipna)

    def cummin(self, numeric_only: bool = False, skipna: bool = True) -> Any:
        """The least of the rows of the group up to each row."""
        return self._accumulate("cummin", numeric_only, skipna)

    def cummax(self, numeric_only: bool = False, skipna: bool = True) -> Any:
        """The greatest of the rows of the group up to each row."""
        return self._accumulate("cummax", numeric_only, skipna)

    def _counts_before(self, ascending: bool = True) -> np.ndarray:
        """How many rows of its group are before each row, or after it."""
        grouping = self._grouping
        found, _ = engine.running(grouping.placed_codes, grouping.count, "count")
        before = np.asarray(found)
        if ascending:
            return before
        sizes = np.append(grouping.sizes, 0)  # the last is what -1 finds
        made: np.ndarray = sizes[grouping.codes] - 1 - before
        return made

    def cumcount(self, ascending: bool = True) -> Any:
        """How many rows of its group are before each row, or with ``ascending=False`` after it."""
        return self._numbers_for_rows(self._counts_before(ascending))

    @leaves_out("freq")
    def shift(
        self, periods: Any = 1, freq: Any = None, fill_value: Any = NO_DEFAULT, suffix: Any = None
    ) -> Any:
        """The rows that are so many before in their groups; of a list a column for each number.

        Raises TypeError for what is no whole number, ValueError for an empty list.
        """
        fill = None if fill_value is NO_DEFAULT else fill_value
        if not is_list_like(periods):
            if suffix:
                raise ValueError("Cannot specify `suffix` if `periods` is an int.")
            return self._shifted(periods, fill)
        made = []
        for each in periods:
            part = self._shifted(each, fill)
            part = part.to_frame() if self._is_series else part
            made.append(part.add_suffix(f"{suffix}_{each}" if suffix else f"_{each}"))
        if not made:
            raise ValueError("If `periods` is an iterable, it cannot be empty.")
        return made[0] if len(made) == 1 else concat(made, axis=1)

    def _shifted(self, periods: Any, fill: Any) -> Any:
        if isinstance(periods, bool) or not isinstance(periods, (int, np.integer)):
            raise TypeError(f"Periods must be integer, but {periods} is {type(periods)}.")
        return self._for_rows(shifted(self._grouping, self._data._parts, int(periods), fill))

    def diff(self, periods: int = 1) -> Any:
        """Each row less the one that is so many before in its group."""
        before = self._shifted(periods, None)
        parts = []
        for own, other in zip(self._data._parts, before._parts, strict=True):
            parts.append(_difference(own, other))
        return self._for_rows(parts)

    @leaves_out("freq")
    def pct_change(self, periods: int = 1, fill_method: None = None, freq: Any = None) -> Any:
        """The change against the row that is so many before in its group, as a part of that."""
        if fill_method is not None:
            raise ValueError(f"fill_method must be None; got fill_method={fill_method!r}.")
        before = self._shifted(periods, None)
        parts = [
            computed("sub", computed("truediv", own, other), 1)
            for own, other in zip(self._own_rows(), before._parts, strict=True)
        ]
        return self._for_rows(parts)

    def _own_rows(self) -> list[Column]:
        """The columns themselves, missing for rows that are in no group."""
        if not self._grouping.has_dropped:
            return list(self._data._parts)
        return shifted(self._grouping, self._data._parts, 0, None)

    def ffill(self, limit: int | None = None) -> Any:
        """Missing rows as the last before in their group that is not, at most `limit` rows on."""
        return self._for_rows(filled(self._grouping, self._data._parts, limit, forward=True))

    def bfill(self, limit: int | None = None) -> Any:
        """Missing rows as the next in their group that is not, at most `limit` rows back."""
        return self._for_rows(filled(self._grouping, self._data._parts, limit, forward=False))

    def rank(
        self,
        method: str = "average",
        ascending: bool = True,
        na_option: str = "keep",
        pct: bool = False,
    ) -> Any:
        """The place of each row among those of its group, from 1 on.

        Raises ValueError for another method or another way with missing values.
        """
        if na_option not in ("keep", "top", "bottom"):
            raise ValueError("na_option must be one of 'keep', 'top', or 'bottom'")
        if method not in _METHODS:
            raise KeyError(f"rank method {method!r} is none of {', '.join(_METHODS)}")
        how = {"method": method, "ascending": ascending, "na_option": na_option, "pct": pct}
        return self._for_rows([ranked(self._grouping, each, how) for each in self._data._parts])


def _difference(own: Column, before: Column) -> Column:
    if str(own.dtype) in _SMALL:
        before = before.astype(np.dtype(np.float32))
    return computed("sub", own, before)
