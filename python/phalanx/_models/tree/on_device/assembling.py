"""Trees of the host, of the levels that have grown on a device."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .... import njit
from ..criteria import FIRST, WEIGHT
from ..splitting import middle
from .shapes import END, FEATURE, LAST, LEFT, NEXT, START, TREE, Grown


class Assembled(NamedTuple):
    """The nodes of all trees, in the order in which one core makes them; tree after tree."""

    starts: np.ndarray  # of each tree, and the end
    left: np.ndarray
    feature: np.ndarray
    cut: np.ndarray
    depth: np.ndarray
    sums: np.ndarray  # nodes x sums, as criteria have them
    squares: np.ndarray  # of numbers: the weighted sums of their squares

    @classmethod
    def empty(cls, starts: np.ndarray, sums: int) -> Assembled:
        """Leaves, to be filled."""
        nodes = int(starts[-1])
        return cls(
            starts,
            left=np.full(nodes, -1, np.int32),
            feature=np.empty(nodes, np.int32),
            cut=np.empty(nodes),
            depth=np.empty(nodes, np.int32),
            sums=np.empty((nodes, sums)),
            squares=np.zeros(nodes),
        )


class _Levels(NamedTuple):
    """The nodes of all levels, one level after the other."""

    nodes: np.ndarray  # LEFT counts from the first of all
    totals: np.ndarray
    targets: np.ndarray  # of numbers: nodes x 2, sums of targets and of their squares; else none
    # What functions below find, int64: the splits of each node's subtree, its number in its tree,
    # the splits that one core makes before its own, and its depth.
    inner: np.ndarray
    numbers: np.ndarray
    before: np.ndarray
    depth: np.ndarray

    @classmethod
    def of(cls, levels: Sequence[Grown], targets: Sequence[np.ndarray] | None) -> _Levels:
        """Those of a device; `targets` are the sums of leaves, level by level."""
        tables = [np.asarray(level.nodes) for level in levels]
        nodes = np.concatenate(tables)
        first = 0
        for table in tables:
            left = nodes[first : first + len(table), LEFT]
            first += len(table)
            left[left >= 0] += first
        totals = np.concatenate([np.asarray(level.totals) for level in levels])
        sums = np.zeros((0, 2)) if targets is None else np.concatenate(targets)
        return cls(nodes, totals, sums, *np.zeros((4, len(nodes)), np.int64))


@cache
def _adder() -> Any:
    """A function that adds up subtrees: their splits, and the targets of their leaves."""

    @njit
    def add_up(levels: Any) -> None:
        for back in range(levels.nodes.shape[0]):
            node = levels.nodes.shape[0] - 1 - back  # children come after their parents
            child = np.int64(levels.nodes[node, LEFT])
            if child < 0:
                continue
            levels.inner[node] = 1 + levels.inner[child] + levels.inner[child + 1]
            if levels.targets.shape[0] > 0:
                for k in range(2):
                    levels.targets[node, k] = (
                        levels.targets[child, k] + levels.targets[child + 1, k]
                    )

    return add_up


@cache
def _numberer() -> Any:
    """A function that numbers nodes as one core does: it splits the left subtree first."""

    @njit
    def number(levels: Any) -> None:
        for node in range(levels.nodes.shape[0]):
            left = np.int64(levels.nodes[node, LEFT])
            if left < 0:
                continue
            before = levels.before[node]
            for side in range(2):
                levels.numbers[left + side] = 1 + 2 * before + side
                levels.depth[left + side] = levels.depth[node] + 1
            levels.before[left] = before + 1
            levels.before[left + 1] = before + 1 + levels.inner[left]

    return number


@cache
def _filler(is_class: bool) -> Any:
    """A function that writes nodes to their places."""
    middle_of = middle()

    @njit
    def fill(levels: Any, ranges: Any, made: Any) -> None:
        nodes, totals = levels.nodes, levels.totals
        for node in range(nodes.shape[0]):
            place = made.starts[nodes[node, TREE]] + levels.numbers[node]
            made.depth[place] = levels.depth[node]
            left = np.int64(nodes[node, LEFT])
            if left >= 0:
                feature = nodes[node, FEATURE]
                made.left[place] = levels.numbers[left]
                made.feature[place] = feature
                begin = ranges[feature, 1, nodes[node, LAST]]
                made.cut[place] = middle_of(begin, ranges[feature, 0, nodes[node, NEXT]])
            sums = made.sums[place]
            sums[0] = nodes[node, END] - nodes[node, START]
            if is_class:
                weight = np.int64(0)
                for k in range(totals.shape[1]):
                    weight += totals[node, k]
                    sums[FIRST + k] = totals[node, k]
                sums[WEIGHT] = weight
            else:
                sums[WEIGHT] = totals[node, 0]
                sums[FIRST] = levels.targets[node, 0]
                made.squares[place] = levels.targets[node, 1]

    return fill


def assembled(
    grown: Sequence[Grown], ranges: np.ndarray, targets: Sequence[np.ndarray] | None = None
) -> Assembled:
    """All nodes. A split's children follow those of the splits before it, left subtrees first.

    `targets` are what leaves of trees of numbers hold, level by level.
    """
    levels = _Levels.of(grown, targets)
    _adder()(levels)
    _numberer()(levels)
    roots = levels.inner[: len(grown[0].nodes)]
    starts = np.concatenate([[0], np.cumsum(2 * roots + 1)])
    is_class = targets is None
    made = Assembled.empty(starts, FIRST + (levels.totals.shape[1] if is_class else 1))
    _filler(is_class)(levels, ranges, made)
    return made
