"""Nodes of many rows: blocks have parts of them, and add up their histograms in global memory."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .... import cuda
from .histograms import merger, rows_adder, runner
from .parting import child_maker, child_opener, feature_drawer, sider
from .scoring import Room, chooser, gain_tester, node_weigher
from .shapes import ALL_LANES, BINS, END, FEATURE, LAST, LEFT, SMALL, START, STATE, WARP, Shape

u32 = np.uint32


@cache
def adder(shape: Shape) -> Any:
    """The kernel that makes histograms: parts x groups of features.

    `differs` of a node of numbers gets 1 where not all its targets are one.
    """
    threads, size = shape.tuning.threads, shape.part
    begin = feature_drawer(shape)[0]
    add_rows, merge = rows_adder(shape, threads), merger(shape, threads)
    features, drawn, together, words = shape.features, shape.drawn, shape.together, shape.words
    is_class = shape.classes > 0

    @cuda.jit
    def add_parts(rows: Any, level: Any, limits: Any, hists: Any, differs: Any) -> None:
        hist = cuda.shared.array(together * words * BINS, np.uint32)
        order = cuda.shared.array(features, np.int32)
        state = cuda.shared.array(1, np.int64)
        place = level.parts[cuda.blockIdx.x, 0]
        start = np.int64(level.parts[cuda.blockIdx.x, 1])
        node = level.large[place, 0]
        end = min(start + size, np.int64(level.nodes[node, END]))
        begin(order, state, level.nodes[node, STATE], drawn, threads)
        first = np.int64(cuda.blockIdx.y * together)
        count = min(np.int64(together), drawn - first)
        add_rows(hist, rows, (start, end), limits.bits, order, (first, count))
        merge(hist, hists[place], first * (words * BINS), count)
        if not is_class and cuda.blockIdx.y == 0:
            mask = u32((1 << limits.bits) - 1)
            one = rows.targets[np.int64(rows.before[level.nodes[node, START]] & mask)]
            for i in range(start + cuda.threadIdx.x, end, threads):
                if rows.targets[np.int64(rows.before[i] & mask)] != one:
                    differs[place] = 1

    return add_parts


@cache
def _searcher(shape: Shape, threads: int) -> Any:
    """A device function that finds the best split of a node by its histograms in global memory."""
    run, choose = runner(shape, threads), chooser(shape, threads)
    drawn, together, size = shape.drawn, shape.together, shape.words * BINS

    @cuda.jit(device=True)
    def search(hists: Any, total: Any, node: Any, limits: Any, hist: Any, room: Any) -> Any:
        best = -np.inf
        feature, last, after, varies = np.int64(0), np.int64(0), np.int64(0), False
        for first in range(0, drawn, together):
            count = min(together, drawn - first)
            for i in range(cuda.threadIdx.x, count * size, threads):
                hist[i] = hists[first * size + i]
            cuda.syncthreads()
            run(hist, count)
            found = (best, feature, last, after, varies)
            best, feature, last, after, varies = choose(
                hist, total, node, limits, room, (first, count, found)
            )
        return best, feature, last, after, varies

    return search


@cache
def chooser_of_nodes(shape: Shape) -> Any:
    """The kernel that chooses the splits of large nodes, a block each, and makes their children.

    A node whose drawn features do not vary goes to those that have a block each.
    """
    threads = shape.tuning.threads
    begin, search = feature_drawer(shape)[0], _searcher(shape, threads)
    is_enough, weight_of = gain_tester(shape), node_weigher(shape)
    make = child_maker(shape, threads)
    features, drawn, size = shape.features, shape.drawn, shape.together * shape.words * BINS
    is_class, totals = shape.classes > 0, shape.totals

    @cuda.jit
    def choose_splits(level: Any, deeper: Any, limits: Any, hists: Any, differs: Any) -> None:
        hist = cuda.shared.array(size, np.uint32)
        order = cuda.shared.array(features, np.int32)
        state = cuda.shared.array(1, np.int64)
        left = cuda.shared.array(totals, np.int64)
        scores = cuda.shared.array(threads // WARP, np.float64)
        keys = cuda.shared.array(threads // WARP, np.int64)
        places = cuda.shared.array(1, np.int32)
        place = cuda.blockIdx.x
        node = level.large[place, 0]
        if not is_class and differs[place] == 0:
            return
        total = level.totals[node]
        own = (np.int64(level.nodes[node, END] - level.nodes[node, START]), weight_of(total))
        begin(order, state, level.nodes[node, STATE], drawn, threads)
        best, feature, last, after, varies = search(
            hists[place], total, own, limits, hist, Room(left, scores, keys)
        )
        if not varies and drawn < features:
            if cuda.threadIdx.x == 0:
                level.small[cuda.atomic.add(level.counts, SMALL, 1)] = node
            return
        if best == -np.inf:
            return
        if is_enough(best, total, np.float64(own[1]), limits):
            make(level, deeper, node, (np.int64(order[feature]), last, after), left, places)

    return choose_splits


@cache
def counter(shape: Shape) -> Any:
    """The kernel that finds the side of each row: a bit each, and how many of a part go left."""
    threads, size = shape.tuning.threads, shape.part
    goes_left = sider(shape)

    @cuda.jit
    def count_lefts(rows: Any, level: Any, limits: Any, sides: Any, lefts: Any) -> None:
        part = cuda.blockIdx.x
        node = level.large[level.parts[part, 0], 0]
        if level.nodes[node, LEFT] < 0:
            return
        start = np.int64(level.parts[part, 1])
        end = np.int64(level.nodes[node, END])
        split = (np.int64(level.nodes[node, FEATURE]), np.int64(level.nodes[node, LAST]))
        count = 0
        for place in range(cuda.threadIdx.x, size, threads):
            i = start + place
            is_left = i < end and goes_left(rows, rows.before[min(i, end - 1)], limits.bits, split)
            found = cuda.ballot_sync(ALL_LANES, is_left)
            if cuda.laneid == 0:
                sides[part, place // WARP] = found
                count += cuda.popc(found)
        if cuda.laneid == 0:
            cuda.atomic.add(lefts, part, count)

    return count_lefts


@cache
def _before_part(threads: int) -> Any:
    """A device function of counts of parts: the sums of those before one, and of all."""

    @cuda.jit(device=True)
    def before_part(lefts: Any, span: Any, part: Any, sums: Any) -> Any:
        if cuda.threadIdx.x < 2:
            sums[cuda.threadIdx.x] = 0
        cuda.syncthreads()
        before = 0
        total = 0
        for i in range(span[0] + cuda.threadIdx.x, span[1], threads):
            total += lefts[i]
            before += lefts[i] if i < part else 0
        cuda.atomic.add(sums, 0, before)
        cuda.atomic.add(sums, 1, total)
        cuda.syncthreads()
        return np.int64(sums[0]), np.int64(sums[1])

    return before_part


@cache
def mover(shape: Shape) -> Any:
    """The kernel that moves the rows of large nodes, and gives children theirs."""
    threads, size = shape.tuning.threads, shape.part
    before_part, open_children = _before_part(threads), child_opener(shape)
    of_warp = size // threads  # words of sides

    @cuda.jit
    def move_rows(rows: Any, level: Any, deeper: Any, limits: Any, sides: Any, lefts: Any) -> None:
        sums = cuda.shared.array(2, np.int32)
        part = cuda.blockIdx.x
        place = level.parts[part, 0]
        node, first = level.large[place, 0], level.large[place, 1]
        child = level.nodes[node, LEFT]
        if child < 0:
            return
        begin, end = np.int64(level.nodes[node, START]), np.int64(level.nodes[node, END])
        start = np.int64(level.parts[part, 1])
        many = (end - begin + size - 1) // size
        earlier, total = before_part(lefts, (first, first + many), part, sums)
        middle = begin + total
        if part == first and cuda.threadIdx.x == 0:
            open_children(deeper, child, (begin, end), middle, limits)
        word = cuda.threadIdx.x // WARP * of_warp
        left = begin + earlier
        for i in range(word):
            left += cuda.popc(sides[part, i])
        at = start + word * WARP
        right = middle + (at - begin) - (left - begin)
        for i in range(of_warp):
            found = u32(sides[part, word + i])
            lower = cuda.popc(found & cuda.lanemask_lt())
            if at + cuda.laneid < end:
                is_left = (found >> u32(cuda.laneid)) & u32(1) != 0
                to = left + lower if is_left else right + cuda.laneid - lower
                rows.after[to] = rows.before[at + cuda.laneid]
            left += cuda.popc(found)
            right += WARP - cuda.popc(found)
            at += WARP

    return move_rows
