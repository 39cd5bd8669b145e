"""Group-bys and joins of db-benchmark by a GPU's kernels, operators only, data on the device.

    python bench/frames_gpu.py [--rows N] [--rounds N] [--only WORD ...] [--check]

Times are of the wall, with the device waited for, medians after one run before; the tables are in
the device's memory, results are materialised there. ``--check`` compares with the operators of the
host on the same rows. Strings are categories: codes and a dictionary.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from phalanx._grouping import engine

import phalanx as px
from phalanx import _engine, cuda

Answer = tuple[float, ...]
DEVICE = os.environ.get("PHALANX_DEVICE", "cuda")


def wait() -> None:
    """Waits for the device."""
    cuda.synchronize()


def done(*arrays: Any) -> None:
    """Computes what is pending, and waits for it."""
    for each in arrays:
        each._evaluate()
    wait()


def group_table(rows: int) -> dict[str, np.ndarray]:
    """The columns of the group-bys; id1 to id3 are codes of categories."""
    rng = np.random.default_rng(108)
    few, many = 100, rows // 100
    ranges = {"id1": few, "id2": few, "id3": many, "id4": few, "id5": few, "id6": many}
    codes = {"id1": np.int32, "id2": np.int32, "id3": np.int32}
    table = {
        name: rng.integers(0, top, rows, dtype=codes.get(name, np.int64))
        for name, top in ranges.items()
    }
    table |= {"v1": rng.integers(1, 6, rows), "v2": rng.integers(1, 16, rows)}
    table["v3"] = np.round(rng.random(rows) * 100, 6)
    return table


# Keys, and the aggregations: column and kind.
QUERIES: dict[str, tuple[list[str], Any]] = {
    "q1": (["id1"], [("v1", "sum")]),
    "q2": (["id1", "id2"], [("v1", "sum")]),
    "q3": (["id3"], [("v1", "sum"), ("v3", "mean")]),
    "q4": (["id4"], [("v1", "mean"), ("v2", "mean"), ("v3", "mean")]),
    "q5": (["id6"], [("v1", "sum"), ("v2", "sum"), ("v3", "sum")]),
    "q6": (["id4", "id5"], [("v3", "median"), ("v3", "std")]),
    "q7": (["id3"], [("v1", "max"), ("v2", "min")]),
    "q8": (["id6"], "top"),
    "q9": (["id2", "id4"], "corr"),
    "q10": (["id1", "id2", "id3", "id4", "id5", "id6"], [("v3", "sum"), ("v1", "count")]),
}


def answer(operators: Any, table: dict[str, Any], name: str) -> list[Any]:
    """The columns of a query's result, by either engine's operators."""
    keys, wanted = QUERIES[name]
    codes, count, firsts = operators.group_rows(
        [("codes" if key in ("id1", "id2", "id3") else "values", table[key], None) for key in keys]
    )
    labels = [table[key][firsts] for key in keys]
    if wanted == "top":
        rows, _ = operators.best_rows(codes, count, (table["v3"], None), 2)
        return [*labels, table["v3"][rows]]
    if wanted == "corr":
        pair = [(table["v1"], None, "corr", (table["v2"], None, 1))]
        ((found, _),) = operators.aggregate(codes, count, pair)
        return [*labels, found**2]
    pairs = [(table[column], None, kind) for column, kind in wanted]
    return [*labels, *(found for found, _ in operators.aggregate(codes, count, pairs))]


JOINS = {
    "j1 small inner": ("small", "inner"),
    "j2 medium inner": ("medium", "inner"),
    "j3 medium left": ("medium", "left"),
    "j4 medium inner on codes": ("medium", "inner"),
    "j5 big inner": ("big", "inner"),
}


def join_tables(rows: int, size: str) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """A left table of six keys and a value, and a right one; 9 in 10 keys have a partner."""
    rng = np.random.default_rng(109)
    count = {"small": max(rows // 10**6, 10), "medium": max(rows // 1000, 10), "big": rows}[size]
    labels = rng.permutation(count + count // 10)
    left = rng.permutation(labels[:count])
    left = left if size == "big" else left[rng.integers(0, count, rows)]
    right = rng.permutation(labels[-count:])
    others = {f"id{i}": rng.integers(0, 10**6, rows, dtype=np.int32) for i in range(2, 7)}
    return (
        {"key": left, **others, "v1": rng.random(rows)},
        {"key": right, "id9": rng.integers(0, 9, count, dtype=np.int32), "v2": rng.random(count)},
    )


def taken(column: Any, rows: Any, has_missing: bool) -> Any:
    """The values at rows; NaN or -1 at -1."""
    if not has_missing:
        return column[rows]
    nothing = np.nan if column.dtype.kind == "f" else column.dtype.type(-1)
    xp = np if isinstance(column, np.ndarray) else px
    return xp.where(rows < 0, nothing, column[xp.maximum(rows, 0)])


def joined(operators: Any, tables: tuple[Any, Any], how: str) -> list[Any]:
    """The columns of both tables' rows with equal keys."""
    one, other = tables
    left, right = operators.join_rows(
        [("values", one["key"], None)], [("values", other["key"], None)], how
    )
    made = [taken(column, left, False) for column in one.values()]
    rest = [column for name, column in other.items() if name != "key"]
    return made + [taken(column, right, how == "left") for column in rest]


def measured(function: Callable[[], list[Any]], rounds: int) -> tuple[float, float]:
    """Seconds of the first run, and the median of those after it."""
    times = []
    for _ in range(rounds + 1):
        wait()
        start = time.perf_counter()
        done(*function())
        times.append(time.perf_counter() - start)
    return times[0], statistics.median(times[1:])


def sums(columns: list[Any]) -> Answer:
    """What two answers are compared by."""
    return (len(columns[0]), *(float(np.nansum(np.asarray(each, "f8"))) for each in columns))


def run(name: str, both: Callable[[Any], list[Any]], options: argparse.Namespace) -> float:
    """Prints a row: the name, the first run and the median."""
    first, median = measured(lambda: both(engine), options.rounds)
    text = f"| {name} | {1e3 * first:.0f} | {1e3 * median:.2f} |"
    if options.check:
        ours, hosts = sums(both(engine)), sums(both(_engine.frames))
        text += " equal |" if np.allclose(ours, hosts, rtol=1e-9) else f" {ours} is not {hosts} |"
    print(text, flush=True)
    return median


def on_device(table: dict[str, np.ndarray]) -> dict[str, Any]:
    """The columns in the device's memory."""
    made = {name: px.asarray(values, device=DEVICE) for name, values in table.items()}
    done(*made.values())
    return made


def wanted(options: argparse.Namespace, name: str) -> bool:
    """True for a row that was asked for."""
    return not options.only or any(word == name.split()[0] for word in options.only)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=10**8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    print(f"{options.rows:,} rows, {DEVICE}")
    print("| query | first, ms | ms |" + (" answers |" if options.check else ""))
    print("|---|---:|---:|" + ("---|" if options.check else ""))
    host = group_table(options.rows) if any(wanted(options, each) for each in QUERIES) else {}
    device = on_device(host)
    total = 0.0
    for name in QUERIES:
        if wanted(options, name):
            pair = {id(engine): device, id(_engine.frames): host}
            total += run(name, lambda each, n=name, p=pair: answer(each, p[id(each)], n), options)
    print(f"| group-bys | | {1e3 * total:.1f} |", flush=True)
    del host, device
    total, size = 0.0, None
    for name, (table, how) in JOINS.items():
        if not wanted(options, name):
            continue
        if size != table:
            tables = join_tables(options.rows, table)
            moved = tuple(map(on_device, tables))
            size = table
        pair = {id(engine): moved, id(_engine.frames): tables}
        total += run(name, lambda each, h=how, p=pair: joined(each, p[id(each)], h), options)
    print(f"| joins | | {1e3 * total:.1f} |")


if __name__ == "__main__":
    main()
