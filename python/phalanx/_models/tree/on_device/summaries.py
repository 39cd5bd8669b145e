"""What leaves of trees of numbers hold: sums of their targets, always in the same order."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from .... import cuda
from ...._arrays.launching import launch_alone, read, written
from ...._arrays.ndarray import ndarray
from .shapes import ALL_LANES, END, LEFT, START, WARP, Grown

_THREADS = 128


@cache
def _summer() -> Any:
    """The kernel that adds up targets and their squares, a block a node; 0 of nodes that split."""

    @cuda.jit
    def summed(rows: Any, targets: Any, nodes: Any, bits: Any, out: Any) -> None:
        parts = cuda.shared.array((_THREADS // WARP, 2), np.float64)
        node = cuda.blockIdx.x
        total = 0.0
        squares = 0.0
        if nodes[node, LEFT] < 0:
            first = np.int64(nodes[node, START]) + cuda.threadIdx.x
            for i in range(first, np.int64(nodes[node, END]), _THREADS):
                row = rows[i]
                weight = np.float64(row >> np.uint32(bits))
                target = targets[np.int64(row & np.uint32((1 << bits) - 1))]
                total += weight * target
                squares += weight * (target * target)
        for power in range(5):
            total += cuda.shfl_xor_sync(ALL_LANES, total, 1 << power)
            squares += cuda.shfl_xor_sync(ALL_LANES, squares, 1 << power)
        if cuda.laneid == 0:
            parts[cuda.threadIdx.x // WARP, 0] = total
            parts[cuda.threadIdx.x // WARP, 1] = squares
        cuda.syncthreads()
        if cuda.threadIdx.x < 2:
            total = 0.0
            for warp in range(_THREADS // WARP):
                total += parts[warp, cuda.threadIdx.x]
            out[node, cuda.threadIdx.x] = total

    return summed


def leaf_sums(rows: list[ndarray], targets: ndarray, levels: list[Grown], bits: int) -> list[Any]:
    """The weighted sums of targets and of their squares of each level's leaves."""
    made = []
    for depth, level in enumerate(levels):
        out = px.empty((len(level.nodes), 2), np.float64, device=targets.device)
        given = read(rows[depth % 2]), read(targets), read(level.nodes), bits, written(out)
        launch_alone(_summer(), len(level.nodes), _THREADS, targets._device, *given)
        made.append(out)
    return [np.array(each) for each in made]
