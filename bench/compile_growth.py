"""How compile time grows with the length of a function: prints a Markdown table.

    python bench/compile_growth.py [--sizes 100,200,400,800] [--only SHAPE] [--output FILE]

Each shape is a function of n like statements, compiled without any cache as a CPU function, as a
kernel on the CPU device, and to PTX (no GPU is needed). Times are of the processor. The exponent is
the slope of the line through the logarithms; n log n has 1.2 from 100 to 800.
"""

from __future__ import annotations

import argparse
import linecache
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from phalanx import _engine, cuda, njit, types

CAPABILITY = (8, 0)


def _function(first: str, lines: Iterable[str], last: str) -> str:
    return "\n    ".join(["def f(a, i):", first, *lines, last])


def elif_chain(n: int) -> str:
    """One `if` with n - 1 `elif`s."""
    tests = [f"elif v == {j}: x = math.sqrt({j}.0 + v)" for j in range(1, n)]
    return _function("v = int(a[i])", ["if v == 0: x = 0.0", *tests, "else: x = -1.0"], "a[i] = x")


def long_block(n: int) -> str:
    """Loads and arithmetic on one variable, without branches."""
    return _function(
        "x = a[i]", (f"x = x * {j}.5 + a[i + {j % 100}]" for j in range(n)), "a[i] = x"
    )


def stores(n: int) -> str:
    """Loads and stores that may be of one address."""
    return _function(
        "j = i", (f"a[j + {j % 100}] = a[i + {j % 90}] * {j}.5" for j in range(n)), "a[i] = 0"
    )


def remainders(n: int) -> str:
    """64-bit `%` by divisors that are not known."""
    lines = (f"s += v % (i + {j + 3})" for j in range(n))
    return _function("v = int(a[i]); s = 0", lines, "a[i] = s")


def branches(n: int) -> str:
    """One `if` after another."""
    lines = (f"if x > {j}: x = x * {j}.5 + math.sqrt(x)" for j in range(n))
    return _function("x = a[i]", lines, "a[i] = x")


SHAPES: tuple[Callable[[int], str], ...] = (elif_chain, long_block, stores, remainders, branches)


def made(source: str) -> Callable[..., Any]:
    """The function of a source text."""
    name = f"<growth {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names: dict[str, Any] = {"math": math}
    exec(compile(source, name, "exec"), names)
    function: Callable[..., Any] = names["f"]
    return function


def as_function(source: str) -> None:
    """Compiles it as a CPU function."""
    njit(cache=False)(made(source))(np.ones(200), 1)


def as_kernel(source: str) -> None:
    """Compiles it for the CPU device, for warps of 32 lanes."""
    scalar = _engine.Type.scalar
    given = (_engine.Type.array(scalar("float64"), 1, "C"), scalar("int64"))
    kernel = cuda.jit(cache=False)(made(source)).kernel_for(given)
    kernel.compile(_engine.device("cpu"), [32])


def as_ptx(source: str) -> None:
    """Compiles it to PTX."""
    cuda.compile_ptx(made(source), (types.float64[::1], types.int64), cc=CAPABILITY)


PATHS: dict[str, Callable[[str], None]] = {
    "function": as_function,
    "kernel on the CPU": as_kernel,
    "PTX": as_ptx,
}


def seconds(path: Callable[[str], None], source: str) -> float:
    """Processor time of one compilation."""
    start = time.process_time()
    path(source)
    return time.process_time() - start


def exponent(sizes: list[int], times: list[float]) -> float:
    """The power of n that the times grow with."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="100,200,400,800")
    parser.add_argument("--only", choices=[shape.__name__ for shape in SHAPES])
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    lines = [
        "| shape | path | " + " | ".join(f"n = {n}" for n in sizes) + " | exponent |",
        "|---|---|" + "---|" * (len(sizes) + 1),
    ]
    print("\n".join(lines))
    for shape in SHAPES:
        if given.only not in (None, shape.__name__):
            continue
        for name, path in PATHS.items():
            path(shape(3))  # what only the first compilation does
            times = [seconds(path, shape(n)) for n in sizes]
            shown = " | ".join(f"{each:.2f} s" for each in times)
            text = f"{shape.__name__} | {name} | {shown} | {exponent(sizes, times):.2f}"
            lines.append(f"| {text} |")
            print(lines[-1], flush=True)
    if given.output:
        given.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
