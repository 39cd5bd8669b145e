"""The order of labels, also of those that have none in Python."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..missing import is_missing


def safe_order(index: Any) -> np.ndarray:
    """Rows in the order of their labels; numbers come before texts, and missing labels last.

    Raises TypeError for labels that have no order.
    """
    try:
        rows: np.ndarray = index._ordered()
    except TypeError:
        found = _mixed_order(index)
        if found is None:
            raise
        return found
    return rows


def try_sort(index: Any, sort: bool | None) -> Any:
    """The labels in order unless `sort` is False; None lets labels without an order be."""
    if sort is False:
        return index
    try:
        return index._take(safe_order(index))
    except TypeError as error:
        if sort is True:
            raise
        warnings.warn(
            f"{error}, sort order is undefined for incomparable objects.",
            RuntimeWarning,
            stacklevel=4,
        )
        return index


def _mixed_order(index: Any) -> np.ndarray | None:
    """Rows with numbers first, then texts, then missing ones; None where these have no order."""
    if index.nlevels > 1:
        return None
    labels = index._objects()
    kinds = [2 if is_missing(each) else 1 if isinstance(each, str) else 0 for each in labels]
    try:
        rows = sorted(
            range(len(labels)), key=lambda i: (kinds[i], 0 if kinds[i] == 2 else labels[i])
        )
    except TypeError:
        return None
    return np.array(rows, np.int64)
