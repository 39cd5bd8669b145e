"""Users' functions of elements, rows, groups and windows, and a fused filter, beside pandas.

    python bench/frames_functions.py [ROWS] > bench/results/...

Each figure is the processor time of all threads, and the wall time, in milliseconds. `first` is the
first call in the process, the compiler or the disk cache included; `then` is the best of four more.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px


def kinked(x: float) -> float:
    """A function with a branch."""
    if x > 0.5:
        return x * 2 + 1
    return x * x - 3


def rooted(x: float) -> float:
    """A function of `math`."""
    return math.sqrt(abs(x)) * 2.5 if x < 1 else math.log(x)


def stepped(k: int) -> int:
    """A function of ints, which are checked for overflow."""
    return k * k + 3 if k % 2 == 0 else k - 7


def of_row(row: Any) -> Any:
    """A function of a row."""
    return row["a"] * 2 if row["a"] > row["b"] else row["b"] / 3


def weighted(group: Any) -> Any:
    """A function of a group's frame."""
    return (group["a"] * group["b"]).sum() / group["b"].sum()


def rising(x: Any) -> Any:
    """A function of a window's array."""
    return (x * np.arange(1, len(x) + 1)).sum()


# Functions of groups and windows, by what they are called with; pandas has a hundredth of the rows.
SLICES: dict[str, Callable[[Any], Any]] = {
    "groups agg, max - min": lambda f: f.groupby("g")["a"].agg(lambda x: x.max() - x.min()),
    "groups agg, mean deviation": lambda f: f.groupby("g")["a"].agg(
        lambda x: (x - x.mean()).abs().mean()
    ),
    "groups apply, weighted mean": lambda f: f.groupby("g")[["a", "b"]].apply(weighted),
    "groups transform, score": lambda f: f.groupby("g")["a"].transform(
        lambda x: (x - x.mean()) / x.std()
    ),
    "rolling(20).apply, raw": lambda f: f["a"].rolling(20).apply(rising, raw=True),
    "rolling(20).apply, series": lambda f: f["a"].rolling(20).apply(lambda x: x.max() - x.min()),
}


def domain(text: str) -> str | None:
    """A part of a text, where there is one."""
    at = text.find("@")
    return text[at + 1 :] if at >= 0 else None


def is_wanted(text: str) -> bool:
    """A test of a text."""
    return text.startswith("a") and len(text) > 20


def shaped(text: str) -> str:
    """One of three texts."""
    if len(text) > 22 and text.startswith("a"):
        return text.upper()
    if "9" in text:
        return text[:5]
    return text


def graded(k: int) -> str:
    """A text of a number."""
    return "low" if k < 100 else "middle" if k < 500 else "high"


def titled(row: Any) -> str:
    """A text of a row."""
    return row["name"].upper() + f" ({row['k']})" if row["k"] > 10 else row["name"]


def chain(frame: Any) -> Any:
    """A filter, 20 operations and a sum."""
    kept = frame[frame["a"] > 0.5]
    made = kept["a"] * 2 + kept["b"]
    for _ in range(4):
        made = (made - 1) / 3 + kept["b"] * 0.5
    return (made * made - 1).sum()


def lazy_chain(frame: Any) -> Any:
    """The same for polars' lazy engine."""
    import polars as pl

    made = pl.col("a") * 2 + pl.col("b")
    for _ in range(4):
        made = (made - 1) / 3 + pl.col("b") * 0.5
    lazy = frame.lazy().filter(pl.col("a") > 0.5)
    return lazy.select((made * made - 1).sum()).collect().item()


def timed(run: Callable[[], Any], repeats: int) -> list[tuple[float, float]]:
    """Processor time and wall time of each call, in milliseconds."""
    made = []
    for _ in range(repeats):
        wall, processor = time.perf_counter(), time.process_time()
        run()
        made.append(((time.process_time() - processor) * 1e3, (time.perf_counter() - wall) * 1e3))
    return made


def row(name: str, library: str, run: Callable[[], Any], repeats: int = 5) -> None:
    """Print a row of the table."""
    first, *rest = timed(run, repeats)
    then = min(rest) if rest else first
    print(
        f"| {name} | {library} | {first[0]:.0f} / {first[1]:.0f} | {then[0]:.0f} / {then[1]:.0f} |"
    )


_OF_TEXTS = {"domain": domain, "is_wanted": is_wanted, "shaped": shaped}


def texts(rows: int) -> None:
    """Print the rows of functions of texts, which are a tenth as many."""
    import pandas as pd

    generator = np.random.default_rng(2)
    names = np.array(["ada", "emil", "zoë", "grace"], object)[generator.integers(0, 4, rows)]
    k = generator.integers(0, 1000, rows)
    mails = [f"{name}{i}@example{i % 50}.org" for name, i in zip(names, k.tolist(), strict=True)]
    columns = {"name": mails, "k": k}
    for library, frame in (("phalanx", px.DataFrame(columns)), ("pandas", pd.DataFrame(columns))):
        repeats = 5 if library == "phalanx" else 1
        for name, function in _OF_TEXTS.items():
            row(f"texts, {name}", library, lambda f=function, of=frame: of["name"].map(f), repeats)
        row("texts of numbers", library, lambda of=frame: of["k"].map(graded), repeats)
        few = frame if library == "phalanx" else frame.iloc[: rows // 100]
        name = "texts, apply(axis=1)" + ("" if few is frame else ", a hundredth")
        row(name, library, lambda of=few: of.apply(titled, axis=1), repeats)


def main() -> None:
    """Print the table."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    generator = np.random.default_rng(1)
    a, b, k = generator.normal(size=rows), generator.random(rows), generator.integers(0, 1000, rows)
    px.Series([1.0]).sum()
    groups = generator.permutation(np.arange(rows) // 10)
    ours = px.DataFrame({"a": a, "b": b, "k": k, "g": groups})
    print("| what | library | first: processor / wall ms | then: processor / wall ms |")
    print("|---|---|---|---|")
    calls = {"kinked": (kinked, "a"), "rooted": (rooted, "a"), "stepped": (stepped, "k")}
    for name, (function, column) in calls.items():
        row(f"apply, {name}", "phalanx", lambda f=function, c=column: ours[c].apply(f))
    row("apply(axis=1)", "phalanx", lambda: ours[["a", "b"]].apply(of_row, axis=1))
    row("filter, 20 operations, sum", "phalanx", lambda: chain(ours))
    for name, call in SLICES.items():
        row(name, "phalanx", lambda call=call: call(ours), 3)
    import pandas as pd

    theirs = pd.DataFrame({"a": a, "b": b, "k": k})
    for name, (function, column) in calls.items():
        row(f"apply, {name}", "pandas", lambda f=function, c=column: theirs[c].apply(f), 1)
    few = theirs[["a", "b"]].iloc[: rows // 100]
    row("apply(axis=1), a hundredth", "pandas", lambda: few.apply(of_row, axis=1), 1)
    row("filter, 20 operations, sum", "pandas", lambda: chain(theirs))
    part = rows // 100
    numbers = generator.permutation(np.arange(part) // 10)
    few = pd.DataFrame({"a": a[:part], "b": b[:part], "g": numbers})
    for name, call in SLICES.items():
        row(f"{name}, a hundredth", "pandas", lambda call=call: call(few), 1)
    texts(rows // 10)
    try:
        import polars as pl
    except ImportError:
        return
    frame = pl.DataFrame({"a": a, "b": b})
    row("filter, 20 operations, sum", "polars, lazy", lambda: lazy_chain(frame))


if __name__ == "__main__":
    main()
