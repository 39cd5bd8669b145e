"""Numbers for each bin of time."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import above, engine
from ..building.columns import is_frame, is_series
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..combining.concat import concat
from ..dtypes import NULLABLE, NullableDtype, nullable_of
from ..groups.aggregation import is_number
from ..indexes.multi import MultiIndex
from ..operations.joined import joined_columns
from .resampler import Binned

_INTERPOLATIONS = ("linear", "lower", "higher", "nearest", "midpoint")
_OHLC = {"open": "first", "high": "max", "low": "min", "close": "last"}


class Downsampling(Binned):
    """`sum`, `mean` and so on: a row for each bin, of bins without rows a missing value or 0."""

    def _downsampled(
        self, name: str, numeric_only: bool = False, min_count: int = 0, **keywords: Any
    ) -> Any:
        if len(self._sorted.axis) == 0:
            return self._empty()
        data = self._data(name, numeric_only)
        fill = _FILLS.get(name) if min_count <= 0 else None
        enough = self._enough(data.columns, min_count)
        made = getattr(self._grouped(data.columns), name)(**keywords)
        columns = [
            self._filled(each, fill, kept) for each, kept in zip(made._parts, enough, strict=True)
        ]
        return self._made(columns, data.labels)

    def _enough(self, columns: list[Column], min_count: int) -> list[np.ndarray | None]:
        """For each column which groups have so many values."""
        if min_count <= 0 or not columns:
            return [None] * len(columns)
        counts = self._grouped(columns).count()
        return [each.to_numpy() >= min_count for each in counts._parts]

    def sum(self, numeric_only: bool = False, min_count: int = 0) -> Any:
        """The sum of each bin; missing where fewer than ``min_count`` values are there."""
        return self._downsampled("sum", numeric_only, min_count)

    def prod(self, numeric_only: bool = False, min_count: int = 0) -> Any:
        """The product of each bin; missing where fewer than ``min_count`` values are there."""
        return self._downsampled("prod", numeric_only, min_count)

    def min(self, numeric_only: bool = False, min_count: int = 0) -> Any:
        """The least of each bin."""
        return self._downsampled("min", numeric_only, min_count)

    def max(self, numeric_only: bool = False, min_count: int = 0) -> Any:
        """The greatest of each bin."""
        return self._downsampled("max", numeric_only, min_count)

    def first(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Any:
        """The first of each bin that is not missing."""
        return self._end("first", numeric_only, min_count, skipna)

    def last(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Any:
        """The last of each bin that is not missing."""
        return self._end("last", numeric_only, min_count, skipna)

    def _end(self, name: str, numeric_only: bool, min_count: int, skipna: bool) -> Any:
        if not skipna:
            raise NotImplementedError(f"resample(...).{name}: skipna=False is not supported")
        return self._downsampled(name, numeric_only, min_count)

    def mean(self, numeric_only: bool = False) -> Any:
        """The mean of each bin."""
        return self._downsampled("mean", numeric_only)

    def median(self, numeric_only: bool = False) -> Any:
        """The median of each bin."""
        return self._downsampled("median", numeric_only)

    def var(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """The variance of each bin, over its count less ``ddof``."""
        return self._downsampled("var", numeric_only, ddof=ddof)

    def std(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """The standard deviation of each bin, over its count less ``ddof``."""
        return self._downsampled("std", numeric_only, ddof=ddof)

    def sem(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """The standard error of the mean of each bin."""
        made, counts = self.std(ddof, numeric_only), self.count()
        if is_frame(made) and numeric_only:
            counts = counts[list(made.columns)]
        return made / counts**0.5

    def nunique(self) -> Any:
        """How many different values each bin has."""
        return self._downsampled("nunique")

    def count(self) -> Any:
        """How many values of each bin are not missing."""
        if len(self._sorted.axis) == 0:
            data = self._data("count", False)
            columns: list[Column] = [NumberColumn(px.zeros(0, np.int64)) for _ in data.columns]
            return self._made(columns, data.labels)
        return self._downsampled("count")

    def size(self) -> Any:
        """How many rows each bin has: a series."""
        sizes: Column = NumberColumn(px.asarray(self._bins.sizes().astype(np.int64)))
        name = None
        if self._is_series:
            name = self._selected.name
            if isinstance(self._selected.dtype, NullableDtype):
                sizes = sizes.astype(NULLABLE["Int64"])
        return above.Series._of(sizes, self._index(0), name)

    def ohlc(self) -> Any:
        """The first, the greatest, the least and the last of each bin, as columns."""
        parts = [getattr(self, each)() for each in _OHLC.values()]
        if self._is_series:
            columns = [each._parts[0] for each in parts]
            return above.DataFrame._of(columns, parts[0].index, self._frame_labels(list(_OHLC)))
        count = len(parts[0]._parts)
        columns = [part._parts[i] for i in range(count) for part in parts]
        labels = MultiIndex.from_product([parts[0].columns, list(_OHLC)])
        return above.DataFrame._of(columns, parts[0].index, labels)

    def quantile(self, q: Any = 0.5, interpolation: str = "linear") -> Any:
        """The value below which a part ``q`` of each bin is; of a list a level more of labels.

        Raises ValueError for a part that is not from 0 to 1, TypeError for what is no number.
        """
        if interpolation not in _INTERPOLATIONS:
            raise ValueError(f"'{interpolation}' is no interpolation: {', '.join(_INTERPOLATIONS)}")
        if not is_list_like(q):
            return self._quantile(float(q), interpolation)
        parts = [self._quantile(float(each), interpolation) for each in q]
        whole = concat(parts)
        order = np.arange(len(whole)).reshape(len(parts), -1).T.reshape(-1)
        made = whole._at(order)
        made.index = MultiIndex.from_product(
            [self._index(0), list(q)], names=[self._index(0).name, None]
        )
        return made

    def _quantile(self, q: float, interpolation: str) -> Any:
        if len(self._sorted.axis) == 0:
            return self._empty()
        if not 0 <= q <= 1:
            raise ValueError(f"Each 'q' must be between 0 and 1. Got '{q}' instead")
        data = self._data("quantile", False)
        columns = [self._filled(self._quantile_of(each, q, interpolation), None)
                   for each in data.columns]  # fmt: skip
        return self._made(columns, data.labels)

    def _quantile_of(self, column: Column, q: float, interpolation: str) -> Column:
        if not is_number(column) or column.dtype.kind == "b":
            raise TypeError(f"dtype '{column.dtype}' does not support operation 'quantile'")
        number: Any = column
        values, mask = engine.parts_of(number)
        wanted = [(values, mask, "quantile", (q, interpolation))]
        ((found, valid),) = engine.aggregate_runs(self._bounds, wanted)
        made = px.asarray(found)
        if not isinstance(column.dtype, NullableDtype):
            return NumberColumn(made)
        there = None if valid is None else px.asarray(valid.astype(bool))
        return NumberColumn(made, there, nullable_of(made.dtype))

    # Functions.

    def _of_function(self, func: Any, args: Any, kwargs: Any) -> Any:
        if self._is_series:
            return self._reduced(self._selected, func, args, kwargs)
        try:
            data = self._data("agg", False)
            parts = [
                self._reduced(self._selected[label], func, args, kwargs) for label in data.labels
            ]
        except (AttributeError, KeyError):
            return self._reduced(self._selected, func, args, kwargs)
        return above.DataFrame._of([each._parts[0] for each in parts], self._index(0), data.labels)

    def _reduced(self, of: Any, func: Any, args: Any, kwargs: Any) -> Any:
        """A function's result for the rows of each bin: values, or series that become rows."""
        ordered = of if self._sorted.rows is None else of._at(self._sorted.rows)
        starts = np.append(0, self._bins.ends[:-1])
        results = [
            func(ordered._at(slice(int(start), int(end))), *args, **kwargs)
            for start, end in zip(starts, self._bins.ends, strict=True)
        ]
        if results and all(map(is_series, results)) and is_frame(of):
            made: Any = above.DataFrame(results)
            made.index = self._index(0)
            return made
        if any(map(is_series, results)) or any(map(is_frame, results)):
            raise NotImplementedError(
                "resample(...).apply: functions that give a series or a frame of each bin; "
                "transform() takes those that give a value for each row"
            )
        column = column_of(results) if results else ordered._parts[0]
        return above.Series._of(column, self._index(0), of.name if is_series(of) else None)

    apply = Binned.agg

    def transform(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """For each row what a function, or a name, gives for its bin."""
        data = self._data("transform", False)
        if isinstance(func, str):
            made = self._single(func, args, kwargs)
            rows = px.asarray(np.repeat(self._present, np.diff(self._bounds)))
            columns = [each.take(rows) for each in made._parts]
        else:
            columns = [self._mapped(each, func, args, kwargs) for each in data.columns]
        columns = [self._sorted.back(each) for each in columns]
        if self._is_series:
            return above.Series._of(columns[0], self._of.index, self._selected.name)
        return above.DataFrame._of(columns, self._of.index, data.labels)

    def _mapped(self, column: Column, func: Any, args: Any, kwargs: Any) -> Column:
        whole = above.Series._of(column, self._sorted.index(self._of))
        starts, ends = np.append(0, self._bins.ends[:-1]), self._bins.ends
        parts = []
        for i in self._present.tolist():
            part = whole._at(slice(int(starts[i]), int(ends[i])))
            made = func(part, *args, **kwargs)
            if not is_series(made):
                made = above.Series([made] * len(part))
            if len(made) != len(part):
                raise ValueError("transform must return a scalar value for each group")
            parts.append(made._parts[0])
        return joined_columns(parts) if parts else column


# What bins without rows have; others miss a value.
_FILLS = {"sum": 0, "prod": 1, "count": 0, "nunique": 0}
