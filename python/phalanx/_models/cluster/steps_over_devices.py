"""Steps of k-means over the samples of several devices, without the host.

Each device adds up its own samples to a row of a table in the first device's memory; after a
barrier each reads all rows over its link and moves its own copy of the centers. All add up in one
order, so that the copies are the same bits. There are two tables, in turns: a device that is a step
ahead writes to the other one, and can be no further ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from ... import cuda
from ..._arrays.launching import launch_alone, on_device, written
from ..._arrays.ndarray import ndarray
from ..._arrays.spread.barrier import barrier, reaches
from .lloyd_steps import (
    COUNT,
    ENDED,
    HAS_EMPTY,
    RUNNING,
    STEPS,
    UPDATE_THREADS,
    DeviceSums,
    step_end,
    with_halves,
)


def reach_each_other(samples: Sequence[ndarray]) -> bool:
    """True if all devices of some samples reach the memory of the first one's."""
    first = samples[0]._device
    return all(reaches(each._device, first) for each in samples)


@cache
def update_by_table(features: int, dtype: str) -> Any:
    """The kernel, of one block, that ends a step by the sums of a table's rows."""
    end = step_end(features, dtype)

    @cuda.jit
    def update_over_devices(table: Any, centers: Any, state: Any, tolerance: Any) -> None:
        if state[ENDED] != 0:
            return
        sums = cuda.shared.array(table.shape[1], np.float64)
        shifts = cuda.shared.array(centers.shape[0], np.float64)
        for place in range(cuda.threadIdx.x, table.shape[1], cuda.blockDim.x):
            total = 0.0
            for row in range(table.shape[0]):
                total += table[row, place]
            sums[place] = total
        cuda.syncthreads()
        # Where no sample has moved the sums are the bits of the step before, and the shift is 0.
        end(sums, shifts, centers, state, tolerance, True)

    return update_over_devices


class StepsOverDevices:
    """Steps by the sums of devices that `reach_each_other`."""

    def __init__(self, sums: Sequence[DeviceSums], features: int) -> None:
        self._sums = sums
        self._devices = [each.device for each in sums]
        self._update = update_by_table(features, sums[0].dtype.name)
        shape = len(sums), sums[0].places
        tables = [written(px.zeros(shape, np.float64, device=sums[0].place)) for _ in range(2)]
        self._tables = [[on_device(each, device) for device in self._devices] for each in tables]

    def run(self, centers: np.ndarray, most: int, tolerance: float) -> tuple[np.ndarray, int, bool]:
        """Go on from some centers, less the mean of the samples, by `most` steps at most.

        Returns the centers, how many steps were made, and whether that is all. Where it is not, the
        next one leaves a cluster without samples, and is to be made by the host.
        """
        rows = [px.asarray(with_halves(centers, each.dtype), device=each.place)
                for each in self._sums]  # fmt: skip
        states = [px.array([RUNNING, 0, 0, most], device=each.place) for each in self._sums]
        copies = list(zip(map(written, rows), map(written, states), strict=True))
        barrier(self._devices)  # the first one has filled the tables
        queued, ended = 0, RUNNING
        while ended == RUNNING:
            for step in range(queued, min(queued + STEPS, most)):
                self._queue(self._tables[step % 2], copies, tolerance)
            queued += STEPS
            ended = int(states[0][ENDED])
        barrier(self._devices)  # all have read the tables before their memory is used again
        return np.asarray(rows[0])[:, :-1], int(states[0][COUNT]), ended != HAS_EMPTY

    def _queue(self, tables: list[Any], copies: list[tuple[Any, Any]], tolerance: float) -> None:
        """Tells all devices to make a step."""
        for row, (sums, table, (centers, state)) in enumerate(
            zip(self._sums, tables, copies, strict=True)
        ):
            sums.queue(centers, (table, row), state)
        barrier(self._devices)
        for device, table, (centers, state) in zip(self._devices, tables, copies, strict=True):
            launch_alone(self._update, 1, UPDATE_THREADS, device, table, centers, state, tolerance)
