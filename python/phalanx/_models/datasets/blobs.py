"""Samples around centers, and of nested classes."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ..draws import shuffled
from ..options import generator_of
from .output import check_count, data_set


@data_set
def make_blobs(
    n_samples: Any = 100,
    n_features: int = 2,
    *,
    centers: Any = None,
    cluster_std: Any = 1.0,
    center_box: tuple[float, float] = (-10.0, 10.0),
    shuffle: bool = True,
    random_state: Any = None,
    return_centers: bool = False,
) -> Any:
    """Return normal samples x features around centers, and the number of each one's center.

    `n_samples` is a number, or one for each center; `centers` their number, or centers x features.
    With `return_centers` also these. Raises ValueError for numbers that do not fit each other.
    """
    random = generator_of(random_state)
    each = None if isinstance(n_samples, numbers.Integral) else [int(one) for one in n_samples]
    if each is None:
        check_count("n_samples", n_samples)
    centers = centers_of(centers, each, n_features, center_box, random)
    spreads = spreads_of(cluster_std, centers)
    each = counts_of(each, n_samples, len(centers))
    parts = [
        random.normal(loc=center, scale=spread, size=(samples, centers.shape[1]))
        for center, spread, samples in zip(centers, spreads, each, strict=True)
    ]
    x, y = np.concatenate(parts), np.repeat(np.arange(len(centers)), each)
    if shuffle:
        x, y = shuffled(random, x, y)
    return (x, y, centers) if return_centers else (x, y)


def spreads_of(cluster_std: Any, centers: np.ndarray) -> np.ndarray:
    """The spread of each center. Raises ValueError for another number of them."""
    if hasattr(cluster_std, "__len__") and len(cluster_std) != len(centers):
        raise ValueError(
            f"Length of `clusters_std` not consistent with number of centers. Got centers = "
            f"{centers} and cluster_std = {cluster_std}"
        )
    return np.broadcast_to(np.asarray(cluster_std, np.float64), len(centers))


def counts_of(each: list[int] | None, total: int, centers: int) -> list[int]:
    """How many samples each center has, unless it is given."""
    if each is not None:
        return each
    return [total // centers + (number < total % centers) for number in range(centers)]


def centers_of(
    centers: Any, each: list[int] | None, features: int, box: tuple[float, float], random: Any
) -> np.ndarray:
    """Centers that are given, or so many that are drawn in a box.

    Raises ValueError for others, and numbers of samples that do not fit them.
    """
    if centers is None:
        centers = 3 if each is None else len(each)
    elif each is not None and not hasattr(centers, "__len__"):
        raise ValueError(f"Parameter `centers` must be array-like. Got {centers!r} instead")
    if isinstance(centers, numbers.Integral):
        check_count("n_features", features)
        return np.asarray(random.uniform(box[0], box[1], size=(centers, features)))
    centers = np.asarray(centers, np.float64)
    if centers.ndim != 2 or not np.isfinite(centers).all():
        raise ValueError(f"`centers` must be centers x features, finite. Got {centers!r} instead")
    if each is not None and len(each) != len(centers):
        raise ValueError(
            "Length of `n_samples` not consistent with number of centers. Got n_samples = "
            f"{each} and centers = {centers}"
        )
    return centers


@data_set
def make_gaussian_quantiles(
    *,
    mean: Any = None,
    cov: float = 1.0,
    n_samples: int = 100,
    n_features: int = 2,
    n_classes: int = 3,
    shuffle: bool = True,
    random_state: Any = None,
) -> Any:
    """Return normal samples x features, and classes of equal size by the distance from the mean.

    Raises ValueError for fewer samples than classes.

    >>> from phalanx.ml.datasets import make_gaussian_quantiles
    >>> X, y = make_gaussian_quantiles(n_samples=20, random_state=0)
    >>> X.shape, y.shape
    ((20, 2), (20,))
    """
    if n_samples < n_classes:
        raise ValueError("n_samples must be at least n_classes")
    random = generator_of(random_state)
    middle = np.zeros(n_features) if mean is None else np.array(mean)
    x = random.multivariate_normal(middle, cov * np.identity(n_features), (n_samples,))
    x = x[np.argsort(((x - middle) ** 2).sum(axis=1))]
    y = np.minimum(np.arange(n_samples) // (n_samples // n_classes), n_classes - 1)
    return shuffled(random, x, y) if shuffle else (x, y)


@data_set
def make_hastie_10_2(n_samples: int = 12000, *, random_state: Any = None) -> Any:
    """Return normal samples x 10, and 1 for those far from 0, -1 for the others, float64.

    Of T. Hastie, R. Tibshirani and J. Friedman, "The Elements of Statistical Learning" (2009).
    """
    check_count("n_samples", n_samples)
    x = generator_of(random_state).normal(size=(n_samples, 10))
    return x, np.where((x**2.0).sum(axis=1) > 9.34, 1.0, -1.0)
