"""Logistic regression against scikit-learn's."""

import numpy as np
import pytest
from phalanx._models.linear_model.lbfgs import Ending, minimum
from phalanx.ml.linear_model import LogisticRegression

import phalanx as px

theirs = pytest.importorskip("sklearn.linear_model")

CLOSE = {"tol": 1e-8, "max_iter": 1000}
OPTIONS = [
    {},
    {"C": 0.05},
    {"C": 20.0, "fit_intercept": False},
    {"class_weight": "balanced"},
    {"class_weight": {0: 2.0, 1: 0.5}},
]


def problem(classes=2, dtype="float64", count=150):
    random = np.random.default_rng(7)
    x = random.normal(1, 2, (count, 4))
    scores = x @ random.normal(size=(4, classes)) + random.gumbel(scale=2, size=(count, classes))
    return x.astype(dtype), scores.argmax(axis=1)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_as_scikit_learn(options, dtype, classes, weighted):
    x, y = problem(classes, dtype)
    weight = np.random.default_rng(0).integers(0, 3, len(x)) if weighted else None
    close = CLOSE if dtype == "float64" else {"tol": 1e-5, "max_iter": 1000}
    mine, other = (
        each(**close, **options).fit(x, y, sample_weight=weight)
        for each in (LogisticRegression, theirs.LogisticRegression)
    )
    near = {"rtol": 1e-5, "atol": 1e-5} if dtype == "float64" else {"rtol": 2e-2, "atol": 5e-3}
    for name in ("coef_", "intercept_"):
        found, expected = getattr(mine, name), getattr(other, name)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, **near)
    for name in ("decision_function", "predict_proba", "predict_log_proba"):
        np.testing.assert_allclose(getattr(mine, name)(x), getattr(other, name)(x), **near)
    assert (mine.predict(x) == other.predict(x)).mean() > 0.99
    assert mine.score(x, y) == pytest.approx(other.score(x, y), abs=0.01)


@pytest.mark.parametrize("labels", [["b", "a", "c"], [7, -1, 3], [0.0, 2.0, 5.0]])
@pytest.mark.parametrize("classes", [2, 3])
def test_classes_of_any_kind(labels, classes):
    x, y = problem(classes)
    named = np.array(labels)[y]
    mine, other = (each().fit(x, named) for each in (LogisticRegression, theirs.LogisticRegression))
    assert mine.classes_.tolist() == other.classes_.tolist()
    assert mine.predict(x).dtype == other.predict(x).dtype
    assert (mine.predict(x) == other.predict(x)).mean() > 0.98


def test_separable_classes_without_a_penalty_stay_finite():
    x = np.arange(10.0)[:, None]
    model = LogisticRegression(C=np.inf).fit(x, x[:, 0] > 4)
    assert np.isfinite(model.coef_).all()
    assert model.score(x, x[:, 0] > 4) == 1
    assert np.isfinite(model.predict_log_proba(x * 1e6)).any()
    np.testing.assert_allclose(model.predict_proba(x * 1e6).sum(axis=1), 1)


def test_warm_start_goes_on():
    x, y = problem(3)
    model = LogisticRegression(warm_start=True, **CLOSE).fit(x, y)
    assert model.fit(x, y).n_iter_[0] <= 1
    with pytest.warns(UserWarning, match="failed to converge after 2 iteration"):
        LogisticRegression(max_iter=2).fit(x * 50, y)


def test_lbfgs_finds_the_least_value_of_rosenbrocks_valley():
    def valley(w):
        value = 100 * (w[1] - w[0] ** 2) ** 2 + (1 - w[0]) ** 2
        slope = -400 * w[0] * (w[1] - w[0] ** 2) - 2 * (1 - w[0])
        return value, np.array([slope, 200 * (w[1] - w[0] ** 2)])

    found = minimum(valley, np.array([-1.2, 1.0]), Ending(1e-8, 200))
    assert found.has_converged
    np.testing.assert_allclose(found.place, 1, rtol=1e-5)
    assert not minimum(valley, np.array([-1.2, 1.0]), Ending(1e-8, 3)).has_converged


@pytest.mark.parametrize("classes", [2, 3])
def test_ours_give_ours(classes, device):
    x, y = problem(classes)
    expected = LogisticRegression().fit(x, y).predict_proba(x)
    for given, target in ((px.asarray(x), px.asarray(y)), (px.DataFrame(x), px.Series(y))):
        model = LogisticRegression().fit(given, target)
        assert isinstance(model.coef_, px.ndarray)
        assert isinstance(model.predict(given), px.ndarray)
        np.testing.assert_allclose(np.asarray(model.predict_proba(given)), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("options", "y", "error", "text"),
    [
        ({"C": 0}, None, ValueError, "'C' parameter of LogisticRegression"),
        ({"class_weight": {"x": 1}}, None, ValueError, r"The classes, \[0, 1\], are not in"),
        ({}, np.zeros(150), ValueError, "contains only one class: .*0"),
        ({}, np.linspace(0, 1, 150), ValueError, "Unknown label type: continuous"),
        ({}, np.zeros((150, 2)), ValueError, "y should be a 1d array"),
    ],
)
def test_wrong_input(options, y, error, text):
    x, right = problem()
    with pytest.raises(error, match=text):
        LogisticRegression(**options).fit(x, right if y is None else y)
