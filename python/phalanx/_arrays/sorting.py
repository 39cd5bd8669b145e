"""Sorting and searching: by kernels on a GPU, by vectors and all threads on the host.

What neither has keys for, such as complex numbers, NumPy sorts on the host.
"""

from __future__ import annotations

import importlib
import operator
from typing import TYPE_CHECKING, Any

from .. import _engine
from . import axes as axes_
from . import coerce, dtype_functions, host, shapes

if TYPE_CHECKING:
    from .ndarray import ndarray

_STABLE = ("mergesort", "stable")
_KINDS = (None, "quicksort", "heapsort", *_STABLE)
_LEAST = 4096  # elements on the host: NumPy has begun before


def by_kernels(array: Any) -> Any:
    """The module with a GPU's kernels where they sort the array, which may be pending; else None.

    They are compiled as users' kernels are, in a package above this one.
    """
    if not coerce.has_gpu_kernels(array):
        return None
    found = importlib.import_module("phalanx._sorting.rows")
    return found if array.ndim and 0 not in array.shape and found.takes(array._dtype) else None


def _on_device(array: Any, axis: int | None, is_descending: bool, is_order: bool) -> Any:
    """Sorted elements, or their order, by kernels; None where these have not what it takes."""
    kernels = by_kernels(array)
    if kernels is None:
        return None
    flat = shapes.ravel(array) if axis is None else array
    along = -1 if axis is None else axes_.one(axis, array.ndim)
    rows = coerce.in_order(shapes.moveaxis(flat, along, -1), "C")
    made = (kernels.argsort if is_order else kernels.sort)(rows, is_descending)
    return made if flat.ndim == 1 else coerce.in_order(shapes.moveaxis(made, -1, along), "C")


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
    made = np.empty(rows.shape, np.int64 if is_order else array.dtype)
    fill = _engine.argsort_rows if is_order else _engine.sort_rows
    fill(np.ascontiguousarray(rows), array.dtype.name, rows.shape[-1], made)
    return np.ascontiguousarray(np.moveaxis(made, -1, along))


def _with_equals_in_order(made: Any, array: Any, axis: int | None) -> Any:
    """Sorted floats with zeros of either sign, and NaN, as they follow each other in the array.

    Along each line there are as many of them in both.
    """
    import numpy as np

    along = 0 if axis is None else axis
    lines = np.moveaxis(array.reshape(-1) if axis is None else array, along, -1)
    found = np.ascontiguousarray(np.moveaxis(made, along, -1))
    for is_equal in (lambda x: x == 0, np.isnan):
        found[is_equal(found)] = lines[is_equal(lines)]
    return np.ascontiguousarray(np.moveaxis(found, -1, along))


def orderable(array: Any) -> Any:
    """The array, or in the place of bfloat16 on the host float32: NumPy leaves NaN of the former
    where they are."""
    if array._dtype == "bfloat16" and by_kernels(array) is None:
        return _engine.array_cast(array, "float32")
    return array


def is_plain(kind: Any, order: Any, stable: bool | None) -> bool:
    """Returns whether NumPy would not refuse, and no fields are asked for."""
    return kind in _KINDS and order is None and (kind is None or stable is None)


def sort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: None = None,
    *,
    stable: bool | None = None,
    descending: bool = False,
) -> ndarray:
    """A sorted copy along an axis, or of the flat array; NaN comes last.

    >>> px.sort(px.asarray([3, 1, 2]))
    array([1, 2, 3])
    """
    given = coerce.asarray(a)
    ours = orderable(given)
    if is_plain(kind, order, stable):
        made = _on_device(ours, axis, descending, is_order=False)
        if made is not None:
            return made

    def on_host(array: Any) -> Any:
        import numpy as np

        along = 0 if axis is None else axis
        if descending:  # from the end on, so that equal elements keep their order
            array = np.flip(array.ravel() if axis is None else array, along)
        made = _sorted(array, axis, False) if is_plain(kind, order, stable) else None
        if made is None:
            made = np.sort(array, axis, kind, order, stable=stable)
        elif made.dtype.kind == "f" and (stable or kind in _STABLE):
            made = _with_equals_in_order(made, array, axis)
        return np.flip(made, along) if descending else made

    return _cast(host.run(on_host, ours), given._dtype)


def argsort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: None = None,
    *,
    stable: bool | None = None,
    descending: bool = False,
) -> ndarray:
    """The indices (int64) that sort along an axis, or the flat array; equal elements keep order
    where it is stable, also when descending.

    >>> px.argsort(px.asarray([30, 10, 20]))
    array([1, 2, 0])
    """
    ours = orderable(coerce.asarray(a))
    if is_plain(kind, order, stable):
        made = _on_device(ours, axis, descending, is_order=True)
        if made is not None:
            return made

    def on_host(array: Any) -> Any:
        import numpy as np

        # As the Array API wants it, unless something else is asked for.
        is_stable = True if stable is None and kind is None else stable
        can_be = is_plain(kind, order, stable) and not descending
        made = _sorted(array, axis, True) if can_be else None
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

    return host.run(on_host, ours)


def lexsort(keys: Any, axis: int = -1) -> ndarray:
    """The indices (int64) that sort by several keys, the last of them first.

    `keys` is a sequence of arrays of one shape, or an array whose first dimension they are.

    >>> px.lexsort(([1, 0, 2], [5, 5, 4]))
    array([2, 1, 0])
    """
    rows = [orderable(each) for each in coerce.arrays(*keys)]
    if not rows or not all(by_kernels(each) for each in rows) or len({*map(_shape, rows)}) > 1:
        import numpy as np

        return host.run(np.lexsort, tuple(rows), axis)
    along = axes_.one(axis, rows[0].ndim)
    order = argsort(rows[0], along)
    for row in rows[1:]:
        then = argsort(_taken(row, order, along), along)
        order = _taken(order, then, along)
    return order


def _shape(array: Any) -> tuple[int, ...]:
    return tuple(array.shape)


def _taken(array: Any, order: Any, axis: int) -> Any:
    from . import selecting

    return selecting.take_along_axis(array, order, axis)


def partition(
    a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: None = None
) -> ndarray:
    """The elements with the k-th along the axis at its sorted place, and lesser ones before it.

    >>> px.partition(px.asarray([7, 1, 5]), 0)[0]
    array(1)
    """
    return _partitioned("partition", sort, a, kth, (axis, kind, order))


def argpartition(
    a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: None = None
) -> ndarray:
    """The indices (int64) that `partition` would put the elements by.

    >>> px.argpartition(px.asarray([7, 1, 5]), 0)[0]
    array(1)
    """
    return _partitioned("argpartition", argsort, a, kth, (axis, kind, order))


def _partitioned(name: str, by: Any, a: Any, kth: Any, options: tuple[Any, ...]) -> Any:
    import numpy as np

    array, (axis, kind, order) = coerce.asarray(a), options
    if kind != "introselect" or order is not None or by_kernels(array) is None:
        made = host.run(getattr(np, name), orderable(array), kth, axis, kind, order)
        return made if name == "argpartition" else _cast(made, array._dtype)
    length = array.size if axis is None else array.shape[axes_.one(axis, array.ndim)]
    _check_places(np.asarray(kth), length)
    return by(array, axis)


def _check_places(places: Any, length: int) -> None:
    """Raises NumPy's errors for what `partition` cannot have as `kth`."""
    if places.dtype.kind == "b":
        raise ValueError("Booleans unacceptable as partition index")
    if places.dtype.kind not in "iu":
        raise TypeError("Partition index must be integer")
    if places.ndim > 1:
        raise ValueError("the partition index has more than one dimension")
    for each in places.ravel().tolist():
        if length and not -length <= each < length:
            raise ValueError(f"kth(={each}) out of bounds ({length})")


def topk(x: Any, k: int, *, axis: int = -1, largest: bool = True) -> tuple[Any, Any]:
    """The k largest elements along an axis, descending, and their indices (int64).

    With `largest=False` the k smallest, ascending. NaN counts as the largest. Of equal elements the
    first comes first. Raises `ValueError` for a k that is negative or longer than the axis.

    >>> px.topk(px.asarray([3, 9, 4]), 2)
    (array([9, 4]), array([1, 2]))
    """
    array = coerce.asarray(x)
    along = axes_.one(axis, array.ndim)
    if not 0 <= k <= array.shape[along]:
        raise ValueError(f"k={k} elements of an axis of length {array.shape[along]}")
    order = argsort(array, along, descending=largest)
    chosen = order[(*(slice(None),) * along, slice(k))]
    return _taken(array, chosen, along), chosen


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> ndarray:
    """The indices (int64) in the sorted array `a` at which `v` keeps it sorted.

    >>> px.searchsorted([1, 3, 5], [2, 3])
    array([1, 1])
    """
    import numpy as np

    is_number = type(v) in (bool, int, float)
    values, *keys = coerce.arrays(a, *(() if is_number else (v,)))
    number = v if is_number else keys[0]
    if values._dtype == "bfloat16":
        values = _cast(values, "float32")
    if getattr(number, "_dtype", "") == "bfloat16":
        number = _cast(number, "float32")
    made = _searched(values, number, side, sorter)
    return host.run(np.searchsorted, values, number, side, sorter) if made is None else made


def _searched(values: Any, keys: Any, side: str, sorter: Any) -> Any:
    """As `searchsorted`, by a kernel; None where it cannot, or NumPy has something to refuse."""
    if by_kernels(values) is None or values.ndim != 1 or side not in ("left", "right"):
        return None
    import numpy as np

    is_number = not isinstance(keys, _engine.Array)
    if is_number:  # NumPy takes it for an array: its type counts
        keys = coerce.asarray(np.asarray(keys), device=values._device)
    dtype = str(dtype_functions.result_type(values, keys))
    if dtype not in SEARCHED:
        return None
    if sorter is not None:
        sorter = coerce.asarray(sorter, device=values._device)
        if sorter.shape != values.shape or "int" not in sorter._dtype:
            return None
    if sorter is not None:
        values = values[sorter]
    wanted = coerce.asarray(keys, dtype, device=values._device)
    kernel = importlib.import_module("phalanx._sorting.searching").searchsorted
    flat = [coerce.in_order(shapes.ravel(_cast(each, dtype)), "C") for each in (values, wanted)]
    made = kernel(*flat, side == "right").reshape(wanted.shape)
    return made._as_number() if is_number or not wanted.ndim else made


SEARCHED = (
    "bool",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    *("float16", "float32", "float64"),
)


def _cast(array: Any, dtype: str) -> Any:
    return array if array._dtype == dtype else _engine.array_cast(array, dtype)


def sort_in_place(
    array: _engine.Array, axis: int, kind: str | None, order: None, *, stable: bool | None = None
) -> None:
    """Sorts the array's own elements."""
    operator.index(axis)  # None is of copies only
    array._assign(sort(array, axis, kind, order, stable=stable))


def partition_in_place(array: _engine.Array, kth: Any, axis: int, kind: str, order: None) -> None:
    """Puts the k-th of the array's own elements at its sorted place."""
    operator.index(axis)
    array._assign(partition(array, kth, axis, kind, order))
