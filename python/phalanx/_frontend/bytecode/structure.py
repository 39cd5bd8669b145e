"""Structuring of control flow, as decompilers do: branches, loops, and their exit edges."""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any, NamedTuple

from .errors import NotDecompiled
from .flow import Flow, branch_of
from .values import Element, Iterator_, Machine

_MOST_STATEMENTS = 5000  # ways that are written twice may double again

_KEEPS = {"JUMP_IF_FALSE_OR_POP": False, "JUMP_IF_TRUE_OR_POP": True}  # the truth that it jumps at


class Loop(NamedTuple):
    """A loop that is being written."""

    head: int
    follow: int | None  # where a break goes
    steps: frozenset[int]


class State(NamedTuple):
    """A step, and what is on the stack there."""

    step: int | None
    stack: list[Any]


class Choice(NamedTuple):
    """Where a condition leads."""

    condition: Any
    then: Any  # State or Choice
    otherwise: Any
    step: int | None  # where it begins


def definition_of(code: CodeType) -> ast.FunctionDef:
    """A whole function. Raises `NotDecompiled` where its bytecode cannot be followed."""
    name = code.co_name if code.co_name.isidentifier() else "function"
    node = ast.FunctionDef(name, _parameters(code), _body_of(Flow(code)), [])
    return ast.fix_missing_locations(node)


def _parameters(code: CodeType) -> ast.arguments:
    names = iter(code.co_varnames)
    named = [ast.arg(next(names)) for _ in range(code.co_argcount + code.co_kwonlyargcount)]
    first, last = code.co_posonlyargcount, code.co_argcount
    return ast.arguments(
        posonlyargs=named[:first],
        args=named[first:last],
        vararg=ast.arg(next(names)) if code.co_flags & 0x04 else None,
        kwonlyargs=named[last:],
        kw_defaults=[None] * code.co_kwonlyargcount,
        kwarg=ast.arg(next(names)) if code.co_flags & 0x08 else None,
        defaults=[],
    )


def _body_of(flow: Flow) -> list[ast.stmt]:
    """The statements of a function. Raises `NotDecompiled` where they have no such form."""
    return _Writer(flow).body(State(flow.entry, []), None, None) or [ast.Pass()]


def _function_of(code: CodeType) -> Any:
    """A function in a function: a definition, or a lambda."""
    if code.co_name.startswith("<") and code.co_name != "<lambda>":
        raise NotDecompiled("it has a comprehension")
    made = definition_of(code)
    if code.co_name == "<lambda>":
        return ast.Lambda(made.args, _as_expression(made.body))
    return made


def _as_expression(body: list[ast.stmt]) -> Any:
    first, *rest = body
    if isinstance(first, ast.Return):
        return first.value
    if isinstance(first, ast.If):
        otherwise = _as_expression(first.orelse or rest)
        return ast.IfExp(first.test, _as_expression(first.body), otherwise)
    raise NotDecompiled("a lambda in it has statements")


class _Writer:
    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._loops = flow.loops()
        self._count = 0

    # ---- Statements ----

    def body(
        self, state: State, stop: int | None, loop: Loop | None, enters: bool = False
    ) -> list[ast.stmt]:
        """The statements from a step to `stop`, or to where the function or the loop is left.

        `enters` is set for the head of the loop, which is where it begins.
        """
        written: list[ast.stmt] = []
        step, stack = state
        while step is not None and step != stop:
            if loop is not None and not enters and step in (loop.head, loop.follow):
                written.append(ast.Continue() if step == loop.head else ast.Break())
                break
            if step in self._loops and not enters:
                step, stack = self._loop(step, stack, stop, loop, written)
                continue
            if self._is_outside(step, loop):
                raise NotDecompiled("it leaves two loops at once")
            enters = False
            step, stack = self._straight(step, stack, stop, loop, written)
        self._count += len(written)
        if self._count > _MOST_STATEMENTS:
            raise NotDecompiled("it branches too much")
        return written

    def _is_outside(self, step: int, loop: Loop | None) -> bool:
        """Returns whether the step begins or continues a loop around `loop`: no code says that."""
        return loop is not None and step in self._loops and loop.head in self._loops[step] - {step}

    def _straight(
        self, step: int, stack: list[Any], stop: int | None, loop: Loop | None, written: list[Any]
    ) -> tuple[int | None, list[Any]]:
        """Steps up to the next branch or the next step that means something, and the branch."""
        machine = Machine(list(stack), _function_of)
        while True:
            branch = self._is_branch(step, machine)
            if branch:
                break
            step = self._next(step, machine)  # type: ignore[assignment]
            if step is None or step == stop or step in self._loops or _is_edge(step, loop):
                break
        machine.finish()
        written += machine.statements
        if step is None or not branch:
            return step, machine.stack
        return self._branch(State(step, machine.stack), stop, loop, written)

    def _is_branch(self, step: int, machine: Machine) -> bool:
        """Returns whether a statement branches there; a branch in an expression is part of it."""
        found = self._flow.steps[step]
        if branch_of(found) is None and found.name not in _KEEPS and found.name != "FOR_ITER":
            return False
        join = self._flow.joins[step]
        return found.name == "FOR_ITER" or not self._is_value(join, machine.stack)

    def _is_value(self, join: int | None, stack: list[Any]) -> bool:
        """Returns whether the ways that meet there leave a value on the stack."""
        loops = sum(isinstance(each, Iterator_) for each in stack)
        return join is not None and self._flow.depths[join] > loops

    def _next(self, step: int, machine: Machine) -> int | None:
        found = self._flow.steps[step]
        if branch_of(found) is not None or found.name in _KEEPS:
            join = self._flow.joins[step]
            machine.set(self._value(State(step, machine.stack), join))
            return join
        following = None if found.next is None else self._flow.steps[found.next]
        machine.run(found, following)
        return found.next

    def _branch(
        self, state: State, stop: int | None, loop: Loop | None, written: list[Any]
    ) -> tuple[int | None, list[Any]]:
        join = self._flow.joins[state.step]  # type: ignore[index]
        if join is not None and (join == stop or _is_edge(join, loop)):
            join = None
        choice: Any = _simplified(self._choice(state, stop, loop))
        if join is not None:
            written += self._both(choice, join, loop)
            return join, _between_statements(state.stack)
        while isinstance(choice, Choice):
            condition, then, otherwise, _ = choice
            way = self._way(then, stop, loop)
            if not _ends(way):
                other = self._way(otherwise, stop, loop)
                if _ends(other):
                    written += [*_if(_negated(condition), other, []), *way]
                else:
                    written += _if(condition, way, other)
                return stop, _between_statements(state.stack)
            written.append(ast.If(condition, way, []))
            choice = otherwise
        return choice  # type: ignore[no-any-return]

    def _both(self, choice: Choice, stop: int | None, loop: Loop | None) -> list[ast.stmt]:
        condition, then, otherwise, _ = choice
        return _if(condition, self._way(then, stop, loop), self._way(otherwise, stop, loop))

    def _way(self, way: Any, stop: int | None, loop: Loop | None) -> list[ast.stmt]:
        if isinstance(way, Choice):
            return self._both(way, stop, loop)
        return self.body(way, stop, loop)

    # ---- Conditions ----

    def _choice(self, state: State, stop: int | None, loop: Loop | None) -> Choice:
        """The conditions that are tested one after the other from a branch."""
        step, stack = state
        branch = branch_of(self._flow.steps[step])  # type: ignore[index]
        if branch is None:
            raise NotDecompiled("a condition has no ways")
        kind, then, otherwise = branch
        *below, value = stack
        condition = value if kind == "truth" else _is_none(value)
        first = self._next_condition(State(then, below), stop, loop)
        second = self._next_condition(State(otherwise, below), stop, loop)
        return Choice(condition, first, second, step)

    def _next_condition(self, state: State, stop: int | None, loop: Loop | None) -> Any:
        """What comes next: another condition, or the state in which something else begins.

        In an expression, the ways meet at `stop` with one value more.
        """
        is_value = stop is not None and self._is_value(stop, state.stack)
        base = len(_between_statements(state.stack))
        if stop is not None and is_value:
            base = self._flow.depths[stop] - 1
        step, stack = state
        machine = Machine(list(stack), _function_of)
        while step is not None and not machine.statements:
            if len(machine.stack) == base:
                state = State(step, list(machine.stack))
            if step == stop or step in self._loops or _is_edge(step, loop):
                return state
            found = self._flow.steps[step]
            asks = self._flow.joins[step] == stop if is_value else self._is_branch(step, machine)
            if asks and branch_of(found) is not None:
                machine.finish()
                choice = self._choice(State(step, machine.stack), stop, loop)
                return choice._replace(step=state.step)
            if asks and (found.name == "FOR_ITER" or found.name in _KEEPS):
                return state
            step = self._next(step, machine)
        return state

    # ---- Expressions ----

    def _value(self, state: State, join: int | None) -> list[Any]:
        """The stack at `join`, with the value that the ways to it leave there."""
        step, stack = state
        machine = Machine(list(stack), _function_of)
        while step != join:
            if step is None or machine.statements or step in self._loops:
                raise NotDecompiled("a statement is in an expression")
            found = self._flow.steps[step]
            if branch_of(found) is None and found.name not in _KEEPS:
                step = self._next(step, machine)
                continue
            inner = self._flow.joins[step]
            machine.stack = self._either(step, machine.stack, inner)
            step = inner
        return machine.stack

    def _either(self, step: int, stack: list[Any], join: int | None) -> list[Any]:
        found = self._flow.steps[step]
        value, below = stack[-1], stack[:-1]
        if found.name in _KEEPS:
            rest = self._value(State(found.next, below), join)
            kept = self._value(State(found.target, stack), join)
            if kept[-1] is not value:
                raise NotDecompiled("a value is lost")
            made = _joined(ast.Or() if _KEEPS[found.name] else ast.And(), value, rest[-1])
            return [*kept[:-1], made]
        choice = _simplified(self._choice(State(step, stack), join, None))
        return [*stack[: self._flow.depths[join] - 1], self._chosen(choice, join)]  # type: ignore[index]

    def _chosen(self, way: Any, join: int | None) -> Any:
        if isinstance(way, State):
            return self._value(way, join)[-1]
        then, otherwise = self._chosen(way.then, join), self._chosen(way.otherwise, join)
        return ast.IfExp(way.condition, then, otherwise)

    # ---- Loops ----

    def _loop(
        self,
        head: int,
        stack: list[Any],
        stop: int | None,
        around: Loop | None,
        written: list[ast.stmt],
    ) -> tuple[int | None, list[Any]]:
        if self._is_outside(head, around):
            raise NotDecompiled("it leaves two loops at once")
        steps = self._loops[head]
        found = self._flow.steps[head]
        is_for = found.name == "FOR_ITER"
        own = self._way_out(found.target) if is_for and found.target is not None else None
        follow = self._follow(head, own)
        loop = Loop(head, follow, steps)
        if not is_for:
            body = self.body(State(head, stack), None, loop, enters=True)
            _drop_continue(body)
            written.append(ast.While(ast.Constant(True), body or [ast.Pass()], []))
            return follow, stack
        below = stack[:-1]
        body = self.body(State(found.next, [*stack, Element()]), head, loop)
        target, body = _loop_target(body)
        otherwise: list[ast.stmt] = []
        if own != follow:
            otherwise = self.body(State(found.target, below), follow, around)
        made = ast.For(target, stack[-1].iterable, body or [ast.Pass()], otherwise)
        written.append(made)
        return (follow, below) if follow is not None else (None, below)

    def _way_out(self, step: int) -> int:
        """Where an exit edge of a loop leads, after it has dropped what the loop went over."""
        found = self._flow.steps[step]
        while found.name == "POP_TOP" and found.next is not None:
            step = found.next
            found = self._flow.steps[step]
        return step

    def _follow(self, head: int, own: int | None) -> int | None:
        """Where a break goes: the exit that most exit edges come to.

        `own` is where a for loop goes on after its last element. Exit edges that keep what it goes
        over on the stack return from the function.
        """
        steps = self._loops[head]
        exits = {
            self._way_out(after)
            for step in steps
            for after in self._flow.after(step)
            if after not in steps and (own is None or self._drops(after))
        }
        if own is not None:
            exits.add(own)

        def worth(each: int) -> tuple[int, bool, int]:
            reached = sum(self._comes_to(other, each, head) for other in exits if other != each)
            return reached, each != own, each

        return max(exits, key=worth, default=None)

    def _drops(self, step: int) -> bool:
        return self._flow.steps[step].name == "POP_TOP"

    def _comes_to(self, step: int, wanted: int, head: int) -> bool:
        """Returns whether a way leads from one step to the other, outside of the loop."""
        seen = {head}
        pending = [step]
        while pending:
            each = pending.pop()
            if each == wanted:
                return True
            if each not in seen:
                seen.add(each)
                pending += self._flow.after(each)
        return False


def _is_edge(step: int, loop: Loop | None) -> bool:
    return loop is not None and step in (loop.head, loop.follow)


def _between_statements(stack: list[Any]) -> list[Any]:
    """What stays on the stack between statements: what the loops around go over."""
    return [each for each in stack if isinstance(each, Iterator_)]


def _if(condition: Any, then: list[ast.stmt], otherwise: list[ast.stmt]) -> list[ast.stmt]:
    if not then and not otherwise:
        return [ast.If(condition, [ast.Pass()], [])]
    if not then:
        return [ast.If(_negated(condition), otherwise, [])]
    return [ast.If(condition, then, otherwise)]


def _ends(body: list[ast.stmt]) -> bool:
    """Returns whether control never comes out below."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _ends(last.body) and _ends(last.orelse)
    return isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue)


def _drop_continue(body: list[ast.stmt]) -> None:
    if body and isinstance(body[-1], ast.Continue):
        body.pop()


def _loop_target(body: list[ast.stmt]) -> tuple[Any, list[ast.stmt]]:
    first = body[0] if body else None
    if not isinstance(first, ast.Assign) or not isinstance(first.value, Element):
        raise NotDecompiled("a for loop has no target")
    return first.targets[0], body[1:]


def _negated(condition: Any) -> Any:
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        return condition.operand
    return ast.UnaryOp(ast.Not(), condition)


def _simplified(way: Any) -> Any:
    """Conditions with a common way become one, the outermost first."""
    if not isinstance(way, Choice):
        return way
    merged = _merged(way)
    if merged is not None:
        return _simplified(merged)
    inner = way._replace(then=_simplified(way.then), otherwise=_simplified(way.otherwise))
    merged = _merged(inner)
    return inner if merged is None else _simplified(merged)


def _merged(choice: Choice) -> Choice | None:
    condition, then, otherwise, step = choice
    if isinstance(then, Choice):
        if then.otherwise.step == otherwise.step:
            both = _joined(ast.And(), condition, then.condition)
            return Choice(both, then.then, otherwise, step)
        if then.then.step == otherwise.step:
            either = _joined(ast.Or(), _negated(condition), then.condition)
            return Choice(either, otherwise, then.otherwise, step)
    if isinstance(otherwise, Choice):
        if otherwise.then.step == then.step:
            either = _joined(ast.Or(), condition, otherwise.condition)
            return Choice(either, then, otherwise.otherwise, step)
        if otherwise.otherwise.step == then.step:
            both = _joined(ast.And(), _negated(condition), otherwise.condition)
            return Choice(both, otherwise.then, then, step)
    return None


def _is_none(value: Any) -> ast.Compare:
    return ast.Compare(value, [ast.Is()], [ast.Constant(None)])


def _joined(operator: ast.boolop, left: Any, right: Any) -> Any:
    """``left and right``; ``a < b and b < c`` with one b is a chain."""
    if (
        isinstance(operator, ast.And)
        and isinstance(left, ast.Compare)
        and isinstance(right, ast.Compare)
        and left.comparators[-1] is right.left
    ):
        ops, comparators = left.ops + right.ops, left.comparators + right.comparators
        return ast.Compare(left.left, ops, comparators)
    values = [left]
    if isinstance(left, ast.BoolOp) and type(left.op) is type(operator):
        values = list(left.values)
    if isinstance(right, ast.BoolOp) and type(right.op) is type(operator):
        return ast.BoolOp(operator, [*values, *right.values])
    return ast.BoolOp(operator, [*values, right])
