"""A picture in sixteen colours: k-means over its pixels.

The example of vector quantisation that scikit-learn's gallery has. Method: S. Lloyd, "Least Squares
Quantization in PCM", 1982, from the places of k-means++ (D. Arthur and S. Vassilvitskii, 2007).
"""

import numpy as np
from _program import Run, check, start
from phalanx.ml.cluster import KMeans

FIELD, USES = "imaging", "models"
COLOURS = 16


def landscape(height, width):
    """A picture of our own: sky, sun and hills."""
    y, x = np.mgrid[:height, :width] / height
    sky = np.stack([0.9 - 0.5 * y, 0.5 + 0.2 * y, 0.35 + 0.5 * y], axis=2)
    sun = np.exp(-40 * np.hypot(x - 0.9, y - 0.35) ** 2)[..., None] * [0.5, 0.45, 0.1]
    picture = sky + sun
    for layer in range(4):
        ridge = 0.45 + 0.13 * layer + 0.08 * np.sin((5 + 2 * layer) * x + 2 * layer) / (layer + 1)
        shade = np.array([0.25, 0.4, 0.35]) * (1 - 0.2 * layer)
        picture = np.where((y > ridge)[..., None], shade + 0.1 * (y - ridge)[..., None], picture)
    grain = np.random.default_rng(0).normal(0, 0.01, picture.shape)
    return np.clip(picture + grain, 0, 1).astype(np.float32)


def quantise(model_of, pixels):
    """The labels and the colours; `model_of` is the class of phalanx or of scikit-learn."""
    model = model_of(COLOURS, n_init=1, random_state=0, max_iter=30).fit(pixels)
    return model.labels_, model.cluster_centers_, model.inertia_


def main(run: Run) -> None:
    picture = landscape(*run.size((480, 720), (48, 72)))
    pixels = picture.reshape(-1, 3)
    labels, colours, inertia = run.measure(lambda: quantise(KMeans, pixels))

    def plain():
        from sklearn.cluster import KMeans

        return quantise(KMeans, pixels)

    expected = run.peer("scikit-learn", plain)
    if expected is not None:
        check(inertia, expected[2], rtol=0.05)
    reduced = colours[labels].reshape(picture.shape)
    check(((reduced - picture) ** 2).sum(), inertia, rtol=1e-3)
    check(len(np.unique(labels)), COLOURS)
    run.picture(lambda axes: axes.imshow(np.hstack([picture, np.clip(reduced, 0, 1)])), (9.6, 3.4))


if __name__ == "__main__":
    start(main)
