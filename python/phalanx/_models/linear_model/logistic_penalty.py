"""Penalties of logistic regression, and the coefficients of the least loss with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..exceptions import warn_user
from ..sparse_samples import SparseSamples
from .centers import Centered, Centers
from .class_shifts import shift_of
from .lbfgs import Ending, Minimum
from .logistic_loss import Loss, loss_of
from .logistic_sets import Whole, least_of_sets
from .units import least, mean_sizes, rounding_of
from .working_sets import is_wide

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


class Problem(NamedTuple):
    """What descents must know of samples, wherever these are: there may be several descents."""

    loss_with: Callable[[np.ndarray], Loss]  # of the factors of half squares
    rows: int
    intercept: bool
    sizes: np.ndarray  # the mean absolute values of features
    total: float  # the weight of all samples
    rounding: float  # of losses
    centers: Centers | None  # of features that are less their centers
    # The loss of some features, of samples with more features than there are of them.
    loss_of_some: Callable[[np.ndarray, np.ndarray], Loss] | None = None

    def least(
        self, penalty: Penalty, start: np.ndarray, ending: Ending, *, verbose: bool
    ) -> Minimum:
        """The coefficients of the least loss, rows x features and the intercept, flat."""
        rows = self.rows
        if self.centers is not None:
            start = self.centers.start(start.reshape(rows, -1)).ravel()
        mean = penalty._replace(strength=penalty.strength / self.total)
        factors = mean.factors(rows, len(self.sizes), intercept=self.intercept)
        units = units_of(self.sizes, factors[1])
        ending = ending._replace(rounding=self.rounding)
        if self.loss_of_some is not None and factors[0].any():
            found = self._least_of_sets(factors, units, start, ending, verbose=verbose)
        else:
            found = least_with(self.loss_with, factors, units, start, ending, verbose=verbose)
        return found if self.centers is None else self.centers.found(found, rows)

    def _least_of_sets(
        self, factors: Any, units: np.ndarray, start: np.ndarray, ending: Ending, *, verbose: bool
    ) -> Minimum:
        sizes, squares = factors
        units = units.reshape(sizes.shape)

        def solve(some: np.ndarray, first: np.ndarray, ending: Ending) -> Minimum:
            def loss_with(squares: np.ndarray) -> Loss:
                assert self.loss_of_some is not None
                return self.loss_of_some(some[some < len(self.sizes)], squares)

            own = sizes[:, some], squares[:, some]
            of_units = np.ascontiguousarray(units[:, some]).ravel()
            return least_with(loss_with, own, of_units, first.ravel(), ending, verbose=verbose)

        whole = Whole(self.loss_with(squares), sizes, len(self.sizes))
        return least_of_sets(whole, solve, start, ending)


def problem_of(of: LossOf, *, is_centered: bool) -> Problem:
    """The problem of samples of one device; with an intercept they are centered if that is so."""
    centered = None
    if of.intercept and is_centered:
        centered = Centered(of.x, of.weight)
        of = of._replace(x=centered.x)
    total = of.x.shape[0] if of.weight is None else float(px.sum(of.weight, dtype=np.float64))

    def loss_with(squares: np.ndarray) -> Loss:
        return loss_of(of.x, of.codes, of.weight, of.rows, squares, intercept=of.intercept)

    def loss_of_some(features: np.ndarray, squares: np.ndarray) -> Loss:
        dense: Any = of.x
        some = dense[:, px.asarray(features, device=dense.device)]
        return loss_of(some, of.codes, of.weight, of.rows, squares, intercept=of.intercept)

    is_narrowed = not isinstance(of.x, SparseSamples) and is_wide(of.x.shape)
    known = mean_sizes(of.x, of.weight), total, rounding_of(of.x)
    some = loss_of_some if is_narrowed else None
    return Problem(loss_with, of.rows, of.intercept, *known, centered, some)


def least_loss(
    of: LossOf, penalty: Penalty, start: np.ndarray, ending: Ending, *, verbose: bool
) -> Minimum:
    """The coefficients, rows x features and the intercept, flat, from some first ones."""
    problem = problem_of(of, is_centered=not penalty.of_intercept)
    return problem.least(penalty, start, ending, verbose=verbose)


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
    warn_user(
        f"'penalty' was deprecated in scikit-learn 1.8. Use {ratio}=0 instead of penalty='l2', "
        f"{ratio}=1 instead of penalty='l1', {ratio} set to a float between 0 and 1 instead of "
        f"penalty='elasticnet', and {c}=np.inf instead of penalty=None.",
        FutureWarning,
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
