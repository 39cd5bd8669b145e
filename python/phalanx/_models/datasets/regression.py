"""Samples with numbers as targets, and matrices of a given kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..draws import shuffled
from ..options import generator_of
from .output import check_count, data_set


def _low_rank(count: int, features: int, rank: float, tail: float, random: Any) -> np.ndarray:
    least = min(count, features)
    left, _ = np.linalg.qr(random.standard_normal(size=(count, least)))
    right, _ = np.linalg.qr(random.standard_normal(size=(features, least)))
    place = np.arange(least) / rank
    values = (1 - tail) * np.exp(-1.0 * place**2) + tail * np.exp(-0.1 * place)
    return np.asarray((left * values) @ right.T)


@data_set
def make_low_rank_matrix(
    n_samples: int = 100,
    n_features: int = 100,
    *,
    effective_rank: int = 10,
    tail_strength: float = 0.5,
    random_state: Any = None,
) -> Any:
    """Return samples x features whose singular values fall as a bell, with a tail beside it."""
    check_count("n_samples", n_samples)
    check_count("n_features", n_features)
    random = generator_of(random_state)
    return _low_rank(n_samples, n_features, effective_rank, tail_strength, random)


@data_set
def make_regression(
    n_samples: int = 100,
    n_features: int = 100,
    *,
    n_informative: int = 10,
    n_targets: int = 1,
    bias: float = 0.0,
    effective_rank: int | None = None,
    tail_strength: float = 0.5,
    noise: float = 0.0,
    shuffle: bool = True,
    coef: bool = False,
    random_state: Any = None,
) -> Any:
    """Return samples x features, targets that are linear in some of them, and these coefficients.

    The coefficients only if `coef`. Raises ValueError for no samples, features or targets.

    >>> from phalanx.ml.datasets import make_regression
    >>> X, y = make_regression(20, n_features=3, random_state=0)
    >>> X.shape, y.shape
    ((20, 3), (20,))
    """
    for name, value in (("n_samples", n_samples), ("n_features", n_features)):
        check_count(name, value)
    check_count("n_targets", n_targets)
    random = generator_of(random_state)
    if effective_rank is None:
        x = random.standard_normal(size=(n_samples, n_features))
    else:
        x = _low_rank(n_samples, n_features, effective_rank, tail_strength, random)
    used = min(n_features, n_informative)
    truth = np.zeros((n_features, n_targets))
    truth[:used] = 100 * random.uniform(size=(used, n_targets))
    y = x @ truth + bias
    if noise > 0:
        y = y + random.normal(scale=noise, size=y.shape)
    if shuffle:
        x, y = shuffled(random, x, y)
        order = np.arange(n_features)
        random.shuffle(order)
        x, truth = np.ascontiguousarray(x[:, order]), truth[order]
    y, truth = np.squeeze(y), np.squeeze(truth)
    return (x, y, truth) if coef else (x, y)


@data_set
def make_friedman1(
    n_samples: int = 100, n_features: int = 10, *, noise: float = 0.0, random_state: Any = None
) -> Any:
    """Return samples x features in [0, 1], and a target of five of them.

    This and the next two are of J. Friedman, "Multivariate adaptive regression splines" (1991).

    >>> from phalanx.ml.datasets import make_friedman1
    >>> X, y = make_friedman1(20, random_state=0)
    >>> X.shape, y.shape
    ((20, 10), (20,))
    """
    check_count("n_features", n_features, 5)
    random = generator_of(random_state)
    x = random.uniform(size=(n_samples, n_features))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3]
    return x, y + 5 * x[:, 4] + noise * random.standard_normal(size=n_samples)


def _circuits(count: int, random: Any) -> np.ndarray:
    """Resistance, frequency, inductance and capacity of circuits."""
    low = np.array([0, 40 * np.pi, 0, 1])
    span = np.array([100, 520 * np.pi, 1, 10])
    return np.asarray(random.uniform(size=(count, 4)) * span + low)


@data_set
def make_friedman2(n_samples: int = 100, *, noise: float = 0.0, random_state: Any = None) -> Any:
    """Return samples x 4, and the impedance of these circuits.

    >>> from phalanx.ml.datasets import make_friedman2
    >>> X, y = make_friedman2(20, random_state=0)
    >>> X.shape, y.shape
    ((20, 4), (20,))
    """
    random = generator_of(random_state)
    x = _circuits(n_samples, random)
    reactance = x[:, 1] * x[:, 2] - 1 / (x[:, 1] * x[:, 3])
    y = np.sqrt(x[:, 0] ** 2 + reactance**2)
    return x, y + noise * random.standard_normal(size=n_samples)


@data_set
def make_friedman3(n_samples: int = 100, *, noise: float = 0.0, random_state: Any = None) -> Any:
    """Return samples x 4, and the phase of these circuits.

    >>> from phalanx.ml.datasets import make_friedman3
    >>> X, y = make_friedman3(20, random_state=0)
    >>> X.shape, y.shape
    ((20, 4), (20,))
    """
    random = generator_of(random_state)
    x = _circuits(n_samples, random)
    y = np.arctan((x[:, 1] * x[:, 2] - 1 / (x[:, 1] * x[:, 3])) / x[:, 0])
    return x, y + noise * random.standard_normal(size=n_samples)


@data_set
def make_sparse_uncorrelated(
    n_samples: int = 100, n_features: int = 10, *, random_state: Any = None
) -> Any:
    """Return normal samples x features, and a noisy target of the first four.

    Of G. Celeux and others, "Regularization in regression: comparing Bayesian and frequentist
    methods in a poorly informative situation" (2012).

    >>> from phalanx.ml.datasets import make_sparse_uncorrelated
    >>> X, y = make_sparse_uncorrelated(20, random_state=0)
    >>> X.shape, y.shape
    ((20, 10), (20,))
    """
    check_count("n_features", n_features, 4)
    random = generator_of(random_state)
    x = random.normal(loc=0, scale=1, size=(n_samples, n_features))
    y = random.normal(loc=x[:, :4] @ np.array([1, 2, -2, -1.5]), scale=np.ones(n_samples))
    return x, y


@data_set
def make_spd_matrix(n_dim: int, *, random_state: Any = None) -> Any:
    """Return a symmetric positive definite matrix, n_dim x n_dim.

    >>> from phalanx.ml.datasets import make_spd_matrix
    >>> matrix = make_spd_matrix(3, random_state=0)
    >>> bool((np.linalg.eigvalsh(np.asarray(matrix)) > 0).all())
    True
    """
    check_count("n_dim", n_dim)
    random = generator_of(random_state)
    drawn = random.uniform(size=(n_dim, n_dim))
    left, _, right = np.linalg.svd(drawn.T @ drawn)
    return left @ (1.0 + np.diag(random.uniform(size=n_dim))) @ right
