"""Arithmetic and comparisons of indexes, label by label."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import above
from ..columns.column import Column
from ..dtypes import NullableDtype
from ..operations import binary, unary
from .labels import Labels
from .sets import common_name

_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_LOGIC = ("and", "or", "xor")
# Python's operators by the names of NumPy's functions for them.
_OPERATORS = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "power": operator.pow,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
}


class Arithmetic(Labels):
    """Operators. Of another index or an array row is combined with row: nothing is aligned.

    Raises ValueError for other lengths, TypeError for labels that have no such operation.
    Comparisons give NumPy arrays of bools.
    """

    def _operand(self, other: Any) -> Any:
        """The column of an index, a list or an array; a scalar as it is; NotImplemented for what
        has indexes itself.
        """
        if isinstance(other, _Left):
            other = other.value
        if isinstance(other, Labels):
            return other._column
        if type(other).__name__ in ("Series", "DataFrame"):
            return NotImplemented
        if isinstance(other, (list, tuple, np.ndarray)) and np.ndim(other) > 0:
            return above.index_of(other, tuples=False)._column
        column = getattr(other, "column", None)
        return column if isinstance(column, Column) else other

    def _name_with(self, other: Any) -> Any:
        return common_name(self, other) if isinstance(other, Labels) else self._name

    def _computed(self, name: str, other: Any, *, swapped: bool) -> Any:
        operand = self._operand(other)
        if operand is NotImplemented:
            return NotImplemented
        sides = (operand, self._column) if swapped else (self._column, operand)
        made = binary.arithmetic(name, *sides)
        return Labels._of(made)._named(self._name_with(other))

    def _compared(self, name: str, other: Any) -> Any:
        operand = self._operand(other)
        if operand is NotImplemented:
            return NotImplemented
        return array_of_bools(binary.compare(name, self._column, operand))

    def _logical(self, name: str, other: Any, *, swapped: bool) -> Any:
        operand = self._operand(other)
        if operand is NotImplemented:
            return NotImplemented
        sides = (operand, self._column) if swapped else (self._column, operand)
        return Labels._of(binary.logical_operation(name, *sides))._named(self._name_with(other))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """What NumPy's functions give for the labels: an index; Python's operators where one is."""
        if method == "reduce" and ufunc in (np.maximum, np.minimum):
            name = "max" if ufunc is np.maximum else "min"
            return getattr(self, name)(skipna=False)
        if method != "__call__":
            return NotImplemented
        if (out := options.pop("out", None)) is not None:
            np.copyto(out[0], np.asarray(self.__array_ufunc__(ufunc, method, *inputs, **options)))
            return out[0]
        found = _OPERATORS.get(ufunc.__name__)
        if found is not None and len(inputs) == 2 and not options:
            return found(*(_unboxed(each) for each in inputs))
        arrays = [each.to_numpy() if isinstance(each, Labels) else each for each in inputs]  # type: ignore[attr-defined]
        made = ufunc(*arrays, **options)
        if isinstance(made, tuple):
            return tuple(self._wrapped(each) for each in made)
        return self._wrapped(made)

    def _wrapped(self, made: Any) -> Any:
        if not isinstance(made, np.ndarray) or made.ndim != 1:
            return made
        if made.dtype == np.float16:  # which no index has
            made = made.astype(np.float32)
        return above.index_of(made)._named(self._name)

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def _unary(self, compute: Callable[[Column], Column]) -> Any:
        return self._with(compute(self._column))

    def __neg__(self) -> Any:
        return self._unary(unary.negative)

    def __pos__(self) -> Any:
        if self._column.dtype.kind == "b":
            raise TypeError("bad operand type for unary +: an index of bools")
        return self._unary(unary.positive)

    def __abs__(self) -> Any:
        return self._unary(unary.absolute)

    def round(self, decimals: int = 0) -> Any:
        """Numbers to that many decimals; other labels as they are."""
        return self._unary(lambda column: unary.rounded(column, decimals))

    def __invert__(self) -> Any:
        return self._unary(unary.invert)


def _unboxed(value: Any) -> Any:
    """NumPy's operand as one that does not ask NumPy: a list, or a scalar of Python where it can.

    Python's operator of a NumPy operand would come back here.
    """
    return _Left(value) if isinstance(value, (np.ndarray, np.generic)) else value


class _Left:
    """An operand of NumPy on either side of an index, whose operators then come to be used."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def array_of_bools(column: Any) -> np.ndarray:
    """A column of bools as a NumPy array; of objects, with NA, where some are missing."""
    if isinstance(column.dtype, NullableDtype) and column.has_missing():
        return column.objects_of()  # type: ignore[no-any-return]
    return np.asarray(column.values)


def _operators() -> None:
    """Give the class Python's methods for the operations that it has by name."""

    def arithmetic(name: str, swapped: bool) -> Callable[[Any, Any], Any]:
        return lambda self, other: self._computed(name, other, swapped=swapped)

    def give(name: str, method: Callable[[Any, Any], Any]) -> None:
        method.__name__ = name
        method.__qualname__ = f"{Arithmetic.__name__}.{name}"
        setattr(Arithmetic, name, method)

    def logical(name: str, swapped: bool) -> Callable[[Any, Any], Any]:
        return lambda self, other: self._logical(name, other, swapped=swapped)

    def comparison(name: str) -> Callable[[Any, Any], Any]:
        return lambda self, other: self._compared(name, other)

    for kind, names in ((arithmetic, _ARITHMETIC), (logical, _LOGIC)):
        for name in names:
            give(f"__{name}__", kind(name, False))
            give(f"__r{name}__", kind(name, True))
    for name in _COMPARISONS:
        give(f"__{name}__", comparison(name))


_operators()
