"""Expressions of users' functions, rewritten with the kinds of their numbers."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from functools import partial
from typing import Any

from ...._frontend import MISSING, resolve
from .calls import called, rule_of
from .kinds import (
    BOOL,
    MIXED,
    NONE,
    Expression,
    Kind,
    Refused,
    common,
    constant,
    kind_of_value,
    name_node,
)
from .operators import binary, compared, truth, unary

Environment = dict[str, Kind]
_MOST_ELEMENTS = 16  # of a tuple that `in` looks through


class Row:
    """The row of a frame: its columns by label, which are taken when they are named.

    `attributes` are the labels that ``row.label`` reaches.
    """

    def __init__(self, kinds: dict[Any, Kind | None], attributes: set[str], labels: Any) -> None:
        self.kinds = kinds
        self.attributes = attributes
        self.labels = labels
        self.used: dict[Any, str] = {}

    def column(self, label: Any) -> Expression:
        """The row's element. Raises Refused for labels that are not there, or no numbers."""
        kind = self.kinds.get(label)
        if kind is None:
            raise Refused(f"the row's element {label!r}")
        name = self.used.setdefault(label, f"column_{len(self.used)}")
        return Expression(name_node(name), kind)


class Names:
    """What the names of a function mean that are not assigned in it.

    Numbers become parameters, so that code for one number serves for another.
    """

    def __init__(self, function: Any, given: dict[str, Any]) -> None:
        self.function = function
        self.given = given
        self.numbers: dict[str, Any] = {}

    def value(self, name: str) -> Any:
        """The Python object. Raises Refused where there is none."""
        if name in self.given:
            return self.given[name]
        found = resolve.lookup(self.function, name)
        if found is MISSING:
            raise Refused(f"the name {name}")
        return found

    def number(self, name: str) -> Expression:
        """A number that the function refers to, as a parameter."""
        value = self.value(name)
        if value is None or isinstance(value, bool):
            return constant(value)
        kind = kind_of_value(value)
        if kind is None:
            raise Refused(f"{name}, which is {type(value).__name__} {value!r:.40}")
        self.numbers[name] = value
        return Expression(name_node(f"number_{name}"), kind)


class Expressions:
    """The value of each kind of node, as an `Expression`."""

    def __init__(self, names: Names, row: tuple[str, Row] | None = None) -> None:
        self.names = names
        self.row_name, self.row = row or ("", Row({}, set(), ()))

    def of(self, node: Any, known: Environment) -> Expression:
        """The expression. Raises Refused for what is not compiled, with its line."""
        name = _RULES.get(type(node))
        if name is None:
            raise Refused(f"{type(node).__name__} is not compiled", getattr(node, "lineno", 0))
        try:
            made: Expression = getattr(self, name)(node, known)
            return made
        except Refused as refused:
            refused.line = refused.line or getattr(node, "lineno", 0)
            raise

    def part(self, node: Any, known: Environment) -> Any:
        """The expression of an operand, which may be more than a number where a class allows it."""
        return self.of(node, known)

    def combined(self, rule: Callable[..., Expression], *operands: Any) -> Any:
        """What a rule for numbers gives for operands that `part` gave."""
        return rule(*operands)

    def truth(self, node: Any, known: Environment) -> Any:
        """The node of the truth of an expression; operands of `and` need not be of one kind."""
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self.truth(each, known) for each in node.values])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, self.truth(node.operand, known))
        return truth(self.of(node, known))

    def _constant(self, node: ast.Constant, _: Environment) -> Expression:
        return constant(node.value)

    def _name(self, node: ast.Name, known: Environment) -> Expression:
        kind = known.get(node.id)
        if kind is None:
            if node.id == self.row_name:
                raise Refused("the row itself, but for its elements")
            return self.names.number(node.id)
        if kind.base == MIXED:
            raise Refused(
                f"{node.id} is an int or a float, depending on the path, or not assigned: begin "
                f"with {node.id} = 0.0"
            )
        return Expression(name_node(f"local_{node.id}"), kind)

    def _binary(self, node: ast.BinOp, known: Environment) -> Expression:
        right = self.part(node.right, known)
        if isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Name):
            value = None if node.right.id in known else self.names.value(node.right.id)
            right = right if kind_of_value(value) is None else constant(value)
        return self.combined(partial(binary, node.op), self.part(node.left, known), right)  # type: ignore[no-any-return]

    def _unary(self, node: ast.UnaryOp, known: Environment) -> Expression:
        if isinstance(node.op, ast.Not):
            return Expression(self.truth(node, known), Kind(BOOL))
        return self.combined(partial(unary, node.op), self.part(node.operand, known))  # type: ignore[no-any-return]

    def _either(self, node: ast.BoolOp, known: Environment) -> Expression:
        parts = [self.of(each, known) for each in node.values]
        kind = parts[0].kind
        for each in parts[1:]:
            kind = common(kind, each.kind)
        if kind.base in (MIXED, NONE):
            raise Refused("`and` and `or` of numbers of several kinds give either")
        return Expression(ast.BoolOp(node.op, [each.node for each in parts]), kind)

    def _choice(self, node: ast.IfExp, known: Environment) -> Expression:
        first, second = self.of(node.body, known), self.of(node.orelse, known)
        kind = common(first.kind, second.kind)
        if kind.base in (MIXED, NONE):
            raise Refused("`if` ... `else` with numbers of several kinds")
        test = self.truth(node.test, known)
        return Expression(ast.IfExp(test, first.node, second.node), kind)

    def _comparison(self, node: ast.Compare, known: Environment) -> Expression:
        parts, kind = [], Kind(BOOL, True)
        if len(node.ops) == 1 and not isinstance(node.ops[0], (ast.In, ast.NotIn)):
            pair = self.part(node.left, known), self.part(node.comparators[0], known)
            return self.combined(partial(compared, node.ops[0]), *pair)  # type: ignore[no-any-return]
        left = self.of(node.left, known)
        for sign, each in zip(node.ops, node.comparators, strict=True):
            if isinstance(sign, (ast.In, ast.NotIn)):
                if len(node.ops) > 1:
                    raise Refused("`in` within a chain of comparisons")
                return self._membership(sign, left, each, known)
            right = self.of(each, known)
            part = compared(sign, left, right)
            parts.append(part.node)
            kind = common(kind, part.kind)
            left = right
        return Expression(parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts), kind)

    def _membership(
        self, sign: ast.cmpop, left: Expression, node: Any, known: Environment
    ) -> Expression:
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            elements = [self.of(each, known) for each in node.elts]
        elif isinstance(node, ast.Name) and node.id not in known:
            found = self.names.value(node.id)
            if not isinstance(found, (tuple, list, set, frozenset)):
                raise Refused(f"`in` {type(found).__name__}")
            elements = [constant(each) for each in list(found)[: _MOST_ELEMENTS + 1]]
        else:
            raise Refused("`in` of anything but a tuple, a list or a set")
        if not 0 < len(elements) <= _MOST_ELEMENTS:
            raise Refused(f"`in` with none or more than {_MOST_ELEMENTS} elements")
        if not all(each.constant is not None and each.constant == each.constant
                   for each in elements):  # fmt: skip
            raise Refused("`in` of anything but numbers")
        tests: list[Any] = [compared(ast.Eq(), left, each).node for each in elements]
        found_any: Any = tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests)
        if isinstance(sign, ast.NotIn):
            found_any = ast.UnaryOp(ast.Not(), found_any)
        return Expression(found_any, Kind(BOOL))

    def _call(self, node: ast.Call, known: Environment) -> Expression:
        function = self.object_of(node.func, known)
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise Refused("calls with keywords")
        return self.call_of(function, [self.of(each, known) for each in node.args])

    def call_of(self, function: Any, operands: list[Expression]) -> Expression:
        """A call of a function of numbers. Raises Refused for those that are not known."""
        if rule_of(function) is None and isinstance(function, types.FunctionType):
            return self.helper(function, operands)
        return called(function, operands)

    def helper(self, function: Any, operands: list[Expression]) -> Expression:
        """A call of another function of the user's. Raises Refused here: see `Program`."""
        raise Refused(f"the function {function.__name__}")

    def object_of(self, node: Any, known: Environment) -> Any:
        """What a name or a dotted name refers to outside of the function."""
        if isinstance(node, ast.Name) and node.id not in known and node.id != self.row_name:
            return self.names.value(node.id)
        if isinstance(node, ast.Attribute):
            is_path = isinstance(node.value, (ast.Name, ast.Attribute))
            is_own = isinstance(node.value, ast.Name) and node.value.id in known
            module = self.object_of(node.value, known) if is_path and not is_own else None
            if isinstance(module, types.ModuleType) and hasattr(module, node.attr):
                return getattr(module, node.attr)
            raise Refused(f"the attribute {node.attr}")
        raise Refused("a call of what is no name")

    def _is_row(self, node: Any, known: Environment) -> bool:
        is_name = isinstance(node, ast.Name) and node.id == self.row_name
        return is_name and self.row_name not in known

    def _attribute(self, node: ast.Attribute, known: Environment) -> Expression:
        if self._is_row(node.value, known):
            if node.attr not in self.row.attributes:
                raise Refused(f"row.{node.attr}")
            return self.row.column(node.attr)
        return constant(self.object_of(node, known))

    def _subscript(self, node: ast.Subscript, known: Environment) -> Expression:
        value = node.value
        if self._is_row(value, known):
            return self.row.column(self._label(node.slice, known))
        if (
            isinstance(value, ast.Attribute)
            and value.attr == "iloc"
            and self._is_row(value.value, known)
        ):
            place = self._label(node.slice, known)
            if type(place) is not int or not -len(self.row.labels) <= place < len(self.row.labels):
                raise Refused(f"row.iloc[{place!r:.40}]")
            return self.row.column(self.row.labels[place])
        if isinstance(value, ast.Name) and value.id not in known:
            found = self.names.value(value.id)
            if isinstance(found, tuple):
                return constant(found[self._label(node.slice, known)])
        raise Refused("a subscript")

    def _label(self, node: Any, known: Environment) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._label(node.operand, known)
        if isinstance(node, ast.Name) and node.id not in known:
            found = self.names.value(node.id)
            if isinstance(found, (str, int)):
                return found
        raise Refused("a label that is computed")


# The methods, which subclasses may have of their own.
_RULES: dict[type, str] = {
    ast.Constant: "_constant", ast.Name: "_name", ast.BinOp: "_binary", ast.UnaryOp: "_unary",
    ast.BoolOp: "_either", ast.IfExp: "_choice", ast.Compare: "_comparison", ast.Call: "_call",
    ast.Attribute: "_attribute", ast.Subscript: "_subscript",
}  # fmt: skip
