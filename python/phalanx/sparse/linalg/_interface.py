"""Linear operators: what multiplies vectors, a matrix or a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from .. import _checks, _formats


class LinearOperator:
    """An operator of shape (m, n) that maps (n,) to (m,), and (n, k) to (m, k).

    Made of functions, or by a subclass that has `_matvec` or `_matmat`, and `_rmatvec` or
    `_adjoint` for the transposed conjugate. Raises `ValueError` for a shape that is none.
    """

    ndim = 2
    __array_ufunc__ = None

    def __new__(cls, *args: Any, **options: Any) -> Any:
        """An operator of functions where the class itself is called."""
        made = super().__new__(_OfFunctions if cls is LinearOperator else cls)
        own = type(made)
        if own._matvec is LinearOperator._matvec and own._matmat is LinearOperator._matmat:
            raise TypeError("a LinearOperator needs a method _matvec or _matmat")
        return made

    def __init__(self, dtype: Any, shape: Any) -> None:
        shape = tuple(shape)
        if len(shape) != 2 or not all(isinstance(each, (int, np.integer)) for each in shape):
            raise ValueError(f"the shape of an operator is two integers, not {shape!r}")
        self.dtype = None if dtype is None else np.dtype(dtype)
        self.shape = (int(shape[0]), int(shape[1]))

    def _init_dtype(self) -> None:
        if self.dtype is None:
            self.dtype = self.matvec(px.zeros(self.shape[1])).dtype

    # What subclasses have

    def _matvec(self, x: Any) -> Any:
        return self._matmat(x.reshape(-1, 1)).reshape(-1)

    def _matmat(self, X: Any) -> Any:
        columns = [self._matvec(X[:, i]).reshape(-1, 1) for i in range(X.shape[1])]
        return px.hstack(columns) if columns else px.zeros((self.shape[0], 0), self.dtype)

    def _rmatvec(self, x: Any) -> Any:
        if type(self)._adjoint is LinearOperator._adjoint:
            raise NotImplementedError("the operator has no rmatvec: pass rmatvec=")
        return self.H.matvec(x)

    def _rmatmat(self, X: Any) -> Any:
        if type(self)._adjoint is LinearOperator._adjoint:
            columns = [self._rmatvec(X[:, i]).reshape(-1, 1) for i in range(X.shape[1])]
            return px.hstack(columns)
        return self.H.matmat(X)

    def _adjoint(self) -> Any:
        return _Turned(self, True)

    def _transpose(self) -> Any:
        return _Turned(self, False)

    # Products

    def matvec(self, x: Any) -> Any:
        """The product with a vector of (n,) or (n, 1). Raises `ValueError` for other shapes.

        >>> from phalanx.sparse import linalg
        >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> operator = linalg.aslinearoperator(a)
        >>> operator.matvec(px.asarray([1.0, 2.0]))
        array([4., 7.])
        """
        return _of_vector(self._matvec, x, self.shape, "matvec")

    def rmatvec(self, x: Any) -> Any:
        """The transposed conjugate's product with a vector of (m,) or (m, 1).

        >>> from phalanx.sparse import linalg
        >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> operator = linalg.aslinearoperator(a)
        >>> operator.rmatvec(px.asarray([1.0, 2.0]))
        array([6., 6.])
        """
        return _of_vector(self._rmatvec, x, self.shape[::-1], "rmatvec")

    def matmat(self, X: Any) -> Any:
        """The product with a matrix of (n, k). Raises `ValueError` for other shapes.

        >>> from phalanx.sparse import linalg
        >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> operator = linalg.aslinearoperator(a)
        >>> operator.matmat(px.eye(2))
        array([[4., 0.],
               [1., 3.]])
        """
        return self._matmat(_checked_matrix(X, self.shape[1]))

    def rmatmat(self, X: Any) -> Any:
        """The transposed conjugate's product with a matrix of (m, k).

        >>> from phalanx.sparse import linalg
        >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> operator = linalg.aslinearoperator(a)
        >>> operator.rmatmat(px.eye(2))
        array([[4., 1.],
               [0., 3.]])
        """
        return self._rmatmat(_checked_matrix(X, self.shape[0]))

    def dot(self, x: Any) -> Any:
        """The product with a vector, a matrix, another operator or a number.

        >>> from phalanx.sparse import linalg
        >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> operator = linalg.aslinearoperator(a)
        >>> operator.dot(px.asarray([1.0, 2.0]))
        array([4., 7.])
        """
        if isinstance(x, LinearOperator):
            return _Product(self, x)
        if _checks.is_scalar(x):
            return _Scaled(self, x)
        x = _dense(x)
        if x.ndim not in (1, 2):
            raise ValueError(f"an operator takes vectors and matrices, not {x.ndim} dimensions")
        return self.matvec(x) if x.ndim == 1 or x.shape[1] == 1 else self.matmat(x)

    def __call__(self, x: Any) -> Any:
        return self * x

    def __mul__(self, x: Any) -> Any:
        return self.dot(x)

    def __matmul__(self, other: Any) -> Any:
        if _checks.is_scalar(other):
            raise ValueError("@ takes operators and arrays: multiply by a number with *")
        return self.dot(other)

    def __rmul__(self, x: Any) -> Any:
        return _Scaled(self, x) if _checks.is_scalar(x) else self.__rmatmul__(x)

    def __rmatmul__(self, other: Any) -> Any:
        if _checks.is_scalar(other):
            raise ValueError("@ takes operators and arrays: multiply by a number with *")
        return self.T.dot(_dense(other).T).T

    def __pow__(self, p: Any) -> Any:
        return _Power(self, p) if _checks.is_scalar(p) else NotImplemented

    def __add__(self, x: Any) -> Any:
        return _Sum(self, x) if isinstance(x, LinearOperator) else NotImplemented

    def __neg__(self) -> Any:
        return _Scaled(self, -1)

    def __sub__(self, x: Any) -> Any:
        return self.__add__(-x)

    def __repr__(self) -> str:
        return f"<{self.shape[0]}x{self.shape[1]} {type(self).__name__} with dtype={self.dtype}>"

    def adjoint(self) -> Any:
        """The transposed conjugate.

        >>> from phalanx.sparse import linalg
        >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> operator = linalg.aslinearoperator(a)
        >>> operator.H @ px.asarray([1.0, 2.0])
        array([6., 6.])
        """
        return self._adjoint()

    def transpose(self) -> Any:
        """The transposed operator.

        >>> from phalanx.sparse import linalg
        >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> operator = linalg.aslinearoperator(a)
        >>> operator.T @ px.asarray([1.0, 2.0])
        array([6., 6.])
        """
        return self._transpose()

    H = property(adjoint)
    T = property(transpose)


class _OfFunctions(LinearOperator):
    """An operator whose products are functions of the caller's."""

    def __init__(
        self, shape: Any, matvec: Any, rmatvec: Any = None, matmat: Any = None,
        dtype: Any = None, rmatmat: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(dtype, shape)
        self._functions = (matvec, rmatvec, matmat, rmatmat)
        self._init_dtype()

    def _matvec(self, x: Any) -> Any:
        return self._functions[0](x)

    def _rmatvec(self, x: Any) -> Any:
        if self._functions[1] is None:
            raise NotImplementedError("the operator has no rmatvec: pass rmatvec=")
        return self._functions[1](x)

    def _matmat(self, X: Any) -> Any:
        return super()._matmat(X) if self._functions[2] is None else self._functions[2](X)

    def _rmatmat(self, X: Any) -> Any:
        if self._functions[3] is not None:
            return self._functions[3](X)
        return px.hstack([self._rmatvec(X[:, i]).reshape(-1, 1) for i in range(X.shape[1])])


class _Turned(LinearOperator):
    """The transposed operator, or its conjugate."""

    def __init__(self, of: LinearOperator, is_conjugate: bool) -> None:
        super().__init__(of.dtype, of.shape[::-1])
        self._of = of
        self._is_conjugate = is_conjugate

    def _apply(self, function: Callable[[Any], Any], x: Any) -> Any:
        return function(x) if self._is_conjugate else px.conj(function(px.conj(x)))

    def _matvec(self, x: Any) -> Any:
        return self._apply(self._of._rmatvec, x)

    def _rmatvec(self, x: Any) -> Any:
        return self._apply(self._of._matvec, x)

    def _matmat(self, X: Any) -> Any:
        return self._apply(self._of._rmatmat, X)

    def _rmatmat(self, X: Any) -> Any:
        return self._apply(self._of._matmat, X)

    def _adjoint(self) -> Any:
        return self._of if self._is_conjugate else _Turned(self, True)

    def _transpose(self) -> Any:
        return _Turned(self, False) if self._is_conjugate else self._of


class _Combined(LinearOperator):
    """What sums, products, multiples and powers share."""

    def __init__(self, operands: tuple[Any, ...], shape: tuple[int, int]) -> None:
        dtypes = [getattr(each, "dtype", each) for each in operands]
        super().__init__(np.result_type(*(each for each in dtypes if each is not None)), shape)
        self._operands = operands


class _Sum(_Combined):
    def __init__(self, a: LinearOperator, b: LinearOperator) -> None:
        if a.shape != b.shape:
            raise ValueError(f"operators of shapes {a.shape} and {b.shape} cannot be added")
        super().__init__((a, b), a.shape)

    def _matvec(self, x: Any) -> Any:
        return self._operands[0].matvec(x) + self._operands[1].matvec(x)

    def _rmatvec(self, x: Any) -> Any:
        return self._operands[0].rmatvec(x) + self._operands[1].rmatvec(x)

    def _matmat(self, X: Any) -> Any:
        return self._operands[0].matmat(X) + self._operands[1].matmat(X)

    def _rmatmat(self, X: Any) -> Any:
        return self._operands[0].rmatmat(X) + self._operands[1].rmatmat(X)


class _Product(_Combined):
    def __init__(self, a: LinearOperator, b: LinearOperator) -> None:
        if a.shape[1] != b.shape[0]:
            raise ValueError(f"operators of shapes {a.shape} and {b.shape} do not fit")
        super().__init__((a, b), (a.shape[0], b.shape[1]))

    def _matvec(self, x: Any) -> Any:
        return self._operands[0].matvec(self._operands[1].matvec(x))

    def _rmatvec(self, x: Any) -> Any:
        return self._operands[1].rmatvec(self._operands[0].rmatvec(x))

    def _matmat(self, X: Any) -> Any:
        return self._operands[0].matmat(self._operands[1].matmat(X))

    def _rmatmat(self, X: Any) -> Any:
        return self._operands[1].rmatmat(self._operands[0].rmatmat(X))


class _Scaled(_Combined):
    def __init__(self, a: LinearOperator, number: Any) -> None:
        super().__init__((a, number), a.shape)

    def _matvec(self, x: Any) -> Any:
        return self._operands[1] * self._operands[0].matvec(x)

    def _rmatvec(self, x: Any) -> Any:
        return np.conj(self._operands[1]) * self._operands[0].rmatvec(x)

    def _matmat(self, X: Any) -> Any:
        return self._operands[1] * self._operands[0].matmat(X)

    def _rmatmat(self, X: Any) -> Any:
        return np.conj(self._operands[1]) * self._operands[0].rmatmat(X)


class _Power(_Combined):
    def __init__(self, a: LinearOperator, exponent: Any) -> None:
        if a.shape[0] != a.shape[1]:
            raise ValueError(f"a power needs a square operator, not {a.shape}")
        if int(exponent) != exponent or exponent < 0:
            raise ValueError(f"the exponent is an integer from 0 on, not {exponent!r}")
        super().__init__((a,), a.shape)
        self._exponent = int(exponent)

    def _times(self, function: Callable[[Any], Any], x: Any) -> Any:
        for _ in range(self._exponent):
            x = function(x)
        return x

    def _matvec(self, x: Any) -> Any:
        return self._times(self._operands[0].matvec, x)

    def _rmatvec(self, x: Any) -> Any:
        return self._times(self._operands[0].rmatvec, x)

    def _matmat(self, X: Any) -> Any:
        return self._times(self._operands[0].matmat, X)

    def _rmatmat(self, X: Any) -> Any:
        return self._times(self._operands[0].rmatmat, X)


class MatrixLinearOperator(LinearOperator):
    """The operator of a dense or sparse matrix, which is its `A`."""

    def __init__(self, A: Any) -> None:
        super().__init__(A.dtype, A.shape)
        self.A = A
        self._conjugate: Any = None

    def _matvec(self, x: Any) -> Any:
        return self.A @ x

    def _matmat(self, X: Any) -> Any:
        return self.A @ X

    def _adjoint(self) -> Any:
        if self._conjugate is None:
            self._conjugate = MatrixLinearOperator(self.A.T.conj())
        return self._conjugate


class IdentityOperator(LinearOperator):
    """The operator that changes nothing."""

    def __init__(self, shape: tuple[int, int], dtype: Any) -> None:
        super().__init__(dtype, shape)

    def _matvec(self, x: Any) -> Any:
        return x

    def _matmat(self, X: Any) -> Any:
        return X

    def _rmatvec(self, x: Any) -> Any:
        return x

    def _rmatmat(self, X: Any) -> Any:
        return X

    def _adjoint(self) -> Any:
        return self


def _dense(x: Any) -> Any:
    return x if _formats.is_sparse(x) else _checks.dense(x)


def _of_vector(function: Callable[[Any], Any], x: Any, shape: tuple[int, int], name: str) -> Any:
    x = _checks.dense(x)
    if x.shape not in ((shape[1],), (shape[1], 1)):
        raise ValueError(f"{name} takes ({shape[1]},) or ({shape[1]}, 1), not {x.shape}")
    y = function(x)
    if y.size != shape[0]:
        raise ValueError(f"the operator's function gave {y.shape} in the place of ({shape[0]},)")
    return y.reshape(shape[0], 1) if x.ndim == 2 else y.reshape(shape[0])


def _checked_matrix(X: Any, rows: int) -> Any:
    X = _dense(X)
    if X.ndim != 2 or X.shape[0] != rows:
        raise ValueError(f"the operand has {rows} rows and two dimensions, not the shape {X.shape}")
    return X


def aslinearoperator(A: Any) -> Any:
    """The operator of a matrix, sparse or dense, or of what has `shape` and `matvec`.

    Raises `TypeError` for others.

    >>> from phalanx.sparse import linalg
    >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> operator = linalg.aslinearoperator(a)
    >>> operator @ px.asarray([1.0, 2.0])
    array([4., 7.])
    """
    if isinstance(A, LinearOperator):
        return A
    if _formats.is_sparse(A):
        return MatrixLinearOperator(A)
    if isinstance(A, (px.ndarray, np.ndarray)):
        if A.ndim > 2:
            raise ValueError(f"an operator has two dimensions, not {A.ndim}")
        return MatrixLinearOperator(px.atleast_2d(px.asarray(A)))
    if hasattr(A, "shape") and hasattr(A, "matvec"):
        others = {
            name: getattr(A, name, None) for name in ("rmatvec", "matmat", "rmatmat", "dtype")
        }
        return LinearOperator(A.shape, A.matvec, **others)
    raise TypeError(f"there is no operator of a {type(A).__name__}: pass a matrix")
