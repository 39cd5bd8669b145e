"""What the host's own C++ compiler makes of programs of CUDA C, many in one call of it."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from cuda_c_programs import BINS, BLOCKS, COUNT, SLOTS, THREADS

HEADER = Path(__file__).with_name("cuda_c_host.h")
# What is not defined is told with its line, and goes on.
OPTIONS = (
    *("-std=c++17", "-O1", "-w", "-ffp-contract=off", "-fno-strict-aliasing", "-fmax-errors=3"),
    *("-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=vptr"),
)
MOST_SECONDS = 20  # of all programs of a call

_TOLD = re.compile(r"programs\.cpp:(\d+):\d+: (runtime error: .*)")
_RUN = """
static void run_kernel() {
  kernel(given.out, given.real, given.bins, given.a, given.u, given.x, given.y, 5);
}
"""
_GIVEN = f"""
struct Given {{
  int a[{COUNT}]; unsigned u[{COUNT}]; float x[{COUNT}]; double y[{COUNT}];
  long long out[{COUNT * SLOTS}]; double real[{COUNT * SLOTS}]; unsigned bins[{BINS}];
}};
static Given given;
static void begin() {{
  std::memset(given.out, 0, sizeof given.out);
  std::memset(given.real, 0, sizeof given.real);
  for (int i = 0; i < {BINS}; ++i) given.bins[i] = 1000u * i;
}}
static void end() {{
  std::fwrite(given.out, sizeof given.out, 1, stdout);
  std::fwrite(given.real, sizeof given.real, 1, stdout);
  std::fwrite(given.bins, sizeof given.bins, 1, stdout);
}}
"""


class Results(NamedTuple):
    """What a program stores."""

    out: np.ndarray
    real: np.ndarray
    bins: np.ndarray


class Inputs(NamedTuple):
    """What every program is given."""

    a: np.ndarray
    u: np.ndarray
    x: np.ndarray
    y: np.ndarray


class HostError(Exception):
    """The compiler, or the programs, did not end well."""


@functools.cache
def inputs() -> Inputs:
    """Numbers of all sizes, the same always."""
    choices = np.random.default_rng(67)
    small = choices.random(COUNT) < 0.6
    a = np.where(small, choices.integers(-20, 20, COUNT), choices.integers(-(10**6), 10**6, COUNT))
    u = np.where(small, choices.integers(0, 40, COUNT), choices.integers(0, 2**32, COUNT))
    x = np.where(small, choices.integers(-8, 8, COUNT) / 4, choices.normal(0, 1e4, COUNT))
    y = np.where(small, choices.integers(-9, 9, COUNT), choices.normal(0, 1e8, COUNT))
    return Inputs(a.astype(np.int32), u.astype(np.uint32), x.astype(np.float32), y)


@functools.cache
def compiler() -> str:
    """The host's compiler; raises `HostError` where there is none."""
    found = shutil.which("g++")
    if found is None:
        raise HostError("the programs are judged by g++, which is not installed")
    return found


def _source(texts: list[str]) -> tuple[str, list[int]]:
    """All programs in namespaces of their own, and the line that each begins at."""
    parts = [f'#include "{HEADER}"\n', _GIVEN]
    lines = "".join(parts).count("\n")
    starts = []
    for number, text in enumerate(texts):
        part = text.replace('extern "C" ', "static ") + _RUN
        starts.append(lines + 1)
        parts.append(f"namespace program{number} {{\n{part}}}\n")
        lines += parts[-1].count("\n")
    runs = "".join(
        f'std::fprintf(stderr, "begins {number}\\n"); begin(); '
        f"run_grid({BLOCKS}, {THREADS}, program{number}::run_kernel); end();\n"
        for number in range(len(texts))
    )
    data = "".join(f"std::fread(given.{each}, sizeof given.{each}, 1, stdin);" for each in "auxy")
    return "".join(parts) + f"int main() {{ {data}\n{runs}}}\n", starts


def _built(texts: list[str], folder: Path) -> list[int]:
    source, starts = _source(texts)
    (folder / "programs.cpp").write_text(source)
    command = [compiler(), *OPTIONS, "programs.cpp", "-o", "programs"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise HostError(done.stderr[:2000])
    return starts


def run(texts: list[str]) -> list[Results | str]:
    """What each program stores, or what in it C++ does not define."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        starts = _built(texts, folder)
        data = b"".join(each.tobytes() for each in inputs())
        try:
            done = subprocess.run(
                [folder / "programs"], input=data, capture_output=True, timeout=MOST_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise HostError("the programs do not end") from None
    told = done.stderr.decode(errors="replace")
    size = COUNT * SLOTS * 16 + BINS * 4
    if done.returncode or len(done.stdout) != size * len(texts):
        raise HostError(f"the programs ended with {done.returncode}: {told[-500:]}")
    results: list[Results | str] = []
    for number in range(len(texts)):
        part = done.stdout[number * size : (number + 1) * size]
        out, real, bins = (
            part[: COUNT * SLOTS * 8],
            part[COUNT * SLOTS * 8 : -BINS * 4],
            part[-BINS * 4 :],
        )
        results.append(
            Results(
                np.frombuffer(out, np.int64), np.frombuffer(real), np.frombuffer(bins, np.uint32)
            )
        )
    for line, why in _TOLD.findall(told):
        number = sum(start <= int(line) for start in starts) - 1
        results[max(number, 0)] = why
    return results
