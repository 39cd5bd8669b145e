"""One device beside several of a machine: sums, sorts, products, k-means and group-bys.

    python -P bench/devices.py [SHARE [WORD...]]

SHARE is of the sizes of the table, 1 by default; WORDs choose rows; with
PHALANX_BENCH_PROFILE=1 each is followed by a profile of a run over all devices.

`bench/device_stages.py` takes sorts and k-means apart.

Needs two GPUs or more (or PHALANX_CPU_DEVICES=2, which shows that it runs, not that it is faster).
1e10 elements are added up, 2e9 float32 sorted, 2e8 x 12 put into clusters, 1e9 rows grouped. Times
are medians of wall seconds, all devices waited for; of one device its own arrays and frames.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

RUNS = 5


def computed(array: Any) -> Any:
    """The array with its elements in memory: what is only recorded is fused with what reads it."""
    for part in array.parts:
        part._evaluate()
    return array


def seconds_of(group: Any, work: Callable[[], Any]) -> float:
    """The median, after a run that compiles."""
    times = []
    for _ in range(RUNS + 1):
        group.synchronize()
        begin = time.perf_counter()
        made = work()
        for part in getattr(made, "parts", [made]):
            if hasattr(part, "_evaluate"):
                part._evaluate()
        group.synchronize()
        times.append(time.perf_counter() - begin)
    return statistics.median(times[1:])


def profile_of(group: Any, work: Callable[[], Any]) -> Any:
    """What a run costs, where that is asked for."""
    if os.environ.get("PHALANX_BENCH_PROFILE") != "1":
        return None
    with px.profile() as made:
        work()
        group.synchronize()
    return made


def total(group: Any, share: float) -> Callable[[], Any]:
    """The sum of 1e10 float32."""
    x = computed(group.ones(int(1e10 * share), "float32"))
    return lambda: float(x.sum())


def fused(group: Any, share: float) -> Callable[[], Any]:
    """Ten operations on 2e9 float32, and their sum."""
    x = computed(group.default_rng(0).random(size=int(2e9 * share), dtype="float32"))
    return lambda: float((px.exp(-x * x) * 0.5 + px.sqrt(x) - x * 0.25).sum())


def order(group: Any, share: float) -> Callable[[], Any]:
    """2e9 float32, sorted."""
    x = computed(group.default_rng(0).random(size=int(2e9 * share), dtype="float32"))
    return lambda: np.sort(x)


def product(group: Any, share: float) -> Callable[[], Any]:
    """20,000 x 20,000 float32 with itself."""
    n = int(20_000 * share**0.5)
    random = group.default_rng(0)
    a = computed(random.standard_normal(size=(n, n), dtype="float32"))
    b = computed(random.standard_normal(size=(n, n), dtype="float32"))
    return lambda: a @ b


def clusters(group: Any, share: float) -> Callable[[], Any]:
    """Twenty steps of k-means of 2e8 x 12 float32 with 8 clusters, from the same first centers."""
    from phalanx.ml.cluster import KMeans

    count = int(2e8 * share)
    x = computed(group.default_rng(0).random(size=(count, 12), dtype="float32"))
    first = np.asarray(x[:8])
    given = x if len(group) > 1 else x.gather()
    model = KMeans(8, init=first, n_init=1, max_iter=20, tol=0)
    return lambda: model.fit(given).labels_


def groups(group: Any, share: float) -> Callable[[], Any]:
    """Sums and means of 1e9 rows by 1,000 keys."""
    count = int(1e9 * share)
    random = group.default_rng(0)
    keys = computed((random.random(size=count, dtype="float32") * 1000).astype("int32"))
    values = computed(random.random(size=count, dtype="float32"))
    parts = []
    for device, key, value in zip(group, keys.parts, values.parts, strict=True):
        with device:
            parts.append(px.DataFrame({"key": key, "value": value}))
    frame = px.SpreadFrame.of_parts(group, parts) if len(group) > 1 else parts[0]
    wanted = {"value": ["sum", "mean"]}
    return lambda: frame.groupby("key").agg(wanted)


ROWS = [
    ("sum of 1e10 float32", total, 1.9),
    ("10 operations of 2e9 float32", fused, None),
    ("sort of 2e9 float32", order, 1.6),
    ("product of 20,000 x 20,000 float32", product, None),
    ("k-means of 2e8 x 12, 20 steps", clusters, 1.8),
    ("group-by of 1e9 rows, 1,000 keys", groups, 1.6),
]


def main() -> None:
    """Print the table."""
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    both = px.devices("all")
    one = px.devices(both[0].name)
    print(f"{both}, NumPy {np.__version__}, phalanx {px.__version__}, share {share}")
    print(f"{'':38}{'one, s':>10}{'all, s':>10}{'ratio':>8}{'target':>8}")
    words = sys.argv[2:]
    for name, make, target in ROWS:
        if words and not any(word in name for word in words):
            continue
        times = []
        for group in (one, both):
            work = make(group, share)
            times.append(seconds_of(group, work))
            seen = profile_of(group, work) if group is both else None
            del work
            px.free_all_blocks()
        ratio = times[0] / times[1]
        print(f"{name:38}{times[0]:10.4f}{times[1]:10.4f}{ratio:8.2f}{target or '':>8}", flush=True)
        if seen is not None:
            print(seen, flush=True)


if __name__ == "__main__":
    main()
