"""Small frames and single elements: what an operation costs before it computes anything.

    python bench/frames_small.py [--rows N ...] [--rounds N] [--only WORD ...] [--writes]
                                 [--count N] [--output FILE]

The same functions run with phalanx and with pandas, in turns in one process. A figure is the median
of the rounds by the processor's clock, of all threads, in microseconds a call. To add a row, put a
function of a library's module and a frame into `OPERATIONS`. `--writes` measures loops of single
writes into a million rows instead, with a look at the whole column at the end of each loop.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from _measure import cpu_name, versions

import phalanx as px

Run = Callable[[Any, Any], Any]
MODULES = (px, pd)


def set_column(module: Any, frame: Any) -> Any:
    """A column that the frame does not have yet."""
    made = frame.copy()
    made["new"] = frame["a"]
    return made


def set_at(module: Any, frame: Any) -> None:
    """An element by its labels."""
    frame.at[3, "a"] = 0.5


def set_loc(module: Any, frame: Any) -> None:
    """An element by `loc`."""
    frame.loc[3, "a"] = 0.5


def set_iat(module: Any, frame: Any) -> None:
    """An element by its positions."""
    frame.iat[3, 1] = 0.5


def set_iloc(module: Any, frame: Any) -> None:
    """An element by `iloc`."""
    frame.iloc[3, 1] = 0.5


def add_one(module: Any, frame: Any) -> None:
    """An element that is read and written."""
    frame.loc[3, "a"] += 0.5


def of_lists(module: Any, frame: Any) -> Any:
    """A frame of three short lists."""
    return module.DataFrame({"x": [1, 2, 3], "y": [0.5, 1.5, 2.5], "z": ["u", "v", "w"]})


def of_arrays(module: Any, frame: Any) -> Any:
    """A frame of two arrays."""
    return module.DataFrame({"x": FLOATS[: len(frame)], "y": FLOATS[: len(frame)]})


def by_row(row: Any) -> Any:
    """A user's function of a row."""
    return row["a"] + row["b"]


OPERATIONS: dict[str, Run] = {
    "iat": lambda module, frame: frame.iat[3, 1],
    "at": lambda module, frame: frame.at[3, "a"],
    "loc of an element": lambda module, frame: frame.loc[3, "a"],
    "iloc of an element": lambda module, frame: frame.iloc[3, 1],
    "s[label]": lambda module, frame: frame["a"][3],
    "loc of a row": lambda module, frame: frame.loc[3],
    "iat set": set_iat,
    "at set": set_at,
    "loc set": set_loc,
    "iloc set": set_iloc,
    "loc +=": add_one,
    "column": lambda module, frame: frame["a"],
    "two columns": lambda module, frame: frame[["a", "b"]],
    "a + b": lambda module, frame: (frame["a"] + frame["b"]).to_numpy(),
    "a > 0": lambda module, frame: (frame["a"] > 0).to_numpy(),
    "a.sum()": lambda module, frame: frame["a"].sum(),
    "frame.mean()": lambda module, frame: frame[["a", "b"]].mean(),
    "frame[mask]": lambda module, frame: len(frame[frame["a"] > 0]),
    "head": lambda module, frame: frame.head(),
    "text == text": lambda module, frame: (frame["s"] == "t3").to_numpy(),
    "str.upper": lambda module, frame: frame["s"].str.upper(),
    "frame[label] =": set_column,
    "groupby.sum": lambda module, frame: frame.groupby("k")["a"].sum(),
    "groupby.agg": lambda module, frame: frame.groupby("k").agg({"a": "sum", "b": "mean"}),
    "merge": lambda module, frame: frame.merge(frame[["k", "b"]].head(5), on="k"),
    "sort_values": lambda module, frame: frame.sort_values("a"),
    "value_counts": lambda module, frame: frame["k"].value_counts(),
    "describe": lambda module, frame: frame.describe(),
    "DataFrame of lists": of_lists,
    "DataFrame of arrays": of_arrays,
    "Series of a list": lambda module, frame: module.Series([1.0, 2.0, 3.0]),
    "concat": lambda module, frame: module.concat([frame, frame]),
    "reset_index": lambda module, frame: frame.reset_index(drop=True),
    "set_index": lambda module, frame: frame.set_index("k"),
    "fillna": lambda module, frame: frame["a"].fillna(0.0),
    "isna().sum()": lambda module, frame: frame.isna().sum(),
    "drop": lambda module, frame: frame.drop(columns=["b"]),
    "rename": lambda module, frame: frame.rename(columns={"a": "c"}),
    "astype": lambda module, frame: frame["k"].astype("float64"),
    "to_dict": lambda module, frame: frame.to_dict("records"),
    "apply(axis=1)": lambda module, frame: frame.head(50).apply(by_row, axis=1),
    "repr": lambda module, frame: repr(frame),
}

FLOATS = np.random.default_rng(3).standard_normal(1_000_000)


def frame_of(module: Any, rows: int) -> Any:
    """Ints, two columns of floats, and texts."""
    return module.DataFrame(
        {
            "k": np.arange(rows) % 7,
            "a": FLOATS[:rows].copy(),
            "b": FLOATS[:rows][::-1].copy(),
            "s": [f"t{i % 11}" for i in range(rows)],
        }
    )


def calls_for(run: Callable[[], Any]) -> int:
    """So many calls that a round takes some milliseconds."""
    run()
    start = time.perf_counter()
    run()
    return max(1, min(500, int(4e-3 / (time.perf_counter() - start))))


def microseconds(run: Callable[[], Any], calls: int) -> float:
    """Processor time of a call."""
    start = time.process_time()
    for _ in range(calls):
        run()
    return 1e6 * (time.process_time() - start) / calls


def row_of(name: str, count: int, mine: list[float], theirs: list[float]) -> str:
    """A row of the table, of the times of all rounds."""
    ours, peers = statistics.median(mine), statistics.median(theirs)
    return f"| {name} | {count} | {ours:.1f} | {peers:.1f} | {ours / peers:.2f} |"


def measured(options: argparse.Namespace) -> Iterator[str]:
    """A row for each operation and size."""
    for rows in options.rows:
        frames = [frame_of(module, rows) for module in MODULES]
        for name, task in OPERATIONS.items():
            if options.only and not any(word in name for word in options.only):
                continue
            runs = [partial(task, *pair) for pair in zip(MODULES, frames, strict=True)]
            calls = [calls_for(run) for run in runs]
            times: tuple[list[float], list[float]] = ([], [])
            for _ in range(options.rounds):
                for series, run, count in zip(times, runs, calls, strict=True):
                    series.append(microseconds(run, count))
            yield row_of(name, rows, *times)


# Loops of writes.


def write_at(frame: Any, row: int) -> None:
    """By labels."""
    frame.at[row, "a"] = 1.5


def write_loc(frame: Any, row: int) -> None:
    """By `loc`."""
    frame.loc[row, "a"] = 1.5


def write_floats(frame: Any, row: int) -> None:
    """By `loc`, into a frame of floats only, which pandas writes in place."""
    frame.loc[row, "a"] = 1.5


def write_iat(frame: Any, row: int) -> None:
    """By positions."""
    frame.iat[row, 1] = 1.5


def write_iloc(frame: Any, row: int) -> None:
    """By `iloc`."""
    frame.iloc[row, 1] = 1.5


def write_series(series: Any, row: int) -> None:
    """Into a series."""
    series[row] = 1.5


def write_text(frame: Any, row: int) -> None:
    """A text."""
    frame.at[row, "s"] = "other"


def write_read(frame: Any, row: int) -> None:
    """By way of the element before."""
    frame.at[row, "a"] = frame.at[row - 1, "a"] + 1.0


WRITES: dict[str, Callable[[Any, int], None]] = {
    "df.at[i, name] = v": write_at,
    "df.loc[i, name] = v": write_loc,
    "df.loc[i, name] = v, floats only": write_floats,
    "df.iat[i, j] = v": write_iat,
    "df.iloc[i, j] = v": write_iloc,
    "s[i] = v": write_series,
    "df.at[i, name] = text": write_text,
    "df.at[i, name] = df.at[i - 1, name] + 1": write_read,
}


def loop(of: Any, write: Callable[[Any, int], None], rows: list[int]) -> float:
    """Microseconds of the processor for a write to each row and a look at the whole, by row."""
    start = time.process_time()
    for row in rows:
        write(of, row)
    column = of if of.ndim == 1 else of["s" if write is write_text else "a"]
    column.isna().sum()
    return 1e6 * (time.process_time() - start) / len(rows)


def written_to(write: Callable[[Any, int], None], frame: Any) -> Any:
    """What a write goes into: a series, columns of one dtype, a frame of all."""
    if write is write_series:
        return frame["a"].copy()
    return frame[["a", "b"]].copy() if write is write_floats else frame.copy()


def written(options: argparse.Namespace) -> Iterator[str]:
    """A row for each way to write."""
    rows = (np.random.default_rng(5).permutation(999_999)[: options.count] + 1).tolist()
    frames = [frame_of(module, 1_000_000) for module in MODULES]
    for name, write in WRITES.items():
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(options.rounds):
            for series, frame in zip(times, frames, strict=True):
                series.append(loop(written_to(write, frame), write, rows))
        yield row_of(name, options.count, *times)


def main(argv: list[str]) -> None:
    """Print the table, and write it to a file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[10, 1000])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--writes", action="store_true")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args(argv)
    lines = [
        f"{cpu_name()}; {versions(['pandas', 'numpy'])}",
        "",
        f"| what | {'writes' if options.writes else 'rows'} | phalanx, us | pandas, us | ratio |",
        "|---|---|---|---|---|",
    ]
    print("\n".join(lines))
    for line in written(options) if options.writes else measured(options):
        print(line, flush=True)
        lines.append(line)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
