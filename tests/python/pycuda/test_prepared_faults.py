"""Launches whose arguments do what they should not: nothing crashes, the next launch works."""

import contextlib
import gc
import random
import sys
import threading
import weakref

import fake_gpu
import numpy as np
import pytest
from phalanx.compat.pycuda import driver as drv
from phalanx.compat.pycuda import gpuarray
from phalanx.compat.pycuda.compiler import SourceModule

pytestmark = pytest.mark.usefixtures("device")

SOURCE = """
__global__ void none() {}
__global__ void two(float* a, int n) { if (n == 123456789) *a = 1; }
__global__ void many(float* a, double d, float* b, long n, bool c, unsigned char u) {
  if (n == 123456789) *a = *b;
}
__global__ void write(int* a, int n) { *a = n; }
"""
GRID, BLOCK = (1, 1), (1, 1, 1)


@pytest.fixture
def functions():
    module = SourceModule(SOURCE)
    return {name: module.get_function(name) for name in ("none", "two", "many", "write")}


class Acting:
    """Does something whenever it is asked for an address, a number or its memory."""

    def __init__(self, act):
        self.act = act

    def __index__(self):
        self.act()
        return 1

    __int__ = __index__

    @property
    def gpudata(self):
        self.act()
        raise AttributeError("gpudata")


class ActingHolder(drv.PointerHolderBase):
    def __init__(self, act):
        self.act = act

    def get_pointer(self):
        self.act()
        return 0


def raised():
    raise ZeroDivisionError("by an argument")


def freed(memory):
    def act():
        with contextlib.suppress(drv.LogicError):  # it was asked before
            memory.free()
        gc.collect()

    return act


def test_an_allocation_that_an_argument_frees(functions):
    many = functions["many"].prepare("PdPl?B")
    for kind in (Acting, ActingHolder):
        memory = drv.mem_alloc(64)
        many.prepared_call(GRID, BLOCK, memory, 1.0, kind(freed(memory)), 1, True, 1)
        with pytest.raises(drv.LogicError, match="freed before"):
            many.prepared_call(GRID, BLOCK, memory, 1.0, 0, 1, True, 1)
        array = gpuarray.zeros(4, np.float32)
        many.prepared_call(GRID, BLOCK, array, 1.0, kind(freed(array.gpudata)), 1, True, 1)


@pytest.mark.parametrize("kind", [Acting, ActingHolder])
def test_what_an_argument_raises_arrives(functions, kind):
    two = functions["two"].prepare("Pi")
    for _ in range(3):
        with pytest.raises(ZeroDivisionError, match="by an argument"):
            two.prepared_call(GRID, BLOCK, kind(raised), 1)
        with pytest.raises(ZeroDivisionError, match="by an argument"):
            two(kind(raised), 1, block=BLOCK)
    two.prepared_call(GRID, BLOCK, drv.mem_alloc(4), 1)


def test_calls_within_calls(functions):
    two, depth = functions["two"].prepare("Pi"), []

    def again():
        if len(depth) < 5:
            depth.append(1)
            two.prepared_call((1 + len(depth), 1), BLOCK, ActingHolder(again), 1)

    two.prepared_call(GRID, BLOCK, ActingHolder(again), 1)
    assert len(depth) == 5


WRONG_CALLS = [
    ((), {}, "missing the argument 'grid'"),
    ((GRID,), {}, "missing the argument 'block'"),
    ((GRID, BLOCK), {}, "takes 2 arguments, 0 were given"),
    ((GRID, BLOCK, 0, 1), {"shared": 1}, "unexpected keyword argument 'shared'"),
    ((GRID, BLOCK, 0, 1), {"grid": GRID}, "multiple values for argument 'grid'"),
    ((GRID, BLOCK, 0, 1), {"shared_size": "x"}, "integer number of bytes"),
    ((GRID, BLOCK, 0, 1), {"shared_size": None}, "integer number of bytes"),
    (("x", BLOCK, 0, 1), {}, "sequence of integers"),
    ((GRID, ("x",), 0, 1), {}, "sequence of integers"),
    ((GRID, (1.5,), 0, 1), {}, r"use int\(\)"),
    ((None, BLOCK, 0, 1), {}, "sequence of integers"),
]


@pytest.mark.parametrize(("args", "named", "text"), WRONG_CALLS)
def test_wrong_calls(functions, args, named, text):
    two = functions["two"].prepare("Pi")
    with pytest.raises(TypeError, match=text):
        two.prepared_call(*args, **named)
    with pytest.raises(TypeError, match=text if "missing" not in text else "missing"):
        two.prepared_async_call(*args[:2], *([None] if len(args) > 1 else []), *args[2:], **named)


def test_extents_beyond_the_device_are_the_drivers_error(functions):
    two = functions["two"].prepare("Pi")
    for grid, block in (((1, 1), (5000, 1, 1)), ((0, 1), BLOCK), ((1,) * 4, BLOCK), ((), BLOCK)):
        with pytest.raises((drv.LogicError, ValueError)):
            two.prepared_call(grid, block, 0, 1)
    with pytest.raises(drv.LogicError, match="cuLaunchKernel failed"):
        two.prepared_call(GRID, (5000, 1, 1), 0, 1)
    with pytest.raises(drv.LogicError, match="shared memory"):
        two.prepared_call(GRID, BLOCK, 0, 1, shared_size=10**8)
    with pytest.raises(TypeError, match="Stream or None"):
        two.prepared_async_call(GRID, BLOCK, 5, 0, 1)


def test_a_detached_context_refuses_launches():
    context = drv.Device(0).make_context()
    function = SourceModule(SOURCE).get_function("two").prepare("Pi")
    function.prepared_call(GRID, BLOCK, 0, 1)
    context.detach()
    for launch in (
        lambda: function.prepared_call(GRID, BLOCK, 0, 1),
        lambda: function.prepared_async_call(GRID, BLOCK, None, 0, 1),
        lambda: function(0, 1, block=BLOCK),
    ):
        with pytest.raises(drv.LogicError, match="context is destroyed"):
            launch()


def test_functions_are_collected():
    module = SourceModule(SOURCE)
    function = module.get_function("two").prepare("Pi")
    function.prepared_call(GRID, BLOCK, 0, 1)
    function.itself = function
    known = weakref.ref(function)
    del function, module
    gc.collect()
    assert known() is None


def test_a_function_is_set_up_once(functions):
    with pytest.raises(TypeError, match="once"):
        type(functions["two"]).__init__(functions["two"], functions["two"]._module, "two")
    functions["two"](0, 1, block=BLOCK)


def nasty(generator, functions):
    memory = drv.mem_alloc(64)
    return generator.choice([
        memory, memory, 0, 1, 7, 2.5, True, None, "x", 10**30, -(2**40), np.int32(3), np.float64(1),
        np.uint8(9), np.bool_(1), object(), gpuarray.zeros(3, np.float32), np.zeros(1, np.int32),
        gpuarray.zeros(3, np.float32).gpudata, drv.In(np.zeros(2, np.float32)),
        drv.InOut(np.zeros(2, np.float32)), Acting(raised), Acting(freed(memory)),
        ActingHolder(raised), ActingHolder(freed(memory)), functions["two"], drv.Stream(),
        Acting(lambda: functions["two"].prepared_call((2, 1), BLOCK, 0, 1)),
    ])  # fmt: skip


EXTENTS = [(1, 1), (1,), 1, (2, 1), [1, 1], (np.int32(1), 1), (), (1, 1, 1, 1), (0,), (1.5,), "x",
           None, (10**30,), (-1, 1), Acting(raised), (Acting(raised), 1), (True, 1)]  # fmt: skip
EXPECTED = (TypeError, ValueError, OverflowError, drv.Error, ZeroDivisionError)


def test_no_reference_is_left_or_lost(functions):
    two, stream = functions["two"].prepare("Pi"), drv.Stream()
    array, held = gpuarray.zeros(4, np.float32), drv.mem_alloc(16)
    number, grid, block = 10**6 + 1, (2, 1), (4, 1, 1)
    everything = (two, stream, array, array.gpudata, held, number, grid, block)

    def all_calls():
        for memory in (held, array, array.gpudata, int(held), None, stream):
            for value in (number, np.int32(1), 1.5, 10**30):
                for launch in (
                    lambda m, v: two.prepared_call(grid, block, m, v),
                    lambda m, v: two.prepared_async_call(grid, block, stream, m, v),
                    lambda m, v: two(m, v, grid=grid, block=block, shared=0),
                    lambda m, v: two.prepared_call((2, 0), block, m, v),
                ):
                    with contextlib.suppress(TypeError, OverflowError, drv.Error):
                        launch(memory, value)
        two.prepared_call(GRID, BLOCK, 0, 1)  # so that no call is remembered

    all_calls()
    before = [sys.getrefcount(each) for each in everything]
    for _ in range(20):
        all_calls()
    assert [sys.getrefcount(each) for each in everything] == before


def some_launch(generator, functions):
    """A call of a kernel, mostly a wrong one."""
    function = functions[generator.choice(["none", "two", "many"])]
    count = generator.choice([0, 1, 2, 2, 6, 6, 7])
    args = [nasty(generator, functions) for _ in range(count)]
    grid, block = (generator.choice([GRID, GRID, *EXTENTS]) for _ in range(2))
    stream = generator.choice([None, drv.Stream(), 5])
    shared = generator.choice([0, 0, 0, 16, -1, 10**9, None])
    return generator.choice([
        lambda: function.prepared_call(grid, block, *args, shared_size=shared),
        lambda: function.prepared_async_call(grid, block, stream, *args),
        lambda: function.prepared_timed_call(grid, block, *args),
        lambda: function(*args, block=block, grid=grid, stream=stream, shared=shared),
        lambda: function(*args, block=block, time_kernel=True),
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_random_calls(functions, seed):
    generator, memory = random.Random(seed), drv.mem_alloc(4)
    for _ in range(60):
        launch = some_launch(generator, functions)
        with contextlib.suppress(*EXPECTED):
            launch()
        functions["write"].prepared_call(GRID, BLOCK, memory, 42)
        assert drv.from_device(memory, 1, np.int32)[0] == 42


def test_threads_launch_one_function(functions):
    write = functions["write"].prepare("Pi")
    errors = []

    def work(number):
        try:
            for i in range(300):
                memory = drv.mem_alloc(4) if i % 2 else gpuarray.zeros(1, np.int32).gpudata
                write.prepared_call((1 + number % 2, 1), BLOCK, memory, number)
                if drv.from_device(memory, 1, np.int32)[0] != number:
                    errors.append(number)
                memory.free()
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert errors == []


ON_A_GPU = """
import numpy as np
from phalanx.compat.pycuda import autoinit, driver as drv, gpuarray
from phalanx.compat.pycuda.compiler import SourceModule
import phalanx as px

text = "__global__ void f(float* a, float* b, int n) { if (threadIdx.x < n) a[0] = b[0]; }"
f = SourceModule(text).get_function("f").prepare("PPi")
x, held, stream = gpuarray.zeros(4, np.float32), drv.mem_alloc(16), drv.Stream()
there = px.ones(4, "float32", device="cuda")
for array in (there, there + 1, there[1:], px.ones(4, "float32", device="cpu")):
    for _ in range(3):
        f.prepared_call((1, 1), (4, 1, 1), x, held, 4)
        f.prepared_call((1, 1), (4, 1, 1), x.gpudata, array, 4)
        f.prepared_async_call((2, 1), (4, 1, 1), stream, array, x[1:], 4)
        f(array, int(held), np.int32(4), block=(4, 1, 1), stream=stream, shared=16)
        x += 1
drv.Context.synchronize()
"""


@fake_gpu.needed
def test_launches_on_a_gpu_of_the_fake_driver(tmp_path):
    made = fake_gpu.run(ON_A_GPU, tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
