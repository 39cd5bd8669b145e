"""Decompositions against scikit-learn's, seed for seed."""

import pickle

import numpy as np
import pytest
from phalanx.ml import decomposition as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.decomposition")

FITTED = (
    "components_",
    "explained_variance_",
    "explained_variance_ratio_",
    "singular_values_",
    "mean_",
    "var_",
    "noise_variance_",
)


def values(dtype="float64", count=60, features=6, seed=0):
    """Samples of which each direction has another variance."""
    random = np.random.default_rng(seed)
    spread = random.normal(size=(count, features)) * np.geomspace(9, 0.5, features)
    turned = np.linalg.qr(random.normal(size=(features, features)))[0]
    return (spread @ turned + random.normal(size=features)).astype(dtype)


def compare(found, expected, given, other, *, rtol):
    close = {"rtol": rtol, "atol": rtol * 10}
    for name in FITTED:
        if hasattr(expected, name):
            one, two = getattr(found, name), getattr(expected, name)
            np.testing.assert_allclose(one, two, err_msg=name, **close)
            assert np.ndim(one) == 0 or np.asarray(one).dtype == given.dtype
    made = found.transform(other)
    np.testing.assert_allclose(made, expected.transform(other), **close)
    assert made.dtype == given.dtype
    if made.shape[1]:  # theirs has no way back of no components
        back = expected.inverse_transform(made)
        np.testing.assert_allclose(found.inverse_transform(made), back, **close)
    assert list(found.get_feature_names_out()) == list(expected.get_feature_names_out())
    again = pickle.loads(pickle.dumps(found))
    assert (again.transform(other) == made).all()


PCAS = [
    {},
    {"whiten": True},
    {"n_components": 3},
    {"n_components": 0},
    {"n_components": 0.9},
    {"n_components": 0.9, "svd_solver": "full"},
    {"n_components": "mle"},
    {"n_components": "mle", "svd_solver": "full"},
    {"n_components": 2, "svd_solver": "full", "whiten": True},
    {"n_components": 2, "svd_solver": "covariance_eigh"},
    {"n_components": 2, "svd_solver": "arpack"},
    {"n_components": 2, "svd_solver": "randomized", "random_state": 3},
]
SHAPES = {"tall": (80, 6), "square": (30, 20), "wide": (12, 30)}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("options", PCAS, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_pca(dtype, options, shape):
    if options.get("n_components") == "mle" and shape == "wide":
        pytest.skip("more samples than features are needed")
    given, other = (values(dtype, *SHAPES[shape], seed=seed) for seed in (0, 1))
    expected = theirs.PCA(**options).fit(given)
    found = ours.PCA(**options).fit(given)
    rank = 11 if shape == "wide" else None  # directions beyond have no variance, and no order
    if expected.components_.shape[0] > (rank or 99):
        np.testing.assert_allclose(
            found.explained_variance_[:rank], expected.explained_variance_[:rank], rtol=1e-3
        )
        return
    rtol = 2e-3 if dtype == "float32" else 1e-6
    if dtype != "int64":
        compare(found, expected, given, other, rtol=rtol)
    np.testing.assert_allclose(found.fit_transform(given), found.transform(given), atol=1e-3)
    if found.noise_variance_ > 0:
        # What is likely does not hang on `whiten`; theirs scales the components by it twice.
        expected = theirs.PCA(**{**options, "whiten": False}).fit(given)
        np.testing.assert_allclose(found.score(other), expected.score(other), rtol=1e-3)
        np.testing.assert_allclose(found.get_covariance(), expected.get_covariance(), atol=1e-2)


@pytest.mark.parametrize("normalizer", ["auto", "QR", "LU", "none"])
@pytest.mark.parametrize("rounds", ["auto", 0, 2, 3])
@pytest.mark.parametrize("shape", [(40, 30), (30, 40)])
def test_random_vectors_are_scikit_learns(shape, rounds, normalizer):
    given = np.random.default_rng(2).normal(size=shape)  # all directions alike: chance decides
    options = {
        "n_components": 3,
        "svd_solver": "randomized",
        "n_oversamples": 2,
        "iterated_power": rounds,
        "power_iteration_normalizer": normalizer,
        "random_state": 5,
    }
    found, expected = (made.PCA(**options).fit(given) for made in (ours, theirs))
    np.testing.assert_allclose(found.singular_values_, expected.singular_values_, rtol=1e-8)
    np.testing.assert_allclose(found.components_, expected.components_, atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("algorithm", ["randomized", "arpack"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_truncated_svd(dtype, algorithm, shape):
    given, other = (values(dtype, *SHAPES[shape], seed=seed) for seed in (0, 1))
    options = {"n_components": 3, "algorithm": algorithm, "random_state": 1}
    expected, found = (made.TruncatedSVD(**options).fit(given) for made in (theirs, ours))
    compare(found, expected, given, other, rtol=3e-3 if dtype == "float32" else 1e-6)


@pytest.mark.parametrize("whiten", [False, True])
@pytest.mark.parametrize("batch", [None, 7, 20])
@pytest.mark.parametrize("count", [None, 3])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_incremental_pca(dtype, count, batch, whiten):
    given, other = (values(dtype, seed=seed) for seed in (0, 1))
    expected, found = (
        made.IncrementalPCA(count, batch_size=batch, whiten=whiten).fit(given)
        for made in (theirs, ours)
    )
    compare(found, expected, given, other, rtol=2e-3 if dtype == "float32" else 1e-8)
    for model in (expected, found):
        model.partial_fit(other)
    compare(found, expected, given, other, rtol=2e-3 if dtype == "float32" else 1e-8)
    assert found.n_samples_seen_ == expected.n_samples_seen_


@pytest.mark.parametrize("name", ["PCA", "TruncatedSVD", "IncrementalPCA"])
def test_our_arrays_and_frames_give_our_arrays(name, device):
    given = values()
    expected = getattr(ours, name)(2).fit(given)
    frame = px.DataFrame(given, columns=list("abcdef"))
    for each in (px.asarray(given), frame):
        found = getattr(ours, name)(2).fit(each)
        assert isinstance(found.components_, px.ndarray)
        assert isinstance(found.inverse_transform(found.transform(each)), px.ndarray)
        np.testing.assert_allclose(np.asarray(found.components_), expected.components_, atol=1e-9)
    assert list(found.feature_names_in_) == list("abcdef")


@pytest.mark.parametrize(
    ("name", "options", "shape", "error", "text"),
    [
        ("PCA", {"n_components": 7}, (60, 6), ValueError, "n_components=7 must be between 0 and"),
        ("PCA", {"n_components": 1.5}, (60, 6), ValueError, "'n_components' parameter of PCA"),
        ("PCA", {"n_components": "mle"}, (5, 6), ValueError, "only supported if n_samples >="),
        ("PCA", {"n_components": 0.5, "svd_solver": "arpack"}, (60, 6), ValueError, "a share"),
        ("PCA", {"n_components": 6, "svd_solver": "arpack"}, (60, 6), ValueError, "strictly less"),
        ("PCA", {"svd_solver": "fast"}, (60, 6), ValueError, "one of 'auto', 'full'"),
        ("PCA", {}, (1, 6), ValueError, "minimum of 2 is required"),
        ("TruncatedSVD", {"n_components": 7}, (60, 6), ValueError, r"n_components\(7\) must be <="),
        ("TruncatedSVD", {}, (60, 1), ValueError, "1 feature"),
        ("IncrementalPCA", {"n_components": 7}, (60, 6), ValueError, "invalid for n_features=6"),
        ("IncrementalPCA", {"n_components": 5}, (4, 6), ValueError, "less or equal to the batch"),
        ("IncrementalPCA", {"batch_size": 0}, (60, 6), ValueError, "'batch_size' parameter"),
    ],
)
def test_wrong_input(name, options, shape, error, text):
    with pytest.raises(error, match=text):
        getattr(ours, name)(**options).fit(values(count=shape[0], features=shape[1]))


@pytest.mark.parametrize("name", ["PCA", "TruncatedSVD", "IncrementalPCA"])
@pytest.mark.parametrize("special", [np.nan, np.inf])
def test_missing_numbers_are_refused(name, special):
    given = values()
    given[3, 2] = special
    with pytest.raises(ValueError, match="Input X contains"):
        getattr(ours, name)().fit(given)


def test_constant_samples_have_no_variance():
    found = ours.PCA(2).fit(np.ones((30, 3)))
    assert (found.explained_variance_ == 0).all()
    assert np.isnan(found.explained_variance_ratio_).all()
