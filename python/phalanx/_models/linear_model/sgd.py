"""Linear models by stochastic gradient descent: what those of classes and numbers share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..base import Estimator
from ..exceptions import ConvergenceWarning, warn_user
from ..fit_progress import FitProgress
from ..options import BOOL, NONE, RANDOM, Rule, generator_of, one_of, real, whole
from ..tags import TakesSparse
from ..validation import given_as
from .sgd_descent import Ending, Place, Samples, descend, finished_options
from .sgd_pass import LOSSES_OF_CLASSES, LOSSES_OF_NUMBERS, RATES

LOSSES = (*LOSSES_OF_CLASSES, *LOSSES_OF_NUMBERS)
RULES: dict[str, Rule] = {
    "penalty": one_of("l1", "l2", "elasticnet") | NONE,
    "alpha": real(0),
    "l1_ratio": real(0, 1) | NONE,
    "fit_intercept": BOOL,
    "max_iter": whole(1),
    "tol": real(0) | NONE,
    "shuffle": BOOL,
    "verbose": whole(0) | BOOL,
    "random_state": RANDOM,
    "warm_start": BOOL,
    "early_stopping": BOOL,
    "validation_fraction": real(0, 1, closed="neither"),
    "n_iter_no_change": whole(1),
    "eta0": real(0, closed="neither"),
}
SGD_RULES: dict[str, Rule] = {
    "epsilon": real(0),
    "learning_rate": one_of(*RATES),
    "power_t": real(),
    "average": BOOL | whole(1),
}
_RATIOS = {"l1": 1.0, "l2": 0.0, None: 0.0}


class Gradients(TakesSparse, Estimator):
    """A linear model that learns from one sample after the other."""

    _rules: ClassVar[Mapping[str, Rule]]
    loss: str
    penalty: Any
    alpha: float
    l1_ratio: Any
    fit_intercept: bool
    max_iter: int
    tol: Any
    shuffle: bool
    verbose: int
    random_state: Any
    warm_start: bool
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    eta0: float
    epsilon: float = 0.1
    learning_rate: str = "constant"
    power_t: float = 0.5
    average: Any = False
    coef_: Any
    intercept_: Any
    n_iter_: int

    def _refuse(self, passive: str, *, partial: bool) -> None:
        """Raise ValueError for parameters that do not go together."""
        self._check_options()
        if self.early_stopping and partial:
            raise ValueError("early_stopping should be False with partial_fit")
        if self.learning_rate == "optimal" and self.alpha == 0:
            raise ValueError(
                "alpha must be > 0 since learning_rate is 'optimal'. alpha is used to compute the "
                "optimal learning rate."
            )
        if self.learning_rate in ("pa1", "pa2") and self.loss != passive:
            raise ValueError(
                f"Learning rate '{self.learning_rate}' only works with loss '{passive}'."
            )
        if self.penalty == "elasticnet" and self.l1_ratio is None:
            raise ValueError("l1_ratio must be set when penalty is 'elasticnet'")

    def _options(self) -> np.ndarray:
        kind, width = LOSSES_OF_CLASSES.get(self.loss, (0, 0.0))
        if self.loss in LOSSES_OF_NUMBERS:
            kind, width = LOSSES_OF_NUMBERS[self.loss], self.epsilon
        given = [
            kind,
            width,
            self.alpha,
            _RATIOS.get(self.penalty, self.l1_ratio),
            RATES[self.learning_rate],
            self.eta0,
            self.power_t,
            0,
            self.average,
            self.fit_intercept,
            self.penalty is not None,
        ]
        return finished_options(np.array(given, np.float64))

    def _begin(self, rows: int, features: int, first: tuple[Any, Any]) -> list[Place]:
        """The places to begin at: given ones, those of before, or 0."""
        coefficients, intercepts = first
        own = np.zeros((rows, features))
        shift = np.zeros(rows)
        if coefficients is not None:
            own = np.asarray(coefficients, np.float64).reshape(rows, -1).copy()
        if own.shape != (rows, features):
            raise ValueError("Provided coef_init does not match dataset.")
        if intercepts is not None:
            shift = np.asarray(intercepts, np.float64).reshape(-1).copy()
        if shift.shape != (rows,):
            raise ValueError("Provided intercept_init does not match dataset.")
        mean, mean_shift = getattr(self, "_means", (np.zeros_like(own), np.zeros(rows)))
        return [Place(own[i], shift[i], mean[i], mean_shift[i]) for i in range(rows)]

    def _last(self) -> tuple[Any, Any]:
        """Where steps go on from: not the means."""
        if not hasattr(self, "coef_"):
            return None, None
        return getattr(self, "_own", None) or (self.coef_, self.intercept_)

    def _ending(self, passes: int, score: Any) -> Ending:
        tol = -np.inf if self.tol is None else self.tol
        return Ending(
            passes, tol, self.n_iter_no_change, score, FitProgress(self, passes, "epochs at most")
        )

    def _descended(
        self, data: Samples, place: Place, ending: Ending, random: Any
    ) -> tuple[Place, int]:
        order = random if self.shuffle else None
        return descend(data, place, self._options(), self.t_, ending, order)

    def _keep(self, X: Any, places: list[Place], passes: int, dtype: Any, count: int) -> None:
        """Set the coefficients, or their means where enough steps were made."""
        self.t_ += float(passes * count)
        self.n_iter_ = passes
        own = np.stack([each.own for each in places]), np.array([each.shift for each in places])
        kept = own
        if self.average:
            self._own = own
            self._means = (
                np.stack([each.mean for each in places]),
                np.array([each.mean_shift for each in places]),
            )
            if self.average <= self.t_ - 1:
                kept = self._means
        self.coef_ = given_as(X, self._shaped(kept[0]).astype(dtype))
        # A last intercept is float64, several and a classifier's mean are not, as in scikit-learn.
        is_wide = len(kept[1]) == 1 and (kept is own or not hasattr(self, "classes_"))
        self.intercept_ = given_as(X, kept[1] if is_wide else kept[1].astype(dtype))

    def _shaped(self, table: np.ndarray) -> np.ndarray:
        return table

    def _forget(self) -> tuple[Any, Any]:
        """Begin anew, or with `warm_start` where the last fit ended."""
        first = (None, None)
        if self.warm_start and hasattr(self, "coef_"):
            first = (self.coef_, self.intercept_)
        for name in ("coef_", "intercept_", "_own", "_means", "classes_"):
            if hasattr(self, name):
                delattr(self, name)
        self.t_ = 1.0
        return first

    def _warn(self) -> None:
        if self.tol is not None and self.n_iter_ == self.max_iter:
            warn_user(
                "Maximum number of iteration reached before convergence. Consider increasing "
                "max_iter to improve the fit.",
                ConvergenceWarning,
            )

    def _left_out(self, groups: np.ndarray | None, count: int) -> np.ndarray:
        """True for samples that are left out to see when to stop, of each group alike."""
        made = np.zeros(count, bool)
        if not self.early_stopping:
            return made
        random = generator_of(self.random_state)
        members = [np.arange(count)]
        if groups is not None:
            members = [np.flatnonzero(groups == each) for each in np.unique(groups)]
        for rows in members:
            wanted = int(np.ceil(self.validation_fraction * len(rows)))
            made[random.permutation(rows)[: min(wanted, len(rows) - 1)]] = True
        if not made.any() or made.all():
            raise ValueError(
                f"Splitting {count} samples into a train set and a validation set with "
                f"validation_fraction={self.validation_fraction!r} led to an empty set. Please "
                "change validation_fraction, increase the number of samples, or disable "
                "early_stopping."
            )
        return made
