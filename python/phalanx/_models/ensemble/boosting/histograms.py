"""Histograms of gradients, by feature on all cores; rows of a node are parted on all cores."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .... import njit, prange
from .search import searcher
from .workspace import BINS, COUNT, GRADIENT, HESSIAN

_PART = 8192  # rows that one iteration parts or copies


@cache
def _filler(has_hessians: bool) -> Any:
    @njit
    def fill(codes: Any, rows: Any, gradients: Any, hessians: Any, hist: Any) -> None:
        for b in range(BINS):
            for k in range(3):
                hist[b, k] = 0.0
        for i in range(rows.shape[0]):
            bin = hist[codes[rows[i]]]
            bin[GRADIENT] += gradients[i]
            if has_hessians:
                bin[HESSIAN] += hessians[i]
            bin[COUNT] += 1.0
        if not has_hessians:
            for b in range(BINS):
                hist[b, HESSIAN] = hist[b, COUNT]

    return fill


@cache
def gatherer(has_hessians: bool) -> Any:
    """A function that copies the gradients of a node's rows one after another."""

    @njit(parallel=True)
    def gather(work: Any, start: Any, end: Any) -> None:
        parts = (end - start + _PART - 1) // _PART
        for p in prange(parts):
            for i in range(start + p * _PART, min(end, start + (p + 1) * _PART)):
                row = work.rows[i]
                work.near_gradients[i - start] = work.gradients[row]
                if has_hessians:
                    work.near_hessians[i - start] = work.hessians[row]

    return gather


@cache
def children_evaluator(has_hessians: bool) -> Any:
    """A function that makes the histograms of a node's children, and finds their best splits.

    That of the smaller one is filled, that of the larger one is the parent's less it, in the
    parent's place. `which` are the smaller child, the larger one, and the side of the smaller.
    """
    fill, search = _filler(has_hessians), searcher()

    @njit(parallel=True)
    def children(data: Any, work: Any, nodes: Any, limits: Any, which: Any) -> None:
        small, large, side = which
        start = np.int64(nodes.start[small])
        end = np.int64(nodes.end[small])
        own = work.hists[nodes.slot[small]]
        other = work.hists[nodes.slot[large]]
        for f in prange(data.codes.shape[0]):
            hist, rest = own[f], other[f]
            near = (work.near_gradients, work.near_hessians)
            fill(data.codes[f], work.rows[start:end], near[0], near[1], hist)
            for b in range(BINS):
                for k in range(3):
                    rest[b, k] -= hist[b, k]
            out = (work.found[side, f], work.sets[side, f])
            search(hist, data, f, nodes.sums[small], limits, out)
            out = (work.found[1 - side, f], work.sets[1 - side, f])
            search(rest, data, f, nodes.sums[large], limits, out)

    return children


@cache
def root_evaluator(has_hessians: bool) -> Any:
    """A function that makes the histogram of the root, and finds its best splits."""
    fill, search = _filler(has_hessians), searcher()

    @njit(parallel=True)
    def root(data: Any, work: Any, nodes: Any, limits: Any) -> None:
        own = work.hists[nodes.slot[0]]
        total = nodes.sums[0]
        for f in prange(data.codes.shape[0]):
            fill(data.codes[f], work.rows, work.gradients, work.hessians, own[f])
            search(own[f], data, f, total, limits, (work.found[0, f], work.sets[0, f]))

    return root


@cache
def parter() -> Any:
    """A function that parts a node's rows by their bins' sides; returns how many go left.

    Each part of the rows is parted for itself; then all are put where they belong.
    """

    @njit(parallel=True)
    def part(codes: Any, work: Any, start: Any, end: Any, sides: Any) -> Any:
        rows, left, right, parts = work.rows, work.left, work.right, work.parts
        count = (end - start + _PART - 1) // _PART
        for p in prange(count):
            first = start + p * _PART
            n = 0
            m = 0
            for i in range(first, min(end, first + _PART)):
                row = rows[i]
                if sides[codes[row]]:
                    left[first + n] = row
                    n += 1
                else:
                    right[first + m] = row
                    m += 1
            parts[p] = n
        total = 0
        for p in range(count):
            n = parts[p]
            parts[p] = total
            total += n
        parts[count] = total
        for p in prange(count):
            first = start + p * _PART
            to = start + parts[p]
            n = parts[p + 1] - parts[p]
            for i in range(n):
                rows[to + i] = left[first + i]
            to = start + total + p * _PART - parts[p]
            for i in range(min(end, first + _PART) - first - n):
                rows[to + i] = right[first + i]
        return total

    return part
