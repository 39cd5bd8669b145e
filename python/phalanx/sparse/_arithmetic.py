"""Sums, products, quotients and powers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from . import _checks, _formats, _products, _structure


class Arithmetic(_formats.SparseRoot):
    """The operators of every format; what they need of one is in `Sparse`."""

    _own: Any
    _once: Any
    _aligned: Any
    _by_rows: Any
    _made: Any
    _of_dense: Any
    _with_data: Any
    _plans: Any
    toarray: Any
    transpose: Any
    asformat: Any
    copy: Any

    @property
    def _dtype(self) -> Any:
        return self.data.dtype

    # Sums

    def _sum(self, other: Any, function: Callable[[Any, Any], Any], word: str) -> Any:
        if _checks.is_scalar(other):
            if other == 0:
                return self.copy()
            raise NotImplementedError(
                f"{word} a number that is not zero gives a dense array: take toarray()"
            )
        other = _operand(other)
        if other is NotImplemented:
            return NotImplemented
        if not _formats.is_sparse(other):
            return function(self.toarray(), _broadcast(other, self.shape))
        return self._merged(other, function)

    def _merged(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        """An elementwise function, of zeros zero, with a sparse operand of this shape."""
        require_equal(self.shape, other.shape)
        _, by_columns = self._own()
        dtype = np.result_type(self._dtype, other.dtype)
        given = [each._aligned(by_columns) for each in (self, other)]
        a, b = (each._replace(data=each.data.astype(dtype, copy=False)) for each in given)
        return self._made(_structure.merged(a, b, function), by_columns)

    def __add__(self, other: Any) -> Any:
        return self._sum(other, px.add, "adding")

    def __radd__(self, other: Any) -> Any:
        return self._sum(other, px.add, "adding")

    def __sub__(self, other: Any) -> Any:
        return self._sum(other, _difference, "subtracting")

    def __rsub__(self, other: Any) -> Any:
        if _checks.is_scalar(other):
            return (-self)._sum(other, px.add, "subtracting from")
        other = _operand(other)
        if other is NotImplemented:
            return NotImplemented
        if _formats.is_sparse(other):
            return other - self
        return _broadcast(other, self.shape) - self.toarray()

    def __neg__(self) -> Any:
        if self._dtype.kind == "b":
            raise NotImplementedError("a boolean matrix has no negative: take astype('float32')")
        return self._with_data(-self.data)

    def __abs__(self) -> Any:
        own = self._once()
        return own._with_data(abs(own.data))

    def __round__(self, ndigits: int = 0) -> Any:
        own = self._once()
        return own._with_data(px.round(own.data, ndigits))

    # Products by elements

    def _scaled(self, number: Any) -> Any:
        value = number.item() if isinstance(number, px.ndarray) else number
        dtype = _checks.promoted(self._dtype, value)
        return self._with_data(self.data.astype(dtype) * value)

    def multiply(self, other: Any) -> Any:
        """The elementwise product with a number, a sparse or a dense operand that broadcasts.

        The result is sparse. Raises `ValueError` where the shapes do not broadcast.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.multiply(matrix).toarray()
        array([[16.,  0.],
               [ 1.,  9.]])
        """
        if _checks.is_scalar(other):
            return self._scaled(other)
        other = _operand(other)
        if other is NotImplemented:
            raise TypeError("multiply() takes a number, an array or a sparse matrix")
        if _formats.is_sparse(other):
            if other.shape == self.shape:
                return self._merged(other, px.multiply)
            if self.shape == together(self.shape, other.shape):
                return self._times_elements(other.toarray())
            if other.shape == together(self.shape, other.shape):
                return other._times_elements(self.toarray())
            return self._of_dense(self.toarray() * other.toarray())
        return self._times_elements(other)

    def _times_elements(self, other: Any) -> Any:
        """The product with the elements of a dense array that are where this one's entries are."""
        other = px.atleast_2d(other)
        if other.ndim != 2:
            raise ValueError(f"the other operand has {other.ndim} dimensions, not 2")
        if together(self.shape, other.shape) != self.shape:
            return self._of_dense(self.toarray() * other)
        parts, by_columns = self._own()
        majors = _structure.majors_of(parts)
        row, column = (parts.indices, majors) if by_columns else (majors, parts.indices)
        values = _broadcast(other, self.shape)[row, column]
        dtype = _checks.promoted(self._dtype, other.dtype)
        data = parts.data.astype(dtype) * values.astype(dtype)
        return self._made(parts._replace(data=data), by_columns)

    def __mul__(self, other: Any) -> Any:
        return self.multiply(other)

    def __rmul__(self, other: Any) -> Any:
        return self.multiply(other)

    def __truediv__(self, other: Any) -> Any:
        if _checks.is_scalar(other):
            value = other.item() if isinstance(other, px.ndarray) else other
            dtype = _checks.promoted(_quotient_dtype(self._dtype), value)
            return self._with_data(self.data.astype(dtype) / value)
        other = _operand(other)
        if other is NotImplemented:
            return NotImplemented
        if _formats.is_sparse(other):
            require_equal(self.shape, other.shape)
            dtype = _quotient_dtype(np.result_type(self._dtype, other.dtype))
            return self.toarray().astype(dtype) / other.toarray().astype(dtype)
        wide = np.dtype("float64") if other.dtype.kind in "biu" else other.dtype
        return self._times_elements(1.0 / other.astype(_checks.promoted(wide))).tocoo()

    def __imul__(self, other: Any) -> Any:
        if not _checks.is_scalar(other) or self._dtype.kind == "b":
            return NotImplemented
        self.data *= other
        return self

    def __itruediv__(self, other: Any) -> Any:
        if not _checks.is_scalar(other) or self._dtype.kind == "b":
            return NotImplemented
        self.data /= other
        return self

    def __rtruediv__(self, other: Any) -> Any:
        return NotImplemented

    # Products of matrices

    def dot(self, other: Any) -> Any:
        """The product with a number, a sparse matrix, or a dense vector or matrix.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.dot(px.asarray([1.0, 2.0]))
        array([4., 7.])
        """
        is_number = _checks.is_scalar(other) and not isinstance(other, (px.ndarray, np.ndarray))
        made = self._scaled(other) if is_number else self.__matmul__(other)
        if made is NotImplemented:
            raise TypeError(f"dot() takes arrays, sparse matrices and numbers, not {other!r}")
        return made

    def _product(self, other: Any) -> Any:
        return self._scaled(other) if _checks.is_scalar(other) else self.__matmul__(other)

    def _product_from_left(self, other: Any) -> Any:
        return self._scaled(other) if _checks.is_scalar(other) else self.__rmatmul__(other)

    def __matmul__(self, other: Any) -> Any:
        if _checks.is_scalar(other):
            raise ValueError("@ takes matrices and vectors: multiply by a number with *")
        other = _operand(other)
        if other is NotImplemented:
            return NotImplemented
        if other.ndim > 2:
            raise ValueError(f"@ takes vectors and matrices, not {other.ndim} dimensions")
        if self.shape[1] != other.shape[0]:
            raise ValueError(
                f"@ of shapes {self.shape} and {other.shape}: {self.shape[1]} columns do not "
                f"meet {other.shape[0]} rows"
            )
        if not _formats.is_sparse(other):
            return _products.times_dense(self._rows_for_products(), other, self._plans)
        parts, by_columns = self._own()
        if by_columns and other.format == "csc":
            made = _structure.expanded(other._own()[0], parts)
        else:
            by_columns, made = False, _structure.expanded(self._by_rows(), other._by_rows())
        return self._made(made, by_columns)

    def __rmatmul__(self, other: Any) -> Any:
        if _checks.is_scalar(other):
            raise ValueError("@ takes matrices and vectors: multiply by a number with *")
        other = _operand(other)
        if other is NotImplemented:
            return NotImplemented
        if other.ndim > 2 or other.shape[-1] != self.shape[0]:
            raise ValueError(f"@ of shapes {other.shape} and {self.shape} does not fit")
        return (self.transpose() @ other.T).T

    def _rows_for_products(self) -> Any:
        return self._by_rows()

    def _matrix_power(self, exponent: Any) -> Any:
        rows, columns = self.shape
        if rows != columns:
            raise TypeError(f"a power of a matrix needs a square one, not {self.shape}")
        if _checks.is_scalar(exponent) and int(exponent) == exponent and exponent >= 0:
            return self._power_by_squares(int(exponent))
        raise ValueError(f"the exponent is an integer from 0 on, not {exponent!r}")

    def _power_by_squares(self, exponent: int) -> Any:
        if exponent == 0:
            ones = px.ones(self.shape[0], self._dtype, device=self.data._place)
            index = px.arange(self.shape[0], dtype="int32", device=self.data._place)
            parts = _structure.compressed(index, index, ones, self.shape)
            return self._made(parts, self._own()[1])
        if exponent == 1:
            return self.copy()
        half = self._power_by_squares(exponent // 2)
        square = half @ half
        return square @ self if exponent % 2 else square

    def __pow__(self, other: Any) -> Any:
        return self.power(other)

    def power(self, n: Any, dtype: Any = None) -> Any:
        """Each element to a power, a number. Raises `NotImplementedError` for 0 or less.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.power(2).toarray()
        array([[16.,  0.],
               [ 1.,  9.]])
        """
        if not _checks.is_scalar(n):
            raise NotImplementedError("the exponent is a number")
        if n == 0:
            raise NotImplementedError("everything to the power of 0 is 1: take px.ones(shape)")
        if n < 0:
            raise ValueError("zeros to a negative power are infinite: take power of toarray()")
        own = self._once()
        data = own.data if dtype is None else own.data.astype(_checks.data_dtype(dtype))
        return own._with_data(data**n)


def _difference(x: Any, y: Any) -> Any:
    return px.logical_xor(x, y) if x.dtype == bool == y.dtype else x - y


def _quotient_dtype(dtype: Any) -> Any:
    """As SciPy has it: real matrices are divided in float64."""
    return dtype if dtype.kind == "c" else np.dtype("float64")


def _operand(other: Any) -> Any:
    """A sparse operand as it is, others as a dense array; NotImplemented for what is neither."""
    if _formats.is_sparse(other):
        return other
    if other is None or isinstance(other, (str, bytes, dict)):
        return NotImplemented
    if hasattr(other, "tocsr") and hasattr(other, "format"):  # SciPy's
        kind = not type(other).__name__.endswith("matrix")
        return _formats.class_of("csr", kind)(other)
    try:
        return _checks.dense(other)
    except TypeError:
        return NotImplemented


def together(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that both broadcast to. Raises `ValueError` where there is none."""
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        raise ValueError(f"the shapes {a} and {b} do not fit") from None


def _broadcast(array: Any, shape: tuple[int, int]) -> Any:
    if together(array.shape, shape) != shape:
        raise ValueError(f"the shapes {array.shape} and {shape} do not fit")
    return px.broadcast_to(array, shape)


def require_equal(a: tuple[int, int], b: tuple[int, int]) -> None:
    """Raises `ValueError` where two shapes differ."""
    if a != b:
        raise ValueError(f"the shapes {a} and {b} differ")
