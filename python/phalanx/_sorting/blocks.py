"""The kernel that sorts rows which fit one block, all passes of a radix sort in shared memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .. import cuda
from . import parts
from .key_order import KeyType
from .parts import DIGITS, Tile

u32 = np.uint32


def shape_for(key: KeyType, length: int) -> Tile | None:
    """The smallest block that holds a row; None where none does."""
    shapes = (Tile(32, 4), Tile(128, 8), Tile(384, 8 if key.bits == 64 else 16))
    return next((shape for shape in shapes if length <= shape.size), None)


@cache
def _pass(key: KeyType, shape: Tile) -> Callable[..., Any]:
    """The device function that finds where each key goes by one digit, and puts it there."""
    clear, rank = parts.cleared(shape), parts.ranked(parts.digit_of(key), shape)
    over_warps, over_digits = parts.summed_over_warps(shape), parts.summed_over_digits(shape)
    held: Any = np.dtype(key.held).type
    threads, scatter = shape.threads, parts.scattered(held, shape)

    @cuda.jit(device=True)
    def move(bits: Any, goals: Any, shared: Any, place: Any, step: Any) -> None:
        counts, sums, moved = shared
        t = cuda.threadIdx.x
        clear(counts, t)
        cuda.syncthreads()
        rank(bits, goals, counts, place, step, held(1))
        cuda.syncthreads()
        for digit in range(t, DIGITS, threads):
            sums[digit] = over_warps(counts, digit)
        over_digits(sums, t)
        scatter(bits, goals, counts, sums, place[0], moved)
        cuda.syncthreads()

    return move


@cache
def sort_block(key: KeyType, has_positions: bool, shape: Tile) -> Any:
    """The kernel, with a block for each row.

    Its arguments: keys in, and out or, with positions, the int64 positions; and the rows' length.
    """
    load, move = parts.loaded(key, shape), _pass(key, shape)
    held, stored = np.dtype(key.held).type, np.dtype(key.stored).type
    size, items, warps, passes = shape.size, shape.items, shape.warps, key.bits // 8
    sums_size = shape.sums

    @cuda.jit
    def sort_rows_in_blocks(keys: Any, out: Any, length: Any) -> None:
        counts = cuda.shared.array((warps, DIGITS), u32)
        sums = cuda.shared.array(sums_size, u32)
        moved = cuda.shared.array(size, held)
        bits = cuda.local.array(items, held)
        places = cuda.local.array(items, u32)
        goals = cuda.local.array(items, u32)
        warp = cuda.threadIdx.x // 32
        first = warp * (32 * items) + cuda.laneid
        begin = cuda.blockIdx.x * length
        load(keys, begin, first, length, bits)
        for i in range(items):
            places[i] = u32(first + 32 * i)
        for step in range(passes):
            move(bits, goals, (counts, sums, moved), (warp, first, length), step)
            for i in range(items):
                bits[i] = moved[first + 32 * i]
            if has_positions:
                cuda.syncthreads()
                for i in range(items):
                    moved[goals[i]] = held(places[i])
                cuda.syncthreads()
                for i in range(items):
                    places[i] = u32(moved[first + 32 * i])
            cuda.syncthreads()
        for i in range(items):
            if first + 32 * i < length:
                out[begin + first + 32 * i] = places[i] if has_positions else stored(bits[i])

    return sort_rows_in_blocks
