"""Trees of a forest that grow together on a device, a level of all at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ...._arrays.launching import launch_alone, read, written
from ...._arrays.ndarray import ndarray
from . import large_nodes, small_nodes
from .drawing import plant
from .shapes import (
    BINS,
    COLUMNS,
    LARGE,
    NODES,
    PARTS,
    SMALL,
    START,
    STATE,
    TREE,
    WARP,
    Grown,
    Level,
    Limits,
    Rows,
    Shape,
)


class Growth:
    """The trees of some seeds, over the rows that each has drawn.

    `weights` are whole numbers, trees x samples, or one row for all trees.
    """

    def __init__(self, shape: Shape, records: ndarray, targets: ndarray, weights: ndarray) -> None:
        self._shape = shape
        self._device = records._device
        self._place = records.device
        self._weights = weights
        self._records, self._targets = records, targets
        self._stride = weights.shape[1]

    def grow(self, states: Sequence[int], limits: Limits, depth: int) -> list[Grown]:
        """The levels of all trees, as arrays of the device. `states` begin the draws of roots."""
        level = self._roots(states, limits._replace(goes_on=depth > 0))
        levels = [Grown(level.nodes, level.totals)]
        counts = np.asarray(level.counts)
        while counts[SMALL] or counts[LARGE]:
            goes_on = len(levels) < depth
            deeper = self._level(2 * int(counts[SMALL] + counts[LARGE]), int(counts[PARTS]))
            self._split(level, counts, deeper, limits._replace(goes_on=goes_on), len(levels) - 1)
            level, counts = deeper, np.asarray(deeper.counts)
            made = slice(0, int(counts[NODES]))
            if counts[NODES]:
                levels.append(Grown(level.nodes[made], level.totals[made]))
        return levels

    def _roots(self, states: Sequence[int], limits: Limits) -> Level:
        """The first level, with the rows of all trees."""
        trees, size = len(states), len(states) * self._stride
        self.rows = [px.empty(size, np.uint32, device=self._place) for _ in range(2)]
        roots = np.full((trees, COLUMNS), -1, np.int32)
        roots[:, TREE] = np.arange(trees)
        roots[:, START] = np.arange(trees) * self._stride
        roots[:, STATE] = np.asarray(states, np.uint32).view(np.int32)
        level = self._level(trees, -(-size // self._shape.part))
        level = level._replace(nodes=px.asarray(roots, device=self._place))
        plant(self._shape, self._weights, self._rows(0), self._memory(level), limits)
        return level

    def _level(self, nodes: int, parts: int) -> Level:
        """Room for a level of that many nodes, whose parents had that many parts.

        Children have at most one part more than their parent, which has two at least.
        """
        most = 1 + 2 * parts

        def room(*shape: int, dtype: Any = np.int32) -> ndarray:
            return px.empty(shape, dtype, device=self._place)

        return Level(
            room(nodes, COLUMNS),
            px.zeros((nodes, self._shape.totals), np.int64, device=self._place),
            room(nodes),
            room(min(nodes, most), 2),
            room(most, 2),
            px.zeros(4, np.int32, device=self._place),
        )

    def _memory(self, level: Level) -> Level:
        return Level(*(written(each) for each in level))

    def _rows(self, depth: int) -> Rows:
        before, after = (self.rows[(depth + side) % 2] for side in range(2))
        return Rows(read(self._records), read(self._targets), written(before), written(after))

    def _split(
        self, level: Level, counts: np.ndarray, deeper: Level, limits: Limits, depth: int
    ) -> None:
        """Split the nodes of a level that are on its lists."""
        rows, before, after = self._rows(depth), self._memory(level), self._memory(deeper)
        if counts[LARGE]:
            self._split_large(rows, before, counts, after, limits)
        nodes = int(counts[SMALL] + counts[LARGE])  # some of the large ones may come to the others
        kernel, threads = small_nodes.splitter(self._shape), self._shape.tuning.small_threads
        launch_alone(kernel, nodes, threads, self._device, rows, before, after, limits)

    def _split_large(
        self, rows: Rows, level: Level, counts: np.ndarray, deeper: Level, limits: Limits
    ) -> None:
        shape, place, device = self._shape, self._place, self._device
        nodes, parts, threads = int(counts[LARGE]), int(counts[PARTS]), shape.tuning.threads
        size = shape.drawn * shape.words * BINS
        hists = written(px.zeros((nodes, size), np.uint32, device=place))
        differs = written(px.zeros(nodes, np.int32, device=place))
        sides = written(px.empty((parts, shape.part // WARP), np.int32, device=place))
        lefts = written(px.zeros(parts, np.int32, device=place))
        grid = (parts, -(-shape.drawn // shape.together))
        add, choose = large_nodes.adder(shape), large_nodes.chooser_of_nodes(shape)
        count, move = large_nodes.counter(shape), large_nodes.mover(shape)
        launch_alone(add, grid, threads, device, rows, level, limits, hists, differs)
        launch_alone(choose, nodes, threads, device, level, deeper, limits, hists, differs)
        launch_alone(count, parts, threads, device, rows, level, limits, sides, lefts)
        launch_alone(move, parts, threads, device, rows, level, deeper, limits, sides, lefts)
