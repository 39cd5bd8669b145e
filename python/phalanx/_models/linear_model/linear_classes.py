"""What models of classes with linear scores share."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..base import ClassifierMixin, Estimator
from ..classes import named
from ..validation import given_as, samples_or_sparse
from .regression import linear


class LinearClassifier(ClassifierMixin, Estimator):  # type: ignore[misc]
    """A model of `classes_` with a row of `coef_` and an intercept for each, of two for one.

    The row of two classes is that of the second, whose score is above 0 where it is likelier.
    """

    classes_: np.ndarray
    coef_: Any
    intercept_: Any

    def _scores(self, X: Any) -> Any:
        """One score a sample of two classes, else samples x classes, where the samples are."""
        x = samples_or_sparse(self, X)
        table, intercepts = np.asarray(self.coef_), np.asarray(self.intercept_)
        if len(table) == 1:
            return linear(x, table[0], intercepts[0])
        return linear(x, table, intercepts)

    def decision_function(self, X: Any) -> Any:
        """Return the score of the second of two classes, or one for each class, for each sample.

        Raises ValueError for NaN, infinities and another number of features.
        """
        return given_as(X, self._scores(X))

    def predict(self, X: Any) -> Any:
        """Return the class of each sample. Raises ValueError as `decision_function` does.

        Classes of numbers are arrays of ours where what was given is; texts are NumPy's.
        """
        scores = self._scores(X)
        codes = (scores > 0).astype(np.int64) if scores.ndim == 1 else px.argmax(scores, axis=1)
        return named(X, self.classes_, codes)
