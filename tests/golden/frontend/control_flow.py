# ruff: noqa
from phalanx import cuda


# (int64[::1], int64)
def join(out, n):
    if n > 0:
        x = 1
        y = n
    else:
        x = 2.5
        y = n
    out[0] = x + y


# (int64[::1], int64)
def loop_with_else(out, n):
    total = 0
    for i in range(n):
        if out[i] < 0:
            break
        if out[i] == 7:
            continue
        total += i
    else:
        total = -1
    out[0] = total


# (int64[::1], int64)
def widened(out, n):
    x = 0
    while n > 0:
        x = x + 0.5
        n -= 1
    out[0] = x


# (int64[::1], int64, int64)
def short_circuit(out, a, b):
    if a > 0 and out[a] > b:
        out[0] = 1
    if a == 1 or b == 2:
        out[1] = 2


# (int64[::1], int64)
def unrolled(out, n):
    for x in (n, 2.5):
        if x > 2:
            continue
        out[0] = x


# (int64[::1], int64)
def early_return(out, n):
    i = cuda.grid(1)
    if i >= n:
        return
    out[i] = i


# (int64[::1], int64)
def raises(out, n):
    assert n > 0, "n must be positive"
    if n > 10:
        raise ValueError("too large", 10)
    out[0] = n


# checked (int64[::1], int64)
def without_a_value(out, n):
    for k in range(n):
        if k > 2:
            y = k
    out[0] = y


# (int64[::1], float64[::1], int64)
def zero_or_empty(out, a, n):
    if n > 2:
        x = n
        b = a[1:]
        c = 7
    out[0] = x + b.size + c
