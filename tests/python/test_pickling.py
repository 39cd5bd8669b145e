"""What pickles: functions, ufuncs and kernels by value, and the errors of a compile."""

import copy
import gc
import pickle

import numpy as np
import pytest
from beside_numba import run
from phalanx.compat.numba_np import carray, farray

from phalanx import cuda, njit, prange, vectorize


@njit
def of_the_module(x):
    return x + 1


def _untouched(x):
    return x


def _scaled_by(factor):
    @njit
    def scale(x):
        return x * factor

    @njit("float64(float64[:])", fastmath={"nsz"})
    def total(a):
        return scale(a).sum()

    return total


def test_local_functions_pickle():
    total = _scaled_by(3)
    pickled = pickle.dumps(total)
    assert pickle.loads(pickled) is total  # with its code
    del total
    gc.collect()
    again = pickle.loads(pickled)
    assert again(np.ones(2)) == 6
    assert again.options == _scaled_by(3).options
    assert pickle.loads(pickled) is again


def test_functions_under_another_name_pickle():
    assert pickle.loads(pickle.dumps(njit(_untouched)))(2) == 2


def test_what_a_module_holds_pickles_by_its_name():
    assert len(pickle.dumps(of_the_module)) < 100
    assert pickle.loads(pickle.dumps(of_the_module)) is of_the_module


def _factorial():
    @njit
    def factorial(n):
        return 1 if n < 2 else n * factorial(n - 1)

    return factorial


def _even():
    @njit
    def even(n):
        return True if n == 0 else odd(n - 1)

    @njit
    def odd(n):
        return False if n == 0 else even(n - 1)

    return even


def _divisor():
    def divisor(a, b):
        return a if b == 0 else divisor(b, a % b)

    @njit
    def of_120(n):
        return divisor(120, n)

    return of_120


_fibonacci = njit(lambda n: n if n < 2 else _fibonacci(n - 1) + _fibonacci(n - 2))


@pytest.mark.parametrize(
    ("make", "argument", "expected"),
    [
        (_factorial, 5, 120),
        (_even, 5, False),
        (_divisor, 50, 10),
        (lambda: _fibonacci, 10, 55),
    ],
)
@pytest.mark.parametrize("dumps", [pickle.dumps, pickle._dumps])
def test_functions_that_call_themselves_pickle(make, argument, expected, dumps):
    function = make()
    pickled = dumps(function)
    assert pickle.loads(pickled) is function
    assert copy.deepcopy(function)(argument) == expected
    del function
    gc.collect()
    assert pickle.loads(pickled)(argument) == expected


def test_globals_pickle_as_they_are_then():
    space = {"__name__": "__main__", "step": 1}
    exec("def last(n): return step if n < 1 else last(n - 1)", space)  # found by no name
    pickle.dumps(njit(space["last"]))
    space["step"] = 2
    pickled = pickle.dumps(njit(space["last"]))
    assert pickle.loads(pickled).py_func(3) == 2
    assert pickle.loads(pickled).py_func.__globals__["step"] == 2


PROGRAM = """
import multiprocessing
import pickle
import sys

import numpy as np
from phalanx import cuda, njit, vectorize

@njit
def plus_one(x):
    return helper(x) + 1

def helper(x):
    return 2 * x

def divisor(a, b):
    return a if b == 0 else divisor(b, a % b)

@njit
def divisor_of_120(x):
    return divisor(120, x)

@vectorize
def square(x):
    return x * x

@cuda.jit
def fill(out):
    out[0] = 5

def main():
    for kind in ("fork", "spawn"):
        with multiprocessing.get_context(kind).Pool(1) as pool:
            late = njit(lambda x: -x)
            print([pool.map_async(each, [1, 2]).get(100) for each in (plus_one, late)])
    with open(sys.argv[1], "wb") as file:
        pickle.dump((plus_one, square, fill, divisor_of_120), file)

if __name__ == "__main__":
    main()
"""


def test_functions_of_a_program_pickle_for_others(tmp_path, run_python):
    stored = tmp_path / "functions.pickle"
    code = PROGRAM.replace("sys.argv[1]", repr(str(stored)))
    assert (
        run_python(code, PHALANX_DEVICE="cpu").stdout.split("\n")[:2] == ["[[3, 5], [-1, -2]]"] * 2
    )
    plus_one, square, _fill, divisor_of_120 = pickle.loads(stored.read_bytes())
    assert plus_one(3) == 7
    assert divisor_of_120(50) == 10
    assert square(np.arange(3.0)).tolist() == [0, 1, 4]


def test_kernels_and_ufuncs_pickle(device):
    @cuda.jit
    def fill(out):
        out[0] = 5

    @vectorize
    def square(x):
        return x * x

    pickled = pickle.dumps((fill, square))
    del fill, square
    gc.collect()
    fill, square = pickle.loads(pickled)
    out = np.zeros(1)
    fill[1, 1](out)
    assert out[0] == 5
    assert square(3.0) == 9


def test_errors_pickle_beside_numba():
    pytest.importorskip("numba")
    done = run(
        """
        import pickle
        import phalanx
        from numba import cuda

        @njit
        def wrong(x):
            return x.missing

        @cuda.jit
        def wrong_kernel(x):
            x.missing

        for call in (lambda: wrong(1.0), lambda: wrong_kernel[1, 1](1.0)):
            try:
                call()
            except numba.core.errors.TypingError as error:
                error.add_note("a note")
                again = pickle.loads(pickle.dumps(error))
                print(type(again) is type(error), isinstance(again, phalanx.CompileError))
                print(str(again) == str(error), again.__notes__)
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.lines == ["True True", "True ['a note']"] * 2


@pytest.mark.parametrize(
    "name",
    [
        cuda.grid,
        cuda.shared,
        cuda.shared.array,
        cuda.libdevice.sinf,
        prange,
        cuda.literal_unroll,
        carray,
        farray,
    ],
    ids=str,
)
@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_names_of_compiled_code_are_the_same_after_pickling(name, protocol):
    assert pickle.loads(pickle.dumps(name, protocol)) is name
