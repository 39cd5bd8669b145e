"""Six colours are enough.

KMeans finds the colours of a picture of 120,000 pixels; each pixel gets the nearest one.
"""

import numpy as np
from _show import SIZE, main
from matplotlib.figure import Figure
from phalanx.ml.cluster import KMeans


def sunset(rows, columns):
    y, x = np.mgrid[0 : 1 : rows * 1j, 0 : 1 : columns * 1j]
    sun = np.exp(-((x - 0.6) ** 2 + (y - 0.55) ** 2) * 60)
    hills = y > 0.7 + 0.08 * np.sin(x * 7) + 0.03 * np.sin(x * 31)
    sky = np.stack([0.3 + 0.6 * y + sun, 0.2 + 0.35 * y + 0.7 * sun, 0.55 - 0.35 * y], axis=2)
    return np.clip(np.where(hills[..., None], (1.2 - y[..., None]) * [0.3, 0.4, 0.3], sky), 0, 1)


def draw():
    picture = sunset(300, 400)
    pixels = picture.reshape(-1, 3).astype(np.float32)
    model = KMeans(6, random_state=0).fit(pixels)
    reduced = model.cluster_centers_[model.labels_].reshape(picture.shape)
    figure = Figure(figsize=SIZE)
    for k, each in enumerate((picture, np.clip(reduced, 0, 1))):
        axes = figure.add_axes((0.5 * k, 0, 0.5, 1))
        axes.set_axis_off()
        axes.imshow(each, aspect="auto")
    return figure


if __name__ == "__main__":
    main(draw)
