"""One table of what several threads do at the same time, each judged by NumPy.

With the GIL the threads take turns every few microseconds; without it they run at once.
"""

from __future__ import annotations

import enum
import gc
import pickle
import sys
import threading
import time

import numpy as np
import pytest
from phalanx._core.trees import tree_of
from phalanx._frontend.matching import _compile_deep

from phalanx import _engine, cuda, guvectorize, njit, vectorize

pytestmark = [
    pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning"),
    pytest.mark.usefixtures("frequent_turns"),
]

THREADS = 6
TYPES = ["int16", "int32", "int64", "float32", "float64", "complex128"]


def at_once(work):
    """Calls `work(0)`, `work(1)`, ... on threads of their own; gives the results in that order."""
    device = _engine.current_device()
    start = threading.Barrier(THREADS)
    results = [None] * THREADS
    failures = []

    def run(number):
        try:
            _engine.set_current_device(device)
            start.wait(60)
            results[number] = work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(120)
    assert not any(each.is_alive() for each in threads), "threads wait for each other"
    if failures:
        raise failures[0]
    return results


def same(results):
    """The one object that all threads got."""
    assert all(each is results[0] for each in results)
    return results[0]


def new_kernel(factor=2, **options):
    @cuda.jit(**options)
    def scale(source, target):
        i = cuda.grid(1)
        if i < target.size:
            target[i] = source[i] * factor + i

    return scale


def launched(kernel, dtype, count=33, threads=32):
    source = np.arange(count).astype(dtype)
    target = np.zeros(count, dtype)
    kernel[-(-count // threads), threads](source, target)
    return source, target


def scaled(source, factor=2):
    return (source * factor + np.arange(source.size)).astype(source.dtype)


CASES = []


def case(function):
    CASES.append(pytest.param(function, id=function.__name__))
    return function


# ---- Kernels ----


@case
def launches_of_one_kernel_for_the_same_types():
    kernel = new_kernel()

    def work(number):
        for turn in range(40):
            source, target = launched(kernel, "float64", 20 + number + turn)
            assert np.array_equal(target, scaled(source))

    at_once(work)
    assert len(kernel.overloads) == 1


@case
def launches_of_one_kernel_for_different_types():
    kernel = new_kernel()

    def work(number):
        for turn in range(12):
            source, target = launched(kernel, TYPES[(number + turn) % len(TYPES)])
            assert np.array_equal(target, scaled(source))

    at_once(work)
    assert len(kernel.overloads) == len(TYPES)


@case
def more_configurations_than_a_kernel_remembers():
    kernel = new_kernel()

    def work(number):
        for turn in range(60):
            threads = 1 + (7 * number + turn) % 11
            configured = kernel[1, threads]
            assert configured.block == (threads, 1, 1)
            source, target = np.ones(threads), np.zeros(threads)
            configured(source, target)
            assert np.array_equal(target, scaled(source))

    at_once(work)


@case
def one_configuration():
    configured = new_kernel()[2, 32]

    def work(number):
        for turn in range(30):
            source = np.arange(40).astype(TYPES[(number + turn) % 3])
            target = np.zeros_like(source)
            configured(source, target)
            assert np.array_equal(target, scaled(source))

    at_once(work)


@case
def the_callbacks_of_one_configuration():
    configured = new_kernel()[1, 32]
    callbacks = same(at_once(lambda number: configured.pre_launch_callbacks))
    calls = []
    callbacks.append(lambda kernel, self: calls.append(self))
    at_once(lambda number: configured(np.ones(4), np.zeros(4)))
    assert calls == [configured] * THREADS


@case
def a_kernel_that_is_forgotten_while_it_is_launched():
    kernel = new_kernel()

    def work(number):
        for turn in range(10):
            if number == 0:
                kernel.recompile() if turn % 2 else kernel.forget()
            source, target = launched(kernel, TYPES[turn % 2])
            assert np.array_equal(target, scaled(source))

    at_once(work)


@case
def specialised_kernels():
    kernel = new_kernel()

    def work(number):
        source = np.arange(50).astype(TYPES[number])
        target = np.zeros_like(source)
        kernel.specialize(source, target)[2, 32](source, target)
        assert np.array_equal(target, scaled(source))
        return kernel.specialize(np.ones(1, "uint8"), np.ones(1, "uint8"))

    same(at_once(work))


@case
def what_is_told_of_a_kernel_while_it_gets_more_types():
    kernel = new_kernel()
    launched(kernel, "float64")
    known = next(iter(kernel.overloads))

    def work(number):
        if number < 3:
            source, target = launched(kernel, TYPES[number])
            assert np.array_equal(target, scaled(source))
            return
        for _ in range(5):
            assert known in kernel.overloads
            assert "define" in kernel.inspect_llvm()[known]
            assert kernel.inspect_asm()[known]
            assert all(made.name == "scale" for made in kernel.overloads.values())

    at_once(work)
    assert len(kernel.overloads) == 4


@case
def declared_signatures():
    def work(number):
        name = ("float32", "float64")[number % 2]

        @cuda.jit(f"void({name}[:], {name}[:])")
        def double(source, target):
            i = cuda.grid(1)
            if i < target.size:
                target[i] = source[i] * 2

        source = np.arange(32, dtype=name)
        target = np.zeros_like(source)
        double[1, 32](source, target)
        assert np.array_equal(target, source * 2)
        with pytest.raises(TypeError):
            double[1, 32](np.ones(32, "int64"), np.ones(32, "int64"))

    at_once(work)


@case
def records_as_arguments():
    @cuda.jit
    def add(rows):
        i = cuda.grid(1)
        if i < rows.size:
            rows[i]["b"] += rows[i]["a"]

    def work(number):
        for turn in range(8):
            dtype = np.dtype([("a", TYPES[(number + turn) % 3]), ("b", "float64")])
            rows = np.zeros(16, dtype)
            rows["a"] = np.arange(16)
            add[1, 16](rows)
            assert np.array_equal(rows["b"], np.arange(16.0))

    at_once(work)


# ---- Memory ----


@case
def device_arrays_and_views():
    def work(number):
        for turn in range(30):
            host = np.arange(24.0).reshape(4, 6) + number
            array = cuda.to_device(host)
            assert np.array_equal(array[turn % 4].copy_to_host(), host[turn % 4])
            assert np.array_equal(array.reshape(6, 4).copy_to_host(), host.reshape(6, 4))
            assert np.array_equal(array.T.copy_to_host(), host.T)
            array[:2].copy_to_device(np.full((2, 6), float(turn)))
            assert array.copy_to_host()[:2].sum() == 12 * turn

    at_once(work)


@case
def one_device_array():
    array = cuda.to_device(np.arange(64.0))

    def work(number):
        part = array[8 * number : 8 * number + 8]
        for turn in range(20):
            part.copy_to_device(np.full(8, number + turn, "float64"))
            assert np.array_equal(part.copy_to_host(), np.full(8, number + turn, "float64"))

    at_once(work)
    assert np.array_equal(array.copy_to_host()[48:], np.arange(48.0, 64.0))


@case
def a_graph_of_each_thread():
    kernel = new_kernel()

    def work(number):
        source = cuda.to_device(np.arange(16.0) + number)
        target = cuda.to_device(np.zeros(16))
        for _ in range(5):
            with cuda.graph() as graph:
                kernel[1, 16](source, target)
                kernel[1, 16](target, source)
            assert len(graph) == 2
            expected = scaled(scaled(source.copy_to_host()))
            graph.launch()
            assert np.array_equal(source.copy_to_host(), expected)

    at_once(work)


@case
def one_graph():
    kernel = new_kernel()
    source, target = cuda.to_device(np.arange(16.0)), cuda.to_device(np.zeros(16))
    with cuda.graph() as graph:
        kernel[1, 16](source, target)

    def work(number):
        stream = cuda.stream()
        for _ in range(10):
            graph.launch(stream)
        stream.synchronize()

    at_once(work)
    assert np.array_equal(target.copy_to_host(), scaled(np.arange(16.0)))


# ---- CPU functions ----


def new_function(offset=1):
    @njit
    def total(values):
        result = values[0] * 0
        for value in values:
            result += value + offset
        return result

    return total


@case
def calls_of_one_function_for_the_same_types():
    function = new_function()

    def work(number):
        for turn in range(200):
            assert function(np.arange(turn + 1.0)) == np.sum(np.arange(turn + 1.0) + 1)

    at_once(work)
    assert len(function.signatures) == 1


@case
def calls_of_one_function_for_different_types():
    function = new_function()

    def work(number):
        for turn in range(24):
            values = np.arange(9).astype(TYPES[(number + turn) % len(TYPES)])
            assert function(values) == np.sum(values + 1)

    at_once(work)
    assert len(function.signatures) == len(TYPES)


@case
def a_function_that_is_recompiled_while_it_is_called():
    function = new_function()

    def work(number):
        for _ in range(10):
            if number == 0:
                function.recompile()
            assert function(np.arange(5.0)) == 15

    at_once(work)


@case
def functions_as_arguments():
    add, double = njit(lambda x: x + 1), njit(lambda x: x * 2)

    @njit
    def apply(function, x):
        return function(x)

    def work(number):
        for turn in range(20):
            assert apply((add, double)[(number + turn) % 2], 3.0) == (4, 6)[(number + turn) % 2]

    at_once(work)
    assert len(apply.kernels()) == 2


@case
def lists_that_a_function_changes():
    @njit
    def grow(values, more):
        values[0] = -values[0]
        values.append(more)
        return len(values)

    def work(number):
        for turn in range(20):
            values = [1 + number, 2, 3]
            assert grow(values, turn) == 4
            assert values == [-1 - number, 2, 3, turn]

    at_once(work)


@case
def members_of_enums():
    def work(number):
        kind = enum.Enum("Colour", {"red": 1, "green": 2})
        red = kind.red

        @njit
        def pick(x):
            return red if x else kind.green

        assert pick(True) is kind.red
        assert pick(False) is kind.green

    at_once(work)


@case
def trees_of_texts_while_others_are_built():
    """Python 3.11 counts the depth of the tree that it builds for all threads together."""
    text = "\n".join(f"x{i} = [(a + b) * [c, d, (e, f)] for a in range({i})]" for i in range(60))
    gc.callbacks.append(_pause)  # in the middle of a tree
    try:
        at_once(lambda number: [tree_of(text) for _ in range(60)])
    finally:
        gc.callbacks.remove(_pause)


def _pause(phase, info):
    time.sleep(0)


@case
def sources_deeper_than_the_limit_of_recursions():
    tree = tree_of("x" + " + x" * 1500)
    limit = sys.getrecursionlimit()
    at_once(lambda number: [_compile_deep(tree, 0) for _ in range(20)])
    assert sys.getrecursionlimit() == limit


# ---- Functions of arrays ----


@case
def ufuncs_without_signatures():
    @vectorize
    def mixed(a, b):
        return a * 2 + b

    def work(number):
        for turn in range(12):
            a = np.arange(40).astype(TYPES[(number + turn) % len(TYPES)])
            assert np.array_equal(mixed(a, a[::-1]), a * 2 + a[::-1])

    at_once(work)


@case
def ufuncs_with_signatures():
    @vectorize(["int64(int64, int64)", "float64(float64, float64)"])
    def mixed(a, b):
        return a * 2 + b

    def work(number):
        for turn in range(30):
            a = np.arange(60 + turn).astype(TYPES[2 + 2 * ((number + turn) % 2)])
            assert np.array_equal(mixed(a, a), a * 3)
            assert mixed.reduce(np.ones(3)) == 7.0

    at_once(work)


@case
def gufuncs():
    @guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
    def running(values, sums):
        total = 0.0
        for i in range(values.shape[0]):
            total += values[i]
            sums[i] = total

    def work(number):
        for turn in range(20):
            values = np.arange(12.0 * (turn + 1)).reshape(turn + 1, 12) + number
            assert np.array_equal(running(values), np.cumsum(values, axis=1))

    at_once(work)


# ---- Pickling ----


@case
def kernels_and_functions_that_pickle():
    kernel, function = new_kernel(3), new_function(4)

    def work(number):
        for _ in range(10):
            assert pickle.loads(pickle.dumps(kernel)) is kernel
            assert pickle.loads(pickle.dumps(function)) is function

    at_once(work)


@case
def one_function_that_comes_back_to_many_threads():
    pickled = pickle.dumps(new_function(4))  # which is gone
    made = same(at_once(lambda number: pickle.loads(pickled)))
    assert made(np.arange(3.0)) == 15


@pytest.mark.parametrize("run", CASES)
def test_several_threads(device, run):
    run()


@pytest.mark.skipif(not hasattr(sys, "_is_gil_enabled"), reason="this Python always has a GIL")
def test_importing_the_package_leaves_the_gil_off(run_python):
    code = """
import sysconfig, sys
import phalanx.cuda
import phalanx._engine
print(bool(sysconfig.get_config_var("Py_GIL_DISABLED")) != sys._is_gil_enabled())
"""
    assert run_python(code).stdout.strip() == "True"
