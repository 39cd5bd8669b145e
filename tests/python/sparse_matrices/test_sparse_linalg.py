"""Solvers, norms and operators; and SciPy's matrices where SciPy is installed."""

import numpy as np
import pytest
from phalanx.sparse import linalg

import phalanx as px
from phalanx import sparse
from sparse_matrices.samples import FORMATS, check, dense, host, made

SOLVERS = ("cg", "cgs", "bicgstab", "gmres")


def system(dtype, n=60, is_hermitian=True):
    """A well-conditioned matrix and a right side."""
    a = dense(dtype, (n, n), 0.05)
    if is_hermitian:
        a = a @ a.conj().T
    return a + (40 * np.eye(n)).astype(dtype), dense(dtype, (n,), 1.0, 1)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_iterative_solvers(device, name, dtype, format):
    a, b = system(dtype, is_hermitian=name == "cg")
    matrix, solve = made(format, a), getattr(linalg, name)
    x, info = solve(matrix, px.asarray(b), rtol=1e-5)
    assert info == 0
    assert x.dtype == dtype
    assert np.linalg.norm(a @ host(x) - b) <= 1.1e-5 * np.linalg.norm(b)
    again, _ = solve(linalg.aslinearoperator(matrix), px.asarray(b[:, None]), x0=x, rtol=1e-5)
    assert again.shape == b.shape
    diagonal = px.asarray(a.diagonal())
    inverse = linalg.LinearOperator(a.shape, lambda v: v / diagonal, dtype=dtype)
    x, info = solve(matrix, px.asarray(b), M=inverse)
    assert info == 0
    check(solve(matrix, px.zeros(len(b), dtype))[0], np.zeros(len(b)))


@pytest.mark.parametrize("name", SOLVERS)
def test_what_solvers_say(device, name):
    a, b = system("float64")
    solve, seen = getattr(linalg, name), []
    _, info = solve(made("csr", a), px.asarray(b), rtol=1e-14, maxiter=1, callback=seen.append)
    assert info > 0
    assert len(seen) <= 1
    with pytest.raises(ValueError, match="square"):
        solve(sparse.csr_matrix((3, 4)), px.ones(3))
    with pytest.raises(ValueError, match="b has to be"):
        solve(made("csr", a), px.ones(3))
    with pytest.raises(ValueError, match="x0 has to be"):
        solve(made("csr", a), px.asarray(b), x0=px.ones(3))
    with pytest.raises(ValueError, match="preconditioner"):
        solve(made("csr", a), px.asarray(b), M=sparse.eye(3))
    with pytest.raises(TypeError, match="float32"):
        solve(made("csr", a != 0), px.asarray(b))


@pytest.mark.parametrize("format", FORMATS)
def test_norms(device, format):
    a = dense("float64", (5, 7), 0.5)
    matrix = made(format, a)
    for ord in (None, "fro", 1, -1, np.inf, -np.inf):
        check(linalg.norm(matrix, ord), np.linalg.norm(a, ord))
    for axis in (0, 1):
        for ord in (None, 0, 1, 2, 3, np.inf, -np.inf):
            check(linalg.norm(matrix, ord, axis), np.linalg.norm(a, ord, axis))
    with pytest.raises(NotImplementedError):
        linalg.norm(matrix, 2)
    with pytest.raises(TypeError, match="sparse"):
        linalg.norm(px.ones((2, 2)))


def test_operators(device):
    a, b = dense("complex128", (4, 6), 0.7), dense("complex128", (6, 3), 1.0)
    one = linalg.aslinearoperator(made("csr", a))
    other = linalg.LinearOperator(
        a.shape, lambda v: px.asarray(a) @ v, lambda v: px.asarray(a.conj().T) @ v
    )
    for each in (one, other):
        x, y = px.asarray(b[:, 0]), px.asarray(dense("complex128", (4,), 1.0))
        check(each.matvec(x), a @ b[:, 0])
        check(each @ px.asarray(b), a @ b)
        check(each.rmatvec(y), a.conj().T @ host(y))
        check(each.H @ y, a.conj().T @ host(y))
        check(each.T @ y, a.T @ host(y))
        check((2 * each + each) @ x, 3 * a @ b[:, 0])
        check((each - each) @ x, np.zeros(4))
        check((each @ each.H) @ y, a @ a.conj().T @ host(y))
        check(((each @ each.H) ** 2) @ y, a @ a.conj().T @ a @ a.conj().T @ host(y))
        with pytest.raises(ValueError, match="matvec takes"):
            each.matvec(px.ones(5))
    with pytest.raises(TypeError, match="no operator"):
        linalg.aslinearoperator("text")
    check(linalg.matrix_power(made("csr", a[:, :4]), 3), np.linalg.matrix_power(a[:, :4], 3))


def test_direct_solvers_name_the_package(device, monkeypatch):
    from phalanx.sparse.linalg import _scipys

    found = _scipys.importlib.import_module

    def missing(name, package=None):
        if name.startswith("scipy"):
            raise ImportError(name)
        return found(name, package)

    monkeypatch.setattr(_scipys.importlib, "import_module", missing)
    for name in ("spsolve", "splu", "lsqr"):
        with pytest.raises(ImportError, match="install scipy"):
            getattr(linalg, name)(sparse.eye(3).tocsr(), *([px.ones(3)] if name != "splu" else []))
    with pytest.raises(ImportError, match="install scipy"):
        sparse.eye(3).get()


def test_scipys_matrices_and_solvers(device):
    scipys = pytest.importorskip("scipy.sparse", reason="SciPy is not installed")
    a, b = system("float64", is_hermitian=False)
    for format in FORMATS:
        for kind in ("matrix", "array"):
            theirs = getattr(scipys, f"{format}_{kind}")(a)
            ours = getattr(sparse, f"{format}_{kind}")(theirs)
            check(ours, a)
            assert type(ours.get()) is type(theirs)
            np.testing.assert_array_equal(ours.get().toarray(), a)
    matrix = made("csr", a)
    check(matrix @ linalg.spsolve(matrix, px.asarray(b)), b)
    check(matrix @ linalg.splu(matrix).solve(px.asarray(b)), b)
    check(matrix @ linalg.factorized(matrix)(px.asarray(b)), b)
    lower = sparse.tril(matrix, format="csr")
    check(lower @ linalg.spsolve_triangular(lower, px.asarray(b)), b)
    assert np.linalg.norm(a @ host(linalg.lsqr(matrix, px.asarray(b), atol=1e-12)[0]) - b) < 1e-3
    check(matrix + theirs, 2 * a)
