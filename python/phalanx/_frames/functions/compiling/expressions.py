"""Expressions of users' functions, rewritten with the kinds of their numbers."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from functools import partial
from typing import Any

from ...._frontend import MISSING, resolve
from . import text_calls
from .calls import called, is_missing, is_there, rule_of
from .kinds import (
    BOOL,
    LIST,
    MIXED,
    NONE,
    TEXT,
    Expression,
    Kind,
    Refused,
    common,
    constant,
    kind_of_value,
    name_node,
)
from .operators import binary, compared, truth, unary
from .texts import Texts, negated

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
        """The row's element. Raises Refused for labels that are not there, or other objects."""
        kind = self.kinds.get(label)
        if kind is None:
            is_there = label in self.kinds
            why = "is neither a number nor a text" if is_there else "is not there"
            raise Refused(f"the row's element {label!r} {why}")
        if kind.base == TEXT:
            return Expression(ast.Constant(kind.among[0]), kind)
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

    def __init__(
        self, names: Names, row: tuple[str, Row] | None = None, texts: Texts | None = None
    ) -> None:
        self.names = names
        self.texts = Texts() if texts is None else texts
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
        found = self.of(node, known)
        return self.texts.truth(found) if is_of_texts(found) else truth(found)

    def _constant(self, node: ast.Constant, _: Environment) -> Expression:
        return self.value(node.value)

    def value(self, value: Any) -> Expression:
        """A number or a text that is the same for all rows."""
        return self.texts.constant(value) if type(value) is str else constant(value)

    def _name(self, node: ast.Name, known: Environment) -> Expression:
        kind = known.get(node.id)
        if kind is None:
            if node.id == self.row_name:
                raise Refused("the row itself, but for its elements")
            value = self.names.value(node.id)
            return self.value(value) if type(value) is str else self.names.number(node.id)
        if len(kind.among) == 1:
            return Expression(ast.Constant(kind.among[0]), kind)
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
        left = self.part(node.left, known)
        if is_of_texts(left) or is_of_texts(right):
            return self._sum_of_texts(node.op, left, right)
        made = self.combined(partial(binary, node.op), left, right)
        if not all(isinstance(each, Expression) for each in (left, right)):
            return made  # type: ignore[no-any-return]
        parts = [
            self._with_number(*each, known) for each in ((node.left, left), (node.right, right))
        ]
        symbol = text_calls.sum_symbol(node.op, *parts)
        with_symbol: Expression = made
        if symbol is not None:
            with_symbol = made._replace(kind=made.kind._replace(symbol=symbol))
        return with_symbol

    def _with_number(self, node: Any, made: Expression, known: Environment) -> Expression:
        """An expression with its constant, also where that is a number the function refers to."""
        is_outside = isinstance(node, ast.Name) and node.id not in known
        value = self.names.value(node.id) if is_outside else made.constant
        return made._replace(constant=value)

    def _sum_of_texts(self, sign: Any, left: Expression, right: Expression) -> Expression:
        if isinstance(sign, ast.Mult) and TEXT in (left.kind.base, right.kind.base):
            text, times = (left, right) if left.kind.base == TEXT else (right, left)
            return text_calls.repeated(self.texts, text, times)
        if not isinstance(sign, ast.Add) or {left.kind.base, right.kind.base} != {TEXT}:
            raise Refused(f"the operator {type(sign).__name__} of a text and what is none")
        return self.texts.joined([left, right])

    def _formatted(self, node: ast.JoinedStr, known: Environment) -> Expression:
        parts = []
        for each in node.values:
            value = each
            if isinstance(each, ast.FormattedValue):
                if each.format_spec is not None or each.conversion not in (-1, ord("s")):
                    raise Refused("a format")
                value = each.value
            parts.append(text_calls.written(self.texts, self.of(value, known)))
        return self.texts.joined(parts)

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
            raise Refused("`and` and `or` of several kinds give either")
        if kind.base in (TEXT, LIST):
            return self._either_text(node.op, parts)
        return Expression(ast.BoolOp(node.op, [each.node for each in parts]), kind)

    def _either_text(self, sign: ast.boolop, parts: list[Expression]) -> Expression:
        made = parts[-1]
        for each in reversed(parts[:-1]):
            sides = [each.node, made.node] if isinstance(sign, ast.Or) else [made.node, each.node]
            node = ast.IfExp(self.texts.truth(each), *sides)
            made = Expression(node, common(each.kind, made.kind))
        return made

    def _choice(self, node: ast.IfExp, known: Environment) -> Expression:
        first, second = self.of(node.body, known), self.of(node.orelse, known)
        kind = common(first.kind, second.kind)
        if kind.base in (MIXED, NONE):
            raise Refused("`if` ... `else` with values of several kinds")
        test = self.truth(node.test, known)
        return Expression(ast.IfExp(test, first.node, second.node), kind)

    def _comparison(self, node: ast.Compare, known: Environment) -> Expression:
        parts, kind = [], Kind(BOOL, True)
        if len(node.ops) == 1 and not isinstance(node.ops[0], (ast.In, ast.NotIn)):
            pair = self.part(node.left, known), self.part(node.comparators[0], known)
            of_texts = any(is_of_texts(each) for each in pair)
            rule = self.texts.compared if of_texts else compared
            return self.combined(partial(rule, node.ops[0]), *pair)  # type: ignore[no-any-return]
        left = self.of(node.left, known)
        for sign, each in zip(node.ops, node.comparators, strict=True):
            if isinstance(sign, (ast.In, ast.NotIn)):
                if len(node.ops) > 1:
                    raise Refused("`in` within a chain of comparisons")
                return self._membership(sign, left, each, known)
            right = self.of(each, known)
            of_texts = is_of_texts(left) or is_of_texts(right)
            part = (self.texts.compared if of_texts else compared)(sign, left, right)
            parts.append(part.node)
            kind = common(kind, part.kind)
            left = right
        return Expression(parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts), kind)

    def _membership(
        self, sign: ast.cmpop, left: Expression, node: Any, known: Environment
    ) -> Expression:
        elements = self._elements(node, known)
        if elements is None:
            whole = self.of(node, known)
            if whole.kind.base != TEXT:
                raise Refused("`in` of anything but a text, a tuple, a list or a set")
            return _as_sign(sign, self.texts.contains(left, whole))
        if left.kind.base == TEXT:
            values = [getattr(each, "constant", each) for each in elements]
            return _as_sign(sign, self.texts.is_one_of(left, values))
        elements = [each if isinstance(each, Expression) else constant(each) for each in elements]
        if not 0 < len(elements) <= _MOST_ELEMENTS:
            raise Refused(f"`in` with none or more than {_MOST_ELEMENTS} elements")
        if not all(each.constant is not None and each.constant == each.constant
                   for each in elements):  # fmt: skip
            raise Refused("`in` of anything but numbers")
        tests: list[Any] = [compared(ast.Eq(), left, each).node for each in elements]
        found_any: Any = tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests)
        return _as_sign(sign, Expression(found_any, Kind(BOOL)))

    def _elements(self, node: Any, known: Environment) -> list[Any] | None:
        """What `in` looks through: expressions or values; None where that is no such collection."""
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return [self.of(each, known) for each in node.elts]
        if isinstance(node, ast.Name) and node.id not in known:
            found = self.names.value(node.id)
            if isinstance(found, (tuple, list, set, frozenset)):
                return list(found)
        return None

    def _call(self, node: ast.Call, known: Environment) -> Expression:
        if isinstance(node.func, ast.Attribute) and self._is_value(node.func.value, known):
            return self._method(node, known)
        function = self.object_of(node.func, known)
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise Refused("calls with keywords")
        if function is isinstance and len(node.args) == 2:
            of = self.object_of(node.args[1], known)
            return text_calls.is_instance(self.texts, self.of(node.args[0], known), of)
        operands = [self.of(each, known) for each in node.args]
        made = self._of_texts(function, operands)
        return self.call_of(function, operands) if made is None else made

    def call_of(self, function: Any, operands: list[Expression]) -> Expression:
        """A call of a function of numbers. Raises Refused for those that are not known."""
        if rule_of(function) is None and isinstance(function, types.FunctionType):
            return self.helper(function, operands)
        return called(function, operands)

    def _of_texts(self, function: Any, operands: list[Expression]) -> Expression | None:
        """A call of a function that takes texts; None for those of numbers, and for a user's."""
        rule = rule_of(function)
        if rule is not None and rule[2] in (is_missing, is_there) and len(operands) == 1:
            if operands[0].kind.base != TEXT:
                return None
            return text_calls.missing(self.texts, rule[0], operands[0])
        takes_any = function in (len, str)
        if not takes_any and not any(is_of_texts(each) for each in operands):
            return None
        made = text_calls.called(self.texts, function, operands)
        if made is None and (rule is not None or not isinstance(function, types.FunctionType)):
            name = getattr(function, "__name__", repr(function))
            raise Refused(f"the function {name!s:.40} of texts")
        return made

    def _is_value(self, node: Any, known: Environment) -> bool:
        """True for what is computed or a text, unlike modules and what they have."""
        if isinstance(node, ast.Attribute):
            return self._is_row(node.value, known)
        if isinstance(node, ast.Name):
            if node.id in known:
                return is_of_texts(Expression(None, known[node.id]))
            return node.id != self.row_name and type(self.names.value(node.id)) is str
        return True

    def _method(self, node: Any, known: Environment) -> Expression:
        operand = self.of(node.func.value, known)
        if not is_of_texts(operand):
            raise Refused(f"the attribute {node.func.attr}")
        given = [self._argument(each, known) for each in node.args]
        named = {each.arg: self._argument(each.value, known) for each in node.keywords}
        return text_calls.method(self.texts, operand, node.func.attr, given, named)

    def _argument(self, node: Any, known: Environment) -> Any:
        """What a method is given: a value of Python's where that is known, else an expression."""
        if isinstance(node, (ast.List, ast.Tuple)):
            found = [self._argument(each, known) for each in node.elts]
            if all(isinstance(each, str) for each in found) and isinstance(node, ast.Tuple):
                return tuple(found)
            return [self.value(each) if isinstance(each, str) else each for each in found]
        if isinstance(node, ast.Name) and node.id not in known and node.id != self.row_name:
            value = self.names.value(node.id)
            if value is None or isinstance(value, (str, int, tuple)):
                return value
        made = self.of(node, known)
        if made.kind.base == NONE:
            return None
        if made.kind.base == TEXT and isinstance(made.node, ast.Constant):
            literal = self.texts.literal(made.kind.among[0])
            return made if literal is None else literal
        return made if made.constant is None else made.constant

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
        return self.value(self.object_of(node, known))

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
                return self.value(found[self._label(node.slice, known)])
        if self._is_value(value, known):
            return self._part(self.of(value, known), node.slice, known)
        raise Refused("a subscript")

    def _part(self, operand: Expression, node: Any, known: Environment) -> Expression:
        if not is_of_texts(operand):
            raise Refused("a subscript")
        if not isinstance(node, ast.Slice):
            index = self._with_number(node, self.of(node, known), known)
            return text_calls.element(self.texts, operand, index)
        bounds = [
            None if each is None else self._with_number(each, self.of(each, known), known)
            for each in (node.lower, node.upper, node.step)
        ]
        return text_calls.part(self.texts, operand, *bounds)

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


def is_of_texts(expression: Expression) -> bool:
    """True for texts and lists of them."""
    return expression.kind.base in (TEXT, LIST)


def _as_sign(sign: ast.cmpop, found: Expression) -> Expression:
    """What `in` or `not in` gives."""
    return negated(found) if isinstance(sign, ast.NotIn) else found


# The methods, which subclasses may have of their own.
_RULES: dict[type, str] = {
    ast.Constant: "_constant", ast.Name: "_name", ast.BinOp: "_binary", ast.UnaryOp: "_unary",
    ast.BoolOp: "_either", ast.IfExp: "_choice", ast.Compare: "_comparison", ast.Call: "_call",
    ast.Attribute: "_attribute", ast.Subscript: "_subscript",
    ast.JoinedStr: "_formatted",
}  # fmt: skip
