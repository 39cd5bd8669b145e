"""A function compiled for one call is not taken for a call that it is not right for."""

from collections import namedtuple

import numpy as np
import pytest
from from_text import function_with

import phalanx
from phalanx import CompileError, cuda

P = namedtuple("P", "x y")
Q = namedtuple("P", "y x")


def half(n, x):
    if n:  # noqa: SIM108
        y = x
    else:
        y = x * 1.5
    return y // 2


def chained(iterable, a):
    for i in iterable:
        a[i + 1] = a[i] + 1
    return a[-1]


def x_of(p):
    return p.x


def x_of_made(kind, x, y):
    p = kind(x, y)
    return p.x


def call(f, x):
    return f(x)


def with_default(c, x):
    def g(a, b=c):
        return a * b

    return call(g, x)


def with_lambda(c, x):
    return call(lambda a, b=c: a * b, x)


def with_function(c, x):
    def inner(a):
        return a * c

    def outer(a, f=inner):
        return f(a)

    return call(outer, x)


def plus(x):
    return x + 1.5


HELPERS = (half, chained, x_of, x_of_made, call, with_default, with_lambda, with_function)

# Two calls of one helper that differ in one thing, which the compiled code depends on.
CALLS = {
    "range": ("chained(prange(tmp.size - 1), tmp)", "chained(range(a.size - 1), a)"),
    "computed_number": ("half(k * 2, 2**60 + 2)", "half(8, 2**60 + 2)"),
    "field_names": ("x_of(P(n, 2 * n))", "x_of(Q(n, 2 * n))"),
    "class": ("x_of_made(P, n, 2 * n)", "x_of_made(Q, n, 2 * n)"),
    "default": ("with_default(2.0, n)", "with_default(3.0, n)"),
    "computed_default": ("with_default(n * 2.0, n)", "with_default(3.0, n)"),
    "computed_defaults": ("with_default(n * 2.0, n)", "with_default(n * 7.0, n)"),
    "lambda_default": ("with_lambda(2.0, n)", "with_lambda(n * 3.0, n)"),
    "function_default": ("with_function(2.0, n)", "with_function(n * 3.0, n)"),
}


def _called(pair, decorate, **options):
    # Helpers call each other: each set has a scope of its own.
    scope = {"np": np, "P": P, "Q": Q, "prange": phalanx.prange}
    for helper in HELPERS:
        copy = type(helper)(helper.__code__, scope, helper.__name__)
        scope[helper.__name__] = decorate(copy) if decorate else copy
    body = f"k, tmp, a = 4, np.zeros(n - 3), np.zeros(400000 * n)\nreturn {pair[0]}, {pair[1]}"
    made = function_with(body, "n", **scope)
    return decorate(made, **options)(5) if decorate else made(5)


def _jit(function, **options):
    return phalanx.njit(function, **options)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", CALLS)
def test_calls_that_differ_do_not_share_code(name, reverse):
    pair = CALLS[name][::-1] if reverse else CALLS[name]
    results = _called(pair, _jit, parallel=True)
    alone = tuple(_called((each, each), _jit, parallel=True)[0] for each in pair)
    assert results == alone
    assert list(map(type, results)) == list(map(type, alone))
    if name != "computed_number":  # where the compiler prunes what Python computes
        assert results == _called(pair, None)


@pytest.mark.parametrize("reverse", [False, True])
def test_kernels_do_not_share_code_between_such_calls(reverse):
    given = cuda.jit(device=True)(call)

    @cuda.jit(device=True)
    def scaled(c, x):
        def g(a, b=c):
            return a * b

        return given(g, x)

    @cuda.jit
    def both(out, reverse):
        if reverse:
            out[1] = scaled(3.0, 1.0)
            out[0] = scaled(2.0, 1.0)
        else:
            out[0] = scaled(2.0, 1.0)
            out[1] = scaled(3.0, 1.0)

    out = np.zeros(2)
    both[1, 1](out, reverse)
    np.testing.assert_array_equal(out, [2, 3])


@pytest.mark.parametrize("reverse", [False, True])
def test_declared_signatures_are_part_of_a_function_handed_over(reverse):
    of_floats = phalanx.njit("float64(float64)")(plus)
    of_integers = phalanx.njit("int64(int64)")(plus)
    first, second = (of_integers, of_floats) if reverse else (of_floats, of_integers)
    apply = phalanx.njit(call)

    @phalanx.njit
    def both(x):
        return apply(first, x), apply(second, x)

    assert both(2) == ((3, 3.5) if reverse else (3.5, 3))


# ---- Classes of one name ----


def meets_in_a_branch(c):
    if c:  # noqa: SIM108
        p = P(1, 2)
    else:
        p = Q(1, 2)
    return p.x


def meets_in_an_expression(c):
    p = P(1, c + 1) if c else Q(1, c + 2)
    return p.x


def meets_in_a_list(c):
    values = [P(c, 2)]
    values.append(Q(1, c))
    return values[1].x


def meets_in_a_return(c):
    if c:
        return P(1, 2)
    return Q(1, 2)


MEETINGS = (meets_in_a_branch, meets_in_an_expression, meets_in_a_list, meets_in_a_return)


@pytest.mark.parametrize("function", MEETINGS)
def test_named_tuples_of_other_fields_do_not_meet(function):
    with pytest.raises(CompileError, match="P"):
        phalanx.njit(function)(1)


def test_named_tuples_of_one_class_meet():
    @phalanx.njit
    def met(c):
        p = P(1, 2.5) if c else P(3.5, 4)
        values = [p]
        values.append(P(c, c))
        return p, values

    assert met(1) == (P(1, 2.5), [P(1, 2.5), P(1, 1)])
    assert met(0) == (P(3.5, 4), [P(3.5, 4), P(0, 0)])
