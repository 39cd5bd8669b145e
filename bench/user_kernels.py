"""CuPy's user kernels on the CPU device: the time that all cores spend on one call.

    PYTHONPATH=build/dev/python python bench/user_kernels.py

2^24 float32; the least of six rounds of three calls each. Process time, as other load lengthens the
time that passes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from phalanx.compat.cupy_reduction_kernels import ReductionKernel
from phalanx.compat.cupy_user_kernels import ElementwiseKernel

import phalanx as px
from phalanx import _engine

COUNT = 1 << 24
SIDE = 1 << 12
SQUARES = ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y) + x", "squares")
NORM = ElementwiseKernel("T x, T y", "T z", "z = sqrt(x * x + y * y) / (1 + x)", "norm")
WAVES = ElementwiseKernel("T x, T y", "T z", "z = exp(-x) * sin(y)", "waves")
SUM = ReductionKernel("T x", "T y", "x * x", "a + b", "y = a", "0", "sum_of_squares")


def rows() -> dict[str, Callable[[], Any]]:
    """Return the calls by what they do."""
    rng = np.random.default_rng(0)
    x, y = (px.asarray(rng.random(COUNT, np.float32)) for _ in range(2))
    out = px.empty(COUNT, "f4")
    x2, y2, out2 = (each.reshape(SIDE, SIDE) for each in (x, y, px.empty(COUNT, "f4")))
    few, triples = (
        [each.reshape(-1, 16)[:, :3] for each in (x, y)],
        x[: COUNT // 3 * 3].reshape(-1, 3),
    )
    return {
        "(x - y)^2 + x": lambda: SQUARES(x, y, out),
        "sqrt(x^2 + y^2) / (1 + x)": lambda: NORM(x, y, out),
        "exp(-x) * sin(y)": lambda: WAVES(x, y, out),
        "the first, transposed": lambda: SQUARES(x2.T, y2, out2),
        "of a row for all": lambda: SQUARES(x2, y2[0], out2),
        "every second column": lambda: SQUARES(x2[:, ::2], y2[:, ::2], out2[:, ::2]),
        "three columns of 16": lambda: SQUARES(*few),
        "sum of squares": lambda: SUM(x),
        "of rows of 4096": lambda: SUM(x2, axis=1),
        "of columns of 4096": lambda: SUM(x2, axis=0),
        "of rows of 16": lambda: SUM(x.reshape(-1, 16), axis=1),
        "of three columns": lambda: SUM(triples, axis=0),
    }


def milliseconds(call: Callable[[], Any]) -> float:
    """Return the process time of a call whose kernel is compiled."""
    stream = _engine.device("cpu").default_stream
    best = float("inf")
    for round_ in range(8):
        start = time.process_time()
        for _ in range(3):
            call()
        stream.synchronize()
        if round_ > 1:
            best = min(best, (time.process_time() - start) / 3)
    return best * 1e3


if __name__ == "__main__":
    for name, call in rows().items():
        print(f"{name:28} {milliseconds(call):8.2f} ms")
