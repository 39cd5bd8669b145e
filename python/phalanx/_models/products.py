"""Products of samples with a few rows or columns, which are faster as sums of one pass."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .sparse_samples import SparseSamples

_FEW = 8


def _is_wide(x: Any) -> bool:
    """True for NumPy's arrays, and ours of few samples of many features on the host, of float64.

    A BLAS reads them once.
    """
    if isinstance(x, np.ndarray):
        return True
    return x.shape[1] > x.shape[0] and x.dtype == np.float64 and x._device.is_host


def scores(x: Any, rows: Any) -> Any:
    """``x @ rows.T``: the sum of each sample's features times each row.

    Samples are ours, sparse, or NumPy's, and the result is an array of the same kind.
    """
    if isinstance(x, SparseSamples):
        return x.scores(rows)
    if len(rows) > _FEW or _is_wide(x):
        return x @ rows.T
    return px.stack([px.sum(x * row, axis=1) for row in rows], axis=1)


def sums(x: Any, table: Any) -> np.ndarray:
    """``table.T @ x`` on the host: the features' sums over the samples by each column's shares."""
    if isinstance(x, SparseSamples):
        return x.sums(table)
    return np.ascontiguousarray(np.asarray(x.T @ table).T)


def weighted_sum(x: Any, share: Any) -> np.ndarray:
    """The sum of all samples, each times its share, in float64 on the host."""
    if isinstance(x, SparseSamples):
        return x.sums(np.asarray(share)[:, None])[0]
    if _is_wide(x):
        return np.asarray(share.astype(np.float64) @ x)
    return np.asarray(px.sum(x * share[:, None], axis=0, dtype=np.float64))
