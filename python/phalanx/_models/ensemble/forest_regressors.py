"""Forests that predict numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import RegressorMixin
from ..metrics.regression import r2_score
from ..options import Rule, generator_of
from ..tree.decision_tree import DecisionTreeRegressor
from ..tree.extra_trees import ExtraTreeRegressor
from ..tree.on_device.planning import DevicePlan, stays
from ..tree.parameters import NUMBER_CRITERION
from ..tree.planning import Plan, data_of, limits_of, plan_numbers
from ..validation import given_as, targets
from .forest import FOREST_RULES, Forest


class RandomForestRegressor(RegressorMixin, Forest):  # type: ignore[misc]
    """The mean of many trees' predictions, each over samples drawn with replacement.

    Of L. Breiman, "Random Forests" (2001); grown as `RandomForestClassifier`. Parameters are
    scikit-learn's, without the criterion ``"absolute_error"``, `monotonic_cst`, and targets of
    several columns; `n_jobs` changes nothing. Attributes: `estimators_` (trees as
    `DecisionTreeRegressor`), `feature_importances_`, `n_outputs_`, with `oob_score` also
    `oob_score_` and `oob_prediction_`, `n_features_in_`, `feature_names_in_`.
    """

    _is_random = False
    _tree_class = DecisionTreeRegressor
    _rules: ClassVar[Mapping[str, Rule]] = {**FOREST_RULES, "criterion": NUMBER_CRITERION}

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: float | None = None,
        monotonic_cst: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees over samples x features and a number for each.

        With `warm_start` trees are added to those there are. Raises ValueError for other lengths,
        NaN and infinity, for targets that ``"poisson"`` does not take, and what `check_options`
        raises.
        """
        x, weight = self._begin(X, sample_weight)
        values = np.asarray(targets(self, y, len(x))).astype(np.float64)
        limits = limits_of(self, *x.shape)
        case = self._case(x, weight, limits, 0)
        self._drawn = case.drawn
        plan: Plan | DevicePlan
        if stays(case):
            plan = DevicePlan(case, values)
        else:
            data = data_of(np.asarray(x), values, weight, generator_of(0))
            plan = plan_numbers(case.spec, data, limits)
        has_grown = self._grow(plan, weight)
        if self.oob_score and (has_grown or not hasattr(self, "oob_score_")):
            self.oob_prediction_ = self._out_of_bag(np.asarray(x))[:, 0]
            score = self.oob_score if callable(self.oob_score) else r2_score
            self.oob_score_ = score(values, self.oob_prediction_)
        return self

    def predict(self, X: Any) -> Any:
        """Return the mean of the trees' predictions, float64."""
        return given_as(X, self._means(X)[:, 0])


class ExtraTreesRegressor(RandomForestRegressor):
    """The mean of many trees with splits drawn at random, each over all samples by default.

    Of P. Geurts and others, "Extremely randomized trees" (2006). Parameters and attributes are
    those of `RandomForestRegressor`.
    """

    _is_random = True
    _tree_class = ExtraTreeRegressor

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = False,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: float | None = None,
        monotonic_cst: Any = None,
    ) -> None:
        super().__init__(
            n_estimators,
            criterion=criterion,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            max_features=max_features,
            max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease,
            bootstrap=bootstrap,
            oob_score=oob_score,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
            warm_start=warm_start,
            ccp_alpha=ccp_alpha,
            max_samples=max_samples,
            monotonic_cst=monotonic_cst,
        )
