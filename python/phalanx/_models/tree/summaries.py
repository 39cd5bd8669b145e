"""What the nodes of grown trees hold: the sums of their samples."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ... import njit, prange
from .histograms import adder
from .workspace import Data, Grown, Samples


@cache
def _summer(is_class: bool) -> Any:
    add = adder(is_class)

    @njit(parallel=True)
    def summed(data: Any, own: Any, grown: Any, whole: Any, starts: Any, sums: Any) -> None:
        last = sums.shape[1] - 1
        for t in prange(starts.shape[0] - 1):
            first = starts[t]
            count = starts[t + 1] - first
            # Children come after their parents.
            for back in range(count):
                node = count - 1 - back
                row = sums[first + node]
                child = np.int64(grown.left[t, node])
                if child >= 0:
                    for k in range(last + 1):
                        row[k] = sums[first + child, k] + sums[first + child + 1, k]
                    continue
                for i in range(grown.start[t, node], grown.end[t, node]):
                    sample = own.rows[t, i]
                    weight = own.weights[t, sample]
                    add(row, data.targets[sample], weight)
                    if not is_class:
                        row[last] += weight * whole[sample]

    return summed


def sums_of(
    data: Data, own: Samples, grown: Grown, nodes: np.ndarray, sums: int, whole: np.ndarray | None
) -> list[np.ndarray]:
    """The sums of each tree's nodes, nodes x sums.

    Those of numbers have one more: the weighted sum of `whole`, which has one for each sample.
    """
    starts = np.concatenate([[0], np.cumsum(nodes)])
    is_class = whole is None
    made = np.zeros((starts[-1], sums + (not is_class)))
    other = np.zeros(1) if whole is None else whole
    _summer(is_class)(data, own, grown, other, starts, made)
    return [made[starts[t] : starts[t + 1]] for t in range(len(nodes))]
