"""Minima of functions of one number, of many such functions at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_GOLDEN = (3 - 5**0.5) / 2
_MOST = 200


def least(
    function: Callable[[np.ndarray], np.ndarray],
    low: np.ndarray,
    high: np.ndarray,
    tolerance: float = 1e-8,
) -> np.ndarray:
    """Where functions of one number each are least, between `low` and `high`.

    `function` takes a number for each, float64, and returns their values. The method is that of
    R. Brent, "Algorithms for Minimization without Derivatives" (1973), chapter 5: a parabola
    through the three best places, or a golden section where that does not narrow the interval.
    Functions take their steps together, so that one pass over samples serves all features.
    """
    a, b = low.astype(np.float64).copy(), high.astype(np.float64).copy()
    best = a + _GOLDEN * (b - a)
    second, third = best.copy(), best.copy()
    of_best = function(best)
    of_second, of_third = of_best.copy(), of_best.copy()
    step, earlier = np.zeros_like(a), np.zeros_like(a)
    for _ in range(_MOST):
        middle = (a + b) / 2
        small = np.sqrt(np.finfo(np.float64).eps) * np.abs(best) + tolerance / 3
        if (np.abs(best - middle) <= 2 * small - (b - a) / 2).all():
            break
        parabola = _parabola(best, second, third, of_best, of_second, of_third)
        fits = np.isfinite(parabola) & (np.abs(earlier) > small)
        fits &= np.abs(parabola) < np.abs(earlier) / 2
        fits &= (best + parabola > a) & (best + parabola < b)
        section = np.where(best < middle, b - best, a - best)
        earlier = np.where(fits, step, section)
        step = np.where(fits, parabola, _GOLDEN * section)
        near_end = fits & (np.minimum(best + step - a, b - best - step) < 2 * small)
        step = np.where(near_end, np.where(best < middle, small, -small), step)
        step = np.where(np.abs(step) < small, np.where(step >= 0, small, -small), step)
        tried = np.clip(best + step, a, b)
        of_tried = function(tried)
        better = of_tried <= of_best
        a = np.where(better & (tried >= best), best, np.where(~better & (tried < best), tried, a))
        b = np.where(better & (tried < best), best, np.where(~better & (tried >= best), tried, b))
        is_second = ~better & ((of_tried <= of_second) | (second == best))
        is_third = ~better & ~is_second
        is_third &= (of_tried <= of_third) | (third == best) | (third == second)
        moved = better | is_second
        third, of_third = (
            np.where(moved, second, np.where(is_third, tried, third)),
            np.where(moved, of_second, np.where(is_third, of_tried, of_third)),
        )
        second, of_second = (
            np.where(better, best, np.where(is_second, tried, second)),
            np.where(better, of_best, np.where(is_second, of_tried, of_second)),
        )
        best, of_best = np.where(better, tried, best), np.where(better, of_tried, of_best)
    return best


def _parabola(
    x: np.ndarray, w: np.ndarray, v: np.ndarray, fx: np.ndarray, fw: np.ndarray, fv: np.ndarray
) -> np.ndarray:
    """The step from `x` to the least place of a parabola through three; not finite for a line."""
    r, q = (x - w) * (fx - fv), (x - v) * (fx - fw)
    with np.errstate(all="ignore"):
        return np.asarray(-((x - v) * q - (x - w) * r) / (2 * (q - r)))
