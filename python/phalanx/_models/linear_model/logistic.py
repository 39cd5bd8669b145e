"""Logistic regression."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..base import Estimator
from ..classes import classes_of, weights_of_classes
from ..exceptions import ConvergenceWarning, warn_user
from ..options import BOOL, CLASS_WEIGHT, NONE, RANDOM, Rule, one_of, real, whole
from ..tags import TakesSparse
from ..validation import given_as, samples_or_sparse, weights
from .lbfgs import Ending, Minimum
from .linear_classes import LinearClassifier
from .logistic_penalty import LossOf, least_loss, penalty_of, refuse_classes

SOLVERS = one_of("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")


class LogisticRegression(TakesSparse, LinearClassifier, Estimator):
    """A linear model of the logarithms of the classes' chances, with penalties on coefficients.

    Two classes have one row of coefficients, more have one each. `C` times the sum of the losses
    and ``l1_ratio * |w| + (1 - l1_ratio) / 2 * w^2`` have the least sum, which is found by L-BFGS,
    with absolute values by OWL-QN (`sparse_minimum`), whatever `solver` is named: its name says
    which penalties are taken, as in scikit-learn, and of ``"liblinear"`` the intercept has the
    penalty, too. Parameters are scikit-learn's; `tol` is the largest slope of the mean loss that is
    left (of features less their means, where the intercept has no penalty). `dual`,
    `random_state` and `n_jobs` have no effect. `verbose` prints each value.

    Attributes: `classes_`, `coef_` (rows x features), `intercept_` (one a row), `n_iter_` (int32,
    one number), `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "penalty": one_of("l1", "l2", "elasticnet", "deprecated") | NONE,
        "C": real(0, closed="right"),
        "l1_ratio": real(0, 1) | NONE,
        "dual": BOOL,
        "tol": real(0),
        "fit_intercept": BOOL,
        "intercept_scaling": real(0, closed="neither"),
        "class_weight": CLASS_WEIGHT,
        "random_state": RANDOM,
        "solver": SOLVERS,
        "max_iter": whole(0),
        "verbose": whole(0) | BOOL,
        "warm_start": BOOL,
        "n_jobs": NONE | whole(),
    }

    def __init__(
        self,
        penalty: Any = "deprecated",
        *,
        C: float = 1.0,
        l1_ratio: float = 0.0,
        dual: bool = False,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        random_state: Any = None,
        solver: str = "lbfgs",
        max_iter: int = 100,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients for samples x features and a class for each, number or text.

        Samples may be sparse. Raises ValueError for NaN, infinities, other shapes, a single class,
        a penalty that the solver of this name does not take, and a `warm_start` with coefficients
        of other classes or features, and what `check_options` raises.
        Warns (ConvergenceWarning) where `max_iter` steps were too few, or where none lowers the
        loss although its slopes say so, as of samples that the dtype's rounding spoils.
        """
        self._check_options()
        penalty = penalty_of(self)
        x = samples_or_sparse(self, X, fitting=True)
        self.classes_, codes = classes_of(self, y, x.shape[0])
        refuse_classes(self.classes_, self.solver)
        weight = weights(sample_weight, x)
        if self.class_weight is not None:
            own = weights_of_classes(self.class_weight, self.classes_, codes, weight)[codes]
            own = px.asarray(own.astype(x.dtype), device=x.device)
            weight = own if weight is None else own * weight
        rows = 1 if len(self.classes_) == 2 else len(self.classes_)
        found = least_loss(
            LossOf(x, px.asarray(codes, device=x.device), weight, rows, bool(self.fit_intercept)),
            penalty,
            self._start(rows, x.shape[1]),
            Ending(self.tol, self.max_iter),
            verbose=bool(self.verbose),
        )
        warn_of_few_steps(found, self.max_iter)
        self._keep(X, found.place.reshape(rows, -1), x)
        self.n_iter_ = np.array([found.steps], np.int32)
        return self

    def _start(self, rows: int, features: int) -> np.ndarray:
        if not self.warm_start or not hasattr(self, "coef_"):
            return np.zeros(rows * (features + self.fit_intercept))
        table = np.asarray(self.coef_, np.float64)
        if self.fit_intercept:
            table = np.column_stack([table, np.asarray(self.intercept_, np.float64)])
        wanted = (rows, features + self.fit_intercept)
        if table.shape != wanted:
            raise ValueError(
                f"Initialization coef is of shape {table.shape}, expected shape {wanted}: "
                "warm_start=True begins with the coefficients of the last fit, which had other "
                "classes or features. Set warm_start=False, or fit a new model"
            )
        return table.ravel()

    def _keep(self, X: Any, table: np.ndarray, x: Any) -> None:
        features = x.shape[1]
        intercepts = table[:, -1] if self.fit_intercept else np.zeros(len(table))
        self.coef_ = given_as(X, table[:, :features].astype(x.dtype))
        self.intercept_ = given_as(X, intercepts.astype(x.dtype))

    def _log_chances(self, X: Any) -> Any:
        scores = self._scores(X)
        if scores.ndim == 1:
            scores = px.stack([px.zeros_like(scores), scores], axis=1)
        apart = scores - px.max(scores, axis=1)[:, None]
        return apart - px.log(px.sum(px.exp(apart), axis=1))[:, None]

    def predict_proba(self, X: Any) -> Any:
        """Return the chance of each class, samples x classes. Raises as `decision_function`."""
        return given_as(X, px.exp(self._log_chances(X)))

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of `predict_proba`. Raises as `decision_function` does."""
        return given_as(X, self._log_chances(X))


def warn_of_few_steps(found: Minimum, most: int) -> None:
    """Warn (ConvergenceWarning) where a descent of `most` steps ended before it went no lower."""
    if found.has_converged:
        return
    reason = "ABNORMAL: NO STEP LOWERS THE LOSS. Scale the data"
    if found.steps >= most:
        reason = "TOTAL NO. OF ITERATIONS REACHED LIMIT. Increase the number of iterations "
        reason += "(max_iter) or scale the data"
    warn_user(
        f"lbfgs failed to converge after {found.steps} iteration(s): {reason}, for example "
        "with StandardScaler.",
        ConvergenceWarning,
    )
