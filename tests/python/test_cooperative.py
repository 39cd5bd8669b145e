"""Cooperative groups: kernels whose blocks wait for each other."""

import numpy as np
import pytest

from phalanx import cuda


@cuda.jit
def sequential_rows(matrix):
    column = cuda.grid(1)
    grid = cuda.cg.this_grid()
    rows, columns = matrix.shape
    for row in range(1, rows):
        # Written by a thread of another block, one barrier ago.
        matrix[row, column] = matrix[row - 1, columns - column - 1] + column % 3
        grid.sync()


def expected_rows(rows, columns):
    matrix = np.zeros((rows, columns), np.int32)
    for row in range(1, rows):
        matrix[row] = matrix[row - 1, ::-1] + np.arange(columns) % 3
    return matrix


@pytest.mark.parametrize("blocks, threads", [(1, 64), (4, 16), (16, 32), (8, 40)])
def test_rows_follow_each_other(device, blocks, threads):
    matrix = np.zeros((50, blocks * threads), np.int32)
    sequential_rows[blocks, threads](matrix)
    np.testing.assert_array_equal(matrix, expected_rows(*matrix.shape))


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("first", [1, 32, 40])
def test_the_grid_waits_after_the_first_threads_returned(first, check, device):
    @cuda.jit(check=check)
    def rows_of_some(matrix):
        grid = cuda.cg.this_grid()
        rows, columns = matrix.shape
        column = cuda.grid(1)
        if cuda.threadIdx.x < first:
            return
        for row in range(1, rows):
            other = (column + cuda.blockDim.x) % columns  # the same thread of the next block
            matrix[row, column] = matrix[row - 1, other] + 1
            grid.sync()

    matrix = np.zeros((30, 3 * 48), np.int32)
    rows_of_some[3, 48](matrix)
    here = np.arange(matrix.shape[1]) % 48 >= first
    np.testing.assert_array_equal(matrix, np.arange(30)[:, None] * here)


@cuda.jit(device=True)
def wait(group):
    return group.sync()


def test_in_a_device_function_with_2d_blocks_and_block_barriers(device):
    @cuda.jit
    def kernel(partial, out):
        tile = cuda.shared.array(32, np.int32)
        me = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
        block = cuda.blockIdx.x + cuda.blockIdx.y * cuda.gridDim.x
        blocks = cuda.gridDim.x * cuda.gridDim.y
        group = cuda.cg.this_grid()
        for turn in range(4):
            tile[me] = me * (turn + 1) + block
            cuda.syncthreads()
            if me == 0:
                total = 0
                for i in range(32):
                    total += tile[i]
                partial[block] = total
            wait(group)
            if me == 0:
                for i in range(blocks):
                    out[block] += partial[i]
            wait(group)

    partial, out = np.zeros(6, np.int64), np.zeros(6, np.int64)
    kernel[(3, 2), (8, 4)](partial, out)
    once = 6 * np.arange(32).sum()
    np.testing.assert_array_equal(out, np.full(6, once * 10 + 4 * 32 * np.arange(6).sum()))


def test_a_kernel_says_whether_it_is_cooperative(device):
    @cuda.jit("void(int32[::1])")
    def asks(a):
        cuda.cg.this_grid()
        a[0] = 1

    @cuda.jit("void(int32[::1])")
    def does_not_ask(a):
        a[0] = 1

    assert [each.cooperative for each in asks.overloads.values()] == [True]
    assert [each.cooperative for each in does_not_ask.overloads.values()] == [False]
    out = np.zeros(1, np.int32)
    asks[2, 32](out)
    assert out[0] == 1


def test_more_blocks_than_run_at_once_are_refused(device):
    matrix = np.zeros((2, 32), np.int32)
    with pytest.raises(ValueError, match="blocks are more than"):
        sequential_rows[1_000_000, 32](matrix)
    sequential_rows[1, 32](matrix)
    np.testing.assert_array_equal(matrix, expected_rows(2, 32))


def test_blocks_that_end_are_not_waited_for(device):
    if device != "cpu":
        pytest.skip("a GPU waits for them for ever, as CUDA says")

    @cuda.jit
    def kernel(out):
        group = cuda.cg.this_grid()
        if cuda.blockIdx.x % 2 == 1:
            return
        group.sync()
        out[cuda.blockIdx.x] = 1

    out = np.zeros(8, np.int32)
    kernel[8, 4](out)
    np.testing.assert_array_equal(out, [1, 0] * 4)


def test_an_error_before_the_barrier_ends_the_launch(device):
    if device != "cpu":
        pytest.skip("a GPU waits for the block that raised for ever, as CUDA says")

    @cuda.jit(debug=True, opt=False)
    def kernel(out):
        group = cuda.cg.this_grid()
        if cuda.blockIdx.x == 1:
            raise ValueError("no")
        group.sync()
        out[cuda.blockIdx.x] = 1

    out = np.zeros(3, np.int32)
    with pytest.raises(ValueError, match="no"):
        kernel[3, 4](out)
