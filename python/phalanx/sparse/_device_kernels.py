"""Products on a GPU, as kernels.

A group of 1 to 32 lanes sums a row: its reads of data and indices are neighbours. A warp sums a
row that is longer than most, and rows that are much longer are cut into pieces of which a block
sums each; whoever comes last adds up the pieces of a row. All is added always in the same order.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import as_bits, launch_alone, read, written
from ._device_plans import MATRIX_PIECE, VECTOR_PIECE, MatrixPlan, VectorPlan

THREADS = 128
_ALL = 0xFFFFFFFF


def _add_real(value: Any, offset: int) -> Any:
    return value + cuda.shfl_xor_sync(_ALL, value, offset)


def _add_complex(value: Any, offset: int) -> Any:
    real = cuda.shfl_xor_sync(_ALL, value.real, offset)
    return value + complex(real, cuda.shfl_xor_sync(_ALL, value.imag, offset))


@functools.cache
def _adder(is_complex: bool) -> Any:
    return cuda.jit(device=True)(_add_complex if is_complex else _add_real)


@functools.cache
def _row_by_lanes(lanes: int, is_complex: bool) -> Any:
    """The device function by which a group of lanes sums a row, if there is one for it."""
    add = _adder(is_complex)

    @cuda.jit(device=True)
    def sum_row(parts: Any, x: Any, y: Any, row: Any, limit: Any) -> None:
        data, indices, indptr = parts
        total = y.dtype.type(0)
        lane = cuda.threadIdx.x % lanes
        is_mine = row < y.shape[0]
        if is_mine:
            begin, end = np.int64(indptr[row]), np.int64(indptr[row + 1])
            is_mine = end - begin <= limit
            if is_mine:
                for k in range(begin + lane, end, lanes):
                    total += data[k] * x[indices[k]]
        offset = lanes // 2
        while offset > 0:
            total = add(total, offset)
            offset //= 2
        if is_mine and lane == 0:
            y[row] = total

    return sum_row


@functools.cache
def _piece_by_block(is_complex: bool) -> Any:
    """The device function by which a block sums entries of a row."""
    add = _adder(is_complex)

    @cuda.jit(device=True)
    def sum_piece(parts: Any, x: Any, begin: Any, end: Any, shared: Any) -> Any:
        data, indices, _ = parts
        thread = cuda.threadIdx.x
        total = shared.dtype.type(0)
        for k in range(begin + thread, end, THREADS):
            total += data[k] * x[indices[k]]
        offset = 16
        while offset > 0:
            total = add(total, offset)
            offset //= 2
        if thread % 32 == 0:
            shared[thread // 32] = total
        cuda.syncthreads()
        if thread == 0:
            for warp in range(1, THREADS // 32):
                total += shared[warp]
        return total

    return sum_piece


@cuda.jit(device=True)
def _add_up_by_the_last(
    partial: Any, row_pieces: Any, number: Any, done: Any, y: Any, rows: Any
) -> None:
    """Adds up the pieces of a row where they have all been summed."""
    begin, end = row_pieces[number], row_pieces[number + 1]
    cuda.threadfence()
    # Behind the last one the count is 0 again, for the next product.
    last = np.uint32(end - begin - 1)
    if cuda.atomic.inc(done, number, last) == last:
        cuda.threadfence()
        total = y.dtype.type(0)
        for piece in range(begin, end):
            total += partial[piece]
        y[rows[number]] = total


@functools.cache
def _vector_kernel(lanes: int, is_complex: bool, has_pieces: bool) -> Any:
    """The kernel for rows of all lengths: blocks of pieces come first, then those of warps."""
    sum_piece = _piece_by_block(is_complex)
    add_up = _add_up_by_the_last
    by_lanes, by_warp = (_row_by_lanes(each, is_complex) for each in (lanes, 32))

    @cuda.jit
    def sum_rows(parts: Any, x: Any, y: Any, partial: Any, lists: Any, counts: Any) -> None:
        middle, pieces = lists
        blocks_of_pieces, blocks_of_warps, limit = counts
        shared = cuda.shared.array(THREADS // 32, partial.dtype)
        block, thread = np.int64(cuda.blockIdx.x), np.int64(cuda.threadIdx.x)
        if has_pieces and block < blocks_of_pieces:
            rows, piece_rows, piece_begins, row_pieces, done = pieces
            number = piece_rows[block]
            begin = piece_begins[block]
            end = min(begin + VECTOR_PIECE, np.int64(parts[2][rows[number] + 1]))
            total = sum_piece(parts, x, begin, end, shared)
            if thread == 0:
                partial[block] = total
                add_up(partial, row_pieces, number, done, y, rows)
        elif block < blocks_of_pieces + blocks_of_warps:
            number = (block - blocks_of_pieces) * (THREADS // 32) + thread // 32
            row = np.int64(middle[number]) if number < middle.shape[0] else np.int64(y.shape[0])
            by_warp(parts, x, y, row, y.shape[0] + parts[0].shape[0])
        else:
            place = (block - blocks_of_pieces - blocks_of_warps) * THREADS + thread
            by_lanes(parts, x, y, place // lanes, limit)

    return sum_rows


@functools.cache
def _wide_pieces_kernel(wide: int) -> Any:
    """A block sums a piece for `wide` columns, a power of two up to 32, of which each has threads.

    Blocks of one piece follow each other, one for each `wide` columns.
    """
    lanes = THREADS // wide

    @cuda.jit
    def pieces_of_columns(parts: Any, lists: Any, x: Any, partial: Any) -> None:
        data, indices, indptr = parts
        rows, piece_rows, piece_begins = lists
        shared = cuda.shared.array(THREADS, partial.dtype)
        columns = partial.shape[1]
        tiles = (columns + wide - 1) // wide
        piece, tile = cuda.blockIdx.x // tiles, cuda.blockIdx.x % tiles
        thread = cuda.threadIdx.x
        column = tile * wide + thread % wide
        begin = piece_begins[piece]
        end = min(begin + MATRIX_PIECE, np.int64(indptr[rows[piece_rows[piece]] + 1]))
        total = partial.dtype.type(0)
        if column < columns:
            for k in range(begin + thread // wide, end, lanes):
                total += data[k] * x[indices[k], column]
        shared[thread] = total
        cuda.syncthreads()
        if thread < wide and column < columns:
            for lane in range(1, lanes):
                total += shared[lane * wide + thread]
            partial[piece, column] = total

    return pieces_of_columns


@cuda.jit
def _sum_pieces(partial: Any, row_pieces: Any, rows: Any, y: Any) -> None:
    columns = partial.shape[1]
    number, column = cuda.grid(1) // columns, cuda.grid(1) % columns
    if number < rows.shape[0]:
        total = y.dtype.type(0)
        for piece in range(row_pieces[number], row_pieces[number + 1]):
            total += partial[piece, column]
        y[rows[number], column] = total


@cuda.jit
def _times_matrix(parts: Any, x: Any, y: Any, limit: int) -> None:
    data, indices, indptr = parts
    thread = cuda.grid(1)
    columns = y.shape[1]
    if thread < y.shape[0] * columns:
        row, column = thread // columns, thread % columns
        begin, end = np.int64(indptr[row]), np.int64(indptr[row + 1])
        if end - begin <= limit:
            total = y.dtype.type(0)
            for k in range(begin, end):
                total += data[k] * x[indices[k], column]
            y[row, column] = total


def _blocks(threads: int) -> int:
    return (threads + THREADS - 1) // THREADS


def _read_parts(parts: Any) -> tuple[Any, Any, Any]:
    data, indices, indptr, _ = parts
    # Unsigned indices need not be asked whether they count from the end.
    return read(data), as_bits(read(indices), f"u{indices.dtype.name}"), read(indptr)


def times_vector(parts: Any, x: Any, y: Any, by: VectorPlan) -> None:
    """y = A @ x for A by rows."""
    device, given, out, pieces = parts.data._device, _read_parts(parts), written(y), by.pieces
    no_list, no_sums = given[2], out  # which the kernel does not read
    middle = no_list if by.middle is None else read(by.middle)
    blocks_of_warps = 0 if by.middle is None else _blocks(32 * len(by.middle))
    lists, partial, blocks_of_pieces = (no_list,), no_sums, 0
    if pieces is not None:
        blocks_of_pieces = len(pieces.piece_rows)
        # Threads' kernels on the CPU device may overlap.
        done = px.zeros_like(pieces.done) if device.is_host else pieces.done
        lists = (*map(read, pieces[:4]), written(done))
        partial = written(px.empty(blocks_of_pieces, y.dtype, device=device))
    kernel = _vector_kernel(by.lanes, y.dtype.kind == "c", pieces is not None)
    blocks = blocks_of_pieces + blocks_of_warps + _blocks(len(y) * by.lanes)
    counts = blocks_of_pieces, blocks_of_warps, by.limit
    launch_alone(
        kernel, blocks, THREADS, device, given, read(x), out, partial, (middle, lists), counts
    )


def times_matrix(parts: Any, x: Any, y: Any, by: MatrixPlan) -> None:
    """y = A @ x for A by rows and dense x and y in C order: a thread for each element of y."""
    given, device, columns = _read_parts(parts), parts.data._device, y.shape[1]
    read_x, out, pieces = read(x), written(y), by.pieces
    launch_alone(_times_matrix, _blocks(y.size), THREADS, device, given, read_x, out, by.limit)
    if pieces is None:
        return
    wide = min(32, 1 << (columns - 1).bit_length())
    count = len(pieces.piece_rows)
    partial = written(px.empty((count, columns), y.dtype, device=device))
    lists = tuple(map(read, pieces[:3]))
    blocks = count * -(-columns // wide)
    launch_alone(_wide_pieces_kernel(wide), blocks, THREADS, device, given, lists, read_x, partial)
    added = partial, read(pieces.row_pieces), lists[0], out
    launch_alone(_sum_pieces, _blocks(len(pieces.rows) * columns), THREADS, device, *added)
