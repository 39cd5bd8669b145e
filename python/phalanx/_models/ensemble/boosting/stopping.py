"""When boosting ends early: scores of samples that were held out, or of those of the fit."""

from __future__ import annotations

import numbers
from typing import Any, NamedTuple

import numpy as np

from ...._arrays.ndarray import ndarray


class Part(NamedTuple):
    """Samples with their targets, which are numbers, and weights."""

    x: ndarray
    y: np.ndarray
    weight: np.ndarray | None

    def rows(self, rows: np.ndarray) -> Part:
        """Some of the samples."""
        import phalanx as px

        weight = None if self.weight is None else self.weight[rows]
        return Part(px.asarray(np.asarray(self.x)[rows]), self.y[rows], weight)


def held_out(part: Part, share: Any, seed: int, is_class: bool) -> tuple[Part, Part]:
    """Samples for the fit and those that are held out, of classes so many of each.

    Raises ValueError where one of both would be empty.
    """
    count = len(part.y)
    random = np.random.RandomState(seed)
    wanted = int(share) if isinstance(share, numbers.Integral) else int(np.ceil(share * count))
    if not 0 < wanted < count:
        raise ValueError(
            f"validation_fraction={share} of {count} samples leaves no samples for the fit or for "
            "validation: set another one, or early_stopping=False"
        )
    order = random.permutation(count)
    if is_class:
        # Each class has its samples at even distances.
        codes = part.y[order].astype(np.int64)
        sizes = np.bincount(codes)
        places = np.empty(count)
        for code in np.flatnonzero(sizes):
            own = codes == code
            places[own] = (np.arange(sizes[code]) + random.random_sample()) / sizes[code]
        order = order[np.argsort(places, kind="stable")]
        picked = np.zeros(count, bool)
        picked[np.linspace(0, count - 1, wanted).round().astype(np.int64)] = True
        return part.rows(np.sort(order[~picked])), part.rows(np.sort(order[picked]))
    return part.rows(np.sort(order[wanted:])), part.rows(np.sort(order[:wanted]))


def has_stalled(scores: list[float], patience: int, tol: float) -> bool:
    """True if none of the last `patience` scores is better than the one before them."""
    if len(scores) <= patience:
        return False
    best = scores[-patience - 1] + tol
    return not any(score > best for score in scores[-patience:])


def scorer_of(scoring: Any) -> Any:
    """A function of a model, samples, targets and weights, for what `scoring` names.

    Raises ImportError for a name where scikit-learn is not installed.
    """
    if scoring is None:
        return _own_score
    if callable(scoring):
        return _given_score(scoring)
    try:
        from sklearn.metrics import get_scorer
    except ImportError as error:
        raise ImportError(
            f"scoring={scoring!r} needs scikit-learn: install it, or give 'loss', None or a "
            "function of the model, samples and targets"
        ) from error
    return _given_score(get_scorer(scoring))


def _own_score(model: Any, x: Any, y: Any, weight: Any) -> float:
    return float(model.score(x, y, weight))


def _given_score(scoring: Any) -> Any:
    def score(model: Any, x: Any, y: Any, weight: Any) -> float:
        if weight is None:
            return float(scoring(model, x, y))
        return float(scoring(model, x, y, sample_weight=weight))

    return score
