"""Trees grown over binned features, many at a time, each by one core.

A node is a range of the tree's rows; a split parts the range in place. Both children of a node are
neighbors, so that a tree needs one link a node.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ... import njit, prange
from .criteria import WEIGHT, explained_by
from .frontier import frontier
from .histograms import adder, histogram_of
from .splitting import cutter, drawer, scanner, state_of_child
from .workspace import Grown, Room, Spec

_SMALL_GAIN = float(np.finfo(np.float64).eps)  # what a gain may lose by rounding


@cache
def _gatherer(is_class: bool) -> Any:
    """A function that copies a node's targets and weights, sums them, and tells if all are one."""
    add = adder(is_class)

    @njit
    def gather(data: Any, weights: Any, rows: Any, room: Any) -> Any:
        total = room.sums[2]
        for k in range(total.shape[0]):
            total[k] = 0.0
        first = data.targets[rows[0]]
        is_pure = True
        for i in range(rows.shape[0]):
            row = rows[i]
            target = data.targets[row]
            weight = weights[row]
            room.targets[i] = target
            room.weights[i] = weight
            is_pure = is_pure and target == first
            add(total, target, weight)
        return is_pure

    return gather


@cache
def _restorer() -> Any:
    """A function that takes swaps back, the last one first."""

    @njit
    def put_back(order: Any, swapped: Any, count: Any) -> None:
        for back in range(count):
            place = count - 1 - back
            other = swapped[place]
            f = order[place]
            order[place] = order[other]
            order[other] = f

    return put_back


@cache
def _searcher(spec: Spec) -> Any:
    """A function that finds the best split by drawn features, and writes it to the node.

    Features are drawn until enough are seen, and one of them varies. What is drawn depends on the
    node alone, not on those before it, so that nodes may be split in any order, as on a GPU.
    """
    histogram, scan = histogram_of(spec.is_class), scanner(spec.criterion, spec.is_random)
    draw, cut_of, put_back = drawer(), cutter(spec.is_random), _restorer()

    @njit
    def search(data: Any, rows: Any, limits: Any, room: Any, grown: Any, node: Any) -> Any:
        order, hist = room.order, room.hist
        features = order.shape[0]
        best = -np.inf
        seen = 0
        varies = False
        room.state[0] = grown.state[node]
        while seen < features and (seen < limits.features or not varies):
            other = seen + draw(room.state) % (features - seen)
            f = np.int64(order[other])
            order[other] = order[seen]
            order[seen] = f
            room.swapped[seen] = other
            seen += 1
            groups = histogram(data.codes[f], rows, room)
            if groups > 1:
                varies = True
                score, last, drawn = scan(room, groups, data.ranges[f], limits.leaf)
                if score > best:
                    best = score
                    grown.feature[node] = f
                    grown.cut[node] = cut_of(room, last, data.ranges[f], drawn)
                    grown.last[node] = room.ids[0, last]
            for g in range(groups):
                for k in range(hist.shape[1]):
                    hist[g, k] = 0.0
        put_back(order, room.swapped, seen)
        return best

    return search


@cache
def _evaluator(spec: Spec) -> Any:
    """A function that finds a node's split, and tells if the node may be split."""
    explained = explained_by(spec.criterion)
    gather, search = _gatherer(spec.is_class), _searcher(spec)

    @njit
    def evaluate(data: Any, own: Any, limits: Any, room: Any, grown: Any, node: Any) -> Any:
        rows = own[1][grown.start[node] : grown.end[node]]
        n = rows.shape[0]
        if n < limits.split or n < 2 * limits.leaf or grown.depth[node] >= limits.depth:
            return False
        total = room.sums[2]
        if gather(data, own[0], rows, room) or total[WEIGHT] < 2 * room.weight[0]:
            return False
        score = search(data, rows, limits, room, grown, node)
        if score == -np.inf:
            return False
        grown.gain[node] = score - explained(total)
        return grown.gain[node] / room.weight[1] + _SMALL_GAIN >= limits.gain

    return evaluate


@cache
def parter() -> Any:
    """A function that parts rows: those up to a bin first; both parts stay in order."""

    @njit
    def part(codes: Any, last: Any, rows: Any, spare: Any) -> Any:
        left = 0
        right = 0
        for i in range(rows.shape[0]):
            row = rows[i]
            if codes[row] <= last:
                rows[left] = row
                left += 1
            else:
                spare[right] = row
                right += 1
        for i in range(right):
            rows[left + i] = spare[i]
        return left

    return part


@cache
def _splitter() -> Any:
    """A function that gives a node its two children."""
    part, state_of = parter(), state_of_child()

    @njit
    def split(data: Any, rows: Any, room: Any, grown: Any, node: Any, nodes: Any) -> None:
        start = np.int64(grown.start[node])
        end = np.int64(grown.end[node])
        codes = data.codes[grown.feature[node]]
        middle = start + part(codes, grown.last[node], rows[start:end], room.spare)
        grown.left[node] = nodes
        for side in range(2):
            child = nodes + side
            grown.start[child] = start if side == 0 else middle
            grown.end[child] = middle if side == 0 else end
            grown.depth[child] = grown.depth[node] + 1
            grown.left[child] = -1
            grown.state[child] = state_of(grown.state[node], side)

    return split


@cache
def _room_maker() -> Any:
    @njit
    def room_for(data: Any, own: Any, limits: Any, sums: Any) -> Any:
        n = own[1].shape[0]
        room = Room(
            np.empty(n, data.targets.dtype),
            np.empty(n),
            np.empty(n, np.int32),
            np.arange(data.codes.shape[0]),
            np.empty(data.codes.shape[0], np.int64),
            np.zeros((data.ranges.shape[2], sums)),
            np.zeros((3, data.ranges.shape[2]), np.int64),
            np.zeros((3, sums)),
            np.empty(1, np.int64),
            np.zeros(2),
        )
        for i in range(n):
            room.weight[1] += own[0][own[1][i]]
        room.weight[0] = limits.leaf_share * room.weight[1]
        return room

    return room_for


@cache
def _one_grower(spec: Spec) -> Any:
    evaluate, split, room_for = _evaluator(spec), _splitter(), _room_maker()
    push, take = frontier()

    @njit
    def grow_one(data: Any, own: Any, limits: Any, seed: Any, grown: Any, sums: Any) -> Any:
        room = room_for(data, own, limits, sums)
        is_heap = limits.leaves > 0
        waiting = np.empty(grown.left.shape[0], np.int32)
        count = 0
        grown.start[0] = 0
        grown.end[0] = own[1].shape[0]
        grown.depth[0] = 0
        grown.left[0] = -1
        grown.state[0] = seed
        if evaluate(data, own, limits, room, grown, 0):
            push(waiting, count, 0, grown.gain, is_heap)
            count += 1
        nodes = 1
        while count > 0 and (not is_heap or nodes < 2 * limits.leaves - 1):
            node = np.int64(take(waiting, count, grown.gain, is_heap))
            count -= 1
            split(data, own[1], room, grown, node, nodes)
            for side in range(2):
                # The right child first: the left one is then taken first.
                child = nodes + 1 - side
                if evaluate(data, own, limits, room, grown, child):
                    push(waiting, count, child, grown.gain, is_heap)
                    count += 1
            nodes += 2
        return nodes

    return grow_one


@cache
def grower(spec: Spec) -> Any:
    """A function that grows trees, one an iteration, and sets how many nodes each has.

    `own` are the `Samples` of the trees; `nodes` comes with the number of sums of a node.
    """
    grow_one = _one_grower(spec)

    @njit(parallel=True)
    def grow(data: Any, own: Any, limits: Any, seeds: Any, grown: Any, nodes: Any) -> None:
        for t in prange(nodes.shape[0]):
            tree = Grown(
                grown.feature[t], grown.cut[t], grown.left[t], grown.start[t], grown.end[t],
                grown.depth[t], grown.last[t], grown.gain[t], grown.state[t],
            )  # fmt: skip
            rows = own.rows[t, : own.counts[t]]
            nodes[t] = grow_one(data, (own.weights[t], rows), limits, seeds[t], tree, nodes[t])

    return grow
