"""Elastic net and lasso with penalties that are chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

import phalanx as px

from ..base import Estimator, RegressorMixin
from ..fit_progress import FitProgress
from ..options import ARRAY, BOOL, NONE, RANDOM, Rule, one_of, real, whole
from ..validation import given_as, numbers, samples, targets, weights
from .folds import CV, Fold, folds_of
from .lasso_parts import Part, Parts, parts_of
from .penalties import Penalties
from .regression import linear_of


class _Path(NamedTuple):
    """The penalties, descending, with one share of absolute values; and mean squared errors."""

    ratio: float
    alphas: np.ndarray
    errors: np.ndarray  # penalties x folds


class ElasticNetCV(RegressorMixin, Estimator):  # type: ignore[misc]
    """An elastic net whose `alpha` and `l1_ratio` have the least error on samples left out.

    The samples are read once, for the products of their features over each fold; all folds and
    penalties are descents over these, each penalty from the coefficients of the one before, and
    errors are sums of the products of the samples left out. Of more features than samples the
    samples themselves are gone over, on the host. Parameters are scikit-learn's;
    `precompute`, `copy_X`, `n_jobs`, `selection` and `random_state` have no effect.

    Attributes: `alpha_`, `l1_ratio_`, `alphas_` (descending, a row for each of several ratios),
    `mse_path_` (ratios x penalties x folds; one ratio has no dimension), `coef_`, `intercept_`,
    `dual_gap_`, `n_iter_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "l1_ratio": real(0, 1) | ARRAY,
        "eps": real(0, closed="neither"),
        "alphas": whole(1) | ARRAY,
        "fit_intercept": BOOL,
        "precompute": BOOL | one_of("auto"),
        "max_iter": whole(1),
        "tol": real(0),
        "cv": CV,
        "copy_X": BOOL,
        "verbose": whole(0) | BOOL,
        "n_jobs": NONE | whole(),
        "positive": BOOL,
        "random_state": RANDOM,
        "selection": one_of("cyclic", "random"),
    }

    def __init__(
        self,
        *,
        l1_ratio: Any = 0.5,
        eps: float = 1e-3,
        alphas: Any = 100,
        fit_intercept: bool = True,
        precompute: Any = "auto",
        max_iter: int = 1000,
        tol: float = 1e-4,
        cv: Any = None,
        copy_X: bool = True,
        verbose: int = 0,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
    ) -> None:
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.copy_X = copy_X
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the penalties for samples x features and a number for each, and fit all samples.

        Raises ValueError for NaN, infinities, other shapes, penalties below 0, more folds than
        samples and penalties to be found for ``l1_ratio=0``, and what `check_options` raises. Warns
        (ConvergenceWarning) where `max_iter` sweeps were not enough.
        """
        self._check_options()
        x = samples(self, X, fitting=True)
        target = numbers(targets(self, y, x.shape[0]), (x.dtype,), "y")
        if target.device != x.device:
            target = px.asarray(np.asarray(target), device=x.device)
        weight = weights(sample_weight, x)
        parts = parts_of(x, target, weight, intercept=bool(self.fit_intercept))
        ratios = np.atleast_1d(np.asarray(self.l1_ratio, np.float64))
        if not ratios.size or not ((ratios >= 0) & (ratios <= 1)).all():
            raise ValueError(f"l1_ratio must be in [0, 1], got {ratios.tolist()}")
        whole = parts.whole()
        folds = folds_of(self.cv, X, np.asarray(target))
        with FitProgress(self, len(folds) * len(ratios), "folds") as progress:
            paths = [
                self._path(parts, folds, ratio, self._grid(whole, ratio), progress)
                for ratio in ratios
            ]
        self._choose(paths)
        self._refit(X, parts, whole, x.dtype)
        return self

    def _grid(self, whole: Part, ratio: float) -> np.ndarray:
        """The penalties, descending: given ones, or from the least that leaves no coefficient."""
        if not isinstance(self.alphas, (int, np.integer)):
            made = np.sort(np.asarray(self.alphas, np.float64))[::-1]
            if not made.size or not (made >= 0).all():
                raise ValueError(f"alphas must be >= 0, and some, got {made.tolist()}")
            return made
        if ratio == 0:
            raise ValueError(
                "Automatic alpha grid generation is not supported for l1_ratio=0. Please supply a "
                "grid by providing your estimator with the appropriate `alphas=` argument."
            )
        slopes = whole.slopes
        steepest = max(0.0, slopes.max()) if self.positive else np.abs(slopes).max()
        most = float(steepest) / (whole.total * ratio)
        least = float(np.finfo(np.float64).resolution)
        if most <= least:
            return np.full(self.alphas, least)
        return np.geomspace(most, most * self.eps, self.alphas)

    def _descend(self, part: Part, penalties: tuple[float, float], start: np.ndarray) -> Any:
        """The coefficients, the gap and the sweeps of a penalty and a share of absolute values."""
        alpha, ratio = penalties
        l1 = alpha * ratio * part.total
        by = Penalties(l1, alpha * part.total - l1, self.positive)
        return part.descend(by, start, (self.max_iter, self.tol))

    def _path(
        self,
        parts: Parts,
        folds: list[Fold],
        ratio: float,
        alphas: np.ndarray,
        progress: FitProgress,
    ) -> _Path:
        errors = np.empty((len(alphas), len(folds)))
        for number, fold in enumerate(folds):
            part = parts.of_fold(fold)
            w = np.zeros(parts.features)
            for place, alpha in enumerate(alphas):
                w = self._descend(part, (alpha, ratio), w)[0]
                errors[place, number] = part.error(w)
            if progress.is_wanted:  # texts of arrays take as long as small folds
                best = int(errors[:, number].argmin())
                progress.tell(
                    f"l1_ratio={ratio}, fold {number + 1} of {len(folds)}: least error "
                    f"{errors[best, number]:.6g}, of alpha={alphas[best]:.4g}."
                )
            progress.step()
        return _Path(ratio, alphas, errors)

    def _choose(self, paths: list[_Path]) -> None:
        means = [path.errors.mean(axis=1) for path in paths]
        best = int(np.argmin([each.min() for each in means]))
        self.l1_ratio_ = float(paths[best].ratio)
        self.alpha_ = float(paths[best].alphas[np.argmin(means[best])])
        self.mse_path_ = np.squeeze(np.stack([path.errors for path in paths]))
        is_given = not isinstance(self.alphas, (int, np.integer))
        rows = np.stack([path.alphas for path in paths])
        self.alphas_ = rows[0] if is_given or len(rows) == 1 else rows

    def _refit(self, X: Any, parts: Parts, whole: Part, dtype: Any) -> None:
        start = np.zeros(parts.features)
        w, gap, self.n_iter_ = self._descend(whole, (self.alpha_, self.l1_ratio_), start)
        self.dual_gap_ = np.dtype(dtype).type(gap / whole.total)
        self.coef_ = given_as(X, w.astype(dtype))
        shift = parts.intercept(w) if self.fit_intercept else 0.0
        self.intercept_ = np.dtype(dtype).type(shift) if self.fit_intercept else shift

    def predict(self, X: Any) -> Any:
        """Return the predicted number of each sample.

        Raises ValueError for NaN, infinities and another number of features.
        """
        return given_as(X, linear_of(self, samples(self, X)))


class LassoCV(ElasticNetCV):
    """A lasso whose `alpha` has the least error on samples left out: see `ElasticNetCV`.

    Parameters and attributes are those of `ElasticNetCV`, without the share of absolute values,
    which is 1.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        name: rule for name, rule in ElasticNetCV._rules.items() if name != "l1_ratio"
    }

    def __init__(
        self,
        *,
        eps: float = 1e-3,
        alphas: Any = 100,
        fit_intercept: bool = True,
        precompute: Any = "auto",
        max_iter: int = 1000,
        tol: float = 1e-4,
        copy_X: bool = True,
        cv: Any = None,
        verbose: bool = False,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
    ) -> None:
        super().__init__(
            l1_ratio=1.0,
            eps=eps,
            alphas=alphas,
            fit_intercept=fit_intercept,
            precompute=precompute,
            max_iter=max_iter,
            tol=tol,
            cv=cv,
            copy_X=copy_X,
            verbose=verbose,
            n_jobs=n_jobs,
            positive=positive,
            random_state=random_state,
            selection=selection,
        )
