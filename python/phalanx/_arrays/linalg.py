"""Linear algebra: of arrays of a GPU by cuSOLVER, else by the host's LAPACK.

Each function takes what NumPy's of the name takes, and gives arrays where that one does: stacks of
matrices in the last two dimensions. `LinAlgError` is NumPy's.
"""

from __future__ import annotations

from typing import Any

from .. import _engine
from . import coerce, cusolver, device_linalg, hosted, matrix_functions, products, ufuncs

_DOCS = {
    # Decompositions
    "cholesky": "The triangular L with L @ L^H = a. Raises `LinAlgError` of others.",
    "eig": "The eigenvalues and right eigenvectors of square matrices.",
    "eigh": "The eigenvalues, ascending, and eigenvectors of Hermitian matrices.",
    "eigvals": "The eigenvalues of square matrices.",
    "eigvalsh": "The eigenvalues of Hermitian matrices, ascending.",
    "qr": "An orthonormal Q and a triangular R with Q @ R = a.",
    "svd": "U, the singular values, descending, and V^H, with (U * S) @ V^H = a.",
    "svdvals": "The singular values, descending.",
    # Solutions and inverses
    "inv": "The inverses. Raises `LinAlgError` of singular matrices.",
    "lstsq": "The x of least |b - a @ x|, its residuals, the rank and the singular values of a.",
    "pinv": "The Moore-Penrose pseudo-inverses.",
    "solve": "The x with a @ x = b. Raises `LinAlgError` of singular matrices.",
    "tensorinv": "The inverse with regard to `tensordot`.",
    "tensorsolve": "The x with tensordot(a, x, x.ndim) = b.",
    # Numbers of matrices
    "cond": "The condition numbers.",
    "det": "The determinants.",
    "matrix_norm": "The norms of matrices.",
    "matrix_rank": "The numbers of singular values above a tolerance.",
    "norm": "A norm of vectors or matrices.",
    "slogdet": "The signs and the logarithms of the determinants' absolute values.",
    "vector_norm": "The norms of vectors, or of all elements.",
    # Products
    "cross": "The cross product of vectors of 3 elements.",
    "diagonal": "The diagonals of the last two dimensions.",
    "matrix_power": "The n-th power of square matrices.",
    "matrix_transpose": "The last two dimensions exchanged.",
    "multi_dot": "The product of several matrices, in the order of the fewest operations.",
    "trace": "The sums of the diagonals of the last two dimensions.",
}

_ON_DEVICE = {
    name: getattr(module, name)
    for module in (device_linalg, matrix_functions)
    for name in _DOCS
    if hasattr(module, name)
}


class LinalgFunction(hosted.HostFunction):
    """A function of matrices, on the device where the first array is in a GPU's memory."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = args[0] if args else None
        first = given[0] if isinstance(given, (list, tuple)) and given else given
        if not isinstance(first, _engine.Array) or not _is_for_device(self.__name__, first):
            return super().__call__(*args, **kwargs)
        return _ON_DEVICE[self.__name__](*args, **kwargs)


def _is_for_device(name: str, array: Any) -> bool:
    """Returns whether the array is in a GPU's memory and not empty, and there is a library."""
    if name not in _ON_DEVICE or not array.size or array._dtype in ("float16", "bfloat16"):
        return False
    has_library = cusolver.has_eig if name in ("eig", "eigvals") else cusolver.has_library
    return coerce.is_tied_to_gpu(array) and bool(has_library())


_MADE = {name: LinalgFunction(name, doc, __name__, "linalg") for name, doc in _DOCS.items()}


def matmul(x1: Any, x2: Any, /) -> Any:
    """The products of matrices, and of stacks of them. Raises `ValueError` where shapes differ."""
    return ufuncs.table()["matmul"](x1, x2)


def outer(x1: Any, x2: Any, /) -> Any:
    """The products of each element of one vector with each of another.

    Raises `ValueError` for other arrays than vectors.
    """
    x1, x2 = coerce.operands(x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            "Input arrays must be one-dimensional, but they are "
            f"x1.ndim={x1.ndim} and x2.ndim={x2.ndim}."
        )
    return products.outer(x1, x2)


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """The sums of the products over pairs of axes, as `phalanx.tensordot` has them."""
    return products.tensordot(x1, x2, axes)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The sums of the products of vectors, the first conjugated."""
    return ufuncs.table()["vecdot"](x1, x2, axis=axis)


def __getattr__(name: str) -> Any:
    if name == "LinAlgError":
        import numpy as np

        return np.linalg.LinAlgError
    try:
        return _MADE[name]
    except KeyError:
        raise AttributeError(f"phalanx.linalg has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted([*_MADE, "matmul", "outer", "tensordot", "vecdot", "LinAlgError"])
