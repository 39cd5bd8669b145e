"""Reading of CSV beside pyarrow.csv, polars and pandas: prints a Markdown table.

    python bench/frames_csv.py [--rows N] [--rounds N] [--threads N] [--kind KIND] [--output FILE]

The file is in the page cache. Its kind is `numbers`: four columns of whole numbers and eight of
decimals; `full`: the same of eight and nine characters each; `long`: floats of 17 digits; `mixed`:
strings, some quoted, dates, numbers with some missing, booleans. The ratios are medians over rounds
in which every reader runs once. `--memory` prints the largest resident size of a process that reads
the file once, less that before, and the columns' size.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def made_columns(kind: str, rows: int) -> dict[str, Any]:
    """The columns of the file, as strings or numbers."""
    random = np.random.default_rng(0)
    if kind == "numbers":
        made: dict[str, Any] = {
            f"i{i}": random.integers(-(10 ** (i + 2)), 10 ** (i + 2), rows) for i in range(4)
        }
        decimals = [5] * 6 + [3] * 2
        for i, count in enumerate(decimals):
            made[f"f{i}"] = np.round(random.normal(0, 10 ** (i % 3), rows), count)
        return made
    if kind == "full":
        made = {f"i{i}": random.integers(-(10**8), 10**8, rows) for i in range(4)}
        made |= {f"f{i}": np.round(random.normal(0, 300, rows), 5) for i in range(8)}
        return made
    if kind == "long":
        return {f"f{i}": random.normal(size=rows) for i in range(6)}
    words = np.array([f'"word, {i}"' if i % 5 == 0 else f"word {i}" for i in range(1000)])
    days = np.datetime64("2020-01-01") + random.integers(0, 2000, rows)
    with_missing = random.integers(0, 10**6, rows).astype(str)
    with_missing[random.random(rows) < 0.1] = ""
    return {
        "word": words[random.integers(0, 1000, rows)],
        "id": np.char.add("id", random.integers(0, 10**9, rows).astype(str)),
        "day": days.astype(str),
        "count": with_missing,
        "value": np.round(random.normal(size=rows), 4),
        "flag": np.where(random.random(rows) < 0.5, "True", "False"),
    }


def write_file(path: Path, kind: str, rows: int) -> None:
    """Write the file, a piece at a time."""
    columns = made_columns(kind, rows)
    with path.open("w") as file:
        file.write(",".join(columns) + "\n")
        for first in range(0, rows, 100_000):
            part = [column[first : first + 100_000].tolist() for column in columns.values()]
            file.writelines(",".join(map(str, row)) + "\n" for row in zip(*part, strict=True))


def readers(path: str, threads: int) -> dict[str, Callable[[], Any]]:
    """The readers that are installed."""
    from phalanx._frames.csv_columns import read_csv_columns

    found: dict[str, Callable[[], Any]] = {"phalanx": lambda: read_csv_columns(path)}
    try:
        import pyarrow
        import pyarrow.csv

        pyarrow.set_cpu_count(threads)
        found["pyarrow.csv"] = lambda: pyarrow.csv.read_csv(path)
    except ImportError:
        pass
    try:
        import polars

        found["polars"] = lambda: polars.read_csv(path)
    except ImportError:
        pass
    try:
        import pandas

        found["pandas"] = lambda: pandas.read_csv(path)
    except ImportError:
        pass
    return found


def measure(path: Path, threads: int, rounds: int) -> str:
    """A table of seconds, of the machine's and of processor time, and ratios to ours."""
    functions = readers(str(path), threads)
    wall: dict[str, list[float]] = {name: [] for name in functions}
    busy: dict[str, list[float]] = {name: [] for name in functions}
    for turn in range(rounds + 1):
        for name, function in functions.items():
            start, start_busy = time.perf_counter(), time.process_time()
            result = function()
            end, end_busy = time.perf_counter(), time.process_time()
            del result
            if turn > 0:
                wall[name].append(end - start)
                busy[name].append(end_busy - start_busy)
    size = path.stat().st_size
    lines = [
        f"{size / 1e6:.0f} MB, {threads} threads, medians of {rounds} rounds",
        "",
        "| reader | s | MB/s | processor s | ours / it | of processor time |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name in functions:
        ratio = statistics.median(a / b for a, b in zip(wall["phalanx"], wall[name], strict=True))
        ratio_busy = statistics.median(
            a / b for a, b in zip(busy["phalanx"], busy[name], strict=True)
        )
        seconds = statistics.median(wall[name])
        lines.append(
            f"| {name} | {seconds:.3f} | {size / seconds / 1e6:.0f} | "
            f"{statistics.median(busy[name]):.3f} | {ratio:.3f} | {ratio_busy:.3f} |"
        )
    return "\n".join(lines)


# The high-water mark of the process itself: getrusage's is inherited by processes that are started.
_MEMORY = """
import sys
from phalanx._frames.csv_columns import read_csv_columns

def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))

read_csv_columns(b"a\\n1\\n")
before = peak()
columns = read_csv_columns(sys.argv[1])
after = peak()
parts = [(c.values, c.valid, c.offsets, c.bytes) for _, c in columns]
print(after - before, sum(p.nbytes for each in parts for p in each if p is not None))
"""


def memory(path: Path) -> str:
    """What reading the file once adds to the largest resident size of a new process."""
    command = [sys.executable, "-c", _MEMORY, str(path)]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    more, held = map(int, out.split())
    return f"resident: {more * 1.024e-3:.0f} MB more, columns: {held / 1e6:.0f} MB"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--kind", choices=["numbers", "full", "long", "mixed"], default="numbers")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    os.environ["PHALANX_NUM_THREADS"] = os.environ["POLARS_MAX_THREADS"] = str(given.threads)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.csv"
        write_file(path, given.kind, given.rows)
        text = memory(path) if given.memory else measure(path, given.threads, given.rounds)
    print(text)
    if given.output is not None:
        given.output.write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
