"""What targets are: classes, classes of several, numbers."""

from __future__ import annotations

from typing import Any

import numpy as np


def kind_of_target(values: Any) -> str:
    """The name that scikit-learn has for targets, an array of one or two dimensions.

    Raises ValueError for others, for NaN and for infinities.
    """
    host = np.asarray(values)
    if host.ndim not in (1, 2) or (host.ndim == 2 and host.shape[1] == 0):
        raise ValueError(f"Unknown label type: an array of shape {host.shape}")
    if host.dtype.kind == "f" and not np.isfinite(host).all():
        raise ValueError("Input y contains NaN or infinity: drop or fill the samples that have it.")
    is_several = host.ndim == 2 and host.shape[1] > 1
    suffix = "-multioutput" if is_several else ""
    if host.dtype.kind == "f" and (host % 1 != 0).any():
        return f"continuous{suffix}"
    found = set(host.reshape(-1).tolist())
    if is_several and host.dtype.kind in "biuf" and len(found) <= 2:
        return "multilabel-indicator"
    return f"multiclass{suffix}" if len(found) > 2 or is_several else "binary"
