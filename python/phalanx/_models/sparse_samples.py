"""Samples of which most numbers are 0, in CSR form, on the host."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

import phalanx as px

from .._arrays.ndarray import ndarray
from .sparse_loops import row_products


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
    def rows(self) -> np.ndarray:
        """The number of the sample of each value."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.ends))

    @cached_property
    def transposed(self) -> SparseSamples:
        """Features x samples, kept, as each step of a descent needs them."""
        order = np.argsort(self.columns, kind="stable")
        counts = np.bincount(self.columns, minlength=self.shape[1])
        ends = np.append(0, np.cumsum(counts)).astype(np.int64)
        rows = self.rows[order].astype(self.columns.dtype)
        made = SparseSamples(self.values[order], rows, ends, self.shape[::-1])
        made.__dict__["transposed"] = self
        return made

    @property
    def T(self) -> SparseSamples:
        """Features x samples, as of arrays."""
        return self.transposed

    def times(self, table: Any) -> np.ndarray:
        """``self @ table``, summed in float64, samples x columns of the table."""
        right = np.ascontiguousarray(np.asarray(table, np.float64))
        out = np.zeros((self.shape[0], right.shape[1]))
        if len(self.values) and right.shape[1]:
            row_products(self.values, self.columns, self.ends, right, out)
        return out

    def sums(self, table: Any) -> np.ndarray:
        """``table.T @ self`` in float64, columns of the table x features."""
        return np.ascontiguousarray(self.transposed.times(table).T)

    def scores(self, rows: Any) -> ndarray:
        """``self @ rows.T`` in the samples' dtype, an array of ours on the host."""
        made = self.times(np.asarray(rows).T)
        return px.asarray(made.astype(self.dtype, copy=False), device=self.device)

    def __matmul__(self, table: Any) -> ndarray:
        return self.scores(np.asarray(table).T)

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

    Raises ValueError for other than two dimensions and for complex numbers.
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
    shape = (int(X.shape[0]), int(X.shape[1]))
    return _in_order(SparseSamples(values[: ends[-1]], columns[: ends[-1]], ends, shape))


def _in_order(x: SparseSamples) -> SparseSamples:
    """Columns of each row sorted, values of the same place added."""
    is_new = (np.diff(x.columns) > 0) | (np.diff(x.rows) > 0)
    if is_new.all():
        return x
    order = np.lexsort((x.columns, x.rows))
    columns, rows = x.columns[order], x.rows[order]
    first = np.append(True, (np.diff(columns) > 0) | (np.diff(rows) > 0))
    values = np.add.reduceat(x.values[order], np.flatnonzero(first)).astype(x.dtype)
    counts = np.bincount(rows[first], minlength=x.shape[0])
    ends = np.append(0, np.cumsum(counts)).astype(np.int64)
    return SparseSamples(values, columns[first], ends, x.shape)
