"""How likely each sample takes another as its neighbor, so that a perplexity is met.

Of L. van der Maaten and G. Hinton, "Visualizing data using t-SNE" (2008).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import njit, prange
from .neighbor_graph import Graph, in_both_directions

_STEPS, _CLOSE = 100, 1e-5  # of the search for each sample's width


@njit(parallel=True)
def _shares(squares: Any, wanted: Any, out: Any) -> None:
    """Fill rows of shares with a wanted entropy: of exp(-squares * beta)."""
    count = squares.shape[1]
    for i in prange(squares.shape[0]):
        least = squares[i, 0]
        for j in range(count):
            least = min(least, squares[i, j])
        beta, low, high = 1.0, 0.0, np.inf
        for _ in range(_STEPS):
            total, weighted = 0.0, 0.0
            for j in range(count):
                # The nearest is taken off, so that not all shares are 0.
                apart = squares[i, j] - least
                share = np.exp(-apart * beta)
                out[i, j] = share
                total += share
                weighted += apart * share
            entropy = np.log(total) + beta * weighted / total
            for j in range(count):
                out[i, j] /= total
            if abs(entropy - wanted) <= _CLOSE:
                break
            if entropy > wanted:
                low = beta
                beta = beta * 2.0 if high == np.inf else (beta + high) / 2.0
            else:
                high = beta
                beta = (beta + low) / 2.0


def affinities(rows: np.ndarray, squares: np.ndarray, perplexity: float) -> Graph:
    """The joint probabilities of near samples, which are 1 together, as a graph.

    `rows` and `squares` are those of the neighbors, and their squared distances.
    """
    shares = np.empty(squares.shape)
    _shares(np.ascontiguousarray(squares), float(np.log(perplexity)), shares)
    graph = in_both_directions(rows, shares)
    return graph._replace(weights=graph.weights / max(graph.weights.sum(), np.finfo(float).eps))
