"""Values of every kind through joins, loops and calls."""

from __future__ import annotations

import collections

import numpy as np
import pytest
from language_samples import SAMPLES

from phalanx import _engine, cuda

State = collections.namedtuple("State", "position velocity")
RECORD = np.dtype([("x", np.float32), ("n", np.int64), ("flag", np.bool_)], align=True)


def test_arrays_swap_in_a_loop(device):
    @cuda.jit
    def kernel(a, b, n):
        for i in range(n):
            b[i] = a[i] + 1
            a, b = b, a
        a[0] = 100

    a, b = np.zeros(4), np.zeros(4)
    kernel[1, 1](a, b, 3)
    x, y = np.zeros(4), np.zeros(4)
    kernel.py_func(x, y, 3)
    np.testing.assert_array_equal(a, x)
    np.testing.assert_array_equal(b, y)


def test_views_of_other_layouts_meet(device):
    @cuda.jit
    def kernel(a, out, which):
        row = a[0]
        if which:
            row = a[:, 1]
        total = 0.0
        for value in row:
            total += value
        out[0] = total

    a = np.arange(9.0).reshape(3, 3)
    out = np.zeros(1)
    for which, expected in ((False, a[0].sum()), (True, a[:, 1].sum())):
        kernel[1, 1](a, out, which)
        assert out[0] == expected


def test_functions_return_views_and_tuples_of_them(device):
    @cuda.jit(device=True)
    def halves(a):
        middle = len(a) // 2
        return a[:middle], a[middle:], middle

    @cuda.jit
    def kernel(a):
        low, high, middle = halves(a)
        for i in range(middle):
            low[i], high[i] = high[i], low[i]

    a = np.arange(6.0)
    kernel[1, 1](a)
    np.testing.assert_array_equal(a, [3, 4, 5, 0, 1, 2])


def test_named_tuples_are_carried_and_returned(device):
    @cuda.jit(device=True)
    def step(state, dt):
        return State(state.position + state.velocity * dt, velocity=state.velocity * 0.5)

    @cuda.jit
    def kernel(out, start, n):
        state = start
        for _ in range(n):
            state = step(state, 0.5)
        out[0] = state.position
        out[1] = state[1]

    out = np.zeros(2)
    kernel[1, 1](out, State(1.0, 8.0), 3)
    np.testing.assert_array_equal(out, [1 + 4 + 2 + 1, 1])


def test_records_by_attribute_name_and_position(device):
    @cuda.jit
    def kernel(rows, out):
        i = cuda.grid(1)
        row = rows[i]
        row.x += 0.5
        row["n"] *= 2
        rows[i].flag = row.n > 4
        out[i] = row.x + rows["n"][i] + rows.n[-1] * 0 + row[1]

    rows = np.zeros(3, RECORD)
    rows["x"] = [1, 2, 3]
    rows["n"] = [1, 2, 3]
    out = np.zeros(3)
    kernel[1, 3](rows, out)
    np.testing.assert_array_equal(rows["x"], [1.5, 2.5, 3.5])
    np.testing.assert_array_equal(rows["n"], [2, 4, 6])
    np.testing.assert_array_equal(rows["flag"], [False, False, True])
    np.testing.assert_array_equal(out, rows["x"] + 2 * rows["n"])


def test_records_are_copied(device):
    @cuda.jit
    def kernel(a, b):
        b[0] = a[1]
        local = cuda.local.array(1, RECORD)
        local[0] = a[0]
        local[0].n += 1
        b[1] = local[0]

    a = np.zeros(2, RECORD)
    a["x"], a["n"], a["flag"] = [1, 2], [3, 4], [True, False]
    b = np.zeros(2, RECORD)
    kernel[1, 1](a, b)
    assert b[0] == a[1]
    assert b[1].tolist() == (1.0, 4, True)


def test_tuples_of_arrays_as_arguments(device):
    @cuda.jit
    def kernel(pair, out):
        for i, array in enumerate(pair):
            out[i] = array[0] * len(array)

    out = np.zeros(2)
    kernel[1, 1]((np.ones(3), np.full(2, 5, np.int32)), out)
    np.testing.assert_array_equal(out, [3, 10])


def test_none_as_an_argument(device):
    @cuda.jit
    def kernel(out, scale, x):
        out[0] = x if scale is None else x * scale

    out = np.zeros(1)
    kernel[1, 1](out, None, 3)
    assert out[0] == 3
    kernel[1, 1](out, 2.0, 3)
    assert out[0] == 6


def test_literal_arguments_may_be_shapes(device):
    @cuda.jit(device=True)
    def total(a, size, dtype):
        buffer = cuda.local.array(size, dtype)
        for i in range(size):
            buffer[i] = a[i]
        result = 0
        for i in range(size):
            result += buffer[i]
        return result

    @cuda.jit
    def kernel(a, out):
        out[0] = total(a, 3, np.float32) + total(a, size=2, dtype=np.int64)

    out = np.zeros(1)
    kernel[1, 1](np.array([1.5, 2.5, 3.5]), out)
    assert out[0] == 7.5 + 3


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_becomes_ptx(name):
    function, cases = SAMPLES[name]
    types = [_engine.typeof(argument) for argument in cases[0]]
    out = _engine.typeof(np.zeros(1))
    called = cuda.jit(device=True)(function)
    kernels = (
        lambda out, a: called(a),
        lambda out, a, b: called(a, b),
        lambda out, a, b, c: called(a, b, c),
    )
    call = kernels[len(types) - 1]

    def kernel(out, a):
        out[0] = call(out, *a)

    types = [out, _engine.Type.tuple(types)]
    assert ".entry kernel" in cuda.jit(kernel)._compile(tuple(types)).ptx((9, 0))
