"""Agglomerative clustering against scikit-learn's, merge for merge."""

import numpy as np
import pytest
from phalanx.ml.cluster import AgglomerativeClustering

import phalanx as px

cluster = pytest.importorskip("sklearn.cluster")
datasets = pytest.importorskip("sklearn.datasets")

PAIRS = [
    (linkage, metric)
    for linkage in ("ward", "complete", "average", "single")
    for metric in ("euclidean", "l1", "cosine", "precomputed")
    if linkage != "ward" or metric == "euclidean"
]


def values(kind, metric):
    if kind == "two":
        made = np.array([[1.0, 2.0], [4.0, 3.0]])
    else:
        made = datasets.make_blobs(150, 4, centers=5, random_state=1)[0] + 20
    if kind == "ties":
        made = np.round(made)
    if metric == "precomputed":
        made = np.abs(made[:, None] - made).sum(axis=2)
    return made.astype("float32") if kind == "float32" else made


@pytest.mark.parametrize(
    "options",
    [{"n_clusters": 2}, {"n_clusters": None, "distance_threshold": 3.0}],
    ids=["clusters", "threshold"],
)
@pytest.mark.parametrize(("linkage", "metric"), PAIRS)
@pytest.mark.parametrize("kind", ["float64", "float32", "ties", "two"])
def test_as_scikit_learn(kind, linkage, metric, options):
    given = values(kind, metric)
    found, expected = (
        made(linkage=linkage, metric=metric, compute_distances=True, **options).fit(given)
        for made in (AgglomerativeClustering, cluster.AgglomerativeClustering)
    )
    if not (kind == "ties" and metric == "cosine"):  # those are equal but for rounding
        assert (found.children_ == expected.children_).all()
        assert (found.labels_ == expected.labels_).all()
    np.testing.assert_allclose(found.distances_, expected.distances_, rtol=1e-9, atol=1e-12)
    assert found.labels_.dtype == expected.labels_.dtype
    for name in ("n_clusters_", "n_leaves_", "n_connected_components_"):
        assert getattr(found, name) == getattr(expected, name)


@pytest.mark.parametrize("clusters", [1, 3, 40, 150])
def test_numbers_of_clusters(clusters):
    given = values("float64", "euclidean")
    found, expected = (
        made(clusters).fit(given)
        for made in (AgglomerativeClustering, cluster.AgglomerativeClustering)
    )
    assert (found.labels_ == expected.labels_).all()
    assert not hasattr(found, "distances_")


def test_more_samples_than_fit_a_cache():
    given = datasets.make_blobs(2500, 6, centers=9, random_state=0)[0]
    for linkage in ("ward", "single"):
        found, expected = (
            made(9, linkage=linkage).fit(given)
            for made in (AgglomerativeClustering, cluster.AgglomerativeClustering)
        )
        assert (found.children_ == expected.children_).all()
        assert (found.labels_ == expected.labels_).all()


def test_our_arrays_and_frames_give_our_arrays(device):
    given = values("float64", "euclidean")
    expected = AgglomerativeClustering(4).fit(given)
    for each in (px.asarray(given), px.DataFrame(given, columns=list("abcd"))):
        found = AgglomerativeClustering(4).fit(each)
        assert isinstance(found.labels_, px.ndarray)
        assert isinstance(found.children_, px.ndarray)
        assert (np.asarray(found.labels_) == expected.labels_).all()
    # A matrix that is given is not overwritten.
    matrix = values("float64", "precomputed")
    before = matrix.copy()
    AgglomerativeClustering(4, metric="precomputed", linkage="average").fit(matrix)
    assert (matrix == before).all()


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"n_clusters": 0}, ValueError, "'n_clusters' parameter"),
        ({"n_clusters": 151}, ValueError, "more clusters than samples"),
        ({"n_clusters": None}, ValueError, "Exactly one of n_clusters"),
        ({"distance_threshold": 1.0}, ValueError, "Exactly one of n_clusters"),
        ({"metric": "manhattan"}, ValueError, "Ward can only work with euclidean"),
        ({"metric": "chebyshev", "linkage": "single"}, NotImplementedError, "metric='chebyshev'"),
        ({"linkage": "centroid"}, ValueError, "'linkage' parameter"),
        ({"connectivity": np.ones((150, 150))}, NotImplementedError, "connectivity"),
        ({"memory": "cache"}, ValueError, "'memory' parameter"),
        (
            {"n_clusters": None, "distance_threshold": 1.0, "compute_full_tree": False},
            ValueError,
            "compute_full_tree must be True",
        ),
    ],
)
def test_wrong_parameters(options, error, text):
    with pytest.raises(error, match=text):
        AgglomerativeClustering(**options).fit(values("float64", "euclidean"))


@pytest.mark.parametrize(
    ("given", "options", "text"),
    [
        ([[1.0, 2.0]], {}, "1 sample"),
        ([[1.0, np.nan]] * 3, {}, "contains NaN"),
        ([[0.0, 0.0], [1.0, 2.0]], {"metric": "cosine", "linkage": "average"}, "zero vectors"),
        ([[0.0, 1.0]] * 3, {"metric": "precomputed", "linkage": "average"}, "should be square"),
    ],
)
def test_wrong_samples(given, options, text):
    with pytest.raises(ValueError, match=text):
        AgglomerativeClustering(**options).fit(given)
