"""Messages that a user reads: they name what came, where, and what to write instead."""

from __future__ import annotations

import math

import numpy as np
import pytest
from phalanx.errors import CompileError, TypingError, UnsupportedError

import phalanx
from phalanx import cuda, njit

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")


@cuda.jit
def scale(values, by):
    i = cuda.grid(1)
    if i < values.shape[0]:
        values[i] *= by


def refused(call, kind=TypeError):
    with pytest.raises(kind) as raised:
        call()
    return str(raised.value)


def test_arguments_that_cannot_be_passed_name_kernel_and_position(device):
    values = np.ones(3)
    told = refused(lambda: scale[1, 32](values, "two"))
    assert told.startswith("argument 2 of type 'str' cannot be passed to kernel scale; pass num")
    told = refused(lambda: scale[1, 32]([1.0], 2))
    assert told.endswith("pass a NumPy array or a tuple")
    told = refused(lambda: scale[1, 32](np.array([None]), 2))
    assert told.startswith("argument 1 cannot be passed to kernel scale: elements of dtype object")
    told = refused(lambda: scale[1, 32](values, 2**64))
    assert told.startswith("argument 2 is an int that does not fit 64 bits")
    np.testing.assert_array_equal(values, np.ones(3))


def test_arguments_of_cpu_functions_name_the_function():
    @njit
    def twice(x):
        return 2 * x

    assert "cannot be passed to function twice" in refused(lambda: twice(object()))
    assert refused(lambda: twice(y=1)) == "twice() has no parameter 'y'; it has x"
    assert refused(lambda: twice()).startswith("twice():")


def test_names_of_arguments_that_do_not_exist(device):
    told = refused(lambda: scale[1, 32](np.ones(3), times=2))
    assert told == "scale() has no parameter 'times'; it has values, by"
    assert refused(lambda: scale[1, 32](np.ones(3), 2, by=2)).startswith("scale(): multiple values")


def test_configurations_of_floats_say_how_to_round(device):
    assert refused(lambda: scale[3 / 2, 32]).endswith("divide with // or use int()")
    assert refused(lambda: scale[1, 32, 0, 64.0]) == (
        "sharedmem must be an integer number of bytes, got 64.0"
    )


def test_signatures_have_as_many_types_as_the_function_has_parameters():
    told = refused(lambda: cuda.jit("void(float64[:])")(scale.py_func))
    assert "declares 1 arguments, and scale() takes 2" in told
    told = refused(lambda: njit("float64(float64, float64)")(lambda x: x))
    assert "declares 2 arguments, and <lambda>() takes 1" in told
    cuda.jit("void(float64[:])")(lambda x, y=1.0: None)  # a default is used for the rest


@pytest.mark.parametrize(
    "options, kind, words",
    [
        ({"boundscheck": True}, NotImplementedError, "check=True checks bounds"),
        ({"fast_math": True}, TypeError, "launch_bounds"),
        ({"launch_bounds": 0}, ValueError, "positive whole number"),
        ({"inline": "yes"}, ValueError, "'never' or 'always'"),
        ({"shared_memory_carveout": 101}, ValueError, "between -1 and 100"),
        ({"check": "bonds"}, ValueError, "it takes bounds"),
    ],
)
def test_impossible_options_name_what_there_is(options, kind, words):
    assert words in refused(lambda: cuda.jit(**options), kind)


def test_methods_are_no_kernels():
    class Owner:
        def method(self, values):
            values[0] = 1

    assert "bound method" in refused(lambda: cuda.jit(Owner().method))


def test_shapes_of_arrays_are_whole_numbers(device):
    assert refused(lambda: cuda.device_array(1.5)) == (
        "a shape is an int or a tuple of ints, not 1.5"
    )
    assert "not (2, 'x')" in refused(lambda: cuda.device_array((2, "x")))


def test_gpus_that_are_not_there_say_how_many_there_are():
    assert f"this machine has {len(cuda.gpus)}" in refused(lambda: cuda.gpus[999], IndexError)


def test_events_without_times(device):
    first, second = cuda.event(timing=False), cuda.event()
    assert "timing=False" in refused(lambda: first.elapsed_time(second), ValueError)


def compile_error(body, *arguments):
    with pytest.raises(CompileError) as raised:
        cuda.jit(body)[1, 1](*arguments)
    return str(raised.value)


def test_misspelled_names_are_suggested(device):
    def global_name(out):
        out[0] = mth.sin(1.0)  # noqa: F821

    def attribute(out):
        out[0] = math.sine(1.0)

    def local_name(out):
        total = 1.0
        out[0] = totl  # noqa: F821
        out[0] = total

    def of_cuda(out):
        out[0] = cuda.threadIdX.x

    for body, name in (
        (global_name, "math"),
        (attribute, "sin"),
        (local_name, "total"),
        (of_cuda, "threadIdx"),
    ):
        assert compile_error(body, np.zeros(1)).endswith(f"Did you mean '{name}'?")


def test_names_like_nothing_are_not_explained_wrongly(device):
    def kernel(out):
        out[0] = xyzzy  # noqa: F821

    assert compile_error(kernel, np.zeros(1)).endswith("the name 'xyzzy' is not defined")


def test_lists_that_grow_are_refused_as_lists(device):
    def kernel(out):
        found = []
        found.append(out[0])

    told = compile_error(kernel, np.zeros(1))
    assert "lists that grow or change cannot be used in a kernel" in told
    assert "cuda.local.array" in told


def test_async_functions_are_named_as_such(device):
    async def kernel(out):
        out[0] = 1

    with pytest.raises(UnsupportedError, match="async function"):
        cuda.jit(kernel)[1, 1](np.zeros(1))


def test_errors_inside_of_the_library_show_the_users_line(device):
    def kernel(out):
        out[0] = np.random.random()  # noqa: NPY002

    told = compile_error(kernel, np.zeros(1)).splitlines()
    assert told[0].startswith(__file__)
    assert told[1].strip() == "out[0] = np.random.random()  # noqa: NPY002"
    assert "exists in CPU functions only" in told[3]
    assert sum("found in" in line for line in told) == 1


def test_errors_of_cpu_functions_speak_of_functions():
    @njit
    def function(x):
        with x:
            pass

    with pytest.raises(UnsupportedError, match="with cannot be used in a compiled function"):
        function(1)


def test_the_classes_of_errors_have_one_root():
    assert issubclass(TypingError, CompileError)
    assert issubclass(CompileError, phalanx.PhalanxError)
