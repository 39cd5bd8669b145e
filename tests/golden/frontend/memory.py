# ruff: noqa
import numpy as np

from phalanx import cuda

TABLE = np.array([1.5, 2.5], np.float32)


# (float32[:, ::1], int64)
def indices(a, i):
    a[i, -1] = a[0, np.uint32(i)]


# (float32[:, ::1], int64)
def views(a, i):
    row = a[i]
    part = row[1:]
    column = a[:, 0]
    part[0] = column[i]


# (float32[:, :], int64)
def slices(a, i):
    a[i, ::2] = 1
    b = a.T
    b[0, 0] = a[::-1, 1][0]


# (float32[::1])
def arrays(a):
    shared = cuda.shared.array((4, 8), np.float32, alignment=64)
    dynamic = cuda.shared.array(0, np.int32)
    sized = cuda.shared.array((cuda.blockDim.x, 3), np.int16)
    local = cuda.local.array(3, np.float64)
    local[0] = shared[1, 2] + dynamic[3] + sized[-1, 2]
    cuda.syncthreads()
    a[0] = local[0] + TABLE[1]


# (float32[::1], int32[:, ::1])
def atomics(a, n):
    old = cuda.atomic.add(a, 0, 1)
    cuda.atomic.max(n, (1, 2), old)
    cuda.atomic.cas(n, (0, 0), 1, 2)


# (float32[::1], int64[::1])
def whole_view(a, b):
    a[1:3] += b[0]
    a[:] = b
