"""Eigenfaces: pictures of faces as sums of a few, by principal components.

The face example of scikit-learn's gallery, with faces that are drawn by a formula, so that nothing
has to be loaded. Method: M. Turk and A. Pentland, "Eigenfaces for Recognition", 1991.
"""

import numpy as np
from _program import Run, check, start
from phalanx.ml.decomposition import PCA

FIELD, USES = "models", "models"
PARTS = 24


def spot(size, centre, radius):
    """A soft dark spot for each face: centres and radii have a row for each."""
    y, x = np.mgrid[:size, :size] / size
    dy, dx = ((at - where[:, None, None]) for at, where in zip((y, x), centre, strict=True))
    height, width = (each[:, None, None] for each in radius)
    return np.exp(-((dy / height) ** 2) - (dx / width) ** 2)


def faces(count, size):
    """A head, two eyes, a nose and a mouth, each a little elsewhere."""
    rng = np.random.default_rng(24)
    around = lambda middle, by: middle + by * rng.normal(size=count)  # noqa: E731
    middle, eyes, wide = around(0.5, 0.015), around(0.42, 0.02), around(0.16, 0.015)
    picture = 0.9 * spot(
        size, (around(0.5, 0.01), middle), (around(0.42, 0.03), around(0.32, 0.03))
    )
    for side in (-1, 1):
        picture -= 0.5 * spot(
            size, (eyes, middle + side * wide), (around(0.04, 0.005), around(0.06, 0.006))
        )
    picture -= 0.2 * spot(
        size, (around(0.57, 0.015), middle), (around(0.08, 0.01), around(0.03, 0.004))
    )
    picture -= 0.4 * spot(
        size, (around(0.73, 0.02), middle), (around(0.03, 0.006), around(0.12, 0.02))
    )
    light = np.linspace(-1, 1, size) * rng.normal(0, 0.1, count)[:, None]
    noisy = picture + light[:, None] + rng.normal(0, 0.03, picture.shape)
    return noisy.reshape(count, -1).astype(np.float32)


def reduce(model_of, pictures):
    model = model_of(PARTS, svd_solver="covariance_eigh")
    weights = model.fit_transform(pictures)
    return np.asarray(model.inverse_transform(weights)), model


def main(run: Run) -> None:
    size = run.size(32, 16)
    pictures = faces(run.size(6_000, 300), size)
    again, model = run.measure(lambda: reduce(PCA, pictures))

    def plain():
        from sklearn.decomposition import PCA

        return reduce(PCA, pictures)

    expected = run.peer("scikit-learn", plain)
    if expected is not None:
        check(model.explained_variance_, expected[1].explained_variance_, rtol=2e-3)
        check(again, expected[0], atol=run.size(2e-2, 5e-2))
    # What is left out of 1,024 numbers by 24 is the noise.
    check(np.std(again - pictures) < 0.035, True)
    check(np.asarray(model.components_) @ model.components_.T, np.eye(PARTS), atol=1e-4)

    def draw(axes):
        parts = np.asarray(model.components_[:8]).reshape(8, size, size)
        rows = [pictures[:8].reshape(8, size, size), again[:8].reshape(8, size, size), parts * 8]
        axes.imshow(np.vstack([np.hstack(list(row)) for row in rows]), cmap="gray", vmin=-1, vmax=1)
        axes.set_title("faces, the same of 24 numbers each, components")
        axes.set_axis_off()

    run.picture(draw, (8, 3.4))


if __name__ == "__main__":
    start(main)
