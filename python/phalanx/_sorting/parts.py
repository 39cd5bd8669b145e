"""Device functions that the kernels of radix sort share: what a block does with its keys.

A thread has `items` keys, a warp 32 times as many that follow each other: item i of a lane is
32 * i + lane places behind the warp's first. So all of a warp's keys come in the order of items and
then lanes, which the ranks keep: the sort is stable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from .. import cuda
from .key_order import KeyType, ordered

ALL_LANES = 0xFFFFFFFF
DIGITS = 256
i32 = np.int32
u32 = np.uint32


@dataclass(frozen=True)
class Tile:
    """Which part of the keys a block has."""

    threads: int
    items: int  # of each thread
    registers: int | None = None  # of a thread of a GPU, at most
    digits: int = DIGITS  # that keys are moved by: a multiple of 32

    @property
    def size(self) -> int:
        """The keys of a block."""
        return self.threads * self.items

    @property
    def warps(self) -> int:
        """The warps of a block."""
        return self.threads // 32

    @property
    def sums(self) -> int:
        """The words that `summed_over_digits` needs."""
        return self.digits + self.digits // 32


@cache
def cleared(shape: Tile) -> Callable[..., Any]:
    """Makes the counts of all warps 0."""
    threads, digits = shape.threads, shape.digits
    count = shape.warps * digits

    @cuda.jit(device=True)
    def clear(counts: Any, t: Any) -> None:
        for i in range(t, count, threads):
            counts[i // digits, i % digits] = 0

    return clear


@cache
def loaded(key: KeyType, shape: Tile) -> Callable[..., Any]:
    """Reads a thread's keys of the tile that begins at `begin` and has `count` of them."""
    held, items, size = np.dtype(key.held).type, shape.items, shape.size

    @cuda.jit(device=True)
    def load(keys: Any, begin: Any, first: Any, count: Any, bits: Any) -> None:
        if count == size:  # without a question for each key
            for i in range(items):
                bits[i] = held(keys[begin + first + 32 * i])
            return
        for i in range(items):
            bits[i] = held(0)
            if first + 32 * i < count:
                bits[i] = held(keys[begin + first + 32 * i])

    return load


@cache
def _rank_in_warp(digits: int) -> Callable[..., Any]:
    """Counts one digit of each lane, and tells how many of that digit the warp has had before.

    A vote for each bit finds the lanes of the same digit: `match_any_sync` takes a GPU a turn for
    each digit that is different; a pass over random digits took 1.4 times as long by it. Votes are
    of what is equal to 0, as LLVM makes a shift and a test of its own of the opposite.
    """
    bits = (digits - 1).bit_length()

    @cuda.jit(device=True)
    def rank(counts: Any, warp: Any, digit: Any) -> Any:
        peers = u32(ALL_LANES)
        for bit in range(bits):
            is_clear = digit & (1 << bit) == 0
            clear = u32(cuda.ballot_sync(ALL_LANES, is_clear))
            peers = u32(peers & (clear if is_clear else ~clear))
        lower = cuda.popc(peers & cuda.lanemask_lt())
        had = counts[warp, digit]
        cuda.syncwarp(ALL_LANES)
        if lower == 0:
            counts[warp, digit] = u32(had + cuda.popc(peers))
        cuda.syncwarp(ALL_LANES)
        return u32(had + lower)

    return rank


@cache
def digit_of(key: KeyType) -> Callable[..., Any]:
    """The digit of a pass in a key's bits."""
    number, held = ordered(key), np.dtype(key.held).type

    @cuda.jit(device=True)
    def digit(bits: Any, step: Any, length: Any) -> Any:
        return i32(u32(number(bits, length) >> held(8 * step)) & u32(255))

    return digit


@cache
def ranked(digit_in: Callable[..., Any], shape: Tile) -> Callable[..., Any]:
    """Gives each key its rank among the warp's of the same digit, and the digit 16 bits above it.

    `digit_in` is such a function as `digit_of` gives. What the tile does not have gets the last
    digit: it comes behind all others, and stays there.
    """
    rank, last = _rank_in_warp(shape.digits), shape.digits - 1
    items, size = shape.items, shape.size

    @cuda.jit(device=True)
    def rank_all(bits: Any, goals: Any, counts: Any, place: Any, step: Any, length: Any) -> None:
        warp, first, count = place
        if count == size:  # without a question for each key
            for i in range(items):
                digit = digit_in(bits[i], step, length)
                goals[i] = u32(rank(counts, warp, digit) | (u32(digit) << u32(16)))
            return
        for i in range(items):
            digit = digit_in(bits[i], step, length)
            if first + 32 * i >= count:
                digit = i32(last)
            goals[i] = u32(rank(counts, warp, digit) | (u32(digit) << u32(16)))

    return rank_all


@cache
def summed_over_warps(shape: Tile) -> Callable[..., Any]:
    """Makes of the warps' counts of a digit what lower warps have; gives the sum of all."""
    warps = shape.warps

    @cuda.jit(device=True)
    def add_up(counts: Any, digit: Any) -> Any:
        total = u32(0)
        for warp in range(warps):
            own = counts[warp, digit]
            counts[warp, digit] = total
            total = u32(total + own)
        return total

    return add_up


@cache
def summed_over_digits(shape: Tile) -> Callable[..., Any]:
    """Makes of each digit's count what lower digits have; `sums` has `shape.sums` words.

    Digit d is that of thread d modulo `threads`, which has written the count; a barrier is last.
    """
    threads, digits = shape.threads, shape.digits
    own = -(-digits // threads)  # digits of a thread

    @cuda.jit(device=True)
    def add_up(sums: Any, t: Any) -> None:
        below = cuda.local.array(own, u32)
        for i in range(own):
            digit = t + threads * i
            if digit < digits:
                count = sums[digit]
                total = count
                for power in range(5):
                    lower = u32(cuda.shfl_up_sync(ALL_LANES, total, 1 << power))
                    total = u32(total + (lower if cuda.laneid >= 1 << power else u32(0)))
                below[i] = u32(total - count)
                if cuda.laneid == 31:
                    sums[digits + digit // 32] = total
        cuda.syncthreads()
        for i in range(own):
            digit = t + threads * i
            if digit < digits:
                for group in range(digits // 32 - 1):
                    if group < digit // 32:
                        below[i] = u32(below[i] + sums[digits + group])
                sums[digit] = below[i]
        cuda.syncthreads()

    return add_up


@cache
def scattered(kept: Any, shape: Tile) -> Callable[..., Any]:
    """Makes of a key's rank its place in the sorted tile, and puts it there."""
    items = shape.items

    @cuda.jit(device=True)
    def scatter(bits: Any, goals: Any, counts: Any, sums: Any, warp: Any, moved: Any) -> None:
        for i in range(items):
            digit = i32(goals[i] >> u32(16))
            goals[i] = u32((goals[i] & u32(0xFFFF)) + counts[warp, digit] + sums[digit])
            moved[goals[i]] = kept(bits[i])

    return scatter
