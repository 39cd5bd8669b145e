"""`python -m numpy_table [--all] [NAME ...]`: runs the table, or the rows of those names.

Without `--all` it is the sample that the tests run. Exits with 1 where something differs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import sys
import time
from collections import Counter

from .cells import TABLE, Cell, all_cells, sampled_cells
from .check import Problem, problems


def _class_of(problem: Problem) -> str:
    """What problems of one cause have in common, mostly."""
    call = re.sub(r"-?\d+", "N", problem.cell.call)
    return call + re.sub(r"[-\d.]+|array.*", "N", problem.text)[:50]


def _run(cells: list[Cell], queue: multiprocessing.Queue[object]) -> None:
    for cell in cells:
        queue.put(("begin", str(cell)))
        queue.put(("done", [(_class_of(each), str(each)) for each in problems(cell)]))
    queue.put(("end", ""))


def _run_apart(cells: list[Cell]) -> list[tuple[str, str]]:
    """In a process of its own, which may crash."""
    queue: multiprocessing.Queue[tuple[str, object]] = multiprocessing.Queue()
    process = multiprocessing.Process(target=_run, args=(cells, queue))
    process.start()
    found: list[tuple[str, str]] = []
    doing = ""
    while True:
        try:
            kind, what = queue.get(timeout=1 if process.is_alive() else 0.2)
        except Exception:
            if process.is_alive():
                continue
            return [*found, ("", f"{doing}: the process ended with {process.exitcode}")]
        if kind == "begin":
            doing = str(what)
        elif kind == "done":
            found.extend(what)  # type: ignore[arg-type]
        else:
            process.join()
            return found


def main() -> int:
    """Runs what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true", help="every cell, not the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    chosen = [row for row in TABLE if not options.names or row.name in options.names]
    parts = [list((all_cells if options.all else sampled_cells)(row)) for row in chosen]
    begin = time.monotonic()
    failed = 0
    with multiprocessing.pool.ThreadPool(options.jobs) as pool:
        for row, found in zip(chosen, pool.imap(_run_apart, parts), strict=True):
            failed += len(found)
            counted = Counter(kind for kind, _ in found)
            for kind, line in dict(reversed(found)).items():
                print(f"{counted[kind]:5} x {line}", flush=True)
            if found:
                print(f"-- {row.name}: {len(found)} differ", flush=True)
    counts = Counter(row.name for row in chosen)
    cells = sum(map(len, parts))
    print(
        f"{len(counts)} names, {cells} cells, {failed} differences, "
        f"{time.monotonic() - begin:.0f} s"
    )
    return int(failed > 0)


if __name__ == "__main__":
    import multiprocessing.pool

    sys.exit(main())
