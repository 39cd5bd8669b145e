# ruff: noqa
import math

import numpy as np

from phalanx import cuda


@cuda.jit(device=True)
def scaled(x, factor=2.0):
    return x * factor


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def pair(x):
    return x, -x


# (float32[::1], int64)
def calls(a, n):
    i = cuda.grid(1)
    a[i] = scaled(a[i]) + scaled(factor=a[0], x=n)


# (int64[::1])
def recursion(a):
    a[0] = factorial(a[1])


# (float32[::1])
def closures(a):
    factor = a[0]

    def inner(x):
        return x * factor

    a[1] = inner(a[2]) + (lambda x: x + factor)(1)
    low, high = pair(a[3])
    a[4] = low + high


# (float32[::1], float64[::1])
def mathematics(a, b):
    a[0] = math.sin(a[0]) + math.sqrt(b[0]) ** 2
    b[0] = min(a[0], b[1], 3) + abs(b[2]) + round(b[3]) + int(b[4])
    b[1] = np.float32(b[0]) + cuda.fma(a[0], a[1], a[2])


# (int64[::1])
def printing(a):
    i = cuda.threadIdx.x
    print("thread", i, "value", a[i], (1, 2.5))
