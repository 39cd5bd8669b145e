"""Trees that isolate samples by splits drawn at random, over the values themselves."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ... import njit, prange
from ..tree.splitting import drawer
from .boosting.predictor import FittedTree
from .boosting.workspace import BINS

_ROOM = 1 << 26  # bytes of trees that are grown at once


class Isolated(NamedTuple):
    """Trees that grow, trees x nodes; the second child of a node follows the first."""

    feature: np.ndarray
    left: np.ndarray
    start: np.ndarray
    end: np.ndarray
    depth: np.ndarray
    missing_left: np.ndarray
    cut: np.ndarray

    @classmethod
    def empty(cls, trees: int, nodes: int) -> Isolated:
        """Room for so many nodes of each tree."""
        kinds = (np.int32,) * 5 + (np.uint8, np.float64)
        return cls(*(np.zeros((trees, nodes), kind) for kind in kinds))


@cache
def _ranger() -> Any:
    @njit
    def extremes(x: Any, rows: Any, f: Any) -> Any:
        low = np.inf
        high = -np.inf
        for i in range(rows.shape[0]):
            value = np.float64(x[rows[i], f])
            if value == value:
                low = min(low, value)
                high = max(high, value)
        return low, high

    return extremes


@cache
def _chooser() -> Any:
    """A function that draws a feature that varies among some rows, and where it is cut.

    It returns False if none varies. Missing numbers go to a side that is drawn.
    """
    draw, extremes = drawer(), _ranger()

    @njit
    def choose(x: Any, rows: Any, order: Any, state: Any, grown: Any, node: Any) -> Any:
        count = order.shape[0]
        for seen in range(count):
            other = seen + draw(state) % (count - seen)
            f = np.int64(order[other])
            order[other] = order[seen]
            order[seen] = f
            low, high = extremes(x, rows, f)
            if low == -np.inf and high > low:
                return False  # scikit-learn's cut is NaN then, which parts nothing
            if low < high:
                share = np.float64(draw(state)) / 4294967296.0
                cut = low * (1.0 - share) + high * share
                grown.feature[node] = f
                grown.cut[node] = cut if cut < high else low
                grown.missing_left[node] = draw(state) & 1
                return True
        return False

    return choose


@cache
def _parter() -> Any:
    @njit
    def part(x: Any, rows: Any, f: Any, cut: Any, missing_left: Any) -> Any:
        first = 0
        last = rows.shape[0] - 1
        while first <= last:
            row = rows[first]
            value = np.float64(x[row, f])
            if value <= cut or (value != value and missing_left == 1):
                first += 1
            else:
                rows[first] = rows[last]
                rows[last] = row
                last -= 1
        return first

    return part


@cache
def _grower() -> Any:
    choose, part = _chooser(), _parter()

    @njit
    def grow_one(x: Any, rows: Any, order: Any, deepest: Any, state: Any, grown: Any) -> Any:
        grown.end[0] = rows.shape[0]
        made = 1
        node = 0
        while node < made:
            grown.left[node] = -1
            start = np.int64(grown.start[node])
            end = np.int64(grown.end[node])
            own = rows[start:end]
            can = end - start > 1 and grown.depth[node] < deepest
            if can and choose(x, own, order, state, grown, node):
                f = np.int64(grown.feature[node])
                middle = start + part(x, own, f, grown.cut[node], grown.missing_left[node])
                grown.left[node] = made
                for side in range(2):
                    grown.start[made + side] = start if side == 0 else middle
                    grown.end[made + side] = middle if side == 0 else end
                    grown.depth[made + side] = grown.depth[node] + 1
                made += 2
            node += 1
        return made

    @njit(parallel=True)
    def grow(x: Any, rows: Any, orders: Any, deepest: Any, states: Any, out: Any) -> None:
        grown, nodes = out
        for t in prange(nodes.shape[0]):
            tree = Isolated(
                grown.feature[t], grown.left[t], grown.start[t], grown.end[t], grown.depth[t],
                grown.missing_left[t], grown.cut[t],
            )  # fmt: skip
            nodes[t] = grow_one(x, rows[t], orders[t], deepest, states[t], tree)

    return grow


def average_path(counts: np.ndarray) -> np.ndarray:
    """The mean depth of a leaf in a search tree with that many samples.

    2 H(n - 1) - 2 (n - 1) / n, with H(i) about ln(i) + Euler's constant, of F. Liu and others,
    "Isolation Forest" (2008).
    """
    n = np.maximum(counts.astype(np.float64), 3)
    paths = 2 * (np.log(n - 1) + np.euler_gamma) - 2 * (n - 1) / n
    return np.asarray(np.where(counts > 2, paths, np.where(counts == 2, 1.0, 0.0)))


def isolate(
    x: np.ndarray, rows: np.ndarray, features: np.ndarray, deepest: int, states: np.ndarray
) -> list[FittedTree]:
    """Trees of the rows of each, trees x samples, and of its features; leaves have path lengths."""
    most = 2 * rows.shape[1] - 1
    step = max(1, _ROOM // (most * 29))
    made = []
    for first in range(0, len(rows), step):
        chosen = slice(first, first + step)
        grown = Isolated.empty(len(rows[chosen]), most)
        nodes = np.zeros(len(rows[chosen]), np.int64)
        # Rows and features are moved about.
        own = rows[chosen].astype(np.int32)
        orders = features[chosen].astype(np.int64)
        _grower()(x, own, orders, deepest, states[chosen, None], (grown, nodes))
        made += [_fitted(grown, tree, int(count)) for tree, count in enumerate(nodes)]
    return made


def _fitted(grown: Isolated, tree: int, count: int) -> FittedTree:
    kept = (grown.left, grown.feature, grown.cut, grown.missing_left)
    left, feature, cut, missing = (each[tree, :count].copy() for each in kept)
    samples = grown.end[tree, :count] - grown.start[tree, :count]
    path = grown.depth[tree, :count] + average_path(samples)
    no_set = np.full(count, -1, np.int32)
    return FittedTree(left, feature, cut, missing, no_set, path, np.zeros((0, BINS), np.uint8))
