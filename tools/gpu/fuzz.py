"""Runs many random kernels on a GPU against the interpreter, in processes that may be lost.

    python tools/gpu/fuzz.py PROGRAM [--kernels 10000] [--batch 100] [--jobs 8] [--first 0]

PROGRAM is build/NAME/tests/cpp/phalanx_tests. Prints each kernel that fails by its number, with
`--filter` and settings to run it again, and returns how many there are.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

TESTS = (
    "AgreeWithTheInterpreter",
    "AgreeWithTheInterpreterAcrossBarriers",
    "AgreeWithTheInterpreterAcrossBlockVotes",
)
SECONDS_OF_A_KERNEL = 2.0  # and ten for the start


def run(program: str, test: str, first: int, count: int) -> tuple[bool, str]:
    """Returns whether `count` kernels from `first` on are right, and what the program said."""
    settings = {"PHALANX_FUZZ": str(count), "PHALANX_FUZZ_FIRST": str(first)}
    try:
        done = subprocess.run(
            [program, f"--gtest_filter=FuzzedKernelsOnTheGpu.{test}"],
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            timeout=10 + SECONDS_OF_A_KERNEL * count,
        )
    except subprocess.TimeoutExpired:
        return False, "does not end"
    if "SKIPPED" in done.stdout:
        raise SystemExit(done.stdout)
    return done.returncode == 0, done.stdout + done.stderr


def failures(program: str, test: str, first: int, count: int) -> Iterator[tuple[int, str]]:
    """The kernels of a batch that fail, each found by halving."""
    is_right, said = run(program, test, first, count)
    if is_right:
        return
    if count == 1:
        yield first, said
        return
    half = count // 2
    yield from failures(program, test, first, half)
    yield from failures(program, test, first + half, count - half)


def main() -> int:
    """Runs the batches; returns how many kernels failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--kernels", type=int, default=10000)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    starts = range(options.first, options.first + options.kernels // len(TESTS), options.batch)
    batches = [(test, start) for start in starts for test in TESTS]

    def batch(each: tuple[str, int]) -> list[tuple[str, int, str]]:
        test, start = each
        return [
            (test, number, said)
            for number, said in failures(options.program, test, start, options.batch)
        ]

    with ThreadPoolExecutor(options.jobs) as pool:
        found = [one for several in pool.map(batch, batches) for one in several]
    for test, number, said in found:
        print(f"FAILED {test} PHALANX_FUZZ_FIRST={number} PHALANX_FUZZ=1\n{said[-3000:]}")
    print(f"{len(batches) * options.batch} kernels, {len(found)} failed")
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
