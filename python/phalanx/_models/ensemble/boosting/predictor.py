"""Fitted trees of gradients, and samples that go down them: by a kernel, one thread a sample."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .... import cuda
from ...._arrays.launching import launch_alone, read, written
from ...._arrays.ndarray import ndarray
from .workspace import BINS, Nodes

_THREADS = 128


class FittedTree(NamedTuple):
    """The nodes of a tree: `left` is -1 of leaves; the second child follows the first.

    `sets` has a row for each node that splits categories, `set` its number, else -1.
    """

    left: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    missing_left: np.ndarray
    set: np.ndarray
    value: np.ndarray
    sets: np.ndarray

    @property
    def leaves(self) -> int:
        """The number of leaves."""
        return int((self.left < 0).sum())


def fitted(nodes: Nodes, count: int, value: np.ndarray, edges: np.ndarray, is_category: Any) -> Any:
    """The tree of the first nodes, with values of leaves, and the edges of features' bins."""
    left = nodes.left[:count].copy()
    is_leaf = left < 0
    feature = np.where(is_leaf, 0, nodes.feature[:count]).astype(np.int32)
    bins = np.where(is_leaf, 0, nodes.bin[:count])
    has_set = ~is_leaf & is_category[feature].astype(bool)
    numbers = np.where(has_set, np.cumsum(has_set) - 1, -1).astype(np.int32)
    missing = np.where(is_leaf, 0, nodes.missing_left[:count]).astype(np.uint8)
    sets = nodes.sides[:count][has_set].copy()
    return FittedTree(left, feature, edges[feature, bins], missing, numbers, value, sets)


@cache
def _kernel() -> Any:
    @cuda.jit
    def summed(x: Any, links: Any, numbers: Any, sets: Any, roots: Any, out: Any) -> None:
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for t in range(roots.shape[0] - 1):
                node = roots[t]
                child = links[0, node]
                while child >= 0:
                    number = x[i, links[1, node]]
                    goes_left = number <= numbers[0, node]
                    if number != number:
                        goes_left = links[2, node] == 1
                    elif links[3, node] >= 0:
                        goes_left = sets[links[3, node], np.int32(number)] == 1
                    node = child if goes_left else child + 1
                    child = links[0, node]
                out[i, t % out.shape[1]] += numbers[1, node]

    return summed


class Predictor:
    """Trees one after another, those of a step by class, as arrays of the host and of devices.

    Links are left children, features, the side of missing numbers and sets; numbers are thresholds
    and values.
    """

    def __init__(self, trees: Sequence[FittedTree], columns: int) -> None:
        roots = np.concatenate([[0], np.cumsum([len(each.left) for each in trees])])
        sets = np.concatenate([[0], np.cumsum([len(each.sets) for each in trees])])
        links = [
            np.stack(
                [
                    np.where(tree.left < 0, -1, tree.left + root),
                    tree.feature,
                    tree.missing_left,
                    np.where(tree.set < 0, -1, tree.set + first),
                ]
            )
            for tree, root, first in zip(trees, roots, sets, strict=False)
        ]
        self.columns = columns
        numbers = [np.stack([each.threshold, each.value]) for each in trees]
        chosen = [np.zeros((1, BINS), np.uint8)] if sets[-1] == 0 else [e.sets for e in trees]
        self._arrays = (
            np.concatenate([np.zeros((4, 0)), *links], axis=1).astype(np.int32),
            np.concatenate([np.zeros((2, 0)), *numbers], axis=1),
            np.concatenate(chosen),
            roots.astype(np.int32),
        )

    def sums(self, x: ndarray) -> ndarray:
        """The values of each sample's leaves, summed for each class, samples x classes, float64."""
        out = px.zeros((x.shape[0], self.columns), np.float64, device=x.device)
        arrays = [read(each) for each in self._on(x.device)]
        blocks = max(min(-(-x.shape[0] // _THREADS), 1 << 14), 1)
        launch_alone(_kernel(), blocks, _THREADS, x._device, read(x), *arrays, written(out))
        return out

    def _on(self, device: Any) -> tuple[ndarray, ...]:
        found = self._copies.get(str(device))
        if found is None:
            found = tuple(px.asarray(each, device=device) for each in self._arrays)
            self._copies[str(device)] = found
        return found

    @cached_property
    def _copies(self) -> dict[str, tuple[ndarray, ...]]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """All but the copies on devices."""
        return {name: value for name, value in self.__dict__.items() if name != "_copies"}
