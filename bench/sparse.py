"""Products of sparse matrices beside SciPy on the CPU and CuPy (cuSPARSE) on a GPU.

    python bench/sparse.py [--device cpu|cuda] [--only WORD ...] [--rounds N] [--output FILE]

The matrices have 1e7 entries (less 2 % where rows have the lengths of a power law) in random
columns; the arrays are in the device's memory before. A time is of ten calls on a GPU, which begin
while the one before may still run, divided by ten.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, cpu_name, medians, report, versions

import phalanx as px
from phalanx import _engine, sparse

TARGETS = {"cpu": 2.0, "cuda": 1.0}
Host = tuple[np.ndarray, np.ndarray, np.ndarray, tuple[int, int]]


def lengths_of(kind: str, generator: Any) -> np.ndarray:
    """The number of entries in each row."""
    if kind == "1e6 rows of 10":
        return np.full(10**6, 10)
    if kind == "1e5 rows of 100":
        return np.full(10**5, 100)
    found = np.minimum(generator.pareto(1.2, 10**6) * 2 + 1, 500_000)
    return (found * (1e7 / found.sum())).astype(np.int64)


def matrix(kind: str, dtype: Any) -> Host:
    """Data, indices that rise in each row, indptr and the shape."""
    generator = np.random.default_rng(1)
    lengths = lengths_of(kind, generator)
    side = len(lengths)
    indptr = np.zeros(side + 1, np.int32)
    np.cumsum(lengths, out=indptr[1:])
    keys = np.repeat(np.arange(side), lengths) * side
    keys = np.sort(keys + generator.integers(0, side, len(keys)))
    indices = (keys % side).astype(np.int32)
    return generator.random(len(keys)).astype(dtype), indices, indptr, (side, side)


def peer_of(device: str) -> tuple[str, Any, Callable[[Any], Any], Callable[[], None]]:
    """Its name, its sparse matrices, how an array comes to it, and how it is waited for."""
    if device == "cpu":
        import scipy.sparse

        return "SciPy", scipy.sparse, np.asarray, lambda: None
    import cupy
    import cupyx.scipy.sparse

    return "CuPy", cupyx.scipy.sparse, cupy.asarray, cupy.cuda.runtime.deviceSynchronize


def repeated(
    function: Callable[[], Any], count: int, wait: Callable[[Any], None]
) -> Callable[[], None]:
    """A function that calls it so often, and returns when the results are in memory."""

    def call() -> None:
        for _ in range(count):
            result = function()
        wait(result)

    return call


def computations(a: Any, x: Any, wide: Any) -> Iterator[tuple[str, Callable[[], Any], float]]:
    """Name, function, and the bytes that have to move at least."""
    size = x.dtype.itemsize
    octets = a.nnz * (size + 4) + a.shape[0] * (4 + 2 * size)
    yield "csr @ vector", lambda: a @ x, octets
    yield "csr @ 8 columns", lambda: a @ wide, octets + 14 * a.shape[0] * size


def wait_for_ours(result: Any) -> None:
    """Return when the array is in memory."""
    result._evaluate().device.default_stream.synchronize()


def rows_of(device: str, only: list[str], rounds: int) -> Iterator[Row]:
    """A row for each matrix and product."""
    name, theirs, array, wait = peer_of(device)
    calls = 10 if device == "cuda" else 1
    for kind in ("1e6 rows of 10", "1e5 rows of 100", "power law"):
        for dtype in (np.float32, np.float64):
            title = f"{kind} {np.dtype(dtype).name}"
            if only and not any(word in title for word in only):
                continue
            *arrays, shape = matrix(kind, dtype)
            x = np.random.default_rng(2).random(shape[1]).astype(dtype)
            wide = np.random.default_rng(3).random((shape[1], 8)).astype(dtype)
            a = sparse.csr_matrix(tuple(map(px.asarray, arrays)), shape=shape)
            b = theirs.csr_matrix(tuple(map(array, arrays)), shape=shape)
            ours = computations(a, px.asarray(x), px.asarray(wide))
            others = computations(b, array(x), array(wide))
            for (what, function, octets), (_, other, _) in zip(ours, others, strict=True):
                np.testing.assert_allclose(
                    np.asarray(function())[:1000], _host(other())[:1000], rtol=1e-3
                )
                seconds = medians(
                    {
                        "phalanx": repeated(function, calls, wait_for_ours),
                        name: repeated(other, calls, lambda _: wait()),
                    },
                    rounds,
                )
                mine, peer = (seconds[each] / calls * 1e3 for each in ("phalanx", name))
                target = TARGETS[device] if what == "csr @ vector" else None
                note = f" {octets / mine / 1e6:.0f} GB/s"
                yield Row(f"{what}, {title}", mine, peer, "ms", name, target=target, note=note)


def _host(array: Any) -> Any:
    return array.get() if hasattr(array, "get") else array


def main() -> int:
    """Print the table; the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    _engine.set_current_device(_engine.device(options.device))
    rows = list(rows_of(options.device, options.only, options.rounds))
    known = versions(["numpy", "scipy", "cupy-cuda13x", "cupy-cuda12x"])
    heading = f"## Sparse matrices on {options.device}\n\n{cpu_name()}; {known}\n"
    return report(heading, rows, options.output)


if __name__ == "__main__":
    raise SystemExit(main())
