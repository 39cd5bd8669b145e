"""The base classes of all models: scikit-learn's where it is installed, else ours of its names."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

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


_FITS = ("fit", "fit_predict", "fit_transform", "partial_fit")


def _undone_if_it_fails(fit: Callable[..., Any]) -> Callable[..., Any]:
    """A method that fits, after whose failure the model has the attributes it had before.

    They are not copied: what changes an array or a list of the model in place must not fail then.
    """

    @functools.wraps(fit)
    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        before = self.__dict__.copy()
        try:
            return fit(self, *arguments, **keywords)
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    return method


class Estimator(BaseEstimator):  # type: ignore[misc]
    """What all models have: parameters, which `fit` checks by the class's table of rules.

    A fit that raises leaves the model as it was: not fitted, or with its last fit. So methods that
    fit may set attributes as they go, and check as they go.
    """

    # Input that scikit-learn's class takes and this one does not: see `UnsupportedInputError`.
    _left: ClassVar[tuple[str, ...]] = ()
    # Of each parameter; a parameter without a rule may have any value.
    _rules: ClassVar[Mapping[str, Rule]] = {}

    def __init_subclass__(cls) -> None:
        """Give the class methods that fit wholly or not at all."""
        super().__init_subclass__()
        for name in _FITS:
            if name in cls.__dict__:
                setattr(cls, name, _undone_if_it_fails(cls.__dict__[name]))

    def _check_options(self) -> None:
        """Raise what `check_options` raises for the first parameter that its rule refuses."""
        check_options(self, self._rules)
