"""Reading of CSV into a GPU's memory: each stage, the whole, the host's reader, pyarrow.csv.

    python bench/csv_gpu.py [--rows N] [--rounds N] [--kind KIND ...] [--device NAME]

The file is in the page cache; kinds are those of `frames_csv.py`, of which `full` is the target:
two million rows of twelve columns of numbers, in 40 ms. Times are medians after two runs before,
with the device waited for. The floor is a copy of as many bytes from page-locked memory. Columns
are compared with the host's, bit by bit. ``--device cpu`` runs the kernels without a GPU.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from frames_csv import write_file
from phalanx._arrays import placement
from phalanx._frames.csv_columns import CsvChunks, read_csv_columns
from phalanx._frames.csv_keywords import keywords

import phalanx as px
from phalanx import _csv, cuda

_PARTS = ("values", "valid", "offsets", "bytes")
_WARM = 2
TARGET = 40.0


def wait(device: str) -> None:
    """Waits for the device."""
    if device != "cpu":
        cuda.synchronize()


def median(function: Callable[[], Any], rounds: int, device: str) -> float:
    """Milliseconds of a call that is waited for."""
    times = []
    for turn in range(_WARM + rounds):
        wait(device)
        start = time.perf_counter()
        made = function()
        wait(device)
        end = time.perf_counter()
        del made
        if turn >= _WARM:
            times.append((end - start) * 1e3)
    return statistics.median(times)


def floor(size: int, rounds: int, device: str) -> float:
    """Milliseconds of a copy of that many bytes from page-locked memory."""
    if device == "cpu":
        source, target = np.ones(size, np.uint8), np.empty(size, np.uint8)
        return median(lambda: np.copyto(target, source), rounds, device)
    source, goal = cuda.pinned_array(size, np.uint8), cuda.device_array(size, np.uint8)
    source[:] = 1
    return median(lambda: goal.copy_to_device(source), rounds, device)


def stages(path: Path, rounds: int, device: str) -> dict[str, float]:
    """Milliseconds of the steps of a read."""
    with CsvChunks(str(path), keywords({})) as chunks:
        host, plan = chunks._reader, chunks._plan
        reader = _csv.Reader(host, chunks._text.source, chunks._dialect, device)
        made = {"kinds of the first rows": median(lambda: host.guess(plan), rounds, device)}
        made["text to the device"] = median(reader.text, rounds, device)
        text, size = reader.text()
        width = plan["width"]
        made["structure"] = median(lambda: reader.structure(text, size, width), rounds, device)
        structure = reader.structure(text, size, width)
        kinds = host.guess(plan)

        def columns() -> Any:
            return reader.parts(structure, reader.columns(plan, kinds, structure.quote))

        made["columns"] = median(columns, rounds, device)
    return made


def others(path: Path, rounds: int, device: str) -> dict[str, float]:
    """Milliseconds of other readers."""

    def moved() -> Any:
        parts = [getattr(column, part) for _, column in on_host(path) for part in _PARTS]
        return [px.asarray(part, device=device) for part in parts if part is not None]

    made = {"the host's reader, moved": median(moved, rounds, device)}
    try:
        import pyarrow.csv
    except ImportError:
        return made
    made["pyarrow.csv, on the host"] = median(
        lambda: pyarrow.csv.read_csv(str(path)), rounds, device
    )
    return made


def check(path: Path, device: str) -> str:
    """Compares all columns with the host's; says how many the device read."""
    wanted = on_host(path)
    read_on(device)
    with px.device(device):
        found = read_csv_columns(str(path))
    own = 0
    for (name, column), (_, other) in zip(found, wanted, strict=True):
        if column.kind != other.kind:
            raise AssertionError(f"{name}: {column.kind}, on the host {other.kind}")
        parts = [(getattr(column, part), getattr(other, part)) for part in _PARTS]
        own += any(isinstance(one, px.ndarray) for one, _ in parts)
        for part, (one, two) in zip(_PARTS, parts, strict=True):
            if (one is None) != (two is None):
                raise AssertionError(f"{name}: {part} is there on one side alone")
            if one is not None and np.asarray(one).tobytes() != np.asarray(two).tobytes():
                raise AssertionError(f"{name}: {part} differ")
    return f"{len(found)} columns are the host's, bit by bit; the device read {own} of them"


def on_host(path: Path) -> Any:
    """The columns by the host's reader."""
    os.environ.pop("PHALANX_ARRAY_KERNELS", None)
    with px.device("cpu"):
        return read_csv_columns(str(path))


def read_on(device: str) -> None:
    """Lets the CPU device run the kernels, where it serves as a GPU."""
    if device == "cpu":
        os.environ["PHALANX_ARRAY_KERNELS"] = "gpu"


def table(path: Path, kind: str, rounds: int, device: str) -> str:
    """The figures of a file."""
    size = path.stat().st_size

    def whole() -> Any:
        frame = px.read_csv(str(path), device=device)
        for part in frame._parts:  # what is recorded and not computed yet
            values = getattr(part, "values", None)
            if values is not None:
                values._evaluate()
        return frame

    read_on(device)
    times = {"floor: the bytes over the bus": floor(size, rounds, device)}
    times |= stages(path, rounds, device)
    times["px.read_csv"] = median(whole, rounds, device)
    times |= others(path, rounds, device)
    lines = [
        f"{kind}: {size / 1e6:.0f} MB, medians of {rounds}",
        "",
        "| | ms | GB/s |",
        "|---|---:|---:|",
    ]
    lines += [f"| {name} | {each:.2f} | {size / each / 1e6:.1f} |" for name, each in times.items()]
    lines += ["", check(path, device)]
    if kind == "full" and device != "cpu":
        lines.append(
            f"target {TARGET:.0f} ms: {'met' if times['px.read_csv'] <= TARGET else 'MISSED'}"
        )
    return "\n".join(lines)


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kind", nargs="*", default=["full", "numbers", "long", "mixed"])
    parser.add_argument("--device", default=os.environ.get("PHALANX_DEVICE", "cuda"))
    given = parser.parse_args()
    device = placement.engine_device(given.device)
    assert device is not None
    print(f"{device.name}, {os.cpu_count()} cores of {platform.processor() or platform.machine()}")
    with tempfile.TemporaryDirectory() as folder, px.device(device):
        for kind in given.kind:
            path = Path(folder) / "file.csv"
            write_file(path, kind, given.rows)
            print(f"\n{table(path, kind, given.rounds, placement.name_of(device))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
