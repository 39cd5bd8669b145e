"""The nodes that samples go through, as matrices in CSR form."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..sparse_results import compressed
from ..validation import is_ours
from .tree import Tree


def _of_nodes(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """The nodes from the root to each node, one after another, and where each node's begin."""
    parents = np.full(tree.node_count, -1)
    inner = np.flatnonzero(tree.children_left >= 0)
    parents[tree.children_left[inner]] = parents[tree.children_right[inner]] = inner
    ends = np.append(0, np.cumsum(tree.depths.astype(np.int64) + 1))
    made = np.empty(ends[-1], np.int64)
    current = np.arange(tree.node_count)
    places = ends[1:] - 1
    while len(current):
        made[places] = current
        current = parents[current]
        is_left = current >= 0
        current, places = current[is_left], places[is_left] - 1
    return made, ends


def decision_paths(X: Any, leaves: np.ndarray, trees: Sequence[Tree]) -> tuple[Any, np.ndarray]:
    """Which nodes each sample goes through, samples x nodes of all trees, and the trees' ends.

    `leaves` are the numbers of samples' leaves, samples x trees. Values are 1, int64 of SciPy's
    matrix, float64 of ours, which has no ints.
    """
    roots = np.append(0, np.cumsum([each.node_count for each in trees]))
    nodes, lengths = [], np.empty(leaves.shape, np.int64)
    for number, tree in enumerate(trees):
        path, ends = _of_nodes(tree)
        own = leaves[:, number]
        counts = lengths[:, number] = np.diff(ends)[own]
        starts = np.repeat(ends[own] - np.append(0, np.cumsum(counts))[:-1], counts)
        nodes.append(path[np.arange(counts.sum()) + starts] + roots[number])
    # Of each sample the trees' parts follow each other.
    places = np.append(0, np.cumsum(lengths.ravel()))
    columns = np.empty(places[-1], np.int64)
    for number, found in enumerate(nodes):
        counts = lengths[:, number]
        first = places[number : -1 : len(trees)] - np.append(0, np.cumsum(counts))[:-1]
        columns[np.arange(len(found)) + np.repeat(first, counts)] = found
    ends = places[:: len(trees)]
    is_scipys = not is_ours(X) and importlib.util.find_spec("scipy") is not None
    values = np.ones(len(columns), np.int64 if is_scipys else np.float64)
    parts = (values, columns, ends)
    return compressed(X, parts, (len(leaves), int(roots[-1]))), roots
