"""Data sets against scikit-learn's: the same numbers for a seed."""

import numpy as np
import pytest
from phalanx.ml import datasets as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.datasets")

CALLS = [
    ("make_blobs", {}),
    ("make_blobs", {"n_samples": 31, "n_features": 5, "centers": 4, "cluster_std": [1, 2, 3, 4]}),
    ("make_blobs", {"centers": [[0, 1], [5, 5.5]], "return_centers": True}),
    ("make_blobs", {"n_samples": [5, 9, 0], "shuffle": False, "center_box": (0, 1)}),
    ("make_moons", {}),
    ("make_moons", {"n_samples": (7, 12), "noise": 0.1}),
    ("make_circles", {"factor": 0.2}),
    ("make_circles", {"n_samples": 33, "noise": 0.3, "shuffle": False}),
    ("make_swiss_roll", {"n_samples": 50, "noise": 0.2}),
    ("make_swiss_roll", {"n_samples": 50, "hole": True}),
    ("make_s_curve", {"noise": 0.1}),
    ("make_regression", {}),
    ("make_regression", {"n_features": 7, "n_targets": 3, "coef": True, "noise": 2.0, "bias": 4}),
    ("make_regression", {"n_features": 12, "effective_rank": 4, "shuffle": False}),
    ("make_low_rank_matrix", {"n_samples": 30, "n_features": 12}),
    ("make_friedman1", {"noise": 0.5}),
    ("make_friedman2", {"noise": 0.5}),
    ("make_friedman3", {"noise": 0.5}),
    ("make_sparse_uncorrelated", {}),
    ("make_spd_matrix", {"n_dim": 6}),
    ("make_hastie_10_2", {"n_samples": 40}),
    ("make_gaussian_quantiles", {"n_samples": 41}),
    ("make_gaussian_quantiles", {"mean": [1.0, 2, 3], "n_features": 3, "shuffle": False}),
    ("make_classification", {}),
    ("make_classification", {"n_informative": 5, "n_redundant": 4, "n_repeated": 3}),
    ("make_classification", {"n_classes": 3, "n_informative": 4, "weights": [0.2, 0.3]}),
    ("make_classification", {"hypercube": False, "shift": None, "scale": None, "flip_y": 0.4}),
    ("make_classification", {"n_features": 40, "n_informative": 35, "shuffle": False}),
    ("make_classification", {"n_features": 12, "n_informative": 8, "n_clusters_per_class": 3}),
    ("make_multilabel_classification", {"n_samples": 40}),
    ("make_multilabel_classification", {"allow_unlabeled": False, "n_labels": 1}),
]


def parts(found):
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize(("name", "options"), CALLS)
def test_as_scikit_learn(name, options, seed):
    mine = parts(getattr(ours, name)(**options, random_state=seed))
    other = parts(getattr(theirs, name)(**options, random_state=seed))
    assert len(mine) == len(other)
    for found, expected in zip(mine, other, strict=True):
        assert found.shape == expected.shape
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


def test_a_generator_goes_on():
    random, other = np.random.RandomState(3), np.random.RandomState(3)
    for _ in range(2):
        np.testing.assert_array_equal(
            ours.make_blobs(random_state=random)[0], theirs.make_blobs(random_state=other)[0]
        )


@pytest.mark.parametrize("name", ["make_blobs", "make_moons", "make_regression"])
def test_arrays_and_frames_of_ours(name, device):
    expected, target = getattr(ours, name)(random_state=1)
    x, _ = getattr(ours, name)(random_state=1, output_type="array", dtype="float32")
    assert isinstance(x, px.ndarray)
    assert x.dtype == np.float32
    np.testing.assert_allclose(np.asarray(x), expected, rtol=1e-5)
    frame, column = getattr(ours, name)(random_state=1, output_type="dataframe")
    assert isinstance(frame, px.DataFrame)
    assert isinstance(column, px.Series)
    np.testing.assert_array_equal(frame.to_numpy(), expected)
    np.testing.assert_array_equal(column.to_numpy(), target)


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("make_blobs", {"n_samples": 0}, "'n_samples' parameter"),
        ("make_blobs", {"centers": [[1.0, np.nan]]}, "must be centers x features"),
        ("make_blobs", {"n_samples": [3, 4], "centers": [[1.0]]}, "not consistent"),
        ("make_blobs", {"cluster_std": [1.0]}, "clusters_std"),
        ("make_moons", {"n_samples": (1, 2, 3)}, "two-element tuple"),
        ("make_circles", {"factor": 1.0}, r"in the range \[0, 1\)"),
        ("make_classification", {"n_informative": 30}, "total number|total features"),
        ("make_classification", {"n_classes": 5}, "smaller or equal"),
        ("make_classification", {"weights": [0.1, 0.2, 0.3]}, "incompatible"),
        ("make_friedman1", {"n_features": 3}, "'n_features' parameter"),
        ("make_gaussian_quantiles", {"n_samples": 2}, "at least n_classes"),
        ("make_blobs", {"output_type": "cupy"}, "'output_type' parameter"),
        ("make_blobs", {"dtype": "int32"}, "must be a float"),
    ],
)
def test_wrong_parameters(name, options, text):
    with pytest.raises(ValueError, match=text):
        getattr(ours, name)(**options)


def test_data_of_scikit_learn_is_under_its_names():
    assert ours.load_iris(return_X_y=True)[0].shape == (150, 4)
    assert "load_iris" in dir(ours)
    with pytest.raises(AttributeError, match="make_blobs"):
        ours.make_nothing  # noqa: B018
