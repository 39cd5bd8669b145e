"""Naive Bayes over Dask's blocks."""

from __future__ import annotations

from typing import Any, Self

from ..._models.blocks import naive_bayes as over
from ..._models.naive_bayes import discrete, gaussian
from .blocks import Blocks
from .results import Scored, over_blocks

_METHODS = ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba")


class _OverClasses(Scored):
    """Classes are found in one pass, what is known of them in another."""

    _takes_sparse = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from samples x features and classes, whatever their blocks of rows.

        Raises TypeError for what is not Dask's, else as one process.
        """
        model: Any = self
        model._check_options()
        blocks = Blocks(self, X, y, sample_weight, sparse=self._takes_sparse)
        over.fit(model, blocks)
        return self

    def partial_fit(self, *arguments: Any, **options: Any) -> Self:
        """Raise NotImplementedError: `fit` takes any number of blocks."""
        raise NotImplementedError(
            "partial_fit is not supported by phalanx.ml.dask: give all blocks to fit"
        )


@over_blocks(*_METHODS)
class MultinomialNB(_OverClasses, discrete.MultinomialNB):
    """`phalanx.ml.MultinomialNB` over arrays and frames of Dask's; blocks may be sparse."""


@over_blocks(*_METHODS)
class ComplementNB(_OverClasses, discrete.ComplementNB):
    """`phalanx.ml.ComplementNB` over arrays and frames of Dask's; blocks may be sparse."""


@over_blocks(*_METHODS)
class BernoulliNB(_OverClasses, discrete.BernoulliNB):
    """`phalanx.ml.BernoulliNB` over arrays and frames of Dask's; blocks may be sparse."""


@over_blocks(*_METHODS)
class GaussianNB(_OverClasses, gaussian.GaussianNB):
    """`phalanx.ml.GaussianNB` over arrays and frames of Dask's.

    Means and variances are merged by the formula of Chan, Golub and LeVeque (1979).
    """

    _takes_sparse = False
