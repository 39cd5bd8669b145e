"""Samples of which most numbers are 0, in CSR form, on the host."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

import phalanx as px

from .._arrays.ndarray import ndarray
from .sparse_loops import Facts, facts_of, row_products, sums_by_group, transposed

_PART = 1 << 22  # elements of samples that become dense at once


def is_sparse(X: Any) -> bool:
    """True for matrices and arrays of SciPy's sparse classes, and for ours."""
    return hasattr(X, "nnz") and hasattr(X, "tocsr")


class SparseSamples:
    """Samples x features by rows: values, sorted columns without repeats, where rows begin.

    Loops run on the host, also over a matrix of ours that lies on a GPU. `columns` are int32 or
    int64, `ends` int64.
    """

    ndim = 2

    def __init__(
        self, values: np.ndarray, columns: np.ndarray, ends: np.ndarray, shape: tuple[int, int]
    ) -> None:
        self.values, self.columns, self.ends, self.shape = values, columns, ends, shape

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the values."""
        return self.values.dtype

    @cached_property
    def device(self) -> Any:
        """The host's, where arrays made for these samples are to lie."""
        return px.asarray(np.zeros(1), device="cpu").device

    def with_values(self, values: np.ndarray) -> SparseSamples:
        """The same places with other values."""
        return SparseSamples(values, self.columns, self.ends, self.shape)

    def astype(self, dtype: Any) -> SparseSamples:
        """The samples in another dtype; themselves where they have it."""
        return self if self.dtype == dtype else self.with_values(self.values.astype(dtype))

    def taken(self, rows: np.ndarray) -> SparseSamples:
        """Some samples, by their numbers."""
        counts = np.diff(self.ends)[rows]
        ends = np.append(0, np.cumsum(counts)).astype(np.int64)
        places = np.arange(ends[-1]) + np.repeat(self.ends[rows] - ends[:-1], counts)
        shape = (len(rows), self.shape[1])
        return SparseSamples(self.values[places], self.columns[places], ends, shape)

    @cached_property
    def facts(self) -> Facts:
        """What one read tells of the samples, made at their first use."""
        return facts_of(self.values, self.columns, self.ends, self.shape[1])

    @cached_property
    def rows(self) -> np.ndarray:
        """The number of the sample of each value."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.ends))

    @cached_property
    def transposed(self) -> SparseSamples:
        """Features x samples, kept, as each step of a descent needs them."""
        made = _reordered(self)
        made.__dict__["transposed"] = self
        return made

    @property
    def T(self) -> SparseSamples:
        """Features x samples, as of arrays."""
        return self.transposed

    def times(self, table: Any) -> np.ndarray:
        """``self @ table``, summed in float64, samples x columns of the table."""
        right = np.asarray(table, np.float64)
        return row_products(self.values, self.columns, self.ends, right)

    def dense(self, rows: np.ndarray) -> np.ndarray:
        """Some samples as an array, in their dtype."""
        own = self.taken(rows)
        made = np.zeros(own.shape, self.dtype)
        made[own.rows, own.columns] = own.values
        return made

    def sums_by_group(self, groups: np.ndarray, shares: np.ndarray, count: int) -> np.ndarray:
        """The sum of each group's samples, each times its share: groups x features, float64.

        In one pass, without the transpose.
        """
        own = np.asarray(groups, np.int64), np.asarray(shares, np.float64)
        shape = (count, self.shape[1])
        return sums_by_group(self.values, self.columns, self.ends, *own, shape)

    def sums(self, table: Any) -> np.ndarray:
        """``table.T @ self`` in float64, columns of the table x features."""
        return np.ascontiguousarray(self.transposed.times(table).T)

    def scores(self, rows: Any) -> ndarray:
        """``self @ rows.T`` in the samples' dtype, an array of ours on the host."""
        made = self.times(np.asarray(rows).T)
        return px.asarray(made.astype(self.dtype, copy=False), device=self.device)

    def __matmul__(self, table: Any) -> ndarray:
        return self.scores(np.asarray(table).T)

    def gram(self, shares: np.ndarray) -> np.ndarray:
        """``self.T @ (shares * self)``, features x features, float64, of shares of at least 0.

        Samples become dense, a part at a time: for few features.
        """
        made = np.zeros((self.shape[1], self.shape[1]))
        step = max(1, _PART // max(self.shape[1], 1))
        for first in range(0, len(self), step):
            rows = np.arange(first, min(first + step, len(self)))
            rooted = self.dense(rows) * np.sqrt(shares[rows])[:, None]
            made += rooted.T @ rooted
        return made

    def with_column(self, value: float) -> SparseSamples:
        """The samples with one more feature, the same number in all."""
        values = np.insert(self.values, self.ends[1:], value)
        columns = np.insert(self.columns, self.ends[1:], self.shape[1])
        ends = self.ends + np.arange(len(self.ends))
        return SparseSamples(values, columns, ends, (self.shape[0], self.shape[1] + 1))

    def feature_sums(self, values: np.ndarray) -> np.ndarray:
        """The sum of each feature's numbers of some values in the samples' places, float64."""
        return np.bincount(self.columns, values, minlength=self.shape[1])

    def sample_sums(self, values: np.ndarray) -> np.ndarray:
        """The sum of each sample's numbers of some values in the samples' places, float64."""
        return np.bincount(self.rows, values, minlength=self.shape[0])


def on_host(x: Any) -> Any:
    """Dense samples as NumPy's array, sparse ones themselves."""
    return x if isinstance(x, SparseSamples) else np.asarray(x)


def squares_of(x: np.ndarray | SparseSamples) -> np.ndarray:
    """The sum of the squares of each sample's numbers, float64."""
    if isinstance(x, SparseSamples):
        return x.sample_sums(x.values.astype(np.float64) ** 2)
    return np.einsum("ij,ij->i", x, x, dtype=np.float64)


def from_matrix(X: Any, dtypes: tuple[np.dtype, ...]) -> SparseSamples:
    """The samples of a matrix of SciPy's or ours, in one of some dtypes, else in the first.

    Raises ValueError for other than two dimensions, complex numbers and places outside.
    """
    if len(X.shape) != 2:
        raise ValueError(f"Expected 2D input, got input with shape {tuple(X.shape)}")
    rows = X.tocsr()
    values, columns = np.asarray(rows.data), np.asarray(rows.indices)
    if values.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{X!r}\n")
    if values.dtype not in dtypes:
        values = values.astype(dtypes[0])
    if columns.dtype not in (np.int32, np.int64):
        columns = columns.astype(np.int64)
    ends = np.asarray(rows.indptr).astype(np.int64)
    refuse_ends(ends, min(len(values), len(columns)))
    shape = (int(X.shape[0]), int(X.shape[1]))
    made = SparseSamples(values[: ends[-1]], columns[: ends[-1]], ends, shape)
    if not made.facts.is_inside:
        raise _outside(shape[1])
    return made if made.facts.is_sorted else in_order(made)


def refuse_columns(columns: np.ndarray, count: int) -> None:
    """Raise ValueError for places outside of a matrix: loops would leave memory."""
    if len(columns) and (columns.min() < 0 or columns.max() >= count):
        raise _outside(count)


def _outside(count: int) -> ValueError:
    return ValueError(f"Column indices of a sparse matrix of {count} columns are outside")


def refuse_ends(ends: np.ndarray, elements: int) -> None:
    """Raise ValueError for a matrix in CSR form that was made wrong: loops would leave memory."""
    if ends[0] != 0 or ends[-1] > elements or (np.diff(ends) < 0).any():
        raise ValueError(
            "Wrong `indptr` of a sparse matrix: it begins with 0, never falls, and ends within "
            "`indices` and `data`"
        )


def in_order(x: SparseSamples) -> SparseSamples:
    """Columns of each row sorted, values of the same place added."""
    made = _reordered(_reordered(x))  # rows of a transpose are in order
    first = np.append(True, np.diff(made.columns) != 0)
    first[made.ends[:-1][np.diff(made.ends) > 0]] = True
    if first.all():
        return made
    values = np.add.reduceat(made.values, np.flatnonzero(first)).astype(x.dtype)
    ends = np.append(0, np.cumsum(first))[made.ends].astype(np.int64)
    return SparseSamples(values, made.columns[first], ends, x.shape)


def _reordered(x: SparseSamples) -> SparseSamples:
    return SparseSamples(*transposed(x.values, x.columns, x.ends, x.shape[1]), x.shape[::-1])
