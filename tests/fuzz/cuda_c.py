"""Random programs of CUDA C: compiled here they store what they store with the host's compiler.

    python tests/fuzz/cuda_c.py --first 0 --count 200
    python tests/fuzz/cuda_c.py --seconds 600 --jobs 1 --record cuda_c.txt
    python tests/fuzz/cuda_c.py --device cuda       # a GPU too: code of ours, and NVRTC's
    python tests/fuzz/cuda_c.py --first 7 --show    # a program as text
    python tests/fuzz/cuda_c.py --texts             # sources with mistakes: an error, never a crash

Program N is the same everywhere; one that differs is printed as small as it could be made. g++ says
of each whether C++ defines what it does: those that it does not are mistakes of the generator.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
import time
from pathlib import Path

import batches
from cuda_c_programs import program

TOGETHER = 20  # programs in one call of the host's compiler


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--jobs", type=int, default=0, help="processes at a time")
    parser.add_argument("--seconds", type=float, default=math.inf, help="when to begin no more")
    parser.add_argument("--record", type=Path, help="a file of what was done, to go on from")
    parser.add_argument("--progress", action="store_true", help="say each number")
    parser.add_argument("--show", action="store_true", help="print the first program")
    parser.add_argument("--texts", action="store_true", help="sources with mistakes")
    return parser.parse_args()


def _run(numbers: range, options: argparse.Namespace) -> int:
    """Runs programs in this process; 1 where one differs."""
    if options.texts:
        from cuda_c_texts import Judge

        judge = Judge()
    else:
        from cuda_c_judge import Judge

        judge = Judge(options.device)
    begin, done, differing = time.monotonic(), 0, 0
    for first in range(numbers.start, numbers.stop, TOGETHER):
        if time.monotonic() - begin > options.seconds:
            break
        part = range(first, min(first + TOGETHER, numbers.stop))
        for number, text in judge.describe(part, options.progress):
            differing += 1
            print(f"program {number}: {text}", flush=True)
        done += len(part)
    if options.progress:
        print("at", numbers.stop)
    print(f"judge {judge.name}: {done}")
    return 1 if differing else 0


def main() -> int:
    """Runs the programs; 1 where one differs."""
    options = _options()
    numbers = range(options.first, options.first + options.count)
    if options.show:
        print(program(options.first))
        return 0
    if not options.jobs:
        with tempfile.TemporaryDirectory(prefix="phalanx-fuzz-") as folder:
            os.environ["PHALANX_CACHE_DIR"] = folder  # the user's keeps what it has
            return _run(numbers, options)
    command = [sys.executable, os.fspath(Path(__file__)), "--device", options.device]
    return (
        batches.run(
            [*command, *(["--texts"] if options.texts else [])],
            numbers,
            jobs=options.jobs,
            size=2 * TOGETHER,
            seconds=options.seconds,
            record=options.record,
        )
        > 0
    )


if __name__ == "__main__":
    sys.exit(main())
