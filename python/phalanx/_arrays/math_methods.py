"""The methods of arrays that compute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import (
    elementwise,
    products,
    protocols,
    reductions,
    scans,
    sorting,
    statistics,
    ufuncs,
)
from .reducing import NO_VALUE

if TYPE_CHECKING:
    from .ndarray import ndarray


def _is_operand(value: Any) -> bool:
    import numpy as np

    return isinstance(value, (MathMethods, np.ndarray, np.generic, list, tuple))


def _is_number(value: Any) -> bool:
    return _is_operand(value) or isinstance(value, (bool, int, float, complex))


class MathMethods(protocols.Protocols):
    """Operators beside C++'s, reductions, statistics, sorting and products."""

    __slots__ = ()

    @property
    def real(self) -> ndarray:
        """The view of the real parts; real elements are the array itself."""
        return elementwise.real(self)

    @real.setter
    def real(self, value: Any) -> None:
        elementwise.real(self)[...] = value

    @property
    def imag(self) -> ndarray:
        """The view of the imaginary parts; of real elements zeros, which cannot be assigned to."""
        return elementwise.imag(self)

    @imag.setter
    def imag(self, value: Any) -> None:
        if not elementwise.is_complex(self):
            raise TypeError("array does not have imaginary part to set")
        elementwise.imag(self)[...] = value

    def __divmod__(self, other: Any) -> Any:
        return ufuncs.table()["divmod"](self, other) if _is_number(other) else NotImplemented

    def __rdivmod__(self, other: Any) -> Any:
        return ufuncs.table()["divmod"](other, self) if _is_number(other) else NotImplemented

    def __round__(self, ndigits: int | None = None) -> Any:
        if self.ndim or self.dtype.kind not in "fiu":
            raise TypeError(
                f"type {type(self).__name__} doesn't define __round__ method for {self.ndim} "
                f"dimensions of {self._dtype}: px.round(x, decimals) rounds all elements"
            )
        return round(self.item()) if ndigits is None else elementwise.round(self, ndigits)

    def __imatmul__(self, other: Any) -> Any:  # type: ignore[misc]
        if not _is_number(other):
            return NotImplemented
        return ufuncs.table()["matmul"](self, other, out=self)

    def __ipow__(self, other: Any) -> Any:  # type: ignore[misc]
        if not _is_number(other):
            return NotImplemented
        return ufuncs.table()["power"](self, other, out=None if self._is_number else self)

    def sum(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = NO_VALUE,
        where: Any = True,
    ) -> ndarray:
        """The sum of the elements along the axes, by default of all."""
        return reductions.sum(self, axis, dtype, out, keepdims, initial, where)

    def prod(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = NO_VALUE,
        where: Any = True,
    ) -> ndarray:
        """The product of the elements along the axes, by default of all."""
        return reductions.prod(self, axis, dtype, out, keepdims, initial, where)

    def min(
        self,
        axis: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = NO_VALUE,
        where: Any = True,
    ) -> ndarray:
        """The least element along the axes, by default of all."""
        return reductions.min(self, axis, out, keepdims, initial, where)

    def max(
        self,
        axis: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = NO_VALUE,
        where: Any = True,
    ) -> ndarray:
        """The greatest element along the axes, by default of all."""
        return reductions.max(self, axis, out, keepdims, initial, where)

    def any(
        self, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
    ) -> ndarray:
        """Returns whether an element along the axes is true."""
        return reductions.any(self, axis, out, keepdims, where=where)

    def all(
        self, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
    ) -> ndarray:
        """Returns whether all elements along the axes are true."""
        return reductions.all(self, axis, out, keepdims, where=where)

    def argmin(
        self, axis: int | None = None, out: Any = None, *, keepdims: bool = False
    ) -> ndarray:
        """The index of the first least element along an axis, or in the flat array."""
        return reductions.argmin(self, axis, out, keepdims=keepdims)

    def argmax(
        self, axis: int | None = None, out: Any = None, *, keepdims: bool = False
    ) -> ndarray:
        """The index of the first greatest element along an axis, or in the flat array."""
        return reductions.argmax(self, axis, out, keepdims=keepdims)

    def mean(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        *,
        where: Any = True,
    ) -> ndarray:
        """The mean of the elements along the axes, by default of all."""
        return statistics.mean(self, axis, dtype, out, keepdims, where=where)

    def var(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: bool = False,
        **options: Any,
    ) -> ndarray:
        """The mean of the squared distances from the mean along the axes."""
        return statistics.var(self, axis, dtype, out, ddof, keepdims, **options)

    def std(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: bool = False,
        **options: Any,
    ) -> ndarray:
        """The square root of `var`."""
        return statistics.std(self, axis, dtype, out, ddof, keepdims, **options)

    def clip(self, min: Any = None, max: Any = None, out: Any = None, **options: Any) -> ndarray:
        """The elements brought between a least and a greatest value."""
        return elementwise.clip(self, min, max, out, **options)

    def round(self, decimals: int = 0, out: Any = None) -> ndarray:
        """The elements rounded to that many decimals, halves to even."""
        return elementwise.round(self, decimals, out)

    def conj(self) -> ndarray:
        """The complex conjugates; real elements are the array itself."""
        if not elementwise.is_complex(self):
            return self  # type: ignore[return-value]
        return ufuncs.table()["conjugate"](self)

    conjugate = conj

    def cumsum(self, axis: int | None = None, dtype: Any = None, out: Any = None) -> ndarray:
        """The sums of the first elements along an axis, or of the flat array."""
        return scans.cumsum(self, axis=axis, dtype=dtype, out=out)

    def cumprod(self, axis: int | None = None, dtype: Any = None, out: Any = None) -> ndarray:
        """The products of the first elements along an axis, or of the flat array."""
        return scans.cumprod(self, axis=axis, dtype=dtype, out=out)

    def sort(
        self,
        axis: int = -1,
        kind: str | None = None,
        order: None = None,
        *,
        stable: bool | None = None,
    ) -> None:
        """Sorts the array's own elements along an axis."""
        sorting.sort_in_place(self, axis, kind, order, stable=stable)

    def argsort(
        self,
        axis: int | None = -1,
        kind: str | None = None,
        order: None = None,
        *,
        stable: bool | None = None,
    ) -> ndarray:
        """The indices that sort along an axis, or the flat array."""
        return sorting.argsort(self, axis, kind, order, stable=stable)

    def partition(
        self, kth: Any, axis: int = -1, kind: str = "introselect", order: None = None
    ) -> None:
        """Puts the k-th of the array's own elements at its sorted place."""
        sorting.partition_in_place(self, kth, axis, kind, order)

    def argpartition(
        self, kth: Any, axis: int | None = -1, kind: str = "introselect", order: None = None
    ) -> ndarray:
        """The indices by which `partition` puts the elements."""
        return sorting.argpartition(self, kth, axis, kind, order)

    def searchsorted(self, v: Any, side: str = "left", sorter: Any = None) -> ndarray:
        """The indices in this sorted array at which `v` keeps it sorted."""
        return sorting.searchsorted(self, v, side, sorter)

    def dot(self, other: Any, /, out: Any = None) -> ndarray:
        """The product of matrices, or the sum over the last and the last but one axis."""
        return products.dot(self, other, out)
