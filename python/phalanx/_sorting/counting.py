"""Kernels that count numbers of few places: each block in shared memory first."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .. import cuda
from .._arrays import creation
from .._arrays.launching import launch_alone, read, written

MOST_PLACES = 8192  # of 4 bytes: two blocks' counts fit a multiprocessor's shared memory
_THREADS = 512
_BLOCKS = 528  # four for each multiprocessor of the largest GPUs
u32 = np.uint32


@cache
def _cleared(words: int) -> Any:
    @cuda.jit(device=True)
    def clear(counts: Any) -> None:
        for i in range(cuda.threadIdx.x, words, cuda.blockDim.x):
            counts[i] = 0
        cuda.syncthreads()

    return clear


@cache
def _added(words: int) -> Any:
    """Adds a block's counts, of which warps have several copies, to those of all."""

    @cuda.jit(device=True)
    def add(counts: Any, out: Any, step: Any) -> None:
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, words, cuda.blockDim.x):
            place = i % step
            if counts[i] != 0 and place < out.size:
                cuda.atomic.add(out, place, np.int64(counts[i]))

    return add


@cache
def _count(words: int) -> Any:
    clear, add = _cleared(words), _added(words)

    @cuda.jit
    def count_numbers(numbers: Any, out: Any, step: Any) -> None:
        counts = cuda.shared.array(words, u32)
        clear(counts)
        own = (cuda.threadIdx.x // 32 * step) % words
        for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
            cuda.atomic.add(counts, own + np.int64(numbers[i]), u32(1))
        add(counts, out, step)

    return count_numbers


@cache
def _bin_of(is_uniform: bool) -> Any:
    """The device function that finds the bin of a number between the first and the last edge."""

    @cuda.jit(device=True)
    def by_search(value: Any, edges: Any, scale: Any) -> Any:
        low, high = 0, edges.size - 1
        while high - low > 1:
            middle = (low + high) // 2
            if value < edges[middle]:
                high = middle
            else:
                low = middle
        return low

    @cuda.jit(device=True)
    def by_width(value: Any, edges: Any, scale: Any) -> Any:
        last = edges.size - 2
        place = min(max(np.int64((value - edges[0]) * scale), 0), last)
        while place > 0 and value < edges[place]:
            place -= 1
        while place < last and value >= edges[place + 1]:
            place += 1
        return place

    return by_width if is_uniform else by_search


@cache
def _histogram(words: int, is_uniform: bool) -> Any:
    clear, add, bin_of = _cleared(words), _added(words), _bin_of(is_uniform)

    @cuda.jit
    def count_in_bins(values: Any, edges: Any, out: Any, step: Any, scale: Any) -> None:
        counts = cuda.shared.array(words, u32)
        clear(counts)
        own = (cuda.threadIdx.x // 32 * step) % words
        first, last = edges[0], edges[edges.size - 1]
        for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
            value = values[i]
            if value >= first and value <= last:
                cuda.atomic.add(counts, own + bin_of(value, edges, scale), u32(1))
        add(counts, out, step)

    return count_in_bins


def _places(count: int) -> tuple[int, int]:
    """Words of shared memory, and those of one copy of the counts: powers of two."""
    step = 1 << max(count - 1, 1).bit_length()
    return max(step, 2048), step


def _counts(count: int, device: Any) -> Any:
    return creation.zeros(count, "int64", device=device)


def bincount(numbers: Any, count: int) -> Any:
    """How often each number below `count`, `MOST_PLACES` at most, is in a contiguous vector."""
    words, step = _places(count)
    out = _counts(count, numbers._device)
    launch_alone(
        _count(words), _BLOCKS, _THREADS, numbers._device, read(numbers), written(out), step
    )
    return out


def histogram(values: Any, edges: Any, width: float | None) -> Any:
    """How many values, a contiguous vector, are in each of the bins between edges of their type.

    `width` is that of all bins; None: they differ. There are `MOST_PLACES` bins at most.
    """
    count = edges.size - 1
    words, step = _places(count)
    out = _counts(count, values._device)
    scale = edges.dtype.type(1.0 if width is None else 1 / width)
    kernel = _histogram(words, width is not None)
    given = (read(values), read(edges), written(out), step, scale)
    launch_alone(kernel, _BLOCKS, _THREADS, values._device, *given)
    return out
