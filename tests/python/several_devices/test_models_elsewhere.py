"""Models and metrics run where their samples lie, whatever the thread's current device is."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from data_elsewhere import check, outcome, wrong_in
from frames.against_pandas import theirs
from phalanx._models import names as models

import phalanx as px
from phalanx import ml

pytestmark = pytest.mark.filterwarnings("ignore")


def samples():
    """Samples in two classes."""
    drawn = np.random.default_rng(0).random((40, 4))
    return px.asarray(drawn), px.asarray((drawn[:, 0] > drawn[:, 1]).astype(np.int64))


def samples_in_frames():
    x, y = samples()
    return px.DataFrame({f"x{i}": x[:, i] for i in range(4)}), px.Series(y)


AFTER = (
    "predict",
    "predict_proba",
    "transform",
    "decision_function",
    "score_samples",
    "kneighbors",
)


def class_of(module, name):
    return getattr(__import__(f"phalanx.ml.{module}", fromlist=[name]), name)


def new(kind):
    seeded = "random_state" in inspect.signature(kind).parameters
    return kind(**({"random_state": 0} if seeded else {}))


def fitted(kind, given):
    """What the methods of a fitted model give of the samples."""
    x, y = given
    model = new(kind).fit(x, y)
    return [outcome(lambda m=m: getattr(model, m)(x)) for m in AFTER if hasattr(model, m)]


MEASURES = {
    "davies_bouldin_score": lambda m, x, y: m.davies_bouldin_score(x, np.asarray(y)),
    "calinski_harabasz_score": lambda m, x, y: m.calinski_harabasz_score(x, np.asarray(y)),
    "silhouette_samples": lambda m, x, y: m.silhouette_samples(x, np.asarray(y)),
    "pairwise_distances": lambda m, x, y: m.pairwise_distances(x, np.asarray(x[:3])),
    "cosine_distances": lambda m, x, y: m.cosine_distances(x, np.asarray(x[:3])),
    "select_k": lambda m, x, y: ml.select_k(x, [2, 3], random_state=0).table,
}


@pytest.mark.parametrize("name", MEASURES)
def test_measures(name):
    check(lambda given: MEASURES[name](ml.metrics, *given), samples)


KINDS = [
    (module, name)
    for module, table in models.MODULES.items()
    for name in table
    if name[0].isupper() and name not in ("Selection",)
]


@pytest.mark.parametrize("make", [samples, samples_in_frames])
@pytest.mark.parametrize(("module", "name"), KINDS, ids=[name for _, name in KINDS])
def test_models(module, name, make):
    check(lambda given: fitted(class_of(module, name), given), make)


FITTED = [pair for pair in KINDS if hasattr(class_of(*pair), "fit")]


@pytest.mark.parametrize(("module", "name"), FITTED, ids=[name for _, name in FITTED])
def test_models_beside_numpys_arrays(module, name):
    """Samples, targets or weights of NumPy's come to the others, and later ones to the model."""
    kind = class_of(module, name)
    weights = np.linspace(1, 2, 40)
    takes_weights = "sample_weight" in inspect.signature(kind.fit).parameters

    def of_numpy(given, places):
        return [np.asarray(each) if i in places else each for i, each in enumerate(given)]

    def asked(given, later):
        x, y, *weight = given
        model = new(kind).fit(x, y, **({"sample_weight": weight[0]} if weight else {}))
        return [outcome(lambda m=m: theirs(getattr(model, m)(later(x)))) for m in AFTER]

    table = {
        "targets": lambda of: asked(of_numpy(of, {1}), lambda x: x),
        "samples": lambda of: asked(of_numpy(of, {0}), lambda x: x),
        "later samples": lambda of: asked(of, np.asarray),
        **({"weights": lambda of: asked([*of, weights], lambda x: x)} if takes_weights else {}),
    }
    assert not wrong_in(table, samples, new=tuple(table))
