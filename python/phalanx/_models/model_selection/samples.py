"""Samples of any kind: how many there are, and some of them by their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray


def count_of(X: Any) -> int:
    """How many samples there are. Raises TypeError for what has no length."""
    shape = getattr(X, "shape", None)
    if shape is not None:
        if len(shape) == 0:
            raise TypeError(
                f"Input should have at least 1 dimension i.e. satisfy `len(x.shape) > 0`, got "
                f"scalar `{X!r}` instead."
            )
        return int(shape[0])
    if not hasattr(X, "__len__"):
        raise TypeError(f"Expected sequence or array-like, got {type(X)}")
    return len(X)


def same_count(*arrays: Any) -> int:
    """The number of samples of all arrays but None. Raises ValueError where they differ."""
    counts = [count_of(each) for each in arrays if each is not None]
    if len(set(counts)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {counts}")
    return counts[0]


def taken(X: Any, rows: np.ndarray) -> Any:
    """The samples of some numbers, as what they were given as: an array, a frame, a list."""
    if X is None:
        return None
    if isinstance(X, ndarray):
        return X[px.asarray(rows, device=X.device)]
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "tocsr"):
        return X.tocsr()[rows]
    if hasattr(X, "shape"):
        return X[rows]
    return [X[row] for row in rows.tolist()]


def on_host(values: Any) -> np.ndarray:
    """Classes or groups as NumPy's array of one dimension. Raises ValueError for others."""
    made = np.asarray(values)
    if made.ndim == 2 and made.shape[1] == 1:
        made = made.reshape(-1)
    if made.dtype.kind == "f" and not np.isfinite(made).all():
        raise ValueError("Input contains NaN or infinity: drop or fill the samples that have it.")
    return made


def classes_of(y: Any) -> np.ndarray:
    """Classes as `on_host`. Raises ValueError for numbers with fractions and several targets."""
    made = on_host(y)
    kind = None
    if made.ndim != 1:
        kind = (
            "multilabel-indicator" if set(np.unique(made)) <= {0, 1} else "multiclass-multioutput"
        )
    elif made.dtype.kind == "f" and (made % 1 != 0).any():
        kind = "continuous"
    if kind:
        raise ValueError(
            f"Supported target types are: ('binary', 'multiclass'). Got {kind!r} instead."
        )
    return made
