"""Sorting, and what is found in sorted arrays, in CPU functions."""

from __future__ import annotations

import numpy as np

from .register import refuse, written


def _precedes(a, b):
    """Whether `a` comes before `b`: NaN is last."""
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


def _refuse_complex(a):
    if np.iscomplexobj(a):
        refuse("sorting takes real numbers, which have an order")


def _sort_line(a):
    """Quicksort: the pivot is the middle one of three, short parts are left to `_insert`."""
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


def _order_of(a):
    """The positions in sorted order; those of equal elements stay in theirs."""
    n = len(a)
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
                if j >= end or (i < middle and not _precedes(a[order[j]], a[order[i]])):
                    other[k] = order[i]
                    i += 1
                else:
                    other[k] = order[j]
                    j += 1
        order, other = other, order
        width *= 2
    return order


@written("method.sort")
def sort_in_place(a):
    """`a.sort()`."""
    _refuse_complex(a)
    if a.ndim == 1:
        _sort_line(a)
    else:
        for i in range(a.shape[0]):
            sort_in_place(a[i])


@written("numpy.sort")
def sort(a):
    """`np.sort` along the last axis."""
    _refuse_complex(a)
    result = a.copy()
    sort_in_place(result)
    return result


@written("numpy.argsort", "method.argsort")
def argsort(a, kind="quicksort"):
    """`np.argsort` along the last axis; every `kind` is stable."""
    _refuse_complex(a)
    if a.ndim == 1:
        return _order_of(a)
    order = np.empty(a.shape, np.int64)
    for i in range(len(a)):
        order[i] = argsort(a[i])
    return order


def _check_place(kth, n):
    if np.ndim(kth) == 0 and (kth < -n or kth >= n):
        raise ValueError("kth is out of bounds")


@written("numpy.partition")
def partition(a, kth):
    """`np.partition`: all of it is sorted."""
    if a.size > 0:
        _check_place(kth, a.shape[-1])
    return sort(a)


@written("numpy.argpartition")
def argpartition(a, kth):
    """`np.argpartition` of a vector: all of it is sorted."""
    if a.ndim != 1:
        refuse("argpartition takes a vector")
    if a.size > 0:
        _check_place(kth, len(a))
    return _order_of(a)


def _differ(a, b):
    """Whether two neighbours of a sorted array differ: one NaN is like another."""
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


def _place(a, value, is_right):
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
        return _place(a, v, is_right)
    found = np.empty(v.shape, np.int64)
    places = found.ravel()
    values = v.ravel()
    for i in range(len(values)):
        places[i] = _place(a, values[i], is_right)
    return found


@written("numpy.digitize")
def digitize(x, bins, right=False):
    """`np.digitize`: bins go up or down."""
    falls = len(bins) > 1 and bins[0] > bins[len(bins) - 1]
    edges = bins[::-1].copy() if falls else bins.copy()
    found = np.empty(x.shape, np.int64)
    places = found.ravel()
    values = x.ravel()
    for i in range(len(values)):
        place = _place(edges, values[i], not right)
        places[i] = len(edges) - place if falls else place
    return found


@written("numpy.isin")
def isin(element, test_elements, assume_unique=False, invert=False):
    """`np.isin`."""
    known = np.sort(test_elements.ravel())
    found = np.empty(element.shape, np.bool_)
    flags = found.ravel()
    values = element.ravel()
    for i in range(len(values)):
        place = _place(known, values[i], False)
        flags[i] = (place < len(known) and known[place] == values[i]) != invert
    return found


# ---- Order statistics ----


def _sorted_floats(a):
    values = np.empty(a.size, (a / 1.0).dtype)
    values[:] = a.ravel()
    _sort_line(values)
    return values


@written("numpy.median")
def median(a):
    """`np.median` of all elements."""
    values = _sorted_floats(a)
    n = len(values)
    if n == 0 or values[n - 1] != values[n - 1]:
        return values.dtype(np.nan)
    return (values[(n - 1) // 2] + values[n // 2]) / 2


def _quantile_of(values, share):
    n = len(values)
    if n == 0 or values[n - 1] != values[n - 1]:
        return np.nan
    position = share * (n - 1)
    below = min(int(position), n - 1)
    above = min(below + 1, n - 1)
    part = position - below
    low = float(values[below])
    high = float(values[above])
    # As NumPy does it: from the nearer end.
    return high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part


def _quantiles(a, q, whole):
    if isinstance(q, tuple):
        return _quantiles(a, np.array(q), whole)
    values = _sorted_floats(a)
    if np.ndim(q) == 0:
        if q < 0 or q > whole:
            raise ValueError("Percentiles or quantiles must be in their range")
        return _quantile_of(values, q / whole)
    found = np.empty(len(q), np.float64)
    for i in range(len(q)):
        if q[i] < 0 or q[i] > whole:
            raise ValueError("Percentiles or quantiles must be in their range")
        found[i] = _quantile_of(values, q[i] / whole)
    return found


@written("numpy.quantile")
def quantile(a, q):
    """`np.quantile` of all elements, linear between two."""
    return _quantiles(a, q, 1.0)


@written("numpy.percentile")
def percentile(a, q):
    """`np.percentile` of all elements, linear between two."""
    return _quantiles(a, q, 100.0)


def _without_nan(a):
    values = a.ravel()
    kept = np.empty(a.size, a.dtype)
    count = 0
    for i in range(len(values)):
        if values[i] == values[i]:
            kept[count] = values[i]
            count += 1
    return kept[:count]


@written("numpy.nanmedian")
def nanmedian(a):
    """`np.nanmedian` of all elements."""
    return median(_without_nan(a))


@written("numpy.nanpercentile")
def nanpercentile(a, q):
    """`np.nanpercentile` of all elements."""
    return _quantiles(_without_nan(a), q, 100.0)


@written("numpy.nanquantile")
def nanquantile(a, q):
    """`np.nanquantile` of all elements."""
    return _quantiles(_without_nan(a), q, 1.0)


# ---- Counts ----


@written("numpy.bincount")
def bincount(x, weights=None, minlength=0):
    """`np.bincount`."""
    length = minlength
    for i in range(len(x)):
        if x[i] < 0:
            raise ValueError("first argument must be non-negative")
        length = max(length, int(x[i]) + 1)
    if weights is None:
        counts = np.zeros(length, np.int64)
        for i in range(len(x)):
            counts[x[i]] += 1
        return counts
    sums = np.zeros(length, np.float64)
    for i in range(len(x)):
        sums[x[i]] += weights[i]
    return sums


def _histogram_of_edges(values, edges):
    counts = np.zeros(len(edges) - 1, np.int64)
    last = len(edges) - 1
    for i in range(len(values)):
        value = values[i]
        if value >= edges[0] and value <= edges[last]:
            counts[min(_place(edges, value, True) - 1, last - 1)] += 1
    return counts, edges


@written("numpy.histogram")
def histogram(a, bins=10, range=None):
    """`np.histogram` with a number of bins or their edges."""
    values = a.ravel()
    if np.ndim(bins) == 1:
        return _histogram_of_edges(values, bins)
    if range is None:
        low = float(np.min(a)) if a.size > 0 else 0.0
        high = float(np.max(a)) if a.size > 0 else 1.0
    else:
        low = float(range[0])
        high = float(range[1])
    if low > high:
        raise ValueError("histogram: the range must not go down")
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError(
            "histogram: the range of the values, or the one that is given, is not finite"
        )
    if bins < 1:
        raise ValueError("histogram: there must be one bin or more")
    if low == high:
        low -= 0.5
        high += 0.5
    return _histogram_of_edges(values, np.linspace(low, high, bins + 1))
