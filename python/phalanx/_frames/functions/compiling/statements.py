"""Statements of users' functions, rewritten; what a name is on each path is kept beside them."""

from __future__ import annotations

import ast
from typing import Any

from .expressions import Environment, Expressions
from .kinds import (
    INT,
    LIST,
    MIXED,
    NONE,
    TEXT,
    Expression,
    Kind,
    Refused,
    as_int,
    call,
    common,
    name_node,
)
from .text_calls import unpacked

# The statements, and the names after them; None where no path goes on.
Done = tuple[list[Any], Environment | None]


class Statements:
    """A function's body. `results` are the kinds that it returns, in the order of `returns`."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.returns: list[tuple[ast.Return, Expression]] = []
        self._loops: list[Environment] = []

    def block(self, nodes: list[Any], known: Environment) -> Done:
        """The statements of a block. Raises Refused for what is not compiled, with its line."""
        made: list[Any] = []
        now: Environment | None = dict(known)
        for node in nodes:
            if now is None:
                break  # no path leads here
            name = _RULES.get(type(node))
            if name is None:
                raise Refused(f"{type(node).__name__} is not compiled", node.lineno)
            try:
                statements, now = getattr(self, name)(node, now)
            except Refused as refused:
                refused.line = refused.line or node.lineno
                raise
            made += statements
        return made or [ast.Pass()], now

    def result(self, node: Any, known: Environment) -> list[Any]:
        """``return node``; each side of a choice has a return of its own."""
        if isinstance(node, ast.IfExp):
            test = self.expressions.truth(node.test, known)
            if isinstance(test, ast.Constant):
                return self.result(node.body if test.value else node.orelse, known)
            parts = [self.result(each, known) for each in (node.body, node.orelse)]
            return [ast.If(test, *parts)]
        value = (
            Expression(ast.Constant(None), Kind(NONE))
            if node is None
            else self.expressions.of(node, known)
        )
        if value.kind.base == MIXED:
            raise Refused("a result that is an int or a float")
        if value.kind.base == LIST:
            raise Refused("a list as a result")
        made = ast.Return(value.node)
        self.returns.append((made, value))
        return [made]

    def _return(self, node: ast.Return, known: Environment) -> Done:
        return self.result(node.value, known), None

    def _assign(self, node: ast.Assign, known: Environment) -> Done:
        if len(node.targets) != 1:
            raise Refused("assignments to several names at once")
        (target,) = node.targets
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            return self._assign_each(target.elts, node.value.elts, known)
        value = self.expressions.part(node.value, known)
        if isinstance(target, ast.Tuple) and value.kind.base == LIST:
            parts = unpacked(self.expressions.texts, value, len(target.elts))
            return self._store_each(target.elts, parts, known)
        return self._store(target, value, known)

    def _assign_each(self, targets: list[Any], values: list[Any], known: Environment) -> Done:
        if len(targets) != len(values):
            raise Refused("an assignment of more or fewer values than names")
        found = [self.expressions.of(each, known) for each in values]
        return self._store_each(targets, found, known)

    def _store_each(self, targets: list[Any], found: list[Expression], known: Environment) -> Done:
        made: list[Any] = []
        # All values are there before the first name changes.
        for i, each in enumerate(found):
            made.append(_to(f"part_{i}", each.node))
        now: Environment | None = known
        for i, target in enumerate(targets):
            part = Expression(name_node(f"part_{i}"), found[i].kind)
            statements, now = self._store(target, part, now or {})
            made += statements
        return made, now

    def _store(self, target: Any, value: Expression, known: Environment) -> Done:
        if not isinstance(target, ast.Name):
            raise Refused("an assignment to anything but a name")
        if value.kind.base == NONE:
            raise Refused(f"{target.id} = None")
        return [_to(f"local_{target.id}", value.node)], {**known, target.id: value.kind}

    def _add_to(self, node: ast.AugAssign, known: Environment) -> Done:
        if not isinstance(node.target, ast.Name):
            raise Refused("an assignment to anything but a name")
        left = ast.copy_location(name_node(node.target.id), node)
        sum_ = ast.copy_location(ast.BinOp(left, node.op, node.value), node)
        return self._store(node.target, self.expressions.of(sum_, known), known)

    def _declare(self, node: ast.AnnAssign, known: Environment) -> Done:
        if node.value is None:
            return [], known
        return self._store(node.target, self.expressions.of(node.value, known), known)

    def _if(self, node: ast.If, known: Environment) -> Done:
        test = self.expressions.truth(node.test, known)
        if isinstance(test, ast.Constant):
            # The other side may be of what an element never is, as after isinstance().
            return self.block(node.body if test.value else node.orelse, known)
        body, after = self.block(node.body, known)
        other, otherwise = self.block(node.orelse, known) if node.orelse else ([], known)
        made = [ast.If(test, body, other)]
        if after is None or otherwise is None:
            return made, after if otherwise is None else otherwise
        return made, _joined(after, otherwise)

    def _for(self, node: ast.For, known: Environment) -> Done:
        ranges: Any = node.iter
        is_range = isinstance(ranges, ast.Call) and not ranges.keywords
        if not is_range or self.expressions.object_of(ranges.func, known) is not range:
            raise Refused("`for` over anything but a range")
        if not isinstance(node.target, ast.Name) or node.orelse:
            raise Refused("`for` with `else`, or with several names")
        parts = [self.expressions.of(each, known) for each in ranges.args]
        if any(each.kind.base != INT for each in parts) or not 1 <= len(parts) <= 3:
            raise Refused("range() of anything but ints")
        entry = self._entry(node, known)
        inside = {**entry, node.target.id: Kind(INT)}
        entry.pop(node.target.id, None)
        body = self._body(node.body, entry, inside)
        target = ast.Name(f"local_{node.target.id}", ast.Store())
        loop = ast.For(target, call("range", *map(as_int, parts)), body, [])
        return [loop], {**entry, node.target.id: Kind(MIXED)}

    def _while(self, node: ast.While, known: Environment) -> Done:
        if node.orelse:
            raise Refused("`while` with `else`")
        entry = self._entry(node, known)
        test = self.expressions.truth(node.test, entry)
        return [ast.While(test, self._body(node.body, entry, entry), [])], entry

    def _entry(self, node: Any, known: Environment) -> Environment:
        """The names as each round of a loop finds them: those it assigns are Python's numbers."""
        entry = dict(known)
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                # What only the loop assigns may not be there after it.
                entry[each.id] = Kind(entry[each.id].base if each.id in entry else MIXED)
                if entry[each.id].base in (TEXT, LIST):
                    raise Refused(f"{each.id}, a text that a loop assigns")
        return entry

    def _body(self, nodes: list[Any], entry: Environment, inside: Environment) -> list[Any]:
        self._loops.append(entry)
        made, after = self.block(nodes, inside)
        if after is not None:
            self._check_round(after)
        self._loops.pop()
        return made

    def _check_round(self, after: Environment) -> None:
        for name, kind in self._loops[-1].items():
            if kind.base not in (MIXED, after[name].base):
                raise Refused(
                    f"{name} is {kind.base} before a loop and {after[name].base} in it: begin with "
                    f"{name} = 0.0"
                )

    def _jump(self, node: Any, known: Environment) -> Done:
        self._check_round(known)
        return [node], None

    def _pass(self, node: ast.Pass, known: Environment) -> Done:
        return [node], known

    def _text(self, node: ast.Expr, known: Environment) -> Done:
        if not isinstance(node.value, ast.Constant):
            raise Refused("an expression whose value is not used")
        return [], known

    def _raise(self, node: ast.Raise, known: Environment) -> Done:
        # The row is computed again by Python, which raises what the function says.
        text = ast.Constant("raised by the function")
        return [ast.Raise(call("ValueError", text), None)], None

    def _assert(self, node: ast.Assert, known: Environment) -> Done:
        failed = ast.UnaryOp(ast.Not(), self.expressions.truth(node.test, known))
        raised, _ = self._raise(ast.Raise(), known)
        return [ast.If(failed, raised, [])], known


def _to(name: str, node: Any) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], node)


def _joined(first: Environment, second: Environment) -> Environment:
    """The names where two paths meet; those that one of them lacks cannot be read."""
    missing = Kind(MIXED)
    return {
        name: first[name]
        if name in first and first[name] is second.get(name)
        else common(first.get(name, missing), second.get(name, missing))
        for name in {**first, **second}
    }


# The methods, which subclasses may have of their own.
_RULES: dict[type, str] = {
    ast.Return: "_return", ast.Assign: "_assign", ast.AugAssign: "_add_to",
    ast.AnnAssign: "_declare", ast.If: "_if", ast.For: "_for", ast.While: "_while",
    ast.Break: "_jump", ast.Continue: "_jump", ast.Pass: "_pass", ast.Expr: "_text",
    ast.Raise: "_raise", ast.Assert: "_assert",
}  # fmt: skip
