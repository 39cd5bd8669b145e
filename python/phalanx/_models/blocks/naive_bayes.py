"""Naive Bayes over blocks: what is known of the classes is added up, in one read of the samples."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ..naive_bayes.gaussian import GaussianNB
from ..preprocessing.columns import moments
from .classes import classes_met, codes_in
from .source import Block, Source, added, refuse_no_weight


def _learned(block: Block, model: Any, classes: np.ndarray) -> Any:
    """The model of one device once it has met a block; not ready to predict."""
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


def fit(model: Any, blocks: Source) -> None:
    """Learn the classes in one pass, and what is known of them in another."""
    met = classes_met(blocks)
    refuse_no_weight(met.weights.sum())
    model.classes_ = met.classes
    if isinstance(model, GaussianNB):
        made = blocks.reduced(_spreads, _merged, model, met.classes)
        model._moments_, of_all = made
        model.epsilon_ = model.var_smoothing * float(of_all.variance.max())
        model._dtype_ = met.dtype
    else:
        made = blocks.reduced(_counts, added, model, met.classes)
        model.class_count_, model.feature_count_ = made
    model._finish()
