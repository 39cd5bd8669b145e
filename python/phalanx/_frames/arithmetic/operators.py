"""Operators, and the methods of their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from ..building.columns import is_frame, is_series, ours
from ..operations.by_name import applied_to
from ..shared.base import Labelled
from .levels import met_by_level
from .operands import LOGIC, frame_with, series_with, warn_of_tuple

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip
ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_LOGIC = {"and": "and_", "or": "or_", "xor": "xor"}
_ALIASES = {
    "div": "truediv", "divide": "truediv", "multiply": "mul", "subtract": "sub", "rdiv": "rtruediv",
}  # fmt: skip


def _operator(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return self._operation(name, other)

    return method


def _in_place(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        made = self._operation(name, other)
        if made is NotImplemented:
            return made
        if self.ndim == 1:
            made._name = self._name
        self._become(made)
        return self

    return method


def _series_method(name: str) -> Callable[..., Any]:
    def method(
        self: Any, other: Any, level: Any = None, fill_value: Any = None, axis: Any = 0
    ) -> Any:
        if axis is not None:
            self._axis(axis)
        if level is not None:
            self, other = met_by_level(self, ours(other), level, 0, f"Series.{name}")
        warn_of_tuple(
            other,
            f"Series.{name} with a tuple is deprecated and will be treated as scalar-like in a "
            "future version. Explicitly wrap in a numpy array instead.",
        )
        return series_with(self, ours(other), name, flexible=True, fill_value=fill_value)

    method.__name__ = name
    method.__doc__ = _doc(name)
    return method


def _frame_method(name: str) -> Callable[..., Any]:
    def method(
        self: Any, other: Any, axis: Any = "columns", level: Any = None, fill_value: Any = None
    ) -> Any:
        number = 1 if axis is None else self._axis(axis)
        other = ours(other)
        if level is not None:
            self, other = met_by_level(self, other, level, number, f"DataFrame.{name}")
        if fill_value is not None and is_series(other):
            raise NotImplementedError(f"fill_value {fill_value} not supported.")
        return frame_with(self, other, name, number, flexible=True, fill_value=fill_value)

    method.__name__ = name
    method.__doc__ = _doc(name)
    return method


def _frame_comparison(name: str) -> Callable[..., Any]:
    def method(self: Any, other: Any, axis: Any = "columns", level: Any = None) -> Any:
        return _frame_method(name)(self, other, axis, level)

    method.__name__ = name
    method.__doc__ = f"``self {_SIGNS[name]} other``, of values with the same labels."
    return method


def _doc(name: str) -> str:
    sign = _SIGNS.get(name)
    shown = f"self {sign} other" if sign is not None else f"other {_SIGNS[name[1:]]} self"
    return (
        f"``{shown}``, of values with the same labels; ``fill_value`` replaces what is missing in "
        "one of both."
    )


class Operators(Labelled):
    """Operators of series and frames."""

    if TYPE_CHECKING:  # made of the tables above

        def __add__(self, other: Any, /) -> Self: ...

        __radd__ = __iadd__ = __sub__ = __rsub__ = __isub__ = __mul__ = __rmul__ = __add__
        __imul__ = __truediv__ = __rtruediv__ = __itruediv__ = __floordiv__ = __add__
        __rfloordiv__ = __ifloordiv__ = __mod__ = __rmod__ = __imod__ = __pow__ = __rpow__ = __add__
        __ipow__ = __and__ = __rand__ = __iand__ = __or__ = __ror__ = __ior__ = __xor__ = __add__
        __rxor__ = __ixor__ = __add__

        def __eq__(self, other: Any, /) -> Self: ...  # type: ignore[override]
        def __ne__(self, other: Any, /) -> Self: ...  # type: ignore[override]

        __lt__ = __le__ = __gt__ = __ge__ = __add__

    def _operation(self, name: str, other: Any) -> Any:
        raise NotImplementedError

    def __neg__(self) -> Self:
        return self._keep_attrs(self._each(lambda each: applied_to("neg", each)))  # type: ignore[no-any-return]

    def __pos__(self) -> Self:
        return self._keep_attrs(self._each(lambda each: applied_to("pos", each)))  # type: ignore[no-any-return]

    def __invert__(self) -> Self:
        return self._keep_attrs(self._each(lambda each: applied_to("invert", each)))  # type: ignore[no-any-return]

    def abs(self) -> Self:
        """The elements without their signs."""
        return self._keep_attrs(self._each(lambda each: applied_to("abs", each)))  # type: ignore[no-any-return]

    __abs__ = abs

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self


class SeriesOperators(Operators):
    """Operators of series."""

    if TYPE_CHECKING:  # made of the tables above

        def add(
            self, other: Any, level: Any = None, fill_value: Any = None, axis: Any = 0
        ) -> Self: ...

        sub = mul = truediv = floordiv = mod = pow = radd = rsub = rmul = rtruediv = rfloordiv = add
        rmod = rpow = div = divide = multiply = subtract = rdiv = eq = ne = lt = le = gt = ge = add

    def _operation(self, name: str, other: Any) -> Any:
        other = ours(other)
        if is_frame(other):
            return NotImplemented
        if name.removeprefix("r") not in LOGIC:
            warn_of_tuple(
                other,
                "Operation with tuple is deprecated. In a future version these will be treated as "
                "scalar-like. To retain the old behavior, explicitly wrap in a Series instead.",
            )
        return series_with(self, other, name, flexible=False)

    def divmod(self, other: Any, level: Any = None, fill_value: Any = None, axis: Any = 0) -> Any:
        """The whole quotient and the remainder, as two series."""
        keywords = {"level": level, "fill_value": fill_value, "axis": axis}
        return self.floordiv(other, **keywords), self.mod(other, **keywords)

    def rdivmod(self, other: Any, level: Any = None, fill_value: Any = None, axis: Any = 0) -> Any:
        """The whole quotient and the remainder of another object by this."""
        keywords = {"level": level, "fill_value": fill_value, "axis": axis}
        return self.rfloordiv(other, **keywords), self.rmod(other, **keywords)

    def between(self, left: Any, right: Any, inclusive: str = "both") -> Any:
        """Which values are between two bounds; ``inclusive`` says which bounds count."""
        names = {
            "both": ("ge", "le"),
            "left": ("ge", "lt"),
            "right": ("gt", "le"),
            "neither": ("gt", "lt"),
        }
        if inclusive not in names:
            raise ValueError(
                "Inclusive has to be either string of 'both','left', 'right', or 'neither'."
            )
        lower, upper = names[inclusive]
        return self._operation(lower, left) & self._operation(upper, right)


class FrameOperators(Operators):
    """Operators of frames."""

    if TYPE_CHECKING:  # made of the tables above

        def add(
            self, other: Any, axis: Any = "columns", level: Any = None, fill_value: Any = None
        ) -> Self: ...

        sub = mul = truediv = floordiv = mod = pow = radd = rsub = rmul = rtruediv = rfloordiv = add
        rmod = rpow = div = divide = multiply = subtract = rdiv = add

        def eq(self, other: Any, axis: Any = "columns", level: Any = None) -> Self: ...

        ne = lt = le = gt = ge = eq

    def _operation(self, name: str, other: Any) -> Any:
        return frame_with(self, other, name)


def _install() -> None:
    for name in ARITHMETIC:
        setattr(Operators, f"__{name}__", _operator(name))
        setattr(Operators, f"__r{name}__", _operator(f"r{name}"))
        setattr(Operators, f"__i{name}__", _in_place(name))
    for name in COMPARISONS:
        setattr(Operators, f"__{name}__", _operator(name))
    for name, operation in _LOGIC.items():
        setattr(Operators, f"__{name}__", _operator(operation))
        setattr(Operators, f"__r{name}__", _operator(f"r{operation}"))
        setattr(Operators, f"__i{name}__", _in_place(operation))
    for name in (*ARITHMETIC, *(f"r{each}" for each in ARITHMETIC)):
        setattr(SeriesOperators, name, _series_method(name))
        setattr(FrameOperators, name, _frame_method(name))
    for name in COMPARISONS:
        setattr(SeriesOperators, name, _series_method(name))
        setattr(FrameOperators, name, _frame_comparison(name))
    for kind in (SeriesOperators, FrameOperators):
        for alias, name in _ALIASES.items():
            setattr(kind, alias, getattr(kind, name))


_install()
