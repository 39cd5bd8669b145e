"""Missing values."""

from __future__ import annotations

import math
from typing import Any, NoReturn


class NAType:
    """The missing value of nullable dtypes: what is computed with it is missing too.

    Comparisons with it are missing, and it has no truth value; `NA or True`, written
    ``NA | True``, is True, as Kleene's logic has it.
    """

    _only: NAType | None = None

    def __new__(cls) -> NAType:
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        return "<NA>"

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec) if spec else repr(self)

    def __bool__(self) -> NoReturn:
        raise TypeError("boolean value of NA is ambiguous: ask isna() first")

    def __hash__(self) -> int:
        return 2**61 - 1

    def __reduce__(self) -> str:
        return "NA"

    def _same(self, *_: Any) -> NAType:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        _same
    )
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __neg__ = __pos__ = __abs__ = __invert__ = (
        _same
    )
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __xor__ = __rxor__ = _same  # type: ignore[assignment]

    def __pow__(self, other: Any) -> Any:
        return 1 if other is not self and other == 0 else self

    def __rpow__(self, other: Any) -> Any:
        return 1 if other is not self and other == 1 else self

    def __or__(self, other: Any) -> Any:
        return True if other is True else self

    def __and__(self, other: Any) -> Any:
        return False if other is False else self

    __ror__, __rand__ = __or__, __and__


NA = NAType()


def is_missing(value: Any) -> bool:
    """True for None, NaN, NaT and NA, and nothing else: one value, not an array."""
    if value is None or value is NA:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    dtype = getattr(value, "dtype", None)
    if dtype is not None and getattr(value, "ndim", 1) == 0 and dtype.kind in "fcmM":
        return bool(value != value)
    if isinstance(value, complex):
        return value != value
    return type(value).__name__ == "NaTType" or type(value).__name__ == "NAType"
