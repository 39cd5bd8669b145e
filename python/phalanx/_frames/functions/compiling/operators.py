"""Operators of Python's numbers: the code for two kinds, and the kind of the result."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

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
    constant,
)

_CHECKED = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply"}
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor)
_SHIFTS = {ast.LShift: "left_shift", ast.RShift: "right_shift"}
_MOST_POWER = 64
_EXACT = 2**53


def binary(sign: ast.operator, left: Expression, right: Expression) -> Expression:
    """``left sign right``. Raises Refused for kinds whose result Python chooses by value."""
    bases = {left.kind.base, right.kind.base}
    if bases & {NONE, MIXED}:
        raise Refused("None has no arithmetic")
    if bases == {BOOL} and not isinstance(sign, _BITS):
        raise Refused("arithmetic of two bools: NumPy's and Python's differ")
    kind = Kind(FLOAT if FLOAT in bases else INT, left.kind.is_numpy or right.kind.is_numpy)
    rule = _BINARY.get(type(sign))
    if rule is None:
        raise Refused(f"the operator {type(sign).__name__} of numbers")
    return rule(sign, left, right, kind)


def _sum(sign: Any, left: Expression, right: Expression, kind: Kind) -> Expression:
    if kind.base == INT:
        return Expression(call(_CHECKED[type(sign)], as_int(left), as_int(right)), kind)
    return Expression(ast.BinOp(as_float(left), sign, as_float(right)), kind)


def _quotient(_: Any, left: Expression, right: Expression, kind: Kind) -> Expression:
    result = kind.with_base(FLOAT)
    if kind.base == INT and not kind.is_numpy:
        operands = [as_exact(each) for each in (left, right)]
    else:
        operands = [as_float(left), as_float(right)]
    if kind.is_numpy or right.constant:
        return Expression(ast.BinOp(operands[0], ast.Div(), operands[1]), result)
    return Expression(call("divide", *operands), result)


def _whole_quotient(sign: Any, left: Expression, right: Expression, kind: Kind) -> Expression:
    name = "floor_divide" if isinstance(sign, ast.FloorDiv) else "remainder"
    convert = as_int if kind.base == INT else as_float
    if right.constant and right.constant != -1:
        return Expression(ast.BinOp(convert(left), sign, convert(right)), kind)
    return Expression(call(name, convert(left), convert(right)), kind)


def _power(sign: Any, left: Expression, right: Expression, kind: Kind) -> Expression:
    exponent = right.constant
    if kind.base == INT:
        if not isinstance(exponent, int):
            raise Refused("an int to the power of an int is a float where that is negative")
        if exponent < 0 or exponent > _MOST_POWER:
            raise Refused(f"an int to the power of {exponent}")
        if exponent == 2 and isinstance(left.node, ast.Name):
            return Expression(call("multiply", left.node, left.node), kind)
        return Expression(call("power", as_int(left), as_int(right)), kind)
    if exponent == 2 and not kind.is_numpy:
        return Expression(call("square", as_float(left)), kind)
    if kind.is_numpy:
        # An int written as a number keeps the front end's short way of whole powers.
        node = right.node if exponent is not None else as_float(right)
        return Expression(ast.BinOp(as_float(left), sign, node), kind)
    return Expression(call("float_power", as_float(left), as_float(right)), kind)


def _of_bits(sign: Any, left: Expression, right: Expression, kind: Kind) -> Expression:
    if kind.base == FLOAT:
        raise Refused("bits of floats")
    if left.kind.base == right.kind.base == BOOL:
        return Expression(ast.BinOp(left.node, sign, right.node), kind.with_base(BOOL))
    return Expression(ast.BinOp(as_int(left), sign, as_int(right)), kind)


def _shift(sign: Any, left: Expression, right: Expression, kind: Kind) -> Expression:
    if kind.base == FLOAT or kind.is_numpy:
        raise Refused("shifts of floats and of NumPy's ints")
    return Expression(call(_SHIFTS[type(sign)], as_int(left), as_int(right)), kind)


_BINARY: dict[type, Callable[[Any, Expression, Expression, Kind], Expression]] = {
    **dict.fromkeys(_CHECKED, _sum), ast.Div: _quotient, ast.FloorDiv: _whole_quotient,
    ast.Mod: _whole_quotient, ast.Pow: _power, **dict.fromkeys(_BITS, _of_bits),
    **dict.fromkeys(_SHIFTS, _shift),
}  # fmt: skip


def as_exact(expression: Expression) -> Any:
    """An int as a float that is equal to it."""
    if expression.kind.base == FLOAT:
        return expression.node
    if expression.kind.base == BOOL:
        return as_float(expression)
    value = expression.constant
    if value is not None and abs(value) <= _EXACT:
        return as_float(expression)
    return call("as_exact_float", expression.node)


def unary(sign: ast.unaryop, operand: Expression) -> Expression:
    """``-a``, ``+a`` and ``~a``. Raises Refused for bools and None."""
    base = operand.kind.base
    if base not in (INT, FLOAT) or (base == FLOAT and isinstance(sign, ast.Invert)):
        raise Refused(f"{type(sign).__name__} of {base}")
    if isinstance(sign, ast.USub) and operand.constant is not None:
        return constant(-operand.constant)
    kind = Kind(base, operand.kind.is_numpy)
    if isinstance(sign, ast.USub) and base == INT:
        return Expression(call("negative", operand.node), kind)
    return Expression(ast.UnaryOp(sign, operand.node), kind)


def compared(sign: ast.cmpop, left: Expression, right: Expression) -> Expression:
    """One comparison. Raises Refused for kinds that are not compared here."""
    is_numpy = left.kind.is_numpy or right.kind.is_numpy
    bases = {left.kind.base, right.kind.base}
    if MIXED in bases:
        raise Refused("a comparison of what is an int or a float")
    if NONE in bases:
        return _with_none(sign, left, right)
    if isinstance(sign, (ast.Is, ast.IsNot)):
        raise Refused("`is` of numbers")
    nodes = [left.node, right.node]
    if bases == {INT, FLOAT} and not is_numpy:
        nodes = _as_floats(left, right)
    elif bases == {BOOL, FLOAT} or bases == {INT, FLOAT}:
        nodes = [as_float(left), as_float(right)]
    elif bases == {BOOL, INT}:
        nodes = [as_int(left), as_int(right)]
    return Expression(ast.Compare(nodes[0], [sign], [nodes[1]]), Kind(BOOL, is_numpy))


def _as_floats(left: Expression, right: Expression) -> list[Any]:
    """An int and a float for a comparison: Python compares without rounding."""
    value = left.constant if left.kind.base == FLOAT else right.constant
    # Rounding does not carry an int across a float in whose neighbourhood all ints are floats.
    is_near = value is not None and abs(value) < _EXACT
    return [as_float(each) if is_near else as_exact(each) for each in (left, right)]


def _with_none(sign: ast.cmpop, left: Expression, right: Expression) -> Expression:
    if not isinstance(sign, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
        raise Refused("None is in no order")
    same = left.kind.base == right.kind.base
    return constant(same == isinstance(sign, (ast.Is, ast.Eq)))


def truth(expression: Expression) -> Any:
    """The node of ``bool(expression)``."""
    base = expression.kind.base
    if base == MIXED:
        raise Refused("the truth of what is an int or a float")
    if base == NONE:
        return ast.Constant(False)
    if base == BOOL:
        return expression.node
    zero = ast.Constant(0 if base == INT else 0.0)
    return ast.Compare(expression.node, [ast.NotEq()], [zero])
