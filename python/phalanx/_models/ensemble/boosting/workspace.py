"""What the functions that grow a tree of gradients pass on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MISSING = 255  # the bin of missing numbers
BINS = 256
MOST_BINS = 255  # of numbers that are there
# Rows of a histogram's bin.
GRADIENT, HESSIAN, COUNT = 0, 1, 2


class Data(NamedTuple):
    """Codes, features x samples, and of each feature the number of bins and two flags, uint8."""

    codes: np.ndarray
    bins: np.ndarray
    has_missing: np.ndarray
    is_category: np.ndarray


class Limits(NamedTuple):
    """When nodes are not split."""

    leaves: int  # 0: any number
    depth: int
    leaf: int
    l2: float
    features: int  # how many are drawn for a node


class Work(NamedTuple):
    """Memory of a fit: gradients by sample, and what is used again for each tree.

    `found` is 2 x features x (gain, bin, missing numbers go left, and three sums of the left side);
    `sets` are the categories on the left, 2 x features x 256. `hists` has slots x features x bins
    x 3; `free` are its free slots, and `free[-1]` their number.
    """

    gradients: np.ndarray
    hessians: np.ndarray
    near_gradients: np.ndarray  # of the rows of a node
    near_hessians: np.ndarray
    rows: np.ndarray
    left: np.ndarray
    right: np.ndarray
    parts: np.ndarray
    hists: np.ndarray
    free: np.ndarray
    found: np.ndarray
    sets: np.ndarray
    order: np.ndarray
    state: np.ndarray


class Nodes(NamedTuple):
    """A tree that grows: where nodes split, and the sums of their samples.

    `sides` are nodes x 256: the bins that go left, 1, and right, 0.
    """

    feature: np.ndarray
    bin: np.ndarray
    missing_left: np.ndarray
    left: np.ndarray
    start: np.ndarray
    end: np.ndarray
    depth: np.ndarray
    slot: np.ndarray
    gain: np.ndarray
    sums: np.ndarray
    left_sums: np.ndarray
    sides: np.ndarray

    @classmethod
    def empty(cls, nodes: int) -> Nodes:
        """Room for a number of nodes."""
        made: list[np.ndarray] = [np.empty(nodes, np.int32) for _ in range(8)]
        made += [np.empty(nodes), np.empty((nodes, 3)), np.empty((nodes, 3))]
        made += [np.empty((nodes, BINS), np.uint8)]
        return cls(*made)
