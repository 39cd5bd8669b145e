"""Gaps filled by the nearest samples, against scikit-learn's."""

import warnings

import numpy as np
import pytest
from phalanx.ml.impute import KNNImputer

import phalanx as px

theirs = pytest.importorskip("sklearn.impute")

OPTIONS = {
    "plain": {},
    "one": {"n_neighbors": 1},
    "many": {"n_neighbors": 500},
    "distance": {"weights": "distance", "n_neighbors": 7},
    "function": {"weights": lambda distances: 1 / (1 + distances**2)},
    "indicator": {"add_indicator": True},
    "mark": {"missing_values": -1},
}


def problem(dtype, mark=np.nan, share=0.3):
    random = np.random.default_rng(4)
    made = []
    for count in (80, 50):
        x = random.normal(size=(count, 5)).astype(dtype)
        x[random.random(x.shape) < share] = mark
        made.append(x)
    train, test = made
    test[0], test[1] = mark, train[3]  # nothing at all, and a sample of `fit`
    train[:-1, 4] = mark  # a feature with one donor
    return train, test


def both(options, train, test):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        models = (each(**options).fit(train) for each in (KNNImputer, theirs.KNNImputer))
        return [each.transform(test) for each in models]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", OPTIONS)
@pytest.mark.parametrize("share", [0.1, 0.6])
def test_gaps_are_filled_as_by_scikit_learn(case, share, dtype):
    options = OPTIONS[case]
    train, test = problem(dtype, options.get("missing_values", np.nan), share)
    for given in (test, train):
        found, expected = both(options, train, given)
        assert found.dtype == expected.dtype
        near = 1e-10
        if dtype == "float32":  # of which squares cancel in scikit-learn's distances
            _, expected = both(options, train.astype(float), given.astype(float))
            near = 1e-5
        np.testing.assert_allclose(found, expected, rtol=near, atol=near)


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("add", [False, True])
def test_features_without_numbers(keep, add):
    train, test = problem("float64")
    train[:, 2] = np.nan
    options = {"keep_empty_features": keep, "add_indicator": add}
    np.testing.assert_allclose(*both(options, train, test))
    model, other = (each(**options).fit(train) for each in (KNNImputer, theirs.KNNImputer))
    names = model.get_feature_names_out()
    assert len(names) == model.transform(test).shape[1]
    if not keep:  # of kept ones scikit-learn's names are fewer than its columns
        assert names.tolist() == other.get_feature_names_out().tolist()
    full = np.ones((3, 5))
    np.testing.assert_allclose(*both(options, train, full))


def test_whole_numbers_and_lists():
    train = [[1, 2, -5], [4, -5, 6], [7, 8, 9], [1, 1, 1]]
    np.testing.assert_allclose(*both({"missing_values": -5, "n_neighbors": 2}, train, train))


def test_arrays_and_frames_of_ours(device):
    train, test = problem("float32")
    expected = KNNImputer().fit(train).transform(test)
    found = KNNImputer().fit(px.asarray(train)).transform(px.asarray(test))
    assert isinstance(found, px.ndarray)
    np.testing.assert_allclose(found, expected)
    frame = px.DataFrame(train, columns=list("abcde"))
    model = KNNImputer().fit(frame)
    assert model.get_feature_names_out().tolist() == list("abcde")
    np.testing.assert_allclose(model.transform(frame), KNNImputer().fit_transform(train))


@pytest.mark.parametrize(
    ("options", "x", "error", "text"),
    [
        ({"n_neighbors": 0}, [[1.0]], ValueError, "n_neighbors"),
        ({"weights": "no"}, [[1.0]], ValueError, "weights"),
        ({"metric": print}, [[1.0]], NotImplementedError, "metric"),
        ({}, [["a"]], ValueError, "non-numeric|numeric"),
        ({}, [[np.inf]], ValueError, "infinity"),
        ({"missing_values": 0}, [[np.nan]], ValueError, "NaN"),
        ({}, [1.0, 2.0], ValueError, "2D"),
        ({}, np.empty((0, 3)), ValueError, "0 sample"),
    ],
)
def test_wrong_input(options, x, error, text):
    with pytest.raises(error, match=text):
        KNNImputer(**options).fit(x)
