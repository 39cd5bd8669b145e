"""Naive Bayes classifiers against scikit-learn's."""

import pickle

import numpy as np
import pytest
from phalanx.ml import naive_bayes as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.naive_bayes")

MODELS = [
    ("GaussianNB", {}),
    ("GaussianNB", {"priors": [0.2, 0.5, 0.3], "var_smoothing": 1e-3}),
    ("MultinomialNB", {}),
    ("MultinomialNB", {"alpha": [0.5, 1, 2, 3], "fit_prior": False}),
    ("MultinomialNB", {"alpha": 0.1, "class_prior": [0.2, 0.5, 0.3]}),
    ("ComplementNB", {}),
    ("ComplementNB", {"norm": True, "alpha": 0.3}),
    ("BernoulliNB", {}),
    ("BernoulliNB", {"binarize": 2.5, "alpha": 0.2}),
    ("CategoricalNB", {}),
    ("CategoricalNB", {"min_categories": 9, "alpha": 0.4, "fit_prior": False}),
]
MOMENTS = ["theta_", "var_", "epsilon_", "class_count_", "class_prior_", "classes_"]
SUMS = ["feature_count_", "feature_log_prob_", "class_log_prior_", "feature_all_"]
ATTRIBUTES = [*MOMENTS, *SUMS, "category_count_", "n_categories_", "n_features_in_"]


def problem(dtype="float64", count=90):
    random = np.random.default_rng(4)
    y = random.integers(0, 3, count)
    x = random.poisson(np.array([[1, 4, 2, 0.2], [3, 1, 2, 1], [2, 2, 2, 5]])[y])
    return x.astype(dtype), np.array(["b", "a", "c"])[y]


def same(found, expected, close):
    if isinstance(expected, list):
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, **close)
    elif np.asarray(expected).dtype.kind in "OU":
        assert np.array_equal(found, expected)
    else:
        np.testing.assert_allclose(found, expected, **close)


@pytest.mark.parametrize("parts", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize(("name", "options"), MODELS)
def test_as_scikit_learn(name, options, dtype, weighted, parts):
    if parts and "var_smoothing" in options:
        return  # theirs takes another epsilon away than it has added
    x, y = problem(dtype)
    weight = np.random.default_rng(0).integers(0, 3, len(x)) / 2 if weighted else None
    models = [getattr(each, name)(**options) for each in (ours, theirs)]
    for model in models:
        if parts:
            for rows in (slice(0, 5), slice(5, 60), slice(60, 90)):
                part = None if weight is None else weight[rows]
                model.partial_fit(x[rows], y[rows], np.unique(y), sample_weight=part)
        else:
            model.fit(x, y, sample_weight=weight)
    mine, other = models
    close = {"rtol": 1e-4, "atol": 1e-4} if dtype == "float32" else {"rtol": 1e-9, "atol": 1e-9}
    if parts:
        close = {"rtol": 1e-4, "atol": 1e-6}
    for attribute in ATTRIBUTES:
        assert hasattr(mine, attribute) == hasattr(other, attribute), attribute
        if hasattr(other, attribute):
            same(getattr(mine, attribute), getattr(other, attribute), close)
    for method in ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba"):
        same(getattr(mine, method)(x), getattr(other, method)(x), close)


def test_parts_of_normal_features_are_as_the_whole():
    x, y = problem()
    model = ours.GaussianNB(var_smoothing=0.01).fit(x[:9], y[:9]).partial_fit(x[9:], y[9:])
    whole = ours.GaussianNB(var_smoothing=0.01).fit(x, y)
    np.testing.assert_allclose(model.theta_, whole.theta_, rtol=1e-12)
    parts = model.var_ - model.epsilon_, whole.var_ - whole.epsilon_
    np.testing.assert_allclose(*parts, rtol=1e-9)


@pytest.mark.parametrize(("name", "options"), MODELS[::2])
def test_ours_give_ours(name, options, device):
    x, y = problem()
    codes = np.unique(y, return_inverse=True)[1]
    expected = getattr(ours, name)(**options).fit(x, codes).predict_proba(x)
    frame = px.DataFrame(x, columns=list("abcd"))
    for given, target in ((px.asarray(x), px.asarray(codes)), (frame, px.Series(codes))):
        model = getattr(ours, name)(**options).fit(given, target)
        model = pickle.loads(pickle.dumps(model))
        assert isinstance(model.predict(given), px.ndarray)
        np.testing.assert_allclose(np.asarray(model.predict_proba(given)), expected, rtol=1e-9)


def test_one_class_is_always_predicted():
    x, _ = problem()
    for name, _ in MODELS[::2]:
        model = getattr(ours, name)().fit(x, np.full(len(x), 7))
        assert (model.predict(x) == 7).all()


@pytest.mark.parametrize(
    ("name", "options", "error", "text"),
    [
        ("GaussianNB", {"priors": [0.5, 0.5]}, ValueError, "Number of priors must match"),
        ("GaussianNB", {"priors": [0.5, 0.5, 0.5]}, ValueError, "sum of the priors should be 1"),
        ("GaussianNB", {"priors": [1.5, -1, 0.5]}, ValueError, "Priors must be non-negative"),
        ("GaussianNB", {"var_smoothing": -1}, ValueError, "'var_smoothing' parameter"),
        ("MultinomialNB", {"alpha": [1, 2]}, ValueError, "2 elements instead of 4"),
        ("MultinomialNB", {"alpha": [1, 2, 3, -1]}, ValueError, "must be greater than 0"),
        ("MultinomialNB", {"class_prior": [1]}, ValueError, "Number of priors must match"),
        ("CategoricalNB", {"min_categories": [1.5, 1, 1, 1]}, ValueError, "integral type"),
        ("CategoricalNB", {"min_categories": [5, 5]}, ValueError, "should have shape"),
        ("BernoulliNB", {"binarize": "x"}, TypeError, "'binarize' parameter of BernoulliNB"),
    ],
)
def test_wrong_parameters(name, options, error, text):
    with pytest.raises(error, match=text):
        getattr(ours, name)(**options).fit(*problem())


def test_wrong_samples_and_classes():
    x, y = problem()
    for name in ("MultinomialNB", "ComplementNB", "CategoricalNB"):
        with pytest.raises(ValueError, match=f"Negative values in data passed to {name}"):
            getattr(ours, name)().fit(-x, y)
    with pytest.raises(IndexError, match="out of bounds for feature 0"):
        ours.CategoricalNB().fit(x, y).predict(x + 90)
    model = ours.BernoulliNB()
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        model.partial_fit(x, y)
    model.partial_fit(x, y, ["a", "b", "c"])
    with pytest.raises(ValueError, match="is not the same as on last call to partial_fit"):
        model.partial_fit(x, y, ["a", "b"])
    with pytest.raises(ValueError, match=r"label\(s\) \['z'\] in y do not exist"):
        model.partial_fit(x[:1], ["z"])
    with pytest.warns(UserWarning, match="alpha too small"):
        ours.MultinomialNB(alpha=0, force_alpha=False).fit(x, y)
