"""The control-flow graph of a function's instructions."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple

from .errors import NotDecompiled
from .instructions import instructions_of, stack_effect

_ENDS = frozenset(("RETURN_VALUE", "RAISE_VARARGS", "RERAISE"))


class Step(NamedTuple):
    """An instruction that does something; jumps are what `next` says."""

    name: str
    arg: int
    value: Any
    target: int | None  # where it jumps to
    next: int | None  # what runs else; None after a return


class Slot(NamedTuple):
    """A value on the stack."""

    step: int  # that put it there
    is_iterator: bool  # what a for loop goes over


class Flow:
    """Steps by number; jumps alone, and what does nothing, are left out.

    Raises `NotDecompiled` for code with exception handlers.
    """

    def __init__(self, code: CodeType) -> None:
        self._instructions = instructions_of(code)
        if any(each.name == "LOAD_FAST_AND_CLEAR" for each in self._instructions):
            raise NotDecompiled("it has a comprehension")
        if code.co_exceptiontable:
            raise NotDecompiled("it has try or with")
        self.code = code
        self.steps: dict[int, Step] = {}
        self.entry = self._after_jumps(0)
        pending = [self.entry]
        while pending:
            number = pending.pop()
            if number not in self.steps:
                self.steps[number] = self._step(number)
                pending += self.after(number)
        stacks = self._stacks()
        self.depths = {number: len(stack) for number, stack in stacks.items()}
        self._contexts = {number: _context(stack) for number, stack in stacks.items()}
        self._merge_equal()
        self.joins = self._joins()

    def after(self, number: int) -> list[int]:
        """The steps that may follow."""
        step = self.steps[number]
        return [each for each in (step.next, step.target) if each is not None]

    def _step(self, number: int) -> Step:
        name, arg, value, target = self._instructions[number]
        if target is not None:
            target = self._after_jumps(target)
        after = None if name in _ENDS else self._after_jumps(number + 1)
        return Step(
            name, arg, self.code.co_consts[arg] if name == "KW_NAMES" else value, target, after
        )

    def _after_jumps(self, number: int) -> int:
        """The step itself, or the first one after it that does something."""
        seen = set()
        while number not in seen:
            seen.add(number)
            name, _, _, target = self._instructions[number]
            if name != "JUMP_FORWARD" or target is None:
                return number
            number = target
        return number  # an endless loop of nothing: its first instruction

    def _merge_equal(self) -> None:
        """Steps that do the same from there on become one.

        CPython writes the test of a while loop twice, and short ways to a return again and again.
        These begin a statement, or go on with an expression that began before the ways parted.
        """
        kinds = {number: self._kind(number) for number in self.steps}
        count = 0
        while len(set(kinds.values())) != count:
            count = len(set(kinds.values()))
            numbers = {kind: i for i, kind in enumerate(dict.fromkeys(kinds.values()))}
            classes = {number: numbers[kind] for number, kind in kinds.items()}
            kinds = {
                number: (
                    classes[number],
                    *(None if each is None else classes[each] for each in ways),
                )
                for number, step in self.steps.items()
                for ways in [(branch_of(step) or ("", step.next, step.target))[1:]]
            }
        first: dict[Any, int] = {}
        same: dict[int | None, int | None] = {}
        for number in sorted(self.steps):
            context = self._contexts[number]
            key = number if context is None else (kinds[number], context)
            same[number] = first.setdefault(key, number)
        same[None] = None
        self.entry = same[self.entry]  # type: ignore[assignment]
        self.steps = {
            number: step._replace(next=same[step.next], target=same[step.target])
            for number, step in self.steps.items()
            if same[number] == number
        }
        self.steps = {number: self.steps[number] for number in self._postorder()}

    def _kind(self, number: int) -> Any:
        step = self.steps[number]
        branch = branch_of(step)
        if branch is not None:
            return branch[0], self.depths[number]
        value = None if step.target is not None else repr(step.value)
        if isinstance(step.value, CodeType):
            value = str(id(step.value))
        argument = step.arg if step.target is None else 0
        return step.name, argument, type(step.value), value, self.depths[number]

    # ---- Where ways meet ----

    def _joins(self) -> dict[int, int | None]:
        """The first step that all ways from a step come to; None where some return before."""
        order = self._postorder()
        sets = dict.fromkeys(order, frozenset(order))
        changed = True
        while changed:
            changed = False
            for number in order:
                after = [sets[each] for each in self.after(number)]
                common = frozenset.intersection(*after) if after else frozenset()
                new = common | {number}
                if new != sets[number]:
                    sets[number] = new
                    changed = True
        return {
            number: max(sets[number] - {number}, key=lambda each: len(sets[each]), default=None)
            for number in order
        }

    def _postorder(self) -> list[int]:
        order: list[int] = []
        seen = {self.entry}
        stack: list[tuple[int, Iterator[int]]] = [(self.entry, iter(self.after(self.entry)))]
        while stack:
            number, after = stack[-1]
            for each in after:
                if each not in seen:
                    seen.add(each)
                    stack.append((each, iter(self.after(each))))
                    break
            else:
                order.append(number)
                stack.pop()
        return order

    def loops(self) -> dict[int, frozenset[int]]:
        """The steps of each loop, by its first."""
        dominators = self._dominators()
        before: dict[int, list[int]] = {number: [] for number in self.steps}
        for number in self.steps:
            for each in self.after(number):
                before[each].append(number)
        found: dict[int, frozenset[int]] = {}
        for number in self.steps:
            for head in self.after(number):
                if head in dominators[number]:
                    body = {head}
                    pending = [number]
                    while pending:
                        each = pending.pop()
                        if each not in body:
                            body.add(each)
                            pending += before[each]
                    found[head] = found.get(head, frozenset()) | body
        return found

    def _dominators(self) -> dict[int, frozenset[int]]:
        order = self._postorder()[::-1]
        sets = dict.fromkeys(order, frozenset(order))
        sets[self.entry] = frozenset((self.entry,))
        before: dict[int, list[int]] = {number: [] for number in order}
        for number in order:
            for each in self.after(number):
                before[each].append(number)
        changed = True
        while changed:
            changed = False
            for number in order[1:]:
                new = frozenset.intersection(*(sets[each] for each in before[number])) | {number}
                if new != sets[number]:
                    sets[number] = new
                    changed = True
        return sets

    def _stacks(self) -> dict[int, tuple[Slot, ...]]:
        """What is on the stack before each step."""
        found: dict[int, tuple[Slot, ...]] = {self.entry: ()}
        pending = [self.entry]
        while pending:
            number = pending.pop()
            step = self.steps[number]
            for after, jumps in ((step.next, False), (step.target, True)):
                if after is not None and after not in found:
                    found[after] = self._stack_after(number, found[number], jumps)
                    pending.append(after)
        return found

    def _stack_after(self, number: int, stack: tuple[Slot, ...], jumps: bool) -> tuple[Slot, ...]:
        step = self.steps[number]
        if step.name == "GET_ITER":
            return (*stack[:-1], Slot(number, True))
        if step.name == "SWAP":
            swapped = list(stack)
            swapped[-1], swapped[-step.arg] = swapped[-step.arg], swapped[-1]
            return tuple(swapped)
        effect = stack_effect(step.name, step.arg, jumps)
        return (
            stack[: len(stack) + effect] if effect < 0 else stack + (Slot(number, False),) * effect
        )


def _context(stack: tuple[Slot, ...]) -> Any:
    """What steps have in common that may be one; None for those that are not to be."""
    values = [each for each in stack if not each.is_iterator]
    if not values:
        return ()  # a statement begins
    return None if values[0] is stack[-1] else stack[:-1]


# ---- Whether two functions do the same ----

_TRUTH = {
    "POP_JUMP_IF_TRUE": ("truth", True),
    "POP_JUMP_IF_FALSE": ("truth", False),
    "POP_JUMP_IF_NONE": ("none", True),
    "POP_JUMP_IF_NOT_NONE": ("none", False),
}


def branch_of(step: Step) -> tuple[str, int | None, int | None] | None:
    """What a branch asks, where it goes if so and if not; None for other steps."""
    if step.name not in _TRUTH:
        return None
    kind, jumps_if = _TRUTH[step.name]
    return (kind, step.target, step.next) if jumps_if else (kind, step.next, step.target)


def is_same_flow(a: Flow, b: Flow) -> bool:
    """Returns whether both do the same along every path: a pair of steps is compared once."""
    pending = [(a.entry, b.entry)]
    seen = set(pending)
    while pending:
        left, right = (
            flow.steps[number] for flow, number in zip((a, b), pending.pop(), strict=True)
        )
        ways = _pairs(left, right)
        if ways is None:
            return False
        for pair in ways:
            if (pair[0] is None) != (pair[1] is None):
                return False
            if pair[0] is not None and pair not in seen:
                seen.add(pair)
                pending.append(pair)
    return True


def _pairs(left: Step, right: Step) -> list[tuple[Any, Any]] | None:
    """The steps to compare after these two; None where the two differ."""
    ours, theirs = branch_of(left), branch_of(right)
    if ours is not None and theirs is not None and ours[0] == theirs[0]:
        return list(zip(ours[1:], theirs[1:], strict=True))
    if left.name != right.name or not _is_same_value(left, right):
        return None
    return [(left.next, right.next), (left.target, right.target)]


def _is_same_value(left: Step, right: Step) -> bool:
    if left.target is not None:
        return True
    if isinstance(left.value, CodeType) and isinstance(right.value, CodeType):
        return is_same_flow(Flow(left.value), Flow(right.value))
    if left.name == "LOAD_GLOBAL" and left.arg & 1 != right.arg & 1:
        return False
    return type(left.value) is type(right.value) and repr(left.value) == repr(right.value)
