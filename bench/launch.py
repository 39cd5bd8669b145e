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
    return [*rows, prepared_row()]


def prepared_row() -> Row:
    """A prepared function of PyCUDA's interface: three allocations and a number."""
    from phalanx.compat.pycuda.compiler import SourceModule
    from phalanx.compat.pycuda.driver import mem_alloc

    from phalanx import _engine, cuda

    text = "__global__ void f(float* a, float* b, float* c, int n) { if (n < 0) *a = *b + *c; }"
    function = SourceModule(text).get_function("f").prepare("PPPi")
    memory = [mem_alloc(64) for _ in range(3)]
    grid, block = (1, 1), (32, 1, 1)
    function.prepared_call(grid, block, *memory, 7)
    cuda.synchronize()
    bare = Bare()
    bare.make_current()
    device = _engine.current_device()
    compiled = function._launcher.handle

    def run() -> None:
        a, b, c = memory
        for _ in range(COUNT):
            function.prepared_call(grid, block, a, b, c, 7)

    ours, peer = best_in_turn(run, bare.loop(compiled.cubin(device), "f", 28), cuda.synchronize)
    name = "prepared_call of PyCUDA's interface (28 bytes)"
    return Row(name, ours * 1e6, peer * 1e6, "us", "bare cuLaunchKernel", target=1 / 1.2)


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
    return rows


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
