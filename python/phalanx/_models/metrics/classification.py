"""How well classes are predicted."""

from __future__ import annotations

from typing import Any

import numpy as np


def accuracy_score(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None
) -> float:
    """Return the share of samples whose class is predicted, or unless `normalize` their weight.

    Raises ValueError for other lengths.
    """
    true, predicted = np.asarray(y_true), np.asarray(y_pred)
    if true.shape != predicted.shape:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"[{len(true)}, {len(predicted)}]"
        )
    hits = true == predicted
    if hits.ndim == 2:
        hits = hits.all(axis=1)
    if not normalize:
        return float(hits.sum() if sample_weight is None else np.dot(hits, sample_weight))
    return float(np.average(hits, weights=sample_weight))
