"""Samples go down fitted trees, by kernels: one thread takes a sample."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from ... import cuda
from ..._arrays.launching import launch_alone, read, written
from ..._arrays.ndarray import ndarray
from .tree import Table

_THREADS = 128


@cache
def _leaf_of() -> Any:
    @cuda.jit(device=True)
    def leaf_of(x: Any, i: Any, node: Any, links: Any, threshold: Any) -> Any:
        child = links[0, node]
        while child >= 0:
            node = child if x[i, links[1, node]] <= threshold[node] else child + 1
            child = links[0, node]
        return node

    return leaf_of


@cache
def _summer() -> Any:
    leaf_of = _leaf_of()

    @cuda.jit
    def summed(x: Any, links: Any, threshold: Any, value: Any, roots: Any, out: Any) -> None:
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for t in range(roots.shape[0] - 1):
                node = leaf_of(x, i, roots[t], links, threshold)
                for k in range(value.shape[1]):
                    out[i, k] += value[node, k]

    return summed


@cache
def _finder() -> Any:
    leaf_of = _leaf_of()

    @cuda.jit
    def leaves(x: Any, links: Any, threshold: Any, roots: Any, out: Any) -> None:
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for t in range(roots.shape[0] - 1):
                out[i, t] = leaf_of(x, i, roots[t], links, threshold) - roots[t]

    return leaves


def _blocks(x: ndarray) -> int:
    return max(min(-(-x.shape[0] // _THREADS), 1 << 14), 1)


def sums_of_values(x: ndarray, table: Table) -> ndarray:
    """The values of each sample's leaves summed over the trees, samples x values, float64."""
    arrays = table.on(x.device)
    out = px.zeros((x.shape[0], table.value.shape[1]), np.float64, device=x.device)
    args = (read(x), *(read(each) for each in arrays), written(out))
    launch_alone(_summer(), _blocks(x), _THREADS, x._device, *args)
    return out


def leaves_of(x: ndarray, table: Table) -> ndarray:
    """The number of each sample's leaf in its tree, samples x trees, int32."""
    links, threshold, _, roots = (read(each) for each in table.on(x.device))
    out = px.empty((x.shape[0], len(table.roots) - 1), np.int32, device=x.device)
    args = (read(x), links, threshold, roots, written(out))
    launch_alone(_finder(), _blocks(x), _THREADS, x._device, *args)
    return out
