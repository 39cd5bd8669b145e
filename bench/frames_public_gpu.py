"""Group-bys and joins of db-benchmark as users write them, on frames in a GPU's memory.

    python bench/frames_public_gpu.py [--rows N] [--rounds N] [--only WORD ...] [--check]

The tables and what is printed are those of `frames_gpu.py`, which calls the operators by
themselves; these are the calls of `DataFrame`, results materialised in the device's memory.
``--check`` compares with frames of the host.
"""

from __future__ import annotations

import os

os.environ.setdefault("PHALANX_DEVICE", "cuda")

import argparse
import time
from typing import Any

import numpy as np
from frames_gpu import DEVICE, JOINS, QUERIES, Answer, group_table, join_tables, wait, wanted

import phalanx as px

CATEGORIES = ("id1", "id2", "id3")


def frame_of(table: dict[str, np.ndarray], device: str) -> Any:
    """The columns in a device's memory; codes are of categories."""
    with px.device(device):
        frame = px.DataFrame({name: px.asarray(values) for name, values in table.items()})
        for name in CATEGORIES:
            if name in table and "v3" in table:
                labels = [f"id{i}" for i in range(int(table[name].max()) + 1)]
                frame[name] = px.Series(px.Categorical.from_codes(table[name], labels))
        return frame


def grouped(frame: Any, name: str) -> Any:
    """The frame that a query gives."""
    keys, query = QUERIES[name]
    groups = frame.groupby(keys, as_index=False, sort=False, observed=True, dropna=False)
    if query == "top":
        rows = frame[[*keys, "v3"]].sort_values("v3", ascending=False)
        return rows.groupby(keys, as_index=False, sort=False, observed=True).head(2)
    if query == "corr":
        return groups[["v1", "v2"]].corr()["v2"].iloc[0::2] ** 2
    return groups.agg(**{f"{kind}_{column}": (column, kind) for column, kind in query})


def joined(left: Any, right: Any, how: str) -> Any:
    """The frame that a join gives."""
    return left.merge(right, on="key", how=how)


def computed(frame: Any) -> Any:
    """The frame, of which nothing is pending."""
    for column in frame._parts:
        for part in ("values", "codes", "valid"):
            if isinstance(array := getattr(column, part, None), px.ndarray):
                array._evaluate()
    wait()
    return frame


def sums(frame: Any) -> Answer:
    """What two answers are compared by."""
    table = frame.to_frame("r2") if frame.ndim == 1 else frame
    numbers = [each for each in table if table[each].dtype.kind in "iuf"]
    return (len(table), *(float(table[each].sum()) for each in numbers))


def run(name: str, function: Any, given: tuple[Any, ...], hosts: Any, rounds: int) -> float:
    """Prints a row: the name, the first run and the median of the others."""
    times = []
    for _ in range(rounds + 1):
        wait()
        start = time.perf_counter()
        made = computed(function(*given))
        times.append(time.perf_counter() - start)
    median = float(np.median(times[1:]))
    text = f"| {name} | {1e3 * times[0]:.0f} | {1e3 * median:.2f} |"
    if hosts is not None:
        with px.device("cpu"):
            theirs = sums(function(*hosts))
        text += " equal |" if np.allclose(sums(made), theirs, rtol=1e-9) else " OTHER ANSWERS |"
    print(text, flush=True)
    return median


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=10**8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    print(f"{options.rows:,} rows, {DEVICE}\n| query | first, ms | ms |\n|---|---:|---:|")
    names = [each for each in QUERIES if wanted(options, each)]
    if names:
        table = group_table(options.rows)
        frame = frame_of(table, DEVICE)
        host = (frame_of(table, "cpu"),) if options.check else None
        total = 0.0
        for name in names:
            total += run(
                name, lambda each, n=name: grouped(each, n), (frame,), host, options.rounds
            )
        print(f"| group-bys | | {1e3 * total:.1f} |", flush=True)
        del frame, host, table
    total = 0.0
    for name, (size, how) in JOINS.items():
        if not wanted(options, name):
            continue
        tables = join_tables(options.rows, size)
        given = tuple(frame_of(each, DEVICE) for each in tables)
        host = tuple(frame_of(each, "cpu") for each in tables) if options.check else None
        if host is not None:
            host = (*host, how)
        total += run(name, joined, (*given, how), host, options.rounds)
    print(f"| joins | | {1e3 * total:.1f} |")


if __name__ == "__main__":
    main()
