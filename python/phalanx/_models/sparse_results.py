"""Results in CSR form: SciPy's matrices, or ours of arrays of ours."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np

import phalanx as px

from .frames_given import is_column, is_frame
from .sparse_samples import SparseSamples
from .validation import is_ours

Parts = tuple[np.ndarray, ...]  # values, columns, and where each row's begin


def compressed(X: Any, parts: Parts, shape: tuple[int, int]) -> Any:
    """A matrix in CSR form: SciPy's, or ours of arrays of ours and where SciPy is not installed.

    Of frames it is SciPy's, which scikit-learn's ColumnTransformer puts beside other columns.
    """
    is_array = is_ours(X) and not (is_frame(X) or is_column(X))
    if is_array or px.sparse.issparse(X) or importlib.util.find_spec("scipy") is None:
        return px.sparse.csr_matrix(tuple(map(px.asarray, parts)), shape=shape)
    from scipy.sparse import csr_matrix

    return csr_matrix(parts, shape=shape)


def as_matrix(X: Any, made: SparseSamples) -> Any:
    """Samples as a matrix in CSR form, or as an array of SciPy's where `X` is one."""
    columns = made.columns.copy()  # which may be those of X
    matrix = compressed(X, (made.values, columns, made.ends.astype(columns.dtype)), made.shape)
    if is_ours(X):
        return matrix
    from scipy.sparse import csr_array, sparray

    return csr_array(matrix) if isinstance(X, sparray) else matrix
