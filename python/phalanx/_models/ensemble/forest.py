"""Forests: means of many trees, each grown over samples of its own."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import Estimator
from ..exceptions import warn_user
from ..fit_progress import FitProgress
from ..options import BOOL, FUNCTION, NONE, Rule, generator_of, real, whole
from ..tree.descending import leaves_of, sums_of_values
from ..tree.on_device.planning import Case, DevicePlan
from ..tree.parameters import RULES, criterion_of
from ..tree.paths import decision_paths
from ..tree.planning import Plan, grow_trees, tree_seed
from ..tree.tree import Table, Tree
from ..tree.workspace import Limits, Spec
from ..validation import given_as, samples, weights
from .warm_start import missing_trees

_SEEDS = np.iinfo(np.int32).max

FOREST_RULES: Mapping[str, Rule] = {
    **RULES,
    "n_estimators": whole(1),
    "bootstrap": BOOL,
    "oob_score": BOOL | FUNCTION,
    "n_jobs": whole() | NONE,
    "verbose": whole(0) | BOOL,
    "warm_start": BOOL,
    "max_samples": NONE | whole(1) | real(0, closed="neither"),
}


def drawn_samples(max_samples: Any, count: int, weight: np.ndarray | None) -> int:
    """How many samples a tree draws: `max_samples`, a share of them or of their weight."""
    if max_samples is None:
        return count
    if isinstance(max_samples, numbers.Integral):
        return int(max_samples)
    total = count if weight is None else weight.sum()
    drawn = max(int(max_samples * total), 1)
    if drawn < max(10, count ** (1 / 3)):
        warn_user(
            f"max_samples={max_samples} of a weight of {total} are few samples: {drawn}. Pass "
            "max_samples as an integer instead."
        )
    return drawn


def seeds_of(random: Any, count: int) -> list[int]:
    """The seeds of some trees, as scikit-learn draws them."""
    return [int(random.randint(_SEEDS)) for _ in range(count)]


class Forest(Estimator):
    """What forests share. A class has `_is_random`, and how the trees of `estimators_` are made."""

    _unsupported: ClassVar[tuple[str, ...]] = ("nan", "targets")

    _is_random: ClassVar[bool]
    _tree_class: ClassVar[type]
    _tree_parameters: ClassVar[tuple[str, ...]] = (
        "criterion",
        "max_depth",
        "min_samples_split",
        "min_samples_leaf",
        "min_weight_fraction_leaf",
        "max_features",
        "max_leaf_nodes",
        "min_impurity_decrease",
        "ccp_alpha",
    )
    _drawn_weight: np.ndarray | None = None
    _given_seeds: list[int] | None = None  # where another process has drawn them

    def _begin(self, X: Any, sample_weight: Any) -> tuple[ndarray, np.ndarray | None]:
        """Samples, and weights on the host, once the parameters are checked."""
        self._check_options()
        if not self.bootstrap and self.max_samples is not None:
            raise ValueError(
                "`max_samples` cannot be set if `bootstrap=False`. Either switch to "
                "`bootstrap=True` or set `max_samples=None`."
            )
        if not self.bootstrap and self.oob_score:
            raise ValueError("Out of bag estimation only available if bootstrap=True")
        x = samples(self, X, fitting=not self._goes_on)
        weight = weights(sample_weight, x)
        self.n_outputs_ = 1
        return x, None if weight is None else np.asarray(weight, np.float64)

    @property
    def _goes_on(self) -> bool:
        """True if a fit adds trees to those there are."""
        return bool(self.warm_start) and hasattr(self, "estimators_")

    def _spec(self, is_class: bool) -> Spec:
        return Spec(criterion_of(self.criterion), is_class, self._is_random)

    def _case(self, x: ndarray, weight: np.ndarray | None, limits: Limits, classes: int) -> Case:
        """What is to be grown; `classes` is 0 of numbers."""
        drawn = drawn_samples(self.max_samples, len(x), weight) if self.bootstrap else 0
        has_weights = weight is not None or getattr(self, "class_weight", None) is not None
        return Case(x, self._spec(classes > 0), limits, classes, drawn, has_weights)

    def _grow(self, plan: Plan | DevicePlan, weight: np.ndarray | None) -> bool:
        """Grow the trees that are missing; False if none are.

        Seeds of trees, and the samples that they draw, are those of scikit-learn's.
        """
        random = generator_of(self.random_state)
        if not self._goes_on:
            self.estimators_: list[Any] = []
        missing = missing_trees(self.n_estimators, len(self.estimators_))
        if missing == 0:
            return False
        random.randint(_SEEDS, size=len(self.estimators_))
        seeds = self._given_seeds or seeds_of(random, missing)
        self._drawn_weight = weight
        self._keep_trees(self.estimators_ + self._trees_of(plan, seeds))
        return True

    def _keep_trees(self, trees: list[Any]) -> None:
        self.estimators_ = trees
        self._table = Table([each.tree_ for each in trees])

    def _trees_of(self, plan: Plan | DevicePlan, seeds: list[int]) -> list[Any]:
        count = plan.samples
        states = [tree_seed(np.random.RandomState(seed)) for seed in seeds]
        uniform = np.ones(count) if self._drawn_weight is None else self._drawn_weight

        def weights_of(number: int) -> np.ndarray:
            return self._own_weights(seeds[number], count) if self.bootstrap else uniform

        with FitProgress(self, len(seeds), "trees") as progress:

            def report(done: int) -> None:
                progress.tell(f"{type(self).__name__}: {done} of {len(seeds)} trees are grown")
                progress.reached(done)

            if isinstance(plan, DevicePlan):
                trees = plan.grow(seeds, states, report)
            else:
                trees = grow_trees(plan, states, weights_of, report)
        return [self._tree_model(tree, seed) for tree, seed in zip(trees, seeds, strict=True)]

    def _own_weights(self, seed: int, count: int) -> np.ndarray:
        """How often a tree drew each sample."""
        random = np.random.RandomState(seed)
        if self._drawn_weight is None:
            rows = random.randint(0, count, self._drawn)
        else:
            shares = self._drawn_weight / self._drawn_weight.sum()
            rows = random.choice(count, self._drawn, replace=True, p=shares)
        return np.bincount(rows, minlength=count).astype(np.float64)

    def _tree_model(self, tree: Tree, seed: int) -> Any:
        """An estimator of one tree."""
        given = {name: getattr(self, name) for name in self._tree_parameters}
        model = self._tree_class(random_state=seed, **given)
        model.n_features_in_ = self.n_features_in_
        model.n_outputs_ = 1
        return model._keep(tree)

    def _out_of_bag(self, x: np.ndarray) -> np.ndarray:
        """The mean values of each sample's leaves in the trees that did not draw it."""
        total = np.zeros((len(x), self._table.value.shape[1]))
        trees = np.zeros(len(x))
        for each in self.estimators_:
            rows = np.flatnonzero(self._own_weights(each.random_state, len(x)) == 0)
            if len(rows):
                total[rows] += np.asarray(sums_of_values(px.asarray(x[rows]), each._table))
                trees[rows] += 1
        if (trees == 0).any():
            warn_user(
                "Some inputs do not have OOB scores. This probably means too few trees were used "
                "to compute any reliable OOB estimates."
            )
        return np.asarray(total / np.maximum(trees, 1)[:, None])

    def _means(self, X: Any) -> ndarray:
        """The mean values of each sample's leaves, samples x values."""
        return sums_of_values(samples(self, X), self._table) / len(self.estimators_)

    @property
    def feature_importances_(self) -> np.ndarray:
        """What each feature's splits took off the impurity, as shares of all, float64."""
        grown = [each for each in self.estimators_ if each.tree_.node_count > 1]
        if not grown:
            return np.zeros(self.n_features_in_)
        mean = np.mean([each.feature_importances_ for each in grown], axis=0)
        return np.asarray(mean / mean.sum())

    def apply(self, X: Any) -> Any:
        """Return the number of each sample's leaf in each tree, samples x trees, int64."""
        return given_as(X, leaves_of(samples(self, X), self._table).astype(np.int64))

    def decision_path(self, X: Any) -> tuple[Any, np.ndarray]:
        """Return which nodes each sample goes through, and where each tree's nodes begin.

        Samples x nodes of all trees, one tree after the other, in CSR form, of ones: SciPy's
        matrix, or ours of arrays of ours.
        """
        leaves = np.asarray(leaves_of(samples(self, X), self._table))
        return decision_paths(X, leaves, [each.tree_ for each in self.estimators_])

    def __len__(self) -> int:
        return len(self.estimators_)

    def __getitem__(self, index: int) -> Any:
        return self.estimators_[index]

    def __iter__(self) -> Any:
        return iter(self.estimators_)
