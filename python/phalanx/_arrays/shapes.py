"""The same elements under other shapes and orders of dimensions: views, where memory allows it."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from .. import _engine
from . import axes as axes_
from . import coerce, dtypes

if TYPE_CHECKING:
    from .ndarray import ndarray


def reshape(a: Any, /, shape: Any = None, order: str = "C", *, copy: bool | None = None) -> ndarray:
    """The elements under another shape, in which one extent of -1 is worked out.

    Shares elements where memory allows it; always with `copy=False`, never with `copy=True`.
    Raises `ValueError` where the sizes differ, or where a copy is needed with `copy=False`.

    >>> px.reshape(px.arange(4), (2, 2))
    array([[0, 1],
           [2, 3]])
    """
    a = coerce.as_operand(a)
    order = coerce.named_order(order, "C")
    if order != "C":
        return _reshape_in_order(a, shape, order, copy)
    if copy:
        a = _engine.array_copy(a, a.shape)
    made = a._reshape(shape)
    if copy is False and made._evaluate().address != a._evaluate().address and a.size:
        raise ValueError("Unable to avoid creating a copy while reshaping.")
    return made


def _reshape_in_order(a: Any, shape: Any, order: str, copy: bool | None) -> Any:
    if order == "A":
        memory = a._evaluate()
        order = "F" if memory.is_f_contiguous and not memory.is_c_contiguous else "C"
        return reshape(a, shape, order, copy=copy)
    if order != "F":
        raise ValueError(f"order {order!r} is not permitted for reshaping")
    dimensions = [shape] if axes_.is_index(shape) else list(shape)
    return reshape(a.T, dimensions[::-1], copy=copy).T


def ravel(a: Any, order: str = "C") -> ndarray:
    """The elements as one dimension: shares them where they follow each other in memory.

    >>> px.ravel([[1, 2], [3, 4]])
    array([1, 2, 3, 4])
    """
    a = coerce.as_operand(a)
    order = coerce.named_order(order, "C")
    if order == "C":
        return _run(a)
    if order == "F":
        return _run(a.T)
    if order == "A":
        memory = a._evaluate()
        is_fortran = memory.is_f_contiguous and not memory.is_c_contiguous
        return _run(a.T if is_fortran else a)
    a._evaluate()
    axes = coerce.visited(a)
    return _run(a if axes == [*range(a.ndim)] else a._transpose(axes))


def _run(a: Any) -> Any:
    made = a._ravel()
    return made if a._is_pending else coerce.in_order(made, "C")  # without gaps


def transpose(a: Any, axes: Any = None) -> ndarray:
    """The view with its dimensions in the order of `axes`, by default reversed.

    Raises `ValueError` where axes do not name each dimension once.

    >>> px.transpose(px.ones((2, 3))).shape
    (3, 2)
    """
    a = coerce.as_operand(a)
    if axes is None:
        return a.T
    try:
        return a._transpose(axes)
    except (IndexError, TypeError):
        return a._transpose(axes_.several(axes, a.ndim))  # or NumPy's error for the axis


def permute_dims(a: Any, axes: Any) -> ndarray:
    """As `transpose`.

    >>> px.permute_dims(px.ones((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return transpose(a, axes)


def matrix_transpose(x: Any, /) -> ndarray:
    """The view with the last two dimensions swapped. Raises `ValueError` if there are fewer.

    >>> px.matrix_transpose(px.ones((2, 3, 4))).shape
    (2, 4, 3)
    """
    x = coerce.as_operand(x)
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return swapaxes(x, -1, -2)


def swapaxes(a: Any, axis1: int, axis2: int) -> ndarray:
    """The view with two dimensions swapped.

    >>> px.swapaxes(px.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    a = coerce.as_operand(a)
    first, second = axes_.one(axis1, a.ndim, "axis1"), axes_.one(axis2, a.ndim, "axis2")
    order = list(range(a.ndim))
    order[first], order[second] = second, first
    return a._transpose(order)


def moveaxis(a: Any, source: Any, destination: Any) -> ndarray:
    """The view with the dimensions of `source` at `destination`, the others in their order.

    >>> px.moveaxis(px.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    a = coerce.as_operand(a)
    sources = axes_.several(source, a.ndim, "source")
    targets = axes_.several(destination, a.ndim, "destination")
    if len(sources) != len(targets):
        raise ValueError(
            "`source` and `destination` arguments must have the same number of elements"
        )
    order = [i for i in range(a.ndim) if i not in sources]
    for target, each in sorted(zip(targets, sources, strict=True)):
        order.insert(target, each)
    return a._transpose(order)


def rollaxis(a: Any, axis: int, start: int = 0) -> ndarray:
    """The view with a dimension moved to before that of `start`.

    >>> px.rollaxis(px.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    a = coerce.as_operand(a)
    n = a.ndim
    axis = axes_.one(axis, n)
    start = start + n if start < 0 else start
    if not 0 <= start <= n:
        import numpy as np

        raise np.exceptions.AxisError(
            f"'start' arg requires {-n} <= start < {n + 1}, but {start} was passed in"
        )
    order = list(range(n))
    order.remove(axis)
    order.insert(start - (axis < start), axis)
    return a._transpose(order)


def expand_dims(a: Any, axis: Any) -> ndarray:
    """The view with dimensions of 1, which are at `axis` of the result.

    >>> px.expand_dims(px.arange(2), 1)
    array([[0],
           [1]])
    """
    a = coerce.as_operand(a)
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    new = axes_.several(given, a.ndim + len(given))
    own = iter(a.shape)
    shape = [1 if i in new else next(own) for i in range(a.ndim + len(given))]
    return a._reshape(shape)


def squeeze(a: Any, axis: Any = None) -> ndarray:
    """The view without its dimensions of 1, or without those of `axis`.

    Raises `ValueError` for one of another extent.

    >>> px.squeeze(px.ones((1, 3, 1))).shape
    (3,)
    """
    a = coerce.as_operand(a)
    if axis is None:
        return a._reshape([n for n in a.shape if n != 1]) if 1 in a.shape else a
    if a.ndim == 0 and axis in (0, -1):
        return a[...]
    gone = axes_.several(axis, a.ndim)
    if any(a.shape[i] != 1 for i in gone):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return a._reshape([n for i, n in enumerate(a.shape) if i not in gone])


def broadcast_to(array: Any, shape: Any, subok: bool = False) -> ndarray:
    """The read-only view of that shape. Raises `ValueError` where they do not fit.

    >>> px.broadcast_to(px.arange(2), (2, 2))
    array([[0, 1],
           [0, 1]])
    """
    shape = (shape,) if axes_.is_index(shape) else shape
    return coerce.as_operand(array)._broadcast(list(shape))


def broadcast_shapes(*args: Any) -> tuple[int, ...]:
    """The shape to which all broadcast. Raises `ValueError` where they do not fit.

    >>> px.broadcast_shapes((3, 1), (2,))
    (3, 2)
    """
    import numpy as np

    return np.broadcast_shapes(*args)


def broadcast_arrays(*args: Any, subok: bool = False) -> tuple[Any, ...]:
    """Read-only views of one shape. Raises `ValueError` where the shapes do not fit.

    >>> px.broadcast_arrays(px.arange(2), px.ones((2, 1)))
    (array([[0, 1],
           [0, 1]]), array([[1., 1.],
           [1., 1.]]))
    """
    arrays = coerce.operands(*args)
    shape = broadcast_shapes(*(each.shape for each in arrays))
    return tuple(each if each.shape == shape else each._broadcast(shape) for each in arrays)


def _at_least(arys: Any, shape_of: Any) -> Any:
    made = []
    for array in coerce.operands(*arys):
        shape = shape_of(array.shape)
        made.append(array if shape == array.shape else array._reshape(shape))
    return made[0] if len(made) == 1 else tuple(made)


def atleast_1d(*arys: Any) -> Any:
    """The arrays, those without dimensions with one: the array, or a tuple of several.

    >>> px.atleast_1d(3.0)
    array([3.])
    """
    return _at_least(arys, lambda shape: shape or (1,))


def atleast_2d(*arys: Any) -> Any:
    """The arrays with dimensions of 1 in front, where they have fewer than two.

    >>> px.atleast_2d([1, 2])
    array([[1, 2]])
    """
    return _at_least(arys, lambda shape: (1,) * (2 - len(shape)) + shape)


def _three(shape: tuple[int, ...]) -> tuple[int, ...]:
    if len(shape) < 2:
        return (1, *(shape or (1,)), 1)
    return (*shape, 1) if len(shape) == 2 else shape


def atleast_3d(*arys: Any) -> Any:
    """The arrays with dimensions of 1 around, where they have fewer than three.

    >>> px.atleast_3d([1, 2]).shape
    (1, 2, 1)
    """
    return _at_least(arys, _three)


def flip(m: Any, axis: Any = None) -> ndarray:
    """The view with the elements along `axis`, by default along all, in reverse order.

    >>> px.flip(px.asarray([[1, 2], [3, 4]]), axis=1)
    array([[2, 1],
           [4, 3]])
    """
    m = coerce.as_operand(m)
    flipped = range(m.ndim) if axis is None else axes_.several(axis, m.ndim)
    return m[tuple(slice(None, None, -1 if i in flipped else 1) for i in range(m.ndim))]


def fliplr(m: Any) -> ndarray:
    """The view with columns in reverse order. Raises `ValueError` below two dimensions.

    >>> px.fliplr(px.asarray([[1, 2], [3, 4]]))
    array([[2, 1],
           [4, 3]])
    """
    m = coerce.as_operand(m)
    if m.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return m[:, ::-1]


def flipud(m: Any) -> ndarray:
    """The view with rows in reverse order. Raises `ValueError` for one without dimensions.

    >>> px.flipud(px.asarray([[1, 2], [3, 4]]))
    array([[3, 4],
           [1, 2]])
    """
    m = coerce.as_operand(m)
    if m.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return m[::-1]


def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> ndarray:
    """The view turned k times by 90 degrees, from the first of two axes towards the second.

    >>> px.rot90([[1, 2], [3, 4]])
    array([[2, 4],
           [1, 3]])
    """
    m = coerce.as_operand(m)
    axes = tuple(axes)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    if axes[0] == axes[1] or abs(axes[0] - axes[1]) == m.ndim:
        raise ValueError("Axes must be different.")
    if not all(-m.ndim <= each < m.ndim for each in axes):
        raise ValueError(f"Axes={axes} out of range for array of ndim={m.ndim}.")
    k %= 4
    if k == 0:
        return m[:]
    if k == 2:
        return flip(flip(m, axes[0]), axes[1])
    if k == 1:
        return swapaxes(flip(m, axes[1]), *axes)
    return flip(swapaxes(m, *axes), axes[1])


def diagonal_view(a: Any, offset: int, axis1: int, axis2: int) -> Any:
    """The diagonal of two dimensions, which are the last one of the view then."""
    first, second = axes_.one(axis1, a.ndim, "axis1"), axes_.one(axis2, a.ndim, "axis2")
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    rows, columns = a.shape[first], a.shape[second]
    row, column = max(-offset, 0), max(offset, 0)
    length = max(0, min(rows - row, columns - column))
    kept = [i for i in range(a.ndim) if i not in (first, second)]
    axes = [(0, 0, 1)] * a.ndim
    for dimension, i in enumerate(kept):
        axes[i] = (dimension, 0, 1)
    axes[first], axes[second] = (len(kept), row, 1), (len(kept), column, 1)
    return a._view([*(a.shape[i] for i in kept), length], axes)


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ndarray:
    """The read-only view of the diagonal of two dimensions, which is the last dimension then.

    Raises `ValueError` below two dimensions, or where both are one.

    >>> px.diagonal(px.asarray([[1, 2], [3, 4]]))
    array([1, 4])
    """
    a = coerce.as_operand(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    made = diagonal_view(a, operator.index(offset), axis1, axis2)
    made._set_read_only(True)
    return made


def trace(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> ndarray:
    """The sum of the diagonal of two dimensions; int64 or uint64 for smaller integers.

    Raises `ValueError` below two dimensions, or where both are one.

    >>> px.trace(px.asarray([[1, 2], [3, 4]]))
    array(5)
    """
    a = coerce.as_operand(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    along = diagonal_view(a, operator.index(offset), axis1, axis2)
    name = a._dtype if dtype is None else dtypes.name_of(dtype)
    if dtype is None and (name == "bool" or "int" in name):
        name = "uint64" if name.startswith("u") else "int64"
    made = _engine.array_reduce(along, "sum", name, [along.ndim - 1])
    if out is None:
        return made
    out[...] = made
    return out


def as_strided(
    x: Any, shape: Any = None, strides: Any = None, subok: bool = False, writeable: bool = True
) -> Any:
    """The array over the same memory with other strides, in bytes.

    Raises `ValueError` where it would leave the memory of `x`.

    >>> px.as_strided(px.arange(4), (3, 2), (8, 8))
    array([[0, 1],
           [1, 2],
           [2, 3]])
    """
    x = coerce.as_operand(x)
    memory = coerce.shared_memory(x)
    shape = tuple(x.shape if shape is None else shape)
    strides = tuple(memory.strides if strides is None else strides)
    made = x._alias(memory._view(shape, strides))
    if not writeable:
        made._set_read_only(True)
    return made


def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    """The view of all windows of that shape, whose dimensions are the last ones.

    Raises `ValueError` where a window is larger than the array.

    >>> px.sliding_window_view(px.arange(4), 2)
    array([[0, 1],
           [1, 2],
           [2, 3]])
    """
    x = coerce.as_operand(x)
    window = tuple(window_shape) if not axes_.is_index(window_shape) else (window_shape,)
    if any(n < 0 for n in window):
        raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes: tuple[int, ...] = tuple(range(x.ndim))
    else:
        given = (axis,) if axes_.is_index(axis) else tuple(axis)
        axes = tuple(axes_.one(each, x.ndim) for each in given)
    if len(window) != len(axes):
        raise ValueError(
            f"Must provide as many extents in window_shape as there are axes; got {len(window)} "
            f"and {len(axes)}."
        )
    shape = list(x.shape)
    for each, n in zip(axes, window, strict=True):
        if shape[each] < n:
            raise ValueError("window shape cannot be larger than input array shape")
        shape[each] -= n - 1
    strides = tuple(x._share().strides)
    whole = (*strides, *(strides[each] for each in axes))
    return as_strided(x, (*shape, *window), whole, writeable=writeable)
