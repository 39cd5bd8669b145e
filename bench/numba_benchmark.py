"""Numba's own benchmark programs under Numba and under `phalanx run`: prints a Markdown table.

    git clone https://github.com/numba/numba-benchmark ../numba-benchmark     # outside of here
    python bench/numba_benchmark.py ../numba-benchmark [--only WORD ...] [--output FILE]

Each program runs in two processes, one for each compiler, set up and warmed up as asv does it; then
the two are timed in turns. Left out are the programs that time compilation and imports, and those
that need a GPU. Programs that fail under Numba itself are listed; the mean is of all others.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _measure import Row, cpu_name, report, versions

SIDE = str(Path(__file__).with_name("_numba_benchmark_side.py"))
SIDES = {"phalanx": ["-m", "phalanx", "run", "--fallback", "numba", SIDE], "numba": [SIDE]}
LEFT_OUT = ("bench_compiling", "bench_cuda", "InitializationTime")
MEAN_TARGET, TARGET = 1.5, 0.8


@dataclass(frozen=True)
class Program:
    """A `time_` method of a class in a module of the checkout."""

    path: Path
    class_name: str
    method: str

    @property
    def name(self) -> str:
        """As asv writes it."""
        return f"{self.path.stem.removeprefix('bench_')}.{self.class_name}.{self.method}"


def programs(checkout: Path) -> Iterator[Program]:
    """All of the checkout; its modules make some of their methods while they are imported."""
    for path in sorted((checkout / "benchmarks").glob("bench_*.py")):
        if path.stem in LEFT_OUT:
            continue
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, owner in vars(module).items():
            if isinstance(owner, type) and owner.__module__ == path.stem and name not in LEFT_OUT:
                yield from (Program(path, name, each) for each in dir(owner) if each[:5] == "time_")


class Side:
    """A process that runs the program for one compiler."""

    def __init__(self, command: list[str], program: Program) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *command, str(program.path), program.class_name, program.method],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PHALANX_DEVICE": "cpu"},
        )
        self.ready: dict[str, Any] | None = None

    def prepare(self) -> str:
        """Waits until the program is warm; returns what went wrong, or nothing."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        if line:
            self.ready = json.loads(line)
            return ""
        _, errors = self.process.communicate()
        lines = [each for each in errors.splitlines() if each.strip()]
        return lines[-1] if lines else f"exit status {self.process.returncode}"

    def seconds(self, calls: int) -> float:
        """Of one call, the mean of `calls`."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{calls}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        """Ends the process."""
        self.process.communicate()


def measure(program: Program, rounds: int) -> Row | str:
    """The medians of samples in turns, or what went wrong under Numba."""
    sides = {name: Side(command, program) for name, command in SIDES.items()}
    try:
        errors = {name: side.prepare() for name, side in sides.items()}
        if errors["numba"]:
            return errors["numba"]
        if errors["phalanx"]:
            return Row(program.name, float("inf"), 1, "us", "Numba", note=errors["phalanx"])
        times: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(rounds):
            for name, side in sides.items():
                assert side.ready
                times[name].append(side.seconds(side.ready["calls"]) * 1e6)
    finally:
        for side in sides.values():
            side.close()
    ours, theirs = (statistics.median(times[name]) for name in ("phalanx", "numba"))
    ready = sides["phalanx"].ready
    assert ready
    note = f" compiled by Numba: {'; '.join(ready['handed_over'])}" if ready["handed_over"] else ""
    return Row(program.name, ours, theirs, "us", "Numba", target=TARGET, note=note)


def main() -> int:
    """Measures the programs asked for; returns the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    rows, failed = [], []
    for program in programs(options.checkout):
        if options.only and not any(word in program.name for word in options.only):
            continue
        result = measure(program, options.rounds)
        if isinstance(result, Row):
            rows.append(result)
            print(f"... {program.name}: {result.ratio:.2f} x{result.note}", file=sys.stderr)
        else:
            failed.append(f"- {program.name}: {result}")
            print(f"{failed[-1]} (Numba)", file=sys.stderr)
    ratios = [row.ratio for row in rows]
    if ratios and min(ratios) > 0:
        mean = statistics.geometric_mean(ratios)
        name = f"geometric mean of {len(ratios)}"
        rows.append(Row(name, mean, float("nan"), "x", "Numba", True, target=MEAN_TARGET))
    where = f"{cpu_name()}. {versions(['phalanx', 'numpy', 'numba', 'scipy'])}. Medians."
    heading = f"## Programs of numba-benchmark\n\n{where}\n"
    if failed:
        heading += "\nNot run, as they fail under Numba:\n\n" + "\n".join(failed) + "\n"
    return report(heading, rows, options.output)


if __name__ == "__main__":
    sys.exit(main())
