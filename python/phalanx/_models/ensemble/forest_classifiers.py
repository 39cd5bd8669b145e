"""Forests that tell classes apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..._arrays.ndarray import ndarray
from ..base import ClassifierMixin
from ..classes import classes_of, named, weights_of_classes
from ..exceptions import warn_user
from ..metrics.classification import accuracy_score
from ..options import DICT, NONE, Rule, generator_of, one_of
from ..tree.decision_tree import DecisionTreeClassifier
from ..tree.extra_trees import ExtraTreeClassifier
from ..tree.on_device.planning import DevicePlan, stays
from ..tree.parameters import CLASS_CRITERION
from ..tree.planning import Plan, data_of, limits_of, plan_classes
from ..tree.tree import Tree
from ..validation import given_as
from .forest import FOREST_RULES, Forest

_CLASS_WEIGHT = one_of("balanced", "balanced_subsample") | NONE | DICT


class RandomForestClassifier(ClassifierMixin, Forest):  # type: ignore[misc]
    """The mean of many trees' shares of the classes, each over samples drawn with replacement.

    Of L. Breiman, "Random Forests" (2001). Features are put into at most 256 bins once: splits are
    exact for features of so few distinct values, and between quantiles for others. Trees are grown
    on the GPU that has the samples, from some thousand on, else on the host by all its cores: so
    are those with weights, `max_leaf_nodes` or more than 47 classes. Both ways grow the same trees.
    Predictions run on the device of the samples. Seeds and drawn samples are scikit-learn's, the
    drawn features are not.

    Parameters are scikit-learn's; `monotonic_cst` and targets of several columns are not supported,
    and `n_jobs` changes nothing. Attributes: `classes_`, `n_classes_`, `estimators_` (trees as
    `DecisionTreeClassifier`), `feature_importances_`, `n_outputs_`, with `oob_score` also
    `oob_score_` and `oob_decision_function_` (samples x classes), `n_features_in_`,
    `feature_names_in_`.
    """

    _is_random = False
    _tree_class = DecisionTreeClassifier
    _rules: ClassVar[Mapping[str, Rule]] = {
        **FOREST_RULES,
        "criterion": CLASS_CRITERION,
        "class_weight": _CLASS_WEIGHT,
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: Any = None,
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
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees over samples x features and a class of each, of any dtype.

        With `warm_start` trees are added to those there are. Raises ValueError for other lengths,
        numbers that are no classes, NaN and infinity, and what `check_options` raises.
        """
        x, weight = self._begin(X, sample_weight)
        return self._fit_codes(x, weight, *classes_of(self, y, len(x)))

    def _fit_codes(
        self, x: ndarray, weight: np.ndarray | None, classes: np.ndarray, codes: np.ndarray
    ) -> Self:
        """Grow the trees over samples whose classes have these numbers."""
        self._refuse_other_classes(classes)
        weight = self._weights(classes, codes, weight)
        limits = limits_of(self, *x.shape)
        case = self._case(x, weight, limits, len(classes))
        self._drawn = case.drawn
        plan: Plan | DevicePlan
        if stays(case):
            plan = DevicePlan(case, codes)
        else:
            data = data_of(np.asarray(x), codes.astype(np.int32), weight, generator_of(0))
            plan = plan_classes(case.spec, data, limits, len(classes))
        self.classes_, self.n_classes_ = classes, len(classes)
        self._codes = codes
        has_grown = self._grow(plan, weight)
        if self.oob_score and (has_grown or not hasattr(self, "oob_score_")):
            self._score_out_of_bag(np.asarray(x), codes)
        del self._codes
        return self

    def _refuse_other_classes(self, classes: np.ndarray) -> None:
        if not self._goes_on:
            return
        if not np.array_equal(classes, self.classes_):
            raise ValueError(
                f"warm_start needs the classes of the fit before, {self.classes_.tolist()}, got "
                f"{classes.tolist()}: set warm_start=False to begin anew"
            )
        if isinstance(self.class_weight, str):
            warn_user(
                'class_weight presets "balanced" or "balanced_subsample" are not recommended for '
                "warm_start if the fitted data differs from the full dataset: use weights of the "
                "classes in the full dataset."
            )

    def _weights(self, classes: np.ndarray, codes: np.ndarray, weight: Any) -> np.ndarray | None:
        given = self.class_weight
        if given == "balanced_subsample":
            given = None if self.bootstrap else "balanced"
        if given is None:
            return weight
        own = weights_of_classes(given, classes, codes, weight)[codes]
        return own if weight is None else weight * own

    def _own_weights(self, seed: int, count: int) -> np.ndarray:
        """How often a tree drew each sample, by its class's share if trees are balanced."""
        drawn = super()._own_weights(seed, count)
        if self.class_weight != "balanced_subsample":
            return drawn
        totals = np.bincount(self._codes, drawn)
        balance = drawn.sum() / ((totals > 0).sum() * np.where(totals > 0, totals, 1))
        return drawn * balance[self._codes]

    def _tree_model(self, tree: Tree, seed: int) -> Any:
        model = super()._tree_model(tree, seed)
        model.classes_ = np.arange(self.n_classes_)
        model.n_classes_ = self.n_classes_
        return model

    def _score_out_of_bag(self, x: np.ndarray, codes: np.ndarray) -> None:
        shares = self._out_of_bag(x)
        self.oob_decision_function_ = shares
        found = self.classes_[np.argmax(shares, axis=1)]
        score = self.oob_score if callable(self.oob_score) else accuracy_score
        self.oob_score_ = score(self.classes_[codes], found)

    def predict_proba(self, X: Any) -> Any:
        """Return the mean shares of the classes over the trees, samples x classes, float64."""
        return given_as(X, self._means(X))

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of the mean shares of the classes, samples x classes."""
        with np.errstate(divide="ignore"):
            return given_as(X, np.log(np.asarray(self.predict_proba(X))))

    def predict(self, X: Any) -> Any:
        """Return the class of the greatest mean share."""
        shares = np.asarray(self._means(X))
        return named(X, self.classes_, np.argmax(shares, axis=1))


class ExtraTreesClassifier(RandomForestClassifier):
    """The mean of many trees with splits drawn at random, each over all samples by default.

    Of P. Geurts and others, "Extremely randomized trees" (2006). A split is drawn between the least
    and the greatest value of a feature in a node; one inside a bin moves to its edge. Parameters
    and attributes are those of `RandomForestClassifier`.
    """

    _is_random = True
    _tree_class = ExtraTreeClassifier

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = False,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: Any = None,
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
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            max_samples=max_samples,
            monotonic_cst=monotonic_cst,
        )
