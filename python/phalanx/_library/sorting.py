"""Sorting, and what is found in sorted arrays, in CPU functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .register import refuse, written
from .routines import NARROW, SHORT, WIDE, by_type, check_memory, elements_of, is_in_place, routine


def _precedes(a, b):
    """Returns whether `a` comes before `b`: NaN is last."""
    if isinstance(a, (complex, np.complex64)):
        refuse("sorting takes real numbers, which have an order")
    return a < b or (a == a and b != b)


def _insert(a, low, high):
    for i in range(low + 1, high + 1):
        value = a[i]
        j = i
        while j > low and _precedes(value, a[j - 1]):
            a[j] = a[j - 1]
            j -= 1
        a[j] = value


def _swap_if_wrong(a, i, j):
    if _precedes(a[j], a[i]):
        a[i], a[j] = a[j], a[i]


def _quicksort(a):
    """Quicksort for other types: the pivot is the middle of three, `_insert` does short parts."""
    lows = np.empty(64, np.int64)
    highs = np.empty(64, np.int64)
    lows[0] = 0
    highs[0] = len(a) - 1
    waiting = 1
    while waiting > 0:
        waiting -= 1
        low = lows[waiting]
        high = highs[waiting]
        while high - low >= 16:
            middle = (low + high) // 2
            _swap_if_wrong(a, low, middle)
            _swap_if_wrong(a, middle, high)
            _swap_if_wrong(a, low, middle)
            pivot = a[middle]
            i = low
            j = high
            while i <= j:
                while _precedes(a[i], pivot):
                    i += 1
                while _precedes(pivot, a[j]):
                    j -= 1
                if i <= j:
                    a[i], a[j] = a[j], a[i]
                    i += 1
                    j -= 1
            # The longer part waits, so that at most one for each halving does.
            if j - low < high - i:
                lows[waiting] = i
                highs[waiting] = high
                high = j
            else:
                lows[waiting] = low
                highs[waiting] = j
                low = i
            waiting += 1
        _insert(a, low, high)


def _sort_by_routine(a):
    routine("sort", a, len(a))


def _sort_copy(a):
    vector = a.copy()
    routine("sort", vector, len(vector))
    a[:] = vector


def _sort_vector(a):
    """Sorts a vector in place."""


@by_type(_sort_vector)
def _sort_vector_of(a: Any) -> Any:
    if elements_of(a) not in NARROW | SHORT | WIDE or not a.mutable:
        return _quicksort
    return _sort_by_routine if is_in_place(a) else _sort_copy


def merge_order(keys, comes_before):
    """The positions in sorted order; those of equal keys stay in theirs.

    ``comes_before(keys, i, j)`` tells whether the key at i has to come before the one at j.
    """
    n = len(keys)
    order = np.arange(n)
    other = np.empty(n, np.int64)
    width = 1
    while width < n:
        for begin in range(0, n, 2 * width):
            middle = min(begin + width, n)
            end = min(begin + 2 * width, n)
            i = begin
            j = middle
            for k in range(begin, end):
                is_second = j < end
                if i < middle and j < end:
                    is_second = comes_before(keys, order[j], order[i])
                if is_second:
                    other[k] = order[j]
                    j += 1
                else:
                    other[k] = order[i]
                    i += 1
        order, other = other, order
        width *= 2
    return order


def _precedes_at(a, i, j):
    return _precedes(a[i], a[j])


def _order_by_merging(a, order):
    order[:] = merge_order(a, _precedes_at)


def _order_by_routine(a, order):
    check_memory(routine("argsort", np.ascontiguousarray(a), len(a), order))


def _order_vector(a, order):
    """Fills `order` with the positions of a vector's elements in sorted order; stable."""


@by_type(_order_vector)
def _order_vector_of(a: Any, order: Any) -> Any:
    return _order_by_routine if elements_of(a) in NARROW | SHORT | WIDE else _order_by_merging


@written("method.sort")
def sort_in_place(a):
    """`a.sort()`."""
    if a.ndim == 1:
        _sort_vector(a)
    else:
        for i in range(a.shape[0]):
            sort_in_place(a[i])


@written("numpy.sort")
def sort(a):
    """`np.sort` along the last axis."""
    result = a.copy()
    sort_in_place(result)
    return result


def _order_vectors(a, order):
    if a.ndim == 1:
        _order_vector(a, order)
    else:
        for i in range(a.shape[0]):
            _order_vectors(a[i], order[i])


@written("numpy.argsort", "method.argsort")
def argsort(a, kind="quicksort"):
    """`np.argsort` along the last axis; every `kind` is stable."""
    order = np.empty(a.shape, np.int64)
    _order_vectors(a, order)
    return order


def _differ(a, b):
    """Returns whether two neighbours of a sorted array differ: one NaN is like another."""
    return a != b and (a == a or b == b)


@written("numpy.unique")
def unique(ar):
    """`np.unique`."""
    values = np.sort(ar.ravel())
    count = 0
    for i in range(len(values)):
        if i == 0 or _differ(values[i], values[count - 1]):
            values[count] = values[i]
            count += 1
    return values[:count].copy()


def insertion_index(a, value, is_right):
    """How many elements of sorted `a` come before `value`."""
    low = 0
    high = len(a)
    while low < high:
        middle = (low + high) // 2
        if (not _precedes(value, a[middle])) if is_right else _precedes(a[middle], value):
            low = middle + 1
        else:
            high = middle
    return low


@written("numpy.searchsorted", "method.searchsorted")
def searchsorted(a, v, side="left"):
    """`np.searchsorted`."""
    if isinstance(v, tuple):
        return searchsorted(a, np.array(v), side)
    is_right = side == "right"
    if np.ndim(v) == 0:
        return insertion_index(a, v, is_right)
    found = np.empty(v.shape, np.int64)
    indices = found.ravel()
    values = v.ravel()
    for i in range(len(values)):
        indices[i] = insertion_index(a, values[i], is_right)
    return found


@written("numpy.digitize")
def digitize(x, bins, right=False):
    """`np.digitize`: bins go up or down."""
    falls = len(bins) > 1 and bins[0] > bins[len(bins) - 1]
    edges = bins[::-1].copy() if falls else bins.copy()
    found = np.empty(x.shape, np.int64)
    indices = found.ravel()
    values = x.ravel()
    for i in range(len(values)):
        index = insertion_index(edges, values[i], not right)
        indices[i] = len(edges) - index if falls else index
    return found


@written("numpy.isin")
def isin(element, test_elements, assume_unique=False, invert=False):
    """`np.isin`."""
    known = np.sort(test_elements.ravel())
    found = np.empty(element.shape, np.bool_)
    flags = found.ravel()
    values = element.ravel()
    for i in range(len(values)):
        index = insertion_index(known, values[i], False)
        flags[i] = (index < len(known) and known[index] == values[i]) != invert
    return found
