"""NumPy's functions in CPU functions: one row each, against NumPy itself."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import njit

rng = np.random.default_rng(0)
VECTOR = rng.random(50)
MATRIX = rng.random((6, 5))
TALL = rng.random((40, 3))
WHOLE = rng.integers(0, 20, 50)
SORTED = np.sort(VECTOR)
WITH_NAN = VECTOR.copy()
WITH_NAN[[3, 7]] = np.nan
SYMMETRIC = MATRIX @ MATRIX.T + np.eye(6)
COMPLEX = VECTOR + 1j * VECTOR[::-1]
MASK = VECTOR > 0.5

# What is computed, and of what.
ROWS = [
    # running sums and differences
    (lambda a: np.cumsum(a), VECTOR),
    (lambda a: a.cumsum(), WHOLE.astype(np.int8)),
    (lambda a: np.cumprod(a), VECTOR),
    (lambda a: np.cumsum(a > 0.5), VECTOR),
    (lambda a: np.diff(a), VECTOR),
    (lambda a: np.diff(a, 2), MATRIX),
    (lambda a: np.ediff1d(a), MATRIX),
    (lambda a: np.trapezoid(a), VECTOR),
    (lambda a, b: np.interp(a, b, b * 2), VECTOR * 1.5 - 0.2, SORTED),
    (lambda a, b: np.interp(0.3, a, b), SORTED, VECTOR),
    (lambda a, b: np.convolve(a, b), VECTOR, VECTOR[:5]),
    (lambda a, b: np.convolve(a, b, mode="same"), VECTOR, VECTOR[:4]),
    (lambda a, b: np.convolve(a, b, mode="valid"), VECTOR, VECTOR[:5]),
    (lambda a, b: np.correlate(a, b), VECTOR, VECTOR[:5]),
    (lambda a, b: np.cross(a, b), VECTOR[:3], VECTOR[3:6]),
    (lambda a, b: np.cross(a, b), TALL, TALL[::-1]),
    # element by element
    (lambda a: np.clip(a, 0.2, 0.6), VECTOR),
    (lambda a: a.clip(0.2, None), MATRIX),
    (lambda a: np.round(a, 2), VECTOR),
    (lambda a: np.round(a * 1000, -2), VECTOR),
    (lambda a: np.nan_to_num(a), np.array([np.nan, np.inf, -np.inf, 1.0])),
    (lambda a, b: np.isclose(a, b), VECTOR, VECTOR + 1e-9),
    (lambda a, b: np.allclose(a, b), VECTOR, VECTOR + 1e-3),
    (lambda a, b: np.array_equal(a, b), VECTOR, VECTOR.copy()),
    (lambda a, b: np.array_equal(a, b), VECTOR, VECTOR[:3]),
    (lambda a: np.angle(a), COMPLEX),
    (lambda a: (np.real(a), np.imag(a), a.conj()), COMPLEX),
    (lambda n: np.logspace(0, 2, n), 7),
    # statistics
    (lambda a: np.average(a), VECTOR),
    (lambda a, b: np.average(a, weights=b), VECTOR, SORTED),
    (lambda a, b: np.cov(a, b), VECTOR, SORTED),
    (lambda a: np.cov(a), MATRIX),
    (lambda a: np.corrcoef(a), MATRIX),
    (lambda a, b: np.vdot(a, b), COMPLEX, COMPLEX[::-1]),
    (lambda a, b: (np.inner(a, b), a.dot(b)), VECTOR, SORTED),
    (lambda a: np.median(a), VECTOR),
    (lambda a: np.median(a), WHOLE),
    (lambda a: np.median(a), WITH_NAN),
    (lambda a: np.nanmedian(a), WITH_NAN),
    (lambda a: np.nansum(a, axis=0), WITH_NAN.reshape(5, 10)),
    (lambda a: np.nanmean(a, 1), WITH_NAN.reshape(5, 10).T),
    (lambda a: np.nanmin(a, axis=-1), WITH_NAN.reshape(5, 2, 5)),
    (lambda a: np.nanmax(a, axis=1), WITH_NAN.reshape(5, 2, 5)),
    (lambda a: np.nanprod(a, axis=0), WITH_NAN.astype(np.float32).reshape(5, 10)),
    (lambda a: np.nanstd(a, ddof=1), WITH_NAN),
    (lambda a: np.nanstd(a, axis=0, ddof=1), WITH_NAN.reshape(5, 10)),
    (lambda a: np.nanvar(a, axis=1, ddof=2), WHOLE.reshape(5, 10)),
    (lambda a: (np.std(a, ddof=1), np.var(a, ddof=0.5), a.std(ddof=2)), VECTOR),
    (lambda a: np.var(a, ddof=1), COMPLEX),
    (lambda a: np.percentile(a, 30), MATRIX),
    (lambda a, q: np.quantile(a, q), VECTOR, np.array([0.0, 0.31, 1.0])),
    (lambda a: np.nanpercentile(a, 70.0), WITH_NAN),
    (lambda a: np.histogram(a, 7), VECTOR),
    (lambda a: np.histogram(a, 5, (0.1, 0.4)), VECTOR),
    (lambda a, edges: np.histogram(a, edges), VECTOR, np.array([0.0, 0.3, 0.35, 1.0])),
    (lambda a: np.bincount(a), WHOLE),
    (lambda a: np.bincount(a, minlength=30), WHOLE),
    (lambda a, w: np.bincount(a, weights=w), WHOLE, VECTOR),
    # sorting
    (lambda a: np.sort(a), VECTOR),
    (lambda a: np.sort(a), WITH_NAN),
    (lambda a: np.sort(a), WHOLE[::-2]),
    (lambda a: np.sort(a), MATRIX),
    (lambda a: np.argsort(a), VECTOR),
    (lambda a: np.argsort(a, kind="mergesort"), WHOLE),
    (lambda a: np.unique(a), WHOLE),
    (lambda a: np.partition(a, 3)[3], VECTOR),
    (lambda a, b: np.searchsorted(a, b), np.sort(WHOLE), WHOLE),
    (lambda a, b: np.searchsorted(a, b, side="right"), np.sort(WHOLE), WHOLE),
    (lambda a: np.searchsorted(a, 0.5), SORTED),
    (lambda a, b: np.digitize(a, b), VECTOR, np.array([0.2, 0.5])),
    (lambda a, b: np.digitize(a, b), VECTOR, np.array([0.5, 0.2])),
    (lambda a, b: np.isin(a, b), WHOLE, np.array([3, 5, 11])),
    # made, joined, turned
    (lambda x: np.array([1, 2, x]), 3.5),
    (lambda x: np.array([[1, x], [3, 4]]), 2),
    (lambda x: np.array([1, 2, x], dtype=np.float32), 3),
    (lambda a, b: np.array([a, b]), VECTOR, SORTED),
    (lambda a: np.array(a), MATRIX),
    (lambda a: np.asarray(a, np.float32), MATRIX),
    (lambda a: np.ascontiguousarray(a.T), MATRIX),
    (lambda a: a.astype(np.int64), VECTOR * 9),
    (lambda a: (a > 0.5).astype(np.uint8), MATRIX),
    (lambda a, b: np.concatenate((a, b)), VECTOR, WHOLE),
    (lambda a: np.concatenate((a, a), axis=1), MATRIX),
    (lambda a: np.concatenate((a, a)), MATRIX),
    (lambda a, b: np.hstack((a, b)), VECTOR, WHOLE),
    (lambda a: np.hstack((a, a)), MATRIX),
    (lambda a, b: np.vstack((a, b)), VECTOR, WHOLE),
    (lambda a: np.vstack((a, a)), MATRIX),
    (lambda a, b: np.stack((a, b)), VECTOR, WHOLE),
    (lambda a, b: np.stack((a, b), axis=1), VECTOR, WHOLE),
    (lambda a, b: np.column_stack((a, b)), VECTOR, WHOLE),
    (lambda a: np.append(a, 3.0), VECTOR),
    (lambda a, b: np.append(a, b), MATRIX, WHOLE),
    (lambda a: np.delete(a, -2), VECTOR),
    (lambda a: np.repeat(a, 3), VECTOR),
    (lambda a, n: np.repeat(a, n), VECTOR, WHOLE),
    (lambda a: np.roll(a, -3), VECTOR),
    (lambda a: (np.flip(a), np.flipud(a), np.fliplr(a)), MATRIX),
    (lambda a: (np.rot90(a), np.rot90(a, 2), np.rot90(a, -1)), MATRIX),
    (lambda a: np.transpose(a), MATRIX),
    (lambda a: (np.expand_dims(a, 0), np.expand_dims(a, -1)), VECTOR),
    (lambda a: np.atleast_2d(a), VECTOR),
    (lambda a: (np.shape(a), np.size(a)), MATRIX),
    (lambda a, b: np.meshgrid(a, b)[1], VECTOR, WHOLE),
    # matrices
    (lambda a: np.diag(a), VECTOR),
    (lambda a: np.diag(a, 1), VECTOR),
    (lambda a: (np.diag(a), np.diag(a, 2), np.diag(a, -1)), MATRIX),
    (lambda n: (np.tri(n), np.tri(n, 3, -1)), 4),
    (lambda a: (np.tril(a), np.triu(a), np.tril(a, 1), np.triu(a, -1)), MATRIX),
    (lambda a: (np.vander(a, 3), np.vander(a, 3, increasing=True)), VECTOR),
    (lambda a, b: np.kron(a, b), MATRIX, TALL[:2]),
    # chosen
    (lambda a: a[a > 0.5], VECTOR),
    (lambda a: a[a > 0.5], MATRIX),
    (lambda a, mask: a[mask[: len(a)]], MATRIX, MASK),
    (lambda a, i: a[i], VECTOR, WHOLE),
    (lambda a, i: a[i - 20], VECTOR, WHOLE),
    (lambda a, i: a[i], TALL, WHOLE),
    (lambda a, i: np.take(a, i), MATRIX, WHOLE),
    (lambda a: np.nonzero(a > 0.5), MATRIX),
    (lambda a: (a > 0.5).nonzero()[0], VECTOR),
    (lambda a: np.where(a > 0.5)[0], VECTOR),
    (lambda a: np.argwhere(a > 0.5), MATRIX),
    (lambda a: np.flatnonzero(a > 0.5), MATRIX),
    (lambda a: np.extract(a > 0.5, a), MATRIX),
    # matrices taken apart
    (lambda a: np.linalg.cholesky(a), SYMMETRIC),
    (lambda a: np.linalg.slogdet(a), MATRIX[:5]),
    (lambda a: np.linalg.eigh(a)[0], SYMMETRIC),
    (lambda a: np.linalg.eigvalsh(a), SYMMETRIC),
    (lambda a: np.linalg.svd(a)[1], MATRIX),
    (lambda a: np.linalg.svd(a.T)[1], MATRIX),
    (lambda a: np.linalg.pinv(a), MATRIX),
    (lambda a: np.linalg.matrix_rank(a), MATRIX),
    (lambda a: np.linalg.matrix_rank(a @ a.T), MATRIX),
    (lambda a: np.linalg.cond(a), SYMMETRIC),
    (lambda a, b: np.linalg.lstsq(a, b)[0], TALL, VECTOR[:40]),
    (lambda a, b: np.linalg.lstsq(a, b)[1], TALL, VECTOR[:40]),
    (lambda a: np.linalg.matrix_power(a, 3), SYMMETRIC),
    (lambda a: np.linalg.matrix_power(a, -1), SYMMETRIC),
    # what is told of types
    (lambda: (np.finfo(np.float32).eps, np.finfo(np.float64).max, np.iinfo(np.int16).min),),
    (lambda a: np.finfo(a.dtype).tiny, VECTOR),
    # Python's own
    (lambda a: (max(a), min(a), sum(a)), VECTOR),
    (lambda a: sum(a, 3), WHOLE),
    (lambda x: isinstance(x, float), 1.0),
    (lambda x: isinstance(x, (int, tuple)), 1.0),
    (lambda x: isinstance(x, np.ndarray) and x.ndim == 2, MATRIX),
]


def assert_same(actual, expected):
    if isinstance(expected, tuple):
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            assert_same(one, other)
    else:
        np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-9, strict=False)
        assert np.shape(actual) == np.shape(expected)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[0].__code__.co_names))
def test_functions_match_numpy(row):
    function, *arguments = row
    expected = function(*arguments)
    assert_same(njit(function)(*arguments), expected)


def test_results_have_numpys_dtypes():
    for function, array in (
        (lambda a: np.cumsum(a), WHOLE.astype(np.int8)),
        (lambda a: np.cumsum(a), VECTOR.astype(np.float32)),
        (lambda a: np.sort(a), WHOLE.astype(np.uint16)),
        (lambda a: np.array([1, 2.0]), VECTOR),
        (lambda a: np.concatenate((a, np.arange(3))), VECTOR.astype(np.float32)),
        (lambda a: np.unique(a), VECTOR.astype(np.float32)),
        (lambda a: np.diag(a), WHOLE.astype(np.int32)),
        (lambda a: np.clip(a, 1, 3), WHOLE),
    ):
        assert njit(function)(array).dtype == function(array).dtype


def test_qr_gives_an_orthonormal_and_a_triangular_matrix():
    @njit
    def parts(a):
        return np.linalg.qr(a)

    for a in (MATRIX, TALL, MATRIX.T.copy()):
        q, r = parts(a)
        np.testing.assert_allclose(q @ r, a, atol=1e-12)
        np.testing.assert_allclose(q.T @ q, np.eye(q.shape[1]), atol=1e-12)
        np.testing.assert_array_equal(np.tril(r, -1), np.zeros_like(r))


def test_svd_and_eigh_put_the_matrix_together_again():
    @njit
    def svd(a):
        return np.linalg.svd(a)

    @njit
    def eigh(a):
        return np.linalg.eigh(a)

    singular = MATRIX.copy()
    singular[:, 2] = singular[:, 0]
    for a in (MATRIX, MATRIX.T.copy(), singular, np.zeros((3, 2))):
        u, s, vt = svd(a)
        np.testing.assert_allclose(u.T @ u, np.eye(len(u)), atol=1e-10)
        np.testing.assert_allclose(vt @ vt.T, np.eye(len(vt)), atol=1e-10)
        np.testing.assert_allclose((u[:, : len(s)] * s) @ vt[: len(s)], a, atol=1e-10)
    values, vectors = eigh(SYMMETRIC)
    np.testing.assert_allclose(vectors * values @ vectors.T, SYMMETRIC, atol=1e-10)


@pytest.mark.parametrize("dtype", ["int8", "uint32", "int64", "float32", "float64"])
@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 1000])
def test_sorting_any_length(dtype, count):
    @njit
    def in_place(a):
        a.sort()

    values = (np.random.default_rng(count).random(count) * 100).astype(dtype)
    for pattern in (values, np.sort(values), np.sort(values)[::-1], values // 10):
        a = pattern.copy()
        in_place(a)
        np.testing.assert_array_equal(a, np.sort(pattern))


def test_elements_are_set_by_mask_and_by_positions():
    @njit
    def change(a, mask, at, row):
        a[mask] = -1
        a[at] += 2
        a[a > 3.0] = row
        return a

    def expected(a):
        a[MASK] = -1
        a[[1, 5, -1]] += 2
        a[a > 3.0] = 9.0
        return a

    at = np.array([1, 5, -1])
    given = VECTOR * 4
    np.testing.assert_array_equal(change(given.copy(), MASK, at, 9.0), expected(given.copy()))

    @njit
    def rows(a, at, values):
        a[at] = values
        return a

    target = TALL.copy()
    target[[0, 2]] = 5.0
    np.testing.assert_array_equal(rows(TALL.copy(), np.array([0, 2]), np.full((2, 3), 5.0)), target)


def test_wrong_choices_raise_what_numpy_raises():
    @njit
    def take(a, i):
        return a[i]

    @njit
    def put(a, mask, values):
        a[mask] = values

    @njit
    def reshape(a, rows, columns):
        return a.reshape(rows, columns)

    with pytest.raises(IndexError, match="out of bounds"):
        take(VECTOR, np.array([3, 50]))
    with pytest.raises(IndexError, match="did not match"):
        take(VECTOR, MASK[:-1])
    with pytest.raises(ValueError, match="that many values"):
        put(VECTOR.copy(), MASK, np.ones(3))
    with pytest.raises(ValueError, match="total size"):
        reshape(VECTOR, 5, 9)
    with pytest.raises(ValueError, match="total size"):
        reshape(VECTOR, -1, 7)
    assert reshape(VECTOR, -1, 10).shape == (5, 10)
    assert reshape(np.zeros(0), 0, 3).shape == (0, 3)


def test_loops_go_over_indices():
    @njit
    def by_index(a):
        total = 0.0
        for i, j in np.ndindex(a.shape):
            total += a[i, j] * (i + 2 * j)
        for index in np.ndindex(2, 3):
            total += a[index]
        return total

    @njit
    def with_values(a):
        total = 0.0
        for index, value in np.ndenumerate(a):
            total += value * (index[0] + 3 * index[1])
        for value in a.flat:
            total += value
        return total

    for function in (by_index, with_values):
        assert function(MATRIX) == pytest.approx(function.py_func(MATRIX))


def test_flat_of_strided_vectors_is_a_view():
    @njit
    def doubled(a):
        total = 0.0
        for i, value in enumerate(a.flat):
            total += i * value
        a.flat[0] = total
        return total

    a = np.arange(12.0)
    expected = sum(i * value for i, value in enumerate(a[1::3]))
    assert doubled(a[1::3]) == a[1] == expected


def test_views_of_an_argument_as_another_type_are_no_argument():
    @njit
    def views(z, x):
        return z.real, x.view(np.int64), x

    real, bits, same = views(COMPLEX, VECTOR)
    np.testing.assert_array_equal(real, COMPLEX.real)
    np.testing.assert_array_equal(bits, VECTOR.view(np.int64))
    assert same is VECTOR


def test_isinstance_chooses_code():
    @njit
    def size(x):
        if isinstance(x, np.ndarray):
            return x.size
        if isinstance(x, tuple):
            return len(x)
        return 1

    assert [size(MATRIX), size((1, 2)), size(3.0)] == [30, 2, 1]


@pytest.mark.parametrize("dtype", ["bool", "int16", "int32", "float32", "complex64"])
def test_angles_have_numpys_dtype(dtype):
    values = np.array([[0, 1], [2, 0]]).astype(dtype)
    compiled = njit(lambda z: np.angle(z))
    found, expected = compiled(values), np.angle(values)
    np.testing.assert_allclose(found, expected)
    assert found.dtype == expected.dtype


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_sign_of_complex_numbers_is_numpys(dtype):
    most = float(np.finfo(dtype).max)
    parts = [0.0, -0.0, 1.5, -2.0, most, -most, np.inf, -np.inf, np.nan, 1e-40]
    z = np.array([complex(re, im) for re in parts for im in parts], dtype)
    with np.errstate(all="ignore"):
        expected = np.sign(z)
    np.testing.assert_allclose(
        njit(lambda z: np.sign(z))(z), expected, rtol=4 * np.finfo(dtype).eps
    )
