"""Functions whose text nobody kept: they are read from their bytecode."""

from __future__ import annotations

import ast
import itertools
import subprocess
import sys

import numpy as np
import pytest

from phalanx import _frontend, cuda, errors, njit

BODIES = {
    "arithmetic": "return (a + 2 * b - a // 3) % 7 - (-a)**2, a / 4.0, ~a, a << 2 | b & 6 ^ 1",
    "constants": "return -1, (-2)**a, 10**-3 * a, 2**63 - 1, -0.0, 1e300, True, (1, 2)[0]",
    "comparisons": "return a < b <= 7, not a > b, a == b != 3, (a, b) == (1, 2), a in (1, 2, 3)",
    "conditions": "return a and b, a or b or 3, a if a > b else b if b > 2 else 7, not (a and b)",
    "chains": "return (a if 0 < a < b < 9 else b) + (1 if a < b or b < 3 < a else 5)",
    "branches": """
if a > b and b > 0 or a == 3:
    c = a
elif a < b < 10 and not a == 2:
    c = b
else:
    c = -1
return c""",
    "tuples": """
a, b = b, a; c = d = a; (e, f), g = (a, b), c
h, *i = a, b, d
return e, f, g, h, i[1]""",
    "augmented": """
c = np.zeros(4)
c[a & 3] += b
c[1:3] *= 2
c[:2] = c[2:]
a -= 1
a //= 2
return c.sum() + a""",
    "for_loop": """
c = 0
for i in range(a):
    if i == 2:
        continue
    if i > 5:
        break
    c += i
else:
    c -= 1
return c""",
    "nested_loops": """
c = 0
for i in range(a):
    for j in range(b):
        if i * j > 6:
            break
        c += j
    else:
        continue
    c *= 2
    break
return c""",
    "while_loop": """
c = 0
while a > 0 and c < 9:
    a -= 1
    if a % 2:
        continue
    c += 2
while True:
    c += 1
    if c > 11:
        return c
    if c == b:
        break
return -c""",
    "while_else": """
while a > 0:
    a -= 1
    if a == b:
        break
else:
    b = -b
return a, b""",
    "over_tuples": """
c = 0
for i, (j, k) in enumerate(((a, 1), (b, 2))):
    c += i * j + k
return c""",
    "bound_twice": "a, a = b, a + 1; return a",
    "expressions_that_go_on": "return np.arange(a + 3)[1 if a > b else 2] + (3 if a < b else b)",
    "a_text": """
'What a function says of itself.'
return a + b""",
    "slices": "c = np.arange(12)[a & 3 : 9 : 2]; return c[-1], c.shape[0], len(c), c[::-1][0]",
    "calls": "return max(a, b, 3), round(a / 3, ndigits=1), pow(*(a, 2)), np.float64(a).real",
    "returns_in_loops": """
for i in range(a):
    if i * i > b:
        return i
    while b > 100:
        return -2
return -1""",
    "functions": """
def twice(x, y=3):
    return x * 2 + y + b
three = lambda x: x * 3 if x > 1 else -x
return twice(a), three(b), twice(a, 1)""",
    "walrus": "return (c := a + b) * c",
    "raises": """
if a > 3:
    raise ValueError("too much")
assert b > -100, "too little"
return a""",
}


def made(body: str, filename: str = "<string>"):
    """A function of that body, whose text is gone."""
    lines = ["def f(a, b):", *(f"    {line}" for line in body.strip().splitlines())]
    names = {"np": np}
    exec(compile("\n".join(lines), filename, "exec"), names)
    return names["f"]


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except (ValueError, AssertionError, ZeroDivisionError) as error:
        return repr(error)


@pytest.mark.parametrize("name", BODIES)
def test_a_function_of_exec_is_what_python_runs(name):
    function = made(BODIES[name])
    compiled = njit(function)
    for a, b in itertools.product((0, 1, 4, 7), (1, 3, 8)):
        assert outcome(compiled, a, b) == outcome(function, a, b), (a, b)


def test_a_tree_that_was_compiled_and_a_lambda_of_eval():
    names = {}
    exec(compile(ast.parse("def add(a, b):\n    return a + b"), "<generated>", "exec"), names)
    assert njit(names["add"])(1, 2) == 3
    assert njit(eval("lambda x, y: x * y if x > y else -y"))(3, 2) == 6


def test_kernels_of_exec(device):
    names = {"cuda": cuda}
    exec("def f(x):\n    i = cuda.grid(1)\n    if i < x.size:\n        x[i] += i", names)
    x = np.zeros(5, np.int64)
    cuda.jit(names["f"])[1, 8](x)
    assert x.tolist() == [0, 1, 2, 3, 4]


def test_closures_and_private_names_are_those_of_the_function():
    names = {}
    text = "def outer(k):\n    def f(x):\n        return x + k\n    return f\nf = outer(5)\n"
    text += "class A:\n    @staticmethod\n    def m(__x):\n        return __x + 1\n"
    exec(text, names)
    assert njit(names["f"])(1) == 6
    assert njit(names["A"].m)(1) == 2


def test_an_error_shows_the_line_as_it_was_read():
    with pytest.raises(errors.TypingError, match=r"return a \+ missing"):
        njit(made("return a + missing"))(1, 2)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("with a:\n    return b", "try or with"),
        ("try:\n    return a\nexcept ValueError:\n    return b", "try or with"),
        ("return {x for x in (a, b)}", "comprehension"),
        ("return sum(x for x in (a, b))", "comprehension"),
        ("return f'{a}'", "FORMAT_"),
        ("return max(**{'a': a})", r"\*\*|BUILD_"),
    ],
)
def test_what_is_not_read_says_what_it_is(body, reason):
    with pytest.raises(errors.UnsupportedError, match=reason) as caught:
        _frontend.source(made(body))
    assert "linecache" in str(caught.value)


@pytest.mark.parametrize("octets", [b"", b"\x97\x00", b"\x01\x00" * 40, b"\x53\x00", b"\xe0\xff"])
def test_damaged_bytecode_is_an_error(octets):
    function = made("return a + b")
    function.__code__ = function.__code__.replace(co_code=octets)
    with pytest.raises(errors.UnsupportedError, match="not read from its bytecode"):
        _frontend.source(function)


def test_bytecode_that_was_changed_is_what_is_compiled():
    function = made("return a + b")
    steps = function.__code__.co_code
    minus = made("return a - b").__code__.co_code
    function.__code__ = function.__code__.replace(co_code=minus)
    assert steps != minus
    assert njit(function)(5, 3) == 2


PROGRAM = "from phalanx import njit\n@njit\ndef f(x):\n    return x * 2 + 1\nprint(f(4))\n"


@pytest.mark.parametrize("arguments", [["-c", PROGRAM], ["-"], ["-i", "-q"]])
def test_programs_without_a_file(arguments):
    given = PROGRAM.replace("    return x * 2 + 1\n", "    return x * 2 + 1\n\n")
    text = None if arguments[0] == "-c" else given
    done = subprocess.run(
        [sys.executable, *arguments], input=text, capture_output=True, text=True, check=False
    )
    assert "9" in done.stdout.split(), done.stderr
