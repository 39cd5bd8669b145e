"""Forests whose samples are on a GPU: stages of a fit, kernels, sizes of blocks, the host's way.

    python bench/forest_gpu.py [--rows N] [--trees N] [--depth N] [--rounds N] [--device NAME]
                               [--only PART ...]

Parts: `fit` (the stages of the fit of `bench/models.py`, each waited for, and the kernels by their
time on the device), `variants` (sizes of blocks and of parts of nodes), `others` (unlimited depth,
regressors, 100 trees), `host` (the same fit on the host's cores, whose trees must be the same).
Times are medians after a fit before. ``--device cpu`` runs the kernels without a GPU.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from models import CASES, data
from phalanx._models.ensemble import forest, forest_classifiers
from phalanx._models.tree.on_device import growing, planning
from phalanx._models.tree.on_device.shapes import Tuning
from phalanx.ml.ensemble import RandomForestClassifier, RandomForestRegressor

import phalanx as px
from phalanx import _engine, cuda

STAGES = [
    (forest, "samples", "samples are checked"),
    (forest_classifiers, "classes_of", "classes and codes"),
    (planning, "bins_on_device", "edges of bins"),
    (planning, "binned", "samples in bins"),
    (planning, "write_classes", "classes to records"),
    (planning, "drawn_counts", "rows that trees draw"),
    (growing, "plant", "rows of roots"),
    (growing.Growth, "_split", "levels: splits"),
    (growing.Growth, "grow", "levels, with roots"),
    (planning, "leaf_sums", "sums of leaves"),
    (planning, "assembled", "nodes to the host"),
    (planning.DevicePlan, "_trees", "trees of them"),
    (forest.Forest, "_keep_trees", "models of them"),
]
VARIANTS = [
    *(Tuning(threads=threads) for threads in (128, 512)),
    *(Tuning(small_threads=threads) for threads in (64, 256)),
    *(Tuning(part=part) for part in (512, 1024, 2048, 4096, 8192)),
]


def timed(call: Callable[[], Any], rounds: int) -> float:
    """Milliseconds, the median; a call before compiles."""
    call()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


@contextmanager
def watched(times: dict[str, list[float]]) -> Iterator[None]:
    """Keeps how long each stage takes, which is waited for."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in STAGES]

    def watcher(function: Callable[..., Any], label: str) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            cuda.synchronize()
            start = time.perf_counter()
            made = function(*given, **named)
            cuda.synchronize()
            times[label].append((time.perf_counter() - start) * 1e3)
            return made

        return call

    for (owner, name, function), (_, _, label) in zip(before, STAGES, strict=True):
        setattr(owner, name, watcher(function, label))
    try:
        yield
    finally:
        for owner, name, function in before:
            setattr(owner, name, function)


def stages(call: Callable[[], Any]) -> None:
    """Prints where the time of a fit goes, by stages and by kernels."""
    call()
    times: dict[str, list[float]] = defaultdict(list)
    with watched(times):
        call()
    print("\n| stage | calls | ms |\n|---|---:|---:|")
    for _, _, label in STAGES:
        if times[label]:
            print(f"| {label} | {len(times[label])} | {sum(times[label]):.2f} |")
    with px.profile() as profile:
        call()
    found: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
    for row in profile.rows():
        if row.device_seconds and not row.name.endswith(".fit"):
            found[row.name][0] += row.calls
            found[row.name][1] += row.device_seconds * 1e3
    print("\n| on the device | calls | ms |\n|---|---:|---:|")
    for name, (calls, taken) in sorted(found.items(), key=lambda each: -each[1][1])[:24]:
        print(f"| {name} | {calls} | {taken:.3f} |")
    print(f"| all | | {sum(taken for _, taken in found.values()):.2f} |")


def variants(call: Callable[[], Any], rounds: int) -> None:
    """Prints the times of other sizes."""
    print("\n| threads, of small nodes, part | fit, ms |\n|---|---:|")
    usual = planning.TUNING
    for tuning in (usual, *VARIANTS):
        planning.TUNING = tuning
        print(f"| {tuple(tuning)} | {timed(call, rounds):.1f} |")
    planning.TUNING = usual


def others(x: Any, y: Any, number: Any, options: argparse.Namespace) -> None:
    """Prints the times of other forests."""
    given = {"n_estimators": options.trees, "random_state": 0}
    deep = {**given, "max_depth": options.depth}
    models = {
        "as deep as it gets": RandomForestClassifier(**given),
        "min_samples_leaf=5": RandomForestClassifier(**deep, min_samples_leaf=5),
        "5 times the trees": RandomForestClassifier(**{**deep, "n_estimators": 5 * options.trees}),
        "numbers, a third of the features": RandomForestRegressor(**deep, max_features=1 / 3),
        "numbers, all features": RandomForestRegressor(**deep),
    }
    print("\n| forest | fit, ms | nodes |\n|---|---:|---:|")
    for name, model in models.items():
        target = number if isinstance(model, RandomForestRegressor) else y
        taken = timed(lambda model=model, target=target: model.fit(x, target), 1)
        nodes = sum(each.tree_.node_count for each in model.estimators_)
        print(f"| {name} | {taken:.1f} | {nodes:,} |")


def differences(one: Any, other: Any) -> int:
    """How many trees differ."""
    names = ("children_left", "feature", "threshold", "n_node_samples", "value")
    pairs = zip(one.estimators_, other.estimators_, strict=True)
    return sum(
        any(not np.array_equal(getattr(a.tree_, name), getattr(b.tree_, name)) for name in names)
        for a, b in pairs
    )


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda", choices=("cpu", "cuda"))
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=10**6)
    parser.add_argument("--trees", type=int, default=20)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=["fit", "variants", "others", "host"])
    options = parser.parse_args()
    _engine.set_current_device(_engine.device(options.device))
    on_the_host = planning.ON_THE_HOST.pop("samples of the host")
    case = next(each for each in CASES if each.name == "RandomForestClassifier")
    host, classes = data(options.rows, case)
    x, y = px.asarray(host), px.asarray(classes)
    number = px.asarray(host[:, 0].astype(np.float64) ** 2 + host[:, 1])
    model = RandomForestClassifier(options.trees, max_depth=options.depth, random_state=0)

    def call() -> Any:
        return model.fit(x, y)

    if "fit" in options.only:
        print(f"fit: {timed(call, options.rounds):.1f} ms, accuracy {model.score(x, y):.4f}")
        stages(call)
    if "variants" in options.only:
        variants(call, options.rounds)
    if "others" in options.only:
        others(x, y, number, options)
    if "host" in options.only:
        model.fit(x, y)
        planning.ON_THE_HOST["samples of the host"] = on_the_host
        _engine.set_current_device(_engine.device("cpu"))
        other = RandomForestClassifier(options.trees, max_depth=options.depth, random_state=0)
        start = time.perf_counter()
        other.fit(host, classes)
        taken = time.perf_counter() - start
        print(f"\nthe host: {taken:.2f} s; trees that differ: {differences(model, other)}")


if __name__ == "__main__":
    main()
