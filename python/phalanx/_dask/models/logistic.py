"""Logistic regression: the loss and its slopes, added up over blocks at each step."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

import phalanx as px

from ..._models.classes import weights_of_classes
from ..._models.linear_model import logistic
from ..._models.linear_model.lbfgs import Ending
from ..._models.linear_model.logistic_loss import Loss, loss_of
from ..._models.linear_model.logistic_penalty import (
    least_with,
    penalty_of,
    refuse_classes,
    units_of,
)
from ..._models.linear_model.units import mean_sizes
from .blocks import Block, Blocks, Shape, added, refuse_no_weight
from .classes import classes_met, codes_in
from .results import OverBlocks, over_blocks


def _loss(block: Block, classes: np.ndarray, of_class: Any, intercept: bool, flat: Any) -> Any:
    """The loss of a block and its slopes, and the weight of its samples: all are sums."""
    x, rows = block.x, 1 if len(classes) == 2 else len(classes)
    codes = codes_in(block, classes)
    weight = block.weight
    if of_class is not None:
        own = px.asarray(of_class[codes].astype(x.dtype), device=x.device)
        weight = own if weight is None else own * weight
    total = float(x.shape[0] if weight is None else px.sum(weight, dtype=np.float64))
    if not total:
        return 0.0, np.zeros_like(flat), 0.0
    zeros = np.zeros((rows, x.shape[1] + intercept))
    placed = px.asarray(codes, device=x.device)
    value, slopes = loss_of(x, placed, weight, rows, zeros, intercept=intercept)(flat)
    return value * total, slopes * total, total


def _sizes(block: Block) -> tuple[Any, float]:
    """The sums of features' absolute values, and the number of samples."""
    count = block.x.shape[0]
    return mean_sizes(block.x, None) * count if count else np.zeros(block.x.shape[1]), float(count)


@over_blocks("predict", "predict_proba", "predict_log_proba", "decision_function")
class LogisticRegression(OverBlocks, logistic.LogisticRegression):
    """`phalanx.ml.LogisticRegression` over arrays and frames of Dask's.

    Each step of the descent reads the samples once; the coefficients travel, the samples do not.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        penalty = penalty_of(self)
        blocks = Blocks(self, X, y, sample_weight)
        self.classes_, counts, dtype = classes_met(blocks)
        refuse_classes(self.classes_, self.solver)
        of_class = self._weights(counts)
        refuse_no_weight(counts.sum())
        total = float(counts.sum() if of_class is None else (counts * of_class).sum())
        rows = 1 if len(self.classes_) == 2 else len(self.classes_)
        has_intercept, features = bool(self.fit_intercept), X.shape[1]
        mean = penalty._replace(strength=penalty.strength / total)

        def loss_with(squares: np.ndarray) -> Loss:
            def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
                value, slopes, _ = blocks.reduced(
                    _loss, added, self.classes_, of_class, has_intercept, flat
                )
                table = flat.reshape(rows, -1)
                own = 0.5 * float((squares * table * table).sum())
                return value / total + own, slopes / total + (squares * table).ravel()

            return loss

        factors = mean.factors(rows, features, intercept=has_intercept)
        sizes, count = blocks.reduced(_sizes, added)
        found = least_with(
            loss_with,
            factors,
            units_of(sizes / count, factors[1]),
            self._start(rows, features),
            Ending(self.tol, self.max_iter),
            verbose=bool(self.verbose),
        )
        logistic.warn_of_few_steps(found, self.max_iter)
        self._keep(None, found.place.reshape(rows, -1), Shape((0, features), dtype))
        self.n_iter_ = np.array([found.steps], np.int32)
        return self

    def _weights(self, counts: np.ndarray) -> np.ndarray | None:
        if self.class_weight is None:
            return None
        codes = np.arange(len(counts))
        return weights_of_classes(self.class_weight, self.classes_, codes, counts)  # type: ignore[arg-type]
