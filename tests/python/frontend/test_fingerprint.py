"""Cache keys: another meaning gives another key, the same meaning the same key."""

# ruff: noqa: E501

from __future__ import annotations

import collections
import enum
import math
import textwrap
import types

import numpy as np
import pytest
from phalanx._frontend import fingerprint

from phalanx import cuda
from phalanx import types as phalanx_types

Pair = collections.namedtuple("Pair", "a b")


class Color(enum.Enum):
    RED = 1


class Grey(enum.Enum):
    RED = 2


def key(value):
    """The key of a function that refers to the value as a global."""
    return fingerprint(with_global(value))


def with_global(value):
    names = {"value": value}
    exec(compile("def f(x):\n    return value\n", "f.py", "exec"), names)
    return names["f"]


def helper_one(x):
    return x + 1


def helper_two(x):
    return x + 2


DIFFERENT = [
    None, True, False, 0, 1, 2, 1.0, -0.0, 0.0, math.nan, 1j, "a", "b", b"a", ..., 2**70,
    (), (1,), (1, 2), (1.0, 2), ((1,), 2), Pair(1, 2),
    math.sin, math.cos, len, range, float, ValueError,
    cuda.grid, cuda.threadIdx, cuda.shared, cuda.atomic.add, phalanx_types.float32, phalanx_types.int64,
    phalanx_types.float32[:], phalanx_types.float32[::1],
    np.float32(1), np.float64(1), np.float64(2), np.int32(1), np.bool_(True), np.float32, np.float64,
    np.sin, np.cos, np.dtype("f4"), np.dtype([("x", "f4")]), np.dtype([("y", "f4")]),
    np.zeros(2), np.zeros(3), np.ones(2), np.zeros(2, np.float32), np.zeros((1, 2)), np.zeros((2, 1)),
    np.array([1, 2]), np.array([2, 1]), np.zeros(2, [("x", "f4")]),
    Color, Grey, Color.RED, Grey.RED, Pair,
    helper_one, helper_two, lambda x: x, lambda x: -x, cuda.jit(device=True)(helper_two),
]  # fmt: skip


def test_every_value_has_a_key_of_its_own():
    keys = [key(value) for value in DIFFERENT]
    assert None not in keys
    by_key = collections.defaultdict(list)
    for value, each in zip(DIFFERENT, keys, strict=True):
        by_key[each].append(value)
    assert [values for values in by_key.values() if len(values) > 1] == []


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.arange(5.0),
        lambda: (1, "a", np.float32(2)),
        lambda: Pair(1, np.zeros(2)),
        lambda: phalanx_types.float32[:, ::1],
        lambda: with_global(5),
    ],
)
def test_equal_values_have_equal_keys(make):
    assert key(make()) == key(make())


@pytest.mark.parametrize("value", [{}, [], object(), types.SimpleNamespace(x=1), math, np, {1, 2}])
def test_what_may_change_unseen_has_no_key(value):
    assert key(value) is None


def test_an_array_changed_in_place_changes_the_key():
    array = np.zeros(4)
    function = with_global(array)
    before = fingerprint(function)
    array[2] = 1
    assert fingerprint(function) != before


def test_closure_variables_count():
    def make(offset):
        def function(x):
            return x + offset

        return function

    assert fingerprint(make(1)) == fingerprint(make(1))
    assert fingerprint(make(1)) != fingerprint(make(2))


def test_functions_called_by_functions_count():
    def make(constant):
        names = {}
        text = (
            f"def g(x):\n return x + {constant}\ndef h(x):\n return g(x)\ndef f(x):\n return h(x)\n"
        )
        exec(compile(text, "f.py", "exec"), names)
        return names["f"]

    assert fingerprint(make(1)) == fingerprint(make(1))
    assert fingerprint(make(1)) != fingerprint(make(2))


def test_names_used_only_in_nested_functions_count():
    def make(value):
        names = {"value": value}
        exec(compile("def f(x):\n return (lambda y: y + value)(x)\n", "f.py", "exec"), names)
        return names["f"]

    assert fingerprint(make(1)) != fingerprint(make(2))


def test_attributes_of_modules_count_by_their_value():
    def make(value):
        module = types.ModuleType("settings")
        module.size = value
        names = {"settings": module}
        exec(compile("def f(x):\n return settings.size\n", "f.py", "exec"), names)
        return names["f"]

    assert fingerprint(make(1)) == fingerprint(make(1))
    assert fingerprint(make(1)) != fingerprint(make(2))


def test_defaults_count():
    def make(value):
        def function(x, y=value, *, z=3):
            return x + y + z

        return function

    assert fingerprint(make(1)) == fingerprint(make(1))
    assert fingerprint(make(1)) != fingerprint(make(1.0))


def test_recursive_functions_have_keys():
    names = {}
    exec(
        "def even(n):\n return n == 0 or odd(n - 1)\ndef odd(n):\n return n != 0 and even(n - 1)\n",
        names,
    )
    assert fingerprint(names["even"]) is not None
    assert fingerprint(names["even"]) != fingerprint(names["odd"])


def test_names_that_do_not_matter_do_not_count():
    names = {"unused": 1}
    exec("def f(x):\n return x.unused\n", names)
    before = fingerprint(names["f"])
    names["unused"] = object()
    assert fingerprint(names["f"]) == before


def test_lines_count_only_where_asked():
    def make(blank):
        names = {}
        exec(compile("\n" * blank + "def f(x):\n return x\n", "f.py", "exec"), names)
        return names["f"]

    assert fingerprint(make(0)) != fingerprint(make(1))
    assert fingerprint(make(0), lines=False) == fingerprint(make(1), lines=False)


def test_another_process_gives_the_same_key(run_python):
    code = """
        import math
        import numpy as np
        from phalanx import cuda
        from phalanx._frontend import fingerprint
        TABLE = np.arange(5)
        def helper(x):
            return math.sin(x) in (1, 2) or x in {3.5, 4.5}
        def f(a):
            a[0] = helper(a[1]) + TABLE[2] + cuda.grid(1)
        print(fingerprint(f).hex())
        """
    code = textwrap.dedent(code)
    first = run_python(code, PYTHONHASHSEED="1").stdout
    assert len(first) == 65
    assert first == run_python(code, PYTHONHASHSEED="2").stdout
