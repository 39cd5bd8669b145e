"""NumPy's and Python's functions of series and arrays in users' functions."""

from __future__ import annotations

import ast
import builtins
from typing import Any

import numpy as np

from .elements import POSITION, Elements
from .kinds import FLOAT, INT, Expression, Kind, Refused, as_float, call, constant, name_node
from .methods import (
    ARRAY_METHODS,
    OF_ARRAY_MEDIAN,
    SERIES_METHODS,
    Rule,
    alike,
    chosen,
    dot,
    number,
)
from .operators import binary


def _elements(given: Any) -> Elements:
    if not isinstance(given, Elements):
        raise Refused("a function of arrays of what is none")
    return given


def _as_method(name: str) -> Rule:
    """NumPy calls the method of a series, which leaves out what is missing."""

    def rule(on: Any, of: Any) -> Any:
        of = _elements(of)
        return (SERIES_METHODS if of.is_series else ARRAY_METHODS)[name](on, of)

    return rule


def _spread(name: str, of_series: bool) -> Rule:
    def rule(on: Any, of: Any, ddof: Any = 0) -> Any:
        of = _elements(of)
        methods = SERIES_METHODS if of.is_series or of_series else ARRAY_METHODS
        return methods[name](on, of, ddof=ddof)

    return rule


def _leaving_out(name: str) -> Rule:
    """``np.nansum`` and the like."""

    def rule(on: Any, of: Any) -> Any:
        of = _elements(of)
        if of.kind.base != FLOAT:
            return ARRAY_METHODS[name](on, of.as_array())
        # An array of which nothing is left gives NaN with a warning, as a series does without.
        return SERIES_METHODS[name](on, of._replace(labels="array"))

    return rule


def _percentile(scale: float, skipna: bool) -> Rule:
    def rule(on: Any, of: Any, q: Any) -> Any:
        part = Expression(as_float(number(q)), Kind(FLOAT))
        if scale != 1:
            part = binary(ast.Div(), part, constant(scale))
        return on.reductions.of_sorted(_elements(of), "quantile", skipna, part.node)

    return rule


def _average(on: Any, of: Any, weights: Any) -> Any:
    values, weights = _elements(of).as_array(), _elements(weights).as_array()
    products = on.combined(lambda a, b: binary(ast.Mult(), a, b), values, weights)
    whole = on.reductions.total(weights, False)
    total = on.reductions.total(products, False)
    # NumPy raises for weights whose sum is zero.
    node = call("divide", as_float(total), as_float(whole))
    return Expression(node, Kind(FLOAT, True))


def _difference(on: Any, of: Any) -> Any:
    of = _elements(of).as_array()
    later, before = on.part_of(of, constant(1), None), on.part_of(of, None, constant(-1))
    made = binary(ast.Sub(), later.element, before.element)
    return later.with_element(made)._replace(bound=later.bound | before.bound)


def _where(on: Any, test: Any, first: Any, second: Any) -> Any:
    made = on.combined(chosen, test, first, second)
    return made.as_array() if isinstance(made, Elements) else made


def _two(name: str) -> Rule:
    def rule(on: Any, first: Any, second: Any) -> Any:
        def of_numbers(a: Expression, b: Expression) -> Expression:
            nodes, kind = alike(a, b)
            function = ast.Attribute(name_node("np"), name, ast.Load())
            return Expression(ast.Call(function, nodes, []), kind)

        return on.combined(of_numbers, first, second)

    return rule


def _range(on: Any, of: Any) -> Any:
    maximum, minimum = (
        ARRAY_METHODS[each](on, _elements(of).as_array()) for each in ("max", "min")
    )
    return binary(ast.Sub(), maximum, minimum)


FUNCTIONS: dict[Any, Rule] = {
    **{getattr(np, name): _as_method(name)
       for name in ("sum", "mean", "min", "max", "prod", "any", "all")},
    **{getattr(np, "nan" + name): _leaving_out(name)
       for name in ("sum", "mean", "min", "max", "prod")},
    np.std: _spread("std", False), np.var: _spread("var", False),
    np.nanstd: _spread("std", True), np.nanvar: _spread("var", True),
    np.median: lambda on, of: OF_ARRAY_MEDIAN(on, _elements(of).as_array()),
    np.nanmedian: lambda on, of: SERIES_METHODS["median"](on, _elements(of)),
    np.percentile: _percentile(100.0, False), np.quantile: _percentile(1, False),
    np.nanpercentile: _percentile(100.0, True), np.nanquantile: _percentile(1, True),
    np.average: _average, np.diff: _difference, np.dot: dot, np.where: _where,
    np.maximum: _two("maximum"), np.minimum: _two("minimum"), np.ptp: _range,
    np.asarray: lambda on, of: _elements(of).as_array(),
    np.array: lambda on, of: _elements(of).as_array(),
    np.size: lambda on, of: on.reductions.length(_elements(of)),
    builtins.len: lambda on, of: on.reductions.length(_elements(of)),
    builtins.sum: lambda on, of: on.reductions.python_sum(_elements(of)),
    builtins.max: lambda on, of: on.reductions.python_extreme(_elements(of), ">"),
    builtins.min: lambda on, of: on.reductions.python_extreme(_elements(of), "<"),
}  # fmt: skip


def arrays_of(on: Any, function: Any, node: ast.Call, known: Any) -> Any:
    """``np.arange``, ``np.ones`` and ``np.zeros``; None for other functions."""
    if not any(function is each for each in (np.arange, np.ones, np.zeros)):
        return None
    given = [on.of(each, known) for each in node.args]
    if node.keywords or any(each.kind.base != INT for each in given) or not 1 <= len(given) <= 2:
        raise Refused("an array made of anything but ints")
    if function is not np.arange and len(given) > 1:
        raise Refused("an array made with a dtype")
    bound: dict[str, Any] = {}
    first, last = [constant(0), *given] if len(given) == 1 else given
    begin, end = (on.binding.element_of(each, bound).node for each in (first, last))
    count = call("max", ast.BinOp(end, ast.Sub(), begin), ast.Constant(0))
    if function is not np.arange:
        return Elements(ast.Constant(float(function is np.ones)), Kind(FLOAT, True), count, bound)
    element = ast.BinOp(begin, ast.Add(), name_node(POSITION))
    return Elements(element, Kind(INT, True), count, bound)
