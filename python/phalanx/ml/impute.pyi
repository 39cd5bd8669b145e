"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.impute."""

from .._models.impute.indicator import MissingIndicator as MissingIndicator
from .._models.impute.knn_imputer import KNNImputer as KNNImputer
from .._models.impute.simple_imputer import SimpleImputer as SimpleImputer

__all__: list[str]
