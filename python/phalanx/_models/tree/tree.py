"""A fitted tree, and several as one table that kernels read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray

_LEAF, _UNDEFINED = -1, -2


class Tree:
    """The nodes of a tree as arrays, under the names of scikit-learn's `tree_`.

    `children_left` and `children_right` (-1 of leaves), `feature` and `threshold` (-2 of leaves;
    samples up to the threshold go left), `impurity`, `n_node_samples`, `weighted_n_node_samples`,
    `value` (nodes x 1 x classes, their shares; of regressors nodes x 1 x 1). A second child follows
    the first, so that nodes have other numbers than scikit-learn's.
    """

    def __init__(self, links: tuple[np.ndarray, ...], depth: np.ndarray, features: int) -> None:
        self.children_left, self.feature, self.threshold = links
        is_leaf = self.children_left == _LEAF
        self.children_right = np.where(is_leaf, _LEAF, self.children_left + 1)
        self.feature = np.where(is_leaf, _UNDEFINED, self.feature)
        self.threshold = np.where(is_leaf, float(_UNDEFINED), self.threshold)
        self.depths = depth
        self.n_features = features

    def describe(self, sums: np.ndarray, impurity: np.ndarray, value: np.ndarray) -> None:
        """Set what the nodes hold: nodes x sums, impurities, and nodes x values."""
        self.n_node_samples = sums[:, 0].astype(np.int64)
        self.weighted_n_node_samples = np.ascontiguousarray(sums[:, 1])
        self.impurity = impurity
        self.value = np.ascontiguousarray(value[:, None, :])

    @property
    def n_outputs(self) -> int:
        """The number of targets."""
        return 1

    @property
    def n_classes(self) -> np.ndarray:
        """The number of classes of each target, 1 of regressors."""
        return np.array([self.value.shape[2]])

    @property
    def max_n_classes(self) -> int:
        """The number of values of a node."""
        return int(self.value.shape[2])

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return len(self.children_left)

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return int((self.children_left == _LEAF).sum())

    @property
    def max_depth(self) -> int:
        """The depth of the deepest leaf; a root alone has 0."""
        return int(self.depths.max())

    def compute_feature_importances(self, normalize: bool = True) -> np.ndarray:
        """What each feature's splits took off the impurity, as shares of all."""
        inner = np.flatnonzero(self.children_left != _LEAF)
        left = self.children_left[inner]
        amount = self.weighted_n_node_samples * self.impurity
        gain = amount[inner] - amount[left] - amount[left + 1]
        made = np.bincount(self.feature[inner], gain, minlength=self.n_features)
        made = made / self.weighted_n_node_samples[0]
        total = made.sum()
        return np.asarray(made / total if normalize and total > 0 else made, np.float64)


class Table:
    """The nodes of several trees one after another, as arrays of the host and of devices.

    `links` are left children and features, `roots` the first node of each tree and the number of
    all.
    """

    def __init__(self, trees: Sequence[Tree]) -> None:
        self.roots = np.concatenate([[0], np.cumsum([each.node_count for each in trees])])
        shifted = [
            np.where(tree.children_left < 0, _LEAF, tree.children_left + root)
            for tree, root in zip(trees, self.roots[:-1], strict=True)
        ]
        features = np.concatenate([each.feature for each in trees])
        self.links = np.stack([np.concatenate(shifted), features]).astype(np.int32)
        self.threshold = np.concatenate([each.threshold for each in trees])
        self.value = np.concatenate([each.value[:, 0, :] for each in trees])
        self.roots = self.roots.astype(np.int32)

    def on(self, device: Any) -> tuple[ndarray, ...]:
        """Links, thresholds, values and roots as arrays of a device."""
        found = self._copies.get(str(device))
        if found is None:
            given = (self.links, self.threshold, self.value, self.roots)
            found = tuple(px.asarray(each, device=device) for each in given)
            self._copies[str(device)] = found
        return found

    @cached_property
    def _copies(self) -> dict[str, tuple[ndarray, ...]]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """All but the copies on devices."""
        return {name: value for name, value in self.__dict__.items() if name != "_copies"}
