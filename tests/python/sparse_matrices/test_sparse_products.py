"""Products of larger matrices: all rows short, a long one among them, rows without entries."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from phalanx.sparse import _device_plans, _products, _structure

import phalanx as px
from phalanx import sparse
from sparse_matrices.samples import check

LENGTHS = {
    "short": lambda rng: rng.integers(0, 4, 5000),
    "one each": lambda rng: np.ones(4000, int),
    "middle": lambda rng: rng.integers(5, 40, 3000),
    "long": lambda rng: rng.integers(50, 400, 300),
    "one very long": lambda rng: np.where(np.arange(2000) == 700, 60_000, rng.integers(0, 5, 2000)),
    "first and last": lambda rng: np.array([30_000, *[0] * 500, 20_001]),
    "mostly empty": lambda rng: (rng.random(50_000) < 0.01) * 3,
    "power law": lambda rng: np.minimum(rng.pareto(1.1, 3000) * 3, 20_000).astype(int),
}
COLUMNS = 7001


def parts_of(lengths, dtype, rng):
    """Data, indices and indptr with that many entries in each row."""
    indptr = np.cumsum([0, *lengths]).astype(np.int32)
    indices = rng.integers(0, COLUMNS, indptr[-1]).astype(np.int32)
    data = rng.integers(-3, 4, indptr[-1]).astype(dtype)
    return data, indices, indptr


def expected(data, indices, indptr, x):
    """A @ x by NumPy."""
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    made = np.zeros((len(indptr) - 1, *x.shape[1:]), np.result_type(data, x))
    np.add.at(made, rows, (data * x[indices].T).T)
    return made


@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("is_by_kernels", [False, True], ids=["functions", "kernels"])
def test_rows_of_all_lengths(device, lengths, dtype, is_by_kernels):
    if device == "cuda" and not is_by_kernels:
        pytest.skip("the functions are the CPU device's")
    rng = np.random.default_rng(1)
    data, indices, indptr = parts_of(lengths(rng), dtype, rng)
    matrix = sparse.csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, COLUMNS))
    for shape in ((COLUMNS,), (COLUMNS, 3), (COLUMNS, 33)):
        x = rng.integers(-3, 4, shape).astype(dtype)
        made = _products.times_dense(
            matrix._own()[0], px.asarray(x), _products.Plans(), is_by_kernels
        )
        check(made, expected(data, indices, indptr, x), dtype)


def test_products_give_the_same_bits_each_time(device):
    rng = np.random.default_rng(2)
    data, indices, indptr = parts_of(LENGTHS["one very long"](rng), "float32", rng)
    data = rng.random(len(data)).astype("float32")
    matrix = sparse.csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, COLUMNS))
    x = px.asarray(rng.random(COLUMNS).astype("float32"))
    first = np.asarray(matrix @ x)
    for _ in range(5):
        assert np.array_equal(np.asarray(matrix @ x), first)


def test_long_rows_are_cut_into_pieces(device):
    lengths = np.array([3, 50_000, 0, 200, 9000] + [2] * 20_000)
    indptr = px.asarray(np.cumsum([0, *lengths]).astype(np.int32))
    plan = _device_plans.for_vector(indptr, int(lengths.sum()))
    assert (plan.lanes, plan.limit) == (2, 32)
    assert plan.middle.tolist() == [3]
    assert plan.pieces.rows.tolist() == [1, 4]
    assert plan.pieces.row_pieces.tolist() == [0, 13, 16]
    assert plan.pieces.piece_begins[13:].tolist() == [50_203, 54_299, 58_395]
    wide = _device_plans.for_matrix(indptr)
    assert wide.pieces.rows.tolist() == [1, 3, 4]
    assert wide.pieces.row_pieces.tolist() == [0, 49, 50, 59]
    even = _device_plans.for_vector(px.arange(101) * 10, 1000)
    assert even == (4, 64, None, None)


@pytest.mark.parametrize("format", ["coo", "csc"])
def test_products_see_what_was_written_to_the_data(device, format):
    rng = np.random.default_rng(3)
    data, indices, indptr = parts_of(rng.integers(0, 5, 300), "float64", rng)
    csr = sparse.csr_matrix((data, indices, indptr), shape=(300, COLUMNS))
    matrix = csr.asformat(format)
    x = px.asarray(rng.random(COLUMNS))
    check(matrix @ x, np.asarray(csr @ x))
    expected = 2 * np.asarray(csr @ x)
    matrix.data[...] = matrix.data * 2
    check(matrix @ x, expected)
    check(matrix.T.T @ x, expected)


def test_products_with_64_bit_indices(device):
    wide = 2**31 + 5
    matrix = sparse.csr_matrix(([1.0, 2.0], [0, wide - 1], [0, 1, 2]), shape=(2, wide))
    assert matrix.indices.dtype == np.int64
    check(matrix[:, wide - 3 :], np.array([[0.0, 0, 0], [0, 0, 2]]))
    tall = sparse.csr_matrix(([1.0, 2.0], np.array([1, 0]), [0, 1, 2]), shape=(2, 2))
    tall.indices, tall.indptr = tall.indices.astype("int64"), tall.indptr.astype("int64")
    check(tall @ px.asarray([3.0, 4.0]), np.array([4.0, 6.0]))


def test_rows_that_repeat_have_wider_places():
    small = _structure.Parts(
        px.ones(30_000),
        px.zeros(30_000, "int16"),
        px.asarray(np.array([0, 30_000], "int16")),
        (1, 1),
    )
    made = _structure.rows_at(small, px.zeros(3, "int64"))
    assert made.indptr.tolist() == [0, 30_000, 60_000, 90_000]
    assert made.indptr.dtype == made.indices.dtype == "int32"


def test_threads_have_products_of_one_matrix(device):
    rng = np.random.default_rng(5)
    data, indices, indptr = parts_of(np.where(np.arange(500) % 50 == 7, 9000, 3), "float64", rng)
    matrix = sparse.csr_matrix((data, indices, indptr), shape=(500, COLUMNS))
    x, plans, parts = rng.random(COLUMNS), _products.Plans(), matrix._own()[0]
    right, ours = expected(data, indices, indptr, x), px.asarray(x)

    def product(_):  # other threads may have another current device
        return np.asarray(_products.times_dense(parts, ours, plans, True))

    with ThreadPoolExecutor(4) as pool:
        for made in pool.map(product, range(80)):
            np.testing.assert_allclose(made, right, rtol=1e-9)
