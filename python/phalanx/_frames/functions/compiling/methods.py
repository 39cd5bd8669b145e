"""Methods of series and of arrays in users' functions: what pandas and NumPy make of each."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

from .elements import POSITION, Elements, moved, text
from .kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    Expression,
    Kind,
    Refused,
    as_float,
    as_int,
    call,
    constant,
    name_node,
)
from .operators import binary, compared

# A rule takes the `SliceExpressions`, the elements, and the call's arguments.
Rule = Callable[..., Any]


def applied(rule: Rule, expressions: Any, of: Any, args: list[Any], keywords: Any) -> Any:
    """What a rule gives. Raises Refused for arguments that it does not take."""
    try:
        bound = inspect.signature(rule).bind(expressions, of, *args, **keywords)
    except TypeError as error:
        raise Refused(f"these arguments: {error}") from None
    return rule(*bound.args, **bound.kwargs)


def plain(given: Any) -> Any:
    """An argument that must be written as a constant."""
    if isinstance(given, Expression):
        if given.constant is None and given.kind.base != NONE:
            raise Refused("an argument that is computed, where a constant is needed")
        return given.constant
    if isinstance(given, Elements):
        raise Refused("a series as this argument")
    return given


def number(given: Any) -> Expression:
    """An argument that must be a number."""
    if isinstance(given, Elements):
        raise Refused("a series or an array as this argument")
    made = given if isinstance(given, Expression) else constant(given)
    if made.kind.base not in (INT, FLOAT, BOOL):
        raise Refused("None as this argument")
    return made


def _ddof(given: Any) -> int:
    found = plain(given)
    if type(found) is not int:
        raise Refused(f"ddof={found!r}")
    return found


# Reductions.


def _reduction(name: str) -> Rule:
    def rule(on: Any, of: Elements, skipna: Any = True) -> Any:
        return getattr(on.reductions, name)(of, bool(plain(skipna)))

    return rule


def _extreme(sign: str) -> Rule:
    def rule(on: Any, of: Elements, skipna: Any = True) -> Any:
        return on.reductions.extreme(of, sign, bool(plain(skipna)))

    return rule


def _truth(which: str) -> Rule:
    def rule(on: Any, of: Elements, skipna: Any = True) -> Any:
        return on.reductions.truth(of, which, bool(plain(skipna)))

    return rule


def _var(on: Any, of: Elements, ddof: Any = 1, skipna: Any = True) -> Any:
    return on.reductions.variance(of, _ddof(ddof), bool(plain(skipna)))


def _root(found: Expression) -> Expression:
    node = ast.Attribute(name_node("np"), "sqrt", ast.Load())
    return Expression(ast.Call(node, [found.node], []), Kind(FLOAT, True))


def _std(on: Any, of: Elements, ddof: Any = 1, skipna: Any = True) -> Any:
    return _root(_var(on, of, ddof, skipna))


def _sem(on: Any, of: Elements, ddof: Any = 1, skipna: Any = True) -> Any:
    there = on.reductions.count(of) if plain(skipna) else on.reductions.length(of)
    return binary(
        ast.Div(), _std(on, of, ddof, skipna), _root(Expression(as_float(there), there.kind))
    )


def _median(on: Any, of: Elements, skipna: Any = True) -> Any:
    return on.reductions.of_sorted(of, "median", bool(plain(skipna)))


def _quantile(on: Any, of: Elements, q: Any = 0.5) -> Any:
    return on.reductions.of_sorted(of, "quantile", True, as_float(number(q)))


def _nunique(on: Any, of: Elements) -> Any:
    return on.reductions.of_sorted(of, "nunique", True)


def _count(on: Any, of: Elements) -> Any:
    return on.reductions.count(of)


# Elements.


def _numbered(on: Any, of: Elements, rule: Callable[..., Expression], *others: Any) -> Any:
    return on.combined(rule, of, *(constant(each) if _is_plain(each) else each for each in others))


def _is_plain(given: Any) -> bool:
    return not isinstance(given, (Expression, Elements))


def _operator(sign: ast.operator) -> Rule:
    def rule(on: Any, of: Elements, other: Any) -> Any:
        return _numbered(on, of, lambda a, b: binary(sign, a, b), other)

    return rule


def _comparison(sign: ast.cmpop) -> Rule:
    def rule(on: Any, of: Elements, other: Any) -> Any:
        return _numbered(on, of, lambda a, b: compared(sign, a, b), other)

    return rule


def alike(*operands: Expression) -> tuple[list[Any], Kind]:
    """The nodes of numbers in the kind that NumPy gives them together."""
    bases = {each.kind.base for each in operands}
    if not bases <= {INT, FLOAT, BOOL} or (BOOL in bases and len(bases) > 1):
        raise Refused("numbers of several kinds: convert them first")
    if FLOAT in bases:
        return [as_float(each) for each in operands], Kind(FLOAT, True)
    return [each.node for each in operands], Kind(bases.pop(), True)


def chosen(test: Expression, first: Expression, second: Expression) -> Expression:
    """The element of ``np.where``."""
    if test.kind.base != BOOL:
        raise Refused("a choice by what is no bool")
    nodes, kind = alike(first, second)
    return Expression(ast.IfExp(test.node, *nodes), kind)


def _two(name: str) -> Callable[..., Expression]:
    def rule(first: Expression, second: Expression) -> Expression:
        nodes, kind = alike(first, second)
        if kind.base == BOOL:
            raise Refused(f"{name} of bools")
        return Expression(call(name, *nodes), kind)

    return rule


def _clip(on: Any, of: Elements, lower: Any = None, upper: Any = None) -> Any:
    for given, name in ((lower, "at_least"), (upper, "at_most")):
        limit = given if isinstance(given, (Expression, Elements)) else constant(given)
        if isinstance(limit, Elements):
            raise Refused("clip() by a series")
        if limit.kind.base == NONE:
            continue
        if limit.kind.base != of.kind.base and of.kind.base != FLOAT:
            raise Refused("clip() of ints by floats")
        of = _numbered(on, of, _two(name), limit)
    return of


def _fillna(on: Any, of: Elements, value: Any) -> Any:
    if of.kind.base != FLOAT:
        return of
    return _numbered(on, of, _two("filled"), number(value))


def missing(on: Any, of: Elements) -> Any:
    """``isna``: which elements are NaN."""

    def rule(each: Expression) -> Expression:
        if each.kind.base != FLOAT:
            return Expression(ast.Constant(False), Kind(BOOL, True))
        return Expression(call("is_nan", each.node), Kind(BOOL, True))

    return on.combined(rule, of)


def inverted(each: Expression) -> Expression:
    """``~`` of a bool."""
    return Expression(ast.UnaryOp(ast.Not(), each.node), Kind(BOOL, True))


def _there(on: Any, of: Elements) -> Any:
    return on.combined(inverted, missing(on, of))


def _dropna(on: Any, of: Elements) -> Any:
    return kept(on, of, _there(on, of)) if of.kind.base == FLOAT else of


def kept(on: Any, of: Elements, mask: Elements) -> Elements:
    """The elements where a mask is true."""
    if mask.kind.base != BOOL:
        raise Refused("a subscript that is no mask of bools")
    both = on.combined(lambda a, b: b, of, mask)
    test = both.node if of.kept is None else ast.BoolOp(ast.And(), [of.kept, both.node])
    made = of._replace(bound=both.bound, count=both.count, kept=test)
    if of.labels is not None:
        made = made._replace(labels=f"{of.labels} where {text(test)}")
    return made


def _astype(on: Any, of: Elements, dtype: Any) -> Any:
    base = on.base_of_dtype(dtype)
    if base == FLOAT:
        return of.with_element(Expression(as_float(of.element), Kind(FLOAT)))
    if base == INT and of.kind.base != FLOAT:
        return of.with_element(Expression(as_int(of.element), Kind(INT)))
    if base == of.kind.base:
        return of
    raise Refused(f"astype() of {of.kind.base} to {base}")


def _periods(given: Any) -> int:
    found = plain(given)
    if type(found) is not int or found == 0:
        raise Refused(f"a shift by {found!r}")
    return found


def _shift(on: Any, of: Elements, periods: Any = 1) -> Any:
    if of.kept is not None or of.kind.base == BOOL:
        raise Refused("shift() of what is filtered, or of bools")
    place = ast.BinOp(name_node(POSITION), ast.Sub(), ast.Constant(_periods(periods)))
    zero = ast.Constant(0)
    inside = ast.Compare(zero, [ast.LtE(), ast.Lt()], [place, of.count])
    node = ast.IfExp(inside, moved(as_float(of.element), place), call("float", ast.Constant("nan")))
    return of.with_element(Expression(node, Kind(FLOAT)))


def _diff(on: Any, of: Elements, periods: Any = 1) -> Any:
    return on.combined(lambda a, b: binary(ast.Sub(), a, b), of, _shift(on, of, periods))


def _pct_change(on: Any, of: Elements, periods: Any = 1) -> Any:
    ratio = on.combined(lambda a, b: binary(ast.Div(), a, b), of, _shift(on, of, periods))
    return on.combined(lambda a: binary(ast.Sub(), a, constant(1)), ratio)


def _where(on: Any, of: Elements, cond: Any, other: Any = float("nan")) -> Any:
    if not isinstance(cond, Elements):
        raise Refused("where() of what is no mask")
    return _numbered(on, of, lambda a, test, b: chosen(test, a, b), cond, other)


def _mask(on: Any, of: Elements, cond: Any, other: Any = float("nan")) -> Any:
    if not isinstance(cond, Elements):
        raise Refused("mask() of what is no mask")
    return _numbered(on, of, lambda a, test, b: chosen(test, b, a), cond, other)


def _between(on: Any, of: Elements, left: Any, right: Any) -> Any:
    low = _numbered(on, of, lambda a, b: compared(ast.GtE(), a, b), left)
    high = _numbered(on, of, lambda a, b: compared(ast.LtE(), a, b), right)
    return on.combined(lambda a, b: binary(ast.BitAnd(), a, b), low, high)


def absolute(on: Any, of: Elements) -> Any:
    """``abs``."""
    return on.combined(lambda each: on.numbers_call(abs, each), of)


def _head(on: Any, of: Elements, n: Any = 5) -> Any:
    return on.part_of(of, None, number(n))


def _tail(on: Any, of: Elements, n: Any = 5) -> Any:
    count = plain(number(n))
    if type(count) is not int or count <= 0:
        raise Refused(f"tail({count!r})")
    return on.part_of(of, constant(-count), None)


def _same(on: Any, of: Elements) -> Any:
    return of


def _array(on: Any, of: Elements) -> Any:
    return of.as_array()


# Arrays.


def _of_array(rule: Rule) -> Rule:
    """A reduction that leaves nothing out."""
    return lambda on, of: rule(on, of, skipna=False)


def _array_var(on: Any, of: Elements, ddof: Any = 0) -> Any:
    return _var(on, of, ddof, False)


def _array_std(on: Any, of: Elements, ddof: Any = 0) -> Any:
    return _std(on, of, ddof, False)


def dot(on: Any, of: Any, other: Any) -> Any:
    """``np.dot`` of two arrays, or ``Series.dot``."""
    if not isinstance(of, Elements) or not isinstance(other, Elements):
        raise Refused("dot() of what is no array")
    products = on.combined(lambda a, b: binary(ast.Mult(), a, b), of, other)
    return on.reductions.total(products, False)


def _corr(on: Any, of: Elements, other: Any) -> Any:
    if not isinstance(other, Elements) or not other.is_series or of.labels != other.labels:
        raise Refused("corr() of series whose labels differ")
    return on.reductions.correlation(of, other)


_OPERATORS = {
    "add": ast.Add(), "sub": ast.Sub(), "subtract": ast.Sub(), "mul": ast.Mult(),
    "multiply": ast.Mult(), "div": ast.Div(), "divide": ast.Div(), "truediv": ast.Div(),
    "floordiv": ast.FloorDiv(), "mod": ast.Mod(), "pow": ast.Pow(),
}  # fmt: skip
_COMPARISONS = {
    "eq": ast.Eq(), "ne": ast.NotEq(), "lt": ast.Lt(), "le": ast.LtE(), "gt": ast.Gt(),
    "ge": ast.GtE(),
}  # fmt: skip
_REDUCING: dict[str, Rule] = {
    "sum": _reduction("total"), "mean": _reduction("mean"), "prod": _reduction("product"),
    "min": _extreme("<"), "max": _extreme(">"), "any": _truth("any"), "all": _truth("all"),
    "median": _median,
}  # fmt: skip
SERIES_METHODS: dict[str, Rule] = {
    **_REDUCING, "product": _REDUCING["prod"], "var": _var, "std": _std, "sem": _sem,
    "quantile": _quantile, "nunique": _nunique, "count": _count, "dot": dot,
    "corr": _corr,
    **{name: _operator(sign) for name, sign in _OPERATORS.items()},
    **{name: _comparison(sign) for name, sign in _COMPARISONS.items()},
    "clip": _clip, "fillna": _fillna, "isna": missing, "isnull": missing, "notna": _there,
    "notnull": _there, "dropna": _dropna, "astype": _astype, "shift": _shift, "diff": _diff,
    "pct_change": _pct_change, "where": _where, "mask": _mask, "between": _between,
    "abs": absolute, "head": _head, "tail": _tail, "copy": _same, "to_numpy": _array,
}  # fmt: skip
ARRAY_METHODS: dict[str, Rule] = {
    **{name: _of_array(rule) for name, rule in _REDUCING.items() if name != "median"},
    "var": _array_var, "std": _array_std, "clip": _clip, "astype": _astype, "copy": _same,
    "argmax": lambda on, of: on.reductions.first_extreme(of, ">"),
    "argmin": lambda on, of: on.reductions.first_extreme(of, "<"), "dot": dot,
}  # fmt: skip
OF_ARRAY_MEDIAN = _of_array(_median)
