"""Trees are planned: features in bins, targets, limits; and grown, as many at a time as fit."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import get_num_threads
from .binning import MOST_BINS, bins_of, codes_of, drawn_rows, ranges_of
from .criteria import FIRST, WEIGHT, impurities
from .growing import grower
from .summaries import sums_of
from .tree import Tree
from .workspace import Data, Grown, Limits, Samples, Spec

_ROOM = 1 << 26  # bytes of memory for trees that grow, unless each core's tree needs more
_DEEPEST = 2**31 - 1
_SEEDS = 0x7FFFFFFF


class Plan(NamedTuple):
    """What all trees of a fit share."""

    spec: Spec
    data: Data
    limits: Limits
    sums: int
    whole: np.ndarray | None  # of regressors: what there is to explain of each sample

    @property
    def samples(self) -> int:
        """The number of samples."""
        return self.data.codes.shape[1]


def limits_of(model: Any, count: int, features: int) -> Limits:
    """The limits that a model's parameters set for its numbers of samples and features."""
    least = _number(model.min_samples_leaf, count)
    split = max(_number(model.min_samples_split, count), 2, 2 * least)
    return Limits(
        _DEEPEST if model.max_depth is None else int(min(model.max_depth, _DEEPEST)),
        split,
        least,
        float(model.min_weight_fraction_leaf),
        0 if model.max_leaf_nodes is None else int(model.max_leaf_nodes),
        float(model.min_impurity_decrease),
        drawn_features(model.max_features, features),
    )


def _number(value: Any, count: int) -> int:
    """A number of samples, of an integer or a share."""
    return int(value) if isinstance(value, numbers.Integral) else math.ceil(value * count)


def drawn_features(value: Any, features: int) -> int:
    """How many features are drawn for a split, by `max_features`."""
    if value is None:
        return features
    if isinstance(value, str):
        root = math.sqrt(features) if value == "sqrt" else math.log2(features)
        return max(1, int(root))
    if isinstance(value, numbers.Integral):
        return min(int(value), features)
    return max(1, int(value * features))


def data_of(x: np.ndarray, targets: np.ndarray, weight: np.ndarray | None, random: Any) -> Data:
    """The samples in bins, and their targets."""
    room = min(MOST_BINS, len(x))
    if room == len(x):  # of few samples the values of a feature are far apart in memory
        x = np.asfortranarray(x)
    codes = codes_of(x, bins_of(x, drawn_rows(len(x), weight, random), room, room))
    if weight is None or (weight != 0).all():
        return Data(codes, ranges_of(x, codes, room), targets)
    rows = np.flatnonzero(weight)
    return Data(codes, ranges_of(x[rows], codes[:, rows], room), targets)


def plan_classes(spec: Spec, data: Data, limits: Limits, classes: int) -> Plan:
    """The plan of trees that tell classes apart."""
    return Plan(spec, data, limits, FIRST + classes, None)


def plan_numbers(spec: Spec, data: Data, limits: Limits) -> Plan:
    """The plan of trees that predict numbers. Raises ValueError of poisson for negative ones."""
    y = data.targets
    if spec.criterion != "poisson":
        return Plan(spec, data, limits, FIRST + 1, y * y)
    if (y < 0).any():
        raise ValueError(
            "Some value(s) of y are negative which is not allowed for Poisson regression."
        )
    if y.sum() <= 0:
        raise ValueError(
            "Sum of y is not strictly positive which is necessary for Poisson regression."
        )
    return Plan(spec, data, limits, FIRST + 1, y * np.log(np.where(y > 0, y, 1)))


def tree_seed(seed: Any) -> int:
    """The state with which a tree's draws begin; never 0."""
    return int(seed.randint(1, _SEEDS))


def grow_trees(
    plan: Plan,
    seeds: Sequence[int],
    weights_of: Callable[[int], np.ndarray],
    report: Callable[[int], None] = lambda done: None,
) -> list[Tree]:
    """The trees of some seeds, by the weights that `weights_of` has for each number of a tree.

    `report` is told how many are done.
    """
    made: list[Tree] = []
    samples = plan.data.codes.shape[1]
    step = max(get_num_threads(), _ROOM // (samples * 12 + _most_nodes(plan.limits, samples) * 48))
    for first in range(0, len(seeds), step):
        chosen = range(first, min(first + step, len(seeds)))
        own = _samples_of([weights_of(number) for number in chosen])
        states = np.array([seeds[number] for number in chosen])
        made += _grown(plan, own, states)
        report(len(made))
    return made


def _most_nodes(limits: Limits, samples: int) -> int:
    leaves = min(samples, limits.leaves or samples)
    if limits.depth < 31:
        leaves = min(leaves, 1 << limits.depth)
    return 2 * leaves - 1


def _samples_of(weights: list[np.ndarray]) -> Samples:
    rows = [np.flatnonzero(each) for each in weights]
    counts = np.array([len(each) for each in rows])
    table = np.zeros((len(rows), counts.max()), np.int32)
    for number, each in enumerate(rows):
        table[number, : len(each)] = each
    return Samples(np.stack(weights), table, counts)


def _grown(plan: Plan, own: Samples, states: np.ndarray) -> list[Tree]:
    grown = Grown.empty(len(states), _most_nodes(plan.limits, own.rows.shape[1]))
    nodes = np.full(len(states), plan.sums)
    grower(plan.spec)(plan.data, own, plan.limits, states, grown, nodes)
    found = sums_of(plan.data, own, grown, nodes, plan.sums, plan.whole)
    made = []
    for number, (count, sums) in enumerate(zip(nodes, found, strict=True)):
        kept = (grown.left, grown.feature, grown.cut, grown.depth)
        left, feature, cut, depth = (each[number, :count].copy() for each in kept)
        tree = Tree((left, feature, cut), depth, len(plan.data.codes))
        _describe(tree, plan, sums)
        made.append(tree)
    return made


def _describe(tree: Tree, plan: Plan, sums: np.ndarray) -> None:
    whole = None
    if plan.whole is not None:
        sums, whole = sums[:, :-1], sums[:, -1]
    value = sums[:, FIRST:] / sums[:, WEIGHT, None]
    tree.describe(sums, impurities(plan.spec.criterion, sums, whole), value)
