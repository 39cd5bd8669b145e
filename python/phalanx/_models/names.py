"""Which module has which model: by the module of scikit-learn's that has it there."""

from __future__ import annotations

import importlib
import importlib.util
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
    "datasets": {
        "make_blobs": "datasets.blobs",
        "make_circles": "datasets.shapes",
        "make_classification": "datasets.classification",
        "make_friedman1": "datasets.regression",
        "make_friedman2": "datasets.regression",
        "make_friedman3": "datasets.regression",
        "make_gaussian_quantiles": "datasets.blobs",
        "make_hastie_10_2": "datasets.blobs",
        "make_low_rank_matrix": "datasets.regression",
        "make_moons": "datasets.shapes",
        "make_multilabel_classification": "datasets.classification",
        "make_regression": "datasets.regression",
        "make_s_curve": "datasets.shapes",
        "make_sparse_uncorrelated": "datasets.regression",
        "make_spd_matrix": "datasets.regression",
        "make_swiss_roll": "datasets.shapes",
    },
    "decomposition": {
        "IncrementalPCA": "decomposition.incremental_pca",
        "PCA": "decomposition.pca",
        "TruncatedSVD": "decomposition.truncated_svd",
    },
    "ensemble": {
        "ExtraTreesClassifier": "ensemble.forest_classifiers",
        "ExtraTreesRegressor": "ensemble.forest_regressors",
        "HistGradientBoostingClassifier": "ensemble.boosting.models",
        "HistGradientBoostingRegressor": "ensemble.boosting.models",
        "IsolationForest": "ensemble.isolation",
        "RandomForestClassifier": "ensemble.forest_classifiers",
        "RandomForestRegressor": "ensemble.forest_regressors",
    },
    "feature_extraction": {
        "DictVectorizer": "feature_extraction.dict_vectorizer",
        "FeatureHasher": "feature_extraction.hashing",
    },
    "feature_extraction.text": {
        "CountVectorizer": "feature_extraction.count_vectorizer",
        "HashingVectorizer": "feature_extraction.hashing",
        "TfidfTransformer": "feature_extraction.tfidf",
        "TfidfVectorizer": "feature_extraction.tfidf",
        "strip_accents_ascii": "feature_extraction.analysis",
        "strip_accents_unicode": "feature_extraction.analysis",
    },
    "impute": {
        "KNNImputer": "impute.knn_imputer",
        "MissingIndicator": "impute.indicator",
        "SimpleImputer": "impute.simple_imputer",
    },
    "linear_model": {
        "ElasticNet": "linear_model.coordinate_descent",
        "ElasticNetCV": "linear_model.lasso_cv",
        "Lasso": "linear_model.coordinate_descent",
        "LassoCV": "linear_model.lasso_cv",
        "LinearRegression": "linear_model.least_squares",
        "LogisticRegression": "linear_model.logistic",
        "LogisticRegressionCV": "linear_model.logistic_cv",
        "Perceptron": "linear_model.sgd_classifier",
        "Ridge": "linear_model.least_squares",
        "RidgeCV": "linear_model.ridge_cv",
        "RidgeClassifier": "linear_model.ridge_cv",
        "SGDClassifier": "linear_model.sgd_classifier",
        "SGDRegressor": "linear_model.sgd_regressor",
    },
    "manifold": {
        "TSNE": "manifold.tsne",
        "UMAP": "manifold.umap",
        "trustworthiness": "manifold.trustworthiness",
    },
    "metrics": {
        "accuracy_score": "metrics.classification",
        "additive_chi2_kernel": "metrics.pairwise_kernels",
        "adjusted_mutual_info_score": "metrics.cluster_labels",
        "adjusted_rand_score": "metrics.cluster_labels",
        "auc": "metrics.rankings",
        "average_precision_score": "metrics.ranking_scores",
        "balanced_accuracy_score": "metrics.classification",
        "brier_score_loss": "metrics.probabilities",
        "calinski_harabasz_score": "metrics.cluster_shape",
        "chi2_kernel": "metrics.pairwise_kernels",
        "class_likelihood_ratios": "metrics.likelihood_ratios",
        "classification_report": "metrics.agreement",
        "cohen_kappa_score": "metrics.agreement",
        "completeness_score": "metrics.cluster_labels",
        "confusion_matrix": "metrics.classification",
        "confusion_matrix_at_thresholds": "metrics.rankings",
        "cosine_distances": "metrics.pairwise",
        "cosine_similarity": "metrics.pairwise_kernels",
        "coverage_error": "metrics.label_rankings",
        "d2_absolute_error_score": "metrics.deviances",
        "d2_brier_score": "metrics.probabilities",
        "d2_log_loss_score": "metrics.probabilities",
        "d2_pinball_score": "metrics.deviances",
        "d2_tweedie_score": "metrics.deviances",
        "davies_bouldin_score": "metrics.cluster_shape",
        "dcg_score": "metrics.label_rankings",
        "det_curve": "metrics.rankings",
        "euclidean_distances": "metrics.pairwise",
        "explained_variance_score": "metrics.regression",
        "f1_score": "metrics.scores",
        "fbeta_score": "metrics.scores",
        "fowlkes_mallows_score": "metrics.cluster_labels",
        "hamming_loss": "metrics.agreement",
        "haversine_distances": "metrics.pairs",
        "hinge_loss": "metrics.probabilities",
        "homogeneity_completeness_v_measure": "metrics.cluster_labels",
        "homogeneity_score": "metrics.cluster_labels",
        "jaccard_score": "metrics.agreement",
        "label_ranking_average_precision_score": "metrics.label_rankings",
        "label_ranking_loss": "metrics.label_rankings",
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
        "metric_at_thresholds": "metrics.rankings",
        "multilabel_confusion_matrix": "metrics.label_counts",
        "mutual_info_score": "metrics.cluster_labels",
        "nan_euclidean_distances": "metrics.pairs",
        "ndcg_score": "metrics.label_rankings",
        "normalized_mutual_info_score": "metrics.cluster_labels",
        "pair_confusion_matrix": "metrics.cluster_labels",
        "paired_distances": "metrics.pairs",
        "pairwise_distances": "metrics.pairwise",
        "pairwise_distances_argmin": "metrics.pairs",
        "pairwise_distances_argmin_min": "metrics.pairs",
        "pairwise_distances_chunked": "metrics.pairs",
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
    "model_selection": {
        "GroupKFold": "model_selection.folds",
        "GroupShuffleSplit": "model_selection.draws",
        "KFold": "model_selection.folds",
        "LeaveOneGroupOut": "model_selection.left_out",
        "LeaveOneOut": "model_selection.left_out",
        "LeavePGroupsOut": "model_selection.left_out",
        "LeavePOut": "model_selection.left_out",
        "PredefinedSplit": "model_selection.left_out",
        "RepeatedKFold": "model_selection.repeated",
        "RepeatedStratifiedKFold": "model_selection.repeated",
        "ShuffleSplit": "model_selection.draws",
        "StratifiedGroupKFold": "model_selection.folds",
        "StratifiedKFold": "model_selection.folds",
        "StratifiedShuffleSplit": "model_selection.draws",
        "TimeSeriesSplit": "model_selection.folds",
        "train_test_split": "model_selection.draws",
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
        "Binarizer": "preprocessing.binarizer",
        "FunctionTransformer": "preprocessing.function_transformer",
        "KBinsDiscretizer": "preprocessing.bins",
        "LabelBinarizer": "preprocessing.label_binarizer",
        "LabelEncoder": "preprocessing.label_encoder",
        "MaxAbsScaler": "preprocessing.range_scalers",
        "MinMaxScaler": "preprocessing.range_scalers",
        "MultiLabelBinarizer": "preprocessing.multilabel_binarizer",
        "Normalizer": "preprocessing.normalizer",
        "OneHotEncoder": "preprocessing.one_hot_encoder",
        "OrdinalEncoder": "preprocessing.ordinal_encoder",
        "PolynomialFeatures": "preprocessing.polynomial",
        "PowerTransformer": "preprocessing.power_transformer",
        "QuantileTransformer": "preprocessing.quantile_transformer",
        "RobustScaler": "preprocessing.robust_scaler",
        "SplineTransformer": "preprocessing.spline_transformer",
        "StandardScaler": "preprocessing.standard_scaler",
        "TargetEncoder": "preprocessing.target_encoder",
        "add_dummy_feature": "preprocessing.functions",
        "binarize": "preprocessing.functions",
        "label_binarize": "preprocessing.label_binarizer",
        "maxabs_scale": "preprocessing.functions",
        "minmax_scale": "preprocessing.functions",
        "normalize": "preprocessing.functions",
        "power_transform": "preprocessing.functions",
        "quantile_transform": "preprocessing.functions",
        "robust_scale": "preprocessing.functions",
        "scale": "preprocessing.functions",
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
    "tree": {
        "DecisionTreeClassifier": "tree.decision_tree",
        "DecisionTreeRegressor": "tree.decision_tree",
        "ExtraTreeClassifier": "tree.extra_trees",
        "ExtraTreeRegressor": "tree.extra_trees",
        "export_graphviz": "tree.export",
        "export_text": "tree.export",
        "plot_tree": "tree.export",
    },
}

# What scikit-learn does for our models, too: its own names, where it is installed.
OF_SCIKIT_LEARN: dict[str, str] = {
    "compose": "ColumnTransformer TransformedTargetRegressor make_column_selector "
    "make_column_transformer",
    "datasets": "fetch_20newsgroups fetch_california_housing fetch_covtype fetch_openml "
    "load_breast_cancer load_diabetes load_digits load_iris load_linnerud load_wine",
    "metrics": "ConfusionMatrixDisplay DetCurveDisplay PrecisionRecallDisplay "
    "PredictionErrorDisplay RocCurveDisplay check_scoring get_scorer get_scorer_names make_scorer",
    "model_selection": "GridSearchCV HalvingGridSearchCV ParameterGrid ParameterSampler "
    "RandomizedSearchCV check_cv cross_val_predict cross_val_score cross_validate learning_curve "
    "permutation_test_score validation_curve",
    "pipeline": "FeatureUnion Pipeline make_pipeline make_union",
}


def find(module: str, name: str) -> Any:
    """What a public module has under a name.

    Raises AttributeError, with the names there are, and ImportError for what is scikit-learn's
    where that is not installed.
    """
    table = MODULES.get(module, {})
    if name in OF_SCIKIT_LEARN.get(module, "").split():
        return _theirs(module, name)
    if name not in table:
        raise AttributeError(
            f"module 'phalanx.ml.{module}' has no attribute {name!r}; it has "
            f"{', '.join(_names(module))}"
        )
    return getattr(importlib.import_module(f".{table[name]}", __package__), name)


def _theirs(module: str, name: str) -> Any:
    try:
        found = importlib.import_module(f"sklearn.{module}")
        if name.startswith("Halving"):
            importlib.import_module("sklearn.experimental.enable_halving_search_cv")
    except ModuleNotFoundError as error:
        raise ImportError(
            f"phalanx.ml.{module}.{name} is scikit-learn's, which is not installed: "
            "pip install scikit-learn"
        ) from error
    return getattr(found, name)


def _names(module: str) -> list[str]:
    return sorted({*MODULES.get(module, {}), *OF_SCIKIT_LEARN.get(module, "").split()})


def module_of(name: str) -> str | None:
    """The public module that has a name."""
    return next((module for module, table in MODULES.items() if name in table), None)


def public(module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a public module.

    ``__all__`` is what ``import *`` takes: without scikit-learn's names where it is not installed.
    """
    return lambda name: find(module, name), lambda: _names(module), star_names(module)


def star_names(module: str) -> list[str]:
    """What ``import *`` of a public module gives."""
    if importlib.util.find_spec("sklearn") is None:
        return sorted(MODULES.get(module, {}))
    return _names(module)
