"""Metrics of clusterings against scikit-learn's, and the choice of a number of clusters."""

import numpy as np
import pytest
from phalanx.ml import metrics as ours
from phalanx.ml import select_k

import phalanx as px

theirs = pytest.importorskip("sklearn.metrics")
datasets = pytest.importorskip("sklearn.datasets")


def blobs(dtype="float64", features=3, centers=4):
    values, labels = datasets.make_blobs(120, features, centers=centers, random_state=1)
    return values.astype(dtype), labels


LABELS = {
    "alike": ([0, 0, 1, 1, 2], [5, 5, 3, 3, 1]),
    "half": ([0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1]),
    "one class": ([0, 0, 0], [0, 1, 2]),
    "one cluster": ([0, 1, 2], [4, 4, 4]),
    "both one": ([1, 1, 1], [2, 2, 2]),
    "each its own": ([0, 1, 2], [2, 1, 0]),
    "one sample": ([0], [3]),
    "texts": (list("aabbc"), list("xyxyx")),
    "chance": tuple(np.random.default_rng(0).integers(0, 5, size=(2, 300))),
}


@pytest.mark.parametrize("case", LABELS)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("rand_score", {}),
        ("adjusted_rand_score", {}),
        ("mutual_info_score", {}),
        ("normalized_mutual_info_score", {}),
        ("normalized_mutual_info_score", {"average_method": "min"}),
        ("normalized_mutual_info_score", {"average_method": "max"}),
        ("normalized_mutual_info_score", {"average_method": "geometric"}),
        ("homogeneity_score", {}),
        ("completeness_score", {}),
        ("v_measure_score", {}),
        ("v_measure_score", {"beta": 0.3}),
        ("homogeneity_completeness_v_measure", {"beta": 2.0}),
    ],
)
def test_agreement(name, options, case):
    found, expected = (getattr(made, name)(*LABELS[case], **options) for made in (ours, theirs))
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("given", "text"),
    [(([0, 1], [0]), "inconsistent numbers of samples"), (([[0]], [0]), "labels_true must be 1D")],
)
def test_wrong_labels(given, text):
    with pytest.raises(ValueError, match=text):
        ours.adjusted_rand_score(*given)
    with pytest.raises(ValueError, match="average_method"):
        ours.normalized_mutual_info_score([0], [0], average_method="far")


@pytest.mark.parametrize("features", [1, 3, 70])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["int64", "str"])
def test_shape(kind, dtype, features):
    values, labels = blobs(dtype, features)
    labels[0] = 9  # a cluster of one sample
    labels = labels.astype(kind)
    for name in ("davies_bouldin_score", "calinski_harabasz_score", "silhouette_samples"):
        found, expected = (getattr(made, name)(values, labels) for made in (ours, theirs))
        np.testing.assert_allclose(found, expected, rtol=2e-3 if dtype == "float32" else 1e-9)
    options = {"sample_size": 50, "random_state": 3, "metric": "manhattan"}
    found, expected = (made.silhouette_score(values, labels, **options) for made in (ours, theirs))
    assert found == pytest.approx(expected, rel=1e-4)


def test_our_arrays(device):
    values, labels = blobs()
    found = ours.silhouette_samples(px.asarray(values), px.asarray(labels))
    assert isinstance(found, px.ndarray)
    np.testing.assert_allclose(np.asarray(found), theirs.silhouette_samples(values, labels))


@pytest.mark.parametrize("name", ["davies_bouldin_score", "silhouette_score"])
@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (np.zeros(120), "Number of labels is 1. Valid values are 2 to n_samples - 1"),
        (np.arange(120), "Number of labels is 120"),
        (np.arange(3), "inconsistent numbers of samples"),
    ],
)
def test_wrong_numbers_of_labels(name, labels, text):
    with pytest.raises(ValueError, match=text):
        getattr(ours, name)(blobs()[0], labels)


@pytest.mark.parametrize("ours_too", [False, True])
def test_select_k_finds_the_number_of_blobs(ours_too):
    values = blobs()[0]
    found = select_k(px.asarray(values) if ours_too else values, range(2, 8), random_state=0)
    assert found.best_k == 4
    assert found.best.n_clusters == 4
    table = found.table
    assert list(table.columns) == ["k", "inertia", "silhouette", "davies_bouldin"]
    assert list(table["k"]) == [2, 3, 4, 5, 6, 7]
    labels = np.asarray(found.models[3].labels_)
    assert table["silhouette"][1] == pytest.approx(theirs.silhouette_score(values, labels))
    assert table["davies_bouldin"][1] == pytest.approx(theirs.davies_bouldin_score(values, labels))
    assert "best_k=4" in repr(found)


def test_select_k_plots_its_table():
    pytest.importorskip("matplotlib")
    figure = select_k(blobs()[0], [3, 4], random_state=0).plot()
    assert [axes.get_title() for axes in figure.axes] == ["inertia", "silhouette", "davies_bouldin"]


@pytest.mark.parametrize("ks", [[], [1, 2]])
def test_select_k_refuses_fewer_than_two_clusters(ks):
    with pytest.raises(ValueError, match="ks must be numbers from 2 on"):
        select_k(blobs()[0], ks)
