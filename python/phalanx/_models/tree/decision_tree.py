"""Decision trees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import ClassifierMixin, Estimator, RegressorMixin
from ..classes import classes_of, named, weights_of_classes
from ..options import CLASS_WEIGHT, Rule, generator_of, one_of
from ..validation import given_as, samples, targets, weights
from .descending import leaves_of, sums_of_values
from .parameters import (
    CLASS_CRITERION,
    NUMBER_CRITERION,
    RULES,
    criterion_of,
)
from .paths import decision_paths
from .planning import (
    Plan,
    data_of,
    drawn_features,
    grow_trees,
    limits_of,
    plan_classes,
    plan_numbers,
    tree_seed,
)
from .pruning import Path, pruned, pruning_path
from .tree import Table, Tree
from .workspace import Spec


class DecisionTree(Estimator):
    """What decision trees share."""

    _unsupported: ClassVar[tuple[str, ...]] = ("nan", "targets")

    tree_: Tree

    def _begin(self, X: Any, sample_weight: Any) -> tuple[np.ndarray, np.ndarray]:
        """Samples and weights on the host, once the parameters are checked."""
        self._check_options()
        x = samples(self, X, fitting=True)
        weight = weights(sample_weight, x)
        self.n_outputs_ = 1
        self.max_features_ = drawn_features(self.max_features, x.shape[1])
        given = np.ones(x.shape[0]) if weight is None else np.asarray(weight, np.float64)
        return np.asarray(x), given

    def _spec(self, is_class: bool) -> Spec:
        return Spec(criterion_of(self.criterion), is_class, self.splitter == "random")

    def _grow(self, plan: Plan, weight: np.ndarray, random: Any) -> Self:
        return self._keep(grow_trees(plan, [tree_seed(random)], lambda _: weight)[0])

    def _keep(self, tree: Tree) -> Self:
        self.tree_ = pruned(tree, float(self.ccp_alpha))
        self._table = Table([self.tree_])
        return self

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Path:
        """Return the values of `ccp_alpha` at which a node of the whole tree is cut, rising.

        With the impurity of all leaves then (`ccp_alphas`, `impurities`). A tree is grown for it;
        raises as `fit` does.
        """
        given = {**self.get_params(deep=False), "ccp_alpha": 0.0}
        return pruning_path(type(self)(**given).fit(X, y, sample_weight).tree_)

    @property
    def feature_importances_(self) -> np.ndarray:
        """What each feature's splits took off the impurity, as shares of all, float64."""
        return self.tree_.compute_feature_importances()

    def apply(self, X: Any) -> Any:
        """Return the number of each sample's leaf, int64."""
        leaves = leaves_of(samples(self, X), self._table)
        return given_as(X, leaves[:, 0].astype(np.int64))

    def decision_path(self, X: Any) -> Any:
        """Return which nodes each sample goes through, samples x nodes, in CSR form, of ones.

        It is SciPy's matrix, or ours of arrays of ours.
        """
        leaves = np.asarray(leaves_of(samples(self, X), self._table))
        return decision_paths(X, leaves, [self.tree_])[0]

    def get_depth(self) -> int:
        """Return the depth of the tree; a root alone has 0."""
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return self.tree_.n_leaves


class DecisionTreeClassifier(ClassifierMixin, DecisionTree):  # type: ignore[misc]
    """A tree of splits, by one feature each, whose leaves have the shares of the classes.

    Of L. Breiman and others, "Classification and Regression Trees" (1984). Features are put into at
    most 256 bins first: splits are exact for features of so few distinct values, and between
    quantiles for others. It is grown on the host by one core, also where samples are on a GPU;
    predictions run on the device of the samples.

    Parameters are scikit-learn's; `monotonic_cst` and targets of several columns are not supported.
    Attributes: `classes_`, `n_classes_`, `tree_`, `max_features_`, `feature_importances_`,
    `n_outputs_`, `n_features_in_`, `feature_names_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **RULES,
        "criterion": CLASS_CRITERION,
        "splitter": one_of("best", "random"),
        "class_weight": CLASS_WEIGHT,
    }

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree over samples x features and a class of each, of any dtype.

        Raises ValueError for other lengths, numbers that are no classes, NaN and infinity, and
        what `check_options` raises.
        """
        x, weight = self._begin(X, sample_weight)
        classes, codes = classes_of(self, y, len(x))
        weight = weight * weights_of_classes(self.class_weight, classes, codes, None)[codes]
        random = generator_of(self.random_state)
        limits = limits_of(self, *x.shape)
        data = data_of(x, codes.astype(np.int32), weight, random)
        self.classes_, self.n_classes_ = classes, len(classes)
        plan = plan_classes(self._spec(True), data, limits, len(classes))
        return self._grow(plan, weight, random)

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of the classes in each sample's leaf, samples x classes, float64."""
        return given_as(X, sums_of_values(samples(self, X), self._table))

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of the shares of the classes, samples x classes."""
        with np.errstate(divide="ignore"):
            return given_as(X, np.log(np.asarray(self.predict_proba(X))))

    def predict(self, X: Any) -> Any:
        """Return the class of the greatest share in each sample's leaf."""
        shares = np.asarray(self.predict_proba(X))
        return named(X, self.classes_, np.argmax(shares, axis=1))


class DecisionTreeRegressor(RegressorMixin, DecisionTree):  # type: ignore[misc]
    """A tree of splits, by one feature each, whose leaves have the mean of their targets.

    Grown as `DecisionTreeClassifier`. Parameters are scikit-learn's, without the criterion
    ``"absolute_error"``, `monotonic_cst`, and targets of several columns.
    Attributes: `tree_`, `max_features_`, `feature_importances_`, `n_outputs_`, `n_features_in_`,
    `feature_names_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **RULES,
        "criterion": NUMBER_CRITERION,
        "splitter": one_of("best", "random"),
    }

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree over samples x features and a number for each.

        Raises ValueError for other lengths, NaN and infinity, for targets that ``"poisson"`` does
        not take, and what `check_options` raises.
        """
        x, weight = self._begin(X, sample_weight)
        values = np.asarray(targets(self, y, len(x))).astype(np.float64)
        random = generator_of(self.random_state)
        limits = limits_of(self, *x.shape)
        plan = plan_numbers(self._spec(False), data_of(x, values, weight, random), limits)
        return self._grow(plan, weight, random)

    def predict(self, X: Any) -> Any:
        """Return the mean of the targets in each sample's leaf, float64."""
        return given_as(X, sums_of_values(samples(self, X), self._table)[:, 0])
