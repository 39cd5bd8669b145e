"""Products on a GPU, as kernels.

A group of 1 to 32 lanes sums a row: its reads of data and indices are neighbours, and one row of
mean length is a read or two for each lane. Rows that are much longer are cut into pieces of which
a block sums each, and a third kernel adds up the pieces of a row: always in the same order.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import as_bits, launch, read, written

THREADS = 128
PIECE = 4096  # entries of a piece: 32 for each thread of its block
_LONG = 64  # rows of more entries than this for each lane are cut into pieces
_ALL = 0xFFFFFFFF


class Plan(NamedTuple):
    """How the rows of one indptr are dealt out."""

    lanes: int
    limit: int  # entries of the longest row that a group of lanes sums
    rows: Any  # the longer rows, or None
    piece_rows: Any  # of each piece, which of `rows` it is of
    piece_begins: Any  # and its first entry
    row_pieces: Any  # where the pieces of each of `rows` begin: one more than rows


def plan(indptr: Any, nnz: int) -> Plan:
    """Made once for an indptr; waits for the device."""
    rows = len(indptr) - 1
    mean = nnz / max(rows, 1)
    lanes = 1
    while lanes < 32 and lanes < mean:
        lanes *= 2
    limit = _LONG * lanes
    lengths = px.diff(indptr)
    long = px.flatnonzero(lengths > limit)
    if not len(long):
        return Plan(lanes, 2**62, None, None, None, None)
    counts = (lengths[long].astype("int64") + (PIECE - 1)) // PIECE
    ends = px.zeros(len(long) + 1, "int64")
    ends[1:] = px.cumsum(counts)
    piece_rows = px.repeat(px.arange(len(long)), counts)
    number = px.arange(int(ends[-1])) - ends[:-1][piece_rows]
    begins = indptr[:-1][long].astype("int64")[piece_rows] + number * PIECE
    return Plan(lanes, limit, long, piece_rows, begins, ends)


def _add_real(value: Any, offset: int) -> Any:
    return value + cuda.shfl_xor_sync(_ALL, value, offset)


def _add_complex(value: Any, offset: int) -> Any:
    real = cuda.shfl_xor_sync(_ALL, value.real, offset)
    return value + complex(real, cuda.shfl_xor_sync(_ALL, value.imag, offset))


@functools.cache
def _adder(is_complex: bool) -> Any:
    return cuda.jit(device=True)(_add_complex if is_complex else _add_real)


@functools.cache
def _rows_kernel(lanes: int, is_complex: bool) -> Any:
    add = _adder(is_complex)

    @cuda.jit
    def rows_by_groups(data: Any, indices: Any, indptr: Any, x: Any, y: Any, limit: int) -> None:
        thread = cuda.grid(1)
        row = thread // lanes
        lane = thread % lanes
        total = y.dtype.type(0)
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

    return rows_by_groups


@functools.cache
def _pieces_kernel(is_complex: bool) -> Any:
    add = _adder(is_complex)

    @cuda.jit
    def pieces_by_blocks(
        entries: Any, indptr: Any, rows: Any, pieces: Any, x: Any, partial: Any
    ) -> None:
        data, indices = entries
        piece_rows, piece_begins = pieces
        shared = cuda.shared.array(THREADS // 32, partial.dtype)
        piece = cuda.blockIdx.x
        thread = cuda.threadIdx.x
        begin = piece_begins[piece]
        end = min(begin + PIECE, np.int64(indptr[rows[piece_rows[piece]] + 1]))
        total = partial.dtype.type(0)
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
            partial[piece] = total

    return pieces_by_blocks


@cuda.jit
def _sum_pieces(partial: Any, row_pieces: Any, rows: Any, y: Any) -> None:
    number = cuda.grid(1)
    if number < rows.shape[0]:
        total = y.dtype.type(0)
        for piece in range(row_pieces[number], row_pieces[number + 1]):
            total += partial[piece]
        y[rows[number]] = total


@cuda.jit
def _times_matrix(data: Any, indices: Any, indptr: Any, x: Any, y: Any) -> None:
    thread = cuda.grid(1)
    columns = y.shape[1]
    if thread < y.shape[0] * columns:
        row, column = thread // columns, thread % columns
        total = y.dtype.type(0)
        for k in range(np.int64(indptr[row]), np.int64(indptr[row + 1])):
            total += data[k] * x[indices[k], column]
        y[row, column] = total


def _blocks(threads: int) -> int:
    return (threads + THREADS - 1) // THREADS


def times_vector(parts: Any, x: Any, y: Any, by: Plan) -> None:
    """y = A @ x for A by rows."""
    data, indices, indptr, (rows, _) = parts
    device, is_complex = data._device, y.dtype.kind == "c"
    indices = as_bits(read(indices), f"u{indices.dtype.name}")
    data, indptr, x, out = read(data), read(indptr), read(x), written(y)
    if rows:
        kernel, blocks = _rows_kernel(by.lanes, is_complex), _blocks(rows * by.lanes)
        launch(kernel, blocks, THREADS, device, data, indices, indptr, x, out, by.limit)
    if by.rows is None:
        return
    count = len(by.piece_rows)
    partial = written(px.empty(count, y.dtype, device=device))
    pieces, long = (read(by.piece_rows), read(by.piece_begins)), read(by.rows)
    given = ((data, indices), indptr, long, pieces, x, partial)
    launch(_pieces_kernel(is_complex), count, THREADS, device, *given)
    blocks = _blocks(len(by.rows))
    launch(_sum_pieces, blocks, THREADS, device, partial, read(by.row_pieces), long, out)


def times_matrix(parts: Any, x: Any, y: Any) -> None:
    """y = A @ x for A by rows and dense x and y in C order: a thread for each element of y."""
    data, indices, indptr, _ = parts
    if y.size:
        unsigned = as_bits(read(indices), f"u{indices.dtype.name}")
        given = (read(data), unsigned, read(indptr), read(x), written(y))
        launch(_times_matrix, _blocks(y.size), THREADS, data._device, *given)
