"""What splits explain, of running sums of histograms; the best one of a block's features."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .... import cuda
from .histograms import pair_of
from .shapes import ALL_LANES, BINS, WARP, Shape


class Room(NamedTuple):
    """Shared memory of a block beside its histograms."""

    left: Any  # sums of the best split's left side
    scores: Any  # of warps
    keys: Any


@cache
def _gini(classes: int) -> Any:
    @cuda.jit(device=True)
    def gini(hist: Any, at: Any, total: Any, weights: Any, scale: Any) -> Any:
        left = 0.0
        right = 0.0
        for k in range(classes):
            own = np.float64(hist[at + k * BINS])
            other = np.float64(total[k]) - own
            left += own * own
            right += other * other
        return left / weights[0] + right / weights[1]

    return gini


@cache
def _entropy(classes: int) -> Any:
    @cuda.jit(device=True)
    def entropy(hist: Any, at: Any, total: Any, weights: Any, scale: Any) -> Any:
        left = 0.0
        right = 0.0
        for k in range(classes):
            own = np.float64(hist[at + k * BINS])
            other = np.float64(total[k]) - own
            if own > 0.0:
                left += own * math.log2(own / weights[0])
            if other > 0.0:
                right += other * math.log2(other / weights[1])
        return left + right

    return entropy


@cache
def _squared_error(classes: int) -> Any:
    pair = pair_of()

    @cuda.jit(device=True)
    def squared_error(hist: Any, at: Any, total: Any, weights: Any, scale: Any) -> Any:
        own = pair(hist, at + BINS)
        left = np.float64(own) * scale
        right = np.float64(total[1] - own) * scale
        return left * left / weights[0] + right * right / weights[1]

    return squared_error


_SIDES = {"gini": _gini, "entropy": _entropy, "squared_error": _squared_error}
CRITERIA = tuple(_SIDES)


@cache
def _weigher(shape: Shape) -> Any:
    """A device function that gives the weight of the samples up to a bin."""
    sums = shape.classes or 1

    @cuda.jit(device=True)
    def weight_at(hist: Any, at: Any) -> Any:
        weight = np.int64(0)
        for k in range(sums):
            weight += np.int64(hist[at + k * BINS])
        return weight

    return weight_at


@cache
def _scorer(shape: Shape) -> Any:
    """A device function of what a split explains: -inf where a side has too little."""
    sides = _SIDES[shape.criterion](shape.classes)
    counts_at, has_counts = (shape.words - 1) * BINS, shape.has_counts

    @cuda.jit(device=True)
    def score(hist: Any, at: Any, total: Any, node: Any, own: Any, limits: Any) -> Any:
        samples, weight = node
        left = np.float64(own)
        right = np.float64(weight - own)
        if left < limits.least_weight or right < limits.least_weight:
            return -np.inf
        if has_counts:
            count = np.int64(hist[at + counts_at])
            if count < limits.leaf or samples - count < limits.leaf:
                return -np.inf
        return sides(hist, at, total, (left, right), limits.scale)

    return score


@cache
def _best_of_threads(threads: int) -> Any:
    """A device function that gives all threads of a block the best of their scores.

    Of equal ones it is that with the least key, which was there first.
    """

    @cuda.jit(device=True)
    def best_of(score: Any, key: Any, scores: Any, keys: Any) -> Any:
        for power in range(5):
            other = cuda.shfl_xor_sync(ALL_LANES, score, 1 << power)
            other_key = cuda.shfl_xor_sync(ALL_LANES, key, 1 << power)
            if other > score or (other == score and other_key < key):
                score = other
                key = other_key
        if cuda.laneid == 0:
            scores[cuda.threadIdx.x // WARP] = score
            keys[cuda.threadIdx.x // WARP] = key
        cuda.syncthreads()
        for warp in range(threads // WARP):
            if scores[warp] > score or (scores[warp] == score and keys[warp] < key):
                score = scores[warp]
                key = keys[warp]
        return score, key

    return best_of


@cache
def _next_bin(shape: Shape) -> Any:
    """A device function of a warp: the first bin with samples after one."""
    weight_at = _weigher(shape)

    @cuda.jit(device=True)
    def next_bin(hist: Any, first: Any, last: Any) -> Any:
        own = weight_at(hist, first + last)
        base = np.int64(last + 1)
        while True:
            at = min(base + cuda.laneid, BINS - 1)
            found = cuda.ballot_sync(ALL_LANES, weight_at(hist, first + at) > own)
            if found != 0 or base >= BINS:
                return base + cuda.ffs(found) - 1
            base += WARP

    return next_bin


@cache
def _scanner(shape: Shape, threads: int) -> Any:
    """A device function of one thread of a block, which looks at some of the splits.

    It returns the best score, its place among all, -1 if it is no better than the one before, and
    if there is a split at all.
    """
    weight_at, score = _weigher(shape), _scorer(shape)
    size = shape.words * BINS

    @cuda.jit(device=True)
    def scan(hist: Any, count: Any, total: Any, node: Any, limits: Any, before: Any) -> Any:
        best = before
        key = np.int64(-1)  # what was there before is first among equals
        is_varying = False
        for place in range(cuda.threadIdx.x, count * BINS, threads):
            at = (place // BINS) * size + place % BINS
            own = weight_at(hist, at)
            lower = np.int64(0) if place % BINS == 0 else weight_at(hist, at - 1)
            if own > lower and own < node[1]:
                is_varying = True
                now = score(hist, at, total, node, own, limits)
                if now > best:
                    best = now
                    key = np.int64(place)
        return best, key, is_varying

    return scan


@cache
def chooser(shape: Shape, threads: int) -> Any:
    """A device function that finds the best split of a block's running sums.

    It returns what it explains, its feature's place among those of the block, the last bin on the
    left and the next one, and if a feature varies at all; what was better before stays. All
    threads get the same. `left` gets the sums of the left side.
    """
    scan, best_of, next_bin = _scanner(shape, threads), _best_of_threads(threads), _next_bin(shape)
    words, totals, is_class = shape.words, shape.totals, shape.classes > 0
    pair = pair_of()

    @cuda.jit(device=True)
    def choose(hist: Any, total: Any, node: Any, limits: Any, room: Any, before: Any) -> Any:
        first, count, found = before
        best, feature, last, after, varies = found
        own_best, key, is_varying = scan(hist, count, total, node, limits, best)
        if cuda.syncthreads_or(is_varying) != 0:
            varies = True
        now, key = best_of(own_best, key, room.scores, room.keys)
        if key >= 0:
            at = (key // BINS) * (words * BINS)
            best = now
            feature = first + key // BINS
            last = key % BINS
            after = next_bin(hist, at, last)
            for k in range(cuda.threadIdx.x, totals, threads):
                if is_class or k == 0:
                    room.left[k] = np.int64(hist[at + last + k * BINS])
                else:
                    room.left[k] = pair(hist, at + last + BINS)
        cuda.syncthreads()
        return best, feature, last, after, varies

    return choose


@cache
def node_weigher(shape: Shape) -> Any:
    """A device function of a node's totals: its weight."""
    sums = shape.classes or 1

    @cuda.jit(device=True)
    def weight_of(total: Any) -> Any:
        weight = np.int64(0)
        for k in range(sums):
            weight += total[k]
        return weight

    return weight_of


@cache
def gain_tester(shape: Shape) -> Any:
    """A device function that tells if a score gains enough beyond its node."""
    small = float(np.finfo(np.float64).eps)
    is_entropy, is_class, classes = shape.criterion == "entropy", shape.classes > 0, shape.classes

    @cuda.jit(device=True)
    def is_enough(score: Any, total: Any, weight: Any, limits: Any) -> Any:
        whole = 0.0
        if not is_class:
            target = np.float64(total[1]) * limits.scale
            whole = target * target / weight
        for k in range(classes):
            own = np.float64(total[k])
            if is_entropy:
                if own > 0.0:
                    whole += own * math.log2(own / weight)
            else:
                whole += own * own
        if is_class and not is_entropy:
            whole /= weight
        return (score - whole) / limits.weight + small >= limits.gain

    return is_enough
