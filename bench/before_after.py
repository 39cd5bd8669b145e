"""Two versions of this package beside each other, by the benchmarks here: prints a Markdown table.

    python bench/before_after.py BEFORE AFTER [--only WORD ...] [--rounds N] [--seconds S]
                                 [--output FILE]

BEFORE and AFTER are folders for PYTHONPATH, each with a `phalanx` that was built in the same way.
Each program of PROGRAMS runs in turns under the one and the other; what counts of a row is the
median of its own figure, not its ratio to a peer. A row may be at most 3 % worse: programs with
such a row run again until the rounds or the time is used up, so that noise of a few percent does
not decide. Rows whose best round of the one is as good as the worst of the other are called noise.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from _measure import cpu_name, versions

# Command lines, by the device that they need.
PROGRAMS = {
    "cpu": [
        "kernels.py --device cpu",
        "functions.py",
        "launch.py --device cpu",
        "textbook_cpu.py --rounds 5",
        "ufuncs_on_host.py cpu",
        "compile_time.py",
    ],
    "cuda": [
        "kernels.py --device cuda",
        "launch.py --device cuda",
        "textbook.py --rounds 5",
        "ufuncs.py",
    ],
}
WORST = 1.03
ROW = re.compile(r"^\| (?P<name>[^|]+) \| (?P<figure>[0-9.e+-]+) (?P<unit>[^|]+?) \|")
RATES = ("/s", "x", "%")  # of units that are better when they are higher


@dataclass
class Figure:
    """A row of a program: what each round gave."""

    name: str
    unit: str
    before: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)

    @property
    def is_rate(self) -> bool:
        """Returns whether higher is better."""
        return self.unit.endswith(RATES)

    @property
    def cost(self) -> float:
        """How many times as long it takes after as before."""
        before, after = statistics.median(self.before), statistics.median(self.after)
        return before / after if self.is_rate else after / before

    @property
    def is_noise(self) -> bool:
        """Returns whether the rounds of the two overlap by more than one of them."""
        low, high = sorted(self.before), sorted(self.after)
        return min(high) <= statistics.median(low) and max(low) >= statistics.median(high)

    @property
    def verdict(self) -> str:
        """``ok``, ``WORSE``, or ``noise`` where the rounds do not tell."""
        if self.cost <= WORST:
            return "ok"
        return "noise" if self.is_noise else "WORSE"


def run(command: str, site: Path) -> dict[str, tuple[float, str]]:
    """Runs a program on one version; gives back its rows: figure and unit by name."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, *command.split()],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(site), "PHALANX_CACHE_DIR": cache},
        )
    rows: dict[str, tuple[float, str]] = {}
    for line in done.stdout.splitlines():
        if match := ROW.match(line):
            name = match["name"].strip()
            while name in rows:  # a second peer's row repeats our figure
                name += "'"
            rows[name] = (float(match["figure"]), match["unit"])
    if not rows:
        print(f"{command} failed: {done.stderr[-1000:]}", file=sys.stderr)
    return rows


def measure(command: str, sites: Sequence[Path], rounds: int, end: float) -> list[Figure]:
    """The rows of one program over rounds, the first of which warms up the machine's caches."""
    figures: dict[str, Figure] = {}
    for done in range(rounds):
        for site, series in zip(sites, ("before", "after"), strict=True):
            for name, (figure, unit) in run(command, site).items():
                row = figures.setdefault(name, Figure(name, unit))
                getattr(row, series).append(figure)
        rows = [row for row in figures.values() if row.before and row.after]
        if time.monotonic() > end or (done >= 1 and all(row.cost <= WORST for row in rows)):
            break
    return [row for row in figures.values() if row.before and row.after]


def table(results: dict[str, list[Figure]]) -> str:
    """The rows as a Markdown table."""
    lines = ["| figure | before | after | cost | rounds | |", "|---|---:|---:|---:|---:|---|"]
    for command, rows in results.items():
        lines.append(f"| **{command}** | | | | | |")
        for row in rows:
            before, after = statistics.median(row.before), statistics.median(row.after)
            lines.append(
                f"| {row.name} | {before:.4g} {row.unit} | {after:.4g} {row.unit} "
                f"| {row.cost:.3f} x | {len(row.after)} | {row.verdict} |"
            )
    return "\n".join(lines)


def main() -> int:
    """Measures all programs; returns the number of rows that are worse."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--device", choices=sorted(PROGRAMS), default="cpu")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    chosen = [
        command
        for command in PROGRAMS[options.device]
        if not options.only or any(word in command for word in options.only)
    ]
    start = time.monotonic()
    sites = [options.before.resolve(), options.after.resolve()]
    results = {}
    for i, command in enumerate(chosen):
        print(f"... {command}", file=sys.stderr, flush=True)
        share = options.seconds * (i + 1) / len(chosen)
        results[command] = measure(command, sites, options.rounds, start + share)
    rows = [row for each in results.values() for row in each]
    worse = sum(row.verdict == "WORSE" for row in rows)
    text = (
        f"{cpu_name()}. {versions(['numpy'])}. {len(rows)} rows, {worse} worse than {WORST} x.\n\n"
        f"{table(results)}\n"
    )
    print(text)
    if options.output:
        options.output.write_text(text)
    return worse


if __name__ == "__main__":
    sys.exit(main())
