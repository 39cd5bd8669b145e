"""What users' functions call of texts: `len`, methods of `str`, slices, numbers as texts."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .kinds import (
    BOOL,
    FLOAT,
    INT,
    LIST,
    NONE,
    TEXT,
    Expression,
    Kind,
    Refused,
    constant,
)
from .texts import Symbol, Texts, after, negated, unless

_MOST_POSITION = 2**40
# Whole columns of ints which sums do not carry beyond 64 bits.
_SMALL = {"length", "find", "find each", "count", "part count", "sum"}


def is_small(symbol: Symbol | None) -> bool:
    """True for lengths and positions, and for sums of them."""
    return symbol is not None and symbol[0] in _SMALL


def sum_symbol(sign: ast.operator, left: Expression, right: Expression) -> Symbol | None:
    """The whole column of a sum or a difference of positions; None for other expressions."""
    if not isinstance(sign, (ast.Add, ast.Sub)):
        return None
    parts = [_position(each) for each in (left, right)]
    if None in parts or all(isinstance(each, int) for each in parts):
        return None
    return ("sum", *parts, -1 if isinstance(sign, ast.Sub) else 1)


def _position(given: Expression) -> Any:
    """A constant, or the symbol of a column; None for what has neither."""
    value = given.constant
    if type(value) is int:
        return value if abs(value) < _MOST_POSITION else None
    return given.kind.symbol if is_small(given.kind.symbol) else None


# Methods. A rule takes the number of a column and the arguments, which are of Python or texts.


def _case(texts: Texts, number: int, name: str) -> Expression:
    return texts.text("case", number, name)


def _test(texts: Texts, number: int, name: str) -> Expression:
    return texts.array(BOOL, "test", number, name)


def _strip(texts: Texts, number: int, name: str, characters: Any) -> Expression:
    side = {"strip": "both", "lstrip": "left", "rstrip": "right"}[name]
    return texts.text("strip", number, characters, side)


def _without(texts: Texts, number: int, name: str, affix: str) -> Expression:
    return texts.text("without", number, affix, name == "removeprefix")


def _replace(texts: Texts, number: int, _: str, old: str, new: str, most: int) -> Expression:
    return texts.text("replace", number, old, new, most)


def _pad(texts: Texts, number: int, name: str, width: int, fill: str) -> Expression:
    if len(fill) != 1:
        raise Refused(f"{name}() with more than a character")
    side = {"ljust": "right", "rjust": "left", "center": "both"}[name]
    return texts.text("pad", number, width, side, fill)


def _zfill(texts: Texts, number: int, _: str, width: int) -> Expression:
    return texts.text("zfill", number, width)


def _affix(texts: Texts, number: int, name: str, affixes: Any) -> Expression:
    wanted = affixes if isinstance(affixes, tuple) else (affixes,)
    if not all(type(each) is str for each in wanted):
        raise Refused(f"{name}() of anything but texts")
    return texts.array(BOOL, "affix", number, wanted, name == "startswith")


def _find(
    texts: Texts, number: int, name: str, wanted: Any, first: int | None, last: int | None
) -> Expression:
    if isinstance(wanted, Expression):
        if (first, last) != (None, None) or name.startswith("r"):
            raise Refused(f"{name}() of a text that is no constant")
        made = texts.each(wanted, lambda other: texts.array(INT, "find each", number, other))
        if name == "find":
            return made
        raise Refused("index() of a text that is no constant")
    symbol = ("find", number, wanted, first, last, name.startswith("r"))
    found = texts.array(INT, *symbol)
    if name.endswith("find"):
        return found
    return unless(texts.array(BOOL, "is negative", symbol), found)


def _count(texts: Texts, number: int, _: str, wanted: str) -> Expression:
    return texts.array(INT, "count", number, wanted)


def _split(texts: Texts, number: int, name: str, separator: Any, most: int) -> Expression:
    if separator == "":
        raise Refused("split() by the empty text")
    symbol = ("parts", number, separator, max(most, -1), name == "rsplit")
    return Expression(ast.Constant(0), Kind(LIST, symbol=symbol))


_NEEDED = object()
_TEXT = ((str,), _NEEDED)
_BOUNDS = (((int, type(None)), None), ((int, type(None)), None))
_SEARCH = (((str, Expression), _NEEDED), *_BOUNDS)
_FILL = (((int,), _NEEDED), ((str,), " "))
# By the method: the rule, and of each parameter its name, its types and what it is if left out.
_METHODS: dict[str, tuple[Callable[..., Expression], tuple[str, ...], tuple[Any, ...]]] = {
    **dict.fromkeys(
        ("lower", "upper", "title", "capitalize", "swapcase", "casefold"), (_case, (), ())),
    **dict.fromkeys(
        ("isalpha", "isdigit", "isalnum", "isspace", "islower", "isupper", "isnumeric",
         "isdecimal", "isascii"), (_test, (), ())),
    **dict.fromkeys(("strip", "lstrip", "rstrip"), (_strip, (), (((str, type(None)), None),))),
    **dict.fromkeys(("removeprefix", "removesuffix"), (_without, (), (_TEXT,))),
    "replace": (_replace, (), (_TEXT, _TEXT, ((int,), -1))),
    **dict.fromkeys(("ljust", "rjust", "center"), (_pad, (), _FILL)),
    "zfill": (_zfill, (), (((int,), _NEEDED),)),
    **dict.fromkeys(("startswith", "endswith"), (_affix, (), (((str, tuple), _NEEDED),))),
    **dict.fromkeys(("find", "rfind", "index", "rindex"), (_find, (), _SEARCH)),
    "count": (_count, (), (_TEXT,)),
    **dict.fromkeys(
        ("split", "rsplit"),
        (_split, ("sep", "maxsplit"), (((str, type(None)), None), ((int,), -1)))),
}  # fmt: skip


def method(
    texts: Texts, operand: Expression, name: str, given: list[Any], named: dict[str, Any]
) -> Expression:
    """``text.name(...)``. Raises Refused for methods and arguments that are not known here."""
    if name == "join" and not named:
        return _join(texts, operand, given)
    if operand.kind.base != TEXT or name not in _METHODS:
        raise Refused(f"the method {name}")
    rule, names, parameters = _METHODS[name]
    arguments = _bound(name, names, parameters, given, named)
    if name in ("split", "rsplit") and len(operand.kind.among) > 1:
        raise Refused(f"{name}() of a text that depends on the path")

    def one(number: int) -> Expression:
        literal = texts.literal(number)
        if literal is not None and not any(isinstance(each, Expression) for each in arguments):
            return _value(texts, getattr(literal, name)(*arguments))
        return rule(texts, number, name, *arguments)

    return texts.each(operand, one)


def _bound(
    name: str, names: tuple[str, ...], parameters: Any, given: list[Any], named: dict[str, Any]
) -> list[Any]:
    """The arguments by place, those that are left out included."""
    rest = dict(named)
    made = list(given)
    for place in range(len(given), len(parameters)):
        key = names[place] if place < len(names) else None
        made.append(parameters[place][1] if key is None else rest.pop(key, parameters[place][1]))
    if rest or len(made) > len(parameters) or any(each is _NEEDED for each in made):
        raise Refused(f"{name}() with these arguments")
    for value, (types, _) in zip(made, parameters, strict=True):
        if not isinstance(value, types) or isinstance(value, bool):
            raise Refused(f"{name}() with an argument that is computed, or of another type")
    return made


def _value(texts: Texts, value: Any) -> Expression:
    """What a method gives of a text that is the same in all rows."""
    if isinstance(value, list):
        raise Refused("parts of a constant text")
    return texts.constant(value) if isinstance(value, str) else constant(value)


def _join(texts: Texts, separator: Expression, given: list[Any]) -> Expression:
    if len(given) != 1 or not isinstance(given[0], list):
        raise Refused("join() of anything but a list of texts")
    parts: list[Expression] = []
    for each in given[0]:
        if each.kind.base != TEXT:
            raise Refused("join() of what is no text")
        parts += [separator, each] if parts else [each]
    return texts.joined(parts)


# Functions of Python's.


def called(texts: Texts, function: Any, operands: list[Expression]) -> Expression | None:
    """A call of a function with texts; None for functions that take none."""
    rule = _FUNCTIONS.get(function) if is_known(function) or function in _NUMBERS else None
    if rule is None or len(operands) != 1:
        return None
    return rule(texts, operands[0])


_NUMBERS = (int, float, bool)


def is_known(function: Any) -> bool:
    """True for `len`, `str` and the methods of `str`, as ``str.upper``."""
    if getattr(function, "__objclass__", None) is str:
        return getattr(str, function.__name__, None) is function
    return function is len or function is str


def called_alone(texts: Texts, function: Any, operand: Expression) -> Expression:
    """A function of Python's, of a text. Raises Refused for those that are not known."""
    if getattr(function, "__objclass__", None) is str:
        made = method(texts, operand, function.__name__, [], {})
    else:
        made = called(texts, function, [operand]) or operand
        if made is operand:
            raise Refused(f"the function {getattr(function, '__name__', function)!s:.40} of texts")
    if made.kind.base == LIST:
        raise Refused("a list as a result")
    return made


def _length(texts: Texts, operand: Expression) -> Expression:
    if operand.kind.base == LIST:
        return after(operand, texts.array(INT, "part count", operand.kind.symbol))
    if operand.kind.base != TEXT:
        raise Refused("len() of what is no text")

    def one(number: int) -> Expression:
        literal = texts.literal(number)
        return texts.array(INT, "length", number) if literal is None else constant(len(literal))

    return texts.each(operand, one)


def _read(texts: Texts, operand: Expression, base: str) -> Expression:
    def one(number: int) -> Expression:
        literal = texts.literal(number)
        if literal is not None:
            try:
                value = int(literal) if base == INT else float(literal)
            except ValueError as error:
                raise Refused(str(error)) from None
            if value != value:
                raise Refused("float() of the text of NaN")
            return constant(value)
        wrong = texts.array(BOOL, "no number", number, base)
        found = texts.array(base, "number", number, base)
        return unless(wrong, found)

    if operand.kind.base != TEXT:
        raise Refused(f"{base}() of a list")
    # A number that is read may be any, unlike a length.
    made = texts.each(operand, one)
    return made._replace(kind=Kind(base))


def written(texts: Texts, operand: Expression) -> Expression:
    """``str(operand)``. Raises Refused for numbers that are no column's."""
    if operand.kind.base == TEXT:
        return texts.each(operand, lambda number: Expression(
            ast.Constant(number), Kind(TEXT, among=(number,)), texts.literal(number)))  # fmt: skip
    if operand.constant is not None:
        return texts.constant(str(operand.constant))
    symbol = operand.kind.symbol
    if operand.kind.base not in (INT, FLOAT, BOOL) or symbol is None:
        raise Refused("the text of what is computed")
    return after(operand, texts.text("written", symbol))


_FUNCTIONS: dict[Any, Callable[[Texts, Expression], Expression]] = {
    len: _length,
    str: written,
    int: lambda texts, operand: _read(texts, operand, INT),
    float: lambda texts, operand: _read(texts, operand, FLOAT),
    bool: lambda texts, operand: Expression(texts.truth(operand), Kind(BOOL)),
}


def is_instance(texts: Texts, operand: Expression, of: Any) -> Expression:
    """``isinstance(text, of)``. Raises Refused where that is not known."""
    if operand.kind.base == TEXT and of in (str, float):
        return texts.is_text(operand) if of is str else texts.is_float(operand)
    raise Refused("isinstance() of this")


def missing(texts: Texts, name: str, operand: Expression) -> Expression:
    """`isna` and `notna` of a text."""
    found = texts.is_missing(operand)
    return found if name in ("isna", "isnull") else negated(found)


# Parts.


def element(texts: Texts, operand: Expression, index: Expression) -> Expression:
    """``text[index]``, or a part of `split`. Raises Refused where the index is no constant."""
    place = index.constant
    if type(place) is not int:
        raise Refused("an index that is computed")
    if operand.kind.base == LIST:
        symbol = operand.kind.symbol
        made = texts.text("part", symbol, place)
        # A text without its separator is one part.
        if symbol[2] is None or place not in (0, -1):
            made = unless(texts.array(BOOL, "few parts", symbol, place), made)
        return after(operand, made)
    return texts.each(
        operand,
        lambda number: unless(
            texts.array(BOOL, "short", number, place), texts.text("character", number, place)
        ),
    )


def part(
    texts: Texts, operand: Expression, first: Any, last: Any, step: Expression | None
) -> Expression:
    """``text[first:last:step]`` of expressions or None."""
    if operand.kind.base != TEXT:
        raise Refused("a slice of a list")
    bounds = [None if each is None or each.kind.base == NONE else each for each in (first, last)]
    places = [None if each is None else _position(each) for each in bounds]
    if any(each is not None and place is None for each, place in zip(bounds, places, strict=True)):
        raise Refused("a slice whose bounds are neither numbers nor positions in texts")
    by = 1 if step is None or step.kind.base == NONE else step.constant
    if type(by) is not int or by == 0:
        raise Refused("a slice whose step is no number")
    is_plain = all(place is None or isinstance(place, int) for place in places)
    if not is_plain and by != 1:
        raise Refused("a slice with a step and with bounds that are computed")
    name = "slice" if is_plain else "slice each"
    made = texts.each(
        operand, lambda number: texts.text(name, number, *places, *([by] if is_plain else []))
    )
    for each in bounds:
        made = made if each is None else after(each, made)
    return made


def unpacked(texts: Texts, operand: Expression, count: int) -> list[Expression]:
    """The parts of a list that several names are set to; the first one raises if it has others."""
    symbol = operand.kind.symbol
    parts = [texts.text("part", symbol, place) for place in range(count)]
    parts[0] = unless(texts.array(BOOL, "not as many", symbol, count), parts[0])
    parts[0] = after(operand, parts[0])
    return parts


def repeated(texts: Texts, operand: Expression, times: Expression) -> Expression:
    """``text * times``."""
    often = times.constant
    if type(often) is not int:
        raise Refused("a text as often as a number that is computed")
    return texts.each(operand, lambda number: texts.text("repeat", number, max(often, 0)))
