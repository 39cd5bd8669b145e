"""Products of columns in pairs, of blocks of samples: by table, beside NumPy's in long doubles."""

import numpy as np
import pytest
from phalanx._models.linear_model import regression
from phalanx._models.pair_products import by_tiles, feature_means, goes_by_tiles, pair_products

import phalanx as px
from phalanx import ml

ROWS = (1, 2, 127, 128, 129, 2048, 5003)
FEATURES = (1, 2, 3, 4, 5, 8, 17, 127)


def _expected(table, weight):
    wide = table.astype(np.longdouble)
    return (wide * (1 if weight is None else weight[:, None])).T @ wide


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("targets", [None, 1, 2])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_products_of_each_shape(dtype, targets, is_weighted):
    random = np.random.default_rng(3)
    tried = 0
    for features in FEATURES:
        for rows in ROWS:
            x = (random.normal(size=(rows, features)) + 100).astype(dtype)
            y = None if targets is None else random.normal(size=(rows, targets)).astype(dtype)
            both = x if y is None else np.column_stack([x, y])
            weight = random.integers(0, 4, rows).astype(float) if is_weighted else None
            middle = random.normal(100, 1, both.shape[1])
            ours = px.asarray(x, device="cpu")
            if not goes_by_tiles(ours, targets or 0):
                assert both.shape[1] in (1, 129)
                continue
            wanted = _expected(both - middle, weight)
            made = by_tiles(ours, y, middle, weight)
            assert made.shape == wanted.shape and made.dtype == np.float64
            # Of each pair the error is in units of what is added up.
            size = _expected(np.abs(both - middle), weight)
            assert (np.abs(made - wanted) <= 1e-13 * size + 1e-300).all(), (rows, features)
            assert np.array_equal(made, made.T)
            tried += 1
    assert tried >= 40


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("features", [1, 20, 128, 129])
def test_products_of_features_by_each_way(device, order, features):
    random = np.random.default_rng(4)
    host = random.normal(5, 1, (1500, features))
    x = px.asarray(np.asarray(host, order=order))
    middle = host.mean(axis=0)
    for moved, wanted in ((None, host), (px.asarray(middle), host - middle)):
        np.testing.assert_allclose(
            pair_products(x, moved), wanted.T @ wanted, rtol=1e-11, atol=1e-9
        )


def test_infinite_products_stay():
    # Sums may be reordered, but no number is taken for finite.
    x = px.asarray(np.array([[1e200, 1.0], [1e200, 2.0]]), device="cpu")
    made = by_tiles(x, None, np.zeros(2), None)
    assert np.isinf(made[0, 0]) and made[1, 1] == 5


@pytest.mark.parametrize("kind", ["LinearRegression", "Ridge", "Lasso"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_one_fit_for_each_way_of_the_samples(kind, fit_intercept, monkeypatch):
    """Samples in Fortran's order take products of matrices; coefficients are the same."""
    random = np.random.default_rng(5)
    x = random.normal(3, 1, (3000, 7))
    y = x @ random.normal(size=(7, 2)) + random.normal(size=(3000, 2))
    weight = random.uniform(size=3000)
    model = getattr(ml, kind)(fit_intercept=fit_intercept)
    ways = []
    inner = regression.by_tiles
    monkeypatch.setattr(
        regression, "by_tiles", lambda *given: ways.append("tiles") or inner(*given)
    )
    rows = model.fit(px.asarray(x, device="cpu"), y, weight).coef_
    assert ways == ["tiles"]
    columns = model.fit(px.asarray(np.asfortranarray(x), device="cpu"), y, weight).coef_
    assert ways == ["tiles"]
    np.testing.assert_allclose(np.asarray(rows), np.asarray(columns), rtol=1e-9)


def test_ridge_of_several_targets_some_without_a_penalty():
    random = np.random.default_rng(6)
    x = random.normal(size=(500, 3))
    y = x @ random.normal(size=(3, 3)) + random.normal(size=(500, 3)) + 7
    made = ml.Ridge(alpha=[0.0, 100.0, 0.0]).fit(x, y)
    for number, alpha in enumerate((0.0, 100.0, 0.0)):
        alone = ml.Ridge(alpha=alpha).fit(x, y[:, number])
        np.testing.assert_allclose(made.coef_[number], alone.coef_, rtol=1e-10)
        np.testing.assert_allclose(made.intercept_[number], alone.intercept_, rtol=1e-10)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_means_of_each_shape(device, dtype, order):
    random = np.random.default_rng(9)
    for features in (1, 3, 20, 128, 129):
        for rows in (1, 7, 127, 128, 129, 135, 4001):
            host = (random.normal(size=(rows, features)) + 1e4).astype(dtype)
            made = feature_means(px.asarray(np.asarray(host, order=order)))
            assert made.dtype == np.float64 and made.shape == (features,)
            wanted = host.astype(np.longdouble).mean(axis=0).astype(np.float64)
            np.testing.assert_allclose(np.asarray(made), wanted, rtol=1e-13)
