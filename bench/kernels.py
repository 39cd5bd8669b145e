"""Kernels against their peers, side by side in one run: prints a Markdown table.

    python bench/kernels.py [--device cpu|cuda] [--only SECTION ...] [--output FILE]

On the CPU the peers are NumPy and Numba; on the GPU numba-cuda, CuPy and CUDA C++ built by nvcc.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from pathlib import Path

from _measure import Row, cpu_name, in_one_process, report, versions


def sections_of(device: str) -> dict:
    """The benchmark functions of a device, by name."""
    if device == "cpu":
        from cpu_sections import SECTIONS
    else:
        from gpu_sections import SECTIONS
    return SECTIONS


def heading(device: str) -> str:
    """What was measured, on what, with which versions."""
    from cpu_sections import now

    if device == "cpu":
        where = cpu_name()
    else:
        from gpu_sections import device_name

        where = device_name()
    packages = ["phalanx", "numpy", "numba", "numba-cuda", "cupy-cuda13x"]
    return f"## Kernels, {device}, {now()}\n\n{where}. {versions(packages)}. Medians.\n"


def chosen_device(given: str | None) -> str:
    """The device asked for, else that of the library."""
    if given:
        return given
    from phalanx import cuda

    return "cuda" if len(cuda.gpus) else "cpu"


def main() -> int:
    """Runs the sections, each in a process of its own; returns the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=["cpu", "cuda"])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--output", type=Path)
    parser.add_argument("--section", help=argparse.SUPPRESS)
    options = parser.parse_args()
    device = os.environ.get("PHALANX_BENCH_DEVICE") or chosen_device(options.device)
    sections = sections_of(device)
    if options.section:
        rows = sections[options.section][0]()
        print(json.dumps([dataclasses.asdict(row) for row in rows]))
        return 0
    collected: list[Row] = []
    for name, (_, environment) in sections.items():
        if options.only and name not in options.only:
            continue
        print(f"... {name}", file=sys.stderr, flush=True)
        shared = {"PHALANX_DEVICE": device, "PHALANX_BENCH_DEVICE": device}
        collected += in_one_process(__file__, name, {**shared, **environment})
    return report(heading(device), collected, options.output)


if __name__ == "__main__":
    sys.exit(main())
