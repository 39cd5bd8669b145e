"""Nodes that have a block each, which splits them in one launch."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .... import cuda
from .histograms import rows_adder, runner
from .parting import child_maker, child_opener, feature_drawer, parter
from .scoring import Room, chooser, gain_tester, node_weigher
from .shapes import BINS, END, SMALL, START, STATE, WARP, Shape

u32 = np.uint32


@cache
def _same_targets(shape: Shape, threads: int) -> Any:
    """A device function that tells if all targets of some rows are one number."""

    @cuda.jit(device=True)
    def are_same(rows: Any, span: Any, bits: Any) -> Any:
        mask = u32((1 << bits) - 1)
        first = rows.targets[np.int64(rows.before[span[0]] & mask)]
        is_same = True
        for i in range(span[0] + cuda.threadIdx.x, span[1], threads):
            is_same = is_same and rows.targets[np.int64(rows.before[i] & mask)] == first
        return cuda.syncthreads_and(is_same) != 0

    return are_same


@cache
def _searcher(shape: Shape, threads: int) -> Any:
    """A device function that finds the best split of a node by drawn features.

    More are drawn until one of them varies.
    """
    draw_next = feature_drawer(shape)[1]
    add_rows, run = rows_adder(shape, threads), runner(shape, threads)
    choose = chooser(shape, threads)
    weight_of = node_weigher(shape)
    features, drawn, together = shape.features, shape.drawn, shape.together

    @cuda.jit(device=True)
    def search(rows: Any, span: Any, total: Any, limits: Any, hist: Any, room: Any) -> Any:
        order, state, sums = room
        node = (np.int64(span[1] - span[0]), weight_of(total))
        best = -np.inf
        feature, last, after, varies = np.int64(0), np.int64(0), np.int64(0), False
        seen = np.int64(0)
        while seen < features and (seen < drawn or not varies):
            count = min(np.int64(together), np.int64(drawn) - seen)
            if seen >= drawn:
                count = np.int64(1)
                if cuda.threadIdx.x == 0:
                    draw_next(order, state, seen)
                cuda.syncthreads()
            add_rows(hist, rows, span, limits.bits, order, (seen, count))
            run(hist, count)
            found = (best, feature, last, after, varies)
            best, feature, last, after, varies = choose(
                hist, total, node, limits, sums, (seen, count, found)
            )
            seen += count
        return best, np.int64(order[feature]), last, after

    return search


@cache
def splitter(shape: Shape) -> Any:
    """The kernel that splits nodes of at most `part` rows, a block each."""
    threads = shape.tuning.small_threads
    begin, search = feature_drawer(shape)[0], _searcher(shape, threads)
    is_enough, weight_of = gain_tester(shape), node_weigher(shape)
    part, make = parter(shape, threads), child_maker(shape, threads)
    open_children, are_same = child_opener(shape), _same_targets(shape, threads)
    size, is_class = shape.together * shape.words * BINS, shape.classes > 0
    features, drawn, totals = shape.features, shape.drawn, shape.totals

    @cuda.jit
    def split_small(rows: Any, level: Any, deeper: Any, limits: Any) -> None:
        hist = cuda.shared.array(size, np.uint32)
        order = cuda.shared.array(features, np.int32)
        state = cuda.shared.array(1, np.int64)
        left = cuda.shared.array(totals, np.int64)
        scores = cuda.shared.array(threads // WARP, np.float64)
        keys = cuda.shared.array(threads // WARP, np.int64)
        places = cuda.shared.array(threads // WARP, np.int32)
        if cuda.blockIdx.x >= level.counts[SMALL]:
            return
        node = level.small[cuda.blockIdx.x]
        span = (np.int64(level.nodes[node, START]), np.int64(level.nodes[node, END]))
        if not is_class and are_same(rows, span, limits.bits):
            return
        total = level.totals[node]
        begin(order, state, level.nodes[node, STATE], drawn, threads)
        score, feature, last, after = search(
            rows, span, total, limits, hist, (order, state, Room(left, scores, keys))
        )
        if score == -np.inf:
            return
        if not is_enough(score, total, np.float64(weight_of(total)), limits):
            return
        child = make(level, deeper, node, (feature, last, after), left, places)
        middle = part(rows, span, limits.bits, (feature, last), places)
        if cuda.threadIdx.x == 0:
            open_children(deeper, child, span, middle, limits)

    return split_small
