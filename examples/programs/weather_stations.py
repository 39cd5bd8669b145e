"""Weather stations: a file of measurements to the least, mean and largest temperature of each.

The "one billion row challenge" (G. Morling, 2024), as a program for pandas with the import
replaced, and with fewer rows.
"""

import importlib
import tempfile
from pathlib import Path

import numpy as np
from _program import Run, check, start

import phalanx as px

FIELD, USES = "geodata", "frames"
STATIONS = 400


def write(file, rows):
    """Lines of `station;temperature`, and the true means."""
    rng = np.random.default_rng(14)
    means = rng.uniform(-15, 35, STATIONS)
    station = rng.integers(0, STATIONS, rows)
    names = np.array([f"Station {k:03d}" for k in range(STATIONS)])
    table = px.DataFrame({"station": names[station]})
    table["celsius"] = np.round(rng.normal(means[station], 10), 1)
    table.to_csv(file, sep=";", header=False, index=False)
    return means


def summary(pd, file):
    """The job; `pd` is phalanx or pandas."""
    table = pd.read_csv(file, sep=";", names=["station", "celsius"])
    stations = table.groupby("station")["celsius"].agg(["min", "mean", "max"])
    return stations.sort_index().round(1)


def main(run: Run) -> None:
    rows = run.size(3_000_000, 20_000)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "measurements.txt"
        means = write(file, rows)
        result = run.measure(lambda: summary(px, file))
        expected = run.peer("pandas", lambda: summary(importlib.import_module("pandas"), file))
    values = np.asarray(result)
    # A mean that lies on the edge of two tenths may be rounded to either.
    run.agree(values, expected, atol=0.1001)
    check(len(result), STATIONS)
    check(values[:, 1], means, atol=run.size(1.0, 12.0))
    print(f"    {result.index[0]}={values[0, 0]}/{values[0, 1]}/{values[0, 2]}, ...")

    def draw(axes):
        order = np.argsort(values[:, 1])
        axes.fill_between(range(STATIONS), values[order, 0], values[order, 2], alpha=0.3)
        axes.plot(values[order, 1])
        axes.set(xlabel="stations, by their mean", ylabel="degrees Celsius")

    run.picture(draw)


if __name__ == "__main__":
    start(main)
