"""Indexes of durations."""

from __future__ import annotations

import datetime
from collections.abc import Hashable
from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..columns.numbers import NumberColumn
from ..dtypes import UNITS
from ..missing import is_missing
from ..operations import fields
from ..scalars import NaT
from .durations import duration_of, texts_of
from .labels import Labels
from .lookups import LabelError
from .times import Times


class TimedeltaIndex(Times):
    """Labels that are durations.

    ``data`` has Python's, NumPy's or pandas' durations, texts such as '1 days 02:30:00', or
    numbers of nanoseconds. A ``freq`` is checked; 'infer' finds it.

    >>> px.TimedeltaIndex(["1h", "2h"]).total_seconds()
    Index([3600.0, 7200.0], dtype='float64')
    """

    def __new__(
        cls, data: Any = None, freq: Any = None, dtype: Any = None, copy: bool = False,
        name: Hashable = None,
    ) -> Any:  # fmt: skip
        found = above.index_of([] if data is None else data, name=name, tuples=False)
        made = _durations(found)
        if dtype is not None:
            made = made.as_unit(np.datetime_data(np.dtype(dtype))[0])
        return made if freq is None else made._with_freq(freq)

    def _value_of(self, label: Any) -> Any:
        if isinstance(label, (str, datetime.timedelta, np.timedelta64)) or is_missing(label):
            if isinstance(label, np.datetime64):
                raise LabelError(label)
            try:
                return duration_of(label)
            except ValueError as error:
                raise LabelError(label) from error
        raise LabelError(label)

    def _slice_label(self, label: Any, side: str) -> Any:
        if isinstance(label, str):
            try:
                return duration_of(label)
            except ValueError:
                self._refuse_slice(label)
        return super()._slice_label(label, side)

    def _field(self, name: str) -> Any:
        return Labels._of(fields.duration_column(name, self._column.values), self._name)

    @property
    def days(self) -> Any:
        """Whole days of each label, towards the past."""
        return self._field("days")

    @property
    def seconds(self) -> Any:
        """Seconds within the day: 0 to 86399."""
        return self._field("seconds")

    @property
    def microseconds(self) -> Any:
        """Microseconds within the second."""
        return self._field("microseconds")

    @property
    def nanoseconds(self) -> Any:
        """Nanoseconds within the microsecond."""
        return self._field("nanoseconds")

    @property
    def components(self) -> Any:
        """A DataFrame of days, hours, minutes and so on to nanoseconds."""
        columns = fields.component_columns(self._column.values)
        return above.DataFrame(columns, index=self._view())

    def total_seconds(self) -> Any:
        """Each label in seconds, as float64."""
        return Labels._of(fields.total_seconds(self._column.values), self._name)

    def to_pytimedelta(self) -> np.ndarray:
        """The labels as Python's durations."""
        # Nanoseconds are rounded, as Python's durations round floats.
        values = self._moments
        if self.unit == "ns":
            counts = np.rint(self.asi8 / 1000).astype(np.int64)
            values = np.where(np.isnat(values), np.timedelta64("NaT", "us"), counts.view("m8[us]"))
        made = values.astype("m8[us]").astype(object)
        made[np.isnat(values)] = NaT
        return made

    def _texts(self, part: slice) -> list[str]:
        days = np.timedelta64(1, "D")
        values = self._moments
        whole = bool((values[~np.isnat(values)] % days == np.timedelta64(0)).all())
        return texts_of(values[part], days_only=whole)


def _durations(found: Any) -> Any:
    """An index of durations of one of other labels."""
    if isinstance(found, TimedeltaIndex):
        return found._view()
    kind = found.dtype.kind
    if kind in "iu":
        return Labels._of(NumberColumn(px.asarray(np.asarray(found).astype("m8[ns]"))), found.name)
    if kind == "f":
        values = np.asarray(found)
        counts = np.where(np.isnan(values), 0, values).astype(np.int64).astype("m8[ns]")
        counts[np.isnan(values)] = np.timedelta64("NaT")
        return Labels._of(NumberColumn(px.asarray(counts)), found.name)
    if kind != "O":
        raise TypeError(f"dtype {found.dtype} cannot be converted to timedelta64[ns]")
    read = [duration_of(each) for each in found._objects()]
    units = {np.datetime_data(each.dtype)[0] for each in read if not is_missing(each)}
    unit = max(units & set(UNITS), key=UNITS.index, default="s")
    made = np.array([each.astype(f"m8[{unit}]") for each in read], f"m8[{unit}]")
    return Labels._of(NumberColumn(px.asarray(made)), found.name)
