"""What a kernel uses, and what the dispatcher counts among its kernels."""

import numpy as np
import pytest

from phalanx import cuda, errors

TABLE = np.arange(20, dtype=np.float64)


def test_memory_that_the_source_asks_for_is_counted(device):
    @cuda.jit("void(float64[::1], int64)")
    def kernel(out, n):
        table = cuda.const.array_like(TABLE)
        scratch = cuda.local.array((10, 50), np.float64)
        for i in range(n):
            scratch[i % 10, i] = table[i % 20]
        for i in range(n):
            out[i] = scratch[i % 10, n - i - 1]

    assert kernel.get_const_mem_size(kernel.signatures[0]) >= 160
    assert kernel.get_local_mem_per_thread(kernel.signatures[0]) >= 4000


def test_types_that_do_not_compile_are_no_overload(device):
    @cuda.jit
    def kernel(a):
        a[0] = a[0] >> 1

    kernel[1, 1](np.ones(1, np.int64))
    with pytest.raises(errors.TypingError):
        kernel[1, 1](np.ones(1))
    assert len(kernel.overloads) == 1
    assert len(kernel.signatures) == 1


def test_a_device_function_is_not_launched(device):
    @cuda.jit(device=True)
    def helper():
        pass

    with pytest.raises(RuntimeError, match="Cannot compile a device function as a kernel"):
        helper[1, 1]()
    with pytest.raises(errors.LaunchError, match="call helper from a kernel"):
        helper[1, 1]()
