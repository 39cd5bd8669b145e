"""Linear models of numbers by stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import RegressorMixin
from ..metrics.regression import r2_score
from ..options import Rule, generator_of, one_of
from ..sparse_samples import on_host
from ..validation import given_as, numbers, samples_or_sparse, targets, weights
from .regression import linear_of
from .sgd import RULES, SGD_RULES, Gradients
from .sgd_descent import Samples
from .sgd_pass import LOSSES_OF_NUMBERS


class SGDRegressor(RegressorMixin, Gradients):  # type: ignore[misc]
    """A linear model of numbers that learns from one sample after the other, on the host.

    `loss` is one of squares, Huber's, and sizes or squares of what errors have above `epsilon`.
    Parameters are scikit-learn's, and so are steps: with ``shuffle=False`` all numbers are.

    Attributes: `coef_` (features), `intercept_` (1), `n_iter_` (passes over the samples), `t_`
    (steps and 1), `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **RULES,
        **SGD_RULES,
        "loss": one_of(*LOSSES_OF_NUMBERS),
    }

    def __init__(
        self,
        loss: str = "squared_error",
        *,
        penalty: Any = "l2",
        alpha: float = 0.0001,
        l1_ratio: Any = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: Any = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        epsilon: float = 0.1,
        random_state: Any = None,
        learning_rate: str = "invscaling",
        eta0: float = 0.01,
        power_t: float = 0.25,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        average: Any = False,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.epsilon = epsilon
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.average = average

    def fit(
        self,
        X: Any,
        y: Any,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Learn from samples x features and a number for each, from some first coefficients or 0.

        Raises ValueError for NaN, infinities, other shapes, numbers that overflow and parameters
        that do not go together, and what `check_options` raises. Warns (ConvergenceWarning) where
        `max_iter` passes were not enough.
        """
        self._refuse("epsilon_insensitive", partial=False)
        before = self._forget()
        first = tuple(
            new if new is not None else old
            for new, old in zip((coef_init, intercept_init), before, strict=True)
        )
        self._learn(X, y, sample_weight, self.max_iter, first, fitting=True)
        self._warn()
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from some more samples, in one pass. Raises as `fit` does."""
        self._refuse("epsilon_insensitive", partial=True)
        is_first = not hasattr(self, "coef_")
        if is_first:
            self.t_ = 1.0
        return self._learn(X, y, sample_weight, 1, self._last(), fitting=is_first)

    def _learn(
        self, X: Any, y: Any, sample_weight: Any, passes: int, first: Any, *, fitting: bool
    ) -> Self:
        x = samples_or_sparse(self, X, fitting=fitting)
        count, features = x.shape
        target = np.asarray(numbers(targets(self, y, count), name="y"), np.float64)
        weight = weights(sample_weight, x)
        share = np.ones(count) if weight is None else np.asarray(weight, np.float64)
        out = self._left_out(None, count)

        data = Samples(on_host(x), target, share, np.flatnonzero(~out))

        def score(w: np.ndarray, shift: float) -> float:
            return r2_score(target[out], data.scores(out, w) + shift, sample_weight=share[out])

        ending = self._ending(passes, score if self.early_stopping else None)
        begin = self._begin(1, features, first)[0]
        place, done = self._descended(data, begin, ending, generator_of(self.random_state))
        self._keep(X, [place], done, x.dtype, count)
        return self

    def _shaped(self, table: np.ndarray) -> np.ndarray:
        return np.asarray(table[0])

    def predict(self, X: Any) -> Any:
        """Return the number of each sample.

        Raises ValueError for NaN, infinities and another number of features.
        """
        return given_as(X, linear_of(self, samples_or_sparse(self, X)))
