"""What check mode costs: the examples' kernels with and without, in one process.

    python bench/check_mode.py [--repeats N] [--cpu-time]

Prints a Markdown table: milliseconds of each example's whole run, the ratio to the unchecked one,
best of N alternating runs. Numbers of one run compare; those of different machines do not. On a
machine that others use, --cpu-time counts what all threads of the process took.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NAMES = (
    "vector_add", "mandelbrot", "histogram", "matrix_product", "monte_carlo_pi", "quicksort",
    "heat_equation", "game_of_life",
)  # fmt: skip
MODES = {"off": "0", "bounds": "bounds", "check=True": "1", "races": "races", "all": "all"}


class Stop(Exception):
    """Ends an example's main() when its launches have been handed over."""


def run_of(name: str, categories: str) -> Callable[[], None]:
    """The example's own `run`, of a module that was imported with the categories set."""
    os.environ["PHALANX_CHECK"] = categories
    sys.modules.pop(name, None)
    module = importlib.import_module(name)
    found: list[Callable[[], None]] = []

    def take(run: Callable[[], None], repeats: int = 5) -> float:
        found.append(run)
        raise Stop

    module.best_time = take
    with contextlib.suppress(Stop):
        module.main()
    return found[0]


def seconds(run: Callable[[], None], clock: Callable[[], float] = time.perf_counter) -> float:
    """One timed call."""
    start = clock()
    run()
    return clock() - start


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cpu-time", action="store_true")
    options = parser.parse_args()
    repeats = options.repeats
    clock = time.process_time if options.cpu_time else time.perf_counter
    os.environ.setdefault("PHALANX_DEVICE", "cpu")
    sys.path.insert(0, str(EXAMPLES))
    from phalanx import compat

    compat.install()
    print("| example | unchecked ms | " + " | ".join(list(MODES)[1:]) + " |")
    print("|---|---|" + "---|" * (len(MODES) - 1))
    for name in NAMES:
        runs = {mode: run_of(name, categories) for mode, categories in MODES.items()}
        best = dict.fromkeys(runs, float("inf"))
        for run in runs.values():
            run()
        for _ in range(repeats):
            for mode, run in runs.items():
                best[mode] = min(best[mode], seconds(run, clock))
        ratios = [f"{best[mode] / best['off']:.2f}x" for mode in list(MODES)[1:]]
        print(f"| {name} | {best['off'] * 1e3:.2f} | " + " | ".join(ratios) + " |", flush=True)


if __name__ == "__main__":
    main()
