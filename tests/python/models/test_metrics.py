"""Metrics of predictions against scikit-learn's."""

import numpy as np
import pytest
from phalanx.ml import metrics as ours

theirs = pytest.importorskip("sklearn.metrics")

RANDOM = np.random.default_rng(0)
CLASSES = {
    "two": tuple(RANDOM.integers(0, 2, size=(2, 50))),
    "four": tuple(RANDOM.integers(0, 4, size=(2, 50))),
    "texts": tuple(RANDOM.choice(list("abc"), size=(2, 50))),
    "bools": tuple(RANDOM.integers(0, 2, size=(2, 50)) > 0),
    "one class": (np.ones(5, int), np.ones(5, int)),
    "never predicted": (np.array([0, 1, 2, 2]), np.array([0, 0, 1, 1])),
}
WEIGHT = RANDOM.random(50)


def both(name, *given, **options):
    made = [np.asarray(getattr(each, name)(*given, **options), object) for each in (ours, theirs)]
    for one, two in zip(np.ravel(made[0]), np.ravel(made[1]), strict=True):
        assert (one is None and two is None) or one == pytest.approx(two, nan_ok=True, abs=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("case", CLASSES)
def test_classes(case, weighted):
    true, predicted = CLASSES[case]
    options = {"sample_weight": WEIGHT[: len(true)]} if weighted else {}
    both("accuracy_score", true, predicted, **options)
    if case != "one class":
        both("balanced_accuracy_score", true, predicted, adjusted=True, **options)
    both("balanced_accuracy_score", true, predicted, **options)
    for normalize in (None, "true", "pred", "all"):
        both("confusion_matrix", true, predicted, normalize=normalize, **options)
    some = np.unique(true)[::-1][:2]
    both("confusion_matrix", true, predicted, labels=some, **options)
    for average in ("micro", "macro", "weighted", None):
        for name in ("precision_score", "recall_score", "f1_score"):
            both(name, true, predicted, average=average, **options)
        both("fbeta_score", true, predicted, beta=0.5, average=average, **options)
        both("f1_score", true, predicted, average=average, labels=some, zero_division=1, **options)
    if case in ("two", "bools"):
        both("precision_recall_fscore_support", true, predicted, average="binary", **options)


@pytest.mark.parametrize("weighted", [False, True])
def test_probabilities(weighted):
    options = {"sample_weight": WEIGHT} if weighted else {}
    true, shares = CLASSES["four"][0], RANDOM.dirichlet(np.ones(4), size=50)
    both("log_loss", true, shares, **options)
    both("log_loss", true, shares, normalize=False, **options)
    two = CLASSES["two"][0]
    both("log_loss", two, shares[:, 0], **options)
    for score in (shares[:, 0], np.round(shares[:, 0], 1), np.zeros(50)):
        both("roc_auc_score", two, score, **options)


@pytest.mark.parametrize("multioutput", ["uniform_average", "raw_values", [0.3, 0.7]])
@pytest.mark.parametrize("columns", [None, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_numbers(weighted, columns, multioutput):
    if columns is None and not isinstance(multioutput, str):
        pytest.skip("weights of two targets")
    shape = (50, columns) if columns else 50
    true, predicted = RANDOM.normal(size=(2, *np.atleast_1d(shape)))
    options = {"sample_weight": WEIGHT} if weighted else {}
    for name in (
        "mean_squared_error",
        "root_mean_squared_error",
        "mean_absolute_error",
        "mean_absolute_percentage_error",
        "explained_variance_score",
    ):
        both(name, true, predicted, multioutput=multioutput, **options)
        both(name, np.ones(50), np.ones(50))
    both("r2_score", true, predicted, **options)
    both("median_absolute_error", true, predicted, multioutput=multioutput)
    if columns is None:
        both("max_error", true, predicted)


@pytest.mark.parametrize(
    ("name", "given", "options", "text"),
    [
        ("accuracy_score", ([0, 1], [0]), {}, "inconsistent numbers of samples"),
        ("confusion_matrix", ([0, 1], [0]), {}, "inconsistent numbers of samples"),
        ("confusion_matrix", ([0, 1], [0, 1]), {"labels": [7]}, "must be in y_true"),
        ("confusion_matrix", ([0, 1], [0, 1]), {"normalize": "x"}, "normalize must be one of"),
        ("f1_score", ([0, 1, 2], [0, 1, 1]), {}, "Target is multiclass but average='binary'"),
        ("f1_score", ([0, 2], [0, 2]), {}, "pos_label=1 is not a valid label"),
        ("f1_score", ([0, 1], [0, 1]), {"average": "x"}, "average has to be one of"),
        ("log_loss", ([1, 1], [0.1, 0.2]), {}, "only one label"),
        ("log_loss", ([0, 1, 2], [0.1, 0.2, 0.3]), {}, "different number of classes"),
        ("roc_auc_score", ([0, 1], [0.1]), {}, "inconsistent numbers of samples"),
        ("mean_squared_error", ([1.0], [1.0, 2.0]), {}, "inconsistent numbers of samples"),
        ("mean_squared_error", ([1.0], [1.0]), {"multioutput": "x"}, "multioutput must be"),
    ],
)
def test_wrong_input(name, given, options, text):
    with pytest.raises(ValueError, match=text):
        getattr(ours, name)(*given, **options)


@pytest.mark.parametrize("features", [1, 3, 70])
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine", "l1", "chebyshev"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_distances(dtype, metric, features):
    draw = np.random.default_rng(features)
    one, other = (draw.normal(size=(each, features)) * 9 for each in (12, 7))
    one[[3, 5]], other[2] = 0, 0  # samples without a direction
    for given in ((one.astype(dtype), other.astype(dtype)), (one.astype(dtype),)):
        found, expected = (
            made.pairwise_distances(*given, metric=metric) for made in (ours, theirs)
        )
        close = {"rtol": 1e-4, "atol": 1e-5} if dtype == "float32" else {"atol": 1e-12}
        np.testing.assert_allclose(found, expected, **close)
    found, expected = (
        made.euclidean_distances(one, other, squared=True) for made in (ours, theirs)
    )
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize(
    ("given", "options", "error", "text"),
    [
        ((np.ones((3, 2)), np.ones((3, 1))), {}, ValueError, "Incompatible dimension"),
        ((np.ones(3),), {}, ValueError, "Expected 2D array for X"),
        ((np.ones((3, 2)),), {"metric": "yule"}, NotImplementedError, "metric='yule'"),
        (([[np.nan]],), {}, ValueError, "Input X contains NaN"),
    ],
)
def test_wrong_samples(given, options, error, text):
    with pytest.raises(error, match=text):
        ours.pairwise_distances(*given, **options)
