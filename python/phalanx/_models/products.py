"""Products of samples with a few rows or columns, which are faster as sums of one pass."""

from __future__ import annotations

import numpy as np

import phalanx as px

from .._arrays.ndarray import ndarray

_FEW = 8


def scores(x: ndarray, rows: ndarray) -> ndarray:
    """``x @ rows.T``: the sum of each sample's features times each row."""
    if len(rows) > _FEW:
        return x @ rows.T
    return px.stack([px.sum(x * row, axis=1) for row in rows], axis=1)


def sums(x: ndarray, table: ndarray) -> np.ndarray:
    """``table.T @ x`` on the host: the features' sums over the samples by each column's shares."""
    return np.ascontiguousarray(np.asarray(x.T @ table).T)
