"""Forests over blocks: each worker grows a share of the trees over a share of the samples."""

from __future__ import annotations

import copy
from typing import Any, Self

import dask
import numpy as np

from ..._models.blocks.classes import Met, classes_met, codes_in
from ..._models.blocks.source import Block, refuse_no_weight
from ..._models.classes import weights_of_classes
from ..._models.ensemble import forest_classifiers, forest_regressors
from ..._models.ensemble.forest import seeds_of
from ..._models.options import generator_of
from .blocks import Blocks, joined, shares_of
from .results import Scored, over_blocks


def _grown(blocks: list[Block | None], model: Any, seeds: list[int], classes: Any) -> list[Any]:
    """The trees of some seeds, over the samples of some blocks."""
    block = joined(blocks)
    if block is None:
        return []
    own = copy.copy(model)
    own._given_seeds, own.n_estimators = seeds, len(seeds)
    if classes is None:
        own.fit(block.x, block.y, block.weight)
    else:
        x, weight = own._begin(block.x, block.weight)
        own._fit_codes(x, weight, classes, codes_in(block, classes))
    return list(own.estimators_)


class _OverShares(Scored):
    """What both forests share: which trees are grown where."""

    def _refuse_options(self) -> None:
        model: Any = self
        model._check_options()
        for name in ("oob_score", "warm_start"):
            if getattr(self, name):
                raise NotImplementedError(
                    f"{type(self).__name__}({name}={getattr(self, name)!r}) is not supported by "
                    f"phalanx.ml.dask; phalanx.ml.{type(self).__name__} has it"
                )

    def _grow_shares(
        self, blocks: Blocks, model: Any, classes: Any, broadcast_data: bool
    ) -> list[Any]:
        """All trees: seeds are those of one process, in its order."""
        own: Any = self
        there = blocks.filled()
        seeds = seeds_of(generator_of(own.random_state), own.n_estimators)
        shares = shares_of(there, len(seeds))
        ends = np.arange(len(shares) + 1) * len(seeds) // len(shares)
        grow = dask.delayed(_grown, pure=False)
        model = dask.delayed(model, pure=False, traverse=False)
        tasks = [
            grow(there if broadcast_data else share, model, seeds[first:last], classes)
            for share, first, last in zip(shares, ends[:-1], ends[1:], strict=True)
        ]
        return [tree for trees in dask.compute(*tasks) for tree in trees]


@over_blocks("predict", "predict_proba", "predict_log_proba", "apply")
class RandomForestClassifier(_OverShares, forest_classifiers.RandomForestClassifier):
    """`phalanx.ml.RandomForestClassifier` over arrays and frames of Dask's.

    With a client of `distributed` blocks are shared out among the workers in their order, and trees
    likewise: each worker puts its own samples into bins and grows its trees over them. With
    ``broadcast_data=True``, and without a client, each tree is over all samples and what one
    process grows. Classes and ``class_weight="balanced"`` are of all samples. `oob_score` and
    `warm_start` are not supported.
    """

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, broadcast_data: bool = False
    ) -> Self:
        """Grow the trees. Raises TypeError for what is not Dask's, else as one process."""
        self._refuse_options()
        blocks = Blocks(self, X, y, sample_weight)
        met = classes_met(blocks)
        refuse_no_weight(met.weights.sum())
        model = self._unfitted()
        model.class_weight = self._balanced(met)
        trees = self._grow_shares(blocks, model, met.classes, broadcast_data)
        self.classes_, self.n_classes_, self.n_outputs_ = met.classes, len(met.classes), 1
        self._keep_trees(trees)
        return self

    def _balanced(self, met: Met) -> Any:
        """The weights of classes that all shares have, in the place of ``"balanced"``."""
        if self.class_weight != "balanced":
            return self.class_weight
        codes = np.arange(len(met.classes))
        made = weights_of_classes("balanced", met.classes, codes, met.weights)  # type: ignore[arg-type]
        return dict(zip(met.classes.tolist(), made.tolist(), strict=True))


@over_blocks("predict", "apply")
class RandomForestRegressor(_OverShares, forest_regressors.RandomForestRegressor):
    """`phalanx.ml.RandomForestRegressor` over arrays and frames of Dask's.

    Samples and trees are shared out as by `RandomForestClassifier`.
    """

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, broadcast_data: bool = False
    ) -> Self:
        """Grow the trees. Raises TypeError for what is not Dask's, else as one process."""
        self._refuse_options()
        blocks = Blocks(self, X, y, sample_weight)
        trees = self._grow_shares(blocks, self._unfitted(), None, broadcast_data)
        self.n_outputs_ = 1
        self._keep_trees(trees)
        return self
