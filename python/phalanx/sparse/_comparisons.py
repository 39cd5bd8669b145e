"""Comparisons, and the greater or lesser of two matrices."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from . import _arithmetic, _checks, _formats, _structure


class Comparisons(_formats.SparseRoot):
    """The elementwise functions of two operands whose result may be dense."""

    _merged: Any
    _with_data: Any
    _of_dense: Any
    _own: Any
    _once: Any
    _made: Any
    toarray: Any

    def _compared(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        """`function` with a number, a dense operand (the result is dense) or a sparse one."""
        if _checks.is_scalar(other):
            value = other.item() if isinstance(other, px.ndarray) else other
            if bool(function(np.zeros((), self.data.dtype), value)):
                _warn()
                return self._of_dense(function(self.toarray(), value))
            parts, by_columns = self._once()._own()
            return self._made(
                parts._replace(data=function(parts.data, value)), by_columns
            )._without_zeros()
        other = _arithmetic._operand(other)
        if other is NotImplemented:
            return NotImplemented
        if not _formats.is_sparse(other):
            return function(self.toarray(), other)
        if bool(function(np.zeros(()), np.zeros(()))):
            _arithmetic.together(self.shape, other.shape)
            _warn()
            return self._of_dense(function(self.toarray(), other.toarray()))
        return self._stretched_and_merged(other, function)

    def __eq__(self, other: Any) -> Any:
        if _formats.is_sparse(other) and not _fits(self.shape, other.shape):
            return False
        return self._compared(other, px.equal)

    def __ne__(self, other: Any) -> Any:
        if _formats.is_sparse(other) and not _fits(self.shape, other.shape):
            return True
        return self._compared(other, px.not_equal)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, px.less)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, px.less_equal)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, px.greater)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, px.greater_equal)

    def maximum(self, other: Any) -> Any:
        """The greater of the elements and another operand's; NaN where one is NaN.

        Of a dense operand the result is dense. Raises `ValueError` where the shapes differ.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.maximum(matrix.T).toarray()
        array([[4., 1.],
               [1., 3.]])
        """
        return self._extreme(other, px.maximum)

    def minimum(self, other: Any) -> Any:
        """The lesser of the elements and another operand's; else as `maximum`.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.minimum(matrix.T).toarray()
        array([[4., 0.],
               [0., 3.]])
        """
        return self._extreme(other, px.minimum)

    def _extreme(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        if _checks.is_scalar(other):
            value = other.item() if isinstance(other, px.ndarray) else other
            dtype = _checks.promoted(self.data.dtype, value)
            number = px.asarray(value, dtype=dtype)
            if bool(function(px.zeros((), dtype), number) != 0):
                _warn()
                return self._of_dense(function(self.toarray().astype(dtype), number))
            own = self._once()
            return own._with_data(function(own.data.astype(dtype), number))._without_zeros()
        other = _arithmetic._operand(other)
        if other is NotImplemented:
            raise TypeError("maximum() and minimum() take numbers, arrays and sparse matrices")
        if not _formats.is_sparse(other):
            return function(self.toarray(), other)
        return self._stretched_and_merged(other, function)

    def _stretched_and_merged(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        shape = _arithmetic.together(self.shape, other.shape)
        return _stretched(self, shape)._merged(_stretched(other, shape), function)


def _fits(a: Any, b: Any) -> bool:
    """True if the shapes broadcast; SciPy's matrices of others are not equal, and raise nothing."""
    return all(m == n or 1 in (m, n) for m, n in zip(a, b, strict=True))


def _warn() -> None:
    warnings.warn(
        "the result has an entry at nearly each place: compare toarray() instead",
        _formats.SparseEfficiencyWarning,
        stacklevel=4,
    )


def _stretched(matrix: Any, shape: Any) -> Any:
    """A matrix of one row or column repeated to the shape, as dense arrays broadcast."""
    if matrix.shape == shape:
        return matrix
    parts = matrix._aligned(False)
    if matrix.shape[0] != shape[0]:
        parts = _structure.rows_at(parts, px.zeros(shape[0], "int64", device=parts.data._place))
    if matrix.shape[1] != shape[1]:
        turned = _structure.transposed(parts)
        parts = _structure.transposed(
            _structure.rows_at(turned, px.zeros(shape[1], "int64", device=parts.data._place))
        )
    return matrix._made(parts, format=matrix.format)
