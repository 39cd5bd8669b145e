"""`eval` and `query`: expressions of columns, written as text.

Python's own parser reads the text; only names, numbers, texts, operators, comparisons, `in`,
attributes, subscripts and calls of methods are allowed, so that it is no door to the program.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.errors import UndefinedVariableError

from ..building.kinds import is_list_like

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
}  # fmt: skip
_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_FUNCTIONS = frozenset((
    "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh",
    "arctanh", "exp", "log", "expm1", "log1p", "sqrt", "abs", "arctan2", "log10", "floor", "ceil",
))  # fmt: skip

_LOCAL = "__local_"


class Scope:
    """What names mean: columns and levels of a frame, and variables of the caller after ``@``."""

    def __init__(self, frame: Any, variables: dict[str, Any], resolvers: Any = ()) -> None:
        self.frame = frame
        self.variables = variables
        self.resolvers = list(resolvers or ())
        self.quoted: dict[str, Any] = {}

    def name(self, name: str) -> Any:
        """What a name means. Raises NameError where nothing has it."""
        if name in self.quoted:
            name = self.quoted[name]
        if isinstance(name, str) and name.startswith(_LOCAL):
            return self.variable(name.removeprefix(_LOCAL))
        for each in self.resolvers:
            if name in each:
                return each[name]
        if self.frame is not None:
            found = self._of_frame(name)
            if found is not None:
                return found[0]
        elif name in self.variables:
            return self.variables[name]
        if name in _FUNCTIONS:
            return getattr(np, name)
        raise UndefinedVariableError(f"name {name!r} is not defined")

    def _of_frame(self, name: Any) -> tuple[Any] | None:
        frame = self.frame
        if name in frame.columns:
            return (frame[name],)
        index = frame.index
        if name in index.names:
            number = index._level_number(name)
            return (index.get_level_values(number).to_series(index=index),)
        if name == "index":
            return (index.to_series() if index.nlevels == 1 else index,)
        match = re.fullmatch(r"ilevel_(\d+)", str(name))
        if match:
            return (index.get_level_values(int(match[1])).to_series(index=index),)
        return None

    def variable(self, name: str) -> Any:
        """A variable of the caller. Raises NameError where it has none such."""
        if name not in self.variables:
            raise UndefinedVariableError(f"local variable {name!r} is not defined")
        return self.variables[name]


def evaluated(text: str, scope: Scope) -> Any:
    """The value of one expression. Raises SyntaxError, NotImplementedError for what is no part."""
    if not text.strip():
        raise ValueError("expr cannot be an empty string")
    tree = ast.parse(_python(text, scope).strip(), mode="eval")
    return _Evaluator(scope).visit(tree.body)


def _python(text: str, scope: Scope) -> str:
    """The text in Python's grammar: names after ``@`` and names in backticks become plain ones.

    `&` and `|` bind less than comparisons do, as `and` and `or`.
    """

    def quoted(match: re.Match[str]) -> str:
        name = f"__quoted_{len(scope.quoted)}"
        scope.quoted[name] = match[1]
        return name

    parts = re.split(r"""('[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")""", text)
    for i in range(0, len(parts), 2):
        part = re.sub(r"`([^`]+)`", quoted, parts[i])
        part = re.sub(r"@\s*(\w+)", rf"{_LOCAL}\1", part)
        part = re.sub(r"(?<!&)&(?!&)", " and ", part)
        parts[i] = re.sub(r"(?<!\|)\|(?!\|)", " or ", part)
    return " ".join("".join(parts).split("\n"))


class _Evaluator(ast.NodeVisitor):
    """The value of each kind of node."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def generic_visit(self, node: ast.AST) -> Any:
        raise NotImplementedError(
            f"'{type(node).__name__}' nodes are not implemented in expressions"
        )

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in ("True", "False", "None"):
            return {"True": True, "False": False, "None": None}[node.id]
        return self.scope.name(node.id)

    def visit_Constant(self, node: ast.Constant) -> Any:
        return node.value

    def visit_List(self, node: ast.List) -> Any:
        return [self.visit(each) for each in node.elts]

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return [self.visit(each) for each in node.elts]

    def visit_Set(self, node: ast.Set) -> Any:
        return [self.visit(each) for each in node.elts]

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        if type(node.op) not in _BINARY:
            return self.generic_visit(node.op)
        return _BINARY[type(node.op)](self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.visit(node.operand)
        if isinstance(node.op, (ast.Not, ast.Invert)):
            return not value if isinstance(value, bool) else ~value
        return -value if isinstance(node.op, ast.USub) else +value

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        combine = operator.and_ if isinstance(node.op, ast.And) else operator.or_
        made = self.visit(node.values[0])
        for each in node.values[1:]:
            made = combine(made, self.visit(each))
        return made

    def visit_Compare(self, node: ast.Compare) -> Any:
        made, left = None, self.visit(node.left)
        for sign, each in zip(node.ops, node.comparators, strict=True):
            right = self.visit(each)
            part = _compared(sign, left, right)
            made = part if made is None else made & part
            left = right
        return made

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if node.attr.startswith("_"):
            raise NotImplementedError(f"the attribute {node.attr!r} is not allowed in expressions")
        return getattr(self.visit(node.value), node.attr)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        return self.visit(node.value)[self.visit(node.slice)]

    def visit_Slice(self, node: ast.Slice) -> Any:
        return slice(
            *(
                None if each is None else self.visit(each)
                for each in (node.lower, node.upper, node.step)
            )
        )

    def visit_Call(self, node: ast.Call) -> Any:
        function = self.visit(node.func)
        keywords = {each.arg: self.visit(each.value) for each in node.keywords if each.arg}
        return function(*map(self.visit, node.args), **keywords)


def _compared(sign: ast.cmpop, left: Any, right: Any) -> Any:
    if isinstance(sign, (ast.In, ast.NotIn)) or (
        isinstance(sign, (ast.Eq, ast.NotEq)) and hasattr(left, "isin") and isinstance(right, list)
    ):
        inverted = isinstance(sign, (ast.NotIn, ast.NotEq))
        if hasattr(left, "isin"):
            found = left.isin(right)
            return ~found if inverted else found
        found = left in (list(right) if is_list_like(right) else right)
        return not found if inverted else found
    if type(sign) not in _COMPARE:
        raise NotImplementedError(
            f"'{type(sign).__name__}' nodes are not implemented in expressions"
        )
    return _COMPARE[type(sign)](left, right)


def assigned(frame: Any, text: str, variables: dict[str, Any]) -> tuple[Any, bool]:
    """The value of one line, or a frame with the columns that lines assign; and which it is."""
    lines = [each for each in text.splitlines() if each.strip()]
    if len(lines) == 1:
        target, expression = _target(lines[0])
        if target is None:
            return evaluated(expression, frame._scope(variables)), False
    made = frame.copy()
    for line in lines:
        target, expression = _target(line)
        if target is None:
            raise ValueError(
                "Multi-line expressions are only valid if all expressions contain an assignment"
            )
        made[target] = evaluated(expression, made._scope(variables))
    return made, True


def _target(line: str) -> tuple[str | None, str]:
    match = re.match(r"\s*(`[^`]+`|\w+)\s*=(?!=)(.*)", line, re.DOTALL)
    return (match[1].strip("`"), match[2]) if match else (None, line)
