"""Taxi trips in Dask: partitions of a large table, summed up by hour and zone.

The notebook of Dask's own tutorial and of RAPIDS' with `dask_cudf`: the partitions here are frames
of Phalanx. Needs Dask with pandas and pyarrow.
"""

import numpy as np
from _program import Run, check, start

import phalanx as px

FIELD, USES = "geodata", "frames, Dask"
PARTS = 4


def trips(rows):
    rng = np.random.default_rng(15)
    begin = np.datetime64("2026-01-01", "s") + rng.integers(0, 28 * 86400, rows)
    km = rng.gamma(2.0, 2.5, rows)
    hour = (begin - begin.astype("M8[D]")) / np.timedelta64(1, "h")
    jam = 1 + 0.6 * np.exp(-(((hour - 8) / 2) ** 2)) + 0.8 * np.exp(-(((hour - 17) / 2) ** 2))
    return {
        "begin": begin,
        "zone": rng.integers(1, 261, rows),
        "km": km,
        "minutes": km * jam * rng.uniform(1.5, 3.5, rows) + 1,
        "fare": 4 + 1.8 * km,
    }


def by_hour(table):
    """The job over a Dask frame, whatever its partitions are."""
    table = table[(table["km"] > 0.1) & (table["minutes"] < 180)]
    table = table.assign(hour=table["begin"].dt.hour, speed=table["km"] / table["minutes"] * 60)
    groups = table.groupby(["zone", "hour"])[["fare", "speed"]]
    return groups.mean().compute(scheduler="sync")


def main(run: Run) -> None:
    run.need("dask", "pandas", "pyarrow")
    import dask.dataframe as dd
    import pandas

    columns = trips(run.size(2_000_000, 20_000))
    ours = dd.from_pandas(px.DataFrame(columns), npartitions=PARTS)
    table = run.measure(lambda: by_hour(ours)).sort_index()
    plain = dd.from_pandas(pandas.DataFrame(columns), npartitions=PARTS)
    expected = run.peer("Dask", lambda: by_hour(plain).sort_index())
    check(isinstance(table, px.DataFrame), True)
    run.agree(table, expected, rtol=1e-9)

    def draw(axes):
        by_zone = table.reset_index().groupby("hour")["speed"].mean()
        axes.plot(np.arange(24), np.asarray(by_zone))
        axes.set(xlabel="hour", ylabel="km/h", ylim=(0, None))

    run.picture(draw)


if __name__ == "__main__":
    start(main)
