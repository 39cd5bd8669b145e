"""Least squares without negative coefficients, against SciPy's and scikit-learn's."""

import numpy as np
import pytest
from phalanx._models.linear_model.nonnegative import nonnegative
from phalanx.ml import linear_model as ours

theirs = pytest.importorskip("sklearn.linear_model")
optimize = pytest.importorskip("scipy.optimize")


def is_least(gram, cross, w):
    """The conditions of the least value: no slope upwards, none at what is above 0."""
    slopes = cross - gram @ w
    size = np.abs(cross).max() or 1.0
    assert (w >= 0).all()
    assert slopes.max() <= 1e-8 * size
    assert np.abs(slopes[w > 0]).max(initial=0) <= 1e-8 * size


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("count", "features"), [(40, 3), (200, 30), (100, 80), (20, 40)])
def test_solutions_are_scipys(seed, count, features):
    random = np.random.default_rng(seed)
    x = random.normal(size=(count, features))
    y = x @ random.normal(size=features) + random.normal(size=count)
    w = nonnegative(x.T @ x, x.T @ y)
    expected, error = optimize.nnls(x, y)
    assert np.linalg.norm(x @ w - y) <= error * (1 + 1e-9) + 1e-9
    if count > features:
        is_least(x.T @ x, x.T @ y, w)
        np.testing.assert_allclose(w, expected, atol=1e-8)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_unlike_sizes_repeated_and_constant_features(scale):
    random = np.random.default_rng(0)
    x = random.normal(size=(50, 4)) * [scale, 1, 1 / scale, 1]
    y = x @ np.array([1 / scale, -1, scale, 2]) + random.normal(size=50)
    x = np.column_stack([x, x[:, 3], np.zeros(50)])
    w = nonnegative(x.T @ x, x.T @ y)
    _, error = optimize.nnls(x / np.maximum(np.linalg.norm(x, axis=0), 1e-300), y)
    assert np.linalg.norm(x @ w - y) <= error * (1 + 1e-9)
    assert w[5] == 0
    assert not nonnegative(x.T @ x, np.zeros(6)).any()
    assert not nonnegative(x.T @ x, -np.abs(x).sum(axis=0)).any()


@pytest.mark.parametrize("weighted", [False, True])
def test_classes_and_several_targets(weighted):
    random = np.random.default_rng(0)
    x = random.normal(size=(120, 6))
    y = x @ random.normal(size=(6, 3))
    weight = random.random(120) if weighted else None
    options = {"positive": True, "tol": 1e-12}
    for target, name in ((y, "Ridge"), (y.argmax(axis=1), "RidgeClassifier")):
        found, expected = (
            getattr(each, name)(alpha=2.0, **options).fit(x, target, weight)
            for each in (ours, theirs)
        )
        np.testing.assert_allclose(found.coef_, expected.coef_, atol=1e-5)
        np.testing.assert_allclose(found.intercept_, expected.intercept_, atol=1e-5)
        assert (found.coef_ >= 0).all()
        assert found.solver_ == expected.solver_ == "lbfgs"
    each = ours.Ridge(alpha=[1.0, 2.0, 30.0], positive=True).fit(x, y, weight)
    for place, alpha in enumerate((1.0, 2.0, 30.0)):
        one = ours.Ridge(alpha, positive=True).fit(x, y[:, place], weight)
        np.testing.assert_allclose(each.coef_[place], one.coef_, atol=1e-12)
    model = ours.LinearRegression(positive=True).fit(x, y, weight)
    assert not hasattr(model, "singular_")
