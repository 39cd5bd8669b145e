"""Chunks that are read while the one before is computed: prints a Markdown table.

    python bench/overlap.py [--chunks N] [--rounds N] [--output FILE]

A file is read chunk by chunk into pinned memory, copied to the current device and computed on,
with two buffers: on ordinary streams, and on streams with overlap=True. On the CPU device ordinary
streams read and compute in turns; the floor of the others is the longer of the two.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, cpu_name, medians, report, versions

from phalanx import cuda

CHUNK = 1 << 22  # float32 elements


@cuda.jit
def advance(x: Any, rounds: int) -> None:
    """Iterate the logistic map on each element: work that memory does not bound."""
    i = cuda.grid(1)
    if i < x.size:
        value = x[i]
        for _ in range(rounds):
            value = value * (np.float32(3.7) - np.float32(3.7) * value)
        x[i] = value


class Pipeline:
    """Two buffers that take turns."""

    def __init__(self, file: Path, chunks: int, rounds: int, overlap: bool) -> None:
        self.file, self.chunks, self.rounds = file, chunks, rounds
        self.streams = [cuda.stream(overlap=overlap) for _ in range(2)]
        self.host = [cuda.pinned_array(CHUNK, np.float32) for _ in range(2)]
        self.arrays = [cuda.device_array(CHUNK, np.float32) for _ in range(2)]

    def read(self, data: Any, turn: int) -> None:
        """Read the next chunk, when the work that used its buffer is done."""
        self.streams[turn].synchronize()
        data.readinto(memoryview(self.host[turn]).cast("B"))

    def compute(self, turn: int) -> None:
        """Queue the chunk's copy and kernel."""
        stream = self.streams[turn]
        self.arrays[turn].copy_to_device(self.host[turn], stream=stream)
        advance[CHUNK // 256, 256, stream](self.arrays[turn], self.rounds)

    def run(self, reads: bool = True, computes: bool = True) -> None:
        """Take the whole file."""
        with self.file.open("rb", buffering=0) as data:
            for chunk in range(self.chunks):
                if reads:
                    self.read(data, chunk % 2)
                if computes:
                    self.compute(chunk % 2)
        for stream in self.streams:
            stream.synchronize()


def main() -> int:
    """Measure and print; returns the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    with tempfile.NamedTemporaryFile() as file:
        np.random.default_rng(1).random(CHUNK * options.chunks, np.float32).tofile(file.name)
        plain, overlapped = (
            Pipeline(Path(file.name), options.chunks, options.rounds, overlap)
            for overlap in (False, True)
        )
        seconds = medians(
            {
                "plain": plain.run,
                "overlapped": overlapped.run,
                "read": lambda: plain.run(computes=False),
                "compute": lambda: plain.run(reads=False),
            }
        )
    floor = max(seconds["read"], seconds["compute"])
    rows = [
        Row(
            "read and compute",
            seconds["overlapped"] * 1e3,
            seconds["plain"] * 1e3,
            "ms",
            "in turns",
        ),
        Row("beside its floor", seconds["overlapped"] * 1e3, floor * 1e3, "ms", "the longer part"),
    ]
    heading = f"# Overlap\n\n{cpu_name()}, {versions(['phalanx', 'numpy'])}\n"
    return report(heading, rows, options.output)


if __name__ == "__main__":
    sys.exit(main())
