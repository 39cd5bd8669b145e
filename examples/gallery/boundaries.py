"""What four classifiers make of two moons.

Models under scikit-learn's names, fitted on 400 samples and asked at 14,400 places.
"""

import numpy as np
from _show import SIZE, main
from matplotlib.figure import Figure
from phalanx.ml.datasets import make_moons
from phalanx.ml.ensemble import RandomForestClassifier
from phalanx.ml.linear_model import LogisticRegression
from phalanx.ml.naive_bayes import GaussianNB
from phalanx.ml.neighbors import KNeighborsClassifier


def draw():
    samples, kinds = make_moons(400, noise=0.25, random_state=3)
    samples, kinds = np.asarray(samples), np.asarray(kinds)
    x, y = np.meshgrid(np.linspace(-2, 3, 120), np.linspace(-1.5, 2, 120))
    places = np.stack([x.ravel(), y.ravel()], axis=1)
    models = (
        LogisticRegression(),
        GaussianNB(),
        KNeighborsClassifier(15),
        RandomForestClassifier(40, random_state=0),
    )
    figure = Figure(figsize=SIZE, layout="constrained")
    for model, axes in zip(models, figure.subplots(2, 2).flat, strict=True):
        chances = np.asarray(model.fit(samples, kinds).predict_proba(places))[:, 1]
        axes.contourf(x, y, chances.reshape(x.shape), 20, cmap="RdBu")
        axes.scatter(*samples.T, c=kinds, cmap="RdBu", s=4, edgecolors="black", linewidths=0.2)
        axes.set_title(type(model).__name__, fontsize=8)
        axes.set_axis_off()
    return figure


if __name__ == "__main__":
    main(draw)
