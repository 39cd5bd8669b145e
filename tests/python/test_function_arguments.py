"""Strings and functions as arguments of CPU functions, ranges in variables, and small language."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
from phalanx.errors import CompileError

from phalanx import cuda, jit, njit

V = np.array([3.0, 1.0, 2.0])


# ---- Strings ----


@njit
def reduced(a, mode="sum", *, power=1):
    if mode == "max":
        return a.max() ** power
    if mode in ("sum", "total"):
        return a.sum() ** power
    raise ValueError("unknown mode", mode)


def test_a_string_is_known_when_the_function_is_compiled():
    assert reduced(V, "max") == 3.0
    assert reduced(V, mode="total", power=2) == 36.0
    assert reduced(V) == 6.0
    with pytest.raises(ValueError, match="unknown mode") as raised:
        reduced(V, "least")
    assert raised.value.args == ("unknown mode", "least")
    assert reduced(V, "max") == 3.0


def test_strings_of_all_kinds():
    @njit
    def same(a, b):
        return a == b

    for text in ("", "it's", 'a "b"', "a\\b", "ä\n", "<function 0>", "x" * 1000):
        assert same(text, text)
        assert not same(text, text + "!")


# ---- Functions ----


@njit
def twice(x):
    return 2 * x


@njit
def square(x):
    return x * x


@njit
def apply(function, a):
    out = np.empty_like(a)
    for i in range(len(a)):
        out[i] = function(a[i])
    return out


def test_a_function_is_an_argument():
    assert apply(twice, V).tolist() == [6.0, 2.0, 4.0]
    assert apply(square, V).tolist() == [9.0, 1.0, 4.0]
    assert apply(twice, V).tolist() == [6.0, 2.0, 4.0]

    @njit
    def both(pair, x):
        return pair[0](x) + pair[1](x)

    assert both((twice, square), 3) == 15
    assert both((square, square), 3) == 18

    @njit
    def optional(function, x):
        return x if function is None else function(x)

    assert optional(None, 3) == 3
    assert optional(twice, 3) == 6


def test_functions_of_one_closure_differ():
    def adder(n):
        return njit(lambda x: x + n)

    for n in range(3):
        assert apply(adder(n), V).tolist() == [3.0 + n, 1.0 + n, 2.0 + n]


_PROGRAM = """
from phalanx import njit
@njit
def first(x): return x + {first}
@njit
def second(x): return x + {second}
@njit
def apply(f, x): return f(x)
print(apply({name}, 1))
"""


def test_the_disk_cache_knows_functions_by_what_they_mean(tmp_path):
    # The functions have other numbers in each process.
    def run(name, first=10, second=20, warm=""):
        file = tmp_path / "program.py"
        file.write_text(_PROGRAM.format(name=name, first=first, second=second) + warm)
        return subprocess.run(
            [sys.executable, str(file)], capture_output=True, text=True, check=True
        ).stdout.split()

    assert run("first") == ["11"]
    assert run("second") == ["21"]
    assert run("first", first=30) == ["31"]
    assert run("second", warm="print(apply(first, 1))\n") == ["21", "11"]


def test_a_python_function_is_refused():
    with pytest.raises(TypeError, match="function"):
        apply(lambda x: x, V)


# ---- Ranges ----


@njit
def ranges(forward, n, step):
    if forward:
        numbers = range(0, n)
    elif step == 1:
        numbers = range(n, 2 * n)
    else:
        numbers = range(n, 0, -step)
    total = 0
    for i in numbers:
        total = 10 * total + i
    return total, len(numbers)


@pytest.mark.parametrize("arguments", [(True, 4, 1), (False, 3, 1), (False, 7, 2), (True, 0, 1)])
def test_a_range_in_a_variable(arguments):
    assert ranges(*arguments) == ranges.py_func(*arguments)


def test_a_range_is_an_argument():
    @njit
    def total(numbers):
        found = 0
        for i in numbers:
            found += i
        return found + len(numbers)

    @njit
    def calls(n):
        return total(range(n)), total(range(n, 0, -2))

    assert calls(5) == (10 + 5, 9 + 3)


@pytest.mark.parametrize("name", ["text", "range"])
def test_what_has_no_type_is_not_returned(name):
    def text(n):
        return f"{n} rows"

    def range_(n):
        return range(n, 2 * n)

    made = njit({"text": text, "range": range_}[name])

    @njit
    def calls(n):
        result = made(n)
        raise ValueError(len(result))

    with pytest.raises(CompileError, match="cannot be returned here"):
        calls(3)


# ---- Exceptions with computed arguments ----


@njit
def fails(n, x, flag):
    if n == 1:
        raise ValueError("n is " + str(n) + ", x " + str(x))
    if n == 2:
        raise ValueError(f"n is {n}, x {x:.3f}, {flag}, {{}} {'text'}")
    if n == 3:
        raise KeyError(n, x, flag, (n, "it's", None), 2.0)
    if n == 4:
        raise ValueError(f"{(n, x)} of {np.uint64(2**63) + np.uint64(n)}")
    return n


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("x", [0.1, float("inf"), -2.0])
def test_exceptions_with_numbers(n, x):
    with pytest.raises(Exception) as expected:
        fails.py_func(n, x, x > 0)
    with pytest.raises(type(expected.value)) as raised:
        fails(n, x, x > 0)
    assert raised.value.args == expected.value.args
    assert fails(5, x, True) == 5


TEXTS = [
    "plain",
    "it's",
    'a "b"',
    "'\"",
    "\\",
    "a\rb",
    "\n\t\v",
    "\0",
    "\x01",
    "\x010i:\x01",
    "\x7f",
    "é",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_of_exceptions_are_pythons(text):
    @njit
    def raises(n, way):
        if way == 0:
            raise ValueError(text, n)
        if way == 1:
            raise ValueError(text + str(n))
        if way == 2:
            raise ValueError(f"{text!r} {text!s} {n!r} {n=} {n:'>4}")
        if way == 3:
            raise ValueError(str((text, n)), repr(text))

    for way in range(4):
        with pytest.raises(ValueError) as expected:
            raises.py_func(3, way)
        with pytest.raises(ValueError) as raised:
            raises(3, way)
        assert raised.value.args == expected.value.args


CONVERSIONS = {
    "ascii": (lambda n: f"{n!a}", "ascii"),
    "computed": (lambda n: f"{str(n)!r}", "is not known"),
    "format": (lambda n: f"{n!s:>5}", "cannot be made a string"),
}


@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversions_that_cannot_be_compiled_are_refused(name):
    text, message = CONVERSIONS[name]
    made = njit(text)

    @njit
    def raises(n):
        raise ValueError(made(n))

    with pytest.raises(CompileError, match=message):
        raises(1)


def test_too_many_numbers_are_refused():
    @njit
    def many(n):
        raise ValueError(n, n, n, n, n, n, n, n, n)

    with pytest.raises(CompileError, match="up to 8 numbers"):
        many(1)


# ---- Small ----


def test_small_language():
    assert njit(lambda a: np.reshape(a, (2, 3)))(np.arange(6.0)).shape == (2, 3)
    assert njit(lambda a: np.reshape(a, -1))(np.ones((2, 3)).T).shape == (6,)
    assert njit(lambda s: type(s)(1) / s)(4.0) == 0.25
    assert njit(lambda x: type(x) == type(2.0))(4.0) is True  # noqa: E721, UP003
    assert njit(lambda x: x + 1, {})(1) == 2


def test_object_mode_is_python():
    @jit(forceobj=True)
    def anything(x):
        return {"x": x}

    assert anything(3) == {"x": 3}
    assert anything.py_func(3) == {"x": 3}
    assert anything.__name__ == "anything"
    assert jit(lambda x: {x}, forceobj=True)(1) == {1}
    with pytest.raises(TypeError, match="option of jit"):
        njit(forceobj=True)


def test_a_cpu_function_is_made_a_device_function():
    device = cuda.jit(device=True)(twice)

    @cuda.jit
    def kernel(out):
        out[0] = device(3.0)

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 6.0


# ---- Python's random ----


@njit
def drawn(seed):
    random.seed(seed)
    return (
        random.uniform(2.0, 5.0), random.gauss(0.0, 1.0), random.gauss(1.0, 2.0),
        random.normalvariate(0.0, 1.0), random.randint(1, 6), random.randrange(10),
        random.randrange(3, 9), random.randrange(0, 100, 7), random.expovariate(2.0),
        random.triangular(0.0, 1.0), random.triangular(0.0, 1.0, 0.3),
        random.betavariate(2.0, 3.0), random.gammavariate(2.0, 3.0),
        random.lognormvariate(0.0, 1.0), random.paretovariate(3.0),
        random.weibullvariate(1.0, 2.0), random.vonmisesvariate(0.0, 4.0),
        random.getrandbits(10),
    )  # fmt: skip


# What numba.njit gives for the same function and seed 7.
DRAWN = (
    2.2289248681218714, -0.3206032549443759, 3.9141664574669552, 0.09316606097975175, 1, 6, 5, 0,
    0.3464561049094261, 0.5995190367326684, 0.6293483107728535, 0.4301259283533549,
    2.82504959503464, 24.55498059238648, 2.4405245876045676, 0.15879060729959088,
    0.18828092354259715, 136,
)  # fmt: skip


def test_random_gives_numbas_numbers():
    assert drawn(7) == pytest.approx(DRAWN, rel=1e-14)
    assert drawn(7) == drawn(7)
    assert drawn(7) != drawn(8)

    @njit
    def shuffled(seed):
        random.seed(seed)
        a = np.arange(10)
        random.shuffle(a)
        return a

    assert shuffled(3).tolist() == [9, 2, 6, 3, 5, 7, 0, 4, 1, 8]


def test_random_has_a_generator_of_its_own():
    @njit
    def mixed(seed):
        random.seed(seed)
        np.random.seed(seed + 1)
        return random.random(), np.random.random(), random.random(), np.random.random()

    first, second = np.random.RandomState(5), np.random.RandomState(6)
    expected = (first.random(), second.random(), first.random(), second.random())
    assert mixed(5) == expected

    @njit
    def unseeded():
        return random.random()

    random.seed(0)
    before = random.getstate()
    assert 0.0 <= unseeded() < 1.0
    assert random.getstate() == before


def test_random_takes_lists_and_vectors():
    @njit
    def chosen(seed, a):
        random.seed(seed)
        values = [10, 20, 30]
        random.shuffle(values)
        return values, random.choice(values), random.choice(a), random.choice((1, 2, 3))

    values, one, other, third = chosen(1, V)
    assert sorted(values) == [10, 20, 30]
    assert one in values and other in V and third in (1, 2, 3)
    with pytest.raises(ValueError, match="empty range"):
        njit(lambda: random.randrange(3, 3))()
    with pytest.raises(IndexError, match="empty sequence"):
        njit(lambda: random.choice(np.zeros(0)))()


def test_functions_with_such_arguments_pickle():
    assert pickle.loads(pickle.dumps(reduced))(V, "max") == 3.0


# ---- Integers of other types than the declared ----

NUMBERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
NUMBERS += ("float32", "float64", "complex128")
INTEGERS = (-1, 300, 2**31, 2**32, 2**63, 2**64, -(2**63) - 1)
INTEGERS += (np.int8(-1), np.int64(-1), np.uint8(200), np.uint64(2**63), True)


def outcome(function, *arguments):
    try:
        result = function(*arguments)
    except OverflowError:
        return OverflowError
    return type(result), result


@pytest.mark.parametrize("number", NUMBERS)
def test_an_integer_as_the_declared_type_is_numbas(number):
    numba = pytest.importorskip("numba")
    alone = f"{number}({number})", lambda x: x, lambda n: n
    in_tuple = f"{number}(Tuple((int64, {number})))", lambda x: x[1], lambda n: (1, n)
    for signature, function, argument in (alone, in_tuple):
        ours, theirs = njit(signature)(function), numba.njit(signature)(function)
        for value in INTEGERS:
            given = argument(value)
            assert outcome(ours, given) == outcome(theirs, given), (signature, value)


def test_an_integer_that_no_declared_type_takes():
    with pytest.raises(OverflowError, match=r"<lambda>.* passed as uint8.*0 to 2\*\*64 - 1"):
        njit("uint8(uint8)")(lambda x: x)(-1)
    with pytest.raises(OverflowError, match="too large for a float"):
        njit("float64(float64)")(lambda x: x)(10**400)
    with pytest.raises(TypeError, match="does not fit 64 bits"):
        njit(lambda x: x)(2**64)
