"""Steps of k-means that stay on a GPU: nothing comes to the host until they have ended.

A step is two kernels. The first reads each sample once: it finds the nearest center and adds the
sample to sums that the thread has for itself, in shared memory, so that nothing is added
atomically and a run gives the same bits each time. The second, of one block, adds up the sums of
all blocks in float64, moves the centers and says whether the steps have ended. Steps are recorded
in a graph, which is launched until they say so; the steps of it that are too many return at once.
Those over several devices are in `steps_over_devices.py`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from ... import cuda
from ..._arrays.launching import launch_alone, read, written
from ..._arrays.ndarray import ndarray

_THREADS = 128
_ROWS = 4  # samples of a thread at once, which share the loads of the centers
_MOST_BYTES = 108 << 10  # of sums a block: two blocks a multiprocessor
_BLOCKS = 528  # so many run at once on an H100; more have more sums to add up
STEPS = 16  # of a graph, or queued before the host looks whether they have ended
UPDATE_THREADS = 512  # of the block that ends a step
_MOST_FEATURES = 32  # so that the samples of a thread fit in registers

# What `state` has, which host and device share.
ENDED, _HAS_MOVED, COUNT, _MOST = range(4)
RUNNING, CONVERGED, HAS_EMPTY, ALL_STEPS = range(4)


def fits(x: ndarray, clusters: int) -> bool:
    """True if a block has room for the sums of each of its threads."""
    features = x.shape[1]
    size = clusters * (features + 1) * _THREADS * x.dtype.itemsize
    return features <= _MOST_FEATURES and size <= _MOST_BYTES


def _nearest_of_rows(features: int, dtype: str) -> Any:
    """The nearest center of each of some samples in registers, to which centers are loaded once."""
    real = np.dtype(dtype).type
    largest = np.finfo(dtype).max

    @cuda.jit(device=True, fastmath={"contract"})
    def nearest(own: Any, label: Any, centers: Any) -> None:
        best = cuda.local.array(_ROWS, real)
        apart = cuda.local.array(_ROWS, real)
        for r in range(_ROWS):
            best[r] = real(largest)
            label[r] = 0
        for c in range(centers.shape[0]):
            for r in range(_ROWS):
                # Half the squared distance without the sample's own square.
                apart[r] = centers[c, features]
            for j in range(features):
                center = centers[c, j]
                for r in range(_ROWS):
                    apart[r] -= own[r, j] * center
            for r in range(_ROWS):
                if apart[r] < best[r]:
                    best[r] = apart[r]
                    label[r] = c

    return nearest


def _loaded_rows(features: int) -> Any:
    """Some samples to registers; beyond the end the last one again."""

    @cuda.jit(device=True)
    def load(own: Any, x: Any, first: Any, stride: Any) -> None:
        for r in range(_ROWS):
            for j in range(features):
                own[r, j] = x[min(first + r * stride, x.shape[0] - 1), j]

    return load


def _sums_of_block(dtype: str) -> Any:
    """Of each row of sums, which has one of each thread, the total."""
    real = np.dtype(dtype).type

    @cuda.jit(device=True)
    def add_up(sums: Any, parts: Any) -> None:
        mine = cuda.threadIdx.x
        for place in range(mine // 32, parts.shape[0], _THREADS // 32):
            total = real(0)
            for k in range(_THREADS // 32):
                total += sums[place, mine % 32 + 32 * k]
            for k in range(5):
                total += cuda.shfl_xor_sync(0xFFFFFFFF, total, 1 << k)
            if mine % 32 == 0:
                parts[place, cuda.blockIdx.x] = total

    return add_up


@cache
def _assign(features: int, dtype: str) -> Any:
    real = np.dtype(dtype).type
    width = features + 1
    load = _loaded_rows(features)
    nearest = _nearest_of_rows(features, dtype)
    add_up = _sums_of_block(dtype)

    @cuda.jit(fastmath={"contract"})
    def assign(x: Any, weights: Any, centers: Any, labels: Any, parts: Any, state: Any) -> None:
        if state[ENDED] != 0:
            return
        mine = cuda.threadIdx.x
        sums = cuda.shared.array((parts.shape[0], _THREADS), real)
        for place in range(parts.shape[0]):
            sums[place, mine] = 0
        own = cuda.local.array((_ROWS, features), real)
        label = cuda.local.array(_ROWS, np.int32)
        count, stride = x.shape[0], cuda.gridsize(1)
        for first in range(cuda.grid(1), count, stride * _ROWS):
            load(own, x, first, stride)
            nearest(own, label, centers)
            for r in range(_ROWS):
                i = first + r * stride
                if i < count:
                    weight = weights[min(i, weights.shape[0] - 1)]  # one of all, or each its own
                    place = label[r] * width
                    for j in range(features):
                        sums[place + j, mine] += weight * own[r, j]
                    sums[place + features, mine] += weight
                    if labels[i] != label[r]:
                        labels[i] = label[r]
                        state[_HAS_MOVED] = 1
        cuda.syncthreads()
        add_up(sums, parts)

    return assign


def _totals() -> Any:
    """The totals of all blocks, in float64."""

    @cuda.jit(device=True)
    def add_up(parts: Any, sums: Any) -> None:
        mine = cuda.threadIdx.x
        for place in range(mine // 32, parts.shape[0], cuda.blockDim.x // 32):
            total = 0.0
            for block in range(mine % 32, parts.shape[1], 32):
                total += np.float64(parts[place, block])
            for k in range(5):
                total += cuda.shfl_xor_sync(0xFFFFFFFF, total, 1 << k)
            if mine % 32 == 0:
                sums[place] = total

    return add_up


def _center_moved(features: int, dtype: str) -> Any:
    """A center where the mean of its samples is; gives the square of its way."""
    real = np.dtype(dtype).type

    @cuda.jit(device=True)
    def move(sums: Any, centers: Any, c: Any) -> Any:
        shift = 0.0
        half = real(0)
        at = c * (features + 1)
        for j in range(features):
            center = real(sums[at + j] / sums[at + features])
            apart = np.float64(center) - np.float64(centers[c, j])
            shift += apart * apart
            half += center * center
            centers[c, j] = center
        centers[c, features] = half / real(2)
        return shift

    return move


@cache
def step_end(features: int, dtype: str) -> Any:
    """The end of a step of one block, by the sums of all samples: moves centers, and the state."""
    move = _center_moved(features, dtype)
    width = features + 1

    @cuda.jit(device=True)
    def end(sums: Any, shifts: Any, centers: Any, state: Any, tolerance: Any, moved: Any) -> None:
        mine = cuda.threadIdx.x
        is_empty = False
        for c in range(centers.shape[0]):
            is_empty = is_empty or sums[c * width + features] <= 0
        if is_empty:
            # The samples are of the host's to look through, which then goes on.
            if mine == 0:
                state[ENDED] = HAS_EMPTY
            return
        for c in range(mine, centers.shape[0], cuda.blockDim.x):
            shifts[c] = move(sums, centers, c)
        cuda.syncthreads()
        if mine == 0:
            shift = 0.0
            for c in range(centers.shape[0]):
                shift += shifts[c]
            state[COUNT] += 1
            if not moved or shift <= tolerance:
                state[ENDED] = CONVERGED
            elif state[COUNT] >= state[_MOST]:
                state[ENDED] = ALL_STEPS
            state[_HAS_MOVED] = 0

    return end


@cache
def _update(features: int, dtype: str) -> Any:
    add_up, end = _totals(), step_end(features, dtype)

    @cuda.jit
    def update(parts: Any, centers: Any, state: Any, tolerance: Any) -> None:
        if state[ENDED] != 0:
            return
        sums = cuda.shared.array(parts.shape[0], np.float64)
        shifts = cuda.shared.array(centers.shape[0], np.float64)
        add_up(parts, sums)
        cuda.syncthreads()
        end(sums, shifts, centers, state, tolerance, state[_HAS_MOVED] != 0)

    return update


@cache
def _summed() -> Any:
    """The kernel, of one block, that adds up the sums of a device's blocks to a row of a table."""
    add_up = _totals()

    @cuda.jit
    def add_up_blocks(parts: Any, table: Any, row: Any, state: Any) -> None:
        if state[ENDED] == 0:
            add_up(parts, table[row])

    return add_up_blocks


def with_halves(centers: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Centers as the kernels take them: half of a center's square last."""
    made = centers.astype(dtype)
    return np.column_stack([made, np.sum(made * made, axis=1) / 2])


def _sums_of_blocks(x: ndarray, clusters: int) -> ndarray:
    """Room for the sums of each block: features and weight of each cluster x blocks."""
    blocks = min(_BLOCKS, -(-x.shape[0] // (_THREADS * _ROWS)))
    return px.zeros((clusters * (x.shape[1] + 1), blocks), x.dtype, device=x.device)


class DeviceSums:
    """Sums of clusters by one read of the samples where they are: a step without its centers.

    For steps over samples of several devices, whose sums are added up before centers move. `x` are
    samples less their mean, each feature in one piece.
    """

    def __init__(self, x: ndarray, weights: ndarray | None, clusters: int) -> None:
        self.device, self.place = x._device, x.device  # for launches, and for new arrays
        self.dtype = x.dtype
        self._x = x
        self._weights = px.ones(1, x.dtype, device=self.place) if weights is None else weights
        self._labels = px.full(x.shape[0], -1, np.int32, device=self.place)
        self._state = px.zeros(4, np.int64, device=self.place)  # the steps never end
        self._parts = _sums_of_blocks(x, clusters)

    @property
    def places(self) -> int:
        """How many sums there are: of each cluster features and weight."""
        return int(self._parts.shape[0])

    def queued(self, centers: np.ndarray) -> ndarray:
        """The sums around each center, float64, which the device has been told to compute."""
        rows = px.asarray(with_halves(centers, self.dtype), device=self.place)
        table = px.empty((1, self.places), np.float64, device=self.place)
        self.queue(read(rows), (written(table), 0), written(self._state))
        return table

    def queue(self, rows: Any, target: tuple[Any, int], state: Any) -> None:
        """Tells the device to read its samples, for the sums around some centers `with_halves`.

        They go to a table and a row of it. All are memory for kernels of the device; nothing is
        done where `state` says that steps have ended.
        """
        x, parts = self._x, written(self._parts)
        kernel = _assign(x.shape[1], x.dtype.name)
        given = read(x), read(self._weights), rows, written(self._labels), parts, state
        launch_alone(kernel, self._parts.shape[1], _THREADS, self.device, *given)
        launch_alone(_summed(), 1, UPDATE_THREADS, self.device, parts, *target, state)

    def table(self, sums: np.ndarray) -> np.ndarray:
        """Of each cluster the sums of features, the weight, and if it has any."""
        table = sums.reshape(-1, self._x.shape[1] + 1)
        return np.column_stack([table, table[:, -1] > 0])


class LloydSteps:
    """Steps from some centers. `x` are samples less their mean, each feature in one piece."""

    def __init__(
        self, x: ndarray, weights: ndarray | None, centers: np.ndarray, most: int, tolerance: float
    ) -> None:
        place, stream = x.device, x._device.default_stream
        self._dtype = x.dtype
        self.labels = px.full(x.shape[0], -1, np.int32, device=place)
        self._centers = px.asarray(with_halves(centers, x.dtype), device=place)
        self._state = px.asarray(np.array([RUNNING, 0, 0, most]), device=place)
        parts = _sums_of_blocks(x, len(centers))
        blocks = parts.shape[1]
        given = px.ones(1, x.dtype, device=place) if weights is None else weights
        assign = _assign(x.shape[1], x.dtype.name)
        update = _update(x.shape[1], x.dtype.name)
        # What `go_on` writes to: an assignment to an array may give it other memory.
        self._memory = rows, state = written(self._centers), written(self._state)
        # All memory is there before the graph is recorded.
        values, factors, labels, sums = read(x), read(given), written(self.labels), written(parts)
        for kernel in (assign, update):
            kernel.set_advises(False)
        with cuda.graph() as self._graph:
            for _ in range(min(STEPS, most)):
                assign[blocks, _THREADS, stream](values, factors, rows, labels, sums, state)
                update[1, UPDATE_THREADS, stream](sums, rows, state, tolerance)

    @property
    def centers(self) -> ndarray:
        """The centers after the last step."""
        return self._centers[:, :-1]

    @property
    def count(self) -> int:
        """How many steps there were."""
        return int(self._state[COUNT])

    @property
    def has_moved(self) -> bool:
        """True if a sample has another label since the last step."""
        return bool(self._state[_HAS_MOVED])

    def run(self) -> int:
        """Go on until the steps end; says how: CONVERGED, ALL_STEPS, or HAS_EMPTY.

        At the last the labels are new, and `go_on` is to be given the centers.
        """
        while True:
            self._graph.launch()
            ended = int(self._state[ENDED])
            if ended != RUNNING:
                return ended

    def go_on(self, centers: np.ndarray, has_ended: bool) -> int:
        """Take the centers of a step that the host has made; says as `run` whether that was all."""
        state = np.array(self._state)
        state[COUNT] += 1
        is_last = state[COUNT] >= state[_MOST]
        state[_HAS_MOVED] = 0
        state[ENDED] = CONVERGED if has_ended else ALL_STEPS if is_last else RUNNING
        made = with_halves(centers, self._dtype)
        for memory, values in zip(self._memory, (made, state), strict=True):
            memory.copy_from_host(values)
        return int(state[ENDED])
