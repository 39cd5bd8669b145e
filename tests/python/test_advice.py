"""Advice on kernels: what is said, with which line, and how it is silenced."""

from __future__ import annotations

import linecache
import math
import warnings

import numpy as np
import pytest
from phalanx.errors import (
    Float64Warning,
    OccupancyWarning,
    PerformanceWarning,
    StrideWarning,
)

from phalanx import cuda


def advice_of(kernel, *arguments, grid=200, block=32):
    """The texts of the warnings that compiling gives, by category."""
    on_device = [cuda.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kernel[grid, block](*on_device)
    return {each.category: each for each in caught if issubclass(each.category, PerformanceWarning)}


F32 = np.zeros(8, np.float32)


def test_float64_arithmetic_beside_float32_arrays_is_told_with_its_line(device):
    @cuda.jit(cache=False)
    def scale(a):
        i = cuda.grid(1)
        if i < a.shape[0]:
            a[i] = a[i] * 0.5  # here

    found = advice_of(scale, F32)
    warning = found[Float64Warning]
    text = str(warning.message)
    assert text == (
        "PHX103 scale computes in float64, though its arrays hold float32: the number 0.5 makes "
        "float32 arithmetic float64, write np.float32(0.5) [docs/guide/warnings.md#phx103]"
    )
    assert linecache.getline(__file__, warning.lineno).strip() == "a[i] = a[i] * 0.5  # here"
    assert warning.filename == __file__
    assert StrideWarning not in found


@pytest.mark.parametrize("wide", [np.zeros(8), np.zeros(8, np.complex128)])
def test_kernels_with_float64_arrays_are_left_alone(device, wide):
    @cuda.jit(cache=False)
    def mixed(a, b):
        i = cuda.grid(1)
        if i < a.shape[0]:
            b[i] = a[i] * 0.5

    assert advice_of(mixed, F32, wide) == {}


def test_float32_kernels_are_left_alone(device):
    half = np.float32(0.5)

    @cuda.jit(cache=False)
    def fine(a, n):
        i = cuda.grid(1)
        if i < n:
            a[i] = math.sqrt(a[i]) * half + a[i] * np.float32(2.0 * 3.0)

    assert advice_of(fine, F32, 8) == {}


def test_float64_in_a_device_function_is_told(device):
    @cuda.jit(device=True)
    def third(x):
        return x / 3.0

    @cuda.jit(cache=False)
    def outer(a):
        i = cuda.grid(1)
        if i < a.shape[0]:
            a[i] = third(a[i])

    warning = advice_of(outer, F32)[Float64Warning]
    assert "outer computes in float64, in the function third," in str(warning.message)
    assert linecache.getline(__file__, warning.lineno).strip() == "return x / 3.0"


def advised(statement, *more):
    """What the advice on a kernel with that statement says of the cause."""
    space = {"cuda": cuda, "np": np, "math": math}
    names = ", ".join(["a", *[name for name, _ in more]])
    text = f"def f({names}):\n    i = cuda.grid(1)\n    if i < a.size:\n        {statement}\n"
    name = f"<advised {statement}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)
    kernel = cuda.jit(cache=False)(space["f"])
    found = advice_of(kernel, F32, *[value for _, value in more])
    return str(found[Float64Warning].message).partition(": ")[2] if found else ""


INTEGER = "the integer {0} makes float32 arithmetic float64, write np.float32({0}) ["
NUMBER = "the number {0} makes float32 arithmetic float64, write np.float32({0}) ["


@pytest.mark.parametrize(
    ("statement", "more", "cause"),
    [
        ("a[i] = a[i] * 2", [], NUMBER.format(2)),
        ("a[i] = 0.25 * a[i]", [], NUMBER.format(0.25)),
        ("a[i] = a[i] + i", [], INTEGER.format("i")),
        ("a[i] /= n", [("n", 3)], INTEGER.format("n")),
        ("a[i] = i / n", [("n", 3)], "int / int is a float64"),
        ("a[i] += x", [("x", 1.5)], "the argument x is a float64, as Python's floats are, pass np"),
        ("a[i] = math.sqrt(a[i] * x)", [("x", 1.5)], "the argument x is a float64"),
        ("a[i] = a[i] * np.float32(2)", [], ""),
        ("a[i] += x", [("x", np.float32(1.5))], ""),
        ("a[i] = 2", [], ""),
    ],
)
def test_the_commonest_causes_are_named(device, statement, more, cause):
    said = advised(statement, *more)
    assert said.startswith(cause)
    assert bool(said) == bool(cause)


def test_a_sum_that_begins_as_a_python_float_is_named(device):
    @cuda.jit(cache=False)
    def total(a, out):
        s = 0.0
        for k in range(a.shape[0]):
            s += a[k]
        out[0] = s

    message = str(advice_of(total, F32, F32)[Float64Warning].message)
    assert ": s is a float64, write np.float32(...) where it gets its value [" in message


def test_rows_that_neighbouring_threads_walk_are_told(device):
    @cuda.jit(cache=False)
    def by_rows(a):
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            a[i, j] = 1

    text = str(
        advice_of(by_rows, np.zeros((8, 8), np.float32), block=(8, 4))[StrideWarning].message
    )
    assert text.startswith(
        "PHX104 by_rows reads or writes memory with gaps: threadIdx.x counts along"
    )
    assert "along dimension 0" in text


def test_threads_at_places_of_their_own_are_left_alone(device):
    @cuda.jit(cache=False)
    def of_each_thread(a, places):
        i = cuda.grid(1)
        if i < a.shape[0]:
            j = places[i]
            while a[i, j] < 0:
                j += 1
            a[i, j] = 1

    rows = np.zeros((8, 8), np.float32)
    assert advice_of(of_each_thread, rows, np.zeros(8, np.int64)) == {}

    @cuda.jit(cache=False)
    def row_by_row(a):
        i = cuda.grid(1)
        if i < a.shape[0]:
            for j in range(a.shape[1]):
                a[i, j] = 1

    assert StrideWarning in advice_of(row_by_row, rows)


def test_the_nearest_dimension_is_the_first_of_fortran_arrays(device):
    @cuda.jit(cache=False)
    def by_rows(a):
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            a[i, j] = 1

    assert advice_of(by_rows, np.zeros((8, 8), np.float32, order="F"), block=(8, 4)) == {}

    @cuda.jit(cache=False)
    def by_columns(a):
        j, i = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            a[i, j] = 1

    assert advice_of(by_columns, np.zeros((8, 8), np.float32), block=(8, 4)) == {}


def test_wide_strides_are_told_and_narrow_ones_are_not(device):
    def kernel_of(step):
        @cuda.jit(cache=False)
        def strided(a):
            i = cuda.grid(1) * step
            if i < a.shape[0]:
                a[i] = 1

        return strided

    text = str(advice_of(kernel_of(16), F32)[StrideWarning].message)
    assert "64 bytes apart" in text
    assert advice_of(kernel_of(2), F32) == {}


def test_shared_memory_and_loops_over_a_grid_are_left_alone(device):
    @cuda.jit(cache=False)
    def fine(a):
        tile = cuda.shared.array((32, 33), np.float32)
        x = cuda.threadIdx.x
        tile[x, 0] = a[x]
        cuda.syncthreads()
        for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
            a[i] = tile[x, 0]

    assert advice_of(fine, F32) == {}


def test_advice_is_given_once_and_silenced_by_category_or_setting(device):
    from phalanx import set_advice

    def kernel_of(_):
        @cuda.jit(cache=False)
        def scale(a):
            a[cuda.grid(1) % a.shape[0]] *= 0.5

        return scale

    on_device = cuda.to_device(F32)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default", Float64Warning)
        for i in range(3):
            kernel_of(i)[200, 32](on_device)
    assert sum(each.category is Float64Warning for each in caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", Float64Warning)
        kernel_of(0)[200, 32](on_device)
    set_advice(float64=False)
    try:
        assert advice_of(kernel_of(1), F32) == {}
    finally:
        set_advice(float64=True)


def configurations_that_warn(device, make):
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        make()
    return [each for each in given if each.category is OccupancyWarning]


def test_small_grids_are_told_where_they_are_configured_on_a_gpu(device):
    @cuda.jit
    def kernel():
        pass

    few = configurations_that_warn(device, lambda: kernel[1, 32])
    assert len(few) == (device == "cuda")
    assert all(each.filename == __file__ for each in few)
    assert not configurations_that_warn(device, lambda: kernel[128, 32])


def test_advice_on_small_grids_can_be_left_out_and_is_given_once(device):
    @cuda.jit
    def kernel():
        pass

    kernel.set_advises(False)
    assert not configurations_that_warn(device, lambda: kernel[1, 32])
    kernel.set_advises(True)
    few = configurations_that_warn(device, lambda: kernel[3, 32])
    assert len(few) == (device == "cuda")
    kernel.set_advises(True)
    assert not configurations_that_warn(device, lambda: kernel[2, 32])


def test_the_librarys_own_small_launches_are_not_told(device):
    @cuda.reduce
    def total(a, b):
        return a + b

    values = np.arange(100_000)
    assert not configurations_that_warn(device, lambda: total(values))
