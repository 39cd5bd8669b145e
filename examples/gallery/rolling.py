"""A price and what is usual for it.

Windows of a column: mean and deviation of the last 30 days, and the days out of their band.
"""

import numpy as np
from _show import SIZE, main
from matplotlib.figure import Figure

import phalanx as px


def draw():
    steps = np.random.default_rng(11).standard_t(3, 500) * 0.9
    frame = px.DataFrame({"price": 100 + np.cumsum(steps)})
    window = frame["price"].rolling(30)
    frame["mean"], frame["width"] = window.mean(), 2 * window.std()
    outside = frame[(frame["price"] - frame["mean"]).abs() > frame["width"]]
    days = np.arange(len(frame))
    mean, width = frame["mean"].to_numpy(), frame["width"].to_numpy()
    figure = Figure(figsize=SIZE, layout="tight")
    axes = figure.add_subplot()
    axes.fill_between(days, mean - width, mean + width, alpha=0.25)
    axes.plot(days, mean)
    axes.plot(days, frame["price"].to_numpy(), color="black", linewidth=0.7)
    axes.plot(outside.index.to_numpy(), outside["price"].to_numpy(), "o", color="tab:red", ms=3)
    axes.set(xlabel="day", ylabel="price")
    return figure


if __name__ == "__main__":
    main(draw)
