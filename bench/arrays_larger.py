"""Arrays of four times the memory limit beside copies of as many bytes: prints a Markdown table.

    python bench/arrays_larger.py [--limit MIB] [--output FILE]

On a GPU the peer is a copy from page-locked memory of what the chunk streams copied. The CPU device
reads mapped files in place: there it is a copy in memory.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, cpu_name, medians, report, versions

import phalanx as px
from phalanx import cuda

BLOCK = 64 << 20  # bytes of one copy of the peer's
ROUNDS = 3
TARGET = 1 / 1.25  # of a copy's speed


class Copies:
    """Copies from page-locked memory to the current device."""

    def __init__(self) -> None:
        self._host = cuda.pinned_array(BLOCK, np.uint8)
        self._host[:] = 1
        self._device = cuda.device_array(BLOCK, np.uint8)

    def seconds(self, bytes_: int) -> float:
        """The time that so many bytes take."""
        self._device.copy_to_device(self._host)
        cuda.synchronize()
        start = time.perf_counter()
        for _ in range(max(1, bytes_ // BLOCK)):
            self._device.copy_to_device(self._host)
        cuda.synchronize()
        return (time.perf_counter() - start) * bytes_ / (max(1, bytes_ // BLOCK) * BLOCK)


def make_file(path: Path, bytes_: int) -> None:
    """A file of random numbers, which the system keeps in memory if it can."""
    block = np.random.default_rng(1).random(BLOCK // 8)
    sink = np.lib.format.open_memmap(path, "w+", np.float64, (bytes_ // BLOCK, BLOCK // 8))
    for row in range(len(sink)):
        sink[row] = block + row


def programs(x: Any, target: Path) -> dict[str, tuple[Callable[[], Any], int]]:
    """What is measured, and how many times it moves the operand's bytes."""
    return {
        "x.std()": (lambda: float(x.std()), 1),
        "x.sum()": (lambda: float(x.sum()), 1),
        "(sqrt(x) * 2).max(axis=1)": (lambda: np.asarray((px.sqrt(x) * 2).max(axis=1)), 1),
        "save(sqrt(x) * 2)": (lambda: px.save(target, px.sqrt(x) * 2), 2),
    }


def measure(folder: Path, limit: int) -> list[Row]:
    """One row for each program."""
    make_file(folder / "x.npy", 4 * limit)
    x = px.load(folder / "x.npy", mmap_mode="r")
    measured = programs(x, folder / "y.npy")
    copies = Copies()
    px.set_memory_limit(px.memory_info().used_bytes + limit)
    try:
        seconds = medians({name: run for name, (run, _) in measured.items()}, ROUNDS)
    finally:
        px.set_memory_limit(None)
    return [
        Row(
            name,
            seconds[name] * 1e3,
            copies.seconds(times * x.nbytes) * 1e3,
            "ms",
            "copies",
            target=TARGET if name == "x.std()" and x.device != "cpu" else None,
            note=f"{times} x {x.nbytes >> 20} MiB",
        )
        for name, (_, times) in measured.items()
    ]


def main() -> int:
    """Measure and print; returns the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    on_gpu = px.current_device().name != "cpu"
    parser.add_argument("--limit", type=int, default=1024 if on_gpu else 64, help="MiB")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder), options.limit << 20)
    place = f"{px.current_device().name}, a limit of {options.limit} MiB"
    heading = f"# Arrays of 4 x the memory limit\n\n{cpu_name()}, {place}, "
    return report(heading + versions(["phalanx", "numpy"]) + "\n", rows, options.output)


if __name__ == "__main__":
    sys.exit(main())
