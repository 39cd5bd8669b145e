"""Trees cut back where their splits explain too little for their number."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from .tree import Tree

_LEAF = -1


class Path(NamedTuple):
    """The price of a leaf at which each node is cut, rising, and the impurity of the tree then."""

    ccp_alphas: np.ndarray
    impurities: np.ndarray


class _Branches:
    """Of each node its own impurity, that of the leaves below it, and how many these are."""

    def __init__(self, tree: Tree) -> None:
        self.left, self.right = tree.children_left.tolist(), tree.children_right.tolist()
        share = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
        self.own = (share * tree.impurity).tolist()
        self.below, self.leaves = list(self.own), [1] * tree.node_count
        self.parent = [-1] * tree.node_count
        # Children come after their parents.
        for node in range(tree.node_count - 1, -1, -1):
            if self.left[node] != _LEAF:
                sides = self.left[node], self.right[node]
                self.below[node] = sum(self.below[each] for each in sides)
                self.leaves[node] = sum(self.leaves[each] for each in sides)
                for each in sides:
                    self.parent[each] = node

    def price(self, node: int) -> float:
        """What impurity each leaf below a node takes away beyond the first."""
        return (self.own[node] - self.below[node]) / (self.leaves[node] - 1)

    def cut(self, node: int) -> list[int]:
        """Make a node a leaf; return the nodes above it, which changed."""
        gained, fewer = self.own[node] - self.below[node], self.leaves[node] - 1
        self.below[node], self.leaves[node] = self.own[node], 1
        above, each = [], self.parent[node]
        while each >= 0:
            self.below[each] += gained
            self.leaves[each] -= fewer
            above.append(each)
            each = self.parent[each]
        return above


def _cut(tree: Tree, most: float) -> tuple[list[int], Path]:
    """The nodes that become leaves up to a price, in order, and the path to there.

    Of L. Breiman and others, "Classification and Regression Trees" (1984), chapter 3: the node
    whose leaves are worth least is cut first.
    """
    branches = _Branches(tree)
    is_gone = [False] * tree.node_count
    inner = [node for node in range(tree.node_count) if branches.left[node] != _LEAF]
    waiting = [(branches.price(node), node) for node in inner]
    heapq.heapify(waiting)
    cuts: list[int] = []
    alphas, impurities = [0.0], [branches.below[0]]
    while waiting:
        price, node = heapq.heappop(waiting)
        if is_gone[node] or branches.leaves[node] == 1 or price != branches.price(node):
            continue  # below a cut node, cut itself, or of another price by now
        if price > most:
            break
        cuts.append(node)
        for above in branches.cut(node):
            heapq.heappush(waiting, (branches.price(above), above))
        below = [branches.left[node], branches.right[node]]
        while below:
            each = below.pop()
            if not is_gone[each]:
                is_gone[each] = True
                if branches.left[each] != _LEAF:
                    below += [branches.left[each], branches.right[each]]
        alphas.append(price)
        impurities.append(branches.below[0])
    return cuts, Path(np.array(alphas), np.array(impurities))


def pruning_path(tree: Tree) -> Path:
    """The prices at which nodes are cut, down to the root."""
    return _cut(tree, np.inf)[1]


def pruned(tree: Tree, alpha: float) -> Tree:
    """The tree whose impurity and `alpha` for each leaf have the least sum."""
    if alpha <= 0:
        return tree
    cuts = _cut(tree, alpha)[0]
    if not cuts:
        return tree
    left = tree.children_left.copy()
    left[cuts] = _LEAF
    is_kept = np.zeros(tree.node_count, bool)
    is_kept[0] = True
    for node in range(tree.node_count):
        if is_kept[node] and left[node] != _LEAF:
            is_kept[left[node] : left[node] + 2] = True
    numbers = np.cumsum(is_kept) - 1
    left = np.where(left == _LEAF, _LEAF, numbers[left])[is_kept].astype(tree.children_left.dtype)
    links = (left, tree.feature[is_kept], tree.threshold[is_kept])
    made = Tree(links, tree.depths[is_kept], tree.n_features)
    for name in ("n_node_samples", "weighted_n_node_samples", "impurity", "value"):
        setattr(made, name, np.ascontiguousarray(getattr(tree, name)[is_kept]))
    return made
