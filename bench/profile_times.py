"""Device times of a profile beside those of events and of Nsight Compute: prints a Markdown table.

    python bench/profile_times.py [--output FILE]

Needs a GPU. Events stand around forty launches in a row outside of a profile, so that what lies
between two kernels is a small part of the time; where `ncu` is installed, it times the same kernels
in another process. A profile's times should be within 3 % of either.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, report, versions

IN_A_ROW = 40
ROUNDS = 7
MOST = 3.0  # per cent that a profile's time may be from the other
UNITS = {"n": 1e-3, "u": 1.0, "m": 1e3}  # microseconds, by the first letter that ncu prints


def kernels() -> dict[str, Callable[[], Any]]:
    """Launches of some ten microseconds to some ten milliseconds, by their kernels' names."""
    from phalanx import cuda

    @cuda.jit
    def copies(a: Any, b: Any) -> None:
        i = cuda.grid(1)
        if i < b.size:
            b[i] = a[i]

    @cuda.jit
    def iterates(a: Any, b: Any, steps: Any) -> None:
        i = cuda.grid(1)
        if i < b.size:
            x = a[i]
            for _ in range(steps):
                x = x * np.float32(0.999) + np.float32(0.5)
            b[i] = x

    large = [cuda.device_array(1 << 28, np.float32) for _ in range(2)]
    middle = [cuda.device_array(1 << 24, np.float32) for _ in range(2)]
    return {
        "copies, 1 GiB": lambda: copies[large[0].size // 256, 256](*large),
        "copies, 64 MiB": lambda: copies[middle[0].size // 256, 256](*middle),
        "iterates, 1,000 steps": lambda: iterates[middle[0].size // 256, 256](*middle, 1000),
        "iterates, 20,000 steps of 2^20": lambda: iterates[1 << 12, 256](*middle, 20_000),
    }


def of_events(call: Callable[[], Any]) -> float:
    """Microseconds of one launch, by events around some in a row."""
    from phalanx import cuda

    begin, end = cuda.event(), cuda.event()
    begin.record()
    for _ in range(IN_A_ROW):
        call()
    end.record()
    end.synchronize()
    return float(begin.elapsed_time(end)) / IN_A_ROW * 1e3


def of_profile(call: Callable[[], Any]) -> float:
    """The same, as a profile tells it."""
    import phalanx

    with phalanx.profile() as profile:
        for _ in range(IN_A_ROW):
            call()
    (row,) = (row for row in profile.rows() if row.group == "kernel")
    return float(row.device_seconds) / IN_A_ROW * 1e6


def launched(only: str | None) -> None:
    """What Nsight Compute looks at."""
    from phalanx import cuda

    for call in (call for name, call in kernels().items() if only in (None, name)):
        for _ in range(5):
            call()
    cuda.synchronize()


def of_nsight() -> dict[str, float]:
    """Medians of microseconds by Nsight Compute in a process of its own; none without `ncu`."""
    if shutil.which("ncu") is None:
        return {}
    asked = ["ncu", "--csv", "--clock-control", "none", "--metrics", "gpu__time_duration.sum"]
    times = {}
    for name in kernels():
        command = [*asked, sys.executable, __file__, "--launch", name]
        made = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        lines = [line for line in made.stdout.splitlines() if line.startswith('"')]
        found = [
            float(row["Metric Value"].replace(",", "")) * UNITS[row["Metric Unit"][0]]
            for row in csv.DictReader(lines)
        ]
        if not found:
            print(f"ncu told nothing of {name}: {made.stderr[-300:]}", file=sys.stderr)
            continue
        times[name] = statistics.median(found)
    return times


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--launch", help="launch this kernel some times, and nothing else")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    os.environ["PHALANX_DEVICE"] = "cuda"
    if options.launch:
        return launched(options.launch)
    nsight = of_nsight()
    rows = []
    for name, call in kernels().items():
        call()
        pairs = [(of_events(call), of_profile(call)) for _ in range(ROUNDS)]
        events, profile = (statistics.median(times) for times in zip(*pairs, strict=True))
        others = {"events": events} | ({"ncu": nsight[name]} if name in nsight else {})
        for other, taken in others.items():
            rows.append(Row(name, profile, taken, "us", other))
            apart = abs(profile / taken - 1) * 100
            rows.append(Row(f"{name}: apart", apart, math.nan, "%", "", target=MOST))
    heading = f"Device times of a profile, cuda, {versions(['phalanx', 'numpy'])}"
    report(heading, rows, options.output)
    return None


if __name__ == "__main__":
    main()
