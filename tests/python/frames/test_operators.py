"""Operators and their methods: labels that meet, dtypes, missing values; against pandas."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from .against_pandas import check, check_all
from .frame_samples import COLUMNS, LEVELS, NUMBERS, SERIES

ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.ge]
METHODS = [
    "add",
    "radd",
    "sub",
    "rsub",
    "mul",
    "truediv",
    "rtruediv",
    "floordiv",
    "mod",
    "pow",
    "rpow",
]
NAMES = ["eq", "ne", "lt", "le", "gt", "ge"]
KINDS = ("int", "float", "str", "datetime", "timedelta", "category")


@pytest.mark.parametrize("operation", ARITHMETIC + COMPARISONS)
@pytest.mark.parametrize("kind", KINDS)
def test_labels_meet(operation, kind):
    left = SERIES[f"{kind}/range"]
    check(operation, left, SERIES[f"{kind}/int"])
    check(operation, SERIES[f"{kind}/str"], SERIES[f"{kind}/repeated"])
    check(operation, left, left.iloc[::-1])
    check(operation, left, left.iloc[:0])


@pytest.mark.parametrize("operation", ARITHMETIC + COMPARISONS)
def test_lists_and_arrays(operation):
    check(lambda s: operation(s, [1, 2, 3, 4]), SERIES["int/str"])
    check(lambda s: operation(s, np.array([1.5, 2, 3, 4])), SERIES["int/str"])
    check(lambda s: operation([1, 2, 3, 4], s), SERIES["float/str"])
    check(lambda s: operation(s, [1, 2]), SERIES["int/str"])


@pytest.mark.parametrize("operation", [operator.and_, operator.or_, operator.xor])
def test_logic(operation):
    bools = SERIES["bool/str"]
    check(operation, bools, SERIES["bool/repeated"])
    check(operation, bools, ~bools)
    check(lambda s: operation(s, True), bools)
    check(lambda s: operation(False, s), bools)
    check(lambda s: operation(s, [True, False, True, False]), bools)
    check(operation, SERIES["boolean/str"], bools)


@pytest.mark.parametrize("name", METHODS + NAMES)
def test_methods_of_series(name):
    for kind in ("int", "float", "Int64"):
        left = SERIES[f"{kind}/range"]
        right = SERIES[f"{kind}/int"].iloc[:3].set_axis([2, 3, 4])
        # pandas looks at what lies below missing rows: by chance a negative power.
        if kind != "Int64" or name not in ("pow", "rpow"):
            check(lambda a, b: getattr(a, name)(b), left, right)
            check(lambda a, b: getattr(a, name)(b, fill_value=7), left, right)
        check(lambda a: getattr(a, name)(2, fill_value=7), left)


@pytest.mark.parametrize("name", METHODS + NAMES)
def test_methods_of_frames(name):
    left, right = NUMBERS[["a", "b"]], NUMBERS[["b", "a"]].iloc[1:]
    check(lambda a, b: getattr(a, name)(b), left, right)
    check(lambda a: getattr(a, name)(2), left)
    check(lambda a: getattr(a, name)(a.iloc[0]), left)
    check(lambda a: getattr(a, name)(a["a"], axis=0), left)
    check(lambda a: getattr(a, name)([1, 2]), left)
    if name in METHODS:
        check(lambda a, b: getattr(a, name)(b, fill_value=3), left, right)


@pytest.mark.parametrize("operation", ARITHMETIC + COMPARISONS)
def test_frames(operation):
    left, right = NUMBERS[["a", "b"]], NUMBERS[["b"]].iloc[1:]
    row = NUMBERS[["b", "a"]].iloc[1]
    check(operation, left, left)
    check(operation, left, right)
    check(operation, left, row)
    check(operation, row, left)
    check(lambda a: operation(a, a.values), left)
    check(lambda a: operation(a, [1, 2, 3]), left)
    check(lambda a: operation(a, a.iloc[::-1]), LEVELS)


@pytest.mark.parametrize("function", [np.sqrt, np.exp, np.abs, np.floor, np.isnan, np.negative])
def test_functions_of_numpy(function):
    check_all(function, {kind: SERIES[f"{kind}/str"] for kind in ("int", "float", "Int64")})
    check(function, NUMBERS[["a", "b"]])


@pytest.mark.parametrize("function", [np.add, np.maximum, np.arctan2, np.less])
def test_functions_of_two(function):
    check(function, SERIES["int/str"], SERIES["float/repeated"])
    check(lambda s: function(s, 2), SERIES["int/str"])
    check(lambda s: function(2.5, s), SERIES["int/str"])
    check(lambda d: function(d, 1.5), NUMBERS[["a", "b"]])


def test_functions_with_two_results():
    check(lambda s: np.modf(s), SERIES["float/str"])
    check(lambda s: divmod(s, 2), SERIES["int/str"])
    check(lambda s: s.divmod(2), SERIES["float/str"])


def test_reductions_of_numpy():
    check(lambda s: (np.add.reduce(s), np.sum(s), np.max(s), np.mean(s)), SERIES["float/str"])
    check(lambda d: np.sum(d, axis=0), NUMBERS)


def test_in_place():
    def program(s, d):
        t, e = s, d
        t += 1
        e *= 2
        return s, d, t is s

    check(program, SERIES["int/str"], NUMBERS[["a", "b"]])


@pytest.mark.parametrize("kind", COLUMNS)
def test_signs(kind):
    for sign in (operator.neg, operator.pos, operator.invert, abs):
        check(sign, SERIES[f"{kind}/str"])


def test_names():
    left, right = SERIES["int/str"], SERIES["int/str"].rename("other")
    check(lambda a, b: (a + b, a + a, a + b.rename("name")), left, right)
