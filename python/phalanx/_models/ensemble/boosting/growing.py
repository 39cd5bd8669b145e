"""Trees of gradients: grown leaf by leaf, each split by all cores."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .... import njit
from ...tree.frontier import frontier
from ...tree.splitting import drawer
from .histograms import children_evaluator, gatherer, parter, root_evaluator
from .workspace import BINS, COUNT, MISSING


@cache
def _chooser() -> Any:
    """A function that writes the best of a node's splits to it; features may be drawn before."""
    draw = drawer()

    @njit
    def choose(data: Any, work: Any, limits: Any, nodes: Any, node: Any, side: Any) -> Any:
        features = data.codes.shape[0]
        order = work.order
        best = 0.0
        chosen = np.int64(-1)
        for j in range(limits.features):
            f = np.int64(j)
            if limits.features < features:
                other = j + draw(work.state) % (features - j)
                f = np.int64(order[other])
                order[other] = order[j]
                order[j] = f
            gain = work.found[side, f, 0]
            if gain > best or (gain == best and chosen > f):
                best = gain
                chosen = f
        if chosen < 0:
            return False
        found = work.found[side, chosen]
        nodes.gain[node] = best
        nodes.feature[node] = chosen
        nodes.bin[node] = np.int32(found[1])
        nodes.missing_left[node] = np.int32(found[2])
        for b in range(BINS):
            if data.is_category[chosen]:
                nodes.sides[node, b] = work.sets[side, chosen, b]
            else:
                nodes.sides[node, b] = 1 if b <= found[1] else 0
        nodes.sides[node, MISSING] = np.uint8(found[2])
        for k in range(3):
            nodes.left_sums[node, k] = found[3 + k]
        return True

    return choose


@cache
def _splitter() -> Any:
    """A function that gives a node its two children; returns the number of the smaller one."""
    part = parter()

    @njit
    def split(data: Any, work: Any, nodes: Any, node: Any, count: Any) -> Any:
        start = np.int64(nodes.start[node])
        end = np.int64(nodes.end[node])
        codes = data.codes[nodes.feature[node]]
        middle = start + part(codes, work, start, end, nodes.sides[node])
        nodes.left[node] = count
        for side in range(2):
            child = count + side
            nodes.start[child] = start if side == 0 else middle
            nodes.end[child] = middle if side == 0 else end
            nodes.depth[child] = nodes.depth[node] + 1
            nodes.left[child] = -1
            nodes.gain[child] = 0.0
            for k in range(3):
                left = nodes.left_sums[node, k]
                nodes.sums[child, k] = left if side == 0 else nodes.sums[node, k] - left
        return count if middle - start <= end - middle else count + 1

    return split


@cache
def _slots() -> Any:
    """Functions that take and give back a histogram's slot."""

    @njit
    def take(free: Any) -> Any:
        last = free.shape[0] - 1
        free[last] -= 1
        return free[free[last]]

    @njit
    def give(free: Any, slot: Any) -> None:
        last = free.shape[0] - 1
        free[free[last]] = slot
        free[last] += 1

    return take, give


@cache
def _children_maker(has_hessians: bool) -> Any:
    """A function that evaluates a split node's children, and tells which may be split.

    Bit 0 is of the smaller child, bit 1 of the larger.
    """
    gather, children = gatherer(has_hessians), children_evaluator(has_hessians)
    choose, (take_slot, give_slot) = _chooser(), _slots()

    @njit
    def make(data: Any, work: Any, nodes: Any, limits: Any, node: Any, pair: Any) -> Any:
        small, large = pair
        slot = nodes.slot[node]
        if nodes.depth[small] >= limits.depth or nodes.sums[large, COUNT] < 2 * limits.leaf:
            give_slot(work.free, slot)
            return 0
        nodes.slot[large] = slot
        nodes.slot[small] = take_slot(work.free)
        gather(work, np.int64(nodes.start[small]), np.int64(nodes.end[small]))
        children(data, work, nodes, limits, (small, large, 0))
        can = 0
        for side in range(2):
            child = small if side == 0 else large
            if nodes.sums[child, COUNT] >= 2 * limits.leaf and choose(
                data, work, limits, nodes, child, side
            ):
                can += 1 + side
            else:
                give_slot(work.free, nodes.slot[child])
        return can

    return make


@cache
def grower(has_hessians: bool) -> Any:
    """A function that grows a tree over all rows, and returns its number of nodes.

    The sums of the root are set before.
    """
    root, choose = root_evaluator(has_hessians), _chooser()
    split, make = _splitter(), _children_maker(has_hessians)
    take_slot, _ = _slots()
    push, take = frontier()

    @njit
    def grow(data: Any, work: Any, nodes: Any, limits: Any, waiting: Any) -> Any:
        nodes.start[0] = 0
        nodes.end[0] = work.rows.shape[0]
        nodes.depth[0] = 0
        nodes.left[0] = -1
        nodes.gain[0] = 0.0
        if nodes.sums[0, COUNT] < 2 * limits.leaf:
            return 1
        nodes.slot[0] = take_slot(work.free)
        root(data, work, nodes, limits)
        if not choose(data, work, limits, nodes, 0, 0):
            return 1
        is_heap = limits.leaves > 0
        waiting[0] = 0
        count = 1
        made = 1
        while count > 0:
            node = np.int64(take(waiting, count, nodes.gain, is_heap))
            count -= 1
            small = split(data, work, nodes, node, made)
            large = 2 * made + 1 - small
            made += 2
            if is_heap and made >= 2 * limits.leaves - 1:
                break
            can = make(data, work, nodes, limits, node, (small, large))
            # The smaller one is taken first, so that few histograms are kept.
            if can & 2:
                push(waiting, count, large, nodes.gain, is_heap)
                count += 1
            if can & 1:
                push(waiting, count, small, nodes.gain, is_heap)
                count += 1
        return made

    return grow
