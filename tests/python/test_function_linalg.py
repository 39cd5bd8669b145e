"""`np.linalg` in CPU functions, by LAPACK, against NumPy."""

import os
import subprocess
import sys

import numpy as np
import pytest
from from_text import function_with

from phalanx import njit

DTYPES = ("float32", "float64", "complex64", "complex128")


def matrix(dtype, rows, columns, seed=0):
    rng = np.random.default_rng([seed, rows, columns])
    a = rng.standard_normal((rows, columns))
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.standard_normal((rows, columns))
    return a.astype(dtype)


def positive(dtype, n):
    a = matrix(dtype, n, n)
    return (a @ a.conj().T + n * np.eye(n)).astype(dtype)


def layouts(a):
    return a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2]


def compiled(call, parameters):
    function = function_with(f"return {call}", parameters, np=np)
    return njit(function), function


def parts(result):
    return result if isinstance(result, tuple) else (result,)


# Calls whose numbers are the same whatever signs the vectors have.
CALLS = [
    ("np.linalg.solve(a, b)", "square", 1),
    ("np.linalg.solve(a, b)", "square", 2),
    ("np.linalg.inv(a)", "square", 0),
    ("np.linalg.det(a)", "square", 0),
    ("np.linalg.slogdet(a)", "square", 0),
    ("np.linalg.cholesky(a)", "positive", 0),
    ("np.linalg.eigh(a)[0]", "positive", 0),
    ("np.linalg.eigvalsh(a)", "positive", 0),
    ("np.linalg.svd(a)[1]", "tall", 0),
    ("np.linalg.svd(a.T, False)[1]", "tall", 0),
    ("np.linalg.lstsq(a, b)", "tall", 1),
    ("np.linalg.lstsq(a, b)", "tall", 2),
    ("np.linalg.pinv(a)", "tall", 0),
    ("np.linalg.matrix_rank(a)", "tall", 0),
    ("np.linalg.matrix_rank(a, 1.0)", "tall", 0),
    ("np.linalg.matrix_rank(b)", "tall", 1),
    ("np.linalg.cond(a)", "square", 0),
    ("np.linalg.cond(a, 1)", "square", 0),
    ("np.linalg.cond(a, -2)", "square", 0),
    ("np.linalg.norm(a, 2)", "tall", 0),
    ("np.linalg.norm(a, -2)", "tall", 0),
    ("np.linalg.norm(a, 'nuc')", "tall", 0),
    ("np.linalg.matrix_power(a, -2)", "square", 0),
]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("call", "kind", "sides"), CALLS)
def test_as_numpy(call, kind, sides, dtype):
    a = {
        "square": lambda: matrix(dtype, 6, 6) + 3 * np.eye(6, dtype=dtype),
        "positive": lambda: positive(dtype, 6),
        "tall": lambda: matrix(dtype, 9, 5),
    }[kind]()
    b = {0: (), 1: (matrix(dtype, len(a), 1)[:, 0],), 2: (matrix(dtype, len(a), 3),)}[sides]
    ours, theirs = compiled(call, "a, b" if b else "a")
    single = np.dtype(dtype).itemsize == (8 if a.dtype.kind == "c" else 4)
    near = {"rtol": 2e-3, "atol": 2e-3} if single else {"rtol": 1e-9, "atol": 1e-9}
    expected = parts(theirs(a, *b))
    for each in layouts(a):
        for x, y in zip(parts(ours(each, *b)), expected, strict=True):
            assert np.shape(x) == np.shape(y)
            np.testing.assert_allclose(x, y, **near)
            if isinstance(x, np.ndarray):
                assert x.dtype == y.dtype


@njit
def decompositions(a):
    return np.linalg.qr(a), np.linalg.svd(a), np.linalg.svd(a, False)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(7, 4), (4, 7), (5, 5)])
def test_decompositions_give_the_matrix_back(dtype, shape):
    a = matrix(dtype, *shape)
    near = {"atol": 1e-5 if a.real.dtype == np.float32 else 1e-12}
    (q, r), (u, s, vt), (thin_u, thin_s, thin_vt) = decompositions(a)
    k = min(shape)
    np.testing.assert_allclose(q @ r, a, **near)
    np.testing.assert_allclose(q.conj().T @ q, np.eye(k), **near)
    np.testing.assert_allclose(r, np.triu(r))
    np.testing.assert_allclose(u[:, :k] * s @ vt[:k], a, **near)
    np.testing.assert_allclose(u.conj().T @ u, np.eye(shape[0]), **near)
    np.testing.assert_allclose(vt @ vt.conj().T, np.eye(shape[1]), **near)
    np.testing.assert_allclose(thin_u * thin_s @ thin_vt, a, **near)


@njit
def eigen(a):
    return np.linalg.eig(a), np.linalg.eigvals(a)


@njit
def symmetric_eigen(a):
    return np.linalg.eigh(a)


@pytest.mark.parametrize("dtype", DTYPES)
def test_eigenvectors_are_stretched(dtype):
    near = {"atol": 2e-4 if dtype in ("float32", "complex64") else 1e-10}
    a = positive(dtype, 6) if dtype.startswith("float") else matrix(dtype, 6, 6)
    (values, vectors), alone = eigen(a)
    np.testing.assert_allclose(a @ vectors, values * vectors, **near)
    np.testing.assert_allclose(np.sort_complex(alone), np.sort_complex(values), **near)
    symmetric = positive(dtype, 6)
    values, vectors = symmetric_eigen(symmetric)
    np.testing.assert_allclose(symmetric @ vectors, values * vectors, **near)


def test_double_precision_has_numpys_own_digits():
    a = matrix("float64", 40, 40)
    for call in ("np.linalg.inv(a)", "np.linalg.qr(a)", "np.linalg.svd(a)", "np.linalg.eigh(a)"):
        ours, theirs = compiled(call, "a")
        for x, y in zip(parts(ours(a)), parts(theirs(a)), strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-12)


ERRORS = [
    ("np.linalg.inv(a)", np.ones((2, 2)), np.linalg.LinAlgError, "Singular"),
    ("np.linalg.solve(a, a[0])", np.ones((2, 2)), np.linalg.LinAlgError, "Singular"),
    ("np.linalg.inv(a)", np.ones((2, 3)), np.linalg.LinAlgError, "square"),
    ("np.linalg.solve(a, a[0])", np.ones((2, 3)), np.linalg.LinAlgError, "square"),
    ("np.linalg.solve(a, a[0, :1])", np.eye(2), np.linalg.LinAlgError, "Incompatible"),
    ("np.linalg.cholesky(a)", -np.eye(2), np.linalg.LinAlgError, "positive definite"),
    ("np.linalg.eig(a)", np.array([[0.0, 1], [-1, 0]]), ValueError, "domain change"),
    ("np.linalg.eigvals(a)", np.array([[0.0, 1], [-1, 0]]), ValueError, "domain change"),
    ("np.linalg.svd(a)", np.full((2, 2), np.inf), np.linalg.LinAlgError, "infs or NaNs"),
    ("np.linalg.eig(a)", np.full((2, 2), np.nan), np.linalg.LinAlgError, "infs or NaNs"),
]


@pytest.mark.parametrize(("call", "a", "error", "text"), ERRORS)
def test_errors(call, a, error, text):
    ours, _ = compiled(call, "a")
    with pytest.raises(error, match=text):
        ours(a)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_of_nothing(shape):
    a = np.zeros(shape)
    calls = ["np.linalg.qr(a)", "np.linalg.svd(a)", "np.linalg.lstsq(a, a)", "np.linalg.pinv(a)"]
    if shape == (0, 0):
        calls += [f"np.linalg.{name}(a)" for name in ("inv", "cholesky", "eigh", "eig")]
        calls += [f"np.linalg.{name}(a)" for name in ("det", "slogdet", "eigvals", "eigvalsh")]
    for call in calls:
        ours, theirs = compiled(call, "a")
        for x, y in zip(parts(ours(a)), parts(theirs(a)), strict=True):
            assert np.shape(x) == np.shape(y), call
            np.testing.assert_array_equal(x, y)


def test_code_of_the_disk_cache_finds_lapack_again(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        "import numpy as np\nfrom phalanx import njit\n"
        "@njit\ndef f(a):\n    return np.linalg.inv(a), np.sort(a[0])\n"
        "x, y = f(np.array([[2.0, 1.0], [0.0, 4.0]]))\nprint(x.tolist(), y.tolist())\n"
    )
    environment = {**os.environ, "PHALANX_CACHE_DIR": str(tmp_path / "cache")}
    (tmp_path / "cache").mkdir(mode=0o700)
    outputs = [
        subprocess.run(
            [sys.executable, script], capture_output=True, text=True, env=environment, check=True
        ).stdout
        for _ in range(2)
    ]
    assert outputs[0] == outputs[1] == "[[0.5, -0.125], [0.0, 0.25]] [1.0, 2.0]\n"
