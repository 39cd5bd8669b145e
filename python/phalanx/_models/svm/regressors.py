"""Support vector machines of numbers, and of one class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..base import OutlierMixin, RegressorMixin
from ..kernels import Kernel
from ..options import Rule
from ..validation import given_as, numbers, targets
from .classifiers import filled
from .machine import KernelMachine, rules_without
from .smo import Problem, Solution, solve


class _OneScore(KernelMachine):
    """A machine with one score."""

    def _keep_one(
        self, X: Any, x: np.ndarray, shares: np.ndarray, found: Solution, rows: np.ndarray
    ) -> None:
        self._warn_of(found)
        dual = np.zeros((1, len(x)))
        dual[0, rows] = shares
        support = np.flatnonzero(dual[0])
        self._keep(X, x, support, dual, np.array([found.intercepts.mean()]))
        self.n_support_ = given_as(X, np.array([len(support)], np.int32))
        self.n_iter_ = found.steps

    def _of_rows(self, x: np.ndarray, rows: np.ndarray) -> np.ndarray:
        if len(rows) == len(x):
            return x
        return x[np.ix_(rows, rows)] if self._is_matrix else x[rows]


class NumberMachine(RegressorMixin, _OneScore):  # type: ignore[misc]
    """A machine of numbers."""

    C: float

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the support vectors of samples x features and a number for each.

        The samples are a square matrix where the kernel is precomputed. Raises ValueError for NaN,
        infinities and other shapes, and what `check_options` raises. Warns (ConvergenceWarning)
        where `max_iter` steps were not enough.
        """
        self._check_options()
        x, kernel = self._training(X)
        y = targets(self, y, len(x))
        wanted = np.asarray(numbers(y, (np.dtype(np.float64),), "y"))
        weight = self._weight(sample_weight, len(x))
        rows = np.flatnonzero(weight > 0)
        bound = np.tile(self.C * weight[rows], 2)
        problem = self._problem(self._of_rows(x, rows), kernel, wanted[rows], bound)
        found = solve(problem, self._limits())
        above, below = found.alpha.reshape(2, -1)
        self._keep_one(X, x, above - below, found, rows)
        return self

    def _problem(
        self, x: np.ndarray, kernel: Kernel, wanted: np.ndarray, bound: np.ndarray
    ) -> Problem:
        raise NotImplementedError

    def predict(self, X: Any) -> Any:
        """Return the number of each sample, float64.

        Raises ValueError for NaN, infinities and another number of features.
        """
        return given_as(X, self._scores(X)[:, 0])


def _signs(count: int) -> np.ndarray:
    return np.repeat([1.0, -1.0], count)


class SVR(NumberMachine):
    """A support vector machine of numbers: errors up to `epsilon` count nothing.

    Half the square of the coefficients in the kernel's space and `C` times what errors have above
    `epsilon` have the least sum; see `solve`. Parameters are scikit-learn's; `shrinking` has no
    effect, and a function as `kernel` gets arrays of samples x features, float64. `fit` works on
    the host, predictions where the samples are.

    Attributes: `support_` (int32), `support_vectors_`, `n_support_`, `dual_coef_` (1 x support
    vectors), `intercept_` (1), `coef_` (1 x features, of the linear kernel), `fit_status_`,
    `n_iter_`, `shape_fit_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = rules_without("nu")

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        C: float = 1.0,
        epsilon: float = 0.1,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool = False,
        max_iter: int = -1,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.C = C
        self.epsilon = epsilon
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter

    def _problem(
        self, x: np.ndarray, kernel: Kernel, wanted: np.ndarray, bound: np.ndarray
    ) -> Problem:
        target = np.concatenate([wanted - self.epsilon, wanted + self.epsilon])
        return Problem(x, kernel, target, _signs(len(x)), bound, np.zeros(len(bound)))


class NuSVR(NumberMachine):
    """A support vector machine of numbers in which `nu` bounds the share of errors that count.

    `nu` takes the place of `epsilon`, of B. Schölkopf and others, "New support vector algorithms"
    (2000). All else is as in `SVR`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = rules_without("epsilon")

    def __init__(
        self,
        *,
        nu: float = 0.5,
        C: float = 1.0,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        tol: float = 1e-3,
        cache_size: float = 200,
        verbose: bool = False,
        max_iter: int = -1,
    ) -> None:
        self.nu = nu
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter

    def _problem(
        self, x: np.ndarray, kernel: Kernel, wanted: np.ndarray, bound: np.ndarray
    ) -> Problem:
        half = bound[: len(x)]
        alpha = filled(half, self.nu * half.sum() / 2)
        target, sign = np.tile(wanted, 2), _signs(len(x))
        return Problem(x, kernel, target, sign, bound, np.tile(alpha, 2), halves=True)


class OneClassSVM(OutlierMixin, _OneScore):  # type: ignore[misc]
    """A support vector machine of one class: where most samples lie.

    `nu` bounds the share of samples outside from above and that of support vectors from below, of
    B. Schölkopf and others, "Estimating the support of a high-dimensional distribution" (2001).
    Parameters and attributes are those of `SVR`, and `offset_` (``-intercept_``).
    """

    _rules: ClassVar[Mapping[str, Rule]] = rules_without("epsilon", "C")

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        nu: float = 0.5,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool = False,
        max_iter: int = -1,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.nu = nu
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the support vectors of samples x features; see `SVR.fit`, also for errors."""
        self._check_options()
        x, kernel = self._training(X)
        weight = self._weight(sample_weight, len(x))
        rows = np.flatnonzero(weight > 0)
        bound = weight[rows]
        alpha = filled(bound, self.nu * bound.sum())
        ones = np.ones(len(rows))
        own = self._of_rows(x, rows)
        found = solve(Problem(own, kernel, 0 * ones, ones, bound, alpha), self._limits())
        self._keep_one(X, x, found.alpha, found, rows)
        self.offset_ = given_as(X, -np.asarray(self.intercept_))
        return self

    def decision_function(self, X: Any) -> Any:
        """Return the score of each sample, above 0 inside. Raises as `SVR.predict` does."""
        return given_as(X, self._scores(X)[:, 0])

    def score_samples(self, X: Any) -> Any:
        """Return the scores without the intercept."""
        scores = self._scores(X)[:, 0]
        return given_as(X, scores + float(np.asarray(self.offset_)[0]))

    def predict(self, X: Any) -> Any:
        """Return 1 for samples inside, else -1, int64. Raises as `SVR.predict` does."""
        return given_as(X, px.where(self._scores(X)[:, 0] > 0, 1, -1).astype(np.int64))
