"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.linalg."""

from typing import Any as _Any
from ._arrays.linalg import matmul as matmul
from ._arrays.linalg import outer as outer
from ._arrays.linalg import tensordot as tensordot
from ._arrays.linalg import vecdot as vecdot
from numpy.linalg import LinAlgError as LinAlgError

def cholesky(a: _Any, /, *, upper: _Any = False) -> _Any:
    """The triangular L with L @ L^H = a. Raises `LinAlgError` of others.

    >>> px.linalg.cholesky(px.asarray([[4.0, 0.0], [0.0, 9.0]]))
    array([[2., 0.],
           [0., 3.]])
    """
def cond(x: _Any, p: _Any = None) -> _Any:
    """The condition numbers.

    >>> px.linalg.cond(px.asarray([[2.0, 0.0], [0.0, 3.0]]))
    array(1.5)
    """
def cross(x1: _Any, x2: _Any, /, *, axis: _Any = -1) -> _Any:
    """The cross product of vectors of 3 elements.

    >>> px.linalg.cross([1, 0, 0], [0, 1, 0])
    array([0, 0, 1])
    """
def det(a: _Any) -> _Any:
    """The determinants.

    >>> px.linalg.det(px.asarray([[2.0, 0.0], [0.0, 3.0]]))
    array(6.)
    """
def diagonal(x: _Any, /, *, offset: _Any = 0) -> _Any:
    """The diagonals of the last two dimensions.

    >>> px.linalg.diagonal(px.asarray([[1, 2], [3, 4]]))
    array([1, 4])
    """
def eig(a: _Any) -> _Any:
    """The eigenvalues and right eigenvectors of square matrices."""
def eigh(a: _Any, UPLO: _Any = 'L') -> _Any:
    """The eigenvalues, ascending, and eigenvectors of Hermitian matrices."""
def eigvals(a: _Any) -> _Any:
    """The eigenvalues of square matrices.

    >>> px.linalg.eigvals(px.asarray([[2.0, 0.0], [0.0, 3.0]])).real
    array([2., 3.])
    """
def eigvalsh(a: _Any, UPLO: _Any = 'L') -> _Any:
    """The eigenvalues of Hermitian matrices, ascending.

    >>> px.linalg.eigvalsh(px.asarray([[2.0, 0.0], [0.0, 3.0]]))
    array([2., 3.])
    """
def inv(a: _Any) -> _Any:
    """The inverses. Raises `LinAlgError` of singular matrices.

    >>> px.linalg.inv(px.asarray([[2.0, 0.0], [0.0, 3.0]]))
    array([[0.5       , 0.        ],
           [0.        , 0.33333333]])
    """
def lstsq(a: _Any, b: _Any, rcond: _Any = None) -> _Any:
    """The x of least |b - a @ x|, its residuals, the rank and the singular values of a."""
def matrix_norm(x: _Any, /, *, keepdims: _Any = False, ord: _Any = 'fro') -> _Any:
    """The norms of matrices.

    >>> px.linalg.matrix_norm(px.asarray([[2.0, 0.0], [0.0, 3.0]]))
    array(3.60555128)
    """
def matrix_power(a: _Any, n: _Any) -> _Any:
    """The n-th power of square matrices.

    >>> px.linalg.matrix_power(px.asarray([[1, 1], [0, 1]]), 3)
    array([[1, 3],
           [0, 1]])
    """
def matrix_rank(A: _Any, tol: _Any = None, hermitian: _Any = False, *, rtol: _Any = None) -> _Any:
    """The numbers of singular values above a tolerance.

    >>> px.linalg.matrix_rank(px.asarray([[2.0, 0.0], [0.0, 3.0]]))
    array(2)
    """
def matrix_transpose(x: _Any, /) -> _Any:
    """The last two dimensions exchanged.

    >>> px.linalg.matrix_transpose(px.asarray([[1, 2], [3, 4]]))
    array([[1, 3],
           [2, 4]])
    """
def multi_dot(arrays: _Any, *, out: _Any = None) -> _Any:
    """The product of several matrices, in the order of the fewest operations.

    >>> px.linalg.multi_dot([px.ones((1, 2)), px.ones((2, 3)), px.ones((3, 1))])
    array([[6.]])
    """
def norm(x: _Any, ord: _Any = None, axis: _Any = None, keepdims: _Any = False) -> _Any:
    """A norm of vectors or matrices.

    >>> px.linalg.norm(px.asarray([3.0, 4.0]))
    array(5.)
    """
def pinv(a: _Any, rcond: _Any = None, hermitian: _Any = False, *, rtol: _Any = ...) -> _Any:
    """The Moore-Penrose pseudo-inverses.

    >>> px.linalg.pinv(px.asarray([[2.0, 0.0], [0.0, 3.0]]))
    array([[0.5       , 0.        ],
           [0.        , 0.33333333]])
    """
def qr(a: _Any, mode: _Any = 'reduced') -> _Any:
    """An orthonormal Q and a triangular R with Q @ R = a."""
def slogdet(a: _Any) -> _Any:
    """The signs and the logarithms of the determinants' absolute values.

    >>> px.linalg.slogdet(px.asarray([[2.0, 0.0], [0.0, 3.0]]))
    SlogdetResult(sign=array(1.), logabsdet=array(1.79175947))
    """
def solve(a: _Any, b: _Any) -> _Any:
    """The x with a @ x = b. Raises `LinAlgError` of singular matrices.

    >>> px.linalg.solve(px.asarray([[2.0, 0.0], [0.0, 3.0]]), [2.0, 6.0])
    array([1., 2.])
    """
def svd(a: _Any, full_matrices: _Any = True, compute_uv: _Any = True, hermitian: _Any = False) -> _Any:
    """U, the singular values, descending, and V^H, with (U * S) @ V^H = a."""
def svdvals(x: _Any, /) -> _Any:
    """The singular values, descending.

    >>> px.linalg.svdvals(px.asarray([[2.0, 0.0], [0.0, 3.0]]))
    array([3., 2.])
    """
def tensorinv(a: _Any, ind: _Any = 2) -> _Any:
    """The inverse with regard to `tensordot`."""
def tensorsolve(a: _Any, b: _Any, axes: _Any = None) -> _Any:
    """The x with tensordot(a, x, x.ndim) = b."""
def trace(x: _Any, /, *, offset: _Any = 0, dtype: _Any = None) -> _Any:
    """The sums of the diagonals of the last two dimensions.

    >>> px.linalg.trace(px.asarray([[1, 2], [3, 4]]))
    array(5)
    """
def vector_norm(x: _Any, /, *, axis: _Any = None, keepdims: _Any = False, ord: _Any = 2) -> _Any:
    """The norms of vectors, or of all elements.

    >>> px.linalg.vector_norm(px.asarray([3.0, 4.0]))
    array(5.)
    """
