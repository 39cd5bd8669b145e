"""The base classes of all models: scikit-learn's where it is installed, else ours of its names."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import ClassVar

from .options import Rule, check_options

if importlib.util.find_spec("sklearn") is not None:
    from sklearn.base import (
        BaseEstimator,
        ClassifierMixin,
        ClassNamePrefixFeaturesOutMixin,
        ClusterMixin,
        DensityMixin,
        OneToOneFeatureMixin,
        OutlierMixin,
        RegressorMixin,
        TransformerMixin,
    )
else:
    from .bases_alone import (
        BaseEstimator,
        ClassifierMixin,
        ClassNamePrefixFeaturesOutMixin,
        ClusterMixin,
        DensityMixin,
        OneToOneFeatureMixin,
        OutlierMixin,
        RegressorMixin,
        TransformerMixin,
    )

__all__ = (
    "BaseEstimator",
    "ClassNamePrefixFeaturesOutMixin",
    "ClassifierMixin",
    "ClusterMixin",
    "DensityMixin",
    "Estimator",
    "OneToOneFeatureMixin",
    "OutlierMixin",
    "RegressorMixin",
    "TransformerMixin",
)


class Estimator(BaseEstimator):  # type: ignore[misc]
    """What all models have: parameters, which `fit` checks by the class's table of rules."""

    # Of each parameter; a parameter without a rule may have any value.
    _rules: ClassVar[Mapping[str, Rule]] = {}

    def _check_options(self) -> None:
        """Raise what `check_options` raises for the first parameter that its rule refuses."""
        check_options(self, self._rules)
