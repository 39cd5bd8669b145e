"""The code around the functions of ufuncs and gufuncs, which the engine makes."""

import linecache
import math

import numpy as np
import pytest
from phalanx.errors import CompileError

import phalanx
from phalanx import _engine, cuda, njit


def disk_hits():
    return _engine.statistics()["counts"]["disk"]


def test_no_source_is_written_for_them(device):
    before = {*linecache.cache}

    @cuda.vectorize(["float64(float64, float64)"], identity=0)
    def add(a, b):
        return a + b

    @phalanx.guvectorize(["float64[:], float64[:]"], "(n)->()")
    def total(a, out):
        out[0] = a.sum()

    @njit
    def both(a, out):
        total(a, out)
        return host(a, a)

    host = phalanx.vectorize(["float64(float64, float64)"])(add.py_func)
    a = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(add(a, a.T[:4, :3].T), 2 * a)
    assert add.reduce(a.ravel()) == 66
    np.testing.assert_array_equal(host(a, 1.0), a + 1)
    out = np.empty(3)
    np.testing.assert_array_equal(both(a, out), 2 * a)
    np.testing.assert_array_equal(out, a.sum(1))
    assert not [name for name in {*linecache.cache} - before if name.startswith("<phalanx")]


def test_a_mistake_is_told_at_the_line_of_the_user(device):
    def join(a, b):
        return a + b.missing

    for make in (cuda.vectorize, phalanx.vectorize):
        with pytest.raises(CompileError, match=r"return a \+ b\.missing") as raised:
            make(["float64(float64, float64)"])(join)(np.ones(2), np.ones(2))
        assert __file__ in str(raised.value)
        assert "<phalanx" not in str(raised.value)


def test_what_comes_out_must_fit_the_output_at_the_line_of_the_function(device):
    @cuda.reduce
    def pair(a, b):
        return a, b

    with pytest.raises(CompileError, match="in kernel pair") as raised:
        pair(np.ones(10))
    assert "def pair(a, b):" in str(raised.value)


def test_forms_of_one_function_are_apart_in_the_disk_cache(device):
    @cuda.vectorize(["float64(float64)"])
    def more(a):
        return a * 2 + 1

    # Rows and items have arrays of the same types.
    for shape in ((5, 200), (200, 5)):
        a = np.arange(4000.0).reshape(2 * shape[0], 2 * shape[1])[::2, ::2]
        np.testing.assert_array_equal(more(a), a * 2 + 1)
    again = cuda.vectorize(["float64(float64)"])(more.py_func)
    before = disk_hits()
    for shape in ((5, 200), (200, 5)):
        a = np.arange(4000.0).reshape(2 * shape[0], 2 * shape[1])[::2, ::2]
        np.testing.assert_array_equal(again(a), a * 2 + 1)
    # A GPU gets copies without gaps: both are flat there.
    forms = 2 if device == "cpu" else 1
    if _engine.cache_info()["enabled"]:
        assert disk_hits() == before + forms


def test_a_ufunc_of_arrays_is_one_loop_with_the_expression_that_it_is_in():
    @phalanx.vectorize(["float64(float64, float64)"])
    def wave(a, b):
        return math.sin(a) * b

    @njit
    def chain(a, b):
        return wave(a, b) * 2.0 + a

    def plain(a, b):
        return a * b

    def arrays_made(function):
        types = [_engine.typeof(a), _engine.typeof(b)]
        return str(_engine.compile_function(function, types)).count(" allocate ")

    a = np.linspace(0, 3, 50).reshape(5, 10)
    b = np.linspace(1, 2, 50).reshape(5, 10)
    np.testing.assert_allclose(chain(a, b), np.sin(a) * b * 2 + a)
    assert arrays_made(chain.py_func) == arrays_made(plain) > 0


def test_functions_that_raise_do_so_from_an_expression_of_arrays():
    @phalanx.vectorize(["int64(int64, int64)"])
    def quotient(a, b):
        if b == 0:
            raise ValueError("nothing to divide by")
        return a // b

    @njit
    def halves(a, b):
        return quotient(a, b) * 2

    a = np.arange(6)
    np.testing.assert_array_equal(halves(a, a + 1), a // (a + 1) * 2)
    with pytest.raises(ValueError, match="nothing to divide by"):
        halves(a, a)


def test_a_reduction_may_give_a_wider_type_than_its_elements(device):
    @cuda.reduce
    def mean_of_two(a, b):
        return (a + b) / 2

    assert mean_of_two(np.full(5000, 3, np.int32), init=3) == 3


def test_a_loop_of_unknown_layouts_is_refused():
    def twice(a):
        return a + a

    with pytest.raises(ValueError, match="no layout of a loop's operand has the letter x"):
        _engine.compile_item_loop(
            twice,
            [],
            "twice",
            "cx",
            operands=[([], False, 1), ([], False, 2)],
            elementwise=True,
        )
