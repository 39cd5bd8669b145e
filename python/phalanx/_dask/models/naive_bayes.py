"""Naive Bayes over blocks: what is known of the classes is added up, in one read of the samples."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np

from ..._models.naive_bayes import discrete, gaussian
from ..._models.preprocessing.columns import moments
from .blocks import Block, Blocks, added, refuse_no_weight
from .classes import classes_met, codes_in
from .results import OverBlocks, over_blocks

_METHODS = ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba")


def _learned(block: Block, model: Any, classes: np.ndarray) -> Any:
    """The model of one process once it has met a block; not ready to predict."""
    own = copy.copy(model)
    own.classes_ = classes
    own._add(own._seen(block.x), codes_in(block, classes), block.weight, True)
    return own


def _counts(block: Block, model: Any, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    own = _learned(block, model, classes)
    return own.class_count_, own.feature_count_


def _spreads(block: Block, model: Any, classes: np.ndarray) -> tuple[Any, Any]:
    """The moments of the features in each class, and in all."""
    return _learned(block, model, classes)._moments_, moments(block.x)


def _merged(first: Any, second: Any) -> Any:
    return tuple(one.merged(other) for one, other in zip(first, second, strict=True))


class _OverClasses(OverBlocks):
    """Classes are found in one pass, what is known of them in another."""

    _takes_sparse = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from samples x features and classes, whatever their blocks of rows.

        Raises TypeError for what is not Dask's, else as one process.
        """
        model: Any = self
        model._check_options()
        blocks = Blocks(self, X, y, sample_weight, sparse=self._takes_sparse)
        met = classes_met(blocks)
        refuse_no_weight(met.weights.sum())
        made = self._sums(blocks, met.classes)
        model.classes_ = met.classes
        self._keep_sums(made, met.dtype)
        model._finish()
        return self

    def partial_fit(self, *arguments: Any, **options: Any) -> Self:
        """Raise NotImplementedError: `fit` takes any number of blocks."""
        raise NotImplementedError(
            "partial_fit is not supported by phalanx.ml.dask: give all blocks to fit"
        )

    def _sums(self, blocks: Blocks, classes: np.ndarray) -> Any:
        return blocks.reduced(_counts, added, self._unfitted(), classes)

    def _keep_sums(self, made: Any, dtype: np.dtype) -> None:
        self.class_count_, self.feature_count_ = made


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

    def _sums(self, blocks: Blocks, classes: np.ndarray) -> Any:
        return blocks.reduced(_spreads, _merged, self._unfitted(), classes)

    def _keep_sums(self, made: Any, dtype: np.dtype) -> None:
        self._moments_, of_all = made
        self.epsilon_ = self.var_smoothing * float(of_all.variance.max())
        self._dtype_ = dtype
