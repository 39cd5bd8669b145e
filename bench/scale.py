"""Overhead of Dask's tasks with our chunks beside NumPy's, and bytes between two workers.

    python -P bench/scale.py [TASKS]     # -P: bench/sparse.py is not the package sparse

Needs dask and distributed. Small chunks are all overhead: each task adds one to a chunk of 8 or of
65,536 numbers. Times are of the synchronous scheduler, the least of some runs, processor time.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import dask
import dask.array as da
import numpy as np

import phalanx as px

RUNS = 5
BYTES = 64_000_000


def seconds_of(collections: list[Any]) -> list[float]:
    """The least processor time of some computations of each, in turn."""
    found: list[list[float]] = [[] for _ in collections]
    for _ in range(RUNS):
        for each, times in zip(collections, found, strict=True):
            start = time.process_time()
            each.compute(scheduler="sync", optimize_graph=False)
            times.append(time.process_time() - start)
    return [min(times) for times in found]


def tasks_of(chunk: Any, count: int) -> Any:
    """A value of `count` tasks that add one to a chunk."""
    own = dask.delayed(chunk, pure=False)
    return dask.delayed(len)([dask.delayed(_task)(own) for _ in range(count)])


def _task(chunk: Any) -> Any:
    return chunk + 1


def overhead(tasks: int) -> None:
    """Print microseconds a task."""
    print(f"{'a task, microseconds':34}{'NumPy':>10}{'phalanx':>10}{'ratio':>8}")
    for size, count in ((8, tasks), (65_536, max(1, tasks // 10))):
        host = np.ones(size)
        for name, make in (("one chunk + 1", tasks_of), ("array of chunks, x + 1", _array_of)):
            both = seconds_of([make(x, count) for x in (host, px.asarray(host))])
            times = [each / count * 1e6 for each in both]
            ratio = times[1] / times[0]
            print(f"{name + f', {size} numbers':34}{times[0]:10.1f}{times[1]:10.1f}{ratio:8.2f}")


def _array_of(chunk: Any, tasks: int) -> Any:
    """An array whose chunks are all this one, plus one."""
    graph = {("x", i): chunk for i in range(tasks)}
    x = da.Array(graph, "x", ((len(chunk),) * tasks,), meta=chunk[:0])
    return x + 1


def _made(is_ours: bool) -> Any:
    made = np.ones(BYTES // 8)
    return px.asarray(made) if is_ours else made


def _taken(x: Any) -> float:
    return float(x[-1])


def transfers() -> None:
    """Print the wall time of a chunk from one worker to another."""
    from distributed import Client, wait

    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        first, second = client.scheduler_info()["workers"]
        client.run(_made, True)
        for name, is_ours in (("NumPy", False), ("phalanx", True)):
            found = []
            for _ in range(RUNS):
                made = client.submit(_made, is_ours, workers=[first], pure=False)
                wait(made)
                start = time.perf_counter()
                client.submit(_taken, made, workers=[second], pure=False).result()
                found.append(time.perf_counter() - start)
            print(f"64 MB to another worker, {name}: {min(found) * 1e3:.0f} ms")


if __name__ == "__main__":
    overhead(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    transfers()
