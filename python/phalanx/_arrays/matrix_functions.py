"""Functions of matrices made of products, sums and solutions, where the arrays are on a GPU.

They have NumPy's meanings and errors, and never come to the host.
"""

from __future__ import annotations

import math
from typing import Any

from .. import _engine
from . import axes as axes_
from . import coerce, device_linalg, products, shapes, ufuncs

_SVD_NORMS: dict[Any, str] = {2: "max", -2: "min", "nuc": "sum"}


def _apply(name: str, *operands: Any, **options: Any) -> Any:
    return ufuncs.table()[name](*operands, **options)


def _floats(x: Any) -> Any:
    array = coerce.asarray(x)
    is_float = array._dtype.startswith(("float", "complex", "bfloat"))
    return array if is_float else _engine.array_cast(array, "float64")


def _squares(x: Any) -> Any:
    """The squares of absolute values."""
    return x.real**2 + x.imag**2 if x._dtype.startswith("complex") else x * x


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """A norm of vectors or matrices: of the axes, of all elements without an order."""
    array = _floats(x)
    is_whole = ord is None or (ord in ("f", "fro") and array.ndim == 2)
    if axis is None and (is_whole or (ord == 2 and array.ndim == 1)):
        made = _apply("sqrt", _squares(array).sum())
        return made.reshape((1,) * array.ndim) if keepdims else made
    places = tuple(range(array.ndim)) if axis is None else axes_.several(axis, array.ndim, "axis")
    if len(places) == 1:
        return _norm_of_vectors(array, ord, places[0], keepdims)
    if len(places) == 2:
        return _norm_of_matrices(array, ord, places, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


def _norm_of_vectors(x: Any, order: Any, axis: Any, keepdims: bool) -> Any:
    if isinstance(order, str):
        raise ValueError(f"Invalid norm order '{order}' for vectors")
    options = {"axis": axis, "keepdims": keepdims}
    if order is None or order == 2:
        return _apply("sqrt", _squares(x).sum(**options))
    sizes = _apply("absolute", x)
    if order == math.inf:
        return sizes.max(initial=0, **options)
    if order == -math.inf:
        return sizes.min(**options)
    if order == 0:
        return (sizes != 0).astype(sizes._dtype).sum(**options)
    if order == 1:
        return sizes.sum(**options)
    return (sizes**order).sum(**options) ** (1 / order)


def _norm_of_matrices(x: Any, order: Any, places: tuple[int, ...], keepdims: bool) -> Any:
    rows, columns = places
    if order in (None, "fro", "f"):
        return _apply("sqrt", _squares(x).sum(axis=places, keepdims=keepdims))
    if order in _SVD_NORMS:
        turned = shapes.moveaxis(x, places, (-2, -1))
        values = device_linalg.svd(turned, compute_uv=False)
        made = getattr(values, _SVD_NORMS[order])(axis=-1)
    elif order in (1, -1, math.inf, -math.inf):
        added, kept = (rows, columns) if abs(order) == 1 else (columns, rows)
        sums = _apply("absolute", x).sum(axis=added, keepdims=True)
        made = (sums.max if order > 0 else sums.min)(axis=kept, keepdims=True)
        return made if keepdims else shapes.squeeze(made, places)
    else:
        raise ValueError("Invalid norm order for matrices.")
    return shapes.expand_dims(made, tuple(sorted(places))) if keepdims else made


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The norms of vectors along axes; without these of all elements."""
    array = _floats(x)
    places = tuple(range(array.ndim)) if axis is None else axes_.several(axis, array.ndim, "axis")
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    return _norm_of_vectors(array, ord, places, keepdims)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norms of the matrices in the last two dimensions."""
    return norm(x, ord, (-2, -1), keepdims)


def cond(x: Any, p: Any = None) -> Any:
    """The condition numbers."""
    from . import selecting

    array = device_linalg.matrices(x)
    if 0 in array.shape[-2:]:
        raise device_linalg.error("cond is not defined on empty arrays")
    if p in (None, 2, -2):
        values = device_linalg.svd(array, compute_uv=False)
        first, last = values[..., 0], values[..., -1]
        made = last / first if p == -2 else first / last
    else:
        inverse = device_linalg.inv(array, is_checked=False)
        made = norm(array, p, (-2, -1)) * norm(inverse, p, (-2, -1))
    has_nan = _apply("isnan", array.real if array._dtype.startswith("complex") else array).any(
        axis=(-2, -1)
    )
    made = selecting.where(_apply("isnan", made) & ~has_nan, math.inf, made)
    return made if made.ndim else made._as_number()


def matrix_power(a: Any, n: int) -> Any:
    """The n-th power of square matrices; of a negative n that of the inverses."""
    import operator

    from . import sequences

    array = coerce.asarray(a)
    device_linalg.check_square(array)
    count = operator.index(n)
    if count < 0:
        array, count = device_linalg.inv(array), -count
    if count == 0:
        identity = sequences.eye(array.shape[-1], dtype=array._dtype, device=array._device)
        return coerce.copied(shapes.broadcast_to(identity, array.shape))
    made = None
    while count:
        if count & 1:
            made = array if made is None else _apply("matmul", made, array)
        count >>= 1
        array = _apply("matmul", array, array) if count else array
    return coerce.copied(made) if made is array else made


def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """The product of several matrices, in the order of the fewest multiplications.

    The first and the last may be vectors. The order is found by dynamic programming (Cormen et
    al., "Introduction to Algorithms", 15.2).
    """
    from . import outputs

    given = coerce.arrays(*arrays)
    if len(given) < 2:
        raise ValueError("Expecting at least two arrays.")
    factors = [*given]
    factors[0] = factors[0][None, :] if factors[0].ndim == 1 else factors[0]
    factors[-1] = factors[-1][:, None] if factors[-1].ndim == 1 else factors[-1]
    if any(each.ndim != 2 for each in factors):
        raise device_linalg.error("multi_dot takes matrices, first and last also vectors")
    made = _multiplied(factors, _best_splits(factors), 0, len(factors) - 1)
    if given[0].ndim == 1:
        made = made[0]
    if given[-1].ndim == 1:
        made = made[..., 0]
    return made if out is None else outputs.store(out, made, "unsafe", name="multi_dot")


def _best_splits(factors: list[Any]) -> dict[tuple[int, int], int]:
    """Where each run of factors is best divided."""
    extents = [factors[0].shape[0], *(each.shape[1] for each in factors)]
    count = len(factors)
    costs = {(i, i): 0 for i in range(count)}
    splits = {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            costs[i, j], splits[i, j] = min(
                (
                    costs[i, k] + costs[k + 1, j] + extents[i] * extents[k + 1] * extents[j + 1],
                    k,
                )
                for k in range(i, j)
            )
    return splits


def _multiplied(factors: list[Any], splits: dict[tuple[int, int], int], i: int, j: int) -> Any:
    if i == j:
        return factors[i]
    k = splits[i, j]
    sides = _multiplied(factors, splits, i, k), _multiplied(factors, splits, k + 1, j)
    return _apply("matmul", *sides)


def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """The x with tensordot(a, x, x.ndim) = b."""
    array, right = coerce.arrays(a, b)
    if axes is not None:
        order = [each for each in range(array.ndim) if each not in axes] + [*axes]
        array = shapes.transpose(array, order)
    shape = array.shape[right.ndim :]
    count = math.prod(shape)
    if array.size != count**2:
        raise device_linalg.error(
            "Input arrays must satisfy the requirement "
            "prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"
        )
    return device_linalg.solve(array.reshape(count, count), right.reshape(-1)).reshape(shape)


def tensorinv(a: Any, ind: int = 2) -> Any:
    """The inverse with regard to `tensordot`."""
    array = coerce.asarray(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    count = math.prod(array.shape[ind:])
    inverse = device_linalg.inv(array.reshape(count, -1))
    return inverse.reshape((*array.shape[ind:], *array.shape[:ind]))


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sums of the diagonals of the last two dimensions."""
    return diagonal(x, offset=offset).sum(axis=-1, dtype=dtype)


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonals of the last two dimensions."""
    return shapes.diagonal(coerce.asarray(x), offset, -2, -1)


def matrix_transpose(x: Any, /) -> Any:
    """The last two dimensions exchanged."""
    return shapes.matrix_transpose(coerce.asarray(x))


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The cross product of vectors of 3 elements."""
    from . import joining

    first, second = (shapes.moveaxis(each, axis, -1) for each in coerce.arrays(x1, x2))
    if first.shape[-1] != 3 or second.shape[-1] != 3:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
            f"{first.shape[-1]} and {second.shape[-1]} dimensional instead."
        )
    a, b = ([each[..., i] for i in range(3)] for each in (first, second))
    parts = [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
    return shapes.moveaxis(joining.stack(parts, -1), -1, axis)


def kron(a: Any, b: Any) -> Any:
    """The Kronecker product."""
    first, second = coerce.arrays(a, b)
    ndim = max(first.ndim, second.ndim)
    first, second = (
        each.reshape((1,) * (ndim - each.ndim) + each.shape) for each in (first, second)
    )
    pairs = zip(first.shape, second.shape, strict=True)
    product = products.outer(first.reshape(-1), second.reshape(-1))
    product = product.reshape((*first.shape, *second.shape))
    order = [place for i in range(ndim) for place in (i, ndim + i)]
    return shapes.transpose(product, order).reshape([m * n for m, n in pairs])
