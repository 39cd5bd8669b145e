"""Features as the numbers of intervals."""

from __future__ import annotations

import numbers as _numbers
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import Estimator, TransformerMixin
from ..exceptions import check_is_fitted, warn_user
from ..features import names_of_input
from ..options import ARRAY, NONE, RANDOM, Rule, generator_of, one_of, whole
from ..validation import as_array, given_as, numbers, samples, weights
from .column_loops import is_on_host
from .one_hot_encoder import OneHotEncoder
from .quantile_loops import interval_numbers
from .weighted_quantiles import weighted_quantiles

_METHODS = (
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
    "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased",
)  # fmt: skip
_WITH_WEIGHTS = ("averaged_inverted_cdf", "inverted_cdf")
_NARROWEST = 1e-8
_FLOATS = Rule(lambda value: value in (np.float64, np.float32), "numpy.float64, numpy.float32")


class KBinsDiscretizer(TransformerMixin, Estimator):  # type: ignore[misc]
    """Splits each feature's span into intervals, and says in which each sample lies.

    Parameters are scikit-learn's, and so are the samples that a seed draws. The result of
    ``encode="onehot"`` is a matrix in CSR form: SciPy's, or ours of what was ours.

    Attributes: `bin_edges_` (an array of ends a feature), `n_bins_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_bins": whole(2) | ARRAY,
        "encode": one_of("onehot", "onehot-dense", "ordinal"),
        "strategy": one_of("uniform", "quantile", "kmeans"),
        "quantile_method": one_of(*_METHODS),
        "dtype": _FLOATS | NONE,
        "subsample": whole(1) | NONE,
        "random_state": RANDOM,
    }

    def __init__(
        self,
        n_bins: Any = 5,
        *,
        encode: str = "onehot",
        strategy: str = "quantile",
        quantile_method: str = "averaged_inverted_cdf",
        dtype: Any = None,
        subsample: int | None = 200_000,
        random_state: Any = None,
    ) -> None:
        self.n_bins = n_bins
        self.encode = encode
        self.strategy = strategy
        self.quantile_method = quantile_method
        self.dtype = dtype
        self.subsample = subsample
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the intervals of samples x features, with a weight for each sample.

        Raises ValueError for NaN, infinities, other shapes, numbers of intervals that are no ints
        from 2, quantiles that have no weights, and what `check_options` raises. Warns (UserWarning)
        of constant features and of intervals without width, which are left out.
        """
        self._check_options()
        x = samples(self, X, fitting=True)
        weight = weights(sample_weight, x)
        counts = self._counts(x.shape[1])
        if self.strategy == "quantile" and weight is not None:
            self._refuse_method()
        host, given = np.asarray(x), None if weight is None else np.asarray(weight)
        if self.subsample is not None and len(host) > self.subsample:
            shares = None if given is None else given / given.sum()
            random = generator_of(self.random_state)
            host = host[random.choice(len(host), size=self.subsample, p=shares)]
            given = None
        edges = np.empty(x.shape[1], object)
        for number in range(x.shape[1]):
            edges[number] = self._edges(number, host[:, number], counts[number], given)
            counts[number] = len(edges[number]) - 1
        self.bin_edges_, self.n_bins_ = edges, counts
        self.__dict__.pop("_encoder", None)
        if self.encode != "ordinal":
            self._encoder = OneHotEncoder(
                categories=[np.arange(each) for each in counts],
                sparse_output=self.encode == "onehot",
                dtype=x.dtype if self.dtype is None else self.dtype,
            ).fit(np.zeros((1, len(counts))))
        return self

    def _refuse_method(self) -> None:
        if self.quantile_method not in _WITH_WEIGHTS:
            raise ValueError(
                "When fitting with strategy='quantile' and sample weights, quantile_method should "
                "either be set to 'averaged_inverted_cdf' or 'inverted_cdf', got "
                f"quantile_method={self.quantile_method!r} instead."
            )

    def _counts(self, features: int) -> np.ndarray:
        if isinstance(self.n_bins, _numbers.Integral):
            return np.full(features, self.n_bins, dtype=np.int64)
        given = np.asarray(self.n_bins)
        if given.shape != (features,):
            raise ValueError("n_bins must be a scalar or array of shape (n_features,).")
        made = given.astype(np.int64)
        wrong = np.flatnonzero((made < 2) | (made != given))
        if len(wrong):
            raise ValueError(
                "KBinsDiscretizer received an invalid number of bins at indices "
                f"{', '.join(map(str, wrong))}. Number of bins must be at least 2, and must be an "
                "int."
            )
        return made

    def _edges(
        self, number: int, column: np.ndarray, count: int, weight: np.ndarray | None
    ) -> np.ndarray:
        """The ends of a feature's intervals, float64."""
        used = column if weight is None or self.strategy == "quantile" else column[weight != 0]
        low, high = used.min(), used.max()
        if low == high:
            warn_user(f"Feature {number} is constant and will be replaced with 0.")
            return np.array([-np.inf, np.inf])
        if self.strategy == "uniform":
            return np.linspace(low, high, count + 1)
        if self.strategy == "quantile":
            edges = self._quantiles(column, np.linspace(0, 100, count + 1), weight)
        else:
            edges = _between_centers(column, np.linspace(low, high, count + 1), weight)
        wide = np.ediff1d(edges, to_begin=np.inf) > _NARROWEST
        if not wide.all():
            warn_user(
                f"Bins whose width are too small (i.e., <= 1e-8) in feature {number} are removed. "
                "Consider decreasing the number of bins."
            )
        return np.asarray(edges[wide])

    def _quantiles(
        self, column: np.ndarray, percents: np.ndarray, weight: np.ndarray | None
    ) -> np.ndarray:
        if weight is not None:
            averaged = self.quantile_method == "averaged_inverted_cdf"
            return weighted_quantiles(column, weight, percents / 100, averaged=averaged)
        method: Any = self.quantile_method
        return np.asarray(np.percentile(column, percents, method=method), np.float64)

    def transform(self, X: Any) -> Any:
        """Return samples x features as numbers of intervals, or a column for each interval.

        Floats of the dtype of the samples, or of `dtype`. Raises ValueError as `fit` does.
        """
        check_is_fitted(self)
        x = samples(self, X)
        dtype = x.dtype if self.dtype is None else np.dtype(self.dtype)
        inner = [edges[1:-1] for edges in self.bin_edges_]
        if is_on_host(x):
            made = px.asarray(interval_numbers(np.asarray(x, np.float64), inner))
        else:
            made = px.stack([_numbers_of(x[:, place], own) for place, own in enumerate(inner)], 1)
        if self.encode == "ordinal":
            return given_as(X, made.astype(dtype))
        return self._encoder.encoded(given_as(X, made), dtype)

    def inverse_transform(self, X: Any) -> Any:
        """Return the middle of the interval of each feature.

        Raises ValueError for other shapes, and for numbers that no interval has.
        """
        check_is_fitted(self)
        values = X if self.encode == "ordinal" else self._encoder.inverse_transform(X)
        host = np.asarray(numbers(as_array(values)))
        if host.ndim != 2 or host.shape[1] != len(self.n_bins_):
            raise ValueError(
                f"Incorrect number of features. Expecting {len(self.n_bins_)}, received "
                f"{host.shape[-1]}."
            )
        with np.errstate(invalid="ignore"):
            is_number = (host >= 0) & (host < self.n_bins_)
        if not is_number.all():
            raise ValueError("X has numbers that no interval has, or NaN: they begin with 0")
        made = np.empty_like(host)
        for number, edges in enumerate(self.bin_edges_):
            with np.errstate(invalid="ignore"):
                middles = (edges[1:] + edges[:-1]) * 0.5
            made[:, number] = middles[host[:, number].astype(np.int64)]
        return given_as(X, made)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the results' columns."""
        names = names_of_input(self, input_features)
        return names if self.encode == "ordinal" else self._encoder.get_feature_names_out(names)


def _numbers_of(column: ndarray, inner: np.ndarray) -> ndarray:
    ends = px.asarray(inner, device=column.device)
    return px.searchsorted(ends, column.astype(np.float64), side="right")


def _between_centers(column: np.ndarray, even: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    """The ends between the centers of k-means, which begins in the middles of even intervals."""
    from ..cluster.kmeans import KMeans

    begin = (even[1:] + even[:-1])[:, None] * 0.5
    model = KMeans(len(begin), init=begin, n_init=1).fit(column[:, None], sample_weight=weight)
    centers = np.sort(np.asarray(model.cluster_centers_)[:, 0].astype(np.float64))
    return np.concatenate([even[:1], (centers[1:] + centers[:-1]) * 0.5, even[-1:]])
