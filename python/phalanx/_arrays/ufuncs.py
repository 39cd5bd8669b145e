"""The universal functions: those of the engine's table, and what NumPy has beyond them."""

from __future__ import annotations

from functools import cache
from typing import Any

from .. import _engine
from . import dtypes, product_ufuncs
from .ufunc_type import ComposedUfunc, EngineUfunc, HostUfunc, ufunc


def _apply(name: str, *operands: Any) -> Any:
    return _engine.array_apply(name, *operands)


def _divmod(x: Any, y: Any) -> tuple[Any, Any]:
    return _apply("floor_divide", x, y), _apply("remainder", x, y)


def _modf(x: Any) -> tuple[Any, Any] | None:
    if not dtypes.is_floating(x._dtype):
        return None
    whole = _apply("trunc", x)
    rest = _engine.array_where(_apply("isinf", x), _engine.array_number(0, x._dtype), x - whole)
    return _apply("copysign", rest, x), whole


def _heaviside(x: Any, h: Any) -> Any:
    dtype = _apply("copysign", x, h)._dtype  # whose loops are the same
    one, zero = (_engine.array_number(n, dtype) for n in (1, 0))
    value, at_zero = (_apply("multiply", each, one) for each in (x, h))
    beside = _engine.array_where(_apply("isnan", value), value, at_zero)
    above = _engine.array_where(_apply("greater", value, zero), one, beside)
    made = _engine.array_cast(_engine.array_where(_apply("less", value, zero), zero, above), dtype)
    return made if made.ndim else made._as_number()


def _isnat(x: Any) -> Any:
    return _apply("isnan", x) if dtypes.is_time(x._dtype) else None


_COMPOSED = (
    ("isnat", 1, 1, "True where a time is NaT.", _isnat),
    ("divmod", 2, 2, "Quotient rounded towards minus infinity, and remainder.", _divmod),
    ("modf", 1, 2, "Fraction and whole part, both with the sign of the value.", _modf),
    ("heaviside", 2, 1, "0 below 0, 1 above, and the second value at 0.", _heaviside),
)
_ON_HOST = (
    ("frexp", 1, 2, "Mantissa in [0.5, 1) and exponent of 2 (int32)."),
    ("ldexp", 2, 1, "x * 2**n."),
    ("bitwise_count", 1, 1, "Number of set bits of the absolute value (uint8)."),
)


_NUMPYS = {"true_divide": "divide"}  # what NumPy prints


@cache
def table() -> dict[str, ufunc]:
    """All of them by name; several names of one lead to one object."""
    made: dict[str, ufunc] = {}
    rows = _engine.array_ufuncs()
    for row in rows:
        if not row["alias_of"]:
            made[row["name"]] = EngineUfunc(row, _NUMPYS.get(row["name"], row["name"]))
    made["conj"] = made["conjugate"]
    for row in rows:
        if row["alias_of"]:
            made[row["name"]] = made[row["alias_of"]]
    made |= {row[0]: ComposedUfunc(*row) for row in _COMPOSED}
    made |= {row[0]: HostUfunc(*row) for row in _ON_HOST}
    return made | product_ufuncs.PRODUCTS


def ours_of(function: Any) -> ufunc | None:
    """What we have for a ufunc of NumPy's: none for another of the same name."""
    import numpy as np

    name = function.__name__
    return table().get(name) if getattr(np, name, None) is function else None


def __getattr__(name: str) -> ufunc:
    try:
        return table()[name]
    except KeyError:
        raise AttributeError(name) from None
