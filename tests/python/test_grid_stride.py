"""Grid-stride loops, through which many blocks pass together on the CPU device."""

import numpy as np
import pytest

from phalanx import cuda

LAUNCHES = [(1, 32), (3, 64), (7, 100), (300, 256), (5, 1), (40, 96)]
SIZES = [0, 1, 31, 257, 768, 9_999, 100_003]  # 768: four whole passes of 3 blocks of 64
BINS = 64


def place_of_launch(launch):
    return "x".join(map(str, launch))


@cuda.jit
def histogram(a, counts):
    here = cuda.shared.array(BINS, np.int32)
    for b in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        here[b] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        cuda.atomic.add(here, a[i], 1)
    cuda.syncthreads()
    for b in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        cuda.atomic.add(counts, b, here[b])


@cuda.jit
def sum_of_block(a, sums):
    """A sum a thread and a sum a block, which the user sees: whose elements are whose is kept."""
    shared = cuda.shared.array(1, np.int64)
    if cuda.threadIdx.x == 0:
        shared[0] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    stride = cuda.gridsize(1)
    total = np.int64(0)
    while i < a.shape[0]:
        total += a[i] * (i % 7)
        i += stride
    cuda.atomic.add(shared, 0, total)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = shared[0]


@cuda.jit
def two_loops(a, out, odd):
    """A loop with a branch that goes on with the next element, and one that writes."""
    largest = cuda.shared.array(1, np.int32)
    if cuda.threadIdx.x == 0:
        largest[0] = -1
    cuda.syncthreads()
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        if a[i] % 2 == 0:
            continue
        cuda.atomic.max(largest, 0, np.int32(a[i]))
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        odd[cuda.blockIdx.x] = largest[0]
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        out[i] = a[i] + largest[0]


@cuda.jit
def last_of_thread(a, last):
    """What a thread's index is after the loop."""
    shared = cuda.shared.array(1024, np.int64)
    i = cuda.grid(1)
    while i < a.shape[0]:
        i += cuda.gridsize(1)
    shared[cuda.threadIdx.x] = i
    cuda.syncthreads()
    last[cuda.grid(1)] = shared[cuda.blockDim.x - 1 - cuda.threadIdx.x]


def owners(size, launch):
    """The block and the thread in the grid that each element belongs to."""
    grid, block = launch
    thread = np.arange(size) % (grid * block)
    return thread // block, thread


@pytest.mark.parametrize("launch", LAUNCHES, ids=place_of_launch)
@pytest.mark.parametrize("size", SIZES)
def test_a_histogram_in_shared_memory_counts_each_element_once(device, size, launch):
    a = np.random.default_rng(size).integers(0, BINS, size, dtype=np.uint8)
    counts = np.zeros(BINS, np.int32)
    histogram[launch](a, counts)
    np.testing.assert_array_equal(counts, np.bincount(a, minlength=BINS))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "int64", "uint32"])
def test_indices_of_shared_atomics_are_taken_as_they_were_loaded(device, dtype):
    a = np.random.default_rng(1).integers(0, BINS, 5_000).astype(dtype)
    counts = np.zeros(BINS, np.int32)
    histogram[9, 128](a, counts)
    np.testing.assert_array_equal(counts, np.bincount(a, minlength=BINS))


@pytest.mark.parametrize("launch", LAUNCHES, ids=place_of_launch)
@pytest.mark.parametrize("size", SIZES)
def test_each_block_sums_its_own_elements(device, size, launch):
    a = np.random.default_rng(size).integers(-1000, 1000, size)
    sums = np.full(launch[0], -1)
    sum_of_block[launch](a, sums)
    block, _ = owners(size, launch)
    expected = np.zeros(launch[0], np.int64)
    np.add.at(expected, block, a * (np.arange(size) % 7))
    np.testing.assert_array_equal(sums, expected)


@pytest.mark.parametrize("launch", LAUNCHES, ids=place_of_launch)
@pytest.mark.parametrize("size", SIZES)
def test_loops_may_go_on_early_and_follow_each_other(device, size, launch):
    a = np.random.default_rng(size).integers(0, 10_000, size)
    out, odd = np.full(size, -7), np.full(launch[0], -7, np.int32)
    two_loops[launch](a, out, odd)
    block, _ = owners(size, launch)
    largest = np.full(launch[0], -1)
    np.maximum.at(largest, block[a % 2 == 1], a[a % 2 == 1])
    np.testing.assert_array_equal(odd, largest)
    np.testing.assert_array_equal(out, a + largest[block])


@pytest.mark.parametrize("launch", LAUNCHES, ids=place_of_launch)
@pytest.mark.parametrize("size", SIZES)
def test_an_index_that_is_read_after_the_loop_is_the_threads_own(device, size, launch):
    grid, block = launch
    last = np.full(grid * block, -1)
    last_of_thread[launch](np.zeros(size), last)
    thread = np.arange(grid * block)
    ends = thread + np.maximum(0, -(-(size - thread) // thread.size)) * thread.size
    mirrored = thread // block * block + block - 1 - thread % block
    np.testing.assert_array_equal(last, ends[mirrored])


def test_the_step_of_a_grid_stride_loop_needs_no_check(device):
    """Blocks and grids have one thread at least: the error of a step of 0 is not in the code."""
    histogram[1, 64](np.zeros(10, np.uint8), np.zeros(BINS, np.int32))
    assert "raise" not in ir_of(histogram)


def test_blocks_with_grid_stride_loops_run_together_on_the_cpu_device(device):
    if device != "cpu":
        pytest.skip("on a GPU, blocks run together anyway")
    histogram[64, 256](np.zeros(10, np.uint8), np.zeros(BINS, np.int32))
    assert "interleaved.block" in "".join(histogram.inspect_llvm().values())


def ir_of(kernel):
    import io

    text = io.StringIO()
    kernel.inspect_types(file=text)
    return text.getvalue()


@cuda.jit
def free_of_barriers(a, out, sums):
    """Two loops, in which a thread keeps a sum, goes on early, and has a loop of its own."""
    thread = cuda.grid(1)
    total = 0
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        if a[i] % 3 == 0:
            continue
        for k in range(i % 4):
            total += a[i] * k
    sums[thread] = total
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        out[i] = a[i] * 10 + thread


@pytest.mark.parametrize("launch", LAUNCHES, ids=place_of_launch)
@pytest.mark.parametrize("size", SIZES)
def test_loops_without_barriers_keep_what_is_a_threads_own(device, size, launch):
    a = np.random.default_rng(size).integers(0, 10_000, size)
    out, sums = np.full(size, -7), np.full(launch[0] * launch[1], -7)
    free_of_barriers[launch](a, out, sums)
    thread = owners(size, launch)[1]
    k = np.arange(size) % 4
    expected = np.zeros(sums.size, np.int64)
    np.add.at(expected, thread, np.where(a % 3 == 0, 0, a * (k * (k - 1) // 2)))
    np.testing.assert_array_equal(sums, expected)
    np.testing.assert_array_equal(out, a * 10 + thread)


def test_blocks_without_barriers_run_together_on_the_cpu_device(device):
    if device != "cpu":
        pytest.skip("on a GPU, blocks run together anyway")
    free_of_barriers[4, 64](np.arange(1000), np.zeros(1000, np.int64), np.zeros(256, np.int64))
    assert "interleaved.block" in "".join(free_of_barriers.inspect_llvm().values())
