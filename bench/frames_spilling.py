"""Groups, joins and orders of data frames under a memory limit, beside the same in memory.

    python bench/frames_spilling.py [--rows 32000000] [--limit 256] [--folder FOLDER]

The columns are files (.npy) that are mapped, so that the data take no memory that the system could
not take back. Each work runs in a process of its own, once without a limit and once under it.
Printed are seconds, the peak of memory that is no file's (RssAnon, looked at every 5 ms), the
process's greatest size with what it has mapped of files (ru_maxrss), the peak of the arrays that
the limit counts, and what was written to files.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

WORKS = ("group-by sum", "sort", "join of two large", "join with a small one")
SIZES = ("anonymous", "maxrss", "arrays", "written")
MAKERS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "key": lambda draw, rows: draw.integers(0, max(rows // 10, 1), rows),
    "a": lambda draw, rows: draw.standard_normal(rows),
    "b": lambda draw, rows: draw.standard_normal(rows),
    "number": lambda draw, rows: draw.integers(0, 1000, rows),
}


def made(folder: pathlib.Path, rows: int) -> None:
    """Writes the columns, and those of a second table: a row of each key, and the tenth of it."""
    draw = np.random.default_rng(5)
    for name, make in MAKERS.items():
        np.save(folder / name, make(draw, rows))
    keys = draw.permutation(max(rows // 10, 1))
    for name, count in (("other", len(keys)), ("small", len(keys) // 100)):
        np.save(folder / f"{name}_key", keys[:count])
        np.save(folder / f"{name}_value", draw.standard_normal(count))


def opened(folder: pathlib.Path, **names: str) -> Any:
    """A frame whose columns stay in their files."""
    import phalanx as px

    columns = {
        label: px.load(folder / f"{name}.npy", mmap_mode="r") for label, name in names.items()
    }
    return px.DataFrame(columns, copy=False)


def anonymous() -> int:
    """The bytes in memory that are no file's."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    (found,) = (each.split()[1] for each in lines if each.startswith("RssAnon"))
    return int(found) << 10


def run(work: str, folder: pathlib.Path, limit: int) -> dict[str, float]:
    """Does it, and says what it took."""
    import phalanx as px

    frame = opened(folder, **{name: name for name in MAKERS})
    side = "small" if "small" in work else "other"
    other = opened(folder, key=f"{side}_key", value=f"{side}_value")
    frame.head(1000).groupby("key").sum(), frame.head(1000).sort_values("a")  # compiles
    before, peaks, is_done = anonymous(), [0], threading.Event()

    def watch() -> None:
        while not is_done.wait(0.005):
            peaks.append(anonymous())

    watcher = threading.Thread(target=watch)
    watcher.start()
    if limit:
        px.set_memory_limit(limit << 20, "cpu")
    start = time.perf_counter()
    if work == "group-by sum":
        result = frame.groupby("key").sum()
    elif work == "sort":
        result = frame.sort_values("a")
    else:
        result = frame.merge(other, on="key")
    seconds = time.perf_counter() - start
    is_done.set()
    watcher.join()
    info = px.memory_info("cpu")
    return {
        "seconds": seconds,
        "rows": len(result),
        "sum": float(result["a"].to_numpy()[:: 1 + len(result) // 1000].sum()),
        "anonymous": max(peaks) - before,
        "maxrss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10,
        "arrays": info.peak_bytes,
        "written": info.file_bytes,
    }


def in_process(work: str, folder: pathlib.Path, limit: int) -> dict[str, float]:
    """What `run` says, of a process that has done nothing else."""
    command = [sys.executable, __file__, "--work", work, "--folder", str(folder), "--limit"]
    done = subprocess.run([*command, str(limit)], check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=32_000_000)
    parser.add_argument("--limit", type=int, default=256, help="MiB")
    parser.add_argument("--folder", default=None)
    parser.add_argument("--work", choices=WORKS)
    told = parser.parse_args()
    if told.work:
        print(json.dumps(run(told.work, pathlib.Path(told.folder), told.limit)))
        return
    with tempfile.TemporaryDirectory(dir=told.folder) as name:
        folder = pathlib.Path(name)
        made(folder, told.rows)
        print("| work | limit | s | anonymous | maxrss | arrays | written |")
        print("|---|---|---|---|---|---|---|")
        for work in WORKS:
            found = [in_process(work, folder, limit) for limit in (0, told.limit)]
            assert found[0]["rows"] == found[1]["rows"]
            assert np.isclose(found[0]["sum"], found[1]["sum"])
            for limit, each in zip(("none", f"{told.limit} MiB"), found, strict=True):
                sizes = " | ".join(f"{each[name] / 2**20:.0f}" for name in SIZES)
                print(f"| {work} | {limit} | {each['seconds']:.1f} | {sizes} |", flush=True)


if __name__ == "__main__":
    main()
