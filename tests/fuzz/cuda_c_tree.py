"""Programs of CUDA C as trees: text with the parts that may be left out or made simpler.

Nothing here knows C but for three things: a statement of a block may go, an expression may become a
literal or another expression of its type inside it, a statement may become the block inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Union

Part = Union[str, "Node"]


class Node:
    """Text in order; a part is text or a node."""

    def __init__(self, *parts: Part) -> None:
        self.parts: list[Part] = list(parts)

    def __str__(self) -> str:
        return "".join(map(str, self.parts))

    def nodes(self) -> Iterator[Node]:
        """This node and all below it, the outer ones first."""
        yield self
        for part in self.parts:
            if isinstance(part, Node):
                yield from part.nodes()


class Block(Node):
    """Statements or definitions, each of which may go."""


class Statement(Node):
    """A statement, which may have blocks inside."""


class Expression(Node):
    """A number: its C type and, of integers, what it is at least and at most.

    `least` is the text that may always replace it: the index 0, the divisor 1. What keeps a
    program defined, as the mask of an index, says so by it and stays together.
    """

    def __init__(
        self, type_name: str, low: int, high: int, *parts: Part, least: str | None = None
    ) -> None:
        super().__init__(*parts)
        self.type, self.low, self.high, self.least = type_name, low, high, least


Check = Callable[[], bool]


def _try(node: Node, parts: list[Part], fails: Check) -> bool:
    """Puts parts in the place of a node's; takes them back where the program no longer fails."""
    before = node.parts
    node.parts = parts
    if fails():
        return True
    node.parts = before
    return False


def _shrink_block(block: Block, fails: Check) -> None:
    """Leaves out runs of statements: halves first, single ones at last."""
    size = max(len(block.parts) // 2, 1)
    while size:
        first = 0
        while first < len(block.parts):
            rest = block.parts[:first] + block.parts[first + size :]
            if not _try(block, rest, fails):
                first += size
        size //= 2


def _shrink_statement(statement: Statement, fails: Check) -> None:
    """What is left of a loop may be its body."""
    inner = [each for part in statement.parts if isinstance(part, Node) for each in part.nodes()]
    for block in inner:
        if isinstance(block, Block) and _try(statement, ["{\n", block, "}\n"], fails):
            return


def _simpler(expression: Expression) -> Iterator[list[Part]]:
    """What an expression may become, the simplest first."""
    if expression.least is not None:
        yield [expression.least]
        return
    number = f"(({expression.type})1)" if len(str(expression)) > 8 else None
    yield from ([each] for each in (f"(({expression.type})0)", number) if each is not None)
    pending: list[Node] = [each for each in expression.parts if isinstance(each, Node)]
    while pending:
        node = pending.pop(0)
        is_whole = isinstance(node, Expression) and node.least is not None
        if isinstance(node, Expression) and not is_whole and node.type == expression.type:
            yield [node]
        elif not is_whole:
            pending += [each for each in node.parts if isinstance(each, Node)]


def _shrink_expression(expression: Expression, fails: Check) -> None:
    is_simpler = True
    while is_simpler and len(str(expression)) > 12:
        size = len(str(expression))
        is_simpler = any(
            len("".join(map(str, parts))) < size and _try(expression, parts, fails)
            for parts in _simpler(expression)
        )


def shrink(program: Node, fails: Check) -> None:
    """Makes a program smaller for as long as it fails; `fails` judges it as it is then."""
    before = ""
    while str(program) != before:
        before = str(program)
        for kind, act in (
            (Block, _shrink_block),
            (Statement, _shrink_statement),
            (Expression, _shrink_expression),
        ):
            seen: set[int] = set()
            while True:
                left = (
                    each
                    for each in program.nodes()
                    if isinstance(each, kind) and id(each) not in seen
                )
                node = next(left, None)
                if node is None:
                    break
                seen.add(id(node))
                act(node, fails)  # type: ignore[operator]
