"""Runs every example in turn, with what it does and how long it took; fails if one fails."""

from __future__ import annotations

import importlib
import sys
import time

EXAMPLES = (
    "vector_add",
    "mandelbrot",
    "matrix_product",
    "quicksort",
    "monte_carlo_pi",
    "heat_equation",
    "histogram",
    "game_of_life",
    "trips",
    "customers",
)


def main(names: list[str]) -> int:
    """Runs the named examples, or all of them; returns the number that failed."""
    chosen = names or list(EXAMPLES)
    failed = 0
    for position, name in enumerate(chosen, 1):
        module = importlib.import_module(name)
        print(f"[{position}/{len(chosen)}] {name}: {module.__doc__}", flush=True)
        start = time.perf_counter()
        try:
            module.main()
        except Exception as error:
            failed += 1
            print(f"    FAILED: {type(error).__name__}: {error}", flush=True)
        else:
            print(f"    checked, {time.perf_counter() - start:.1f} s in all", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
