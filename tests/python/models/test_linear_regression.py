"""Linear models of numbers against scikit-learn's."""

import pickle

import numpy as np
import pytest
from phalanx.ml import linear_model as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.linear_model")

MODELS = [
    ("LinearRegression", {}),
    ("LinearRegression", {"fit_intercept": False}),
    ("Ridge", {}),
    ("Ridge", {"alpha": 30.0, "fit_intercept": False}),
    ("Ridge", {"alpha": 0.0}),
    ("LinearRegression", {"positive": True}),
    ("LinearRegression", {"positive": True, "fit_intercept": False}),
    ("Ridge", {"positive": True, "alpha": 5.0, "tol": 1e-12}),
    ("Ridge", {"positive": True, "solver": "lbfgs", "fit_intercept": False, "tol": 1e-12}),
    ("Lasso", {"alpha": 0.3, "tol": 1e-9}),
    ("ElasticNet", {"alpha": 0.2, "l1_ratio": 0.7, "tol": 1e-9}),
    ("ElasticNet", {"alpha": 0.2, "l1_ratio": 0.2, "fit_intercept": False, "tol": 1e-9}),
    ("ElasticNet", {"alpha": 0.3, "positive": True, "tol": 1e-9}),
    ("ElasticNet", {"alpha": 0.3, "l1_ratio": 0.0, "tol": 1e-9}),
]


def problem(dtype="float64", several=0, count=60, features=5):
    random = np.random.default_rng(5)
    x = random.normal(3, 2, (count, features))
    true = random.normal(size=(features, max(several, 1)))
    y = x @ true + 4 + random.normal(scale=0.5, size=(count, max(several, 1)))
    return x.astype(dtype), (y if several else y[:, 0]).astype(dtype)


def assert_same(found, expected, close=1e-7):
    assert np.shape(found) == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=close, atol=close)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("several", [0, 1, 3])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("name", "options"), MODELS)
def test_as_scikit_learn(name, options, dtype, several, weighted):
    x, y = problem(dtype, several)
    weight = np.random.default_rng(0).integers(0, 3, len(x)) if weighted else None
    mine, other = (
        getattr(each, name)(**options).fit(x, y, sample_weight=weight) for each in (ours, theirs)
    )
    close = 2e-3 if dtype == "float32" else 1e-6
    assert_same(mine.coef_, other.coef_, close)
    assert_same(np.ravel(mine.intercept_), np.ravel(other.intercept_), close)
    if options != {"positive": True, "fit_intercept": False}:  # float64 of float32, there alone
        assert mine.coef_.dtype == other.coef_.dtype
    assert_same(mine.predict(x * 2), other.predict(x * 2), close * 10)
    assert mine.score(x, y) == pytest.approx(other.score(x, y), rel=1e-4)


@pytest.mark.parametrize("count", [4, 60])
@pytest.mark.parametrize(("name", "options"), MODELS[:4])
def test_dependent_features_and_few_samples(name, options, count):
    x, y = problem(count=count, features=6)
    x[:, 3] = x[:, 1] * 2
    x[:, 4] = 1
    mine, other = (getattr(each, name)(**options).fit(x, y) for each in (ours, theirs))
    assert_same(mine.predict(x), other.predict(x), 1e-6)
    if name == "LinearRegression":
        assert mine.rank_ == other.rank_
        assert_same(mine.coef_, other.coef_, 1e-6)


def test_a_penalty_for_each_target():
    x, y = problem(several=3)
    mine, other = (each.Ridge([0.1, 5, 100]).fit(x, y) for each in (ours, theirs))
    assert_same(mine.coef_, other.coef_)
    with pytest.raises(ValueError, match="Number of targets and number of penalties"):
        ours.Ridge([1, 2]).fit(x, y)


def test_lasso_leaves_the_features_that_count():
    random = np.random.default_rng(1)
    x = random.normal(size=(200, 40))
    y = x[:, 3] * 2 - x[:, 17] * 3
    model = ours.Lasso(0.1).fit(x, y)
    assert np.flatnonzero(model.coef_).tolist() == [3, 17]
    again = ours.Lasso(0.1, warm_start=True, tol=1e-9).fit(x, y)
    steps = again.n_iter_
    assert again.fit(x, y).n_iter_ < steps
    with pytest.warns(UserWarning, match="Objective did not converge"):
        ours.Lasso(1e-3, max_iter=1, tol=1e-12).fit(x, y)


@pytest.mark.parametrize(("name", "options"), MODELS[::2])
def test_ours_give_ours(name, options, device):
    x, y = problem()
    expected = getattr(ours, name)(**options).fit(x, y).predict(x)
    frame = px.DataFrame(x, columns=list("abcde"))
    for given, target in ((px.asarray(x), px.asarray(y)), (frame, px.Series(y))):
        model = pickle.loads(pickle.dumps(getattr(ours, name)(**options).fit(given, target)))
        found = model.predict(given)
        assert isinstance(found, px.ndarray)
        assert_same(np.asarray(found), expected)
    assert list(model.feature_names_in_) == list("abcde")


@pytest.mark.parametrize(
    ("name", "options", "y", "error", "text"),
    [
        ("Ridge", {"solver": "lbfgs"}, None, ValueError, "only when positive=True"),
        ("Ridge", {"solver": "svd", "positive": True}, None, ValueError, "positive fitting"),
        ("Ridge", {"alpha": -1}, None, ValueError, "'alpha' parameter of Ridge"),
        ("ElasticNet", {"l1_ratio": 2}, None, ValueError, "'l1_ratio' parameter"),
        ("Lasso", {"max_iter": 0}, None, ValueError, "'max_iter' parameter of Lasso"),
        ("Lasso", {}, np.ones(3), ValueError, "inconsistent numbers of samples: \\[60, 3\\]"),
        ("Ridge", {}, np.full(60, np.nan), ValueError, "Input y contains NaN"),
        ("Ridge", {}, np.array(["a"] * 60), ValueError, "strings in y"),
    ],
)
def test_wrong_input(name, options, y, error, text):
    x, right = problem()
    with pytest.raises(error, match=text):
        getattr(ours, name)(**options).fit(x, right if y is None else y)


@pytest.mark.parametrize("name", ["Ridge", "RidgeClassifier"])
def test_direct_solutions_take_one_step(name):
    x, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 3
    model = getattr(ours, name)().fit(x, y)
    assert model.n_iter_.tolist() == [1] * (1 if name == "Ridge" else 3)
    with_many = pytest.importorskip("scipy.sparse").random(30, 600, 0.1, random_state=0)
    steps = ours.Ridge().fit(with_many, np.stack([np.arange(30.0), np.zeros(30)], axis=1)).n_iter_
    assert steps[0] > steps[1] == 1


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("columns", [None, 1, 2])
@pytest.mark.parametrize(
    "name",
    ["LinearRegression", "Ridge", "Lasso", "ElasticNet", "RidgeCV", "LassoCV", "ElasticNetCV"],
)
@pytest.mark.filterwarnings("ignore")  # a column as y of LassoCV
def test_dimensions_of_targets(name, columns, fit_intercept):
    x, y = problem(several=columns or 0)
    if columns == 2 and name in ("LassoCV", "ElasticNetCV"):
        pytest.skip("takes one target, as in scikit-learn")
    options = {"fit_intercept": fit_intercept}
    if name in ("Lasso", "ElasticNet", "LassoCV", "ElasticNetCV"):
        options["tol"] = 1e-9
    found, expected = (getattr(module, name)(**options).fit(x, y) for module in (ours, theirs))
    assert_same(found.coef_, expected.coef_)
    assert_same(found.intercept_, expected.intercept_)
    assert_same(found.predict(x), expected.predict(x))
