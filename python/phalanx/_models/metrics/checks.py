"""What metrics are given: refused where it makes no sense, as scikit-learn refuses it."""

from __future__ import annotations

from typing import Any

import numpy as np

_LABELS = ("binary", "multiclass", "multilabel-indicator")
_SAME = {"binary": "multiclass"}  # a kind that is also of another


def refuse_lengths(*arrays: Any) -> None:
    """Raise ValueError unless all that is given, but None, has one number of samples."""
    counts = [len(each) for each in arrays if each is not None and np.ndim(each)]
    if len(set(counts)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {counts}")


def refuse_nan(values: np.ndarray, name: str) -> None:
    """Raise ValueError for NaN, None and infinities."""
    if values.dtype.kind == "O":
        if any(each is None or each != each for each in values.ravel().tolist()):
            raise ValueError(f"Input {name} contains NaN.")
    elif values.dtype.kind in "fc" and not np.isfinite(values).all():
        if np.isnan(values).any():
            raise ValueError(f"Input {name} contains NaN.")
        raise ValueError(
            f"Input {name} contains infinity or a value too large for {values.dtype!r}."
        )


def kind_of(labels: np.ndarray) -> str:
    """What labels are, in scikit-learn's words."""
    several = labels.ndim == 2 and labels.shape[1] > 1
    if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
        return "continuous-multioutput" if several else "continuous"
    if labels.ndim > 2 or labels.ndim == 0:
        return "unknown"
    count = len(np.unique(labels))
    if several:
        is_indicator = count <= 2 and labels.dtype.kind in "biuf"
        return "multilabel-indicator" if is_indicator else "multiclass-multioutput"
    return "multiclass" if count > 2 else "binary"


def _has_texts(labels: np.ndarray) -> bool:
    if labels.dtype.kind == "O":
        return any(isinstance(each, str) for each in labels.ravel().tolist())
    return labels.dtype.kind in "SUT"


def refuse_mixed(one: np.ndarray, other: np.ndarray) -> None:
    """Raise ValueError for texts beside numbers."""
    if one.size and other.size and _has_texts(one) != _has_texts(other):
        raise ValueError(
            "Mix of label input types (string and number): give both as texts or both as numbers"
        )


def true_labels(y_true: Any, name: str = "y_true") -> np.ndarray:
    """Classes of samples, or samples x labels; a column is a vector.

    Raises ValueError for none, NaN, and numbers that are no classes.
    """
    labels = np.asarray(y_true)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim and not len(labels):
        raise ValueError(
            f"Found array with 0 sample(s) (shape={labels.shape}) while a minimum of 1 is required."
        )
    refuse_nan(labels, name)
    kind = kind_of(labels)
    if kind not in _LABELS:
        raise ValueError(f"{kind} format is not supported")
    return labels


def pair_of_labels(
    y_true: Any, y_pred: Any, sample_weight: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """True and predicted classes, vectors, or both samples x labels of zeros and ones.

    Raises ValueError for other lengths, none, NaN, numbers with fractions, texts beside numbers and
    several labels beside one.
    """
    true, predicted = np.asarray(y_true), np.asarray(y_pred)
    refuse_lengths(true, predicted, sample_weight)
    if 0 in (true.size, predicted.size):
        raise ValueError(
            "Found empty input array (e.g., `y_true` or `y_pred`) while a minimum of 1 sample is "
            "required."
        )
    refuse_nan(true, "y_true")
    refuse_nan(predicted, "y_pred")
    checked_weights(sample_weight, len(true))
    kinds = [kind_of(true), kind_of(predicted)]
    if len({_SAME.get(each, each) for each in kinds}) > 1:
        raise ValueError(
            f"Classification metrics can't handle a mix of {kinds[0]} and {kinds[1]} targets"
        )
    if kinds[0] not in _LABELS:
        raise ValueError(f"{kinds[0]} is not supported")
    if kinds[0] == "multilabel-indicator":
        return true, predicted
    refuse_mixed(true, predicted)
    return true.reshape(-1), predicted.reshape(-1)


def checked_weights(sample_weight: Any, count: int) -> np.ndarray | None:
    """A float64 weight for each sample, or None.

    Raises ValueError for other lengths, NaN, infinities and weights that are all 0.
    """
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight, np.float64)
    if weight.ndim == 0:
        weight = np.full(count, weight)
    refuse_nan(weight, "sample_weight")
    if weight.shape != (count,):
        raise ValueError(f"sample_weight.shape == {weight.shape}, expected {(count,)}!")
    if not weight.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return weight


def scores_of(y: Any, name: str) -> np.ndarray:
    """Scores as float64. Raises ValueError for texts, NaN and infinities."""
    given = np.asarray(y)
    if given.dtype.kind in "SUT":
        raise ValueError(
            f"dtype='numeric' is not compatible with arrays of bytes/strings in {name}. Convert "
            "your data to numeric values explicitly instead."
        )
    values = given.astype(np.float64, copy=False)
    refuse_nan(values, name)
    return values


def targets_of(y: Any, name: str) -> np.ndarray:
    """Numbers of samples, or of samples x targets, float64.

    Raises ValueError for none, texts, NaN and infinities, and for other dimensions.
    """
    given = np.asarray(y)
    if given.ndim not in (1, 2):
        raise ValueError(f"{name} should be of samples, or samples x targets: {given.shape}")
    if not given.size:
        raise ValueError(
            f"Found array with 0 sample(s) (shape={given.shape}) while a minimum of 1 is required."
        )
    return scores_of(given, name)
