"""What matrices are made of, and what is wrong with what is given."""

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import phalanx as px
from phalanx import sparse
from sparse_matrices.samples import DTYPES, FORMATS, check, dense, host, made

ENTRIES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 7), st.integers(-3, 3)), max_size=30)


@given(ENTRIES, st.sampled_from(DTYPES[1:]))
def test_entries_in_any_order_are_added(entries, dtype):
    rows = np.array([each[0] for each in entries], np.int32)
    columns = np.array([each[1] for each in entries], np.int32)
    data = np.array([each[2] for each in entries], dtype)
    expected = np.zeros((6, 8), dtype)
    np.add.at(expected, (rows, columns), data)
    coo = sparse.coo_matrix((data, (rows, columns)), shape=(6, 8))
    check(coo, expected, dtype)
    for format in ("csr", "csc"):
        matrix = getattr(sparse, f"{format}_matrix")((data, (rows, columns)), shape=(6, 8))
        check(matrix, expected, dtype)
        assert matrix.has_canonical_format
        assert matrix.nnz == len({each[:2] for each in entries})
        indptr, indices = np.asarray(matrix.indptr), np.asarray(matrix.indices)
        check(getattr(sparse, f"{format}_matrix")((matrix.data, indices, indptr), (6, 8)), expected)
    coo.sum_duplicates()
    check(coo, expected, dtype)
    coo.eliminate_zeros()
    assert coo.nnz == np.count_nonzero(expected)


@given(st.lists(st.lists(st.tuples(st.integers(0, 6), st.integers(-2, 2)), max_size=6), max_size=6))
def test_rows_with_duplicates_in_any_order(rows):
    indptr = np.cumsum([0, *(len(row) for row in rows)])
    indices = np.array([column for row in rows for column, _ in row], np.int64)
    data = np.array([value for row in rows for _, value in row], np.float64)
    expected = np.zeros((len(rows), 7))
    for i, row in enumerate(rows):
        for column, value in row:
            expected[i, column] += value
    matrix = sparse.csr_matrix((data, indices, indptr), shape=expected.shape)
    x = np.arange(7.0)
    check(matrix @ px.asarray(x), expected @ x)
    check(matrix.tocsc(), expected)
    check(matrix + matrix, 2 * expected)
    check(matrix.multiply(matrix), expected**2)
    assert matrix.has_sorted_indices == all(
        all(a[0] <= b[0] for a, b in itertools.pairwise(row)) for row in rows
    )
    matrix.sort_indices()
    check(matrix, expected)
    matrix.sum_duplicates()
    check(matrix, expected)
    assert matrix.has_canonical_format
    check(sparse.csc_matrix((data, indices, indptr), shape=expected.shape[::-1]), expected.T)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("is_array", [False, True])
def test_what_a_matrix_is_made_of(device, format, is_array):
    cls = getattr(sparse, f"{format}_{'array' if is_array else 'matrix'}")
    a = dense("float32", (4, 6), 0.4)
    for source in (a, px.asarray(a), a.tolist(), made("csr", a), made("dia", a, True)):
        matrix = cls(source, dtype="float32")
        check(matrix, a, "float32")
        assert (matrix.format, matrix.ndim, matrix.shape) == (format, 2, (4, 6))
        assert isinstance(matrix, sparse.sparray if is_array else sparse.spmatrix)
        assert isinstance(matrix.data, px.ndarray)
    empty = cls((3, 5))
    assert (empty.nnz, empty.dtype, empty.shape) == (0, np.float64, (3, 5))
    check(cls((3, 5), dtype="complex64"), np.zeros((3, 5)), "complex64")
    again = pickle.loads(pickle.dumps(cls(a)))
    check(again, a)
    assert type(again) is cls
    assert "sparse array" in repr(cls(a)) if is_array else "sparse matrix" in repr(cls(a))
    assert str(cls(a)).startswith(repr(cls(a)))


def test_a_copy_has_memory_of_its_own(device):
    a = made("csr", dense("float64", (4, 4), 0.5))
    before = host(a)
    b = a.copy()
    b.data[...] = 9
    check(a, before)
    data = px.asarray(np.arange(1.0, 4))
    c = sparse.csr_matrix((data, [0, 1, 2], [0, 1, 2, 3]), copy=True)
    data[...] = 0
    check(c, np.diag([1.0, 2, 3]))


def test_index_dtypes(device):
    small = sparse.coo_matrix(([1.0], ([0], [1])), shape=(2, 2))
    assert small.row.dtype == small.tocsr().indptr.dtype == np.int32
    wide = sparse.coo_matrix(([1.0], ([0], [2**31])), shape=(2, 2**31 + 1))
    assert wide.col.dtype == wide.tocsr().indices.dtype == np.int64
    assert wide.tocsr()[0, 2**31] == 1
    assert sparse.get_index_dtype(maxval=2**31) == np.int64
    assert sparse.safely_cast_index_arrays(small, np.int64)[0].dtype == np.int64


ARRAYS = ([1.0, 2.0], [0, 1], [0, 1, 2])
WRONG = {
    "lengths": (ValueError, "data has 3", lambda: sparse.csr_matrix(([1.0, 2, 3], *ARRAYS[1:]))),
    "column": (ValueError, "column index 9", lambda: sparse.csr_matrix(
        (ARRAYS[0], [0, 9], ARRAYS[2]), shape=(2, 2))),
    "negative": (ValueError, "row index -1", lambda: sparse.csc_matrix(
        (ARRAYS[0], [0, -1], ARRAYS[2]), shape=(2, 2))),
    "indptr length": (ValueError, "indptr has 3", lambda: sparse.csr_matrix(ARRAYS, shape=(5, 2))),
    "indptr begin": (ValueError, "begins with 1", lambda: sparse.csr_matrix(
        (*ARRAYS[:2], [1, 1, 2]))),
    "indptr end": (ValueError, "ends with 5", lambda: sparse.csr_matrix((*ARRAYS[:2], [0, 1, 5]))),
    "indptr falls": (ValueError, "decreases", lambda: sparse.csr_matrix(
        (*ARRAYS[:2], [0, 2, 1, 2]), shape=(3, 2))),
    "float indices": (ValueError, "integers", lambda: sparse.csr_matrix(
        (ARRAYS[0], [0.0, 1.0], ARRAYS[2]))),
    "dtype": (ValueError, "float64", lambda: sparse.csr_matrix(np.eye(2, dtype=int))),
    "asked dtype": (ValueError, "float16", lambda: sparse.csr_matrix(np.eye(2), dtype="float16")),
    "text": (ValueError, "numbers", lambda: sparse.coo_matrix(("text", ([0], [0])))),
    "no array": (TypeError, "no array", lambda: sparse.csr_matrix(object())),
    "three dimensions": (ValueError, "two dimensions", lambda: sparse.csr_matrix(
        np.zeros((1, 1, 1)))),
    "shape": (ValueError, "two extents", lambda: sparse.csr_matrix(ARRAYS, shape=(2,))),
    "other shape": (ValueError, "not that of the matrix", lambda: sparse.csr_matrix(
        np.eye(2), shape=(3, 3))),
    "coo lengths": (ValueError, "one length", lambda: sparse.coo_matrix(([1.0], ([0, 1], [0])))),
    "coo range": (ValueError, "row index 4", lambda: sparse.coo_matrix(
        ([1.0], ([4], [0])), shape=(2, 2))),
    "coo without shape": (ValueError, "pass shape", lambda: sparse.coo_matrix(([], ([], [])))),
    "dia offsets": (ValueError, "duplicate", lambda: sparse.dia_matrix(
        (np.ones((2, 3)), [0, 0]), shape=(3, 3))),
    "product": (ValueError, "4 columns", lambda: sparse.eye(3, 4).tocsr() @ px.ones(3)),
    "number": (ValueError, "@", lambda: sparse.eye(3) @ 2),
    "sum": (ValueError, "differ", lambda: sparse.eye(3) + sparse.eye(4)),
    "axis": (ValueError, "axis 2", lambda: sparse.eye(3).sum(axis=2)),
    "reshape": (ValueError, "reshape", lambda: sparse.eye(3).reshape((2, 4))),
    "format": (ValueError, "lil", lambda: sparse.eye(3).asformat("lil")),
    "index": (IndexError, "row index 3", lambda: sparse.eye(3).tocsr()[3, 0]),
    "mask": (IndexError, "mask", lambda: sparse.eye(3).tocsr()[np.array([True, False])]),
    "len": (TypeError, "nnz", lambda: len(sparse.eye(3))),
    "truth": (ValueError, "ambiguous", lambda: bool(sparse.eye(3))),
    "density": (ValueError, "density", lambda: sparse.random(3, 3, 1.5)),
    "stack": (ValueError, "columns", lambda: sparse.vstack([sparse.eye(3), sparse.eye(4)])),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_wrong_input_says_what_fits(device, case):
    error, words, function = case
    with pytest.raises(error, match=words):
        function()


def test_a_write_that_fails_changes_nothing(device):
    a = made("csr", np.eye(3))
    for key, value in (((5, 0), 1.0), ((0, slice(None)), np.ones(4)), ((None, 0), 1.0)):
        with pytest.raises((IndexError, ValueError)):
            a[key] = value
    check(a, np.eye(3))


def test_diagonals_and_ones(device):
    check(sparse.eye(3, 5, 1), np.eye(3, 5, 1))
    check(sparse.eye(4, k=-2, format="csr"), np.eye(4, k=-2))
    check(sparse.identity(3, "float32"), np.eye(3), "float32")
    check(sparse.diags([1, 2, 3]), np.diag([1.0, 2, 3]))
    check(sparse.diags([[1, 2], [3, 4, 5]], [1, 0]), np.diag([3.0, 4, 5]) + np.diag([1, 2], 1))
    check(sparse.diags([1, -2], [0, 1], shape=(3, 4)), np.eye(3, 4) - 2 * np.eye(3, 4, 1))
    data = np.arange(1.0, 9).reshape(2, 4)
    expected = np.diag(data[0]) + np.diag(data[1, :3], -1)
    check(sparse.spdiags(data, [0, -1], 4, 4), expected)
    check(sparse.block_diag([np.eye(2), 3 * np.ones((1, 2))]),
          np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 3, 3.0]]))  # fmt: skip
    grid = sparse.bmat([[sparse.eye(2), None], [None, np.ones((1, 3))]], format="csc")
    check(grid, np.block([[np.eye(2), np.zeros((2, 3))], [np.zeros((1, 2)), np.ones((1, 3))]]))
    assert grid.format == "csc"
    assert isinstance(sparse.eye_array(3), sparse.dia_array)
    assert isinstance(sparse.vstack([sparse.eye_array(2), sparse.eye(2)]), sparse.sparray)


def test_random_matrices(device):
    for density in (0.0, 0.01, 0.5, 1.0):
        a = sparse.random(40, 50, density, format="csr", dtype="float32", random_state=3)
        assert a.nnz == round(2000 * density)
        assert a.has_canonical_format
        assert a.dtype == np.float32
        check(a, host(sparse.random(40, 50, density, random_state=3, dtype="float32")))
    assert isinstance(sparse.random_array((3, 4), density=0.5, rng=1), sparse.coo_array)
