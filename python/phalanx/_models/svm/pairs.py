"""Classes two at a time: problems of each pair, votes and scores of all classes."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray


class Pair(NamedTuple):
    """Samples of two classes, those of the first before those of the second."""

    first: int
    second: int
    rows: np.ndarray
    sign: np.ndarray  # 1 of the first, else -1


def pairs_of(codes: np.ndarray, classes: int) -> list[Pair]:
    """The pairs of classes in order."""
    members = [np.flatnonzero(codes == number) for number in range(classes)]
    return [
        Pair(
            one,
            other,
            np.concatenate([members[one], members[other]]),
            np.repeat([1.0, -1.0], [len(members[one]), len(members[other])]),
        )
        for one, other in combinations(range(classes), 2)
    ]


def joined(pairs: list[Pair], shares: list[np.ndarray], count: int, classes: int) -> np.ndarray:
    """The shares of samples in the scores of their pairs as libsvm has them.

    Rows are the other classes less one's own, columns are samples.
    """
    made = np.zeros((classes - 1, count))
    for pair, share in zip(pairs, shares, strict=True):
        is_first = pair.sign > 0
        made[pair.second - 1, pair.rows[is_first]] = share[is_first]
        made[pair.first, pair.rows[~is_first]] = share[~is_first]
    return made


def parted(dual: np.ndarray, support_counts: np.ndarray) -> np.ndarray:
    """The inverse of `joined` for support vectors, sorted by class: one row a pair."""
    ends = np.cumsum(support_counts)
    places = [slice(end - size, end) for end, size in zip(ends, support_counts, strict=True)]
    made = []
    for one, other in combinations(range(len(support_counts)), 2):
        row = np.zeros(dual.shape[1])
        row[places[one]] = dual[other - 1, places[one]]
        row[places[other]] = dual[one, places[other]]
        made.append(row)
    return np.stack(made)


def _members(classes: int, like: ndarray) -> tuple[ndarray, ndarray]:
    """Pairs x classes: 1 at the first class of each pair, and at the second."""
    first, second = np.array(list(combinations(range(classes), 2))).T
    rows = np.eye(classes)
    made = [px.asarray(rows[each], device=like.device) for each in (first, second)]
    return made[0], made[1]


def votes(scores: ndarray, classes: int) -> ndarray:
    """How many pairs each class wins, samples x classes."""
    first, second = _members(classes, scores)
    won = (scores > 0).astype(np.float64)
    return won @ first + (1 - won) @ second


def one_for_each(scores: ndarray, classes: int) -> ndarray:
    """A score for each class: its votes, and less than a half of one by the sums of scores."""
    first, second = _members(classes, scores)
    lost = (scores < 0).astype(np.float64)
    total = scores @ (first - second)
    return (1 - lost) @ first + lost @ second + total / (3 * (px.abs(total) + 1))
