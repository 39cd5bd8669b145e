"""A user's function as the text of functions that the front end compiles."""

from __future__ import annotations

import ast
import inspect
from typing import Any, NamedTuple

from ...._frontend.sources import source
from .calls import called, rule_of
from .expressions import Expressions, Names, Row
from .kinds import (
    FLOAT,
    INT,
    NONE,
    Expression,
    Kind,
    Refused,
    as_int,
    constant,
    name_node,
)
from .operators import as_exact
from .statements import Statements

MOST_HELPERS = 32


class Program(NamedTuple):
    """Functions of the same parameters: what a row gives, and where that has several kinds, which.

    The parameters are the columns, and the numbers that the function refers to.
    """

    text: str  # the definitions of `value` and, with several kinds, of `code`
    kinds: tuple[str, ...]  # of the results; `code` gives the place in it
    columns: tuple[Any, ...]  # labels of a row's elements
    numbers: tuple[Any, ...]


class HelperExpressions(Expressions):
    """Expressions that may call other functions of the user's, which are compiled beside it."""

    def __init__(self, names: Names, row: Any, definitions: dict[Any, Any]) -> None:
        super().__init__(names, row)
        self.definitions = definitions

    def helper(self, function: Any, operands: list[Expression]) -> Expression:
        """A call of another function of the user's. Raises Refused where it is not compiled."""
        key = (function, tuple(each.kind for each in operands))
        if key not in self.definitions:
            if len(self.definitions) >= MOST_HELPERS:
                raise Refused("more functions than are compiled together")
            self.definitions[key] = DEFINING
            self.definitions[key] = self._defined(function, [each.kind for each in operands])
        name, kind, _ = self.definitions[key]
        if not name:
            raise Refused(f"{function.__name__} calls itself")
        return Expression(ast.Call(name_node(name), [each.node for each in operands], []), kind)

    def _defined(self, function: Any, kinds: list[Kind]) -> tuple[str, Kind, Any]:
        given = bound_arguments(function, [OPERAND] * len(kinds), {})
        parameters = [name for name, value in given.items() if value is OPERAND]
        rest = {name: value for name, value in given.items() if value is not OPERAND}
        inner = HelperExpressions(Literals(function, rest), None, self.definitions)
        found = dict(zip(parameters, kinds, strict=True))
        statements, node = rewritten(function, Statements(inner), found)
        name = f"helper_{len(self.definitions)}"
        parts = [f"local_{each}" for each in parameters]
        return name, kind_of_helper(function, statements), definition(name, parts, node)


def kind_of_helper(function: Any, statements: Statements) -> Kind:
    """The kind of a helper's results. Raises Refused where they have several."""
    results = {value.kind.base for _, value in statements.returns}
    if len(results) != 1 or results == {NONE}:
        raise Refused(f"{function.__name__} returns numbers of several kinds")
    return Kind(results.pop(), all(value.kind.is_numpy for _, value in statements.returns))


OPERAND = object()
DEFINING = ("", Kind(NONE), None)


class Literals(Names):
    """The names of a helper, whose numbers are written into it."""

    def number(self, name: str) -> Expression:
        """A number that the function refers to, as a constant."""
        return constant(self.value(name))


def bound_arguments(function: Any, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments by the names of the parameters, defaults included."""
    try:
        signature = inspect.signature(function)
        bound = signature.bind(*args, **kwargs)
    except (TypeError, ValueError) as error:
        raise Refused(str(error)) from None
    kinds = {each.kind for each in signature.parameters.values()}
    if kinds & {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}:
        raise Refused("parameters with * or **")
    bound.apply_defaults()
    return bound.arguments


def rewritten(
    function: Any, statements: Statements, known: dict[str, Any]
) -> tuple[Statements, list[Any]]:
    """A function's statements, rewritten, and what they have met. Raises Refused."""
    from phalanx.errors import UnsupportedError

    try:
        node = source(function).node
    except (UnsupportedError, OSError) as error:
        raise Refused(str(error).splitlines()[0]) from None
    if isinstance(node, ast.FunctionDef):
        body = node.body
    else:
        body = [ast.copy_location(ast.Return(node.body), node.body)]
    made, after = statements.block(body, known)
    if after is not None:
        made += statements.result(None, after)
    return statements, made


def definition(name: str, parameters: list[str], body: list[Any]) -> str:
    """The text of a function."""
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg(each) for each in parameters], kwonlyargs=[], kw_defaults=[],
        defaults=[],
    )  # fmt: skip
    node = ast.FunctionDef(name=name, args=arguments, body=body, decorator_list=[])
    return ast.unparse(ast.fix_missing_locations(node)) + "\n"


def program_of(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], of: Kind | Row
) -> Program:
    """The program of a function of an element of a kind, or of a row.

    Raises Refused for functions of which Python's results are not known from the kinds alone.
    """
    if rule_of(function) is not None:
        return _of_known(function, args, kwargs, of)
    if not inspect.isfunction(function):
        raise Refused(f"a {type(function).__name__}, which is not a Python function")
    given = bound_arguments(function, [OPERAND, *args], kwargs)
    first = next(iter(given))
    del given[first]
    names = Names(function, given)
    row = (first, of) if isinstance(of, Row) else None
    definitions: dict[Any, tuple[str, Kind, Any]] = {}
    expressions = HelperExpressions(names, row, definitions)
    known = {} if isinstance(of, Row) else {first: of}
    statements, body = rewritten(function, Statements(expressions), known)
    helpers = "".join(text for _, _, text in definitions.values())
    columns = tuple(of.used) if isinstance(of, Row) else ()
    parameters = list(of.used.values()) if isinstance(of, Row) else [f"local_{first}"]
    parameters += [f"number_{each}" for each in names.numbers]
    if not parameters:
        raise Refused("a function that looks at no element")
    text, kinds = finished(statements, body, parameters)
    return Program(helpers + text, kinds, columns, tuple(names.numbers.values()))


def _of_known(function: Any, args: Any, kwargs: Any, of: Kind | Row) -> Program:
    """A function of Python's, `math`'s or NumPy's by itself."""
    if args or kwargs or isinstance(of, Row):
        raise Refused("a function that is not Python's, with arguments or of rows")
    value = called(function, [Expression(name_node("local_x"), of)])
    statement = ast.Return(value.node)
    text = definition("value", ["local_x"], [statement])
    return Program(text, (value.kind.base,), (), ())


def finished(
    statements: Statements, body: list[Any], parameters: list[str]
) -> tuple[str, tuple[str, ...]]:
    """The text of `value` and `code`, and the kinds of the results. Raises Refused."""
    kinds = tuple(dict.fromkeys(value.kind.base for _, value in statements.returns))
    if set(kinds) <= {NONE}:
        raise Refused("a function that returns no number")
    convert = _converter(kinds)
    for node, value in statements.returns:
        node.value = convert(value)
    text = definition("value", parameters, body)
    if len(kinds) > 1:
        for node, value in statements.returns:
            node.value = ast.Constant(kinds.index(value.kind.base))
        text += definition("code", parameters, body)
    return text, kinds


def _converter(kinds: tuple[str, ...]) -> Any:
    """What gives results of several kinds one type; which they had says `code`."""
    if FLOAT in kinds:
        nothing: Any = constant(float("nan")).node
        return lambda value: nothing if value.kind.base == NONE else as_exact(value)
    if INT in kinds:
        return lambda value: ast.Constant(0) if value.kind.base == NONE else as_int(value)
    return lambda value: ast.Constant(False) if value.kind.base == NONE else value.node
