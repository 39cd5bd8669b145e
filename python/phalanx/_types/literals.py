"""Types of what is known when a kernel is compiled, as overloads get them, and other types that no
value has."""

from __future__ import annotations

from typing import Any

from .objects import Boolean, Integer, Scalar, Type


class Literal(Type):
    """The type of one value that is known when the kernel is compiled.

    >>> three = px.types.literal(px.types.int64, 3)
    >>> isinstance(three, px.types.Literal), three.literal_value, three.literal_type
    (True, 3, int64)
    """

    literal_value: Any


class IntegerLiteral(Literal, Integer):
    """One known whole number.

    >>> px.types.literal(px.types.int64, 3).literal_value
    3
    """

    def __new__(cls, dtype_name: str, value: int) -> Any:
        return super().__new__(cls, dtype_name)

    def __init__(self, dtype_name: str, value: int) -> None:
        Scalar.__init__(self, dtype_name)
        self.literal_value = value
        self._name = f"Literal[int]({value})"

    def _key(self) -> tuple[Any, ...]:
        return (self.dtype_name, self.literal_value)

    @property
    def literal_type(self) -> Scalar:
        """The type of such numbers."""
        return Scalar(self.dtype_name)


class BooleanLiteral(Literal, Boolean):
    """True or False, known.

    >>> px.types.literal(px.types.boolean, True).literal_value
    True
    """

    def __new__(cls, value: bool) -> Any:
        return super().__new__(cls, "boolean")

    def __init__(self, value: bool) -> None:
        Scalar.__init__(self, "boolean")
        self.literal_value = value
        self._name = f"Literal[bool]({value})"

    def _key(self) -> tuple[Any, ...]:
        return (self.literal_value,)

    @property
    def literal_type(self) -> Scalar:
        """`boolean`."""
        return Scalar("boolean")


class UnicodeType(Type):
    """Text; kernels know text only as literals.

    >>> px.types.UnicodeType("unicode_type")
    unicode_type
    """


class StringLiteral(Literal, UnicodeType):
    """One known text.

    >>> px.types.StringLiteral("text")
    Literal[str](text)
    """

    def __init__(self, value: str) -> None:
        self.literal_value = value
        self._name = f"Literal[str]({value})"

    @property
    def literal_type(self) -> Type:
        """The type of text."""
        return UnicodeType("unicode_type")


class DType(Type):
    """The type of a dtype given as an argument: ``np.float32``.

    >>> px.types.DType(px.types.float32)
    dtype(float32)
    """

    def __init__(self, dtype: Type) -> None:
        self.dtype = dtype
        self._name = f"dtype({dtype})"

    @property
    def instance_type(self) -> Type:
        """The type of the elements that the dtype names, under Numba's older name."""
        return self.dtype


class Opaque(Type):
    """What has no value in a kernel: a function, a slice."""


def literal(type_: Type, value: Any) -> Type:
    """The literal type of a known value; the type itself where there is none, as for floats.

    >>> px.types.literal(px.types.int64, 3)
    Literal[int](3)
    """
    if isinstance(type_, Boolean):
        return BooleanLiteral(bool(value))
    if isinstance(type_, Integer):
        return IntegerLiteral(type_.dtype_name, int(value))
    return type_
