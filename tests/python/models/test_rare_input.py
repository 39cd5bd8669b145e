"""Input that few programs give: what it once did is beside each test."""

import warnings

import numpy as np
import pandas as pd
import pytest
from phalanx.ml import metrics
from phalanx.ml.decomposition import PCA, TruncatedSVD
from phalanx.ml.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    IsolationForest,
    RandomForestClassifier,
)
from phalanx.ml.linear_model import (
    ElasticNetCV,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    Ridge,
    RidgeCV,
)
from phalanx.ml.model_selection import RepeatedKFold
from phalanx.ml.preprocessing import (
    Binarizer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    MultiLabelBinarizer,
    Normalizer,
    OneHotEncoder,
    PowerTransformer,
    RobustScaler,
    StandardScaler,
    add_dummy_feature,
)
from phalanx.ml.random_projection import GaussianRandomProjection
from phalanx.ml.svm import SVC, LinearSVC, LinearSVR

theirs = pytest.importorskip("sklearn.linear_model")

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(60, 4))
Y = (X[:, 0] > 0).astype(int)
FRAME = pd.DataFrame(X, columns=list("abcd"))


@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(2, warm_start=True, random_state=0),
        HistGradientBoostingClassifier(max_iter=2, warm_start=True),
        IsolationForest(n_estimators=2, warm_start=True),
    ],
    ids=lambda model: type(model).__name__,
)
def test_more_trees_are_of_the_same_features(model):
    # Trees of both fits read features that the later samples had not.
    model.fit(X, Y)
    model.set_params(**{next(iter({"n_estimators", "max_iter"} & set(model.get_params()))): 4})
    with pytest.raises(ValueError, match=r"X has 2 features, but .* is expecting 4"):
        model.fit(X[:, :2], Y)
    model.fit(X, Y)


def test_more_steps_know_the_categories_of_the_first_ones():
    # The codes of the categories were found anew, so that old trees saw other categories.
    kinds = np.repeat([10.0, 20.0, 30.0], 40)
    model = HistGradientBoostingRegressor(
        max_iter=20, categorical_features=[0], warm_start=True, min_samples_leaf=5
    ).fit(kinds[:, None], kinds)
    before = model.predict([[20.0], [30.0]])
    model.set_params(max_iter=21).fit(kinds[40:, None], kinds[40:])
    np.testing.assert_allclose(model.predict([[20.0], [30.0]]), before, atol=2)


def test_few_of_few_samples_are_drawn():
    # Two draws of two rows, all four the same, gave one row less than other trees have.
    for seed in range(30):
        model = IsolationForest(max_samples=2, n_estimators=300, random_state=seed).fit(X[:16])
        assert {len(set(rows)) for rows in map(list, model.estimators_samples_)} == {2}


@pytest.mark.parametrize("kind", [LinearSVC, LinearSVR])
def test_no_steps(kind):
    loss = "squared_hinge" if kind is LinearSVC else "squared_epsilon_insensitive"
    with pytest.warns(UserWarning, match="failed to converge"):
        model = kind(loss=loss, max_iter=0).fit(X, Y)
    assert not np.any(model.coef_)


@pytest.mark.parametrize("weight", [np.inf, -np.inf])
def test_infinite_weights(weight):
    with pytest.raises(ValueError, match="sample_weight contains infinity"):
        LinearRegression().fit(X, X[:, 0], sample_weight=np.append(np.ones(59), weight))


def test_probability_may_be_a_bool_of_numpys():
    assert not hasattr(SVC(probability=np.False_), "predict_proba")
    assert hasattr(SVC(probability=np.True_), "predict_proba")


@pytest.mark.parametrize("scoring", [None, "accuracy"])
def test_boosting_scores_itself_without_a_word_on_names(scoring):
    if scoring:
        pytest.importorskip("sklearn")
    model = HistGradientBoostingClassifier(max_iter=3, scoring=scoring, early_stopping=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(FRAME, Y).predict(FRAME)
    assert list(model.feature_names_in_) == list("abcd")
    assert len(model.validation_score_) == 4


@pytest.mark.parametrize("kind", [StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler])
def test_what_was_scaled_comes_back_without_names(kind):
    model = kind().fit(FRAME)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        back = model.inverse_transform(np.asarray(model.transform(FRAME)))
    np.testing.assert_allclose(back, X)


def test_bins_do_not_change_when_they_are_used():
    model = KBinsDiscretizer(2, encode="onehot-dense").fit(X)
    before = model._encoder.dtype
    assert model.transform(X.astype(np.float32)).dtype == np.float32
    assert model._encoder.dtype == before
    assert model.transform(X).dtype == np.float64


def test_classes_of_an_iterator_are_looked_at_once():
    model = MultiLabelBinarizer().fit([[1, 2], [3]])
    with pytest.warns(UserWarning, match=r"unknown class\(es\) \[7\]"):
        made = model.transform([iter([1, 7]), iter([3, 2])])
    np.testing.assert_array_equal(made, [[1, 0, 0], [0, 1, 1]])


def test_scores_take_their_own_keywords_only():
    with pytest.raises(TypeError, match="beta"):
        metrics.f1_score(Y, Y, beta=2)
    with pytest.raises(TypeError, match="f1_score"):
        metrics.f1_score(Y, Y, other=2)
    assert metrics.fbeta_score(Y, Y, beta=2) == 1


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda x: metrics.pairwise_distances(x), "A metric of pairs"),
        (lambda x: metrics.silhouette_score(x, [0, 1, 1]), "A metric of clusters"),
        (add_dummy_feature, "add_dummy_feature"),
    ],
    ids=["pairs", "clusters", "function"],
)
def test_who_takes_no_gaps(call, name):
    with pytest.raises(ValueError, match=f"contains NaN.\n{name} does not accept"):
        call(np.array([[np.nan, 1], [0, 1], [1, 1]]))


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_norms_of_many_features_in_single_precision(norm):
    # Sums in single precision were off by a hundredth.
    made = Normalizer(norm).fit_transform(np.full((1, 1_000_000), 0.1, np.float32))
    assert made.dtype == np.float32
    size = np.linalg.norm(made[0].astype(np.float64), ord=int(norm[1]))
    assert size == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("classes", "text"),
    [
        (["a", None, "b"], "NaN or None"),
        (["a", np.nan, "b"], "NaN or None"),
        ([0.5, 1.0, 2.0], "Unknown label type: continuous"),
    ],
    ids=["none", "nan", "fractions"],
)
@pytest.mark.parametrize("model", [LogisticRegression(), RandomForestClassifier(2)], ids=["", "rf"])
def test_objects_that_are_no_classes(model, classes, text):
    with pytest.raises(ValueError, match=text):
        model.fit(X[:3], np.array(classes, object))


def test_repeats_may_be_a_number_of_numpys():
    assert RepeatedKFold(n_repeats=np.int64(2)).get_n_splits() == 10


@pytest.mark.parametrize(
    "model", [PCA(2), TruncatedSVD(2), GaussianRandomProjection(2)], ids=lambda m: type(m).__name__
)
def test_components_that_come_back_are_counted(model):
    model.fit(X)
    with pytest.raises(ValueError, match=r"X has 4 features, but .*inverse_transform takes 2"):
        model.inverse_transform(X)
    assert model.inverse_transform(model.transform(X)).shape == X.shape


@pytest.mark.parametrize("number", [np.nan, -1.0, 3.0])
def test_numbers_that_no_interval_has(number):
    model = KBinsDiscretizer(3, encode="ordinal").fit(X)
    with pytest.raises(ValueError, match="numbers that no interval has"):
        model.inverse_transform(np.full((1, 4), number))


@pytest.mark.parametrize("weight", [{0: -1.0}, {0: np.nan}, {0: np.inf}, {0: 0.0, 1: 0.0}])
@pytest.mark.parametrize(
    "model",
    [LogisticRegression(), RandomForestClassifier(2), SVC()],
    ids=lambda m: type(m).__name__,
)
def test_weights_of_classes_that_are_none(model, weight):
    with pytest.raises(ValueError, match="class_weight must have finite numbers"):
        model.set_params(class_weight=weight).fit(X, Y)


def test_a_warm_start_of_other_features():
    model = Lasso(warm_start=True).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="warm_start needs the features"):
        model.fit(X[:, :2], X[:, 0])


@pytest.mark.parametrize(
    ("x", "y"),
    [(X[:, :2], Y), (np.c_[X, X], Y), (X, np.arange(60) % 3), (X[:, :2], np.arange(60) % 3)],
    ids=["fewer features", "more features", "more classes", "fewer features, more classes"],
)
def test_a_warm_start_of_logistic_regression_refuses_other_shapes(x, y):
    # The coefficients went into a descent of another length, which failed in a product.
    for kind in (LogisticRegression, theirs.LogisticRegression):
        model = kind(warm_start=True).fit(X, Y)
        with pytest.raises(ValueError, match=r"Initialization coef is of shape \(1, 5\)"):
            model.fit(x, y)


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (LassoCV(alphas=[]), "alphas must be >= 0"),
        (LassoCV(alphas=[np.nan, 1.0]), "alphas must be >= 0"),
        (ElasticNetCV(l1_ratio=[0.5, 2.0]), "l1_ratio must be in"),
        (ElasticNetCV(l1_ratio=[]), "l1_ratio must be in"),
        (RidgeCV(alphas=[]), "alphas must be > 0"),
        (RidgeCV(alphas=[np.nan]), "alphas must be > 0"),
        (Ridge(alpha=[-1.0]), "alpha must be >= 0"),
    ],
    ids=repr,
)
def test_penalties_that_are_none(model, text):
    with pytest.raises(ValueError, match=text):
        model.fit(X, X[:, 0])


@pytest.mark.parametrize(
    "score", [metrics.accuracy_score, metrics.f1_score, metrics.r2_score, metrics.hamming_loss]
)
def test_metrics_of_weights_that_are_all_0(score):
    with pytest.raises(ValueError, match="at least one non-zero"):
        score([0, 1, 1], [0, 1, 0], sample_weight=[0, 0, 0])


@pytest.mark.parametrize(
    ("true", "chances", "expected"),
    [([0, 0], [0.1, 0.2], -np.inf), ([1, 1], [0.1, 0.2], -np.inf), ([0, 1], [0.1, 0.8], 0.9)],
)
def test_the_share_of_briers_score_of_a_single_class(true, chances, expected):
    # It was 0.975 of samples that are all of class 0.
    assert metrics.d2_brier_score(true, chances) == pytest.approx(expected)


@pytest.mark.parametrize("method", ["yeo-johnson", "box-cox"])
def test_powers_that_single_precision_has_not(method):
    # 100,000 to the ninth overflowed before it was scaled: "Input X contains infinity".
    far = np.random.default_rng(0).normal(size=(20, 3)) * 1000 + 1e5
    narrow = PowerTransformer(method).fit(far.astype(np.float32))
    made = narrow.transform(far.astype(np.float32))
    assert made.dtype == np.float32
    np.testing.assert_allclose(made, PowerTransformer(method).fit_transform(far), atol=0.05)
    np.testing.assert_allclose(narrow.inverse_transform(made), far, rtol=1e-5)


def test_names_of_columns_have_the_digits_of_their_dtype():
    encoder = OneHotEncoder().fit(np.array([[0.1], [1.0]], np.float32))
    assert encoder.get_feature_names_out().tolist() == ["x0_0.1", "x0_1.0"]


def test_bools_stay_bools():
    assert Binarizer().fit_transform(X > 0).dtype == bool
