"""Columns of numbers as dates and durations: counts of a unit."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..columns.numbers import NumberColumn
from ..dtypes import NullableDtype
from ..scalars.units import NANOSECONDS, NAT_VALUE, nanoseconds_of


def counted_column(column: NumberColumn, unit: str, kind: str, refuse: Any) -> NumberColumn:
    """Numbers of a unit as dates (`kind` 'M') or durations ('m'); missing ones are NaT.

    Whole numbers are counted in microseconds, if not nanoseconds; others in nanoseconds. What
    int64 does not hold is NaT where `refuse` is None, else that is called with the number.
    """
    numbers = np.asarray(column.values)
    missing = np.asarray(column.isna())
    if isinstance(column.dtype, NullableDtype):
        numbers = np.where(missing, 0, numbers)
    present = numbers[~missing]
    is_whole = numbers.dtype.kind in "iu" or bool((np.trunc(present) == present).all())
    counted_in = "us" if is_whole and unit != "ns" else "ns"
    step = nanoseconds_of(unit) // NANOSECONDS[counted_in]
    divides = max(NANOSECONDS[counted_in] // nanoseconds_of(unit), 1)
    if numbers.dtype.kind in "iu":
        counts, bad = _of_integers(numbers, step)
    else:
        counts, bad = _of_floats(np.where(missing, 0, numbers), step)
    counts = np.where(missing | bad, NAT_VALUE, counts // divides)
    if refuse is not None and (bad & ~missing).any():
        refuse(numbers[int(np.argmax(bad & ~missing))])
    return NumberColumn(px.asarray(counts.view(f"{kind}8[{counted_in}]")))


def _of_integers(numbers: np.ndarray, step: int) -> tuple[np.ndarray, np.ndarray]:
    most = (2**63 - 1) // step
    bad = numbers > most if numbers.dtype.kind == "u" else (numbers > most) | (numbers < -most)
    with np.errstate(over="ignore"):
        return numbers.astype(np.int64) * step, np.asarray(bad)


def _of_floats(numbers: np.ndarray, step: int) -> tuple[np.ndarray, np.ndarray]:
    """Counts of floats, to as many digits as the step has: what is less is the float's error."""
    wide = numbers.astype(np.float64)
    bad = ~(np.abs(wide) * step < 2.0**63)
    fine = np.where(bad, 0, wide)
    whole = np.trunc(fine)
    fractions = np.round(fine - whole, len(str(step)) - 1)
    counts = whole.astype(np.int64) * step + (fractions * step).astype(np.int64)
    return counts, bad
