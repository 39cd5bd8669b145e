"""Chances of classes from scores, by sigmoids and the coupling of pairs."""

from __future__ import annotations

from itertools import combinations

import numpy as np

_STEPS, _SMALLEST, _RIDGE = 100, 1e-10, 1e-12
_LEAST_SLOPE = 1e-5
_LEAST_CHANCE = 1e-7


def sigmoid(scores: np.ndarray, slope: float, shift: float) -> np.ndarray:
    """``1 / (1 + exp(slope * scores + shift))``, without overflow."""
    power = slope * scores + shift
    small = np.exp(-np.abs(power))
    return np.where(power >= 0, small / (1 + small), 1 / (1 + small))


def fitted_sigmoid(scores: np.ndarray, is_first: np.ndarray) -> tuple[float, float]:
    """The slope and the shift of the sigmoid by which the first class is the likeliest.

    Newton's steps of H.-T. Lin, C.-J. Lin and R. Weng, "A note on Platt's probabilistic outputs
    for support vector machines" (2007).
    """
    first, second = float(is_first.sum()), float((~is_first).sum())
    wanted = np.where(is_first, (first + 1) / (first + 2), 1 / (second + 2))

    def loss(slope: float, shift: float) -> float:
        power = slope * scores + shift
        return float((np.log1p(np.exp(-np.abs(power))) + np.maximum(power, 0)).sum()) - float(
            ((1 - wanted) * power).sum()
        )

    place = np.array([0.0, np.log((second + 1) / (first + 1))])
    value = loss(*place)
    for _ in range(_STEPS):
        chance = sigmoid(scores, *place)
        apart, curve = wanted - chance, chance * (1 - chance)
        slopes = np.array([(scores * apart).sum(), apart.sum()])
        if np.abs(slopes).max() < _LEAST_SLOPE:
            break
        cross = (scores * curve).sum()
        matrix = np.array([[(scores * scores * curve).sum(), cross], [cross, curve.sum()]])
        step = -np.linalg.solve(matrix + _RIDGE * np.eye(2), slopes)
        length = 1.0
        while length >= _SMALLEST:
            tried = loss(*(place + length * step))
            if tried < value + 1e-4 * length * (slopes @ step):
                place, value = place + length * step, tried
                break
            length /= 2
        else:
            break
    return float(place[0]), float(place[1])


def chances_of_pairs(scores: np.ndarray, slopes: np.ndarray, shifts: np.ndarray) -> np.ndarray:
    """The chance of the first class of each pair, samples x pairs."""
    made = [
        sigmoid(scores[:, i], a, b) for i, (a, b) in enumerate(zip(slopes, shifts, strict=True))
    ]
    return np.clip(np.stack(made, axis=1), _LEAST_CHANCE, 1 - _LEAST_CHANCE)


def coupled(pairs: np.ndarray, classes: int) -> np.ndarray:
    """The chance of each class from those of the pairs, samples x classes.

    The second method of T.-F. Wu, C.-J. Lin and R. Weng, "Probability estimates for multi-class
    classification by pairwise coupling" (2004).
    """
    if classes == 2:
        return np.column_stack([pairs[:, 0], 1 - pairs[:, 0]])
    count = len(pairs)
    won = np.zeros((count, classes, classes))
    for number, (one, other) in enumerate(combinations(range(classes), 2)):
        won[:, one, other] = pairs[:, number]
        won[:, other, one] = 1 - pairs[:, number]
    matrix = -won.transpose(0, 2, 1) * won
    places = np.arange(classes)
    matrix[:, places, places] = (won**2).sum(axis=1)
    # The least value of p' Q p where the sum of p is 1: a system of linear equations.
    system = np.zeros((count, classes + 1, classes + 1))
    system[:, :classes, :classes] = matrix
    system[:, classes, :classes] = system[:, :classes, classes] = 1
    right = np.zeros((count, classes + 1, 1))
    right[:, classes] = 1
    made = np.linalg.solve(system, right)[:, :classes, 0]
    made = np.maximum(made, 0)
    return np.asarray(made / made.sum(axis=1, keepdims=True))
