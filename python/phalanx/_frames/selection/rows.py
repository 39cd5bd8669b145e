"""Some of the rows: the first, the last, random ones, those at positions."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from ..building.columns import is_series
from ..shared.base import Labelled
from .labels import Found


class RowMethods(Labelled):
    """`head`, `tail`, `take`, `sample` and the like."""

    def _at(self, selector: Any) -> Self:
        """The rows, or elements, of a slice or an array of positions."""
        made: Self = self._selected(Found(selector))  # type: ignore[attr-defined]
        return made

    def _columns_at(self, numbers: Any) -> Any:
        return self._some_columns(Found(numbers))  # type: ignore[attr-defined]

    def _along(self, axis: int, selector: Any) -> Any:
        return self._at(selector) if axis == 0 else self._columns_at(selector)

    def _labels_of(self, axis: int) -> Any:
        return self._index if axis == 0 else self._columns  # type: ignore[attr-defined]

    def head(self, n: int = 5) -> Self:
        """The first rows; a negative number leaves out as many of the last."""
        return self._at(slice(0, n))

    def tail(self, n: int = 5) -> Self:
        """The last rows; a negative number leaves out as many of the first."""
        return self._at(slice(0, 0) if n == 0 else slice(-n, None))

    def take(self, indices: Any, axis: Any = 0) -> Any:
        """Rows, or columns, at some positions. Raises IndexError outside of them."""
        number = self._axis(axis)
        rows = np.asarray(indices)
        count = len(self._labels_of(number))
        if rows.size and (rows.min() < -count or rows.max() >= count):
            raise IndexError("indices are out-of-bounds")
        return self._along(number, np.where(rows < 0, rows + count, rows).astype(np.int64))

    def sample(
        self,
        n: int | None = None,
        frac: float | None = None,
        replace: bool = False,
        weights: Any = None,
        random_state: Any = None,
        axis: Any = None,
        ignore_index: bool = False,
    ) -> Any:
        """Random rows, or columns: ``n`` or a fraction of them, by NumPy's generators.

        Raises ValueError for more than there are without ``replace``, and for wrong weights.
        """
        number = 0 if axis is None else self._axis(axis)
        count = len(self._labels_of(number))
        size = _sample_size(n, frac, count, replace)
        chances = None if weights is None else self._chances(weights, number, count)
        rows = _generator(random_state).choice(count, size, replace=replace, p=chances)
        made = self._along(number, rows.astype(np.int64))
        return made.reset_index(drop=True) if ignore_index else made

    def _chances(self, weights: Any, axis: int, count: int) -> np.ndarray:
        if isinstance(weights, str):
            if self.ndim == 1 or axis == 1:
                raise ValueError(
                    "Strings can only be passed to weights when sampling from rows on a DataFrame"
                )
            weights = self[weights]  # type: ignore[index]
        if is_series(weights):
            weights = weights.reindex(self._labels_of(axis))
        chances = np.asarray(weights, np.float64)
        if len(chances) != count:
            raise ValueError("Weights and axis to be sampled must be of same length")
        if np.isinf(chances).any():
            raise ValueError("weight vector may not include `inf` values")
        if (chances < 0).any():
            raise ValueError("weight vector many not include negative values")
        chances = np.where(np.isnan(chances), 0, chances)
        total = chances.sum()
        if total == 0:
            raise ValueError("Invalid weights: weights sum to zero")
        made: np.ndarray = chances / total
        return made

    def truncate(
        self, before: Any = None, after: Any = None, axis: Any = None, copy: Any = None
    ) -> Any:
        """Rows, or columns, from one label to another. Raises ValueError if they are unsorted."""
        number = 0 if axis is None else self._axis(axis)
        labels = self._labels_of(number)
        increasing = labels.is_monotonic_increasing
        if not increasing and not labels.is_monotonic_decreasing:
            raise ValueError("truncate requires a sorted index")
        if before is not None and after is not None and before > after:
            raise ValueError(f"Truncate: {after} must be after {before}")
        ends = (before, after) if increasing else (after, before)
        return self._along(number, labels.slice_indexer(*ends))

    def first_valid_index(self) -> Any:
        """The label of the first row that has a value; None where there is none."""
        return self._valid_label(0)

    def last_valid_index(self) -> Any:
        """The label of the last row that has a value; None where there is none."""
        return self._valid_label(-1)

    def _valid_label(self, which: int) -> Any:
        there = np.zeros(len(self), bool)
        for each in self._parts:
            there |= ~np.asarray(each.isna())
        rows = np.flatnonzero(there)
        return self._index._label(int(rows[which])) if len(rows) else None


def _sample_size(n: int | None, frac: float | None, count: int, replace: bool) -> int:
    if n is not None and frac is not None:
        raise ValueError("Please enter a value for `frac` OR `n`, not both")
    if n is not None and n % 1:
        raise ValueError("Only integers accepted as `n` values")
    if (n is not None and n < 0) or (frac is not None and frac < 0):
        raise ValueError(
            "A negative number of rows requested. Please provide `n` >= 0."
            if n is not None
            else "A negative number of rows requested. Please provide `frac` >= 0."
        )
    if frac is not None and frac > 1 and not replace:
        raise ValueError(
            "Replace has to be set to `True` when upsampling the population `frac` > 1."
        )
    if frac is not None:
        return round(frac * count)
    size = 1 if n is None else int(n)
    if size > count and not replace:
        raise ValueError("Cannot take a larger sample than population when 'replace=False'")
    return size


def _generator(state: Any) -> Any:
    if state is None:
        return np.random  # The generator that np.random.seed sets.
    if isinstance(state, (np.random.RandomState, np.random.Generator)):
        return state
    if isinstance(state, np.random.BitGenerator):
        return np.random.Generator(state)
    return np.random.RandomState(state)
