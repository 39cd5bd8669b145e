"""Customers from a CSV to groups and a picture: one script for a CPU, a GPU and a cluster of Dask.

The program has no line for any of them. It runs on this process's device (`PHALANX_DEVICE`), and on
the workers of a cluster where Dask is told of one: `DASK_SCHEDULER_ADDRESS=tcp://host:8786`.
"""

import importlib.util
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
from _report import timed

import phalanx as px

# Mean spending and visits a month, age, and share bought online of five kinds of customers.
KINDS = np.array(
    [
        [20.0, 2.0, 24.0, 0.9],
        [45.0, 6.0, 38.0, 0.5],
        [90.0, 12.0, 45.0, 0.2],
        [15.0, 1.0, 67.0, 0.05],
        [120.0, 3.0, 55.0, 0.7],
    ]
)
NAMES = ["spending", "visits", "age", "online"]
SAMPLE = 50_000  # rows that the number of groups is chosen by


def write_input(path: Path, rows: int) -> np.ndarray:
    """A file of customers; returns the kind of each."""
    rng = np.random.default_rng(3)
    kind = rng.integers(0, len(KINDS), rows)
    values = KINDS[kind] * rng.normal(1.0, 0.08, (rows, len(NAMES)))
    px.DataFrame(dict(zip(NAMES, values.T.round(4), strict=True))).to_csv(path, index=False)
    return kind


def job(path: Path):
    """Labels of the customers in the file, how many groups there are, and their means."""
    import dask
    import dask.dataframe as dd
    from phalanx.ml.cluster import select_k
    from phalanx.ml.dask import KMeans

    with dask.config.set({"dataframe.backend": "phalanx"}):
        customers = dd.read_csv(path, blocksize="4MiB")
    samples = customers.to_dask_array(lengths=True)
    samples = ((samples - samples.mean(axis=0)) / samples.std(axis=0)).persist()
    choice = select_k(samples[:SAMPLE].compute(), range(2, 9), random_state=0)
    labels = KMeans(choice.best_k, random_state=0).fit(samples).predict(samples).compute()
    table = customers.compute().reset_index(drop=True)
    table["group"] = labels
    return labels, choice, table.groupby("group").mean()


def draw(choice, means, path: Path) -> None:
    """By what the number of groups was chosen, and below how the groups differ."""
    from matplotlib.figure import Figure

    choice.plot().savefig(path)
    figure = Figure(figsize=(9, 3), layout="constrained")
    for axes, name in zip(figure.subplots(1, len(NAMES)), NAMES, strict=True):
        axes.bar(range(len(means)), means[name].to_numpy())
        axes.set(title=name, xlabel="group")
    figure.savefig(path.with_name(f"{path.stem}_groups{path.suffix}"))


def main(rows: int = 200_000, picture: str | None = None) -> None:
    needed = ("dask.dataframe", "distributed", "matplotlib", "pyarrow")
    missing = [name for name in needed if not _is_installed(name)]
    if missing:
        print(f"    customers left out: {' and '.join(missing)} not installed")
        return
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    if address:
        from distributed import Client

        Client(address)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kind = write_input(folder / "customers.csv", rows)
        seconds, (labels, choice, means) = timed(lambda: job(folder / "customers.csv"))
        draw(choice, means, Path(picture) if picture else folder / "groups.png")
    print(means)
    # Each kind is one group: as many pairs of both as there are kinds.
    pairs = np.unique(kind * 100 + np.asarray(labels))
    assert choice.best_k == len(KINDS) == len(pairs), (choice, pairs)
    place = f"the cluster at {address}" if address else "this process"
    print(f"{rows:,} customers in {choice.best_k} groups by {place}: {seconds:.2f} s")


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(float(given[0])) if given else 200_000, *given[1:2])
