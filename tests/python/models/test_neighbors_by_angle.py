"""Neighbors by cosine of samples of which some have length 0: these are at 1 from all."""

import numpy as np
import pytest
from phalanx._models.manifold import neighbor_graph
from phalanx._models.manifold.neighbor_graph import near_others
from phalanx.ml.manifold import TSNE, UMAP

import phalanx as px

neighbors = pytest.importorskip("sklearn.neighbors")


def samples(count, zeros, features=5):
    made = np.random.default_rng(0).normal(size=(count, features))
    made[:: max(count // zeros, 1)][:zeros] = 0
    return made


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("zeros", [1, 3, 40, 59])
@pytest.mark.parametrize("is_approximate", [False, True])
def test_distances_are_those_of_scikit_learn(device, monkeypatch, dtype, zeros, is_approximate):
    values = samples(60, zeros).astype(dtype)
    search = neighbors.NearestNeighbors(metric="cosine").fit(values)
    expected, _ = search.kneighbors(n_neighbors=50)
    if is_approximate:  # the way of many samples, with the exact search of few
        monkeypatch.setattr(neighbor_graph, "_is_approximate", lambda x, *_: len(x) == 60)
    rows, apart = near_others(px.asarray(values), "cosine", 50)
    np.testing.assert_allclose(apart, expected, atol=1e-5)
    assert (rows != np.arange(60)[:, None]).all()
    assert all(len(set(each)) == 50 for each in rows.tolist())
    others = samples(20, 4)[::-1].astype(dtype)
    expected, _ = search.kneighbors(others, 50)
    apart = near_others(px.asarray(others), "cosine", 50, px.asarray(values))[1]
    np.testing.assert_allclose(apart, expected, atol=1e-5)


def test_many_samples():
    values = samples(9000, 300, 3).astype("float32")
    expected, _ = neighbors.NearestNeighbors(metric="cosine").fit(values).kneighbors(n_neighbors=5)
    _, apart = near_others(px.asarray(values), "cosine", 5)
    assert (np.abs(apart - expected) < 1e-5).mean() > 0.9
    np.testing.assert_allclose(apart[~values.any(axis=1)], 1, atol=1e-6)


@pytest.mark.parametrize("model", [TSNE, UMAP])
def test_embeddings_take_samples_of_length_0(model):
    values = samples(90, 20)
    options = {"perplexity": 9} if model is TSNE else {"n_neighbors": 9}
    found = model(metric="cosine", random_state=0, **options).fit_transform(values)
    assert np.isfinite(found).all()
