"""Decompositions and solutions of arrays in a GPU's memory, by cuSOLVER.

The functions have NumPy's meanings and errors. They wait where NumPy raises `LinAlgError`, as the
device has to say whether it came to that.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from .. import _engine
from . import coerce, creation, cusolver, dtype_functions, shapes, ufuncs

_DTYPES = ("float32", "float64", "complex64", "complex128")
_EPSILON = {"float32": 2.0**-23, "float64": 2.0**-52}


def _apply(name: str, *operands: Any) -> Any:
    return ufuncs.table()[name](*operands)


def error(text: str) -> Exception:
    """NumPy's `LinAlgError`."""
    import numpy as np

    return np.linalg.LinAlgError(text)


def _common(*arrays: Any) -> list[Any]:
    """The arrays in the type that NumPy would compute in; whole numbers count as float64."""
    dtypes = [
        "float64" if each._dtype[0] in "biu" and each._dtype != "bfloat16" else each._dtype
        for each in arrays
    ]
    dtype = str(dtype_functions.result_type(*dtypes))
    if dtype not in _DTYPES:
        raise TypeError(f"array type {dtype} is unsupported in linalg")
    return [each if each._dtype == dtype else _engine.array_cast(each, dtype) for each in arrays]


def check_square(array: Any, is_square: bool = True) -> None:
    """Raises `LinAlgError` for what is no stack of matrices, or not of square ones."""
    if array.ndim < 2:
        raise error(f"{array.ndim}-dimensional array given. Array must be at least two-dimensional")
    if is_square and array.shape[-1] != array.shape[-2]:
        raise error("Last 2 dimensions of the array must be square")


def matrices(a: Any, is_square: bool = False) -> Any:
    """An array in the type that NumPy would compute in, of two dimensions at least."""
    (array,) = _common(coerce.asarray(a))
    check_square(array, is_square)
    return array


def _stack(array: Any) -> Any:
    """The matrices by columns, in memory of their own."""
    rows, columns = array.shape[-2:]
    count = math.prod(array.shape[:-2])
    return coerce.copied(array.swapaxes(-1, -2), "C").reshape(count, columns, rows)


def _rows_stack(array: Any) -> Any:
    """Likewise the transposed matrices, which no element has to change its place for."""
    return coerce.copied(array, "C").reshape(math.prod(array.shape[:-2]), *array.shape[-2:])


def _unstacked(stack: Any, batch: tuple[int, ...]) -> Any:
    return stack.reshape((*batch, *stack.shape[1:])).swapaxes(-1, -2)


def _rows(values: Any, batch: tuple[int, ...]) -> Any:
    return values.reshape((*batch, values.shape[-1]))


def _check(infos: Any, text: str, values: Any = None) -> None:
    """Raises `LinAlgError` where a routine has failed, or a value is NaN."""
    is_bad = (infos != 0).any()
    if values is not None:
        is_bad = is_bad | _apply("isnan", values).any()
    if bool(is_bad):
        raise error(text)


def _real(array: Any) -> Any:
    return array.real if array._dtype.startswith("complex") else array


def _conjugate(array: Any) -> Any:
    return array.conj() if array._dtype.startswith("complex") else array


def _adjoint(array: Any) -> Any:
    return _conjugate(array.swapaxes(-1, -2))


def _diagonal(array: Any) -> Any:
    return shapes.diagonal(array, 0, -2, -1)


# Solutions


def cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """The triangular L with L @ L^H = a, or with `upper` U with U^H @ U = a."""
    from . import sequences

    array = matrices(a, is_square=True)
    # By rows, without transposing, it would be the library's upper triangle, which takes an H100
    # 1.9 times as long.
    stack = _stack(_adjoint(array) if upper else array)
    infos = cusolver.cholesky(stack)
    lower = coerce.in_order(sequences.tril(_unstacked(stack, array.shape[:-2])), "C")
    _check(infos, "Matrix is not positive definite")
    return _adjoint(lower) if upper else lower


def solve(a: Any, b: Any, *, is_checked: bool = True) -> Any:
    """The x with a @ x = b; a vector b is one column. Without a check singular ones give NaN."""
    left, right = _common(*coerce.arrays(a, b))
    matrices(left, is_square=True)
    if right.ndim == 0:
        raise ValueError("the right side is a number: it needs a dimension")
    is_vector = right.ndim == 1
    right = right[:, None] if is_vector else right
    length = left.shape[-1]
    if right.shape[-2] != length:
        raise ValueError(f"the right side has {right.shape[-2]} rows, the matrix {length}")
    batch = shapes.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    columns = right.shape[-1]
    solved = _stack(shapes.broadcast_to(right, (*batch, length, columns)))
    factors = _stack(shapes.broadcast_to(left, (*batch, length, length)))
    _solve(factors, solved, is_checked)
    made = _unstacked(solved, batch)
    return made[..., 0] if is_vector else coerce.in_order(made, "C")


def _solve(factors: Any, solved: Any, is_checked: bool) -> None:
    """Makes of a stack of matrices their factors, and of right sides the solutions."""
    pivots, infos = cusolver.lu(factors)
    cusolver.lu_solve(factors, pivots, solved)
    if is_checked:  # not before: the device would stand still meanwhile
        _check(infos, "Singular matrix")


def inv(a: Any, *, is_checked: bool = True) -> Any:
    """The inverses of square matrices. Without a check those of singular ones are no numbers."""
    from . import sequences

    array = matrices(a, is_square=True)
    identity = sequences.eye(array.shape[-1], dtype=array._dtype, device=array._device)
    solved = _rows_stack(shapes.broadcast_to(identity, array.shape))
    # The inverse of the transposed matrix, by columns, lies as that of the matrix by rows.
    _solve(_rows_stack(array), solved, is_checked)
    return solved.reshape(array.shape)


def _lu(a: Any) -> tuple[Any, Any]:
    """The diagonals of U, and whether an odd number of rows was exchanged."""
    from . import sequences

    array = matrices(a, is_square=True)
    stack = _stack(array)
    pivots, _ = cusolver.lu(stack)
    diagonals = _rows(_diagonal(stack), array.shape[:-2])
    places = sequences.arange(1, array.shape[-1] + 1, device=array._device)
    is_odd = (_rows(pivots, array.shape[:-2]) != places).sum(axis=-1) % 2 == 1
    return diagonals, is_odd


def det(a: Any) -> Any:
    """The determinants of square matrices."""
    from . import selecting

    diagonals, is_odd = _lu(a)
    product = diagonals.prod(axis=-1)
    made = selecting.where(is_odd, -product, product)
    return made if made.ndim else made._as_number()


def slogdet(a: Any) -> Any:
    """The signs, and the logarithms of the absolute values, of determinants."""
    import numpy as np

    from . import selecting

    diagonals, is_odd = _lu(a)
    sizes = _apply("absolute", diagonals)
    signs = _apply("sign", diagonals).prod(axis=-1)
    signs = selecting.where(is_odd, -signs, signs)
    logarithms = _apply("log", sizes).sum(axis=-1)
    kind = type(np.linalg.slogdet(np.eye(1)))
    return kind(*(each if each.ndim else each._as_number() for each in (signs, logarithms)))


# Decompositions


def qr(a: Any, mode: str = "reduced") -> Any:
    """Q with orthonormal columns and a triangle R, with Q @ R = a."""
    import numpy as np

    from . import sequences

    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    array = matrices(a)
    batch, (rows, columns) = array.shape[:-2], array.shape[-2:]
    least = min(rows, columns)
    stack = _stack(array)
    factors = cusolver.qr(stack)
    if mode == "raw":
        return stack.reshape((*batch, columns, rows)), _rows(factors, batch)
    wide = rows if mode == "complete" else least
    triangle = sequences.triu(_unstacked(stack, batch)[..., : least if mode == "r" else wide, :])
    if mode == "r":
        return triangle
    vectors = creation.zeros((stack.shape[0], wide, rows), array._dtype, device=array._device)
    vectors[:, :least] = stack[:, :least]
    cusolver.orthonormal(vectors, factors)
    named: Any = type(np.linalg.qr(np.eye(1)))
    return named(_unstacked(vectors, batch), triangle)


def eigh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues, ascending, and eigenvectors of Hermitian matrices."""
    import numpy as np

    values, vectors = _eigh(a, UPLO, True)
    return type(np.linalg.eigh(np.eye(1)))(values, vectors)


def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues of Hermitian matrices, ascending."""
    return _eigh(a, UPLO, False)[0]


def _eigh(a: Any, part: str, has_vectors: bool) -> tuple[Any, Any]:
    if part.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    array = matrices(a, is_square=True)
    stack = _stack(array)
    values, infos = cusolver.eigh(stack, part.upper() == "L", has_vectors)
    _check(infos, "Eigenvalues did not converge", values)
    batch = array.shape[:-2]
    return _rows(values, batch), _unstacked(stack, batch) if has_vectors else None


def eig(a: Any) -> Any:
    """The eigenvalues and right eigenvectors of square matrices."""
    import numpy as np

    values, vectors = _eig(a, True)
    return type(np.linalg.eig(np.eye(1)))(values, vectors)


def eigvals(a: Any) -> Any:
    """The eigenvalues of square matrices."""
    return _eig(a, False)[0]


def _eig(a: Any, has_vectors: bool) -> tuple[Any, Any]:
    array = matrices(a, is_square=True)
    if not bool(_apply("isfinite", array).all()):
        raise error("Array must not contain infs or NaNs")
    stack = _stack(array)
    values, vectors, infos = cusolver.eig(stack, has_vectors)
    _check(infos, "Eigenvalues did not converge")
    batch = array.shape[:-2]
    if array._dtype.startswith("complex"):
        return _rows(values, batch), _unstacked(vectors, batch) if has_vectors else None
    is_real = not _has_complex_spectra() and not bool((values.imag != 0).any())
    if has_vectors and not is_real:
        vectors = _from_pairs(values, vectors)
    values = values.real if is_real else values
    return _rows(values, batch), _unstacked(vectors, batch) if has_vectors else None


@functools.cache
def _has_complex_spectra() -> bool:
    """Returns whether NumPy gives complex eigenvalues where all are real; 2.5 began it."""
    import numpy as np

    return np.linalg.eigvals(np.eye(1)).dtype.kind == "c"


def _from_pairs(values: Any, vectors: Any) -> Any:
    """Complex vectors, rows of the stack, of the pairs of real ones that the library gives."""
    from . import rearranging, selecting

    parts = values.imag[..., None]
    after, before = (rearranging.roll(vectors, shift, axis=-2) for shift in (-1, 1))
    real = selecting.where(parts < 0, before, vectors)
    imaginary = selecting.where(parts > 0, after, selecting.where(parts < 0, -vectors, 0))
    return real + imaginary * 1j


def svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    """U, the singular values, descending, and V^H, with (U * S) @ V^H = a."""
    import numpy as np

    array = matrices(a, is_square=hermitian)
    if hermitian:
        left, values, right = _svd_of_hermitian(array, compute_uv)
    else:
        left, values, right = _svd(array, full_matrices, compute_uv)
    kind = type(np.linalg.svd(np.eye(1)))
    return kind(left, values, right) if compute_uv else values


def svdvals(x: Any, /) -> Any:
    """The singular values, descending."""
    return svd(x, compute_uv=False)


def _svd(array: Any, is_full: bool, has_vectors: bool) -> tuple[Any, Any, Any]:
    batch, (rows, columns) = array.shape[:-2], array.shape[-2:]
    is_turned = rows < columns  # the library takes no more columns than rows
    stack = _stack(_adjoint(array) if is_turned else array)
    vectors = ("full" if is_full else "thin") if has_vectors else "none"
    values, left, right, infos = cusolver.svd(stack, vectors)
    _check(infos, "SVD did not converge", values)
    values = _rows(values, batch)
    if not has_vectors:
        return None, values, None
    left, right = _unstacked(left, batch), _unstacked(right, batch)
    return (_adjoint(right), values, _adjoint(left)) if is_turned else (left, values, right)


def _svd_of_hermitian(array: Any, has_vectors: bool) -> tuple[Any, Any, Any]:
    from . import selecting, sorting

    values, vectors = _eigh(array, "L", has_vectors)
    sizes = _apply("absolute", values)
    order = sorting.argsort(sizes, descending=True)
    sizes = selecting.take_along_axis(sizes, order, -1)
    if not has_vectors:
        return None, sizes, None
    signs = _apply("copysign", 1.0, selecting.take_along_axis(values, order, -1))
    vectors = selecting.take_along_axis(vectors, order[..., None, :], -1)
    return vectors, sizes, _adjoint(vectors * signs[..., None, :])


# What is made of singular values


def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """The numbers of singular values above a tolerance."""
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    array = coerce.asarray(A)
    if array.ndim < 2:
        return int(bool((array != 0).any()))
    values = svd(array, compute_uv=False, hermitian=hermitian)
    if tol is not None:
        limit = coerce.asarray(tol, device=values._device)[..., None]
    else:
        least = max(array.shape[-2:]) * _EPSILON[values._dtype]
        limit = values.max(axis=-1, keepdims=True) * (
            least if rtol is None else coerce.asarray(rtol, device=values._device)[..., None]
        )
    return (values > limit).sum(axis=-1)


def _cutoff(array: Any, rcond: Any, options: dict[str, Any]) -> Any:
    if {*options} - {"rtol"}:
        raise TypeError(f"pinv() got unexpected keyword arguments {sorted(options)}")
    if "rtol" in options and rcond is not None:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    if "rtol" in options and options["rtol"] is None:
        return max(array.shape[-2:]) * _EPSILON[_real(array)._dtype]
    return options.get("rtol", 1e-15 if rcond is None else rcond)


def pinv(a: Any, rcond: Any = None, hermitian: bool = False, **options: Any) -> Any:
    """The Moore-Penrose pseudo-inverses; options are NumPy's `rtol`."""
    from . import selecting

    array = matrices(a)
    limit = coerce.asarray(_cutoff(array, rcond, options), device=array._device)[..., None]
    left, values, right = svd(array, full_matrices=False, hermitian=hermitian)
    is_large = values > limit * values.max(axis=-1, keepdims=True)
    inverse = selecting.where(is_large, 1 / selecting.where(is_large, values, 1), 0)
    inverse = _engine.array_cast(inverse, values._dtype)
    return _apply("matmul", _adjoint(right), inverse[..., None] * _adjoint(left))


def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """The x of least |b - a @ x|, the squares of what is left, the rank and a's singular values."""
    from . import selecting

    left, right = _common(*coerce.arrays(a, b))
    is_vector = right.ndim == 1
    right = right[:, None] if is_vector else right
    if left.ndim != 2 or right.ndim != 2:
        raise error("lstsq takes one matrix and a vector or matrix")
    rows, columns = left.shape
    if rows != right.shape[0]:
        raise error("Incompatible dimensions")
    first, values, last = svd(left, full_matrices=False)
    epsilon = _EPSILON[values._dtype]
    limit = epsilon * max(rows, columns) if rcond is None else rcond
    limit = epsilon if limit < 0 else limit  # as LAPACK's routine takes it
    is_large = values > limit * values.max()
    inverse = _engine.array_cast(
        selecting.where(is_large, 1 / selecting.where(is_large, values, 1), 0), values._dtype
    )
    made = _apply(
        "matmul", _adjoint(last), inverse[:, None] * _apply("matmul", _adjoint(first), right)
    )
    rank = is_large.sum(dtype="int32")
    if int(rank) != columns or rows <= columns:
        rest = creation.empty(0, values._dtype, device=left._device)
    else:
        rest = (_apply("absolute", right - _apply("matmul", left, made)) ** 2).sum(axis=0)
    return (made[:, 0] if is_vector else made), rest, rank, values
