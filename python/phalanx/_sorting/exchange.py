"""Keys of several devices by buckets, of which each device has one: each key is moved there once.

Buckets are between splitters. A kernel writes the keys of its device straight into the memory of
the device whose bucket they are in, as a pass of radix sort writes them: what it moves them by is
the bucket, and where there are two devices the lowest digit too, so that the exchange is the first
pass of the sort. How many keys of each digit go where is counted before: so every key's place is
known, and equal keys stay in the order of the devices and of their parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from .. import cuda
from .._arrays import coerce, creation
from .._arrays.launching import as_bits, launch_alone, on_device, read, stretch, written
from . import parts, radix, rows
from .key_order import KeyType, key_type, ordered
from .parts import DIGITS, Tile
from .radix import Pass

_THREADS = 256
_BLOCKS = 528  # that count: four for each multiprocessor of the largest GPUs
TILE = 10_240  # keys of a tile at most
_MOST_DIGITS = 512  # of more a tile has runs of a few keys, which links are slow for
_MOST_COUNTS = 16_384  # of a block, in 64 KB of shared memory
i32 = np.int32
u16 = np.uint16
u32 = np.uint32
u64 = np.uint64


@dataclass(frozen=True)
class Exchange:
    """What is exchanged, over how many devices."""

    key: KeyType
    devices: int
    is_wide: bool  # 2**30 elements and more come from a device or go to one
    is_first_pass: bool  # of the sort; else keys are moved by their buckets alone

    @property
    def passes(self) -> int:
        """The passes of the sort."""
        return self.key.bits // 8

    @property
    def word(self) -> Any:
        """The type of places and of counts."""
        return np.uint64 if self.is_wide else np.uint32

    @property
    def of_bucket(self) -> int:
        """The digits of a bucket that keys are moved by."""
        return DIGITS if self.is_first_pass else 1

    @property
    def digits(self) -> int:
        """All that keys are moved by: those of the first bucket come first."""
        return -(-self.devices * self.of_bucket // 32) * 32


def exchange_of(dtype: str, devices: int, most: int) -> Exchange | None:
    """What arrays of the dtype need, with so many elements of a device at most; None: too much."""
    key = key_type(dtype)
    if key is None or key.bits // 8 * devices * DIGITS > _MOST_COUNTS:
        return None
    is_first_pass = devices * DIGITS <= _MOST_DIGITS
    return Exchange(key, devices, rows.position_type(most) is np.uint64, is_first_pass)


def tile_of(what: Exchange) -> Tile:
    """A tile that fits 64 KB, as those of `radix.tile_of`: with counts of 16 bits."""
    return Tile(512, 10 if what.key.bits == 64 else TILE // 512, 64, what.digits)


@dataclass(frozen=True)
class Splitters:
    """Where buckets begin, for the keys of one device.

    Keys whose numbers are greater than a splitter's are in its bucket or a later one; so are equal
    ones from a tile of the exchange on: many equal keys come into several buckets.
    """

    numbers: tuple[Any, ...]
    tiles: tuple[Any, ...]

    @property
    def given(self) -> tuple[Any, ...]:
        """As kernels take them."""
        return self.numbers, self.tiles


def _held(key: KeyType) -> Any:
    return np.dtype(key.held).type


@cache
def _bucket_of(what: Exchange) -> Callable[..., Any]:
    """The device function that finds a number's bucket."""
    splitters = what.devices - 1

    @cuda.jit(device=True)
    def bucket(number: Any, borders: Any, tile: Any) -> Any:
        numbers, tiles = borders
        found = i32(0)
        for i in range(splitters):
            is_equal = (number == numbers[i]) & (tile >= tiles[i])
            found = i32(found + i32((number > numbers[i]) | is_equal))
        return found

    return bucket


@cache
def _digit_of(what: Exchange) -> Callable[..., Any]:
    """The device function that finds what a key is moved by."""
    number, held = ordered(what.key), _held(what.key)
    one, bucket, of_bucket = held(1), _bucket_of(what), what.of_bucket

    @cuda.jit(device=True)
    def digit(bits: Any, borders: Any, tile: Any) -> Any:
        own = number(bits, one)
        low = i32(u32(own) & u32(of_bucket - 1))
        return i32(bucket(own, borders, tile) * i32(of_bucket) + low)

    return digit


def place_of_sample(number: int, stride: int, size: int) -> int:
    """Where a sample is: somewhere within its stride, so that no period of the elements matters."""
    within = ((number * 0x9E3779B1 & 0xFFFFFFFF) * stride) >> 32
    return min(number * stride + within, size - 1)


def tile_of_sample(what: Exchange, number: int, stride: int, size: int) -> int:
    """The tile of the exchange that a sample is in."""
    return place_of_sample(number, stride, size) // tile_of(what).size


@cache
def _sample(key: KeyType) -> Any:
    number, held = ordered(key), _held(key)
    one, place_of = held(1), cuda.jit(device=True)(place_of_sample)

    @cuda.jit
    def sample_numbers(keys: Any, stride: Any, out: Any) -> None:
        i = cuda.grid(1)
        if i < out.size:
            out[i] = number(held(keys[place_of(i, stride, keys.size)]), one)

    return sample_numbers


def samples(part: Any, stride: int) -> Any:
    """The numbers that a contiguous vector's keys are ordered by, one of each stride."""
    key = key_type(part._dtype)
    assert key is not None  # exchange_of has said so
    out = creation.empty(-(-part.size // stride), key.held, device=part._device)
    if out.size:
        bits, blocks = as_bits(read(part), key.stored), -(-out.size // _THREADS)
        launch_alone(_sample(key), blocks, _THREADS, part._device, bits, stride, written(out))
    return out


@cache
def _count(what: Exchange, shape: Tile) -> Any:
    key, passes, buckets = what.key, what.passes, what.devices
    number, bucket_of, load = ordered(key), _bucket_of(what), parts.loaded(key, shape)
    held, size, items = _held(key), shape.size, shape.items
    one, all_counts = held(1), passes * buckets * DIGITS

    @cuda.jit
    def count_buckets(keys: Any, borders: Any, out: Any) -> None:
        counts = cuda.shared.array(all_counts, u32)
        bits = cuda.local.array(items, held)
        t = cuda.threadIdx.x
        for i in range(t, all_counts, cuda.blockDim.x):
            counts[i] = 0
        cuda.syncthreads()
        first = t // 32 * (32 * items) + cuda.laneid
        for tile in range(cuda.blockIdx.x, (keys.size + size - 1) // size, cuda.gridDim.x):
            count = min(keys.size - tile * size, size)
            load(keys, tile * size, first, count, bits)
            for i in range(items):
                if first + 32 * i < count:
                    rest = number(bits[i], one)
                    bucket = bucket_of(rest, borders, tile)
                    for step in range(passes):
                        digit = i32(u32(rest >> held(8 * step)) & u32(255))
                        cuda.atomic.add(counts, (step * buckets + bucket) * DIGITS + digit, u32(1))
        cuda.syncthreads()
        for i in range(t, all_counts, cuda.blockDim.x):
            if counts[i] != 0:
                cuda.atomic.add(out, i, u64(counts[i]))

    return count_buckets


def counts(part: Any, what: Exchange, splitters: Splitters) -> Any:
    """How many keys of a contiguous vector have each digit, for each pass and bucket (uint64)."""
    shape, shown = tile_of(what), (what.passes, what.devices, DIGITS)
    out = creation.zeros(shown, "uint64", device=part._device)
    if part.size:
        bits, made = as_bits(read(part), what.key.stored), written(out.reshape(-1))
        given = bits, splitters.given, made
        blocks = min(-(-part.size // shape.size), _BLOCKS)
        launch_alone(_count(what, shape), blocks, shape.threads, part._device, *given)
    return out


@cache
def _write(what: Exchange, shape: Tile) -> Callable[..., Any]:
    """The device function that writes a tile's keys, which are in order, where they go."""
    digit_in, of_bucket = _digit_of(what), what.of_bucket
    held, stored = _held(what.key), np.dtype(what.key.stored).type
    threads, items, word = shape.threads, shape.items, what.word

    @cuda.jit(device=True)
    def write(moved: Any, offsets: Any, borders: Any, tile: Any, count: Any, outs: Any) -> None:
        t = cuda.threadIdx.x
        for i in range(items):
            place = t + threads * i
            if place < count:
                bits = held(moved[place])
                digit = digit_in(bits, borders, tile)
                outs[digit // i32(of_bucket)][word(offsets[digit] + word(place))] = stored(bits)

    return write


@cache
def _send(what: Exchange, shape: Tile) -> Any:
    clear, load = parts.cleared(shape), parts.loaded(what.key, shape)
    rank, find = parts.ranked(_digit_of(what), shape), radix.offsets_found(what.word, shape)
    word, held = what.word, _held(what.key)
    scatter, write = parts.scattered(held, shape), _write(what, shape)
    items, size, warps = shape.items, shape.size, shape.warps
    digits, sums_size = shape.digits, shape.sums

    @cuda.jit(max_registers=shape.registers)
    def send_to_buckets(
        keys: Any, outs: Any, begins: Any, states: Any, turn: Any, borders: Any
    ) -> None:
        counts = cuda.shared.array((warps, digits), u16)
        sums = cuda.shared.array(sums_size, u32)
        offsets = cuda.shared.array(digits, word)
        moved = cuda.shared.array(size, held)
        taken = cuda.shared.array(1, i32)
        bits = cuda.local.array(items, held)
        goals = cuda.local.array(items, u32)
        t = cuda.threadIdx.x
        warp = t // 32
        if t == 0:
            taken[0] = cuda.atomic.add(turn, 0, i32(1))
        clear(counts, t)
        cuda.syncthreads()
        tile = taken[0]
        begin = tile * size
        count = min(keys.size - begin, size)
        first = warp * (32 * items) + cuda.laneid
        load(keys, begin, first, count, bits)
        rank(bits, goals, counts, (warp, first, count), borders, tile)
        cuda.syncthreads()
        find(counts, sums, offsets, begins, states, tile)
        scatter(bits, goals, counts, sums, warp, moved)
        cuda.syncthreads()
        write(moved, offsets, borders, tile, count, outs)

    return send_to_buckets


def begins(what: Exchange, of_keys: np.ndarray, of_bucket: np.ndarray, device: Any) -> Any:
    """For `send` where a device's keys go, for `sort_bucket` where digits are of each pass.

    It is brought to the device before either is queued, as the host waits for such copies.
    """
    rest = np.zeros(what.digits - of_keys.size, "int64")
    words = np.concatenate([of_keys.reshape(-1), rest, of_bucket.reshape(-1)]).astype(what.word)
    made = coerce.asarray(words, device=device, copy=True)
    read(made)
    return made


def send(part: Any, what: Exchange, splitters: Splitters, begins: Any, outs: Sequence[Any]) -> None:
    """Writes the keys of a contiguous vector into the memory of the devices whose they are.

    All of that must be there before, and nobody may look before the kernel is done.
    """
    if not part.size:
        return
    device, shape = part._device, tile_of(what)
    tiles = -(-part.size // shape.size)
    launch_alone(
        _send(what, shape),
        tiles,
        shape.threads,
        device,
        as_bits(read(part), what.key.stored),
        tuple(on_device(as_bits(written(each), what.key.stored), device) for each in outs),
        read(begins[: what.digits]),
        *rows.tile_states(tiles, shape, what.word, device),
        splitters.given,
    )


def sort_bucket(what: Exchange, begins: Any, size: int, memory: Any, at: int) -> Any:
    """Sorts so many keys, the first ones in the first of two arrays; they are to begin at `at`.

    The exchange may have done the first pass, and if there is no other they begin there already.
    Gives the array that they are in.
    """
    source, other = memory
    words = begins[what.digits :]
    order = _held(what.key)(1)
    for step in range(int(what.is_first_pass), what.passes if size else 0):
        place = at if step == what.passes - 1 else 0
        keys = _keys(what, source, 0, size), _keys(what, other, place, size)
        own = read(words[DIGITS * step : DIGITS * (step + 1)])
        rows.sweep(
            Pass(what.key, is_wide=what.is_wide), keys, (keys[0], keys[0]), own, (step, order)
        )
        source, other = other, source
    return source


def _keys(what: Exchange, array: Any, first: int, count: int) -> Any:
    """The memory of some of a vector's keys."""
    return as_bits(stretch(written(array), first, count), what.key.stored)
