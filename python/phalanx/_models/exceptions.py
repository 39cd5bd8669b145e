"""scikit-learn's exceptions and warnings, or ours of the same names where it is not installed."""

from __future__ import annotations

import importlib.util
from typing import Any

if importlib.util.find_spec("sklearn") is not None:
    from sklearn.exceptions import (
        ConvergenceWarning,
        DataConversionWarning,
        DataDimensionalityWarning,
        NotFittedError,
    )
else:

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """An estimator was asked for results before it was fitted."""

    class ConvergenceWarning(UserWarning):  # type: ignore[no-redef]
        """A fit ended at its greatest number of steps, before it converged."""

    class DataConversionWarning(UserWarning):  # type: ignore[no-redef]
        """Data was converted into the form that the estimator takes."""

    class DataDimensionalityWarning(UserWarning):  # type: ignore[no-redef]
        """A projection has more dimensions than the samples."""


__all__ = (
    "ConvergenceWarning",
    "DataConversionWarning",
    "DataDimensionalityWarning",
    "NotFittedError",
    "check_is_fitted",
)


def check_is_fitted(estimator: Any, attribute: str = "n_features_in_") -> None:
    """Raise NotFittedError where an estimator has not what `fit` sets."""
    if not hasattr(estimator, attribute):
        name = type(estimator).__name__
        raise NotFittedError(
            f"This {name} instance is not fitted yet. Call 'fit' with appropriate arguments before "
            "using this estimator."
        )
