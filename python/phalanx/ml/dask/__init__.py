"""Models over Dask's arrays and frames, under the names of phalanx.ml: partial sums of blocks.

Needs the package `dask`; the guide on Dask has programs.
"""

from __future__ import annotations

import importlib
from typing import Any

# Public module: {name: module of phalanx._dask.models}.
MODULES: dict[str, dict[str, str]] = {
    "cluster": {"DBSCAN": "dbscan", "KMeans": "kmeans"},
    "datasets": {
        "make_blobs": "datasets",
        "make_classification": "datasets",
        "make_regression": "datasets",
    },
    "decomposition": {"PCA": "decomposition", "TruncatedSVD": "decomposition"},
    "ensemble": {"RandomForestClassifier": "forests", "RandomForestRegressor": "forests"},
    "linear_model": {
        "ElasticNet": "linear",
        "Lasso": "linear",
        "LinearRegression": "linear",
        "LogisticRegression": "logistic",
        "Ridge": "linear",
    },
    "naive_bayes": {
        "BernoulliNB": "naive_bayes",
        "ComplementNB": "naive_bayes",
        "GaussianNB": "naive_bayes",
        "MultinomialNB": "naive_bayes",
    },
    "neighbors": {
        "KNeighborsClassifier": "neighbors",
        "KNeighborsRegressor": "neighbors",
        "NearestNeighbors": "neighbors",
    },
    "preprocessing": {
        "LabelBinarizer": "encoders",
        "LabelEncoder": "encoders",
        "OneHotEncoder": "encoders",
        "OrdinalEncoder": "encoders",
    },
}


def find(module: str, name: str) -> Any:
    """A model of a public module. Raises AttributeError for others."""
    table = MODULES[module]
    if name not in table:
        raise AttributeError(f"module 'phalanx.ml.dask.{module}' has no attribute {name!r}")
    try:
        made = importlib.import_module(f"phalanx._dask.models.{table[name]}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "dask":
            raise
        raise ModuleNotFoundError(
            "phalanx.ml.dask needs the package dask: pip install 'dask[array,dataframe]'",
            name=error.name,
        ) from error
    return getattr(made, name)


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f".{name}", __name__)
    for module, table in MODULES.items():
        if name in table:
            return find(module, name)
    raise AttributeError(f"module 'phalanx.ml.dask' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*MODULES, *(name for table in MODULES.values() for name in table)})


__all__ = __dir__()
