import numpy as np


# function (float32[::1], float32[::1])
def sum_of(a, b):
    return a + b


# parallel (float32[::1], float32[::1])
def spread_sum_of(a, b):
    return a + b


# parallel (int32[:, ::1])
def spread_total(a):
    return np.sum(a)


# parallel ()
def short():
    return np.ones(8)
