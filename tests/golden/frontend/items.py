"""What the engine makes around a function of elements: kernels and loops of ufuncs and gufuncs."""


# flat (float32[::1], float32[::1], float32[::1])
def add(a, b):
    return a + b


# flat (float64[:, ::1], float64, float32[:, ::1])
def scaled(a, factor):
    return a * factor


# rows (float32[:, :, :], float32[:, :, :], float32[:, :, :])
def longest(a, b):
    return max(a, b)


# items (int64[:, :], float64[:, :])
def half(a):
    return a / 2


# reduce (float64[::1], int64, int64, float64[::1], float64, bool)
def total(a, b):
    return a + b


# reduce_rows (int32[:, ::1], int32[::1])
def greatest(a, b):
    return a if a > b else b


# stacked (float64[:, ::1], float64[:], float64[:])
def dot(a, factor, out):
    out[0] = 0.0
    for i in range(a.shape[0]):
        out[0] += a[i] * factor


# loop_ccc (float64, float64, float64)
def power(a, b):
    return a**b


# loop_sac (float64, int32, float64)
def shifted(a, b):
    return a + b


# loop_tct (int64, int64, int64)
def product(a, b):
    return a * b


# parallel_ca (float32, float32)
def square(a):
    return a * a
