"""Trees of a forest whose samples stay on a device: when they can, and how many at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ...._arrays.ndarray import ndarray
from ...options import generator_of
from ..criteria import FIRST, WEIGHT, impurities
from ..tree import Tree
from ..workspace import Limits as GivenLimits
from ..workspace import Spec
from .assembling import Assembled, assembled
from .codes import binned, bins_on_device, write_classes
from .drawing import drawn_counts
from .growing import Growth
from .scoring import CRITERIA
from .shapes import BINS, COLUMNS, MOST_OF_ONE, TUNING, Limits, Shape
from .summaries import leaf_sums

_MOST_FEATURES = 1 << 12
_FEWEST, _MOST = 1 << 13, 1 << 26  # samples; rows have 6 bits for weights at least
_MOST_DRAWS = 8  # as many times the samples: counts are then below 64, but for 1 of 1e18 forests
_SHIFTED = 62  # bits of the greatest sum in fixed point
_MOST_ROWS, _MOST_TREES = 1 << 31, (1 << 16) - 1  # of trees that grow at once


class Case(NamedTuple):
    """What is to be grown."""

    x: ndarray
    spec: Spec
    limits: GivenLimits
    classes: int  # 0: numbers
    drawn: int  # samples of a tree; 0: all of them
    is_weighted: bool  # samples or classes have weights


# What keeps trees on the host's cores.
ON_THE_HOST: dict[str, Callable[[Case], bool]] = {
    "samples of the host": lambda case: case.x._device.is_host,
    "few samples": lambda case: len(case.x) < _FEWEST,
    "samples whose numbers leave no room for weights": lambda case: len(case.x) > _MOST,
    "draws of each sample": lambda case: case.drawn > _MOST_DRAWS * len(case.x),
    "weights": lambda case: case.is_weighted,
    "best nodes first": lambda case: case.limits.leaves > 0,
    "random splits": lambda case: case.spec.is_random,
    "criterion": lambda case: case.spec.criterion not in CRITERIA,
    "classes": lambda case: (case.classes + 1) * BINS * 4 > MOST_OF_ONE,
    "features": lambda case: case.x.shape[1] > _MOST_FEATURES,
}


def free_memory(device: Any) -> int:
    """The bytes that arrays may still take on a device, by what is free and by the user's limit."""
    memory = device.memory_info()
    free = int(memory["free"] + memory["cached_here"])
    return free if device.memory_room is None else min(free, device.memory_room)


def stays(case: Case) -> bool:
    """True if the trees are grown where the samples are."""
    return not any(holds(case) for holds in ON_THE_HOST.values())


class DevicePlan:
    """What all trees of a fit share, on a device."""

    def __init__(self, case: Case, targets: np.ndarray) -> None:
        x, limits = case.x, case.limits
        self._case = case
        self.samples = x.shape[0]
        has_counts = limits.leaf > 1
        self.shape = Shape(
            x.shape[1], limits.features, case.spec.criterion, case.classes, has_counts, TUNING
        )
        self._weight = float(case.drawn or self.samples)
        self._scale = 1.0
        self._bits = max(1, (self.samples - 1).bit_length())
        bins = bins_on_device(x, generator_of(0))
        self._records, self._ranges = binned(x, bins, self.shape.pitch)
        self._targets = px.zeros(1, np.float64, device=x.device)
        self._fixed = px.zeros(1, np.int64, device=x.device)
        if case.classes:
            codes = px.asarray(targets.astype(np.uint8), device=x.device)
            write_classes(self._records, codes, self.shape.pitch, x.shape[1])
        else:
            self._keep_numbers(targets)

    def _keep_numbers(self, y: np.ndarray) -> None:
        """Targets in fixed point: sums of any order are the same."""
        place = self._case.x.device
        share, exponent = math.frexp(float(np.abs(y).max()))  # times all weight it may overflow
        shift = _SHIFTED - exponent - math.frexp(share * self._weight)[1]
        self._scale = math.ldexp(1.0, -shift)
        self._fixed = px.asarray(np.rint(np.ldexp(y, shift)).astype(np.int64), device=place)
        self._targets = px.asarray(y, device=place)

    def grow(
        self, seeds: Sequence[int], states: Sequence[int], report: Callable[[int], None]
    ) -> list[Tree]:
        """The trees of some seeds; `states` begin the draws of features."""
        made: list[Tree] = []
        step = self._together()
        for first in range(0, len(seeds), step):
            chosen = slice(first, first + step)
            made += self._grown(seeds[chosen], states[chosen])
            report(len(made))
        return made

    def _together(self) -> int:
        """How many trees grow at once: as many as half of the free memory has room for."""
        leaves = min(self.samples, 1 << min(self._case.limits.depth, 40))
        node = 2 * (4 * (COLUMNS + 4) + 8 * self.shape.totals)  # those of the next level, too
        hists = self.samples // self.shape.part * self.shape.drawn * self.shape.words * BINS * 4
        own = 12 * self.samples + 2 * leaves * node + hists
        free = free_memory(self._case.x._device) // 2
        most = min((_MOST_ROWS - 1) // self.samples, _MOST_TREES)
        return int(max(1, min(free // own, most)))

    def _grown(self, seeds: Sequence[int], states: Sequence[int]) -> list[Tree]:
        case, limits = self._case, self._case.limits
        if case.drawn:
            weights = drawn_counts(seeds, case.drawn, case.x)
        else:
            weights = px.ones((1, self.samples), np.uint32, device=case.x.device)
        growth = Growth(self.shape, self._records, self._fixed, weights)
        least = limits.leaf_share * self._weight
        given = Limits(
            limits.split,
            limits.leaf,
            least,
            self._weight,
            limits.gain,
            self._scale,
            self._bits,
            True,
        )
        levels = growth.grow(states, given, limits.depth)
        sums = None
        if not case.classes:
            sums = leaf_sums(growth.rows, self._targets, levels, self._bits)
        return self._trees(assembled(levels, self._ranges, sums))

    def _trees(self, nodes: Assembled) -> list[Tree]:
        whole = None if self._case.classes else nodes.squares
        impurity = impurities(self._case.spec.criterion, nodes.sums, whole)
        value = nodes.sums[:, FIRST:] / nodes.sums[:, WEIGHT, None]
        made = []
        for start, end in pairwise(nodes.starts):
            own = slice(start, end)
            links = nodes.left[own], nodes.feature[own], nodes.cut[own]
            tree = Tree(links, nodes.depth[own], self.shape.features)
            tree.describe(nodes.sums[own], impurity[own], value[own])
            made.append(tree)
        return made
