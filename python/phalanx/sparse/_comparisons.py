"""Comparisons, and the greater or lesser of two matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from . import _arithmetic, _checks, _formats


class Comparisons(_formats.SparseRoot):
    """The elementwise functions of two operands whose result may be dense."""

    _merged: Any
    _with_data: Any
    _of_dense: Any
    _own: Any
    _made: Any
    toarray: Any

    def _compared(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        """`function` with a number, a dense operand (the result is dense) or a sparse one."""
        if _checks.is_scalar(other):
            value = other.item() if isinstance(other, px.ndarray) else other
            if bool(function(np.zeros((), self.data.dtype), value)):
                return self._of_dense(function(self.toarray(), value))
            parts, by_columns = self._own()
            return self._made(
                parts._replace(data=function(parts.data, value)), by_columns
            )._without_zeros()
        other = _arithmetic._operand(other)
        if other is NotImplemented:
            return NotImplemented
        if not _formats.is_sparse(other):
            return function(self.toarray(), other)
        _arithmetic.require_equal(self.shape, other.shape)
        if bool(function(np.zeros(()), np.zeros(()))):
            return self._of_dense(function(self.toarray(), other.toarray()))
        return self._merged(other, function)

    def __eq__(self, other: Any) -> Any:
        if _formats.is_sparse(other) and other.shape != self.shape:
            return False
        return self._compared(other, px.equal)

    def __ne__(self, other: Any) -> Any:
        if _formats.is_sparse(other) and other.shape != self.shape:
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
        """
        return self._extreme(other, px.maximum)

    def minimum(self, other: Any) -> Any:
        """The lesser of the elements and another operand's; else as `maximum`."""
        return self._extreme(other, px.minimum)

    def _extreme(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        if _checks.is_scalar(other):
            value = other.item() if isinstance(other, px.ndarray) else other
            dtype = _checks.promoted(self.data.dtype, value)
            number = px.asarray(value, dtype=dtype)
            if bool(function(px.zeros((), dtype), number) != 0):
                return self._of_dense(function(self.toarray().astype(dtype), number))
            return self._with_data(function(self.data.astype(dtype), number))._without_zeros()
        other = _arithmetic._operand(other)
        if other is NotImplemented:
            raise TypeError("maximum() and minimum() take numbers, arrays and sparse matrices")
        if not _formats.is_sparse(other):
            return function(self.toarray(), other)
        return self._merged(other, function)
