"""`describe`: what there is to say of each column."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import above
from ..columns import Column
from ..columns.decimal_casts import floats_of
from ..columns.decimals import DecimalColumn
from ..columns.making import column_of
from ..combining.concat import concat
from ..dtypes import NULLABLE, OBJECT, NullableDtype, is_numeric
from ..indexes.making import index_of
from ..reductions.order import quantile
from ..selection.rows import RowMethods
from .columns import reduced


def percent_labels(parts: np.ndarray) -> list[str]:
    """Parts as percentages with as few decimals as tell them apart."""
    percents = 100 * parts
    if not len(percents):
        return []
    places = _decimals(percents)
    whole = np.isclose(percents.round(places).astype(int), percents)
    if whole.all():
        return [f"{each}%" for each in percents.round(places).astype(int)]
    places = _decimals(np.unique(percents))
    return [
        f"{round(each)}%" if is_whole else f"{each.round(places)}%"
        for each, is_whole in zip(percents, whole, strict=True)
    ]


def _decimals(percents: np.ndarray) -> int:
    start = percents[0] if percents[0] > 0 else None
    end = 100 - percents[-1] if percents[-1] < 100 else None
    gaps = np.abs(np.ediff1d(percents, to_begin=start, to_end=end))
    return max(1, int(-np.floor(np.log10(gaps.min()))))


def _parts(percentiles: Any) -> np.ndarray:
    if percentiles is None:
        return np.array([0.25, 0.5, 0.75])
    parts = np.asarray(list(percentiles), np.float64)
    if ((parts < 0) | (parts > 1)).any():
        raise ValueError("percentiles should all be in the interval [0, 1]")
    if len(set(parts.tolist())) < len(parts):
        raise ValueError("percentiles cannot contain duplicates")
    return np.sort(parts)


def described(series: Any, percentiles: Any) -> Any:
    """``series.describe()``."""
    column = series._parts[0]
    if is_numeric(column.dtype) and column.dtype.kind not in "bc":
        return _of_numbers(series, _parts(percentiles), ("count", "mean", "std", "min"))
    if column.dtype.kind == "m":
        return _of_numbers(series, _parts(percentiles), ("count", "mean", "std", "min"))
    if column.dtype.kind == "M":
        return _of_numbers(series, _parts(percentiles), ("count", "mean", "min"))
    return _of_others(series)


def _of_numbers(series: Any, parts: np.ndarray, names: tuple[str, ...]) -> Any:
    column: Column = series._parts[0]
    if isinstance(column, DecimalColumn):
        column = floats_of(column)
    values = [reduced(name, column) for name in names]
    values += quantile(column, parts).tolist()
    values.append(reduced("max", column))
    labels = index_of([*names, *percent_labels(parts), "max"])
    if isinstance(column.dtype, NullableDtype):
        made = column_of(values, NULLABLE["Float64"])
    elif column.dtype.kind in "mM":
        objects = np.empty(len(values), object)
        objects[:] = values
        made = column_of(objects, OBJECT)
        return above.Series._of(made, labels, series.name)
    else:
        made = column_of([float(each) for each in values])
    return above.Series._of(made, labels, series.name)


def _of_others(series: Any) -> Any:

    counts = series.value_counts()
    counts = counts[counts != 0]
    count = series.count()
    top, frequency = (counts.index[0], counts.iloc[0]) if len(counts) else (np.nan, np.nan)
    made = [count, len(counts), top, frequency]
    labels = index_of(["count", "unique", "top", "freq"])
    return above.Series._of(column_of(made, None if count else OBJECT), labels, series.name)


class SeriesDescribing(RowMethods):
    """`describe` of series."""

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Any:
        """The count, the mean, the deviation and quantiles; of others the most frequent value."""
        return described(self, percentiles)


class FrameDescribing(RowMethods):
    """`describe` of frames."""

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Any:
        """`describe` of each column of numbers and dates, or of the dtypes that are asked for.

        Raises ValueError for a frame without columns.
        """
        if not self._parts:
            raise ValueError("Cannot describe a DataFrame without columns")
        of = self._described(include, exclude)
        columns = [described(of._column_series(i), percentiles) for i in range(len(of._parts))]
        rows = _row_order(columns)
        made = concat([each.reindex(rows) for each in columns], axis=1)
        made.columns = of.columns
        return made

    def _described(self, include: Any, exclude: Any) -> Any:
        if include is None and exclude is None:
            found: Any = self._columns_at(
                np.array(
                    [
                        i
                        for i, each in enumerate(self._parts)
                        if (is_numeric(each.dtype) and each.dtype.kind not in "bO")
                        or each.dtype.kind in "mM"
                    ],
                    np.int64,
                )
            )
            return found if found.shape[1] else self
        if isinstance(include, str) and include == "all":
            if exclude is not None:
                raise ValueError("exclude must be None when include is 'all'")
            return self
        return self.select_dtypes(include, exclude)  # type: ignore[attr-defined]


def _row_order(columns: list[Any]) -> list[Any]:
    """The rows of all, those of the column with fewest first, as pandas has them."""
    made: list[Any] = []
    for each in sorted((list(each.index) for each in columns), key=len):
        made += [label for label in each if label not in made]
    return made
