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

    @property
    def size(self) -> int:
        """The keys of a block."""
        return self.threads * self.items

    @property
    def warps(self) -> int:
        """The warps of a block."""
        return self.threads // 32


@cache
def cleared(shape: Tile) -> Callable[..., Any]:
    """Makes the counts of all warps 0."""
    threads, count = shape.threads, shape.warps * DIGITS

    @cuda.jit(device=True)
    def clear(counts: Any, t: Any) -> None:
        for i in range(t, count, threads):
            counts[i // DIGITS, i % DIGITS] = 0

    return clear


@cache
def loaded(key: KeyType, shape: Tile) -> Callable[..., Any]:
    """Reads a thread's keys of the tile that begins at `begin` and has `count` of them."""
    held, items = np.dtype(key.held).type, shape.items

    @cuda.jit(device=True)
    def load(keys: Any, begin: Any, first: Any, count: Any, bits: Any) -> None:
        for i in range(items):
            bits[i] = held(0)
            if first + 32 * i < count:
                bits[i] = held(keys[begin + first + 32 * i])

    return load


@cache
def _rank_in_warp() -> Callable[..., Any]:
    """Counts one digit of each lane, and tells how many of that digit the warp has had before."""

    @cuda.jit(device=True)
    def rank(counts: Any, warp: Any, digit: Any) -> Any:
        peers = cuda.match_any_sync(ALL_LANES, digit)
        lower = cuda.popc(peers & cuda.lanemask_lt())
        had = counts[warp, digit]
        cuda.syncwarp(ALL_LANES)
        if lower == 0:
            counts[warp, digit] = u32(had + cuda.popc(peers))
        cuda.syncwarp(ALL_LANES)
        return u32(had + lower)

    return rank


@cache
def ranked(key: KeyType, shape: Tile) -> Callable[..., Any]:
    """Gives each key its rank among the warp's of the same digit, and the digit 16 bits above it.

    What the tile does not have gets the last digit: it comes behind all others, and stays there.
    """
    number, rank, items = ordered(key), _rank_in_warp(), shape.items
    held = np.dtype(key.held).type

    @cuda.jit(device=True)
    def rank_all(bits: Any, goals: Any, counts: Any, place: Any, step: Any, length: Any) -> None:
        warp, first, count = place
        for i in range(items):
            digit = i32(u32(number(bits[i], length) >> held(8 * step)) & u32(255))
            if first + 32 * i >= count:
                digit = i32(255)
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
    """Makes of each digit's count what lower digits have; barriers stand before and after."""
    threads = shape.threads
    own = -(-DIGITS // threads)  # digits of a thread

    @cuda.jit(device=True)
    def add_up(sums: Any, t: Any) -> None:
        below = cuda.local.array(own, u32)
        step = 1
        while step <= DIGITS:  # the last turn moves all by one
            is_shift = step == DIGITS
            for i in range(own):
                digit = t + threads * i
                source = digit - 1 if is_shift else digit - step
                below[i] = sums[source] if source >= 0 and digit < DIGITS else u32(0)
            cuda.syncthreads()
            for i in range(own):
                digit = t + threads * i
                if digit < DIGITS:
                    sums[digit] = below[i] if is_shift else u32(sums[digit] + below[i])
            cuda.syncthreads()
            step *= 2

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
