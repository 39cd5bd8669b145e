"""scikit-learn's base classes, as far as models need them, where scikit-learn is not installed."""

from __future__ import annotations

import inspect
from typing import Any, Self

from .features import names_of_input, numbered_names
from .metrics.classification import accuracy_score
from .metrics.regression import r2_score


class BaseEstimator:
    """Parameters are those of ``__init__``, and are kept under their names."""

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; with `deep` also those of estimators among them."""
        made: dict[str, Any] = {}
        for name in self._get_param_names():
            value = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                made |= {f"{name}__{key}": each for key, each in value.get_params().items()}
            made[name] = value
        return made

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also ``name__parameter`` of one that is an estimator; returns itself.

        Raises ValueError, with the names there are, for a name that is no parameter.
        """
        names = self._get_param_names()
        for given in params:
            if given.partition("__")[0] not in names:
                raise ValueError(
                    f"Invalid parameter {given.partition('__')[0]!r} for estimator {self}. "
                    f"Valid parameters are: {names!r}."
                )
        for given, value in params.items():
            name, nested, rest = given.partition("__")
            if nested:
                getattr(self, name).set_params(**{rest: value})
            else:
                setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name in defaults
            if name != "self" and getattr(self, name) is not defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


class ClusterMixin:
    """What all clusterers have."""

    def fit_predict(self, X: Any, y: Any = None, **keywords: Any) -> Any:
        """Fit, and return the label of each sample."""
        return self.fit(X, **keywords).labels_  # type: ignore[attr-defined]


class TransformerMixin:
    """What all transformers have."""

    def __init_subclass__(cls, auto_wrap_output_keys: Any = None, **keywords: Any) -> None:
        """Take the keyword by which a class says that its results are no frames."""
        super().__init_subclass__(**keywords)

    def fit_transform(self, X: Any, y: Any = None, **keywords: Any) -> Any:
        """Fit, and return what becomes of the samples."""
        fitted = self.fit(X, **keywords) if y is None else self.fit(X, y, **keywords)  # type: ignore[attr-defined]
        return fitted.transform(X)


class ClassifierMixin:
    """What all classifiers have."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of samples whose class is predicted."""
        return accuracy_score(y, self.predict(X), sample_weight=sample_weight)  # type: ignore[attr-defined]


class RegressorMixin:
    """What all regressors have."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the coefficient of determination R^2 of the predictions."""
        return r2_score(y, self.predict(X), sample_weight=sample_weight)  # type: ignore[attr-defined]


class DensityMixin:
    """What all density estimators have."""


class OutlierMixin:
    """What all detectors of outliers have."""

    def fit_predict(self, X: Any, y: Any = None, **keywords: Any) -> Any:
        """Fit, and return -1 for outliers, 1 for the others."""
        return self.fit(X, **keywords).predict(X)  # type: ignore[attr-defined]


class OneToOneFeatureMixin:
    """Transformers whose results have the features of their input."""

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the results' columns."""
        return names_of_input(self, input_features)


class ClassNamePrefixFeaturesOutMixin:
    """Transformers whose results' columns are the class's name and a number."""

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the results' columns."""
        return numbered_names(self)
