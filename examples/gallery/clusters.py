"""Clusters of any shape.

DBSCAN finds what is dense; what belongs to no cluster is grey.
"""

import numpy as np
from _show import SIZE, main
from matplotlib.figure import Figure
from phalanx.ml.cluster import DBSCAN
from phalanx.ml.datasets import make_blobs, make_circles, make_moons


def draw():
    moons, _ = make_moons(600, noise=0.05, random_state=0)
    circles, _ = make_circles(700, noise=0.04, factor=0.5, random_state=1)
    blobs, _ = make_blobs(500, centers=3, cluster_std=0.2, random_state=5)
    noise = np.random.default_rng(2).uniform([-2, -1.5], [6, 3.5], (150, 2))
    parts = [np.asarray(moons), np.add(circles, [4.2, 0.2]), np.multiply(blobs, 0.25), noise]
    parts[2] = parts[2] + [2, 2.6]
    samples = np.concatenate(parts)
    labels = np.asarray(DBSCAN(eps=0.16, min_samples=6).fit_predict(samples))
    figure = Figure(figsize=SIZE, layout="tight")
    axes = figure.add_subplot()
    alone = labels < 0
    x, y = samples.T
    axes.scatter(x[alone], y[alone], s=3, color="lightgrey")
    axes.scatter(x[~alone], y[~alone], s=3, c=labels[~alone], cmap="tab10")
    axes.set_axis_off()
    return figure


if __name__ == "__main__":
    main(draw)
