"""Models of fewer samples than features, which are not solved by products of features."""

import warnings

import numpy as np
import pytest
from phalanx._models.linear_model import coordinate_descent, working_sets
from phalanx._models.tree import binning
from phalanx.ml import linear_model as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.linear_model")

COUNT, FEATURES = 30, 150
CLOSE = {"tol": 1e-11, "max_iter": 100_000}


def problem(targets=None, dtype="float64"):
    random = np.random.default_rng(3)
    x = random.normal(2, 3, (COUNT, FEATURES))
    w = np.zeros((FEATURES, targets or 1))
    w[:5] = random.normal(size=(5, targets or 1))
    y = x @ w + 4 + random.normal(size=(COUNT, targets or 1))
    x[:, 7] = 1.5  # a constant
    return x.astype(dtype), (y if targets else y[:, 0]).astype(dtype)


def weights(weighted):
    return np.random.default_rng(0).integers(0, 4, COUNT) if weighted else None


@pytest.fixture
def no_products(monkeypatch):
    """Fails if products of all features are made."""

    def refuse(*given):
        raise AssertionError("products of features of wide samples")

    monkeypatch.setattr(coordinate_descent, "descend", refuse)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("targets", [None, 2])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Lasso", {"alpha": 0.3}),
        ("Lasso", {"alpha": 1e-2}),
        ("Lasso", {"alpha": 100.0}),
        ("Lasso", {"alpha": 0.3, "positive": True}),
        ("ElasticNet", {"alpha": 0.2, "l1_ratio": 0.7}),
        ("ElasticNet", {"alpha": 0.2, "l1_ratio": 0.2, "fit_intercept": False}),
        ("ElasticNet", {"alpha": 1.0, "l1_ratio": 0.0}),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_coordinate_descent(name, options, targets, weighted, no_products):
    x, y = problem(targets)
    given = {"sample_weight": weights(weighted)}
    mine, other = (getattr(each, name)(**CLOSE, **options).fit(x, y, **given)
                   for each in (ours, theirs))  # fmt: skip
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-4, atol=2e-4)
    np.testing.assert_allclose(mine.predict(x), other.predict(x), rtol=1e-4, atol=1e-3)
    assert np.shape(mine.dual_gap_) == np.shape(other.dual_gap_)


def test_dtypes_and_warm_starts(no_products):
    x, y = problem(dtype="float32")
    model = ours.Lasso(0.2, warm_start=True, tol=1e-5).fit(x, y)
    assert model.coef_.dtype == np.float32
    np.testing.assert_allclose(model.coef_, theirs.Lasso(0.2, tol=1e-7).fit(x, y).coef_, atol=1e-2)
    first = model.n_iter_
    model.fit(x, y)
    assert first > model.n_iter_ == 0


def test_few_sweeps_warn():
    x, y = problem()
    with pytest.warns(UserWarning, match="Duality gap"):
        model = ours.Lasso(1e-3, max_iter=1, tol=1e-12).fit(x, y)
    assert model.n_iter_ == 1


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("LassoCV", {"alphas": 12}),
        ("LassoCV", {"alphas": 5, "positive": True, "fit_intercept": False}),
        ("ElasticNetCV", {"alphas": 6, "l1_ratio": [0.3, 0.9], "eps": 1e-2}),
        ("ElasticNetCV", {"alphas": [1.0, 0.3], "l1_ratio": 0.0}),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_paths(name, options, weighted, no_products):
    x, y = problem()
    given = {"sample_weight": weights(weighted)}
    mine, other = (getattr(each, name)(cv=3, **CLOSE, **options).fit(x, y, **given)
                   for each in (ours, theirs))  # fmt: skip
    np.testing.assert_allclose(mine.mse_path_, other.mse_path_, rtol=1e-3)
    for each in ("alphas_", "alpha_", "l1_ratio_", "intercept_"):
        if hasattr(other, each):
            np.testing.assert_allclose(getattr(mine, each), getattr(other, each), rtol=1e-3)
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(mine.predict(x), other.predict(x), rtol=1e-3)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("targets", [None, 2])
@pytest.mark.parametrize("copies", [1, 2])
def test_one_left_out(copies, targets, weighted):
    x, y = problem(targets)
    if copies == 2:  # rows that depend on others
        x = np.concatenate([x[:10], x[:10], x[20:]])
    given = {"sample_weight": weights(weighted)}
    # Its products of rows ("eigen") miss errors of samples beside repeated ones by 1e-2.
    options = {"alphas": [1e-3, 1.0, 50.0], "store_cv_results": True, "gcv_mode": "svd"}
    mine, other = (each.RidgeCV(**options).fit(x, y, **given) for each in (ours, theirs))
    assert mine.alpha_ == other.alpha_
    np.testing.assert_allclose(mine.cv_results_, other.cv_results_, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "options",
    [{}, {"C": 0.01}, {"l1_ratio": 1.0, "solver": "saga"}, {"l1_ratio": 0.5, "solver": "saga"}],
    ids=str,
)
def test_logistic_regression(options, classes, dtype):
    x, y = problem(dtype=dtype)
    x = (x - 2) / 3
    labels = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
    close = {"tol": 1e-7 if dtype == "float64" else 1e-4, "max_iter": 20_000}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine = ours.LogisticRegression(**close, **options).fit(x, labels)
        other = theirs.LogisticRegression(tol=1e-7, max_iter=20_000, **options)
        other.fit(x.astype("float64"), labels)
    assert mine.coef_.dtype == dtype
    chances = mine.predict_proba(x), other.predict_proba(x)
    np.testing.assert_allclose(*chances, atol=2e-5 if dtype == "float64" else 5e-3)


def test_sets_grow_to_what_is_needed():
    """More coefficients are not 0 than the first set has, and as many as samples."""
    random = np.random.default_rng(0)
    x = random.normal(size=(200, 600))
    y = x @ random.normal(size=600)
    by = working_sets.Penalties(20.0, 0.0, False)
    wide = working_sets.wide_of(x)
    w, gap, _, has_converged = working_sets.descend(wide, y, np.zeros(600), by, 10**5, 1e-10)
    assert has_converged and gap <= 1e-10 * (y @ y)
    assert (w != 0).sum() > 150
    slopes = x.T @ (y - x @ w)
    assert np.abs(slopes).max() < 20.01
    np.testing.assert_allclose(slopes[w != 0], 20 * np.sign(w[w != 0]), atol=1e-2)


def test_samples_of_a_device(device):
    x, y = problem()
    on_host, found = (ours.Lasso(0.3).fit(each, y) for each in (x, px.asarray(x, device=device)))
    np.testing.assert_allclose(np.asarray(found.coef_), on_host.coef_, rtol=1e-10)


@pytest.mark.parametrize("weighted", [False, True])
def test_edges_of_few_rows_are_those_of_each_feature(weighted):
    random = np.random.default_rng(0)
    x = random.normal(size=(60, 9))
    x[:, 1] = np.round(x[:, 1])
    x[:, 2] = 3.0
    x[5:9, 3] = np.nan
    x[:, 4] = np.nan
    x[:2, 5] = [np.inf, -np.inf]
    x[:3, 6] = [0.0, -0.0, np.nextafter(0, 1)]
    x[:, 7] = np.nextafter(1, 2) ** random.integers(0, 3, 60)  # neighbors in floating point
    weight = random.integers(0, 3, 60).astype(float) if weighted else None
    drawn = binning.drawn_rows(60, weight, np.random.RandomState(0))
    made = binning.bins_of(x, drawn, 256)
    for feature in range(9):
        edges = binning.edges_of(x[drawn.rows, feature], drawn.weight, 256)
        assert made.counts[feature] == len(edges) + 1
        np.testing.assert_array_equal(made.edges[feature, : len(edges)], edges)
        assert np.isinf(made.edges[feature, len(edges) :]).all()


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("C", [1.0, 20.0])
def test_absolute_values_leave_no_feature_out(C, classes):
    """All slopes of the mean loss are at most the penalty's, also of features without part."""
    random = np.random.default_rng(1)
    x = random.normal(size=(60, 400))
    y = (x[:, :3] @ random.normal(size=(3, classes))).argmax(axis=1)
    model = ours.LogisticRegression(C=C, l1_ratio=1.0, solver="saga", tol=1e-6, max_iter=5000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(x, y)
    chances = model.predict_proba(x)
    slopes = (chances - np.eye(classes)[y]).T @ x
    slopes = slopes[1:] if classes == 2 else slopes
    coefficients = np.asarray(model.coef_)
    assert np.abs(slopes).max() <= 1 / C + 60 * 2e-6
    there = coefficients != 0
    assert 0 < there.sum() < 200
    np.testing.assert_allclose(slopes[there], -np.sign(coefficients[there]) / C, atol=60 * 2e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", [1, 2, 80, 256, 257])
def test_bins_of_few_samples_are_those_of_each_feature(count, dtype):
    random = np.random.default_rng(0)
    x = np.round(random.normal(size=(count, 9)), 1).astype(dtype)
    x[random.random(x.shape) < 0.1] = np.nan
    x[random.random(x.shape) < 0.1] = np.inf
    x[random.random(x.shape) < 0.1] = -np.inf
    x[:, 0], x[:, 1] = np.nan, 7
    room = min(count, 256)
    bins = binning.bins_of(x, binning.drawn_rows(count, None, None), room, room)
    codes = binning.codes_of(np.asfortranarray(x), bins)
    ranges = binning.ranges_of(x, codes, room)
    for feature in range(9):
        edges = binning.edges_of(x[:, feature], None, room)
        assert bins.counts[feature] == len(edges) + 1
        np.testing.assert_array_equal(bins.edges[feature, : len(edges)], edges)
        assert (bins.edges[feature, len(edges) :] == np.inf).all()
        there = ~np.isnan(x[:, feature])
        values, own = x[there, feature].astype("float64"), codes[feature, there]
        np.testing.assert_array_equal(own, np.searchsorted(edges, values))
        for code in np.unique(own):
            low, high = ranges[feature, :, code]
            assert (low, high) == (values[own == code].min(), values[own == code].max())
