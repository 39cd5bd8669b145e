"""Clusters of samples whose squared distances are above float64's greatest number."""

import numpy as np
import pytest
from phalanx.ml.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans, MiniBatchKMeans

pytest.importorskip("sklearn", minversion="1.7")

from sklearn import cluster as theirs

SAMPLES = np.abs(np.random.RandomState(0).randn(30, 3)) + 4 * (np.arange(30) % 3)[:, None]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"metric": "manhattan"},
        {"metric": "chebyshev"},
        {"metric": "cosine"},
        {"metric": "minkowski", "metric_params": {"p": 3}},
        {"alpha": 0.5, "allow_single_cluster": True},
    ],
)
@pytest.mark.parametrize("unit", [2.0**515, 2.0**1019])
def test_hdbscan_does_not_depend_on_the_unit(options, unit):
    plain = HDBSCAN(min_cluster_size=4, copy=True, **options).fit(SAMPLES)
    huge = HDBSCAN(min_cluster_size=4, copy=True, **options).fit(SAMPLES * unit)
    np.testing.assert_array_equal(huge.labels_, plain.labels_)
    np.testing.assert_allclose(huge.probabilities_, plain.probabilities_)


def test_hdbscan_of_samples_that_no_distance_reaches():
    matrix = np.full((30, 30), np.inf)
    matrix[:15, :15] = 1 + np.abs(np.subtract.outer(np.arange(15), np.arange(15)))
    np.fill_diagonal(matrix, 0)
    options = {"metric": "precomputed", "min_cluster_size": 3, "min_samples": 2, "copy": True}
    with pytest.warns(UserWarning, match="infinity"):
        own = HDBSCAN(**options).fit(matrix)
    with pytest.warns(UserWarning, match="infinity"):
        want = theirs.HDBSCAN(**options).fit(matrix)
    np.testing.assert_array_equal(own.labels_, want.labels_)


@pytest.mark.parametrize("linkage", ["ward", "average", "complete", "single"])
@pytest.mark.parametrize("unit", [2.0**515, 2.0**1019])
def test_merges_do_not_depend_on_the_unit(linkage, unit):
    options = {"n_clusters": 3, "linkage": linkage, "compute_distances": True}
    plain = AgglomerativeClustering(**options).fit(SAMPLES)
    huge = AgglomerativeClustering(**options).fit(SAMPLES * unit)
    np.testing.assert_array_equal(huge.children_, plain.children_)
    np.testing.assert_array_equal(huge.labels_, plain.labels_)
    greatest = np.finfo(np.float64).max
    with np.errstate(over="ignore"):
        wanted = np.minimum(plain.distances_ * unit, greatest)
    np.testing.assert_allclose(huge.distances_ / unit, wanted / unit)


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
@pytest.mark.parametrize("metric", ["manhattan", "cosine", "precomputed"])
def test_merges_of_other_metrics(linkage, metric):
    x = SAMPLES
    if metric == "precomputed":
        x = np.sqrt(((x[:, None] - x) ** 2).sum(axis=2))
    given = {"n_clusters": 3, "linkage": linkage, "metric": metric}
    plain = AgglomerativeClustering(**given).fit(x)
    huge = AgglomerativeClustering(**given).fit(x * 2.0**1019)
    np.testing.assert_array_equal(huge.children_, plain.children_)


@pytest.mark.parametrize("model", [DBSCAN(), KMeans(3), MiniBatchKMeans(3)])
@pytest.mark.filterwarnings("ignore")
def test_others_give_a_label_to_each_sample(model):
    labels = model.fit(SAMPLES * 1e155).labels_
    assert labels.shape == (30,)
    assert labels.min() >= -1
    assert labels.max() < 30
