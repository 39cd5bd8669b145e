"""Units of samples in which powers of distances do not overflow."""

from __future__ import annotations

import numpy as np

from ..neighbors.distances import Metric

GREATEST = float(np.finfo(np.float64).max)


def in_units(x: np.ndarray, metric: Metric) -> tuple[np.ndarray, float]:
    """Finite samples x features in a unit, and this unit: 1 unless distances would overflow.

    It is a power of two, so that nothing is rounded but what becomes too small to matter.
    """
    unit = _unit(float(np.abs(x).max(initial=0.0)), x.shape[1], metric.exponent)
    return (x if unit == 1 else x / unit), unit


def matrix_in_units(distances: np.ndarray) -> tuple[np.ndarray, float]:
    """The same of a matrix of distances with an infinite diagonal, for squares and sums of rows."""
    greatest = np.max(distances, where=np.isfinite(distances), initial=0.0)
    unit = _unit(float(greatest), len(distances), 2.0)
    return (distances if unit == 1 else distances / unit), unit


def _unit(greatest: float, terms: int, power: float) -> float:
    """1, or the power of two in which numbers are up to a half, where terms would overflow."""
    with np.errstate(over="ignore"):
        if np.isfinite(terms * np.float64(2 * greatest) ** power):
            return 1.0
    return float(2.0 ** min(np.frexp(greatest)[1] + 1, 1023))


def out_of_units(lengths: np.ndarray, unit: float) -> np.ndarray:
    """Distances in a unit as they were without it; those above float64's greatest are that."""
    if unit == 1:
        return lengths
    with np.errstate(over="ignore"):
        return np.minimum(lengths * unit, GREATEST)
