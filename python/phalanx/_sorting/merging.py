"""Two sorted vectors as one, which may be in another GPU's memory.

By the merge path of O. Green, R. McColl and D. Bader, "GPU merge path: a GPU merging algorithm"
(2012): where a tile of the result begins in either vector is found by a binary search, so that each
element is read once and written once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .. import cuda
from .._arrays import creation
from .._arrays.launching import as_bits, launch_alone, on_device, read, written
from .key_order import KeyType, key_type, ordered

_THREADS = 256
_ITEMS = 17  # of a thread; odd, so that threads side by side are in different banks
TILE = _THREADS * _ITEMS
# Where every so many tiles begin is found first, and those between them between these places: over
# a link each look at an element is a message.
_STRIDES = (256, 16, 1)
# Elements that begin where a line of memory does, or several lines: what two warps share of a line
# goes over a link twice.
_LINE = 32


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
    for wider, stride in itertools.pairwise((0, *_STRIDES)):
        blocks = -(-(tiles // stride + 2) // _THREADS)
        launch_alone(_begin(key), blocks, _THREADS, device, *given, starts, stride, wider)
    lines = tuple(each.address // (key.bits // 8) % _LINE for each in given)
    made = as_bits(written(out), key.stored)
    launch_alone(_merge(key), tiles, _THREADS, device, *given, starts, lines, made)
    return out


def _bits_for(array: Any, key: KeyType, device: Any) -> Any:
    """The memory, also of another GPU, as the launch's own."""
    return on_device(as_bits(read(array), key.stored), device)


@cache
def _path(key: KeyType) -> Callable[..., Any]:
    """How many of the result's elements before `diagonal` are the first vector's.

    What is merged are so many elements of either vector, `sizes`, from where it `begins` on.
    """
    order = ordered(key)
    one = np.dtype(key.held).type(1)

    @cuda.jit(device=True)
    def count_of_first(first: Any, second: Any, begins: Any, sizes: Any, diagonal: Any) -> Any:
        low, high = max(0, diagonal - sizes[1]), min(diagonal, sizes[0])
        while low < high:
            middle = (low + high) // 2
            other = second[begins[1] + diagonal - 1 - middle]
            if order(other, one) < order(first[begins[0] + middle], one):
                high = middle
            else:
                low = middle + 1
        return low

    return count_of_first


@cache
def _begin(key: KeyType) -> Any:
    count_of_first = _path(key)

    @cuda.jit
    def begin_tiles(first: Any, second: Any, starts: Any, stride: Any, wider: Any) -> None:
        # Those of every `wider`th tile and of the end are known, unless it is 0.
        last = starts.size - 1
        tile = cuda.grid(1) * stride
        if tile >= last + stride:
            return
        tile = min(tile, last)
        low, high = 0, last
        before, after = 0, first.size
        if wider > 0:
            low = tile // wider * wider
            high = min(low + wider, last)
            if tile in (low, high):
                return
            before, after = starts[low], starts[high]
        total = first.size + second.size
        begin, end = low * TILE, min(high * TILE, total)
        begins = (before, begin - before)
        sizes = (after - before, end - after - begins[1])
        diagonal = min(tile * TILE, total) - begin
        starts[tile] = before + count_of_first(first, second, begins, sizes, diagonal)

    return begin_tiles


@cache
def _load(key: KeyType) -> Callable[..., Any]:
    """A tile's elements to shared memory, those of the first vector before the others.

    `shifts` are the places of the tile's first elements in their lines.
    """
    stored, threads = np.dtype(key.stored).type, _THREADS
    items = _ITEMS + 1  # for what the shifts leave out
    assert items * threads >= TILE + 3 * (_LINE - 1)

    @cuda.jit(device=True)
    def load(first: Any, second: Any, begins: Any, sizes: Any, shifts: Any, tile: Any) -> None:
        # All loads are under way before one is waited for: those over a link take long.
        own = cuda.local.array(items, stored)
        t = cuda.threadIdx.x
        border = (sizes[0] + shifts[0] + _LINE - 1) // _LINE * _LINE
        for i in range(items):
            place = t + i * threads
            here, there = place - shifts[0], place - border - shifts[1]
            if here >= 0 and here < sizes[0]:
                own[i] = first[begins[0] + here]
            elif there >= 0 and there < sizes[1]:
                own[i] = second[begins[1] + there]
        for i in range(items):
            place = t + i * threads
            here, there = place - shifts[0], place - border - shifts[1]
            if here >= 0 and here < sizes[0]:
                tile[here] = own[i]
            elif there >= 0 and there < sizes[1]:
                tile[sizes[0] + there] = own[i]

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
    def merge_tiles(first: Any, second: Any, starts: Any, lines: Any, out: Any) -> None:
        tile = cuda.shared.array(size, stored)
        own = cuda.local.array(items, stored)
        t, block = cuda.threadIdx.x, cuda.blockIdx.x
        begin = block * size
        count = min(size, out.size - begin)
        begins = (starts[block], begin - starts[block])
        of_first = starts[block + 1] - starts[block]
        sizes = (of_first, count - of_first)
        shifts = ((begins[0] + lines[0]) % _LINE, (begins[1] + lines[1]) % _LINE)
        load(first, second, begins, sizes, shifts, tile)
        cuda.syncthreads()
        diagonal = min(t * items, count)
        here = count_of_first(tile, tile, (0, sizes[0]), sizes, diagonal)
        take(tile, (here, sizes[0] + diagonal - here), sizes, own)
        cuda.syncthreads()
        for i in range(items):
            tile[t * items + i] = own[i]
        cuda.syncthreads()
        for i in range(items):
            if t + i * threads < count:
                out[begin + t + i * threads] = tile[t + i * threads]

    return merge_tiles
