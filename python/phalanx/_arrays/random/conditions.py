"""What distributions ask of their parameters, in NumPy's words.

Each raises `ValueError` where a number, or an element of an array, is not as it says.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import _engine
from .. import ufuncs


def is_any(condition: Any) -> bool:
    """True if a condition holds of a number, or of an element of an array."""
    if isinstance(condition, _engine.Array):
        from .. import reductions

        return bool(reductions.any(condition))
    return bool(condition)


def _not_all(condition: Any) -> bool:
    if isinstance(condition, _engine.Array):
        from .. import reductions

        return not reductions.all(condition)
    return not condition


def anything(name: str, value: Any) -> None:
    """Takes every number."""


def not_negative(name: str, value: Any) -> None:
    """At least 0, and no -0; or NaN."""
    if isinstance(value, _engine.Array):
        table = ufuncs.table()
        is_wrong: Any = ~table["isnan"](value) & table["signbit"](value)
    else:
        is_wrong = not math.isnan(value) and math.copysign(1, value) < 0
    if is_any(is_wrong):
        raise ValueError(f"{name} < 0")


def positive(name: str, value: Any) -> None:
    """Above 0; or NaN."""
    if is_any(value <= 0):
        raise ValueError(f"{name} <= 0")


def positive_number(name: str, value: Any) -> None:
    """Above 0, and a number."""
    if is_any(value != value):
        raise ValueError(f"{name} must not be NaN")
    positive(name, value)


def probability(name: str, value: Any) -> None:
    """From 0 to 1."""
    if _not_all((value >= 0) & (value <= 1)):
        raise ValueError(f"{name} < 0, {name} > 1 or {name} contains NaNs")


def probability_above_0(name: str, value: Any) -> None:
    """Above 0, at most 1."""
    if _not_all((value > 0) & (value <= 1)):
        raise ValueError(f"{name} <= 0, {name} > 1 or {name} contains NaNs")


def probability_below_1(name: str, value: Any) -> None:
    """At least 0, below 1."""
    if _not_all((value >= 0) & (value < 1)):
        raise ValueError(f"{name} < 0, {name} >= 1 or {name} contains NaNs")


def above_1(name: str, value: Any) -> None:
    """Above 1."""
    if _not_all(value > 1):
        raise ValueError(f"{name} <= 1 or {name} contains NaNs")


def mean_of_poisson(name: str, value: Any) -> None:
    """From 0 to the greatest mean whose draws fit int64."""
    if _not_all(value >= 0):
        raise ValueError(f"{name} < 0 or {name} contains NaNs")
    if is_any(is_beyond_poisson(value)):
        raise ValueError(f"{name} value too large")


def is_beyond_poisson(mean: Any) -> Any:
    """True for means of which a Poisson draw may be beyond int64."""
    most = np.iinfo(np.int64).max
    return mean > most - 10 * math.sqrt(most)
