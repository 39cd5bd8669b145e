"""Columns as arrays on their device, and what else cuDF's frames have beside pandas' names."""

from __future__ import annotations

import inspect
from typing import Any, Self

import numpy as np

import phalanx as px

from ..._functions import jit
from .. import above
from ..columns.column import Column
from ..dtypes import family
from ..hashing import hash_pandas_object
from ..options import get_option
from ..shared.base import Labelled
from .from_pandas import from_pandas


def device_values(parts: list[Column]) -> Any:
    """The columns as one of our arrays where all are NumPy's numbers or bools, else None.

    Only where the option ``compute.values`` is ``"array"``, as in programs of cuDF's.
    """
    if get_option("compute.values") != "array" or not all(map(_is_plain, parts)):
        return None
    return px.stack([each.values for each in parts], axis=1) if parts else None  # type: ignore[attr-defined]


def _is_plain(column: Column) -> bool:
    return isinstance(column.dtype, np.dtype) and column.dtype.kind in "biufc"


def _array(column: Column, na_value: Any) -> Any:
    if _is_plain(column):
        return column.values  # type: ignore[attr-defined]
    if family(column.dtype) != "nullable":
        raise TypeError(f"an array on the device has no {column.dtype}: to_numpy() gives one")
    if column.has_missing() and na_value is None:
        raise ValueError("Column must have no nulls: pass na_value, or fillna() first")
    values = column.values  # type: ignore[attr-defined]
    return values if column.valid is None else px.where(column.valid, values, na_value)  # type: ignore[attr-defined]


class DeviceForms(Labelled):
    """Names of cuDF's that frames and series have in common."""

    def to_cupy(self, dtype: Any = None, copy: bool = False, na_value: Any = None) -> Any:
        """The values as one of our arrays, of (rows,) or (rows, columns), on their device.

        Raises TypeError for texts, dates and categories, ValueError for missing values of nullable
        dtypes without `na_value`.
        """
        arrays = [_array(each, na_value) for each in self._parts]
        made = arrays[0] if self.ndim == 1 else px.stack(arrays, axis=1)
        if dtype is not None:
            made = made.astype(dtype)
        return made.copy() if copy else made

    @property
    def values_host(self) -> np.ndarray:
        """The values as NumPy's array."""
        return self.to_numpy()  # type: ignore[attr-defined, no-any-return]

    @classmethod
    def from_pandas(cls, data: Any, nan_as_null: Any = None) -> Any:
        """Of an object of pandas': ``phalanx.from_pandas``. Raises TypeError for another one."""
        return from_pandas(data)

    def nans_to_nulls(self) -> Self:
        """The same object: missing floats are NaN."""
        return self.copy()

    def hash_values(self, method: str = "pandas", seed: int | None = None) -> Any:
        """A uint64 for each row, of its values without labels, as `phalanx.util` hashes them.

        Raises NotImplementedError for cuDF's other methods and for a seed.
        """
        if method != "pandas" or seed is not None:
            raise NotImplementedError(
                f"hash_values(method={method!r}, seed={seed!r}): phalanx has method='pandas'"
            )
        return hash_pandas_object(self, index=False)


class SeriesDeviceForms(DeviceForms):
    """Those of series alone."""

    @property
    def null_count(self) -> int:
        """The number of missing values."""
        return int(self._parts[0].isna().sum())

    @property
    def has_nulls(self) -> bool:
        """True if a value is missing."""
        return self._parts[0].has_missing()

    @property
    def nullable(self) -> bool:
        """True if there is a mask of missing values."""
        return getattr(self._parts[0], "valid", None) is not None


class FrameDeviceForms(DeviceForms):
    """Those of frames alone."""

    def apply_rows(
        self,
        func: Any,
        incols: Any,
        outcols: Any,
        kwargs: Any,
        pessimistic_nulls: bool = True,
        cache_key: Any = None,
    ) -> Any:
        """The frame with the columns that a function of whole columns fills.

        ``func`` takes an array for each of ``incols`` (labels, or names of arguments by label),
        one to fill for each of ``outcols`` (dtypes by name) and ``kwargs``; it is compiled for the
        host. With ``pessimistic_nulls`` rows with a missing input have missing results. Raises
        CompileError for what cannot be compiled.
        """
        named = dict(incols) if isinstance(incols, dict) else {each: each for each in incols}
        given = {name: self[label].to_numpy() for label, name in named.items()}  # type: ignore[index]
        made = {name: np.empty(len(self), dtype) for name, dtype in outcols.items()}
        arguments = {**given, **made, **kwargs}
        jit(func)(*(arguments[each] for each in inspect.signature(func).parameters))
        frame: Any = self.copy()
        gone = frame[list(named)].isna().any(axis=1)
        for name, values in made.items():
            column = above.Series(values, index=frame.index)
            frame[name] = column.mask(gone) if pessimistic_nulls and gone.any() else column
        return frame

    def apply_chunks(self, *args: Any, **kwargs: Any) -> Any:
        """Raises NotImplementedError."""
        raise NotImplementedError("apply_chunks: a kernel of phalanx.cuda takes df[name].to_cupy()")

    def partition_by_hash(self, columns: Any, nparts: int, keep_index: bool = True) -> list[Any]:
        """The rows in `nparts` frames, equal rows of some columns in one of them."""
        frame: Any = self if keep_index else self.reset_index(drop=True)  # type: ignore[attr-defined]
        places = np.asarray(frame[list(columns)].hash_values()) % np.uint64(nparts)
        return [frame[places == i] for i in range(nparts)]

    def interleave_columns(self) -> Any:
        """The elements row by row, as one series."""
        return above.Series(self.to_numpy().ravel())  # type: ignore[attr-defined]

    def tile(self, count: int) -> Any:
        """The rows `count` times, one after the other."""
        rows = np.tile(np.arange(len(self)), count)
        return self.take(rows)  # type: ignore[attr-defined]
