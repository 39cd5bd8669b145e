"""Ridge with a penalty that is chosen by cross-validation, and ridge of classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

import phalanx as px

from ..base import Estimator
from ..classes import classes_of, weights_of_classes
from ..options import ARRAY, BOOL, CLASS_WEIGHT, NONE, RANDOM, Rule, one_of, real, whole
from ..validation import given_as, samples, weights
from .folds import CV, Products, folds_of
from .least_squares import Ridge, refuse_solver
from .linear_classes import LinearClassifier
from .regression import Data, LinearRegressor, linear_of


class RidgeCV(LinearRegressor):
    """Ridge whose `alpha` has the least error on samples left out.

    Without `cv` each sample is left out by itself, all of them and all penalties at once: its error
    is that of the whole fit by 1 less the diagonal of the hat matrix (G. Golub, M. Heath and
    G. Wahba, 1979), from the singular values of the samples or the eigenvalues of their products.
    With `cv` the mean coefficient of determination over folds is the greatest, from products of
    features, for which samples are read once. Parameters are scikit-learn's, without `scoring`;
    `gcv_mode` has no effect.

    Attributes: `alpha_` (one for each target with `alpha_per_target`), `best_score_` (the mean of
    squared errors, negative; with `cv` the mean of coefficients of determination), `coef_`,
    `intercept_`, `cv_results_` (squared errors, samples x targets x penalties, if
    `store_cv_results`), `n_features_in_`.
    """

    alpha_: Any
    best_score_: Any
    cv_results_: Any
    _rules: ClassVar[Mapping[str, Rule]] = {
        "alphas": ARRAY | real(0, closed="neither"),
        "fit_intercept": BOOL,
        "scoring": NONE.refusing("r2", "neg_mean_squared_error", "neg_mean_absolute_error"),
        "cv": CV,
        "gcv_mode": one_of("auto", "svd", "eigen") | NONE,
        "store_cv_results": BOOL,
        "alpha_per_target": BOOL,
    }

    def __init__(
        self,
        alphas: Any = (0.1, 1.0, 10.0),
        *,
        fit_intercept: bool = True,
        scoring: Any = None,
        cv: Any = None,
        gcv_mode: str | None = None,
        store_cv_results: bool = False,
        alpha_per_target: bool = False,
    ) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.gcv_mode = gcv_mode
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the penalty for samples x features and targets, and fit all samples with it.

        Raises ValueError for NaN, infinities, other shapes, penalties that are not above 0 and
        options that do not go together with `cv`, and what `check_options` raises.
        """
        self._check_options()
        alphas = np.atleast_1d(np.asarray(self.alphas, np.float64))
        if not alphas.size or not (alphas > 0).all():
            raise ValueError(f"alphas must be > 0.0, and some, got {alphas.tolist()}")
        if self.cv is not None and (self.store_cv_results or self.alpha_per_target):
            raise ValueError("cv!=None and store_cv_results or alpha_per_target are incompatible")
        data = self._data(X, y, sample_weight)
        w = self._one_left_out(data, alphas) if self.cv is None else self._folds(X, data, alphas)
        self._keep(X, data, w)
        if data.has_one_target and data.is_column:
            self._of_a_column()
        return self

    def _of_a_column(self) -> None:
        """Give a single target in a column the dimensions that it has in scikit-learn."""
        if self.alpha_per_target:
            self.best_score_ = np.atleast_1d(self.best_score_)
        if self.store_cv_results:
            self.cv_results_ = self.cv_results_[:, None]

    def _one_left_out(self, data: Data, alphas: np.ndarray) -> np.ndarray:
        rows, columns = data.rows()
        squares, places, features_of = _axes(rows)
        along = places.T @ columns
        shares = np.ones(len(rows))
        if data.weight is not None:
            shares = np.asarray(data.weight, np.float64)
        # What the intercept adds to the diagonal of the hat matrix.
        of_mean = shares / shares.sum() if self.fit_intercept else 0.0
        results, weighed = np.empty((len(rows), columns.shape[1], len(alphas))), places**2
        for place, alpha in enumerate(alphas):
            kept = 1 / (squares + alpha)
            apart = columns - places @ (kept[:, None] * along)
            hat = weighed @ kept + of_mean
            results[:, :, place] = (apart / (1 - hat)[:, None]) ** 2
        means = results.mean(axis=0)  # targets x penalties
        if not self.alpha_per_target:
            means = means.mean(axis=0, keepdims=True)
        best = means.argmin(axis=1)
        scores = -means[np.arange(len(best)), best]
        is_one = data.has_one_target or not self.alpha_per_target
        self.alpha_ = float(alphas[best[0]]) if is_one else alphas[best]
        self.best_score_ = float(scores[0]) if is_one else scores
        if self.store_cv_results:
            self.cv_results_ = results[:, 0] if data.has_one_target else results
        chosen = np.broadcast_to(alphas[best], columns.shape[1])
        return np.asarray(features_of(along / (squares[:, None] + chosen)))

    def _folds(self, X: Any, data: Data, alphas: np.ndarray) -> np.ndarray:
        dense: Any = data.x  # sparse samples are refused
        products = Products(dense, data.y, data.weight, intercept=bool(self.fit_intercept))
        scores = []
        for fold in folds_of(self.cv, X, np.asarray(data.y)):
            own, left_out = products.of_fold(fold)
            sums, spread = products.sums(own), products.sums(left_out)
            if not self.fit_intercept:
                middle = left_out[products.features : -1, -1] / left_out[-1, -1]
                spread = spread._replace(squares=spread.squares - spread.total * middle**2)
            values, vectors = np.linalg.eigh(sums.gram)
            along = vectors.T @ sums.cross
            fits = [vectors @ (along / (values[:, None] + alpha)) for alpha in alphas]
            errors = np.stack([products.errors(left_out, sums, w) for w in fits])
            # A constant target gives 1 where it is met, else 0, as in `r2_score`.
            whole = np.broadcast_to(spread.squares / spread.total, errors.shape)
            missed = np.where(errors == 0, 0.0, 1.0)
            share = np.divide(errors, whole, out=missed, where=whole > 0)
            scores.append((1 - share).mean(axis=1))
        means = np.mean(scores, axis=0)
        best = int(means.argmax())
        self.alpha_, self.best_score_ = float(alphas[best]), float(means[best])
        sums = products.sums(products.all)
        matrix = sums.gram + self.alpha_ * np.eye(products.features)
        return np.asarray(np.linalg.solve(matrix, sums.cross))


class _Axes(NamedTuple):
    """The principal axes of rows, without those along which there is nothing.

    `squares` are the eigenvalues of ``rows.T @ rows``, `places` the rows along the axes.
    """

    squares: np.ndarray
    places: np.ndarray  # rows x axes
    features_of: Callable[[np.ndarray], np.ndarray]  # of values along the axes


def _axes(rows: np.ndarray) -> _Axes:
    count, features = rows.shape
    if count > features:
        values, vectors = np.linalg.eigh(rows.T @ rows)
        return _Axes(np.maximum(values, 0), rows @ vectors, lambda along: vectors @ along)
    # Products of rows have the same eigenvalues, and are less where features are many.
    values, left = np.linalg.eigh(rows @ rows.T)
    is_some = values > features * np.finfo(np.float64).eps * values[-1]
    values, left = values[is_some], left[:, is_some]
    roots = np.sqrt(values)
    return _Axes(values, left * roots, lambda along: rows.T @ (left @ (along / roots[:, None])))


class RidgeClassifier(LinearClassifier, Estimator):
    """Ridge of classes: 1 for samples of a class and -1 for others are the numbers to be met.

    Parameters are scikit-learn's; see `Ridge`, whose solutions these are.

    Attributes: `classes_`, `coef_` (features of two classes, else rows x features), `intercept_`,
    `n_iter_` (as of `Ridge`), `solver_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "alpha": real(0) | ARRAY,
        "fit_intercept": BOOL,
        "copy_X": BOOL,
        "max_iter": whole(1) | NONE,
        "tol": real(0),
        "class_weight": CLASS_WEIGHT,
        "solver": Ridge._rules["solver"],
        "positive": BOOL,
        "random_state": RANDOM,
    }

    def __init__(
        self,
        alpha: Any = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        class_weight: Any = None,
        solver: str = "auto",
        positive: bool = False,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.solver = solver
        self.positive = positive
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients for samples x features and a class for each, number or text.

        Raises ValueError for NaN, infinities and other shapes, and what `check_options` raises.
        """
        self._check_options()
        refuse_solver(self)
        x = samples(self, X, fitting=True)
        self.classes_, codes = classes_of(self, y, x.shape[0])
        weight = weights(sample_weight, x)
        if self.class_weight is not None:
            of_class = weights_of_classes(self.class_weight, self.classes_, codes, None)
            own = px.asarray(of_class[codes].astype(x.dtype), device=x.device)
            weight = own if weight is None else own * weight
        # Of one class, too, the numbers are those of the second: -1 for all samples.
        wanted = np.where(codes[:, None] == np.arange(max(len(self.classes_), 2)), 1, -1)
        wanted = wanted[:, 1:] if len(self.classes_) <= 2 else wanted
        alpha = self.alpha
        given = {"fit_intercept": self.fit_intercept, "positive": self.positive}
        found = Ridge(alpha, solver=self.solver, **given).fit(x, wanted, weight)
        self.coef_ = given_as(X, np.asarray(found.coef_))
        self.intercept_ = found.intercept_
        if self.fit_intercept:
            self.intercept_ = given_as(X, np.atleast_1d(np.asarray(found.intercept_)))
        self.n_iter_, self.solver_ = found.n_iter_, found.solver_
        return self

    def _scores(self, X: Any) -> Any:
        return linear_of(self, samples(self, X))
