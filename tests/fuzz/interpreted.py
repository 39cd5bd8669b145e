"""A function's text run by Python itself, with integers of 64 bits: what compilers are asked last.

Python is the definition of what a compiled function gives. Numba departs from it on purpose in two
ways, which are written out here: integers wrap at 64 bits, and powers of floats are C's, which
raise nothing. Where neither happens in a call, its outcome is Python's own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

_HALF = 2**63


class _Calls(ast.NodeTransformer):
    """Puts the result of each operation through `wrapped`, and powers through `power`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if not any(isinstance(each, ast.Name) for each in ast.walk(node)):
            return node  # of constants: Python's compiler computes it before any other
        self.generic_visit(node)
        if isinstance(node.op, ast.Pow):
            return _call("power", node.left, node.right)
        if isinstance(node.op, ast.FloorDiv):
            return _call("divided", node.left, node.right)
        return _call("wrapped", node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return node if isinstance(node.op, ast.Not) else _call("wrapped", node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        assert isinstance(node.target, ast.Name)
        read = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], self.visit(ast.BinOp(read, node.op, node.value)))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        is_abs = isinstance(node.func, ast.Name) and node.func.id == "abs"
        return _call("wrapped", node) if is_abs else node


def _call(name: str, *operands: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(operands), [])


class Interpreted:
    """The function `f` of a text; `departed` says whether a call was not Python's own."""

    def __init__(self, text: str) -> None:
        self.departed = False
        self.is_undefined = False  # to Numba: the least integer // -1
        names: dict[str, Any] = {
            "wrapped": self._wrapped,
            "power": self._power,
            "divided": self._divided,
        }
        tree = ast.fix_missing_locations(_Calls().visit(ast.parse(text)))
        exec(compile(tree, "<interpreted>", "exec"), names)
        self._function: Callable[..., Any] = names["f"]

    def __call__(self, *values: Any) -> Any:
        """What Python gives, of Python's numbers."""
        return self._function(*(getattr(value, "item", lambda v=value: v)() for value in values))

    def _wrapped(self, value: Any) -> Any:
        if type(value) is not int or -_HALF <= value < _HALF:
            return value
        self.departed = True
        return (value + _HALF) % (2 * _HALF) - _HALF

    def _divided(self, left: Any, right: Any) -> Any:
        if type(left) is int and (left, right) == (-_HALF, -1):
            self.is_undefined = True
        return self._wrapped(left // right)

    def _power(self, base: Any, exponent: Any) -> Any:
        try:
            value = base**exponent
        except OverflowError:
            value = None
        if isinstance(value, (int, float)):
            return self._wrapped(value)
        self.departed = True
        with np.errstate(all="ignore"):
            return float(np.power(float(base), float(exponent)))
