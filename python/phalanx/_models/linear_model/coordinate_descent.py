"""Least squares with penalties on the absolute values of coefficients: elastic net and lasso."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

import phalanx as px

from ... import njit
from ..exceptions import ConvergenceWarning, warn_user
from ..options import BOOL, RANDOM, Rule, one_of, real, whole
from ..sparse_samples import SparseSamples
from . import sparse_descent, working_sets
from .penalties import Penalties, least_at
from .regression import Data, LinearRegressor
from .sparse_least_squares import MOST_FEATURES, Rows, rows_of
from .working_sets import Wide, is_wide, wide_of

Run = tuple[np.ndarray, float, int]  # coefficients, the gap that is left, the number of sweeps


class Problem(NamedTuple):
    """The products of features, x' x, and with a target, x' y and y' y; and the penalties.

    `penalties` are l1 and l2, and 1 where coefficients may not be negative, else 0.
    """

    gram: np.ndarray
    cross: np.ndarray
    square: float
    penalties: np.ndarray

    def gap(self, w: np.ndarray) -> float:
        """The duality gap at some coefficients.

        Of S. Kim and others, "An interior-point method for large-scale l1-regularized least
        squares" (2007), with the squared penalty as further rows of the samples.
        """
        l1, l2, positive = self.penalties
        fitted = self.gram @ w
        slopes = self.cross - fitted - l2 * w
        if l1 == 0:
            return float(slopes @ slopes / (2 * l2 if l2 else 1.0))
        steepest = float(slopes.max() if positive else np.abs(slopes).max())
        whole = self.square - 2 * self.cross @ w + fitted @ w + l2 * (w @ w)
        scale = l1 / steepest if steepest > l1 else 1.0
        primal = 0.5 * whole + l1 * np.abs(w).sum()
        dual = scale * (self.square - self.cross @ w) - 0.5 * scale**2 * whole
        return float(primal - dual)


@cache
def _sweep() -> Any:
    @njit
    def sweep(gram: Any, left: Any, coefficients: Any, penalties: Any, largest: Any) -> None:
        # `left` is x' (y - x w), which each change of w brings up to date.
        features = gram.shape[0]
        largest[0] = 0.0
        largest[1] = 0.0
        for j in range(features):
            if gram[j, j] == 0.0:
                continue
            old = coefficients[j]
            slope = left[j] + gram[j, j] * old
            new = least_at(slope, gram[j, j], penalties)
            if new != old:
                for k in range(features):
                    left[k] -= gram[j, k] * (new - old)
                coefficients[j] = new
            largest[0] = max(largest[0], abs(new - old))
            largest[1] = max(largest[1], abs(new))

    return sweep


def descend(
    problem: Problem, start: np.ndarray, steps: int, tol: float
) -> tuple[np.ndarray, float, int]:
    """The coefficients from some first ones, the gap that is left, and the number of sweeps."""
    coefficients = start.copy()
    left = problem.cross - problem.gram @ coefficients
    largest = np.zeros(2)
    gap = np.inf
    for step in range(1, steps + 1):
        _sweep()(problem.gram, left, coefficients, problem.penalties, largest)
        if largest[0] <= tol * largest[1] or step == steps:
            gap = problem.gap(coefficients)
            if gap <= tol * problem.square:
                return coefficients, gap, step
    warn_of_gap(gap, tol * problem.square)
    return coefficients, gap, steps


def descend_columns(
    rows: Rows, target: np.ndarray, start: np.ndarray, by: Penalties, ending: tuple[int, float]
) -> Run:
    """As `descend`, over the columns of sparse samples."""
    w, gap, steps, has_converged = sparse_descent.descend(rows, target, start, by, *ending)
    if not has_converged:
        square = rows.root * target
        warn_of_gap(gap, ending[1] * float(square @ square))
    return w, gap, steps


def descend_wide(
    wide: Wide, target: np.ndarray, start: np.ndarray, by: Penalties, ending: tuple[int, float]
) -> Run:
    """As `descend`, over working sets of many features of few samples."""
    w, gap, steps, has_converged = working_sets.descend(wide, target, start, by, *ending)
    if not has_converged:
        warn_of_gap(gap, ending[1] * float(target @ target))
    return w, gap, steps


def warn_of_gap(gap: float, tolerance: float) -> None:
    """Warn (ConvergenceWarning) of a gap that is more than the tolerance."""
    warn_user(
        "Objective did not converge. You might want to increase the number of iterations, check "
        f"the scale of the features or consider increasing regularisation. Duality gap: {gap:.3e}, "
        f"tolerance: {tolerance:.3e}",
        ConvergenceWarning,
    )


class ElasticNet(LinearRegressor):
    """Least squares with penalties on the absolute values and the squares of coefficients.

    The mean squared error over 2 and ``alpha * (l1_ratio * |w| + (1 - l1_ratio) / 2 * w^2)`` have
    the least sum. The samples are read once, for the products of their features, over which
    coordinates descend on the host. Of more features than samples, and of sparse samples of more
    than 512 features, the samples themselves are gone over instead, on the host too. Parameters are
    scikit-learn's; `precompute`, `copy_X`, `selection` and `random_state` have no effect.

    Attributes: `coef_` (features, or targets x features), `intercept_`, `dual_gap_`, `n_iter_`,
    `n_features_in_`.
    """

    _takes_sparse: ClassVar[bool] = True
    _rules: ClassVar[Mapping[str, Rule]] = {
        "alpha": real(0),
        "l1_ratio": real(0, 1),
        "fit_intercept": BOOL,
        "precompute": BOOL,
        "max_iter": whole(1),
        "copy_X": BOOL,
        "tol": real(0),
        "warm_start": BOOL,
        "positive": BOOL,
        "random_state": RANDOM,
        "selection": one_of("cyclic", "random"),
    }

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        l1_ratio: float = 0.5,
        fit_intercept: bool = True,
        precompute: bool = False,
        max_iter: int = 1000,
        copy_X: bool = True,
        tol: float = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
    ) -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.copy_X = copy_X
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients for samples x features and targets, one or a column for each.

        Raises ValueError for NaN, infinities and other shapes, also than those of a warm start, and
        what `check_options` raises. Warns (ConvergenceWarning) where `max_iter` sweeps are too few.
        """
        self._check_options()
        data = self._data(X, y, sample_weight)
        total = data.x.shape[0] if data.weight is None else float(px.sum(data.weight))
        self._keep(X, data, self._solution(data, total, data.x.dtype))
        return self

    def _solution(self, data: Data, total: float, dtype: np.dtype) -> np.ndarray:
        """Coefficients for samples of that weight in all; what the descents gave is kept."""
        if self.alpha == 0:
            warn_user(
                "With alpha=0, this algorithm does not converge well. You are advised to use the "
                "LinearRegression estimator"
            )
        l1 = self.alpha * self.l1_ratio * total
        by = Penalties(l1, self.alpha * total - l1, self.positive)
        start = np.zeros((data.y.shape[1], data.x.shape[1]))
        if self.warm_start and hasattr(self, "coef_"):
            before = np.asarray(self.coef_, np.float64)
            if before.size != start.size:
                raise ValueError(
                    f"warm_start needs the features and targets of the fit before, {before.shape}: "
                    "set warm_start=False to begin anew"
                )
            start = before.reshape(start.shape)
        runs = self._by_columns(data, by, start) or self._by_products(data, by, start)
        gaps = np.array([run[1] / total for run in runs]).astype(dtype)
        steps = [run[2] for run in runs]
        self.dual_gap_ = gaps[0] if len(runs) == 1 else gaps
        self.n_iter_ = steps[0] if len(runs) == 1 else steps
        return np.stack([run[0] for run in runs], axis=1)

    def _by_columns(self, data: Data, by: Penalties, start: np.ndarray) -> list[Run]:
        """Descents over the columns of samples; none where products of features are cheaper."""
        ending = (self.max_iter, self.tol)
        if not isinstance(data.x, SparseSamples):
            if not is_wide(data.x.shape):
                return []
            dense, targets = data.rows()
            wide = wide_of(dense)
            pairs = zip(targets.T.copy(), start, strict=True)
            return [descend_wide(wide, each, first, by, ending) for each, first in pairs]
        if data.x.shape[1] <= MOST_FEATURES:
            return []
        rows, y = rows_of(data), np.asarray(data.y, np.float64)
        return [
            descend_columns(rows, each, first, by, ending)
            for each, first in zip(y.T.copy(), start, strict=True)
        ]

    def _by_products(self, data: Data, by: Penalties, start: np.ndarray) -> list[Run]:
        gram, cross = data.products()
        share = 1.0 if data.weight is None else data.weight[:, None]
        squares = np.asarray(px.sum(data.y.astype(np.float64) ** 2 * share, axis=0))
        penalties = np.array(by, np.float64)
        return [
            descend(Problem(gram, each, square, penalties), first, self.max_iter, self.tol)
            for each, square, first in zip(cross.T.copy(), squares, start, strict=True)
        ]


class Lasso(ElasticNet):
    """Least squares with a penalty on the absolute values of coefficients: an elastic net.

    The mean squared error over 2 and ``alpha * |w|`` have the least sum. Parameters and attributes
    are those of `ElasticNet`, without `l1_ratio`, which is 1.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        name: rule for name, rule in ElasticNet._rules.items() if name != "l1_ratio"
    }

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        precompute: bool = False,
        copy_X: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
    ) -> None:
        super().__init__(
            alpha,
            fit_intercept=fit_intercept,
            precompute=precompute,
            max_iter=max_iter,
            copy_X=copy_X,
            tol=tol,
            warm_start=warm_start,
            positive=positive,
            random_state=random_state,
            selection=selection,
        )
        self.l1_ratio = 1.0
