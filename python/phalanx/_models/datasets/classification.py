"""Samples of classes, as corners of a hypercube, and of several classes each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..draws import drawn_once, shuffled
from ..options import generator_of
from .output import check_count, data_set

_MOST_BITS = 30  # of corners that are drawn by their number


def _corners(count: int, dimensions: int, random: Any) -> np.ndarray:
    """Different corners of a hypercube, 0 and 1."""
    if dimensions > _MOST_BITS:
        more = random.randint(2, size=(count, dimensions - _MOST_BITS))
        return np.hstack([more, _corners(count, _MOST_BITS, random)])
    numbers = drawn_once(2**dimensions, count, random)
    return numbers[:, None] >> np.arange(dimensions)[::-1] & 1


def sizes_of(count: int, weights: Any, classes: int, clusters: int) -> list[int]:
    """How many samples each cluster has, the clusters of all classes in turn."""
    if weights is not None and len(weights) not in (classes, classes - 1):
        raise ValueError("Weights specified but incompatible with number of classes.")
    shares = [1.0 / classes] * classes if weights is None else list(weights)
    if len(shares) == classes - 1:
        shares.append(1.0 - sum(shares))
    made = [int(count * shares[k % classes] / clusters) for k in range(classes * clusters)]
    for number in range(count - sum(made)):
        made[number % len(made)] += 1
    return made


def check_features(
    features: int, informative: int, derived: int, classes: int, clusters: int
) -> None:
    """Raise ValueError for numbers of features, classes and clusters that do not fit."""
    if informative + derived > features:
        raise ValueError(
            "Number of informative, redundant and repeated features must sum to less than the "
            "number of total features"
        )
    if informative < np.log2(classes * clusters):
        raise ValueError(
            f"n_classes({classes}) * n_clusters_per_class({clusters}) must be smaller or equal "
            f"2**n_informative({informative})={2**informative}"
        )


def shift_and_scale(
    shift: Any, scale: Any, class_sep: float, features: int, random: Any
) -> tuple[Any, Any]:
    """What is added to features, and by what they are multiplied then; drawn where it is None."""
    if shift is None:
        shift = (2 * random.uniform(size=features) - 1) * class_sep
    return shift, 1 + 100 * random.uniform(size=features) if scale is None else scale


@data_set
def make_classification(
    n_samples: int = 100,
    n_features: int = 20,
    *,
    n_informative: int = 2,
    n_redundant: int = 2,
    n_repeated: int = 0,
    n_classes: int = 2,
    n_clusters_per_class: int = 2,
    weights: Any = None,
    flip_y: float = 0.01,
    class_sep: float = 1.0,
    hypercube: bool = True,
    shift: Any = 0.0,
    scale: Any = 1.0,
    shuffle: bool = True,
    random_state: Any = None,
) -> Any:
    """Return samples x features and their classes: clusters at corners of a hypercube.

    Of I. Guyon, "Design of experiments for the NIPS 2003 variable selection benchmark" (2003):
    informative features are drawn, redundant ones are sums of them, repeated ones copies, the
    others noise. Raises ValueError for numbers of features and clusters that do not fit.

    >>> from phalanx.ml.datasets import make_classification
    >>> X, y = make_classification(20, random_state=0)
    >>> X.shape, y.shape
    ((20, 20), (20,))
    """
    check_count("n_samples", n_samples)
    check_count("n_features", n_features)
    check_features(
        n_features, n_informative, n_redundant + n_repeated, n_classes, n_clusters_per_class
    )
    sizes = sizes_of(n_samples, weights, n_classes, n_clusters_per_class)
    random = generator_of(random_state)
    cube = (class_sep, hypercube)
    drawn, y = _clusters(sizes, n_informative, n_classes, cube, random)
    parts = [drawn]
    if n_redundant > 0:
        mixing = 2 * random.uniform(size=(n_informative, n_redundant)) - 1
        parts.append(drawn @ mixing)
    made = n_informative + n_redundant
    if n_repeated > 0:
        copied = ((made - 1) * random.uniform(size=n_repeated) + 0.5).astype(np.intp)
        parts.append(np.hstack(parts)[:, copied])
    if n_features > made + n_repeated:
        parts.append(random.standard_normal(size=(n_samples, n_features - made - n_repeated)))
    if flip_y >= 0:
        flipped = random.uniform(size=n_samples) < flip_y
        y[flipped] = random.randint(n_classes, size=flipped.sum())
    shift, scale = shift_and_scale(shift, scale, class_sep, n_features, random)
    x = (np.hstack(parts) + shift) * scale
    if shuffle:
        x, y = shuffled(random, x, y)
        order = np.arange(n_features)
        random.shuffle(order)
        x = np.ascontiguousarray(x[:, order])
    return x, y


def centers_of(
    count: int, features: int, class_sep: float, is_hypercube: bool, random: Any
) -> np.ndarray:
    """The centers of clusters: corners of a hypercube, or of a polytope by chance."""
    centers = _corners(count, features, random) * (2 * class_sep) - class_sep
    if not is_hypercube:
        centers = centers * random.uniform(size=(count, 1))
        centers = centers * random.uniform(size=(1, features))
    return np.asarray(centers)


def _clusters(
    sizes: list[int], features: int, classes: int, cube: tuple[float, bool], random: Any
) -> tuple[np.ndarray, np.ndarray]:
    """The informative features, each cluster's stretched by chance, and the classes."""
    centers = centers_of(len(sizes), features, *cube, random)
    x = random.standard_normal(size=(sum(sizes), features))
    ends = np.cumsum(sizes)
    for center, size, end in zip(centers, sizes, ends, strict=True):
        stretch = 2 * random.uniform(size=(features, features)) - 1
        x[end - size : end] = x[end - size : end] @ stretch + center
    return x, np.repeat(np.arange(len(sizes)) % classes, sizes)


@data_set
def make_multilabel_classification(
    n_samples: int = 100,
    n_features: int = 20,
    *,
    n_classes: int = 5,
    n_labels: int = 2,
    length: int = 50,
    allow_unlabeled: bool = True,
    random_state: Any = None,
) -> Any:
    """Return counts of words, samples x features, and 0 or 1, samples x classes, both dense.

    Each sample has about `n_labels` classes, drawn by their shares, and about `length` words, drawn
    by what its classes have.

    >>> from phalanx.ml.datasets import make_multilabel_classification
    >>> X, y = make_multilabel_classification(20, random_state=0)
    >>> X.shape, y.shape
    ((20, 20), (20, 5))
    """
    check_count("n_classes", n_classes)
    random = generator_of(random_state)
    shares = random.uniform(size=n_classes)
    bounds = np.cumsum(shares / shares.sum())
    words = random.uniform(size=(n_features, n_classes))
    words /= words.sum(axis=0)
    x = np.zeros((n_samples, n_features))
    y = np.zeros((n_samples, n_classes), np.int64)
    for row in range(n_samples):
        labels = _labels(n_classes, n_labels, allow_unlabeled, bounds, random)
        count = 0
        while count == 0:
            count = random.poisson(length)
        if labels:
            parts = words[:, labels].sum(axis=1).cumsum()
            found = np.searchsorted(parts / parts[-1], random.uniform(size=count))
        else:
            found = random.randint(n_features, size=count)
        x[row] = np.bincount(found, minlength=n_features)
        y[row, labels] = 1
    return x, y


def _labels(classes: int, mean: int, allow_none: bool, bounds: np.ndarray, random: Any) -> Any:
    """The classes of a sample, as many as a Poisson number says."""
    count = classes + 1
    while count > classes or (count == 0 and not allow_none):
        count = random.poisson(mean)
    found: set[Any] = set()
    while len(found) != count:
        found.update(np.searchsorted(bounds, random.uniform(size=count - len(found))))
    return list(found)
