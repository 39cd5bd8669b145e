"""Penalties of logistic regression, and the coefficients of the least loss with them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..sparse_samples import SparseSamples
from .centers import Centered
from .class_shifts import shift_of
from .lbfgs import Ending, Minimum
from .logistic_loss import Loss, loss_of
from .units import least, mean_sizes, rounding_of

_CURVE = 0.25  # the largest second derivative of a sample's loss by its score


class Penalty(NamedTuple):
    """The factor of all, the share of absolute values, and the shares of the intercept."""

    strength: float  # 1 / C
    l1_ratio: float = 0.0
    of_intercept: float = 0.0  # 1 / intercept_scaling, or 0: none

    def factors(self, rows: int, features: int, *, intercept: bool) -> tuple[Any, Any]:
        """The factors of absolute values and of half squares: rows x coefficients."""
        scale = np.ones(features + intercept)
        if intercept:
            scale[-1] = self.of_intercept
        sizes = self.strength * self.l1_ratio * scale
        squares = self.strength * (1 - self.l1_ratio) * scale * scale
        return np.tile(sizes, (rows, 1)), np.tile(squares, (rows, 1))


class LossOf(NamedTuple):
    """Samples, the numbers of their classes, their weight; rows of coefficients, an intercept."""

    x: ndarray | SparseSamples
    codes: ndarray
    weight: ndarray | None
    rows: int
    intercept: bool


class Prepared:
    """Samples as descents need them, of which there may be several, with other penalties."""

    def __init__(self, of: LossOf, *, is_centered: bool) -> None:
        self._centered = None
        if of.intercept and is_centered:
            self._centered = Centered(of.x, of.weight)
            of = of._replace(x=self._centered.x)
        self._of, self._rounding = of, rounding_of(of.x)
        self._sizes = mean_sizes(of.x, of.weight)
        self._total: float = of.x.shape[0]
        if of.weight is not None:
            self._total = float(px.sum(of.weight, dtype=np.float64))

    def least(
        self, penalty: Penalty, start: np.ndarray, ending: Ending, *, verbose: bool
    ) -> Minimum:
        """The coefficients of the least loss, rows x features and the intercept, flat."""
        rows = self._of.rows
        if self._centered is not None:
            start = self._centered.start(start.reshape(rows, -1)).ravel()
        mean = penalty._replace(strength=penalty.strength / self._total)
        factors = mean.factors(rows, self._of.x.shape[1], intercept=self._of.intercept)
        units = units_of(self._sizes, factors[1])
        ending = ending._replace(rounding=self._rounding)
        found = least_with(self._loss_with, factors, units, start, ending, verbose=verbose)
        return found if self._centered is None else self._centered.found(found, rows)

    def _loss_with(self, squares: np.ndarray) -> Loss:
        of = self._of
        return loss_of(of.x, of.codes, of.weight, of.rows, squares, intercept=of.intercept)


def least_loss(
    of: LossOf, penalty: Penalty, start: np.ndarray, ending: Ending, *, verbose: bool
) -> Minimum:
    """The coefficients, rows x features and the intercept, flat, from some first ones."""
    prepared = Prepared(of, is_centered=not penalty.of_intercept)
    return prepared.least(penalty, start, ending, verbose=verbose)


def least_with(
    loss_with: Callable[[np.ndarray], Loss],
    factors: tuple[np.ndarray, np.ndarray],
    units: np.ndarray,
    start: np.ndarray,
    ending: Ending,
    *,
    verbose: bool,
) -> Minimum:
    """The least of the loss that `loss_with` makes of factors of half squares, and of sizes."""
    sizes, squares = factors
    loss = loss_with(squares)
    if verbose:
        loss = _printing(loss)
    shift = shift_of(sizes, squares) if len(sizes) > 1 else None
    return least(loss, sizes.ravel(), units, start, ending, shift)


def units_of(sizes: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """The roots of the second derivatives where all scores are 0, with those of the penalty.

    Of the mean sizes of features, and of the factors of half squares, also of an intercept.
    """
    if squares.shape[1] > len(sizes):
        sizes = np.append(sizes, 1.0)
    return np.asarray(np.hypot(np.sqrt(_CURVE) * sizes, np.sqrt(squares))).ravel()


def _printing(loss: Loss) -> Loss:
    count = 0

    def printing(flat: np.ndarray) -> tuple[float, np.ndarray]:
        nonlocal count
        count += 1
        value, slopes = loss(flat)
        print(f"Evaluation {count}, loss {value:.6e}, largest slope {np.abs(slopes).max():.3e}.")
        return value, slopes

    return printing


def penalty_of(model: Any) -> Penalty:
    """The penalty that parameters mean.

    Raises ValueError for one that the solver of this name does not take.
    """
    kind = _kind(model)
    refuse_penalty(kind, model)
    ratio = {"l1": 1.0, "elasticnet": model.l1_ratio}.get(kind or "", 0.0)
    return Penalty(0.0 if kind is None else 1 / model.C, ratio, share_of_intercept(model))


def share_of_intercept(model: Any) -> float:
    """What the intercept is times to be penalised: 0, unless the solver's name says so."""
    return 1 / model.intercept_scaling if model.solver == "liblinear" else 0.0


def refuse_penalty(kind: str | None, model: Any) -> None:
    """Raise ValueError for a penalty that the solver of this name does not take."""
    solver = model.solver
    if solver not in ("liblinear", "saga") and kind not in ("l2", None):
        raise ValueError(
            f"Solver {solver} supports only 'l2' or None penalties, got {kind} penalty."
        )
    if solver != "liblinear" and model.dual:
        raise ValueError(f"Solver {solver} supports only dual=False, got dual={model.dual}")
    if kind == "elasticnet" and solver != "saga":
        raise ValueError(f"Only 'saga' solver supports elasticnet penalty, got solver={solver}.")
    if solver == "liblinear" and kind is None:
        raise ValueError(
            "C=np.inf as well as penalty=None is not supported for the liblinear solver"
        )
    if kind == "l1" and model.dual:
        raise ValueError(
            "Unsupported set of arguments: The combination of penalty='l1' and "
            "loss='logistic_regression' are not supported when dual=True"
        )


def _kind(model: Any) -> str | None:
    """The name of the penalty; warns of deprecated parameters, as scikit-learn does."""
    ratio = model.l1_ratio
    if model.penalty != "deprecated":
        warn_of_penalty("l1_ratio", "C")
        if model.penalty == "elasticnet" and ratio is None:
            raise ValueError("l1_ratio must be specified when penalty is elasticnet.")
        kind: str | None = model.penalty
        return kind
    if np.inf == model.C:
        return None
    if ratio in (0, None):
        return "l2"
    return "l1" if ratio == 1 else "elasticnet"


def warn_of_penalty(ratio: str, c: str) -> None:
    """Warn of the deprecated parameter, as scikit-learn does: of what to set in its place."""
    warnings.warn(
        f"'penalty' was deprecated in scikit-learn 1.8. Use {ratio}=0 instead of penalty='l2', "
        f"{ratio}=1 instead of penalty='l1', {ratio} set to a float between 0 and 1 instead of "
        f"penalty='elasticnet', and {c}=np.inf instead of penalty=None.",
        FutureWarning,
        stacklevel=5,
    )


def refuse_classes(classes: np.ndarray, solver: str) -> None:
    """Raise ValueError for a single class, and for more than two where `solver` takes two."""
    if len(classes) < 2:
        raise ValueError(
            "This solver needs samples of at least 2 classes in the data, but the data "
            f"contains only one class: {classes[0]!r}"
        )
    if len(classes) > 2 and solver == "liblinear":
        raise ValueError(
            "The 'liblinear' solver does not support multiclass classification (n_classes >= 3). "
            "Either use another solver or wrap the estimator in a OneVsRestClassifier to keep "
            "applying a one-versus-rest scheme."
        )
