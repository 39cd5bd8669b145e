"""Reductions of a series or an array as the text of loops, which the front end compiles.

Each has pandas' rule for missing values, or NumPy's. Floats are added in NumPy's own order, so that
a constant column has no deviation where NumPy finds none.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from . import reduction_texts as texts
from .elements import POSITION, Elements, column_elements, renamed, text
from .kinds import BOOL, FLOAT, INT, Expression, Kind, Refused, as_float, as_int, call

_DTYPES = {INT: "int64", FLOAT: "float64", BOOL: "bool_"}


class Reductions:
    """The definitions that the reductions of a function need."""

    def __init__(self, fresh: Callable[[str], str]) -> None:
        self.fresh = fresh
        self.texts: dict[str, str] = {}  # by name

    # Pieces.

    def _define(self, what: str, template: str, of: Elements, **fields: Any) -> str:
        """The name of a definition; equal ones are one."""
        given = "".join(f"{each}, " for each in of.arguments())
        fields = {"given": given, "count": text(of.count), **fields}
        for name, made in self.texts.items():
            if made == template.format(name=name, **fields):
                return name
        name = self.fresh(what)
        self.texts[name] = template.format(name=name, **fields)
        return name

    def _element(self, of: Elements, node: Any = None) -> str:
        made = "\ndef {name}({given}position):\n    return {node}\n"
        return self._define("element", made, of, node=text(of.node if node is None else node))

    def _called(self, name: str, of: Elements, *rest: Any) -> Any:
        return call(name, *of.arguments().values(), *rest)

    def stored(self, of: Elements) -> Elements:
        """The elements that a filter keeps, in an array of their own."""
        if of.kept is None:
            return of
        fields = {"kept": text(of.kept), "node": text(of.node), "dtype": _DTYPES[of.kind.base]}
        name = self._define("kept", texts.KEPT, of, **fields)
        place = self.fresh("bound")
        made = column_elements(place, of.kind, of.labels)
        return made._replace(bound={place: self._called(name, of)})

    def _sum(self, of: Elements, skipna: bool) -> str:
        element = self._element(of, as_float(of.element))
        if skipna and of.kind.base == FLOAT:
            term = (
                "\ndef {name}({given}j):\n    value = {element}({given}j)\n"
                "    return 0.0 if value != value else value\n"
            )
            element = self._define("term", term, of, element=element)
        return self._pairwise(of, element, "")

    def _pairwise(self, of: Elements, term: str, further: str) -> str:
        more = f"{further}, " if further else ""
        given = "".join(f"{each}, " for each in of.arguments()) + more
        return self._define("sum", texts.SUM, of, given=given, term=term)

    def _there(self, of: Elements, skipna: bool) -> str:
        if not skipna or of.kind.base != FLOAT:
            return self._define("count", "\ndef {name}({given}):\n    return {count}\n", of)
        fields = {"start": "0", "step": "made + 1", "there": "value == value"}
        return self._define("count", texts.FOLD, of, element=self._element(of), **fields)

    def _deviation(self, of: Elements, skipna: bool) -> str:
        element = self._element(of, as_float(of.element))
        term = (
            "\ndef {name}({given}mean, j):\n    value = {element}({given}j)\n    return {result}\n"
        )
        skips = skipna and of.kind.base == FLOAT
        square = "(mean - value) * (mean - value)"
        result = f"0.0 if value != value else {square}" if skips else square
        name = self._define("square", term, of, element=element, result=result)
        return self._pairwise(of, name, "mean")

    # Reductions.

    def length(self, of: Elements) -> Expression:
        """How many there are."""
        return Expression(self.stored_count(of), Kind(INT))

    def stored_count(self, of: Elements) -> Any:
        """The node of the length, in which no names of `bound` are left."""
        if of.kept is None and not of.bound:
            return of.count
        of = self.stored(of)
        name = self._define("length", "\ndef {name}({given}):\n    return {count}\n", of)
        return self._called(name, of)

    def total(self, of: Elements, skipna: bool = True) -> Expression:
        """The sum: an int of ints and bools."""
        of = self.stored(of)
        if of.kind.base == FLOAT:
            name = self._define("total", texts.TOTAL, of, sum=self._sum(of, skipna))
            return Expression(self._called(name, of), Kind(FLOAT, True))
        return self._folded(of, INT, "0", "made + value", True)

    def product(self, of: Elements, skipna: bool = True) -> Expression:
        """The product: an int of ints and bools."""
        of = self.stored(of)
        base = FLOAT if of.kind.base == FLOAT else INT
        return self._folded(of, base, "1.0" if base == FLOAT else "1", "made * value", skipna)

    def _folded(self, of: Elements, base: str, start: str, step: str, skipna: bool) -> Expression:
        node = as_int(of.element) if of.kind.base == BOOL else None
        there = "value == value" if skipna and of.kind.base == FLOAT else "True"
        element = self._element(of, node)
        name = self._define(
            "fold", texts.FOLD, of, element=element, start=start, step=step, there=there
        )
        return Expression(self._called(name, of), Kind(base, True))

    def count(self, of: Elements) -> Expression:
        """How many are not missing."""
        of = self.stored(of)
        return Expression(self._called(self._there(of, True), of), Kind(INT, True))

    def mean(self, of: Elements, skipna: bool = True) -> Expression:
        """The mean, NaN of none."""
        of = self.stored(of)
        pieces = {"sum": self._sum(of, skipna), "there": self._there(of, skipna)}
        name = self._define("mean", texts.MEAN, of, **pieces)
        return Expression(self._called(name, of), Kind(FLOAT, True))

    def variance(self, of: Elements, ddof: int, skipna: bool = True) -> Expression:
        """The sum of squared deviations over the count less `ddof`."""
        of = self.stored(_of_numbers(of, "var"))
        pieces = {"sum": self._sum(of, skipna), "there": self._there(of, skipna)}
        pieces["squares"] = self._deviation(of, skipna)
        name = self._define("variance", texts.VARIANCE, of, **pieces)
        return Expression(self._called(name, of, ast.Constant(ddof)), Kind(FLOAT, True))

    def extreme(self, of: Elements, sign: str, skipna: bool = True) -> Expression:
        """The least (``<``) or greatest; of none NaN in a series of floats, else an error."""
        of = self.stored(of)
        is_float = of.kind.base == FLOAT
        test = f"value {sign} best"
        if is_float:
            test += " or best != best" if skipna else " or (value != value and best == best)"
        nothing = (
            "return np.nan" if is_float and of.is_series else "raise ValueError('no elements')"
        )
        node = as_int(of.element) if of.kind.base == BOOL else None
        fields = {"element": self._element(of, node), "test": test, "nothing": nothing}
        made = self._called(self._define("extreme", texts.EXTREME, of, **fields), of)
        if of.kind.base == BOOL:
            made = call("bool", made)
        return Expression(made, Kind(of.kind.base, True))

    def first_extreme(self, of: Elements, sign: str) -> Expression:
        """The first position of it in an array; of NaN where there is one."""
        of = self.stored(_of_numbers(of, "argmax"))
        name = self._define("place", texts.WHERE, of, element=self._element(of), sign=sign)
        return Expression(self._called(name, of), Kind(INT, True))

    def python_extreme(self, of: Elements, sign: str) -> Expression:
        """Python's ``max`` and ``min``, which keep what they have where nothing is greater."""
        of = self.stored(_of_numbers(of, "max"))
        fields = {"test": f"value {sign} best", "nothing": "raise ValueError('no elements')"}
        name = self._define("extreme", texts.EXTREME, of, element=self._element(of), **fields)
        return Expression(self._called(name, of), Kind(of.kind.base, not of.is_series))

    def python_sum(self, of: Elements) -> Expression:
        """Python's ``sum``, from the first to the last."""
        of = self.stored(_of_numbers(of, "sum"))
        if of.kind.base == INT and of.is_series:
            raise Refused("sum() of Python's ints, which have no bounds")
        start, nothing = "0.0", "raise ValueError('no elements')"
        if of.kind.base == INT:
            start, nothing = "0", "return 0"
        fields = {"start": start, "nothing": nothing, "element": self._element(of)}
        name = self._define("sum", texts.PYTHON_SUM, of, **fields)
        return Expression(self._called(name, of), Kind(of.kind.base, not of.is_series))

    def truth(self, of: Elements, which: str, skipna: bool = True) -> Expression:
        """``any`` or ``all``: NaN is true where it is not left out."""
        of = self.stored(of)
        there = "value == value" if skipna and of.kind.base == FLOAT else "True"
        test, sign = ("value" if of.kind.base == BOOL else "(value != 0)"), which
        start, step = (
            ("False", f"made or {test}") if sign == "any" else ("True", f"made and {test}")
        )
        fields = {"start": start, "step": step, "there": there, "element": self._element(of)}
        return Expression(
            self._called(self._define("truth", texts.FOLD, of, **fields), of), Kind(BOOL, True)
        )

    def of_sorted(self, of: Elements, what: str, skipna: bool, *rest: Any) -> Expression:
        """``median``, ``quantile`` (its part follows) and ``nunique``."""
        of = self.stored(_of_numbers(of, what))
        of = of.with_element(Expression(as_float(of.element), Kind(FLOAT, True)))
        template = {"median": texts.MEDIAN, "quantile": texts.QUANTILE, "nunique": texts.DISTINCT}[
            what
        ]
        fields = {"element": self._element(of), "stops": str(not skipna)}
        name = self._define(
            what, template, of, sorted=self._define("sorted", texts.SORTED, of, **fields)
        )
        base = INT if what == "nunique" else FLOAT
        return Expression(self._called(name, of, *rest), Kind(base, what != "nunique"))

    def correlation(self, of: Elements, other: Elements) -> Expression:
        """Pearson's correlation of the pairs of which both are there."""
        if of.kept is not None or other.kept is not None:
            raise Refused("corr() of filtered series")
        first, second = (
            each.with_element(Expression(as_float(_of_numbers(each, "corr").element), Kind(FLOAT)))
            for each in (of, other)
        )
        both = first._replace(bound=first.bound | second.bound)
        both = both._replace(node=ast.Tuple([first.node, second.node], ast.Load()))
        fields = {"first": text(first.node), "second": text(second.node)}
        name = self._define("correlation", texts.CORRELATION, both, **fields)
        return Expression(self._called(name, both), Kind(FLOAT, True))

    def item(self, of: Elements, place: Any, kind: Kind | None = None) -> Expression:
        """The element at a position, from the end where that is negative."""
        of = self.stored(of)
        name = self._define("item", texts.ITEM, of, element=self._element(of))
        return Expression(self._called(name, of, place), kind or Kind(of.kind.base, True))


def _of_numbers(of: Elements, name: str) -> Elements:
    if of.kind.base == BOOL:
        raise Refused(f"{name} of bools")
    return of


def loop(target: str, of: Elements, body: list[Any], position: str) -> list[Any]:
    """The statements that run through elements, under a name for each."""
    names = {POSITION: position}
    first: Any = ast.Assign([ast.Name(target, ast.Store())], renamed(of.node, names))
    inner = [first, *body]
    if of.kept is not None:
        inner = [ast.If(renamed(of.kept, names), inner, [])]
    return [ast.For(ast.Name(position, ast.Store()), call("range", of.count), inner, [])]
