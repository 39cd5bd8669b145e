"""Least squares, with and without a penalty on the squares of coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..options import ARRAY, BOOL, NONE, RANDOM, Rule, one_of, real, whole
from ..sparse_samples import SparseSamples
from .nonnegative import nonnegative
from .regression import Data, LinearRegressor
from .sparse_least_squares import MOST_FEATURES, Ending, least_squares, rows_of

# The ratio of the least to the largest eigenvalue of x' x from which its solution is exact enough:
# the error is that of double numbers over this ratio.
_WELL_CONDITIONED = 1e-6
# Of conjugate gradients: the slopes that are left, and steps by the lesser extent.
_MOST_LEFT, _STEPS = 1e-8, 4


class LinearRegression(LinearRegressor):
    """Coefficients by which the squared errors have the least sum.

    They are found from the products of features, in one pass over the samples; where features are
    nearly dependent or more than the samples, from the singular values of the samples on the host.
    Sparse samples of more than 512 features take conjugate gradients until slopes are `tol` of the
    first ones, 1e-8 at most, and have no `rank_` and `singular_`. With `positive` no coefficient is
    below 0 (`nonnegative`). Parameters are scikit-learn's; `copy_X` and `n_jobs` have no effect.

    Attributes: `coef_` (features, or targets x features), `intercept_`, `n_features_in_`, and
    unless `positive` `rank_` and `singular_` (singular values of the samples less their means).
    """

    _flattens: ClassVar[bool] = False
    _takes_sparse: ClassVar[bool] = True
    singular_: np.ndarray
    _rules: ClassVar[Mapping[str, Rule]] = {
        "fit_intercept": BOOL,
        "copy_X": BOOL,
        "tol": real(0),
        "n_jobs": NONE | whole(),
        "positive": BOOL,
    }

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        positive: bool = False,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients for samples x features and targets, one or a column for each.

        Raises ValueError for NaN, infinities and other shapes, and what `check_options` raises.
        """
        self._check_options()
        data = self._data(X, y, sample_weight)
        for name in ("rank_", "singular_"):
            self.__dict__.pop(name, None)
        if by_gradients(data.x):
            refuse_positive(self, data.x)
            self._keep(
                X, data, solutions_by_gradients(data, np.zeros(data.y.shape[1]), self.tol)[0]
            )
            return self
        self._keep(X, data, self._solve(data))
        if not self.positive:
            self.singular_ = self.singular_.astype(data.x.dtype)
        return self

    def _solve(self, data: Data) -> np.ndarray:
        count, features = data.x.shape
        if self.positive:
            return _nonnegative(data, np.zeros(data.y.shape[1]))
        if count > features:
            gram, cross = data.products()
            values, vectors = np.linalg.eigh(gram)
            if values[0] > _WELL_CONDITIONED * values[-1]:
                self.rank_, self.singular_ = features, np.sqrt(values[::-1])
                return np.asarray(vectors @ ((vectors.T @ cross) / values[:, None]))
        made, _, self.rank_, self.singular_ = np.linalg.lstsq(*data.rows(), rcond=self.tol)
        return np.asarray(made)


class Ridge(LinearRegressor):
    """Least squares with `alpha` times the squares of the coefficients added to their errors.

    The minimum is found from the products of features, or of samples where those are fewer: by
    each `solver`, so that `tol`, `max_iter` and `random_state` have no effect. With `positive` no
    coefficient is below 0 (`nonnegative`). Parameters are scikit-learn's.

    Sparse samples of more than 512 features take conjugate gradients until slopes are `tol` of the
    first ones, 1e-8 at most (`solver_` is ``"sparse_cg"``).

    Attributes: `coef_` (features, or targets x features), `intercept_`, `n_iter_` (one a target:
    the steps of conjugate gradients, 1 of other solutions, which are direct), `solver_`
    (``"cholesky"``, with `positive` ``"lbfgs"``), `n_features_in_`.
    """

    _takes_sparse: ClassVar[bool] = True

    _rules: ClassVar[Mapping[str, Rule]] = {
        "alpha": real(0) | ARRAY,
        "fit_intercept": BOOL,
        "copy_X": BOOL,
        "max_iter": whole(1) | NONE,
        "tol": real(0),
        "solver": one_of("auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs"),
        "positive": BOOL,
        "random_state": RANDOM,
    }

    def __init__(
        self,
        alpha: Any = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        solver: str = "auto",
        positive: bool = False,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients for samples x features and targets, one or a column for each.

        Raises ValueError for NaN, infinities and other shapes, also of `alpha`, for a solver that
        does not go with `positive`, and what `check_options` raises.
        """
        self._check_options()
        data = self._data(X, y, sample_weight)
        self._keep(X, data, self._solution(data))
        self._keep_solver(by_gradients(data.x))
        return self

    def _keep_solver(self, is_by_gradients: bool = False) -> None:
        self.solver_ = "lbfgs" if self.positive else "cholesky"
        if is_by_gradients:
            self.solver_ = "sparse_cg"

    def _solution(self, data: Data) -> np.ndarray:
        refuse_solver(self)
        several = data.y.shape[1]
        self.n_iter_ = np.ones(several, np.int32)
        alphas = np.asarray(self.alpha, np.float64).ravel()
        if len(alphas) not in (1, several):
            raise ValueError(
                f"Number of targets and number of penalties do not correspond: {len(alphas)} != "
                f"{several}"
            )
        if not (alphas >= 0).all():
            raise ValueError(f"alpha must be >= 0, got {alphas.tolist()}")
        each = np.broadcast_to(alphas, several)
        if by_gradients(data.x):
            refuse_positive(self, data.x)
            found, self.n_iter_ = solutions_by_gradients(data, each, self.tol)
            return found
        return _nonnegative(data, each) if self.positive else _ridge(data, each)


def by_gradients(x: Any) -> bool:
    """True for sparse samples of many features, of which no matrix is made."""
    return isinstance(x, SparseSamples) and x.shape[1] > MOST_FEATURES


def solutions_by_gradients(
    data: Data, alphas: np.ndarray, tol: float
) -> tuple[np.ndarray, np.ndarray]:
    """The coefficients, features x targets, each with its own penalty, and each one's steps."""
    rows, y = rows_of(data), np.asarray(data.y, np.float64)
    ending = Ending(min(tol, _MOST_LEFT), _STEPS * min(data.x.shape))
    made = [least_squares(rows, y[:, i], alpha, ending) for i, alpha in enumerate(alphas)]
    steps = np.array([max(each[1], 1) for each in made], np.int32)
    return np.stack([each[0] for each in made], axis=1), steps


def refuse_positive(model: Any, x: Any) -> None:
    """Raise NotImplementedError for sparse samples of many features where `positive` is set."""
    if model.positive:
        raise NotImplementedError(
            f"positive=True of {type(model).__name__} takes sparse samples of at most "
            f"{MOST_FEATURES} features, not {x.shape[1]}: give dense ones"
        )


def refuse_solver(model: Any) -> None:
    """Raise ValueError for the name of a solver that does not go with `positive`."""
    if model.solver == "lbfgs" and not model.positive:
        raise ValueError(
            "'lbfgs' solver can be used only when positive=True. Please use another solver."
        )
    if model.positive and model.solver not in ("auto", "lbfgs"):
        raise ValueError(
            f"solver={model.solver!r} does not support positive fitting. Please set the solver to "
            "'auto' or 'lbfgs', or set `positive=False`"
        )


def _nonnegative(data: Data, alphas: np.ndarray) -> np.ndarray:
    """The solutions without numbers below 0, each target with its own penalty."""
    gram, cross = data.products()
    eye = np.eye(len(gram))
    columns = zip(cross.T, alphas, strict=True)
    return np.stack([nonnegative(gram + alpha * eye, each) for each, alpha in columns], axis=1)


def _ridge(data: Data, alphas: np.ndarray) -> np.ndarray:
    count, features = data.x.shape
    if not alphas.all():
        return np.stack([_ridge_of_0_too(data, alpha, i) for i, alpha in enumerate(alphas)], axis=1)
    if count >= features:
        gram, cross = data.products()
        return _solutions(gram, cross, alphas)
    rows, columns = data.rows()
    return np.asarray(rows.T @ _solutions(rows @ rows.T, columns, alphas))


def _ridge_of_0_too(data: Data, alpha: float, target: int) -> np.ndarray:
    if alpha:
        return _ridge(data.of_target(target), np.array([alpha]))[:, 0]
    rows, columns = data.rows()
    return np.asarray(np.linalg.lstsq(rows, columns[:, target], rcond=None)[0])


def _solutions(matrix: np.ndarray, right: np.ndarray, alphas: np.ndarray) -> np.ndarray:
    """The solutions of matrix + alpha I, each column of `right` with its own alpha."""
    if (alphas == alphas[0]).all():
        return np.asarray(np.linalg.solve(matrix + alphas[0] * np.eye(len(matrix)), right))
    values, vectors = np.linalg.eigh(matrix)
    values = np.maximum(values, 0)[:, None] + alphas
    return np.asarray(vectors @ ((vectors.T @ right) / values))
