"""Timing and the result table that every benchmark prints."""

from __future__ import annotations

import atexit
import functools
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Row:
    """One figure beside its peer's, and the target it has to meet."""

    name: str
    ours: float
    peer: float
    unit: str
    peer_name: str
    higher_is_better: bool = False
    target: float | None = None  # of the ratio, or of `ours` where there is no peer (peer is nan)
    note: str = ""

    @property
    def ratio(self) -> float:
        """How many times better (above 1) or worse (below 1) than the peer."""
        return self.ours / self.peer if self.higher_is_better else self.peer / self.ours

    @property
    def verdict(self) -> str:
        """``ok``, ``MISSED`` or nothing where there is no target."""
        if self.target is None:
            return ""
        if self.peer != self.peer:
            met = self.ours >= self.target if self.higher_is_better else self.ours <= self.target
        else:
            met = self.ratio >= self.target
        return "ok" if met else "MISSED"


def medians(
    functions: dict[str, Callable[[], Any]],
    rounds: int = 9,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Seconds, the median over rounds in which every function runs once, after a warm-up.

    Running them in turn keeps a change of the machine's speed out of the ratios. `clock` may be
    `time.process_time`, which counts all threads and not what other processes take.
    """
    for function in functions.values():
        function()
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            start = clock()
            function()
            times[name].append(clock() - start)
    return {name: statistics.median(series) for name, series in times.items()}


def per_call(function: Callable[[], Any], sync: Callable[[], Any], count: int = 10000) -> float:
    """Seconds of host time a call takes, the best of five loops; `sync` empties the queue."""
    for _ in range(count // 10):
        function()
    sync()
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(count):
            function()
        best = min(best, (time.perf_counter() - start) / count)
        sync()
    return best


@functools.cache
def _with_bytecode() -> dict[str, str]:
    """An environment in which Python keeps compiled files, as those of an installed package are."""
    folder = tempfile.mkdtemp(prefix="phalanx-bench-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**environment, "PYTHONPYCACHEPREFIX": folder}


def fresh(code: str, environment: dict[str, str] | None = None, runs: int = 5) -> list[float]:
    """The medians of the numbers that `code` prints, over fresh processes."""
    results = []
    for run in range(runs + 1):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env={**_with_bytecode(), **(environment or {})},
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        if run != 0:  # the first compiles the Python files
            results.append([float(word) for word in done.stdout.split()])
    return [statistics.median(column) for column in zip(*results, strict=True)]


def process_seconds(code: str, runs: int = 9) -> float:
    """Seconds of a whole process that runs `code`: the median."""
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, env=_with_bytecode()
        )
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])  # the first compiles the Python files


def versions(names: list[str]) -> str:
    """The versions of the packages that are installed, in one line."""
    from importlib.metadata import PackageNotFoundError, version

    found = []
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return f"Python {platform.python_version()}, " + ", ".join(found)


def cpu_name() -> str:
    """The processor's name and the cores this process may use."""
    name = platform.processor()
    with Path("/proc/cpuinfo").open() as lines:
        for line in lines:
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    return f"{name}, {len(os.sched_getaffinity(0))} cores"


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| figure | phalanx | peer | | ratio | target | |",
        "|---|---:|---:|---|---:|---:|---|",
    ]
    for row in rows:
        alone = row.peer != row.peer
        sign = ">=" if row.higher_is_better or not alone else "<="
        target = "" if row.target is None else f"{sign} {row.target:g}{'' if alone else ' x'}"
        lines.append(
            f"| {row.name} | {row.ours:.4g} {row.unit} "
            f"| {'' if alone else f'{row.peer:.4g} {row.unit}'} | {row.peer_name} "
            f"| {'' if alone else f'{row.ratio:.2f} x'} | {target} | {row.verdict}{row.note} |"
        )
    return "\n".join(lines)


def report(heading: str, rows: list[Row], output: Path | None) -> int:
    """Prints heading and table, writes them to `output`; returns the number of missed targets."""
    text = f"{heading}\n{table(rows)}\n"
    print(text)
    if output:
        output.write_text(text)
    return sum(row.verdict.startswith("MISSED") for row in rows)


def in_one_process(
    script: str, section: str, environment: dict[str, str], options: Sequence[str] = ()
) -> list[Row]:
    """Runs one section of a benchmark script in a fresh process; gives back its rows."""
    done = subprocess.run(
        [sys.executable, script, "--section", section, *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    if done.returncode:
        print(f"section {section} failed", file=sys.stderr)
        return []
    return [Row(**row) for row in json.loads(done.stdout.splitlines()[-1])]
