"""The OpenCL twins of seven textbook kernels, and what runs them: PoCL by pyopencl.

The texts have the steps, the types and the tiles of the CUDA C. Arrays are NumPy's own memory
(`USE_HOST_PTR`), which the CPU's OpenCL computes in. Where a kernel does not depend on the size of
its work-groups, a problem's own and others are tried, and the fastest one is taken.

PoCL has a process of its own, as it brings another LLVM: `Pocl` starts this file, which reads a
request a line.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from _textbook import PROGRAMS, Problem, Program
from _three_kernels import MORE_PROGRAMS
from textbook_cpu import Arrays

SOURCE = r"""
#define BLOCK 256
#define BINS 256
#define SIDE 16

__kernel void vector_add(
    __global const float* a, __global const float* b, __global float* c, int n) {
  int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}

__kernel void matmul(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float tile_a[SIDE][SIDE], tile_b[SIDE][SIDE];
  int tx = get_local_id(0), ty = get_local_id(1);
  int row = get_group_id(1) * SIDE + ty, column = get_group_id(0) * SIDE + tx;
  float sum = 0;
  for (int start = 0; start < n; start += SIDE) {
    tile_a[ty][tx] = a[row * n + start + tx];
    tile_b[ty][tx] = b[(start + ty) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < SIDE; k++) sum += tile_a[ty][k] * tile_b[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

__kernel void scan(__global const float* a, __global float* out, int n) {
  __local float sums[BLOCK];
  int i = get_global_id(0), t = get_local_id(0);
  sums[t] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < BLOCK; distance *= 2) {
    float before = t >= distance ? sums[t - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[t] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sums[t];
}

__kernel void nbody(
    __global const float* x, __global const float* y, __global const float* z,
    __global const float* m, __global float* ax, __global float* ay, __global float* az,
    float softening, int n) {
  __local float tile_x[BLOCK], tile_y[BLOCK], tile_z[BLOCK], tile_m[BLOCK];
  int i = get_global_id(0), t = get_local_id(0);
  float my_x = x[i], my_y = y[i], my_z = z[i], sum_x = 0, sum_y = 0, sum_z = 0;
  for (int tile = 0; tile < n / BLOCK; tile++) {
    int j = tile * BLOCK + t;
    tile_x[t] = x[j];
    tile_y[t] = y[j];
    tile_z[t] = z[j];
    tile_m[t] = m[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < BLOCK; k++) {
      float dx = tile_x[k] - my_x, dy = tile_y[k] - my_y, dz = tile_z[k] - my_z;
      float r2 = dx * dx + dy * dy + dz * dz + softening;
      float r = 1.0f / sqrt(r2);
      float pull = tile_m[k] * r * r * r;
      sum_x += dx * pull;
      sum_y += dy * pull;
      sum_z += dz * pull;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  ax[i] = sum_x;
  ay[i] = sum_y;
  az[i] = sum_z;
}

__kernel void stencil(__global const float* a, __global float* out, int rows, int columns) {
  int j = get_global_id(0), i = get_global_id(1);
  if (0 < i && i < rows - 1 && 0 < j && j < columns - 1)
    out[i * columns + j] = 0.25f * (a[(i - 1) * columns + j] + a[(i + 1) * columns + j] +
                                    a[i * columns + j - 1] + a[i * columns + j + 1]);
}

__kernel void histogram(__global const uchar* a, __global int* counts, int n) {
  __local int here[BINS];
  int t = get_local_id(0);
  here[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_add(&here[a[i]], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[t], here[t]);
}

__kernel void fractal(
    __global int* image, float left, float top, float step, int limit, int rows, int columns) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < rows && j < columns) {
    float cx = left + j * step, cy = top + i * step, x = 0, y = 0;
    int steps = 0;
    while (steps < limit && x * x + y * y <= 4.0f) {
      float t = x * x - y * y + cx;
      y = 2.0f * x * y + cy;
      x = t;
      steps++;
    }
    image[i * columns + j] = steps;
  }
}
"""

TARGETS = {"fractal": 3.0}  # of PoCL's speed; 1 for the others
TARGET = 1.0
# Sizes of work-groups to try beside the problem's own; None: PoCL's choice.
GROUPS: dict[str, list[tuple[int, ...] | None]] = {
    "vector_add": [None, (64,), (1024,)],
    "stencil": [None, (64, 4), (256, 1)],
    "fractal": [None, (32, 8), (64, 4)],
}
KERNELS = ["vector_add", "matmul", "scan", "nbody", "stencil", "histogram", "fractal"]


class Pocl:
    """PoCL on the CPU; raises `RuntimeError`, which says what is missing, where it is not there."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        answer = self._answer()
        if "missing" in answer:
            raise RuntimeError(answer["missing"])
        self.version: str = answer["version"]

    def prepare(self, name: str, size: float) -> None:
        """Makes the arrays of a problem and compares the twin's results with NumPy's."""
        self._ask({"name": name, "size": size})

    def seconds(self) -> tuple[list[float], list[float]]:
        """Of launches in a row of what was prepared: by the clock, and of all threads together."""
        answer = self._ask({})
        return answer["clock"], answer["processor"]

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        print(json.dumps(request), file=self._process.stdin, flush=True)
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the process with PoCL ended")
        answer: dict[str, Any] = json.loads(line)
        return answer


class Twins:
    """What runs the twins, in the process with PoCL."""

    def __init__(self) -> None:
        try:
            import pyopencl as cl
        except ImportError as error:
            raise RuntimeError(
                "pyopencl is not installed (pip install 'pyopencl[pocl]')"
            ) from error
        try:
            platforms = [each for each in cl.get_platforms() if "Portable" in each.name]
        except cl.Error as error:
            raise RuntimeError("no OpenCL platform was found") from error
        if not platforms:
            raise RuntimeError("pyopencl does not find PoCL")
        self._cl = cl
        self.version = platforms[0].version
        self._context = cl.Context(platforms[0].get_devices(cl.device_type.CPU)[:1])
        self._queue = cl.CommandQueue(self._context)
        self._program = cl.Program(self._context, SOURCE).build()

    def launcher(self, program: Program, problem: Problem) -> Callable[[], None]:
        """Launches the twin with the problem's arrays and waits for its end."""
        name = program.kernel.__name__
        tuples = [
            each if isinstance(each, tuple) else (each,) for each in (problem.grid, problem.block)
        ]
        total = tuple(blocks * threads for blocks, threads in zip(*tuples, strict=True))
        flags = self._cl.mem_flags.READ_WRITE | self._cl.mem_flags.USE_HOST_PTR
        arguments = [
            self._cl.Buffer(self._context, flags, hostbuf=each)
            if isinstance(each, np.ndarray)
            else each
            for each in (*problem.arguments, *(np.int32(each) for each in problem.extents))
        ]
        kernel = self._cl.Kernel(self._program, name)

        def launch(group: tuple[int, ...] | None) -> None:
            kernel.set_args(*arguments)  # which keeps no buffer alive
            self._cl.enqueue_nd_range_kernel(self._queue, kernel, total, group)
            self._queue.finish()

        best = self._fastest(launch, [tuples[1], *self._groups(name, total)])
        return lambda: launch(best)

    @staticmethod
    def _groups(name: str, total: tuple[int, ...]) -> list[tuple[int, ...] | None]:
        """Those that divide the threads."""
        return [
            group
            for group in GROUPS.get(name, [])
            if group is None
            or all(threads % each == 0 for threads, each in zip(total, group, strict=True))
        ]

    @staticmethod
    def _fastest(launch: Callable[[Any], None], groups: list[Any]) -> Any:
        if len(groups) == 1:
            return groups[0]
        times = []
        for group in groups:
            launch(group)
            rounds = []
            for _ in range(5):
                start = time.perf_counter()
                launch(group)
                rounds.append(time.perf_counter() - start)
            times.append(min(rounds))
        return groups[times.index(min(times))]


def main() -> None:
    """Answers requests: to prepare a problem, or to run it."""
    try:
        twins = Twins()
    except RuntimeError as error:
        print(json.dumps({"missing": str(error)}), flush=True)
        return
    print(json.dumps({"version": twins.version}), flush=True)
    programs = {each.kernel.__name__: each for each in [*PROGRAMS, *MORE_PROGRAMS]}
    for line in sys.stdin:
        request = json.loads(line)
        if "name" in request:
            program = programs[request["name"]]
            problem = program.problem(request["size"])
            launch, arrays = twins.launcher(program, problem), Arrays(problem)
            arrays.check(program, launch)
            print("{}", flush=True)
        else:
            clock, processor = arrays.seconds(launch), arrays.processor_seconds(launch)
            print(json.dumps({"clock": clock, "processor": processor}), flush=True)


if __name__ == "__main__":
    main()
