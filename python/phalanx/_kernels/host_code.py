"""CUDA C source for the CPU device: the system's C++ compiler makes objects of it."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from ..errors import DeviceError, LoweringError

# What CUDA C has without an include, as far as one thread by itself can have it.
_PRELUDE = """
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#define __device__
#define __host__
#define __constant__ const
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
template <typename T> static inline T min(T a, T b) { return b < a ? b : a; }
template <typename T> static inline T max(T a, T b) { return a < b ? b : a; }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
"""

_OPTIONS = (
    "-x", "c++", "-std=c++17", "-c", "-O3", "-fPIC", "-fno-exceptions", "-fno-rtti",
    "-fno-math-errno", "-fno-asynchronous-unwind-tables", "-ffp-contract=fast", "-march=native",
)  # fmt: skip

_COMPILERS = ("c++", "g++", "clang++")


def compile_for_host(name: str, source: str) -> bytes:
    """The object of CUDA C source that one thread can run by itself.

    Raises `LoweringError` with the compiler's words for source that it does not take, such as one
    that names threads, and `DeviceError` where there is no compiler.
    """
    return _compiled(name, source, tuple(_extra_folders()))


def _extra_folders() -> list[str]:
    from .._core.toolkit import extra_search_paths

    return extra_search_paths()


def _compiler() -> str:
    given = os.environ.get("CXX", "").split()
    for candidate in (*given[:1], *_COMPILERS):
        found = shutil.which(candidate)
        if found:
            return found
    raise DeviceError(
        "CUDA C source needs a C++ compiler on the CPU device, and none was found: install g++ or "
        "clang, or name one in CXX"
    )


@functools.lru_cache(maxsize=64)
def _compiled(name: str, source: str, folders: tuple[str, ...]) -> bytes:
    compiler = _compiler()
    with tempfile.TemporaryDirectory(prefix="phalanx-") as folder:
        prelude, text = Path(folder, "prelude.h"), Path(folder, Path(f"{name}.cu").name)
        prelude.write_text(_PRELUDE)
        text.write_text(source)
        made = Path(folder, "code.o")
        includes = [f"-I{each}" for each in folders]
        command = [compiler, *_OPTIONS, *includes, "-include", str(prelude), str(text)]
        done = subprocess.run([*command, "-o", str(made)], capture_output=True, text=True)
        if done.returncode != 0:
            raise LoweringError(
                f"the CUDA C source {name} does not compile for the CPU device, where a function "
                f"knows one thread only ({compiler}):\n{done.stderr.strip()}"
            )
        return made.read_bytes()
