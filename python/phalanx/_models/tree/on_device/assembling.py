"""Trees of the host, of the levels that have grown on a device."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .shapes import END, FEATURE, LAST, LEFT, NEXT, START, TREE, Level


class Assembled(NamedTuple):
    """The nodes of all trees, in the order in which one core makes them; tree after tree."""

    starts: np.ndarray  # of each tree, and the end
    left: np.ndarray
    feature: np.ndarray
    cut: np.ndarray
    depth: np.ndarray
    samples: np.ndarray
    totals: np.ndarray  # nodes x sums
    sums: np.ndarray  # of numbers: of targets and their squares

    @property
    def columns(self) -> tuple[np.ndarray, ...]:
        """All but the starts."""
        return tuple(self)[1:]

    @classmethod
    def empty(cls, starts: np.ndarray, totals: int) -> Assembled:
        """Leaves, to be filled."""
        nodes = int(starts[-1])
        return cls(
            starts,
            left=np.full(nodes, -1, np.int32),
            feature=np.zeros(nodes, np.int32),
            cut=np.zeros(nodes),
            depth=np.zeros(nodes, np.int32),
            samples=np.zeros(nodes, np.int64),
            totals=np.zeros((nodes, totals), np.int64),
            sums=np.zeros((nodes, 2)),
        )


def assembled(
    levels: list[Level], ranges: np.ndarray, sums: list[np.ndarray] | None = None
) -> Assembled:
    """All nodes. A split's children follow those of the splits before it, left subtrees first.

    `sums` are those of leaves, level by level.
    """
    tables = [np.asarray(level.nodes) for level in levels]
    totals = [np.asarray(level.totals) for level in levels]
    inner = _inner_nodes(tables)
    numbers, trees = _numbers(tables, inner)
    starts = np.concatenate([[0], np.cumsum(2 * inner[0] + 1)])
    made = Assembled.empty(starts, totals[0].shape[1])
    if sums is not None:
        _add_up(tables, sums)
    for depth, table in enumerate(tables):
        place = starts[trees[depth]] + numbers[depth]
        made.depth[place] = depth
        made.samples[place] = table[:, END] - table[:, START]
        made.totals[place] = totals[depth]
        if sums is not None:
            made.sums[place] = sums[depth]
        split = table[:, LEFT] >= 0
        table, place = table[split], place[split]
        if len(table):
            made.left[place] = numbers[depth + 1][table[:, LEFT]]
            made.feature[place] = table[:, FEATURE]
            made.cut[place] = _middles(ranges, *(table[:, each] for each in (FEATURE, LAST, NEXT)))
    return made


def _add_up(tables: list[np.ndarray], sums: list[np.ndarray]) -> None:
    """Sums of nodes that split, from those of their children."""
    for depth in range(len(tables) - 2, -1, -1):
        split = np.flatnonzero(tables[depth][:, LEFT] >= 0)
        left = tables[depth][split, LEFT]
        sums[depth][split] = sums[depth + 1][left] + sums[depth + 1][left + 1]


def _inner_nodes(tables: list[np.ndarray]) -> list[np.ndarray]:
    """How many nodes are split in the subtree of each node, level by level."""
    inner = [np.zeros(len(table), np.int64) for table in tables]
    for depth in range(len(tables) - 2, -1, -1):
        split = np.flatnonzero(tables[depth][:, LEFT] >= 0)
        left = tables[depth][split, LEFT]
        inner[depth][split] = 1 + inner[depth + 1][left] + inner[depth + 1][left + 1]
    return inner


def _numbers(
    tables: list[np.ndarray], inner: list[np.ndarray]
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The number of each node in its tree, level by level, and its tree."""
    numbers = [np.zeros(len(table), np.int64) for table in tables]
    trees = [table[:, TREE] for table in tables]
    before = np.zeros(len(tables[0]), np.int64)  # splits that one core makes before a node's own
    for depth in range(len(tables) - 1):
        split = np.flatnonzero(tables[depth][:, LEFT] >= 0)
        left = tables[depth][split, LEFT]
        deeper = np.zeros(len(tables[depth + 1]), np.int64)
        numbers[depth + 1][left] = 1 + 2 * before[split]
        numbers[depth + 1][left + 1] = 2 + 2 * before[split]
        deeper[left] = before[split] + 1
        deeper[left + 1] = before[split] + 1 + inner[depth + 1][left]
        before = deeper
    return numbers, trees


def _middles(
    ranges: np.ndarray, feature: np.ndarray, last: np.ndarray, after: np.ndarray
) -> np.ndarray:
    """The values where sides part: between the greatest on the left and the least on the right."""
    begin, end = ranges[feature, 1, last], ranges[feature, 0, after]
    cut = begin * 0.5 + end * 0.5
    return np.where((cut < end) & (cut >= begin), cut, begin)
