"""Which names the modules of cuML's have; the models that answer are those of `phalanx.ml`."""

from __future__ import annotations

# Of cuML 26. A name of ours is found by itself; another raises NotImplementedError.
NAMES: dict[str, str] = {
    "cluster": "AgglomerativeClustering DBSCAN HDBSCAN KMeans SpectralClustering",
    "compose": "ColumnTransformer make_column_selector make_column_transformer",
    "covariance": "EmpiricalCovariance LedoitWolf",
    "datasets": "make_arima make_blobs make_classification make_regression",
    "decomposition": "IncrementalPCA PCA TruncatedSVD",
    "ensemble": "IsolationForest RandomForestClassifier RandomForestRegressor",
    "explainer": "KernelExplainer PermutationExplainer TreeExplainer",
    "feature_extraction": "",
    "feature_extraction.text": "CountVectorizer HashingVectorizer TfidfTransformer TfidfVectorizer",
    "fil": "ForestInference",
    "kernel_ridge": "KernelRidge",
    "linear_model": "ElasticNet Lasso LinearRegression LogisticRegression MBSGDClassifier "
    "MBSGDRegressor Ridge",
    "manifold": "SpectralEmbedding TSNE UMAP",
    "metrics": "accuracy_score adjusted_rand_score completeness_score confusion_matrix entropy "
    "hinge_loss homogeneity_score kl_divergence log_loss mean_absolute_error mean_squared_error "
    "mean_squared_log_error median_absolute_error mutual_info_score nan_euclidean_distances "
    "pairwise_distances pairwise_kernels precision_recall_curve r2_score roc_auc_score "
    "silhouette_samples silhouette_score sparse_pairwise_distances trustworthiness "
    "v_measure_score",
    "metrics.cluster": "adjusted_rand_score completeness_score entropy homogeneity_score "
    "mutual_info_score silhouette_samples silhouette_score v_measure_score",
    "model_selection": "GridSearchCV KFold StratifiedKFold train_test_split",
    "multiclass": "MulticlassClassifier OneVsOneClassifier OneVsRestClassifier",
    "naive_bayes": "BernoulliNB CategoricalNB ComplementNB GaussianNB MultinomialNB",
    "neighbors": "KNeighborsClassifier KNeighborsRegressor KernelDensity NearestNeighbors",
    "pipeline": "Pipeline make_pipeline",
    "preprocessing": "Binarizer FunctionTransformer KBinsDiscretizer KernelCenterer LabelBinarizer "
    "LabelEncoder MaxAbsScaler MinMaxScaler MissingIndicator Normalizer OneHotEncoder "
    "OrdinalEncoder PolynomialFeatures PowerTransformer QuantileTransformer RobustScaler "
    "SimpleImputer StandardScaler TargetEncoder add_dummy_feature binarize label_binarize "
    "maxabs_scale minmax_scale normalize robust_scale scale train_test_split",
    "random_projection": "GaussianRandomProjection SparseRandomProjection "
    "johnson_lindenstrauss_min_dim",
    "solvers": "CD QN SGD",
    "svm": "LinearSVC LinearSVR SVC SVR",
    "tsa": "ARIMA AutoARIMA ExponentialSmoothing",
}
OVER_DASK = (
    "cluster datasets decomposition ensemble linear_model naive_bayes neighbors preprocessing"
)
TABLE: dict[str, str | None] = {
    "cuml": "phalanx.compat.cuml",
    "cuml.common": "phalanx.compat.cuml.common",
    "cuml.internals": "phalanx.compat.cuml.common",
    "cuml.dask": "phalanx.ml.dask",
    **{f"cuml.dask.{name}": f"phalanx.ml.dask.{name}" for name in OVER_DASK.split()},
    **{f"cuml.{name}": None for name in NAMES},  # made by `phalanx.compat.cuml.modules`
}

# Modules of cuML's that are not there, and what to take instead; of others the page says it.
INSTEAD: dict[str, str] = {
    "cuml.accel": "python -m phalanx run --accelerate sklearn does it",
    "cuml.benchmark": "time scripts with both names",
    "cuml.dask": "docs/guide/dask.md has the models that there are over several workers",
}


def remedy(name: str) -> str:
    """What a program takes in the place of a module that is not there."""
    for module, text in INSTEAD.items():
        if f"{name}.".startswith(f"{module}."):
            return text
    return "docs/guide/coming-from-cuml.md says what there is"
