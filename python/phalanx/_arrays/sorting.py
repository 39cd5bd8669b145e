"""Sorting and searching, on the host until the engine has kernels for GPUs.

Large arrays of whole and real numbers are sorted by vectors, and by all threads; others by NumPy.
"""

from __future__ import annotations

from typing import Any

from .. import _engine
from . import axes as axes_
from . import coerce, host

_KINDS = (None, "quicksort", "heapsort", "mergesort", "stable")
_LEAST = 4096  # elements: NumPy has begun before


def _sorted(array: Any, axis: int | None, is_order: bool) -> Any:
    """A NumPy array's sorted copy, or the indices that sort it stably; None: NumPy has to do it."""
    import numpy as np

    if array.size < _LEAST or array.dtype.kind not in "biuf" or not array.dtype.isnative:
        return None
    if not _engine.has_sort(array.dtype.name):
        return None
    flat = array.reshape(-1) if axis is None else array
    along = -1 if axis is None else axes_.one(axis, array.ndim)
    rows = np.moveaxis(flat, along, -1)
    count = rows.shape[-1]
    if is_order:
        made = np.empty(rows.shape, np.int64)
        _engine.argsort_rows(np.ascontiguousarray(rows), array.dtype.name, count, made)
    else:
        made = np.array(rows, order="C")
        _engine.sort_rows(made, array.dtype.name, count)
    return np.ascontiguousarray(np.moveaxis(made, -1, along))


def sort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: None = None,
    *,
    stable: bool | None = None,
    descending: bool = False,
) -> Any:
    """A sorted copy along an axis, or of the flat array; NaN comes last."""

    def on_host(array: Any) -> Any:
        import numpy as np

        made = _sorted(array, axis, False) if kind in _KINDS and order is None else None
        if made is None:
            made = np.sort(array, axis, kind, order, stable=stable)
        return np.flip(made, axis if axis is not None else 0) if descending else made

    return host.run(on_host, coerce.asarray(a))


def argsort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: None = None,
    *,
    stable: bool | None = None,
    descending: bool = False,
) -> Any:
    """The indices (int64) that sort along an axis, or the flat array; equal elements keep order
    where it is stable, also when descending."""

    def on_host(array: Any) -> Any:
        import numpy as np

        # As the Array API wants it, unless something else is asked for.
        is_stable = True if stable is None and kind is None else stable
        is_plain = kind in _KINDS and order is None
        made = _sorted(array, axis, True) if is_plain and not descending else None
        if made is not None:
            return made
        if not descending:
            return np.argsort(array, axis, kind, order, stable=is_stable)
        if axis is None:
            array = array.ravel()
        along = -1 if axis is None else axis
        backwards = np.flip(array, along)
        made = np.argsort(backwards, along, kind, order, stable=is_stable)
        return np.flip(array.shape[along] - 1 - made, along)

    return host.run(on_host, coerce.asarray(a))


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """The indices (int64) in the sorted array `a` at which `v` keeps it sorted."""
    import numpy as np

    number = v if type(v) in (bool, int, float) else coerce.asarray(v)
    return host.run(np.searchsorted, coerce.asarray(a), number, side, sorter)


def sort_in_place(
    array: _engine.Array, axis: int, kind: str | None, order: None, *, stable: bool | None = None
) -> None:
    """Sorts the array's own elements."""
    array._assign(sort(array, axis, kind, order, stable=stable))


def partition_in_place(array: _engine.Array, kth: Any, axis: int, kind: str, order: None) -> None:
    """Puts the k-th of the array's own elements at its sorted place."""
    import numpy as np

    array._assign(host.run(np.partition, array, kth, axis, kind, order))
