"""Columns of periods: their numbers since 1970."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import above
from ..dtypes import NullableDtype, PeriodDtype
from ..missing import is_missing
from ..scalars import NaT
from ..scalars.units import NAT_VALUE
from ..scalars.zones import to_wall
from .column import Column
from .numbers import NumberColumn
from .objects import ObjectColumn, object_array

_COUNTS = np.dtype("M8[s]")


class PeriodColumn(ObjectColumn, Column):
    """The numbers of periods of one frequency.

    They are kept as a column of dates, so that NaT is the missing one; what they count is the
    dtype's. What has no rule for periods takes them as Python's objects: such a column has these.
    """

    __slots__ = ("counts", "dtype")
    dtype: Any

    def __init__(self, counts: NumberColumn, dtype: PeriodDtype) -> None:
        self.counts = counts
        self.dtype = dtype

    def __reduce__(self) -> tuple[Any, ...]:
        return PeriodColumn, (self.counts, self.dtype)

    @property
    def numbers(self) -> np.ndarray:
        """The numbers as int64 of the host, NaT's count where a period is missing."""
        return np.asarray(self.counts.values).view(np.int64)

    @property
    def objects(self) -> np.ndarray:  # type: ignore[override]
        """The periods as Python's objects."""
        length = self.dtype.length
        return object_array(
            [
                NaT if each == NAT_VALUE else above.period_of(each, length)
                for each in self.numbers.tolist()
            ]
        )

    def __len__(self) -> int:
        return len(self.counts)

    def _like(self, counts: Any) -> PeriodColumn:
        return PeriodColumn(counts, self.dtype)

    def take(self, rows: ndarray, *, has_missing: bool = False) -> PeriodColumn:
        return self._like(self.counts.take(px.asarray(rows), has_missing=has_missing))

    def filter(self, mask: ndarray) -> PeriodColumn:
        return self._like(self.counts.filter(px.asarray(mask)))

    def slice(self, part: slice) -> PeriodColumn:
        return self._like(self.counts.slice(part))

    def element(self, row: int) -> Any:
        count = len(self)
        first = row % count if count else 0
        return self.slice(slice(first, first + 1)).objects[0]

    def joined(self, others: Sequence[Column]) -> ObjectColumn:
        periods = [each for each in others if isinstance(each, PeriodColumn)]
        if len(periods) < len(others) or any(each.dtype != self.dtype for each in periods):
            return super().joined(others)
        return self._like(self.counts.joined([each.counts for each in periods]))

    def where(self, mask: ndarray, other: Column) -> ObjectColumn:
        if not isinstance(other, PeriodColumn) or other.dtype != self.dtype:
            return super().where(mask, other)
        return self._like(self.counts.where(mask, other.counts))

    def isna(self) -> ndarray:
        return self.counts.isna()

    def missing_rows(self) -> np.ndarray:
        """The mask that ``isna`` gives, as an array of NumPy's."""
        return np.asarray(self.counts.isna())

    def has_missing(self) -> bool:
        return self.counts.has_missing()

    def missing(self, count: int) -> PeriodColumn:
        return self._like(self.counts.missing(count))

    def to_numpy(self) -> np.ndarray:
        return self.objects

    def objects_of(self) -> np.ndarray:
        return self.objects

    def tolist(self) -> list[Any]:
        return list(self.objects)

    def key(self) -> tuple[Any, ...]:
        return self.counts.key()

    @property
    def device(self) -> Any:
        return self.counts.device

    @property
    def is_on_gpu(self) -> bool:
        return self.counts.is_on_gpu

    @property
    def nbytes(self) -> int:
        return self.counts.nbytes


def of_numbers(numbers: Any, length: Any) -> PeriodColumn:
    """A column of the numbers of periods, an array of int64; NaT's count is a missing one."""
    counts = px.asarray(np.ascontiguousarray(numbers, np.int64).view(_COUNTS))
    return PeriodColumn(NumberColumn(counts), PeriodDtype(length))


def of_dates(column: NumberColumn, length: Any) -> PeriodColumn:
    """The periods that dates are in, by the clocks of their zone."""
    moments, zone = np.asarray(column.values), getattr(column.dtype, "tz", None)
    return of_numbers(
        length.numbers_of(moments if zone is None else to_wall(moments, zone)), length
    )


def of_period_objects(objects: np.ndarray, dtype: PeriodDtype) -> PeriodColumn:
    """Periods of a frequency, texts and dates among them, as a column of it.

    Raises IncompatibleFrequency for periods of another one.
    """
    from phalanx.errors import IncompatibleFrequency

    numbers = np.full(len(objects), NAT_VALUE, np.int64)
    for i, each in enumerate(objects):
        if is_missing(each):
            continue
        if hasattr(each, "ordinal") and each.freqstr != dtype.length.freqstr:
            raise IncompatibleFrequency(
                f"Input has different freq={each.freqstr} from PeriodArray(freq="
                f"{dtype.length.freqstr}); use asfreq"
            )
        made = each if hasattr(each, "ordinal") else above.Period(each, dtype.length)
        numbers[i] = NAT_VALUE if is_missing(made) else made.ordinal
    return of_numbers(numbers, dtype.length)


def cast_periods(column: Any, dtype: Any) -> Column:
    """A column of periods in another dtype, or one of dates, texts or objects as periods."""
    if isinstance(dtype, PeriodDtype):
        if isinstance(column, PeriodColumn):
            ends = column.dtype.length.ends(column.numbers)
            return of_numbers(dtype.length.numbers_of(ends), dtype.length)
        if isinstance(column, NumberColumn) and column.values.dtype.kind == "M":
            return of_dates(column, dtype.length)
        return of_period_objects(column.objects_of(), dtype)
    if dtype == np.int64:
        return NumberColumn(px.asarray(column.numbers))
    if dtype.kind == "M":
        length = column.dtype.length
        return NumberColumn(px.asarray(length.starts(column.numbers))).astype(dtype)
    if isinstance(dtype, (np.dtype, NullableDtype)):
        raise TypeError(f"Cannot cast PeriodArray to dtype {dtype}; use astype('int64') before")
    return ObjectColumn(column.objects).astype(dtype)
