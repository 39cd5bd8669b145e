"""Dtypes as arguments of kernels and functions: part of the types, nothing is passed."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx import cuda, types

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")


@cuda.jit
def through_shared(out, dtype, scale):
    tile = cuda.shared.array(64, dtype)
    i = cuda.threadIdx.x
    tile[i] = scale * i
    cuda.syncthreads()
    out[i] = tile[63 - i]


@cuda.jit
def through_local(dtype, out):
    row = cuda.local.array(4, dtype)
    for i in range(4):
        row[i] = i / 3
    out[0] = row[1] + dtype(2.75)


@pytest.mark.parametrize(
    "given, dtype",
    [
        (np.int32, "int32"),
        (np.dtype("uint8"), "uint8"),
        (types.float32, "float32"),
        (np.float64, "float64"),
        (float, "float64"),
        (np.dtype("float16"), "float16"),
    ],
)
def test_a_dtype_names_the_elements_of_shared_arrays(device, given, dtype):
    out = np.zeros(64)
    through_shared[1, 64](out, given, 3.1)
    np.testing.assert_array_equal(out, (3.1 * np.arange(64)).astype(dtype)[::-1])


def test_a_dtype_names_elements_of_local_arrays_and_casts(device):
    out = np.zeros(1)
    for dtype in (np.int64, np.float32, np.float64):
        through_local[1, 1](dtype, out)
        expected = dtype(1 / 3) + dtype(2.75)
        assert out[0] == expected
    assert len(through_local.overloads) >= 3


def test_signatures_and_specializations_take_dtypes(device):
    dtype = cuda.typeof(np.int32) if hasattr(cuda, "typeof") else None
    if dtype is None:
        from phalanx._launch.arguments import typeof

        dtype = typeof(np.int32)
    signature = types.void(types.float64[::1], dtype, types.float64)
    declared = cuda.jit(signature)(through_shared.py_func)
    assert declared.get_shared_mem_per_block() == 4 * 64
    out = np.zeros(64)
    declared[1, 64](out, np.int32, 1.5)
    np.testing.assert_array_equal(out, (1.5 * np.arange(64)).astype(np.int32)[::-1])
    special = cuda.jit(through_shared.py_func).specialize(out, np.float64, 1.0)
    assert special.get_shared_mem_per_block() == 8 * 64


def test_functions_take_dtypes():
    @phalanx.njit
    def filled(n, dtype, value):
        made = np.empty(n, dtype)
        for i in range(n):
            made[i] = value
        return made

    assert filled(3, np.float32, 1.5).dtype == np.float32
    assert filled(3, np.dtype("int16"), 1.5).tolist() == [1, 1, 1]


def test_what_has_no_such_elements_is_refused(device):
    with pytest.raises(TypeError):
        through_local[1, 1](np.dtype("U4"), np.zeros(1))
