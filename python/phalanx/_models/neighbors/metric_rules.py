"""Which metrics models that compare all samples take, and which are left to scikit-learn."""

from __future__ import annotations

from ..options import DICT, FUNCTION, NONE, one_of
from .distances import NAMES

_ELSEWHERE = (
    "braycurtis",
    "canberra",
    "correlation",
    "cosine",
    "dice",
    "hamming",
    "haversine",
    "infinity",
    "jaccard",
    "mahalanobis",
    "nan_euclidean",
    "precomputed",
    "pyfunc",
    "rogerstanimoto",
    "russellrao",
    "seuclidean",
    "sokalsneath",
    "sqeuclidean",
    "yule",
)
METRIC = one_of(*NAMES).refusing(*_ELSEWHERE).refusing_all(FUNCTION)
METRIC_PARAMS = NONE.refusing_all(DICT)
