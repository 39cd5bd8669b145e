"""Random projections against scikit-learn's, seed for seed."""

import numpy as np
import pytest
from phalanx.ml import random_projection as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.random_projection")


def values(dtype="float64", features=30):
    return np.random.default_rng(0).normal(size=(20, features)).astype(dtype)


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize(
    ("name", "options", "features"),
    [
        ("GaussianRandomProjection", {}, 30),
        ("SparseRandomProjection", {}, 30),
        ("SparseRandomProjection", {"density": 1.0}, 30),
        ("SparseRandomProjection", {"density": 0.995}, 30),
        ("SparseRandomProjection", {"density": 0.004}, 700),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_as_scikit_learn(dtype, name, options, features, inverse):
    given = values(dtype, features)
    found, expected = (
        getattr(made, name)(8, random_state=4, compute_inverse_components=inverse, **options).fit(
            given
        )
        for made in (ours, theirs)
    )
    across = expected.components_
    across = across.toarray() if hasattr(across, "toarray") else across
    np.testing.assert_allclose(found.components_, across, rtol=1e-6)
    assert found.components_.dtype == across.dtype
    made = found.transform(given)
    np.testing.assert_allclose(made, np.asarray(expected.transform(given)), atol=1e-4)
    np.testing.assert_allclose(
        found.inverse_transform(made), expected.inverse_transform(made), atol=1e-3
    )
    assert list(found.get_feature_names_out()) == list(expected.get_feature_names_out())


def test_auto_takes_the_least_dimensions():
    given = values(features=400)
    found, expected = (
        made.GaussianRandomProjection(eps=0.5, random_state=0).fit(given) for made in (ours, theirs)
    )
    assert found.n_components_ == expected.n_components_
    counts, errors = [10, 1000], [0.1, 0.5]
    made = ours.johnson_lindenstrauss_min_dim(counts, eps=errors)
    assert (made == theirs.johnson_lindenstrauss_min_dim(counts, eps=errors)).all()


def test_our_arrays_give_our_arrays(device):
    found = ours.SparseRandomProjection(3, random_state=0).fit(px.asarray(values()))
    assert isinstance(found.components_, px.ndarray)
    assert isinstance(found.inverse_transform(found.transform(px.asarray(values()))), px.ndarray)


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({}, ValueError, "which is larger than the original space with n_features=30"),
        ({"n_components": 0}, ValueError, "'n_components' parameter"),
        ({"n_components": 3, "density": 0}, ValueError, "'density' parameter"),
    ],
)
def test_wrong_parameters(options, error, text):
    with pytest.raises(error, match=text):
        ours.SparseRandomProjection(**options).fit(values())


def test_more_dimensions_than_features_warn():
    with pytest.warns(UserWarning, match="higher than the number of features"):
        ours.GaussianRandomProjection(31).fit(values())
    for wrong in ({"eps": 1.0}, {"eps": 0.0}):
        with pytest.raises(ValueError, match="JL bound"):
            ours.johnson_lindenstrauss_min_dim(10, **wrong)
    with pytest.raises(ValueError, match="JL bound"):
        ours.johnson_lindenstrauss_min_dim(0)
