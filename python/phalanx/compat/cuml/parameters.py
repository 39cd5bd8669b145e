"""Parameters that cuML has and scikit-learn has not, and values that have other names there."""

from __future__ import annotations

from typing import Any

# Of every model. `handle` and `verbose` have no effect but where scikit-learn's model is verbose.
COMMON: dict[str, Any] = {"handle": None, "verbose": False, "output_type": None}

# Of a class: what more there is, which changes nothing here, and what it is by itself.
MORE: dict[str, dict[str, Any]] = {
    "DBSCAN": {"max_mbytes_per_batch": None, "calc_core_sample_indices": True},
    "ElasticNet": {"solver": "cd"},
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
    "Ridge": {"normalize": False},
    "TruncatedSVD": {},
}

# Values that are other than by themselves would change results: they are refused.
FIXED: dict[str, tuple[str, ...]] = {
    "LinearRegression": ("normalize",),
    "LogisticRegression": ("penalty_normalized",),
    "Ridge": ("normalize",),
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
    "TruncatedSVD": {"algorithm": {"full": "randomized", "jacobi": "randomized"}},
}
