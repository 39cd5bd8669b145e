"""The instructions of every version of Python, in the words of one.

What the versions have in common keeps its name, that of Python 3.11. What is different in a later
version is a row of `_ROWS`, which says the same in those words.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, NamedTuple

from .errors import NotDecompiled

FIRST_VERSION, LAST_VERSION = (3, 11), (3, 14)  # whose instructions are known


class Instruction(NamedTuple):
    """An instruction; `target` is the number of the one that it jumps to."""

    name: str
    arg: int
    value: Any = None
    target: int | None = None


_Raw = dis.Instruction
_Rule = Callable[[list[_Raw], int], Iterator[Instruction]]


def instructions_of(code: CodeType) -> list[Instruction]:
    """The instructions of a function, each where `target` of others says.

    Raises `NotDecompiled` where the version of Python is not known.
    """
    if not FIRST_VERSION <= sys.version_info[:2] <= LAST_VERSION:
        version = ".".join(map(str, sys.version_info[:2]))
        raise NotDecompiled(f"the bytecode of Python {version} is not known")
    raw = [each for each in dis.get_instructions(code) if each.opname != "CACHE"]
    found: list[Instruction] = []
    begins = [0] * len(raw)
    for number in range(len(raw)):
        begins[number] = len(found)
        found += _RULES.get(raw[number].opname, _as_it_is)(raw, number)
    numbers = {each.offset: begin for each, begin in zip(raw, begins, strict=True)}
    return [
        each if each.target is None else each._replace(target=numbers[each.target])
        for each in found
    ]


def _as_it_is(raw: list[_Raw], number: int) -> Iterator[Instruction]:
    each = raw[number]
    is_jump = each.opcode in dis.hasjrel or each.opcode in dis.hasjabs
    yield Instruction(each.opname, each.arg or 0, each.argval, each.argval if is_jump else None)


# ---- Rules ----


def _nothing(_raw: list[_Raw], _number: int) -> Iterator[Instruction]:
    return iter(())


def _named(name: str) -> _Rule:
    def rule(raw: list[_Raw], number: int) -> Iterator[Instruction]:
        (each,) = _as_it_is(raw, number)
        yield each._replace(name=name)

    return rule


def _both(*names: str) -> _Rule:
    """Two in one, whose value is a pair."""

    def rule(raw: list[_Raw], number: int) -> Iterator[Instruction]:
        slots = divmod(raw[number].arg or 0, 16)
        for name, slot, value in zip(names, slots, raw[number].argval, strict=True):
            yield Instruction(name, slot, value)

    return rule


def _after_slice(name: str) -> _Rule:
    def rule(_raw: list[_Raw], _number: int) -> Iterator[Instruction]:
        yield Instruction("BUILD_SLICE", 2)
        yield Instruction(name, 0)

    return rule


def _skip_to(count: int) -> _Rule:
    """What a for loop ends with, which drops what it goes over: here FOR_ITER does."""

    def rule(raw: list[_Raw], number: int) -> Iterator[Instruction]:
        yield Instruction("JUMP_FORWARD", 0, None, raw[number + count].offset)

    return rule


def _return_constant(raw: list[_Raw], number: int) -> Iterator[Instruction]:
    (each,) = _as_it_is(raw, number)
    yield each._replace(name="LOAD_CONST")
    yield Instruction("RETURN_VALUE", 0)


def _attribute(raw: list[_Raw], number: int) -> Iterator[Instruction]:
    each = raw[number]
    yield Instruction("LOAD_METHOD" if (each.arg or 0) & 1 else "LOAD_ATTR", 0, each.argval)


def _copy(raw: list[_Raw], number: int) -> Iterator[Instruction]:
    """`a and b` and `a or b` copy what is tested, and drop it where they go on.

    The instructions after it are kept, for those that jump to them.
    """
    following = [
        each for each in raw[number + 1 : number + 5] if each.opname not in ("TO_BOOL", "NOT_TAKEN")
    ]
    kept = {
        "POP_JUMP_IF_FALSE": "JUMP_IF_FALSE_OR_POP",
        "POP_JUMP_IF_TRUE": "JUMP_IF_TRUE_OR_POP",
    }
    if raw[number].arg == 1 and [each.opname for each in following[1:2]] == ["POP_TOP"]:
        tested, dropped = following[:2]
        if tested.opname in kept:
            yield Instruction(kept[tested.opname], 0, tested.argval, tested.argval)
            yield Instruction("JUMP_FORWARD", 0, None, raw[raw.index(dropped) + 1].offset)
    yield from _as_it_is(raw, number)


_INTRINSICS = {5: "UNARY_POSITIVE", 6: "LIST_TO_TUPLE"}


def _intrinsic(raw: list[_Raw], number: int) -> Iterator[Instruction]:
    each = raw[number]
    yield Instruction(_INTRINSICS.get(each.arg or 0, each.opname), 0)


def _binary(raw: list[_Raw], number: int) -> Iterator[Instruction]:
    (each,) = _as_it_is(raw, number)
    yield each._replace(name="BINARY_SUBSCR") if raw[number].argrepr == "[]" else each


def _common_constant(raw: list[_Raw], number: int) -> Iterator[Instruction]:
    is_known = raw[number].argrepr == "AssertionError"
    yield Instruction("LOAD_ASSERTION_ERROR" if is_known else raw[number].opname, 0)


def _call_of_all(_raw: list[_Raw], _number: int) -> Iterator[Instruction]:
    yield Instruction("POP_NAMES", 0)
    yield Instruction("CALL_FUNCTION_EX", 0)


# The first version that has it, its name, and what it is in the words of Python 3.11.
_ROWS: tuple[tuple[tuple[int, int], str, _Rule], ...] = (
    ((3, 11), "PRECALL", _nothing),
    ((3, 11), "RESUME", _nothing),
    ((3, 11), "NOP", _nothing),
    ((3, 11), "EXTENDED_ARG", _nothing),
    ((3, 11), "COPY_FREE_VARS", _nothing),
    ((3, 11), "MAKE_CELL", _nothing),
    ((3, 11), "LOAD_CLASSDEREF", _named("LOAD_DEREF")),
    *(
        ((3, 11), f"POP_JUMP_{way}_IF_{tested}", _named(f"POP_JUMP_IF_{tested}"))
        for way in ("FORWARD", "BACKWARD")
        for tested in ("TRUE", "FALSE", "NONE", "NOT_NONE")
    ),
    ((3, 11), "JUMP_BACKWARD", _named("JUMP_FORWARD")),
    ((3, 11), "JUMP_BACKWARD_NO_INTERRUPT", _named("JUMP_FORWARD")),
    ((3, 12), "LOAD_FAST_CHECK", _named("LOAD_FAST")),
    ((3, 12), "LOAD_ATTR", _attribute),
    ((3, 12), "RETURN_CONST", _return_constant),
    ((3, 12), "BINARY_SLICE", _after_slice("BINARY_SUBSCR")),
    ((3, 12), "STORE_SLICE", _after_slice("STORE_SUBSCR")),
    ((3, 12), "CALL_INTRINSIC_1", _intrinsic),
    ((3, 12), "COPY", _copy),
    ((3, 12), "END_FOR", _skip_to(1)),
    ((3, 13), "END_FOR", _skip_to(2)),
    ((3, 13), "TO_BOOL", _nothing),
    ((3, 13), "LOAD_FAST_LOAD_FAST", _both("LOAD_FAST", "LOAD_FAST")),
    ((3, 13), "STORE_FAST_STORE_FAST", _both("STORE_FAST", "STORE_FAST")),
    ((3, 13), "STORE_FAST_LOAD_FAST", _both("STORE_FAST", "LOAD_FAST")),
    ((3, 14), "NOT_TAKEN", _nothing),
    ((3, 14), "POP_ITER", _named("POP_TOP")),
    ((3, 14), "LOAD_SMALL_INT", _named("LOAD_CONST")),
    ((3, 14), "LOAD_COMMON_CONSTANT", _common_constant),
    ((3, 14), "LOAD_FAST_BORROW", _named("LOAD_FAST")),
    ((3, 14), "LOAD_FAST_BORROW_LOAD_FAST_BORROW", _both("LOAD_FAST", "LOAD_FAST")),
    ((3, 14), "BINARY_OP", _binary),
    ((3, 14), "CALL_FUNCTION_EX", _call_of_all),
)
_RULES = {name: rule for since, name, rule in _ROWS if since <= sys.version_info[:2]}


# ---- What an instruction does to the number of values on the stack ----

_EFFECTS: dict[str, int | Callable[[int], int]] = {
    **dict.fromkeys(("LOAD_FAST", "LOAD_DEREF", "LOAD_NAME", "LOAD_CLOSURE"), 1),
    **dict.fromkeys(("LOAD_CONST", "LOAD_ASSERTION_ERROR", "LOAD_METHOD", "PUSH_NULL"), 1),
    **dict.fromkeys(("COPY", "FOR_ITER"), 1),
    **dict.fromkeys(("STORE_FAST", "STORE_DEREF", "POP_TOP", "RETURN_VALUE"), -1),
    **dict.fromkeys(("BINARY_OP", "BINARY_SUBSCR", "COMPARE_OP", "IS_OP", "CONTAINS_OP"), -1),
    **dict.fromkeys(("LIST_EXTEND", "LIST_APPEND", "SET_FUNCTION_ATTRIBUTE", "POP_NAMES"), -1),
    **dict.fromkeys(("POP_JUMP_IF_TRUE", "POP_JUMP_IF_FALSE"), -1),
    **dict.fromkeys(("POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE"), -1),
    **dict.fromkeys(("JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"), -1),
    **dict.fromkeys(("UNARY_POSITIVE", "UNARY_NEGATIVE", "UNARY_INVERT", "UNARY_NOT"), 0),
    **dict.fromkeys(("LOAD_ATTR", "SWAP", "GET_ITER", "LIST_TO_TUPLE", "KW_NAMES"), 0),
    **dict.fromkeys(("DELETE_FAST", "JUMP_FORWARD"), 0),
    **dict.fromkeys(("BUILD_TUPLE", "BUILD_LIST", "BUILD_SLICE"), lambda arg: 1 - arg),
    "LOAD_GLOBAL": lambda arg: 1 + (arg & 1),
    "STORE_ATTR": -2,
    "STORE_SUBSCR": -3,
    "UNPACK_SEQUENCE": lambda arg: arg - 1,
    "UNPACK_EX": lambda arg: (arg & 0xFF) + (arg >> 8),
    "CALL": lambda arg: -1 - arg,
    "CALL_KW": lambda arg: -2 - arg,
    "CALL_FUNCTION_EX": lambda arg: -2 - (arg & 1),
    "MAKE_FUNCTION": lambda arg: -arg.bit_count(),
    "RAISE_VARARGS": lambda arg: -arg,
}
_EFFECTS_OF_JUMPS = {"FOR_ITER": -1, "JUMP_IF_TRUE_OR_POP": 0, "JUMP_IF_FALSE_OR_POP": 0}


def stack_effect(name: str, arg: int, jumps: bool) -> int:
    """By how much the stack grows. Raises `NotDecompiled` for what is not known."""
    effect = _EFFECTS.get(name)
    if jumps and name in _EFFECTS_OF_JUMPS:
        effect = _EFFECTS_OF_JUMPS[name]
    if effect is None:
        raise NotDecompiled(f"it has the instruction {name}")
    return effect if isinstance(effect, int) else effect(arg)
