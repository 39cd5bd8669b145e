"""Coordinates of the points of grids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _engine
from . import coerce, dtypes, host, joining, making, selecting, shapes

if TYPE_CHECKING:
    from .ndarray import ndarray


def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    """The coordinates of a grid's points, of those along each of its axes.

    A tuple of arrays of as many dimensions as there are axes; with `indexing="xy"` the first two
    are swapped. With `sparse` each has one extent other than 1; without `copy` they are views.
    Raises `ValueError` for another indexing.

    >>> px.meshgrid([1, 2], [3, 4])[0]
    array([[1, 2],
           [1, 2]])
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    ndim = len(xi)
    made = []
    for i, each in enumerate(coerce.operands(*xi)):
        shape = [1] * ndim
        shape[i] = -1
        made.append(each._reshape(shape))
    if indexing == "xy" and ndim > 1:
        made = [shapes.swapaxes(each, 0, 1) for each in made]
    if not sparse:
        made = list(shapes.broadcast_arrays(*made))
    return tuple(_engine.array_copy(each, each.shape) for each in made) if copy else tuple(made)


def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """The index along each dimension, at each point of an array of that shape.

    One array with the dimension in front; with `sparse` a tuple of arrays that broadcast.

    >>> px.indices((2, 2))[0]
    array([[0, 0],
           [1, 1]])
    """
    shape = making.extents(dimensions)
    name = dtypes.name_of(dtype)
    made = []
    for i in range(len(shape)):
        own = [n if j == i or not sparse else 1 for j, n in enumerate(shape)]
        made.append(_engine.array_cast(_engine.array_positions(own, i, 0, 1), name))
    if sparse:
        return tuple(made)
    if not made:
        return making.uninitialized((0,), name)
    return joining.stack(made)


def fromfunction(
    function: Any, shape: Any, *, dtype: Any = float, like: Any = None, **kwargs: Any
) -> Any:
    """What a function makes of the indices, one array for each dimension.

    >>> px.fromfunction(lambda i, j: 10 * i + j, (2, 3))
    array([[ 0.,  1.,  2.],
           [10., 11., 12.]])
    """
    return function(*indices(shape, dtype=dtype), **kwargs)


def ix_(*args: Any) -> Any:
    """1-d arrays as indices of all combinations: each with an extent other than 1.

    >>> px.arange(9).reshape(3, 3)[px.ix_([0, 2], [1])]
    array([[1],
           [7]])
    """
    import numpy as np

    return host.run(np.ix_, *args)


def unravel_index(indices: Any, shape: Any, order: str = "C") -> Any:
    """The index along each dimension, of indices into the flat array.

    Raises `ValueError` for those out of range.

    >>> px.unravel_index(5, (2, 3))
    (array(1), array(2))
    """
    import numpy as np

    return host.run(np.unravel_index, indices, shape, order)


def ravel_multi_index(
    multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C"
) -> ndarray:
    """The index into the flat array, of those along each dimension.

    Raises `ValueError` for those out of range unless `mode` is ``"wrap"`` or ``"clip"``.

    >>> px.ravel_multi_index(([0, 1], [1, 2]), (2, 3))
    array([1, 5])
    """
    import numpy as np

    return host.run(np.ravel_multi_index, tuple(multi_index), dims, mode, order)


def diag_indices(n: int, ndim: int = 2) -> Any:
    """The indices of the diagonal of an array of `ndim` extents n.

    >>> px.diag_indices(2)
    (array([0, 1]), array([0, 1]))
    """
    made = _engine.array_positions([max(n, 0)], 0, 0, 1)
    return (made,) * ndim


def diag_indices_from(arr: Any) -> Any:
    """The indices of an array's diagonal. Raises `ValueError` where extents differ.

    >>> px.diag_indices_from(px.ones((2, 2)))
    (array([0, 1]), array([0, 1]))
    """
    arr = coerce.as_operand(arr)
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len({*arr.shape}) != 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim)


def tril_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """The indices of the elements of a matrix on and below its k-th diagonal.

    >>> px.tril_indices(2)
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    import numpy as np

    return host.run(np.tril_indices, n, k, m)


def triu_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """The indices of the elements of a matrix on and above its k-th diagonal.

    >>> px.triu_indices(2)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    import numpy as np

    return host.run(np.triu_indices, n, k, m)


def tril_indices_from(arr: Any, k: int = 0) -> Any:
    """As `tril_indices`, of an array's shape. Raises `ValueError` if it is no matrix.

    >>> px.tril_indices_from(px.ones((2, 2)))
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    import numpy as np

    return host.run(np.tril_indices_from, arr, k)


def triu_indices_from(arr: Any, k: int = 0) -> Any:
    """As `triu_indices`, of an array's shape. Raises `ValueError` if it is no matrix.

    >>> px.triu_indices_from(px.ones((2, 2)))
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    import numpy as np

    return host.run(np.triu_indices_from, arr, k)


def ndindex(*shape: Any) -> Any:
    """An iterator over the indices of all elements, as tuples of ints.

    >>> list(px.ndindex(2, 1))
    [(0, 0), (1, 0)]
    """
    import numpy as np

    return np.ndindex(*shape)


def ndenumerate(arr: Any) -> Any:
    """An iterator over pairs of an index and its element, a number of NumPy's.

    >>> [(place, int(value)) for place, value in px.ndenumerate(px.asarray([7, 8]))]
    [((0,), 7), ((1,), 8)]
    """
    import numpy as np

    return np.ndenumerate(coerce.to_numpy(coerce.asarray(arr)))


def mask_indices(n: int, mask_func: Any, k: int = 0) -> Any:
    """The indices of an n by n array at which a function such as `triu`, of it and k, is not 0.

    >>> px.mask_indices(2, px.triu)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return selecting.nonzero(mask_func(making.filled((n, n), 1, "int64", None, "C"), k) != 0)
