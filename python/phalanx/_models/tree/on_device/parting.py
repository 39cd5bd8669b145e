"""Rows of a node are parted by its split, in order; children are made, and wait for their turn."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .... import cuda
from ..splitting import drawer, state_of_child
from .scoring import node_weigher
from .shapes import (
    ALL_LANES,
    COLUMNS,
    END,
    FEATURE,
    LARGE,
    LAST,
    LEFT,
    NEXT,
    NODES,
    PARTS,
    SMALL,
    START,
    STATE,
    TREE,
    WARP,
    Shape,
)

u32 = np.uint32
_LOW = 0xFFFFFFFF


@cache
def feature_drawer(shape: Shape) -> Any:
    """Device functions that begin a node's draws, and that draw its next feature.

    `order` has room for all features and then, of the generator, one.
    """
    features = shape.features
    draw = drawer()

    @cuda.jit(device=True)
    def draw_next(order: Any, state: Any, seen: Any) -> None:
        other = seen + draw(state) % (features - seen)
        f = order[other]
        order[other] = order[seen]
        order[seen] = f

    @cuda.jit(device=True)
    def begin(order: Any, state: Any, first: Any, count: Any, threads: Any) -> None:
        for f in range(cuda.threadIdx.x, features, threads):
            order[f] = f
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            state[0] = np.int64(first) & _LOW
            for seen in range(count):
                draw_next(order, state, seen)
        cuda.syncthreads()

    return begin, draw_next


@cache
def sider(shape: Shape) -> Any:
    """A device function that tells if a row goes left."""
    pitch = shape.pitch

    @cuda.jit(device=True)
    def goes_left(rows: Any, row: Any, bits: Any, split: Any) -> Any:
        sample = np.int64(row & u32((1 << bits) - 1))
        return np.int64(rows.records[sample * pitch + split[0]]) <= split[1]

    return goes_left


@cache
def parter(shape: Shape, threads: int) -> Any:
    """A device function that parts the rows of a block's node; it returns where they part.

    A warp has rows that follow each other: it counts those of the left side, and then moves all
    to where the rows of the warps before it end.
    """
    goes_left = sider(shape)
    warps = threads // WARP

    @cuda.jit(device=True)
    def part(rows: Any, span: Any, bits: Any, split: Any, counts: Any) -> Any:
        start, end = span
        warp = cuda.threadIdx.x // WARP
        own = (end - start + threads - 1) // threads * WARP
        begin = start + warp * own
        count = 0
        for i in range(begin + cuda.laneid, begin + own, WARP):
            is_left = i < end and goes_left(rows, rows.before[min(i, end - 1)], bits, split)
            count += cuda.popc(cuda.ballot_sync(ALL_LANES, is_left))
        if cuda.laneid == 0:
            counts[warp] = count
        cuda.syncthreads()
        left = start
        middle = start
        for other in range(warps):
            left += counts[other] if other < warp else 0
            middle += counts[other]
        right = middle + (begin - start) - (left - start)
        for i in range(begin + cuda.laneid, begin + own, WARP):
            row = rows.before[min(i, end - 1)]
            is_left = i < end and goes_left(rows, row, bits, split)
            lefts = cuda.ballot_sync(ALL_LANES, is_left)
            lower = cuda.popc(u32(lefts) & cuda.lanemask_lt())
            if i < end:
                rows.after[left + lower if is_left else right + cuda.laneid - lower] = row
            left += cuda.popc(lefts)
            right += WARP - cuda.popc(lefts)
        return middle

    return part


@cache
def opener(shape: Shape) -> Any:
    """A device function that puts a node on the list of its size, if it may be split at all."""
    weight_of, classes, part = node_weigher(shape), shape.classes, shape.part

    @cuda.jit(device=True)
    def open_node(level: Any, node: Any, limits: Any) -> None:
        start = level.nodes[node, START]
        samples = level.nodes[node, END] - start
        total = level.totals[node]
        weight = weight_of(total)
        if samples < limits.split or samples < 2 * limits.leaf:
            return
        if np.float64(weight) < 2.0 * limits.least_weight:
            return
        for k in range(classes):
            if total[k] == weight:
                return
        if samples <= part:
            level.small[cuda.atomic.add(level.counts, SMALL, 1)] = node
            return
        count = (samples + part - 1) // part
        first = cuda.atomic.add(level.counts, PARTS, count)
        place = cuda.atomic.add(level.counts, LARGE, 1)
        level.large[place, 0] = node
        level.large[place, 1] = first
        for i in range(count):
            level.parts[first + i, 0] = place
            level.parts[first + i, 1] = start + i * part

    return open_node


@cache
def child_maker(shape: Shape, threads: int) -> Any:
    """A device function that makes the children of a node, which have no rows yet.

    One thread's `found` is the feature, the last bin on the left, and the next one.
    """
    totals = shape.totals
    state_of = state_of_child()

    @cuda.jit(device=True)
    def make(level: Any, deeper: Any, node: Any, found: Any, left: Any, place: Any) -> Any:
        if cuda.threadIdx.x == 0:
            child = cuda.atomic.add(deeper.counts, NODES, 2)
            place[0] = child
            level.nodes[node, LEFT] = child
            level.nodes[node, FEATURE] = found[0]
            level.nodes[node, LAST] = found[1]
            level.nodes[node, NEXT] = found[2]
            state = np.int64(level.nodes[node, STATE]) & _LOW
            for side in range(2):
                for column in range(COLUMNS):
                    deeper.nodes[child + side, column] = -1
                deeper.nodes[child + side, TREE] = level.nodes[node, TREE]
                deeper.nodes[child + side, STATE] = np.int32(u32(state_of(state, side)))
        cuda.syncthreads()
        child = place[0]
        for k in range(cuda.threadIdx.x, totals, threads):
            deeper.totals[child, k] = left[k]
            deeper.totals[child + 1, k] = level.totals[node, k] - left[k]
        cuda.syncthreads()
        return child

    return make


@cache
def child_opener(shape: Shape) -> Any:
    """A device function that gives children their rows, and puts them on the lists."""
    open_node = opener(shape)

    @cuda.jit(device=True)
    def open_children(deeper: Any, child: Any, span: Any, middle: Any, limits: Any) -> None:
        for side in range(2):
            deeper.nodes[child + side, START] = span[0] if side == 0 else middle
            deeper.nodes[child + side, END] = middle if side == 0 else span[1]
            if limits.goes_on:
                open_node(deeper, child + side, limits)

    return open_children
