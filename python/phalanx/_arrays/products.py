"""Products of matrices and vectors, recorded: by a library's routine, or as a fused kernel."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

from .. import _engine
from . import axes as axes_
from . import coerce, shapes, ufuncs

if TYPE_CHECKING:
    from .ndarray import ndarray


def dot(a: Any, b: Any, out: Any = None) -> ndarray:
    """The product of matrices, or the sum over the last axis of `a` and the last but one of `b`.

    Raises `ValueError` where these differ, and for an `out` of another shape or dtype.

    >>> px.dot([1, 2], [3, 4])
    array(11)
    """
    a, b = coerce.operands(a, b)
    if a.ndim and b.ndim:
        _check_aligned(a, b, max(b.ndim - 2, 0))
    return _stored(out, _dot(a, b))


def _dot(a: Any, b: Any) -> Any:
    if a.ndim == 0 or b.ndim == 0:
        return ufuncs.table()["multiply"](a, b)
    if b.ndim <= 2:
        return _engine.array_matmul(a, b)
    rows = a.reshape(_size(a.shape[:-1]), a.shape[-1])
    columns = shapes.moveaxis(b, -2, 0)
    columns = columns.reshape(columns.shape[0], _size(columns.shape[1:]))
    return _engine.array_matmul(rows, columns).reshape((*a.shape[:-1], *b.shape[:-2], b.shape[-1]))


def inner(a: Any, b: Any, /) -> ndarray:
    """The sums of the products over the last axes. Raises `ValueError` where these differ.

    >>> px.inner([1, 2], [3, 4])
    array(11)
    """
    a, b = coerce.operands(a, b)
    if a.ndim == 0 or b.ndim == 0:
        return ufuncs.table()["multiply"](a, b)
    _check_aligned(a, b, b.ndim - 1)
    if b.ndim == 1:
        return _engine.array_matmul(a, b)
    columns = b.reshape(_size(b.shape[:-1]), b.shape[-1]).T
    return _engine.array_matmul(a, columns).reshape((*a.shape[:-1], *b.shape[:-1]))


def vdot(a: Any, b: Any, /) -> ndarray:
    """The sum of the products of the flat arrays' elements, the first conjugated.

    >>> px.vdot([1j, 2], [1j, 2])
    array(5.+0.j)
    """
    a, b = (each.ravel() for each in coerce.operands(a, b))
    if a.size != b.size:
        raise ValueError("cannot take the dot product of arrays of different sizes")
    return _engine.array_matmul(a.conj() if "complex" in a._dtype else a, b)


def outer(a: Any, b: Any, out: Any = None) -> ndarray:
    """The products of each element of one flat array with each of another.

    >>> px.outer([1, 2], [3, 4])
    array([[3, 4],
           [6, 8]])
    """
    a, b = (each.ravel() for each in coerce.operands(a, b))
    return ufuncs.table()["multiply"](a[:, None], b[None, :], out)


def tensordot(a: Any, b: Any, axes: Any = 2) -> ndarray:
    """The sums of the products over pairs of axes: the last of `a` with the first of `b`, or named.

    Raises `ValueError` where the axes' extents differ.

    >>> px.tensordot(px.ones((2, 3)), px.ones((3, 2)), axes=1)
    array([[3., 3.],
           [3., 3.]])
    """
    a, b = coerce.operands(a, b)
    of_a, of_b = _summed(a.ndim, axes)
    extents = [a.shape[axis] for axis in of_a]
    if len(of_a) != len(of_b) or extents != [b.shape[axis] for axis in of_b]:
        raise ValueError("shape-mismatch for sum")
    of_a, of_b = [axis % a.ndim for axis in of_a], [axis % b.ndim for axis in of_b]
    kept_a = [axis for axis in range(a.ndim) if axis not in of_a]
    kept_b = [axis for axis in range(b.ndim) if axis not in of_b]
    shape_a, shape_b = [a.shape[axis] for axis in kept_a], [b.shape[axis] for axis in kept_b]
    rows = shapes.transpose(a, kept_a + of_a).reshape(_size(shape_a), _size(extents))
    columns = shapes.transpose(b, of_b + kept_b).reshape(_size(extents), _size(shape_b))
    return _engine.array_matmul(rows, columns).reshape((*shape_a, *shape_b))


def _summed(ndim: int, axes: Any) -> tuple[list[int], list[int]]:
    """The axes of both operands that are summed over."""
    try:
        of_a, of_b = axes
    except TypeError:
        count = operator.index(axes)
        return list(range(ndim - count, ndim)), list(range(count))
    return _listed(of_a), _listed(of_b)


def _listed(axes: Any) -> list[int]:
    return [axes] if axes_.is_index(axes) else [operator.index(each) for each in axes]


def _size(shape: Any) -> int:
    return math.prod(shape)


def _check_aligned(a: Any, b: Any, axis: int) -> None:
    if a.shape[-1] != b.shape[axis]:
        raise ValueError(
            f"shapes {_text(a.shape)} and {_text(b.shape)} not aligned: "
            f"{a.shape[-1]} (dim {a.ndim - 1}) != {b.shape[axis]} (dim {axis})"
        )


def _text(shape: tuple[int, ...]) -> str:
    return str(shape).replace(" ", "")


def _stored(out: Any, made: Any) -> Any:
    if out is None:
        return made
    if tuple(out.shape) != made.shape or out.dtype != made.dtype:
        raise ValueError(
            "output array is not acceptable (must have the right datatype, number of dimensions, "
            "and be a C-Array)"
        )
    out[...] = made
    return out
