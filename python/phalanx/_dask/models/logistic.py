"""Logistic regression over Dask's blocks."""

from __future__ import annotations

from typing import Any, Self

from ..._models.blocks import logistic as over
from ..._models.linear_model import logistic
from .blocks import Blocks
from .fits import fitted
from .results import Scored, over_blocks


@over_blocks("predict", "predict_proba", "predict_log_proba", "decision_function")
class LogisticRegression(Scored, logistic.LogisticRegression):
    """`phalanx.ml.LogisticRegression` over arrays and frames of Dask's.

    Each step of the descent reads the samples once; the coefficients travel, the samples do not.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        fitted(over.fit, self, Blocks(self, X, y, sample_weight))
        return self
