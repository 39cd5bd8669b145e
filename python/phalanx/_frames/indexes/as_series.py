"""What indexes have of series: counts, differences, other values in the place of some."""

from __future__ import annotations

from typing import Any

from .. import above
from ..offsets.frequencies import frequency_of
from .labels import Labels


class AsSeries(Labels):
    """Methods that a series of the labels has."""

    def _as_series(self) -> Any:
        """A series of the labels, numbered."""
        return above.Series(self, index=range(len(self)), name=self._name)

    def value_counts(
        self,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        bins: Any = None,
        dropna: bool = True,
    ) -> Any:
        """How often each label is there, as a Series; see `Series.value_counts`."""
        if self.nlevels > 1:  # type: ignore[attr-defined]
            return self.to_frame(index=False).value_counts(  # type: ignore[attr-defined]
                None, normalize, sort, ascending, dropna
            )
        return self._as_series().value_counts(normalize, sort, ascending, bins, dropna)

    def diff(self, periods: int = 1) -> Any:
        """The differences of labels and those `periods` places before, as an index."""
        return above.index_of(self._as_series().diff(periods))

    def replace(self, to_replace: Any = None, value: Any = None, **keywords: Any) -> Any:
        """The labels with others in the place of some; see `Series.replace`."""
        made = self._as_series()
        if value is None and not keywords:
            return above.index_of(made.replace(to_replace))
        return above.index_of(made.replace(to_replace, value, **keywords))

    def shift(self, periods: int = 1, freq: Any = None) -> Any:
        """Raises NotImplementedError: labels move that are dates, durations or periods."""
        if freq is not None:
            frequency_of(freq)  # which says what is wrong with another text
        raise NotImplementedError(
            "This method is only implemented for DatetimeIndex, PeriodIndex and TimedeltaIndex; "
            f"Got type {type(self).__name__}"
        )

    def transpose(self) -> Any:
        """The index itself."""
        return self
