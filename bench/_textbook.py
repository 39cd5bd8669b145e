"""Ten textbook kernels, each with a problem to solve and NumPy's answer.

A program's `kernel` takes the module `cuda` and gives back a plain Python function, so that the
caller chooses the library, the device and the options: ``cuda.jit(program.kernel(cuda))``. The C
programs beside them take the arrays, the numbers, and then the `extents` as 32-bit integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

BLOCK = 256
WARP = 32
BINS = 256
TILE = 32  # of the transpose
ROWS = 8  # rows of a tile that the transpose's threads hold at once
PRODUCT = 64  # rows and columns of the product that a block computes
DEPTH = 16  # of the tiles that it reads
EACH = 4  # rows and columns that one thread computes
SORTED = 1024  # numbers that a block sorts
F = np.float32


@dataclass
class Problem:
    """Arguments of one launch, and what must be in the outputs after it."""

    arguments: tuple[Any, ...]  # NumPy arrays and numbers
    grid: Any
    block: Any
    outputs: dict[int, Any]  # argument number to the expected array
    work: float  # operations, or bytes moved, of a launch
    unit: str
    extents: tuple[int, ...] = ()
    tolerance: float = 0.0
    resets: tuple[int, ...] = field(default=())  # outputs that a launch adds to, or sorts


@dataclass(frozen=True)
class Program:
    """A kernel and its problem; `size` 1.0 fills a large GPU for about a millisecond."""

    name: str
    kernel: Callable[[Any], Callable[..., None]]
    problem: Callable[[float], Problem]


def nbody(cuda: Any) -> Callable[..., None]:
    """The acceleration of each body: all others pass by in tiles in shared memory."""

    def nbody(x, y, z, m, ax, ay, az, softening):
        i = cuda.grid(1)
        t = cuda.threadIdx.x
        tile_x = cuda.shared.array(BLOCK, F)
        tile_y = cuda.shared.array(BLOCK, F)
        tile_z = cuda.shared.array(BLOCK, F)
        tile_m = cuda.shared.array(BLOCK, F)
        my_x, my_y, my_z = x[i], y[i], z[i]
        sum_x = sum_y = sum_z = F(0)
        for tile in range(x.shape[0] // BLOCK):
            j = tile * BLOCK + t
            tile_x[t] = x[j]
            tile_y[t] = y[j]
            tile_z[t] = z[j]
            tile_m[t] = m[j]
            cuda.syncthreads()
            for k in range(BLOCK):
                dx = tile_x[k] - my_x
                dy = tile_y[k] - my_y
                dz = tile_z[k] - my_z
                r2 = dx * dx + dy * dy + dz * dz + softening
                r = F(1) / math.sqrt(r2)
                pull = tile_m[k] * r * r * r
                sum_x += dx * pull
                sum_y += dy * pull
                sum_z += dz * pull
            cuda.syncthreads()
        ax[i] = sum_x
        ay[i] = sum_y
        az[i] = sum_z

    return nbody


def nbody_problem(size: float) -> Problem:
    """Random bodies; a sample of them is checked."""
    n = max(BLOCK, int(65536 * math.sqrt(size)) // BLOCK * BLOCK)
    rng = np.random.default_rng(1)
    x, y, z = (rng.uniform(-1, 1, n).astype(F) for _ in range(3))
    m = rng.uniform(0.5, 1, n).astype(F)
    seen = np.arange(0, n, max(1, n // 50))
    offsets = [each[None, :].astype(float) - each[seen, None] for each in (x, y, z)]
    pull = m / (sum(each**2 for each in offsets) + 1e-3) ** 1.5
    results = [np.zeros(n, F) for _ in range(3)]
    expected = {4 + d: (seen, (offsets[d] * pull).sum(axis=1)) for d in range(3)}
    return Problem(
        (x, y, z, m, *results, F(1e-3)),
        n // BLOCK,
        BLOCK,
        expected,
        20.0 * n * n,
        "FLOP",
        (n,),
        1e-4,
    )


def stencil(cuda: Any) -> Callable[..., None]:
    """The mean of the four neighbours, inside of the border."""

    def stencil(a, out):
        j, i = cuda.grid(2)
        if 0 < i < a.shape[0] - 1 and 0 < j < a.shape[1] - 1:
            out[i, j] = F(0.25) * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])

    return stencil


def stencil_problem(size: float) -> Problem:
    """A square of random numbers."""
    n = max(64, int(8192 * math.sqrt(size)) // 32 * 32)
    a = np.random.default_rng(2).random((n, n), dtype=F)
    expected = np.zeros_like(a)
    expected[1:-1, 1:-1] = F(0.25) * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    return Problem(
        (a, np.zeros_like(a)), (n // 32, n // 8), (32, 8), {1: expected}, 8.0 * n * n, "B",
        (n, n), 1e-6,
    )  # fmt: skip


def total(cuda: Any) -> Callable[..., None]:
    """The sum of all numbers: a grid-stride loop, shuffles, and one atomic a block."""

    def total(a, out):
        partial = cuda.shared.array(WARP, F)
        s = F(0)
        for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
            s += a[i]
        offset = WARP // 2
        while offset > 0:
            s += cuda.shfl_down_sync(0xFFFFFFFF, s, offset)
            offset //= 2
        warp = cuda.threadIdx.x // WARP
        lane = cuda.threadIdx.x % WARP
        if lane == 0:
            partial[warp] = s
        cuda.syncthreads()
        if warp == 0:
            s = partial[lane] if lane < cuda.blockDim.x // WARP else F(0)
            offset = WARP // 2
            while offset > 0:
                s += cuda.shfl_down_sync(0xFFFFFFFF, s, offset)
                offset //= 2
            if lane == 0:
                cuda.atomic.add(out, 0, s)

    return total


def total_problem(size: float) -> Problem:
    """Random numbers between 0 and 1."""
    n = max(1000, int((1 << 27) * size))
    a = np.random.default_rng(3).random(n, dtype=F)
    expected = np.array([a.sum(dtype=np.float64)])
    return Problem(
        (a, np.zeros(1, F)), 132 * 8, BLOCK, {1: expected}, 4.0 * n, "B", (n,), 1e-4, (1,)
    )


def histogram(cuda: Any) -> Callable[..., None]:
    """How often each byte comes: counted by block in shared memory, then added up."""

    def histogram(a, counts):
        here = cuda.shared.array(BINS, np.int32)
        t = cuda.threadIdx.x
        here[t] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
            cuda.atomic.add(here, a[i], 1)
        cuda.syncthreads()
        cuda.atomic.add(counts, t, here[t])

    return histogram


def histogram_problem(size: float) -> Problem:
    """Random bytes, as many of each."""
    n = max(1000, int((1 << 28) * size))
    a = np.random.default_rng(4).integers(0, BINS, n, dtype=np.uint8)
    expected = np.bincount(a, minlength=BINS)
    return Problem(
        (a, np.zeros(BINS, np.int32)), 132 * 8, BINS, {1: expected}, 1.0 * n, "B", (n,), 0.0, (1,)
    )


def black_scholes(cuda: Any) -> Callable[..., None]:
    """Prices of European options, the normal distribution by a polynomial."""

    @cuda.jit(device=True)
    def normal(d):
        k = F(1) / (F(1) + F(0.2316419) * abs(d))
        series = F(-1.821255978) + k * F(1.330274429)
        series = F(-0.356563782) + k * (F(1.781477937) + k * series)
        series = k * (F(0.31938153) + k * series)
        tail = F(0.39894228040) * math.exp(F(-0.5) * d * d) * series
        return F(1) - tail if d > F(0) else tail

    def black_scholes(price, strike, years, call, put, rate, volatility):
        i = cuda.grid(1)
        if i < price.shape[0]:
            root = math.sqrt(years[i])
            d1 = (
                math.log(price[i] / strike[i])
                + (rate + F(0.5) * volatility * volatility) * years[i]
            ) / (volatility * root)
            n1, n2 = normal(d1), normal(d1 - volatility * root)
            discounted = strike[i] * math.exp(-rate * years[i])
            call[i] = price[i] * n1 - discounted * n2
            put[i] = discounted * (F(1) - n2) - price[i] * (F(1) - n1)

    return black_scholes


def black_scholes_problem(size: float) -> Problem:
    """Random options; a sample of them is checked by the error function."""
    n = max(1000, int((1 << 25) * size))
    rng = np.random.default_rng(5)
    price, strike, years = (
        rng.uniform(low, high, n).astype(F) for low, high in ((5, 30), (1, 100), (0.25, 10))
    )
    seen = np.arange(0, n, max(1, n // 1000))
    s, k, t = (each[seen].astype(float) for each in (price, strike, years))
    rate, volatility = 0.02, 0.30
    d1 = (np.log(s / k) + (rate + volatility**2 / 2) * t) / (volatility * np.sqrt(t))
    n1, n2 = (
        np.array([0.5 * math.erfc(-d / math.sqrt(2)) for d in each])
        for each in (d1, d1 - volatility * np.sqrt(t))
    )
    discounted = k * np.exp(-rate * t)
    calls, puts = s * n1 - discounted * n2, discounted * (1 - n2) - s * (1 - n1)
    return Problem(
        (price, strike, years, np.zeros(n, F), np.zeros(n, F), F(rate), F(volatility)),
        (n + BLOCK - 1) // BLOCK,
        BLOCK,
        {3: (seen, calls), 4: (seen, puts)},
        20.0 * n,
        "B",
        (n,),
        1e-4,
    )


def transpose(cuda: Any) -> Callable[..., None]:
    """A transpose by tiles in shared memory, padded against bank conflicts."""

    def transpose(a, out):
        tile = cuda.shared.array((TILE, TILE + 1), F)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        column = cuda.blockIdx.x * TILE + tx
        row = cuda.blockIdx.y * TILE + ty
        for k in range(0, TILE, ROWS):
            tile[ty + k, tx] = a[row + k, column]
        cuda.syncthreads()
        column = cuda.blockIdx.y * TILE + tx
        row = cuda.blockIdx.x * TILE + ty
        for k in range(0, TILE, ROWS):
            out[row + k, column] = tile[tx, ty + k]

    return transpose


def transpose_problem(size: float) -> Problem:
    """A square of random numbers."""
    n = max(64, int(8192 * math.sqrt(size)) // TILE * TILE)
    a = np.random.default_rng(6).random((n, n), dtype=F)
    return Problem(
        (a, np.zeros_like(a)), (n // TILE, n // TILE), (TILE, ROWS), {1: a.T}, 8.0 * n * n, "B",
        (n, n),
    )  # fmt: skip


def csr_product(cuda: Any) -> Callable[..., None]:
    """A sparse matrix times a vector, a warp a row."""

    def csr_product(starts, columns, values, x, y):
        thread = cuda.grid(1)
        row = thread // WARP
        lane = thread % WARP
        if row < y.shape[0]:
            s = F(0)
            for j in range(starts[row] + lane, starts[row + 1], WARP):
                s += values[j] * x[columns[j]]
            offset = WARP // 2
            while offset > 0:
                s += cuda.shfl_down_sync(0xFFFFFFFF, s, offset)
                offset //= 2
            if lane == 0:
                y[row] = s

    return csr_product


def csr_product_problem(size: float) -> Problem:
    """Rows of 0 to 255 numbers at random columns."""
    rows = max(100, int((1 << 19) * size))
    rng = np.random.default_rng(7)
    lengths = rng.integers(0, 256, rows)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    count = int(starts[-1])
    columns = rng.integers(0, rows, count, dtype=np.int32)
    values = rng.random(count, dtype=F)
    x = rng.random(rows, dtype=F)
    sums = np.concatenate([[0], np.cumsum(values.astype(float) * x[columns])])
    expected = sums[starts[1:]] - sums[starts[:-1]]
    return Problem(
        (starts, columns, values, x, np.zeros(rows, F)),
        (rows * WARP + BLOCK - 1) // BLOCK,
        BLOCK,
        {4: expected},
        8.0 * count,
        "B",
        (rows,),
        1e-4,
    )


def fractal(cuda: Any) -> Callable[..., None]:
    """Steps until a point of the Mandelbrot set's neighbourhood has escaped."""

    def fractal(image, left, top, step, limit):
        j, i = cuda.grid(2)
        if i < image.shape[0] and j < image.shape[1]:
            cx = left + F(j) * step
            cy = top + F(i) * step
            x = y = F(0)
            steps = 0
            while steps < limit and x * x + y * y <= F(4):
                x, y = x * x - y * y + cx, F(2) * x * y + cy
                steps += 1
            image[i, j] = steps

    return fractal


def fractal_problem(size: float) -> Problem:
    """The whole set; rounding may move points at its border."""
    n = max(64, int(4096 * math.sqrt(size)) // 16 * 16)
    step, limit = F(2.5 / n), 256
    seen = np.arange(0, n, max(1, n // 64))
    cx = (F(-2) + seen.astype(F) * step)[None, :] + np.zeros((len(seen), 1), F)
    cy = (F(-1.25) + seen.astype(F) * step)[:, None] + np.zeros((1, len(seen)), F)
    x, y, steps = np.zeros_like(cx), np.zeros_like(cx), np.zeros(cx.shape, np.int32)
    for _ in range(limit):
        inside = x * x + y * y <= 4
        steps += inside
        x, y = (
            np.where(inside, x * x - y * y + cx, x),
            np.where(inside, 2 * x * y + cy, y),
        )
    return Problem(
        (np.zeros((n, n), np.int32), F(-2), F(-1.25), step, np.int32(limit)),
        (n // 16, n // 16),
        (16, 16),
        {0: (np.ix_(seen, seen), steps)},
        7.0 * n * n * float(steps.mean()),
        "FLOP",
        (n, n),
        0.02,
    )


def product(cuda: Any) -> Callable[..., None]:  # noqa: C901  # a kernel is one function
    """A matrix product: tiles in shared memory, 4 x 4 results in each thread's registers."""

    def product(a, b, c):  # noqa: C901
        tile_a = cuda.shared.array((DEPTH, PRODUCT), F)
        tile_b = cuda.shared.array((DEPTH, PRODUCT), F)
        sums = cuda.local.array((EACH, EACH), F)
        left = cuda.local.array(EACH, F)
        above = cuda.local.array(EACH, F)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        t = ty * (PRODUCT // EACH) + tx
        row = cuda.blockIdx.y * PRODUCT
        column = cuda.blockIdx.x * PRODUCT
        for i in range(EACH):
            for j in range(EACH):
                sums[i, j] = F(0)
        for start in range(0, a.shape[1], DEPTH):
            for e in range(t, PRODUCT * DEPTH, BLOCK):
                tile_a[e % DEPTH, e // DEPTH] = a[row + e // DEPTH, start + e % DEPTH]
                tile_b[e // PRODUCT, e % PRODUCT] = b[start + e // PRODUCT, column + e % PRODUCT]
            cuda.syncthreads()
            for k in range(DEPTH):
                for i in range(EACH):
                    left[i] = tile_a[k, ty * EACH + i]
                    above[i] = tile_b[k, tx * EACH + i]
                for i in range(EACH):
                    for j in range(EACH):
                        sums[i, j] += left[i] * above[j]
            cuda.syncthreads()
        for i in range(EACH):
            for j in range(EACH):
                c[row + ty * EACH + i, column + tx * EACH + j] = sums[i, j]

    return product


def product_problem(size: float) -> Problem:
    """Square matrices of random numbers."""
    n = max(PRODUCT, int(4096 * size ** (1 / 3)) // PRODUCT * PRODUCT)
    rng = np.random.default_rng(8)
    a, b = rng.random((n, n), dtype=F), rng.random((n, n), dtype=F)
    threads = PRODUCT // EACH
    return Problem(
        (a, b, np.zeros((n, n), F)),
        (n // PRODUCT, n // PRODUCT),
        (threads, threads),
        {2: a @ b},
        2.0 * n**3,
        "FLOP",
        (n,),
        1e-4,
    )


def bitonic_sort(cuda: Any) -> Callable[..., None]:
    """Sorts each 1024 numbers in shared memory."""

    def bitonic_sort(a):
        keys = cuda.shared.array(SORTED, F)
        t = cuda.threadIdx.x
        first = cuda.blockIdx.x * SORTED
        half = SORTED // 2
        keys[t] = a[first + t]
        keys[t + half] = a[first + t + half]
        length = 2
        while length <= SORTED:
            distance = length // 2
            while distance > 0:
                cuda.syncthreads()
                low = 2 * t - (t & (distance - 1))
                high = low + distance
                is_up = (low & length) == 0
                if (keys[low] > keys[high]) == is_up:
                    keys[low], keys[high] = keys[high], keys[low]
                distance //= 2
            length *= 2
        cuda.syncthreads()
        a[first + t] = keys[t]
        a[first + t + half] = keys[t + half]

    return bitonic_sort


def bitonic_sort_problem(size: float) -> Problem:
    """Random numbers."""
    blocks = max(4, int((1 << 14) * size))
    a = np.random.default_rng(9).random(blocks * SORTED, dtype=F)
    expected = np.sort(a.reshape(blocks, SORTED)).ravel()
    return Problem(
        (a,), blocks, SORTED // 2, {0: expected}, 8.0 * a.size, "B", (a.size,), 0.0, (0,)
    )


PROGRAMS = [
    Program("n-body by tiles", nbody, nbody_problem),
    Program("2-D stencil", stencil, stencil_problem),
    Program("grid-stride sum with shuffles", total, total_problem),
    Program("histogram with shared atomics", histogram, histogram_problem),
    Program("Black-Scholes", black_scholes, black_scholes_problem),
    Program("tiled transpose", transpose, transpose_problem),
    Program("CSR product by warps", csr_product, csr_product_problem),
    Program("escape-time fractal", fractal, fractal_problem),
    Program("register-tiled matrix product", product, product_problem),
    Program("bitonic sort in shared memory", bitonic_sort, bitonic_sort_problem),
]


def check(program: Program, problem: Problem, results: dict[int, np.ndarray]) -> None:
    """Raises if a result is not NumPy's; `results` are the arrays of `problem.outputs`."""
    for number, expected in problem.outputs.items():
        result = results[number]
        if isinstance(expected, tuple):  # a sample
            result, expected = result[expected[0]], expected[1]
        if problem.tolerance == 0:
            wrong = float((result != expected).mean())
        elif np.issubdtype(result.dtype, np.integer):
            wrong = max(0.0, float((result != expected).mean()) - problem.tolerance)
        else:
            scale = np.abs(expected).max()
            wrong = max(0.0, float(np.abs(result - expected).max() / scale) - problem.tolerance)
        if not wrong == 0:
            raise AssertionError(f"{program.name}: argument {number} is off by {wrong}")
