"""Which samples k-means begins with."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .distance_kernels import squares


def _shares(sample_weight: ndarray | None, count: int) -> np.ndarray | None:
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, np.float64)
    return weights / weights.sum()


def plus_plus(x: ndarray, sample_weight: ndarray | None, clusters: int, random: Any) -> ndarray:
    """Samples that are far from each other, drawn one by one: the greedy k-means++.

    Of D. Arthur and S. Vassilvitskii, "k-means++: the advantages of careful seeding" (2007); the
    same numbers of a generator choose the same samples as in scikit-learn.
    """
    count = x.shape[0]
    trials = 2 + int(np.log(clusters))
    shares = _shares(sample_weight, count)
    # NumPy's `choice` takes one number with shares and without: by the sums of equal shares.
    first = (
        min(int(random.random_sample() * count), count - 1)
        if shares is None
        else random.choice(count, p=shares)
    )
    chosen = [first]
    closest = squares(x, x[first : first + 1])[0]
    potential = float(px.sum(_weighted(closest, sample_weight), dtype=np.float64))
    for _ in range(1, clusters):
        drawn = random.uniform(size=trials) * potential
        sums = px.cumsum(_weighted(closest, sample_weight), dtype=np.float64)
        candidates = np.asarray(px.searchsorted(sums, px.asarray(drawn)))
        candidates = np.minimum(candidates, count - 1)
        apart = px.minimum(closest, squares(x, x[px.asarray(candidates)]))
        potentials = np.asarray(px.sum(_weighted(apart, sample_weight), axis=1, dtype=np.float64))
        best = int(np.argmin(potentials))
        potential = float(potentials[best])
        closest = apart[best]
        chosen.append(int(candidates[best]))
    return x[px.asarray(np.array(chosen))]


def _weighted(squares_: ndarray, sample_weight: ndarray | None) -> ndarray:
    return squares_ if sample_weight is None else squares_ * sample_weight


def any_samples(x: ndarray, sample_weight: ndarray | None, clusters: int, random: Any) -> ndarray:
    """Samples drawn without order, each once, more often those of large weight."""
    count = x.shape[0]
    shares = np.full(count, 1 / count) if sample_weight is None else _shares(sample_weight, count)
    return x[px.asarray(random.choice(count, size=clusters, replace=False, p=shares))]


_ROUNDS = 8


def parallel(x: ndarray, sample_weight: ndarray | None, clusters: int, random: Any) -> ndarray:
    """Samples drawn many at once in a few rounds, of which k-means++ takes some: k-means||.

    Of B. Bahmani and others, "Scalable k-means++" (2012), with 2 k samples a round.
    """
    count = x.shape[0]
    first = random.choice(count, p=_shares(sample_weight, count))
    chosen = [np.array([first])]
    closest = squares(x, x[first : first + 1])[0]
    for _ in range(_ROUNDS):
        chances = _weighted(closest, sample_weight)
        potential = float(px.sum(chances, dtype=np.float64))
        if potential == 0:
            break
        drawn = px.asarray(random.random_sample(count)) < chances * (2 * clusters / potential)
        rows = np.flatnonzero(np.asarray(drawn))
        if len(rows):
            chosen.append(rows)
            closest = px.minimum(closest, px.min(squares(x, x[px.asarray(rows)]), axis=0))
    rows = np.unique(np.concatenate(chosen))
    if len(rows) < clusters:
        return plus_plus(x, sample_weight, clusters, random)
    from .distance_kernels import nearest

    candidates = x[px.asarray(rows)]
    weights = None if sample_weight is None else np.asarray(sample_weight)
    met = np.bincount(np.asarray(nearest(x, candidates)), weights, minlength=len(rows))
    return plus_plus(candidates, px.asarray(met.astype(x.dtype)), clusters, random)


SEEDINGS = {"k-means++": plus_plus, "random": any_samples, "k-means||": parallel}
