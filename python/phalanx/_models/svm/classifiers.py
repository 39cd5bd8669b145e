"""Support vector machines of classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..available import available_if
from ..base import ClassifierMixin
from ..classes import classes_of, named, weights_of_classes
from ..exceptions import warn_user
from ..kernels import Kernel
from ..options import BOOL, CLASS_WEIGHT, RANDOM, Rule, generator_of, one_of
from ..validation import given_as
from .machine import KernelMachine, rules_without
from .pairs import Pair, joined, one_for_each, pairs_of, parted, votes
from .platt import chances_of_pairs, coupled, fitted_sigmoid
from .smo import Problem, Solution, solve

_FOLDS = 5
_RULES: dict[str, Rule] = {
    **rules_without("epsilon", "nu", "C"),
    "class_weight": CLASS_WEIGHT,
    "probability": BOOL | one_of("deprecated"),
    "decision_function_shape": one_of("ovr", "ovo"),
    "break_ties": BOOL,
    "random_state": RANDOM,
}


def _has_chances(model: Any) -> bool:
    return bool(model.probability) and model.probability != "deprecated"


class PairClassifier(ClassifierMixin, KernelMachine):  # type: ignore[misc]
    """A machine for each pair of classes, whose votes predict."""

    class_weight: Any
    probability: Any
    decision_function_shape: str
    break_ties: bool
    random_state: Any

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the support vectors of samples x features and a class for each, number or text.

        The samples are a square matrix where the kernel is precomputed. Raises ValueError for NaN,
        infinities, other shapes and a single class, also of samples with weight, and what
        `check_options` raises. Warns (ConvergenceWarning) where `max_iter` steps were not enough.
        """
        self._check_options()
        x, kernel = self._training(X)
        self.classes_, codes = classes_of(self, y, len(x))
        classes = len(self.classes_)
        if classes < 2:
            raise ValueError(
                f"The number of classes has to be greater than one; got {classes} class"
            )
        weight = self._weight(sample_weight, len(x))
        self.class_weight_ = weights_of_classes(self.class_weight, self.classes_, codes, None)
        there = np.flatnonzero(weight > 0)
        if len(np.unique(codes[there])) < classes:
            raise ValueError(
                "Invalid input - all samples with positive weights belong to the same class or "
                "some class has none."
            )
        pairs = [each._replace(rows=there[each.rows]) for each in pairs_of(codes[there], classes)]
        solved = [self._solved(x, kernel, pair, self._bounds(pair, weight)) for pair in pairs]
        self._warn_of(*(solution for _, solution in solved))
        self._keep_pairs(X, x, codes, pairs, solved)
        if _has_chances(self):
            self._learn_chances(x, kernel, pairs, weight)
        return self

    def _bounds(self, pair: Pair, weight: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def _problem(self, x: np.ndarray, kernel: Kernel, sign: Any, bound: Any) -> Problem:
        raise NotImplementedError

    def _scale(self, intercepts: np.ndarray) -> float:
        """What the variables and the intercept are divided by."""
        return 1.0

    def _solved(
        self, x: np.ndarray, kernel: Kernel, pair: Pair, bound: np.ndarray
    ) -> tuple[np.ndarray, Solution]:
        """The shares of a pair's samples and the solution, whose one intercept is theirs."""
        own = x[np.ix_(pair.rows, pair.rows)] if self._is_matrix else x[pair.rows]
        found = solve(self._problem(own, kernel, pair.sign, bound), self._limits())
        scale = self._scale(found.intercepts)
        middle = np.array([found.intercepts.mean() / scale])
        return pair.sign * found.alpha / scale, found._replace(intercepts=middle)

    def _keep_pairs(self, X: Any, x: np.ndarray, codes: Any, pairs: Any, solved: Any) -> None:
        classes = len(self.classes_)
        dual = joined(pairs, [shares for shares, _ in solved], len(x), classes)
        order = np.argsort(codes, kind="stable")
        support = order[np.any(dual[:, order] != 0, axis=0)]
        intercept = np.array([solution.intercepts[0] for _, solution in solved])
        if classes == 2:
            # The score of two classes is that of the second.
            dual, intercept = -dual, -intercept
        self._keep(X, x, support, dual, intercept)
        counts = np.bincount(codes[support], minlength=classes)
        self.n_support_ = given_as(X, counts.astype(np.int32))
        self.n_iter_ = np.array([solution.steps for _, solution in solved], np.int32)

    def _table(self) -> np.ndarray:
        dual = np.asarray(self.dual_coef_)
        return dual if len(dual) == 1 else parted(dual, np.asarray(self.n_support_))

    def decision_function(self, X: Any) -> Any:
        """Return the scores of samples x features, float64.

        Of two classes one a sample, that of the second; else one for each class, its votes and the
        sums of the scores of its pairs, or with ``decision_function_shape="ovo"`` one for each
        pair. Raises ValueError for NaN, infinities and another number of features.
        """
        scores, classes = self._scores(X), len(self.classes_)
        if classes == 2:
            return given_as(X, scores[:, 0])
        if self.decision_function_shape == "ovr":
            scores = one_for_each(scores, classes)
        return given_as(X, scores)

    def predict(self, X: Any) -> Any:
        """Return the class of each sample, that of most pairs; the first of equal ones.

        With `break_ties` that of the highest score. Raises ValueError as `decision_function` does,
        and for `break_ties` with ``decision_function_shape="ovo"``.
        """
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        scores = self._scores(X)
        classes = len(self.classes_)
        if classes == 2:
            # A score of 0 is the second's, as where pairs of more classes vote.
            numbers = (scores[:, 0] >= 0).astype(np.int64)
        else:
            count = one_for_each if self.break_ties else votes
            numbers = px.argmax(count(scores, classes), axis=1)
        return named(X, self.classes_, numbers)

    def _learn_chances(
        self, x: np.ndarray, kernel: Kernel, pairs: list[Pair], weight: np.ndarray
    ) -> None:
        """Sigmoids of the pairs, from scores of samples that were left out."""
        warn_user(
            "The `probability` parameter was deprecated in scikit-learn 1.9; "
            "`CalibratedClassifierCV` does the same for every classifier",
            FutureWarning,
        )
        random = generator_of(self.random_state)
        found = [self._sigmoid(x, kernel, pair, weight, random) for pair in pairs]
        self._slopes, self._shifts = (np.array(each) for each in zip(*found, strict=True))

    def _sigmoid(
        self, x: np.ndarray, kernel: Kernel, pair: Pair, weight: np.ndarray, random: Any
    ) -> tuple[float, float]:
        count = len(pair.rows)
        order, scores = random.permutation(count), np.zeros(count)
        for fold in range(_FOLDS):
            out = order[fold * count // _FOLDS : (fold + 1) * count // _FOLDS]
            kept = np.setdiff1d(order, out)
            part = pair._replace(rows=pair.rows[kept], sign=pair.sign[kept])
            if len(np.unique(part.sign)) < 2:
                scores[out] = part.sign[0] if len(part.sign) else 0
                continue
            shares, solution = self._solved(x, kernel, part, self._bounds(part, weight))
            rows = pair.rows[out]
            if self._is_matrix:
                table = x[np.ix_(rows, part.rows)]
            else:
                given = (px.asarray(np.ascontiguousarray(x[each])) for each in (rows, part.rows))
                table = np.asarray(kernel.matrix(*given))
            scores[out] = table @ shares + solution.intercepts[0]
        return fitted_sigmoid(scores, pair.sign > 0)

    @available_if(_has_chances)
    def predict_proba(self, X: Any) -> Any:
        """Return the chance of each class, samples x classes, if `probability` is set.

        Sigmoids of the scores of pairs, which were found by leaving out fifths of the samples in
        `fit`, are coupled. Raises ValueError as `decision_function` does.
        """
        scores: ndarray = self._scores(X)
        host = np.asarray(scores) if len(self.classes_) > 2 else -np.asarray(scores)
        pairs = chances_of_pairs(host, self._slopes, self._shifts)
        made = coupled(pairs, len(self.classes_))
        return given_as(X, px.asarray(made, device=scores.device))

    @available_if(_has_chances)
    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of `predict_proba`."""
        made = self.predict_proba(X)
        return px.log(made) if isinstance(made, ndarray) else np.log(made)


class SVC(PairClassifier):
    """A support vector machine of classes: between each two the widest margin.

    Half the square of the margin's normal in the kernel's space and `C` times what each sample
    misses of the margin have the least sum; the dual problem is solved by sequential minimal
    optimization (see `solve`). Parameters are scikit-learn's; `shrinking` has no effect, and a
    function as `kernel` gets arrays of samples x features, float64. `fit` works on the host,
    predictions where the samples are.

    Attributes: `classes_`, `support_` (int32, sorted by class), `support_vectors_`, `n_support_`
    (one a class), `dual_coef_` (classes less one x support vectors), `intercept_` (one a pair),
    `coef_` (pairs x features, of the linear kernel), `class_weight_`, `fit_status_`, `n_iter_`
    (one a pair), `shape_fit_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {**_RULES, "C": rules_without()["C"]}

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: Any = "deprecated",
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: Any = None,
        verbose: bool = False,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state

    def _bounds(self, pair: Pair, weight: np.ndarray) -> np.ndarray:
        of_class = self.class_weight_[np.where(pair.sign > 0, pair.first, pair.second)]
        return np.asarray(self.C * of_class * weight[pair.rows])

    def _problem(self, x: np.ndarray, kernel: Kernel, sign: Any, bound: Any) -> Problem:
        return Problem(x, kernel, sign, sign, bound, np.zeros(len(sign)))


class NuSVC(PairClassifier):
    """A support vector machine of classes in which `nu` bounds the share of margin errors.

    `nu` is also the least share of support vectors, of B. Schölkopf and others, "New support
    vector algorithms" (2000). All else is as in `SVC`; weights of classes have no effect, as in
    libsvm. Raises ValueError in `fit` for a `nu` that classes of unequal sizes do not allow.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {**_RULES, "nu": rules_without()["nu"]}

    def __init__(
        self,
        *,
        nu: float = 0.5,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: Any = "deprecated",
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: Any = None,
        verbose: bool = False,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        random_state: Any = None,
    ) -> None:
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state

    def _bounds(self, pair: Pair, weight: np.ndarray) -> np.ndarray:
        return weight[pair.rows]

    def _problem(self, x: np.ndarray, kernel: Kernel, sign: Any, bound: Any) -> Problem:
        half = self.nu * bound.sum() / 2
        alpha = np.zeros(len(sign))
        for own in (sign > 0, sign < 0):
            if half > bound[own].sum():
                raise ValueError("specified nu is infeasible")
            alpha[own] = filled(bound[own], half)
        return Problem(x, kernel, np.zeros(len(sign)), sign, bound, alpha, halves=True)

    def _scale(self, intercepts: np.ndarray) -> float:
        return float(intercepts[1] - intercepts[0]) / 2 or 1.0


def filled(bound: np.ndarray, total: float) -> np.ndarray:
    """Variables that are at their bounds one after the other until their sum is `total`."""
    before = np.cumsum(bound) - bound
    return np.clip(total - before, 0, bound)
