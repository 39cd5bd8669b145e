"""What indexes of dates and of durations have in common: counts of a unit, and a frequency."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..dtypes import UNITS, unit_of
from ..missing import is_missing
from .frequencies import Frequency, frequency_of, inferred
from .index import Index
from .labels import Labels
from .lookups import LabelError


class Times(Index):
    """Labels that are counts of a unit since 1970, or of none."""

    _column: NumberColumn

    # Values.

    @property
    def _moments(self) -> np.ndarray:
        """The labels as NumPy's dates or durations, in UTC."""
        return np.asarray(self._column.values)

    @property
    def asi8(self) -> np.ndarray:
        """The labels as int64 counts of the unit."""
        return self._moments.view(np.int64)

    @property
    def unit(self) -> str:
        """'s', 'ms', 'us' or 'ns': what is counted."""
        return unit_of(self._column.dtype)

    def as_unit(self, unit: str) -> Any:
        """The labels counted in another unit. Raises ValueError for one that is none of them."""
        if unit not in UNITS:
            raise ValueError("Supported units are 's', 'ms', 'us', 'ns'")
        made = self._of_moments(self._moments.astype(f"{self._moments.dtype.kind}8[{unit}]"))
        made._freq = self._freq
        return made

    def _of_moments(self, values: np.ndarray) -> Any:
        """An index like this one of other values in UTC."""
        return self._with(self._column_of(values))

    def _column_of(self, values: np.ndarray) -> Column:
        return NumberColumn(px.asarray(np.ascontiguousarray(values)))

    # Frequency.

    @property
    def freq(self) -> Frequency | None:
        """From each label to the next, where it is known."""
        return self._freq  # type: ignore[no-any-return]

    @freq.setter
    def freq(self, freq: Any) -> None:
        found = frequency_of(freq)
        if found is not None and not self._has_frequency(found):
            raise ValueError(
                f"Inferred frequency {self.inferred_freq} from passed values does not conform to "
                f"passed frequency {found.freqstr}"
            )
        self._freq = found

    @property
    def freqstr(self) -> str | None:
        """The text of the frequency, or None."""
        return None if self._freq is None else self._freq.freqstr

    @property
    def inferred_freq(self) -> str | None:
        """The text of the frequency that the labels have, None if they have none."""
        if len(self) < 3 or self._has_missing():
            return None
        return inferred(self._wall())

    def _wall(self) -> np.ndarray:
        """What clocks show: the labels, in the time zone where there is one."""
        return self._moments

    def _has_frequency(self, freq: Frequency) -> bool:
        values = self._wall()
        if len(values) == 0:
            return True
        if not bool(freq.is_on(values[:1]).all()):
            return False
        expected = freq.moved(np.repeat(values[:1], len(values)), np.arange(len(values)))
        return bool((expected == values).all())

    def _with_freq(self, freq: Any) -> Any:
        made = self._view()
        if isinstance(freq, str) and freq == "infer":
            freq = self.inferred_freq
        made.freq = freq
        return made

    def _kept_freq(self, made: Any, times: int = 1) -> Any:
        made._freq = None if self._freq is None or times == 0 else self._freq * times
        return made

    def _slice(self, part: slice) -> Any:
        return self._kept_freq(super()._slice(part), 1 if part.step is None else part.step)

    def _take(self, rows: Any, *, has_missing: bool = False) -> Any:
        made = super()._take(rows, has_missing=has_missing)
        rows = np.asarray(rows)
        if self._freq is None or has_missing or len(rows) < 2:
            return made
        step = int(rows[1] - rows[0])
        return self._kept_freq(made, step if (np.diff(rows) == step).all() else 0)

    def shift(self, periods: int = 1, freq: Any = None) -> Any:
        """The labels so many frequencies later. Raises ValueError without one."""
        found = frequency_of(freq) if freq is not None else self._freq
        if found is None:
            raise ValueError("Cannot shift with no freq: pass freq")
        made = self._of_wall(found.moved(self._wall(), periods))
        made._freq = self._freq
        return made

    def _of_wall(self, values: np.ndarray) -> Any:
        return self._of_moments(values)

    # Labels.

    def _cast_label(self, label: Any) -> Any:
        value = self._value_of(label)
        unit = np.datetime_data(value.dtype)[0]
        if unit not in UNITS:
            value = value.astype(f"{value.dtype.kind}8[s]")
        cast = value.astype(f"{value.dtype.kind}8[{self.unit}]")
        if cast != value and not is_missing(value):
            raise LabelError(label)
        return cast

    def _value_of(self, label: Any) -> Any:
        """A label as a value of NumPy in UTC. Raises KeyError where it can be none."""
        raise NotImplementedError

    def _meeting(self, item: Any) -> tuple[Any, Any]:
        if isinstance(item, str):
            try:
                value = self._value_of(item)
            except KeyError:
                return super()._meeting(item)
            one: Any = self._of_moments(
                np.array([value]).astype(f"{value.dtype.kind}8[{_kept(value)}]")
            )
            dtype = one._finer(self)
            return self.as_unit(dtype), one.as_unit(dtype)
        return super()._meeting(item)

    def _finer(self, other: Any) -> str:
        return max(self.unit, other.unit, key=UNITS.index)

    def _target(self, target: Any) -> Any:
        found = super()._target(target)
        if found.nlevels == 1 and found.dtype.kind == "O" and len(found):
            try:
                return type(self)(found._column.tolist())
            except (ValueError, TypeError):
                return found
        return found

    def _slice_label(self, label: Any, side: str) -> Any:
        if isinstance(label, (int, float)) and not is_missing(label):
            self._refuse_slice(label)
        return label

    def _searched(self, value: Any) -> Any:
        if isinstance(value, Labels):
            return np.asarray(value._column.values)  # type: ignore[attr-defined]
        if isinstance(value, (list, np.ndarray)):
            return np.array([self._value_checked(each) for each in value])
        return self._value_checked(value)

    def _value_checked(self, value: Any) -> Any:
        try:
            return self._value_of(value)
        except KeyError:
            raise TypeError(
                f"value should be a label of {type(self).__name__} or an array of those. Got "
                f"{type(value).__name__!r} instead."
            ) from None

    def _no_bound(self) -> Any:
        return np.array("NaT", self._moments.dtype)[()]

    def union(self, other: Any, sort: bool | None = None) -> Any:
        """Labels that one of both has; with the frequency of both where the result has it."""
        found = super().union(other, sort)
        return self._like_both(found, other)

    def intersection(self, other: Any, sort: bool | None = False) -> Any:
        """Labels that both have; with the frequency of both where the result has it."""
        return self._like_both(super().intersection(other, sort), other)

    def _like_both(self, found: Any, other: Any) -> Any:
        freq = getattr(other, "_freq", None)
        if isinstance(found, Times):
            same = self._freq is not None and self._freq == freq
            found._freq = self._freq if same and found._has_frequency(self._freq) else None
        return found

    def insert(self, loc: int, item: Any) -> Any:
        """With another label before a row; keeps the frequency where that still holds."""
        found = super().insert(loc, item)
        if self._freq is not None and isinstance(found, Times) and not found.hasnans:
            found._freq = self._freq if found._has_frequency(self._freq) else None
        return found

    # Rounding.

    def _rounded(self, freq: Any, round_to: Any) -> np.ndarray:
        found = frequency_of(freq)
        if found is None or found.calendar is not None:
            raise ValueError(f"{freq} is a non-fixed frequency")
        values = self._wall()
        one = np.timedelta64(1, self.unit).astype("m8[ns]").astype(np.int64)
        step = found.nanoseconds // int(one)
        if step == 0:
            return values
        counts = round_to(values.view(np.int64), step)
        return np.where(np.isnat(values), values, counts.view(values.dtype))

    def floor(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The last multiple of a span of time that is not after each label."""
        made = self._rounded(freq, lambda counts, step: counts // step * step)
        return self._of_rounded(made, ambiguous, nonexistent)

    def ceil(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The first multiple of a span of time that is not before each label."""
        made = self._rounded(freq, lambda counts, step: -(-counts // step) * step)
        return self._of_rounded(made, ambiguous, nonexistent)

    def round(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The nearest multiple of a span of time; of two as near, the even one."""
        made = self._rounded(freq, _half_even)
        return self._of_rounded(made, ambiguous, nonexistent)

    def _of_rounded(self, values: np.ndarray, ambiguous: Any, nonexistent: Any) -> Any:
        return self._of_moments(values)

    def mean(self, *, skipna: bool = True, axis: int | None = 0) -> Any:
        """The mean of the labels."""
        values = self._moments[~np.isnat(self._moments)]
        if len(values) == 0 or (not skipna and self._has_missing()):
            return self._no_bound()
        mean = int(np.floor(values.view(np.int64).mean()))
        return self._column_of(np.array([mean]).view(values.dtype)).element(0)

    def _attributes(self) -> list[tuple[str, Any]]:
        return [
            *super()._attributes(),
            ("freq", None if self._freq is None else f"'{self.freqstr}'"),
        ]

    def _is_text(self) -> bool:
        return False


def _kept(value: Any) -> str:
    unit = np.datetime_data(value.dtype)[0]
    return unit if unit in UNITS else "s"


def _half_even(counts: np.ndarray, step: int) -> np.ndarray:
    whole, rest = np.divmod(counts, step)
    up = (rest * 2 > step) | ((rest * 2 == step) & (whole % 2 == 1))
    return (whole + up) * step
