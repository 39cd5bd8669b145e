"""Functions that users' functions call: Python's, `math`'s, NumPy's and those of missing values."""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from . import exact
from .kinds import (
    BOOL,
    FLOAT,
    INT,
    MIXED,
    NONE,
    Expression,
    Kind,
    Refused,
    as_float,
    as_int,
    call,
    common,
    constant,
)
from .operators import binary, truth

Rule = Callable[[str, list[Expression]], Expression]


def _math(name: str, operands: list[Expression]) -> Expression:
    return Expression(call(f"math_{name}", *map(as_float, operands)), Kind(FLOAT))


def _math_test(name: str, operands: list[Expression]) -> Expression:
    return Expression(_of("math", name, as_float(operands[0])), Kind(BOOL))


def _math_plain(name: str, operands: list[Expression]) -> Expression:
    return Expression(_of("math", name, *map(as_float, operands)), Kind(FLOAT))


def _of(module: str, name: str, *arguments: Any) -> ast.Call:
    function = ast.Attribute(ast.Name(module, ast.Load()), name, ast.Load())
    return ast.Call(function, list(arguments), [])


def _math_whole(name: str, operands: list[Expression]) -> Expression:
    (operand,) = operands
    if operand.kind.base != FLOAT:
        return Expression(as_int(operand), Kind(INT))
    return Expression(call(name, operand.node), Kind(INT))


def _power(_: str, operands: list[Expression]) -> Expression:
    return binary(ast.Pow(), *operands)


def _math_power(_: str, operands: list[Expression]) -> Expression:
    return Expression(call("float_power", *map(as_float, operands)), Kind(FLOAT))


def _numpy_float(name: str, operands: list[Expression]) -> Expression:
    if any(each.kind.base == BOOL for each in operands):
        raise Refused(f"np.{name} of a bool gives a float of fewer bits")
    return Expression(_of("np", name, *map(as_float, operands)), Kind(FLOAT, True))


def _numpy_of_floats(name: str, operands: list[Expression]) -> Expression:
    if any(each.kind.base != FLOAT for each in operands):
        raise Refused(f"np.{name} of ints")
    return _numpy_float(name, operands)


def _numpy_test(name: str, operands: list[Expression]) -> Expression:
    return Expression(_of("np", name, as_float(operands[0])), Kind(BOOL, True))


def _absolute(name: str, operands: list[Expression]) -> Expression:
    (operand,) = operands
    kind = Kind(operand.kind.base, operand.kind.is_numpy or name == "np")
    if operand.kind.base == INT:
        return Expression(call("absolute", operand.node), kind)
    if operand.kind.base != FLOAT:
        raise Refused("abs() of a bool")
    return Expression(call("abs", operand.node), kind)


def _extreme(name: str, operands: list[Expression]) -> Expression:
    if len(operands) < 2:
        raise Refused(f"{name}() of one argument")
    kind = operands[0].kind
    for each in operands[1:]:
        kind = common(kind, each.kind)
    if kind.base in (MIXED, NONE, BOOL):
        raise Refused(f"{name}() of numbers of several kinds: convert them first")
    return Expression(call(name, *(each.node for each in operands)), kind)


def _numpy_extreme(name: str, operands: list[Expression]) -> Expression:
    kind = common(operands[0].kind, operands[1].kind)
    if kind.base not in (INT, FLOAT):
        raise Refused(f"np.{name} of numbers of several kinds: convert them first")
    return Expression(_of("np", name, *(each.node for each in operands)), Kind(kind.base, True))


def _int(_: str, operands: list[Expression]) -> Expression:
    (operand,) = operands
    if operand.kind.base == FLOAT:
        return Expression(call("as_int_of_float", operand.node), Kind(INT))
    return Expression(as_int(operand), Kind(INT))


def _float(_: str, operands: list[Expression]) -> Expression:
    return Expression(as_float(operands[0]), Kind(FLOAT))


def _bool(_: str, operands: list[Expression]) -> Expression:
    return Expression(truth(operands[0]), Kind(BOOL))


def _round(_: str, operands: list[Expression]) -> Expression:
    if len(operands) != 1:
        raise Refused("round() to decimals")
    if operands[0].kind.base == BOOL:
        raise Refused("round() of a bool")
    if operands[0].kind.base == FLOAT:
        return Expression(call("rounded", operands[0].node), Kind(INT))
    return _int("", operands)


def is_missing(_: str, operands: list[Expression]) -> Expression:
    """``pandas.isna``: NaN and None."""
    (operand,) = operands
    if operand.kind.base != FLOAT:
        return constant(operand.kind.base == NONE)
    return Expression(_of("math", "isnan", operand.node), Kind(BOOL))


def is_there(_: str, operands: list[Expression]) -> Expression:
    """``pandas.notna``."""
    found = is_missing("", operands)
    return Expression(ast.UnaryOp(ast.Not(), found.node), found.kind)


def _rows(module: Any, names: str, count: int, rule: Rule) -> dict[Any, tuple[str, int, Rule]]:
    return {getattr(module, name): (name, count, rule) for name in names.split()}


ANY_NUMBER = -1
# By the function: its name, how many arguments it takes, and the rule.
FUNCTIONS: dict[Any, tuple[str, int, Rule]] = {
    **_rows(math, " ".join(exact.MATH[1]), 1, _math),
    **_rows(math, " ".join(exact.MATH[2]), 2, _math),
    **_rows(math, "isnan isinf isfinite", 1, _math_test),
    **_rows(math, "fabs degrees radians", 1, _math_plain),
    **_rows(math, "copysign", 2, _math_plain),
    **_rows(math, "floor ceil", 1, _math_whole),
    **_rows(math, "pow", 2, _math_power),
    math.trunc: ("int", 1, _int),
    **_rows(np, "sqrt exp log log2 log10 log1p expm1 sin cos tan arcsin arccos arctan sinh cosh "
                "tanh arcsinh arccosh arctanh exp2 cbrt deg2rad rad2deg", 1, _numpy_float),
    **_rows(np, "floor ceil trunc rint sign square fabs", 1, _numpy_of_floats),
    **_rows(np, "arctan2 hypot", 2, _numpy_float),
    **_rows(np, "isnan isinf isfinite", 1, _numpy_test),
    **_rows(np, "maximum minimum", 2, _numpy_extreme),
    np.absolute: ("np", 1, _absolute),
    **_rows(builtins, "min max", ANY_NUMBER, _extreme),
    **_rows(builtins, "round", ANY_NUMBER, _round),
    abs: ("abs", 1, _absolute), int: ("int", 1, _int), float: ("float", 1, _float),
    bool: ("bool", 1, _bool), pow: ("pow", 2, _power),
}  # fmt: skip

_MISSING = {"isna": is_missing, "isnull": is_missing, "notna": is_there, "notnull": is_there}


def rule_of(function: Any) -> tuple[str, int, Rule] | None:
    """How a call of a function is compiled; None for functions that are not known here."""
    try:
        known = FUNCTIONS.get(function)
    except TypeError:
        return None
    if known is not None:
        return known
    module = str(getattr(function, "__module__", "")).partition(".")[0]
    name = getattr(function, "__name__", "")
    if module in ("pandas", "phalanx") and name in _MISSING:
        return name, 1, _MISSING[name]
    return None


def called(function: Any, operands: list[Expression]) -> Expression:
    """A call of one of `FUNCTIONS`. Raises Refused for others and for a wrong count."""
    known = rule_of(function)
    if known is None:
        raise Refused(f"the function {getattr(function, '__name__', repr(function))!s:.40}")
    name, count, rule = known
    if count not in (ANY_NUMBER, len(operands)) or not operands:
        raise Refused(f"{name}() with {len(operands)} arguments")
    if any(each.kind.base in (NONE, MIXED) for each in operands) and rule not in (
        is_missing,
        is_there,
    ):
        raise Refused(f"{name}() of None, or of what is an int or a float")
    return rule(name, operands)
