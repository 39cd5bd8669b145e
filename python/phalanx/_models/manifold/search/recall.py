"""How many of the nearest samples a search has found, by all distances of a few samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import njit, prange

_ASKED = 48


@njit(parallel=True, fastmath={"contract", "reassoc"})
def _squares(x: Any, asked: Any, zero: Any, out: Any) -> None:
    for i in prange(x.shape[0]):
        for place in range(len(asked)):
            total = zero
            for j in range(x.shape[1]):
                step = x[i, j] - x[asked[place], j]
                total += step * step
            out[place, i] = total


def recall(x: np.ndarray, squares: np.ndarray, random: Any) -> float:
    """The share of some samples' true neighbors among those that were found.

    `squares` are the squared distances of the found, in order: equal distances are as good.
    """
    asked = random.permutation(len(x))[:_ASKED]
    count = squares.shape[1]
    out = np.empty((len(asked), len(x)), x.dtype)
    _squares(x, asked, x.dtype.type(0), out)
    # A sample is at 0 from itself.
    true = np.partition(out, count, axis=1)[:, : count + 1].max(axis=1)
    return float((squares[asked] <= true[:, None] * (1 + 1e-5)).mean())
