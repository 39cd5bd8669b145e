"""The best split of a node by one feature, from the gradients of the samples in each bin.

What a split gains is the sum of G^2 / (H + l2) of both sides beyond that of the node, as in
T. Chen and C. Guestrin, "XGBoost: A Scalable Tree Boosting System" (2016). Missing numbers are
tried on both sides. Categories are put in order of their mean gradients, of W. Fisher, "On grouping
for maximum homogeneity" (1958).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .... import njit
from .workspace import BINS, COUNT, GRADIENT, HESSIAN, MISSING

_LEAST_HESSIAN = 1e-3
_SUPPORT = 10.0  # the samples that a category must have, and the weight of a mean of 0


@cache
def _gainer() -> Any:
    """A function of the sums of the left side: the gain, -1 where a side has too few samples."""

    @njit
    def gain(g: Any, h: Any, n: Any, total: Any, limits: Any) -> Any:
        right_n = total[COUNT] - n
        right_h = total[HESSIAN] - h
        if n < limits.leaf or right_n < limits.leaf:
            return -1.0
        if h < _LEAST_HESSIAN or right_h < _LEAST_HESSIAN:
            return -1.0
        right_g = total[GRADIENT] - g
        whole = total[GRADIENT] * total[GRADIENT] / (total[HESSIAN] + limits.l2)
        return g * g / (h + limits.l2) + right_g * right_g / (right_h + limits.l2) - whole

    return gain


@cache
def _numbers_searcher() -> Any:
    gain = _gainer()

    @njit
    def scan(hist: Any, last: Any, side: Any, total: Any, limits: Any, found: Any) -> None:
        # With side 1 missing numbers are on the left.
        g = side * hist[MISSING, GRADIENT]
        h = side * hist[MISSING, HESSIAN]
        n = side * hist[MISSING, COUNT]
        for b in range(last):
            g += hist[b, GRADIENT]
            h += hist[b, HESSIAN]
            n += hist[b, COUNT]
            now = gain(g, h, n, total, limits)
            if now > found[0]:
                found[0] = now
                found[1] = b
                found[2] = side
                found[3] = g
                found[4] = h
                found[5] = n

    @njit
    def search(hist: Any, data: Any, f: Any, total: Any, limits: Any, found: Any) -> None:
        bins = np.int64(data.bins[f])
        if data.has_missing[f]:
            scan(hist, bins, 0.0, total, limits, found)
            scan(hist, bins - 1, 1.0, total, limits, found)
        else:
            scan(hist, bins - 1, 0.0, total, limits, found)
            # Nothing was learned of missing numbers: they go to the larger side.
            found[2] = 1.0 if 2.0 * found[5] > total[COUNT] else 0.0

    return search


@cache
def _sorter() -> Any:
    """A function that sorts categories with enough samples by their mean gradient."""

    @njit
    def by_mean(hist: Any, last: Any, total: Any, order: Any, means: Any) -> Any:
        share = total[COUNT] / max(total[HESSIAN], 1e-300)
        count = 0
        for b in range(BINS):
            if (b >= last and b != MISSING) or hist[b, HESSIAN] * share < _SUPPORT:
                continue
            mean = hist[b, GRADIENT] / (hist[b, HESSIAN] + _SUPPORT)
            j = count
            while j > 0 and means[j - 1] > mean:
                means[j] = means[j - 1]
                order[j] = order[j - 1]
                j -= 1
            means[j] = mean
            order[j] = b
            count += 1
        return count

    return by_mean


@cache
def _set_scanner() -> Any:
    """A function that takes sorted categories from either end to the left side, to the middle.

    It returns how many of them the best split takes, and from which end.
    """
    gain = _gainer()

    @njit
    def scan(hist: Any, order: Any, total: Any, limits: Any, found: Any) -> Any:
        count = order.shape[0]
        taken = 0
        last_end = 0
        # From the second end one less: the last set would be the rest of one of the first.
        for end in range(2 if count > 1 else 0):
            g = 0.0
            h = 0.0
            n = 0.0
            for j in range((count + 1) // 2 - end):
                b = order[j] if end == 0 else order[count - 1 - j]
                g += hist[b, GRADIENT]
                h += hist[b, HESSIAN]
                n += hist[b, COUNT]
                now = gain(g, h, n, total, limits)
                if now > found[0]:
                    taken = j + 1
                    last_end = end
                    found[0] = now
                    found[3] = g
                    found[4] = h
                    found[5] = n
        return taken, last_end

    return scan


@cache
def _categories_searcher() -> Any:
    scan, by_mean = _set_scanner(), _sorter()

    @njit
    def search(hist: Any, data: Any, f: Any, total: Any, limits: Any, out: Any) -> None:
        found, chosen = out
        order = np.empty(BINS, np.int64)
        means = np.empty(BINS)
        count = by_mean(hist, np.int64(data.bins[f]), total, order, means)
        taken, end = scan(hist, order[:count], total, limits, found)
        for b in range(BINS):
            chosen[b] = 0
        for j in range(taken):
            chosen[order[j] if end == 0 else order[count - 1 - j]] = 1
        if not data.has_missing[f] and 2.0 * found[5] > total[COUNT]:
            chosen[MISSING] = 1
        found[1] = 0.0
        found[2] = chosen[MISSING]

    return search


@cache
def searcher() -> Any:
    """A function that finds the best split by a feature; a gain of 0 or less is none."""
    numbers, categories = _numbers_searcher(), _categories_searcher()

    @njit
    def search(hist: Any, data: Any, f: Any, total: Any, limits: Any, out: Any) -> None:
        found = out[0]
        for k in range(found.shape[0]):
            found[k] = 0.0
        if data.is_category[f]:
            categories(hist, data, f, total, limits, out)
        else:
            numbers(hist, data, f, total, limits, found)

    return search
