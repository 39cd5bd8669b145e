"""Kernels and what they are launched with."""

from typing import Any, assert_type

import numpy as np

import phalanx
from phalanx import cuda

Floats = np.ndarray[Any, np.dtype[np.float32]]


@cuda.jit
def add(x: Floats, y: Floats, out: Floats) -> None:
    i = cuda.grid(1)
    assert_type(i, int)
    if i < out.size:
        out[i] = x[i] + y[i]


@cuda.jit(device=True, fastmath=True)
def squared(x: float) -> float:
    return x * x


@cuda.jit("void(float32[:], int64)", max_registers=32, launch_bounds=(256, 2))
def fill(out: Floats, n: int) -> None:
    column, row = cuda.grid(2)
    tile = cuda.shared.array(32, cuda.float32)
    tile[cuda.threadIdx.x] = squared(cuda.blockDim.y)
    cuda.syncthreads()
    cuda.atomic.add(out, column + row, tile[cuda.laneid])


@cuda.reduce
def total(a: float, b: float) -> float:
    return a + b


x = np.ones(1000, np.float32)
out = np.zeros_like(x)
stream = cuda.stream()
add[4, 256](x, x, out)
add[(2, 2), (16, 16), stream](x, y=x, out=out)
add[4, 256, stream, 0](x, x, out)
add.forall(x.size)(x, x, out)
add.over(x)(x, x, out)
configured = add[4, 256]
configured(x, x, out)
assert_type(configured.block, tuple[int, int, int])
assert_type(squared(2.0), float)
assert_type(total(x), float)
assert_type(add.py_func(x, x, out), None)
print(fill.inspect_asm(), add.signatures, phalanx.__version__)

on_device = cuda.to_device(x)
print(on_device.copy_to_host().sum(), cuda.get_current_device(), [str(gpu) for gpu in cuda.gpus])
with cuda.pinned(x):
    event = cuda.event()
    event.record(stream)
    event.synchronize()
