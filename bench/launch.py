"""What a launch costs the host: prints a Markdown table.

    python bench/launch.py [--device cpu|cuda] [--output FILE]

On a GPU beside a C loop over the driver's cuLaunchKernel with the same parameter bytes, in the same
run; nvcc or gcc builds it. On the CPU device one block, whose run is part of the launch.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, cpu_name, per_call, report, versions

COUNT = 20000

# The bare loop: what the driver alone takes for these launches.
SOURCE = r"""
#include <stddef.h>
typedef int (*Launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                      void*, void**, void**);
int loop(Launch launch, void* function, void* parameters, size_t bytes, int count) {
  void* extra[] = {(void*)1, parameters, (void*)2, &bytes, (void*)0};
  for (int i = 0; i < count; ++i) {
    int error = launch(function, 1, 1, 1, 32, 1, 1, 0, (void*)0, (void**)0,
                       bytes ? extra : (void**)0);
    if (error) return error;
  }
  return 0;
}
"""

# Name, parameters in PTX's words for the bare loop, and the target: times the bare launch.
CASES = (("no arguments", 0, 0, 1.2), ("1 array", 1, 0, 1.3), ("16 arrays", 16, 0, 1.5),
         ("256 scalars", 0, 256, 2.0))  # fmt: skip


def kernel_of(arrays: int, scalars: int) -> Any:
    """A kernel with these numbers of parameters that does one store and nothing else."""
    from phalanx import cuda

    names = [f"a{i}" for i in range(arrays)] + [f"s{i}" for i in range(scalars)]
    body = "a0[0] = 1" if arrays else "pass"
    text = f"def kernel({', '.join(names)}):\n    if cuda.grid(1) < 0:\n        {body}\n"
    space: dict[str, Any] = {"cuda": cuda}
    import linecache

    file = f"<bench {arrays} {scalars}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), space)
    return cuda.jit(space["kernel"])


def arguments_of(arrays: int, scalars: int) -> tuple[Any, ...]:
    """Arguments for `kernel_of`."""
    from phalanx import cuda

    return tuple(cuda.device_array(16, np.float32) for _ in range(arrays)) + (1.5,) * scalars


class Bare:
    """The C loop over cuLaunchKernel."""

    def __init__(self) -> None:
        compiler = shutil.which("gcc") or shutil.which("cc")
        if compiler is None:
            raise RuntimeError("the bare launch needs a C compiler: install gcc")
        self._folder = tempfile.TemporaryDirectory()
        source = Path(self._folder.name) / "loop.c"
        source.write_text(SOURCE)
        library = source.with_suffix(".so")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
        self._loop = ctypes.CDLL(str(library)).loop
        self._driver = ctypes.CDLL("libcuda.so.1")

    def loop(self, cubin: bytes, name: str, parameter_bytes: int) -> Callable[[], None]:
        """COUNT launches; the context is current."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self._call("cuModuleLoadData", ctypes.byref(module), cubin)
        self._call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        memory = ctypes.create_string_buffer(max(parameter_bytes, 1))
        launch = ctypes.cast(self._driver.cuLaunchKernel, ctypes.c_void_p)

        def run() -> None:
            error = self._loop(launch, function, memory, ctypes.c_size_t(parameter_bytes), COUNT)
            if error:
                raise RuntimeError(f"cuLaunchKernel failed: {error}")

        return run

    def _call(self, name: str, *arguments: Any) -> None:
        error = getattr(self._driver, name)(*arguments)
        if error:
            raise RuntimeError(f"{name} failed: {error}")

    def make_current(self) -> None:
        """The primary context, which Phalanx uses too."""
        context = ctypes.c_void_p()
        self._call("cuInit", 0)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self._call("cuCtxSetCurrent", context)


def parameter_bytes_of(ptx: str) -> tuple[str, int]:
    """The kernel's name in PTX, and the bytes of its parameters."""
    import re

    name = re.search(r"\.entry\s+(\w+)", ptx)
    assert name is not None
    sizes = [int(bits) // 8 for bits in re.findall(r"\.param\s+\.[a-z](\d+)\s", ptx)]
    return name[1], sum(sizes)


def repeated(launch: Any, arguments: tuple[Any, ...]) -> Callable[[], None]:
    """COUNT launches."""

    def run() -> None:
        for _ in range(COUNT):
            launch(*arguments)

    return run


def best_in_turn(
    first: Callable[[], None], second: Callable[[], None], sync: Callable[[], None]
) -> list[float]:
    """Seconds a launch of each takes: the best of five loops, which take turns."""
    best = [float("inf"), float("inf")]
    for _ in range(6):
        for i, run in enumerate((first, second)):
            start = time.perf_counter()
            run()
            best[i] = min(best[i], (time.perf_counter() - start) / COUNT)
            sync()
    return best


def gpu_rows() -> list[Row]:
    """Each case beside the bare launch."""
    from phalanx import _engine, cuda

    bare = Bare()
    bare.make_current()
    rows = []
    for name, arrays, scalars, target in CASES:
        kernel, arguments = kernel_of(arrays, scalars), arguments_of(arrays, scalars)
        launch = kernel[1, 32]
        launch(*arguments)
        cuda.synchronize()
        device = _engine.current_device()
        compiled = kernel.kernels()[0][1]
        symbol, size = parameter_bytes_of(compiled.assembly(device))
        ours, peer = best_in_turn(
            repeated(launch, arguments),
            bare.loop(compiled.cubin(device), symbol, size),
            cuda.synchronize,
        )
        rows.append(
            Row(
                f"launch, {name} ({size} bytes)",
                ours * 1e6,
                peer * 1e6,
                "us",
                "bare cuLaunchKernel",
                target=1 / target,
            )
        )
    return [*rows, *text_rows_on_gpu()]


TEXT = "__global__ void f(float* a, float* b, float* c, int n) { if (n < 0) *a = *b + *c; }"
GRID, BLOCK = (1, 1), (32, 1, 1)


def text_loops() -> tuple[Any, dict[str, Callable[[], None]]]:
    """A kernel in CUDA C, and COUNT launches of it by each interface: three arrays, a number."""
    from phalanx.compat.cupy_raw_kernels import RawKernel
    from phalanx.compat.pycuda import gpuarray
    from phalanx.compat.pycuda.compiler import SourceModule
    from phalanx.compat.pycuda.driver import mem_alloc

    import phalanx as px

    function = SourceModule(TEXT).get_function("f").prepare("PPPi")
    raw = RawKernel(f'extern "C" {TEXT}', "f")
    blocks = tuple(mem_alloc(64) for _ in range(3))
    arrays = tuple(gpuarray.zeros(16, np.float32) for _ in range(3))
    passed = (*(px.zeros(16, "float32") for _ in range(3)), np.int32(7))

    def prepared() -> None:
        a, b, c = blocks
        for _ in range(COUNT):
            function.prepared_call(GRID, BLOCK, a, b, c, 7)

    def of_arrays() -> None:
        x, y, z = arrays
        for _ in range(COUNT):
            function.prepared_call(GRID, BLOCK, x.gpudata, y.gpudata, z.gpudata, 7)

    def called() -> None:
        a, b, c = blocks
        number = np.int32(7)
        for _ in range(COUNT):
            function(a, b, c, number, block=BLOCK, grid=GRID)

    def raw_kernel() -> None:
        for _ in range(COUNT):
            raw(GRID, BLOCK, passed)

    loops = {
        "prepared_call of PyCUDA's interface, allocations": prepared,
        "prepared_call of PyCUDA's interface, x.gpudata": of_arrays,
        "a function of PyCUDA's interface, allocations": called,
        "RawKernel of CuPy's interface, arrays": raw_kernel,
    }
    return function, loops


def text_rows(peer: Callable[[], None], peer_name: str, loops: dict[str, Any]) -> list[Row]:
    """Each loop beside the same launches by a peer, in turn."""
    from phalanx import cuda

    rows = []
    for name, loop in loops.items():
        ours, theirs = best_in_turn(loop, peer, cuda.synchronize)
        target = 1 / 1.2 if peer_name == "bare cuLaunchKernel" and "allocations" in name else None
        rows.append(
            Row(f"{name} (28 bytes)", ours * 1e6, theirs * 1e6, "us", peer_name, target=target)
        )
    return rows


def text_rows_on_gpu() -> list[Row]:
    """Kernels in CUDA C beside the bare launch."""
    from phalanx import _engine

    function, loops = text_loops()
    for loop in loops.values():
        loop()
    bare = Bare()
    bare.make_current()
    cubin = function._launcher.handle.cubin(_engine.current_device())
    return text_rows(bare.loop(cubin, "f", 28), "bare cuLaunchKernel", loops)


def text_rows_on_cpu() -> list[Row]:
    """Kernels in CUDA C beside the engine's launcher, whose arguments need no conversion."""
    from phalanx import cuda

    function, loops = text_loops()
    arguments = (*(cuda.device_array(64, np.uint8) for _ in range(3)), 7)
    launch = repeated(function._launcher[GRID, BLOCK], arguments)
    return text_rows(launch, "kernel[grid, block](...)", loops)


def cpu_rows() -> list[Row]:
    """One block on the CPU device."""
    from phalanx import cuda

    rows = []
    for name, arrays, scalars, _ in CASES:
        kernel, arguments = kernel_of(arrays, scalars), arguments_of(arrays, scalars)
        launch = kernel[1, 32]
        seconds = per_call(lambda: launch(*arguments), lambda: None, COUNT)  # noqa: B023
        target = 1.5 if scalars == 0 and arrays <= 1 else None
        rows.append(
            Row(
                f"launch of 1 block, {name}",
                seconds * 1e6,
                float("nan"),
                "us",
                "",
                target=target,
            )
        )
    cuda.synchronize()
    return [*rows, *text_rows_on_cpu()]


def main() -> int:
    """Prints the table; returns the number of missed targets."""
    import warnings

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=["cpu", "cuda"])
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    if options.device:
        os.environ["PHALANX_DEVICE"] = options.device
    from phalanx.errors import PerformanceWarning

    from phalanx import _engine

    warnings.simplefilter("ignore", PerformanceWarning)
    device = _engine.current_device()
    rows = cpu_rows() if device.kind == "cpu" else gpu_rows()
    where = cpu_name() if device.kind == "cpu" else device.name
    heading = (
        f"## Launches, {device.kind}\n\n{where}. {versions(['phalanx'])}. Best of five loops.\n"
    )
    return report(heading, rows, options.output)


if __name__ == "__main__":
    sys.exit(main())
