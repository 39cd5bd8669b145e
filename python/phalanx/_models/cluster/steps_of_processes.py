"""Steps of k-means over the samples of several processes with a GPU each, without the host.

Each process adds up its blocks of samples to rows of a table; the tables are added up over all, and
each moves its own copy of the centers by the total, which is the same bits everywhere. All queue as
many sums whether steps have ended or not: else one would wait for another for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.launching import launch_alone, written
from ..blocks.reduction import Reduction
from .lloyd_steps import (
    COUNT,
    ENDED,
    HAS_EMPTY,
    RUNNING,
    STEPS,
    UPDATE_THREADS,
    DeviceSums,
    with_halves,
)
from .steps_over_devices import update_by_table


class StepsOfProcess:
    """One process's part of the steps: sums of blocks on its device, `rows` at most of any."""

    def __init__(
        self, sums: Sequence[DeviceSums], features: int, reduction: Reduction, rows: int
    ) -> None:
        self._sums, self._reduction = sums, reduction
        self._update = update_by_table(features, sums[0].dtype.name)
        shape = rows, sums[0].places
        # Rows that this process has no block for stay 0.
        self._own = written(px.zeros(shape, np.float64, device=sums[0].place))
        self._total = written(px.zeros(shape, np.float64, device=sums[0].place))

    def run(self, centers: np.ndarray, most: int, tolerance: float) -> tuple[np.ndarray, int, bool]:
        """As `StepsOverDevices.run`, of which all processes make the same calls."""
        first = self._sums[0]
        rows = px.asarray(with_halves(centers, first.dtype), device=first.place)
        state = px.array([RUNNING, 0, 0, most], device=first.place)
        copies = written(rows), written(state)
        queued, ended = 0, RUNNING
        while ended == RUNNING:
            steps = min(STEPS, most - queued)
            for _ in range(steps):
                self._queue(*copies, tolerance)
            queued += steps
            self._reduction.wait()
            ended = self._said_by_first(int(state[ENDED]))
        return np.asarray(rows)[:, :-1], int(state[COUNT]), ended != HAS_EMPTY

    def _queue(self, centers: Any, state: Any, tolerance: float) -> None:
        """Tells the device to make a step."""
        for row, sums in enumerate(self._sums):
            sums.queue(centers, (self._own, row), state)
        self._reduction.queue_sum(self._own, self._total)
        given = self._total, centers, state, tolerance
        launch_alone(self._update, 1, UPDATE_THREADS, self._sums[0].device, *given)

    def _said_by_first(self, word: int) -> int:
        """What the first process says, so that no other one goes on without it."""
        own = word if self._reduction.rank == 0 else 0
        return int(self._reduction.all_reduce(np.array([own]))[0])
