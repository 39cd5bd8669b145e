"""How columns vary together: `cov`, `corr`, `dot`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import above
from ..building.columns import is_frame, is_series, ours
from ..columns import Column
from ..columns.decimals import DecimalColumn
from ..columns.making import column_of
from ..dtypes import StringDtype
from ..indexes.joins import align
from ..indexes.ranges import RangeIndex
from ..ordering.ranking import ranked
from ..reductions.rows import refuse
from ..selection.rows import RowMethods

_METHODS = ("pearson", "kendall", "spearman")


def as_floats(column: Column, name: str) -> Any:
    """A column of float64 with NaN where a row is missing.

    Raises ValueError with a text that is no number, TypeError for other kinds.
    """
    if isinstance(column, DecimalColumn):
        return column.astype(np.dtype(np.float64))
    if isinstance(column.dtype, StringDtype):
        found = [each for each in column.objects_of() if isinstance(each, str)]
        raise ValueError(f"could not convert string to float: {found[0] if found else 'nan'!r}")
    if column.dtype.kind not in "biufO" or (column.dtype.kind == "O" and column.dtype != object):
        refuse(name, column)
    return column.astype(np.dtype(np.float64))


def _numbers(column: Column, name: str) -> np.ndarray:
    return np.asarray(as_floats(column, name).to_numpy(), np.float64)


def covariance(left: np.ndarray, right: np.ndarray, least: int, ddof: int) -> float:
    """Of the rows that both have; NaN of too few."""
    both = ~(np.isnan(left) | np.isnan(right))
    count = int(both.sum())
    if count < max(least, 1) or count <= ddof:
        return np.nan
    a, b = left[both], right[both]
    return float(((a - a.mean()) * (b - b.mean())).sum() / (count - ddof))


def correlation(left: np.ndarray, right: np.ndarray, least: int, method: Any) -> float:
    """Of the rows that both have; NaN of too few, or where one side is constant."""
    both = ~(np.isnan(left) | np.isnan(right))
    if int(both.sum()) < max(least, 1):
        return np.nan
    a, b = left[both], right[both]
    if callable(method):
        return float(method(a, b))
    if method == "kendall":
        return _kendall(a, b)
    if method == "spearman":
        a, b = (np.asarray(_ranks(each)) for each in (a, b))
    a, b = _centered(a), _centered(b)
    scale = np.sqrt((a * a).sum() * (b * b).sum())
    if scale == 0 or len(a) < 2:
        return np.nan
    return float(np.clip((a * b).sum() / scale, -1, 1))


def _centered(values: np.ndarray) -> np.ndarray:
    """Distances from the mean: exactly 0 where all values are the same."""
    apart = values - values[:1]
    made: np.ndarray = apart - (apart.mean() if len(apart) else 0)
    return made


def _correlations(numbers: list[np.ndarray]) -> np.ndarray:
    """The correlations of columns without missing rows, by one product of matrices."""
    table = np.array([_centered(each) for each in numbers]).reshape(len(numbers), -1)
    # By powers of two, which is exact: squares stay in range.
    table = np.ldexp(table, -np.frexp(np.abs(table).max(axis=1, initial=0.0))[1][:, None])
    products = table @ table.T
    squares = np.diag(products)
    with np.errstate(invalid="ignore", divide="ignore"):
        # The root of a square is exact, so that a column has 1 with itself and with its equals.
        found: np.ndarray = np.clip(products / np.sqrt(np.outer(squares, squares)), -1, 1)
    return found


def _ranks(values: np.ndarray) -> np.ndarray:
    made = ranked(column_of(values), "average", "keep", ascending=True, pct=False)
    return np.asarray(made.to_numpy())


def _kendall(a: np.ndarray, b: np.ndarray) -> float:
    signs = np.sign(a[:, None] - a), np.sign(b[:, None] - b)
    scale = np.sqrt((signs[0] ** 2).sum() * (signs[1] ** 2).sum())
    return float((signs[0] * signs[1]).sum() / scale) if scale else np.nan


def _check(method: Any) -> None:
    if method not in _METHODS and not callable(method):
        raise ValueError(
            "method must be either 'pearson', 'spearman', 'kendall', or a callable, "
            f"'{method}' was supplied"
        )


class SeriesRelations(RowMethods):
    """Relations of two series."""

    def _both(self, other: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
        _, mine, theirs = align(self._index, other.index, "inner")
        columns = [
            each if rows is None else each.take(rows)
            for each, rows in ((self._parts[0], mine), (other._parts[0], theirs))
        ]
        return _numbers(columns[0], name), _numbers(columns[1], name)

    def cov(self, other: Any, min_periods: int | None = None, ddof: int | None = 1) -> float:
        """The covariance of the rows that both have."""
        a, b = self._both(ours(other), "cov")
        return covariance(a, b, min_periods or 1, 1 if ddof is None else ddof)

    def corr(self, other: Any, method: Any = "pearson", min_periods: int | None = None) -> float:
        """The correlation of the rows that both have. Raises ValueError for another method."""
        _check(method)
        a, b = self._both(ours(other), "corr")
        return correlation(a, b, min_periods or 1, method)

    def autocorr(self, lag: int = 1) -> float:
        """The correlation with the rows so many before."""
        return self.corr(self.shift(lag))  # type: ignore[attr-defined]

    def dot(self, other: Any) -> Any:
        """The inner product with a series, or the products with a frame's columns.

        Raises ValueError for other labels.
        """
        other = ours(other)
        if is_series(other) or is_frame(other):
            index, mine, theirs = align(self._index, other.index, "outer")
            if len(index) > len(self) or len(index) > len(other.index):
                raise ValueError("matrices are not aligned")
            other = other if theirs is None else other.reindex(index)
            left = (self if mine is None else self.reindex(index)).to_numpy()  # type: ignore[attr-defined, union-attr]
        else:
            left = self.to_numpy()  # type: ignore[attr-defined]
        if is_frame(other):
            values = column_of(left @ other.to_numpy())
            return above.Series._of(values, other.columns, self.name)  # type: ignore[attr-defined]
        right = np.asarray(other)
        if left.shape[0] != right.shape[0]:
            raise ValueError(f"Dot product shape mismatch, {left.shape} vs {right.shape}")
        return np.dot(left, right)

    def __matmul__(self, other: Any) -> Any:
        return self.dot(other)


class FrameRelations(RowMethods):
    """Relations of the columns of a frame."""

    def _table(self, numeric_only: bool, name: str) -> tuple[Any, list[np.ndarray]]:
        of: Any = self._numeric() if numeric_only else self  # type: ignore[attr-defined]
        return of, [_numbers(each, name) for each in of._parts]

    def _matrix(self, of: Any, found: np.ndarray) -> Any:

        parts = [column_of(np.ascontiguousarray(found[:, i])) for i in range(found.shape[1])]
        return above.DataFrame._of(parts, of.columns, of.columns)

    def cov(
        self, min_periods: int | None = None, ddof: int | None = 1, numeric_only: bool = False
    ) -> Any:
        """The covariance of each two columns, of the rows that both have."""
        of, numbers = self._table(numeric_only, "cov")
        # As in pandas, ddof is for tables without missing values.
        degrees = 1 if ddof is None or any(np.isnan(each).any() for each in numbers) else ddof
        found = np.array(
            [[covariance(a, b, min_periods or 1, degrees) for b in numbers] for a in numbers]
        ).reshape(len(numbers), len(numbers))
        return self._matrix(of, found)

    def corr(
        self, method: Any = "pearson", min_periods: int = 1, numeric_only: bool = False
    ) -> Any:
        """The correlation of each two columns, of the rows that both have."""
        _check(method)
        of, numbers = self._table(numeric_only, "corr")
        count = len(numbers)
        found = np.full((count, count), np.nan)
        whole = [i for i, each in enumerate(numbers) if not np.isnan(each).any()]
        if method == "pearson" and whole and len(of) >= max(min_periods, 2):
            found[np.ix_(whole, whole)] = _correlations([numbers[i] for i in whole])
        for i in range(count):
            for j in range(i + 1):
                if method == "pearson" and i in whole and j in whole:
                    continue
                value = correlation(numbers[i], numbers[j], min_periods, method)
                found[i, j] = found[j, i] = 1.0 if i == j and callable(method) else value
        return self._matrix(of, found)

    def corrwith(
        self,
        other: Any,
        axis: Any = 0,
        drop: bool = False,
        method: Any = "pearson",
        numeric_only: bool = False,
        min_periods: int | None = None,
    ) -> Any:
        """The correlation of each column with a series, or with the other frame's of its label."""
        of: Any = self._numeric() if numeric_only else self  # type: ignore[attr-defined]
        other = ours(other)
        if self._axis(axis) == 1:
            return of.T.corrwith(other.T if is_frame(other) else other, 0, drop, method)
        if is_series(other):
            values = [
                of._column_series(i).corr(other, method, min_periods) for i in range(len(of._parts))
            ]
            return above.Series._of(column_of(np.array(values, np.float64)), of.columns)
        common = of.columns.intersection(other.columns)
        values = [of[each].corr(other[each], method, min_periods) for each in common]
        made: Any = above.Series._of(column_of(np.array(values, np.float64)), common)
        return made if drop else made.reindex(of.columns.union(other.columns))

    def dot(self, other: Any) -> Any:
        """The product with a series, or with another frame, whose rows are this one's columns.

        Raises ValueError for other labels.
        """
        other = ours(other)
        left = self.to_numpy()  # type: ignore[attr-defined]
        if is_series(other) or is_frame(other):
            columns = self._labels_of(1)
            if len(columns.union(other.index)) > len(columns) or len(other.index) != len(columns):
                raise ValueError("matrices are not aligned")
            other = other if other.index.equals(columns) else other.reindex(columns)
        right = np.asarray(other)
        if left.shape[1] != right.shape[0]:
            raise ValueError(f"Dot product shape mismatch, {left.shape} vs {right.shape}")
        made = left @ right
        if made.ndim == 1:
            return above.Series._of(column_of(made), self._index)
        parts = [column_of(np.ascontiguousarray(made[:, i])) for i in range(made.shape[1])]
        if is_frame(other):
            return above.DataFrame._of(parts, self._index, other.columns)
        return above.DataFrame._of(parts, self._index, RangeIndex(len(parts)))

    def __matmul__(self, other: Any) -> Any:
        return self.dot(other)
