"""Outliers by the depth at which random splits isolate them."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import Estimator, OutlierMixin
from ..exceptions import warn_user
from ..options import BOOL, NONE, RANDOM, Rule, generator_of, one_of, real, whole
from ..tags import TakesGaps
from ..validation import given_as, samples, weights
from .boosting.predictor import FittedTree, Predictor
from .isolation_trees import average_path, isolate
from .warm_start import missing_trees

_FEW = 8  # if one row of 8 is drawn, or fewer, draws are seldom repeated
_SEEDS = np.iinfo(np.int32).max
_AUTO = 256


def _distinct(random: Any, count: int, drawn: int) -> np.ndarray:
    """Some rows of many, none twice; most are not looked at."""
    if drawn * _FEW > count:
        return np.asarray(random.permutation(count)[:drawn])
    rows = random.randint(count, size=2 * drawn)
    first = np.unique(rows, return_index=True)[1]
    if len(first) < drawn:  # of two or three, all may be one
        return np.asarray(random.permutation(count)[:drawn])
    return np.asarray(rows[np.sort(first)[:drawn]])


class IsolationForest(TakesGaps, OutlierMixin, Estimator):  # type: ignore[misc]
    """Samples are outliers if few random splits isolate them from drawn ones.

    Of F. Liu and others, "Isolation Forest" (2008): splits are drawn between the least and the
    greatest value of a drawn feature, down to the depth of a balanced tree. Missing numbers (NaN)
    go to a side that is drawn for each split. Trees are grown on the host by all its cores, also
    where samples are on a GPU; scores are computed on the device of the samples.

    Parameters are scikit-learn's; `n_jobs` changes nothing. Samples are drawn otherwise than by
    scikit-learn; those with weights by their shares. Attributes: `offset_`, `max_samples_`,
    `estimators_` (the trees' nodes), `estimators_samples_` and `estimators_features_` (of each tree
    the rows and features), `n_features_in_`, `feature_names_in_`.
    """

    _takes_infinities: ClassVar[bool] = True
    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_estimators": whole(1),
        "max_samples": one_of("auto") | whole(1) | real(0, 1, "right"),
        "contamination": one_of("auto") | real(0, 0.5, "right"),
        "max_features": whole(1) | real(0, 1, "right"),
        "bootstrap": BOOL,
        "n_jobs": whole() | NONE,
        "random_state": RANDOM,
        "verbose": whole(0) | BOOL,
        "warm_start": BOOL,
    }

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_samples: Any = "auto",
        contamination: Any = "auto",
        max_features: float = 1.0,
        bootstrap: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.contamination = contamination
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the trees over samples x features; float32 stays, other numbers become float64.

        NaN and infinities are taken; as scikit-learn's trees, ours end where they would cut a
        feature with a negative infinity. With `warm_start` trees are added to those there
        are. Raises ValueError for negative weights and other features than those of the trees there
        are, and what `check_options` raises.
        """
        self._check_options()
        goes_on = self.warm_start and hasattr(self, "estimators_")
        x = samples(self, X, fitting=not goes_on, allow_nan=True)
        given = weights(sample_weight, px.empty((x.shape[0], 1)))
        weight = None if given is None else np.asarray(given, np.float64)
        self.max_samples_ = self._number_of_samples(x.shape[0])
        if not goes_on:
            self.estimators_: list[FittedTree] = []
            self.estimators_samples_: list[np.ndarray] = []
            self.estimators_features_: list[np.ndarray] = []
        self._grow(np.asarray(x), weight)
        self._predictor = Predictor(self.estimators_, 1)
        self.offset_ = -0.5
        if not isinstance(self.contamination, str):
            scores = np.asarray(self._scores(x))
            self.offset_ = float(np.percentile(scores, 100 * self.contamination))
        return self

    def _number_of_samples(self, count: int) -> int:
        if isinstance(self.max_samples, str):
            return min(_AUTO, count)
        if isinstance(self.max_samples, numbers.Integral):
            if int(self.max_samples) > count:
                warn_user(
                    f"max_samples ({self.max_samples}) is greater than the total number of samples "
                    f"({count}). max_samples will be set to n_samples for estimation."
                )
            return min(int(self.max_samples), count)
        return max(int(self.max_samples * count), 1)

    def _grow(self, x: np.ndarray, weight: np.ndarray | None) -> None:
        random = generator_of(self.random_state)
        done = len(self.estimators_)
        missing = missing_trees(self.n_estimators, done)
        if missing == 0:
            return
        seeds = random.randint(_SEEDS, size=done + missing)[done:]
        draws = [self._draw(np.random.RandomState(seed), x.shape, weight) for seed in seeds]
        rows = np.stack([each for each, _, _ in draws])
        features = np.stack([each for _, each, _ in draws])
        states = np.array([each for _, _, each in draws])
        deepest = math.ceil(math.log2(max(self.max_samples_, 2)))
        # New lists: those of the fit before stay what they are if this one fails.
        self.estimators_ = self.estimators_ + isolate(x, rows, features, deepest, states)
        self.estimators_samples_ = self.estimators_samples_ + list(rows)
        self.estimators_features_ = self.estimators_features_ + list(features)
        if self.verbose:
            print(f"IsolationForest: {missing} trees are grown")

    def _draw(self, random: Any, shape: tuple[int, int], weight: np.ndarray | None) -> Any:
        """The rows and the features of a tree, and the state with which its draws begin."""
        count, features = shape
        wanted: Any = self.max_features
        if not isinstance(wanted, numbers.Integral):
            wanted = max(1, int(wanted * features))
        elif int(wanted) > features:
            raise ValueError(
                f"max_features must be <= n_features: got {wanted} of {features} features"
            )
        chosen = np.arange(features)
        if wanted < features:
            chosen = random.choice(features, int(wanted), replace=False)
        drawn = self.max_samples_
        shares = None if weight is None else weight / weight.sum()
        if shares is not None and not self.bootstrap:
            drawn = min(drawn, int((shares > 0).sum()))
        if shares is None and not self.bootstrap:
            rows = _distinct(random, count, drawn)
        else:
            rows = random.choice(count, drawn, replace=bool(self.bootstrap), p=shares)
        return rows, chosen, random.randint(1, _SEEDS)

    def _scores(self, x: ndarray) -> ndarray:
        mean = self._predictor.sums(x)[:, 0] / len(self.estimators_)
        whole_path = float(average_path(np.array([self.max_samples_]))[0])
        if whole_path == 0:
            return px.full(x.shape[0], -0.5, device=x.device)  # one sample tells nothing
        return -(2.0 ** -(mean / whole_path))

    def score_samples(self, X: Any) -> Any:
        """Return the negative anomaly score of each sample, float64: the lower, the more abnormal.

        It is -2^(-d / c) of the mean depth d and that of all drawn samples, c.
        """
        return given_as(X, self._scores(samples(self, X, allow_nan=True)))

    def decision_function(self, X: Any) -> Any:
        """Return the scores less `offset_`: outliers have negative ones."""
        return given_as(X, self._scores(samples(self, X, allow_nan=True)) - self.offset_)

    def predict(self, X: Any) -> Any:
        """Return -1 for outliers and 1 for the others, int64."""
        decided = self._scores(samples(self, X, allow_nan=True)) - self.offset_
        return given_as(X, px.where(decided < 0, -1, 1).astype(np.int64))
