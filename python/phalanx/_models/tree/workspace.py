"""What the functions that grow a tree pass on: the data, limits, room to work in, and the tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Data(NamedTuple):
    """What trees are grown over: codes and ranges of bins by feature, and targets by sample.

    `ranges` is features x 2 x bins: the least and the greatest value of each bin. `targets` are
    numbers of classes, int32, or float64.
    """

    codes: np.ndarray
    ranges: np.ndarray
    targets: np.ndarray


class Limits(NamedTuple):
    """When nodes are not split: numbers of samples and leaves, weights, and the least gain."""

    depth: int
    split: int
    leaf: int
    leaf_share: float  # of the tree's weight
    leaves: int  # 0: any number, and nodes are split depth first
    gain: float  # as a part of the tree's weight
    features: int  # how many are drawn for a node


class Samples(NamedTuple):
    """The samples of each tree, a row each: weights by sample, and the rows that have weight."""

    weights: np.ndarray
    rows: np.ndarray
    counts: np.ndarray


class Grown(NamedTuple):
    """Trees that grow, trees x nodes: where nodes split, their first child, and their rows.

    `left` is -1 of a leaf; the second child follows the first. Rows of a node are from `start` to
    `end`.
    """

    feature: np.ndarray
    cut: np.ndarray
    left: np.ndarray
    start: np.ndarray
    end: np.ndarray
    depth: np.ndarray
    last: np.ndarray  # the last bin on the left
    gain: np.ndarray
    state: np.ndarray  # with which a node's draws begin

    @classmethod
    def empty(cls, trees: int, nodes: int) -> Grown:
        """Room for so many nodes of each tree."""
        kinds = (np.int32, np.float64) + (np.int32,) * 5 + (np.float64, np.int64)
        return cls(*(np.empty((trees, nodes), kind) for kind in kinds))


class Room(NamedTuple):
    """Memory to work in, of one tree."""

    targets: np.ndarray  # of a node's samples
    weights: np.ndarray
    spare: np.ndarray  # rows
    order: np.ndarray  # features, drawn ones first while a node is looked at
    swapped: np.ndarray  # what each drawn one has changed places with
    hist: np.ndarray  # bins x sums
    ids: np.ndarray  # 3 x bins: the bin of each row of the histogram, and room to sort
    sums: np.ndarray  # 3 x sums: of the left side, the right one, and the node
    state: np.ndarray  # of the random generator
    weight: np.ndarray  # the least weight of a leaf, and the weight of the tree


class Spec(NamedTuple):
    """What the code of growing trees depends on."""

    criterion: str
    is_class: bool
    is_random: bool
