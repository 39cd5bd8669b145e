"""Kernels of radix sort: a digit of 8 bits a pass, each pass reads and writes the keys once.

A block counts the digits of its tile, publishes the counts, adds up what the tiles before it have
published (decoupled look-back), and moves its keys through shared memory, so that keys of one digit
are written next to each other. After Adinets and Merrill, "Onesweep: a faster least significant
digit radix sort for GPUs", 2022, and Merrill and Garland, "Single-pass parallel prefix scan with
decoupled look-back", 2016.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from .. import cuda
from . import parts
from .key_order import KeyType, ordered
from .parts import DIGITS, Tile

i32 = np.int32
u32 = np.uint32


@dataclass(frozen=True)
class Pass:
    """What one pass moves."""

    key: KeyType
    # What moves along with the keys: "none", their places in the input ("first"), or the positions
    # that a pass before has moved ("moved").
    positions: str = "none"
    has_keys_out: bool = True
    is_wide: bool = False  # 2**30 elements and more, whose counts need 64 bits

    @property
    def word(self) -> Any:
        """The type of counts and of positions."""
        return np.uint64 if self.is_wide else np.uint32

    @property
    def kept(self) -> Any:
        """The type of what goes through shared memory."""
        has_wide_positions = self.is_wide and self.positions != "none"
        return np.uint64 if self.key.bits == 64 or has_wide_positions else np.uint32


def tile_of(what: Pass) -> Tile:
    """The tile that was fastest on an H100 (`bench/radix_tiles.py`) of those that fit 64 KB.

    So much shared memory a block has on each GPU that is served, and Turing no more.
    """
    if what.positions != "none":
        return Tile(512, 10 if what.kept is np.uint64 else 16, 64)
    wide = 10 if what.is_wide else 11
    return Tile(512, wide if what.kept is np.uint64 else 20, 64)


@cache
def histogram(key: KeyType, word: Any) -> Any:
    """The kernel that counts each digit of each pass: `bins` has 256 a pass."""
    number = ordered(key)
    passes = key.bits // 8
    held = np.dtype(key.held).type

    @cuda.jit
    def histogram_of_digits(keys: Any, bins: Any, length: Any) -> None:
        counts = cuda.shared.array(passes * DIGITS, u32)
        for i in range(cuda.threadIdx.x, passes * DIGITS, cuda.blockDim.x):
            counts[i] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), keys.size, cuda.gridsize(1)):
            rest = number(held(keys[i]), length)
            for step in range(passes):
                digit = i32(u32(rest >> held(8 * step)) & u32(255))
                cuda.atomic.add(counts, DIGITS * step + digit, u32(1))
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, passes * DIGITS, cuda.blockDim.x):
            if counts[i] != 0:
                cuda.atomic.add(bins, i, word(counts[i]))

    return histogram_of_digits


@cache
def first_places(word: Any) -> Any:
    """The kernel that makes of the counts of a pass, a block's, where each digit begins."""

    @cuda.jit
    def first_places_of_digits(bins: Any) -> None:
        sums = cuda.shared.array(DIGITS, word)
        t = cuda.threadIdx.x
        own = bins[cuda.blockIdx.x * DIGITS + t]
        sums[t] = own
        cuda.syncthreads()
        step = 1
        while step < DIGITS:
            below = word(0)
            if t >= step:
                below = sums[t - step]
            cuda.syncthreads()
            sums[t] = word(sums[t] + below)
            cuda.syncthreads()
            step *= 2
        bins[cuda.blockIdx.x * DIGITS + t] = word(sums[t] - own)

    return first_places_of_digits


@cache
def _look_back(word: Any, digits: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The device functions that publish a tile's count of a digit, and add up those before.

    A word of `states` has two flags above the count: 1 that of the tile alone, 2 that of all tiles
    up to it. The count and its flags are one word, so that no fence is needed.
    """
    shift = word(np.dtype(word).itemsize * 8 - 2)
    value = word((1 << int(shift)) - 1)
    own, all_before = word(1 << int(shift)), word(2 << int(shift))

    @cuda.jit(device=True)
    def publish(states: Any, tile: Any, digit: Any, total: Any) -> None:
        flag = all_before if tile == 0 else own
        cuda.stcg(states, tile * digits + digit, word(total | flag))

    @cuda.jit(device=True)
    def count_before(states: Any, tile: Any, digit: Any, total: Any) -> Any:
        count = word(0)
        other = tile - 1
        while other >= 0:
            state = cuda.ldcv(states, other * digits + digit)
            flag = state >> shift
            if flag != 0:
                count = word(count + (state & value))
                other = other - 1 if flag == 1 else -1
        if tile != 0:
            cuda.stcg(states, tile * digits + digit, word((count + total) | all_before))
        return count

    return publish, count_before


@cache
def _written(what: Pass, shape: Tile) -> Callable[..., Any]:
    """The device function that writes a tile's sorted keys, and tells where positions are to go."""
    digit_in, word = parts.digit_of(what.key), what.word
    held, stored = np.dtype(what.key.held).type, np.dtype(what.key.stored).type
    threads, items, size = shape.threads, shape.items, shape.size
    has_keys_out = what.has_keys_out

    @cuda.jit(device=True)
    def write(moved: Any, offsets: Any, order: Any, count: Any, out: Any, targets: Any) -> None:
        step, length = order
        t = cuda.threadIdx.x
        if count == size and has_keys_out:  # without a question for each key
            for i in range(items):
                bits = held(moved[t + threads * i])
                targets[i] = word(offsets[digit_in(bits, step, length)] + word(t + threads * i))
                out[targets[i]] = stored(bits)
            return
        for i in range(items):
            bits = held(moved[t + threads * i])
            targets[i] = word(offsets[digit_in(bits, step, length)] + word(t + threads * i))
            if has_keys_out and t + threads * i < count:
                out[targets[i]] = stored(bits)

    return write


@cache
def _positions_moved(what: Pass, shape: Tile) -> Callable[..., Any]:
    """The device function that moves the positions as the keys have been."""
    kept, is_first = what.kept, what.positions == "first"
    threads, items = shape.threads, shape.items

    @cuda.jit(device=True)
    def move(places: Any, out: Any, goals: Any, targets: Any, moved: Any, part: Any) -> None:
        begin, first, count = part
        t = cuda.threadIdx.x
        cuda.syncthreads()
        for i in range(items):
            place = begin + first + 32 * i
            if is_first or first + 32 * i >= count:
                moved[goals[i]] = kept(place)
            else:
                moved[goals[i]] = kept(places[place])
        cuda.syncthreads()
        for i in range(items):
            if t + threads * i < count:
                out[targets[i]] = moved[t + threads * i]

    return move


@cache
def offsets_found(word: Any, shape: Tile) -> Callable[..., Any]:
    """The device function that makes of the tile's counts where its keys of each digit go.

    `word` is the type of those places, of where digits begin, and of the tiles' states.
    """
    over_warps, over_digits = parts.summed_over_warps(shape), parts.summed_over_digits(shape)
    (publish, count_before), digits = _look_back(word, shape.digits), shape.digits

    @cuda.jit(device=True)
    def find(counts: Any, sums: Any, offsets: Any, begins: Any, states: Any, tile: Any) -> None:
        t = cuda.threadIdx.x
        total = u32(0)
        if t < digits:
            total = over_warps(counts, t)
            sums[t] = total
            publish(states, tile, t, word(total))
        over_digits(sums, t)
        if t < digits:
            earlier = count_before(states, tile, t, word(total))
            offsets[t] = word(begins[t] + earlier - sums[t])
        cuda.syncthreads()

    return find


@cache
def sweep(what: Pass, shape: Tile) -> Any:
    """The kernel of a pass, of `threads` threads a block, 256 at least, and a block for each tile.

    Its arguments: keys in and out; positions in and out; the pass's 256 places where digits begin,
    the states of the tiles and a counter of tiles, all 0 before; (the pass's number, the rows'
    length).
    """
    clear, load = parts.cleared(shape), parts.loaded(what.key, shape)
    rank = parts.ranked(parts.digit_of(what.key), shape)
    find = offsets_found(what.word, shape)
    scatter = parts.scattered(what.kept, shape)
    write, move = _written(what, shape), _positions_moved(what, shape)
    word, held, kept = what.word, np.dtype(what.key.held).type, what.kept
    threads, items, warps = shape.threads, shape.items, shape.warps
    has_positions, sums_size = what.positions != "none", shape.sums

    @cuda.jit(max_registers=shape.registers)
    def radix_sweep(
        keys: Any, positions: Any, begins: Any, states: Any, turn: Any, order: Any
    ) -> None:
        counts = cuda.shared.array((warps, DIGITS), u32)
        sums = cuda.shared.array(sums_size, u32)
        offsets = cuda.shared.array(DIGITS, word)
        moved = cuda.shared.array(threads * items, kept)
        taken = cuda.shared.array(1, i32)
        bits = cuda.local.array(items, held)
        goals = cuda.local.array(items, u32)
        targets = cuda.local.array(items, word)
        step, length = order
        t = cuda.threadIdx.x
        warp = t // 32
        if t == 0:
            taken[0] = cuda.atomic.add(turn, 0, i32(1))
        clear(counts, t)
        cuda.syncthreads()
        tile = taken[0]
        begin = tile * (threads * items)
        count = min(keys[0].size - begin, threads * items)
        first = warp * (32 * items) + cuda.laneid
        load(keys[0], begin, first, count, bits)
        rank(bits, goals, counts, (warp, first, count), step, length)
        cuda.syncthreads()
        find(counts, sums, offsets, begins, states, tile)
        scatter(bits, goals, counts, sums, warp, moved)
        cuda.syncthreads()
        write(moved, offsets, (step, length), count, keys[1], targets)
        if has_positions:
            move(positions[0], positions[1], goals, targets, moved, (begin, first, count))

    return radix_sweep
