"""Two sorted vectors as one, which may be in another GPU's memory.

By the merge path of O. Green, R. McColl and D. Bader, "GPU merge path: a GPU merging algorithm"
(2012): where a tile of the result begins in either vector is found by a binary search, so that each
element is read once and written once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .. import _engine, cuda
from .._arrays import creation
from .._arrays.launching import as_bits, launch_alone, read, written
from .key_order import KeyType, key_type, ordered

_THREADS = 256
_ITEMS = 17  # of a thread; odd, so that threads side by side are in different banks
TILE = _THREADS * _ITEMS


def merged(first: Any, second: Any, device: Any = None) -> Any:
    """The elements of two sorted vectors, sorted, on a device, by default that of the first.

    Both are contiguous, of one dtype that has keys; among equal elements those of the first come
    first. One that is on another GPU, whose memory the device reads (`Device.reads_peer`), must be
    computed already, and last until the result is.
    """
    device = first._device if device is None else device
    key = key_type(first._dtype)
    assert key is not None  # who calls has asked rows.takes
    out = creation.empty(first.size + second.size, first._dtype, device=device)
    if not out.size:
        return out
    tiles = -(-out.size // TILE)
    starts = written(creation.empty(tiles + 1, "int64", device=device))
    given = tuple(_bits_for(each, key, device) for each in (first, second))
    blocks = -(-(tiles + 1) // _THREADS)
    launch_alone(_begin(key), blocks, _THREADS, device, *given, starts)
    made = as_bits(written(out), key.stored)
    launch_alone(_merge(key), tiles, _THREADS, device, *given, starts, made)
    return out


def _bits_for(array: Any, key: KeyType, device: Any) -> Any:
    """The memory, also of another GPU, as the launch's own."""
    memory = read(array)
    if array._device == device:
        return as_bits(memory, key.stored)
    element = _engine.Type.scalar(key.stored)
    given = memory.address, memory.shape, memory.strides, element, memory
    return _engine.DeviceArray(*given, device=device)


@cache
def _path(key: KeyType) -> Callable[..., Any]:
    """How many of the result's elements before `diagonal` are the first vector's.

    The second begins at `other` of what it is in, so that both may be parts of one array.
    """
    order = ordered(key)
    one = np.dtype(key.held).type(1)

    @cuda.jit(device=True)
    def count_of_first(first: Any, second: Any, other: Any, sizes: Any, diagonal: Any) -> Any:
        low, high = max(0, diagonal - sizes[1]), min(diagonal, sizes[0])
        while low < high:
            middle = (low + high) // 2
            if order(second[other + diagonal - 1 - middle], one) < order(first[middle], one):
                high = middle
            else:
                low = middle + 1
        return low

    return count_of_first


@cache
def _begin(key: KeyType) -> Any:
    count_of_first = _path(key)

    @cuda.jit
    def begin_tiles(first: Any, second: Any, starts: Any) -> None:
        tile = cuda.grid(1)
        if tile < starts.size:
            diagonal = min(tile * TILE, first.size + second.size)
            sizes = (first.size, second.size)
            starts[tile] = count_of_first(first, second, 0, sizes, diagonal)

    return begin_tiles


@cache
def _load(key: KeyType) -> Callable[..., Any]:
    """A tile's elements to shared memory, those of the first vector before the others."""
    stored, threads, items = np.dtype(key.stored).type, _THREADS, _ITEMS

    @cuda.jit(device=True)
    def load(first: Any, second: Any, begins: Any, sizes: Any, tile: Any) -> None:
        # All loads are under way before one is waited for: those over a link take long.
        own = cuda.local.array(items, stored)
        t = cuda.threadIdx.x
        for i in range(items):
            place = t + i * threads
            if place < sizes[0]:
                own[i] = first[begins[0] + place]
            elif place < sizes[0] + sizes[1]:
                own[i] = second[begins[1] + place - sizes[0]]
        for i in range(items):
            tile[t + i * threads] = own[i]

    return load


@cache
def _taken(key: KeyType) -> Callable[..., Any]:
    """The elements of a thread, merged from shared memory into registers."""
    order = ordered(key)
    one = np.dtype(key.held).type(1)
    items = _ITEMS

    @cuda.jit(device=True)
    def take(tile: Any, at: Any, sizes: Any, own: Any) -> None:
        here, there = at
        end = sizes[0] + sizes[1]
        for i in range(items):
            has_first, has_second = here < sizes[0], there < end
            takes_first = has_first
            if has_first and has_second:
                takes_first = not order(tile[there], one) < order(tile[here], one)
            if takes_first:
                own[i] = tile[here]
                here += 1
            elif has_second:
                own[i] = tile[there]
                there += 1

    return take


@cache
def _merge(key: KeyType) -> Any:
    load, take = _load(key), _taken(key)
    count_of_first = _path(key)
    stored, threads, items, size = np.dtype(key.stored).type, _THREADS, _ITEMS, TILE

    @cuda.jit
    def merge_tiles(first: Any, second: Any, starts: Any, out: Any) -> None:
        tile = cuda.shared.array(size, stored)
        own = cuda.local.array(items, stored)
        t, block = cuda.threadIdx.x, cuda.blockIdx.x
        begin = block * size
        count = min(size, out.size - begin)
        begins = (starts[block], begin - starts[block])
        of_first = starts[block + 1] - starts[block]
        sizes = (of_first, count - of_first)
        load(first, second, begins, sizes, tile)
        cuda.syncthreads()
        diagonal = min(t * items, count)
        here = count_of_first(tile, tile, sizes[0], sizes, diagonal)
        take(tile, (here, sizes[0] + diagonal - here), sizes, own)
        cuda.syncthreads()
        for i in range(items):
            tile[t * items + i] = own[i]
        cuda.syncthreads()
        for i in range(items):
            if t + i * threads < count:
                out[begin + t + i * threads] = tile[t + i * threads]

    return merge_tiles
