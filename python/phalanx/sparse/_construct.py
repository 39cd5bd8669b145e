"""Matrices that are made of others: stacks, blocks, triangles, Kronecker products."""

from __future__ import annotations

from typing import Any

import phalanx as px

from . import _checks, _creation, _formats

_Block = tuple[Any, Any, Any, tuple[int, int]]


def _coo(block: Any, is_array: bool) -> Any:
    if _formats.is_sparse(block):
        return block.tocoo(copy=False)
    return _formats.class_of("coo", is_array)(px.atleast_2d(px.asarray(block)))


def _is_array(blocks: Any) -> bool:
    return any(each.is_array for each in blocks if _formats.is_sparse(each))


def hstack(blocks: Any, format: str | None = None, dtype: Any = None) -> Any:
    """The matrices side by side. Raises `ValueError` where the rows are not as many.

    >>> px.sparse.hstack([px.sparse.eye_array(2), px.sparse.eye_array(2)]).toarray()
    array([[1., 0., 1., 0.],
           [0., 1., 0., 1.]])
    """
    return bmat([list(blocks)], format, dtype)


def vstack(blocks: Any, format: str | None = None, dtype: Any = None) -> Any:
    """The matrices one below the other. Raises `ValueError` where the columns are not as many."""
    return bmat([[each] for each in blocks], format, dtype)


def bmat(blocks: Any, format: str | None = None, dtype: Any = None) -> Any:
    """The matrix of a grid of blocks; None is a block of zeros.

    Raises `ValueError` where blocks of a row or column of the grid differ in extent.

    >>> one = px.sparse.eye_array(1)
    >>> px.sparse.bmat([[one, None], [None, one]]).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    grid = [list(row) for row in blocks]
    return _of_grid(grid, format, dtype, _is_array(each for row in grid for each in row))


def block_array(blocks: Any, *, format: str | None = None, dtype: Any = None) -> Any:
    """As `bmat`, a sparse array.

    >>> one = px.sparse.eye_array(1)
    >>> px.sparse.block_array([[one, None], [None, one]]).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    return _of_grid([list(row) for row in blocks], format, dtype, True)


def block_diag(mats: Any, format: str | None = None, dtype: Any = None) -> Any:
    """The matrix with the given ones on its diagonal.

    >>> px.sparse.block_diag([[[1.0, 2.0]], [[3.0]]]).toarray()
    array([[1., 2., 0.],
           [0., 0., 3.]])
    """
    given = list(mats)
    grid = [[each if i == j else None for j in range(len(given))] for i, each in enumerate(given)]
    return _of_grid(grid, format, dtype, _is_array(given))


def _of_grid(grid: list[list[Any]], format: str | None, dtype: Any, is_array: bool) -> Any:
    if not grid or not grid[0] or len({len(row) for row in grid}) != 1:
        raise ValueError("blocks have to be a grid of two dimensions, with at least one block")
    given = [each for row in grid for each in row if each is not None]
    formats = {each.format if _formats.is_sparse(each) else "" for each in given}
    heights, widths = [-1] * len(grid), [-1] * len(grid[0])
    placed = []
    for i, row in enumerate(grid):
        for j, block in enumerate(row):
            if block is None:
                continue
            coo = _coo(block, is_array)
            _note(heights, i, coo.shape[0], "row")
            _note(widths, j, coo.shape[1], "column")
            placed.append((i, j, coo))
    if -1 in heights or -1 in widths:
        raise ValueError("a row or column of the grid has no block that says its extent")
    tops = [sum(heights[:i]) for i in range(len(heights))]
    lefts = [sum(widths[:j]) for j in range(len(widths))]
    if dtype is None:
        dtype = _checks.promoted(*(coo.dtype for _, _, coo in placed))
    parts = [
        (
            coo.data.astype(_checks.data_dtype(dtype)),
            coo.row.astype("int64") + tops[i],
            coo.col.astype("int64") + lefts[j],
        )
        for i, j, coo in placed
    ]
    arrays = [px.concatenate(list(each)) for each in zip(*parts, strict=True)]
    cls = _formats.class_of("coo", is_array)
    made = cls._of_places(*arrays, (sum(heights), sum(widths)))
    common = formats.pop() if len(formats) == 1 else ""
    is_stack = 1 in (len(grid), len(grid[0]))
    return made.asformat(format or (common if is_stack and common in ("csr", "csc") else None))


def _note(extents: list[int], place: int, extent: int, what: str) -> None:
    if extents[place] not in (-1, extent):
        raise ValueError(
            f"blocks of {what} {place} of the grid have {extents[place]} and {extent} {what}s"
        )
    extents[place] = extent


def kron(A: Any, B: Any, format: str | None = None) -> Any:
    """The Kronecker product."""
    is_array = _is_array([A, B])
    a, b = _coo(A, is_array), _coo(B, is_array)
    shape = (a.shape[0] * b.shape[0], a.shape[1] * b.shape[1])
    if not a.nnz or not b.nnz:  # of float64, as SciPy has it
        return _formats.class_of("coo", is_array)(shape).asformat(format)
    dtype = _checks.promoted(a.dtype, b.dtype)

    def pairs(x: Any, y: Any, scale: int) -> Any:
        return ((x.astype("int64") * scale)[:, None] + y).reshape(-1)

    data = (a.data.astype(dtype)[:, None] * b.data.astype(dtype)).reshape(-1)
    rows, columns = pairs(a.row, b.row, b.shape[0]), pairs(a.col, b.col, b.shape[1])
    return (
        _formats.class_of("coo", is_array)._of_places(data, rows, columns, shape).asformat(format)
    )


def kronsum(A: Any, B: Any, format: str | None = None) -> Any:
    """The Kronecker sum of two square matrices. Raises `ValueError` for others.

    >>> a, b = px.sparse.csr_array([[1.0, 2.0], [0.0, 1.0]]), px.sparse.csr_array([[3.0]])
    >>> px.sparse.kronsum(a, b).toarray()
    array([[4., 2.],
           [0., 4.]])
    """
    a, b = (_coo(each, _is_array([A, B])) for each in (A, B))
    if a.shape[0] != a.shape[1] or b.shape[0] != b.shape[1]:
        raise ValueError(f"a Kronecker sum is of square matrices, not {a.shape} and {b.shape}")
    dtype = _checks.promoted(a.dtype, b.dtype)
    left = kron(_creation.identity(b.shape[0], dtype=dtype), a)
    right = kron(b, _creation.identity(a.shape[0], dtype=dtype))
    return (left.tocsr() + right.tocsr()).asformat(format)


def tril(A: Any, k: int = 0, format: str | None = None) -> Any:
    """The entries on and below the k-th diagonal.

    >>> px.sparse.tril(px.sparse.csr_array([[1.0, 2.0], [3.0, 4.0]])).toarray()
    array([[1., 0.],
           [3., 4.]])
    """
    coo = _coo(A, False)
    return _where(coo, coo.row.astype("int64") + k >= coo.col, format)


def triu(A: Any, k: int = 0, format: str | None = None) -> Any:
    """The entries on and above the k-th diagonal.

    >>> px.sparse.triu(px.sparse.csr_array([[1.0, 2.0], [3.0, 4.0]])).toarray()
    array([[1., 2.],
           [0., 4.]])
    """
    coo = _coo(A, False)
    return _where(coo, coo.row.astype("int64") + k <= coo.col, format)


def _where(coo: Any, mask: Any, format: str | None) -> Any:
    arrays = (each[mask] for each in (coo.data, coo.row, coo.col))
    return type(coo)._of_places(*arrays, coo.shape).asformat(format)


def find(A: Any) -> tuple[Any, Any, Any]:
    """The rows, columns and values of the elements that are not zero, duplicates added up."""
    coo = _coo(A, False).copy()
    coo.has_canonical_format = False
    coo.sum_duplicates()
    mask = coo.data != 0
    return coo.row[mask], coo.col[mask], coo.data[mask]


def matrix_transpose(A: Any) -> Any:
    """The transposed matrix.

    >>> px.sparse.matrix_transpose(px.sparse.csr_array([[1.0, 2.0]])).toarray()
    array([[1.],
           [2.]])
    """
    return A.transpose()


def swapaxes(A: Any, axis1: int, axis2: int) -> Any:
    """The matrix with two axes exchanged. Raises `ValueError` for axes that are not there.

    >>> px.sparse.swapaxes(px.sparse.csr_array([[1.0, 2.0]]), 0, 1).toarray()
    array([[1.],
           [2.]])
    """
    if not {axis1, axis2} <= {-2, -1, 0, 1}:
        raise ValueError(f"the axes are 0 and 1, not {axis1} and {axis2}")
    return A.transpose() if (axis1 - axis2) % 2 else A.copy()


def permute_dims(A: Any, axes: Any = None, copy: bool = False) -> Any:
    """The matrix with its axes in another order. Raises `ValueError` for no such order.

    >>> px.sparse.permute_dims(px.sparse.csr_array([[1.0, 2.0]]), (1, 0)).toarray()
    array([[1.],
           [2.]])
    """
    if axes is None:
        return A.transpose(copy=copy)
    found = tuple(axis % 2 if -2 <= axis < 2 else axis for axis in axes)
    if found not in ((0, 1), (1, 0)):
        raise ValueError(f"the axes are an order of 0 and 1, not {axes}")
    if found == (1, 0):
        return A.transpose(copy=copy)
    return A.copy() if copy else A
