"""scikit-learn's exceptions and warnings, or ours of the same names where it is not installed."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from typing import Any

if importlib.util.find_spec("sklearn") is not None:
    from sklearn.exceptions import (
        ConvergenceWarning,
        DataConversionWarning,
        DataDimensionalityWarning,
        NotFittedError,
        UndefinedMetricWarning,
    )
    from sklearn.exceptions import InconsistentVersionWarning as _OfVersions
else:
    _OfVersions = UserWarning

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """An estimator was asked for results before it was fitted."""

    class ConvergenceWarning(UserWarning):  # type: ignore[no-redef]
        """A fit ended at its greatest number of steps, before it converged."""

    class DataConversionWarning(UserWarning):  # type: ignore[no-redef]
        """Data was converted into the form that the estimator takes."""

    class DataDimensionalityWarning(UserWarning):  # type: ignore[no-redef]
        """A projection has more dimensions than the samples."""

    class UndefinedMetricWarning(UserWarning):  # type: ignore[no-redef]
        """A metric is not defined for what was given."""


class InconsistentVersionWarning(_OfVersions):  # type: ignore[misc]
    """A model was pickled by another version of Phalanx: scikit-learn's warning, with our text."""

    def __init__(self, text: str) -> None:
        UserWarning.__init__(self, text)

    def __str__(self) -> str:
        return str(self.args[0])


__all__ = (
    "ConvergenceWarning",
    "DataConversionWarning",
    "DataDimensionalityWarning",
    "InconsistentVersionWarning",
    "NotFittedError",
    "UndefinedMetricWarning",
    "check_is_fitted",
    "warn_user",
)

_INSIDE = ("phalanx", "sklearn")  # packages whose own lines no warning is to point to


def check_is_fitted(estimator: Any, attribute: str = "n_features_in_") -> None:
    """Raise NotFittedError where an estimator has not what `fit` sets."""
    if not hasattr(estimator, attribute):
        name = type(estimator).__name__
        raise NotFittedError(
            f"This {name} instance is not fitted yet. Call 'fit' with appropriate arguments before "
            "using this estimator."
        )


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of the program that called a model, through all that wraps its methods."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _package_of(frame) in _INSIDE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def _package_of(frame: Any) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]
