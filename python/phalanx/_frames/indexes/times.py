"""What indexes of dates and of durations have in common: counts of a unit, and a frequency."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..dtypes import UNITS, finer_unit, unit_of
from ..missing import is_missing
from ..offsets.frequencies import Frequency, frequency_of, frequency_of_span, inferred
from ..operations import fields
from ..scalars import NaT
from ..scalars.counts import in_unit
from ..scalars.rounding import span_of
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
        made = self._of_moments(in_unit(self._moments, unit))
        made._freq = self._freq
        return made

    def _of_moments(self, values: np.ndarray) -> Any:
        """An index like this one of other values in UTC."""
        return self._with(self._column_of(values))

    def _column_of(self, values: np.ndarray) -> Column:
        return NumberColumn(px.asarray(np.ascontiguousarray(values)))

    def _to_dtype(self, dtype: Any) -> Any:
        made = super()._to_dtype(dtype)
        return self._kept_freq(made) if isinstance(made, type(self)) and made is not self else made

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
        return inferred(self._wall(), self._moments)

    def _wall(self) -> np.ndarray:
        """What clocks show: the labels, in the time zone where there is one."""
        return self._moments

    def _has_frequency(self, freq: Frequency) -> bool:
        values = self._clock(freq)[0]
        if len(values) == 0:
            return True
        if not bool(freq.is_on(values[:1]).all()):
            return False
        expected = freq.sequence(values[0], len(values))
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
        if self._freq is None or has_missing:
            return made
        return self._kept_freq(made, even_step(np.asarray(rows)) if len(rows) else 1)

    def __getitem__(self, key: Any) -> Any:
        made = super().__getitem__(key)
        if isinstance(made, Times) and self._freq is not None and not isinstance(key, slice):
            rows = np.asarray(key)
            mask = rows.dtype == bool and even_step(np.flatnonzero(rows)) == 1
            self._kept_freq(made, int(mask))
        return made

    def shift(self, periods: int = 1, freq: Any = None) -> Any:
        """The labels so many frequencies later. Raises ValueError without one."""
        found = frequency_of(freq) if freq is not None else self._freq
        if found is None:
            raise ValueError("Cannot shift with no freq: pass freq")
        values, back = self._clock(found)
        made = back(found.moved(values, periods))
        spans = self._freq is not None and self._freq.is_span and found.is_span
        made._freq = self._freq if freq is None or spans or found == self._freq else None
        return made

    def _clock(self, freq: Frequency) -> tuple[np.ndarray, Any]:
        """The labels as a frequency counts them, and what makes an index of such values."""
        return self._wall(), self._of_wall

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
        return finer_unit(self.unit, other.unit)

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
        return NaT

    def union(self, other: Any, sort: bool | None = None) -> Any:
        """Labels that one of both has; with the frequency of both where the result has it."""
        other = self._other(other, sort)
        found = super().union(other, sort)
        if len(self) and len(other) and not self.equals(other):
            return self._inferring(found, other)
        return found

    def intersection(self, other: Any, sort: bool | None = False) -> Any:
        """Labels that both have; with the frequency of both where the result has it."""
        other = self._other(other, sort)
        found = super().intersection(other, sort)
        return found if self.equals(other) else self._inferring(found, other)

    def _of_join(self, found: Any, other: Any, how: str) -> Any:
        return self._inferring(found._view(), other) if how in ("inner", "outer") else found

    def _inferring(self, found: Any, other: Any) -> Any:
        """With the frequency of both operands where that holds, else with the one it has."""
        if isinstance(found, Times):
            same = self._freq is not None and self._freq == getattr(other, "_freq", None)
            kept = same and len(found) and found._has_frequency(self._freq)
            found._freq = self._freq if kept else frequency_of(found.inferred_freq)
        return found

    def delete(self, loc: Any) -> Any:
        """Without the rows at some positions; a frequency stays where the first or last goes."""
        made = super().delete(loc)
        if np.ndim(loc) and len(loc) and not lie_together(loc, len(self)):
            return self._kept_freq(made, 0)
        return made

    def _concatenated(self, others: Any) -> Any:
        made = super()._concatenated(others)
        parts = [each for each in (self, *others) if len(each)]
        if isinstance(made, Times) and all(getattr(e, "_freq", None) is not None for e in parts):
            first = parts[0]._freq if parts else None
            if all(each._freq == first for each in parts) and first and made._has_frequency(first):
                made._freq = first
        return made

    def insert(self, loc: int, item: Any) -> Any:
        """With another label before a row; keeps the frequency where that still holds."""
        found = super().insert(loc, item)
        if self._freq is not None and isinstance(found, Times) and not found.hasnans:
            found._freq = self._freq if found._has_frequency(self._freq) else None
        return found

    # Arithmetic.

    def _computed(self, name: str, other: Any, *, swapped: bool) -> Any:
        """A frequency that is a span of time stays with sums, and is scaled with the labels."""
        made = super()._computed(name, other, swapped=swapped)
        fixed = self._freq is not None and self._freq.is_span
        if fixed and isinstance(made, Times) and np.ndim(other) == 0 and len(self) > 1:
            made._freq = self._scaled(made, name, swapped)
        return made

    def _scaled(self, made: Any, name: str, swapped: bool) -> Frequency | None:
        if name in ("add", "sub"):
            found = self._freq * (-1 if name == "sub" and swapped else 1)
        else:
            steps = np.diff(made._moments[:2].astype(f"{made._moments.dtype.kind}8[ns]"))
            found = frequency_of_span(int(steps.astype(np.int64)[0]))
        return found if found.n and made._has_frequency(found) else None

    def __neg__(self) -> Any:
        return self._kept_freq(super().__neg__(), -1)

    def __pos__(self) -> Any:
        return self._kept_freq(super().__pos__())

    # Rounding.

    def _shown(self) -> ndarray:
        """What clocks show, as an array of ours."""
        return self._column.values

    def _rounded(self, freq: Any, how: str, rules: tuple[Any, Any]) -> Any:
        made = fields.rounded(self._shown(), span_of(freq, self.unit), how)
        if getattr(self._column.dtype, "tz", None) is None:
            return self._with(NumberColumn(made))
        return self._of_rounded(np.asarray(made), *rules)

    def floor(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The last multiple of a span of time that is not after each label."""
        return self._rounded(freq, "floor", (ambiguous, nonexistent))

    def ceil(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The first multiple of a span of time that is not before each label."""
        return self._rounded(freq, "ceil", (ambiguous, nonexistent))

    def round(  # type: ignore[override]
        self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise"
    ) -> Any:
        """The nearest multiple of a span of time; of two as near, the even one."""
        return self._rounded(freq, "round", (ambiguous, nonexistent))

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


def even_step(rows: np.ndarray) -> int:
    """From each row to the next where that is always the same, 1 for one row; else 0."""
    if len(rows) < 2:
        return len(rows)
    steps = np.diff(rows)
    return int(steps[0]) if (steps == steps[0]).all() else 0


def lie_together(rows: Any, count: int) -> bool:
    """Returns whether rows, some counted from the end, follow one another in any order."""
    return even_step(np.sort(np.asarray(rows) % count)) == 1


def _kept(value: Any) -> str:
    unit = np.datetime_data(value.dtype)[0]
    return unit if unit in UNITS else "s"
