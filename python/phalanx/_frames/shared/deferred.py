"""`col`: expressions of columns, computed of the frame that they are given to."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

# How each operator is written, of two and of one.
_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "matmul": "@", "truediv": "/", "floordiv": "//",
    "mod": "%", "pow": "**", "and": "&", "or": "|", "xor": "^",
}  # fmt: skip
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_SIGNS = {"neg": "-", "pos": "+", "invert": "~"}


class Expression:
    """What is computed of a frame when one is there; `col` makes the first.

    It has the operators, methods and attributes of series, NumPy's functions take it, and so do
    `assign`, `select`, ``loc``, ``[]``, `where` and `mask` of frames.
    """

    def __init__(self, compute: Callable[[Any], Any], text: str, *, is_atom: bool = True) -> None:
        self._compute, self._text, self._is_atom = compute, text, is_atom

    def __repr__(self) -> str:
        return self._text

    def _inner(self) -> str:
        """Its text as a part of another one."""
        return self._text if self._is_atom else f"({self._text})"

    def __call__(self, *args: Any, **kwargs: Any) -> Expression:
        """A call of the method that an attribute is."""
        return Expression(
            lambda frame: self._compute(frame)(*_of(args, frame), **_named(kwargs, frame)),
            f"{self._text}({_arguments(args, kwargs)})",
        )

    def __getattr__(self, name: str) -> Expression:
        if name.startswith("__"):
            raise AttributeError(f"'Expression' object has no attribute '{name}'")
        return Expression(
            lambda frame: getattr(self._compute(frame), name), f"{self._inner()}.{name}"
        )

    def __getitem__(self, key: Any) -> Expression:
        return Expression(
            lambda frame: self._compute(frame)[applied(key, frame)], f"{self._text}[{key!r}]"
        )

    def __iter__(self) -> Any:
        raise TypeError("Expression objects are not iterable")

    def __bool__(self) -> bool:
        raise TypeError("The truth value of an Expression is not known before it has a frame")

    def __abs__(self) -> Expression:
        return Expression(lambda frame: abs(self._compute(frame)), f"abs({self._text})")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Expression:
        return Expression(
            lambda frame: getattr(ufunc, method)(*_of(inputs, frame), **_named(kwargs, frame)),
            f"{ufunc.__name__}({_arguments(inputs, kwargs)})",
        )

    __hash__ = None  # type: ignore[assignment]


def applied(given: Any, of: Any) -> Any:
    """What an expression or a function gives for an object; everything else as it is."""
    if isinstance(given, Expression):
        return given._compute(of)
    return given(of) if callable(given) else given


def _value(given: Any, frame: Any) -> Any:
    return given._compute(frame) if isinstance(given, Expression) else given


def _of(args: tuple[Any, ...], frame: Any) -> list[Any]:
    return [_value(each, frame) for each in args]


def _named(kwargs: dict[str, Any], frame: Any) -> dict[str, Any]:
    return {name: _value(each, frame) for name, each in kwargs.items()}


def _arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    return ", ".join([*map(repr, args), *(f"{name}={each!r}" for name, each in kwargs.items())])


def _binary(name: str, sign: str, *, swapped: bool = False) -> Any:
    def operator(self: Expression, other: Any) -> Expression:
        texts = [self._inner(), other._inner() if isinstance(other, Expression) else repr(other)]
        return Expression(
            lambda frame: getattr(self._compute(frame), name)(_value(other, frame)),
            f" {sign} ".join(texts[::-1] if swapped else texts),
            is_atom=False,
        )

    return operator


def _unary(name: str, sign: str) -> Any:
    def operator(self: Expression) -> Expression:
        return Expression(
            lambda frame: getattr(self._compute(frame), name)(),
            f"{sign}{self._inner()}",
            is_atom=False,
        )

    return operator


for _name, _sign in {**_OPERATORS, **_COMPARISONS}.items():
    setattr(Expression, f"__{_name}__", _binary(f"__{_name}__", _sign))
for _name, _sign in _OPERATORS.items():
    setattr(Expression, f"__r{_name}__", _binary(f"__r{_name}__", _sign, swapped=True))
for _name, _sign in _SIGNS.items():
    setattr(Expression, f"__{_name}__", _unary(f"__{_name}__", _sign))


def col(col_name: Hashable) -> Expression:
    """A column of the frame to come: ``frame.assign(total=px.col("price") * px.col("count"))``.

    Raises TypeError for what is no label; ValueError, when it is computed, without such a column.

    >>> frame = px.DataFrame({"a": [1, 2]})
    >>> frame.assign(b=px.col("a") + 1)
       a  b
    0  1  2
    1  2  3
    """
    if not isinstance(col_name, Hashable):
        raise TypeError(f"Expected Hashable, got: {type(col_name)}")

    def column(frame: Any) -> Any:
        if col_name not in frame.columns:
            raise ValueError(
                f"Column '{col_name}' not found in given DataFrame.\n\n"
                f"Hint: did you mean one of {frame.columns.tolist()} instead?"
            )
        return frame[col_name]

    return Expression(column, f"col({col_name!r})")
