"""What the models of gradient boosting share."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from copy import copy as shallow
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ...._arrays.ndarray import ndarray
from ...base import Estimator
from ...exceptions import check_is_fitted
from ...fit_progress import FitProgress
from ...options import (
    ARRAY,
    BOOL,
    DICT,
    FUNCTION,
    NONE,
    RANDOM,
    Rule,
    generator_of,
    one_of,
    real,
    whole,
)
from ...tags import TakesGaps
from ...validation import weights
from .columns import Columns, categorical_mask
from .losses import Loss
from .predictor import FittedTree, Predictor
from .stopping import Part, has_stalled, held_out, scorer_of
from .training import Training
from .workspace import MOST_BINS

_MANY = 10_000  # samples from which on a fit may end early by itself
_TEXT = Rule(lambda value: isinstance(value, str), "a name of a score")

RULES: Mapping[str, Rule] = {
    "learning_rate": real(0, closed="neither"),
    "max_iter": whole(1),
    "max_leaf_nodes": whole(2) | NONE,
    "max_depth": whole(1) | NONE,
    "min_samples_leaf": whole(1),
    "l2_regularization": real(0),
    "max_features": real(0, 1, "right"),
    "max_bins": whole(2, MOST_BINS),
    "categorical_features": one_of("from_dtype") | NONE | ARRAY,
    "monotonic_cst": NONE.refusing_all(ARRAY | DICT),
    "interaction_cst": NONE.refusing_all(one_of("pairwise", "no_interactions") | ARRAY),
    "warm_start": BOOL,
    "early_stopping": one_of("auto") | BOOL,
    "scoring": _TEXT | FUNCTION | NONE,
    "validation_fraction": real(0, 1, "neither") | whole(1) | NONE,
    "n_iter_no_change": whole(1),
    "tol": real(0),
    "verbose": whole(0) | BOOL,
    "random_state": RANDOM,
}


class Boosting(TakesGaps, Estimator):
    """A class has `_targets_of`, `_loss`, `_columns_of_trees`, and how raw sums become results."""

    _steps: list[list[FittedTree]]
    _takes_infinities: ClassVar[bool] = True

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Self:
        """Boost trees over samples x features and a target of each; NaN is a missing number.

        Infinities are the least and the greatest numbers.

        `X_val`, `y_val` and `sample_weight_val` are held out samples for early stopping, in place
        of a part of the others. With `warm_start` steps are added to those there are. Raises
        ValueError for other lengths, targets that the loss does not take and other features than
        those of the steps there are, and what `check_options` raises.
        """
        self._check_options()
        if (X_val is None) != (y_val is None):
            raise ValueError("X_val and y_val must be given both, or neither")
        if not self._goes_on:
            self.is_categorical_ = categorical_mask(self.categorical_features, X)
            self._columns = Columns(self.is_categorical_)
        whole = self._part(X, y, sample_weight, is_new=True)
        other = None
        if X_val is not None:
            other = self._part(X_val, y_val, sample_weight_val, is_new=False)
        if not self._goes_on:
            self._seed = int(generator_of(self.random_state).randint(2**31 - 1))
        self.do_early_stopping_ = (
            len(whole.y) > _MANY or other is not None
            if self.early_stopping == "auto"
            else bool(self.early_stopping)
        )
        if other is not None and not self.do_early_stopping_:
            raise ValueError("X_val is of no use with early_stopping=False: set it to True")
        if self.do_early_stopping_ and other is None and self.validation_fraction is not None:
            whole, other = held_out(whole, self.validation_fraction, self._seed, self._is_class)
        self._boost(whole, other)
        return self

    _is_class = False

    @property
    def _goes_on(self) -> bool:
        """True if a fit adds steps to those there are, which know features and categories."""
        return bool(self.warm_start) and hasattr(self, "_steps")

    def _part(self, X: Any, y: Any, sample_weight: Any, *, is_new: bool) -> Part:
        finds = is_new and not self._goes_on
        x = self._columns.fit(self, X) if finds else self._columns.read(self, X)
        given = weights(sample_weight, px.empty((x.shape[0], 1)))
        weight = None if given is None else np.asarray(given, np.float64)
        values = self._targets_of(y, x.shape[0], is_new=is_new)
        return Part(x, values, self._whole_weight(values, weight))

    def _whole_weight(self, values: np.ndarray, weight: np.ndarray | None) -> np.ndarray | None:
        return weight

    def _targets_of(self, y: Any, count: int, *, is_new: bool) -> np.ndarray:
        raise NotImplementedError

    def _loss(self) -> Loss:
        raise NotImplementedError

    def _columns_of_trees(self) -> int:
        return 1

    def _boost(self, part: Part, other: Part | None) -> None:
        loss, columns = self._loss(), self._columns_of_trees()
        training = Training(self, part, loss, columns, self._seed)
        is_new = not self._goes_on
        if is_new:
            best = np.broadcast_to(loss.best(part.y, part.weight), columns)
            self._start = np.array(best, np.float64)
            self._steps = []
            self._train: list[float] = []
            self._validation: list[float] = []
        elif self.max_iter < len(self._steps):
            raise ValueError(
                f"max_iter={self.max_iter} must be larger than or equal to "
                f"n_iter_={len(self._steps)} when warm_start==True"
            )
        # Lists that grow are this fit's own: it may fail.
        self._steps, self._train = [*self._steps], [*self._train]
        self._validation = [*self._validation]
        self._predictor = Predictor([each for step in self._steps for each in step], columns)
        scores = _Scores(self, training, part, other)
        scores.begin(is_new)
        with FitProgress(self, self.max_iter, "iterations") as progress:
            for number in range(len(self._steps), self.max_iter):
                begin = time.perf_counter()
                step = training.step()
                self._steps.append(step)
                scores.after(step)
                if progress.is_wanted:
                    progress.tell(self._report(number, step, time.perf_counter() - begin))
                progress.reached(number + 1)
                if self.do_early_stopping_ and has_stalled(
                    scores.watched, self.n_iter_no_change, self.tol
                ):
                    break
        self._predictor = Predictor([each for step in self._steps for each in step], columns)
        self.n_iter_, self.n_trees_per_iteration_ = len(self._steps), columns
        self.train_score_ = np.asarray(self._train, np.float64)
        self.validation_score_ = np.asarray(self._validation, np.float64)

    def _report(self, number: int, step: list[FittedTree], seconds: float) -> str:
        text = f"[{number + 1}/{self.max_iter}] {sum(each.leaves for each in step)} leaves, "
        for name, scores in (("train", self._train), ("val", self._validation)):
            if scores:
                text += f"{name} score: {scores[-1]:.5f}, "
        return text + f"in {seconds:.3f}s"

    def _raw(self, X: Any) -> ndarray:
        """Raw predictions, samples x classes."""
        return self._raw_of(self._read(X), self._predictor)

    def _read(self, X: Any) -> ndarray:
        check_is_fitted(self)
        return self._columns.read(self, X)

    def _raw_of(self, x: ndarray, predictor: Predictor) -> ndarray:
        return predictor.sums(x) + px.asarray(self._start, device=x.device)

    def _staged(self, X: Any) -> Iterator[ndarray]:
        """Raw predictions after each step."""
        x = self._read(X)
        made = px.broadcast_to(
            px.asarray(self._start, device=x.device), (x.shape[0], len(self._start))
        )
        for step in self._steps:
            made = made + Predictor(step, len(step)).sums(x)
            yield made

    def __sklearn_is_fitted__(self) -> bool:
        """True once `fit` has ended."""
        return hasattr(self, "n_iter_")


class _Scores:
    """The scores after each step, of the fit's samples and of those that were held out."""

    _DRAWN = 10_000  # samples of the fit that scores other than the loss look at

    def __init__(self, model: Any, training: Training, part: Part, other: Part | None) -> None:
        self._model, self._training, self._other = model, training, other
        self._is_loss = isinstance(model.scoring, str) and model.scoring == "loss"
        self._own = part
        self._raw: np.ndarray | None = None

    @property
    def watched(self) -> list[float]:
        """The scores that tell when the fit ends."""
        model = self._model
        found: list[float] = model._validation if self._other is not None else model._train
        return found

    def begin(self, is_new: bool) -> None:
        """Set raw predictions to those of the steps there are, and score them."""
        model = self._model
        self._training.raw[:] = np.asarray(model._raw_of(self._own.x, model._predictor)).T
        if not model.do_early_stopping_:
            return
        if self._other is not None:
            self._raw = np.asarray(model._raw_of(self._other.x, model._predictor)).T.copy()
        if not self._is_loss:
            self._score = scorer_of(model.scoring)
            if len(self._own.y) > self._DRAWN:
                random = np.random.RandomState(model._seed)
                rows = random.permutation(len(self._own.y))[: self._DRAWN]
                self._own = self._own.rows(np.sort(rows))
        if is_new:
            self._add()

    def after(self, step: list[FittedTree]) -> None:
        """Score the model with one more step."""
        if not self._model.do_early_stopping_:
            return
        if self._is_loss:
            if self._raw is not None and self._other is not None:
                self._raw += np.asarray(Predictor(step, len(step)).sums(self._other.x)).T
        else:
            trees = [each for one in self._model._steps for each in one]
            self._model._predictor = Predictor(trees, len(step))
        self._add()

    def _add(self) -> None:
        model = self._model
        if self._is_loss:
            train = self._of_loss(self._own, self._training.raw)
        else:
            train = self._of_score(self._own)
        model._train.append(train)
        if self._other is not None and self._raw is not None:
            score = (
                self._of_loss(self._other, self._raw)
                if self._is_loss
                else self._of_score(self._other)
            )
            model._validation.append(score)

    def _of_loss(self, part: Part, raw: np.ndarray) -> float:
        return -float(np.average(self._training.loss.value(part.y, raw), weights=part.weight))

    def _of_score(self, part: Part) -> float:
        model = shallow(self._model)
        model._columns = Columns(None)  # the samples are numbers by now, without names
        model.__dict__.pop("feature_names_in_", None)
        return float(self._score(model, np.asarray(part.x), model._named(part.y), part.weight))
