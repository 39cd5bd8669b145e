"""Matrices on another device than the current one, with a GPU of the fake driver."""

from __future__ import annotations

import fake_gpu
import pytest

pytestmark = fake_gpu.needed

MADE = """
import phalanx as px
from phalanx import sparse
with px.device("cpu"):
    dense = px.asarray([[0.0, 2, 0], [1, 0, 3]])
    a = sparse.csr_matrix(dense)
    x, y, wide = px.asarray([1.0, 2, 3]), px.asarray([1.0, 2]), px.asarray([[1.0, 2]] * 3)
"""
CALLS = {
    "products": "(a @ x, a @ wide, a.T @ y, y @ a, (a @ a.T).toarray())",
    "formats": "(a.tocsc().toarray(), a.tocoo().tocsr().toarray(), a.T.toarray(), *a.nonzero())",
    "arithmetic": "((a + a).toarray(), a.multiply(a).toarray(), abs(a).toarray(), (-a).toarray())",
    "comparisons": "((a > 1).toarray(), (a != a).toarray(), a.maximum(a).toarray())",
    "reductions": "(a.sum(axis=0), a.sum(axis=1), a.max(axis=0).toarray(), a.argmax(axis=1))",
    "parts": "(a.diagonal(), a[1].toarray(), a[:, 1:].toarray(), a[[1, 0]].toarray())",
}


@pytest.mark.parametrize("name", CALLS)
def test_everything_is_on_the_device_of_the_matrix(tmp_path, name):
    made = fake_gpu.run(
        f"{MADE}\nfor made in {CALLS[name]}:\n"
        "    assert made._place is None or made._place.kind == 'cpu', made\n"
        "assert px.zeros(2)._place.kind == 'cuda'\n",
        tmp_path,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "PHX102" not in made.stderr


def test_elements_are_assigned_there(tmp_path):
    made = fake_gpu.run(
        f"{MADE}\na[0, 1] = 5\na[[1, 0], [0, 2]] = [7, 8]\n"
        "assert a.toarray().tolist() == [[0, 5, 8], [7, 0, 3]]\n",
        tmp_path,
    )
    assert made.returncode == 0, made.stdout + made.stderr
