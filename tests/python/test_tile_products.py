"""Products by tiles in shared memory: on the CPU, code for one size of blocks."""

import numpy as np
import pytest

from phalanx import cuda, types


def product_kernel(tile, scalar):
    """Each block goes over tiles of both inputs; zeros replace what lies outside."""

    @cuda.jit(contract=False)
    def product(a, b, c):
        tile_a = cuda.shared.array((tile, tile), scalar)
        tile_b = cuda.shared.array((tile, tile), scalar)
        x, y = cuda.grid(2)
        tx = cuda.threadIdx.x
        ty = cuda.threadIdx.y
        total = scalar(0)
        for step in range((a.shape[1] + tile - 1) // tile):
            tile_a[ty, tx] = 0
            tile_b[ty, tx] = 0
            if y < a.shape[0] and tx + step * tile < a.shape[1]:
                tile_a[ty, tx] = a[y, tx + step * tile]
            if x < b.shape[1] and ty + step * tile < b.shape[0]:
                tile_b[ty, tx] = b[ty + step * tile, x]
            cuda.syncthreads()
            for k in range(tile):
                total += tile_a[ty, k] * tile_b[k, tx]
            cuda.syncthreads()
        if y < c.shape[0] and x < c.shape[1]:
            c[y, x] = total

    return product


def in_order(a, b):
    """The product as the kernel adds it up, to the last bit."""
    total = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for k in range(a.shape[1]):
        total = total + a[:, k, None] * b[None, k, :]
    return total


@pytest.mark.parametrize("tile", [4, 8, 16, 32])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32], ids=lambda d: d.__name__)
@pytest.mark.parametrize(
    "rows, inner, columns", [(64, 64, 64), (37, 50, 70), (1, 1, 1), (16, 3, 33)]
)
def test_product_is_the_same_to_the_last_bit(device, tile, dtype, rows, inner, columns):
    random = np.random.default_rng(rows)
    a = (random.random((rows, inner)) * 100).astype(dtype)
    b = (random.random((inner, columns)) * 100).astype(dtype)
    c = np.full((rows + 1, columns), 7, dtype)
    product = product_kernel(tile, getattr(types, np.dtype(dtype).name))
    grid = (-(-columns // tile), -(-rows // tile))
    product[grid, (tile, tile)](a, b, c[:rows])
    np.testing.assert_array_equal(c[:rows], in_order(a, b))
    assert (c[rows] == 7).all()


@pytest.mark.parametrize("first", [(16, 16), (16, 5), (8, 8), (32, 8), (6, 6), (32, 32)])
def test_one_kernel_runs_blocks_of_every_size(device, first):
    @cuda.jit
    def sums(a, out):
        tile = cuda.shared.array((32, 32), types.int32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = types.int64(0)
        for step in range(3):
            tile[ty, tx] = a[step, ty, tx]
            cuda.syncthreads()
            for k in range(cuda.blockDim.x):
                total += tile[ty, k] * (k + 1)
            for k in range(cuda.blockDim.y):
                total += tile[k, tx] * (k - 1)
            cuda.syncthreads()
        out[ty, tx] = total

    a = np.random.default_rng(0).integers(-100, 100, (3, 32, 32)).astype(np.int32)
    for width, height in [first, (16, 16), (8, 8), first, (32, 4), (16, 16)]:
        out = np.zeros((32, 32), np.int64)
        sums[1, (width, height)](a, out)
        part = a[:, :height, :width].astype(np.int64)
        across = (part * np.arange(1, width + 1)).sum(axis=(0, 2))
        down = (part * np.arange(-1, height - 1)[:, None]).sum(axis=(0, 1))
        expected = np.zeros_like(out)
        expected[:height, :width] = across[:, None] + down
        np.testing.assert_array_equal(out, expected)


def test_values_live_over_loops_that_only_some_threads_enter(device):
    @cuda.jit
    def kernel(a, out):
        tile = cuda.shared.array((8, 16), types.float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        best = types.float32(-1)
        where = types.int32(-1)
        for step in range(a.shape[0]):
            tile[ty, tx] = a[step, ty, tx]
            cuda.syncthreads()
            for k in range(16):
                if tile[ty, k] > best and k != tx:
                    best = tile[ty, k]
                    where = step * 16 + k
            cuda.syncthreads()
        out[ty, tx] = where

    a = np.random.default_rng(3).random((5, 8, 16), dtype=np.float32)
    out = np.zeros((8, 16), np.int32)
    kernel[1, (16, 8)](a, out)
    rows = a.transpose(1, 0, 2).reshape(8, 80)
    for tx in range(16):
        allowed = np.where(np.arange(80) % 16 == tx, -1, rows)
        np.testing.assert_array_equal(out[:, tx], allowed.argmax(axis=1))


def test_loop_counters_are_read_after_the_loop(device):
    @cuda.jit
    def kernel(limits, out):
        i = cuda.grid(1)
        if i < out.shape[0]:
            count = 0
            twos = 10
            while count < limits[i]:
                count += 1
                twos += 2
                if twos > 100:
                    break
            out[i] = count * 1000 + twos

    limits = np.random.default_rng(1).integers(0, 90, 1000)
    out = np.zeros(1000, np.int64)
    kernel[10, 100](limits, out)
    counts = np.minimum(limits, 46)
    np.testing.assert_array_equal(out, counts * 1000 + 10 + 2 * counts)


# Where threads copy rows of a matrix into a tile, code for one size of blocks may read them where
# they are. These kernels show whether it does so where it must not. All sums are exact.
N = 16


def tile_of(steps):
    return np.random.default_rng(steps).integers(-50, 50, (N * steps, N)).astype(np.float32)


def column_sums(rows):
    return np.broadcast_to(rows.sum(axis=0), (N, N))


def test_a_tile_keeps_what_the_matrix_had(device):
    @cuda.jit
    def kernel(a, out):
        tile = cuda.shared.array((N, N), types.float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = types.float32(0)
        for step in range(3):
            tile[ty, tx] = a[ty + step * N, tx]
            a[ty + step * N, tx] = 7
            cuda.syncthreads()
            for k in range(N):
                total += tile[k, tx]
            cuda.syncthreads()
        out[ty, tx] = total

    a, out = tile_of(3), np.zeros((N, N), np.float32)
    expected = column_sums(a)
    kernel[1, (N, N)](a, out)
    np.testing.assert_array_equal(out, expected)
    assert (a == 7).all()


def test_a_matrix_that_changes_between_two_barriers(device):
    @cuda.jit
    def kernel(a, b, out):
        tile = cuda.shared.array((N, N), types.float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = types.float32(0)
        for step in range(3):
            tile[ty, tx] = a[ty + step * N, tx]
            cuda.syncthreads()
            b[N - 1 - ty + step * N, tx] = 7
            cuda.syncthreads()
            for k in range(N):
                total += tile[k, tx]
            cuda.syncthreads()
        out[ty, tx] = total

    a, out = cuda.to_device(tile_of(3)), np.zeros((N, N), np.float32)
    kernel[1, (N, N)](a, a, out)
    np.testing.assert_array_equal(out, column_sums(tile_of(3)))


def test_a_product_in_place(device):
    product = product_kernel(N, types.float32)
    a, b = tile_of(1), tile_of(1)[::-1].copy()
    expected = in_order(a, b)
    on_device = cuda.to_device(b)
    product[1, (N, N)](a, on_device, on_device)
    np.testing.assert_array_equal(on_device.copy_to_host(), expected)


def test_a_tile_that_is_read_before_it_is_filled_again(device):
    @cuda.jit
    def kernel(a, out):
        tile = cuda.shared.array((N, N), types.float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = types.float32(0)
        tile[ty, tx] = 1
        for step in range(3):
            cuda.syncthreads()
            for k in range(N):
                total += tile[k, tx] * types.float32(step + 1)
            cuda.syncthreads()
            tile[ty, tx] = a[ty + step * N, tx]
        out[ty, tx] = total

    a, out = tile_of(3), np.zeros((N, N), np.float32)
    kernel[1, (N, N)](a, out)
    expected = N + 2 * column_sums(a[:N]) + 3 * column_sums(a[N : 2 * N])
    np.testing.assert_array_equal(out, expected)


def test_elements_that_no_thread_copies_stay_what_they_were(device):
    @cuda.jit
    def kernel(a, rows, out):
        tile = cuda.shared.array((N, N), types.float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = types.float32(0)
        for step in range(3):
            if ty + step * N < rows:
                tile[ty, tx] = a[ty + step * N, tx]
            cuda.syncthreads()
            for k in range(N):
                total += tile[k, tx]
            cuda.syncthreads()
        out[ty, tx] = total

    a = tile_of(3)
    for rows in (N, N + 5, 2 * N, 3 * N - 1, 3 * N):
        out = np.zeros((N, N), np.float32)
        kernel[1, (N, N)](a, rows, out)
        tile, expected = np.zeros((N, N), np.float32), np.zeros((N, N), np.float32)
        for step in range(3):
            there = min(max(rows - step * N, 0), N)
            tile[:there] = a[step * N : step * N + there]
            expected += column_sums(tile)
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("order", ["rows", "columns", "shifted", "one row"])
def test_other_ways_to_fill_and_read_a_tile(device, order):
    @cuda.jit
    def kernel(a, out):
        tile = cuda.shared.array((N, N), types.float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = types.float32(0)
        for step in range(3):
            if order == "rows":
                tile[ty, tx] = a[step * N + ty, tx]
            elif order == "columns":
                tile[tx, ty] = a[step * N + ty, tx]
            elif order == "shifted":
                tile[ty, tx] = a[step * N + N - 1 - ty, tx]
            else:
                tile[ty, tx] = a[step * N + ty // 2, tx]
            cuda.syncthreads()
            for k in range(N):
                total += tile[k, tx] * types.float32(k + 1)
            cuda.syncthreads()
        out[ty, tx] = total

    a, out = tile_of(3), np.zeros((N, N), np.float32)
    kernel[1, (N, N)](a, out)
    tiles = a.reshape(3, N, N)
    if order == "columns":
        tiles = tiles.transpose(0, 2, 1)
    elif order == "shifted":
        tiles = tiles[:, ::-1]
    elif order == "one row":
        tiles = tiles[:, np.arange(N) // 2]
    weights = np.arange(1, N + 1)[:, None]
    np.testing.assert_array_equal(out, column_sums((tiles * weights).sum(axis=0)))
