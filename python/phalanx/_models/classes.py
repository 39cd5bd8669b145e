"""Classes: the targets of classifiers, as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .._arrays.ndarray import ndarray
from .preprocessing.category_columns import categories_of, codes_of
from .validation import given_as, targets


def checked_classes(estimator: Any, y: Any, count: int) -> Any:
    """The classes of the samples, numbers as an array of ours, texts as NumPy's.

    Raises ValueError for numbers with fractions, which are no classes, None and NaN, and what
    `targets` raises.
    """
    values = targets(estimator, y, count)
    if values.dtype.kind == "O":
        given = values.tolist()
        if any(each is None or each != each for each in given):
            raise ValueError("Input y contains NaN or None: leave out the samples that have it.")
        has_fractions = any(isinstance(each, float) and bool(each % 1) for each in given)
    else:
        has_fractions = values.dtype.kind == "f" and bool(np.any(np.asarray(values) % 1))
    if has_fractions:
        raise ValueError(
            "Unknown label type: continuous. Maybe you are trying to fit a classifier, which "
            "expects discrete classes on a regression target with continuous values."
        )
    return px.asarray(values) if values.dtype.kind in "biuf" else np.asarray(values)


def classes_of(estimator: Any, y: Any, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The sorted classes, and the number of each sample's, int64, on the host."""
    values = checked_classes(estimator, y, count)
    classes = categories_of(values)
    return classes, codes_of(values, classes)


def named(X: Any, classes: np.ndarray, codes: Any) -> Any:
    """The classes of codes, an array of NumPy's or ours, in the kind of the samples `X`.

    Classes that are no numbers, as texts, are NumPy's.
    """
    if classes.dtype.kind not in "biuf":
        return classes[np.asarray(codes)]
    if isinstance(codes, ndarray):
        return given_as(X, px.asarray(classes, device=codes.device)[codes])
    return given_as(X, classes[codes])


def weights_of_classes(
    class_weight: Any, classes: np.ndarray, codes: np.ndarray, sample_weight: ndarray | None
) -> np.ndarray:
    """A float64 weight for each class: 1, what a dict says, or by its share for ``"balanced"``.

    Raises ValueError for a dict of classes that there are not, and for weights that are negative,
    not finite, or all 0.
    """
    if class_weight is None or len(class_weight) == 0:
        return np.ones(len(classes))
    if isinstance(class_weight, str):
        weight = None if sample_weight is None else np.asarray(sample_weight, np.float64)
        counts = np.bincount(codes, weight, minlength=len(classes))
        return np.asarray(counts.sum() / (len(classes) * counts))
    plain = classes.tolist()
    others = [each for each in plain if each not in class_weight]
    if others and len(plain) - len(others) != len(class_weight):
        raise ValueError(f"The classes, {others}, are not in class_weight")
    made = np.array([class_weight.get(each, 1.0) for each in plain], np.float64)
    if not np.isfinite(made).all() or (made < 0).any() or not made.any():
        raise ValueError(
            f"class_weight must have finite numbers of at least 0, and one above: {class_weight!r}"
        )
    return made
