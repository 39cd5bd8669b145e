"""A CSV of trips to a table, a parquet file and a plot: pandas code with the import replaced."""

import importlib
import importlib.util
import sys
import tempfile
from pathlib import Path

import numpy as np
from _report import timed

import phalanx

BOROUGHS = ["Bronx", "Brooklyn", "Manhattan", "Queens", "Staten Island"]


def write_input(folder: Path, rows: int) -> None:
    """A file of trips, some of which were never made, and one that says where zones are."""
    rng = np.random.default_rng(7)
    start = np.datetime64("2026-01-01", "s") + rng.integers(0, 28 * 86400, rows)
    km = np.round(rng.gamma(2.0, 2.5, rows), 2)
    trips = phalanx.DataFrame(
        {
            "start": start,
            "zone": rng.integers(1, 261, rows),
            "km": np.where(rng.random(rows) < 0.02, 0.0, km),
            "minutes": np.round(km * rng.uniform(1.5, 6.0, rows) + 1, 1),
            "tip": np.where(rng.random(rows) < 0.3, np.nan, np.round(rng.exponential(2, rows), 2)),
        }
    )
    trips.to_csv(folder / "trips.csv", index=False)
    zones = phalanx.DataFrame({"zone": np.arange(1, 261)})
    zones["borough"] = [BOROUGHS[i % len(BOROUGHS)] for i in range(260)]
    zones.to_csv(folder / "zones.csv", index=False)


def fare(km):
    """What a ride costs: a function of the user's, with branches."""
    if km <= 1.0:
        return 4.0
    if km <= 10.0:
        return 4.0 + (km - 1.0) * 1.8
    return 20.2 + (km - 10.0) * 1.4


def job(pd, folder: Path):
    """The job; `pd` is phalanx or pandas."""
    trips = pd.read_csv(folder / "trips.csv", parse_dates=["start"])
    zones = pd.read_csv(folder / "zones.csv")
    trips = trips[(trips["km"] > 0.1) & (trips["minutes"] < 180)]
    trips["speed"] = trips["km"] / (trips["minutes"] / 60)
    trips["fare"] = trips["km"].apply(fare) + trips["tip"].fillna(0)
    trips["hour"] = trips["start"].dt.hour
    table = trips.groupby(["zone", "hour"], as_index=False).agg(
        rides=("fare", "size"), income=("fare", "sum"), speed=("speed", "median")
    )
    table = table.merge(zones, on="zone").sort_values(["income", "zone"], ascending=False)
    table.to_parquet(folder / "income.parquet")
    return table.pivot_table("rides", "hour", "borough", "sum")


def draw(by_hour, path: Path) -> None:
    """The plot: a line for each borough."""
    axes = by_hour.plot(title="Rides by hour", figsize=(8, 4))
    axes.set_ylabel("rides")
    axes.figure.savefig(path)


def main(rows: int = 200_000, picture: str | None = None):
    missing = [name for name in ("pyarrow", "matplotlib") if not _is_installed(name)]
    if missing:
        print(f"    trips left out: {' and '.join(missing)} not installed")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_input(folder, rows)
        ours, by_hour = timed(lambda: job(phalanx, folder))
        again, by_hour = timed(lambda: job(phalanx, folder))
        draw(by_hour, Path(picture) if picture else folder / "rides.png")
        print(f"{rows:,} trips: phalanx {ours * 1e3:.0f} ms, again {again * 1e3:.0f} ms")
        if _is_installed("pandas"):
            theirs, wanted = timed(lambda: job(importlib.import_module("pandas"), folder))
            np.testing.assert_array_equal(by_hour.to_numpy(), wanted.to_numpy())
            print(f"    pandas {theirs * 1e3:.0f} ms ({theirs / again:.1f}x)")


def _is_installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(float(given[0])) if given else 200_000, *given[1:2])
