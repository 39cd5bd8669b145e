"""What a profile costs a launch: prints a Markdown table.

    python bench/profile_cost.py [--device cpu|cuda] [--output FILE]

Launches without a profile, in one, and without again take turns in one run. What an engine without
the recorder takes is told by `bench/launch.py` of two builds, beside each other.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, cpu_name, report, versions

COUNT = 2_000
ROUNDS = 15
MOST = 1.0  # microseconds that a launch may take longer


def kernels() -> dict[str, Callable[[], Any]]:
    """What is launched once a call, by what the table calls it."""
    import phalanx as px
    from phalanx import cuda

    @cuda.jit
    def nothing() -> None:
        pass

    @cuda.jit
    def store(a: Any, b: Any, c: Any) -> None:
        if cuda.grid(1) < 0:
            a[0] = b[0] + c[0]

    arrays = [cuda.device_array(16, np.float32) for _ in range(3)]
    x = px.asarray(np.ones(16, dtype=np.float32))
    plain, with_arrays = nothing[1, 32], store[1, 32]
    return {
        "kernel without arguments": plain,
        "kernel with 3 arrays": lambda: with_arrays(*arrays),
        "expression of arrays": lambda: (x + x)._evaluate(),
    }


def microseconds(call: Callable[[], Any]) -> float:
    """Of one call, on the host; what is queued is waited for outside of the time."""
    from phalanx import cuda

    start = time.perf_counter()
    for _ in range(COUNT):
        call()
    taken = time.perf_counter() - start
    cuda.synchronize()
    return taken / COUNT * 1e6


def measured(call: Callable[[], Any]) -> tuple[float, float, float]:
    """Medians: without a profile, in one, and what the second adds."""
    import phalanx

    call()
    off, on, added = [], [], []
    for _ in range(ROUNDS):
        off.append(microseconds(call))
        with phalanx.profile():
            on.append(microseconds(call))
        added.append(on[-1] - off[-1])
    return statistics.median(off), statistics.median(on), statistics.median(added)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    os.environ["PHALANX_DEVICE"] = options.device
    rows = []
    for name, call in kernels().items():
        off, on, added = measured(call)
        rows.append(Row(f"{name}: in a profile", on, off, "us", "no profile"))
        # An expression has a record of its own beside its launch's.
        target = MOST if name.startswith("kernel") else None
        rows.append(Row(f"{name}: added", added, float("nan"), "us", "", target=target))
    where = cpu_name() if options.device == "cpu" else options.device
    heading = f"What a profile costs a launch, {where}, {versions(['phalanx', 'numpy'])}"
    report(heading, rows, options.output)


if __name__ == "__main__":
    main()
