"""`sum`, `mean` and the other methods that give one value for each column, or row."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import phalanx as px

from .. import above, engine
from ..building.columns import repeated
from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..columns.unread import read_together
from ..dtypes import OBJECT, NullableDtype, is_numeric, nullable_of
from ..indexes.ranges import RangeIndex
from ..operations.joined import common_dtype, joined_columns
from ..reductions.moments import OF_NOTHING, REDUCTIONS
from ..reductions.order import mode
from ..reductions.reduce import argument
from ..selection.rows import RowMethods
from .columns import reduced, reduced_column
from .quantiles import frame_quantile, series_quantile, table_quantile

_DDOF = ("std", "var", "sem")
_COUNTING = ("sum", "prod")
# What pandas computes of bools beside numbers as of objects.
_AS_OBJECTS = frozenset(("median", "std", "var", "sem", "skew", "kurt"))


def _check(name: str, skipna: Any, keywords: dict[str, Any]) -> None:
    if not isinstance(skipna, (bool, np.bool_)):
        raise ValueError(
            f'For argument "skipna" expected type bool, received type {type(skipna).__name__}.'
        )
    keywords.pop("out", None)
    keywords.pop("dtype", None) if keywords.get("dtype") is None else None
    keywords.pop("keepdims", None) if not keywords.get("keepdims") else None
    if keywords:
        raise TypeError(f"{name}() got an unexpected keyword argument {next(iter(keywords))!r}")


class Reductions(RowMethods):
    """Reductions of series and frames."""

    if TYPE_CHECKING:  # made of the tables below

        def sum(
            self,
            *,
            axis: Any = 0,
            skipna: bool = True,
            numeric_only: bool = False,
            min_count: int = 0,
            **kwargs: Any,
        ) -> Any: ...

        prod = product = sum

        def std(
            self,
            *,
            axis: Any = 0,
            skipna: bool = True,
            ddof: int = 1,
            numeric_only: bool = False,
            **kwargs: Any,
        ) -> Any: ...

        var = sem = std

        def mean(
            self, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any
        ) -> Any: ...

        median = min = max = skew = kurt = kurtosis = mean

        def any(
            self, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any
        ) -> Any: ...

        all = any

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, **keywords: Any
    ) -> Any:
        raise NotImplementedError


class SeriesReductions(Reductions):
    """One value of a series."""

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, **keywords: Any
    ) -> Any:
        if axis is not None:
            self._axis(axis)
        column = self._parts[0]
        if numeric_only and not is_numeric(column.dtype):
            raise TypeError(
                f"Series.{name} does not allow numeric_only={numeric_only} with non-numeric dtypes."
            )
        return reduced(name, column, skipna=skipna, **keywords)

    def count(self) -> int:
        """How many values are not missing."""
        return int(reduced("count", self._parts[0]))

    def quantile(self, q: Any = 0.5, interpolation: str = "linear") -> Any:
        """The value below which a part of the values is, or a series of them for several parts."""
        return series_quantile(self, q, interpolation)

    def idxmin(self, axis: Any = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """The label of the first least value. Raises ValueError where all are missing."""
        return self._index._label(self.argmin(axis, skipna))

    def idxmax(self, axis: Any = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """The label of the first greatest value. Raises ValueError where all are missing."""
        return self._index._label(self.argmax(axis, skipna))

    def argmin(self, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> int:
        """The position of the first least value. Raises ValueError where all are missing."""
        return argument(self._parts[0], "min", skipna=skipna)

    def argmax(self, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> int:
        """The position of the first greatest value. Raises ValueError where all are missing."""
        return argument(self._parts[0], "max", skipna=skipna)

    def mode(self, dropna: bool = True) -> Any:
        """The values that are there most often, in their order."""
        made = mode(self._parts[0], dropna=dropna)
        return self._with([made], RangeIndex(len(made)))


class FrameReductions(Reductions):
    """One value for each column of a frame, or for each row."""

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, **keywords: Any
    ) -> Any:
        of: Any = self._numeric() if numeric_only else self  # type: ignore[attr-defined]
        read_together(of._parts)
        if axis is None:
            return of._reduce_all(name, skipna, **keywords)
        if self._axis(axis) == 1 and of._parts and not len(of):
            return of._keep_attrs(of._reduce_no_rows(name, skipna, **keywords))
        if self._axis(axis) == 1:
            return of._keep_attrs(of._reduce_rows(name, skipna, **keywords))
        if name in REDUCTIONS and _is_wide(of._parts, len(of)):
            made = _reduced_table(name, of._parts, of._parts[0].dtype, 1, skipna, **keywords)
            return of._keep_attrs(above.Series._of(made, of._labels_of(1)))
        parts = [reduced_column(name, each, skipna=skipna, **keywords) for each in of._parts]
        return of._keep_attrs(of._of_columns(parts, name))

    def _of_columns(self, parts: list[Column], name: str) -> Any:

        if parts:
            return above.Series._of(joined_columns(parts), self._labels_of(1))
        kinds = {"any": bool, "all": bool, "count": np.int64}
        dtype = np.dtype(kinds.get(name, np.float64))
        return above.Series._of(column_of([], dtype), self._labels_of(1))

    def _reduce_all(self, name: str, skipna: bool, **keywords: Any) -> Any:
        if not self._parts:
            return reduced(name, column_of([], np.dtype(np.float64)), skipna=skipna)
        return reduced(name, joined_columns(self._parts), skipna=skipna, **keywords)

    def _reduce_no_rows(self, name: str, skipna: bool, **keywords: Any) -> Any:
        """No values of the dtype, or the error, that the columns' own values have in pandas."""
        found = [reduced_column(name, each, skipna=skipna, **keywords) for each in self._parts]
        own = common_dtype([each.dtype for each in self._parts])
        dtype = common_dtype([each.dtype for each in found])
        if own != OBJECT and not is_numeric(own) and name not in ("any", "all", "count"):
            dtype = own
        elif isinstance(dtype, np.dtype) and dtype.kind == "f" and name not in ("sum", "prod"):
            dtype = np.dtype(np.float64)
        return above.Series._of(column_of([], dtype), self._index)

    def _reduce_rows(self, name: str, skipna: bool, min_count: int = 0, **keywords: Any) -> Any:
        """A value of each row: of tables of numbers at once, of others row by row."""
        dtype = (
            common_dtype([each.dtype for each in self._parts])
            if self._parts
            else np.dtype(np.float64)
        )
        if name == "count":
            return above.Series._of(NumberColumn(self._counts()), self._index)
        if not self._parts:
            value = reduced(name, column_of([], dtype), skipna=skipna, **keywords)
            return above.Series._of(repeated(value, len(self)), self._index)
        if self._parts and all(
            isinstance(each, NumberColumn) and is_numeric(each.dtype) for each in self._parts
        ):
            mixed = dtype == OBJECT  # Bools count as numbers beside numbers.
            if mixed:
                numbers = [each.dtype for each in self._parts if each.dtype.kind != "b"]
                dtype = common_dtype(numbers)
            columns = [each.astype(dtype) for each in self._parts]
            made = _reduced_table(name, columns, dtype, 0, skipna, min_count, **keywords)
            if mixed and name in _AS_OBJECTS:
                made = made.astype(OBJECT)
            return above.Series._of(made, self._index)
        values = [
            reduced(name, self._row_column(i), skipna=skipna, min_count=min_count, **keywords)  # type: ignore[attr-defined]
            for i in range(len(self))
        ]
        made = column_of(values)
        if dtype == OBJECT and name not in ("any", "all", "mean", "std", "var", "median"):
            made = made.astype(OBJECT)
        return above.Series._of(made, self._index)

    def _counts(self) -> Any:
        counts = px.zeros(len(self), np.int64)
        for each in self._parts:
            counts = counts + ~px.asarray(each.isna())
        return counts

    def count(self, axis: Any = 0, numeric_only: bool = False) -> Any:
        """How many elements of each column, or row, are not missing."""
        return self._reduce("count", axis, True, numeric_only)

    def quantile(
        self,
        q: Any = 0.5,
        axis: Any = 0,
        numeric_only: bool = False,
        interpolation: str = "linear",
        method: str = "single",
    ) -> Any:
        """The values below which a part of each column is; a frame of them for several parts.

        With ``method="table"`` rows are in order as a whole, and results are rows that are there.
        Raises ValueError for parts outside 0 to 1, for other methods, and for an `interpolation`
        between rows of a table.
        """
        if method not in ("single", "table"):
            raise ValueError(f"Invalid method: {method}. Method must be in {{'single', 'table'}}.")
        of: Any = self._numeric() if numeric_only else self  # type: ignore[attr-defined]
        if self._axis(axis) == 1:
            of = of.T
        return (table_quantile if method == "table" else frame_quantile)(of, q, interpolation)

    def _label_of_extreme(self, axis: Any, skipna: bool, numeric_only: bool, *, least: bool) -> Any:

        of: Any = self._numeric() if numeric_only else self  # type: ignore[attr-defined]
        if self._axis(axis) == 1:
            of = of.T
        rows = [argument(each, "min" if least else "max", skipna=skipna) for each in of._parts]
        labels = of.index._take(np.array(rows, np.int64))._values_column()
        return above.Series._of(labels, of.columns)

    def idxmin(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Any:
        """The label of the first least element of each column, or row."""
        return self._label_of_extreme(axis, skipna, numeric_only, least=True)

    def idxmax(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Any:
        """The label of the first greatest element of each column, or row."""
        return self._label_of_extreme(axis, skipna, numeric_only, least=False)

    def mode(self, axis: Any = 0, numeric_only: bool = False, dropna: bool = True) -> Any:
        """The elements that are in each column most often, missing ones below them."""
        of: Any = self._numeric() if numeric_only else self  # type: ignore[attr-defined]
        if self._axis(axis) == 1:
            return of.T.mode(0, False, dropna).T
        parts = [mode(each, dropna=dropna) for each in of._parts]
        count = max(map(len, parts), default=0)
        whole = [_lengthened(each, count) for each in parts]
        return above.DataFrame._of(whole, RangeIndex(count), of.columns)


def _lengthened(column: Column, count: int) -> Column:
    if len(column) == count:
        return column
    rows = np.arange(count)
    return column.take(px.asarray(np.where(rows < len(column), rows, -1)), has_missing=True)


# Methods of both classes.


def _plain(name: str, doc: str) -> Callable[..., Any]:
    def method(
        self: Any, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any
    ) -> Any:
        _check(name, skipna, kwargs)
        return self._reduce(name, axis, skipna, numeric_only)

    return _named(method, name, doc)


def _with_min_count(name: str, doc: str) -> Callable[..., Any]:
    def method(
        self: Any,
        *,
        axis: Any = 0,
        skipna: bool = True,
        numeric_only: bool = False,
        min_count: int = 0,
        **kwargs: Any,
    ) -> Any:
        _check(name, skipna, kwargs)
        return self._reduce(name, axis, skipna, numeric_only, min_count=min_count)

    return _named(method, name, doc)


def _with_ddof(name: str, doc: str) -> Callable[..., Any]:
    def method(
        self: Any,
        *,
        axis: Any = 0,
        skipna: bool = True,
        ddof: int = 1,
        numeric_only: bool = False,
        **kwargs: Any,
    ) -> Any:
        _check(name, skipna, kwargs)
        return self._reduce(name, axis, skipna, numeric_only, ddof=ddof)

    return _named(method, name, doc)


def _truth(name: str, doc: str) -> Callable[..., Any]:
    def method(
        self: Any, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any
    ) -> Any:
        _check(name, skipna, kwargs)
        of = self.select_dtypes("bool") if bool_only and self.ndim == 2 else self
        return of._reduce(name, axis, skipna, False)

    return _named(method, name, doc)


def _named(method: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    method.__name__ = name
    method.__doc__ = doc
    return method


_DOCS = {
    "sum": "The sum; NaN with fewer than ``min_count`` values.",
    "prod": "The product; NaN with fewer than ``min_count`` values.",
    "mean": "The mean.",
    "median": "The median.",
    "min": "The least.",
    "max": "The greatest.",
    "skew": "The skewness, free of bias.",
    "kurt": "The excess kurtosis, free of bias.",
    "std": "The standard deviation, of n - ``ddof`` degrees of freedom.",
    "var": "The variance, of n - ``ddof`` degrees of freedom.",
    "sem": "The standard error of the mean.",
    "any": "True if something is true.",
    "all": "True if nothing is false.",
}


def _install() -> None:
    for name, doc in _DOCS.items():
        if name in _COUNTING:
            make = _with_min_count
        elif name in _DDOF:
            make = _with_ddof
        else:
            make = _truth if name in ("any", "all") else _plain
        setattr(Reductions, name, make(name, doc))
    Reductions.product = Reductions.prod
    Reductions.kurtosis = Reductions.kurt


_install()


# From so many columns on, and up to so many rows, reductions are of one table: what a call costs
# is more than what it computes.
_MANY, _FEW_ROWS = 32, 4096
_TABLES = frozenset(map(np.dtype, ("float64", "int64", "bool")))


def _is_wide(columns: list[Column], rows: int) -> bool:
    """True for many short columns of one of NumPy's usual dtypes."""
    if len(columns) < _MANY or not 0 < rows <= _FEW_ROWS:
        return False
    dtype = columns[0].dtype
    return dtype in _TABLES and all(
        isinstance(each, NumberColumn) and each.dtype == dtype for each in columns
    )


def _reduced_table(
    name: str, columns: list[Any], dtype: Any, axis: int, skipna: bool, min_count: int = 0,
    **keywords: Any,
) -> Column:  # fmt: skip
    """A value of each row (`axis` 0) or each column (1) of columns of one dtype."""
    values = _stacked(columns, axis)
    valid = _valid_of(columns, values, axis)
    if values.dtype.kind == "b" and name not in ("min", "max", "any", "all"):
        values = values.astype(np.int64 if name in _COUNTING else np.float64)
    truth = name in ("any", "all")
    made = REDUCTIONS[name](values, None if truth and not skipna else valid, **keywords)
    least, length = max(min_count, 0 if name in OF_NOTHING else 1), values.shape[0]
    if name == "count":
        return NumberColumn(made)
    if valid is None and length >= least:
        return NumberColumn(
            made, None, nullable_of(made.dtype) if isinstance(dtype, NullableDtype) else None
        )
    counts = length if valid is None else valid.sum(axis=0)
    known = counts >= least if skipna or truth else counts == length
    if isinstance(dtype, NullableDtype):
        return NumberColumn(
            made, px.broadcast_to(px.asarray(known), made.shape), nullable_of(made.dtype)
        )
    if truth:
        return NumberColumn(made)
    return NumberColumn(px.where(known, made, np.nan))


def _stacked(columns: list[Any], axis: int) -> Any:
    if len(columns) < _MANY or engine.is_on_gpu(columns[0].values):
        return px.stack([each.values for each in columns], axis=axis)
    return px.asarray(np.stack([np.asarray(each.values) for each in columns], axis=axis))


def _valid_of(columns: list[Any], values: Any, axis: int) -> Any:
    """Which elements of a table are there; None for all."""
    if isinstance(columns[0].dtype, np.dtype) and columns[0].dtype.kind in "iufb":
        there = ~px.isnan(values) if values.dtype.kind == "f" else None
        return None if there is None or bool(there.all()) else there
    if not any(each.has_missing() for each in columns):
        return None
    return px.stack([~px.asarray(each.isna()) for each in columns], axis=axis)
