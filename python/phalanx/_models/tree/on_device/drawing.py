"""The rows that trees draw, by NumPy's generator: what `RandomState(seed).randint` gives."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from .... import cuda
from ...._arrays.launching import launch_alone, read, written
from ...._arrays.ndarray import ndarray
from .parting import opener
from .shapes import ALL_LANES, END, START, WARP, Shape

u32 = np.uint32
_WORDS, _NEAR, _PHASE = 624, 397, 227  # of the generator; so many new words need no other new one
_THREADS = 256


@cache
def _twister() -> Any:
    """Device functions of the Mersenne Twister: a word's successor, and the number of a word.

    Of M. Matsumoto and T. Nishimura, "Mersenne Twister" (1998).
    """

    @cuda.jit(device=True)
    def successor(words: Any, i: Any) -> Any:
        y = u32((words[i] & u32(0x80000000)) | (words[(i + 1) % _WORDS] & u32(0x7FFFFFFF)))
        odd = u32(0x9908B0DF) if y & u32(1) != 0 else u32(0)
        return u32(words[(i + _NEAR) % _WORDS] ^ (y >> u32(1)) ^ odd)

    @cuda.jit(device=True)
    def number(word: Any) -> Any:
        y = u32(word ^ (word >> u32(11)))
        y = u32(y ^ ((y << u32(7)) & u32(0x9D2C5680)))
        y = u32(y ^ ((y << u32(15)) & u32(0xEFC60000)))
        return u32(y ^ (y >> u32(18)))

    return successor, number


@cache
def _batch_drawer() -> Any:
    """A device function that makes the next words, and counts the rows of them if all are used.

    It returns how many it has counted. A number beyond the rows is drawn again.
    """
    successor, number = _twister()

    @cuda.jit(device=True)
    def draw_batch(words: Any, mask: Any, counts: Any, is_whole: Any) -> Any:
        used = 0
        for phase in range(3):
            i = phase * _PHASE + cuda.threadIdx.x
            is_mine = cuda.threadIdx.x < _PHASE and i < _WORDS
            word = successor(words, i) if is_mine else u32(0)
            row = u32(number(word) & mask)
            is_used = is_whole and is_mine and row < counts.shape[0]
            cuda.syncthreads()
            if is_mine:
                words[i] = word
            if is_used:
                cuda.atomic.add(counts, row, u32(1))
            used += cuda.syncthreads_count(is_used)
        return used

    return draw_batch


@cache
def _drawer() -> Any:
    """The kernel that counts how often each tree draws each row, a block a tree.

    All numbers of a batch count, so that their order matters only in the last one, which one thread
    goes through.
    """
    draw_batch, number = _batch_drawer(), _twister()[1]

    @cuda.jit
    def draw_rows(states: Any, drawn: Any, mask: Any, counts: Any) -> None:
        words = cuda.shared.array(_WORDS, np.uint32)
        tree = cuda.blockIdx.x
        for i in range(cuda.threadIdx.x, _WORDS, _THREADS):
            words[i] = states[tree, i]
        cuda.syncthreads()
        done = 0
        while done + _WORDS <= drawn:
            done += draw_batch(words, u32(mask), counts[tree], True)
        while done < drawn:
            draw_batch(words, u32(mask), counts[tree], False)
            for i in range(_WORDS):
                row = u32(number(words[i]) & u32(mask))
                if row < counts.shape[1] and done < drawn:
                    if cuda.threadIdx.x == 0:
                        cuda.atomic.add(counts, (tree, row), u32(1))
                    done += 1
            cuda.syncthreads()

    return draw_rows


def _words_of(seed: int) -> np.ndarray:
    state: Any = np.random.RandomState(seed).get_state(legacy=False)
    return np.asarray(state["state"]["key"], np.uint32)


def drawn_counts(seeds: Sequence[int], drawn: int, x: ndarray) -> ndarray:
    """How often each tree draws each row, trees x rows, uint32."""
    states = np.stack([_words_of(seed) for seed in seeds])
    counts = px.zeros((len(seeds), x.shape[0]), np.uint32, device=x.device)
    mask = (1 << int(x.shape[0] - 1).bit_length()) - 1
    given = read(px.asarray(states, device=x.device)), drawn, mask
    launch_alone(_drawer(), len(seeds), _THREADS, x._device, *given, written(counts))
    return counts


@cache
def _counter(part: int) -> Any:
    """The kernel that counts the rows with weight: parts x trees."""

    @cuda.jit
    def count_drawn(weights: Any, drawn: Any) -> None:
        tree = cuda.blockIdx.y
        total = 0
        for place in range(cuda.threadIdx.x, part, _THREADS):
            i = np.int64(cuda.blockIdx.x) * part + place
            is_drawn = False
            if i < weights.shape[1]:
                is_drawn = weights[tree, i] != 0
            total += cuda.syncthreads_count(is_drawn)
        if cuda.threadIdx.x == 0:
            drawn[tree, cuda.blockIdx.x] = total

    return count_drawn


@cache
def _root_adder(shape: Shape) -> Any:
    """Device functions that add a row to a block's sums, and these to the root's totals."""
    is_class, features, pitch = shape.classes > 0, shape.features, shape.pitch
    totals = shape.totals

    @cuda.jit(device=True)
    def add(sums: Any, own: Any, rows: Any, sample: Any, weight: Any) -> None:
        if is_class:
            cuda.atomic.add(sums, np.int64(rows.records[sample * pitch + features]), weight)
        else:
            own[0] += np.int64(weight)
            own[1] += np.int64(weight) * rows.targets[sample]

    @cuda.jit(device=True)
    def finish(sums: Any, own: Any, out: Any) -> None:
        cuda.syncthreads()
        if is_class:
            for k in range(cuda.threadIdx.x, totals, _THREADS):
                cuda.atomic.add(out, k, np.int64(sums[k]))
        else:
            for k in range(2):
                total = own[k]
                for power in range(5):
                    total += cuda.shfl_xor_sync(ALL_LANES, total, 1 << power)
                if cuda.laneid == 0:
                    cuda.atomic.add(out, k, total)

    return add, finish


@cache
def _collector(shape: Shape) -> Any:
    """The kernel that puts together the rows of each tree, parts x trees, and adds up its root."""
    size, totals = shape.part, shape.totals
    add, finish = _root_adder(shape)

    @cuda.jit
    def collect(weights: Any, ends: Any, rows: Any, level: Any, bits: Any) -> None:
        sums = cuda.shared.array(totals, np.uint32)
        warps = cuda.shared.array(_THREADS // WARP, np.int32)
        own = cuda.local.array(2, np.int64)
        tree, part, t = cuda.blockIdx.y, np.int64(cuda.blockIdx.x), cuda.threadIdx.x
        source = min(tree, weights.shape[0] - 1)
        own[0] = 0
        own[1] = 0
        for k in range(t, totals, _THREADS):
            sums[k] = 0
        at = np.int64(level.nodes[tree, START])
        if part > 0:
            at += ends[source, part - 1]
        for place in range(t, size, _THREADS):
            i = np.int64(part * size) + place
            weight = u32(0)
            if i < weights.shape[1]:
                weight = weights[source, i]
            found = cuda.ballot_sync(ALL_LANES, weight != 0)
            cuda.syncthreads()
            if cuda.laneid == 0:
                warps[t // WARP] = cuda.popc(found)
            cuda.syncthreads()
            goal = at + cuda.popc(u32(found) & cuda.lanemask_lt())
            for warp in range(_THREADS // WARP):
                goal += warps[warp] if warp < t // WARP else 0
                at += warps[warp]
            if weight != 0:
                rows.before[goal] = u32(i) | (weight << u32(bits))
                add(sums, own, rows, i, weight)
        finish(sums, own, level.totals[tree])

    return collect


@cache
def _planter(shape: Shape) -> Any:
    """The kernel that tells roots where their rows end, a thread each, and puts them on lists."""
    open_node = opener(shape)

    @cuda.jit
    def plant(ends: Any, level: Any, limits: Any) -> None:
        tree = cuda.grid(1)
        if tree < level.nodes.shape[0]:
            source = min(tree, ends.shape[0] - 1)
            drawn = ends[source, ends.shape[1] - 1]
            level.nodes[tree, END] = level.nodes[tree, START] + drawn
            if limits.goes_on:
                open_node(level, tree, limits)

    return plant


def plant(shape: Shape, weights: ndarray, rows: Any, level: Any, limits: Any) -> None:
    """Put together the rows that trees have drawn, and their roots.

    `weights` are trees x samples, or one row for all trees.
    """
    device, trees, part = weights._device, level.nodes.shape[0], shape.part
    parts = -(-weights.shape[1] // part)
    drawn = px.empty((weights.shape[0], parts), np.int32, device=weights.device)
    values, grid = read(weights), (parts, weights.shape[0])
    launch_alone(_counter(part), grid, _THREADS, device, values, written(drawn))
    ends = read(px.cumsum(drawn, axis=1))
    given = values, ends, rows, level, limits.bits
    launch_alone(_collector(shape), (parts, trees), _THREADS, device, *given)
    launch_alone(_planter(shape), -(-trees // WARP), WARP, device, ends, level, limits)
