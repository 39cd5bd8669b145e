"""Arrays of several arrays, and several of one.

Few parts are recorded. They are computed straight into their places: what was recorded of them gets
no memory of its own.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import _engine
from . import axes as axes_
from . import coerce, dtypes, host, making, shapes

if TYPE_CHECKING:
    from .ndarray import ndarray


def _common_dtype(arrays: list[Any], dtype: Any, casting: str) -> str:
    if dtype is None:
        name = arrays[0]._dtype
        if all(each._dtype == name for each in arrays):
            return str(name)
        name = dtypes.result_type(*(each.dtype for each in arrays))
        if not dtypes.is_time(name):  # numbers can be cast to what holds them all
            return name
        dtype = dtypes.dtype_of(name)
    wanted = dtypes.dtype_of(dtypes.name_of(dtype))
    for each in arrays:
        if not dtypes.can_cast(each.dtype, wanted, casting):
            raise TypeError(
                f"Cannot cast array data from {each.dtype!r} to {wanted!r} "
                f"according to the rule '{casting}'"
            )
    return dtypes.name_of(dtype)


def _check_shapes(arrays: list[Any], axis: int) -> None:
    first = arrays[0]
    for number, each in enumerate(arrays):
        if each.ndim != first.ndim:
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index "
                f"0 has {first.ndim} dimension(s) and the array at index {number} has {each.ndim} "
                "dimension(s)"
            )
        for i, (wanted, found) in enumerate(zip(first.shape, each.shape, strict=True)):
            if i != axis and wanted != found:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match "
                    f"exactly, but along dimension {i}, the array at index 0 has size {wanted} "
                    f"and the array at index {number} has size {found}"
                )


def concatenate(
    arrays: Any,
    /,
    axis: int | None = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: str = "same_kind",
) -> ndarray:
    """The arrays behind each other along `axis`; all elements of all with `axis=None`.

    Their dtype is the common one, or `dtype`. Raises `ValueError` where shapes do not match, for
    arrays of several devices and for none, `TypeError` for casts that `casting` does not allow.

    >>> px.concatenate([px.arange(2), [10, 20]])
    array([ 0,  1, 10, 20])
    """
    parts = coerce.operands(*arrays)
    if not parts:
        raise ValueError("need at least one array to concatenate")
    device = coerce.common_device(parts)
    if axis is None:
        parts, axis = [each._reshape(-1) for each in parts], 0
    if parts[0].ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = axes_.one(axis, parts[0].ndim)
    _check_shapes(parts, axis)
    if out is not None and dtype is not None:
        raise TypeError(
            "concatenate() only takes `out` or `dtype` as an argument, but both were provided."
        )
    name = _common_dtype(parts, out.dtype if out is not None else dtype, casting)
    shape = list(parts[0].shape)
    shape[axis] = sum(each.shape[axis] for each in parts)
    making.checked(tuple(shape))
    if out is not None and out.shape != tuple(shape):
        raise ValueError("Output array is the wrong shape")
    places = _places(parts, axis)
    if out is None:
        return making.of_parts(tuple(shape), name, places, device)
    making.write_parts(out, places)
    return out


def _places(parts: list[Any], axis: int) -> list[Any]:
    before, after = (0,) * axis, (0,) * (parts[0].ndim - axis - 1)
    start = 0
    places = []
    for each in parts:
        stop = start + each.shape[axis]
        if stop > start:
            places.append((each, (*before, start, *after)))
        start = stop
    return places


concat = concatenate


def stack(
    arrays: Any,
    axis: int = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: str = "same_kind",
) -> ndarray:
    """The arrays, all of one shape, along a new dimension that is at `axis`.

    Raises `ValueError` where shapes differ or there is no array.

    >>> px.stack([[1, 2], [3, 4]], axis=1)
    array([[1, 3],
           [2, 4]])
    """
    parts = coerce.operands(*arrays)
    if not parts:
        raise ValueError("need at least one array to stack")
    if any(each.shape != parts[0].shape for each in parts):
        raise ValueError("all input arrays must have the same shape")
    axis = axes_.one(axis, parts[0].ndim + 1)
    wide = [shapes.expand_dims(each, axis) for each in parts]
    return concatenate(wide, axis, out, dtype=dtype, casting=casting)


def _many(made: Any) -> list[Any]:
    return list(made) if isinstance(made, tuple) else [made]


def vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> ndarray:
    """The arrays as rows below each other.

    >>> px.vstack([[1, 2], [3, 4]])
    array([[1, 2],
           [3, 4]])
    """
    return concatenate(_many(shapes.atleast_2d(*tup)), 0, dtype=dtype, casting=casting)


def row_stack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> ndarray:
    """As `vstack`, by an older name, for which NumPy warns too."""
    warnings.warn("`row_stack` alias is deprecated. Use `vstack` directly.", DeprecationWarning, 2)
    return vstack(tup, dtype=dtype, casting=casting)


def hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> ndarray:
    """The arrays beside each other: along the second dimension, or the only one.

    >>> px.hstack([[1, 2], [3]])
    array([1, 2, 3])
    """
    parts = _many(shapes.atleast_1d(*tup))
    axis = 0 if parts and parts[0].ndim == 1 else 1
    return concatenate(parts, axis, dtype=dtype, casting=casting)


def dstack(tup: Any) -> ndarray:
    """The arrays along the third dimension.

    >>> px.dstack([[1, 2], [3, 4]])
    array([[[1, 3],
            [2, 4]]])
    """
    return concatenate(_many(shapes.atleast_3d(*tup)), 2)


def column_stack(tup: Any) -> ndarray:
    """1-d arrays as columns, others as they are, beside each other.

    >>> px.column_stack([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    parts = coerce.operands(*tup)
    return concatenate([each._reshape((-1, 1)) if each.ndim < 2 else each for each in parts], 1)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """Views of all that is along a dimension. Raises `ValueError` where there is none.

    >>> px.unstack(px.asarray([[1, 2], [3, 4]]))
    (array([1, 2]), array([3, 4]))
    """
    x = coerce.as_operand(x)
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    axis = axes_.one(axis, x.ndim)
    return tuple(x[(slice(None),) * axis + (i,)] for i in range(x.shape[axis]))


def block(arrays: Any) -> ndarray:
    """The array that nested lists of blocks make: the innermost along the last dimension.

    >>> px.block([[px.ones((1, 1)), px.zeros((1, 2))]])
    array([[1., 0., 0.]])
    """
    depth, leaves = _leaves(arrays)
    parts = coerce.operands(*leaves)
    ndim = max(depth, *(each.ndim for each in parts))
    made = _block(arrays, depth, ndim, iter(parts))
    return made if depth else _engine.array_copy(made, made.shape)


def _leaves(arrays: Any) -> tuple[int, list[Any]]:
    """How deep the lists are, and what is in the innermost ones."""
    if isinstance(arrays, tuple):
        raise TypeError("block takes lists of arrays, no tuples")
    if not isinstance(arrays, list):
        return 0, [arrays]
    if not arrays:
        raise ValueError("block takes no empty lists")
    inner = [_leaves(each) for each in arrays]
    if len({depth for depth, _ in inner}) != 1:
        raise ValueError("List depths are mismatched.")
    return inner[0][0] + 1, [leaf for _, leaves in inner for leaf in leaves]


def _block(arrays: Any, depth: int, ndim: int, parts: Iterator[Any]) -> Any:
    """The lists' arrays joined, of which `parts` are the leaves in order."""
    if not depth:
        made = next(parts)
        return made._reshape((1,) * (ndim - made.ndim) + made.shape)
    inner = [_block(each, depth - 1, ndim, parts) for each in arrays]
    return concatenate(inner, axis=-depth)


def append(arr: Any, values: Any, axis: int | None = None) -> ndarray:
    """The array with more values at the end of `axis`; all elements of both without one.

    >>> px.append([1, 2], [[3], [4]])
    array([1, 2, 3, 4])
    """
    parts = coerce.operands(arr, values)
    return concatenate([each._reshape(-1) for each in parts] if axis is None else parts, axis or 0)


def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Views of that many parts along `axis`, nearly equal; or of those between indices.

    >>> px.array_split(px.arange(5), 2)
    [array([0, 1, 2]), array([3, 4])]
    """
    ary = coerce.as_operand(ary)
    axis = axes_.one(axis, ary.ndim)
    total = ary.shape[axis]
    if axes_.is_index(indices_or_sections):
        sections = operator.index(indices_or_sections)
        if sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, extras = divmod(total, sections)
        cuts = [0]
        for i in range(sections):
            cuts.append(cuts[-1] + each + (i < extras))
    else:
        cuts = [0, *map(operator.index, host.as_host(indices_or_sections)), total]
    before = (slice(None),) * axis
    return [ary[(*before, slice(cuts[i], cuts[i + 1]))] for i in range(len(cuts) - 1)]


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """As `array_split`, of equal parts. Raises `ValueError` where they cannot be equal.

    >>> px.split(px.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    """
    ary = coerce.as_operand(ary)
    if axes_.is_index(indices_or_sections):
        sections = operator.index(indices_or_sections)
        if sections and ary.shape[axes_.one(axis, ary.ndim)] % sections:
            raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def hsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """Views of parts along the second dimension, or the only one.

    >>> px.hsplit(px.asarray([[1, 2], [3, 4]]), 2)
    [array([[1],
           [3]]), array([[2],
           [4]])]
    """
    ary = coerce.as_operand(ary)
    if ary.ndim == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


def vsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """Views of parts along the first dimension. Raises `ValueError` below two.

    >>> px.vsplit(px.asarray([[1, 2], [3, 4]]), 2)
    [array([[1, 2]]), array([[3, 4]])]
    """
    if coerce.as_operand(ary).ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


def dsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """Views of parts along the third dimension. Raises `ValueError` below three.

    >>> [part.shape for part in px.dsplit(px.ones((1, 2, 4)), 2)]
    [(1, 2, 2), (1, 2, 2)]
    """
    if coerce.as_operand(ary).ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)
