"""What random programs of CUDA C have names for, and what expressions may still touch.

C++ leaves the order of most operands open. So an expression that changes a variable may have no
other operand that reads or changes it, but where the order is said: `&&`, `||`, `?:`, the comma.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from cuda_c_types import Kind


@dataclass(frozen=True)
class Array:
    """Elements; `is_pointer` says that the name is a pointer to the first."""

    element: What
    count: int
    is_pointer: bool = False


@dataclass(eq=False)
class Record:
    """A struct: its members, and the methods that can be called on one."""

    name: str
    members: list[tuple[str, What]] = field(default_factory=list)
    methods: list[Callable] = field(default_factory=list)
    makers: list[list[Kind]] = field(default_factory=list)  # parameters of constructors
    operators: list[str] = field(default_factory=list)


What = Kind | Array | Record


@dataclass(frozen=True)
class Parameter:
    """What a function takes: by value, by reference, or a pointer to elements."""

    what: What
    is_changed: bool = False  # a reference or a pointer, through which the function writes


@dataclass(frozen=True)
class Variable:
    """A name; `root` is the memory that it leads to."""

    name: str
    what: What
    root: str
    is_mutable: bool = True


@dataclass(eq=False)
class Callable:
    """A function, a method or a lambda; what it reads and writes beside its arguments."""

    name: str
    result: What | None
    parameters: list[Parameter]
    cost: int = 1
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    changes_object: bool = False


class Scope:
    """The names, and the memory that the expression at hand read and wrote."""

    def __init__(self, choices: random.Random) -> None:
        self.random = choices
        self.scopes: list[list[Variable]] = [[]]
        self.callables: list[list[Callable]] = [[]]
        self.records: list[Record] = []
        self.reads: set[str] = set()
        self.locked: set[str] = set()
        self.frozen: set[str] = set()  # what a lambda may not change
        self.all_reads: set[str] = set()
        self.all_writes: set[str] = set()
        self.weight = 1  # how often what is written now runs
        self.cost = 0
        self._names = 0

    def name(self, stem: str) -> str:
        """A new name."""
        self._names += 1
        return f"{stem}{self._names}"

    def chance(self, share: float) -> bool:
        """Returns whether something is to be that happens so often."""
        return self.random.random() < share

    def add(self, name: str, what: What, *, root: str = "", is_mutable: bool = True) -> Variable:
        """Makes a name known until its block ends."""
        variable = Variable(name, what, root or name, is_mutable)
        self.scopes[-1].append(variable)
        return variable

    @contextlib.contextmanager
    def block(self, weight: int = 1) -> Iterator[None]:
        """Names that are added here end here; what is inside runs so often."""
        self.scopes.append([])
        self.callables.append([])
        self.weight *= weight
        yield
        self.weight //= weight
        self.scopes.pop()
        self.callables.pop()

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """An expression of its own: what came before it has happened."""
        before = self.reads, self.locked
        self.reads, self.locked = set(), set()
        yield
        self.reads, self.locked = before

    @contextlib.contextmanager
    def function(self) -> Iterator[None]:
        """A body that sees no variables but those of the module."""
        before = self.scopes, self.callables, self.weight, self.cost, self.frozen
        self.scopes, self.callables = [self.scopes[0], []], [self.callables[0], []]
        self.weight, self.cost, self.frozen = 1, 0, set()
        with self.whole():
            yield
        self.scopes, self.callables, self.weight, self.cost, self.frozen = before

    @contextlib.contextmanager
    def in_order(self) -> Iterator[Iterator[None]]:
        """Operands one after the other: each `next` begins one that the ones before do not bind."""
        reads, locked = set(self.reads), set(self.locked)
        touched, changed = set(self.reads), set(self.locked)

        def steps() -> Iterator[None]:
            while True:
                touched.update(self.reads)
                changed.update(self.locked)
                self.reads, self.locked = set(reads), set(locked)
                yield

        yield steps()
        self.reads |= touched
        self.locked |= changed

    def read(self, root: str) -> None:
        self.reads.add(root)
        self.all_reads.add(root)

    def write(self, root: str) -> None:
        self.locked.add(root)
        self.all_writes.add(root)

    def can_read(self, root: str) -> bool:
        return root not in self.locked

    def can_write(self, variable: Variable) -> bool:
        """Returns whether an expression may change a variable here."""
        root = variable.root
        is_free = root not in self.reads and root not in self.locked
        return variable.is_mutable and is_free and root not in self.frozen

    def visible(self) -> list[Variable]:
        return [each for scope in self.scopes for each in scope if self.can_read(each.root)]

    def spend(self, cost: int) -> bool:
        """Returns whether the program may take that long more, and notes it then."""
        if self.cost + self.weight * cost > 3000:
            return False
        self.cost += self.weight * cost
        return True
