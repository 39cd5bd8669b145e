"""Which module has which model: by the module of scikit-learn's that has it there."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

# Public module: {name: module below this package}.
MODULES: dict[str, dict[str, str]] = {
    "cluster": {
        "AgglomerativeClustering": "cluster.agglomerative",
        "DBSCAN": "cluster.dbscan",
        "HDBSCAN": "cluster.hdbscan",
        "KMeans": "cluster.kmeans",
        "MiniBatchKMeans": "cluster.mini_batch",
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
        "Lasso": "linear_model.coordinate_descent",
        "LinearRegression": "linear_model.least_squares",
        "LogisticRegression": "linear_model.logistic",
        "Ridge": "linear_model.least_squares",
    },
    "manifold": {
        "TSNE": "manifold.tsne",
        "UMAP": "manifold.umap",
        "trustworthiness": "manifold.trustworthiness",
    },
    "metrics": {
        "accuracy_score": "metrics.classification",
        "adjusted_rand_score": "metrics.cluster_labels",
        "balanced_accuracy_score": "metrics.classification",
        "calinski_harabasz_score": "metrics.cluster_shape",
        "completeness_score": "metrics.cluster_labels",
        "confusion_matrix": "metrics.classification",
        "davies_bouldin_score": "metrics.cluster_shape",
        "euclidean_distances": "metrics.pairwise",
        "explained_variance_score": "metrics.regression",
        "f1_score": "metrics.scores",
        "fbeta_score": "metrics.scores",
        "homogeneity_completeness_v_measure": "metrics.cluster_labels",
        "homogeneity_score": "metrics.cluster_labels",
        "log_loss": "metrics.probabilities",
        "max_error": "metrics.regression",
        "mean_absolute_error": "metrics.regression",
        "mean_absolute_percentage_error": "metrics.regression",
        "mean_squared_error": "metrics.regression",
        "median_absolute_error": "metrics.regression",
        "mutual_info_score": "metrics.cluster_labels",
        "normalized_mutual_info_score": "metrics.cluster_labels",
        "pairwise_distances": "metrics.pairwise",
        "precision_recall_fscore_support": "metrics.scores",
        "precision_score": "metrics.scores",
        "r2_score": "metrics.regression",
        "rand_score": "metrics.cluster_labels",
        "recall_score": "metrics.scores",
        "roc_auc_score": "metrics.probabilities",
        "root_mean_squared_error": "metrics.regression",
        "silhouette_samples": "metrics.cluster_shape",
        "silhouette_score": "metrics.cluster_shape",
        "v_measure_score": "metrics.cluster_labels",
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
