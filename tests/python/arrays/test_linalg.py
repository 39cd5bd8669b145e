"""`phalanx.linalg` and NumPy's functions of that namespace, of our arrays."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import phalanx as px
from arrays.math_table import agree, ours

pytestmark = pytest.mark.usefixtures("device")

SQUARE = np.random.default_rng(3).random((2, 4, 4)) + 4 * np.eye(4)
SYMMETRIC = SQUARE + SQUARE.swapaxes(-1, -2)
TALL = np.random.default_rng(4).random((6, 3))
CALLS = {
    "cholesky": (SYMMETRIC,),
    "eig": (SQUARE,),
    "eigh": (SYMMETRIC,),
    "eigvals": (SQUARE,),
    "eigvalsh": (SYMMETRIC,),
    "qr": (TALL,),
    "svd": (TALL,),
    "svdvals": (TALL,),
    "inv": (SQUARE,),
    "lstsq": (TALL, TALL[:, 0]),
    "pinv": (TALL,),
    "solve": (SQUARE, SQUARE[:, :, :2]),
    "tensorinv": (SQUARE[0].reshape(2, 2, 2, 2),),
    "tensorsolve": (SQUARE[0], TALL[:4, 0]),
    "cond": (SQUARE,),
    "det": (SQUARE,),
    "matrix_norm": (SQUARE,),
    "matrix_rank": (SQUARE,),
    "norm": (TALL,),
    "slogdet": (SQUARE,),
    "vector_norm": (TALL,),
    "cross": (TALL, TALL[::-1]),
    "diagonal": (SQUARE,),
    "matmul": (SQUARE, SQUARE),
    "matrix_power": (SQUARE, 3),
    "matrix_transpose": (SQUARE,),
    "multi_dot": ([TALL, TALL.T, TALL],),
    "outer": (TALL[:, 0], TALL[0]),
    "tensordot": (TALL, TALL),
    "trace": (SQUARE,),
    "vecdot": (TALL, TALL),
}


def check(made, expected):
    if isinstance(expected, tuple):
        assert getattr(made, "_fields", None) == getattr(expected, "_fields", None)
        for one, other in zip(made, expected, strict=True):
            check(one, other)
    else:
        agree(made, np.asarray(expected))


def test_every_function_has_a_call():
    missing = set(dir(px.linalg)) - CALLS.keys()
    assert missing == {"LinAlgError"}


def signed(name, made):
    """The eigenvectors, whose signs are the library's, with positive numbers in the first row."""
    if name not in ("eig", "eigh"):
        return made
    signs = np.sign(np.asarray(made.eigenvectors)[..., :1, :].real)
    return type(made)(made.eigenvalues, made.eigenvectors * signs)


@pytest.mark.parametrize("name", CALLS)
def test_functions(name):
    if not hasattr(np.linalg, name):
        pytest.skip(f"this NumPy has no linalg.{name}")
    expected = getattr(np.linalg, name)(*CALLS[name])
    given = ours(CALLS[name])
    for made in (getattr(px.linalg, name)(*given), getattr(np.linalg, name)(*given)):
        check(signed(name, made), signed(name, expected))


def test_errors_and_names():
    assert px.linalg.LinAlgError is np.linalg.LinAlgError
    with pytest.raises(np.linalg.LinAlgError):
        px.linalg.inv(px.zeros((2, 2)))
    with pytest.raises(AttributeError, match=r"phalanx\.linalg has no attribute 'nonsense'"):
        _ = px.linalg.nonsense
    assert pickle.loads(pickle.dumps(px.linalg.inv)) is px.linalg.inv
    assert {"linalg", "random"} <= set(dir(px))


def test_recorded_values_are_computed_first():
    x = ours(SQUARE)
    changed = px.linalg.det(x + 1)
    x[...] = 0
    agree(changed, np.linalg.det(SQUARE + 1))
