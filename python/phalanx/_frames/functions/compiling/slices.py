"""Functions of a series or an array, rewritten: series are `Elements`, reductions are loops.

pandas' methods and NumPy's are told apart by what they are of, as in Python.
"""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from .calls import is_missing, is_there, rule_of
from .elements import (
    POSITION,
    SERIES,
    Binding,
    Elements,
    column_elements,
    moved,
    resolved,
    text,
)
from .expressions import Environment, Names
from .kinds import BOOL, FLOAT, INT, Expression, Kind, Refused, call, name_node
from .methods import ARRAY_METHODS, SERIES_METHODS, applied, inverted, kept
from .numpy_functions import FUNCTIONS, arrays_of
from .program import (
    DEFINING,
    HelperExpressions,
    Literals,
    bound_arguments,
    definition,
    kind_of_helper,
    rewritten,
)
from .reductions import Reductions
from .slice_statements import NUMBERS, SliceStatements
from .texts import NoTexts

LABELS = "rows"  # the labels of all rows of a group or a window
_DTYPES = {np.dtype(np.int64): INT, np.dtype(np.float64): FLOAT, np.dtype(bool): BOOL}


class Table:
    """The columns of a group's frame by label, which are taken when they are named."""

    def __init__(self, kinds: dict[Any, Kind | Refused], attributes: set[str]) -> None:
        self.kinds = kinds
        self.attributes = attributes
        self.used: dict[Any, str] = {}

    def column(self, label: Any) -> Elements:
        """A column as a series. Raises Refused for labels that are not there, or no numbers."""
        try:
            kind = self.kinds.get(label)
        except TypeError:
            kind = None
        if kind is None:
            raise Refused(f"the group has no column {label!r}")
        if isinstance(kind, Refused):
            raise Refused(f"of the group's column {label!r}, {kind}")
        name = self.used.setdefault(label, f"column_{len(self.used)}")
        return column_elements(name, kind, LABELS)

    def any_column(self) -> Elements:
        """A column, for how many rows there are."""
        numbers = [each for each, kind in self.kinds.items() if isinstance(kind, Kind)]
        if not numbers:
            raise Refused("the length of a group without columns of numbers")
        return self.column(next(iter(self.used), numbers[0]))


class ArrayNames(Names):
    """Names of which some are arrays, which become parameters too."""

    def array(self, name: str) -> Elements | None:
        """The array of a name; None for what is none. Raises Refused for other dtypes."""
        found = self.value(name)
        if not isinstance(found, np.ndarray):
            return None
        if found.ndim != 1 or found.dtype not in _DTYPES:
            raise Refused(f"{name}, an array of {found.ndim} dimensions of {found.dtype}")
        self.numbers[name] = np.ascontiguousarray(found)
        return column_elements(f"number_{name}", Kind(_DTYPES[found.dtype], True), None)


class ArrayLiterals(Literals):
    """The names of a helper: its numbers are written into it, arrays are not."""

    def array(self, name: str) -> Elements | None:
        """None. Raises Refused for an array."""
        if isinstance(self.value(name), np.ndarray):
            raise Refused(f"the array {name} in a function that is called")
        return None


class SliceExpressions(HelperExpressions):
    """Expressions that may be series and arrays."""

    def __init__(
        self, names: Any, definitions: dict[Any, Any], table: tuple[str, Table] | None
    ) -> None:
        super().__init__(names, None, definitions, NoTexts())
        self.arrays = names
        self.table_name, self.table = table or ("", Table({}, set()))
        self.binding = Binding()
        self.reductions = Reductions(self.binding.fresh)

    # What the rules of numbers are given.

    def of(self, node: Any, known: Environment) -> Expression:
        """The number of an expression. Raises Refused for a series and for what is not compiled."""
        found = self.part(node, known)
        if isinstance(found, Elements):
            raise Refused(
                "a series or an array where one number is needed", getattr(node, "lineno", 0)
            )
        return found  # type: ignore[no-any-return]

    def part(self, node: Any, known: Environment) -> Any:
        """The expression, or the `Elements`."""
        return super().of(node, known)

    def combined(self, rule: Callable[..., Expression], *operands: Any) -> Any:
        """A rule for numbers, for each element where there are some."""
        if any(isinstance(each, Elements) for each in operands):
            return self.binding.combined(rule, operands)
        return rule(*operands)

    def numbers_call(self, function: Any, *operands: Expression) -> Expression:
        """A call of a function of numbers."""
        return super().call_of(function, list(operands))

    def helper(self, function: Any, operands: list[Any]) -> Expression:
        """A call of another function of the user's, of which some arguments may be series."""
        if not any(isinstance(each, Elements) for each in operands):
            return super().helper(function, operands)
        given = bound_arguments(function, operands, {})
        names = {name: each for name, each in given.items() if any(each is o for o in operands)}
        rest = {name: each for name, each in given.items() if name not in names}
        passed: dict[str, Any] = {}
        known: dict[str, Any] = {}
        for name, each in names.items():
            if isinstance(each, Elements):
                passed |= each.arguments()
                known[name] = each._replace(bound={})
            else:
                passed[f"local_{name}"] = each.node
                known[name] = each.kind
        called_by = (function, *(_key(each) for each in known.values()))
        if self.definitions.setdefault(called_by, None) is None:
            self.definitions[called_by] = DEFINING
            inner = SliceExpressions(ArrayLiterals(function, rest), self.definitions, None)
            inner.binding, inner.reductions = self.binding, self.reductions
            statements, body = rewritten(function, SliceStatements(inner, NUMBERS), known)
            name = f"helper_{len(self.definitions)}"
            kind = kind_of_helper(function, statements)
            self.definitions[called_by] = name, kind, {}, definition(name, list(passed), body)
        name, kind, *_ = self.definitions[called_by]
        if not name:
            raise Refused(f"{function.__name__} calls itself")
        return Expression(call(name, *passed.values()), kind)

    # Rules.

    def _name(self, node: ast.Name, known: Environment) -> Any:
        found: Any = known.get(node.id)
        if isinstance(found, Elements):
            return found
        if found is not None and found.base == SERIES:
            raise Refused(f"{node.id}, which is another series on another path")
        if found is None:
            if node.id == self.table_name:
                raise Refused("the group's frame itself, but for its columns")
            array = self.arrays.array(node.id)
            if array is not None:
                return array
        return super()._name(node, known)

    def _unary(self, node: ast.UnaryOp, known: Environment) -> Any:
        if isinstance(node.op, ast.Invert):
            operand = self.part(node.operand, known)
            if isinstance(operand, Elements) and operand.kind.base == BOOL:
                return self.combined(inverted, operand)
        return super()._unary(node, known)

    def _owner(self, node: Any, known: Environment) -> Any:
        """What an attribute is of, if it is a series or an array; else None."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id not in known and root.id != self.table_name:
            return self.arrays.array(root.id) if root is node else None
        if self._is_table(node, known):
            return None
        found = self.part(node, known)
        if not isinstance(found, Elements):
            raise Refused("a method or an attribute of a number")
        return found

    def _call(self, node: ast.Call, known: Environment) -> Any:
        if any(isinstance(each, ast.Starred) for each in node.args):
            raise Refused("calls with * or **")
        if isinstance(node.func, ast.Attribute):
            owner = self._owner(node.func.value, known)
            if owner is not None:
                return self._method_of(owner, node.func.attr, node, known)
        function = self.object_of(node.func, known)
        if function is len and len(node.args) == 1 and self._is_table(node.args[0], known):
            return self.reductions.length(self.table.any_column())
        made = arrays_of(self, function, node, known)
        if made is not None:
            return made
        operands = [self.part(each, known) for each in node.args]
        if any(isinstance(each, Elements) for each in operands):
            keywords = {str(each.arg): self.part(each.value, known) for each in node.keywords}
            return self._function(function, operands, keywords)
        if node.keywords:
            raise Refused("calls with keywords")
        return self.call_of(function, operands)

    def _method_of(self, owner: Elements, name: str, node: ast.Call, known: Environment) -> Any:
        methods = SERIES_METHODS if owner.is_series else ARRAY_METHODS
        rule = methods.get(name)
        if rule is None:
            raise Refused(f"the method {name} of {_what(owner)}")
        if name == "astype":
            return applied(rule, self, owner, [self._dtype(each, known) for each in node.args], {})
        args = [self.part(each, known) for each in node.args]
        keywords = {str(each.arg): self.part(each.value, known) for each in node.keywords}
        return applied(rule, self, owner, args, keywords)

    def _dtype(self, node: Any, known: Environment) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        return self.object_of(node, known)

    def base_of_dtype(self, dtype: Any) -> str:
        """The kind of numbers of a dtype. Raises Refused for one without 64 bits."""
        try:
            return _DTYPES[np.dtype(dtype)]
        except (TypeError, KeyError):
            raise Refused(f"the dtype {dtype!r:.40}") from None

    def _function(self, function: Any, operands: list[Any], keywords: dict[str, Any]) -> Any:
        """A function of Python's, NumPy's, or of missing values, of some series or arrays."""
        if isinstance(function, types.FunctionType) and not keywords and _is_users(function):
            return self.helper(function, operands)
        known = rule_of(function)
        try:
            rule = FUNCTIONS.get(function)
        except TypeError:
            rule = None
        if rule is not None:
            return applied(rule, self, operands[0], operands[1:], keywords)
        if known is None or keywords or known[2] in _ONE_NUMBER:
            name = getattr(function, "__name__", repr(function))
            raise Refused(f"the function {name!s:.40} of a series or an array")
        if known[2] in (is_missing, is_there):
            return SERIES_METHODS["isna" if known[2] is is_missing else "notna"](self, operands[0])
        if getattr(function, "__module__", "") == "math":
            raise Refused(f"math.{known[0]} of a series or an array")
        return self.combined(lambda *each: self.numbers_call(function, *each), *operands)

    # Attributes and subscripts.

    def _is_table(self, node: Any, known: Environment) -> bool:
        is_name = isinstance(node, ast.Name) and node.id == self.table_name
        return bool(self.table_name) and is_name and self.table_name not in known

    def _attribute(self, node: ast.Attribute, known: Environment) -> Any:
        if self._is_table(node.value, known):
            if node.attr not in self.table.attributes:
                raise Refused(f"the attribute {node.attr} of a group's frame")
            return self.table.column(node.attr)
        owner = self._owner(node.value, known)
        if owner is None:
            return super()._attribute(node, known)
        if node.attr == "size":
            return self.reductions.length(owner)
        if owner.is_series and node.attr in ("values", "array"):
            return owner.as_array()
        if owner.is_series and node.attr == "empty":
            length = self.reductions.length(owner)
            test = ast.Compare(length.node, [ast.Eq()], [ast.Constant(0)])
            return Expression(test, Kind(BOOL))
        raise Refused(f"the attribute {node.attr} of {_what(owner)}")

    def _subscript(self, node: ast.Subscript, known: Environment) -> Any:
        value = node.value
        if self._is_table(value, known):
            return self.table.column(self._label(node.slice, known))
        if isinstance(value, ast.Attribute) and value.attr == "shape":
            owner = self._owner(value.value, known)
            if owner is None or self._label(node.slice, known) != 0:
                raise Refused("a shape")
            return self.reductions.length(owner)
        place = ""
        if isinstance(value, ast.Attribute) and value.attr in ("iloc", "iat", "loc"):
            place, value = value.attr, value.value
        owner = self._owner(value, known) if not isinstance(value, ast.Tuple) else None
        if owner is None:
            return super()._subscript(node, known)
        return self._taken(owner, place, node.slice, known)

    def _taken(self, owner: Elements, place: str, at: Any, known: Environment) -> Any:
        is_by_position = place in ("iloc", "iat") or not owner.is_series
        if isinstance(at, ast.Slice):
            if at.step is not None or not is_by_position:
                raise Refused("a slice with a step, or by labels")
            bounds = [
                None if each is None else self.of(each, known) for each in (at.lower, at.upper)
            ]
            return self.part_of(owner, *bounds)
        found = self.part(at, known)
        if isinstance(found, Elements):
            if place in ("iloc", "iat"):
                raise Refused("positions in an array")
            return kept(self, owner, found)
        if not is_by_position:
            raise Refused("an element by its label: x.iloc[...] is by position")
        if found.kind.base != INT:
            raise Refused("a position that is no int")
        return self.reductions.item(owner, found.node)

    def part_of(self, of: Elements, first: Expression | None, last: Expression | None) -> Elements:
        """The elements from one position to another."""
        if any(each is not None and each.kind.base != INT for each in (first, last)):
            raise Refused("a slice from or to what is no int")
        of = self.reductions.stored(of)
        count = resolved(of.count, of.bound)
        bound = dict(of.bound)
        names: list[Any] = []
        for each in (first, last):
            if each is None:
                names.append(ast.Constant(0) if each is first and not names else of.count)
                continue
            name = self.binding.fresh("bound")
            bound[name] = call("slice_place", count, each.node)
            names.append(name_node(name))
        begin, end = names
        made = of._replace(
            node=moved(of.node, ast.BinOp(name_node(POSITION), ast.Add(), begin)),
            count=call("max", ast.BinOp(end, ast.Sub(), begin), ast.Constant(0)),
            bound=bound,
        )
        if of.labels is not None:
            part = ":".join("" if each is None else text(each.node) for each in (first, last))
            made = made._replace(labels=f"{of.labels}[{part}]")
        return made

    def held(self, of: Elements) -> tuple[list[Any], Elements]:
        """Statements that compute the numbers that elements refer to, and the elements with these.

        Names of the function may change afterwards.
        """
        statements: list[Any] = []
        names = {}
        for name, node in of.bound.items():
            own = self.binding.fresh("held")
            statements.append(ast.Assign([ast.Name(own, ast.Store())], node))
            names[name] = name_node(own)
        changed = {
            field: resolved(getattr(of, field), names)
            for field in ("node", "count", "kept")
            if getattr(of, field) is not None
        }
        return statements, of._replace(bound={}, **changed)


def _key(known: Any) -> Any:
    if not isinstance(known, Elements):
        return known
    parts = (
        text(each) if each is not None else "" for each in (known.node, known.count, known.kept)
    )
    return (*parts, known.kind, known.labels)


def _is_users(function: Any) -> bool:
    return rule_of(function) is None and not str(function.__module__).startswith("numpy")


def _what(of: Elements) -> str:
    return "a series" if of.is_series else "an array"


# Of one argument they are no functions of elements.
_ONE_NUMBER = frozenset(
    found[2] for each in (builtins.max, builtins.int, builtins.float, builtins.bool, builtins.round)
    if (found := rule_of(each)) is not None
)  # fmt: skip
