"""How likely each sample takes another as its neighbor, so that a perplexity is met.

Of L. van der Maaten and G. Hinton, "Visualizing data using t-SNE" (2008).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import njit, prange
from .neighbor_graph import Graph, in_both_directions

_STEPS, _CLOSE = 100, 1e-5  # of the search for each sample's width


@njit(fastmath={"contract", "reassoc"})
def _entropy(apart: Any, beta: Any, out: Any) -> Any:
    """Fill exp(-apart * beta); the sum, the entropy of the shares, and its slope by beta."""
    total, mean, square = 0.0, 0.0, 0.0
    for j in range(len(apart)):
        out[j] = np.exp(-apart[j] * beta)
    for j in range(len(apart)):
        total += out[j]
        mean += apart[j] * out[j]
        square += apart[j] * apart[j] * out[j]
    mean /= total
    return total, np.log(total) + beta * mean, -beta * (square / total - mean * mean)


@njit(parallel=True)
def _shares(squares: Any, wanted: Any, out: Any) -> None:
    """Fill rows of shares with a wanted entropy: of exp(-squares * beta).

    By Newton's steps, within bounds that each step makes narrower.
    """
    count = squares.shape[1]
    for i in prange(squares.shape[0]):
        # The nearest is taken off, so that not all shares are 0.
        apart = squares[i] - squares[i].min()
        mean = apart.mean()
        beta, low, high = 1.0 / mean if mean > 0 else 1.0, 0.0, np.inf
        total = 1.0
        for _ in range(_STEPS):
            total, entropy, slope = _entropy(apart, beta, out[i])
            miss = entropy - wanted
            if abs(miss) <= _CLOSE:
                break
            if miss > 0:
                low = beta
            else:
                high = beta
            beta = beta - miss / slope if slope < 0 else low
            if not low < beta < high:
                beta = low * 2.0 if high == np.inf else (low + high) / 2.0
        for j in range(count):
            out[i, j] /= total


def affinities(rows: np.ndarray, squares: np.ndarray, perplexity: float) -> Graph:
    """The joint probabilities of near samples, which are 1 together, as a graph.

    `rows` and `squares` are those of the neighbors, and their squared distances.
    """
    shares = np.empty(squares.shape)
    _shares(np.ascontiguousarray(squares), float(np.log(perplexity)), shares)
    graph = in_both_directions(rows, shares)
    return graph._replace(weights=graph.weights / max(graph.weights.sum(), np.finfo(float).eps))
