"""Support vector machines against scikit-learn's."""

import numpy as np
import pytest
from phalanx.ml import svm as ours
from phalanx.ml.linear_model import LinearRegression
from plain_names import plain

import phalanx as px

theirs = pytest.importorskip("sklearn.svm")

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
CLOSE = {"tol": 1e-6}


def classes(kinds=2, count=90, dtype="float64"):
    random = np.random.default_rng(5)
    x = random.normal(size=(count, 4))
    centers = random.normal(scale=1.2, size=(kinds, 4))
    y = random.integers(0, kinds, count)
    return (x + centers[y]).astype(dtype), y


def numbers(count=90):
    random = np.random.default_rng(6)
    x = random.normal(size=(count, 4))
    return x, np.sin(x[:, 0]) + x[:, 1] + random.normal(scale=0.1, size=count)


def function(one, other):
    return (one @ other.T + 1) ** 2


KERNELS = [
    {},
    {"gamma": "auto"},
    {"gamma": 0.3},
    {"kernel": "linear"},
    {"kernel": "poly", "coef0": 1.0, "degree": 2},
    {"kernel": "sigmoid", "gamma": 0.02},
    {"kernel": function},
]


def both(name, options, *given, **keywords):
    return [getattr(each, name)(**options).fit(*given, **keywords) for each in (ours, theirs)]


def compare(mine, other, x, near=2e-4):
    name = "decision_function" if hasattr(other, "decision_function") else "predict"
    found, expected = getattr(mine, name)(x), getattr(other, name)(x)
    np.testing.assert_allclose(found, expected, atol=near)
    assert found.dtype == expected.dtype
    for name in ("dual_coef_", "intercept_", "support_vectors_", "support_", "n_support_"):
        found, expected = getattr(mine, name), getattr(other, name)
        assert found.shape == expected.shape
        assert found.dtype == expected.dtype
    np.testing.assert_allclose(mine.intercept_, other.intercept_, atol=near)
    if isinstance(mine.kernel, str) and mine.kernel != "precomputed":
        # Theirs counts samples with weight only, so that its indices are not of `x`.
        np.testing.assert_array_equal(mine.support_vectors_, other.support_vectors_)
        np.testing.assert_array_equal(mine.support_vectors_, x[mine.support_])
    else:
        assert mine.support_.tolist() == other.support_.tolist()
    assert mine.n_support_.tolist() == other.n_support_.tolist()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kinds", [2, 3])
@pytest.mark.parametrize("options", KERNELS, ids=plain)
def test_svc(options, kinds, weighted):
    x, y = classes(kinds)
    if weighted and callable(options.get("kernel")):
        pytest.skip("libsvm's rows of matrices are others where samples have no weight")
    weight = np.random.default_rng(0).integers(0, 3, len(x)) if weighted else None
    mine, other = both("SVC", {**CLOSE, **options}, x, y, sample_weight=weight)
    compare(mine, other, x)
    assert (mine.predict(x) == other.predict(x)).all()
    np.testing.assert_allclose(mine.dual_coef_, other.dual_coef_, atol=1e-3)


def test_weights_of_a_function_are_those_of_its_kernel():
    x, y = classes(2)
    weight = np.random.default_rng(0).integers(0, 3, len(x))
    given = [{"kernel": function}, {"kernel": "poly", "gamma": 1.0, "coef0": 1.0, "degree": 2}]
    one, other = (ours.SVC(**CLOSE, **each).fit(x, y, weight) for each in given)
    np.testing.assert_allclose(one.decision_function(x), other.decision_function(x), atol=1e-4)


@pytest.mark.parametrize("kinds", [2, 3])
@pytest.mark.parametrize(
    "options",
    [
        {"C": 0.1, "class_weight": "balanced"},
        {"C": 10.0, "class_weight": {0: 2.0, 1: 0.5, 2: 1.0}, "decision_function_shape": "ovo"},
        {"break_ties": True, "kernel": "linear"},
    ],
    ids=plain,
)
def test_options_of_svc(options, kinds):
    x, y = classes(kinds)
    if kinds == 2 and isinstance(options.get("class_weight"), dict):
        options = {**options, "class_weight": {0: 2.0, 1: 0.5}}
    mine, other = both("SVC", {**CLOSE, **options}, x, y)
    compare(mine, other, x)
    assert (mine.predict(x) == other.predict(x)).all()
    np.testing.assert_allclose(mine.class_weight_, other.class_weight_)
    if "kernel" in options:
        np.testing.assert_allclose(mine.coef_, other.coef_, atol=1e-3)
        assert not mine.coef_.flags.writeable


@pytest.mark.parametrize("name", ["NuSVC", "NuSVR", "SVR", "OneClassSVM"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("options", [{}, {"kernel": "poly", "coef0": 1.0, "degree": 2}], ids=plain)
def test_the_other_machines(name, options, weighted):
    x, y = classes(3) if name == "NuSVC" else numbers()
    weight = np.random.default_rng(0).integers(0, 3, len(x)) if weighted else None
    for more in [{"nu": 0.2}, {"nu": 0.6}] if name != "SVR" else [{"epsilon": 0.0}, {"C": 5.0}]:
        mine, other = both(name, {**CLOSE, **options, **more}, x, y, sample_weight=weight)
        compare(mine, other, x, 1e-3)
        if name == "OneClassSVM":
            np.testing.assert_allclose(mine.score_samples(x), other.score_samples(x), atol=1e-4)
            np.testing.assert_allclose(mine.offset_, other.offset_, atol=1e-4)
            assert (mine.predict(x) == other.predict(x)).mean() > 0.95


@pytest.mark.parametrize("name", ["SVC", "SVR"])
def test_precomputed_is_the_same(name):
    x, y = classes(3)
    table = function(x, x)
    mine, other = both(name, {**CLOSE, "kernel": "precomputed"}, table, y)
    compare(mine, other, table)
    small = getattr(ours, name)(**CLOSE, kernel=function).fit(x, y)
    np.testing.assert_allclose(small.predict(x[:7]), mine.predict(table[:7]))
    assert mine.__sklearn_tags__().input_tags.pairwise


@pytest.mark.parametrize("kinds", [2, 3])
def test_a_small_cache_changes_nothing(kinds):
    x, y = classes(kinds, 300)
    one, other = (
        ours.SVC(cache_size=size, **CLOSE).fit(x, y).decision_function(x) for size in (200, 1e-3)
    )
    np.testing.assert_allclose(one, other, atol=1e-9)


def test_large_problems_use_all_cores_and_are_the_same():
    x, y = classes(2, 3000)
    x = np.concatenate([x, np.random.default_rng(1).normal(size=(3000, 60))], axis=1)
    mine, other = both("SVC", {"tol": 1e-4}, x, y)
    np.testing.assert_allclose(mine.decision_function(x), other.decision_function(x), atol=1e-3)


@pytest.mark.parametrize("kinds", [2, 3])
def test_chances(kinds):
    x, y = classes(kinds, 300)
    mine, other = both("SVC", {"probability": True, "random_state": 0}, x, y)
    found, expected = mine.predict_proba(x), other.predict_proba(x)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert np.abs(found - expected).mean() < 0.03
    np.testing.assert_allclose(mine.predict_log_proba(x), np.log(found))
    assert not hasattr(ours.SVC(), "predict_proba")


@pytest.mark.parametrize("labels", [["b", "a", "c"], [7, -1, 3]])
def test_classes_of_any_kind(labels):
    x, y = classes(3)
    mine, other = both("SVC", {}, x, np.array(labels)[y])
    assert mine.classes_.tolist() == other.classes_.tolist()
    assert (mine.predict(x) == other.predict(x)).all()


@pytest.mark.parametrize("name", ["SVC", "SVR", "LinearSVC", "LinearSVR"])
def test_ours_give_ours(name, device):
    x, y = classes(2)
    options = {"random_state": 0} if name == "LinearSVR" else {}
    expected = getattr(ours, name)(**options).fit(x, y)
    for given, target in ((px.asarray(x), px.asarray(y)), (px.DataFrame(x), px.Series(y))):
        model = getattr(ours, name)(**options).fit(given, target)
        assert isinstance(model.coef_ if "Linear" in name else model.dual_coef_, px.ndarray)
        assert isinstance(model.predict(given), px.ndarray)
        np.testing.assert_allclose(np.asarray(model.predict(given)), expected.predict(x), atol=1e-6)


def linear_value(model, x, y, weight, scaling=1.0):
    made = x @ np.asarray(model.coef_).ravel() + np.ravel(model.intercept_)
    if "hinge" in model.loss:
        lost = np.maximum(1 - np.where(y > 0, 1, -1) * made, 0)
    else:
        lost = np.maximum(np.abs(y - made) - model.epsilon, 0)
    if "squared" in model.loss:
        lost = lost**2
    held = np.append(np.ravel(model.coef_), np.ravel(model.intercept_) / scaling)
    penalty = np.abs(held).sum() if getattr(model, "penalty", "l2") == "l1" else held @ held / 2
    return model.C * (weight * lost).sum() + penalty


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("LinearSVC", {"loss": "hinge", "C": 0.2}),
        ("LinearSVC", {"loss": "hinge", "C": 0.2, "fit_intercept": False}),
        ("LinearSVC", {}),
        ("LinearSVC", {"intercept_scaling": 7.0, "C": 0.05}),
        ("LinearSVC", {"penalty": "l1", "C": 0.1}),
        ("LinearSVR", {"C": 0.2, "epsilon": 0.1}),
        ("LinearSVR", {"C": 0.2, "loss": "squared_epsilon_insensitive", "epsilon": 0.1}),
        ("LinearSVR", {"loss": "squared_epsilon_insensitive", "fit_intercept": False}),
    ],
    ids=plain,
)
def test_linear_machines_have_liblinears_least_value(name, options, dtype, weighted):
    x, y = classes(2) if name == "LinearSVC" else numbers()
    x = x.astype(dtype)
    weight = np.random.default_rng(0).integers(0, 3, len(x)) if weighted else None
    close = {"tol": 1e-6, "max_iter": 100_000, "random_state": 0, **options}
    mine, other = both(name, close, x, y, sample_weight=weight)
    share = 1 if weight is None else weight
    scaling = options.get("intercept_scaling", 1.0)
    values = [linear_value(each, x, y, share, scaling) for each in (mine, other)]
    assert values[0] <= values[1] * (1 + 1e-5)
    np.testing.assert_allclose(mine.coef_, other.coef_, atol=1e-3)
    assert mine.coef_.shape == other.coef_.shape
    assert np.shape(mine.intercept_) == np.shape(other.intercept_) or not mine.fit_intercept


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_linear_machines_of_several_classes(loss):
    x, y = classes(4)
    options = {"loss": loss, "tol": 1e-6, "max_iter": 100_000, "class_weight": "balanced"}
    mine, other = both("LinearSVC", {**options, "C": 0.1, "random_state": 0}, x, y)
    np.testing.assert_allclose(mine.coef_, other.coef_, atol=1e-3)
    near = {"atol": 3e-3}
    np.testing.assert_allclose(mine.decision_function(x), other.decision_function(x), **near)
    assert (mine.predict(x) == other.predict(x)).mean() > 0.98


def test_many_features_descend_without_matrices():
    random = np.random.default_rng(2)
    x = random.normal(size=(60, 600))
    y = x[:, 0] > 0
    mine, other = both("LinearSVC", {"tol": 1e-8, "C": 0.01, "max_iter": 10_000}, x, y)
    np.testing.assert_allclose(mine.coef_, other.coef_, atol=1e-4)


def test_without_a_penalty_to_speak_of_svr_is_least_squares():
    x, y = numbers()
    model = ours.LinearSVR(loss="squared_epsilon_insensitive", C=1e8).fit(x, y)
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(x, y).coef_, atol=1e-5)


def test_verbose_and_limits(capsys):
    x, y = classes(2)
    with pytest.warns(UserWarning, match="terminated early .max_iter=3."):
        model = ours.SVC(max_iter=3, verbose=True).fit(x, y)
    assert model.fit_status_ == 1
    assert model.n_iter_.tolist() == [3]
    assert "Step 3, gap" in capsys.readouterr().out
    with pytest.warns(UserWarning, match="failed to converge"):
        ours.LinearSVC(loss="hinge", max_iter=2, verbose=1, tol=1e-9).fit(x, y)
    assert "Pass 2, " in capsys.readouterr().out
    ours.LinearSVC(verbose=1).fit(x, y)
    assert "Step 1, value" in capsys.readouterr().out


SQUARE = "Precomputed matrix must be a square"


@pytest.mark.parametrize(
    ("name", "options", "y", "error", "text"),
    [
        ("SVC", {"C": 0}, None, ValueError, "'C' parameter of SVC"),
        ("SVC", {"kernel": "cosine"}, None, ValueError, "'kernel' parameter of SVC"),
        ("SVC", {"gamma": -1.0}, None, ValueError, "'gamma' parameter"),
        ("SVC", {}, np.zeros(90), ValueError, "greater than one; got 1 class"),
        ("SVC", {}, np.linspace(0, 1, 90), ValueError, "Unknown label type: continuous"),
        ("SVC", {"kernel": "precomputed"}, None, ValueError, SQUARE),
        ("SVC", {"kernel": lambda a, b: a[:, 0]}, None, ValueError, r"array of shape \(90,\)"),
        ("NuSVC", {"nu": 0.9}, np.arange(90) < 9, ValueError, "specified nu is infeasible"),
        ("SVR", {"epsilon": -1.0}, None, ValueError, "'epsilon' parameter"),
        ("LinearSVC", {"loss": "hinge", "penalty": "l1"}, None, ValueError, "penalty='l1' and"),
        ("LinearSVC", {"loss": "hinge", "dual": False}, None, ValueError, "when dual=False"),
        ("LinearSVC", {"penalty": "l1", "dual": True}, None, ValueError, "when dual=True"),
        ("LinearSVR", {"dual": False}, None, ValueError, "when dual=False"),
        ("LinearSVC", {"multi_class": "crammer_singer"}, None, NotImplementedError, "crammer"),
        ("LinearSVC", {}, np.zeros(90), ValueError, "only one class"),
    ],
)
def test_wrong_input(name, options, y, error, text):
    x, right = classes(2)
    model = getattr(ours, name)(**options)
    with pytest.raises(error, match=text):
        model.fit(x, right if y is None else y)


def test_ties_need_one_score_for_each_class():
    x, y = classes(3)
    model = ours.SVC(break_ties=True, decision_function_shape="ovo").fit(x, y)
    with pytest.raises(ValueError, match="break_ties must be False"):
        model.predict(x)


@pytest.mark.parametrize("C", [1e10, np.inf])
def test_hard_margins(C):
    x, y = classes(2)
    y = x[:, 0] > 0
    mine, other = both("SVC", {"C": C, "kernel": "linear", "tol": 1e-6}, x, y)
    np.testing.assert_allclose(mine.decision_function(x), other.decision_function(x), rtol=1e-3)
    assert mine.score(x, y) == 1


def test_many_classes():
    x, y = classes(12, 60)
    mine, other = both("SVC", CLOSE, x, y)
    assert (mine.predict(x) == other.predict(x)).all()
    np.testing.assert_allclose(mine.decision_function(x), other.decision_function(x), atol=1e-4)


def test_equal_samples_are_of_the_second_class_as_theirs():
    x, y = np.ones((10, 2)), [0, 1] * 5
    mine, other = both("SVC", {}, x, y)
    assert mine.predict(x).tolist() == other.predict(x).tolist()
    with pytest.raises(ValueError, match="too large for the squares"):
        ours.LinearSVC().fit(np.arange(10.0)[:, None] * 1e200, y)


def test_samples_without_weight_count_nothing():
    x, y = classes(2)
    weight = np.where(np.arange(len(x)) < 60, 1.0, 0.0)
    gamma = {"gamma": 0.2, **CLOSE}
    one = ours.SVC(**gamma).fit(x, y, weight).decision_function(x)
    other = ours.SVC(**gamma).fit(x[:60], y[:60]).decision_function(x)
    np.testing.assert_allclose(one, other, atol=1e-5)
    with pytest.raises(ValueError, match="same class"):
        ours.SVC().fit(x, y, (y == 0).astype(float))


@pytest.mark.parametrize(("name", "options"), [("LinearSVR", {}), ("LinearSVC", {"loss": "hinge"})])
def test_few_samples_are_solved_beyond_the_order_that_is_drawn(name, options):
    random = np.random.default_rng(0)
    x, y = random.normal(size=(15, 30)), random.integers(0, 2, 15)
    weight = random.integers(0, 4, 15)
    weighted = getattr(ours, name)(random_state=0, **options).fit(x, y, sample_weight=weight)
    repeated = getattr(ours, name)(random_state=1, **options)
    repeated.fit(x.repeat(weight, axis=0), y.repeat(weight))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-8)
    assert weighted.n_iter_ < 200
