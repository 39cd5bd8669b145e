"""Linear models with penalties chosen by cross-validation, against scikit-learn's."""

import numpy as np
import pytest
from phalanx._models.linear_model.folds import folds_of
from phalanx.ml import linear_model as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.linear_model")
selection = pytest.importorskip("sklearn.model_selection")

CLOSE = {"tol": 1e-10, "max_iter": 10_000}


def problem(targets=None, dtype="float64", count=120):
    random = np.random.default_rng(8)
    x = random.normal(3, 2, (count, 6))
    w = random.normal(size=(6, targets or 1))
    w[[1, 4]] = 0
    y = x @ w + 5 + random.normal(scale=2, size=(count, targets or 1))
    return x.astype(dtype), (y if targets else y[:, 0]).astype(dtype)


def both(name, options, *given, **keywords):
    return [getattr(each, name)(**options).fit(*given, **keywords) for each in (ours, theirs)]


SPLITS = [
    None,
    3,
    selection.KFold(4, shuffle=True, random_state=0),
    selection.ShuffleSplit(3, random_state=1),
    selection.LeaveOneOut(),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("cv", SPLITS, ids=str)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("LassoCV", {"alphas": 12}),
        ("LassoCV", {"alphas": [0.1, 1.0, 0.01], "fit_intercept": False}),
        ("LassoCV", {"alphas": 8, "positive": True}),
        ("ElasticNetCV", {"alphas": 10}),
        ("ElasticNetCV", {"alphas": 6, "l1_ratio": [0.2, 0.9], "eps": 1e-2}),
    ],
    ids=str,
)
def test_paths(name, options, cv, weighted):
    x, y = problem(count=40 if isinstance(cv, selection.LeaveOneOut) else 120)
    weight = np.random.default_rng(0).integers(1, 4, len(x)) if weighted else None
    mine, other = both(name, {**CLOSE, **options, "cv": cv}, x, y, sample_weight=weight)
    for each in ("alphas_", "mse_path_", "alpha_", "coef_", "intercept_"):
        found, expected = getattr(mine, each), getattr(other, each)
        assert np.shape(found) == np.shape(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)
    if name == "ElasticNetCV":
        assert mine.l1_ratio_ == other.l1_ratio_
    np.testing.assert_allclose(mine.predict(x), other.predict(x), rtol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_dtypes_stay(dtype):
    x, y = problem(dtype=dtype)
    for name in ("LassoCV", "ElasticNetCV", "RidgeCV"):
        mine, other = both(name, {}, x, y)
        assert mine.coef_.dtype == other.coef_.dtype == dtype
        np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("targets", [None, 1, 3])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"alphas": [1e-3, 0.5, 20.0, 300.0], "store_cv_results": True},
        {"fit_intercept": False},
        {"alpha_per_target": True, "alphas": [0.1, 10.0, 200.0]},
        {"cv": 4, "alphas": [0.1, 10.0, 200.0]},
        {"cv": 3, "fit_intercept": False},
        {"alphas": 5.0},
    ],
    ids=str,
)
def test_ridge(options, targets, weighted):
    # Scores of folds are weighted here, but not there.
    weighted = weighted and "cv" not in options
    x, y = problem(targets)
    weight = np.random.default_rng(0).integers(1, 4, len(x)) if weighted else None
    mine, other = both("RidgeCV", options, x, y, sample_weight=weight)
    for each in ("alpha_", "best_score_", "coef_", "intercept_", "cv_results_"):
        if each == "cv_results_" and "store_cv_results" not in options:
            continue
        found, expected = getattr(mine, each), getattr(other, each)
        assert np.shape(found) == np.shape(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


def test_ridge_of_more_features_than_samples():
    random = np.random.default_rng(1)
    x, y = random.normal(size=(20, 50)), random.normal(size=20)
    mine, other = both("RidgeCV", {"alphas": [0.1, 10.0, 100.0]}, x, y)
    assert mine.alpha_ == other.alpha_
    np.testing.assert_allclose(mine.coef_, other.coef_, atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kinds", [2, 4])
@pytest.mark.parametrize(
    "options", [{}, {"alpha": 30.0, "class_weight": "balanced"}, {"fit_intercept": False}], ids=str
)
def test_ridge_of_classes(options, kinds, weighted):
    x, y = problem(kinds)
    y = np.array(list("dcba"))[y.argmax(axis=1)]
    weight = np.random.default_rng(0).integers(1, 4, len(x)) if weighted else None
    mine, other = both("RidgeClassifier", options, x, y, sample_weight=weight)
    for each in ("coef_", "intercept_"):
        assert np.shape(getattr(mine, each)) == np.shape(getattr(other, each))
        np.testing.assert_allclose(getattr(mine, each), getattr(other, each), atol=1e-9)
    np.testing.assert_allclose(mine.decision_function(x), other.decision_function(x), atol=1e-8)
    assert (mine.predict(x) == other.predict(x)).all()


@pytest.mark.parametrize("options", [{}, {"class_weight": "balanced"}, {"fit_intercept": False}])
@pytest.mark.parametrize("kind", ["texts", "numbers"])
def test_ridge_of_one_class(options, kind):
    x, _ = problem()
    y = np.full(len(x), "a" if kind == "texts" else 3)
    mine, other = both("RidgeClassifier", options, x, y)
    for each in ("classes_", "coef_", "intercept_"):
        found, expected = np.asarray(getattr(mine, each)), np.asarray(getattr(other, each))
        assert found.shape == expected.shape
        if each == "classes_":
            assert (found == expected).all()
        else:
            np.testing.assert_allclose(found, expected, atol=1e-9)
    np.testing.assert_allclose(mine.decision_function(x), other.decision_function(x), atol=1e-9)
    assert (mine.predict(x) == y).all()


@pytest.mark.parametrize("number", [2, 3, 5])
def test_folds_are_theirs(number):
    y = np.random.default_rng(0).choice([3, 1, 2], 50, p=[0.6, 0.2, 0.2])
    x = np.zeros((50, 1))
    for codes, kind in ((None, selection.KFold), (y, selection.StratifiedKFold)):
        found = folds_of(number, x, y, codes)
        for one, (train, test) in zip(found, kind(number).split(x, y), strict=True):
            assert one.train.tolist() == train.tolist()
            assert one.test.tolist() == test.tolist()


@pytest.mark.parametrize("name", ["LassoCV", "ElasticNetCV", "RidgeCV", "RidgeClassifier"])
def test_ours_give_ours(name, device):
    x, y = problem()
    y = (y > y.mean()).astype(float) if name == "RidgeClassifier" else y
    expected = getattr(ours, name)().fit(x, y)
    for given, target in ((px.asarray(x), px.asarray(y)), (px.DataFrame(x), px.Series(y))):
        model = getattr(ours, name)().fit(given, target)
        assert isinstance(model.coef_, px.ndarray)
        np.testing.assert_allclose(np.asarray(model.predict(given)), expected.predict(x))


@pytest.mark.parametrize(
    ("name", "options", "error", "text"),
    [
        ("LassoCV", {"alphas": [-1.0]}, ValueError, "alphas must be >= 0"),
        ("LassoCV", {"cv": 500}, ValueError, "n_splits=500 greater than"),
        ("LassoCV", {"cv": 1}, ValueError, "'cv' parameter"),
        ("ElasticNetCV", {"l1_ratio": 0.0}, ValueError, "Automatic alpha grid"),
        ("RidgeCV", {"alphas": [0.0]}, ValueError, "alphas must be > 0"),
        ("RidgeCV", {"cv": 3, "store_cv_results": True}, ValueError, "incompatible"),
        ("RidgeCV", {"scoring": "r2"}, NotImplementedError, "scoring='r2'"),
        ("RidgeClassifier", {"solver": "lbfgs"}, ValueError, "only when positive=True"),
    ],
)
def test_wrong_input(name, options, error, text):
    x, y = problem()
    with pytest.raises(error, match=text):
        getattr(ours, name)(**options).fit(x, y > 5 if name == "RidgeClassifier" else y)


def test_verbose(capsys):
    x, y = problem()
    ours.LassoCV(alphas=3, cv=2, verbose=True).fit(x, y)
    assert "fold 2 of 2" in capsys.readouterr().out
