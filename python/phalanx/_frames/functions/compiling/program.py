"""A user's function as the text of functions that the front end compiles."""

from __future__ import annotations

import ast
import inspect
from functools import reduce
from typing import Any, NamedTuple

from ...._frontend.sources import source
from . import text_calls
from .calls import called, rule_of
from .expressions import Expressions, Names, Row
from .kinds import (
    FLOAT,
    INT,
    NONE,
    TEXT,
    Expression,
    Kind,
    Refused,
    as_float,
    as_int,
    common,
    constant,
    name_node,
)
from .operators import as_exact
from .statements import Statements
from .texts import Symbol, Texts

MOST_HELPERS = 32


class Program(NamedTuple):
    """Functions of the same parameters: what a row gives, and where that has several kinds, which.

    The parameters are the columns, what is computed of texts, and the numbers that the function
    refers to.
    """

    text: str  # the definitions of `value` and, with several kinds, of `code`
    kinds: tuple[str, ...]  # of the results; `code` gives the place in it
    columns: tuple[Any, ...]  # labels of a row's elements
    numbers: tuple[Any, ...]
    texts: Texts
    arrays: tuple[Symbol, ...] = ()  # what is computed of whole columns first
    # Whether `value` gives the number of a column of texts, or an array, and does nothing else.
    direct: Symbol | None = None


class HelperExpressions(Expressions):
    """Expressions that may call other functions of the user's, which are compiled beside it."""

    def __init__(self, names: Names, row: Any, definitions: dict[Any, Any], texts: Texts) -> None:
        super().__init__(names, row, texts)
        self.definitions = definitions

    def helper(self, function: Any, operands: list[Expression]) -> Expression:
        """A call of another function of the user's. Raises Refused where it is not compiled."""
        key = (function, tuple(each.kind for each in operands))
        if key not in self.definitions:
            if len(self.definitions) >= MOST_HELPERS:
                raise Refused("more functions than are compiled together")
            self.definitions[key] = DEFINING
            self.definitions[key] = self._defined(function, [each.kind for each in operands])
        name, kind, arrays, _ = self.definitions[key]
        if not name:
            raise Refused(f"{function.__name__} calls itself")
        given = [each.node for each in operands]
        for symbol, array in arrays.items():
            self.texts.touch(symbol)
            given.append(name_node(array))
        return Expression(ast.Call(name_node(name), given, []), kind)

    def _defined(self, function: Any, kinds: list[Kind]) -> Defined:
        given = bound_arguments(function, [OPERAND] * len(kinds), {})
        parameters = [name for name, value in given.items() if value is OPERAND]
        rest = {name: value for name, value in given.items() if value is not OPERAND}
        inner = HelperExpressions(Literals(function, rest), None, self.definitions, self.texts)
        found = dict(zip(parameters, kinds, strict=True))
        with self.texts.recording() as arrays:
            statements, node = rewritten(function, Statements(inner), found)
        name = f"helper_{len(self.definitions)}"
        parts = [f"local_{each}" for each in parameters]
        parts += arrays.values()
        return name, kind_of_helper(function, statements), arrays, definition(name, parts, node)


def kind_of_helper(function: Any, statements: Statements) -> Kind:
    """The kind of a helper's results. Raises Refused where they have several."""
    results = {value.kind.base for _, value in statements.returns}
    if len(results) != 1 or results == {NONE}:
        raise Refused(f"{function.__name__} returns values of several kinds")
    return reduce(common, (value.kind for _, value in statements.returns))


# Of a helper: its name, the kind of its result, the arrays that it takes, its text.
Defined = tuple[str, Kind, dict[Symbol, str], str]


OPERAND = object()
DEFINING: Defined = ("", Kind(NONE), {}, "")


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
        found = source(function)
    except (UnsupportedError, OSError) as error:
        raise Refused(str(error).splitlines()[0]) from None
    node = found.node
    if isinstance(node, ast.FunctionDef):
        body = node.body
    else:
        body = [ast.copy_location(ast.Return(node.body), node.body)]
    try:
        made, after = statements.block(body, known)
    except Refused as refused:
        refused.place = refused.place or f"{found.path}:{refused.line + found.line_shift}"
        raise
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
    function: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    of: Kind | Row,
    texts: Texts | None = None,
) -> Program:
    """The program of a function of an element of a kind, or of a row. `texts` has its columns.

    Raises Refused for functions of which Python's results are not known from the kinds alone.
    """
    texts = Texts() if texts is None else texts
    if rule_of(function) is not None or text_calls.is_known(function):
        return _of_known(function, args, kwargs, of, texts)
    if not inspect.isfunction(function):
        raise Refused(f"a {type(function).__name__}, which is not a Python function")
    given = bound_arguments(function, [OPERAND, *args], kwargs)
    first = next(iter(given))
    del given[first]
    names = Names(function, given)
    row = (first, of) if isinstance(of, Row) else None
    definitions: dict[Any, Defined] = {}
    expressions = HelperExpressions(names, row, definitions, texts)
    known = {} if isinstance(of, Row) else {first: of}
    statements, body = rewritten(function, Statements(expressions), known)
    helpers = "".join(text for _, _, _, text in definitions.values())
    columns = tuple(of.used) if isinstance(of, Row) else ()
    if isinstance(of, Row):
        parameters = list(of.used.values())
    else:
        parameters = [] if of.base == TEXT else [f"local_{first}"]
    parameters += texts.arrays.values()
    parameters += [f"number_{each}" for each in names.numbers]
    direct = _direct(body, statements, texts)
    if not parameters and (direct is None or direct[0] == "constant"):
        raise Refused("a function that looks at no element")
    text, kinds = finished(statements, body, parameters)
    numbers = tuple(names.numbers.values())
    return Program(helpers + text, kinds, columns, numbers, texts, tuple(texts.arrays), direct)


def _direct(body: list[Any], statements: Statements, texts: Texts) -> Symbol | None:
    """The symbol of a function's result where that is a whole column of what is asked of texts."""
    *before, last = body
    named = all(
        isinstance(each, ast.Pass)
        or (isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant))
        for each in before
    )
    if not named or len(statements.returns) != 1 or last is not statements.returns[0][0]:
        return None
    value = statements.returns[0][1]
    if value.kind.base == TEXT and isinstance(value.node, ast.Constant):
        return texts.symbols[value.kind.among[0]]
    names = {name: symbol for symbol, name in texts.arrays.items()}
    return names.get(getattr(value.node, "id", ""))


def _of_known(function: Any, args: Any, kwargs: Any, of: Kind | Row, texts: Texts) -> Program:
    """A function of Python's, `math`'s or NumPy's by itself."""
    if args or kwargs or isinstance(of, Row):
        raise Refused("a function that is not Python's, with arguments or of rows")
    if of.base == TEXT:
        value = text_calls.called_alone(texts, function, Expression(ast.Constant(0), of))
    elif function is str:
        value = text_calls.written(texts, Expression(name_node("local_x"), of))
    else:
        value = called(function, [Expression(name_node("local_x"), of)])
    parameters = [] if of.base == TEXT else ["local_x"]
    parameters += texts.arrays.values()
    statements = Statements(Expressions(Names(function, {}), None, texts))
    statement = ast.Return(value.node)
    statements.returns.append((statement, value))
    direct = _direct([statement], statements, texts)
    text, kinds = finished(statements, [statement], parameters)
    return Program(text, kinds, (), (), texts, tuple(texts.arrays), direct)


def finished(
    statements: Statements, body: list[Any], parameters: list[str]
) -> tuple[str, tuple[str, ...]]:
    """The text of `value` and `code`, and the kinds of the results. Raises Refused."""
    kinds = tuple(dict.fromkeys(value.kind.base for _, value in statements.returns))
    if set(kinds) <= {NONE}:
        raise Refused("a function that returns None")
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
        return lambda value: (
            nothing
            if value.kind.base == NONE
            else as_float(value)
            if value.kind.base == TEXT
            else as_exact(value)
        )
    if INT in kinds or TEXT in kinds:
        return lambda value: ast.Constant(0) if value.kind.base == NONE else as_int(value)
    return lambda value: ast.Constant(False) if value.kind.base == NONE else value.node
