"""The steps of boosting: gradients, a tree for each class, and what it adds to predictions."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .... import njit, prange
from ...tree.binning import bins_of, codes_of, drawn_rows
from .growing import grower
from .losses import Loss, gradients_of, gradients_of_classes, quantile_of
from .predictor import FittedTree, fitted
from .stopping import Part
from .workspace import BINS, COUNT, GRADIENT, HESSIAN, MISSING, Data, Limits, Nodes, Work

_PART = 8192
# Rounding of single precision is far below what so many samples tell.
_FEW = 1 << 15
_STACK = 48  # histograms of a tree without a limit of leaves: the smaller child is taken first


@cache
def _adder() -> Any:
    @njit(parallel=True)
    def add(rows: Any, starts: Any, ends: Any, values: Any, raw: Any) -> None:
        for leaf in prange(starts.shape[0]):
            value = values[leaf]
            for i in range(starts[leaf], ends[leaf]):
                raw[rows[i]] += value

    return add


def _data_of(x: np.ndarray, weight: np.ndarray | None, model: Any, seed: int) -> Any:
    """The samples in bins, and the edges of the bins, infinite after the last."""
    mask = model.is_categorical_
    drawn = drawn_rows(len(x), weight, np.random.RandomState(seed))
    bins = bins_of(x, drawn, model.max_bins)
    is_category = np.zeros(x.shape[1], np.uint8) if mask is None else mask.astype(np.uint8)
    for feature in np.flatnonzero(is_category):
        count = len(model._columns.categories[int(feature)])
        bins.edges[feature] = np.inf
        bins.edges[feature, : max(count - 1, 0)] = np.arange(max(count - 1, 0)) + 0.5
        bins.counts[feature] = max(count, 1)
    codes = codes_of(x, bins, MISSING)
    has_missing = np.isnan(x).any(axis=0).astype(np.uint8)
    return Data(codes, bins.counts, has_missing, is_category), bins.edges


def _work_of(data: Data, limits: Limits, columns: int, seed: int) -> Work:
    features, count = data.codes.shape
    slots = limits.leaves + 1 if limits.leaves else _STACK
    slots = min(slots, count + 1)
    parts = -(-count // _PART) + 1
    real = np.float64 if count < _FEW else np.float32
    return Work(
        np.empty((columns, count), real),
        np.empty((columns, count), real),
        np.empty(count, real),
        np.empty(count, real),
        np.empty(count, np.int32),
        np.empty(count, np.int32),
        np.empty(count, np.int32),
        np.empty(parts, np.int64),
        np.empty((slots, features, BINS, 3)),
        np.append(np.arange(slots), slots).astype(np.int32),
        np.zeros((2, features, 6)),
        np.zeros((2, features, BINS), np.uint8),
        np.arange(features),
        np.array([seed % 0x7FFFFFFF + 1]),
    )


class Training:
    """A fit: its data, its raw predictions (classes x samples), and its trees."""

    def __init__(self, model: Any, part: Part, loss: Loss, columns: int, seed: int) -> None:
        self.loss, self.y, self.columns = loss, part.y, columns
        self._given = part.weight
        self.weight = np.ones(len(part.y)) if part.weight is None else part.weight
        self._data, self._edges = _data_of(np.asarray(part.x), part.weight, model, seed)
        self._limits = _limits_of(model, part.x.shape[1])
        self._work = _work_of(self._data, self._limits, columns, seed)
        leaves = self._limits.leaves or max(len(part.y) // self._limits.leaf, 1)
        self._nodes = Nodes.empty(2 * leaves)
        self._waiting = np.empty(leaves + 1, np.int32)
        self._rate = float(model.learning_rate)
        self.raw = np.empty((columns, len(part.y)))

    def step(self) -> list[FittedTree]:
        """Grow a tree for each class, and add what they predict."""
        self._set_gradients()
        return [self._tree(column) for column in range(self.columns)]

    def _set_gradients(self) -> None:
        first, second = self._work.gradients, self._work.hessians
        if self.loss.gradients == "classes":
            gradients_of_classes()(self.y, self.raw, self.weight, first, second)
            return
        share = 0.5 if self.loss.share is None else self.loss.share
        gradients_of(self.loss.gradients)(
            self.y, self.raw[0], self.weight, share, first[0], second[0]
        )

    def _tree(self, column: int) -> FittedTree:
        has_hessians = self.loss.has_hessians or self._given is not None
        work = self._work._replace(
            gradients=self._work.gradients[column], hessians=self._work.hessians[column]
        )
        work.rows[:] = np.arange(len(self.y), dtype=np.int32)
        sums = self._nodes.sums[0]
        sums[COUNT] = len(self.y)
        sums[GRADIENT] = work.gradients.sum(dtype=np.float64)
        sums[HESSIAN] = work.hessians.sum(dtype=np.float64) if has_hessians else len(self.y)
        work.free[:-1] = np.arange(len(work.free) - 1)
        work.free[-1] = len(work.free) - 1
        grow = grower(has_hessians)
        count = grow(self._data, work, self._nodes, self._limits, self._waiting)
        value = self._values(column, count)
        return fitted(self._nodes, count, value, self._edges, self._data.is_category)

    def _values(self, column: int, count: int) -> np.ndarray:
        """The values of the nodes, which are added to the predictions of the leaves' samples."""
        nodes, rows = self._nodes, self._work.rows
        sums = nodes.sums[:count]
        hessians = sums[:, HESSIAN] + self._limits.l2
        value = -self._rate * sums[:, GRADIENT] / np.where(hessians > 0, hessians, 1)
        leaves = np.flatnonzero(nodes.left[:count] < 0)
        if self.loss.share is not None:
            for leaf in leaves:
                own = rows[nodes.start[leaf] : nodes.end[leaf]]
                left = self.y[own] - self.raw[column, own]
                weight = None if self._given is None else self._given[own]
                value[leaf] = self._rate * quantile_of(left, weight, self.loss.share)
        starts, ends = nodes.start[leaves], nodes.end[leaves]
        _adder()(rows, starts, ends, value[leaves], self.raw[column])
        return value


def _limits_of(model: Any, features: int) -> Limits:
    return Limits(
        0 if model.max_leaf_nodes is None else int(model.max_leaf_nodes),
        2**31 - 1 if model.max_depth is None else int(min(model.max_depth, 2**31 - 1)),
        int(model.min_samples_leaf),
        float(model.l2_regularization),
        max(1, int(np.ceil(model.max_features * features))),
    )
