"""k-means against scikit-learn's, seed for seed."""

import importlib
import pickle
import subprocess
import sys

import numpy as np
import pytest
from phalanx.ml.cluster import KMeans, MiniBatchKMeans

import phalanx as px

cluster = pytest.importorskip("sklearn.cluster")
datasets = pytest.importorskip("sklearn.datasets")


def blobs(dtype="float64", count=600, features=5, seed=0):
    values, _ = datasets.make_blobs(count, features, centers=6, random_state=seed)
    return values.astype(dtype)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("init", ["k-means++", "random", "array", "function"])
@pytest.mark.parametrize("features", [1, 5, 70])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_as_scikit_learn(dtype, features, init, weighted):
    values = blobs(dtype, features=features)
    weight = np.random.default_rng(1).random(len(values)) if weighted else None
    given = {
        "array": values[:6],
        "function": lambda x, count, random_state: x[random_state.permutation(len(x))[:count]],
    }.get(init, init)
    # Of the ten runs that functions get, two of float32 end in inertias an ulp apart, and which is
    # less depends on how many threads add them up.
    has_few_runs = init == "random" or (init == "function" and dtype == "float32")
    runs = 2 if has_few_runs else "auto"
    ours, theirs = (
        made(6, init=given, n_init=runs, random_state=3).fit(values, sample_weight=weight)
        for made in (KMeans, cluster.KMeans)
    )
    assert (ours.labels_ == theirs.labels_).all()
    assert ours.labels_.dtype == theirs.labels_.dtype
    assert ours.n_iter_ == theirs.n_iter_
    close = {"rtol": 1e-3 if dtype == "float32" else 1e-9}
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-4, **close)
    np.testing.assert_allclose(ours.inertia_, theirs.inertia_, **close)
    assert ours.cluster_centers_.dtype == theirs.cluster_centers_.dtype
    other = blobs(dtype, features=features, seed=1)
    np.testing.assert_allclose(ours.transform(other), theirs.transform(other), atol=1e-3, **close)
    assert (ours.predict(other) == theirs.predict(other)).mean() > 0.99
    np.testing.assert_allclose(ours.score(other), theirs.score(other), **close)


@pytest.fixture
def steps_stay(monkeypatch):
    """Steps by the kernels that a GPU has, on the device that there is."""
    kmeans = importlib.import_module("phalanx._models.cluster.kmeans")
    monkeypatch.setattr(kmeans, "steps_stay", lambda x, clusters: kmeans.fits(x, clusters))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("count", "features", "clusters"), [
    (600, 5, 6), (1000, 12, 8), (127, 1, 2), (5, 3, 5), (2000, 20, 4), (4096, 2, 7), (300, 70, 3),
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_steps_that_stay_on_a_device(steps_stay, dtype, count, features, clusters, weighted):
    values = blobs(dtype, count, features, seed=count)
    weight = np.random.default_rng(1).random(count) if weighted else None
    if weighted and count == clusters:
        # Each center is its sample, times and by its weight: powers of 2 leave it where it is,
        # others move some by an ulp, and so decide whether there is another step.
        weight = 2.0 ** np.random.default_rng(1).integers(-3, 4, count)
    for most, tol in ((1, 0), (300, 0), (300, 1e-2)):
        ours, theirs = (
            made(clusters, init=values[:clusters], max_iter=most, tol=tol, n_init=1)
            .fit(values, sample_weight=weight)
            for made in (KMeans, cluster.KMeans)
        )  # fmt: skip
        assert (ours.labels_ == theirs.labels_).all()
        assert ours.n_iter_ == theirs.n_iter_
        close = {"rtol": 1e-3 if dtype == "float32" else 1e-9}
        np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, **close)
        np.testing.assert_allclose(ours.inertia_, theirs.inertia_, atol=1e-6, **close)


def test_clusters_without_samples_on_a_device(steps_stay):
    values = blobs()
    far = np.full((2, 5), 1e3)
    first = np.concatenate([values[:4], far, far])
    ours, theirs = (
        made(8, init=first, n_init=1, tol=0).fit(values) for made in (KMeans, cluster.KMeans)
    )
    assert (ours.labels_ == theirs.labels_).all()
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-6)
    assert ours.n_iter_ == theirs.n_iter_


def test_parallel_seeding_finds_the_clusters():
    values = blobs()
    best = cluster.KMeans(6, n_init=10, random_state=0).fit(values).inertia_
    for seed in range(5):
        assert KMeans(6, init="k-means||", random_state=seed).fit(values).inertia_ < 1.5 * best


def test_inertia_of_tight_clusters_far_from_0_does_not_cancel():
    values = (1e3 + np.arange(4)[:, None] * 10 + np.zeros((4, 50))).reshape(-1, 1)
    values = (values + np.random.default_rng(0).normal(scale=1e-2, size=values.shape)).astype("f4")
    found = KMeans(4, random_state=0).fit(values)
    means = [values[found.labels_ == each].astype("f8").mean() for each in range(4)]
    exact = ((values[:, 0].astype("f8") - np.array(means)[found.labels_]) ** 2).sum()
    assert found.inertia_ == pytest.approx(exact, rel=1e-4)


def test_empty_clusters_get_far_samples():
    values = np.repeat([[0.0], [1.0], [5.0], [9.0]], 5, axis=0)
    first = np.array([[0.0], [100.0], [101.0], [102.0]])
    found, theirs = (each(4, init=first, n_init=1).fit(values) for each in (KMeans, cluster.KMeans))
    np.testing.assert_allclose(found.cluster_centers_, theirs.cluster_centers_)
    # Theirs has the labels of before the samples moved.
    assert found.inertia_ < theirs.inertia_


def test_fewer_distinct_samples_than_clusters_warn():
    with pytest.warns(UserWarning, match="distinct clusters \\(1\\) found smaller"):
        KMeans(3, random_state=0).fit(np.ones((10, 2)))


def test_our_arrays_and_frames_give_our_arrays(device):
    values = blobs()
    expected = KMeans(6, random_state=0).fit(values)
    frame = px.DataFrame(values, columns=list("abcde"))
    for given in (px.asarray(values), frame):
        found = KMeans(6, random_state=0).fit(given)
        assert isinstance(found.labels_, px.ndarray)
        assert isinstance(found.predict(given), px.ndarray)
        assert isinstance(found.transform(given), px.ndarray)
        assert (np.asarray(found.labels_) == expected.labels_).all()
    assert list(found.feature_names_in_) == list("abcde")
    with pytest.raises(ValueError, match="Feature names unseen at fit time:\n- z\n"):
        found.predict(frame.rename(columns={"a": "z"}))
    again = pickle.loads(pickle.dumps(found))
    assert (np.asarray(again.predict(frame)) == expected.labels_).all()


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"n_clusters": 0}, ValueError, "'n_clusters' parameter of KMeans must be an int in"),
        ({"n_clusters": 2.5}, TypeError, "'n_clusters' parameter"),
        ({"init": "far"}, ValueError, "must be one of 'k-means"),
        ({"tol": -1}, ValueError, "'tol' parameter of KMeans must be a float in the range"),
        ({"n_clusters": 601}, ValueError, "n_samples=600 should be >= n_clusters=601"),
        ({"init": np.zeros((3, 5))}, ValueError, "initial centers .* does not match"),
    ],
)
def test_wrong_parameters(given, error, text):
    with pytest.raises(error, match=text):
        KMeans(**{"n_clusters": 6, **given}).fit(blobs())


@pytest.mark.parametrize(
    ("values", "error", "text"),
    [
        ([1, 2, 3], ValueError, "Expected 2D array, got 1D array"),
        (np.zeros((0, 3)), ValueError, "0 sample"),
        (np.zeros((9, 0)), ValueError, "0 feature"),
        (np.zeros((9, 2, 2)), ValueError, "dim 3"),
        ([[np.nan, 1]] * 9, ValueError, "Input X contains NaN"),
        ([[np.inf, 1]] * 9, ValueError, "Input X contains infinity"),
        ([[1j, 1]] * 9, ValueError, "Complex data not supported"),
        ([["a", "b"]] * 9, ValueError, "strings in X"),
        ([["a", 1.5]] * 9, ValueError, "strings in X|could not convert"),
    ],
)
def test_wrong_samples(values, error, text):
    with pytest.raises(error, match=text):
        KMeans(2).fit(values)


@pytest.mark.parametrize(
    ("weight", "text"),
    [
        (np.ones(3), "sample_weight.shape"),
        (np.ones((600, 1)), "Sample weights must be 1D"),
        (np.zeros(600), "at least one non-zero"),
        (-np.ones(600), "Negative values"),
        (np.full(600, np.nan), "sample_weight contains NaN"),
    ],
)
def test_wrong_weights(weight, text):
    with pytest.raises(ValueError, match=text):
        KMeans(6).fit(blobs(), sample_weight=weight)


ALONE = """
import sys
sys.modules["sklearn"] = None
import numpy as np
from phalanx.ml.cluster import KMeans
model = KMeans(2, random_state=0)
try:
    model.predict([[1.0]])
except ValueError as error:
    print(type(error).__name__)
values = np.array([[0.0], [0.1], [5.0], [5.1]])
print(model.fit_predict(values).tolist() in ([0, 0, 1, 1], [1, 1, 0, 0]), model)
print(model.get_params()["n_clusters"], model.set_params(n_clusters=3).n_clusters)
print(model.fit(values).get_feature_names_out().tolist())
try:
    model.set_params(clusters=3)
except ValueError as error:
    print(str(error)[:24])
"""


def test_without_scikit_learn():
    ran = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == [
        "NotFittedError",
        "True KMeans(n_clusters=2, random_state=0)",
        "2 3",
        "['kmeans0', 'kmeans1', 'kmeans2']",
        "Invalid parameter 'clust",
    ]


@pytest.mark.parametrize("kind", [KMeans, MiniBatchKMeans])
@pytest.mark.parametrize("features", [2, 70])
def test_a_center_far_away_costs_others_no_digits(device, kind, features):
    values = np.random.default_rng(0).normal(size=(1000, features)).astype(np.float32)
    values[:500] += 5
    values[-1] = 1e6
    model = kind(3, init=values[[0, 600, -1]], n_init=1, random_state=0).fit(px.asarray(values))
    found = np.asarray(model.predict(px.asarray(values)))
    centers = np.asarray(model.cluster_centers_, np.float64)
    wide = ((values[:, None].astype(np.float64) - centers) ** 2).sum(axis=2)
    assert np.array_equal(found, wide.argmin(axis=1))
    assert model.score(px.asarray(values)) == pytest.approx(-wide.min(axis=1).sum(), rel=1e-4)


def test_centers_to_begin_with_have_no_gaps():
    with pytest.raises(ValueError, match="init contains NaN"):
        KMeans(2, init=[[np.nan], [15.0]]).fit([[10.0], [15.0], [43.0]])


def test_options_may_be_numpys_texts():
    KMeans(2, init=np.str_("random"), algorithm=np.str_("elkan"), n_init=1).fit(np.eye(3))
