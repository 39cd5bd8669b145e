"""What sorting would tell, found by selection, in CPU functions: median, quantiles, partition."""

from __future__ import annotations

from typing import Any

import numpy as np

from .register import refuse, written
from .routines import WIDE, by_type, check_memory, elements_of, routine

# From this many quantiles on, sorting once is faster than a selection each.
_MANY = 16


def _select_by_sorting(values, rank, found):
    vector = np.sort(values)
    count = len(vector)
    found[0] = vector[min(rank, count - 1)]
    found[1] = vector[min(rank + 1, count - 1)]
    nans = 0
    for i in range(count):
        nans += vector[i] != vector[i]
    return nans


def _select_by_routine(values, rank, found):
    nans = routine("select", values, len(values), rank, found)
    check_memory(nans)
    return nans


def _select(values, rank, found):
    """The elements at `rank` and the next of the sorted vector; gives the number of NaN."""


@by_type(_select)
def _select_of(values: Any, rank: Any, found: Any) -> Any:
    return _select_by_routine if elements_of(values) in WIDE else _select_by_sorting


def _as_given(a):
    return a.ravel()


def _as_floats(a):
    values = np.empty(a.size, (a / 1.0).dtype)
    values[:] = a.ravel()
    return values


def _selectable(a):
    """All elements as a vector that elements are selected of."""


@by_type(_selectable)
def _selectable_of(a: Any) -> Any:
    return _as_given if elements_of(a) in WIDE else _as_floats


def _count_numbers(values):
    count = 0
    for i in range(len(values)):
        count += values[i] == values[i]
    return count


def _median_of(a, values, count):
    """The median of the `count` elements that are numbers; NaN where there are others."""
    kind = (a / 1.0).dtype
    if count == 0:
        return kind(np.nan)
    found = np.empty(2, values.dtype)
    nans = _select(values, (count - 1) // 2, found)
    if nans > len(values) - count:
        return kind(np.nan)
    if count % 2 == 1:
        return kind(found[0])
    return (kind(found[0]) + kind(found[1])) / 2


@written("numpy.median")
def median(a):
    """`np.median` of all elements."""
    values = _selectable(a)
    return _median_of(a, values, len(values))


@written("numpy.nanmedian")
def nanmedian(a):
    """`np.nanmedian` of all elements."""
    values = _selectable(a)
    return _median_of(a, values, _count_numbers(values))


def _share(q, whole):
    if not (q >= 0 and q <= whole):
        raise ValueError("Percentiles or quantiles must be in their range")
    return q / whole


def _between(low, high, part):
    # As NumPy does it: from the nearer end.
    return high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part


def _quantile_of(values, count, share):
    if count == 0:
        return np.nan
    position = share * (count - 1)
    below = min(int(position), count - 1)
    found = np.empty(2, values.dtype)
    nans = _select(values, below, found)
    if nans > len(values) - count:
        return np.nan
    high = found[1] if below + 1 < count else found[0]
    return _between(float(found[0]), float(high), position - below)


def _quantile_of_sorted(vector, count, share):
    if count == 0 or vector[count - 1] != vector[count - 1]:
        return np.nan
    position = share * (count - 1)
    below = min(int(position), count - 1)
    above = min(below + 1, count - 1)
    return _between(float(vector[below]), float(vector[above]), position - below)


def _quantiles(values, count, q, whole):
    if isinstance(q, tuple):
        return _quantiles(values, count, np.array(q), whole)
    if np.ndim(q) == 0:
        return _quantile_of(values, count, _share(q, whole))
    found = np.empty(len(q), np.float64)
    if len(q) < _MANY:
        for i in range(len(q)):
            found[i] = _quantile_of(values, count, _share(q[i], whole))
    else:
        vector = np.sort(values)
        if count == len(vector) and count > 0 and vector[count - 1] != vector[count - 1]:
            found[:] = np.nan
        for i in range(len(q)):
            found[i] = _quantile_of_sorted(vector, count, _share(q[i], whole))
    return found


@written("numpy.quantile")
def quantile(a, q):
    """`np.quantile` of all elements, linear between two."""
    values = _selectable(a)
    return _quantiles(values, len(values), q, 1.0)


@written("numpy.percentile")
def percentile(a, q):
    """`np.percentile` of all elements, linear between two."""
    values = _selectable(a)
    return _quantiles(values, len(values), q, 100.0)


@written("numpy.nanquantile")
def nanquantile(a, q):
    """`np.nanquantile` of all elements."""
    values = _selectable(a)
    return _quantiles(values, _count_numbers(values), q, 1.0)


@written("numpy.nanpercentile")
def nanpercentile(a, q):
    """`np.nanpercentile` of all elements."""
    values = _selectable(a)
    return _quantiles(values, _count_numbers(values), q, 100.0)


# ---- Parts ----


def _check_index(kth, n):
    if np.ndim(kth) == 0 and (kth < -n or kth >= n):
        raise ValueError("kth is out of bounds")


def _partition_by_sorting(vector, kth, out):
    out[:] = np.sort(vector)


def _partition_by_routine(vector, kth, out):
    if np.ndim(kth) != 0:
        out[:] = vector
        out.sort()
    else:
        index = kth + len(vector) if kth < 0 else kth
        check_memory(routine("partition", np.ascontiguousarray(vector), len(vector), index, out))


def _partition_vector(vector, kth, out):
    """Puts what belongs at `kth` of the sorted vector there, what is less before it."""


@by_type(_partition_vector)
def _partition_vector_of(vector: Any, kth: Any, out: Any) -> Any:
    return _partition_by_routine if elements_of(vector) in WIDE else _partition_by_sorting


def _partition_vectors(a, kth, out):
    if a.ndim == 1:
        _partition_vector(a, kth, out)
    else:
        for i in range(a.shape[0]):
            _partition_vectors(a[i], kth, out[i])


@written("numpy.partition")
def partition(a, kth):
    """`np.partition` along the last axis; for several indices all of it is sorted."""
    result = np.empty(a.shape, a.dtype)
    if a.size > 0:
        _check_index(kth, a.shape[-1])
        _partition_vectors(a, kth, result)
    return result


def _order_about(values, middle):
    """The positions of what is less than `middle`, equal, greater."""
    n = len(values)
    order = np.empty(n, np.int64)
    # From both ends without branches; what is written beyond a part is written over.
    above = n - 1
    for i in range(n - 1, -1, -1):
        order[above] = i
        above -= values[i] > middle
    below = 0
    for i in range(n):
        order[below] = i
        below += values[i] < middle
    for i in range(n):
        if values[i] == middle:
            order[below] = i
            below += 1
    return order


def _argpartition_by_routine(a, kth):
    if np.ndim(kth) == 0 and len(a) > 0:
        values = np.ascontiguousarray(a)
        found = np.empty(2, values.dtype)
        if _select(values, kth + len(values) if kth < 0 else kth, found) == 0:
            return _order_about(values, found[0])
    return np.argsort(a)


def _argpartition_by_sorting(a, kth):
    return np.argsort(a)


def _argpartition_vector(a, kth):
    """The positions of the partitioned vector's elements."""


@by_type(_argpartition_vector)
def _argpartition_vector_of(a: Any, kth: Any) -> Any:
    return _argpartition_by_routine if elements_of(a) in WIDE else _argpartition_by_sorting


@written("numpy.argpartition")
def argpartition(a, kth):
    """`np.argpartition` of a vector."""
    if a.ndim != 1:
        refuse("argpartition takes a vector")
    if a.size > 0:
        _check_index(kth, len(a))
    return _argpartition_vector(a, kth)
