"""Logistic regression with penalties that are chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

import phalanx as px

from ..classes import classes_of, weights_of_classes
from ..fit_progress import FitProgress
from ..options import ARRAY, BOOL, CLASS_WEIGHT, FUNCTION, NONE, RANDOM, Rule, one_of, real, whole
from ..sparse_samples import SparseSamples
from ..validation import is_ours, samples_or_sparse, weights
from .folds import CV, Fold, folds_of, row_index
from .lbfgs import Ending, Minimum
from .logistic import SOLVERS, LogisticRegression, warn_of_few_steps
from .logistic_penalty import (
    LossOf,
    Penalty,
    Problem,
    problem_of,
    refuse_classes,
    refuse_penalty,
    share_of_intercept,
    warn_of_penalty,
)
from .logistic_scoring import Grid, Scored, scorer_of, scores_of_grid


class _Given(NamedTuple):
    """What `fit` was given, checked: samples, numbers of classes, and both kinds of weights."""

    x: Any
    codes: np.ndarray
    weight: Any  # of samples, for scores
    both: Any  # times that of classes, for losses

    def part(self, rows: np.ndarray) -> _Given:
        index = row_index(rows)
        x = self.x.taken(rows) if isinstance(self.x, SparseSamples) else self.x[index]
        weights = (None if each is None else each[index] for each in (self.weight, self.both))
        return _Given(x, self.codes[rows], *weights)


class LogisticRegressionCV(LogisticRegression):
    """Logistic regression whose `C` and share of absolute values have the best mean score.

    Each fold's samples are prepared once, and each `C` begins with the coefficients of the one
    before; all models of a fold are scored by one product with the samples left out, where the
    score is accuracy. See `LogisticRegression`. Parameters are scikit-learn's; other scores than
    accuracy and ``"neg_log_loss"`` are scikit-learn's scorers, by name or as functions.
    `use_legacy_attributes` ``"warn"`` means True, ``"warn"`` of others None, without a warning.

    Attributes, as of scikit-learn 1.9 with `use_legacy_attributes` or without: `C_`, `l1_ratio_`,
    `Cs_`, `l1_ratios_`, `coefs_paths_`, `scores_`, `n_iter_`; `classes_`, `coef_`, `intercept_`,
    `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "Cs": whole(1) | ARRAY,
        "l1_ratios": ARRAY | NONE | one_of("warn"),
        "fit_intercept": BOOL,
        "cv": CV,
        "dual": BOOL,
        "penalty": one_of("l1", "l2", "elasticnet", "deprecated"),
        "scoring": Rule(lambda value: isinstance(value, str), "a name") | FUNCTION | NONE,
        "solver": SOLVERS,
        "tol": real(0),
        "max_iter": whole(0),
        "class_weight": CLASS_WEIGHT,
        "n_jobs": NONE | whole(),
        "verbose": whole(0) | BOOL,
        "refit": BOOL,
        "intercept_scaling": real(0, closed="neither"),
        "random_state": RANDOM,
        "use_legacy_attributes": BOOL | one_of("warn"),
    }

    def __init__(
        self,
        *,
        Cs: Any = 10,
        l1_ratios: Any = "warn",
        fit_intercept: bool = True,
        cv: Any = None,
        dual: bool = False,
        penalty: Any = "deprecated",
        scoring: Any = "warn",
        solver: str = "lbfgs",
        tol: float = 1e-4,
        max_iter: int = 100,
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        refit: bool = True,
        intercept_scaling: float = 1.0,
        random_state: Any = None,
        use_legacy_attributes: Any = "warn",
    ) -> None:
        self.Cs = Cs
        self.l1_ratios = l1_ratios
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.dual = dual
        self.penalty = penalty
        self.scoring = scoring
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.refit = refit
        self.intercept_scaling = intercept_scaling
        self.random_state = random_state
        self.use_legacy_attributes = use_legacy_attributes

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the penalty for samples x features and their classes, and fit all with it.

        Samples may be sparse. Raises ValueError for NaN, infinities, other shapes, a single class,
        penalties that are not above 0 and what the solver of this name does not take, more folds
        than samples of each class, and what `check_options` raises. Warns (ConvergenceWarning)
        where `max_iter` steps were too few.
        """
        self._check_options()
        kind, ratios = self._penalties()
        scorer = scorer_of(self.scoring)
        given = self._given(X, y, sample_weight)
        folds = folds_of(self.cv, X, self.classes_[given.codes], given.codes)
        cs = np.logspace(-4, 4, self.Cs) if isinstance(self.Cs, (int, np.integer)) else self.Cs
        grid = Grid(np.asarray(cs, np.float64).ravel(), ratios)
        if not len(grid.cs) or not (grid.cs > 0).all():
            raise ValueError(f"Cs must be above 0, got {cs!r}")
        self._penalty = kind
        with FitProgress(self, len(folds), "folds") as progress:
            scored = [self._fold(X, given, fold, grid, scorer, progress) for fold in folds]
        self.Cs_ = grid.cs
        self.l1_ratios_ = np.asarray([None] if self._has_no_ratios else ratios)
        tables, scores, steps = (np.stack(each) for each in zip(*scored, strict=True))
        self._choose(X, given, grid, Scored(tables, scores, steps))
        return self

    def _penalties(self) -> tuple[str, np.ndarray]:
        """The penalty's name, and the shares of absolute values.

        Raises ValueError for shares that are none, and what `refuse_penalty` raises.
        """
        given = None if isinstance(self.l1_ratios, str) else self.l1_ratios
        self._has_no_ratios = given is None
        made = np.asarray([0.0] if given is None else given, np.float64).ravel()
        kind = self.penalty
        if kind != "deprecated":
            warn_of_penalty("l1_ratios", "Cs")
        else:
            kind = "l2" if (made == 0).all() else "l1" if (made == 1).all() else "elasticnet"
        is_share = len(made) and ((made >= 0) & (made <= 1)).all()
        if kind == "elasticnet" and (given is None or not is_share):
            raise ValueError(
                "l1_ratios must be an array-like of numbers between 0 and 1; got "
                f"(l1_ratios={self.l1_ratios!r})"
            )
        refuse_penalty(kind, self)
        return kind, made

    def _given(self, X: Any, y: Any, sample_weight: Any) -> _Given:
        """Check the samples, float64, and what belongs to them, and set `classes_`."""
        x = samples_or_sparse(self, X, fitting=True).astype(np.float64)
        self.classes_, codes = classes_of(self, y, x.shape[0])
        refuse_classes(self.classes_, self.solver)
        weight = weights(sample_weight, x)
        if isinstance(self.class_weight, dict):
            others = [each for each in self.class_weight if each not in self.classes_.tolist()]
            if others:
                raise ValueError(
                    "The given class_weight dict must have the class labels as keys; "
                    f"classes={self.classes_} but keys {others}"
                )
        both = weight
        if self.class_weight is not None:
            own = weights_of_classes(self.class_weight, self.classes_, codes, weight)[codes]
            both = px.asarray(own, device=x.device)
            both = both if weight is None else both * weight
        return _Given(x, codes, weight, both)

    @property
    def _rows(self) -> int:
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    def _prepared(self, given: _Given) -> Problem:
        codes = px.asarray(given.codes, device=given.x.device)
        of = LossOf(given.x, codes, given.both, self._rows, bool(self.fit_intercept))
        return problem_of(of, is_centered=not share_of_intercept(self))

    def _least(self, prepared: Problem, c: float, ratio: float, start: np.ndarray) -> Minimum:
        share = {"l1": 1.0, "l2": 0.0}.get(self._penalty, ratio)
        penalty = Penalty(1 / c, share, share_of_intercept(self))
        ending = Ending(self.tol, self.max_iter)
        found = prepared.least(penalty, start, ending, verbose=int(self.verbose) > 1)
        warn_of_few_steps(found, self.max_iter)
        return found

    def _fold(
        self, X: Any, given: _Given, fold: Fold, grid: Grid, scorer: Any, progress: FitProgress
    ) -> Scored:
        """The coefficients, scores and steps of a fold: C x shares each."""
        progress.hide()  # with verbose=2 each fit prints lines
        prepared, features = self._prepared(given.part(fold.train)), given.x.shape[1]
        size = self._rows * (features + bool(self.fit_intercept))
        places = np.empty((len(grid.cs), len(grid.ratios), size))
        steps = np.empty(places.shape[:2], np.int32)
        for j, ratio in enumerate(grid.ratios):
            place = np.zeros(size)
            for i, c in enumerate(grid.cs):
                found = self._least(prepared, float(c), float(ratio), place)
                place = places[i, j] = found.place
                steps[i, j] = max(found.steps, 1)  # the slopes of the first place are a step, too
        tables = places.reshape(*steps.shape, self._rows, -1)
        left_out = given.part(fold.test)
        part = X.tocsr()[fold.test] if isinstance(given.x, SparseSamples) else left_out.x
        if not is_ours(X) and part is left_out.x:
            part = np.asarray(part)
        scores = scores_of_grid(self, scorer, tables, left_out, part)
        best = np.unravel_index(scores.argmax(), scores.shape)
        progress.tell(
            f"Fold of {len(fold.test)} samples: best score {scores.max():.6g} of "
            f"C={grid.cs[best[0]]:.4g}, {steps.sum()} steps."
        )
        progress.step()
        return Scored(tables, scores, steps)

    def _choose(self, X: Any, given: _Given, grid: Grid, scored: Scored) -> None:
        """Set what the scores of all folds say, and fit all samples with the best penalty."""
        folds = len(scored.scores)
        if self.refit:
            sums = scored.scores.sum(axis=0)
            i, j = np.unravel_index(int(sums.argmax()), sums.shape)
            c, ratio = float(grid.cs[i]), float(grid.ratios[j])
            start = scored.tables[:, i, j].mean(axis=0)
            table = self._least(self._prepared(given), c, ratio, start.ravel()).place
            table = table.reshape(start.shape)
        else:
            best = scored.scores.reshape(folds, -1).argmax(axis=1)
            i, j = np.unravel_index(best, scored.scores.shape[1:])
            table = scored.tables[np.arange(folds), i, j].mean(axis=0)
            c, ratio = float(grid.cs[i].mean()), float(grid.ratios[j].mean())
            ratio = ratio if self._penalty == "elasticnet" else 0.0
        self._keep(X, table, given.x)
        self._keep_paths(scored, c, ratio)

    def _keep_paths(self, scored: Scored, c: float, ratio: float) -> None:
        # Folds, C, shares (, rows, coefficients).
        tables, scores, steps = scored
        if self.use_legacy_attributes:
            self.C_: Any = np.full(self._rows, c)
            kept: Any = None if self._has_no_ratios and self.refit else ratio
            self.l1_ratio_: Any = np.array([kept] * self._rows)
            own = slice(None) if not self._has_no_ratios else 0
            names = self.classes_[-self._rows :]
            self.scores_: Any = {name: scores[:, :, own].copy() for name in names}
            self.coefs_paths_: Any = {
                name: tables[:, :, own, ..., row, :] for row, name in enumerate(names)
            }
            self.n_iter_ = steps[None, :, :, own]
            return
        self.C_, self.l1_ratio_ = c, 1.0 if self.penalty == "l1" else ratio
        self.scores_, self.coefs_paths_ = np.moveaxis(scores, 1, 2), np.moveaxis(tables, 1, 2)
        self.n_iter_ = np.moveaxis(steps, 1, 2)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the score of predictions, by `scoring`. Raises as `decision_function` does."""
        options = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(scorer_of(self.scoring)(self, X, y, **options))
