"""Check mode of kernels over tiles: on the CPU device their code is for one size of blocks."""

import numpy as np
import pytest
from phalanx.types import float32

from phalanx import KernelError, cuda

N = 16


def launch(kernel, grid, block, *arguments):
    """The faults of a launch; none when it goes well."""
    try:
        kernel[grid, block](*arguments)
        cuda.synchronize()
    except KernelError as error:
        return error.faults
    return ()


def column_sums(**options):
    """Sums of tiles' columns; `shift` moves what is read, `rows` is believed to be a's height."""

    @cuda.jit(**options)
    def sums(a, rows, shift, out):
        tile = cuda.shared.array((N, N), float32)
        x, y = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = float32(0)
        for step in range((rows + N - 1) // N):
            tile[ty, tx] = 0
            if ty + step * N < rows:
                tile[ty, tx] = a[ty + step * N, x]
            cuda.syncthreads()
            for k in range(N):
                total += tile[k + shift, tx]
            cuda.syncthreads()
        out[y, x] = total

    return sums


@pytest.mark.parametrize("rows", [3, N, 3 * N, 3 * N + 5])
@pytest.mark.parametrize("check", [True, "all"])
def test_a_correct_kernel_has_no_fault(device, check, rows):
    a = np.arange(rows * 2 * N, dtype=np.float32).reshape(rows, 2 * N)
    out = np.zeros((N, 2 * N), np.float32)
    assert launch(column_sums(check=check), 2, (N, N), a, rows, 0, out) == ()
    np.testing.assert_array_equal(out, np.broadcast_to(a.sum(axis=0), out.shape))


def test_reads_beyond_a_tile_are_reported_with_their_thread(device):
    a = np.ones((2 * N, N), np.float32)
    (fault,) = launch(column_sums(check=True), 1, (N, N), a, 2 * N, 1, np.zeros_like(a[:N]))
    assert (fault.category, fault.array, fault.shape) == ("bounds", "tile", (N, N))
    assert fault.index == (N, fault.thread[0])
    assert fault.block == (0, 0, 0)
    assert fault.count == 2 * N * N


def test_reads_beyond_the_matrix_are_reported_with_their_thread(device):
    a = np.ones((2 * N - 3, N), np.float32)
    out = np.zeros((N, N), np.float32)
    (fault,) = launch(column_sums(check=True), 1, (N, N), a, 2 * N, 0, out)
    assert (fault.category, fault.array, fault.shape) == ("bounds", "a", a.shape)
    assert fault.index == (fault.thread[1] + N, fault.thread[0])
    assert fault.index[0] >= len(a)
    assert fault.count == 3 * N


def test_blocks_larger_than_the_tile_are_reported(device):
    a = np.ones((N, 2 * N), np.float32)
    out = np.zeros((2 * N, 2 * N), np.float32)
    faults = launch(column_sums(check=True), 1, (2 * N, N), a, N, 0, out)
    assert {fault.array for fault in faults} == {"tile"}
    assert all(fault.index[1] >= N and fault.thread[0] == fault.index[1] for fault in faults)


def row_products(has_barrier, check):
    """Each thread adds up products of a row of one tile and a column of another."""

    @cuda.jit(check=check)
    def products(a, out):
        rows = cuda.shared.array((N, N), float32)
        columns = cuda.shared.array((N, N), float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = float32(0)
        for step in range(a.shape[0]):
            if check != "uninitialized" or tx != 5:
                rows[ty, tx] = a[step, ty, tx]
            columns[ty, tx] = a[step, tx, ty]
            if has_barrier:
                cuda.syncthreads()
            for k in range(N):
                total += rows[ty, k] * columns[k, tx]
            cuda.syncthreads()
        out[ty, tx] = total

    return products


@pytest.mark.parametrize("width", [N, N // 2])
def test_rows_that_are_read_after_a_barrier_are_no_race(device, width):
    a = np.arange(3 * N * N, dtype=np.float32).reshape(3, N, N) % 7
    out = np.zeros((N, N), np.float32)
    assert launch(row_products(True, "races"), 1, (width, N), a, out) == ()
    if width == N:
        np.testing.assert_array_equal(out, sum(one @ one.T for one in a))


@pytest.mark.parametrize("width", [N, N // 2])
def test_rows_that_are_read_without_a_barrier_are_a_race(device, width):
    if device != "cpu":
        pytest.skip("words of accesses are kept on the CPU device only")
    a = np.random.default_rng(0).random((3, N, N), dtype=np.float32)
    faults = launch(row_products(False, "races"), 1, (width, N), a, np.zeros((N, N), np.float32))
    (fault,) = (one for one in faults if (one.array, one.text) == ("rows", "read rows"))
    assert fault.other.text == "write rows"
    # The first thread that read the element is named: it may also be the one that wrote it.
    assert fault.index == (fault.thread[1], 0)
    assert fault.other.thread is None or fault.other.thread != fault.thread


def test_elements_of_a_row_that_nobody_wrote_are_reported(device):
    if device != "cpu":
        pytest.skip("words of accesses are kept on the CPU device only")
    a = np.ones((3, N, N), np.float32)
    faults = launch(row_products(True, "uninitialized"), 1, (N, N), a, np.zeros((N, N), np.float32))
    (fault,) = faults
    assert (fault.category, fault.array) == ("uninitialized", "rows")
    assert fault.index == (fault.thread[1], 5)
    assert fault.count == 3 * N * N
