"""Input that metrics refuse, or warn of, where scikit-learn does."""

import warnings

import numpy as np
import pytest
from phalanx._models.names import MODULES
from phalanx.ml import metrics as ours

pytest.importorskip("sklearn", minversion="1.7")

from sklearn import metrics as theirs
from sklearn.exceptions import UndefinedMetricWarning

NAN, INF = float("nan"), float("inf")

LABELS = (
    "accuracy_score",
    "balanced_accuracy_score",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "f1_score",
    "hamming_loss",
    "jaccard_score",
    "matthews_corrcoef",
    "multilabel_confusion_matrix",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "zero_one_loss",
)
CLUSTERS = (
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "completeness_score",
    "fowlkes_mallows_score",
    "homogeneity_completeness_v_measure",
    "homogeneity_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "pair_confusion_matrix",
    "rand_score",
    "v_measure_score",
)
NUMBERS = (
    "d2_absolute_error_score",
    "d2_pinball_score",
    "d2_tweedie_score",
    "explained_variance_score",
    "max_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_gamma_deviance",
    "mean_pinball_loss",
    "mean_poisson_deviance",
    "mean_squared_error",
    "mean_squared_log_error",
    "mean_tweedie_deviance",
    "median_absolute_error",
    "r2_score",
    "root_mean_squared_error",
    "root_mean_squared_log_error",
)
SCORES = (
    "average_precision_score",
    "brier_score_loss",
    "confusion_matrix_at_thresholds",
    "coverage_error",
    "d2_brier_score",
    "d2_log_loss_score",
    "dcg_score",
    "det_curve",
    "hinge_loss",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "log_loss",
    "ndcg_score",
    "precision_recall_curve",
    "roc_auc_score",
    "roc_curve",
    "top_k_accuracy_score",
)
OTHERS = {
    "additive_chi2_kernel",
    "auc",
    "calinski_harabasz_score",
    "chi2_kernel",
    "cosine_distances",
    "cosine_similarity",
    "davies_bouldin_score",
    "euclidean_distances",
    "fbeta_score",
    "haversine_distances",
    "laplacian_kernel",
    "linear_kernel",
    "manhattan_distances",
    "metric_at_thresholds",
    "nan_euclidean_distances",
    "paired_distances",
    "pairwise_distances",
    "pairwise_distances_argmin",
    "pairwise_distances_argmin_min",
    "pairwise_distances_chunked",
    "pairwise_kernels",
    "polynomial_kernel",
    "rbf_kernel",
    "sigmoid_kernel",
    "silhouette_samples",
    "silhouette_score",
}
# What is given to each metric of two arrays; each is right for some and wrong for others.
INPUT = {
    "right": ([1, 0, 1, 0], [1, 0, 0, 1]),
    "none": ([], []),
    "other lengths": ([1, 0, 1], [1, 0]),
    "nan": ([1.0, 0, 1], [NAN, 1, 0]),
    "nan in true": ([1.0, NAN, 0], [1.0, 1, 0]),
    "infinity": ([1.0, 0, 1], [INF, 1, 0]),
    "texts and numbers": ([0, 1, 0], ["0", "1", "0"]),
    "numbers and texts": (["a", "b", "a"], [1, 0, 1]),
    "texts": (["a", "b", "a", "c"], ["a", "b", "b", "a"]),
    "fractions": ([0, 1, 2, 1], [0.5, 1.25, 2.0, 0.1]),
    "fractions in true": ([0.5, 1.25, 2.0, 0.1], [0, 1, 2, 1]),
    "above 1": ([0, 1, 1, 0], [0.5, 1.75, 1, 0]),
    "columns": ([[1], [0], [1]], [1, 0, 0]),
    "one class": ([1, 1, 1], [1, 1, 1]),
    "one sample": ([1], [1]),
    "three dimensions": (np.zeros((2, 2, 2)), np.zeros((2, 2, 2))),
    "two targets": ([[1.5, 2], [2, 3.5], [1, 1]], [[1.0, 2], [2, 3], [2, 1]]),
    "none missing": (["a", None, "b"], ["a", "a", "b"]),
}
# Nothing at all is refused, where scikit-learn warns and gives NaN.
STRICTER = {("d2_brier_score", "none"), ("d2_log_loss_score", "none")}


def result(metric, arrays):
    """What a metric gives, or the class of what it raises, and whether it says "not defined"."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = metric(*arrays)
        except Exception as error:
            return type(error), None
    return made, any(each.category is UndefinedMetricWarning for each in caught)


@pytest.mark.parametrize("case", INPUT)
@pytest.mark.parametrize("name", [*LABELS, *CLUSTERS, *NUMBERS, *SCORES])
def test_input_is_taken_or_refused_as_by_scikit_learn(name, case):
    want, want_warning = result(getattr(theirs, name), INPUT[case])
    made, warning = result(getattr(ours, name), INPUT[case])
    if isinstance(want, type):
        # Other errors of scikit-learn are accidents: any result, or a ValueError, will do.
        is_meant = want is ValueError and (name, case) != ("mutual_info_score", "none")
        assert not is_meant or made is ValueError, f"taken, where scikit-learn raises {want}"
        return
    if (name, case) in STRICTER:
        assert made is ValueError
        return
    if made is ValueError and case == "texts and numbers":
        return  # "0" is read as a number by some of scikit-learn's, by none of ours
    assert not isinstance(made, type), f"refused, where scikit-learn gives {want}"
    if isinstance(want, str):
        assert made == want
    else:
        both = (each if isinstance(each, tuple) else (each,) for each in (made, want))
        for one, other in zip(*both, strict=True):
            if other is not None:
                np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    assert warning == want_warning


def test_all_metrics_are_in_a_table():
    assert {*LABELS, *CLUSTERS, *NUMBERS, *SCORES, *OTHERS} == set(MODULES["metrics"])


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("weight", [[1, 2], [1.0, NAN, 1, 2], [[1], [2], [1], [2]]])
def test_weights_that_are_refused(name, weight):
    if name == "max_error":
        return
    with pytest.raises(ValueError, match=r"sample_weight|inconsistent"):
        getattr(ours, name)([1.0, 2, 3, 4], [1.0, 3, 2, 4], sample_weight=weight)


@pytest.mark.parametrize(
    "weight", [[1, 1, 1, 1, 1], [1, 2, 0, 3, 2], [0, 0, 1, 1, 0], [5, 1, 1, 1, 2]]
)
@pytest.mark.parametrize("outputs", [1, 2])
def test_weighted_medians(weight, outputs):
    true = np.random.default_rng(0).normal(size=(5, outputs))
    given = (true, true**2)
    options = {"sample_weight": weight, "multioutput": "raw_values"}
    want = theirs.median_absolute_error(*given, **options)
    np.testing.assert_allclose(ours.median_absolute_error(*given, **options), want)


@pytest.mark.parametrize("name", ["precision_score", "recall_score", "f1_score"])
@pytest.mark.parametrize("true", [[0, 0, 1], [1, 1, 1], [0, 0, 0]])
@pytest.mark.parametrize("predicted", [[0, 0, 0], [1, 1, 1]])
def test_scores_warn_of_themselves(name, true, predicted):
    want = result(getattr(theirs, name), (true, predicted))
    assert result(getattr(ours, name), (true, predicted)) == want
