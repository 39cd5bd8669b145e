"""Rows against the rows before them: `shift`, `diff`, `pct_change`, sums so far."""

from __future__ import annotations

import contextlib
from typing import Any, Self

import numpy as np

import phalanx as px

from ..building.columns import repeated
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..dtypes import OBJECT, CategoricalDtype, PeriodDtype, StringDtype, is_numeric
from ..indexes.times import Times
from ..missing import is_missing
from ..offsets.frequencies import frequency_of
from ..operations.by_name import computed
from ..operations.joined import joined_columns
from ..reductions.cumulative import accumulate
from ..selection.placing import held
from ..selection.rows import RowMethods
from ..signatures import NO_DEFAULT, leaves_out


def shifted(column: Column, periods: int, fill_value: Any = NO_DEFAULT) -> Column:
    """The row so many before each, missing, or a value, where there is none."""
    count = len(column)
    if not periods:
        return column
    gap = min(abs(periods), count)
    if column.dtype == OBJECT and fill_value is NO_DEFAULT:
        fill_value = None
    if fill_value is NO_DEFAULT:
        edge = column.missing(gap)
        column = column.astype(edge.dtype)
    else:
        edge = _edge(column, gap, fill_value)
    # Parts one after the other, which the arrays read where they are.
    rest = column.slice(slice(0, count - gap) if periods > 0 else slice(gap, count))
    return joined_columns([edge, rest] if periods > 0 else [rest, edge])


def _edge(column: Column, count: int, value: Any) -> Column:
    """Rows of one value, which texts and categories must hold."""
    if is_missing(value) and column.dtype != OBJECT:
        return column.missing(count)
    one = column_of([value], OBJECT) if column.dtype == OBJECT else column_of([value])
    if isinstance(column.dtype, (CategoricalDtype, StringDtype)):
        one = held(column.dtype, one, value)
    elif is_numeric(column.dtype) and is_numeric(one.dtype):
        # A number that the dtype holds is of it; another makes the dtype wider.
        with contextlib.suppress(TypeError):
            one = held(column.dtype, one, value)
    return one.take(px.zeros(count, np.int64))


class Moving(RowMethods):
    """`shift`, `diff`, `pct_change`, `cumsum` and its kin."""

    @leaves_out("suffix")
    def shift(
        self,
        periods: Any = 1,
        *,
        freq: Any = None,
        axis: Any = 0,
        fill_value: Any = NO_DEFAULT,
    ) -> Any:
        """The values of that many rows before, or of columns before with ``axis=1``.

        With ``freq`` the labels are moved by so many of it instead; 'infer' is that of the labels.
        Raises ValueError for a ``fill_value`` then, and NotImplementedError for other labels than
        times.
        """
        if not isinstance(periods, (int, np.integer)):
            if is_list_like(periods):
                raise NotImplementedError(
                    "shift: several periods are not supported; call it for each"
                )
            raise TypeError(f"periods must be an integer, not {type(periods).__name__}")
        if freq is not None:
            if fill_value is not NO_DEFAULT:
                raise ValueError("Passing a 'freq' together with a 'fill_value' is not allowed.")
            return self._moved_labels(int(periods), freq, self._axis(axis))
        if self._axis(axis) == 1:
            return self._shifted_columns(int(periods), fill_value)
        if self.ndim == 2 and not len(self._index):
            return self.copy()
        return self._keep_attrs(self._each(lambda each: shifted(each, int(periods), fill_value)))

    def _moved_labels(self, periods: int, freq: Any, axis: int) -> Any:
        labels = self._labels_of(axis)
        if periods == 0:
            return self.copy()
        if isinstance(freq, str) and freq == "infer":
            freq = getattr(labels, "freq", None) or getattr(labels, "inferred_freq", None)
            if freq is None:
                raise ValueError("Freq was not set in the index hence cannot be inferred")
        known = frequency_of(freq)  # which says of other texts that they are none
        if isinstance(labels.dtype, PeriodDtype):
            given = PeriodDtype(freq)
            if given != labels.dtype:
                raise ValueError(
                    f"Given freq {given.freq.freqstr} does not match "
                    f"PeriodIndex freq {labels.dtype.freq.freqstr}"
                )
            moved = labels.shift(periods)
        elif isinstance(labels, Times):
            moved = labels.shift(periods, known)
        else:
            raise NotImplementedError(
                "This method is only implemented for DatetimeIndex, PeriodIndex and "
                f"TimedeltaIndex; Got type {type(labels).__name__}"
            )
        made: Any = self.copy()
        if axis == 0:
            made.index = moved
        else:
            made.columns = moved
        return made

    def _shifted_columns(self, periods: int, fill: Any) -> Any:
        count = len(self._parts)
        made = []
        for i in range(count):
            source = i - periods
            if 0 <= source < count:
                made.append(self._parts[source])
            elif fill is NO_DEFAULT or is_missing(fill):
                made.append(self._parts[i].missing(len(self)))
            else:
                made.append(repeated(fill, len(self)))
        return self._keep_attrs(self._with(made))

    def _cumulative(self, name: str, axis: Any, skipna: bool, numeric_only: bool) -> Any:
        frame: Any = self._numeric() if numeric_only and self.ndim == 2 else self  # type: ignore[attr-defined]
        if axis is not None and self._axis(axis) == 1:
            return frame.T._cumulative(name, 0, skipna, False).T
        return self._keep_attrs(frame._each(lambda each: accumulate(each, name, skipna=skipna)))

    def cumsum(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Self:
        """The sum of the rows up to each."""
        return self._cumulative("cumsum", axis, skipna, numeric_only)  # type: ignore[no-any-return]

    def cumprod(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Self:
        """The product of the rows up to each."""
        return self._cumulative("cumprod", axis, skipna, numeric_only)  # type: ignore[no-any-return]

    def cummin(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Self:
        """The least of the rows up to each."""
        return self._cumulative("cummin", axis, skipna, numeric_only)  # type: ignore[no-any-return]

    def cummax(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Self:
        """The greatest of the rows up to each."""
        return self._cumulative("cummax", axis, skipna, numeric_only)  # type: ignore[no-any-return]

    def diff(self, periods: Any = 1, axis: Any = 0) -> Any:
        """The differences to the values of that many rows, or columns, before."""
        if not isinstance(periods, (int, np.integer)):
            if not (isinstance(periods, float) and periods.is_integer()):
                raise ValueError("periods must be an integer")
            periods = int(periods)
        if self.ndim == 2 and self._axis(axis) == 1:
            return self - self.shift(periods, axis=1)
        return self._keep_attrs(self._each(lambda each: _difference(each, int(periods))))

    def pct_change(
        self, periods: int = 1, fill_method: None = None, freq: Any = None, **kwargs: Any
    ) -> Any:
        """The changes against so many rows before, or times of ``freq``, as parts of the values."""
        if fill_method is not None:
            raise ValueError(f"fill_method must be None; got fill_method={fill_method!r}.")
        before = self.shift(periods, freq=freq, **kwargs)
        made: Any = self / before - 1
        if freq is None:
            return made
        return made.loc[~made.index.duplicated()].reindex(self._index)


def _difference(column: Column, periods: int) -> Column:
    before = shifted(column, periods)
    if column.dtype.kind == "b" and isinstance(column.dtype, np.dtype):
        pairs = zip(column.tolist(), before.tolist(), strict=True)
        made = [np.nan if is_missing(b) else a != b for a, b in pairs]
        return column_of(np.array(made, object), OBJECT)
    if column.dtype.kind == "b":
        return computed("xor", column, before)
    if isinstance(column.dtype, StringDtype):
        raise TypeError(f"unsupported operand type(s) for -: '{column.dtype}' and '{column.dtype}'")
    if (
        column.dtype.kind in "iu"
        and isinstance(column.dtype, np.dtype)
        and column.dtype in (np.int8, np.int16)
    ):
        return computed(
            "sub", column.astype(np.dtype(np.float32)), before.astype(np.dtype(np.float32))
        )
    if column.dtype.kind == "u" and isinstance(column.dtype, np.dtype):
        # As in pandas, differences below 0 go around.
        around = computed("sub", column, shifted(column, periods, 0)).astype(np.dtype(np.float64))
        return around.where(~px.asarray(before.isna()), around.missing(len(column)))
    if column.dtype.kind == "i" and isinstance(column.dtype, np.dtype):
        column = column.astype(np.dtype(np.float64))  # also where no row is missing
    return computed("sub", column, before)
