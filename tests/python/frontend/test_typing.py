"""Types of whole functions against Numba, where the rules are the front end's own."""

from __future__ import annotations

import itertools

import pytest

from phalanx import _engine, errors

numba = pytest.importorskip("numba")

from numba.core.registry import cpu_target  # noqa: E402

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


@pytest.fixture(scope="module", autouse=True)
def context():
    # Numba learns the types of operators when it first compiles; its inference alone does not.
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context


def one(stop):  # noqa: RET503
    for i in range(stop):
        return i


def two(start, stop):  # noqa: RET503
    for i in range(start, stop):
        return i


def three(start, stop, step):  # noqa: RET503
    for i in range(start, stop, step):
        return i


@pytest.mark.parametrize(("function", "arity"), [(one, 1), (two, 2), (three, 3)])
def test_numbers_of_a_range_have_numbas_type(context, function, arity):
    for operands in itertools.product(INTEGERS, repeat=arity):
        types = tuple(getattr(numba.types, each) for each in operands)
        state = str(context.resolve_function_type(range, types, {}).return_type)
        result = _engine.result_of_python(
            function, [_engine.Type.scalar(each) for each in operands]
        )
        assert f"range_state_{result.dtype}" == state, operands


def join(flag, a, b):
    if flag:  # noqa: SIM108
        x = a
    else:
        x = b
    return x


def widen(n, a, b):
    x = a
    for _ in range(n):
        x = x + b
    return x


def choose(flag, a, b):
    return a if flag else b


def power(_flag, a, _b):
    return a**2


def in_place(_flag, a, b):
    a //= b
    return a


DTYPES = ["bool", *INTEGERS, "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("function", [join, widen, choose, power, in_place])
def test_functions_return_what_numba_says(function):
    for operands in itertools.product(["int64"], DTYPES[::2], DTYPES[1::3]):
        types = tuple(getattr(numba.types, each) for each in operands)
        expected = numbas_result(function, types)
        names = ["boolean" if each == "bool" else each for each in operands]
        scalars = [_engine.Type.scalar(each) for each in names]
        try:
            actual = _engine.result_of_python(function, scalars).dtype
        except errors.TypingError:
            actual = None
        actual = "bool" if actual == "boolean" else actual
        assert actual == expected, (function.__name__, operands)


def numbas_result(function, types):
    from numba.core import typed_passes
    from numba.core.compiler import run_frontend
    from numba.core.errors import NumbaError

    try:
        typed = typed_passes.type_inference_stage(
            cpu_target.typing_context,
            cpu_target.target_context,
            run_frontend(function),
            types,
            None,
        )
    except NumbaError:
        return None
    return str(typed.return_type)
