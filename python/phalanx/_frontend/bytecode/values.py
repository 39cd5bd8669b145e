"""Symbolic execution of steps without a branch: the stack, and the statements that they make."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from types import CodeType
from typing import Any

from .errors import NotDecompiled
from .flow import Step

_BINARY = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
    "//": ast.FloorDiv,
    "%": ast.Mod,
    "**": ast.Pow,
    "@": ast.MatMult,
    "<<": ast.LShift,
    ">>": ast.RShift,
    "|": ast.BitOr,
    "^": ast.BitXor,
    "&": ast.BitAnd,
}
_OPERATORS = ("+", "&", "//", "<<", "@", "*", "%", "|", "**", ">>", "-", "/", "^")  # of BINARY_OP
_UNARY = {
    "UNARY_POSITIVE": ast.UAdd,
    "UNARY_NEGATIVE": ast.USub,
    "UNARY_INVERT": ast.Invert,
    "UNARY_NOT": ast.Not,
}
_COMPARE = {
    "==": ast.Eq,
    "!=": ast.NotEq,
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
}
_numbers = itertools.count()  # in the order in which values are computed
_LOADS = frozenset(("LOAD_FAST", "LOAD_DEREF", "LOAD_NAME"))
_STORES = frozenset(("STORE_FAST", "STORE_DEREF"))


class Iterator_(ast.expr):
    """What a for loop goes over, on the stack."""

    def __init__(self, iterable: Any) -> None:
        super().__init__()
        self.iterable = iterable


class Element(ast.expr):
    """What a for loop hands to its target."""


class Failure(ast.expr):
    """What assert raises."""


class Null(ast.expr):
    """What is on the stack below a function that is called."""


class Names(ast.expr):
    """The names of the last arguments of the next call."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self.names = names


class Unpacked(ast.expr):
    """One of the values that UNPACK_SEQUENCE made."""

    def __init__(self, group: Unpacking, index: int) -> None:
        super().__init__()
        self.group = group
        self.index = index


class Unpacking:
    """A value taken apart: its targets, as they are met."""

    def __init__(self, value: Any, count: int, starred: int | None) -> None:
        self.value = value
        self.targets: list[Any] = [None] * count
        self.starred = starred

    def target(self) -> ast.Tuple:
        """All of them. Raises `NotDecompiled` while one is missing."""
        if None in self.targets:
            raise NotDecompiled("a tuple is taken apart in a way that is not known")
        targets = list(self.targets)
        if self.starred is not None:
            targets[self.starred] = ast.Starred(targets[self.starred], ast.Store())
        return ast.Tuple(targets, ast.Store())


class Machine:
    """Runs steps on a stack of expressions; `statements` is what they do.

    `function_of` reads the code of a function in the function.
    """

    def __init__(self, stack: list[Any], function_of: Callable[[CodeType], Any]) -> None:
        self._function_of = function_of
        self.stack = stack
        self.statements: list[ast.stmt] = []
        self._pending: list[tuple[Any, Any]] = []  # targets and values of one assignment

    def run(self, step: Step, following: Step | None) -> None:
        """One step. Raises `NotDecompiled` for what functions to compile do not have."""
        name = step.name
        if name in _LOADS:
            self.stack.append(ast.Name(step.value, ast.Load()))
        elif name in _STORES:
            self._store(ast.Name(step.value, ast.Store()), following)
        elif name in _UNARY:
            self.stack.append(ast.UnaryOp(_UNARY[name](), self._pop()))
        else:
            handler = getattr(self, f"_{name.lower()}", None)
            if handler is None:
                raise NotDecompiled(f"it has the instruction {name}")
            handler(step, following)
        if self.stack and isinstance(self.stack[-1], ast.expr):
            self._number(self.stack[-1])

    def _number(self, node: Any) -> None:
        """In the order in which values are computed."""
        if not hasattr(node, "number"):
            node.number = next(_numbers)

    def set(self, stack: list[Any]) -> None:
        """The stack after a branch in an expression, whose value is on top."""
        self.stack = stack
        self._number(stack[-1])

    def finish(self) -> None:
        """No assignment is half done. Raises `NotDecompiled` where one is."""
        if self._pending:
            raise NotDecompiled("an assignment goes over a branch")

    def _pop(self) -> Any:
        return self.stack.pop()

    def _pops(self, count: int) -> list[Any]:
        taken = self.stack[len(self.stack) - count :]
        if len(taken) != count:
            raise NotDecompiled("its stack is empty")
        del self.stack[len(self.stack) - count :]
        return taken

    # ---- Values ----

    def _push_null(self, _step: Step, _after: Any) -> None:
        self.stack.append(Null())

    def _load_const(self, step: Step, _after: Any) -> None:
        self.stack.append(step.value if isinstance(step.value, CodeType) else _constant(step.value))

    def _load_global(self, step: Step, _after: Any) -> None:
        if step.arg & 1:
            self.stack.append(Null())
        self.stack.append(ast.Name(step.value, ast.Load()))

    def _load_closure(self, step: Step, _after: Any) -> None:
        self.stack.append(ast.Name(step.value, ast.Load()))

    def _load_assertion_error(self, _step: Step, _after: Any) -> None:
        self.stack.append(Failure())

    def _load_attr(self, step: Step, _after: Any) -> None:
        self.stack.append(ast.Attribute(self._pop(), step.value, ast.Load()))

    def _load_method(self, step: Step, _after: Any) -> None:
        owner = self._pop()
        self.stack += [Null(), ast.Attribute(owner, step.value, ast.Load())]

    def _copy(self, step: Step, _after: Any) -> None:
        value = self.stack[-step.arg]
        value.is_copied = True
        self.stack.append(value)

    def _swap(self, step: Step, _after: Any) -> None:
        self.stack[-1], self.stack[-step.arg] = self.stack[-step.arg], self.stack[-1]

    def _binary_op(self, step: Step, _after: Any) -> None:
        left, right = self._pops(2)
        made = ast.BinOp(left, _BINARY[_OPERATORS[step.arg % 13]](), right)
        made.is_in_place = step.arg >= 13  # type: ignore[attr-defined]
        self.stack.append(made)

    def _binary_subscr(self, _step: Step, _after: Any) -> None:
        owner, index = self._pops(2)
        self.stack.append(ast.Subscript(owner, index, ast.Load()))

    def _compare_op(self, step: Step, _after: Any) -> None:
        self._compare(_COMPARE[step.value]())

    def _is_op(self, step: Step, _after: Any) -> None:
        self._compare(ast.IsNot() if step.arg else ast.Is())

    def _contains_op(self, step: Step, _after: Any) -> None:
        self._compare(ast.NotIn() if step.arg else ast.In())

    def _compare(self, operator: ast.cmpop) -> None:
        left, right = self._pops(2)
        self.stack.append(ast.Compare(left, [operator], [right]))

    def _build_tuple(self, step: Step, _after: Any) -> None:
        self.stack.append(ast.Tuple(self._pops(step.arg), ast.Load()))

    def _build_list(self, step: Step, _after: Any) -> None:
        self.stack.append(ast.List(self._pops(step.arg), ast.Load()))

    def _list_extend(self, step: Step, _after: Any) -> None:
        more = self._pop()
        owner = self.stack[-step.arg]
        if isinstance(more, ast.Constant):
            values: Any = more.value
            owner.elts += [_constant(each) for each in values]
        else:
            owner.elts.append(ast.Starred(more, ast.Load()))

    def _list_append(self, step: Step, _after: Any) -> None:
        more = self._pop()
        self.stack[-step.arg].elts.append(more)

    def _list_to_tuple(self, _step: Step, _after: Any) -> None:
        made = ast.Tuple(self._pop().elts, ast.Load())
        made.is_arguments = True  # type: ignore[attr-defined]
        self.stack.append(made)

    def _build_slice(self, step: Step, _after: Any) -> None:
        parts = [None if _is_none(each) else each for each in self._pops(step.arg)]
        self.stack.append(ast.Slice(*parts))

    def _get_iter(self, _step: Step, _after: Any) -> None:
        self.stack.append(Iterator_(self._pop()))

    # ---- Calls and functions ----

    def _kw_names(self, step: Step, _after: Any) -> None:
        self.stack.append(Names(self._names_of(step)))

    def _names_of(self, step: Step) -> tuple[str, ...]:
        if not isinstance(step.value, tuple):
            raise NotDecompiled("a call has names that are no names")
        return step.value

    def _call_kw(self, step: Step, after: Any) -> None:
        names = self._pop()
        if not isinstance(names, ast.Tuple):
            raise NotDecompiled("a call has names that are no names")
        self.stack.append(Names(tuple(each.value for each in names.elts)))  # type: ignore[attr-defined]
        self._call(step, after)

    def _call(self, step: Step, _after: Any) -> None:
        names: tuple[str, ...] = ()
        if self.stack and isinstance(self.stack[-1], Names):
            names = self._pop().names
        values = self._pops(step.arg)
        if step.arg == 0 and len(self.stack) > 1 and isinstance(self.stack[-2], Failure):
            failure, message = self._pops(2)
            failure.message = message
            self.stack.append(failure)
            return
        callee, first = self._callee()
        values = [*first, *values]
        count = len(values) - len(names)
        keywords = [ast.keyword(*each) for each in zip(names, values[count:], strict=True)]
        self.stack.append(ast.Call(callee, values[:count], keywords))

    def _callee(self) -> tuple[Any, list[Any]]:
        """What is called, and an object that its method takes first: the NULL is on either side."""
        first, second = self._pops(2)
        if isinstance(first, Null):
            return second, []
        return first, [] if isinstance(second, Null) else [second]

    def _call_function_ex(self, step: Step, _after: Any) -> None:
        if step.arg & 1:
            raise NotDecompiled("it calls with **")
        values = self._pop()
        callee, first = self._callee()
        if first:
            raise NotDecompiled("it calls in a way that is not known")
        exact = getattr(values, "is_arguments", False)
        arguments = values.elts if exact else [ast.Starred(values, ast.Load())]
        self.stack.append(ast.Call(callee, arguments, []))

    def _pop_names(self, _step: Step, _after: Any) -> None:
        if not isinstance(self._pop(), Null):
            raise NotDecompiled("it calls with **")

    def _make_function(self, step: Step, _after: Any) -> None:
        code = self._pop()
        parts = {flag: self._pop() for flag in (8, 4, 2, 1) if step.arg & flag}
        self.stack.append(self._function_of(code))
        for flag, value in parts.items():
            self._complete(flag, value)

    def _set_function_attribute(self, step: Step, _after: Any) -> None:
        value, function = self._pops(2)
        self.stack.append(function)
        self._complete(step.arg, value)

    def _complete(self, flag: int, value: Any) -> None:
        """Gives the function on the stack its defaults; the closure's names are in its code."""
        if flag == 1:
            self.stack[-1].args.defaults = list(value.elts)
        elif flag != 8:
            raise NotDecompiled("a function in it has annotations or keyword-only defaults")

    # ---- Statements ----

    def _store(self, target: Any, following: Step | None) -> None:
        value = self._pop()
        while isinstance(value, Unpacked):
            group = value.group
            group.targets[value.index] = target
            if None in group.targets:
                return
            target, value = group.target(), group.value
        self._assign(target, value, following)

    def _assign(self, target: Any, value: Any, following: Step | None) -> None:
        if isinstance(value, ast.FunctionDef):
            value.name = target.id
            self._add(value)
            return
        is_last = following is None or not following.name.startswith(("STORE_", "UNPACK_"))
        is_kept = bool(self.stack) and self.stack[-1] is value and _is_copied(value)
        if is_kept and is_last and not self._pending:
            self.stack[-1] = ast.NamedExpr(target, value)
            return
        self._pending.append((target, value))
        is_drained = all(isinstance(each, Iterator_) for each in self.stack)
        if not is_kept and is_drained:
            self._add_assignment()

    def _add_assignment(self) -> None:
        targets, values = zip(*self._pending, strict=True)
        self._pending = []
        if all(value is values[0] for value in values):
            self._add(_augmented(targets, values[0]) or ast.Assign(list(targets), values[0]))
            return
        pairs = sorted(zip(targets, values, strict=True), key=lambda pair: _order(pair[1]))
        left = ast.Tuple([target for target, _ in pairs], ast.Store())
        right = ast.Tuple([value for _, value in pairs], ast.Load())
        self._add(ast.Assign([left], right))

    def _add(self, statement: ast.stmt) -> None:
        if any(not isinstance(each, Iterator_) for each in self.stack):
            raise NotDecompiled("a statement is in an expression")
        self.statements.append(statement)

    def _unpack_sequence(self, step: Step, _after: Any) -> None:
        self._unpack(step.arg, None)

    def _unpack_ex(self, step: Step, _after: Any) -> None:
        self._unpack((step.arg & 0xFF) + 1 + (step.arg >> 8), step.arg & 0xFF)

    def _unpack(self, count: int, starred: int | None) -> None:
        value = self._pop()
        group = Unpacking(value, count, starred)
        self.stack += [Unpacked(group, i) for i in reversed(range(count))]

    def _store_subscr(self, _step: Step, following: Step | None) -> None:
        value, owner, index = self._pops(3)
        self.stack.append(value)
        self._store(ast.Subscript(owner, index, ast.Store()), following)

    def _store_attr(self, step: Step, following: Step | None) -> None:
        value, owner = self._pops(2)
        self.stack.append(value)
        self._store(ast.Attribute(owner, step.value, ast.Store()), following)

    def _delete_fast(self, step: Step, _after: Any) -> None:
        self._add(ast.Delete([ast.Name(step.value, ast.Del())]))

    def _pop_top(self, _step: Step, following: Step | None) -> None:
        value = self._pop()
        if isinstance(value, Iterator_ | Unpacked) or _is_copied(value):
            return
        if self._pending:  # of `a, a = 1, 2` the first is not stored, from Python 3.13 on
            self.stack.append(value)
            self._store(self._pending[-1][0], following)
        else:
            self._add(ast.Expr(value))

    def _raise_varargs(self, step: Step, _after: Any) -> None:
        parts = self._pops(step.arg)
        if parts and isinstance(parts[0], Failure):
            message = getattr(parts[0], "message", None)
            self._add(ast.Assert(ast.Constant(False), message))
        else:
            self._add(ast.Raise(*parts))

    def _return_value(self, _step: Step, _after: Any) -> None:
        self._add(ast.Return(self._pop()))


def _constant(value: Any) -> Any:
    if isinstance(value, tuple):  # as a tuple that is not folded is written
        return ast.Tuple([_constant(each) for each in value], ast.Load())
    if isinstance(value, frozenset):
        return ast.Set([_constant(each) for each in value])
    if isinstance(value, int | float) and not isinstance(value, bool) and str(value)[0] == "-":
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    if isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
        return ast.Slice(*(None if each is None else _constant(each) for each in parts))
    return ast.Constant(value)


def _is_copied(node: Any) -> bool:
    return bool(getattr(node, "is_copied", False))


def _is_none(node: Any) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _order(value: Any) -> int:
    return int(getattr(value, "number", 0))


def _augmented(targets: tuple[Any, ...], value: Any) -> ast.stmt | None:
    """``target += value``, where the value is the target's with an in-place operator."""
    if len(targets) != 1 or not getattr(value, "is_in_place", False):
        return None
    target, left = targets[0], value.left
    if isinstance(target, ast.Name):
        is_same = isinstance(left, ast.Name) and left.id == target.id
    else:
        is_same = type(left) is type(target) and left.value is target.value
        if isinstance(target, ast.Subscript):
            is_same = is_same and _is_same_index(left.slice, target.slice)
    return ast.AugAssign(target, value.op, value.right) if is_same else None


def _is_same_index(left: Any, right: Any) -> bool:
    """Returns whether both are one value, or slices of the same ones."""
    if not isinstance(left, ast.Slice) or not isinstance(right, ast.Slice):
        return left is right
    return all(getattr(left, each) is getattr(right, each) for each in left._fields)
