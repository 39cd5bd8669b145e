"""Every format, dtype and shape beside the same operation of a dense array."""

import numpy as np
import pytest

import phalanx as px
from phalanx import sparse
from sparse_matrices.samples import DTYPES, FORMATS, SHAPES, check, dense, host, made

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.sparse.SparseEfficiencyWarning")
CASES = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
EVERY_FORMAT = pytest.mark.parametrize("format", FORMATS)
EVERY_DTYPE = pytest.mark.parametrize("dtype", DTYPES)

# Of the matrix, and of NumPy's array.
UNARY = {
    "toarray": (lambda a: a, lambda a: a),
    "tocsr": (lambda a: a.tocsr(), lambda a: a),
    "tocsc": (lambda a: a.tocsc(), lambda a: a),
    "tocoo": (lambda a: a.tocoo(), lambda a: a),
    "todia": (lambda a: a.todia(), lambda a: a),
    "there and back": (lambda a: a.tocsc().tocoo().tocsr().todia().tocsc(), lambda a: a),
    "copy": (lambda a: a.copy(), lambda a: a),
    "T": (lambda a: a.T, lambda a: a.T),
    "conj": (lambda a: a.conj(), lambda a: a.conj()),
    "real": (lambda a: a.real, lambda a: a.real),
    "abs": (abs, abs),
    "times two": (lambda a: a * 2, lambda a: a * 2.0),
    "two times": (lambda a: 2 * a, lambda a: a * 2.0),
    "half": (lambda a: a / 2, lambda a: a / 2),
    "sum": (lambda a: a.sum(), lambda a: a.sum()),
    "sum 0": (lambda a: a.sum(axis=0), lambda a: a.sum(axis=0, keepdims=True)),
    "sum 1": (lambda a: a.sum(axis=1), lambda a: a.sum(axis=1, keepdims=True)),
    "sum -1": (lambda a: a.sum(axis=-1), lambda a: a.sum(axis=-1, keepdims=True)),
    "trace": (lambda a: a.trace(), lambda a: a.trace()),
    "count": (lambda a: a.count_nonzero(), lambda a: np.count_nonzero(a)),
    "count 0": (lambda a: a.count_nonzero(axis=0), lambda a: np.count_nonzero(a, axis=0)),
    "reshape": (
        lambda a: a.reshape(a.shape[::-1]),
        lambda a: a.reshape(a.shape[::-1]),
    ),
    "reshape F": (
        lambda a: a.reshape(a.shape[::-1], order="F"),
        lambda a: a.reshape(a.shape[::-1], order="F"),
    ),
    "not zero": (lambda a: a != 0, lambda a: a != 0),
    "zero": (lambda a: a == 0, lambda a: a == 0),
    "tril": (sparse.tril, np.tril),
    "triu": (lambda a: sparse.triu(a, 1), lambda a: np.triu(a, 1)),
    "kron": (lambda a: sparse.kron(a, a), lambda a: np.kron(a, a)),
    "vstack": (lambda a: sparse.vstack([a, a]), lambda a: np.vstack([a, a])),
    "hstack": (lambda a: sparse.hstack([a, a, a]), lambda a: np.hstack([a, a, a])),
}
BINARY = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": None,
    "maximum": None,
    "minimum": None,
    "equal": lambda a, b: a == b,
    "not equal": lambda a, b: a != b,
    "less": lambda a, b: a < b,
    "greater": lambda a, b: a > b,
    "less or equal": lambda a, b: a <= b,
    "greater or equal": lambda a, b: a >= b,
}


@CASES
@EVERY_FORMAT
@EVERY_DTYPE
def test_functions_of_one_matrix(device, format, dtype, shape):
    array = dense(dtype, *shape)
    matrix = made(format, array)
    for name, (ours, numpys) in UNARY.items():
        check(ours(matrix), numpys(array)), name


def _numpys(name, function, a, b):
    if name == "subtract" and a.dtype == bool:
        return a ^ b
    return function(a, b) if function else getattr(np, name)(a, b)


@CASES
@EVERY_FORMAT
@pytest.mark.parametrize("dtype", ["bool", "float32", "complex128"])
@pytest.mark.parametrize("other", ["csr", "coo", "dense"])
def test_elementwise_functions_of_two(device, format, dtype, shape, other):
    a, b = dense(dtype, *shape), dense(dtype, *shape, seed=1)
    x, y = made(format, a), px.asarray(b) if other == "dense" else made(other, b)
    for name, function in BINARY.items():
        if (name, dtype, other) == ("subtract", "bool", "dense"):
            continue  # NumPy's subtraction of bool raises, and so does that of dense arrays
        actual = function(x, y) if function else getattr(x, name)(y)
        check(actual, _numpys(name, function, a, b))


@CASES
@EVERY_FORMAT
@EVERY_DTYPE
def test_products(device, format, dtype, shape):
    a = dense(dtype, *shape)
    (m, n), matrix = a.shape, made(format, a)
    v, w = dense(dtype, (n,), 1.0, 2), dense(dtype, (m,), 1.0, 3)
    wide, left = dense(dtype, (n, 3), 1.0, 4), dense(dtype, (2, m), 1.0, 5)
    check(matrix @ px.asarray(v), a @ v, dtype)
    check(matrix @ px.asarray(v).reshape(-1, 1), a @ v.reshape(-1, 1))
    check(matrix @ px.asarray(wide), a @ wide, dtype)
    check(matrix @ px.asarray(np.asfortranarray(wide)), a @ wide)
    check(px.asarray(w) @ matrix, w @ a)
    check(px.asarray(left) @ matrix, left @ a)
    check(matrix.dot(px.asarray(v)), a @ v)
    for other in FORMATS:
        product = matrix @ made(other, wide)
        assert sparse.issparse(product)
        check(product, a @ wide, dtype)
    check(matrix.T @ matrix, a.T @ a)
    check(matrix * made("csr", wide), a @ wide)
    check(made(format, a, True) * made("csr", a, True), a * a)


@pytest.mark.parametrize("kinds", [("float32", "float64"), ("bool", "float32"),
                                   ("float32", "complex64"), ("float64", "complex64")])  # fmt: skip
def test_products_of_two_dtypes(device, kinds):
    a, v = dense(kinds[0], (5, 6), 0.5), dense(kinds[1], (6,), 1.0)
    check(made("csr", a) @ px.asarray(v), a @ v, np.result_type(*kinds))
    check(made("csr", a) @ px.asarray(v.real.astype(int)), a @ v.real.astype(int))


@CASES
@EVERY_FORMAT
@pytest.mark.parametrize("dtype", ["float32"])
@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin", "mean"])
def test_extremes_and_means(device, format, dtype, shape, name):
    a = dense(dtype, *shape)
    for sign in (1, -1):
        array = a if name == "mean" else sign * np.abs(a)
        matrix = made(format, array)
        for axis in (None, 0, 1):
            extent = array.size if axis is None else array.shape[axis]
            if not extent:
                with pytest.raises((ValueError, ZeroDivisionError)):
                    getattr(matrix, name)(axis=axis)
                continue
            expected = getattr(np, name)(array, axis=axis, keepdims=axis is not None)
            check(getattr(matrix, name)(axis=axis), expected)


def test_nan_is_the_extreme_and_has_the_first_place(device):
    a = np.array([[0, np.nan, 2], [1, 0, np.nan]])
    for format in FORMATS:
        matrix = made(format, a)
        for name in ("max", "min", "argmax", "argmin"):
            check(getattr(matrix, name)(), getattr(np, name)(a))
            for axis in (0, 1):
                expected = getattr(np, name)(a, axis=axis, keepdims=True)
                check(getattr(matrix, name)(axis=axis), expected)


@EVERY_FORMAT
def test_arrays_reduce_to_one_dimension(device, format):
    a = dense("float64", (4, 5), 0.5)
    array = made(format, a, True)
    for axis in (0, 1):
        for name in ("sum", "mean", "max", "min", "argmax"):
            check(getattr(array, name)(axis=axis), getattr(np, name)(a, axis=axis))


@EVERY_FORMAT
@EVERY_DTYPE
def test_diagonals(device, format, dtype):
    a = dense(dtype, (4, 6), 0.6)
    for k in range(-3, 6):
        matrix = made(format, a)
        check(matrix.diagonal(k), a.diagonal(k))
        expected = a.copy()
        length = len(a.diagonal(k))
        rows = np.arange(length) - min(k, 0)
        expected[rows, rows + k] = 3
        matrix.setdiag(3, k)
        check(matrix, expected)
        assert matrix.format == format
        values = np.arange(1, max(length - 1, 1) + 1).astype(dtype)
        expected[rows[: len(values)], rows[: len(values)] + k] = values[:length]
        matrix.setdiag(px.asarray(values), k)
        check(matrix, expected)
    with pytest.raises(ValueError, match="exceeds"):
        made(format, a).setdiag(1, 6)


@EVERY_DTYPE
def test_values_that_are_not_finite_pass_through(device, dtype):
    if dtype == "bool":
        a = np.array([[True, False], [True, True]])
    else:
        a = np.array([[np.nan, 0], [np.inf, 1]], dtype)
    matrix = made("csr", a)
    ones = np.ones(2, dtype)
    check(matrix @ px.asarray(ones), a @ ones)
    check(matrix + matrix, a + a)
    check(abs(matrix), abs(a))


@EVERY_FORMAT
def test_powers(device, format):
    a = dense("float64", (4, 4), 0.5)
    for exponent in range(5):
        check(made(format, a) ** exponent, np.linalg.matrix_power(a, exponent))
    for exponent in (1, 2, 3):
        check(made(format, a, True) ** exponent, a**exponent)
        check(made(format, a).power(exponent), a**exponent)


def test_functions_of_the_data(device):
    a = np.array([[0, 0.5], [0.25, 0]])
    names = "sin tan arcsin arctan sinh tanh arcsinh arctanh rint sign expm1 log1p deg2rad rad2deg"
    for name in (*names.split(), "floor", "ceil", "trunc", "sqrt"):
        check(getattr(made("csc", a), name)(), getattr(np, name)(a))


def test_broadcast_products(device):
    a = dense("float64", (4, 5), 0.5)
    row, column = np.arange(5.0), np.arange(4.0)[:, None]
    for format in FORMATS:
        check(made(format, a).multiply(px.asarray(row)), a * row)
        check(made(format, a).multiply(px.asarray(column)), a * column)
        check(made(format, a).multiply(made("csr", row[None])), a * row)
        check(made("csr", row[None]).multiply(made(format, a)), a * row)
        check(made("csr", row[None]).multiply(made("csc", column)), row * column)
        check(made(format, a) / px.asarray(row + 1), a / (row + 1))


def test_numbers_that_would_make_it_dense(device):
    a = made("csr", dense("float64", (3, 4), 0.5))
    check(a + 0, host(a))
    for function in (lambda: a + 1, lambda: 1 - a, lambda: a - 1):
        with pytest.raises(NotImplementedError, match="toarray"):
            function()
    check(a.maximum(1.5), np.maximum(host(a), 1.5))
    check(a.minimum(1.5), np.minimum(host(a), 1.5))
    check(a > -1, host(a) > -1)
    check(a < 2, host(a) < 2)


REPEATED = {
    "abs": abs,
    "power": lambda a: a.power(2),
    "round": round,
    "sin": lambda a: a.sin(),
    "sign": lambda a: a.sign(),
    "greater": lambda a: a > 0,
    "not equal": lambda a: a != 0,
    "less than -1": lambda a: a < -1,
    "maximum": lambda a: a.maximum(0),
    "minimum": lambda a: a.minimum(0),
    "count": lambda a: a.count_nonzero(),
    "counts": lambda a: a.count_nonzero(axis=0),
    "negative": lambda a: -a,
    "sum": lambda a: a.sum(),
}


@pytest.mark.parametrize("format", ["coo", "csr", "csc"])
@pytest.mark.parametrize("name", REPEATED)
def test_entries_of_one_place_are_one_element(device, name, format):
    data, rows, columns = [2.0, -2, 5, 1, -3], [0, 0, 1, 2, 2], [0, 0, 1, 0, 0]
    if format == "coo":
        a = sparse.coo_matrix((data, (rows, columns)), shape=(3, 2))
    else:  # by rows of 3, or columns of 2, with two entries of one place
        parts = ([2.0, -2, 1, -3, 5], [0, 0, 2, 2, 1], [0, 4, 5])
        kinds = {"csr": (sparse.csr_matrix, (2, 3)), "csc": (sparse.csc_matrix, (3, 2))}
        a = kinds[format][0](parts, shape=kinds[format][1])
    dense = np.array([[0.0, 0], [0, 5], [-2, 0]])
    dense = dense.T if format == "csr" else dense
    once = sparse.csr_matrix(dense).asformat(format)
    made, right = REPEATED[name](a), REPEATED[name](once)
    if sparse.issparse(made):
        made, right = made.toarray(), right.toarray()
    assert np.array_equal(np.asarray(made), np.asarray(right))
    assert [x.tolist() for x in a.nonzero()] == [x.tolist() for x in np.nonzero(dense)]
    assert a.nnz == 5  # it stays as it was
