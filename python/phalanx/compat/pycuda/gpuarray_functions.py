"""Functions of `pycuda.gpuarray` that compute: of elements, of indices, and reductions."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from .gpuarray_array import GPUArray
from .gpuarray_operators import cast, common_dtype, made_of, operand_of
from .memory import mem_alloc

# The streams that functions take make no difference: work on the default stream, on which arrays
# are computed, is in order with that of all others.


def take(a: GPUArray, indices: GPUArray, out: Any = None, stream: Any = None) -> Any:
    """The elements at an array of indices into the memory's order, in `out` or a new array.

    Raises `IndexError` for indices outside.
    """
    return multi_take([a], indices, None if out is None else [out])[0]


def multi_take(
    arrays: Sequence[Any], indices: GPUArray, out: Any = None, stream: Any = None
) -> list[Any]:
    """As `take`, of several arrays. Raises `ValueError` for another number of arrays in `out`."""
    if not arrays:
        return []
    if out is not None and len(out) != len(arrays):
        raise ValueError("out and arrays must have the same length")
    outs = [None] * len(arrays) if out is None else out
    return [
        _result(each._flat()[indices._array], each.dtype, (each, indices), into)
        for each, into in zip(arrays, outs, strict=True)
    ]


def multi_put(
    arrays: Sequence[Any],
    dest_indices: GPUArray,
    dest_shape: Any = None,
    out: Any = None,
    stream: Any = None,
) -> list[Any]:
    """Writes each array's elements to the places of its result: in `out`, or of `dest_shape`.

    Raises `TypeError` for several dtypes, `ValueError` for another number of arrays in `out`.
    """
    if not arrays:
        return []
    outs = _destinations(arrays, dest_shape, out)
    for each, into in zip(arrays, outs, strict=True):
        into._flat()[dest_indices._array] = each._flat()[: dest_indices.size]
    return outs


def multi_take_put(
    arrays: Sequence[Any],
    dest_indices: GPUArray,
    src_indices: GPUArray,
    dest_shape: Any = None,
    out: Any = None,
    stream: Any = None,
    src_offsets: Any = None,
) -> list[Any]:
    """Writes the elements at one array of indices to the places of another one.

    `src_offsets` has for each array what its indices are increased by. Raises `TypeError` for
    several dtypes, `ValueError` where numbers of arrays or of indices differ.
    """
    if not arrays:
        return []
    outs = _destinations(arrays, dest_shape, out)
    if src_indices.dtype != dest_indices.dtype:
        raise TypeError("src_indices and dest_indices must have the same dtype")
    if src_indices.ndim != 1:
        raise ValueError("src_indices must be 1D")
    if src_indices.shape != dest_indices.shape:
        raise ValueError("src_indices and dest_indices must have the same shape")
    offsets = [0] * len(arrays) if src_offsets is None else src_offsets
    if len(offsets) != len(arrays):
        raise ValueError("src_indices and src_offsets must have the same length")
    for each, into, offset in zip(arrays, outs, offsets, strict=True):
        found = each._flat()[src_indices._array + offset]
        into._flat()[dest_indices._array] = found
    return outs


def _destinations(arrays: Sequence[Any], shape: Any, out: Any) -> list[Any]:
    dtypes = {each.dtype for each in (*arrays, *(out or ()))}
    if len(dtypes) != 1:
        raise TypeError("arrays and out must have the same dtype")
    if out is None:
        return [GPUArray(shape, each.dtype, each.allocator) for each in arrays]
    if len(out) != len(arrays):
        raise ValueError("out and arrays must have the same length")
    return list(out)


def _result(
    value: Any, dtype: Any, operands: tuple[Any, ...], out: Any, allocator: Any = None
) -> Any:
    """What was computed of some arrays, in `out` or a new array."""
    if out is not None:
        return out._assign(cast(value, out.dtype), *operands)
    first = next((each for each in operands if isinstance(each, GPUArray)), None)
    place = allocator or (mem_alloc if first is None else first.allocator)
    return made_of(value, dtype, operands, place)


def if_positive(
    criterion: GPUArray, then_: GPUArray, else_: GPUArray, out: Any = None, stream: Any = None
) -> Any:
    """The elements of `then_` where the criterion is greater than 0, else those of `else_`.

    Raises `ValueError` for several shapes, or dtypes of the two.
    """
    if not criterion.shape == then_.shape == else_.shape:
        raise ValueError("shapes do not match")
    if then_.dtype != else_.dtype:
        raise ValueError("dtypes do not match")
    return _chosen(criterion._array > 0, (criterion, then_, else_), out)


def where(
    criterion: GPUArray, then_: GPUArray, else_: GPUArray, out: Any = None, stream: Any = None
) -> Any:
    """The elements of `then_` where the criterion is not 0, else those of `else_`.

    Raises `NotImplementedError` for several dtypes of the two.
    """
    if then_.dtype != else_.dtype:
        raise NotImplementedError("dtype broadcast not implemented")
    return _chosen(criterion._array != 0, (criterion, then_, else_), out)


def _chosen(mask: Any, operands: tuple[Any, ...], out: Any) -> Any:
    _, then_, else_ = operands
    return _result(px.where(mask, then_._array, else_._array), then_.dtype, operands, out)


def minimum(a: Any, b: Any, out: Any = None, stream: Any = None) -> Any:
    """The lesser of each two elements, of which one may be a number; NaN only where both are.

    The dtype is that of the first array.
    """
    return _extreme(px.fmin, (a, b), out)


def maximum(a: Any, b: Any, out: Any = None, stream: Any = None) -> Any:
    """The greater of each two elements, of which one may be a number; NaN only where both are.

    The dtype is that of the first array.
    """
    return _extreme(px.fmax, (a, b), out)


def _extreme(ufunc: Any, operands: tuple[Any, Any], out: Any) -> Any:
    dtype = next(each for each in operands if isinstance(each, GPUArray)).dtype
    # A number comes in the array's dtype, as the parameter of a kernel does.
    pair = [each._array if isinstance(each, GPUArray) else dtype.type(each) for each in operands]
    return _result(ufunc(*pair), dtype, operands, out)


def sum(a: GPUArray, dtype: Any = None, stream: Any = None, allocator: Any = None) -> Any:
    """The sum of all elements, in the array's dtype or another one, as an array of one."""
    kind = np.dtype(a.dtype if dtype is None else dtype)
    return _reduced(px.sum(a._array, dtype=kind), kind, (a,), allocator)


def any(a: GPUArray, stream: Any = None, allocator: Any = None) -> Any:
    """An array of one bool: if any element is not 0."""
    return a.any(stream, allocator)


def all(a: GPUArray, stream: Any = None, allocator: Any = None) -> Any:
    """An array of one bool: if no element is 0."""
    return a.all(stream, allocator)


def subset_sum(
    subset: GPUArray, a: GPUArray, dtype: Any = None, stream: Any = None, allocator: Any = None
) -> Any:
    """The sum of the elements at an array of indices, as an array of one."""
    kind = np.dtype(a.dtype if dtype is None else dtype)
    value = px.sum(a._flat()[subset._array], dtype=kind)
    return _reduced(value, kind, (subset, a), allocator)


def dot(
    a: GPUArray, b: GPUArray, dtype: Any = None, stream: Any = None, allocator: Any = None
) -> Any:
    """The sum of the products of each two elements, as an array of one; nothing is conjugated."""
    kind = common_dtype(a, b) if dtype is None else np.dtype(dtype)
    return _reduced(px.sum(a._array * b._array, dtype=kind), kind, (a, b), allocator)


def subset_dot(
    subset: GPUArray,
    a: GPUArray,
    b: GPUArray,
    dtype: Any = None,
    stream: Any = None,
    allocator: Any = None,
) -> Any:
    """As `dot`, of the elements at an array of indices; the dtype is that of `a`."""
    kind = np.dtype(a.dtype if dtype is None else dtype)
    at = subset._array
    value = px.sum(a._flat()[at] * b._flat()[at], dtype=kind)
    return _reduced(value, kind, (subset, a, b), allocator)


def min(a: GPUArray, stream: Any = None) -> Any:
    """The least element that is not NaN, as an array of one; of none the dtype's greatest number.

    Raises `TypeError` for bools and complex numbers.
    """
    return _least(a._array.ravel(), (a,), is_greatest=False)


def max(a: GPUArray, stream: Any = None) -> Any:
    """The greatest element that is not NaN, as an array of one; of none the dtype's least number.

    Raises `TypeError` for bools and complex numbers.
    """
    return _least(a._array.ravel(), (a,), is_greatest=True)


def subset_min(subset: GPUArray, a: GPUArray, stream: Any = None) -> Any:
    """As `min`, of the elements at an array of indices."""
    return _least(a._flat()[subset._array], (a, subset), is_greatest=False)


def subset_max(subset: GPUArray, a: GPUArray, stream: Any = None) -> Any:
    """As `max`, of the elements at an array of indices."""
    return _least(a._flat()[subset._array], (a, subset), is_greatest=True)


def _least(values: Any, operands: tuple[Any, ...], is_greatest: bool) -> Any:
    dtype = operands[0].dtype
    if dtype.kind not in "iuf":
        raise TypeError("unsupported dtype specified")
    if dtype.kind == "f":
        neutral = -np.inf if is_greatest else np.inf
    else:
        limits = np.iinfo(dtype)
        neutral = limits.min if is_greatest else limits.max
    ufunc = px.fmax if is_greatest else px.fmin
    value = ufunc.reduce(values, axis=None, initial=neutral)
    return _reduced(value, dtype, operands, None)


def _reduced(value: Any, dtype: Any, operands: tuple[Any, ...], allocator: Any) -> Any:
    return made_of(value, dtype, operands, allocator or operands[-1].allocator)


def logical_and(x1: Any, x2: Any, /, out: Any = None, *, allocator: Any = None) -> Any:
    """Bools: where both are not 0, of arrays or numbers."""
    return _logical(px.logical_and, (x1, x2), out, allocator)


def logical_or(x1: Any, x2: Any, /, out: Any = None, *, allocator: Any = None) -> Any:
    """Bools: where one is not 0, of arrays or numbers."""
    return _logical(px.logical_or, (x1, x2), out, allocator)


def logical_not(x: Any, /, out: Any = None, *, allocator: Any = None) -> Any:
    """Bools: where an array or a number is 0."""
    return _logical(px.logical_not, (x,), out, allocator)


def _logical(ufunc: Any, operands: tuple[Any, ...], out: Any, allocator: Any) -> Any:
    given = [operand_of(each) for each in operands]
    if builtins.any(each is None for each in given):
        raise ValueError("logical functions take GPUArrays and numbers")
    value = ufunc(px.asarray(given[0]), *given[1:])
    return _result(value, np.bool_, operands, out, allocator)


__all__ = [
    "all", "any", "dot", "if_positive", "logical_and", "logical_not", "logical_or", "max",
    "maximum", "min", "minimum", "multi_put", "multi_take", "multi_take_put", "subset_dot",
    "subset_max", "subset_min", "subset_sum", "sum", "take", "where",
]  # fmt: skip
