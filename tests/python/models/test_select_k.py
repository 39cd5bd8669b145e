"""k-means of several numbers of clusters together, against single fits and scores of each."""

import importlib

import numpy as np
import pytest
from phalanx._models.cluster.lloyd_steps import fits
from phalanx.ml.cluster import KMeans, select_k

import phalanx as px

metrics = pytest.importorskip("sklearn.metrics")
datasets = pytest.importorskip("sklearn.datasets")


def blobs(dtype="float64", features=5, count=700):
    made = datasets.make_blobs(count, features, centers=5, cluster_std=0.7, random_state=4)[0]
    return made.astype(dtype)


@pytest.mark.parametrize("features", [1, 5, 70])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_scores_are_scikit_learns(dtype, features):
    values = blobs(dtype, features)
    found = select_k(values, range(2, 9), random_state=0, sample_size=len(values))
    table = {name: np.asarray(found.table[name]) for name in found.table.columns}
    assert table["k"].tolist() == list(range(2, 9))
    if features > 1:
        assert found.best_k == 5
    for row, model in enumerate(found.models.values()):
        assert model.n_clusters == table["k"][row]
        exact = ((values.astype("f8") - model.cluster_centers_[model.labels_]) ** 2).sum()
        assert table["inertia"][row] == pytest.approx(exact, rel=1e-4)
        for name, score in (
            ("silhouette", metrics.silhouette_score),
            ("davies_bouldin", metrics.davies_bouldin_score),
        ):
            assert table[name][row] == pytest.approx(score(values, model.labels_), rel=1e-4)


@pytest.mark.parametrize("features", [3, 70])
@pytest.mark.parametrize("n_init", [1, 3])
def test_each_is_as_good_as_alone(n_init, features):
    values = blobs(features=features)
    found = select_k(values, [2, 3, 5, 8], random_state=0, n_init=n_init)
    for k, model in found.models.items():
        alone = min(
            KMeans(k, random_state=seed, n_init=n_init).fit(values).inertia_ for seed in range(5)
        )
        assert model.inertia_ < 1.3 * alone
        assert (model.predict(values) == model.labels_).all()
        assert 1 <= model.n_iter_ <= model.max_iter


def test_centers_to_begin_with_are_those_of_each():
    values = blobs()
    found = select_k(values, [5], init=values[:5], random_state=0)
    alone = KMeans(5, init=values[:5]).fit(values)
    assert (found.best.labels_ == alone.labels_).all()
    assert found.best.n_iter_ == alone.n_iter_
    np.testing.assert_allclose(found.best.cluster_centers_, alone.cluster_centers_)
    for init in ("random", "k-means||"):
        found = select_k(values, [2, 6], init=init, n_init=3, random_state=0)
        assert found.models[6].inertia_ < found.models[2].inertia_


def test_our_arrays_and_frames_give_our_arrays(device):
    values = blobs()
    expected = select_k(values, range(2, 7), random_state=0)
    for given in (px.asarray(values), px.DataFrame(values, columns=list("abcde"))):
        found = select_k(given, range(2, 7), random_state=0)
        assert isinstance(found.best.labels_, px.ndarray)
        assert (np.asarray(found.best.labels_) == expected.best.labels_).all()
    assert list(found.best.feature_names_in_) == list("abcde")
    assert "best_k=5" in repr(found)


def test_plot():
    pytest.importorskip("matplotlib")
    figure = select_k(blobs(), range(2, 5), random_state=0).plot()
    assert [axes.get_title() for axes in figure.axes] == ["inertia", "silhouette", "davies_bouldin"]


@pytest.mark.parametrize(
    ("ks", "options", "error", "text"),
    [
        ([], {}, ValueError, "ks must be numbers from 2 on"),
        ([1, 2], {}, ValueError, "ks must be numbers from 2 on"),
        ([2, 800], {}, ValueError, "n_samples=700 should be >= n_clusters=800"),
        ([2], {"tol": -1.0}, ValueError, "'tol' parameter"),
        ([3], {"sample_size": 2}, ValueError, "give a greater sample_size"),
    ],
)
def test_wrong_parameters(ks, options, error, text):
    with pytest.raises(error, match=text):
        select_k(blobs(), ks, random_state=0, **options)


def test_missing_numbers_are_refused():
    with pytest.raises(ValueError, match="Input X contains NaN"):
        select_k([[np.nan, 1.0]] * 9, [2])


def test_on_a_device_as_on_the_host(monkeypatch):
    values = blobs("float32", 3)
    wanted = select_k(values, range(2, 8), random_state=0, tol=0)
    for name in ("kmeans", "together", "selection"):
        module = importlib.import_module(f"phalanx._models.cluster.{name}")
        monkeypatch.setattr(module, "steps_stay", fits)
    found = select_k(values, range(2, 8), random_state=0, tol=0)
    assert found.best_k == wanted.best_k
    for name in wanted.table.columns:
        np.testing.assert_allclose(found.table[name], wanted.table[name], rtol=1e-4)
    for k, model in wanted.models.items():
        assert (model.labels_ == found.models[k].labels_).all()
