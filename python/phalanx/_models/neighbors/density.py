"""Densities from samples: each one spreads its weight around."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, lgamma, log, pi
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import DensityMixin, Estimator
from ..exceptions import check_is_fitted
from ..options import BOOL, NONE, Rule, generator_of, one_of, real, whole
from ..validation import given_as, samples, weights
from .distances import NAMES, all_sums, metric_of, part_rows, parts_of


def _ball(features: int) -> float:
    """The logarithm of the unit ball's volume."""
    return features / 2 * log(pi) - lgamma(features / 2 + 1)


def _sphere(features: int) -> float:
    """The logarithm of the unit sphere's surface in a space of one more dimension."""
    return log(2 * pi) + _ball(features - 1) if features else log(2)


def _cosine_volume(features: int) -> float:
    """The logarithm of the integral of cos(pi r / 2) over the unit ball.

    By parts: that of r^n is 2/pi less n (n - 1) (2/pi)^2 times that of r^(n - 2).
    """
    part = 2 / pi
    total = part - part**2 if features % 2 == 0 else part
    for power in range(2 + (features - 1) % 2, features, 2):
        total = part - power * (power - 1) * part**2 * total
    return log(total) + _sphere(features - 1)


# Of each kernel: the logarithm of its height at r bandwidths, and of its volume at bandwidth 1.
KERNELS: dict[str, tuple[Callable[[Any], Any], Callable[[int], float]]] = {
    "gaussian": (lambda r: -0.5 * r * r, lambda d: d / 2 * log(2 * pi)),
    "tophat": (lambda r: px.where(r < 1, 0.0, -inf), _ball),
    "epanechnikov": (
        lambda r: px.where(r < 1, px.log(px.maximum(1 - r * r, 0)), -inf),
        lambda d: _ball(d) + log(2 / (d + 2)),
    ),
    "exponential": (lambda r: -r, lambda d: _sphere(d - 1) + lgamma(d)),
    "linear": (
        lambda r: px.where(r < 1, px.log(px.maximum(1 - r, 0)), -inf),
        lambda d: _ball(d) - log(d + 1),
    ),
    "cosine": (
        lambda r: px.where(r < 1, px.log(px.cos(pi / 2 * px.minimum(r, 1))), -inf),
        _cosine_volume,
    ),
}


class KernelDensity(DensityMixin, Estimator):  # type: ignore[misc]
    """A density: the mean of a kernel around each of the samples.

    All distances are compared, so that the sums are exact: `atol`, `rtol`, `algorithm`,
    `breadth_first` and `leaf_size` change nothing. Parameters are scikit-learn's. Attributes:
    `bandwidth_`, `n_features_in_`, `feature_names_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "bandwidth": real(0, closed="right") | one_of("scott", "silverman"),
        "algorithm": one_of("auto", "ball_tree", "kd_tree"),
        "kernel": one_of(*KERNELS),
        "metric": one_of(*NAMES).refusing("haversine", "hamming", "jaccard"),
        "atol": real(0),
        "rtol": real(0),
        "breadth_first": BOOL,
        "leaf_size": whole(1),
        "metric_params": NONE,
    }

    def __init__(
        self,
        *,
        bandwidth: Any = 1.0,
        algorithm: str = "auto",
        kernel: str = "gaussian",
        metric: str = "euclidean",
        atol: float = 0,
        rtol: float = 0,
        breadth_first: bool = True,
        leaf_size: int = 40,
        metric_params: Any = None,
    ) -> None:
        self.bandwidth = bandwidth
        self.algorithm = algorithm
        self.kernel = kernel
        self.metric = metric
        self.atol = atol
        self.rtol = rtol
        self.breadth_first = breadth_first
        self.leaf_size = leaf_size
        self.metric_params = metric_params

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Keep samples x features, as float64, and their weights.

        Raises ValueError for NaN and infinity, negative weights, and what `check_options` raises.
        """
        self._check_options()
        x = samples(self, X, fitting=True, dtypes=(np.dtype(np.float64),))
        count, features = x.shape
        if self.bandwidth == "scott":
            self.bandwidth_ = count ** (-1 / (features + 4))
        elif self.bandwidth == "silverman":
            self.bandwidth_ = (count * (features + 2) / 4) ** (-1 / (features + 4))
        else:
            self.bandwidth_ = self.bandwidth
        self._x, self._weights = x, weights(sample_weight, x)
        return self

    def score_samples(self, X: Any) -> Any:
        """Return the logarithm of the density at each sample, float64."""
        check_is_fitted(self)
        x = samples(self, X, dtypes=(np.dtype(np.float64),))
        rows = part_rows(self._x)
        parts = [self._densities(x[first : first + rows]) for first in parts_of(x, self._x)]
        return given_as(X, parts[0] if len(parts) == 1 else px.concatenate(parts))

    def _densities(self, x: ndarray) -> ndarray:
        height, volume = KERNELS[self.kernel]
        features = x.shape[1]
        metric = metric_of(self.metric)
        heights = height(metric.finished(all_sums(x, self._x, metric)) / self.bandwidth_)
        total: float = self._x.shape[0]
        if self._weights is not None:
            heights = heights + px.log(self._weights)[:, None]
            total = float(px.sum(self._weights))
        # The greatest height is taken out, so that nothing underflows.
        top = px.max(heights, axis=0)
        base = px.where(px.isfinite(top), top, 0.0)
        with px.errstate(divide="ignore"):
            sums = px.log(px.sum(px.exp(heights - base), axis=0)) + base
        return sums - (volume(features) + features * log(self.bandwidth_) + log(total))

    def score(self, X: Any, y: Any = None) -> float:
        """Return the sum of `score_samples`: the logarithm of the likelihood of all samples."""
        return float(np.sum(np.asarray(self.score_samples(X))))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Any:
        """Return samples drawn from the density, `n_samples` x features, NumPy's float64.

        Raises NotImplementedError for kernels other than ``"gaussian"`` and ``"tophat"``.
        """
        check_is_fitted(self)
        if self.kernel not in ("gaussian", "tophat"):
            raise NotImplementedError("sample takes kernel='gaussian' and kernel='tophat' only")
        random = generator_of(random_state)
        drawn = random.uniform(0, 1, size=n_samples)
        x = np.asarray(self._x)
        if self._weights is None:
            rows = (drawn * len(x)).astype(np.int64)
        else:
            sums = np.cumsum(np.asarray(self._weights))
            rows = np.searchsorted(sums, drawn * sums[-1])
        if self.kernel == "gaussian":
            return np.atleast_2d(random.normal(x[rows], self.bandwidth_))
        step = random.normal(size=(n_samples, x.shape[1]))
        lengths = random.uniform(size=n_samples) ** (1 / x.shape[1])
        step *= (lengths * self.bandwidth_ / np.sqrt((step**2).sum(axis=1)))[:, None]
        return x[rows] + step
