"""Pointers to arrays, as cffi makes them, in kernels."""

import numpy as np
import pytest
from phalanx.compat.numba_np import carray

from phalanx import cuda, errors

# What cffi has; the compiler looks at the class's name, so that nothing need be installed.
ffi = type("FFI", (), {"__module__": "cffi.api"})()


@cuda.jit
def through_a_pointer(a, n):
    i = cuda.grid(1)
    if i < n:
        carray(ffi.from_buffer(a), (n,))[i] += 1


def test_a_pointer_leads_to_the_array(device, dtype):
    if dtype.kind == "b":
        pytest.skip("booleans have no sum in place")
    a = np.arange(10).astype(dtype)
    through_a_pointer[1, 32](a, 10)
    np.testing.assert_array_equal(a, np.arange(1, 11).astype(dtype))


def test_elements_must_lie_together(device):
    with pytest.raises(errors.TypingError, match="elements lie together"):
        through_a_pointer[1, 32](np.zeros(10)[::2], 5)


def test_only_arrays_have_one(device):
    with pytest.raises(errors.TypingError, match="takes an array in a kernel, found"):
        through_a_pointer[1, 32](1.0, 5)


def test_an_ffi_has_nothing_else_for_kernels(device):
    @cuda.jit
    def kernel(a):
        ffi.new("int[4]")

    with pytest.raises(errors.TypingError, match="an FFI of cffi has no attribute new"):
        kernel[1, 1](np.zeros(1))
