"""Neighbors and densities against scikit-learn's."""

import importlib
import math

import numpy as np
import pytest
from phalanx._models.neighbors.density import KERNELS
from phalanx.ml import neighbors as ours
from phalanx.ml.cluster import DBSCAN

import phalanx as px

theirs = pytest.importorskip("sklearn.neighbors")


def values(dtype="float64", count=90, features=4, seed=0):
    return np.random.default_rng(seed).normal(size=(count, features)).astype(dtype)


METRICS = [
    {},
    {"p": 1},
    {"p": 3},
    {"metric": "chebyshev"},
    {"metric": "manhattan"},
    {"metric": "l2"},
    {"p": np.inf},
]


@pytest.mark.parametrize("features", [1, 4, 70])
@pytest.mark.parametrize("options", METRICS, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_neighbors(dtype, options, features):
    given, other = (values(dtype, features=features, seed=seed) for seed in (0, 1))
    found, expected = (
        made.NearestNeighbors(n_neighbors=3, radius=1.5, **options).fit(given)
        for made in (ours, theirs)
    )
    close = {"rtol": 1e-4 if dtype == "float32" else 1e-9}
    for x, count in ((other, None), (None, None), (other, 70), (other, 90)):
        apart, rows = found.kneighbors(x, count)
        theirs_apart, theirs_rows = expected.kneighbors(x, count)
        np.testing.assert_allclose(apart, theirs_apart, **close)
        assert (rows == theirs_rows).mean() > (0.98 if dtype == "float32" else 0.9999)
        assert rows.dtype == np.int64
        assert apart.dtype == dtype
    for x in (other, None):
        apart, rows = found.radius_neighbors(x, sort_results=True)
        theirs_apart, theirs_rows = expected.radius_neighbors(x, sort_results=True)
        for one, two, row, their in zip(apart, theirs_apart, rows, theirs_rows, strict=True):
            np.testing.assert_allclose(one, two, **close)
            assert sorted(row) == sorted(their)
    for mode in ("connectivity", "distance"):
        graphs = [each.kneighbors_graph(other, mode=mode).toarray() for each in (found, expected)]
        np.testing.assert_allclose(*graphs, **close)


def test_equal_samples_are_told_by_their_rows():
    given = np.repeat(np.arange(3.0), 4)[:, None]
    found = ours.NearestNeighbors(n_neighbors=3).fit(given)
    assert found.kneighbors([[1.0]])[1].tolist() == [[4, 5, 6]]
    assert found.kneighbors()[1][:5].tolist() == [
        [1, 2, 3],
        [0, 2, 3],
        [0, 1, 3],
        [0, 1, 2],
        [5, 6, 7],
    ]


@pytest.mark.parametrize("weights", ["uniform", "distance", lambda apart: 1 / (1 + apart)])
@pytest.mark.parametrize("kind", ["int64", "float64", "str", "bool"])
def test_classifier(kind, weights):
    given, other = values(), values(seed=1)
    classes = (np.abs(given).sum(axis=1) * 0.7).astype("int64")
    classes = (classes > 1) if kind == "bool" else classes.astype(kind)
    found, expected = (
        made.KNeighborsClassifier(4, weights=weights).fit(given, classes) for made in (ours, theirs)
    )
    for x in (other, given):
        np.testing.assert_allclose(found.predict_proba(x), expected.predict_proba(x), atol=1e-12)
        assert (found.predict(x) == expected.predict(x)).all()
    assert found.predict(other).dtype == expected.predict(other).dtype
    assert (found.classes_ == expected.classes_).all()
    assert found.score(other, classes) == expected.score(other, classes)


@pytest.mark.parametrize("weights", ["uniform", "distance", lambda apart: 1 / (1 + apart)])
@pytest.mark.parametrize("columns", [None, 1, 2])
def test_regressor(columns, weights):
    given, other = values(), values(seed=1)
    target = values(features=columns or 1, seed=2)
    target = target if columns else target[:, 0]
    found, expected = (
        made.KNeighborsRegressor(4, weights=weights).fit(given, target) for made in (ours, theirs)
    )
    for x in (other, given):
        np.testing.assert_allclose(found.predict(x), expected.predict(x))
    assert found.score(other, target) == pytest.approx(expected.score(other, target))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bandwidth", [0.7, 3.0, "scott", "silverman"])
@pytest.mark.parametrize("features", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "kernel", ["gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"]
)
def test_density(kernel, features, bandwidth, weighted):
    given, other = values(features=features), values(count=20, features=features, seed=1)
    weight = np.random.default_rng(3).random(len(given)) if weighted else None
    found, expected = (
        made.KernelDensity(kernel=kernel, bandwidth=bandwidth).fit(given, sample_weight=weight)
        for made in (ours, theirs)
    )
    if kernel != "cosine" or features % 2:  # theirs is wrong, or NaN, in even dimensions
        # Where there is nothing, theirs says what rounding left.
        made = np.exp([each.score_samples(other) for each in (found, expected)])
        np.testing.assert_allclose(*made, rtol=1e-6, atol=1e-14)
    assert found.bandwidth_ == pytest.approx(expected.bandwidth_)
    if kernel == "gaussian":
        drawn = [each.sample(5, random_state=0) for each in (found, expected)]
        np.testing.assert_allclose(*drawn)


@pytest.mark.parametrize("kernel", sorted(KERNELS))
@pytest.mark.parametrize("features", [1, 2, 4, 5])
def test_densities_sum_to_1(kernel, features):
    model = ours.KernelDensity(kernel=kernel).fit(np.zeros((1, features)))
    radii = (np.arange(60000) + 0.5) / 2000
    along = np.zeros((len(radii), features))
    along[:, 0] = radii
    shell = 2 * math.pi ** (features / 2) / math.gamma(features / 2) * radii ** (features - 1)
    assert (np.exp(model.score_samples(along)) * shell).sum() / 2000 == pytest.approx(1, rel=1e-3)


def test_our_arrays_and_frames_give_our_arrays(device):
    given, target = values(), values(seed=2)[:, 0]
    frame = px.DataFrame(given, columns=list("abcd"))
    apart, rows = ours.NearestNeighbors().fit(given).kneighbors(given)
    for each in (px.asarray(given), frame):
        made = ours.NearestNeighbors().fit(each)
        both = (*made.kneighbors(each), *made.kneighbors())
        assert all(isinstance(one, px.ndarray) for one in both)
        np.testing.assert_allclose(np.asarray(made.kneighbors(each)[0]), apart, atol=1e-12)
        assert (np.asarray(made.kneighbors(each)[1]) == rows).all()
        model = ours.KNeighborsRegressor().fit(each, px.asarray(target))
        assert isinstance(model.predict(each), px.ndarray)
        assert isinstance(ours.KernelDensity().fit(each).score_samples(each), px.ndarray)


@pytest.mark.parametrize(
    ("name", "options", "error", "text"),
    [
        ("NearestNeighbors", {"n_neighbors": 0}, ValueError, "'n_neighbors' parameter"),
        ("NearestNeighbors", {"metric": "cosine"}, NotImplementedError, "metric='cosine'"),
        ("NearestNeighbors", {"metric": "far"}, ValueError, "'metric' parameter"),
        ("NearestNeighbors", {"p": 0}, ValueError, "'p' parameter"),
        ("NearestNeighbors", {"radius": -1}, ValueError, "'radius' parameter"),
        ("KNeighborsClassifier", {"weights": "far"}, ValueError, "'weights' parameter"),
        ("KNeighborsRegressor", {"n_jobs": 1.5}, ValueError, "'n_jobs' parameter"),
        ("KernelDensity", {"bandwidth": 0}, ValueError, "'bandwidth' parameter"),
        ("KernelDensity", {"kernel": "round"}, ValueError, "one of 'gaussian', 'tophat'"),
    ],
)
def test_wrong_parameters(name, options, error, text):
    with pytest.raises(error, match=text):
        getattr(ours, name)(**options).fit(values(), np.arange(90))


@pytest.mark.parametrize(
    ("x", "count", "error", "text"),
    [
        (values(), 91, ValueError, "n_neighbors <= n_samples_fit, but n_neighbors = 91"),
        (None, 90, ValueError, "n_neighbors < n_samples_fit, but n_neighbors = 90"),
        (values(), 0, ValueError, "n_neighbors > 0. Got 0"),
        (values(), 2.5, TypeError, "enter integer value"),
        (
            values(features=3),
            2,
            ValueError,
            "X has 3 features, but Near.* is expecting 4",
        ),
        (values() * np.nan, 2, ValueError, "Input X contains NaN"),
    ],
)
def test_wrong_questions(x, count, error, text):
    with pytest.raises(error, match=text):
        ours.NearestNeighbors().fit(values()).kneighbors(x, count)


def test_weights_that_are_all_0_are_refused():
    model = ours.KNeighborsClassifier(weights=np.zeros_like).fit(values(), np.arange(90))
    with pytest.raises(ValueError, match="zero weights"):
        model.predict(values())


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_parts_of_the_others_as_on_a_gpu(monkeypatch, parts):
    distances = importlib.import_module("phalanx._models.neighbors.distances")
    draw = np.random.default_rng(parts)
    # Few values, so that many distances are equal: rows of the lowest number are wanted.
    x, others = (draw.integers(0, 4, (count, 3)).astype("f4") for count in (50, 301))
    squares = ((x[:, None] - others) ** 2).sum(axis=2)
    rows = np.argsort(squares, axis=1, kind="stable")[:, :5]
    wanted = np.sqrt(np.take_along_axis(squares, rows, axis=1)), rows
    monkeypatch.setattr(distances, "_parts", lambda x, others: parts)
    found = distances.nearest_rows(px.asarray(x), px.asarray(others), 5)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(one), other)


@pytest.mark.parametrize(
    ("dtype", "scale"),
    [
        ("float32", 1e20),
        ("float32", 1e30),
        ("float32", 1e-25),
        ("float64", 1e200),
        ("float64", 1e-200),
    ],
)
@pytest.mark.parametrize("options", [{}, {"p": 3}, {"p": 1}, {"n_neighbors": 70}], ids=str)
def test_squares_that_overflow_or_vanish(options, dtype, scale):
    random = np.random.RandomState(0)
    x = random.normal(size=(150, 3)).astype(dtype).astype(float)
    # Powers of two, so that each neighbor is the same.
    scale = 2.0 ** np.round(np.log2(scale))
    near = ours.NearestNeighbors(**options).fit(x)
    far = ours.NearestNeighbors(**options).fit((x * scale).astype(dtype))
    distances, rows = far.kneighbors((x * scale).astype(dtype))
    expected, expected_rows = near.kneighbors(x)
    assert distances.dtype == dtype
    np.testing.assert_array_equal(rows, expected_rows)
    np.testing.assert_allclose(distances / scale, expected, rtol=1e-5)
    if not options:
        within = far.radius_neighbors((x * scale).astype(dtype), 0.5 * scale)[1]
        for found, wanted in zip(within, near.radius_neighbors(x, 0.5)[1], strict=True):
            np.testing.assert_array_equal(found, wanted)
        model = DBSCAN(eps=0.5 * scale).fit((x * scale).astype(dtype))
        np.testing.assert_array_equal(model.labels_, DBSCAN(eps=0.5).fit(x).labels_)
