"""Methods of texts over a column of short strings: ours and polars'.

    python bench/frames_strings.py [--rows N] [--rounds N] [--only WORD ...]

Times are the processor's, of all threads, and medians of rounds in which each runs once.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("PHALANX_NUM_THREADS", "2")
os.environ.setdefault("POLARS_MAX_THREADS", os.environ["PHALANX_NUM_THREADS"])

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

import phalanx as px

WORDS = [
    "alpha", "Bravo", "charlie", "delta 12", "echo_foxtrot", "golf", "hotel99", "India",
    "juliet kilo", "lima",
]  # fmt: skip


def column(rows: int) -> Any:
    """A word and a number of up to three digits, some 11 bytes, as an array of Arrow's."""
    rng = np.random.default_rng(1)
    codes = pa.array(rng.integers(0, len(WORDS), rows).astype(np.int32))
    words = pa.DictionaryArray.from_arrays(codes, pa.array(WORDS)).cast(pa.large_string())
    numbers = pa.array(rng.integers(0, 1000, rows)).cast(pa.large_string())
    return pc.binary_join_element_wise(words, numbers, pa.scalar(" ", pa.large_string()))


# Name, ours, polars'.
CASES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "upper": (lambda s: s.str.upper(), lambda p: p.str.to_uppercase()),
    "len": (lambda s: s.str.len(), lambda p: p.str.len_chars()),
    "strip": (lambda s: s.str.strip("a9"), lambda p: p.str.strip_chars("a9")),
    "slice": (lambda s: s.str.slice(1, 4), lambda p: p.str.slice(1, 3)),
    "replace": (
        lambda s: s.str.replace("l", "LL"),
        lambda p: p.str.replace_all("l", "LL", literal=True),
    ),
    "texts ==": (lambda s: s == s, lambda p: p == p),
    "text <": (lambda s: s < "golf", lambda p: p < "golf"),
    "texts +": (lambda s: s + s, lambda p: p + p),
    "contains harl, a text": (
        lambda s: s.str.contains("harl", regex=False),
        lambda p: p.str.contains("harl", literal=True),
    ),
}
for pattern in ("a.p|o.f", "[0-9]{3}$", "golf|lima 1|India", r"^[a-z]+ 1\d\d", "(?i)india"):
    CASES[f"contains {pattern}"] = (
        lambda s, pattern=pattern: s.str.contains(pattern),
        lambda p, pattern=pattern: p.str.contains(pattern),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    array = column(options.rows)
    ours, polars = px.DataFrame(pa.table({"a": array}))["a"], pl.Series(array)
    print("| method | ours, ms | polars, ms | polars / ours |\n|---|---:|---:|---:|")
    for name, pair in CASES.items():
        if options.only and not any(word in name for word in options.only):
            continue
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(options.rounds):
            for function, given, series in zip(pair, (ours, polars), times, strict=True):
                start = time.process_time()
                function(given)
                series.append(time.process_time() - start)
        mine, other = map(statistics.median, times)
        print(
            f"| {name} | {1e3 * mine:.0f} | {1e3 * other:.0f} | {other / mine:.2f} x |", flush=True
        )


if __name__ == "__main__":
    main()
