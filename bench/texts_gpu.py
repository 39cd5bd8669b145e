"""Methods of `.str` on a column of short texts in a GPU's memory, beside cuDF where it is there.

    python bench/texts_gpu.py [--rows N] [--rounds N] [--device NAME]

Texts are names and numbers of 4 to 20 bytes, ASCII. Times are medians after two runs before, with
the device waited for; results are columns on the device, and are compared with the host's on the
first rows. The floor is the bytes that have to be read and written, over the bandwidth of a copy on
the device. ``--device cpu`` runs the host's engine.
"""

from __future__ import annotations

import argparse
import importlib
import platform
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px
from phalanx import cuda

_WARM = 2
_SAMPLE = 10_000
_DIFFERENT = 1 << 18
PATTERN = r"\d{2,}[a-f]"
WORDS = ["Jonas", "maria", "Trip to the sea", "order", "abc", "Invoice", "zebra crossing"]

# Name, what is done, and the bytes that are moved for n texts of b bytes that give m bytes.
METHODS: dict[str, tuple[Callable[[Any], Any], Callable[[int, int, int], int]]] = {
    "upper": (lambda s: s.str.upper(), lambda n, b, m: b + m),
    "contains literal": (
        lambda s: s.str.contains("er", regex=False),
        lambda n, b, m: b + 8 * n + n,
    ),
    "contains regex": (lambda s: s.str.contains(PATTERN), lambda n, b, m: b + 8 * n + n),
    "count regex": (lambda s: s.str.count(r"\d+"), lambda n, b, m: b + 16 * n),
    "replace regex": (
        lambda s: s.str.replace(r"\d+", "#", regex=True),
        lambda n, b, m: b + m + 16 * n,
    ),
    "len": (lambda s: s.str.len(), lambda n, b, m: b + 16 * n),
    "slice": (lambda s: s.str[1:4], lambda n, b, m: b + m + 16 * n),
    "== text": (lambda s: s == "order123", lambda n, b, m: 8 * n + n),
    "+": (lambda s: s + s, lambda n, b, m: 2 * b + m + 24 * n),
}


def texts(rows: int) -> list[str]:
    """Short texts, the same ones each time."""
    rng = np.random.default_rng(0)
    words, numbers = rng.integers(0, len(WORDS), rows), rng.integers(0, 1 << 20, rows)
    return [
        f"{WORDS[i]}{number:x}" for i, number in zip(words.tolist(), numbers.tolist(), strict=True)
    ]


def finished(made: Any, device: str) -> Any:
    """Waits for a result, whose arrays may not have been computed before."""
    for name in ("values", "offsets", "text", "valid"):
        array = getattr(getattr(made, "_column", None), name, None)
        if array is not None:
            array._evaluate()
    if device != "cpu":
        cuda.synchronize()
    return made


def median(function: Callable[[], Any], rounds: int) -> float:
    """Milliseconds of a call that waits for its result."""
    times = []
    for turn in range(_WARM + rounds):
        start = time.perf_counter()
        made = function()
        end = time.perf_counter()
        del made
        if turn >= _WARM:
            times.append((end - start) * 1e3)
    return statistics.median(times)


def bandwidth(rounds: int, device: str) -> float:
    """Bytes that a copy on the device reads and writes in a millisecond."""
    size = 1 << (30 if device != "cpu" else 26)
    source = px.ones(size // 8, "float64", device=device)

    def copy() -> Any:
        made = source.copy()
        made._evaluate()
        if device != "cpu":
            cuda.synchronize()
        return made

    return 2 * size / median(copy, rounds)


def is_right(name: str, device: str) -> bool:
    """True if the first rows are the host's, to the bit."""
    function = METHODS[name][0]
    sample = texts(_SAMPLE)
    with px.device("cpu"):
        wanted = function(px.Series(sample))
    with px.device(device):
        found = function(px.Series(sample))
    return str(found.dtype) == str(wanted.dtype) and found.tolist() == wanted.tolist()


def of_cudf(listed: list[str], rows: np.ndarray, rounds: int) -> dict[str, float]:
    """cuDF's milliseconds; nothing where it is not installed."""
    try:
        cudf, cupy = (importlib.import_module(each) for each in ("cudf", "cupy"))
    except ImportError:
        return {}
    series = cudf.Series(listed).iloc[cupy.asarray(rows)].reset_index(drop=True)

    def run(function: Callable[[Any], Any]) -> Any:
        made = function(series)
        cupy.cuda.Device().synchronize()
        return made

    return {
        name: median(lambda function=function: run(function), rounds)  # type: ignore[misc]
        for name, (function, _) in METHODS.items()
    }


def moved(name: str, series: Any, rows: int) -> int:
    """Bytes that a method has to read and write."""
    made = METHODS[name][0](series)._column
    of_texts = int(series._column.offsets[-1])
    written = int(made.offsets[-1]) if hasattr(made, "offsets") else 0
    return METHODS[name][1](rows, of_texts, written)


def main() -> int:
    """Prints a line for each method; returns 1 where a result is not the host's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    listed = texts(min(given.rows, _DIFFERENT))
    rows = np.random.default_rng(1).integers(0, len(listed), given.rows)
    with px.device(given.device):
        series = px.Series(listed).take(rows).reset_index(drop=True)
    speed = bandwidth(given.rounds, given.device)
    others = of_cudf(listed, rows, given.rounds)
    print(f"{platform.node()}, {given.device}: {given.rows} texts, {speed / 1e6:.0f} GB/s")
    print("method            ms      floor   x floor  cuDF    right")
    wrong = 0
    for name, (function, _) in METHODS.items():
        with px.device(given.device):
            run = lambda function=function: finished(function(series), given.device)  # noqa: E731
            own = median(run, given.rounds)
            floor = moved(name, series, given.rows) / speed
        beside = f"{others[name]:7.3f}" if name in others else "      -"
        good = is_right(name, given.device)
        wrong += not good
        print(f"{name:17} {own:7.3f} {floor:7.3f} {own / floor:7.2f} {beside}  {good}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
