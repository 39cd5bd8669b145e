"""Histograms of a block, in its shared memory: filled from rows, and made running sums.

Sums are whole numbers, so that they do not depend on the order of additions. The words of a bin
are 256 words apart: the bins of a word lie side by side.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .... import cuda
from .shapes import ALL_LANES, BINS, WARP, Shape

u32 = np.uint32
_LOW = 0xFFFFFFFF


@cache
def pair_adder() -> Any:
    """A device function that adds a number of 64 bits to two words, `step` apart."""

    @cuda.jit(device=True)
    def add(words: Any, low: Any, step: Any, value: Any) -> None:
        part = u32(value & _LOW)
        carry = u32(cuda.atomic.add(words, low, part) + part) < part
        rest = u32(((value >> 32) & _LOW) + carry)
        if rest != 0:
            cuda.atomic.add(words, low + step, rest)

    return add


@cache
def pair_of() -> Any:
    """A device function that gives the number of 64 bits in two words, 256 apart."""

    @cuda.jit(device=True)
    def pair(words: Any, low: Any) -> Any:
        return np.int64(words[low]) | (np.int64(words[low + BINS]) << 32)

    return pair


@cache
def row_adder(shape: Shape) -> Any:
    """A device function that adds a row to the histograms of some features."""
    features, pitch, words = shape.features, shape.pitch, shape.words
    is_class, has_counts = shape.classes > 0, shape.has_counts
    add_pair = pair_adder()

    @cuda.jit(device=True)
    def add_row(hist: Any, rows: Any, row: Any, bits: Any, order: Any, group: Any) -> None:
        first, count = group
        sample = np.int64(row & u32((1 << bits) - 1))
        weight = u32(row >> u32(bits))
        record = sample * pitch
        place = np.int64(0)
        if is_class:
            place = np.int64(rows.records[record + features]) * BINS
        else:
            target = rows.targets[sample] * np.int64(weight)
        for g in range(count):
            at = g * (words * BINS) + np.int64(rows.records[record + order[first + g]])
            cuda.atomic.add(hist, at + place, weight)
            if not is_class:
                add_pair(hist, at + BINS, BINS, target)
            if has_counts:
                cuda.atomic.add(hist, at + (words - 1) * BINS, u32(1))

    return add_row


@cache
def rows_adder(shape: Shape, threads: int) -> Any:
    """A device function that makes the histograms of some rows; barriers are around it."""
    add_row, size = row_adder(shape), shape.words * BINS

    @cuda.jit(device=True)
    def add_rows(hist: Any, rows: Any, span: Any, bits: Any, order: Any, group: Any) -> None:
        start, end = span
        for i in range(cuda.threadIdx.x, group[1] * size, threads):
            hist[i] = 0
        cuda.syncthreads()
        for i in range(start + cuda.threadIdx.x, end, threads):
            add_row(hist, rows, rows.before[i], bits, order, group)
        cuda.syncthreads()

    return add_rows


@cache
def merger(shape: Shape, threads: int) -> Any:
    """A device function that adds a block's histograms to those of a node in global memory."""
    words, pair, add_pair = shape.words, pair_of(), pair_adder()
    is_class = shape.classes > 0

    @cuda.jit(device=True)
    def merge(hist: Any, out: Any, first: Any, count: Any) -> None:
        for i in range(cuda.threadIdx.x, count * (words * BINS), threads):
            word = (i // BINS) % words
            if is_class or word == 0 or word == 3:
                if hist[i] != 0:
                    cuda.atomic.add(out, first + i, hist[i])
            elif word == 1:
                value = pair(hist, i)
                if value != 0:
                    add_pair(out, first + i, BINS, value)

    return merge


@cache
def _word_runner() -> Any:
    """A device function of a warp that makes 256 words running sums."""

    @cuda.jit(device=True)
    def run(hist: Any, first: Any) -> None:
        before = u32(0)
        for base in range(0, BINS, WARP):
            at = first + base + cuda.laneid
            total = hist[at]
            for power in range(5):
                lower = cuda.shfl_up_sync(ALL_LANES, total, 1 << power)
                total = u32(total + (lower if cuda.laneid >= 1 << power else u32(0)))
            total = u32(total + before)
            hist[at] = total
            before = cuda.shfl_sync(ALL_LANES, total, WARP - 1)

    return run


@cache
def _pair_runner() -> Any:
    """The same of numbers in two words each."""
    pair = pair_of()

    @cuda.jit(device=True)
    def run(hist: Any, first: Any) -> None:
        before = np.int64(0)
        for base in range(0, BINS, WARP):
            at = first + base + cuda.laneid
            total = pair(hist, at)
            for power in range(5):
                lower = cuda.shfl_up_sync(ALL_LANES, total, 1 << power)
                total += lower if cuda.laneid >= 1 << power else np.int64(0)
            total += before
            hist[at] = u32(total & _LOW)
            hist[at + BINS] = u32((total >> 32) & _LOW)
            before = cuda.shfl_sync(ALL_LANES, total, WARP - 1)

    return run


@cache
def runner(shape: Shape, threads: int) -> Any:
    """A device function that makes histograms running sums over bins; a barrier is last."""
    words, is_class = shape.words, shape.classes > 0
    run_words, run_pairs = _word_runner(), _pair_runner()
    sums = words if is_class else words - 1  # two words are one sum

    @cuda.jit(device=True)
    def run(hist: Any, count: Any) -> None:
        for i in range(cuda.threadIdx.x // WARP, count * sums, threads // WARP):
            first = (i // sums) * (words * BINS)
            which = i % sums
            if is_class:
                run_words(hist, first + which * BINS)
            elif which == 1:
                run_pairs(hist, first + BINS)
            else:
                run_words(hist, first + (0 if which == 0 else 3 * BINS))
        cuda.syncthreads()

    return run
