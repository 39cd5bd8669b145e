"""A million futures of a share.

Random numbers are recorded like any operation: numbers and what is computed of them are one kernel.
"""

import numpy as np
from _show import SIZE, main
from matplotlib.figure import Figure

import phalanx as px


def draw():
    rng = px.random.default_rng(5)
    paths = px.full(1_000_000, 100.0)
    levels = (1, 5, 25, 50, 75, 95, 99)
    bands = [[100.0] * len(levels)]
    for _ in range(24):
        paths = paths * px.exp(0.002 + 0.05 * rng.normal(size=len(paths)))
        bands.append(px.percentile(paths, levels).tolist())
    low_to_high = np.array(bands).T
    figure = Figure(figsize=SIZE, layout="tight")
    axes = figure.add_subplot()
    for k in range(3):
        axes.fill_between(
            np.arange(25), low_to_high[k], low_to_high[-1 - k], color="tab:blue", alpha=0.25
        )
    axes.plot(low_to_high[3], color="black")
    axes.set(xlabel="months", ylabel="price", title="median, and 50, 90 and 98 of 100 paths")
    return figure


if __name__ == "__main__":
    main(draw)
