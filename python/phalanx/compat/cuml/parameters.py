"""Parameters that cuML has and scikit-learn has not, and values that have other names there."""

from __future__ import annotations

from typing import Any

# Of every model. `handle` and `verbose` have no effect but where scikit-learn's model is verbose.
COMMON: dict[str, Any] = {"handle": None, "verbose": False, "output_type": None}

# Of forests: grown by threads, over at most 256 bins.
_FOREST = {"max_leaves": -1, "n_bins": 128, "n_streams": 4, "max_batch_size": 4096}

# Of a class: what more there is, which changes nothing here, and what it is by itself.
MORE: dict[str, dict[str, Any]] = {
    "DBSCAN": {"max_mbytes_per_batch": None, "calc_core_sample_indices": True},
    "ElasticNet": {"solver": "cd"},
    "HDBSCAN": {
        "gen_min_span_tree": False,
        "prediction_data": False,
        "build_algo": "brute_force",
        "build_kwds": None,
        "device_ids": None,
    },
    "KMeans": {"oversampling_factor": 2.0, "max_samples_per_batch": 32768},
    "KNeighborsClassifier": {"algo_params": None},
    "KNeighborsRegressor": {"algo_params": None},
    "Lasso": {"solver": "cd"},
    "LinearRegression": {"algorithm": "auto", "normalize": False},
    "LogisticRegression": {
        "linesearch_max_iter": 50,
        "lbfgs_memory": 5,
        "penalty_normalized": True,
    },
    "NearestNeighbors": {"algo_params": None},
    "PCA": {},
    "RandomForestClassifier": {"split_criterion": "gini", **_FOREST},
    "RandomForestRegressor": {"split_criterion": "mse", **_FOREST},
    "Ridge": {"normalize": False},
    "SVC": {"nochange_steps": 1000},
    "SVR": {"nochange_steps": 1000},
    "TSNE": {
        "late_exaggeration": 1.0,
        "n_neighbors": 90,
        "perplexity_max_iter": 100,
        "exaggeration_iter": 250,
        "pre_momentum": 0.5,
        "post_momentum": 0.8,
        "learning_rate_method": "adaptive",
        "square_distances": True,
        "precomputed_knn": None,
    },
    "TruncatedSVD": {},
    "UMAP": {
        "metric_kwds": None,
        "transform_queue_size": 4.0,
        "a": None,
        "b": None,
        "target_n_neighbors": -1,
        "hash_input": False,
        "force_serial_epochs": None,
        "precomputed_knn": None,
        "callback": None,
        "build_algo": "auto",
        "build_kwds": None,
        "device_ids": None,
    },
}

# Parameters that have other names here, and the values by those: ``{theirs: (ours, values)}``.
# What is as it is by itself leaves ours as it is.
RENAMED: dict[str, dict[str, tuple[str, dict[Any, Any]]]] = {
    "RandomForestClassifier": {
        "max_leaves": ("max_leaf_nodes", {}),
        "split_criterion": ("criterion", {0: "gini", 1: "entropy"}),
    },
    "RandomForestRegressor": {
        "max_leaves": ("max_leaf_nodes", {}),
        "split_criterion": ("criterion", {2: "squared_error", 4: "poisson"}),
    },
}

# Values that are other than by themselves would change results: they are refused.
FIXED: dict[str, tuple[str, ...]] = {
    "HDBSCAN": ("gen_min_span_tree",),
    "LinearRegression": ("normalize",),
    "LogisticRegression": ("penalty_normalized",),
    "Ridge": ("normalize",),
    "TSNE": (
        "late_exaggeration",
        "exaggeration_iter",
        "pre_momentum",
        "post_momentum",
        "square_distances",
        "precomputed_knn",
    ),
    "UMAP": ("metric_kwds", "a", "b", "target_n_neighbors", "precomputed_knn", "callback"),
}

# What cuML's parameters are by themselves where scikit-learn's are otherwise.
DEFAULTS: dict[str, dict[str, Any]] = {
    "ElasticNet": {"tol": 1e-3},
    "KMeans": {"init": "scalable-k-means++"},
    "Lasso": {"tol": 1e-3},
    "LogisticRegression": {"penalty": "l2", "solver": "qn", "max_iter": 1000},
    "PCA": {"iterated_power": 15, "tol": 1e-7},
    "TruncatedSVD": {"algorithm": "full", "n_iter": 15, "tol": 1e-7},
}

# Values by their names here.
VALUES: dict[str, dict[str, dict[Any, Any]]] = {
    "DBSCAN": {"algorithm": {"rbc": "auto"}},
    "HDBSCAN": {"max_cluster_size": {0: None}},
    "KMeans": {"init": {"scalable-k-means++": "k-means||"}},
    "KNeighborsClassifier": {"algorithm": {"rbc": "auto"}},
    "KNeighborsRegressor": {"algorithm": {"rbc": "auto"}},
    "LogisticRegression": {
        "penalty": {"none": None, "l2": "deprecated"},
        "solver": {"qn": "lbfgs"},
    },
    "NearestNeighbors": {"algorithm": {"rbc": "auto"}},
    "PCA": {"svd_solver": {"jacobi": "full"}},
    "Ridge": {"solver": {"eig": "auto", "cd": "auto"}},
    "TSNE": {"method": {"fft": "barnes_hut"}},
    "TruncatedSVD": {"algorithm": {"full": "randomized", "jacobi": "randomized"}},
}
