"""Data frames by their public interface: ours, pandas, polars and DuckDB, the same answers.

    python bench/frames.py [--rows N] [--rounds N] [--only WORD ...] [--clock processor]
                           [--libraries NAME ...] [--output FILE]

The tables are in each library's own memory before; results are materialised. A row of the table is
a `Task`: a name and a function for each library, which gives the answer as numbers. To add one,
write a function that yields tasks and put it into `TASKS`. Times are medians, of the wall's clock
or of the processor's, of all threads.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import frames_groups as operators  # it sets the threads before libraries are imported
from _measure import cpu_name, versions

import phalanx as px

Answer = tuple[float, ...]
PEERS = ("pandas", "polars", "duckdb")


@dataclass
class Task:
    """A row: what each library does, by name; `phalanx` is ours."""

    name: str
    section: str
    functions: dict[str, Callable[[], Answer]]


def by_names(frame: Any, keys: list[str], wanted: Any) -> Answer:
    """A group-by of db-benchmark in pandas' words, which are ours too."""
    grouped = frame.groupby(keys, as_index=False, sort=False, observed=True, dropna=False)
    if wanted == "top":
        rows = frame[[*keys, "v3"]].sort_values("v3", ascending=False)
        best = rows.groupby(keys, as_index=False, sort=False, observed=True).head(2)
        return (len(best), best["v3"].sum())
    if wanted == "corr":
        found = grouped[["v1", "v2"]].corr()["v2"].iloc[0::2] ** 2
        return (len(found), found.sum())
    made = grouped.agg(**{f"c{i}": (row[0], row[3]) for i, row in enumerate(wanted)})
    return (len(made), *(made[f"c{i}"].sum() for i in range(len(wanted))))


def groups_of(options: argparse.Namespace) -> Iterator[Task]:
    """The ten group-bys, of keys that are dictionary codes and of strings."""
    for texts in (False, True):
        section = "group-bys by strings" if texts else "group-bys by codes"
        chosen = [
            name
            for name, (keys, _) in operators.QUERIES.items()
            if options.has(f"{name} {section}") and (not texts or {"id1", "id2", "id3"} & set(keys))
        ]
        if not chosen:
            continue
        table = operators.Groups(options.rows, texts)
        frame = px.DataFrame(table.arrow)
        for name in chosen:
            keys, wanted = operators.QUERIES[name]
            yield Task(
                name, section,
                {
                    "phalanx": partial(by_names, frame, keys, wanted),
                    "pandas": partial(by_names, table.pandas, keys, wanted),
                    "polars": partial(operators.by_polars, table, keys, wanted),
                    "duckdb": partial(operators.by_duckdb, table, keys, wanted),
                },
            )  # fmt: skip


def joins_of(options: argparse.Namespace) -> Iterator[Task]:
    """The five joins."""
    for name, query in operators.JOINS.items():
        if not options.has(f"{name} joins"):
            continue
        tables = operators.Joins(options.rows, *query)
        left, right = map(px.DataFrame, tables.arrow)

        def ours(left: Any = left, right: Any = right, how: str = tables.how) -> Answer:
            made = left.merge(right, on="key", how=how)
            return (len(made), float(made["v0"].sum()), float(made["v1"].sum()))

        yield Task(
            name, "joins",
            {"phalanx": ours, "pandas": tables.by_pandas, "polars": tables.by_polars,
             "duckdb": tables.by_duckdb},
        )  # fmt: skip


TASKS = (groups_of, joins_of)


def check(task: Task) -> None:
    """Raises ValueError where the libraries' answers are not the same."""
    answers = {name: function() for name, function in task.functions.items()}
    first = next(iter(answers))
    for name, answer in answers.items():
        pairs = zip(answer, answers[first], strict=True)
        if not all(math.isclose(a, b, rel_tol=1e-9) for a, b in pairs):
            raise ValueError(f"{task.name}: {name} answers {answer}, {first} {answers[first]}")


def medians(task: Task, rounds: int, clock: Callable[[], float]) -> dict[str, float]:
    """Seconds that each library takes; each runs once in a round, after what compared them."""
    times: dict[str, list[float]] = {name: [] for name in task.functions}
    for _ in range(rounds):
        for name, function in task.functions.items():
            start = clock()
            function()
            times[name].append(clock() - start)
    return {name: statistics.median(series) for name, series in times.items()}


def row_of(name: str, times: dict[str, float]) -> str:
    """A row of the table: milliseconds, and how many times ours."""
    mine = times["phalanx"]
    others = " | ".join(
        f"{1e3 * times[peer]:.0f} ({times[peer] / mine:.2f} x)" if peer in times else ""
        for peer in PEERS
    )
    return f"| {name} | {1e3 * mine:.0f} | {others} |"


def measured(options: argparse.Namespace) -> Iterator[str]:
    """The table's rows, and after each section its totals."""
    clock = time.process_time if options.clock == "processor" else time.perf_counter
    totals: dict[str, dict[str, float]] = {}
    for tasks in TASKS:
        for task in tasks(options):
            task.functions = {
                name: each
                for name, each in task.functions.items()
                if name == "phalanx" or name in options.libraries
            }
            check(task)
            times = medians(task, options.rounds, clock)
            section = totals.setdefault(task.section, dict.fromkeys(times, 0.0))
            for name, each in times.items():
                section[name] += each
            row = row_of(f"{task.name} ({task.section})", times)
            print(row, file=sys.stderr, flush=True)
            yield row
    for section, times in totals.items():
        yield row_of(f"**total, {section}**", times)


def main() -> int:
    """Measures what is asked for, and prints a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--libraries", nargs="*", default=list(PEERS))
    parser.add_argument("--clock", choices=("wall", "processor"), default="wall")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    options.has = lambda name: not options.only or any(word in name for word in options.only)
    lines = [
        f"{cpu_name()}, {operators.THREADS} threads, {options.rows} rows, medians of "
        f"{options.rounds} by the {options.clock}'s clock. "
        f"{versions(['numpy', 'pandas', 'polars', 'duckdb'])}.\n",
        "| what | phalanx, ms | pandas | polars | DuckDB |",
        "|---|---:|---:|---:|---:|",
        *measured(options),
    ]
    text = "\n".join(lines)
    print(text)
    if options.output:
        options.output.write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
