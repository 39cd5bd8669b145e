"""When the bikes are out.

A frame of half a million rides: hours and days out of times, groups, and a pivot.
"""

import numpy as np
from _show import SIZE, main
from matplotlib.figure import Figure

import phalanx as px

DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def made_up_rides(count):
    draws = np.random.default_rng(7)
    day = draws.integers(0, 364, count)
    to_work = draws.random(count) < 0.6
    peak = np.where(draws.random(count) < 0.5, 8.2, 17.5)
    at_work = draws.normal(peak, 1.1)
    hour = np.where(to_work & (day % 7 < 5), at_work, draws.normal(14, 3.5, count)) % 24
    start = np.datetime64("2024-01-01", "s") + (day * 86400 + hour * 3600).astype(int)
    return px.DataFrame({"start": start, "minutes": draws.gamma(2, 8, count)})


def draw():
    rides = made_up_rides(500_000)
    rides["day"] = rides["start"].dt.dayofweek
    rides["hour"] = rides["start"].dt.hour
    counts = rides.groupby(["day", "hour"], as_index=False)["minutes"].count()
    table = counts.pivot(index="day", columns="hour", values="minutes")
    figure = Figure(figsize=SIZE, layout="tight")
    axes = figure.add_subplot()
    axes.imshow(table.to_numpy(), cmap="YlOrRd", aspect="auto")
    axes.set_yticks(range(7), DAYS)
    axes.set(xlabel="hour", title="rides by hour and day")
    return figure


if __name__ == "__main__":
    main(draw)
