"""The 14 atomics over every type that each takes, in global and shared memory, with old values."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest
from phalanx.errors import CompileError

from phalanx import cuda, types

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")

INTEGERS = ["int32", "uint32", "int64", "uint64"]
NUMBERS = [*INTEGERS, "float16", "float32", "float64"]
NATURALS = ["uint32", "uint64"]
THREADS = 96  # in each of two blocks


def wrapped(function):
    def apply(old, values):
        with np.errstate(over="ignore"):
            return function(old, values)

    return apply


def counted(step):
    def apply(old, values):
        for value in values:
            old = step(int(old), int(value))
        return old

    return apply


# name: what it takes, the start, the result of all values after each other (in any order)
TABLE = {
    "add": (NUMBERS, 3, wrapped(lambda old, v: old + v.sum(dtype=v.dtype))),
    "sub": (NUMBERS, 3, wrapped(lambda old, v: old - v.sum(dtype=v.dtype))),
    "max": (NUMBERS, 5, lambda old, v: max(old, v.max())),
    "min": (NUMBERS, 5, lambda old, v: min(old, v.min())),
    "nanmax": (NUMBERS, 5, lambda old, v: max(old, v.max())),
    "nanmin": (NUMBERS, 5, lambda old, v: min(old, v.min())),
    "and_": (INTEGERS, -1, lambda old, v: old & np.bitwise_and.reduce(v)),
    "or_": (INTEGERS, 0, lambda old, v: old | np.bitwise_or.reduce(v)),
    "xor": (INTEGERS, 9, lambda old, v: old ^ np.bitwise_xor.reduce(v)),
    "inc": (NATURALS, 2, counted(lambda old, v: 0 if old >= v else old + 1)),
    "dec": (NATURALS, 2, counted(lambda old, v: v if old == 0 or old > v else old - 1)),
}
ROWS = [(name, dtype) for name, (types, _, _) in TABLE.items() for dtype in types]


def samples(name, dtype, count=2 * THREADS):
    if name in ("inc", "dec"):
        return np.full(count, 7, dtype)
    rng = np.random.default_rng(count)
    most = 3 if dtype == "float16" else 1000  # sums of such floats are exact
    low = 0 if dtype.startswith("u") else -most
    values = rng.integers(low, most, count).astype(dtype)
    if name == "and_":
        values |= np.array(0x5A5A0000, "uint32").astype(dtype)
    return values


def start_of(name, dtype):
    return np.array(TABLE[name][1]).astype(dtype)


def in_global(atomic):
    @cuda.jit
    def kernel(values, out):
        i = cuda.grid(1)
        atomic(out, (0, 1), values[i])

    return kernel


def in_shared(atomic):
    @cuda.jit
    def kernel(values, out, dtype):
        tile = cuda.shared.array(2, dtype)
        i = cuda.threadIdx.x
        if i == 0:
            tile[1] = out[0, 1]
        cuda.syncthreads()
        for k in range(i, values.shape[0], cuda.blockDim.x):
            atomic(tile, 1, values[k])
        cuda.syncthreads()
        if i == 0:
            out[0, 1] = tile[1]

    return kernel


@pytest.mark.parametrize("name, dtype", ROWS)
def test_all_threads_take_part(device, name, dtype):
    atomic = getattr(cuda.atomic, name)
    values, start = samples(name, dtype), start_of(name, dtype)
    expected = np.array(TABLE[name][2](start[()], values)).astype(dtype)
    out = np.zeros((2, 2), dtype)
    out[0, 1] = start
    in_global(atomic)[2, THREADS](values, out)
    assert out[0, 1] == expected
    assert out[0, 0] == out[1, 0] == out[1, 1] == 0
    out[0, 1] = start
    in_shared(atomic)[1, THREADS](values, out, np.dtype(dtype))
    assert out[0, 1] == expected


@pytest.mark.parametrize("name, dtype", ROWS)
def test_the_old_value_is_what_was_there(device, name, dtype):
    atomic = getattr(cuda.atomic, name)

    @cuda.jit
    def one_by_one(values, out, seen):
        for k in range(values.shape[0]):
            seen[k] = atomic(out, k % 2, values[k])

    values = samples(name, dtype, 20)
    out = np.full(2, start_of(name, dtype), dtype)
    seen = np.zeros(20, dtype)
    one_by_one[1, 1](values, out, seen)
    now = np.full(2, start_of(name, dtype), dtype)
    for k, value in enumerate(values):
        assert seen[k] == now[k % 2]
        now[k % 2] = np.array(TABLE[name][2](now[k % 2], np.array([value]))).astype(dtype)
    np.testing.assert_array_equal(out, now)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nan_wins_or_gives_way(device, dtype):
    @cuda.jit
    def extremes(values, out):
        i = cuda.threadIdx.x
        cuda.atomic.nanmax(out, 0, values[i])
        cuda.atomic.nanmin(out, 1, values[i])

    values = np.array([1, np.nan, 3, -2, np.nan, 0], dtype)
    out = np.array([np.nan, np.nan], dtype)
    extremes[1, 6](values, out)
    assert out.tolist() == [3, -2]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_exch_hands_every_value_on_once(device, dtype):
    @cuda.jit
    def exchange(place, seen):
        i = cuda.grid(1)
        seen[i] = cuda.atomic.exch(place, 0, i + 1)

    place, seen = np.zeros(1, dtype), np.zeros(2 * THREADS, dtype)
    exchange[2, THREADS](place, seen)
    assert sorted([*seen.tolist(), *place.tolist()]) == list(range(2 * THREADS + 1))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_cas_lets_one_thread_in(device, dtype):
    @cuda.jit
    def claim(places, seen):
        i = cuda.grid(1)
        seen[i] = cuda.atomic.cas(places, (i % 3, 1), 7, i + 100)

    @cuda.jit
    def claim_first(places, seen):
        i = cuda.grid(1)
        seen[i] = cuda.atomic.compare_and_swap(places, 7, i + 100)

    places, seen = np.full((3, 2), 7, dtype), np.zeros(2 * THREADS, dtype)
    claim[2, THREADS](places, seen)
    for k in range(3):
        ours = seen[k::3]
        assert (ours == 7).sum() == 1
        winner = int(places[k, 1])
        assert (winner - 100) % 3 == k
        assert seen[winner - 100] == 7
        assert set(ours.tolist()) <= {7, winner}
    assert (places[:, 0] == 7).all()

    first = np.full(2, 7, dtype)
    claim_first[2, THREADS](first, seen)
    assert (seen == 7).sum() == 1
    assert seen[int(first[0]) - 100] == 7
    assert first[1] == 7


@pytest.mark.parametrize("name, dtype", [("and_", "float32"), ("inc", "int32"), ("add", "int8")])
def test_other_types_are_refused_with_a_list(name, dtype):
    atomic = getattr(cuda.atomic, name)

    @cuda.jit
    def kernel(out):
        atomic(out, 0, 1)

    with pytest.raises(CompileError, match=r"It takes .*uint32"):
        kernel[1, 1](np.zeros(1, dtype))


@pytest.mark.parametrize("capability", [(7, 5), (9, 0)])
@pytest.mark.parametrize("dtype", [*NUMBERS, "bfloat16"])
def test_the_ptx_of_all_assembles(dtype, capability, tmp_path):
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
    if ptxas is None:
        pytest.skip("needs ptxas")
    element = getattr(types, dtype)
    for name, (taken, _, _) in {**TABLE, "exch": (NUMBERS, None, None)}.items():
        if dtype not in taken and not (dtype == "bfloat16" and "float16" in taken):
            continue
        atomic = getattr(cuda.atomic, name)

        def kernel(out, value, atomic=atomic):
            tile = cuda.shared.array(3, element)
            tile[cuda.threadIdx.x] = out[0]
            cuda.syncthreads()
            out[1] = atomic(tile, 2, value)
            out[2] = atomic(out, 0, value)

        file = tmp_path / f"{name}.ptx"
        ptx, _ = cuda.compile_ptx(kernel, types.void(element[::1], element), cc=capability)
        file.write_text(ptx)
        command = [ptxas, f"-arch=sm_{capability[0]}{capability[1]}", str(file), "-o", "/dev/null"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def loops_after_an_atomic(update, element):
    """Counters of loops whose body begins with an atomic on shared memory."""

    def kernel(n, limit, out):
        t = np.int64(cuda.threadIdx.x)
        block = np.int64(cuda.blockIdx.x)
        box = cuda.shared.array(16, element)
        i = t
        while i < 16:
            box[i] = 1
            i += cuda.blockDim.x
        cuda.syncthreads()
        seen = t
        for i in range((block * 3 + 2) % 4):
            for j in range((n + 4) % 4):
                update(box, 5, 1)
                cuda.syncthreads_and((((t * 34) & 0xFFFF) & i) > j)
                if i % 3 >= max(limit[0], block):
                    seen = j ^ limit[1]
                if (n * 2 + 1) % 3 == 1:
                    break
        out[block * cuda.blockDim.x + t] = seen

    return kernel


def counted_in_python(n, limit, block, thread):
    seen = thread
    for i in range((block * 3 + 2) % 4):
        for j in range((n + 4) % 4):
            if i % 3 >= max(limit[0], block):
                seen = j ^ limit[1]
            if (n * 2 + 1) % 3 == 1:
                break
    return seen


@pytest.mark.parametrize(("name", "dtype"), ROWS)
def test_threads_count_on_together_after_an_atomic_on_shared_memory(device, name, dtype):
    """NVIDIA's assembler leaves the warp divergent after loops that it makes of atomics."""
    update = getattr(cuda.atomic, name)
    kernel = cuda.jit(loops_after_an_atomic(update, getattr(types, dtype)))
    limit = np.array([-19, 27])
    for n in (5, 6, 7):
        out = np.full(15, -1, np.int64)
        kernel[3, 5](n, limit, out)
        expected = [counted_in_python(n, limit, block, t) for block in range(3) for t in range(5)]
        assert out.tolist() == expected
