"""A user's function of a series, an array or a group's frame as a text that is compiled."""

from __future__ import annotations

import inspect
from typing import Any

from .elements import column_elements
from .kinds import NONE, Expression, Kind, Refused
from .numpy_functions import FUNCTIONS
from .program import OPERAND, Program, bound_arguments, definition, finished, rewritten
from .slice_statements import NUMBERS, OUT, SliceStatements
from .slices import LABELS, ArrayNames, SliceExpressions, Table
from .statements import Statements


def program_of_slices(
    function: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    of: Kind | Table,
    *,
    is_series: bool = True,
    results: str = NUMBERS,
) -> Program:
    """The program of a function of a series or an array of a kind, or of a group's columns.

    With `results` for rows its `value` fills `out`, its first parameter. Raises Refused;
    `GivesRows` for functions that give a series, where they are to give a number.
    """
    if _known_of(function) is not None and not isinstance(of, Table) and results == NUMBERS:
        return _of_known(function, args, kwargs, of, is_series)
    if not inspect.isfunction(function):
        raise Refused(f"a {type(function).__name__}, which is not a Python function")
    given = bound_arguments(function, [OPERAND, *args], kwargs)
    first = next(iter(given))
    del given[first]
    names = ArrayNames(function, given)
    definitions: dict[Any, Any] = {}
    table = (first, of) if isinstance(of, Table) else None
    expressions = SliceExpressions(names, definitions, table)
    known: dict[str, Any] = {}
    if not isinstance(of, Table):
        known[first] = column_elements("column_0", of, LABELS if is_series else None)
    statements, body = rewritten(function, SliceStatements(expressions, results), known)
    columns = list(of.used.values()) if isinstance(of, Table) else ["column_0"]
    if not columns:
        raise Refused("a function that looks at no column")
    parameters = [*columns, *(f"number_{each}" for each in names.numbers)]
    if results != NUMBERS:
        text, kinds = _of_rows(statements, body, [OUT, *parameters])
    else:
        text, kinds = finished(statements, body, parameters)
    helpers = "".join(each for *_, each in definitions.values())
    helpers += "".join(expressions.reductions.texts.values())
    labels = tuple(of.used) if isinstance(of, Table) else ()
    return Program(helpers + text, kinds, labels, tuple(names.numbers.values()), expressions.texts)


def _of_rows(
    statements: Statements, body: list[Any], parameters: list[str]
) -> tuple[str, tuple[str, ...]]:
    kinds = tuple(dict.fromkeys(value.kind.base for _, value in statements.returns))
    if len(kinds) != 1 or kinds == (NONE,):
        raise Refused("results of several kinds, or of none")
    return definition("value", parameters, body), kinds


def _known_of(function: Any) -> Any:
    try:
        return FUNCTIONS.get(function)
    except TypeError:
        return None


def _of_known(function: Any, args: Any, kwargs: Any, of: Kind, is_series: bool) -> Program:
    """A function of NumPy's or Python's by itself."""
    import ast

    if args or kwargs:
        raise Refused("a function that is not Python's, with arguments")
    expressions = SliceExpressions(ArrayNames(function, {}), {}, None)
    elements = column_elements("column_0", of, LABELS if is_series else None)
    found = _known_of(function)(expressions, elements)
    if not isinstance(found, Expression):
        raise Refused("a result that is no number")
    text = "".join(expressions.reductions.texts.values())
    text += definition("value", ["column_0"], [ast.Return(found.node)])
    return Program(text, (found.kind.base,), (), (), expressions.texts)
