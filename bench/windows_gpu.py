"""Windows and bins of time of a column in a GPU's memory, beside the floor.

    python bench/windows_gpu.py [--rows N] [--rounds N] [--device NAME] [--output FILE]

One column of float64, rows a second apart. Times are medians after two runs before, with the
device waited for. The floor is the column read and the result written once, at the rate of a copy
of the column on the device. Results of 100,000 rows are compared with the host's.
``--device cpu`` runs the host's operators.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import phalanx as px
from phalanx import cuda

_WARM = 2
_COMPARED = 100_000
QUERIES: dict[str, Callable[[Any], Any]] = {
    **{
        f"rolling({width}).{name}": lambda s, w=width, n=name: getattr(s.rolling(w), n)()
        for width in (10, 1000)
        for name in ("sum", "mean", "max", "std")
    },
    "rolling('2min').mean": lambda s: s.rolling("2min").mean(),
    "expanding.sum": lambda s: s.expanding().sum(),
    "resample('1min').mean": lambda s: s.resample("1min").mean(),
    "resample('1min').max": lambda s: s.resample("1min").max(),
    "resample('1h').ohlc": lambda s: s.resample("1h").ohlc(),
    "resample('1D').sum": lambda s: s.resample("1D").sum(),
}


def series(rows: int) -> Any:
    """Numbers a second apart on the current device."""
    values = np.random.default_rng(7).normal(size=rows)
    times = np.datetime64("2024-01-01", "us") + np.arange(rows) * np.timedelta64(10**6, "us")
    return px.Series(px.asarray(values), index=px.DatetimeIndex(px.asarray(times)))


def median(function: Callable[[], Any], rounds: int, device: str) -> float:
    """Milliseconds of a call that is waited for."""
    wait = (lambda: None) if device == "cpu" else cuda.synchronize
    times = []
    for turn in range(_WARM + rounds):
        wait()
        start = time.perf_counter()
        made = function()
        for each in made._parts:
            each.values._evaluate()
        wait()
        if turn >= _WARM:
            times.append((time.perf_counter() - start) * 1e3)
        del made
    return statistics.median(times)


def copy_rate(rows: int, rounds: int, device: str) -> float:
    """Bytes that a copy of a column reads and writes in a millisecond."""
    source = series(rows)
    return 16 * rows / median(lambda: source + 1.0, rounds, device)


def checked(query: Callable[[Any], Any], device: str) -> None:
    """Compares the results of a short column with the host's."""
    with px.device("cpu"):
        wanted = np.asarray(query(series(_COMPARED)).to_numpy())
    with px.device(device):
        found = np.asarray(query(series(_COMPARED)).to_numpy())
    np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-11)


def main() -> None:
    """Prints a table, and writes it to a file if asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    lines = ["| query | ms | floor, ms | times the floor |", "|---|---:|---:|---:|"]
    with px.device(given.device):
        rate = copy_rate(given.rows, given.rounds, given.device)
        column = series(given.rows)
        for name, query in QUERIES.items():
            checked(query, given.device)
            took = median(lambda query=query: query(column), given.rounds, given.device)
            size = 8 * (given.rows + query(column).size)
            lines.append(f"| {name} | {took:.2f} | {size / rate:.2f} | {took * rate / size:.1f} |")
            print(lines[-1], flush=True)
    text = f"{given.rows} rows, {given.device}, {rate / 1e6:.0f} GB/s\n\n" + "\n".join(lines) + "\n"
    print(text)
    if given.output:
        given.output.write_text(text)


if __name__ == "__main__":
    main()
