"""Ten textbook kernels on a GPU beside the same CUDA C through NVRTC, in one process and run.

    python bench/textbook.py [--only WORD ...] [--rounds N] [--fastmath] [--output FILE]

Needs CuPy, whose `RawModule` compiles and launches the CUDA C. Each result is checked by NumPy.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, report, versions
from _textbook import PROGRAMS, Problem, Program, check
from _textbook_cuda import SOURCE

os.environ["PHALANX_DEVICE"] = "cuda"
TARGET = 0.98


class Side:
    """One side's copy of a problem on the GPU, and how it is launched."""

    def __init__(self, problem: Problem, launch: Callable[[list[Any]], None]) -> None:
        import cupy

        self.problem = problem
        self.original = [cupy.asarray(each) for each in problem.arguments]
        self.arguments = [
            each.copy() if isinstance(given, np.ndarray) else given
            for each, given in zip(self.original, problem.arguments, strict=True)
        ]
        self.launch = lambda: launch(self.arguments)

    def reset(self) -> None:
        """Gives back their content to the arrays that a launch changes in place."""
        for number in self.problem.resets:
            self.arguments[number][...] = self.original[number]

    def milliseconds(self) -> float:
        """Of one launch, by events."""
        import cupy

        self.reset()
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        self.launch()
        end.record()
        end.synchronize()
        return cupy.cuda.get_elapsed_time(start, end)

    def check(self, program: Program) -> None:
        """Compares a launch's results with NumPy's."""
        self.reset()
        self.launch()
        results = {number: self.arguments[number].get() for number in self.problem.outputs}
        check(program, self.problem, results)


def our_side(program: Program, problem: Problem, fastmath: bool) -> Side:
    """The kernel in Python."""
    from phalanx import cuda

    kernel = cuda.jit(fastmath=fastmath)(program.kernel(cuda))
    views: list[Any] = []

    def launch(arguments: list[Any]) -> None:
        if not views:
            views.extend(
                cuda.as_cuda_array(each) if hasattr(each, "__cuda_array_interface__") else each
                for each in arguments
            )
        kernel[problem.grid, problem.block](*views)

    return Side(problem, launch)


def their_side(module: Any, program: Program, problem: Problem) -> Side:
    """The kernel in CUDA C."""
    kernel = module.get_function(program.kernel.__name__)
    extents = [np.int32(each) for each in problem.extents]

    def three(extent: Any) -> tuple[int, ...]:
        return extent if isinstance(extent, tuple) else (extent,)

    def launch(arguments: list[Any]) -> None:
        kernel(three(problem.grid), three(problem.block), (*arguments, *extents))

    return Side(problem, launch)


def in_turns(program: Program, sides: list[Side], rounds: int) -> tuple[float, float]:
    """Medians of two sides' milliseconds; which goes first changes from round to round."""
    for side in sides:
        side.check(program)
        side.milliseconds()
    times: list[list[float]] = [[], []]
    for turn in range(rounds):
        for which in (0, 1) if turn % 2 else (1, 0):
            times[which].append(sides[which].milliseconds())
    first, second = (statistics.median(each) for each in times)
    return first, second


def measure(module: Any, program: Program, rounds: int, fastmath: bool) -> Row:
    """Our kernel beside the same in CUDA C."""
    problem = program.problem(1.0)
    sides = [our_side(program, problem, fastmath), their_side(module, program, problem)]
    ours, theirs = in_turns(program, sides, rounds)
    rate = problem.work / ours / 1e6
    note = f" {rate:.0f} G{problem.unit}/s"
    return Row(program.name, ours, theirs, "ms", "CUDA C, NVRTC", target=TARGET, note=note)


def main() -> int:
    """Measures the programs asked for; returns the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--fastmath", action="store_true")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    import cupy
    from gpu_sections import device_name

    flags = ("--use_fast_math",) if options.fastmath else ()
    module = cupy.RawModule(code=SOURCE, options=flags)
    rows = []
    for program in PROGRAMS:
        if options.only and not any(word in program.name for word in options.only):
            continue
        rows.append(measure(module, program, options.rounds, options.fastmath))
        print(f"... {program.name}: {rows[-1].ratio:.3f} x", file=sys.stderr, flush=True)
        cupy.get_default_memory_pool().free_all_blocks()
    mode = "fast math on both sides" if options.fastmath else "default options"
    where = f"{device_name()}. {versions(['phalanx', 'cupy-cuda13x'])}. Medians."
    return report(f"## Textbook kernels, {mode}\n\n{where}\n", rows, options.output)


if __name__ == "__main__":
    sys.exit(main())
