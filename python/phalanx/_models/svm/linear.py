"""Linear support vector machines of classes and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import Estimator, RegressorMixin
from ..classes import classes_of, weights_of_classes
from ..exceptions import ConvergenceWarning, warn_user
from ..linear_model.linear_classes import LinearClassifier
from ..linear_model.regression import linear_of
from ..options import BOOL, CLASS_WEIGHT, RANDOM, Rule, generator_of, one_of, real, whole
from ..sparse_samples import SparseSamples, on_host
from ..tags import TakesSparse
from ..validation import given_as, numbers, samples_or_sparse, targets, weights
from .dual_descent import Boxes, Sides, boxes_of, descend
from .squared_losses import (
    MOST_FEATURES,
    Ending,
    Squares,
    least_squares_of,
    missed_of_classes,
    missed_of_numbers,
)

_RULES: dict[str, Rule] = {
    "tol": real(0, closed="neither"),
    "C": real(0, closed="neither"),
    "fit_intercept": BOOL,
    "intercept_scaling": real(0, closed="neither"),
    "dual": BOOL | one_of("auto"),
    "verbose": whole(0) | BOOL,
    "random_state": RANDOM,
    "max_iter": whole(0),
}
_SQUARES = ("squared_hinge", "squared_epsilon_insensitive")


class _LinearMachine(TakesSparse, Estimator):
    """What both have: the intercept as a feature, and the two ways to the minimum."""

    fit_intercept: bool
    intercept_scaling: float
    loss: str
    C: float
    tol: float
    max_iter: int
    verbose: int
    dual: Any
    random_state: Any

    @property
    def _is_square(self) -> bool:
        return self.loss in _SQUARES

    def _refuse(self, penalty: str) -> None:
        """Raise ValueError for what liblinear has not: a loss, a penalty and a form together."""
        is_square = self._is_square
        if (is_square and (penalty, self.dual) != ("l1", True)) or (
            not is_square and penalty == "l2" and self.dual is not False
        ):
            return
        raise ValueError(
            f"Unsupported set of arguments: the combination of penalty={penalty!r} and "
            f"loss={self.loss!r} is not supported when dual={self.dual}"
        )

    def _extended(self, x: Any) -> Any:
        if not self.fit_intercept:
            return x
        if isinstance(x, SparseSamples):
            return x.with_column(self.intercept_scaling)
        ones = px.full((x.shape[0], 1), self.intercept_scaling, x.dtype, device=x.device)
        return px.concatenate([x, ones], axis=1)

    def _share(self, weight: ndarray | None, x: Any) -> ndarray:
        if weight is None:
            return px.full(x.shape[0], self.C, np.float64, device=x.device)
        return weight.astype(np.float64) * self.C

    def _is_primal(self, x: Any, penalty: str = "l2") -> bool:
        """True for squares that steps over all samples find: of few features, and on a GPU."""
        is_on_host = isinstance(x, SparseSamples) or x._device.is_host
        is_few = x.shape[1] <= MOST_FEATURES or not is_on_host
        return self._is_square and (is_few or penalty == "l1")

    def _minimum(self, problem: Squares) -> Any:
        return least_squares_of(problem, Ending(self.tol, self.max_iter, bool(self.verbose)))

    def _descent(self, boxes: Boxes, random: Any) -> Any:
        return descend(boxes, self.tol, self.max_iter, random, verbose=bool(self.verbose))

    def _warn(self, found: list[Any]) -> None:
        self.n_iter_ = max(each.steps for each in found)
        if not all(each.has_converged for each in found):
            warn_user(
                "Liblinear failed to converge, increase the number of iterations.",
                ConvergenceWarning,
            )

    def _intercepts(self, table: np.ndarray) -> tuple[np.ndarray, Any]:
        """Coefficients and intercepts of rows with the intercept's feature last."""
        if not self.fit_intercept:
            return table, np.zeros(len(table))
        return table[:, :-1], table[:, -1] * self.intercept_scaling


class LinearSVC(LinearClassifier, _LinearMachine):
    """A linear support vector machine of classes, each against all others.

    Half the squares of the coefficients, or with ``penalty="l1"`` their absolute values, and `C`
    times what samples miss of a margin of 1, or the square of it, have the least sum. As in
    liblinear the intercept is the coefficient of a feature `intercept_scaling` and has the penalty,
    too. ``"squared_hinge"`` is solved by Newton's steps (`least_squares_of`) where the samples are,
    ``"hinge"``, and both of more than 512 features on the host, by coordinate descent in the dual
    on the host (`descend`); `dual` only says which combinations are refused, as in scikit-learn.
    Parameters are scikit-learn's, without ``multi_class="crammer_singer"``.

    Attributes: `classes_`, `coef_` (rows x features; one row for two classes), `intercept_`,
    `n_iter_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **_RULES,
        "penalty": one_of("l1", "l2"),
        "loss": one_of("hinge", "squared_hinge"),
        "multi_class": one_of("ovr").refusing("crammer_singer"),
        "class_weight": CLASS_WEIGHT,
    }

    def __init__(
        self,
        penalty: str = "l2",
        loss: str = "squared_hinge",
        *,
        dual: Any = "auto",
        tol: float = 1e-4,
        C: float = 1.0,
        multi_class: str = "ovr",
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        verbose: int = 0,
        random_state: Any = None,
        max_iter: int = 1000,
    ) -> None:
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients for samples x features and a class for each, number or text.

        Raises ValueError for NaN, infinities, other shapes, a single class and combinations that
        liblinear has not, and what `check_options` raises. Warns (ConvergenceWarning) where
        `max_iter` steps were not enough.
        """
        self._check_options()
        self._refuse(self.penalty)
        x = samples_or_sparse(self, X, fitting=True)
        self.classes_, codes = classes_of(self, y, x.shape[0])
        if len(self.classes_) < 2:
            raise ValueError(
                "This solver needs samples of at least 2 classes in the data, but the data "
                f"contains only one class: {self.classes_[0]!r}"
            )
        weight = weights(sample_weight, x)
        of_class = weights_of_classes(self.class_weight, self.classes_, codes, weight)
        share = self._share(weight, x)
        found = self._of_classes(self._extended(x), codes, share, of_class)
        self._warn(found)
        table, intercepts = self._intercepts(np.stack([each.place for each in found]))
        self.coef_ = given_as(X, np.ascontiguousarray(table))
        self.intercept_ = given_as(X, intercepts)
        return self

    def _of_classes(
        self, x: Any, codes: np.ndarray, share: ndarray, of_class: np.ndarray
    ) -> list[Any]:
        """The minimum of each class against the others; of two of the second only.

        Of more than two the others have no weight of their class, as in liblinear.
        """
        random = generator_of(self.random_state)
        count = len(of_class)
        found = []
        for number in range(1, 2) if count == 2 else range(count):
            is_own = codes == number
            sign = np.where(is_own, 1.0, -1.0)
            factor = np.where(is_own, of_class[number], of_class[0] if count == 2 else 1.0)
            own = share * px.asarray(factor, device=x.device)
            if self._is_primal(x, self.penalty):
                missed = missed_of_classes(px.asarray(sign.astype(x.dtype), device=x.device))
                found.append(self._minimum(Squares(x, own, missed, self.penalty == "l1")))
                continue
            most = np.asarray(own) * sign
            host = on_host(x.astype(np.float64))
            sides = Sides(np.minimum(most, 0), np.maximum(most, 0), self._is_square)
            boxes = boxes_of(host, sign, sides)
            found.append(self._descent(boxes, random))
        return found


class LinearSVR(RegressorMixin, _LinearMachine):  # type: ignore[misc]
    """A linear support vector machine of numbers: errors up to `epsilon` count nothing.

    Half the squares of the coefficients and `C` times what errors have above `epsilon`, or the
    square of it, have the least sum; how, and what becomes of the intercept, says `LinearSVC`.
    Parameters are scikit-learn's.

    Attributes: `coef_` (features), `intercept_` (1), `n_iter_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **_RULES,
        "epsilon": real(),
        "loss": one_of("epsilon_insensitive", "squared_epsilon_insensitive"),
    }

    def __init__(
        self,
        *,
        epsilon: float = 0.0,
        tol: float = 1e-4,
        C: float = 1.0,
        loss: str = "epsilon_insensitive",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        dual: Any = "auto",
        verbose: int = 0,
        random_state: Any = None,
        max_iter: int = 1000,
    ) -> None:
        self.epsilon = epsilon
        self.tol = tol
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.dual = dual
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients for samples x features and a number for each.

        Raises ValueError for NaN, infinities, other shapes and combinations that liblinear has not,
        and what `check_options` raises. Warns (ConvergenceWarning) where `max_iter` steps were not
        enough.
        """
        self._check_options()
        self._refuse("l2")
        x = samples_or_sparse(self, X, fitting=True)
        y = numbers(targets(self, y, x.shape[0]), (x.dtype,), "y")
        share = self._share(weights(sample_weight, x), x)
        extended = self._extended(x)
        if self._is_primal(extended):
            wanted = y if y.device == x.device else px.asarray(np.asarray(y), device=x.device)
            missed = missed_of_numbers(wanted, self.epsilon)
            found = self._minimum(Squares(extended, share, missed, False))
        else:
            most = np.asarray(share)
            host, target = on_host(extended.astype(np.float64)), np.asarray(y, np.float64)
            sides = Sides(-most, most, self._is_square)
            boxes = boxes_of(host, target, sides, float(self.epsilon))
            found = self._descent(boxes, generator_of(self.random_state))
        self._warn([found])
        table, intercepts = self._intercepts(found.place[None])
        self.coef_ = given_as(X, np.ascontiguousarray(table[0]))
        self.intercept_ = given_as(X, intercepts)
        return self

    def predict(self, X: Any) -> Any:
        """Return the number of each sample.

        Raises ValueError for NaN, infinities and another number of features.
        """
        return given_as(X, linear_of(self, samples_or_sparse(self, X)))
