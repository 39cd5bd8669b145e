"""The figures of the CPU device: one function a question, each giving rows of the table."""

from __future__ import annotations

import functools
import time
from pathlib import Path
from typing import Any

import _kernels
import numpy as np
from _kernels import TILE
from _measure import Row, fresh, medians, per_call, process_seconds

NAN = float("nan")


def one_core() -> list[Row]:
    """Kernels against Numba's scalar code and NumPy, everything on one core."""
    return [*_mandelbrot(), *_vector_add(), *_grid_order(), *_sin_exp(), *_matmul()]


def _escape_count(real, imag, limit, four):
    """The body of both mandelbrots: iterations until the point leaves the circle of radius 2.

    Written without literals, which would make float64 of float32.
    """
    zr = real - real
    zi = imag - imag
    count = 0
    while count < limit and zr * zr + zi * zi < four:
        new = zr * zr - zi * zi + real
        product = zr * zi
        zi = product + product + imag
        zr = new
        count += 1
    return count


def _mandelbrot() -> list[Row]:
    return [
        _mandelbrot_of("float32", 10),
        _mandelbrot_of("float64", None),
        _mandelbrot_of("float32", 10, (16, 16)),  # the blocks of every tutorial
    ]


def _mandelbrot_of(dtype: str, target: float | None, block: tuple[int, int] = (64, 1)) -> Row:
    import numba

    theirs = numba.njit(_escape_count)

    @numba.njit
    def whole(x, y, out, limit, four):
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] = theirs(x[j], y[i], limit, four)

    name = f"mandelbrot 2048x1024, 256 iterations, {dtype}, blocks of {block[0]} x {block[1]}"
    return _mandelbrot_row(dtype, whole, "Numba @njit", name, target, block)


def _mandelbrot_row(
    dtype: str,
    whole: Any,
    peer: str,
    name: str,
    target: float | None,
    block: tuple[int, int] = (64, 1),
) -> Row:
    from phalanx import cuda

    width, height, limit = 2048, 1024, 256
    x = np.linspace(-2, 0.5, width).astype(dtype)
    y = np.linspace(-1.25, 1.25, height).astype(dtype)
    ours = cuda.jit(_escape_count, device=True)

    # Without contraction the two agree to the last pixel.
    @cuda.jit(contract=False)
    def kernel(x, y, out, limit, four):
        j, i = cuda.grid(2)
        if i < out.shape[0] and j < out.shape[1]:
            out[i, j] = ours(x[j], y[i], limit, four)

    expected = np.zeros((height, width), np.int32)
    actual = np.zeros((height, width), np.int32)
    launch = kernel[(width // block[0], height // block[1]), block]
    four = np.dtype(dtype).type(4)
    times = medians(
        {
            "ours": lambda: launch(x, y, actual, limit, four),
            "numba": lambda: whole(x, y, expected, limit, four),
        },
        rounds=5,
    )
    assert np.array_equal(actual, expected), "mandelbrot differs from Numba's"
    return Row(name, times["ours"] * 1e3, times["numba"] * 1e3, "ms", peer, target=target)


# Threads of a block in elementwise kernels: a block's start costs a few per cent of 256 threads.
BLOCK = 1024


def _vector_add() -> list[Row]:
    from phalanx import cuda

    n = 50_000_000
    a, b = (np.random.default_rng(seed).random(n, dtype=np.float32) for seed in (0, 1))
    out, expected = np.zeros_like(a), np.zeros_like(a)
    launch = _kernels.vector_add(cuda)[-(-n // BLOCK), BLOCK]
    times = medians(
        {"ours": lambda: launch(a, b, out), "numpy": lambda: np.add(a, b, out=expected)}
    )
    assert np.array_equal(out, expected)
    scale = 12 * n / 1e9
    return [
        Row(
            "vector add 5e7 float32",
            scale / times["ours"],
            scale / times["numpy"],
            "GB/s",
            "np.add",
            higher_is_better=True,
            target=0.9,
        )
    ]


def _grid_order() -> list[Row]:
    """Sums of matrices by `i, j` and by `j, i` of the grid, beside each other and NumPy."""
    from phalanx import cuda

    @cuda.jit
    def rows_first(a, b, out):
        i, j = cuda.grid(2)
        if i < out.shape[0] and j < out.shape[1]:
            out[i, j] = a[i, j] + b[i, j]

    @cuda.jit
    def columns_first(a, b, out):
        j, i = cuda.grid(2)
        if i < out.shape[0] and j < out.shape[1]:
            out[i, j] = a[i, j] + b[i, j]

    n, block = 2048, 16
    a, b = (np.random.default_rng(seed).random((n, n), dtype=np.float32) for seed in (0, 1))
    out = np.zeros_like(a)
    grid = (n // block, n // block)
    launches = {
        "`i, j = cuda.grid(2)`": rows_first[grid, (block, block)],
        "`j, i = cuda.grid(2)`": columns_first[grid, (block, block)],
    }
    functions = {name: functools.partial(launch, a, b, out) for name, launch in launches.items()}
    for function in functions.values():
        out.fill(0)
        function()
        assert np.array_equal(out, a + b)
    times = medians({**functions, "np.add": lambda: np.add(a, b, out=out)}, rounds=31)
    i_j, j_i, numpy = times
    return [
        Row(
            f"{name}, sum 2048 x 2048",
            times[name] * 1e3,
            times[peer] * 1e3,
            "ms",
            peer,
            target=0.91,
        )
        for name, peer in ((i_j, j_i), (j_i, i_j), (i_j, numpy), (j_i, numpy))
    ]


def _sin_exp() -> list[Row]:
    from phalanx import cuda

    n = 10_000_000
    x = np.random.default_rng(0).uniform(-10, 10, n).astype(np.float32)
    out = np.zeros_like(x)
    launch = _kernels.waves(cuda)[-(-n // BLOCK), BLOCK]
    times = medians(
        {
            "ours": lambda: launch(x, out),
            "numpy": lambda: np.sqrt(np.sin(x) ** 2 + np.exp(x)),
        }
    )
    np.testing.assert_allclose(out, np.sqrt(np.sin(x) ** 2 + np.exp(x)), rtol=1e-5)
    return [
        Row(
            "sqrt(sin(x)**2 + exp(x)), 1e7 float32",
            times["ours"] * 1e3,
            times["numpy"] * 1e3,
            "ms",
            "NumPy",
            target=4,
        )
    ]


def _triple_loop(a, b, c):
    for i in range(a.shape[0]):
        c[i, :] = 0
        for k in range(a.shape[1]):
            value = a[i, k]
            for j in range(b.shape[1]):
                c[i, j] += value * b[k, j]


def _matmul() -> list[Row]:
    from numba import njit

    from phalanx import cuda, types

    n = 1024
    a, b = (np.random.default_rng(seed).random((n, n), dtype=np.float32) for seed in (0, 1))
    c, expected = np.zeros_like(a), np.zeros_like(a)
    matmul = _kernels.tiled_matmul(cuda, types.float32)
    launch = matmul[(n // TILE, n // TILE), (TILE, TILE)]
    theirs = njit(_triple_loop)
    times = medians(
        {"ours": lambda: launch(a, b, c), "numba": lambda: theirs(a, b, expected)}, rounds=5
    )
    np.testing.assert_allclose(c, a @ b, rtol=1e-3)
    ours, numba = (2e-9 * n**3 / times[name] for name in ("ours", "numba"))
    unit = "GFLOP/s"
    return [
        Row("tiled matmul kernel 1024 (16x16)", ours, NAN, unit, "", True, _vector_width_floor()),
        Row("the same against a Numba triple loop", ours, numba, unit, "Numba @njit", True),
    ]


def _vector_width_floor() -> float:
    """80 GFLOP/s with 512-bit vectors, in proportion for narrower ones."""
    with Path("/proc/cpuinfo").open() as lines:
        flags = next((line for line in lines if line.startswith("flags")), "")
    if "avx512f" in flags:
        return 80.0
    return 40.0 if "avx2" in flags else 20.0


def all_cores() -> list[Row]:
    """The same mandelbrot on every core, against Numba's prange."""
    return [_mandelbrot_on_all_cores("float32"), _mandelbrot_on_all_cores("float64")]


def _mandelbrot_on_all_cores(dtype: str) -> Row:
    import numba

    theirs = numba.njit(_escape_count)

    @numba.njit(parallel=True)
    def whole(x, y, out, limit, four):
        for i in numba.prange(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] = theirs(x[j], y[i], limit, four)

    return _mandelbrot_row(dtype, whole, "Numba prange", f"mandelbrot {dtype}, all cores", None)


def launch() -> list[Row]:
    """What one small launch costs the caller."""
    from phalanx import cuda

    add = _kernels.vector_add(cuda)
    a = cuda.to_device(np.ones(256, np.float32))
    b = cuda.to_device(np.ones(256, np.float32))
    out = cuda.device_array_like(a)
    x, y = np.ones(256, np.float32), np.ones(256, np.float32)
    z = np.empty_like(x)
    ours = per_call(lambda: add[1, 256](a, b, out), cuda.synchronize)
    numpy = per_call(lambda: np.add(x, y, out=z), lambda: None)
    return [Row("launch, 1 block of 256, 3 device arrays", ours * 1e6, numpy * 1e6, "us", "np.add")]


FIRST_CALL = """
import time
from pathlib import Path
import numpy as np
from phalanx import cuda
a = np.ones(1024, np.float32); out = np.empty_like(a)
import sys, linecache
source = '''
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = a[i] + b[i]
'''
linecache.cache['<bench>'] = (len(source), None, source.splitlines(True), '<bench>')
scope = {'cuda': cuda}
exec(compile(source, '<bench>', 'exec'), scope)
start = time.perf_counter()
add = cuda.jit(scope['add'])
add[8, 128](a, a, out)
cuda.synchronize()
print((time.perf_counter() - start) * 1e3)
assert (out == 2).all()
"""


def first_call() -> list[Row]:
    """A fresh process's first kernel, without and with the disk cache; and the import."""
    import tempfile

    cold = fresh(FIRST_CALL, {"PHALANX_CACHE": "0"})[0]
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PHALANX_CACHE_DIR": folder}
        fresh(FIRST_CALL, environment, runs=1)
        warm = fresh(FIRST_CALL, environment)[0]
    bare = process_seconds("pass")
    whole = process_seconds("import phalanx")
    with_cuda = process_seconds("from phalanx import cuda")
    return [
        Row("first call, vector add, no cache", cold, NAN, "ms", "", target=40),
        Row("first call, vector add, from cache", warm, NAN, "ms", "", target=3),
        Row(
            "import phalanx above a bare interpreter",
            (whole - bare) * 1e3,
            NAN,
            "ms",
            "",
            target=60,
        ),
        Row(
            "from phalanx import cuda, likewise", (with_cuda - bare) * 1e3, NAN, "ms", "", target=60
        ),
    ]


SECTIONS = {
    "one_core": (one_core, {"PHALANX_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}),
    "all_cores": (all_cores, {}),
    "launch": (launch, {}),
    "first_call": (first_call, {}),
}


def now() -> str:
    """Today, for the heading of a table."""
    return time.strftime("%Y-%m-%d")
