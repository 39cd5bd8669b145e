"""A map of digits: images of 64 numbers as points of the plane, alike ones side by side.

The picture of each talk on embeddings, on scikit-learn's digits, which it needs. Method: L. van der
Maaten and G. Hinton, "Visualizing Data using t-SNE", 2008.
"""

import numpy as np
from _program import Run, check, start
from phalanx.ml.manifold import TSNE, trustworthiness

FIELD, USES = "models", "models"


def embed(model_of, images, steps):
    model = model_of(perplexity=30, random_state=0, init="pca", max_iter=steps)
    return np.asarray(model.fit_transform(images))


def main(run: Run) -> None:
    run.need("sklearn")
    from sklearn.datasets import load_digits

    images, digits = load_digits(return_X_y=True)
    count, steps = run.size((len(images), 500), (200, 300))
    images, digits = images[:count].astype(np.float32), digits[:count]
    places = run.measure(lambda: embed(TSNE, images, steps))

    def plain():
        from sklearn.manifold import TSNE

        return embed(TSNE, images, steps)

    kept = trustworthiness(images, places)
    check(kept > 0.97, True)
    if not run.small:  # which takes much longer
        check(kept > trustworthiness(images, run.peer("scikit-learn", plain)) - 0.01, True)
    # A digit's nearest point is the same digit's, nearly always.
    apart = ((places[:, None] - places) ** 2).sum(axis=2) + np.diag(np.full(count, np.inf))
    check(np.mean(digits[apart.argmin(axis=1)] == digits) > run.size(0.95, 0.85), True)

    def draw(axes):
        for digit in range(10):
            axes.scatter(*places[digits == digit].T, s=4, label=str(digit))
        axes.legend(markerscale=3, ncols=2)
        axes.set(xticks=[], yticks=[])

    run.picture(draw)


if __name__ == "__main__":
    start(main)
