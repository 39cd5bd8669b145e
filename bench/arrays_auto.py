"""`device("auto")` beside NumPy and CuPy: prints a Markdown table.

    python bench/arrays_auto.py [--most SIZE] [--only WORD ...] [--rounds N] [--output FILE]

12 operations of 1 to 1e8 elements that are in NumPy's arrays at the start; a time ends when the
result is there, on whichever device. The peer is the better one of NumPy and, where it is installed
and has a GPU, CuPy, which copies the operands first. Without a GPU it tells what "auto" costs on
the CPU device, up to 1e6 elements.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, cpu_name, medians, report, versions

import phalanx as px
from phalanx import cuda

TARGET = 1 / 1.3  # of the better peer's speed
HAS_GPU = px.device("cpu") != px.devices()[0]


def _softmax(xp: Any, x: Any, _: Any) -> Any:
    e = xp.exp(x - x.max())
    return e / e.sum()


def _product(xp: Any, x: Any, y: Any) -> Any:
    n = int(x.size**0.5)
    return x[: n * n].reshape(n, n) @ y[: n * n].reshape(n, n)


OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "x + y": lambda xp, x, y: x + y,
    "2 * x + y": lambda xp, x, y: 2 * x + y,
    "sqrt(x)": lambda xp, x, y: xp.sqrt(x),
    "sin(x)": lambda xp, x, y: xp.sin(x),
    "cos(x)**2 + sin(y)**2": lambda xp, x, y: xp.cos(x) ** 2 + xp.sin(y) ** 2,
    "exp(x) * log(y) / power(x, y)": lambda xp, x, y: xp.exp(x) * xp.log(y) / xp.power(x, y),
    "where(x > y, x, y)": lambda xp, x, y: xp.where(x > y, x, y),
    "x.sum()": lambda xp, x, y: x.sum(),
    "x.std()": lambda xp, x, y: x.std(),
    "cumsum(x)": lambda xp, x, y: xp.cumsum(x),
    "exp(x - x.max()) / sum": _softmax,
    "a @ b": _product,
}


def _cupy() -> Any:
    try:
        import cupy

        return cupy if cupy.cuda.runtime.getDeviceCount() else None
    except Exception:  # not installed, or without a driver
        return None


def _with_auto(operation: Callable[..., Any], x: Any, y: Any) -> Callable[[], Any]:
    def run() -> None:
        made = operation(px, px.asarray(x), px.asarray(y))
        made._evaluate()
        if made.device != "cpu":
            cuda.synchronize()

    return run


def _often(function: Callable[[], Any], count: int) -> Callable[[], Any]:
    """Call it so often: what is measured is in the caches, as it is in a loop."""

    def run() -> None:
        for _ in range(count):
            function()

    return run


def _with_cupy(cupy: Any, operation: Callable[..., Any], x: Any, y: Any) -> Callable[[], Any]:
    def run() -> None:
        operation(cupy, cupy.asarray(x), cupy.asarray(y))
        cupy.cuda.runtime.deviceSynchronize()

    return run


def measure(name: str, size: int, rounds: int, cupy: Any) -> Row:
    """One operation of arrays of one size."""
    rng = np.random.default_rng(1)
    x, y = (rng.random(size) + 0.5 for _ in range(2))
    operation = OPERATIONS[name]
    runs = {"auto": _with_auto(operation, x, y), "numpy": lambda: operation(np, x, y)}
    if cupy is not None:
        runs["cupy"] = _with_cupy(cupy, operation, x, y)
    count = max(1, min(200, 100_000 // size))
    repeated = {name: _often(run, count) for name, run in runs.items()}
    seconds = {name: time / count for name, time in medians(repeated, rounds).items()}
    ours = seconds.pop("auto")
    peer = min(seconds, key=seconds.__getitem__)
    made = operation(px, px.asarray(x), px.asarray(y))
    made._evaluate()
    return Row(
        f"{name}, {size:.0e}",
        ours * 1e6,
        seconds[peer] * 1e6,
        "us",
        peer,
        target=TARGET if cupy is not None else None,
        note=f"on {made.device}",
    )


def main() -> int:
    """Measure and print; returns the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=float, default=1e8 if HAS_GPU else 1e6, help="elements")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    cupy = _cupy()
    sizes = [10**power for power in range(9) if 10**power <= options.most]
    names = [
        name for name in OPERATIONS if not options.only or any(w in name for w in options.only)
    ]
    with px.device("auto"):
        rows = [measure(name, size, options.rounds, cupy) for name in names for size in sizes]
    places = ", ".join(map(str, px.devices()))
    heading = f'# device("auto")\n\n{cpu_name()}; {places}; '
    packages = ["phalanx", "numpy", *(["cupy"] if cupy is not None else [])]
    return report(heading + versions(packages) + "\n", rows, options.output)


if __name__ == "__main__":
    sys.exit(main())
