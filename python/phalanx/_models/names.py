"""Which module has which model: by the module of scikit-learn's that has it there."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

# Public module: {name: module below this package}.
MODULES: dict[str, dict[str, str]] = {
    "cluster": {
        "DBSCAN": "cluster.dbscan",
        "KMeans": "cluster.kmeans",
        "Selection": "cluster.selection",
        "select_k": "cluster.selection",
    },
    "decomposition": {
        "IncrementalPCA": "decomposition.incremental_pca",
        "PCA": "decomposition.pca",
        "TruncatedSVD": "decomposition.truncated_svd",
    },
    "linear_model": {
        "ElasticNet": "linear_model.coordinate_descent",
        "ElasticNetCV": "linear_model.lasso_cv",
        "Lasso": "linear_model.coordinate_descent",
        "LassoCV": "linear_model.lasso_cv",
        "LinearRegression": "linear_model.least_squares",
        "LogisticRegression": "linear_model.logistic",
        "Perceptron": "linear_model.sgd_classifier",
        "Ridge": "linear_model.least_squares",
        "RidgeCV": "linear_model.ridge_cv",
        "RidgeClassifier": "linear_model.ridge_cv",
        "SGDClassifier": "linear_model.sgd_classifier",
        "SGDRegressor": "linear_model.sgd_regressor",
    },
    "metrics": {
        "accuracy_score": "metrics.classification",
        "adjusted_mutual_info_score": "metrics.cluster_labels",
        "adjusted_rand_score": "metrics.cluster_labels",
        "auc": "metrics.rankings",
        "average_precision_score": "metrics.ranking_scores",
        "balanced_accuracy_score": "metrics.classification",
        "brier_score_loss": "metrics.probabilities",
        "calinski_harabasz_score": "metrics.cluster_shape",
        "classification_report": "metrics.agreement",
        "cohen_kappa_score": "metrics.agreement",
        "completeness_score": "metrics.cluster_labels",
        "confusion_matrix": "metrics.classification",
        "cosine_distances": "metrics.pairwise",
        "cosine_similarity": "metrics.pairwise_kernels",
        "d2_absolute_error_score": "metrics.deviances",
        "d2_brier_score": "metrics.probabilities",
        "d2_log_loss_score": "metrics.probabilities",
        "d2_pinball_score": "metrics.deviances",
        "d2_tweedie_score": "metrics.deviances",
        "davies_bouldin_score": "metrics.cluster_shape",
        "det_curve": "metrics.rankings",
        "euclidean_distances": "metrics.pairwise",
        "explained_variance_score": "metrics.regression",
        "f1_score": "metrics.scores",
        "fbeta_score": "metrics.scores",
        "fowlkes_mallows_score": "metrics.cluster_labels",
        "hamming_loss": "metrics.agreement",
        "hinge_loss": "metrics.probabilities",
        "homogeneity_completeness_v_measure": "metrics.cluster_labels",
        "homogeneity_score": "metrics.cluster_labels",
        "jaccard_score": "metrics.agreement",
        "laplacian_kernel": "metrics.pairwise_kernels",
        "linear_kernel": "metrics.pairwise_kernels",
        "log_loss": "metrics.probabilities",
        "manhattan_distances": "metrics.pairwise",
        "matthews_corrcoef": "metrics.agreement",
        "max_error": "metrics.regression",
        "mean_absolute_error": "metrics.regression",
        "mean_absolute_percentage_error": "metrics.regression",
        "mean_gamma_deviance": "metrics.deviances",
        "mean_pinball_loss": "metrics.deviances",
        "mean_poisson_deviance": "metrics.deviances",
        "mean_squared_error": "metrics.regression",
        "mean_squared_log_error": "metrics.deviances",
        "mean_tweedie_deviance": "metrics.deviances",
        "median_absolute_error": "metrics.regression",
        "mutual_info_score": "metrics.cluster_labels",
        "normalized_mutual_info_score": "metrics.cluster_labels",
        "pair_confusion_matrix": "metrics.cluster_labels",
        "pairwise_distances": "metrics.pairwise",
        "pairwise_kernels": "metrics.pairwise_kernels",
        "polynomial_kernel": "metrics.pairwise_kernels",
        "precision_recall_curve": "metrics.rankings",
        "precision_recall_fscore_support": "metrics.scores",
        "precision_score": "metrics.scores",
        "r2_score": "metrics.regression",
        "rand_score": "metrics.cluster_labels",
        "rbf_kernel": "metrics.pairwise_kernels",
        "recall_score": "metrics.scores",
        "roc_auc_score": "metrics.ranking_scores",
        "roc_curve": "metrics.rankings",
        "root_mean_squared_error": "metrics.regression",
        "root_mean_squared_log_error": "metrics.deviances",
        "sigmoid_kernel": "metrics.pairwise_kernels",
        "silhouette_samples": "metrics.cluster_shape",
        "silhouette_score": "metrics.cluster_shape",
        "top_k_accuracy_score": "metrics.ranking_scores",
        "v_measure_score": "metrics.cluster_labels",
        "zero_one_loss": "metrics.agreement",
    },
    "naive_bayes": {
        "BernoulliNB": "naive_bayes.discrete",
        "CategoricalNB": "naive_bayes.categorical",
        "ComplementNB": "naive_bayes.discrete",
        "GaussianNB": "naive_bayes.gaussian",
        "MultinomialNB": "naive_bayes.discrete",
    },
    "neighbors": {
        "KNeighborsClassifier": "neighbors.supervised",
        "KNeighborsRegressor": "neighbors.supervised",
        "KernelDensity": "neighbors.density",
        "NearestNeighbors": "neighbors.unsupervised",
    },
    "preprocessing": {
        "LabelEncoder": "preprocessing.label_encoder",
        "MaxAbsScaler": "preprocessing.range_scalers",
        "MinMaxScaler": "preprocessing.range_scalers",
        "Normalizer": "preprocessing.normalizer",
        "OneHotEncoder": "preprocessing.one_hot_encoder",
        "OrdinalEncoder": "preprocessing.ordinal_encoder",
        "PolynomialFeatures": "preprocessing.polynomial",
        "RobustScaler": "preprocessing.robust_scaler",
        "StandardScaler": "preprocessing.standard_scaler",
    },
    "svm": {
        "LinearSVC": "svm.linear",
        "LinearSVR": "svm.linear",
        "NuSVC": "svm.classifiers",
        "NuSVR": "svm.regressors",
        "OneClassSVM": "svm.regressors",
        "SVC": "svm.classifiers",
        "SVR": "svm.regressors",
    },
    "random_projection": {
        "GaussianRandomProjection": "random_projection",
        "SparseRandomProjection": "random_projection",
        "johnson_lindenstrauss_min_dim": "random_projection",
    },
}


def find(module: str, name: str) -> Any:
    """What a public module has under a name. Raises AttributeError, with the names there are."""
    table = MODULES[module]
    if name not in table:
        raise AttributeError(
            f"module 'phalanx.ml.{module}' has no attribute {name!r}; it has "
            f"{', '.join(sorted(table))}"
        )
    return getattr(importlib.import_module(f".{table[name]}", __package__), name)


def module_of(name: str) -> str | None:
    """The public module that has a name."""
    return next((module for module, table in MODULES.items() if name in table), None)


def public(module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a public module."""
    return lambda name: find(module, name), lambda: sorted(MODULES[module])
