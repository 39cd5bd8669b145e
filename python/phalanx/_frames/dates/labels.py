"""Dates among the labels of frames and series: `tz_localize` and `tz_convert`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..indexes.dates import DatetimeIndex
from ..indexes.periods import PeriodIndex
from ..scalars.zones import check_rules
from ..selection.rows import RowMethods


class DateLabels(RowMethods):
    """Methods of dates that are labels of rows, or of columns, or a level of these."""

    def tz_localize(
        self,
        tz: Any,
        axis: Any = 0,
        level: Any = None,
        copy: Any = None,
        ambiguous: Any = "raise",
        nonexistent: Any = "raise",
    ) -> Any:
        """The same values at the moments at which the clocks of a zone show the labels.

        Without a zone the labels are what clocks show. Raises TypeError for labels that are no
        dates or have a zone, ValueError for times that the clocks show twice or never unless
        ``ambiguous`` and ``nonexistent`` say what they are.
        """
        check_rules("raise", nonexistent)
        return self._with_dates(
            lambda labels: labels.tz_localize(tz, ambiguous, nonexistent), tz, axis, level
        )

    def tz_convert(self, tz: Any, axis: Any = 0, level: Any = None, copy: Any = None) -> Any:
        """The same values and moments, with labels in another zone; with None in UTC without one.

        Raises TypeError for labels that are no dates or have no zone.
        """
        return self._with_dates(lambda labels: labels.tz_convert(tz), tz, axis, level)

    def to_period(self, freq: Any = None, axis: Any = 0, copy: Any = None) -> Any:
        """The same values under the periods that the labels are in.

        Raises TypeError for labels that are no dates.
        """
        return self._with_labels(DatetimeIndex, axis, lambda labels: labels.to_period(freq))

    def to_timestamp(
        self, freq: Any = None, how: str = "start", axis: Any = 0, copy: Any = None
    ) -> Any:
        """The same values under the first moments of the labels, or with 'end' the last ones.

        Raises TypeError for labels that are no periods.
        """
        return self._with_labels(PeriodIndex, axis, lambda labels: labels.to_timestamp(freq, how))

    def _with_labels(self, kind: type, axis: Any, change: Callable[[Any], Any]) -> Any:
        """A copy with other labels on an axis, which are of a class."""
        number = self._axis(axis)
        labels = self._labels_of(number)
        if not isinstance(labels, kind):
            raise TypeError(f"unsupported Type {type(labels).__name__}; pass a {kind.__name__}")
        return self.set_axis(change(labels), axis=number)  # type: ignore[attr-defined]

    def _with_dates(self, change: Callable[[Any], Any], tz: Any, axis: Any, level: Any) -> Any:
        """A copy with other dates for the labels of an axis, or for a level of them."""
        number = self._axis(axis)
        labels = self._labels_of(number)

        def changed(dates: Any) -> Any:
            if isinstance(dates, DatetimeIndex):
                return change(dates)
            if len(dates):
                name = "index" if number == 0 else "columns"
                raise TypeError(f"{name} is not a valid DatetimeIndex or PeriodIndex")
            return DatetimeIndex([], tz=tz)

        if labels.nlevels > 1:
            position = labels._level_number(level)
            made = labels.set_levels(changed(labels.levels[position]), level=position)
        elif level is None or level == 0 or level == labels.name:
            made = changed(labels)
        else:
            raise ValueError(f"The level {level} is not valid")
        return self.set_axis(made, axis=number)  # type: ignore[attr-defined]
