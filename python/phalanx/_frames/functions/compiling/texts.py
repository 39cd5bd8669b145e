"""Texts in compiled code: the number of a column, of which a text is the row's element.

Whatever a function makes of its texts is made of whole columns (`text_columns.py`), before compiled
code runs: each operation has a symbol, a tuple of its name and of what it is of, and each symbol of
texts a number. In compiled code a text is that number, so that branches choose between columns;
lengths, positions and answers are parameters, an array for each symbol. Operations that raise for
some texts have one more array, which says for which: compiled code raises where a row comes there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .kinds import (
    BOOL,
    INT,
    LIST,
    MIXED,
    NONE,
    TEXT,
    Expression,
    Kind,
    Refused,
    call,
    common,
    constant,
    name_node,
)

Symbol = tuple[Any, ...]
_MOST_TEXTS = 8  # that a name may be, depending on the path
_MOST_COLUMNS = 200
# Sums are of positions and lengths, where `after` is asked of them.
_CANNOT_RAISE = {"add", "subtract"}


class Texts:
    """The columns of texts of a function and what it asks of them. Number 0 is the first one."""

    def __init__(self) -> None:
        self.symbols: list[Symbol] = []
        self.arrays: dict[Symbol, str] = {}
        self._numbers: dict[Symbol, int] = {}
        self._missing: dict[int, bool] = {}
        self._recorded: list[dict[Symbol, str]] = []

    # Columns.

    def base(self, place: int, missing: str | None) -> Kind:
        """The elements of a column that is there; `missing` is "NaN", "NA" or None without any."""
        number = self._number(("base", place))
        if missing is not None:
            self._missing[number] = missing == "NA"
        return Kind(TEXT, among=(number,))

    def text(self, *symbol: Any) -> Expression:
        """The elements of what is made of columns."""
        number = self._number(symbol)
        return Expression(ast.Constant(number), Kind(TEXT, among=(number,)))

    def constant(self, value: str) -> Expression:
        """One text for all rows."""
        return self.text("constant", value)._replace(constant=value)

    def literal(self, number: int) -> str | None:
        """The text that a column has in all rows, where that is known."""
        name, *rest = self.symbols[number]
        return rest[0] if name == "constant" else None

    def array(self, base: str, *symbol: Any) -> Expression:
        """A number of each row."""
        name = self.arrays.setdefault(symbol, f"text_{len(self.arrays)}")
        self.touch(symbol)
        return Expression(name_node(name), Kind(base, symbol=symbol if base == INT else None))

    def _number(self, symbol: Symbol) -> int:
        number = self._numbers.get(symbol)
        if number is None:
            if len(self.symbols) >= _MOST_COLUMNS:
                raise Refused(f"more than {_MOST_COLUMNS} columns of texts")
            number = self._numbers[symbol] = len(self.symbols)
            self.symbols.append(symbol)
        return number

    # What a function that is called uses.

    @contextmanager
    def recording(self) -> Iterator[dict[Symbol, str]]:
        """The arrays that are asked for until the end, with their names."""
        used: dict[Symbol, str] = {}
        self._recorded.append(used)
        try:
            yield used
        finally:
            self._recorded.pop()

    def touch(self, symbol: Symbol) -> None:
        """Record that an array is used."""
        for each in self._recorded:
            each[symbol] = self.arrays[symbol]

    # Operations.

    def each(
        self, operand: Expression, make: Callable[[int], Expression], guards: str = "missing"
    ) -> Expression:
        """What an operation gives of a text, by which of its columns it is.

        `guards` says of which texts it raises: "missing", "NA" or "none".
        """
        among = operand.kind.among
        if len(among) > _MOST_TEXTS:
            raise Refused(f"a name that is one of more than {_MOST_TEXTS} texts")
        if len(among) > 2 and not isinstance(operand.node, ast.Name):
            raise Refused("a text that is one of several: give it a name first")
        made = [self._guarded(number, make(number), guards) for number in among]
        kind = made[0].kind
        for one in made[1:]:
            kind = common(kind, one.kind)
        if kind.base == MIXED:
            raise Refused("what depends on which text it is")
        node = made[-1].node
        for number, one in reversed(list(zip(among[:-1], made[:-1], strict=True))):
            is_it = ast.Compare(operand.node, [ast.Eq()], [ast.Constant(number)])
            node = ast.IfExp(is_it, one.node, node)
        if len(among) > 1:
            return Expression(node, kind)
        return after(operand, made[0]._replace(node=node))

    def _guarded(self, number: int, made: Expression, guards: str) -> Expression:
        is_na = self._missing.get(number)
        if is_na is None or guards == "none" or (guards == "NA" and not is_na):
            return made
        return unless(self.array(BOOL, "missing", number), made)

    def is_missing(self, operand: Expression) -> Expression:
        """``pandas.isna``."""

        def one(number: int) -> Expression:
            if number not in self._missing:
                return constant(False)
            return self.array(BOOL, "missing", number)

        return self.each(operand, one, "none")

    def is_text(self, operand: Expression) -> Expression:
        """``isinstance(text, str)``."""
        return negated(self.is_missing(operand))

    def is_float(self, operand: Expression) -> Expression:
        """``isinstance(text, float)``: NaN is one, NA is none."""
        if any(self._missing.get(number) for number in operand.kind.among):
            raise Refused("isinstance() of texts among which is NA")
        return self.is_missing(operand)

    def truth(self, operand: Expression) -> Any:
        """The node of ``bool(text)``; NaN is true."""
        if operand.kind.base == LIST:
            count = self.array(INT, "part count", operand.kind.symbol)
            return ast.Compare(after(operand, count).node, [ast.NotEq()], [ast.Constant(0)])

        def one(number: int) -> Expression:
            literal = self.literal(number)
            if literal is not None:
                return constant(bool(literal))
            filled = self.array(BOOL, "filled", number)
            if number not in self._missing:
                return filled
            gone = self.array(BOOL, "missing", number)
            return Expression(ast.BoolOp(ast.Or(), [gone.node, filled.node]), Kind(BOOL))

        return self.each(operand, one, "NA").node

    # Comparisons.

    def compared(self, sign: ast.cmpop, left: Expression, right: Expression) -> Expression:
        """One comparison. Raises Refused for those that Python has not."""
        bases = {left.kind.base, right.kind.base}
        if isinstance(sign, (ast.Is, ast.IsNot)):
            if NONE not in bases:
                raise Refused("`is` of texts")
            return after(left, after(right, constant(isinstance(sign, ast.IsNot))))
        equality = isinstance(sign, (ast.Eq, ast.NotEq))
        if bases != {TEXT}:
            if not equality or LIST in bases or MIXED in bases:
                raise Refused("a comparison of a text and what is none")
            return self._unlike(sign, left, right)
        guards = "NA" if equality else "missing"
        return self.each(
            left,
            lambda a: self.each(
                right,
                lambda b: self._equal(sign, a, b) if equality else self._ordered(sign, a, b),
                guards,
            ),
            guards,
        )

    def _unlike(self, sign: ast.cmpop, left: Expression, right: Expression) -> Expression:
        text, other = (left, right) if left.kind.base == TEXT else (right, left)
        never = constant(isinstance(sign, ast.NotEq))
        return after(other, self.each(text, lambda _: never, "NA"))

    def _equal(self, sign: ast.cmpop, a: int, b: int) -> Expression:
        literals = self.literal(a), self.literal(b)
        if None not in literals:
            return constant((literals[0] == literals[1]) == isinstance(sign, ast.Eq))
        made = self.array(BOOL, "equal", min(a, b), max(a, b))
        return negated(made) if isinstance(sign, ast.NotEq) else made

    def _ordered(self, sign: ast.cmpop, a: int, b: int) -> Expression:
        order = self.array(INT, "order", a, b)
        return Expression(ast.Compare(order.node, [sign], [ast.Constant(0)]), Kind(BOOL))

    def is_one_of(self, operand: Expression, elements: Any) -> Expression:
        """``text in elements``. Raises Refused where those are not all texts."""
        if not all(type(each) is str for each in elements):
            raise Refused("`in` of anything but numbers, or texts")
        wanted = frozenset(elements)

        def one(number: int) -> Expression:
            literal = self.literal(number)
            if literal is not None:
                return constant(literal in wanted)
            return self.array(BOOL, "one of", number, wanted)

        return self.each(operand, one, "NA")

    def contains(self, part: Expression, whole: Expression) -> Expression:
        """``part in whole``."""
        if part.kind.base != TEXT:
            raise Refused("`in` a text of what is none")
        return self.each(
            whole, lambda b: self.each(part, lambda a: self.array(BOOL, "contains", b, a))
        )

    # Sums.

    def joined(self, operands: list[Expression]) -> Expression:
        """Texts one after the other."""
        if not operands:
            return self.constant("")
        made = operands[0]
        for operand in operands[1:]:
            made = self._sum(made, operand)
        return made

    def _sum(self, left: Expression, right: Expression) -> Expression:
        return self.each(left, lambda a: self.each(right, lambda b: self._joined(a, b)))

    def _joined(self, *numbers: int) -> Expression:
        parts: list[int] = []
        for number in numbers:
            name, *inner = self.symbols[number]
            parts += inner if name == "joined" else [number]
        literals = [self.literal(number) for number in parts]
        if None not in literals:
            return self.constant("".join(map(str, literals)))
        return self.text("joined", *parts)


class NoTexts(Texts):
    """Of functions of series and arrays, whose code has no columns of texts."""

    def _number(self, symbol: Symbol) -> int:
        raise Refused("a text in a function of a series or an array")

    def array(self, base: str, *symbol: Any) -> Expression:
        """Raises Refused."""
        raise Refused("a text in a function of a series or an array")


def negated(made: Expression) -> Expression:
    """``not made``, of a bool."""
    if isinstance(made.node, ast.Constant):
        return constant(not made.node.value)
    return Expression(ast.UnaryOp(ast.Not(), made.node), Kind(BOOL))


def unless(wrong: Expression, made: Expression) -> Expression:
    """An expression that raises where something is wrong with the row."""
    return made._replace(node=call("unless", wrong.node, made.node), constant=None)


def after(operand: Expression, made: Expression) -> Expression:
    """What is made of an operand, which may raise as it is computed."""
    calls = (each for each in ast.walk(operand.node) if isinstance(each, ast.Call))
    if all(getattr(each.func, "id", "") in _CANNOT_RAISE for each in calls):
        return made
    return made._replace(node=call("also", operand.node, made.node), constant=None)
