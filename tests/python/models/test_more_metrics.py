"""Curves, deviances, agreements and kernels against scikit-learn's."""

import numpy as np
import pytest
from phalanx.ml import metrics as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.metrics")
pairwise = pytest.importorskip("sklearn.metrics.pairwise")

RANDOM = np.random.default_rng(3)
COUNT = 60
TWO, OTHER_TWO = RANDOM.integers(0, 2, size=(2, COUNT))
FOUR, OTHER_FOUR = RANDOM.integers(0, 4, size=(2, COUNT))
SCORES = {
    "any": RANDOM.normal(size=COUNT),
    "ties": np.round(RANDOM.random(COUNT), 1),
    "constant": np.zeros(COUNT),
    "separate": TWO + RANDOM.random(COUNT) / 2,
}
CHANCES = RANDOM.dirichlet(np.ones(4), size=COUNT)
LABELS = RANDOM.random((COUNT, 3)) < 0.4
WEIGHT = RANDOM.random(COUNT)
weighted = pytest.mark.parametrize("weight", [None, WEIGHT], ids=["", "weighted"])


def both(name, *given, near=1e-10, **options):
    found, expected = (getattr(each, name)(*given, **options) for each in (ours, theirs))
    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    assert len(found) == len(expected)
    for one, two in zip(found, expected, strict=True):
        assert np.shape(one) == np.shape(two)
        np.testing.assert_allclose(one, two, atol=near)


@weighted
@pytest.mark.parametrize("case", SCORES)
def test_curves(case, weight):
    options = {"sample_weight": weight}
    score = SCORES[case]
    for drop in (False, True):
        for name in ("roc_curve", "det_curve"):
            both(name, TWO, score, drop_intermediate=drop, **options)
        both("precision_recall_curve", TWO, score, drop_intermediate=drop, **options)
    both("roc_curve", np.where(TWO, "a", "b"), score, pos_label="a", **options)
    both("average_precision_score", TWO, score, **options)
    both("average_precision_score", np.where(TWO, "a", "b"), score, pos_label="b", **options)
    for most in (None, 0.1, 0.5, 1.0):
        both("roc_auc_score", TWO, score, max_fpr=most, **options)


@weighted
@pytest.mark.parametrize("average", ["macro", "weighted", "micro", None])
def test_several_classes(average, weight):
    both("roc_auc_score", FOUR, CHANCES, multi_class="ovr", average=average, sample_weight=weight)
    if average in ("macro", "weighted") and weight is None:
        both("roc_auc_score", FOUR, CHANCES, multi_class="ovo", average=average)
        texts = np.array(list("abcd"))[FOUR]
        both("roc_auc_score", texts, CHANCES, multi_class="ovo", average=average)
    for name in ("roc_auc_score", "average_precision_score"):
        both(name, LABELS.astype(int), CHANCES[:, :3], average=average, sample_weight=weight)
    both("average_precision_score", FOUR, CHANCES, average=average, sample_weight=weight)


def test_labels_of_samples():
    labels = LABELS.copy()
    labels[:, 0], labels[:, 1] = True, False
    both("roc_auc_score", labels.astype(int), CHANCES[:, :3], average="samples")
    both("average_precision_score", labels.astype(int), CHANCES[:, :3], average="samples")


@weighted
@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_highest_scores(k, normalize, weight):
    options = {"k": k, "normalize": normalize, "sample_weight": weight}
    both("top_k_accuracy_score", FOUR, CHANCES, **options)
    both("top_k_accuracy_score", FOUR, np.round(CHANCES, 1), **options)
    both("top_k_accuracy_score", np.minimum(FOUR, 2), CHANCES, labels=[0, 1, 2, 3], **options)
    if k == 1:
        for case in ("any", "ties"):
            both("top_k_accuracy_score", TWO, SCORES[case], **options)


@weighted
def test_probabilities(weight):
    options = {"sample_weight": weight}
    share = CHANCES[:, 0]
    for pos in (None, 0, 1):
        both("brier_score_loss", TWO, share, pos_label=pos, **options)
    for half in (True, False, "auto"):
        both("brier_score_loss", TWO, share, scale_by_half=half, **options)
        both("brier_score_loss", FOUR, CHANCES, scale_by_half=half, **options)
    both("brier_score_loss", np.minimum(FOUR, 2), CHANCES, labels=[0, 1, 2, 3], **options)
    both("d2_brier_score", TWO, share, **options)
    both("d2_brier_score", FOUR, CHANCES, **options)
    both("d2_log_loss_score", TWO, share, **options)
    both("d2_log_loss_score", FOUR, CHANCES, **options)
    both("log_loss", np.ones(COUNT, int), share, labels=[0, 1], **options)
    both("log_loss", TWO, TWO.astype("float32"), **options)
    both("log_loss", TWO, 1 - TWO, **options)
    both("hinge_loss", TWO, SCORES["any"], **options)
    both("hinge_loss", FOUR, np.log(CHANCES), **options)
    both("hinge_loss", np.minimum(FOUR, 2), CHANCES, labels=[0, 1, 2, 3], **options)


@weighted
@pytest.mark.parametrize("case", ["two", "four", "texts"])
def test_agreements(case, weight):
    true, predicted = (TWO, OTHER_TWO) if case == "two" else (FOUR, OTHER_FOUR)
    if case == "texts":
        true, predicted = (np.array(list("abcd"))[each] for each in (true, predicted))
    options = {"sample_weight": weight}
    both("matthews_corrcoef", true, predicted, **options)
    for weights in (None, "linear", "quadratic"):
        both("cohen_kappa_score", true, predicted, weights=weights, **options)
    both("zero_one_loss", true, predicted, **options)
    both("zero_one_loss", true, predicted, normalize=False, **options)
    both("hamming_loss", true, predicted, **options)
    for average in ("micro", "macro", "weighted", None):
        both("jaccard_score", true, predicted, average=average, **options)
    if case == "two":
        both("jaccard_score", true, predicted, **options)
        both("hamming_loss", LABELS, ~LABELS, **options)


@pytest.mark.filterwarnings("ignore")
@weighted
@pytest.mark.parametrize(
    "options", [{}, {"digits": 4}, {"labels": [2, 0]}, {"target_names": list("wxyz")}], ids=str
)
def test_reports(options, weight):
    # Weights whose sums are exact: they are printed in full.
    options = {**options, "sample_weight": None if weight is None else np.round(weight * 4) / 4}
    found, expected = (
        each.classification_report(FOUR, OTHER_FOUR, **options) for each in (ours, theirs)
    )
    assert found == expected
    found, expected = (
        each.classification_report(FOUR, OTHER_FOUR, output_dict=True, **options)
        for each in (ours, theirs)
    )
    assert list(found) == list(expected)
    for name, row in expected.items():
        assert found[name] == pytest.approx(row)


@weighted
@pytest.mark.parametrize("columns", [None, 2])
def test_numbers(columns, weight):
    shape = (COUNT, columns) if columns else COUNT
    true, predicted = np.random.default_rng(4).gamma(2, 2, size=(2, *np.atleast_1d(shape)))
    options = {"sample_weight": weight}
    for multioutput in ("uniform_average", "raw_values"):
        several = {"multioutput": multioutput, **options}
        for alpha in (0.0, 0.2, 0.5, 1.0):
            both("mean_pinball_loss", true, predicted, alpha=alpha, **several)
        for alpha in (0.2, 0.5):
            both("d2_pinball_score", true, predicted, alpha=alpha, **several)
        both("d2_absolute_error_score", true, predicted, **several)
        both("mean_squared_log_error", true, predicted, **several)
        both("root_mean_squared_log_error", true, predicted, **several)
        both("r2_score", true, predicted, **several)
    both("r2_score", true, predicted, multioutput="variance_weighted", **options)
    with np.errstate(all="ignore"):
        both("r2_score", np.ones(COUNT), np.ones(COUNT), force_finite=False)
    if columns is None:
        for power in (-1.5, 0, 1, 1.5, 2, 3):
            both("mean_tweedie_deviance", true, predicted, power=power, **options)
            both("d2_tweedie_score", true, predicted, power=power, **options)
        counts = np.floor(true)
        both("mean_poisson_deviance", counts, predicted, **options)
        both("mean_gamma_deviance", true, predicted, **options)


@pytest.mark.parametrize("method", ["min", "max", "arithmetic", "geometric"])
@pytest.mark.parametrize(
    "labels",
    [
        (FOUR, OTHER_FOUR),
        (FOUR, FOUR),
        (np.zeros(COUNT), FOUR),
        (np.arange(COUNT) // 2, FOUR),
        (np.zeros(1), np.zeros(1)),
    ],
)
def test_clusterings(labels, method):
    both("adjusted_mutual_info_score", *labels, average_method=method)
    both("fowlkes_mallows_score", *labels)
    both("pair_confusion_matrix", *labels)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("linear", {}),
        ("cosine", {}),
        ("rbf", {}),
        ("rbf", {"gamma": 0.3}),
        ("laplacian", {"gamma": 0.1}),
        ("polynomial", {"degree": 2, "coef0": 0.5}),
        ("sigmoid", {"gamma": 0.05}),
    ],
)
def test_kernels(metric, options, dtype):
    one, other = (RANDOM.normal(size=(each, 3)).astype(dtype) for each in (12, 7))
    one[2] = 0
    for given in ((one, other), (one,)):
        found = ours.pairwise_kernels(*given, metric=metric, **options)
        expected = pairwise.pairwise_kernels(*given, metric=metric, **options)
        assert found.dtype == (expected.dtype if metric != "laplacian" else dtype)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    mine = ours.pairwise_kernels(px.asarray(one), px.asarray(other), metric=metric, **options)
    assert isinstance(mine, px.ndarray)


def test_kernels_of_functions_and_none():
    one, other = RANDOM.normal(size=(5, 3)), RANDOM.normal(size=(4, 3))
    found = ours.pairwise_kernels(one, other, metric=lambda a, b: float(a @ b))
    np.testing.assert_allclose(found, one @ other.T)
    assert ours.pairwise_kernels(one, metric="precomputed") is one
    given = {"metric": "rbf", "degree": 3, "gamma": 0.1, "filter_params": True}
    expected = pairwise.pairwise_kernels(one, **given)
    np.testing.assert_allclose(ours.pairwise_kernels(one, **given), expected)
    for name in ("cosine_distances", "manhattan_distances", "rbf_kernel", "cosine_similarity"):
        expected = getattr(pairwise, name)(one, other)
        np.testing.assert_allclose(getattr(ours, name)(one, other), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "given", "options", "error", "text"),
    [
        ("auc", ([0, 1], [0]), {}, ValueError, "inconsistent numbers"),
        ("auc", ([0], [0]), {}, ValueError, "At least 2 points"),
        ("auc", ([0, 2, 1], [0, 1, 2]), {}, ValueError, "neither increasing nor decreasing"),
        ("roc_curve", ([0, 1, 2], [1, 2, 3]), {}, ValueError, "multiclass format"),
        ("roc_curve", (["a", "b"], [1, 2]), {}, ValueError, "pos_label is not specified"),
        ("roc_curve", ([0, 1], [1, np.nan]), {}, ValueError, "contains NaN"),
        ("roc_curve", ([], []), {}, ValueError, "0 sample"),
        ("det_curve", ([1, 1], [1, 2]), {}, ValueError, "Only one class"),
        ("roc_auc_score", (FOUR, CHANCES), {}, ValueError, "multi_class must be in"),
        ("roc_auc_score", (FOUR, CHANCES * 2), {"multi_class": "ovr"}, ValueError, "sum up to 1"),
        ("roc_auc_score", (TWO, SCORES["any"]), {"max_fpr": 2.0}, ValueError, "max_fpr"),
        ("roc_auc_score", (TWO, CHANCES), {"multi_class": "ovr"}, ValueError, "not equal to"),
        ("log_loss", (TWO, CHANCES[:, 0] + 1), {}, ValueError, r"\[0, 1\]"),
        ("brier_score_loss", (FOUR, CHANCES[:, 0]), {}, ValueError, "multiclass"),
        ("hinge_loss", (FOUR, CHANCES[:, :2]), {}, ValueError, "all labels"),
        ("cohen_kappa_score", (TWO, TWO), {"weights": "x"}, ValueError, "weights"),
        ("mean_pinball_loss", ([1.0], [1.0]), {"alpha": 2.0}, ValueError, "alpha"),
        ("mean_tweedie_deviance", ([1.0], [-1.0]), {"power": 2}, ValueError, "strictly positive"),
        ("mean_tweedie_deviance", ([1.0], [1.0]), {"power": 0.5}, ValueError, "Tweedie|power"),
        ("mean_squared_log_error", ([-2.0], [1.0]), {}, ValueError, "-1"),
        ("classification_report", (TWO, TWO), {"target_names": ["a"]}, ValueError, "target_names"),
        ("top_k_accuracy_score", (FOUR, CHANCES[:, :2]), {}, ValueError, "Number of classes"),
    ],
)
def test_wrong_input(name, given, options, error, text):
    with pytest.raises(error, match=text):
        getattr(ours, name)(*given, **options)
    with pytest.raises(error):
        getattr(theirs, name)(*given, **options)


def test_what_is_not_defined_warns():
    with pytest.warns(UserWarning, match="Only one class"):
        assert np.isnan(ours.roc_auc_score([1, 1], [0.1, 0.2]))
    with pytest.warns(UserWarning, match="less than two samples"):
        assert np.isnan(ours.d2_tweedie_score([1.0], [1.0]))
    with pytest.warns(UserWarning, match="do not sum to one"):
        ours.log_loss(FOUR, CHANCES / 2)
    with pytest.raises(ValueError, match="negative values"):
        ours.pairwise_kernels(-CHANCES, metric="chi2")
    with pytest.raises(ValueError, match="Unknown kernel"):
        ours.pairwise_kernels(CHANCES, metric="yule")
