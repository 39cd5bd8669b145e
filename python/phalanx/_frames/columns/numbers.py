"""Columns of numbers, bools, dates and durations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import dtypes, engine
from ..dtypes import DatetimeTZDtype, Dtype, NullableDtype
from ..missing import NA
from ..scalars.rows import scalar_of, scalars_of
from .column import Column
from .objects import object_array


def storage_of(dtype: Dtype) -> np.dtype:
    """The dtype of the array that such a column has."""
    if isinstance(dtype, (NullableDtype, DatetimeTZDtype)):
        return dtype.numpy_dtype
    assert isinstance(dtype, np.dtype)
    return dtype


def has_own_missing(dtype: np.dtype) -> bool:
    """Returns whether a value of NumPy's dtype can say that it is missing: NaN and NaT."""
    return dtype.kind in "fcmM"


class NumberColumn(Column):
    """An array, and for nullable dtypes which of its elements are there (None: all).

    What the elements are where `valid` is False is nobody's business.
    """

    __slots__ = ("dtype", "valid", "values")

    def __init__(
        self, values: ndarray, valid: ndarray | None = None, dtype: Dtype | None = None
    ) -> None:
        self.dtype: Dtype = values.dtype if dtype is None else dtype
        self.values = values
        self.valid = valid

    def __len__(self) -> int:
        return len(self.values)

    def _like(self, values: ndarray, valid: ndarray | None) -> NumberColumn:
        return NumberColumn(values, valid, self.dtype)

    # Rows.

    def take(self, rows: ndarray, *, has_missing: bool = False) -> Column:
        if not has_missing:
            valid = None if self.valid is None else self.valid[rows]
            return self._like(self.values[rows], valid)
        widened = self._able_to_miss()
        if not isinstance(widened, NumberColumn):
            return widened.take(rows, has_missing=True)
        there = rows >= 0
        if len(self) == 0:
            return widened.missing(rows.shape[0])
        values = widened.values[px.where(there, rows, 0)]
        if isinstance(widened.dtype, NullableDtype):
            if widened.valid is not None:
                there = there & widened.valid[px.where(there, rows, 0)]
            return widened._like(values, there)
        return widened._like(px.where(there, values, missing_number(widened.values.dtype)), None)

    def filter(self, mask: ndarray) -> NumberColumn:
        return self._like(self.values[mask], None if self.valid is None else self.valid[mask])

    def slice(self, part: slice) -> NumberColumn:
        return self._like(self.values[part], None if self.valid is None else self.valid[part])

    def element(self, row: int) -> Any:
        if self.valid is not None and not bool(self.valid[row]):
            return NA
        value = np.asarray(self.values[row])[()]
        if self.values.dtype.kind in "mM":
            return scalar_of(value, getattr(self.dtype, "tz", None))
        return value

    def joined(self, others: Sequence[Column]) -> NumberColumn:
        parts: list[Any] = [self, *others]
        valid = None
        if any(each.valid is not None for each in parts):
            valid = px.concatenate([each.present() for each in parts])
        return self._like(px.concatenate([each.values for each in parts]), valid)

    def where(self, mask: ndarray, other: Any) -> NumberColumn:
        valid = None
        if self.valid is not None or other.valid is not None:
            valid = px.where(mask, self.present(), other.present())
        return self._like(px.where(mask, self.values, other.values), valid)

    # Missing values.

    def present(self) -> ndarray:
        """The mask `valid`, made where it is None."""
        return px.ones_like(self.values, dtype=bool) if self.valid is None else self.valid

    def isna(self) -> ndarray:
        gone: ndarray
        if isinstance(self.dtype, NullableDtype):
            gone = px.zeros_like(self.values, dtype=bool) if self.valid is None else ~self.valid
        elif has_own_missing(self.values.dtype):
            test = px.isnat if self.values.dtype.kind in "mM" else px.isnan
            gone = test(self.values)
        else:
            gone = px.zeros_like(self.values, dtype=bool)
        return gone

    def has_missing(self) -> bool:
        if isinstance(self.dtype, NullableDtype):
            return self.valid is not None and not bool(self.valid.all())
        return has_own_missing(self.values.dtype) and super().has_missing()

    def _able_to_miss(self) -> Column:
        if isinstance(self.dtype, NullableDtype) or has_own_missing(self.values.dtype):
            return self
        return self.astype(np.dtype(object if self.dtype.kind == "b" else np.float64))

    def missing(self, count: int) -> Column:
        if isinstance(self.dtype, NullableDtype):
            return self._like(px.zeros(count, self.values.dtype), px.zeros(count, bool))
        if self.dtype.kind == "b":
            return self._able_to_miss().missing(count)
        dtype = self.values.dtype if has_own_missing(self.values.dtype) else np.dtype(np.float64)
        made = px.full(count, missing_number(dtype), dtype)
        return NumberColumn(made, None, self.dtype if dtype == self.values.dtype else None)

    # Other forms.

    def to_numpy(self) -> np.ndarray:
        values = np.asarray(self.values)
        if isinstance(self.dtype, DatetimeTZDtype):
            return self.objects_of()
        if not isinstance(self.dtype, NullableDtype) or not self.has_missing():
            values.flags.writeable = False  # a GPU's is a copy, of which nobody else knows
            return values
        if values.dtype.kind == "b":
            return self.objects_of()
        made = values.astype(values.dtype if values.dtype.kind == "f" else np.float64)
        made[~np.asarray(self.valid)] = np.nan
        return made

    def objects_of(self) -> np.ndarray:
        values = np.asarray(self.values)
        if values.dtype.kind in "mM":
            return object_array(scalars_of(values, getattr(self.dtype, "tz", None)))
        made = values.astype(object)
        if self.valid is not None:
            made[~np.asarray(self.valid)] = NA
        return made

    def tolist(self) -> list[Any]:
        return list(self.objects_of())

    def key(self) -> tuple[Any, ...]:
        return "values", *engine.parts_of(self)

    @property
    def device(self) -> Any:
        return engine.device_of(self.values)

    @property
    def is_on_gpu(self) -> bool:
        return engine.is_on_gpu(self.values)

    @property
    def nbytes(self) -> int:
        return self.values.nbytes + (0 if self.valid is None else self.valid.nbytes)


def missing_number(dtype: np.dtype) -> Any:
    """NaN or NaT of a dtype that has it."""
    if dtype.kind in "mM":
        return np.array("NaT", dtype)[()]
    return dtype.type(np.nan)


def nullable(values: ndarray, valid: ndarray | None) -> NumberColumn:
    """A column of the nullable dtype for an array. NaNs are missing values."""
    if values.dtype.kind == "f":
        valid = ~px.isnan(values) if valid is None else valid & ~px.isnan(values)
    return NumberColumn(values, valid, dtypes.nullable_of(values.dtype))
