"""Kernels of every construct, on every device, with NumPy as the oracle."""

import inspect
import math

import numpy as np
import pytest

from phalanx import cuda, types

float32, int32 = types.float32, types.int32


def sample(dtype, count, seed=0):
    rng = np.random.default_rng(seed)
    if dtype.kind == "b":
        return rng.integers(0, 2, count).astype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        low, high = max(info.min, -100), min(info.max, 100)
        return rng.integers(low, high, count).astype(dtype)
    if dtype.kind == "c":
        return (rng.standard_normal(count) + 1j * rng.standard_normal(count)).astype(dtype)
    return rng.standard_normal(count).astype(dtype)


@pytest.mark.parametrize("count", [1, 31, 32, 33, 256, 1000])
def test_copying_keeps_every_dtype(device, dtype, count):
    @cuda.jit
    def copy(source, target):
        i = cuda.grid(1)
        if i < source.shape[0]:
            target[i] = source[i]

    source = sample(dtype, count)
    target = np.zeros_like(source)
    copy[(count + 127) // 128, 128](source, target)
    np.testing.assert_array_equal(target, source)


@pytest.mark.parametrize("threads", [1, 16, 32, 48, 100, 1024])
def test_every_thread_of_every_block_runs_once(device, threads):
    @cuda.jit
    def count(hits):
        cuda.atomic.add(hits, cuda.grid(1), 1)

    hits = np.zeros(7 * threads, np.int32)
    count[7, threads](hits)
    assert (hits == 1).all()


def test_three_dimensional_grids_number_threads_as_cuda_does(device):
    @cuda.jit
    def place(out):
        x, y, z = cuda.grid(3)
        if x < out.shape[0] and y < out.shape[1] and z < out.shape[2]:
            out[x, y, z] = cuda.threadIdx.x + 10 * cuda.threadIdx.y + 100 * cuda.threadIdx.z

    out = np.full((6, 9, 5), -1, np.int64)
    place[(2, 3, 2), (4, 3, 3)](out)
    x, y, z = np.meshgrid(*(np.arange(n) for n in out.shape), indexing="ij")
    np.testing.assert_array_equal(out, x % 4 + 10 * (y % 3) + 100 * (z % 3))


def test_arithmetic_matches_numpy(device):
    @cuda.jit
    def compute(a, b, out):
        i = cuda.grid(1)
        if i < a.shape[0]:
            out[i, 0] = a[i] + b[i]
            out[i, 1] = a[i] - b[i]
            out[i, 2] = a[i] * b[i]
            out[i, 3] = a[i] / b[i]
            out[i, 4] = a[i] // b[i]
            out[i, 5] = a[i] % b[i]
            out[i, 6] = -a[i]
            out[i, 7] = abs(a[i])

    a, b = (np.random.default_rng(seed).uniform(-5, 5, 100) for seed in (1, 2))
    out = np.zeros((100, 8))
    compute[1, 128](a, b, out)
    expected = np.stack([a + b, a - b, a * b, a / b, a // b, a % b, -a, abs(a)], axis=1)
    np.testing.assert_allclose(out, expected, rtol=1e-14)


def test_integer_division_follows_python_and_gives_zero_for_zero(device):
    @cuda.jit
    def compute(a, b, out):
        i = cuda.grid(1)
        if i < a.shape[0]:
            out[i, 0] = a[i] // b[i]
            out[i, 1] = a[i] % b[i]

    a = np.array([7, -7, 7, -7, 5, -(2**63)], np.int64)
    b = np.array([3, 3, -3, -3, 0, -1], np.int64)
    out = np.zeros((6, 2), np.int64)
    compute[1, 32](a, b, out)
    assert out.tolist()[:5] == [[2, 1], [-3, 2], [-3, -2], [2, -1], [0, 0]]


def test_loops_leave_and_go_on_where_python_does(device):
    def body(n):
        total = 0
        for i in range(n):
            if i == 3:
                continue
            j = 0
            while True:
                j += 1
                if j > i:
                    break
                if j % 2:
                    continue
                total += j
            else:
                total += 1000
            if total > 200:
                break
        else:
            total += 1
        return total

    inner = cuda.jit(device=True)(body)

    @cuda.jit
    def run(out):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = inner(i)

    out = np.zeros(70, np.int64)
    run[1, 96](out)
    assert out.tolist() == [body(n) for n in range(70)]


def test_divergent_returns_keep_other_threads_running(device):
    @cuda.jit
    def run(out):
        i = cuda.grid(1)
        if i % 3 == 0:
            return
        for j in range(i):
            if j == 5:
                return
            out[i] = j
        out[i] += 100

    out = np.full(64, -1, np.int64)
    run[2, 32](out)

    expected = []
    for i in range(64):
        value = -1
        if i % 3:
            value = min(i - 1, 4)
            if i <= 5:
                value += 100
        expected.append(value)
    assert out.tolist() == expected


def test_shared_memory_and_barriers_reverse_a_block(device):
    @cuda.jit
    def reverse(values):
        tile = cuda.shared.array(128, int32)
        t = cuda.threadIdx.x
        tile[t] = values[cuda.grid(1)]
        cuda.syncthreads()
        values[cuda.grid(1)] = tile[cuda.blockDim.x - 1 - t]

    values = np.arange(512, dtype=np.int32)
    reverse[4, 128](values)
    np.testing.assert_array_equal(values, np.arange(512).reshape(4, 128)[:, ::-1].ravel())


def test_barriers_in_loops_make_a_block_reduction(device):
    @cuda.jit
    def reduce(values, sums):
        tile = cuda.shared.array(256, types.float64)
        t = cuda.threadIdx.x
        tile[t] = values[cuda.grid(1)]
        cuda.syncthreads()
        step = cuda.blockDim.x // 2
        while step > 0:
            if t < step:
                tile[t] += tile[t + step]
            cuda.syncthreads()
            step //= 2
        if t == 0:
            sums[cuda.blockIdx.x] = tile[0]

    values = np.random.default_rng(0).random(1024)
    sums = np.zeros(4)
    reduce[4, 256](values, sums)
    np.testing.assert_allclose(sums, values.reshape(4, 256).sum(axis=1), rtol=1e-13)


def test_dynamic_shared_memory_has_the_size_of_the_launch(device):
    @cuda.jit
    def shift(values):
        tile = cuda.shared.array(0, types.int64)
        t = cuda.threadIdx.x
        tile[t] = values[t]
        cuda.syncthreads()
        values[t] = tile[(t + 1) % cuda.blockDim.x] + 1000 * len(tile)

    values = np.arange(64)
    shift[1, 64, 0, 64 * 8](values)
    np.testing.assert_array_equal(values, np.roll(np.arange(64), -1) + 64000)


def test_local_arrays_belong_to_each_thread(device):
    @cuda.jit
    def squares(out):
        mine = cuda.local.array(8, types.int64)
        i = cuda.grid(1)
        for k in range(8):
            mine[k] = i * k
        total = 0
        for k in range(8):
            total += mine[(k + i) % 8]
        out[i] = total

    out = np.zeros(100, np.int64)
    squares[1, 100](out)
    np.testing.assert_array_equal(out, np.arange(100) * 28)


def test_constant_arrays_come_from_globals_and_const_array_like(device):
    table = np.array([2, 3, 5, 7], np.int32)
    weights = np.arange(6, dtype=np.float64).reshape(2, 3)

    @cuda.jit
    def look_up(out):
        fixed = cuda.const.array_like(weights)
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = table[i % 4] + fixed[i % 2, i % 3]

    out = np.zeros(40)
    look_up[1, 64](out)
    i = np.arange(40)
    np.testing.assert_array_equal(out, table[i % 4] + weights[i % 2, i % 3])


ATOMIC_DTYPES = ["int32", "uint32", "int64", "uint64", "float32", "float64"]


@pytest.mark.parametrize("name", ATOMIC_DTYPES)
def test_atomic_add_loses_nothing(device, name):
    @cuda.jit
    def add(out, values):
        i = cuda.grid(1)
        cuda.atomic.add(out, i % 4, values[i])

    values = (np.arange(1024) % 5).astype(name)
    out = np.zeros(4, name)
    add[8, 128](out, values)
    np.testing.assert_array_equal(out, values.reshape(-1, 4).sum(axis=0))


@pytest.mark.parametrize("name", ATOMIC_DTYPES)
def test_atomic_max_and_min_find_the_extremes(device, name):
    @cuda.jit
    def extremes(out, values):
        i = cuda.grid(1)
        cuda.atomic.max(out, 0, values[i])
        cuda.atomic.min(out, (1,), values[i])

    values = np.random.default_rng(0).permutation(512).astype(name)
    out = np.array([5, 5], name)
    extremes[4, 128](out, values)
    assert out.tolist() == [511, 0]


@pytest.mark.parametrize("name", ["int32", "uint32", "int64", "uint64"])
def test_atomic_cas_and_exch(device, name):
    @cuda.jit
    def claim(out, owner):
        i = cuda.grid(1)
        if cuda.atomic.cas(out, 0, 0, i + 1) == 0:
            cuda.atomic.exch(owner, 0, i + 1)

    out, owner = np.zeros(1, name), np.zeros(1, name)
    claim[4, 64](out, owner)
    assert out[0] == owner[0] != 0


UNARY = [
    ("sin", math.sin, -10, 10), ("cos", math.cos, -10, 10), ("tan", math.tan, -1, 1),
    ("exp", math.exp, -5, 5), ("log", math.log, 0.1, 9), ("log2", math.log2, 0.1, 9),
    ("log10", math.log10, 0.1, 9), ("log1p", math.log1p, -0.5, 9), ("expm1", math.expm1, -1, 1),
    ("sqrt", math.sqrt, 0, 9), ("asin", math.asin, -1, 1), ("acos", math.acos, -1, 1),
    ("atan", math.atan, -9, 9), ("sinh", math.sinh, -3, 3), ("cosh", math.cosh, -3, 3),
    ("tanh", math.tanh, -3, 3), ("asinh", math.asinh, -9, 9), ("acosh", math.acosh, 1, 9),
    ("atanh", math.atanh, -0.9, 0.9), ("erf", math.erf, -3, 3), ("erfc", math.erfc, -3, 3),
    ("gamma", math.gamma, 0.5, 5), ("lgamma", math.lgamma, 0.5, 9), ("floor", math.floor, -9, 9),
    ("ceil", math.ceil, -9, 9), ("trunc", math.trunc, -9, 9), ("fabs", math.fabs, -9, 9),
]  # fmt: skip


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize(("name", "function", "low", "high"), UNARY, ids=[u[0] for u in UNARY])
def test_math_functions_match_python(device, name, function, low, high, precision):
    @cuda.jit
    def apply(x, out):
        i = cuda.grid(1)
        if i < x.shape[0]:
            out[i] = function(x[i])

    x = np.random.default_rng(0).uniform(low, high, 200).astype(precision)
    out = np.zeros_like(x)
    apply[2, 128](x, out)
    expected = np.array([function(float(value)) for value in x])
    tolerance = 4e-6 if precision == "float32" else 1e-13
    np.testing.assert_allclose(out, expected, rtol=tolerance, atol=tolerance)


def test_device_functions_call_each_other_and_themselves(device):
    @cuda.jit(device=True)
    def fibonacci(n):
        if n < 2:
            return n
        return fibonacci(n - 1) + fibonacci(n - 2)

    @cuda.jit(device=True)
    def twice(x, factor=2):
        return factor * x

    @cuda.jit
    def run(out):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = twice(fibonacci(i)) + twice(x=i, factor=3)

    out = np.zeros(15, np.int64)
    run[1, 32](out)
    sequence = [0, 1]
    while len(sequence) < 15:
        sequence.append(sequence[-1] + sequence[-2])
    assert out.tolist() == [2 * f + 3 * i for i, f in enumerate(sequence)]


def test_views_slices_and_strides_reach_the_right_elements(device):
    @cuda.jit
    def run(matrix, out):
        i = cuda.grid(1)
        if i < matrix.shape[0]:
            row = matrix[i]
            part = row[1:-1]
            back = matrix[::-1, 2]
            out[i] = part[0] + part[-1] * 10 + back[i] * 100 + len(part) * 1000

    matrix = np.arange(60).reshape(6, 10)[:, ::2]
    out = np.zeros(6, np.int64)
    run[1, 32](matrix, out)
    rows = [r[1] + r[-2] * 10 + matrix[5 - i][2] * 100 + 3000 for i, r in enumerate(matrix)]
    assert out.tolist() == rows


def test_fortran_order_and_transposed_arrays(device):
    @cuda.jit
    def copy(source, target):
        i, j = cuda.grid(2)
        if i < source.shape[0] and j < source.shape[1]:
            target[j, i] = source[i, j]

    source = np.asfortranarray(np.arange(35.0).reshape(5, 7))
    target = np.zeros((7, 5))
    copy[(1, 1), (8, 8)](source, target)
    np.testing.assert_array_equal(target, source.T)


def test_tuples_named_tuples_and_records_as_arguments(device):
    from collections import namedtuple

    Point = namedtuple("Point", "x y")
    particle = np.dtype([("position", np.float64), ("kind", np.int32)])

    @cuda.jit
    def run(pair, point, particles, out):
        i = cuda.grid(1)
        if i < particles.shape[0]:
            particles[i].position += pair[0] * point.x
            particles[i]["kind"] = i * pair[1]
            out[i] = particles[i].position + point.y

    particles = np.zeros(5, particle)
    particles["position"] = np.arange(5)
    out = np.zeros(5)
    run[1, 32]((2.0, 3), Point(10.0, 1), particles, out)
    assert particles["position"].tolist() == [20, 21, 22, 23, 24]
    assert particles["kind"].tolist() == [0, 3, 6, 9, 12]
    assert out.tolist() == [21, 22, 23, 24, 25]


def test_complex_arithmetic(device):
    @cuda.jit
    def run(z, out):
        i = cuda.grid(1)
        if i < z.shape[0]:
            out[i] = z[i] * z[i] / (1 + 2j) + z[i].real - 1j * z[i].imag

    z = sample(np.dtype("complex128"), 50)
    out = np.zeros_like(z)
    run[1, 64](z, out)
    np.testing.assert_allclose(out, z * z / (1 + 2j) + z.real - 1j * z.imag, rtol=1e-13)


def test_negative_indices_count_from_the_end(device):
    @cuda.jit
    def run(values, out):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = values[-1 - i] + values[i - values.shape[0]]

    values = np.arange(40.0)
    out = np.zeros(40)
    run[1, 64](values, out)
    np.testing.assert_array_equal(out, values[::-1] + values)


def test_printing_writes_one_line_a_thread(device, capfd):
    @cuda.jit
    def speak(values):
        i = cuda.grid(1)
        if i < values.shape[0]:
            print("thread", i, "has", values[i])

    speak[1, 32](np.array([1.5, 2.5, -3.0]))
    cuda.synchronize()
    lines = [line for line in capfd.readouterr().out.splitlines() if line]
    if device == "cpu":
        assert sorted(lines) == ["thread 0 has 1.5", "thread 1 has 2.5", "thread 2 has -3.0"]
    else:
        assert [line.split()[:2] for line in sorted(lines)] == [
            ["thread", str(i)] for i in range(3)
        ]


def test_exceptions_reach_the_host_in_debug_mode(device):
    @cuda.jit(debug=True, opt=False)
    def check(values):
        i = cuda.grid(1)
        if i < values.shape[0] and values[i] < 0:
            raise ValueError("negative value")

    check[1, 32](np.array([1.0, 2.0]))
    cuda.synchronize()
    with pytest.raises(
        ValueError, match=r"tid=\[1, 0, 0\] ctaid=\[0, 0, 0\]: negative value"
    ) as raised:
        check[1, 32](np.array([1.0, -2.0]))
        cuda.synchronize()
    line = inspect.getsourcelines(check.py_func)[1] + 4
    assert str(raised.value).endswith(f"\nIn function 'check', file {__file__}, line {line}")
    check[1, 32](np.array([1.0, 2.0]))


def test_assertions_are_silent_without_debug(device):
    @cuda.jit
    def check(values):
        assert values[0] > 0
        values[cuda.grid(1)] = 5

    values = np.zeros(4)
    check[1, 4](values)
    assert (values == 5).all()


def test_wrapped_indices_are_used_again_after_a_barrier(device):
    @cuda.jit
    def shifted(x, out, d, n):
        tile = cuda.shared.array(64, types.float32)
        i = cuda.threadIdx.x
        j = (i + d) % n
        tile[i] = x[j - 1]
        cuda.syncthreads()
        out[i] = tile[63 - i] + x[j - 1] + x[i - 64]

    x = np.arange(64, dtype=np.float32) * 3
    i = np.arange(64)
    for d, n in ((5, 64), (-3, 64), (1, 7), (0, -9)):
        out = np.zeros(64, np.float32)
        shifted[1, 64](x, out, d, n)
        taken = x[(i + d) % n - 1]
        np.testing.assert_array_equal(out, taken[::-1] + taken + x[i - 64])
