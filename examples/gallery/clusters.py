"""Clusters of any shape.

DBSCAN finds what is dense; what belongs to no cluster is grey.
"""

import numpy as np
from _show import SIZE, main
from matplotlib.figure import Figure

from phalanx.ml.cluster import DBSCAN
from phalanx.ml.datasets import make_blobs, make_circles, make_moons


def draw():
    parts = [
        np.asarray(make_moons(600, noise=0.05, random_state=0)[0]),
        np.asarray(make_circles(700, noise=0.04, factor=0.5, random_state=1)[0]) + [4.2, 0.2],
        np.asarray(make_blobs(500, centers=3, cluster_std=0.2, random_state=5)[0]) * 0.25 + [2, 2.6],
        np.random.default_rng(2).uniform([-2, -1.5], [6, 3.5], (150, 2)),
    ]
    samples = np.concatenate(parts)
    labels = np.asarray(DBSCAN(eps=0.16, min_samples=6).fit_predict(samples))
    figure = Figure(figsize=SIZE, layout="tight")
    axes = figure.add_subplot()
    noise = labels < 0
    axes.scatter(*samples[noise].T, s=3, color="lightgrey")
    axes.scatter(*samples[~noise].T, s=3, c=labels[~noise], cmap="tab10")
    axes.set_axis_off()
    return figure


if __name__ == "__main__":
    main(draw)
