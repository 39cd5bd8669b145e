"""Linear models of classes by stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..available import available_if
from ..classes import checked_classes, weights_of_classes
from ..options import CLASS_WEIGHT, NONE, Rule, generator_of, one_of, whole
from ..preprocessing.category_columns import categories_of, codes_of
from ..sparse_samples import on_host
from ..validation import given_as, samples_or_sparse, weights
from .linear_classes import LinearClassifier
from .sgd import LOSSES, RULES, SGD_RULES, Gradients
from .sgd_descent import Place, Samples

_SEEDS = np.iinfo(np.int32).max


def _has_chances(model: Any) -> bool:
    return model.loss in ("log_loss", "modified_huber")


class ClassGradients(LinearClassifier, Gradients):
    """What classifiers share: each class against all others."""

    class_weight: Any
    classes_: np.ndarray

    def fit(
        self,
        X: Any,
        y: Any,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Learn from samples x features and a class for each, from some first coefficients or 0.

        Raises ValueError for NaN, infinities, other shapes, a single class, numbers that overflow
        and parameters that do not go together, and what `check_options` raises. Warns
        (ConvergenceWarning) where `max_iter` passes were not enough.
        """
        self._refuse("hinge", partial=False)
        before = self._forget()
        first = tuple(
            new if new is not None else old
            for new, old in zip((coef_init, intercept_init), before, strict=True)
        )
        x = samples_or_sparse(self, X, fitting=True)
        labels = checked_classes(self, y, x.shape[0])
        self.classes_ = categories_of(labels)
        self._learn(X, x, labels, sample_weight, first, self.max_iter)
        self._warn()
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from some more samples, in one pass; the first call gets all `classes`.

        Raises ValueError where it does not, for balanced weights of classes, and as `fit` does.
        """
        self._refuse("hinge", partial=True)
        is_first = not hasattr(self, "classes_")
        if is_first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if self.class_weight == "balanced":
            raise ValueError(
                "class_weight 'balanced' is not supported for partial_fit. In order to use "
                "'balanced' weights, compute them from a large enough sample of all targets and "
                "pass a dict as class_weight."
            )
        x = samples_or_sparse(self, X, fitting=is_first)
        labels = checked_classes(self, y, x.shape[0])
        if is_first:
            self.classes_ = categories_of(np.asarray(classes))
            self.t_ = 1.0
        elif classes is not None and not np.array_equal(self.classes_, np.unique(classes)):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: "
                f"{self.classes_!r}"
            )
        self._learn(X, x, labels, sample_weight, self._last(), 1)
        return self

    def _learn(
        self, X: Any, x: Any, labels: Any, sample_weight: Any, first: Any, passes: int
    ) -> None:
        count = len(self.classes_)
        if count < 2:
            raise ValueError(f"The number of classes has to be greater than one; got {count} class")
        codes = codes_of(labels, self.classes_)
        if (codes < 0).any():
            others = categories_of(np.asarray(labels)[codes < 0])
            raise ValueError(f"y has classes {others} that are not in classes {self.classes_}")
        weight = weights(sample_weight, x)
        share = np.ones(len(codes)) if weight is None else np.asarray(weight, np.float64)
        of_class = weights_of_classes(self.class_weight, self.classes_, codes, None)
        rows = 1 if count == 2 else count
        out = self._left_out(codes, len(codes))
        random = generator_of(self.random_state)
        seeds = [None] if rows == 1 else random.randint(_SEEDS, size=rows)
        host, places, most = on_host(x), [], 0
        for number, begin in enumerate(self._begin(rows, x.shape[1], first)):
            is_own = codes == (1 if rows == 1 else number)
            other = of_class[0] if rows == 1 else 1.0
            own = share * np.where(is_own, of_class[1 if rows == 1 else number], other)
            target = np.where(is_own, 1.0, -1.0)
            data = Samples(host, target, own, np.flatnonzero(~out))
            drawn = random if seeds[number] is None else np.random.RandomState(seeds[number])
            place, done = self._class(data, begin, passes, out, share, drawn)
            places.append(place)
            most = max(most, done)
        self._keep(X, places, most, x.dtype, len(codes))

    def _class(
        self, data: Samples, begin: Place, passes: int, out: Any, share: Any, random: Any
    ) -> tuple[Place, int]:
        """The coefficients of one class against others."""

        def score(w: np.ndarray, shift: float) -> float:
            hits = (data.scores(out, w) + shift > 0) == (data.target[out] > 0)
            return float(np.average(hits, weights=share[out]))

        ending = self._ending(passes, score if self.early_stopping else None)
        return self._descended(data, begin, ending, random)


class SGDClassifier(ClassGradients):
    """A linear model of classes that learns from one sample after the other, on the host.

    Each class is learnt against all others by its `loss`. Parameters are scikit-learn's, and so are
    steps: with ``shuffle=False`` all numbers are. `n_jobs` has no effect.

    Attributes: `classes_`, `coef_` (rows x features; one row for two classes), `intercept_`,
    `n_iter_` (passes over the samples), `t_` (steps and 1), `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **RULES,
        **SGD_RULES,
        "loss": one_of(*LOSSES),
        "class_weight": CLASS_WEIGHT,
        "n_jobs": NONE | whole(),
    }

    def __init__(
        self,
        loss: str = "hinge",
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
        n_jobs: int | None = None,
        random_state: Any = None,
        learning_rate: str = "optimal",
        eta0: float = 0.01,
        power_t: float = 0.5,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
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
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.average = average

    @available_if(_has_chances)
    def predict_proba(self, X: Any) -> Any:
        """Return the chance of each class, of the logistic loss and the modified Huber loss.

        Each class's own against all others, as shares of their sum. Raises as `decision_function`.
        """
        scores = self._scores(X)
        if self.loss == "log_loss":
            own = 1 / (1 + px.exp(-scores))
        else:
            own = (px.clip(scores, -1, 1) + 1) / 2
        if own.ndim == 1:
            return given_as(X, px.stack([1 - own, own], axis=1))
        total = px.sum(own, axis=1)[:, None]
        shares = own / px.where(total == 0, 1, total)
        return given_as(X, px.where(total == 0, 1 / own.shape[1], shares).astype(own.dtype))

    @available_if(_has_chances)
    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of `predict_proba`."""
        made = self.predict_proba(X)
        return px.log(made) if isinstance(made, ndarray) else np.log(made)


class Perceptron(ClassGradients):
    """A linear model of classes that learns from samples that it gets wrong.

    `SGDClassifier` with the loss of a margin of 0 and steps of one length, `eta0`. Parameters and
    attributes are scikit-learn's.
    """

    loss = "perceptron"
    _rules: ClassVar[Mapping[str, Rule]] = {
        **RULES,
        "class_weight": CLASS_WEIGHT,
        "n_jobs": NONE | whole(),
    }

    def __init__(
        self,
        *,
        penalty: Any = None,
        alpha: float = 0.0001,
        l1_ratio: Any = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: Any = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
    ) -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
