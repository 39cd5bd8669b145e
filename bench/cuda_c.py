"""The textbook kernels in CUDA C through our own compiler.

    python bench/cuda_c.py [--only WORD ...] [--rounds N] [--size X] [--output FILE]

On a GPU (PHALANX_DEVICE=cuda) beside the same text through NVRTC, which needs CuPy; on the CPU
device beside our kernels in Python of the same steps, and beside OpenCL twins of seven of them by
PoCL where pyopencl is installed (pip install "pyopencl[pocl]"). Each result is checked by NumPy.
There, the notes have the ratio of processor time, all threads of a side together: it says more than
the clock on cores that others use too. The rows at the end are the time from a small source to its
first launch.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, report, versions
from _textbook import PROGRAMS, Problem, Program
from _textbook_cuda import SOURCE
from _textbook_opencl import KERNELS, TARGET, TARGETS, Pocl
from _three_kernels import CUDA_C, MORE_PROGRAMS, MORE_SIZES
from textbook_cpu import SIZES, Arrays

GPU_TARGET, CPU_TARGET = 0.97, 0.9  # of NVRTC's speed, of our Python kernels' speed
SAXPY = """
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i]; // %d
}
"""


def launcher(module: Any, program: Program, problem: Problem) -> Callable[[Any], None]:
    """Launches the kernel of CUDA C with a problem's arguments."""
    kernel = module.kernel(program.kernel.__name__)
    configured = kernel[problem.grid, problem.block]
    extents = [np.int32(each) for each in problem.extents]
    return lambda arguments: configured(*arguments, *extents)


def beside_nvrtc(module: Any, theirs: Any, program: Program, rounds: int) -> Row:
    """On a GPU: medians of launches in turn."""
    from textbook import Side, in_turns, their_side  # which chooses the GPU

    from phalanx import cuda

    problem = program.problem(1.0)
    start = launcher(module, program, problem)
    views: list[Any] = []

    def launch(arguments: list[Any]) -> None:
        if not views:
            views.extend(
                cuda.as_cuda_array(each) if hasattr(each, "__cuda_array_interface__") else each
                for each in arguments
            )
        start(views)

    sides = [Side(problem, launch), their_side(theirs, program, problem)]
    ours, nvrtc = in_turns(program, sides, rounds)
    return Row(program.name, ours, nvrtc, "ms", "the same through NVRTC", target=GPU_TARGET)


def on_the_cpu(
    module: Any, pocl: Pocl | None, program: Program, options: argparse.Namespace
) -> list[Row]:
    """On the CPU device: medians of launches in turn, a row for each peer."""
    from phalanx import cuda

    name = program.kernel.__name__
    size = {**SIZES, **MORE_SIZES}[name] * options.size
    problem = program.problem(size)
    python = cuda.jit(program.kernel(cuda))[problem.grid, problem.block]
    start = launcher(module, program, problem)
    arrays = Arrays(problem)

    def both(launch: Callable[[], None]) -> tuple[list[float], list[float]]:
        return arrays.seconds(launch), arrays.processor_seconds(launch)

    launches = [lambda: start(problem.arguments), lambda: python(*problem.arguments)]
    for launch in launches:
        arrays.check(program, launch)
    peers = {"our Python kernel": CPU_TARGET}
    sides = [partial(both, launch) for launch in launches]
    if pocl is not None and name in KERNELS:
        pocl.prepare(name, size)
        peers["OpenCL by PoCL"] = TARGETS.get(name, TARGET)
        sides.append(pocl.seconds)
    clock: list[list[float]] = [[] for _ in sides]
    processor: list[list[float]] = [[] for _ in sides]
    for turn in range(options.rounds):
        for step in range(len(sides)):
            which = (turn + step) % len(sides)
            for series, more in zip((clock, processor), sides[which](), strict=True):
                series[which] += more
    ours, *theirs = (statistics.median(each) * 1e3 for each in clock)
    own, *others = (statistics.median(each) for each in processor)
    return [
        Row(program.name, ours, peer, "ms", label, target=target, note=f" ({other / own:.2f})")
        for (label, target), peer, other in zip(peers.items(), theirs, others, strict=True)
    ]


class FirstLaunches:
    """Times from a small source to the end of its first launch."""

    def __init__(self) -> None:
        from phalanx import cuda

        self._arrays = [cuda.to_device(np.ones(256, np.float32)) for _ in range(2)]
        self._texts = [SAXPY % (number + time.time_ns()) for number in range(11)]

    def rows(self) -> list[Row]:
        """Of sources that nobody has compiled; then of the same ones, which are on disk."""
        limit = None if os.environ.get("PHALANX_DEVICE") == "cuda" else 40.0
        new, known = self._median(), self._median()
        nothing = float("nan")
        return [
            Row("a small source to its first launch", new, nothing, "ms", "", target=limit),
            Row("the same from the disk cache", known, nothing, "ms", "", target=3.0),
        ]

    def _median(self) -> float:
        return statistics.median([self._seconds(text) for text in self._texts][1:]) * 1e3

    def _seconds(self, text: str) -> float:
        from phalanx._cuda_c import CudaCModule

        from phalanx import cuda

        start = time.perf_counter()
        kernel = CudaCModule(text).kernel("saxpy")
        kernel.launch(1, 256, [256, 1.0, *self._arrays])
        cuda.synchronize()
        return time.perf_counter() - start


def find_pocl() -> tuple[Pocl | None, str]:
    """PoCL, or why its column is left out."""
    try:
        pocl = Pocl()
    except RuntimeError as error:
        return None, f" Without PoCL: {error}."
    return pocl, f" {pocl.version}. In brackets: the ratio of processor time."


def main() -> int:
    """Measures the programs asked for; returns the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--size", type=float, default=1.0, help="of the CPU device's problems")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    from phalanx._cuda_c import CudaCModule

    on_gpu = os.environ.get("PHALANX_DEVICE") == "cuda"
    programs = PROGRAMS if on_gpu else [*MORE_PROGRAMS, *PROGRAMS]
    source = SOURCE if on_gpu else SOURCE + CUDA_C
    module = CudaCModule(source)
    theirs, pocl, where = None, None, ""
    if on_gpu:
        import cupy

        theirs = cupy.RawModule(code=source)
    else:
        pocl, where = find_pocl()
    rows = []
    for program in programs:
        if options.only and not any(word in program.name for word in options.only):
            continue
        rows += (
            [beside_nvrtc(module, theirs, program, options.rounds)]
            if on_gpu
            else on_the_cpu(module, pocl, program, options)
        )
        print(f"... {program.name}: {rows[-1].ratio:.3f} x", file=sys.stderr, flush=True)
    rows += FirstLaunches().rows()
    title = "on a GPU" if on_gpu else "on the CPU device"
    packages = ["phalanx", "cupy-cuda13x"] if on_gpu else ["phalanx", "numpy"]
    head = f"## CUDA C {title}\n\n{versions(packages)}. Medians.{where}\n"
    return report(head, rows, options.output)


if __name__ == "__main__":
    sys.exit(main())
