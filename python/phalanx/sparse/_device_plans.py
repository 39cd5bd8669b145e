"""How the rows of a matrix are dealt out to a GPU's threads."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import phalanx as px

_STEPS = 16  # of a group of lanes for one row, at most
_MIDDLE = 1024  # entries of the longest row that a warp sums
_SHORT = 128  # and of the longest row that one thread for each column sums
VECTOR_PIECE = 4096  # entries of a piece: 32 for each thread of its block
MATRIX_PIECE = 1024


class Pieces(NamedTuple):
    """Long rows, cut into pieces."""

    rows: Any
    piece_rows: Any  # of each piece, which of `rows` it is of
    piece_begins: Any  # and its first entry
    row_pieces: Any  # where the pieces of each of `rows` begin: one more than rows
    # How many pieces of each of `rows` have been summed: 0 between products. Those on a GPU follow
    # each other on its default stream, so that they can share it.
    done: Any


class VectorPlan(NamedTuple):
    """The rows of a product with a vector."""

    lanes: int  # that sum a row together
    limit: int  # entries of the longest row that such a group sums
    middle: Any  # the rows that a warp sums, or None
    pieces: Pieces | None  # of longer rows


class MatrixPlan(NamedTuple):
    """The rows of a product with a matrix."""

    limit: int  # entries of the longest row that one thread for each column sums
    pieces: Pieces | None  # of longer rows


def for_vector(indptr: Any, nnz: int) -> VectorPlan:
    """Made once for an indptr; waits for the device.

    So many lanes a row as the square root of its mean length were fastest on an H100, with rows of
    10 and of 100 entries and with lengths by a power law.
    """
    mean = nnz / max(len(indptr) - 1, 1)
    lanes = min(32, 2 ** round(math.log2(max(mean, 1.0)) / 2))
    limit = min(_STEPS * lanes, _MIDDLE)
    lengths = px.diff(indptr)
    longer = px.flatnonzero(lengths > limit)
    if not len(longer):
        return VectorPlan(lanes, limit, None, None)
    is_middle = lengths[longer] <= _MIDDLE
    middle, long = longer[is_middle], longer[~is_middle]
    pieces = _cut(indptr, lengths, long, VECTOR_PIECE) if len(long) else None
    return VectorPlan(lanes, limit, middle if len(middle) else None, pieces)


def for_matrix(indptr: Any) -> MatrixPlan:
    """Likewise."""
    lengths = px.diff(indptr)
    long = px.flatnonzero(lengths > _SHORT)
    return MatrixPlan(_SHORT, _cut(indptr, lengths, long, MATRIX_PIECE) if len(long) else None)


def _cut(indptr: Any, lengths: Any, rows: Any, piece: int) -> Pieces:
    counts = (lengths[rows].astype("int64") + (piece - 1)) // piece
    place = indptr._place
    ends = px.zeros(len(rows) + 1, "int64", device=place)
    ends[1:] = px.cumsum(counts)
    piece_rows = px.repeat(px.arange(len(rows), device=place), counts)
    number = px.arange(int(ends[-1]), device=place) - ends[:-1][piece_rows]
    begins = indptr[:-1][rows].astype("int64")[piece_rows] + number * piece
    done = px.zeros(len(rows), "uint32", device=place)
    return Pieces(rows, piece_rows, begins, ends, done)
