"""Logistic regression with penalties chosen by cross-validation, beside scikit-learn's."""

import warnings

import numpy as np
import pytest
from phalanx.ml.linear_model import LogisticRegressionCV
from phalanx.ml.model_selection import KFold

import phalanx as px

theirs = pytest.importorskip("sklearn.linear_model")

TIGHT = {"tol": 1e-7, "max_iter": 5000}
LOSS = {"scoring": "neg_log_loss"}
CASES = {
    "plain": {"Cs": 5},
    "few": {"Cs": [0.01, 1.0, 30.0]},
    "folds of others": {"Cs": 3, "cv": KFold(3, shuffle=True, random_state=0)},
    "pairs": {"Cs": 3, "cv": [(np.arange(100), np.arange(100, 150)), (np.arange(50, 150), [3, 4])]},
    "no intercept": {"Cs": 3, "cv": 3, "fit_intercept": False},
    "no refit": {"Cs": 4, "cv": 4, "refit": False},
    "balanced": {"Cs": 3, "cv": 3, "class_weight": "balanced"},
    "weights of a class": {"Cs": 3, "cv": 3, "class_weight": {0: 3.0}},
    "chances": {"Cs": 4, "cv": 3, "scoring": "neg_log_loss"},
    "scikit-learn's score": {"Cs": 4, "cv": 3, "scoring": "balanced_accuracy"},
    "new attributes": {"Cs": 3, "cv": 3, "use_legacy_attributes": False},
    "no penalty": {"Cs": [np.inf], "cv": 3},
    "one ratio": {"Cs": 2, "cv": 3, "l1_ratios": [0], "use_legacy_attributes": False},
    "l1": {"Cs": [0.1, 1.0], "cv": 3, "solver": "saga", "l1_ratios": [1], **LOSS},
    "ratios": {"Cs": [0.1, 1.0], "cv": 3, "solver": "saga", "l1_ratios": [0, 0.5, 1], **LOSS},
    "new ratios": {
        **LOSS,
        "Cs": [0.1, 1.0],
        "cv": 3,
        "solver": "saga",
        "l1_ratios": (0.2, 0.9),
        "use_legacy_attributes": False,
    },
    "ratios without refit": {
        **LOSS,
        "Cs": [0.1, 1.0],
        "cv": 3,
        "solver": "saga",
        "l1_ratios": np.array([0.2, 0.9]),
        "refit": False,
    },
    "named penalty": {"Cs": [0.1], "cv": 3, "solver": "saga", "penalty": "l1"},
    "liblinear": {"Cs": 3, "cv": 3, "solver": "liblinear"},
    # A refit of scikit-learn's forgets the scaling.
    "scaled": {
        "Cs": 3,
        "cv": 3,
        "solver": "liblinear",
        "intercept_scaling": 5.0,
        "refit": False,
    },
}


def problem(classes, dtype="float64"):
    random = np.random.RandomState(2)
    x = random.normal(size=(150, 4)) + np.array([0, 1, -1, 2])
    seen = x @ [1.0, -1, 0.5, 0] + random.gumbel(size=150)
    y = np.digitize(seen, np.quantile(seen, np.linspace(0, 1, classes + 1)[1:-1]))
    return x.astype(dtype), y, random.randint(1, 4, 150)


def fitted(kind, options, *given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        near = {"tol": 1e-5} if options.get("solver") == "saga" else {}
        return kind(**{**TIGHT, **near, **options}).fit(*given)


def close(found, expected, **near):
    """Numbers, or dicts of them, of one shape."""
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for name, each in expected.items():
            close(found[name], each, **near)
        return
    assert np.shape(found) == np.shape(expected)
    if np.asarray(expected).dtype == object:
        assert np.asarray(found).tolist() == np.asarray(expected).tolist()
        return
    np.testing.assert_allclose(found, expected, **near)


@pytest.mark.parametrize(("classes", "weighted"), [(2, True), (3, False)])
@pytest.mark.parametrize("case", CASES)
def test_attributes_are_scikit_learns(case, classes, weighted):
    if CASES[case].get("solver") == "liblinear":
        classes = 2
    x, y, weight = problem(classes)
    given = (x, y, weight) if weighted else (x, y)
    model, other = (
        fitted(kind, CASES[case], *given)
        for kind in (LogisticRegressionCV, theirs.LogisticRegressionCV)
    )
    for name in ("C_", "Cs_", "l1_ratio_", "l1_ratios_"):
        close(getattr(model, name), getattr(other, name))
        assert type(getattr(model, name)) is type(getattr(other, name))
    # A sample on the border may fall to either side.
    close(model.scores_, other.scores_, atol=0.021)
    # The intercepts of several classes may have any sum.
    close(model.coef_, other.coef_, atol=2e-3)
    close(model.coefs_paths_, other.coefs_paths_, atol=5e-3)
    assert model.n_iter_.shape == other.n_iter_.shape
    assert model.n_iter_.dtype == other.n_iter_.dtype
    close(model.predict_proba(x), other.predict_proba(x), atol=2e-3)
    assert model.score(x, y) == pytest.approx(other.score(x, y), abs=0.01)
    weighted_score = model.score(x, y, sample_weight=weight)
    assert weighted_score == pytest.approx(other.score(x, y, sample_weight=weight), abs=0.01)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_dtypes_texts_and_arrays_of_ours(dtype, device):
    x, y, _ = problem(3)
    x, texts = (x * 8).round().astype(dtype), np.array(["a", "b", "c"])[y]
    model = fitted(LogisticRegressionCV, {"Cs": 3, "cv": 3}, x, texts)
    other = fitted(theirs.LogisticRegressionCV, {"Cs": 3, "cv": 3}, x, texts)
    assert model.coef_.dtype == other.coef_.dtype
    assert list(model.scores_) == ["a", "b", "c"]
    assert (model.predict(x) == other.predict(x)).mean() > 0.98
    ours = fitted(LogisticRegressionCV, {"Cs": 3, "cv": 3}, px.asarray(x), px.asarray(y))
    assert isinstance(ours.coef_, px.ndarray)
    np.testing.assert_allclose(ours.coef_, model.coef_, rtol=1e-4, atol=1e-5)
    scoring = {"Cs": 3, "cv": 3, "scoring": lambda model, X, y: float(model.score(X, y))}
    same = fitted(LogisticRegressionCV, scoring, px.asarray(x), px.asarray(y))
    assert np.allclose(same.scores_[0], ours.scores_[0])


@pytest.mark.parametrize("scoring", [None, "neg_log_loss", "roc_auc"])
def test_sparse_samples(scoring):
    sparse = pytest.importorskip("scipy.sparse")
    x, y, weight = problem(2)
    x[np.abs(x) < 0.7] = 0
    options = {"Cs": 4, "cv": 3, "scoring": scoring}
    dense = fitted(LogisticRegressionCV, options, x, y, weight)
    model = fitted(LogisticRegressionCV, options, sparse.csr_array(x), y, weight)
    np.testing.assert_allclose(model.coef_, dense.coef_, atol=1e-5)
    np.testing.assert_allclose(model.scores_[1], dense.scores_[1], atol=1e-6)


def test_verbose_prints_folds(capsys):
    x, y, _ = problem(2)
    fitted(LogisticRegressionCV, {"Cs": 2, "cv": 3, "verbose": 1}, x, y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert all("best score" in line for line in lines)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"Cs": 0}, "Cs"),
        ({"Cs": []}, "Cs"),
        ({"Cs": [1.0, -1.0]}, "Cs"),
        ({"l1_ratios": [0.5]}, "elasticnet"),
        ({"l1_ratios": [0.5, 2.0], "solver": "saga"}, "l1_ratios"),
        ({"l1_ratios": [0.0, 1.0]}, "elasticnet"),
        ({"class_weight": {7: 1.0}}, "class_weight"),
        ({"cv": 1000}, "n_splits"),
        ({"scoring": "no such score"}, "no such score"),
        ({"dual": True}, "dual"),
        ({"use_legacy_attributes": "no"}, "use_legacy_attributes"),
    ],
)
def test_wrong_parameters(options, text):
    x, y, _ = problem(2)
    with pytest.raises(ValueError, match=text):
        LogisticRegressionCV(**options).fit(x, y)


def test_a_single_class_and_liblinear_of_three():
    x, y, _ = problem(3)
    with pytest.raises(ValueError, match="at least 2 classes"):
        LogisticRegressionCV().fit(x, np.zeros(len(x)))
    with pytest.raises(ValueError, match="multiclass"):
        LogisticRegressionCV(solver="liblinear").fit(x, y)
