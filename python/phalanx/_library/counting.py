"""Counts of values, in CPU functions: bincount and histogram."""

from __future__ import annotations

from typing import Any

import numpy as np

from .register import written
from .routines import by_type, elements_of
from .sorting import insertion_index


@written("numpy.bincount")
def bincount(x, weights=None, minlength=0):
    """`np.bincount`."""
    length = minlength
    for i in range(len(x)):
        if np.int64(x[i]) < 0:  # or beyond what an index may be
            raise ValueError("first argument must be non-negative")
        if x[i] == 2**63 - 1:
            raise ValueError("array is too big: its length exceeds the largest index")
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
            counts[min(insertion_index(edges, value, True) - 1, last - 1)] += 1
    return counts, edges


def _single_edges(values, low, high, bins, is_given):
    if is_given:
        return np.linspace(low, high, bins + 1).astype(np.float32)
    edges = np.empty(bins + 1, np.float32)
    width = (np.float32(high) - np.float32(low)) / np.float32(bins)
    for i in range(bins):
        edges[i] = np.float32(i) * width + np.float32(low)
    edges[bins] = high
    return edges


def _double_edges(values, low, high, bins, is_given):
    return np.linspace(low, high, bins + 1)


def _edges(values, low, high, bins, is_given):
    """The edges of bins of one width, in the precision of the values."""


@by_type(_edges)
def _edges_of(values: Any, *others: Any) -> Any:
    return _single_edges if elements_of(values) == "float32" else _double_edges


def _histogram_of_range(values, edges, bins, rounding):
    """The bin is computed, and compared with its edges as in NumPy, only where rounding may matter.

    `rounding` is what an edge may be off by, relative to the larger end of the range.
    """
    low = float(edges[0])
    high = float(edges[bins])
    width = high - low
    scale = bins / width
    if not (scale > 0 and np.isfinite(scale)):
        return _histogram_of_edges(values, edges)
    counts = np.zeros(bins, np.int64)
    last = bins - 1
    # From the middle of a bin to where its edges must be compared.
    certain = 0.5 - bins * rounding * (1.0 + max(abs(low), abs(high)) / width)
    for i in range(len(values)):
        value = float(values[i])
        if value >= low and value <= high:
            exact = (value - low) * scale
            index = np.uint64(int(exact))  # which needs no look at its sign
            if abs(exact - float(int(exact)) - 0.5) < certain:
                counts[index] += 1
            else:
                counts[_corrected(value, edges, min(int(exact), last), last)] += 1
    return counts, edges


def _corrected(value, edges, index, last):
    """The bin, set right by its edges."""
    if value < edges[index]:
        return index - 1
    if value >= edges[index + 1] and index != last:
        return index + 1
    return index


def _range_of(a, range):
    if range is None:
        low = float(np.min(a)) if a.size > 0 else 0.0
        high = float(np.max(a)) if a.size > 0 else 1.0
    else:
        low = float(range[0])
        high = float(range[1])
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _check_range(low, high):
    if low > high:
        raise ValueError("histogram: the range must not go down")
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError(
            "histogram: the range of the values, or the one that is given, is not finite"
        )


_each = range  # whose name is a parameter's below


@written("numpy.histogram")
def histogram(a, bins=10, range=None):
    """`np.histogram` with a number of bins or their edges."""
    values = a.ravel()
    if np.ndim(bins) == 1:
        for i in _each(1, len(bins)):
            if bins[i - 1] > bins[i]:
                raise ValueError("histogram: the edges of the bins must not go down")
        return _histogram_of_edges(values, bins)
    low, high = _range_of(a, range)
    _check_range(low, high)
    if bins < 1:
        raise ValueError("histogram: there must be one bin or more")
    edges = _edges(values, low, high, bins, range is not None)
    for i in _each(bins):
        if edges[i] >= edges[i + 1]:
            raise ValueError("histogram: too many bins for the range: edges are the same number")
    rounding = 1e-6 if edges.itemsize == 4 else 1e-15
    return _histogram_of_range(values, edges, bins, rounding)
