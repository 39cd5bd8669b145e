"""Operators of GPUArrays, and how their results come to be."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import phalanx as px

from ... import _engine
from . import gpuarray_memory as memory_
from .context import Event
from .gpuarray_memory import Layout
from .memory import mem_alloc

if TYPE_CHECKING:
    from .gpuarray_array import GPUArray

if TYPE_CHECKING:
    pass


def cast(value: Any, dtype: Any) -> Any:
    """An array of phalanx's, converted as C does it: complex numbers to their real parts."""
    kind = np.dtype(dtype)
    if value._dtype == kind.name:
        return value
    if kind.kind != "c" and value._dtype.startswith("complex"):
        value = value.real
    return _engine.array_cast(value, kind.name)


def common_dtype(first: Any, second: Any) -> np.dtype[Any]:
    """The dtype of a sum: numbers of Python's take the array's where it can hold their kind."""
    return _common(_kind(first), _kind(second))


def _kind(value: Any) -> Any:
    # Numbers count by their types, not their values; those of subclasses, too.
    return value.dtype if hasattr(value, "dtype") else type(value)


@functools.lru_cache(maxsize=1024)
def _common(*kinds: Any) -> np.dtype[Any]:
    return np.result_type(*(each if isinstance(each, np.dtype) else each() for each in kinds))


def quotient(first: Any, second: Any, dtype: np.dtype[Any]) -> Any:
    """Arrays or numbers divided as C divides numbers of that dtype: integers are cut off."""
    if dtype.kind not in "iub":
        return cast(px.true_divide(first, second), dtype)
    kind = "int8" if dtype.kind == "b" else dtype.name
    above, below = (_converted(each, kind) for each in (first, second))
    whole = px.floor_divide(above, below)
    if dtype.kind != "u":
        is_below = px.logical_and(whole * below != above, px.not_equal(above < 0, below < 0))
        whole = px.where(px.logical_and(below != 0, is_below), whole + 1, whole)
    return cast(whole, dtype)


def power(first: Any, second: Any, dtype: np.dtype[Any]) -> Any:
    """The power of arrays or numbers in a dtype; of integers with negative exponents 0, 1 or -1."""
    if dtype.kind not in "iub":
        return cast(px.power(_converted(first, dtype.name), second), dtype)
    if dtype.kind == "b":
        return cast(px.power(_converted(first, "int8"), _converted(second, "int8")), dtype)
    base, exponent = (_converted(each, dtype.name) for each in (first, second))
    if dtype.kind == "u":
        return px.power(base, exponent)
    least = px.power(base, px.maximum(exponent, 0))
    odd = px.where(px.bitwise_and(exponent, 1) != 0, base, px.multiply(base, base))
    is_unit = px.logical_or(base == 1, base == -1)
    return cast(px.where(exponent < 0, px.where(is_unit, odd, 0), least), dtype)


def _converted(value: Any, dtype: str) -> Any:
    return cast(value, dtype) if isinstance(value, _engine.Array) else np.dtype(dtype).type(value)


class Operators:
    """Arithmetic, comparisons and parts of complex numbers.

    Results have the operands' order of memory, and the dtype of their sum. Integers are divided as
    in C, and comparisons give numbers, 0 or 1, of the operands' dtype.
    """

    array_class: Any  # GPUArray, which is made of this class

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    size: int
    allocator: Any
    _array: Any
    _memory: Any

    def _new_like(self, value: Any, dtype: Any, *others: Any) -> Any:
        """The GPUArray of what was computed of this array and others, by the same allocator."""
        return made_of(value, dtype, (self, *others), self.allocator)

    def _assign(self, value: Any, *others: Any) -> Any:
        """Makes what was computed of this array and others its elements; gives itself."""
        self._memory.assign(value)
        if any(map(_is_exposed, others)):
            self._array._evaluate()  # before somebody changes what it was computed of
        return self

    def _operated(self, operation: Callable[..., Any], other: Any, is_left: bool = True) -> Any:
        """The result of a function of two operands and the dtype of their sum."""
        operand = operand_of(other)
        if operand is None:
            return NotImplemented
        dtype = common_dtype(self, operand)
        pair = (self._array, operand) if is_left else (operand, self._array)
        return self._new_like(operation(*pair, dtype), dtype, other)

    def _operated_here(self, operation: Callable[..., Any], other: Any) -> Any:
        operand = operand_of(other)
        if operand is None:
            return NotImplemented
        value = operation(self._array, operand, common_dtype(self, operand))
        return self._assign(cast(value, self.dtype), other)

    def __add__(self, other: Any) -> Any:
        return self._operated(_sum, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._operated(_difference, other)

    def __rsub__(self, other: Any) -> Any:
        return self._operated(_difference, other, is_left=False)

    def __mul__(self, other: Any) -> Any:
        return self._operated(_product, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._operated(quotient, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._operated(quotient, other, is_left=False)

    def __pow__(self, other: Any) -> Any:
        return self._operated(power, other)

    def __rpow__(self, other: Any) -> Any:
        return self._operated(power, other, is_left=False)

    def __iadd__(self, other: Any) -> Any:
        return self._operated_here(_sum, other)

    def __isub__(self, other: Any) -> Any:
        return self._operated_here(_difference, other)

    def __imul__(self, other: Any) -> Any:
        return self._operated_here(_product, other)

    def __itruediv__(self, other: Any) -> Any:
        return self._operated_here(quotient, other)

    def __ipow__(self, other: Any) -> Any:
        return self._operated_here(power, other)

    def __pos__(self) -> Any:
        return self

    def __neg__(self) -> Any:
        is_unsigned = self.dtype.kind == "b"
        return self.copy() if is_unsigned else self._new_like(-self._array, self.dtype)

    def __abs__(self) -> Any:
        value = px.absolute(self._array)
        return self._new_like(value, value.dtype)

    def copy(self) -> Any:
        """An array of the same elements."""
        raise NotImplementedError

    def mul_add(
        self,
        selffac: Any,
        other: Any,
        otherfac: Any,
        add_timer: Any = None,
        stream: Any = None,
        out: Any = None,
    ) -> Any:
        """``selffac * self + otherfac * other``, in a new array or in `out`.

        `add_timer` is called with the number of elements that are read and written, and a function
        that gives the seconds it took.
        """
        start = Event().record() if add_timer is not None else None
        value = self._array * selffac + other._array * otherfac
        if out is None:
            made = self._new_like(value, common_dtype(self, other), other)
        else:
            made = out._assign(cast(value, out.dtype), self, other)
        if start is not None:
            made._array._evaluate()
            end = Event().record()
            add_timer(3 * self.size, lambda: end.synchronize().time_since(start) * 1e-3)
        return made

    def _compared(self, name: str, other: Any) -> Any:
        operand = operand_of(other)
        if operand is None:
            return NotImplemented
        dtype = common_dtype(self, operand) if isinstance(other, Operators) else self.dtype
        return self._new_like(getattr(px, name)(self._array, operand), dtype, other)

    def __eq__(self, other: Any) -> Any:
        return self._compared("equal", other)

    def __ne__(self, other: Any) -> Any:
        return self._compared("not_equal", other)

    def __lt__(self, other: Any) -> Any:
        return self._compared("less", other)

    def __le__(self, other: Any) -> Any:
        return self._compared("less_equal", other)

    def __gt__(self, other: Any) -> Any:
        return self._compared("greater", other)

    def __ge__(self, other: Any) -> Any:
        return self._compared("greater_equal", other)

    __hash__ = None  # type: ignore[assignment]

    @property
    def real(self) -> Any:
        """The real parts, in an array of their own; this array if it has no complex numbers."""
        if self.dtype.kind != "c":
            return self
        part = self._array.real
        return self._new_like(_engine.array_copy(part, part.shape), part.dtype)

    @property
    def imag(self) -> Any:
        """The imaginary parts, in an array of their own: zeros if it has no complex numbers."""
        if self.dtype.kind != "c":
            return self._new_like(px.zeros_like(self._array), self.dtype)
        part = self._array.imag
        return self._new_like(_engine.array_copy(part, part.shape), part.dtype)

    def conj(self, out: Any = None) -> Any:
        """The complex conjugates, in `out` or a new array; of real numbers this array."""
        if self.dtype.kind != "c":
            return self
        value = px.conjugate(self._array)
        if out is None:
            return self._new_like(value, self.dtype)
        return out._assign(cast(value, out.dtype), self)

    conjugate = conj

    def astype(self, dtype: Any, stream: Any = None) -> Any:
        """The elements converted to another dtype, in a new array."""
        wanted = np.dtype(dtype)
        return self.copy() if wanted == self.dtype else self._new_like(self._array, wanted)

    def reverse(self, stream: Any = None) -> Any:
        """The elements in the reverse of their order in memory, in a new array of this shape."""
        order = "C" if self._memory.layout.is_packed("C") else "F"
        flat = self._flat()[::-1]  # type: ignore[attr-defined]
        turned = _engine.array_copy(flat, flat.shape)
        turned._evaluate()  # else what is made of it would be computed, in C order
        shaped = self._shaped(turned, self.shape, order)  # type: ignore[attr-defined]
        return self._new_like(shaped, self.dtype)

    def any(self, stream: Any = None, allocator: Any = None) -> Any:
        """An array of one bool: if any element is not 0."""
        return made_of(px.any(self._array), np.bool_, (self,), allocator or self.allocator)

    def all(self, stream: Any = None, allocator: Any = None) -> Any:
        """An array of one bool: if no element is 0."""
        return made_of(px.all(self._array), np.bool_, (self,), allocator or self.allocator)


def _sum(first: Any, second: Any, dtype: Any) -> Any:
    return px.add(first, second)


def _difference(first: Any, second: Any, dtype: np.dtype[Any]) -> Any:
    is_bool = dtype.kind == "b"
    return px.logical_xor(first, second) if is_bool else px.subtract(first, second)


def _product(first: Any, second: Any, dtype: Any) -> Any:
    return px.multiply(first, second)


def operand_of(value: Any) -> Any:
    """What phalanx's functions take in the place of an operand; None for one that is refused."""
    if isinstance(value, Operators):
        return value._array
    if isinstance(value, np.ndarray) and not value.shape:
        return value[()]
    return value if np.isscalar(value) else None


def _is_exposed(value: Any) -> bool:
    return isinstance(value, Operators) and bool(value._memory.exposure.is_known)


def made_of(value: Any, dtype: Any, operands: tuple[Any, ...], allocator: Any) -> GPUArray:
    """The GPUArray of what was computed of some.

    It is recorded, unless somebody else may write to an operand, or the memory is an allocator's.
    """
    array_class: type[GPUArray] = Operators.array_class
    kind = np.dtype(dtype)
    if not memory_.held_as(kind)[1]:
        value = cast(value, kind)
    if allocator in (None, mem_alloc):
        made = array_class._of(value, kind, None, allocator)
        if any(map(_is_exposed, operands)):
            value._evaluate()
        return made
    ndim = value.ndim - len(memory_.held_as(kind)[1])
    steps = tuple(value._evaluate().strides[:ndim])
    like = Layout(kind, tuple(value.shape[:ndim]), steps)
    made = array_class(like.shape, kind, allocator, strides=memory_.packed_as(like))
    if made.size:
        made._assign(value, *operands)
    return made
