"""Ten textbook kernels on the CPU device beside C++ with OpenMP, in one process and run.

    python bench/textbook_cpu.py [--only WORD ...] [--cores one|all] [--precise] [--output FILE]

The C++ (textbook_openmp.cpp) has the loops that one writes for a CPU; g++ compiles it with
`-O3 -march=native -ffast-math -fopenmp`, so our kernels get `fastmath=True` (`--precise` takes it
from both). Each side computes into the same arrays in turn, on one core and then on all, and NumPy
checks both. CXX names another compiler.
"""

from __future__ import annotations

import argparse
import ctypes
import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from _measure import Row, cpu_name, in_one_process, report, versions
from _textbook import PROGRAMS, Problem, Program, check

SOURCE = Path(__file__).with_name("textbook_openmp.cpp")
FLAGS = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]
TARGET = 1.0
# Of the problems that fill a GPU for a millisecond: tens of milliseconds on one core, and arrays
# that no cache holds where the GPU's do not fit one either.
SIZES = {
    "nbody": 1 / 16,
    "stencil": 1 / 4,
    "total": 1 / 4,
    "histogram": 1 / 8,
    "black_scholes": 1 / 8,
    "transpose": 1 / 4,
    "csr_product": 1 / 8,
    "fractal": 1 / 16,
    "product": 1 / 64,
    "bitonic_sort": 1 / 8,
}
# Seconds until the threads of the side before no longer spin: those of GCC's OpenMP do for some
# 20 ms after a loop, on cores that the other side needs (with 5 ms we measured that).
SETTLE = 0.06
BURST = 5  # launches of a side in a row, as programs do them: its threads are awake
WARM_UP = 2  # of these, not counted
C_TYPES = {np.float32: ctypes.c_float, np.int32: ctypes.c_int32}


def compiled(folder: str, fastmath: bool) -> ctypes.CDLL:
    """The C++ as a library."""
    library = Path(folder) / "textbook.so"
    flags = [*FLAGS, "-ffast-math"] if fastmath else FLAGS
    command = [os.environ.get("CXX", "g++"), *flags, str(SOURCE), "-o", str(library)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def compiler_name() -> str:
    """The first line of the compiler's version."""
    command = [os.environ.get("CXX", "g++"), "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[0]


def our_launch(program: Program, problem: Problem, fastmath: bool) -> Callable[[], None]:
    """The kernel in Python, with NumPy's arrays."""
    from phalanx import cuda

    launch = cuda.jit(fastmath=fastmath)(program.kernel(cuda))[problem.grid, problem.block]
    return lambda: launch(*problem.arguments)


def their_launch(library: ctypes.CDLL, name: str, problem: Problem) -> Callable[[], None]:
    """The loops in C++, with the same arrays."""
    arguments = [
        each.ctypes.data_as(ctypes.c_void_p)
        if isinstance(each, np.ndarray)
        else C_TYPES[type(each)](each)
        for each in (*problem.arguments, *(np.int32(each) for each in problem.extents))
    ]
    function = getattr(library, name)
    function.restype = None
    return lambda: function(*arguments)


class Arrays:
    """What the launches of a problem change, and how it was before."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.original = {number: problem.arguments[number].copy() for number in problem.resets}

    def reset(self) -> None:
        """Gives back their content to the arrays that a launch changes in place."""
        for number, original in self.original.items():
            self.problem.arguments[number][...] = original

    def check(self, program: Program, launch: Callable[[], None]) -> None:
        """Compares a launch's results with NumPy's."""
        for number in self.problem.outputs:
            if number not in self.original:
                self.problem.arguments[number].fill(0)
        self.reset()
        launch()
        check(program, self.problem, {n: self.problem.arguments[n] for n in self.problem.outputs})

    def seconds(self, launch: Callable[[], None]) -> list[float]:
        """Of launches in a row, without the first ones."""
        return self._seconds(launch, time.perf_counter)

    def processor_seconds(self, launch: Callable[[], None]) -> list[float]:
        """The same of all threads of this process together."""
        return self._seconds(launch, time.process_time)

    def _seconds(self, launch: Callable[[], None], now: Callable[[], float]) -> list[float]:
        times = []
        time.sleep(SETTLE)
        for _ in range(BURST):
            self.reset()
            start = now()
            launch()
            times.append(now() - start)
        return times[WARM_UP:]


def measure(library: ctypes.CDLL, program: Program, options: argparse.Namespace) -> list[Row]:
    """Medians of launches in turn, a row for each peer; each round begins with another side."""
    name = program.kernel.__name__
    problem = program.problem(SIZES[name] * options.size)
    peers = {"C++": name, **({"std::sort": "standard_sort"} if name == "bitonic_sort" else {})}
    launches = [our_launch(program, problem, not options.precise)]
    launches += [their_launch(library, each, problem) for each in peers.values()]
    arrays = Arrays(problem)
    times: list[list[float]] = [[] for _ in launches]
    for launch in launches:
        arrays.check(program, launch)
    for turn in range(options.rounds):
        for step in range(len(launches)):
            which = (turn + step) % len(launches)
            times[which] += arrays.seconds(launches[which])
    ours, *theirs = (statistics.median(each) * 1e3 for each in times)
    note = f" {problem.work / ours / 1e6:.3g} G{problem.unit}/s"
    return [
        Row(program.name, ours, each, "ms", peer, target=TARGET, note=note)
        for peer, each in zip(peers, theirs, strict=True)
    ]


def measure_all(options: argparse.Namespace) -> list[Row]:
    """The rows of one section, in this process."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(folder, not options.precise)
        for program in PROGRAMS:
            if options.only and not any(word in program.name for word in options.only):
                continue
            rows += measure(library, program, options)
            print(f"... {program.name}: {rows[-1].ratio:.3f} x", file=sys.stderr, flush=True)
    return rows


def main() -> int:
    """Measures the programs asked for; returns the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--size", type=float, default=1.0, help="times the sizes of this file")
    parser.add_argument("--precise", action="store_true", help="without fast math")
    parser.add_argument("--cores", choices=["one", "all"], help="one of the two parts")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--section", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.section:
        print(json.dumps([dataclasses.asdict(row) for row in measure_all(options)]))
        return 0
    rows: list[Row] = []
    one = dict.fromkeys(("PHALANX_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    for cores, environment in {"one": one, "all": {}}.items():
        if options.cores in (None, cores):
            environment = {"PHALANX_DEVICE": "cpu", **environment}
            for row in in_one_process(__file__, cores, environment, sys.argv[1:]):
                row.name += f", {cores} core{'s' if cores == 'all' else ''}"
                rows.append(row)
    mode = "default options" if options.precise else "fast math on both sides"
    where = f"{cpu_name()}. {versions(['phalanx', 'numpy'])}, {compiler_name()}. Medians."
    return report(
        f"## Textbook kernels beside C++ with OpenMP, {mode}\n\n{where}\n", rows, options.output
    )


if __name__ == "__main__":
    sys.exit(main())
