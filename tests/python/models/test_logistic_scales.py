"""Logistic regression of features of any size: its loss is never above scikit-learn's."""

import warnings

import numpy as np
import pytest
from phalanx._models.linear_model import logistic
from phalanx._models.linear_model.lbfgs import Ending, Minimum, minimum
from phalanx._models.linear_model.owlqn import sparse_minimum
from phalanx.ml.linear_model import LogisticRegression
from phalanx.ml.svm import LinearSVC

import phalanx as px

theirs = pytest.importorskip("sklearn.linear_model")

SCALES = (1e-6, 1e-3, 1.0, 1e4, 1e9)
PENALTIES = {
    "l2": {},
    "none": {"C": np.inf},
    "l1": {"solver": "saga", "l1_ratio": 1, "C": 0.5},
    "elastic net": {"solver": "saga", "l1_ratio": 0.5, "C": 0.5},
    "liblinear": {"solver": "liblinear"},
}
TWO_ONLY = ("liblinear", 3)


def problem(classes, dtype, scale):
    """Incomes, ages and shares in one table, times a scale."""
    random = np.random.RandomState(0)
    incomes, ages = random.lognormal(10, 1, 200), random.uniform(18, 80, 200)
    x = np.column_stack([incomes, ages, random.uniform(size=200)])
    seen = np.log(incomes) + ages / 40 + random.gumbel(scale=0.6, size=200)
    y = np.digitize(seen, np.quantile(seen, np.linspace(0, 1, classes + 1)[1:-1]))
    return (x * scale).astype(dtype), y


def mean_loss(model, x, y, options):
    table, shift = np.asarray(model.coef_, float), np.ravel(model.intercept_).astype(float)
    scores = np.asarray(x, float) @ table.T + shift
    if len(table) == 1:
        scores = np.hstack([np.zeros_like(scores), scores])
    top = scores.max(axis=1, keepdims=True)
    logs = np.log(np.exp(scores - top).sum(axis=1)) + top[:, 0] - scores[np.arange(len(y)), y]
    ratio, held = options.get("l1_ratio", 0), table
    if options.get("solver") == "liblinear":
        held = np.hstack([table, shift[:, None]])
    penalty = ratio * np.abs(held).sum() + (1 - ratio) / 2 * (held**2).sum()
    return (logs.sum() + penalty / options.get("C", 1.0)) / len(y)


def fitted(kind, x, y, options):
    """A model, and whether it says that it has not converged."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        most = 60 if kind is LogisticRegression else 1000
        model = kind(max_iter=most, **options).fit(x, y)
    return model, any("converge" in str(each.message) for each in seen)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("penalty", "classes"),
    [(name, count) for name in PENALTIES for count in (2, 3) if (name, count) != TWO_ONLY],
)
def test_loss_is_not_above_scikit_learns(penalty, classes, dtype, scale):
    options = PENALTIES[penalty]
    x, y = problem(classes, dtype, scale)
    (mine, warned), (other, _) = (
        fitted(kind, x, y, options) for kind in (LogisticRegression, theirs.LogisticRegression)
    )
    assert not warned
    # Both end where slopes are 1e-4, which leaves more of the loss the smaller the features are.
    assert mean_loss(mine, x, y, options) <= mean_loss(other, x, y, options) * (1 + 2e-4)
    if scale >= 1:
        assert mine.score(x, y) > 1.4 / classes


def distant(classes):
    """Two features in steps that float32 has far from zero, their distance, classes, weights."""
    random = np.random.RandomState(1)
    near = random.randint(-64, 64, (300, 2)) * np.array([128.0, 1 / 64])
    seen = near @ [1 / 4000, 2.0] + random.gumbel(size=300)
    y = np.digitize(seen, np.quantile(seen, np.linspace(0, 1, classes + 1)[1:-1]))
    return near, np.array([1.6e9, 32]), y, random.randint(0, 3, 300)


@pytest.mark.parametrize("penalty", [name for name in PENALTIES if name != "liblinear"])
@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_distance_from_zero_changes_the_intercept_alone(penalty, classes, dtype, weighted):
    near, distance, y, weight = distant(classes)
    far = (near + distance).astype(dtype)
    assert (far.astype(np.float64) - distance == near).all()
    options = {"max_iter": 60, "tol": 1e-6, **PENALTIES[penalty]}
    models = [
        LogisticRegression(**options).fit(x, y, weight if weighted else None)
        for x in (near.astype(dtype), far)
    ]
    tolerance = 1e-4 if dtype == "float64" else 1e-2
    first, second = (np.asarray(each.coef_, np.float64) for each in models)
    if classes == 4 and penalty == "l1":
        # Any number between the middle two may be taken from all: no loss says which.
        first, second = first - first.mean(axis=0), second - second.mean(axis=0)
    np.testing.assert_allclose(second, first, rtol=tolerance, atol=tolerance * 1e-4)
    moved = models[0].intercept_ - first @ distance
    if classes > 2:
        moved -= moved.mean()
    np.testing.assert_allclose(models[1].intercept_, moved, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("penalty", [name for name in PENALTIES if name != "liblinear"])
@pytest.mark.parametrize(("classes", "weighted"), [(2, True), (3, False), (4, True), (5, False)])
def test_coefficients_are_scikit_learns(penalty, classes, weighted):
    near, _, y, weight = distant(classes)
    x, options = near / [2000, 1] + [2, -1], PENALTIES[penalty]
    weight = weight if weighted else None
    model = LogisticRegression(max_iter=100, tol=1e-9, **options).fit(x, y, weight)
    other = theirs.LogisticRegression(max_iter=50_000, tol=1e-9, **options).fit(x, y, weight)
    found, expected = np.asarray(model.coef_), other.coef_
    if classes == 4 and penalty == "l1":
        assert mean_loss(model, x, y, options) <= mean_loss(other, x, y, options) + 1e-9
        found, expected = (each - each.mean(axis=0) for each in (found, expected))
    np.testing.assert_allclose(found, expected, atol=2e-4)


def test_a_feature_without_a_penalty_that_is_everywhere_the_same():
    near, _, y, _ = distant(2)
    x = np.column_stack([near[:, 1], np.full(300, 0.1)])
    model = LogisticRegression(C=np.inf).fit(x, y)
    assert model.coef_[0, 1] == 0
    other = LogisticRegression(C=np.inf).fit(x[:, :1], y)
    np.testing.assert_allclose(model.predict_proba(x), other.predict_proba(x[:, :1]))


def test_numbers_of_both_ends_of_a_dtype_are_not_centered():
    x = np.array([[-3e38], [3e38], [-1e38], [2e38]], np.float32)
    model = LogisticRegression().fit(x, [0, 1, 0, 1])
    assert model.predict(x).tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("classes", [2, 3])
def test_coefficients_without_a_penalty_go_with_the_scale(classes):
    x, y = problem(classes, "float64", 1.0)
    options = {"C": np.inf, "tol": 1e-12, "max_iter": 5000}
    first = LogisticRegression(**options).fit(x, y)
    # Powers of two: the same digits.
    each = np.array([2.0**40, 2.0**-30, 2.0**10])
    model = LogisticRegression(**options).fit(x * each, y)
    np.testing.assert_allclose(model.coef_ * each, first.coef_, rtol=1e-6)
    np.testing.assert_allclose(model.intercept_, first.intercept_, rtol=1e-6)


@pytest.mark.parametrize(("dtype", "scale"), [("float32", 1e30), ("float64", 1e200)])
def test_features_whose_squares_overflow(dtype, scale):
    x, y = problem(2, dtype, scale)
    model, warned = fitted(LogisticRegression, x, y, {})
    assert not warned
    assert model.score(x, y) > 0.75


def test_large_features_on_a_device(device):
    x, y = problem(3, "float64", 1e6)
    expected = LogisticRegression().fit(x, y)
    model = LogisticRegression().fit(px.asarray(x), px.asarray(y))
    found = np.asarray(model.predict_proba(px.asarray(x)))
    np.testing.assert_allclose(found, expected.predict_proba(x), atol=1e-3)


def lying(place):
    """A value that does not fall where its slopes say so."""
    return float(np.abs(place).sum()), -np.ones_like(place)


@pytest.mark.parametrize("sizes", [None, np.zeros(2)])
def test_a_line_search_does_not_give_up_silently(sizes):
    start, ending = np.zeros(2), Ending(1e-6, 50)
    if sizes is None:
        found = minimum(lying, start, ending)
    else:
        found = sparse_minimum(lying, sizes, start, ending)
    assert found.steps == 0
    assert not found.has_converged


@pytest.mark.parametrize(("steps", "reason"), [(100, "REACHED LIMIT"), (3, "NO STEP LOWERS")])
def test_a_fit_that_has_not_converged_warns(monkeypatch, steps, reason):
    ended = Minimum(np.zeros(4), steps, has_converged=False)
    monkeypatch.setattr(logistic, "least_loss", lambda *_, **__: ended)
    with pytest.warns(UserWarning, match=f"converge after {steps} iteration.*{reason}") as seen:
        LogisticRegression().fit(*problem(2, "float64", 1.0))
    assert seen[0].filename == __file__


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e4, 1e7])
def test_sparse_support_vector_machines(scale):
    linear = pytest.importorskip("sklearn.svm").LinearSVC
    x, y = problem(2, "float64", scale)
    x = (x - x.mean(axis=0)) / np.array([1e4, 10, 1])
    options = {"penalty": "l1", "dual": False, "C": 0.1}

    def value(model):
        missed = np.maximum(1 - np.where(y == 1, 1, -1) * model.decision_function(x), 0)
        held = np.abs(model.coef_).sum() + np.abs(model.intercept_).sum()
        return held + 0.1 * (missed**2).sum()

    (mine, warned), (other, _) = (fitted(kind, x, y, options) for kind in (LinearSVC, linear))
    assert not warned
    assert value(mine) <= value(other) * (1 + 1e-3)
