"""`python -m numpy_table [--all] [NAME ...]`: runs the table, or the rows of those names.

Without `--all` it is the sample that the tests run. The cells are in an order that is random and
the same each time, so that a part of them (`--part 1/4`, or `--seconds`) is a sample of all, but
that those of one call, dtype and number of dimensions follow each other: arrays of several layouts
have one type where they have few elements, and are compiled for once. `--record` keeps what was
done, and the same command goes on from there. Exits with 1 where something differs.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import random
import re
import resource
import sys
from collections import Counter, defaultdict
from pathlib import Path

from .cells import TABLE, Cell, all_cells, sampled_cells
from .check import problems

sys.path.insert(0, str(Path(__file__).parents[2] / "fuzz"))
import batches

_MEMORY = 12 << 30  # bytes of a process
_PROBLEM = re.compile(r"(.*) of \w+, \dd, \w+ of shape \(.*?\), \w+: (.*)")


def _cells(names: list[str], has_all: bool) -> list[Cell]:
    rows = [row for row in TABLE if not names or row.name in names]
    cells = [cell for row in rows for cell in (all_cells if has_all else sampled_cells)(row)]
    groups = defaultdict(list)
    for cell in cells:
        groups[cell._replace(layout="")].append(cell)
    order = list(groups.values())
    random.Random(0).shuffle(order)
    return list(itertools.chain.from_iterable(order))


def _part(text: str, count: int) -> range:
    """The numbers of part K of N, from 1."""
    which, parts = (int(each) for each in text.split("/"))
    return range(count * (which - 1) // parts, count * which // parts)


def _class_of(line: str) -> str:
    """What problems of one cause have in common, mostly."""
    found = _PROBLEM.fullmatch(line)
    if found is None:
        return line
    call = re.sub(r"-?\d+", "N", found[1])
    return call + re.sub(r"[-\d.]+|array.*", "N", found[2])[:50]


def _print_classes(record: Path) -> None:
    """One line of each class of problems."""
    lines = [line for line in record.read_text().splitlines() if not line.startswith("done ")]
    counted = Counter(map(_class_of, lines))
    for line in {_class_of(line): line for line in lines}.values():
        print(f"{counted[_class_of(line)]:5} x {line}")


def _run_here(cells: list[Cell], numbers: range, says_where: bool) -> int:
    # Counts up to the largest int32 are promised by the system, and end the process once they are
    # looked at: NumPy and Phalanx shall raise the same MemoryError.
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    different = 0
    for number in numbers:
        if says_where:
            print("at", number, flush=True)
        for problem in problems(cells[number]):
            different += 1
            print(problem, flush=True)
    print(f"at {numbers.stop}" if says_where else f"{len(numbers)} cells, {different} differences")
    return different


def main() -> int:
    """Runs what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true", help="every cell, not the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="of N equal parts the K-th")
    parser.add_argument("--seconds", type=float, default=math.inf, help="when to begin no more")
    parser.add_argument("--record", type=Path, help="a file of what was done, to go on from")
    parser.add_argument("--first", type=int, help="run these cells here, with --count")
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--progress", action="store_true", help="say each number")
    given = parser.parse_args()
    cells = _cells(given.names, given.all)
    if given.first is not None:
        numbers = range(given.first, given.first + given.count)
        return int(_run_here(cells, numbers, given.progress) > 0)
    program = [sys.executable, "-m", "numpy_table", *given.names, *["--all"] * given.all]
    different = batches.run(
        program,
        _part(given.part, len(cells)),
        jobs=given.jobs,
        size=200,
        seconds=given.seconds,
        record=given.record,
    )
    if given.record is not None:
        _print_classes(given.record)
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
