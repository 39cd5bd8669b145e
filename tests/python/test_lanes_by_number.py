"""Lanes that a comparison with the thread's number lets in, and elements by narrow indices."""

import itertools
import operator
from pathlib import Path

import numpy as np
import pytest

from phalanx import cuda

THREADS = 64
ORDERS = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}


def compares(order, dtype, is_line_first):
    """A kernel that counts in a loop, so that lanes leave it, and stores where the order holds."""
    compare = ORDERS[order]

    @cuda.jit
    def kernel(first, limits, out):
        number = dtype(first[0] + dtype(cuda.threadIdx.x))
        for k in range(limits.size):
            limit = limits[k]
            holds = compare(number, limit) if is_line_first else compare(limit, number)
            if holds:
                out[k, cuda.threadIdx.x] = 1

    return kernel


@pytest.mark.parametrize("is_line_first", [True, False], ids=["line first", "limit first"])
@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32", "uint64"])
@pytest.mark.parametrize("order", ORDERS)
def test_each_lane_is_compared_with_the_limit(device, order, dtype, is_line_first):
    """Numbers that wrap around too, and limits before, among and after those of the lanes."""
    kind = getattr(np, dtype)
    least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    limits = [least, least + 1, least + 40, 0, 1, 31, 32, 33, 63, 64, 65, 100, most - 40, most]
    kernel = compares(order, kind, is_line_first)
    limits = np.array(limits, dtype)
    for first in [0, 1, 40, least, least + 7, most - 63, most - 62, most - 20, most]:
        out = np.zeros((limits.size, THREADS), np.int8)
        kernel[1, THREADS](np.array([first], dtype), limits, out)
        with np.errstate(over="ignore"):
            numbers = np.array([first], dtype) + np.arange(THREADS).astype(dtype)
        sides = (numbers[None, :], limits[:, None])
        expected = ORDERS[order](*(sides if is_line_first else sides[::-1]))
        np.testing.assert_array_equal(out, expected, err_msg=str(first))


@cuda.jit
def row_sums(starts, values, sums):
    """A thread a column, and rows of any length: lanes leave the loop from the last one on."""
    t = cuda.threadIdx.x
    total = 0
    for j in range(starts[cuda.blockIdx.x] + t, starts[cuda.blockIdx.x + 1], cuda.blockDim.x):
        total += values[j]
    cuda.atomic.add(sums, cuda.blockIdx.x, total)


def test_lanes_that_count_leave_a_loop_one_after_another(device):
    rng = np.random.default_rng(3)
    lengths = np.concatenate([np.arange(70), rng.integers(0, 300, 40)])
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    values = rng.integers(-99, 99, starts[-1])
    sums = np.zeros(lengths.size, np.int64)
    row_sums[lengths.size, THREADS](starts, values, sums)
    expected = [values[a:b].sum() for a, b in itertools.pairwise(starts)]
    np.testing.assert_array_equal(sums, expected)


def test_masks_of_such_loops_are_made_of_one_number(device):
    """Where masks have registers of their own; the others compare each lane."""
    if device != "cpu" or "avx512bw" not in Path("/proc/cpuinfo").read_text():
        pytest.skip("no CPU with mask registers")
    row_sums[1, THREADS](np.array([0, 5], np.int32), np.arange(5), np.zeros(1, np.int64))
    (code,) = row_sums.inspect_llvm().values()
    assert "%lanes.within" in code


@cuda.jit
def take_and_put(x, indices, taken, put):
    i = cuda.grid(1)
    if i < indices.size:
        taken[i] = x[indices[i]]
        put[indices[i]] = x[i % x.size]


# None negative; one warp's are; each warp's are, those of some lanes.
SIGNS = {"none": lambda i: i < 0, "a warp": lambda i: i // 32 == 1, "some": lambda i: i % 3 == 1}


ROWS = [
    *itertools.product(["int8", "int16", "int32", "int64"], SIGNS),
    *itertools.product(["uint8", "uint32"], ["none"]),
]
ELEMENTS = ["int8", "int16", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize(("index_type", "signs"), ROWS)
@pytest.mark.parametrize("dtype", ELEMENTS)
def test_elements_are_taken_by_indices_of_any_type(device, dtype, index_type, signs):
    size, count = 120, 117
    rng = np.random.default_rng(4)
    indices = rng.permutation(size)[:count]
    indices = np.where(SIGNS[signs](np.arange(count)), indices - size, indices).astype(index_type)
    x = rng.integers(0, 100, size).astype(dtype)
    taken, put = np.zeros(count, dtype), np.zeros(size, dtype)
    take_and_put[2, THREADS](x, indices, taken, put)
    np.testing.assert_array_equal(taken, x[indices])
    expected = np.zeros(size, dtype)
    expected[indices] = x[:count]
    np.testing.assert_array_equal(put, expected)
