"""Reading and writing at indices beside a dense array."""

import numpy as np
import pytest

import phalanx as px
from phalanx import sparse
from sparse_matrices.samples import check, dense, made

A = dense("float64", (5, 7), 0.5)
KEYS = {
    "all": (),
    "row": 1,
    "last row": -1,
    "rows": slice(1, 4),
    "no rows": slice(3, 1),
    "steps": slice(None, None, 2),
    "reversed": slice(None, None, -1),
    "array": np.array([0, 3, 0, -1]),
    "list": [2, 2],
    "mask": np.array([True, False, True, False, True]),
    "none": np.array([], np.int64),
    "ellipsis": (Ellipsis, slice(1, 3)),
    "columns": (slice(None), slice(2, 5)),
    "column": (slice(None), 3),
    "both": (slice(1, 4), slice(None, None, 3)),
    "reversed columns": (slice(None), slice(None, None, -2)),
    "columns by array": (slice(None), np.array([6, 0, 0])),
    "array and slice": (np.array([4, 0]), slice(1, 6)),
    "number and array": (2, np.array([1, 5])),
}


@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_parts(device, format, key):
    matrix = made(format, A)
    expected = A[key]
    if expected.ndim == 1:
        is_column = key is KEYS["column"]
        expected = expected[:, None] if is_column else expected[None]
    check(matrix[key], expected)
    assert matrix[key].format == format
    is_number = isinstance(key, int) or (
        isinstance(key, tuple) and any(isinstance(each, int) for each in key)
    )
    if is_number:
        with pytest.raises(NotImplementedError, match="two dimensions"):
            made(format, A, True)[key]
    else:
        check(made(format, A, True)[key], expected)


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_elements(device, format):
    matrix = made(format, A)
    for i in range(-5, 5):
        for j in range(-7, 7):
            assert matrix[i, j] == A[i, j]
    rows, columns = np.array([0, 4, 2, 0]), np.array([6, -1, 3, 6])
    check(matrix[rows, columns], A[rows, columns][None])
    check(matrix[rows[:, None], columns], A[rows[:, None], columns])
    check(matrix[A > 0], A[A > 0][None])
    check(made(format, A, True)[A > 0], A[A > 0])
    check(matrix[matrix > 0], A[A > 0][None])
    check(matrix.getrow(2), A[2:3])
    check(matrix.getcol(-1), A[:, -1:])
    assert [row.shape for row in matrix] == [(1, 7)] * 5


WRITES = {
    "element": ((1, 2), 5.0),
    "element of zero": ((1, 2), 0.0),
    "row": (1, 3.0),
    "row of values": (2, np.arange(7.0)),
    "rows": (slice(1, 4), np.arange(21.0).reshape(3, 7)),
    "column": ((slice(None), 3), 4.0),
    "pairs": ((np.array([0, 1, 0]), np.array([2, 2, 2])), np.array([1.0, 2.0, 3.0])),
    "mask": (A > 1, 7.0),
    "nothing": (slice(0, 0), 1.0),
}


@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize("case", WRITES.values(), ids=WRITES)
@pytest.mark.filterwarnings("ignore::phalanx.sparse.SparseEfficiencyWarning")
def test_writes(device, format, case):
    key, value = case
    matrix, expected = made(format, A), A.copy()
    matrix[key] = px.asarray(value) if isinstance(value, np.ndarray) else value
    expected[key] = value
    check(matrix, expected)
    assert matrix.format == format
    assert matrix.has_canonical_format


def test_new_entries_warn(device):
    matrix = sparse.csr_matrix((3, 3))
    with pytest.warns(sparse.SparseEfficiencyWarning, match="coo_matrix"):
        matrix[1, 1] = 2.0
    assert matrix.nnz == 1
    matrix[1, 1] = 3.0  # there is one: no warning
    assert matrix[1, 1] == 3


def test_a_coo_says_how_it_is_indexed(device):
    a = sparse.coo_array(np.eye(3))
    with pytest.raises(TypeError, match="tocsr"):
        _ = a[1:]
    with pytest.raises(TypeError, match="tocsr"):
        a[0, 0] = 2
