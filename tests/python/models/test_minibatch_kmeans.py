"""k-means of batches against scikit-learn's, seed for seed."""

import pickle

import numpy as np
import pytest
from phalanx.ml.cluster import MiniBatchKMeans

import phalanx as px

cluster = pytest.importorskip("sklearn.cluster")
datasets = pytest.importorskip("sklearn.datasets")


def blobs(dtype="float64", count=3000, features=5, seed=0):
    return datasets.make_blobs(count, features, centers=6, random_state=seed)[0].astype(dtype)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"batch_size": 100},
        {"batch_size": 100, "tol": 1e-2, "max_no_improvement": None, "max_iter": 5},
        {"init": "random", "batch_size": 200},
        {"init": "random", "n_init": 2, "init_size": 60, "n_clusters": 40, "batch_size": 50},
        {"batch_size": 5000, "max_iter": 4},
        {"init": "array", "batch_size": 64},
        {"compute_labels": False},
    ],
    ids=str,
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_as_scikit_learn(dtype, options, weighted):
    values = blobs(dtype)
    weight = np.random.default_rng(1).random(len(values)) if weighted else None
    given = {"n_clusters": 6, "random_state": 3, **options}
    if given.get("init") == "array":
        given["init"] = values[:6]
    ours, theirs = (
        made(**given).fit(values, sample_weight=weight)
        for made in (MiniBatchKMeans, cluster.MiniBatchKMeans)
    )
    close = {"rtol": 1e-3 if dtype == "float32" else 1e-8}
    assert ours.n_steps_ == theirs.n_steps_
    assert ours.n_iter_ == theirs.n_iter_
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-3, **close)
    np.testing.assert_allclose(ours.inertia_, theirs.inertia_, **close)
    assert ours.cluster_centers_.dtype == theirs.cluster_centers_.dtype
    assert hasattr(ours, "labels_") == hasattr(theirs, "labels_")
    if hasattr(ours, "labels_"):
        assert (ours.labels_ == theirs.labels_).mean() > 0.999
        assert ours.labels_.dtype == theirs.labels_.dtype
    other = blobs(dtype, seed=1)
    assert (ours.predict(other) == theirs.predict(other)).mean() > 0.99
    np.testing.assert_allclose(ours.transform(other), theirs.transform(other), atol=1e-2, **close)
    np.testing.assert_allclose(ours.score(other), theirs.score(other), **close)


@pytest.mark.parametrize("weighted", [False, True])
def test_batches_one_by_one(weighted):
    values = blobs(count=1000)
    weight = np.random.default_rng(1).random(1000) if weighted else np.ones(1000)
    ours, theirs = (made(12, random_state=0) for made in (MiniBatchKMeans, cluster.MiniBatchKMeans))
    for first in range(0, 1000, 100):
        for model in (ours, theirs):
            model.partial_fit(values[first : first + 100], None, weight[first : first + 100])
        np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-8)
        assert (ours.labels_ == theirs.labels_).all()
        assert ours.n_steps_ == theirs.n_steps_
    again = pickle.loads(pickle.dumps(ours)).partial_fit(values)
    np.testing.assert_allclose(
        again.cluster_centers_, theirs.partial_fit(values).cluster_centers_, rtol=1e-8
    )


def test_our_arrays_and_frames_give_our_arrays(device):
    values = blobs()
    expected = MiniBatchKMeans(6, random_state=0).fit(values)
    for given in (px.asarray(values), px.DataFrame(values, columns=list("abcde"))):
        found = MiniBatchKMeans(6, random_state=0).fit(given)
        for each in (found.labels_, found.cluster_centers_, found.predict(given)):
            assert isinstance(each, px.ndarray)
        assert (np.asarray(found.labels_) == expected.labels_).all()
        found.partial_fit(given)
        assert isinstance(found.cluster_centers_, px.ndarray)


def test_verbose_tells_of_steps(capsys):
    MiniBatchKMeans(6, random_state=0, batch_size=100, verbose=1).fit(blobs())
    told = capsys.readouterr().out
    assert "Minibatch step 2/3000: mean batch inertia:" in told
    assert "Converged (lack of improvement in inertia)" in told


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"batch_size": 0}, ValueError, "'batch_size' parameter"),
        ({"reassignment_ratio": -1.0}, ValueError, "'reassignment_ratio' parameter"),
        ({"n_clusters": 3001}, ValueError, "should be >= n_clusters=3001"),
        ({"init": np.zeros((2, 5))}, ValueError, "initial centers"),
        ({"max_no_improvement": "never"}, ValueError, "'max_no_improvement' parameter"),
    ],
)
def test_wrong_parameters(options, error, text):
    with pytest.raises(error, match=text):
        MiniBatchKMeans(**{"n_clusters": 6, **options}).fit(blobs())


def test_too_small_a_start_warns():
    with pytest.warns(RuntimeWarning, match="init_size=3 should be larger"):
        MiniBatchKMeans(6, init_size=3, random_state=0).fit(blobs())


@pytest.mark.parametrize("special", [np.nan, np.inf])
def test_missing_numbers_are_refused_and_nothing_is_changed(special):
    model = MiniBatchKMeans(2, random_state=0).partial_fit([[1.0], [2.0], [9.0]])
    before = model.cluster_centers_.copy()
    with pytest.raises(ValueError, match="Input X contains"):
        model.partial_fit([[special], [1.0]])
    assert (model.cluster_centers_ == before).all()
    assert model.n_steps_ == 1
