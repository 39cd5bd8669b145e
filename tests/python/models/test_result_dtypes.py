"""The dtypes of results of float32 and float64 samples: scikit-learn's."""

import importlib

import numpy as np
import pytest

pytest.importorskip("sklearn")

pytestmark = pytest.mark.filterwarnings("ignore")
METHODS = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "predict_joint_log_proba",
    "decision_function",
    "transform",
)
# Of each class what is fitted, besides 3 classes and the default options.
CASES = [
    ("linear_model.ElasticNet", {}),
    ("linear_model.Lasso", {}),
    ("linear_model.LassoCV", {}),
    ("linear_model.LinearRegression", {}),
    ("linear_model.LinearRegression", {"fit_intercept": False}),
    ("linear_model.LogisticRegression", {}),
    ("linear_model.Perceptron", {}),
    ("linear_model.Ridge", {}),
    ("linear_model.Ridge", {"fit_intercept": False}),
    ("linear_model.RidgeClassifier", {}),
    ("linear_model.SGDClassifier", {}),
    ("linear_model.SGDClassifier", {"average": True}),
    ("linear_model.SGDRegressor", {}),
    ("linear_model.SGDRegressor", {"average": True}),
    ("svm.LinearSVC", {}),
    ("svm.LinearSVR", {}),
    ("naive_bayes.GaussianNB", {}),
    ("naive_bayes.MultinomialNB", {}),
    ("neighbors.KNeighborsClassifier", {}),
    ("neighbors.KNeighborsRegressor", {}),
    ("neighbors.KNeighborsRegressor", {"weights": "distance"}),
    ("preprocessing.RobustScaler", {}),
]


def dtypes(name, options, fitted, given):
    module, own = name.rsplit(".", 1)
    made = {}
    for package in ("phalanx.ml", "sklearn"):
        model = getattr(importlib.import_module(f"{package}.{module}"), own)(**options).fit(*fitted)
        found = {each: getattr(model, each)(given) for each in METHODS if hasattr(model, each)}
        for each in ("coef_", "intercept_", "theta_", "var_", "class_count_", "class_prior_"):
            if hasattr(model, each):
                found[each] = getattr(model, each)
        for each in ("singular_", "dual_gap_", "center_", "scale_"):
            if hasattr(model, each):
                found[each] = getattr(model, each)
        made[package] = {key: np.asarray(value).dtype.name for key, value in found.items()}
    return made


@pytest.mark.parametrize("of_target", ["float32", "int64"])
@pytest.mark.parametrize(
    ("of_fitted", "of_given"),
    [("float32", "float32"), ("float32", "float64"), ("float64", "float32")],
)
@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_dtypes_are_scikit_learns(name, options, of_fitted, of_given, of_target):
    random = np.random.RandomState(0)
    x = np.abs(random.normal(size=(60, 3)))
    classes = {"float32": 2, "int64": 3}[of_target]
    y = (x @ [1.0, 2.0, -1.0] * 2).astype(int) % classes
    made = dtypes(name, options, (x.astype(of_fitted), y.astype(of_target)), x.astype(of_given))
    assert made["phalanx.ml"] == made["sklearn"]


def test_parts_of_normal_features_keep_the_dtype_of_the_first():
    from phalanx.ml.naive_bayes import GaussianNB

    random = np.random.RandomState(0)
    x, y = random.normal(size=(60, 3)), random.randint(2, size=60)
    model = GaussianNB().partial_fit(x[:30].astype("float32"), y[:30], classes=[0, 1])
    model.partial_fit(x[30:], y[30:])
    assert model.theta_.dtype == model.var_.dtype == "float32"
    expected = GaussianNB().fit(x, y).predict_proba(x)
    np.testing.assert_allclose(model.predict_proba(x), expected, atol=1e-5)


def test_small_variances_of_float32_samples_do_not_vanish():
    from phalanx.ml.naive_bayes import GaussianNB

    random = np.random.RandomState(0)
    y = random.randint(2, size=60)
    x = random.normal(size=(60, 3)) + 3 * y[:, None]
    expected = GaussianNB().fit(x, y).predict(x)
    small = (x * 1e-25).astype("float32")
    np.testing.assert_array_equal(GaussianNB().fit(small, y).predict(small), expected)
