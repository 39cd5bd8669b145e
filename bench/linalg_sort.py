"""`np.linalg`, sorting and selection in CPU functions beside Numba's and NumPy's: a Markdown table.

    python bench/linalg_sort.py

Matrices of 200 x 200 and vectors of 1e6 elements. Numba calls the LAPACK of SciPy, which has to be
installed; without it NumPy alone is compared with.
"""

from __future__ import annotations

# Before NumPy comes: the threads of one BLAS spin for a while on the cores of the next.
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numba
import numpy as np
from _measure import Row, cpu_name, medians, table, versions

import phalanx

_RNG = np.random.default_rng(1)
_A = _RNG.standard_normal((200, 200))
_B = _RNG.standard_normal((200, 20))
_S = _A @ _A.T + 200 * np.eye(200)
_Z = _A + 1j * _RNG.standard_normal((200, 200))

MATRICES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "solve, 20 right sides": (lambda a, b: np.linalg.solve(a, b), (_A, _B)),
    "inv": (lambda a: np.linalg.inv(a), (_A,)),
    "inv, complex128": (lambda a: np.linalg.inv(a), (_Z,)),
    "det": (lambda a: np.linalg.det(a), (_A,)),
    "cholesky": (lambda a: np.linalg.cholesky(a), (_S,)),
    "qr": (lambda a: np.linalg.qr(a), (_A,)),
    "svd": (lambda a: np.linalg.svd(a), (_A,)),
    "eigh": (lambda a: np.linalg.eigh(a), (_S,)),
    "eig, complex128": (lambda a: np.linalg.eig(a), (_Z,)),
    "lstsq": (lambda a, b: np.linalg.lstsq(a, b), (_A, _B)),
    "pinv": (lambda a: np.linalg.pinv(a), (_A,)),
}

VECTORS: dict[str, Callable[..., Any]] = {
    "sort": lambda a: np.sort(a),
    "argsort": lambda a: np.argsort(a),
    "median": lambda a: np.median(a),
    "percentile": lambda a: np.percentile(a, 30.0),
    "partition": lambda a: np.partition(a, 1000),
    "histogram": lambda a: np.histogram(a, 100),
}


def rows_of(name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Row]:
    """The function compiled here beside Numba's and Python's own."""
    ours = phalanx.njit(function)
    calls = {"ours": lambda: ours(*arguments), "NumPy": lambda: function(*arguments)}
    if find_spec("scipy") or name in VECTORS:
        theirs = numba.njit(function)
        calls["Numba"] = lambda: theirs(*arguments)
    seconds = medians(calls)
    ratios = ", ".join(f"{seconds[peer] / seconds['ours']:.2f} x {peer}" for peer in [*calls][1:])
    print(f"... {name}: {ratios}", file=sys.stderr, flush=True)
    return [
        Row(name, 1e3 * seconds["ours"], 1e3 * seconds[peer], "ms", peer, target=0.9)
        for peer in calls
        if peer != "ours"
    ]


def main() -> None:
    """Print versions and the table; the exit status tells whether a target was missed."""
    print(f"{cpu_name()}; {versions(['numpy', 'numba', 'scipy', 'llvmlite'])}; one BLAS thread\n")
    rows = []
    for name, (function, arguments) in MATRICES.items():
        rows += rows_of(name, function, arguments)
    for name, function in VECTORS.items():
        for dtype in ("float64", "float32", "int64"):
            numbers = (_RNG.standard_normal(1_000_000) * 1e6).astype(dtype)
            for row in rows_of(name, function, (numbers,)):
                row.name = f"{name}, {dtype}"
                rows.append(row)
    print(table(rows))
    sys.exit(any(row.verdict == "MISSED" for row in rows))


if __name__ == "__main__":
    main()
