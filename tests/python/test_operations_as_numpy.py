"""Every row of ops.def against the function that the row names as its oracle.

Ufuncs in each of their loops, in a kernel, in a CPU function and as a ufunc of the host, and the
functions of `math`: over special values, and for two operands over all pairs of them.
"""

import itertools
import math

import numpy as np
import pytest

import phalanx
from phalanx import _engine, cuda, njit

TABLE = [row for row in _engine.op_table() if row["arity"] <= 2]
# Second names of a ufunc have the loops of the first.
UFUNCS = [
    (row, name)
    for row in TABLE
    for name, _ in {tuple(loops): (name, loops) for name, loops in reversed(row["ufuncs"])}.values()
]
MATH = [
    (row, name.removeprefix("math."))
    for row in TABLE
    for name in row["functions"]
    if name.startswith("math.")
]
# Kernels and NumPy round the results of a library's functions, each in its own way.
ULPS = 4
# Complex powers are exp(y * log(x)), whose error grows with the exponent: NumPy multiplies where it
# is a small whole number. lgamma() has few exact digits near its zeros, Python's too.
FAR = {"power": 200, "lgamma": 200}
# NumPy's result is the first operand or the second; ours has -0 below 0.
EITHER_ZERO = {"minimum", "maximum", "fmin", "fmax"}
# Python's functions of these names give integers.
WHOLE = {"floor", "ceil", "trunc"}


def special_values(dtype):
    """Numbers of all kinds, first those where functions are neither trivial nor out of range."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        near = [0, 1, 2, 3, 7, 31, 32, 63, 64, 100, info.max, info.max - 1, info.max // 2]
        below = [-1, -2, -3, -7, info.min, info.min + 1] if dtype.kind == "i" else []
        return np.array([*near, *below], dtype)
    info = np.finfo(dtype)
    if dtype.kind == "c":
        parts = np.array([0.0, -0.0, 1.0, -2.5, 0.125, 7.0], info.dtype)
        real, imaginary = (each.ravel() for each in np.meshgrid(parts, parts))
        values = np.empty(real.size, dtype)
        values.real, values.imag = real, imaginary
        return values
    some = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 0.3, 7.75, 31.0, 85.5, 1000.0, 32749.0]
    edges = [info.smallest_subnormal, info.tiny, info.eps, info.max, np.inf, np.nan]
    values = np.array([*some, *edges], dtype)
    return np.concatenate([values, -values])


def operands(row, dtype):
    values = special_values(dtype)
    if row["arity"] == 1:
        return (values,)
    x, y = (each.ravel() for each in np.meshgrid(values, values))
    if row["name"] == "power" and np.dtype(dtype).kind == "i":
        x, y = x[y >= 0], y[y >= 0]  # NumPy raises
    return x, y


def expected_of(function, arguments):
    with np.errstate(all="ignore"):
        return function(*arguments)


def ulps_of(row, dtype):
    """How far from NumPy a result may be."""
    is_complex = np.dtype(dtype).kind == "c"
    if row["name"] in FAR and (is_complex or not row["numpy"]):
        return FAR[row["name"]]
    return ULPS if is_complex or row["is_from_library"] else 0


def near(actual, expected, ulps):
    """Where at most `ulps` are between two results, and zeros have their signs."""
    size = np.abs(expected)
    if actual.dtype.kind == "c":
        return np.abs(actual - expected) <= ulps * np.finfo(actual.dtype).eps * size
    is_near = np.abs(actual - expected) <= ulps * np.spacing(size)
    return is_near & ((expected != 0) | (np.signbit(actual) == np.signbit(expected)))


def assert_same(row, where, arguments, actual, expected):
    assert actual.dtype == expected.dtype
    right = actual == expected
    if actual.dtype.kind in "fc":
        with np.errstate(all="ignore"):
            close = near(actual, expected, ulps_of(row, arguments[0].dtype))
        is_zero = right & (expected == 0)
        if actual.dtype.kind == "f" and row["name"] not in EITHER_ZERO:
            right &= ~is_zero | (np.signbit(actual) == np.signbit(expected))
        right |= close | (np.isnan(actual) & np.isnan(expected))
    shown = [tuple(each[~right][:4].tolist()) for each in (*arguments, actual, expected)]
    assert right.all(), (row["name"], where, str(arguments[0].dtype), *shown)


def in_a_kernel(call, arity):
    @cuda.jit
    def of_one(out, x):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = call(x[i])

    @cuda.jit
    def of_two(out, x, y):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = call(x[i], y[i])

    kernel = of_one if arity == 1 else of_two
    return lambda out, *given: kernel[(out.size + 63) // 64, 64](out, *given)


def in_a_function(call, arity):
    @njit(error_model="numpy")
    def of_one(out, x):
        for i in range(out.size):
            out[i] = call(x[i])

    @njit(error_model="numpy")
    def of_two(out, x, y):
        for i in range(out.size):
            out[i] = call(x[i], y[i])

    return of_one if arity == 1 else of_two


def as_a_ufunc(call, arity):
    function = (lambda x: call(x)) if arity == 1 else (lambda x, y: call(x, y))

    def run(out, *given):
        types = ", ".join(str(each.dtype) for each in given)
        made = phalanx.vectorize([f"{out.dtype}({types})"])(function)
        out[...] = made(*given)

    return run


FORMS = {"kernel": in_a_kernel, "function": in_a_function, "ufunc": as_a_ufunc}


@pytest.mark.parametrize(("row", "name"), UFUNCS, ids=[name for _, name in UFUNCS])
def test_ufuncs_of_special_values(device, row, name):
    call = getattr(np, name)
    forms = {where: form(call, row["arity"]) for where, form in FORMS.items()}
    for dtype in dict(row["ufuncs"])[name]:
        arguments = operands(row, dtype)
        expected = expected_of(call, arguments)
        for where, run in forms.items():
            out = np.zeros(expected.shape, expected.dtype)
            run(out, *arguments)
            assert_same(row, where, arguments, out, expected)


def computed_by_python(function, arguments):
    """The arguments for which the function of `math` does not raise, and its results."""
    kept = []
    for given in zip(*(each.tolist() for each in arguments), strict=True):
        try:
            kept.append((*given, function(*given)))
        except (ValueError, OverflowError):
            continue  # C's result is an infinity or no number
    *arguments, expected = (np.array(column) for column in zip(*kept, strict=True))
    return arguments, expected.astype("float64")


@pytest.mark.parametrize(("row", "name"), MATH, ids=[name for _, name in MATH])
def test_functions_of_math(device, row, name):
    call = getattr(math, name)
    arguments = operands(row, "float64")
    if row["name"] == "ldexp":
        arguments = (arguments[0], np.resize(special_values("int32"), arguments[0].size))
    if row["name"] in WHOLE:
        arguments = tuple(each[np.abs(each) < 2.0**62] for each in arguments)
    if row["numpy"] and row["name"] not in WHOLE:
        expected = expected_of(getattr(np, row["numpy"]), arguments)
    else:
        arguments, expected = computed_by_python(call, arguments)
    for form in (in_a_kernel, in_a_function):
        out = np.zeros(expected.shape, expected.dtype)
        form(call, row["arity"])(out, *arguments)
        if row["name"] in WHOLE:
            out += 0.0  # integers have no -0
        assert_same(row, form.__name__, arguments, out, expected)


def test_oracles_exist_and_take_as_many_operands():
    for row in _engine.op_table():
        assert row["doc"]
        for name in {row["numpy"], *(name for name, _ in row["ufuncs"])} - {"", "where"}:
            assert getattr(np, name).nin == row["arity"], name


def test_pairs_of_values_are_all_pairs():
    x, y = operands({"arity": 2, "name": "add"}, "int8")
    assert set(zip(x.tolist(), y.tolist(), strict=True)) == set(
        itertools.product(special_values("int8").tolist(), repeat=2)
    )
