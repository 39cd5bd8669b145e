"""Compares a result with NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

# Of the largest number in the result.
_TOLERANCES = {"e": 4e-3, "f": 3e-5, "d": 1e-10, "F": 3e-5, "D": 1e-10}


def _tolerance(*dtypes: Any) -> float:
    return max((_TOLERANCES.get(each.char, 0.0) for each in dtypes), default=0.0)


def _dtype_difference(actual: Any, expected: Any) -> str:
    if isinstance(actual, (bool, int, float, complex)):  # a number is returned as Python's
        kinds = {"b": "b", "i": "i", "u": "i", "f": "f", "c": "c"}
        ours = kinds[np.asarray(actual).dtype.kind]
        theirs = kinds.get(np.asarray(expected).dtype.kind, "?")
        return "" if ours == theirs else f"a number of kind {ours}, not {theirs}"
    ours, theirs = np.asarray(actual).dtype, np.asarray(expected).dtype
    return "" if ours == theirs else f"dtype {ours}, not {theirs}"


def _values_differ(ours: Any, theirs: Any) -> Any:
    """Where two arrays of numbers differ."""
    if ours.dtype.kind in "biu" and theirs.dtype.kind in "biu":
        return ours.astype(object) != theirs.astype(object) if ours.size else ours != theirs
    wide = np.complex128 if "c" in ours.dtype.kind + theirs.dtype.kind else np.float64
    x, y = ours.astype(wide), theirs.astype(wide)
    finite = np.abs(y[np.isfinite(y)])
    size = max(finite.max(initial=0.0), 1e-3)
    with np.errstate(all="ignore"):
        near = np.abs(x - y) <= _tolerance(ours.dtype, theirs.dtype) * size
    signs = np.ones(near.shape, bool)
    if wide is np.float64:
        zero = (x == 0) & (y == 0)
        signs = ~zero | (np.signbit(x) == np.signbit(y))
    return ~(((near & np.isfinite(y)) & signs) | ((x == y) & signs) | (np.isnan(x) & np.isnan(y)))


def difference(actual: Any, expected: Any) -> str:
    """What differs between two results, empty where nothing does."""
    if isinstance(expected, (tuple, list)):
        if not isinstance(actual, (tuple, list)) or len(actual) != len(expected):
            return f"{len(expected)} results expected, found {type(actual).__name__} {actual!r:.80}"
        parts = (difference(*pair) for pair in zip(actual, expected, strict=True))
        return next((part for part in parts if part), "")
    if expected is None or isinstance(expected, str):
        return "" if actual == expected else f"{actual!r:.80}, not {expected!r:.80}"
    ours, theirs = np.asarray(actual), np.asarray(expected)
    if ours.dtype == object or actual is None:
        return f"{actual!r:.80}, not {expected!r:.80}"
    if ours.shape != theirs.shape:
        return f"shape {ours.shape}, not {theirs.shape}"
    wrong = np.atleast_1d(_values_differ(ours, theirs))
    if wrong.any():
        x, y = np.atleast_1d(ours)[wrong][0], np.atleast_1d(theirs)[wrong][0]
        return f"{wrong.sum()} of {wrong.size} values: {x!r}, not {y!r}"
    return _dtype_difference(actual, expected)
