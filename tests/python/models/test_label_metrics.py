"""Metrics of several labels, of rankings, and distances of pairs against scikit-learn's."""

import warnings

import numpy as np
import pytest
from phalanx.ml import metrics as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.metrics")
pairwise = pytest.importorskip("sklearn.metrics.pairwise")

RANDOM = np.random.default_rng(11)
COUNT = 40
TRUE, PREDICTED = RANDOM.integers(0, 2, (2, COUNT, 5))
TRUE[0], TRUE[1], PREDICTED[2] = 0, 1, 0
TRUE[:, 4] = PREDICTED[:, 4] = 0
SCORES = {
    "any": RANDOM.normal(size=(COUNT, 5)),
    "ties": RANDOM.integers(0, 3, (COUNT, 5)) / 2,
    "constant": np.ones((COUNT, 5)),
}
GAINS = {
    "labels": TRUE,
    "counts": RANDOM.integers(0, 6, (COUNT, 5)),
    "numbers": RANDOM.gamma(2, size=(COUNT, 5)),
}
WEIGHT = RANDOM.integers(0, 3, COUNT)
weighted = pytest.mark.parametrize("weight", [None, WEIGHT, WEIGHT / 3], ids=["", "int", "float"])


def same(name, *given, module=theirs, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found, expected = (getattr(each, name)(*given, **options) for each in (ours, module))
    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    for one, two in zip(found, expected, strict=True):
        assert np.shape(one) == np.shape(two)
        if two is not None:
            np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-12)
            # Counts times whole weights are whole numbers of some of scikit-learn's only.
            if options.get("sample_weight") is not WEIGHT:
                assert np.asarray(one).dtype == np.asarray(two).dtype


@weighted
@pytest.mark.parametrize("case", SCORES)
def test_rankings_of_labels(case, weight):
    for name in ("coverage_error", "label_ranking_loss", "label_ranking_average_precision_score"):
        same(name, TRUE, SCORES[case], sample_weight=weight)
        same(name, TRUE[3:4], SCORES[case][3:4])


@weighted
@pytest.mark.parametrize("gains", GAINS)
@pytest.mark.parametrize("case", SCORES)
@pytest.mark.parametrize("k", [None, 1, 3, 9])
def test_discounted_gains(case, gains, k, weight):
    for ignore in (False, True):
        options = {"k": k, "sample_weight": weight, "ignore_ties": ignore}
        same("ndcg_score", GAINS[gains], SCORES[case], **options)
        for base in (2, np.e, 10):
            same("dcg_score", GAINS[gains], SCORES[case], log_base=base, **options)


@weighted
@pytest.mark.parametrize("labels", [None, [3, 1], [4]])
def test_tables_of_labels(labels, weight):
    options = {"labels": labels, "sample_weight": weight}
    for samplewise in (False, True):
        name = "multilabel_confusion_matrix"
        same(name, TRUE, PREDICTED, samplewise=samplewise, **options)
    same("multilabel_confusion_matrix", TRUE[:, 0], PREDICTED[:, 0], sample_weight=weight)
    classes = TRUE[:, :2] @ [1, 2]
    same("multilabel_confusion_matrix", classes, PREDICTED[:, 1:3] @ [1, 2], **options)
    texts = np.array(list("abcd"))
    given = texts[classes], texts[PREDICTED[:, 1:3] @ [1, 2]]
    same("multilabel_confusion_matrix", *given, labels=["c", "x"], sample_weight=weight)


@weighted
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples", None])
@pytest.mark.parametrize("nothing", [0, 1, "warn"])
def test_scores_of_labels(average, nothing, weight):
    options = {"average": average, "zero_division": nothing, "sample_weight": weight}
    for name in ("precision_score", "recall_score", "f1_score", "jaccard_score"):
        for labels in (None, [0, 2]):
            same(name, TRUE, PREDICTED, labels=labels, **options)
    same("fbeta_score", TRUE, PREDICTED, beta=0.5, **options)
    same("precision_recall_fscore_support", TRUE, PREDICTED, **options)


@weighted
@pytest.mark.parametrize("options", [{}, {"labels": [3, 0]}, {"digits": 4}], ids=str)
def test_reports_of_labels(options, weight):
    weight = None if weight is None else np.round(weight)
    options = {"zero_division": 0, "sample_weight": weight, **options}
    found, expected = (
        each.classification_report(TRUE, PREDICTED, **options) for each in (ours, theirs)
    )
    assert found == expected


@weighted
@pytest.mark.parametrize("column", range(4))
@pytest.mark.parametrize("instead", [np.nan, 1.0, {"LR+": np.inf, "LR-": 0.0}], ids=str)
def test_likelihood_ratios(column, instead, weight):
    options = {"sample_weight": weight, "replace_undefined_by": instead}
    same("class_likelihood_ratios", TRUE[:, column], PREDICTED[:, column], **options)
    same("class_likelihood_ratios", TRUE[:, 0], TRUE[:, 0], **options)
    same("class_likelihood_ratios", TRUE[:, 0], 1 - TRUE[:, 0], **options)
    same("class_likelihood_ratios", TRUE[:, 0], np.ones(COUNT, int), **options)
    given = TRUE[:, 4], PREDICTED[:, 0]
    same("class_likelihood_ratios", *given, **options)
    texts = np.array(["no", "yes"])
    given = texts[TRUE[:, column]], texts[PREDICTED[:, column]]
    same("class_likelihood_ratios", *given, labels=["yes", "no"], **options)


@weighted
@pytest.mark.parametrize("case", SCORES)
def test_thresholds(case, weight):
    score = SCORES[case][:, 0]
    given = TRUE[:, 0], score
    same("confusion_matrix_at_thresholds", *given, sample_weight=weight)
    same("confusion_matrix_at_thresholds", *given, pos_label=0, sample_weight=weight)
    for metric in ("accuracy_score", "precision_recall_fscore_support"):
        found, expected = (
            each.metric_at_thresholds(
                *given,
                getattr(theirs, metric),
                sample_weight=weight,
                metric_params={"average": "macro"} if metric[0] == "p" else None,
            )
            for each in (ours, theirs)
        )
        np.testing.assert_allclose(found[1], expected[1])
        # `support` of an average is None.
        one, two = (np.asarray(each[0], float) for each in (found, expected))
        np.testing.assert_allclose(one, two)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_kernels_of_histograms(dtype, device):
    one, other = (RANDOM.integers(0, 5, (each, 6)).astype(dtype) for each in (9, 4))
    for name in ("additive_chi2_kernel", "chi2_kernel"):
        for given in ((one, other), (one,)):
            expected = getattr(pairwise, name)(*given)
            found = getattr(ours, name)(*(px.asarray(each) for each in given))
            assert isinstance(found, px.ndarray)
            assert found.dtype == expected.dtype
            np.testing.assert_allclose(found, expected, rtol=1e-5)
    expected = pairwise.pairwise_kernels(one, other, metric="chi2", gamma=0.2)
    np.testing.assert_allclose(
        ours.pairwise_kernels(one, other, metric="chi2", gamma=0.2), expected, rtol=1e-5
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("missing", [np.nan, -1])
@pytest.mark.parametrize("squared", [False, True])
def test_distances_with_gaps(dtype, missing, squared):
    one, other = (RANDOM.integers(0, 9, (each, 5)).astype(dtype) for each in (12, 7))
    for each in (one, other):
        each[RANDOM.random(each.shape) < 0.4] = missing
    one[0] = missing
    for given in ((one, other), (one,)):
        expected = theirs.nan_euclidean_distances(*given, missing_values=missing, squared=squared)
        found = ours.nan_euclidean_distances(*given, missing_values=missing, squared=squared)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine", "sqeuclidean", "chebyshev"])
@pytest.mark.parametrize("axis", [0, 1])
def test_nearest_of_pairs(metric, axis, device):
    one, other = RANDOM.normal(size=(30, 4)), RANDOM.normal(size=(20, 4))
    rows, distances = ours.pairwise_distances_argmin_min(
        px.asarray(one), px.asarray(other), metric=metric, axis=axis
    )
    whole = theirs.pairwise_distances(one, other, metric=metric)
    np.testing.assert_array_equal(rows, whole.argmin(axis=axis))
    np.testing.assert_allclose(distances, whole.min(axis=axis), atol=1e-12)
    only = ours.pairwise_distances_argmin(one, other, metric=metric, axis=axis)
    np.testing.assert_array_equal(only, rows)
    parts = [*ours.pairwise_distances_chunked(one, other, metric=metric, working_memory=0.001)]
    assert len(parts) > 1
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-12)
    half = other[:20], one[:20]
    found = ours.paired_distances(*half, metric=metric)
    np.testing.assert_allclose(found, np.diag(ours.pairwise_distances(*half, metric)), atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1])
def test_samples_of_length_0_are_at_right_angles_to_all(axis, device):
    one, other = np.array([[0.0, 0], [1, 0], [0, 1]]), np.array([[-1, 0.1], [0, 0], [-3, -1]])
    given = {"metric": "cosine", "axis": axis}
    rows, distances = ours.pairwise_distances_argmin_min(
        px.asarray(one), px.asarray(other), **given
    )
    expected = theirs.pairwise_distances_argmin_min(one, other, **given)
    np.testing.assert_array_equal(rows, expected[0])
    np.testing.assert_allclose(distances, expected[1], atol=1e-12)


def test_parts_of_distances_are_reduced():
    one = RANDOM.normal(size=(30, 3))
    given = {"reduce_func": lambda part, first: part.sum(axis=1) + first, "working_memory": 0.001}
    found, expected = ([*each.pairwise_distances_chunked(one, **given)] for each in (ours, theirs))
    assert len(found) == len(expected) > 1
    for part, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(part, other)


def test_angles_on_a_sphere():
    one, other = RANDOM.uniform(-1.5, 1.5, (8, 2)), RANDOM.uniform(-1.5, 1.5, (5, 2))
    for given in ((one, other), (one,)):
        expected = pairwise.haversine_distances(*given)
        np.testing.assert_allclose(ours.haversine_distances(*given), expected, atol=1e-7)


@pytest.mark.parametrize(
    ("name", "given", "options", "text"),
    [
        ("ndcg_score", ([[1, 2]], [[1, 2, 3]]), {}, "different shape|inconsistent"),
        ("ndcg_score", ([[-1.5, 2]], [[1, 2]]), {}, "negative"),
        ("ndcg_score", ([[1.5], [2]], [[1], [2]]), {}, "more than 1|formats"),
        ("ndcg_score", ([1, 2, 3], [1, 2, 3]), {}, "formats"),
        ("ndcg_score", ([[1, 2]], [[1, 2]]), {"k": 0}, "k"),
        ("dcg_score", ([[1, 2]], [[1, 2]]), {"log_base": 0}, "log_base"),
        ("dcg_score", ([[1, 2]], [[1, np.nan]]), {}, "NaN"),
        ("coverage_error", ([0, 1], [0.5, 1]), {}, "not supported"),
        ("label_ranking_loss", (TRUE, SCORES["any"][:, :3]), {}, "different shape"),
        ("label_ranking_loss", ([[0, 2, 1]], [[0.5, 1, 2]]), {}, "not supported"),
        ("multilabel_confusion_matrix", (TRUE, PREDICTED), {"labels": [5]}, "All labels"),
        ("multilabel_confusion_matrix", ([0, 1], [1, 1]), {"samplewise": True}, "Samplewise"),
        ("f1_score", (TRUE, PREDICTED), {}, "multilabel-indicator"),
        ("f1_score", ([0, 1], [1, 1]), {"average": "samples"}, "Samplewise"),
        ("class_likelihood_ratios", ([0, 1, 2], [0, 1, 1]), {}, "binary"),
        ("class_likelihood_ratios", ([0, 0], [0, 0]), {}, "two classes|unpack"),
        ("nan_euclidean_distances", ([[1.0, np.inf]],), {}, "infinity"),
        ("pairwise_distances_argmin_min", ([[1.0]], [[1.0, 2]]), {}, "dimension"),
    ],
)
def test_wrong_input(name, given, options, text):
    with pytest.raises(ValueError, match=text):
        getattr(ours, name)(*given, **options)
    with pytest.raises(ValueError, match=r"."):
        getattr(theirs, name)(*given, **options)


@pytest.mark.parametrize("instead", [2.0, "1", {"LR+": 0.5, "LR-": 0}, {"LR+": 2}])
def test_wrong_replacements(instead):
    with pytest.raises(ValueError, match="replace_undefined_by"):
        ours.class_likelihood_ratios([0, 1], [0, 1], replace_undefined_by=instead)


def test_scorers_are_scikit_learns():
    assert ours.make_scorer is theirs.make_scorer
    assert ours.get_scorer("f1") is not None
