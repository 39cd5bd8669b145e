"""Statements of functions of series and arrays: names of them, loops over them, results of rows."""

from __future__ import annotations

import ast
from typing import Any

from .elements import POSITION, Elements, renamed
from .expressions import Environment
from .kinds import MIXED, NONE, Expression, Kind, Refused, call, name_node
from .reductions import loop
from .statements import Done, Statements

OUT = "out"
NUMBERS, ROWS, SERIES = "numbers", "rows", "series"


class GivesRows(Refused):
    """A function of a group that gives a series, where a number was looked for."""


class SliceStatements(Statements):
    """A function's body, and what its results are to be.

    `NUMBERS`; `ROWS`, of which there is an element stored for each row, and of a number the same
    for all; `SERIES`, as ``groupby.apply`` has them: numbers and arrays, which it does not spread,
    are refused.
    """

    def __init__(self, expressions: Any, results: str) -> None:
        super().__init__(expressions)
        self.of: Any = expressions
        self.results = results

    def _store(self, target: Any, value: Any, known: Environment) -> Done:
        if not isinstance(value, Elements):
            return super()._store(target, value, known)
        if not isinstance(target, ast.Name):
            raise Refused("an assignment to anything but a name")
        made, held = self.of.held(value)
        names: dict[str, Any] = {**known, target.id: held}
        return made, names

    def _for(self, node: ast.For, known: Environment) -> Done:
        is_call = isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name)
        if is_call and node.iter.func.id == "range":  # type: ignore[attr-defined]
            return super()._for(node, known)
        of = self.of.part(node.iter, known)
        if not isinstance(of, Elements):
            raise Refused("`for` over anything but a range, a series or an array")
        if not isinstance(node.target, ast.Name) or node.orelse:
            raise Refused("`for` with `else`, or with several names")
        made, of = self.of.held(of)
        entry = self._entry(node, known)
        # A series gives Python's numbers, an array its own.
        inside = {**entry, node.target.id: Kind(of.kind.base, not of.is_series)}
        entry.pop(node.target.id, None)
        body = self._body(node.body, entry, inside)
        made += loop(f"local_{node.target.id}", of, body, self.of.binding.fresh("place"))
        return made, {**entry, node.target.id: Kind(MIXED)}

    def result(self, node: Any, known: Environment) -> list[Any]:
        """``return node``: of rows, an element for each, or a number for all."""
        if node is None or isinstance(node, ast.IfExp):
            return super().result(node, known)
        value = self.of.part(node, known)
        if self.results == NUMBERS:
            if isinstance(value, Elements):
                kind = GivesRows if value.is_series else Refused
                raise kind("a result that is a series or an array")
            return super().result(node, known)
        if self.results == SERIES and not (isinstance(value, Elements) and value.is_series):
            raise Refused("a result that is no series, where another is one")
        return self._rows(value) if isinstance(value, Elements) else self._repeated(value)

    def _repeated(self, value: Expression) -> list[Any]:
        if value.kind.base in (MIXED, NONE):
            raise Refused("a result that is None, or an int or a float")
        held = self.of.binding.fresh("held")
        first: Any = ast.Assign([ast.Name(held, ast.Store())], value.node)
        return [
            first,
            *self._stores(Expression(name_node(held), value.kind), call("len", name_node(OUT))),
        ]

    def _rows(self, value: Elements) -> list[Any]:
        if value.kept is not None or value.labels not in (None, "rows"):
            raise Refused("a result of other rows than the group's")
        made, of = self.of.held(value)
        count = call("same_count", of.count, call("len", name_node(OUT)))
        return [*made, *self._stores(of.element, count)]

    def _stores(self, element: Expression, count: Any) -> list[Any]:
        place = self.of.binding.fresh("place")
        node = renamed(element.node, {POSITION: place})
        target = ast.Subscript(name_node(OUT), name_node(place), ast.Store())
        store = ast.Assign([target], node)
        self.returns.append((store, Expression(node, element.kind)))  # type: ignore[arg-type]
        loop_ = ast.For(ast.Name(place, ast.Store()), call("range", count), [store], [])
        return [loop_, ast.Return(ast.Constant(0))]
