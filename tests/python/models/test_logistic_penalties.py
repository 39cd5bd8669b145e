"""Logistic regression with penalties on absolute values, and the solvers' names."""

import numpy as np
import pytest
from phalanx._models.linear_model.lbfgs import Ending
from phalanx._models.linear_model.owlqn import sparse_minimum
from phalanx.ml.linear_model import LogisticRegression

import phalanx as px

theirs = pytest.importorskip("sklearn.linear_model")

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


def problem(classes=2, dtype="float64", count=120):
    random = np.random.default_rng(3)
    x = random.normal(0.5, 1.5, (count, 6))
    scores = x[:, :3] @ random.normal(size=(3, classes)) + random.gumbel(size=(count, classes))
    return x.astype(dtype), scores.argmax(axis=1)


def objective(model, data, penalty, scaling=None):
    (x, y, weight), (C, ratio) = data, penalty
    table, shift = np.asarray(model.coef_, float), np.ravel(model.intercept_).astype(float)
    scores = x.astype(float) @ table.T + shift
    if len(table) == 1:
        scores = np.hstack([np.zeros_like(scores), scores])
    top = scores.max(axis=1, keepdims=True)
    logs = np.log(np.exp(scores - top).sum(axis=1)) + top[:, 0] - scores[np.arange(len(y)), y]
    held = table if scaling is None else np.hstack([table, shift[:, None] / scaling])
    penalty = ratio * np.abs(held).sum() + (1 - ratio) / 2 * (held**2).sum()
    return C * (weight * logs).sum() + penalty


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "options",
    [
        {"l1_ratio": 1.0, "C": 0.2},
        {"l1_ratio": 1.0, "C": 5.0, "fit_intercept": False},
        {"l1_ratio": 0.4, "C": 0.1},
        {"l1_ratio": 0.4, "C": 1.0, "class_weight": "balanced"},
    ],
    ids=str,
)
def test_least_value_is_sagas(options, dtype, classes, weighted):
    x, y = problem(classes, dtype)
    weight = np.random.default_rng(0).integers(0, 3, len(x)) if weighted else None
    close = {"solver": "saga", "tol": 1e-7, "max_iter": 5000}
    if dtype == "float32":
        close["tol"] = 1e-5
    mine, other = (
        each(**close, **options).fit(x, y, sample_weight=weight)
        for each in (LogisticRegression, theirs.LogisticRegression)
    )
    near = {"atol": 2e-4} if dtype == "float64" else {"atol": 5e-3}
    for name in ("coef_", "intercept_"):
        found, expected = getattr(mine, name), getattr(other, name)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, **near)
    share = np.ones(len(x)) if weight is None else weight
    if "class_weight" in options:
        counts = np.bincount(y, weights=share)
        share = share * (counts.sum() / (classes * counts))[y]
    values = [
        objective(each, (x, y, share), (options["C"], options["l1_ratio"]))
        for each in (mine, other)
    ]
    assert values[0] <= values[1] * (1 + 1e-6)


@pytest.mark.parametrize("ratio", [0.0, 1.0])
@pytest.mark.parametrize("scaling", [1.0, 10.0])
@pytest.mark.parametrize("intercept", [False, True])
def test_liblinear_penalises_the_intercept(ratio, scaling, intercept):
    x, y = problem(2)
    options = {"l1_ratio": ratio, "C": 0.1, "fit_intercept": intercept}
    options |= {"intercept_scaling": scaling, "solver": "liblinear", "tol": 1e-8, "max_iter": 5000}
    mine, other = (
        each(**options).fit(x, y) for each in (LogisticRegression, theirs.LogisticRegression)
    )
    np.testing.assert_allclose(mine.coef_, other.coef_, atol=1e-4)
    np.testing.assert_allclose(mine.intercept_, other.intercept_, atol=1e-4)
    values = [objective(each, (x, y, 1.0), (0.1, ratio), scaling) for each in (mine, other)]
    assert values[0] <= values[1] * (1 + 1e-7)


@pytest.mark.parametrize("solver", ["lbfgs", "newton-cg", "newton-cholesky", "sag", "saga"])
@pytest.mark.parametrize("C", [1.0, np.inf])
def test_each_solver_has_the_same_minimum(solver, C):
    x, y = problem(3)
    mine = LogisticRegression(C=C, solver=solver, tol=1e-8, max_iter=1000).fit(x, y)
    other = theirs.LogisticRegression(C=C, tol=1e-8, max_iter=1000).fit(x, y)
    np.testing.assert_allclose(mine.coef_, other.coef_, atol=1e-5)


def test_sparse_coefficients_are_0_and_grow_with_C():
    x, y = problem(2)
    kept = [
        np.count_nonzero(LogisticRegression(solver="saga", l1_ratio=1, C=C).fit(x, y).coef_)
        for C in (1e-3, 0.05, 10)
    ]
    assert kept[0] == 0
    assert kept[0] < kept[1] < kept[2] == 6


def test_owlqn_finds_soft_thresholds():
    place, sizes = np.array([3.0, -0.5, 2.0, -4.0]), np.array([1.0, 1.0, 0.0, 1.5])
    scale = np.array([1.0, 10.0, 100.0, 1e-2])

    def parabola(w):
        return 0.5 * float(scale @ (w - place) ** 2), scale * (w - place)

    found = sparse_minimum(parabola, sizes, np.zeros(4), Ending(1e-10, 500))
    expected = np.sign(place) * np.maximum(np.abs(place) - sizes / scale, 0)
    assert found.has_converged
    np.testing.assert_allclose(found.place, expected, atol=1e-8)
    assert not sparse_minimum(parabola, sizes, np.zeros(4), Ending(1e-10, 1)).has_converged


def test_ours_give_ours(device):
    x, y = problem(3)
    options = {"solver": "saga", "l1_ratio": 0.5, "C": 0.3, "tol": 1e-7, "max_iter": 1000}
    expected = LogisticRegression(**options).fit(x, y)
    model = LogisticRegression(**options).fit(px.asarray(x), px.asarray(y))
    assert isinstance(model.coef_, px.ndarray)
    np.testing.assert_allclose(np.asarray(model.coef_), expected.coef_, atol=1e-6)


def test_warm_start_and_verbose(capsys):
    x, y = problem(2)
    options = {"solver": "saga", "l1_ratio": 1, "C": 0.2, "tol": 1e-7, "max_iter": 1000}
    model = LogisticRegression(warm_start=True, verbose=1, **options).fit(x, y)
    assert "Evaluation 2, loss" in capsys.readouterr().out
    assert model.fit(x, y).n_iter_[0] <= 1


@pytest.mark.parametrize(
    ("options", "classes", "text"),
    [
        ({"l1_ratio": 1.0}, 2, "lbfgs supports only 'l2' or None penalties, got l1"),
        ({"penalty": "elasticnet", "l1_ratio": 0.5}, 2, "supports only 'l2'"),
        ({"solver": "liblinear", "l1_ratio": 0.5}, 2, "Only 'saga' solver supports elasticnet"),
        ({"solver": "saga", "penalty": "elasticnet", "l1_ratio": None}, 2, "must be specified"),
        ({"solver": "saga", "dual": True}, 2, "supports only dual=False"),
        ({"solver": "liblinear", "C": np.inf}, 2, "not supported for the liblinear"),
        ({"solver": "liblinear", "dual": True, "l1_ratio": 1}, 2, "when dual=True"),
        ({"solver": "liblinear"}, 3, "does not support multiclass"),
        ({"l1_ratio": 1.5}, 2, "'l1_ratio' parameter"),
        ({"solver": "adam"}, 2, "'solver' parameter"),
    ],
)
def test_what_no_solver_takes(options, classes, text):
    x, y = problem(classes)
    for each in (LogisticRegression, theirs.LogisticRegression):
        with pytest.raises(ValueError, match=text if each is LogisticRegression else None):
            each(**options).fit(x, y)
