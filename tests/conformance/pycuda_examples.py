"""Runs PyCUDA's own examples, unchanged, under ``phalanx run``: one line for each.

    export PHALANX_PYCUDA_SRC=../pycuda      # a checkout, with examples/ and examples/from-wiki/
    python tests/conformance/pycuda_examples.py [-k TEXT] [--device cpu|cuda] [--all] [-v]

``--all`` also runs what takes minutes. Those that cannot run are listed with the reason. The exit
status is 0 when all ran and printed what they should, 1 when not, 77 without the checkout.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

VARIABLE = "PHALANX_PYCUDA_SRC"
SKIPPED = 77
SECONDS = 900  # that a program may take


class Example(NamedTuple):
    """One program. `says` is an expression that what it prints has to match, as one text."""

    path: str  # below examples/
    says: str = ""
    needs: tuple[str, ...] = ()  # packages that it imports
    is_slow: bool = False
    why_not: str = ""  # why it cannot run


_ZEROS = r"^[\s\[\]0.]+$"  # arrays of zeros alone

EXAMPLES = (
    Example("hello_gpu.py", _ZEROS),
    Example("demo.py", "doubled with InOut:.*doubled with gpuarray:"),
    Example("demo_elementwise.py"),
    Example("demo_meta_template.py", needs=("jinja2",)),
    Example("demo_meta_codepy.py", needs=("cgen",)),
    Example("demo_struct.py", r"\[ 4\.  8\. 12\.\]\n\[ 0\. 64\.\]\n$"),
    Example("dump_properties.py", r"Device #0: .*Compute Capability: \d+\.\d"),
    Example("fill_gpu_with_nans.py", r"filled \d+ out of \d+ bytes with NaNs"),
    Example("cai_numba.py", "doubled with numba:"),
    Example("cai_cupy_arrays.py", "doubled with kernel:"),
    Example("from-wiki/c++_function_templates.py", r"incr\(x\):"),
    Example("from-wiki/convolution.py", "Done running the convolution kernel!"),
    Example("from-wiki/demo_complex.py", r"e-0\d"),
    Example("from-wiki/demo_meta_cgen.py", needs=("cgen",)),
    Example("from-wiki/distance_element_wise3d.py"),
    Example("from-wiki/kernel_concurrency.py", r"^(?!.*FAILED).*passed\..*passed\."),
    Example("from-wiki/manhattan_distance_for_2D_array.py", r"-4\]\]"),
    Example("from-wiki/matrixmul_simple.py"),
    Example("from-wiki/matrixmul_tiled.py", r"L2 norm: (0\.0|[\d.]+e-0\d)"),
    Example("from-wiki/multiple_threads.py", "successful exit from thread 0"),
    Example("from-wiki/plot_random_data.py", needs=("matplotlib",)),
    Example("from-wiki/simple_speed_test.py", r"\d+s, \["),
    Example("from-wiki/threads_and_blocks.py", r"(I am \d+th thread [^\n]*\n){64}"),
    Example("from-wiki/using_printf.py", r"(I am \d\.\d\n){16}"),
    Example(
        "from-wiki/matrix_transpose.py", "Sizes", needs=("pytools", "matplotlib"), is_slow=True
    ),
    Example("from-wiki/measure_gpuarray_speed_random.py", needs=("pytools",), is_slow=True),
    Example("demo_cdpSimplePrint.py", why_not="kernels that launch kernels"),
    Example("from-wiki/2d_fft.py", why_not="pyfft, and scipy.misc of old SciPy"),
    Example("from-wiki/arithmetic_example.py", why_not="Python 2: N/1024 is a grid"),
    Example("from-wiki/demo_meta_matrixmul_cheetah.py", why_not="Python 2: Cheetah"),
    Example("from-wiki/game_of_life.py", why_not="a window, and a loop without an end"),
    Example("from-wiki/gl_interop.py", why_not="OpenGL"),
    Example("from-wiki/gpu_scalar_mult.py", why_not="texture references, which CUDA 12 removed"),
    Example("from-wiki/light_field_3d_viewer.py", why_not="a window, and packages of Python 2"),
    Example("from-wiki/mandelbrot.py", why_not="a window, and PIL of Python 2"),
    Example("from-wiki/mandelbrot_interactive.py", why_not="a window"),
    Example("from-wiki/rotate.py", why_not="texture references, which CUDA 12 removed"),
    Example(
        "from-wiki/select_to_list.py",
        why_not="all threads add through a pointer that one thread sets: undefined in C++",
    ),
    Example("from-wiki/simple_rgb2gray.py", why_not="a window, and scipy.misc of old SciPy"),
    Example("from-wiki/sobel_filter.py", why_not="OpenGL"),
    Example("from-wiki/sparse_solve.py", why_not="pycuda.sparse, and a file of a matrix"),
    Example("from-wiki/thrust_interop.py", why_not="nvcc and Boost, by codepy"),
)


def run(program: Path, device: str) -> tuple[int, float, str]:
    """The exit status, the seconds of the process, and what it printed."""
    command = [sys.executable, "-m", "phalanx", "run", "--device", device, str(program)]
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        try:
            done = subprocess.run(
                command, cwd=folder, env=os.environ | {"MPLBACKEND": "Agg"}, input="\n",
                capture_output=True, text=True, timeout=SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return 1, SECONDS, f"longer than {SECONDS} s"
        return done.returncode, time.perf_counter() - start, done.stdout + done.stderr


def reason(example: Example, root: Path, runs_slow: bool) -> str:
    """Why it is not run; "" where it is."""
    if example.why_not:
        return example.why_not
    if not (root / example.path).exists():
        return "not in the checkout"
    missing = [each for each in example.needs if find_spec(each) is None]
    if missing:
        return f"needs {', '.join(missing)}"
    return "takes minutes: --all" if example.is_slow and not runs_slow else ""


def line(example: Example, root: Path, options: argparse.Namespace) -> tuple[bool, str]:
    """Runs one; whether it ran as it should, and the line that says so."""
    status, seconds, output = run(root / example.path, options.device)
    if options.verbose:
        print(output)
    if status:
        last = [each for each in output.splitlines() if each.strip()][-1:]
        return False, f"{example.path}: failed: {' '.join(last)[:200]}"
    if not re.search(example.says, output, re.DOTALL):
        return False, f"{example.path}: failed: what it prints does not match {example.says}"
    return True, f"{example.path}: ran, {seconds:.2f} s"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-k", metavar="TEXT", default="", help="only programs of that text")
    parser.add_argument("--device", default="cpu", help="as of phalanx run: cpu, cuda, cuda:N")
    parser.add_argument("--all", action="store_true", help="what takes minutes, too")
    parser.add_argument("-v", "--verbose", action="store_true", help="what the programs print")
    options = parser.parse_args()
    source = os.environ.get(VARIABLE)
    if not source:
        print(f"set {VARIABLE} to a checkout of https://github.com/inducer/pycuda")
        return SKIPPED
    root = Path(source).resolve() / "examples"
    counts = {"ran": 0, "failed": 0, "not run": 0}
    for example in EXAMPLES:
        if options.k not in example.path:
            continue
        why = reason(example, root, options.all)
        if why:
            counts["not run"] += 1
            print(f"{example.path}: not run: {why}", flush=True)
            continue
        is_good, text = line(example, root, options)
        counts["ran" if is_good else "failed"] += 1
        print(text, flush=True)
    print("examples", *(f"{word} {count}" for word, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
