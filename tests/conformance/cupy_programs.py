"""Runs public programs for CuPy, unchanged, under ``phalanx run``: one line for each.

    export PHALANX_CUPY_PROGRAMS=../programs      # OWNER/REPO below it, at the commits below
    python tests/conformance/cupy_programs.py [-k TEXT] [--device cpu|cuda] [--numpy] [--fetch]

``--fetch`` clones what is missing. ``--numpy`` also runs what a program has for NumPy, and prints
both times: of the whole process, or what the program prints. The exit status is 0 when all ran, 1
when not, 77 without the folder. No program of theirs is in this repository.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

VARIABLE = "PHALANX_CUPY_PROGRAMS"
SKIPPED = 77
CUPY = "6b6d9563c"


class Program(NamedTuple):
    """One program: where it comes from and how it is run. ``{image}`` is a picture to filter."""

    kind: str
    repository: str
    commit: str
    path: str  # or "-m MODULE", or "-c MODULE:FUNCTION" for the scripts of packages
    arguments: str = ""
    folder: str = ""  # where it runs, below the checkout; none: a folder for its files
    numpy: str = ""  # the path and the arguments of the same for NumPy
    needs: tuple[str, ...] = ()  # packages that it imports
    # What it prints of its time, and of NumPy's: groups "ours" and "numpy", in seconds.
    times: str = ""
    falls_back: str = ""  # what it prints where it gives up on CuPy, and goes on without


_TIMES = r"CPU ?: +(?P<numpy>[\d.]+).*GPU ?: +(?P<ours>[\d.]+)"

PROGRAMS = (
    Program("conjugate gradient", "cupy/cupy", CUPY, "examples/cg/cg.py", "-m 20", times=_TIMES),
    Program(
        "Gaussian mixture", "cupy/cupy", CUPY, "examples/gmm/gmm.py", "--num 100000",
        needs=("matplotlib", "scipy"), times=_TIMES,
    ),
    Program(
        "k-means", "cupy/cupy", CUPY, "examples/kmeans/kmeans.py", "--num 1000000",
        needs=("matplotlib",), times=_TIMES,
    ),
    Program("kernels of cupyx.jit", "cupy/cupy", CUPY, "examples/jit/reduction_simple.py"),
    Program("streams", "cupy/cupy", CUPY, "examples/stream/map_reduce.py"),
    Program(
        "n-body", "dtroiano99/cupy_course", "be88f9a83", "7_nbody_cupy_run.py",
        folder="exercises/solutions", numpy="5_nbody_numpy_run.py",
        times=r"CPU: *(?P<us>[\d.]+) us",
    ),
    Program(
        "kernels of cupyx.jit", "dtroiano99/cupy_course", "be88f9a83",
        "src/6_rawkernel_decorator.py",
    ),
    Program(
        "finance: Monte Carlo", "QB2134/GPU-Accelerated-Monte-Carlo-Stock-Price-Simulation",
        "a56e434fc", "Monte Calro Sim.py", needs=("matplotlib", "scipy"),
        times=r"completed in (?P<ours>[\d.]+) seconds",
    ),
    Program(
        "image filter", "linskybing/cupy-sobel", "a227f7154", "sobel_cupy.py",
        "{image} sobel.png", needs=("PIL", "scipy"), times=r"took (?P<ours>[\d.]+) seconds",
    ),
    Program(
        "heat equation", "VenkiPhy6/gpu_workshop", "6ebf00757",
        "python-gpu/tutorials/Heat_diffusion_Cupy.py",
        times=r"Elapsed time: +(?P<ours>[\d.]+)",
    ),
    Program(
        "turbulence by FFT", "mannetroll/cupyturbo", "442b20d05", "-m cupyturbo.dns_simulator",
        "256 10000 10 101 0.75 gpu", folder=".",
        numpy="-m cupyturbo.dns_simulator 256 10000 10 101 0.75 cpu", needs=("scipy",),
    ),
    Program(
        "cellular automaton", "tackandr/GameOfLife", "92fafc7ab", "game_of_life_cupy.py",
        "--width 1024 --height 1024 --steps 100 --seed 1",
        numpy="game_of_life.py --width 1024 --height 1024 --steps 100 --seed 1",
    ),
    Program(
        "graph: shortest paths", "ShenDezhou/APSP", "04a6e4501", "example/DP-MM.py", "-d 2",
        folder=".", numpy="example/DP-MM.py -d 2 -u cpu", times=r"time: (?P<ours>[\d.]+)",
    ),
    Program(
        "ray tracing in CUDA C", "gkmngrgn/rayt", "66c0188c1", "-c rayt.cli:one_weekend",
        "--engine gpu --image-width 600 --samples-per-pixel 20", needs=("click",),
        falls_back="rendering failed",
    ),
)  # fmt: skip


def checkout(root: Path, program: Program, fetches: bool) -> Path | None:
    """The folder of the program's repository at its commit, None where it is not there."""
    folder = root / program.repository
    at_commit = folder.with_name(f"{folder.name}@{program.commit}")
    if at_commit.is_dir():
        return at_commit
    if folder.is_dir() and not fetches:
        return folder
    if not fetches:
        return None
    url = f"https://github.com/{program.repository}"
    subprocess.run(["git", "clone", "-q", url, str(at_commit)], check=True)
    subprocess.run(["git", "-C", str(at_commit), "checkout", "-q", program.commit], check=True)
    return at_commit


def image(folder: Path) -> str:
    """A picture of a megapixel."""
    import numpy as np
    from PIL import Image

    made = np.random.default_rng(1).integers(0, 256, (1024, 1024, 3), dtype=np.uint8)
    Image.fromarray(made).save(folder / "in.png")
    return str(folder / "in.png")


def run(
    program: Program, source: Path, text: str, runner: list[str], environment: dict[str, str]
) -> tuple[bool, float, str]:
    """True when the program ended well, the seconds of the process, and what it printed."""
    with tempfile.TemporaryDirectory() as name:
        folder = source / program.folder if program.folder else Path(name)
        words = _words(text, source, folder)
        filled = [image(Path(name)) if word == "{image}" else word for word in words]
        environment = environment | {
            "PYTHONPATH": os.pathsep.join(
                [
                    *filter(None, [environment.get("PYTHONPATH")]),
                    str(source),
                    str(source / "src"),
                ]
            ),
            "MPLBACKEND": "Agg",
        }
        start = time.perf_counter()
        done = subprocess.run(
            [*runner, *filled], cwd=folder, env=environment, capture_output=True, text=True,
            timeout=900, check=False,
        )  # fmt: skip
        output = done.stdout + done.stderr
        is_good = done.returncode == 0 and (program.falls_back or "\0") not in output
        return is_good, time.perf_counter() - start, output


def _words(text: str, source: Path, folder: Path) -> list[str]:
    """The file of a command, with its folder, or its module, and the arguments."""
    first, *rest = text.split()
    if first == "-m":
        return [first, *rest]
    if first == "-c":
        module, function = rest[0].split(":")
        return [first, f"from {module} import {function}; {function}()", *rest[1:]]
    path, _, arguments = text.partition(".py")
    inside = folder if (folder / f"{path}.py").exists() else source
    return [str(inside / f"{path}.py"), *arguments.split()]


def _seconds(program: Program, output: str, whole: float, group: str = "ours") -> float:
    found = re.search(program.times, output, re.DOTALL) if program.times else None
    groups = found.groupdict() if found else {}
    if "us" in groups:
        return float(groups["us"]) / 1e6
    return float(groups.get(group) or whole)


def line(program: Program, source: Path, options: argparse.Namespace) -> tuple[bool, str]:
    """Runs one program; the line that says how it ended."""
    runner = [sys.executable, "-m", "phalanx", "run", "--device", options.device]
    text = f"{program.path} {program.arguments}".strip()
    is_good, whole, output = run(program, source, text, runner, dict(os.environ))
    title = f"{program.kind} ({program.repository}/{program.path})"
    if not is_good:
        last = [each for each in output.splitlines() if each.strip()][-1:]
        return False, f"{title}: failed: {' '.join(last)[:200]}"
    said = f"{title}: ran, {_seconds(program, output, whole):.2f} s"
    theirs: float | None = None
    if "numpy>" in program.times:
        theirs = _seconds(program, output, whole, "numpy")
    elif options.numpy and program.numpy:
        done = run(program, source, program.numpy, runner, dict(os.environ))
        theirs = _seconds(program, done[2], done[1]) if done[0] else None
    return True, said if theirs is None else f"{said}, NumPy {theirs:.2f} s"


def _missing(program: Program) -> list[str]:
    from importlib.util import find_spec

    return [each for each in program.needs if find_spec(each) is None]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-k", metavar="TEXT", default="", help="only programs of that text")
    parser.add_argument("--device", default="cpu", help="as of phalanx run: cpu, cuda, cuda:N")
    parser.add_argument("--numpy", action="store_true", help="what there is for NumPy, too")
    parser.add_argument("--fetch", action="store_true", help="clone what is missing")
    options = parser.parse_args()
    root = os.environ.get(VARIABLE)
    if not root:
        print(f"set {VARIABLE} to a folder with the programs' repositories, as OWNER/REPO")
        return SKIPPED
    counts = {"ran": 0, "failed": 0, "skipped": 0}
    for program in PROGRAMS:
        if options.k not in f"{program.kind} {program.repository}/{program.path}":
            continue
        source = checkout(Path(root).resolve(), program, options.fetch)
        why = "not there" if source is None else ", ".join(_missing(program))
        if source is None or why:
            counts["skipped"] += 1
            print(f"{program.kind} ({program.repository}): skipped: {why}", flush=True)
            continue
        is_good, text = line(program, source, options)
        counts["ran" if is_good else "failed"] += 1
        print(text, flush=True)
    print("programs", *(f"{word} {count}" for word, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
