"""Rows of labels that an index lacks: of the label before, after or nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .durations import duration_of
from .kinds import common_dtype, may_equal, numbers_of

if TYPE_CHECKING:
    from .index import Index

METHODS = {"pad": "pad", "ffill": "pad", "backfill": "backfill", "bfill": "backfill"}


def check_method(method: str) -> str:
    """'pad', 'backfill' or 'nearest', which a method's name says. Raises ValueError for another."""
    found = METHODS.get(method, method)
    if found not in ("pad", "backfill", "nearest"):
        raise ValueError(
            f"Invalid fill method. Expecting pad (ffill), backfill (bfill) or nearest. Got {method}"
        )
    return found


def inexact_rows(
    index: Any, target: Index, method: str, limit: int | None, tolerance: Any
) -> np.ndarray:
    """Rows for a method of `get_indexer`. Raises ValueError as pandas does."""
    method = METHODS.get(method, method)
    if method not in ("pad", "backfill", "nearest"):
        raise ValueError(
            f"Invalid fill method. Expecting pad (ffill), backfill (bfill) or nearest. Got {method}"
        )
    if index.nlevels == target.nlevels == 1 and not may_equal(index.dtype, target.dtype):
        raise TypeError(f"Cannot compare dtypes {index.dtype} and {target.dtype}")
    if not (index.is_monotonic_increasing or index.is_monotonic_decreasing):
        raise ValueError("index must be monotonic increasing or decreasing")
    if limit is not None and not (target.is_monotonic_increasing and index.is_monotonic_increasing):
        raise ValueError(
            f"limit argument for {method!r} method only well-defined if index and target are "
            "monotonic"
        )
    if len(index) == 0:
        return np.full(len(target), -1, np.int64)
    dtype = common_dtype(index.dtype, target.dtype) if index.nlevels == 1 else None
    left = index if dtype is None else index._to_dtype(dtype)
    right = target if dtype is None else target._to_dtype(dtype)
    keys = left._joined([right])._sort_keys()
    mine, wanted = keys[: len(index)], keys[len(index) :]
    if method == "nearest":
        rows = _nearest(left, right, mine, wanted, limit)
    else:
        rows = _limited(_beside(mine, wanted, method), mine, wanted, limit, method)
    rows = np.where(right._missing_mask(), -1, rows)
    return rows if tolerance is None else _within(left, right, rows, tolerance)


def _beside(mine: np.ndarray, wanted: np.ndarray, method: str) -> np.ndarray:
    """Rows of the last key before the place of each wanted one, or of the first after it."""
    falling = len(mine) > 1 and mine[0] > mine[-1]
    if falling:
        # The complement of an int64 is the larger the less it is.
        mine, wanted = ~mine, ~wanted
    if method == "pad":
        return np.searchsorted(mine, wanted, "right") - 1
    rows = np.searchsorted(mine, wanted, "left")
    return np.where(rows == len(mine), -1, rows)


def _limited(
    rows: np.ndarray, mine: np.ndarray, wanted: np.ndarray, limit: int | None, method: str
) -> np.ndarray:
    """No more than so many wanted keys in turn from one row, exact ones aside."""
    if limit is None:
        return rows
    if limit < 1:
        raise ValueError("Limit must be greater than 0")
    step = 1 if method == "pad" else -1
    kept = rows.copy()[::step]
    runs, exact = rows[::step], (mine[rows] == wanted)[::step] & (rows[::step] >= 0)
    count, before = 0, -1
    for i, row in enumerate(runs):
        count = 0 if row != before or exact[i] else count
        before = row
        if not exact[i]:
            count += 1
            if count > limit:
                kept[i] = -1
    return kept[::step]


def _distances(left: Any, right: Any, rows: np.ndarray) -> np.ndarray:
    """How far each wanted label is from the one of its row."""
    mine, wanted = numbers_of(left._column), numbers_of(right._column)
    if mine is None or wanted is None:
        raise TypeError(f"labels of dtype {left.dtype} have no distances; use 'pad' or 'backfill'")
    return np.asarray(np.abs(mine[rows] - wanted))


def _nearest(
    left: Any, right: Any, mine: np.ndarray, wanted: np.ndarray, limit: int | None
) -> np.ndarray:
    before, after = (
        _limited(_beside(mine, wanted, method), mine, wanted, limit, method)
        for method in ("pad", "backfill")
    )
    if (before == after).all():
        return before
    to_before, to_after = _distances(left, right, before), _distances(left, right, after)
    closer = to_before < to_after if left.is_monotonic_increasing else to_before <= to_after
    return np.where((closer & (before >= 0)) | (after < 0), before, after)


def _within(left: Any, right: Any, rows: np.ndarray, tolerance: Any) -> np.ndarray:
    distances = _distances(left, right, rows)
    if distances.dtype.kind == "m":
        tolerance = duration_of(tolerance)
    return np.where((rows >= 0) & (distances <= tolerance), rows, -1)
