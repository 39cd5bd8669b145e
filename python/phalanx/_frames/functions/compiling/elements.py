"""Series and arrays in users' functions: an expression for the element at a position.

None is stored. What a function makes of a series (a difference, a filter, a shift) is again an
expression of the element, and a reduction is one loop over the elements that it reads.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any, NamedTuple

from .kinds import Expression, Kind, Refused, call, name_node

POSITION = "position"
SERIES = "series"
_ARGUMENTS = ("column_", "number_", "bound_", "held_")


class Elements(NamedTuple):
    """A series or a one-dimensional array."""

    node: Any  # the element at `position`
    kind: Kind  # of the element
    count: Any  # the node of how many there are
    bound: dict[str, Any]  # numbers that the nodes refer to by name: their nodes
    kept: Any = None  # the node of which of them a filter keeps; None for all
    labels: str | None = None  # whose labels a series has; None for arrays, which have none

    @property
    def base(self) -> str:
        """What names of a function are on two paths is compared by."""
        return SERIES

    @property
    def is_numpy(self) -> bool:
        """As numbers have it."""
        return True

    @property
    def is_series(self) -> bool:
        """True for what has labels."""
        return self.labels is not None

    @property
    def element(self) -> Expression:
        """The element at `position`."""
        return Expression(self.node, self.kind)

    def with_element(self, made: Expression) -> Elements:
        """The same positions with other elements."""
        return self._replace(node=made.node, kind=Kind(made.kind.base, True))

    def as_array(self) -> Elements:
        """The elements without labels."""
        return self._replace(labels=None)

    def arguments(self) -> dict[str, Any]:
        """What a function of the elements is called with: the node of each of its parameters."""
        found = set()
        for node in (self.node, self.count, self.kept):
            if node is not None:
                found |= _names(node)
        given = sorted(each for each in found if each.startswith(_ARGUMENTS))
        return {each: self.bound.get(each, name_node(each)) for each in given}


def _names(node: Any) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def text(node: Any) -> str:
    """The node as source."""
    return ast.unparse(ast.fix_missing_locations(node))


def column_elements(name: str, kind: Kind, index: str | None) -> Elements:
    """All elements of an array that a compiled function gets under a name."""
    node = ast.Subscript(name_node(name), name_node(POSITION), ast.Load())
    return Elements(node, kind, call("len", name_node(name)), {}, None, index)


def moved(node: Any, by: Any) -> Any:
    """The node of the element at another position."""
    return _Replacing(POSITION, by).visit(copy.deepcopy(node))


def renamed(node: Any, names: dict[str, str]) -> Any:
    """The node with other names."""
    made = copy.deepcopy(node)
    for old, new in names.items():
        made = _Replacing(old, name_node(new)).visit(made)
    return made


def resolved(node: Any, bound: dict[str, Any]) -> Any:
    """The node outside of the loop: the numbers' own nodes in the places of their names."""
    made = copy.deepcopy(node)
    for name, own in bound.items():
        made = _Replacing(name, own).visit(made)
    return made


class _Replacing(ast.NodeTransformer):
    def __init__(self, name: str, node: Any) -> None:
        self.name = name
        self.node = node

    def visit_Name(self, node: ast.Name) -> Any:
        """The other node where the name is read."""
        return copy.deepcopy(self.node) if node.id == self.name else node


class Binding:
    """Names for the numbers that expressions of elements refer to."""

    def __init__(self) -> None:
        self._count = 0

    def fresh(self, prefix: str) -> str:
        """A name that nothing has."""
        self._count += 1
        return f"{prefix}_{self._count}"

    def element_of(self, part: Any, bound: dict[str, Any]) -> Expression:
        """A number, or the element of a series, as an expression of an element.

        Numbers that are no constants are computed once, before the loop.
        """
        if isinstance(part, Elements):
            bound.update(part.bound)
            return part.element
        if isinstance(part.node, ast.Constant) or part.constant is not None:
            return part  # type: ignore[no-any-return]
        name = self.fresh("bound")
        bound[name] = part.node
        return Expression(name_node(name), part.kind)

    def combined(self, rule: Callable[..., Expression], parts: tuple[Any, ...]) -> Elements:
        """A rule for numbers, for each element. Raises Refused for series of other labels."""
        bound: dict[str, Any] = {}
        whole = [each for each in parts if isinstance(each, Elements)]
        made = rule(*(self.element_of(each, bound) for each in parts))
        shape = whole[0]
        for each in whole[1:]:
            shape = _common(shape, each)
        return shape._replace(bound=bound).with_element(made)


def _common(first: Elements, second: Elements) -> Elements:
    """The positions of two. Raises Refused where pandas would join labels."""
    if _text(first.kept) != _text(second.kept):
        raise Refused("series or arrays of different filters together")
    if first.is_series and second.is_series:
        if first.labels != second.labels:
            raise Refused("series whose labels differ")
        return first
    series = first if first.is_series or not second.is_series else second
    if text(first.count) == text(second.count):
        return series
    if first.kept is not None:
        raise Refused("filtered arrays of different lengths")
    return series._replace(count=call("same_count", first.count, second.count))


def _text(node: Any) -> str:
    return "" if node is None else text(node)
