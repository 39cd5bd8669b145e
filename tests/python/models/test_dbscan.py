"""DBSCAN against scikit-learn's."""

import numpy as np
import pytest
from phalanx.ml.cluster import DBSCAN

import phalanx as px

cluster = pytest.importorskip("sklearn.cluster")


def values(dtype="float64", features=2, seed=0):
    """Some rings, where a cluster is no ball, and noise."""
    random = np.random.default_rng(seed)
    turns = random.uniform(0, 7, size=300)
    rings = np.stack([np.cos(turns), np.sin(turns)], axis=1) * random.integers(1, 4, 300)[:, None]
    made = np.concatenate([rings, random.uniform(-4, 4, size=(60, 2))])
    made = np.concatenate([made, random.normal(scale=0.1, size=(len(made), 68))], axis=1)
    return random.permutation(made)[:, :features].astype(dtype)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "options",
    [{}, {"metric": "manhattan"}, {"metric": "chebyshev"}, {"metric": "minkowski", "p": 3}],
    ids=str,
)
@pytest.mark.parametrize("eps", [0.05, 0.3, 0.6, 9.0])
@pytest.mark.parametrize("features", [1, 2, 6])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_as_scikit_learn(dtype, features, eps, options, weighted):
    given = values(dtype, features)
    weight = np.random.default_rng(5).random(len(given)) * 3 if weighted else None
    found, expected = (
        made(eps, **options).fit(given, sample_weight=weight) for made in (DBSCAN, cluster.DBSCAN)
    )
    assert (found.core_sample_indices_ == expected.core_sample_indices_).all()
    assert (found.labels_ == expected.labels_).all()
    assert found.labels_.dtype == expected.labels_.dtype
    assert (found.components_ == expected.components_).all()


def test_many_features():
    given = values(features=70)
    found, expected = (made(1.2).fit(given) for made in (DBSCAN, cluster.DBSCAN))
    assert (found.labels_ == expected.labels_).all()


def test_a_long_chain_is_one_cluster():
    line = np.random.default_rng(0).permutation(np.arange(2000.0))[:, None]
    assert (DBSCAN(1.0, min_samples=2).fit(line).labels_ == 0).all()


def test_our_arrays_and_frames_give_our_arrays(device):
    given = values()
    expected = DBSCAN(0.3).fit_predict(given)
    for each in (px.asarray(given), px.DataFrame(given, columns=["a", "b"])):
        found = DBSCAN(0.3).fit(each)
        assert isinstance(found.labels_, px.ndarray)
        assert isinstance(found.components_, px.ndarray)
        assert (np.asarray(found.labels_) == expected).all()


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"eps": 0}, ValueError, "'eps' parameter of DBSCAN must be a float"),
        ({"min_samples": 0}, ValueError, "'min_samples' parameter"),
        ({"metric": "precomputed"}, NotImplementedError, "metric='precomputed'"),
        ({"metric": "far"}, ValueError, "'metric' parameter"),
    ],
)
def test_wrong_parameters(options, error, text):
    with pytest.raises(error, match=text):
        DBSCAN(**options).fit(values())


@pytest.mark.parametrize("special", [np.nan, np.inf])
def test_missing_numbers_are_refused(special):
    with pytest.raises(ValueError, match="Input X contains"):
        DBSCAN().fit([[special, 1.0]])
