"""Shared memory whose elements threads take in the order of butterflies, strides and windows."""

import numpy as np
import pytest

from phalanx import cuda

DTYPES = ["float32", "float64", "int8", "int16", "int32", "int64", "complex64"]
BLOCKS = [4, 16, 32, 50, 64, 96, 256, (16, 16), (8, 4), (32, 4)]
SIZE = 1024
EDGE = 16  # numbers around the part that the threads touch


def threads_of(block):
    return int(np.prod(block))


def name_of_block(block):
    return "x".join(map(str, np.atleast_1d(block)))


def sample(dtype, size):
    rng = np.random.default_rng(size)
    if np.dtype(dtype).kind == "c":
        return (rng.integers(-50, 50, size) + 1j * rng.integers(-50, 50, size)).astype(dtype)
    return rng.integers(-100, 100, size).astype(dtype)


def thread_number():
    return (
        cuda.threadIdx.x
        + cuda.threadIdx.y * cuda.blockDim.x
        + cuda.threadIdx.z * cuda.blockDim.x * cuda.blockDim.y
    )


number = cuda.jit(device=True)(thread_number)


@pytest.fixture(scope="module")
def sort():
    @cuda.jit
    def sort(a):
        keys = cuda.shared.array(SIZE, np.int32)
        t = number()
        size = 2 * cuda.blockDim.x * cuda.blockDim.y
        first = cuda.blockIdx.x * size
        keys[t] = a[first + t]
        keys[t + size // 2] = a[first + t + size // 2]
        length = 2
        while length <= size:
            distance = length // 2
            while distance > 0:
                cuda.syncthreads()
                low = 2 * t - (t & (distance - 1))
                high = low + distance
                if (keys[low] > keys[high]) == ((low & length) == 0):
                    keys[low], keys[high] = keys[high], keys[low]
                distance //= 2
            length *= 2
        cuda.syncthreads()
        a[first + t] = keys[t]
        a[first + t + size // 2] = keys[t + size // 2]

    return sort


@pytest.mark.parametrize("block", [4, 16, 32, 64, 256, (16, 16), (8, 4)], ids=name_of_block)
def test_a_bitonic_sort_sorts_each_block(device, sort, block):
    size = 2 * threads_of(block)
    a = np.random.default_rng(1).integers(-1000, 1000, 5 * size).astype(np.int32)
    expected = np.sort(a.reshape(5, size)).ravel()
    sort[5, block](a)
    np.testing.assert_array_equal(a, expected)


def butterfly(combine):
    """A kernel that goes through the strides; `combine` says what a thread reads and writes."""

    def make(dtype):
        @cuda.jit
        def kernel(a, out, largest):
            here = cuda.shared.array(SIZE, dtype)
            t = number()
            threads = cuda.blockDim.x * cuda.blockDim.y
            for i in range(t, a.shape[0], threads):
                here[i] = a[i]
            stride = 1
            while stride <= largest:
                cuda.syncthreads()
                combine(here, t, stride)
                stride *= 2
            cuda.syncthreads()
            for i in range(t, a.shape[0], threads):
                out[i] = here[i]

        return kernel

    return make


@cuda.jit(device=True)
def exchange(here, t, stride):
    """Each thread of a pair's lower half exchanges two elements that lie `stride` apart."""
    other = t ^ stride
    if t < other:
        x = here[EDGE + t]
        here[EDGE + t] = here[EDGE + other]
        here[EDGE + other] = x


def exchange_as_numpy(here, threads, stride):
    for t in range(threads):
        if t < t ^ stride:
            pair = [EDGE + t, EDGE + (t ^ stride)]
            here[pair] = here[pair[::-1]]


@cuda.jit(device=True)
def divide(here, t, stride):
    """Pairs by division and remainder, the lower element grown by the upper one."""
    low = EDGE + (t // stride) * 2 * stride + t % stride
    here[low] += here[low + stride]


def divide_as_numpy(here, threads, stride):
    for t in range(threads):
        low = EDGE + t // stride * 2 * stride + t % stride
        here[low] += here[low + stride]


@cuda.jit(device=True)
def choose(here, t, stride):
    """Some threads write, each between two elements that nobody writes."""
    if here[EDGE + t].real > 0:
        here[SIZE // 2 + 2 * (t ^ stride) + 1] = here[EDGE - 3 + (t | stride)]


def choose_as_numpy(here, threads, stride):
    for t in range(threads):
        if here[EDGE + t].real > 0:
            here[SIZE // 2 + 2 * (t ^ stride) + 1] = here[EDGE - 3 + (t | stride)]


PROGRAMS = {
    "exchange": (exchange, exchange_as_numpy),
    "divide": (divide, divide_as_numpy),
    "choose": (choose, choose_as_numpy),
}


@pytest.mark.parametrize("block", BLOCKS, ids=name_of_block)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_butterflies_are_numpys(device, program, dtype, block):
    combine, as_numpy = PROGRAMS[program]
    threads = threads_of(block)
    a = sample(dtype, SIZE)
    largest = threads // 2
    if threads & (threads - 1):
        largest = (threads & -threads) // 2
    expected = a.copy()
    stride = 1
    while stride <= largest:
        as_numpy(expected, threads, stride)
        stride *= 2
    out = np.zeros_like(a)
    butterfly(combine)(np.dtype(dtype))[1, block](a, out, largest)
    np.testing.assert_array_equal(out, expected)


@cuda.jit
def with_gaps(a, out, step):
    """Lanes two, three, four elements apart, at both ends of the array, and all at one."""
    here = cuda.shared.array(SIZE, np.float32)
    t = cuda.threadIdx.x
    for i in range(t, SIZE, cuda.blockDim.x):
        here[i] = a[i]
    cuda.syncthreads()
    total = here[4 * t] + here[4 * t + 1] + here[4 * t + 2] + here[4 * t + 3]
    total += here[SIZE - 1 - 3 * t] - here[SIZE - 1 - 2 * t] + here[t // 64] + here[step * t]
    cuda.syncthreads()
    here[4 * t + 1] = total
    if t % 3 == 0:
        here[SIZE - 4 * t - 1] = t
    cuda.syncthreads()
    for i in range(t, SIZE, cuda.blockDim.x):
        out[i] = here[i]


@pytest.mark.parametrize("threads", [1, 20, 32, 64, 100, 256])
def test_elements_between_those_of_the_lanes_keep_their_values(device, threads):
    a = sample("float32", SIZE)
    out = np.zeros_like(a)
    with_gaps[1, threads](a, out, 2)
    t = np.arange(threads)
    total = a[4 * t] + a[4 * t + 1] + a[4 * t + 2] + a[4 * t + 3]
    total += a[SIZE - 1 - 3 * t] - a[SIZE - 1 - 2 * t] + a[t // 64] + a[2 * t]
    expected = a.copy()
    expected[4 * t + 1] = total
    thirds = t[t % 3 == 0]
    expected[SIZE - 4 * thirds - 1] = thirds
    np.testing.assert_array_equal(out, expected)


@cuda.jit
def turned(a, out):
    """Elements read in fours, and stored a row apart."""
    here = cuda.shared.array(512, np.int32)
    rows = cuda.shared.array(1152, np.int32)
    t = cuda.threadIdx.x
    for i in range(4):
        here[t + 128 * i] = a[t + 128 * i]
    for i in range(9):
        rows[t + 128 * i] = 0
    cuda.syncthreads()
    total = here[4 * t] + 2 * here[4 * t + 1] + 3 * here[4 * t + 2] + 4 * here[4 * t + 3]
    rows[t % 32 * 33 + t // 32] = total
    cuda.syncthreads()
    for i in range(9):
        out[t + 128 * i] = rows[t + 128 * i]


def test_known_distances_in_shared_memory_need_no_gather(device):
    a = sample("int32", 512)
    out = np.zeros(1152, np.int32)
    turned[1, 128](a, out)
    t = np.arange(128)
    expected = np.zeros_like(out)
    expected[t % 32 * 33 + t // 32] = a.reshape(128, 4) @ np.arange(1, 5)
    np.testing.assert_array_equal(out, expected)
    if device == "cpu":
        functions = turned.inspect_llvm().popitem()[1].split("\ndefine ")
        (whole_warps,) = (each for each in functions if "@phalanx_kernel(" in each.split("\n")[0])
        code = whole_warps.split("\n}")[0]
        assert "masked.gather" not in code
        assert "masked.scatter" not in code


@pytest.mark.parametrize("threads", [1, 2, 3, 33])
def test_all_of_a_loop_runs_in_blocks_of_any_size(device, threads):
    @cuda.jit
    def turns(counts, n):
        tile = cuda.shared.array(128, np.int32)
        t = cuda.threadIdx.x
        for i in range(t, 128, cuda.blockDim.x):
            tile[i] = i
        cuda.syncthreads()
        for s in range(n):
            counts[t] += 1
            if tile[t ^ s] < 0:
                counts[t] = 100
            cuda.syncthreads()

    counts = np.zeros(threads, np.int32)
    turns[1, threads](counts, 8)
    assert (counts == 8).all()
