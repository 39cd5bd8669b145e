"""HDBSCAN against scikit-learn's."""

import pickle

import numpy as np
import pytest
from phalanx.ml.cluster import HDBSCAN

import phalanx as px

cluster = pytest.importorskip("sklearn.cluster")
datasets = pytest.importorskip("sklearn.datasets")


def values(kind, seed=0):
    """Clusters of several densities: with noise, on a grid, with equal samples or missing ones."""
    random = np.random.RandomState(seed)
    spreads = [0.3, 0.5, 1, 1.5, 2, 0.2]
    made = datasets.make_blobs(300, 4, centers=6, cluster_std=spreads, random_state=seed)[0]
    if kind == "moons":
        return datasets.make_moons(300, noise=0.07, random_state=seed)[0]
    if kind == "noise":
        return np.concatenate([made[:, :2], random.uniform(-10, 10, size=(80, 2))])
    if kind == "equal":
        return np.repeat(made[:60], 4, axis=0)
    if kind == "grid":
        return np.round(made)
    if kind == "missing":
        made[3, 1], made[7, 2], made[9] = np.nan, np.inf, [np.nan, np.inf, 1, 2]
        made[8, :2] = -np.inf, np.inf
    return made.astype("float32") if kind == "float32" else made


def both(given, **options):
    """Ours and theirs, fitted; skips where theirs fails on a new NumPy."""
    found = HDBSCAN(**options).fit(given)
    try:
        return found, cluster.HDBSCAN(copy=True, **options).fit(given)
    except TypeError as error:
        pytest.skip(f"scikit-learn's fails: {error}")


def is_same_but_for_names(one, other):
    pairs = {*zip(one.tolist(), other.tolist(), strict=True)}
    return len(pairs) == len(set(one)) == len(set(other)) and ((one < 0) == (other < 0)).all()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"min_cluster_size": 15},
        {"min_samples": 1},
        {"min_samples": 3, "min_cluster_size": 10},
        {"cluster_selection_method": "leaf"},
        {"cluster_selection_epsilon": 0.5},
        {"cluster_selection_epsilon": 2.0, "cluster_selection_method": "leaf"},
        {"allow_single_cluster": True},
        {"allow_single_cluster": True, "cluster_selection_epsilon": 3.0},
        {"allow_single_cluster": True, "min_cluster_size": 150},
        {"min_cluster_size": 150},
        {"max_cluster_size": 40},
        {"alpha": 0.7},
        {"metric": "manhattan"},
        {"metric": "chebyshev"},
        {"metric": "minkowski", "metric_params": {"p": 3}},
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["blobs", "float32", "moons", "noise", "equal", "grid", "missing"])
def test_as_scikit_learn(kind, options):
    found, expected = both(values(kind), **options)
    assert (found.labels_ == expected.labels_).all()
    np.testing.assert_allclose(found.probabilities_, expected.probabilities_, rtol=1e-9)
    for cut in (0.3, 1.0, 2.0):
        assert is_same_but_for_names(found.dbscan_clustering(cut), expected.dbscan_clustering(cut))


@pytest.mark.parametrize("metric", ["cosine", "precomputed"])
@pytest.mark.parametrize("kind", ["blobs", "noise", "equal"])
def test_matrices(kind, metric):
    given = values(kind)
    if metric == "precomputed":
        given = np.abs(given[:, None] - given).sum(axis=2)
    found, expected = both(given, metric=metric)
    assert (found.labels_ == expected.labels_).all()
    np.testing.assert_allclose(found.probabilities_, expected.probabilities_, rtol=1e-6)


def test_infinite_distances_part_samples():
    given = values("blobs")[:80]
    given = np.abs(given[:, None] - given).sum(axis=2)
    given[:40, 40:] = given[40:, :40] = np.inf
    with pytest.warns(UserWarning, match="edge weights with value infinity"):
        found = HDBSCAN(metric="precomputed").fit(given)
    with pytest.warns(UserWarning, match="edge weights with value infinity"):
        expected = cluster.HDBSCAN(metric="precomputed", copy=True).fit(given)
    assert (found.labels_ == expected.labels_).all()


@pytest.mark.parametrize("store", ["centroid", "medoid", "both"])
def test_centers(store):
    found, expected = both(values("blobs"), store_centers=store)
    for name in ("centroids_", "medoids_"):
        assert hasattr(found, name) == hasattr(expected, name)
        if hasattr(found, name):
            np.testing.assert_allclose(getattr(found, name), getattr(expected, name))


def test_epsilon_joins_what_is_near():
    random = np.random.default_rng(0)
    places = np.array([[0, 0], [1.5, 0], [20, 0], [21.5, 0]])
    given = np.concatenate([random.normal(place, 0.1, size=(40, 2)) for place in places])
    for method in ("eom", "leaf"):
        apart = HDBSCAN(15, min_samples=5, cluster_selection_method=method).fit(given)
        assert set(apart.labels_) >= {0, 1, 2, 3}
        joined = HDBSCAN(
            15, min_samples=5, cluster_selection_method=method, cluster_selection_epsilon=3.0
        ).fit(given)
        assert (joined.labels_[:80] == joined.labels_[0]).all()
        assert (joined.labels_[80:] == 1 - joined.labels_[0]).all()


def test_our_arrays_and_frames_give_our_arrays(device):
    given = values("moons")
    expected = HDBSCAN().fit_predict(given)
    for each in (px.asarray(given), px.DataFrame(given, columns=["a", "b"])):
        found = HDBSCAN(store_centers="both").fit(each)
        for name in ("labels_", "probabilities_", "centroids_", "medoids_"):
            assert isinstance(getattr(found, name), px.ndarray)
        assert (np.asarray(found.labels_) == expected).all()
    again = pickle.loads(pickle.dumps(found))
    assert (again.dbscan_clustering(0.3) == found.dbscan_clustering(0.3)).all()


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"min_cluster_size": 1}, ValueError, "'min_cluster_size' parameter"),
        ({"min_samples": 301}, ValueError, "min_samples \\(301\\) must be at most"),
        ({"metric": "haversine"}, NotImplementedError, "metric='haversine'"),
        ({"metric": "far"}, ValueError, "'metric' parameter"),
        ({"metric": "cosine", "algorithm": "kd_tree"}, ValueError, "not a valid metric"),
        ({"metric_params": {"V": 1}}, NotImplementedError, "metric_params"),
        ({"metric": "minkowski", "metric_params": {"V": 1}}, NotImplementedError, "metric_params"),
        ({"metric": "precomputed", "store_centers": "both"}, ValueError, "Cannot store centers"),
        ({"metric": "precomputed"}, ValueError, "expected to be symmetric"),
        ({"alpha": 0.0}, ValueError, "'alpha' parameter"),
    ],
)
def test_wrong_parameters(options, error, text):
    with pytest.raises(error, match=text):
        HDBSCAN(**options).fit(values("blobs"))


@pytest.mark.parametrize(
    ("given", "options", "text"),
    [
        ([[1.0, 2.0]], {}, "more than one sample"),
        ([[np.nan, 1.0]] * 9, {}, "more than one sample"),
        ([[0.0, np.nan], [np.nan, 0.0]], {"metric": "precomputed"}, "np.nan values found"),
    ],
)
def test_wrong_samples(given, options, text):
    with pytest.raises(ValueError, match=text):
        HDBSCAN(**options).fit(given)
