"""Sets: distinct elements and what two arrays share, by sorting on the device, else by NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _engine
from . import (
    coerce,
    creation,
    dtype_functions,
    host,
    joining,
    scans,
    selecting,
    shapes,
    sorting,
    ufuncs,
)

if TYPE_CHECKING:
    from .ndarray import ndarray


def _numpy(name: str, *args: Any, **kwargs: Any) -> Any:
    import numpy as np

    return host.run(getattr(np, name), *args, **kwargs)


def _on_device(*arrays: Any) -> bool:
    """Returns whether kernels sort all of them: not of complex numbers, nor of no elements."""
    return all(sorting.by_kernels(each) is not None for each in arrays)


def _is_same(first: Any, second: Any, equal_nan: bool) -> Any:
    is_same = first == second
    if not equal_nan:
        return is_same
    if first._dtype.startswith(("datetime", "timedelta")):
        is_none = ufuncs.table()["isnat"]
    elif "float" in first._dtype:
        is_none = ufuncs.table()["isnan"]
    else:
        return is_same
    return is_same | (is_none(first) & is_none(second))


def _constant(array: Any, value: bool) -> Any:
    return creation.full(1, value, dtype="bool", device=array._device)


def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """The sorted elements without repetitions; their indices, inverse and counts (int64) if asked.

    `equal_nan=False` keeps each NaN. With an axis the parts along it are compared, on the host.

    >>> px.unique([3, 1, 3])
    array([1, 3])
    """
    array = coerce.asarray(ar)
    if axis is not None or not _on_device(array):
        flags = return_index, return_inverse, return_counts
        ordered = sorting.orderable(array)
        made = _numpy("unique", ordered, *flags, axis, equal_nan=equal_nan)
        if ordered is array:
            return made
        first, *rest = made if isinstance(made, tuple) else (made,)
        first = _engine.array_cast(first, array._dtype)
        return (first, *rest) if rest else first
    flat = shapes.ravel(array)
    order: Any = sorting.argsort(flat) if return_index or return_inverse else None
    values = sorting.sort(flat) if order is None else flat[order]
    is_same = _is_same(values[1:], values[:-1], equal_nan)
    is_first = joining.concatenate([_constant(flat, True), ~is_same])
    made = [values[is_first]]
    if return_index:
        made.append(order[is_first])
    if return_inverse:
        inverse = creation.empty(flat.size, "int64", device=flat._device)
        inverse[order] = scans.cumsum(is_first, dtype="int64") - 1
        made.append(inverse.reshape(array.shape))
    if return_counts:
        (places,) = selecting.nonzero(is_first)
        ends = creation.full(1, flat.size, dtype="int64", device=flat._device)
        made.append(joining.concatenate([places[1:], ends]) - places)
    return made[0] if len(made) == 1 else tuple(made)


def _result(name: str, *fields: Any) -> Any:
    """The tuple with names that NumPy's function of the name gives."""
    import numpy as np

    return type(getattr(np, name)(np.zeros(1)))(*fields)


def unique_all(x: Any) -> Any:
    """The distinct elements, their first indices, the inverse and the counts; each NaN is one.

    >>> px.unique_all([3, 1, 3]).values
    array([1, 3])
    """
    return _result("unique_all", *unique(x, True, True, True, equal_nan=False))


def unique_counts(x: Any) -> Any:
    """The distinct elements and how often each is there; each NaN is one.

    >>> px.unique_counts([3, 1, 3]).counts
    array([1, 2])
    """
    return _result("unique_counts", *unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x: Any) -> Any:
    """The distinct elements and, of each element, which one it is; each NaN is one.

    >>> px.unique_inverse([3, 1, 3]).inverse_indices
    array([1, 0, 1])
    """
    return _result("unique_inverse", *unique(x, return_inverse=True, equal_nan=False))


def unique_values(x: Any) -> ndarray:
    """The distinct elements; each NaN is one.

    >>> px.unique_values([3, 1, 3])
    array([1, 3])
    """
    return unique(x, equal_nan=False)


def isin(
    element: Any,
    test_elements: Any,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: Any = None,
) -> ndarray:
    """Where the elements are among those of another array.

    >>> px.isin([1, 2, 3], [2])
    array([False,  True, False])
    """
    first, second = coerce.arrays(element, test_elements)
    dtype = str(dtype_functions.result_type(first, second))
    if not _on_device(first, second) or dtype not in sorting.SEARCHED or kind not in (None, "sort"):
        return _numpy("isin", first, second, assume_unique, invert, kind=kind)
    wanted = coerce.asarray(first, dtype)
    values = sorting.sort(shapes.ravel(coerce.asarray(second, dtype)))
    places = sorting.searchsorted(values, wanted)
    last = values.size - 1
    found = values[ufuncs.table()["minimum"](places, last)] == wanted
    return ~found if invert else found


def _flat_sets(given: list[Any], assume_unique: bool) -> tuple[Any, Any]:
    pair = map(shapes.ravel, given)
    a, b = pair if assume_unique else map(unique, pair)
    return a, b


def union1d(ar1: Any, ar2: Any) -> ndarray:
    """The sorted elements that one of two arrays has.

    >>> px.union1d([1, 2], [2, 3])
    array([1, 2, 3])
    """
    return unique(joining.concatenate(coerce.arrays(ar1, ar2), axis=None))


def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """The sorted elements that both arrays have; also where each array has them first, if asked.

    >>> px.intersect1d([1, 2, 3], [3, 2, 5])
    array([2, 3])
    """
    given = coerce.arrays(ar1, ar2)
    if not _on_device(*given):
        return _numpy("intersect1d", *given, assume_unique, return_indices)
    if not return_indices:
        both = sorting.sort(joining.concatenate(_flat_sets(given, assume_unique)))
        return both[:-1][both[1:] == both[:-1]]
    firsts = [None, None]
    flat = [shapes.ravel(each) for each in given]
    if not assume_unique:
        (a, first), (b, second) = (unique(each, return_index=True) for each in flat)
        flat, firsts = [a, b], [first, second]
    both = joining.concatenate(flat)
    order = sorting.argsort(both)
    both = both[order]
    is_shared = both[1:] == both[:-1]
    places = [order[:-1][is_shared], order[1:][is_shared] - flat[0].size]
    places = [
        place if first is None else first[place]
        for place, first in zip(places, firsts, strict=True)
    ]
    return both[:-1][is_shared], *places


def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> ndarray:
    """The sorted elements that one of two arrays has, but not both.

    >>> px.setxor1d([1, 2, 3], [2, 4])
    array([1, 3, 4])
    """
    given = coerce.arrays(ar1, ar2)
    if not _on_device(*given):
        return _numpy("setxor1d", *given, assume_unique)
    both = sorting.sort(joining.concatenate(_flat_sets(given, assume_unique)))
    edge = _constant(both, True)
    is_other = joining.concatenate([edge, both[1:] != both[:-1], edge])
    return both[is_other[1:] & is_other[:-1]]


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> ndarray:
    """The elements that the first array has, and the second has not: sorted, if they were not.

    >>> px.setdiff1d([1, 2, 3], [2])
    array([1, 3])
    """
    given = coerce.arrays(ar1, ar2)
    if not _on_device(*given):
        return _numpy("setdiff1d", *given, assume_unique)
    a, b = _flat_sets(given, assume_unique)
    kept: _engine.Array = isin(a, b, assume_unique=True, invert=True)
    return a[kept]
