"""Machine instructions of the textbook kernels beside the same CUDA C, without a GPU.

    python bench/sass_counts.py [--only WORD ...] [--arch sm_90] [--fastmath] [--show]

Needs ptxas, nvcc and nvdisasm of a CUDA toolkit (`PATH`, or `CUDA_HOME`; `pip install
nvidia-cuda-nvdisasm` has the last). Prints for each kernel the instructions up to the exit and
those of each innermost loop, ours / CUDA C's. A shorter loop is not always a faster one:
`textbook.py` measures on a GPU.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from _textbook import PROGRAMS, Program
from _textbook_cuda import SOURCE

ADDRESS = re.compile(r"^\s*/\*([0-9a-f]+)\*/\s+(.*?);")
LABEL = re.compile(r"^(\.L_\w+):")
BRANCH = re.compile(r"\bBRA\b.*`\((\.L_\w+)\)")


def tool(name: str) -> str:
    """The path of a program of the CUDA toolkit."""
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    found = shutil.which(name) or shutil.which(name, path=f"{home}/bin")
    if found is None:
        raise SystemExit(f"{name} was not found; set CUDA_HOME to a CUDA toolkit that has it")
    return found


def signature(program: Program) -> str:
    """The types of the kernel's arguments, as `compile_ptx` wants them."""
    texts = []
    for each in program.problem(1e-4).arguments:
        if isinstance(each, np.ndarray):
            texts.append(f"{each.dtype}[{':, ' * (each.ndim - 1)}::1]")
        else:
            texts.append(str(np.asarray(each).dtype))
    return f"void({', '.join(texts)})"


def our_cubin(program: Program, arch: str, fastmath: bool, folder: Path) -> Path:
    """The kernel in Python, through ptxas."""
    from phalanx import cuda

    number = int(re.sub(r"\D", "", arch))
    text, _ = cuda.compile_ptx(
        program.kernel(cuda), signature(program), cc=divmod(number, 10), fastmath=fastmath
    )
    ptx, cubin = folder / "ours.ptx", folder / "ours.cubin"
    ptx.write_text(text)
    subprocess.run([tool("ptxas"), f"-arch={arch}", "-O3", ptx, "-o", cubin], check=True)
    return cubin


def their_cubin(arch: str, fastmath: bool, folder: Path) -> Path:
    """All kernels in CUDA C."""
    source, cubin = folder / "theirs.cu", folder / "theirs.cubin"
    source.write_text(SOURCE)
    flags = ["-use_fast_math"] if fastmath else []
    subprocess.run(
        [tool("nvcc"), f"-arch={arch}", "-cubin", *flags, source, "-o", cubin], check=True
    )
    return cubin


def listing(cubin: Path, kernel: str | None = None) -> list[str]:
    """The lines of one kernel's code: labels and instructions."""
    text = subprocess.run(
        [tool("nvdisasm"), "-c", cubin], check=True, capture_output=True, text=True
    ).stdout
    parts = re.split(r"^\s*\.section\s+\.text\.", text, flags=re.MULTILINE)[1:]
    return next(p for p in parts if kernel is None or re.match(rf"{kernel}\W", p)).splitlines()


def counts(lines: list[str]) -> tuple[int, list[int]]:
    """Instructions up to the last exit, and those of each innermost loop."""
    labels: dict[str, int] = {}
    code: list[str] = []
    for line in lines:
        if label := LABEL.match(line):
            labels[label[1]] = len(code)
        elif found := ADDRESS.match(line):
            code.append(found[2])
    loops = []
    for number, text in enumerate(code):
        branch = BRANCH.search(text)
        start = labels.get(branch[1], number) if branch else number
        if start < number:
            loops.append((start, number))
    inner = [a for a in loops if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
    exits = [number for number, text in enumerate(code) if "EXIT" in text]
    return exits[-1] + 1 if exits else len(code), [end - start + 1 for start, end in inner]


def row(name: str, ours: Any, theirs: Any) -> str:
    """One line of the table."""

    def loops(lengths: list[int]) -> str:
        return " ".join(map(str, lengths)) or "-"

    return f"| {name} | {ours[0]} | {theirs[0]} | {loops(ours[1])} | {loops(theirs[1])} |"


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--fastmath", action="store_true")
    parser.add_argument("--show", action="store_true", help="print the code, too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        theirs = their_cubin(options.arch, options.fastmath, folder)
        print("| kernel | ours | CUDA C | inner loops, ours | CUDA C |\n|---|---:|---:|---|---|")
        for program in PROGRAMS:
            if options.only and not any(word in program.name for word in options.only):
                continue
            sides = [
                listing(our_cubin(program, options.arch, options.fastmath, folder)),
                listing(theirs, program.kernel.__name__),
            ]
            print(row(program.name, *map(counts, sides)), flush=True)
            if options.show:
                print("\n\n".join("\n".join(side) for side in sides))
    return 0


if __name__ == "__main__":
    sys.exit(main())
