"""A pattern out of noise.

The spectrum of a noisy image, its strongest waves kept, and back: `px.fft` in two dimensions.
"""

import numpy as np
from _show import SIZE, main
from matplotlib.figure import Figure

import phalanx as px


def draw():
    y, x = px.meshgrid(px.linspace(0, 1, 256), px.linspace(0, 1, 256), indexing="ij")
    pattern = px.sin(40 * x + 6 * px.sin(8 * y)) * px.exp(-4 * ((x - 0.5) ** 2 + (y - 0.5) ** 2))
    noisy = pattern + px.random.default_rng(0).normal(0, 1.0, size=pattern.shape)
    spectrum = px.fft.rfft2(noisy)
    strength = px.abs(spectrum)
    kept = px.where(strength > px.quantile(strength, 0.997), spectrum, 0)
    clean = px.fft.irfft2(kept, s=noisy.shape)
    assert float(((clean - pattern) ** 2).mean()) < 0.1 * float(((noisy - pattern) ** 2).mean())
    figure = Figure(figsize=SIZE)
    for k, each in enumerate((noisy, clean)):
        axes = figure.add_axes((0.5 * k, 0, 0.5, 1))
        axes.set_axis_off()
        axes.imshow(np.asarray(each), cmap="PuOr", vmin=-1.2, vmax=1.2, aspect="auto")
    return figure


if __name__ == "__main__":
    main(draw)
