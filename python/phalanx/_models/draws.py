"""What models and data sets draw by chance, in scikit-learn's order of random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

_FEW, _MANY = 0.01, 0.99


def drawn_once(population: int, count: int, random: Any) -> np.ndarray:
    """Numbers below `population`, each once, drawn in scikit-learn's three ways."""
    share = count / population
    if _FEW < share < _MANY:
        return np.asarray(random.permutation(population)[:count])
    if share <= _FEW:
        chosen: dict[int, None] = {}
        while len(chosen) < count:
            chosen[int(random.randint(population))] = None
        return np.array(list(chosen), np.int64)
    # A reservoir, in which each number after takes the place of one by chance.
    made = np.arange(count)
    for number in range(count, population):
        place = random.randint(0, number + 1)
        if place < count:
            made[place] = number
    return made


def shuffled(random: Any, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    """Arrays with their rows in one random order."""
    order = np.arange(len(arrays[0]))
    random.shuffle(order)
    return tuple(each[order] for each in arrays)
