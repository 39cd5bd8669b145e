"""Clusters of a hierarchy that have enough samples, and those of them that are most stable.

Of R. Campello, D. Moulavi and J. Sander, "Density-based clustering based on hierarchical density
estimates" (2013); the search by epsilon is of C. Malzer and M. Baum, "A hybrid approach to
hierarchical density-based cluster selection" (2020). A density is one over a distance.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import njit


class Choice(NamedTuple):
    """How clusters are chosen: parameters of `HDBSCAN`."""

    method: str
    allows_root: bool
    epsilon: float
    most: float


class Tree(NamedTuple):
    """Clusters from the root, number 0, on, each after its parent, and where samples leave them.

    `above` and `leaves` are numbers of clusters: of a cluster its parent, of a sample the smallest
    that has it. `born` and `left` are the densities from which on a cluster is one, and a sample is
    in none of its cluster's parts. `stable` is how long the samples of a cluster are in it.
    """

    above: np.ndarray
    born: np.ndarray
    size: np.ndarray
    stable: np.ndarray
    leaves: np.ndarray
    left: np.ndarray


@njit
def _drop(merges: Any, top: Any, tree: Any, own: Any, density: Any, stack: Any) -> None:
    """Let all samples of a part leave a cluster."""
    count = merges.shape[0] + 1
    stack[0] = top
    length = 1
    while length:
        length -= 1
        node = stack[length]
        if node < count:
            tree.leaves[node] = own
            tree.left[node] = density
        else:
            stack[length] = np.int64(merges[node - count, 0])
            stack[length + 1] = np.int64(merges[node - count, 1])
            length += 2


@njit
def _condense(merges: Any, least: Any, tree: Any) -> Any:
    """Fill a tree, breadth first; return its number of clusters."""
    above, born, size, stable = tree.above, tree.born, tree.size, tree.stable
    count = merges.shape[0] + 1
    queue = np.empty(2 * count, np.int64)
    owners = np.empty(2 * count, np.int64)
    stack = np.empty(count + 1, np.int64)
    above[0], born[0], size[0], stable[0] = -1, 0.0, count, 0.0
    queue[0], owners[0] = 2 * count - 2, 0
    head, tail, clusters = 0, 1, 1
    while head < tail:
        merge, own = queue[head] - count, owners[head]
        head += 1
        density = np.inf
        if merges[merge, 2] > 0.0:
            density = 1.0 / merges[merge, 2]
        first = merges[np.int64(merges[merge, 0]) - count, 3] if merges[merge, 0] >= count else 1.0
        second = merges[np.int64(merges[merge, 1]) - count, 3] if merges[merge, 1] >= count else 1.0
        parts = first >= least and second >= least
        for side in range(2):
            node = np.int64(merges[merge, side])
            samples = first if side == 0 else second
            if samples < least:
                _drop(merges, node, tree, own, density, stack)
                for _ in range(np.int64(samples)):
                    stable[own] += density - born[own]
                continue
            owner = own
            if parts:
                owner = clusters
                above[owner], born[owner], size[owner], stable[owner] = own, density, samples, 0.0
                stable[own] += (density - born[own]) * samples
                clusters += 1
            queue[tail], owners[tail] = node, owner
            tail += 1
    return clusters


def condensed(merges: np.ndarray, least: int) -> Tree:
    """The tree of clusters of at least some samples, 2 or more, out of merges (see `merges_of`)."""
    count = len(merges) + 1
    above, leaves = np.empty(count + 1, np.int64), np.empty(count, np.int64)
    born, size, stable = (np.empty(count + 1) for _ in range(3))
    tree = Tree(above, born, size, stable, leaves, np.empty(count))
    clusters = _condense(merges, float(least), tree)
    # Copies, as few clusters are left of room for as many as samples.
    return Tree(
        above[:clusters].copy(),
        born[:clusters].copy(),
        size[:clusters].copy(),
        stable[:clusters].copy(),
        leaves,
        tree.left,
    )


def _topmost(tree: Tree, kept: np.ndarray) -> np.ndarray:
    """What is kept but for clusters that are inside of kept ones."""
    covered = np.zeros(len(kept), bool)
    for cluster in range(1, len(kept)):
        above = tree.above[cluster]
        covered[cluster] = covered[above] or kept[above]
    return kept & ~covered


def _most_stable(tree: Tree, choice: Choice) -> np.ndarray:
    """The clusters that are more stable than their parts together: the excess of mass."""
    count = len(tree.above)
    stable = tree.stable.copy()
    parts = np.zeros(count)
    size = tree.size.copy()
    # Of the root only those samples count that are in its parts, as in scikit-learn.
    size[0] = size[1:][tree.above[1:] == 0].sum()
    kept = np.zeros(count, bool)
    for cluster in range(count - 1, -1, -1):
        if cluster == 0 and not choice.allows_root:
            break
        if parts[cluster] > stable[cluster] or size[cluster] > choice.most:
            stable[cluster] = parts[cluster]
        else:
            kept[cluster] = True
        if cluster:
            parts[tree.above[cluster]] += stable[cluster]
    return _topmost(tree, kept)


def _wide_enough(tree: Tree, chosen: np.ndarray, choice: Choice) -> np.ndarray:
    """Instead of clusters that are born below a distance, the ones around them that are not."""
    kept = np.zeros_like(chosen)
    with np.errstate(divide="ignore"):
        reach = 1 / tree.born
    for cluster in np.flatnonzero(chosen):
        node = int(cluster)
        if reach[node] < choice.epsilon:
            while tree.above[node] > 0 and reach[tree.above[node]] <= choice.epsilon:
                node = int(tree.above[node])
            if tree.above[node] > 0 or choice.allows_root:
                node = int(tree.above[node])
        kept[node] = True
    return kept


def chosen_clusters(tree: Tree, choice: Choice) -> np.ndarray:
    """The numbers of the clusters that are chosen, in order."""
    if choice.method == "eom":
        kept = _most_stable(tree, choice)
        searches = len(tree.above) > 1 and not kept[0]
    else:
        kept = np.ones(len(tree.above), bool)
        kept[tree.above[1:]] = False
        kept[0] = False
        searches = True
    if choice.epsilon and searches:
        kept = _wide_enough(tree, kept, choice)
    return np.flatnonzero(kept)


def labels_of(tree: Tree, chosen: np.ndarray, choice: Choice) -> tuple[np.ndarray, np.ndarray]:
    """The label of each sample, -1 for none, and how surely it is in its cluster, from 0 to 1."""
    count = len(tree.above)
    owner = np.zeros(count, np.int64)
    is_chosen = np.zeros(count, bool)
    is_chosen[chosen] = True
    for cluster in range(1, count):
        owner[cluster] = cluster if is_chosen[cluster] else owner[tree.above[cluster]]
    # The greatest density of what leaves a cluster, samples and parts.
    last = np.zeros(count)
    np.maximum.at(last, tree.leaves, tree.left)
    np.maximum.at(last, tree.above[1:], tree.born[1:])
    own = owner[tree.leaves]
    labels = np.where(own > 0, np.searchsorted(chosen, own), -1)
    if choice.allows_root and len(chosen) == 1 and chosen[0] == 0:
        threshold = 1 / choice.epsilon if choice.epsilon else last[0]
        labels[(own == 0) & (tree.left >= threshold)] = 0
    greatest = last[own]
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.minimum(tree.left, greatest) / greatest
    sure = np.where((greatest == 0) | np.isinf(tree.left), 1.0, shares)
    return labels, np.where(labels >= 0, sure, 0.0)


@njit
def _cut(merges: Any, cut: Any, tops: Any) -> None:
    count = len(tops)
    parents = np.arange(2 * count - 1)
    for i in range(count - 2, -1, -1):
        if merges[i, 2] < cut:
            for side in range(2):
                parents[np.int64(merges[i, side])] = parents[count + i]
    for i in range(count):
        tops[i] = parents[i]


def labels_at(merges: np.ndarray, cut: float, least: int) -> np.ndarray:
    """The labels of the parts that merges of less than a distance make, -1 for small ones.

    Parts are numbered by their first samples.
    """
    tops = np.empty(len(merges) + 1, np.int64)
    _cut(merges, float(cut), tops)
    _, first, numbers, sizes = np.unique(
        tops, return_index=True, return_inverse=True, return_counts=True
    )
    ranks = np.full(len(first), -1)
    large = np.flatnonzero(sizes >= least)
    ranks[large[np.argsort(first[large])]] = np.arange(len(large))
    return ranks[numbers]
