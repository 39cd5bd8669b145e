"""Windows and bins of time of one column of float64: ours, pandas and polars.

    python bench/frames_windows.py [--rows N] [--rounds N] [--only WORD ...] [--output FILE]

Columns are in each library's own memory before; results are materialised and compared. Times are
the processor's, of all threads, and medians: they tell the same on a machine that others use too.
The floor is the column read and a result as long written once, at the rate of one thread's copy.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("PHALANX_NUM_THREADS", "2")
os.environ.setdefault("POLARS_MAX_THREADS", os.environ["PHALANX_NUM_THREADS"])

import numpy as np
import pandas as pd
import polars as pl
from _measure import cpu_name, versions

import phalanx as px


class Columns:
    """A column of numbers, the same with missing ones, and times a second apart."""

    def __init__(self, rows: int) -> None:
        draw = np.random.default_rng(7)
        values = draw.normal(size=rows)
        holes = np.where(draw.random(rows) < 0.1, np.nan, values)
        times = np.datetime64("2024-01-01", "us") + np.arange(rows) * np.timedelta64(10**6, "us")
        self.pandas = pd.DataFrame({"x": values, "h": holes}, index=pd.DatetimeIndex(times))
        self.ours = px.from_pandas(self.pandas)
        self.polars = pl.DataFrame({"t": times, "x": values, "h": holes}).with_columns(
            pl.col("h").fill_nan(None)
        )


def rolling(window: Any, name: str) -> tuple[Callable[..., Any], ...]:
    """A statistic of windows of so much time, or of that many rows."""
    if isinstance(window, str):
        mine = getattr(pl.col("x"), f"rolling_{name}_by")("t", window)
    else:
        mine = getattr(pl.col("x"), f"rolling_{name}")(window)
    return (
        lambda frame: getattr(frame["x"].rolling(window), name)(),
        lambda frame: frame.select(mine),
    )


def resampled(rule: str, name: str) -> tuple[Callable[..., Any], ...]:
    """A statistic of bins of time."""
    every = rule.replace("min", "m").replace("D", "d")
    return (
        lambda frame: getattr(frame["x"].resample(rule), name)(),
        lambda frame: (
            frame.group_by_dynamic("t", every=every).agg(getattr(pl.col("x"), name)()).select("x")
        ),
    )


# Of each query what pandas' and our frames do, and what polars' do.
QUERIES = {
    "rolling(100).mean": rolling(100, "mean"),
    "rolling(100).max": rolling(100, "max"),
    "rolling(100).std": rolling(100, "std"),
    "rolling(100).median": rolling(100, "median"),
    "rolling(10000).mean": rolling(10_000, "mean"),
    "rolling('2min').mean": rolling("2m", "mean"),
    "ewm(com=9.5).mean": (
        lambda frame: frame["x"].ewm(com=9.5).mean(),
        lambda frame: frame.select(pl.col("x").ewm_mean(com=9.5)),
    ),
    "resample('1min').mean": resampled("1min", "mean"),
    "resample('1h').max": resampled("1h", "max"),
    "resample('1D').sum": resampled("1D", "sum"),
    "ffill": (
        lambda frame: frame["h"].ffill(),
        lambda frame: frame.select(pl.col("h").forward_fill()),
    ),
    "interpolate": (
        lambda frame: frame["h"].interpolate(),
        lambda frame: frame.select(pl.col("h").interpolate()),
    ),
}
QUERIES["rolling('2min').mean"] = (
    lambda frame: frame["x"].rolling("2min").mean(),
    QUERIES["rolling('2min').mean"][1],
)


def answer(result: Any) -> np.ndarray:
    """The numbers of a result."""
    if isinstance(result, pl.DataFrame):
        return result.to_series().to_numpy()
    return np.asarray(result)


def measured(work: Callable[[], Any], rounds: int) -> tuple[float, np.ndarray]:
    """The median of processor milliseconds, and the numbers."""
    found = answer(work())
    times = []
    for _ in range(rounds):
        start = time.process_time()
        answer(work())
        times.append((time.process_time() - start) * 1e3)
    return statistics.median(times), found


def copy_rate() -> float:
    """Bytes that one thread's copy reads and writes a millisecond."""
    source = np.zeros(1 << 25)
    target = source.copy()
    best = min(_seconds(lambda: np.copyto(target, source)) for _ in range(5))
    return 2 * source.nbytes / best / 1e3


def _seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Print a table, and write it to a file if asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    columns = Columns(given.rows)
    floor = 16 * given.rows / copy_rate()
    lines = [
        f"{cpu_name()}; {versions(['numpy', 'pandas', 'polars'])}; {given.rows} rows",
        "",
        "| query | ours, ms | pandas | polars | ours / floor |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, (both, theirs) in QUERIES.items():
        if given.only and not any(word in name for word in given.only):
            continue
        ours, found = measured(lambda both=both: both(columns.ours), given.rounds)
        pandas, wanted = measured(lambda both=both: both(columns.pandas), 1)
        polars, _ = measured(lambda theirs=theirs: theirs(columns.polars), given.rounds)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
        lines.append(
            f"| {name} | {ours:.0f} | {pandas:.0f} ({pandas / ours:.1f} x) "
            f"| {polars:.0f} ({polars / ours:.1f} x) | {ours / floor:.1f} x |"
        )
        print(lines[-1], flush=True)
    text = "\n".join(lines) + "\n"
    print(text)
    if given.output:
        given.output.write_text(text)


if __name__ == "__main__":
    main()
