"""Missing numbers filled by those of the nearest samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Estimator, TransformerMixin
from ..exceptions import check_is_fitted
from ..features import names_of_input
from ..options import BOOL, FUNCTION, NONE, Rule, one_of, whole
from ..validation import given_as
from .donors import Donors, donors_of
from .gaps import MISSING, gaps_of, is_gap, samples_with_gaps
from .indicator import indicator_of, with_indicators


class KNNImputer(TransformerMixin, Estimator):  # type: ignore[misc]
    """Fills a gap by the mean of the nearest samples of `fit` that have the feature.

    Of O. Troyanskaya et al., "Missing value estimation methods for DNA microarrays" (2001).
    Distances are `nan_euclidean_distances`, in float64; of equal ones the first sample of `fit` is
    nearer. Where no sample has a distance, the feature's mean fills. Features without any number at
    `fit` are left out unless `keep_empty_features`. Parameters are scikit-learn's, without a
    function as `metric`; `copy` has no effect. Loops run on the host's cores.

    Attributes: `indicator_` (None without `add_indicator`), `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "missing_values": MISSING,
        "n_neighbors": whole(1),
        "weights": one_of("uniform", "distance") | FUNCTION | NONE,
        "metric": one_of("nan_euclidean").refusing_all(FUNCTION),
        "copy": BOOL,
        "add_indicator": BOOL,
        "keep_empty_features": BOOL,
    }

    def __init__(
        self,
        *,
        missing_values: Any = np.nan,
        n_neighbors: int = 5,
        weights: Any = "uniform",
        metric: Any = "nan_euclidean",
        copy: bool = True,
        add_indicator: bool = False,
        keep_empty_features: bool = False,
    ) -> None:
        self.missing_values = missing_values
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.metric = metric
        self.copy = copy
        self.add_indicator = add_indicator
        self.keep_empty_features = keep_empty_features

    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep samples x features, which may have gaps.

        Raises ValueError for infinities, texts and other shapes, and what `check_options` raises.
        """
        self._check_options()
        known, gaps = self._samples(X, fitting=True)
        self._known, self._is_there = known, ~gaps.all(axis=0)
        self.indicator_ = indicator_of(self, gaps)
        return self

    def _samples(self, X: Any, *, fitting: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Samples on the host with NaN in their gaps, and where these are."""
        x = samples_with_gaps(self, X, numeric=True, fitting=fitting)
        gaps = np.asarray(gaps_of(x, self.missing_values))
        return np.where(gaps, np.asarray(x).dtype.type(np.nan), np.asarray(x)), gaps

    def transform(self, X: Any) -> Any:
        """Return samples with their gaps filled, in their dtype. Raises as `fit` does."""
        check_is_fitted(self, "_known")
        made, gaps = self._samples(X)
        wanted = gaps & self._is_there
        has_gap = np.flatnonzero(wanted.any(axis=1))
        if len(has_gap):
            part = wanted[has_gap]
            count = min(self.n_neighbors, len(self._known))
            found = donors_of(made[has_gap], self._known, part, count)
            rows, columns = np.nonzero(part)
            made[has_gap[rows], columns] = self._filling(found, columns)
        made[:, ~self._is_there] = 0
        kept = made if self.keep_empty_features else made[:, self._is_there]
        return given_as(X, with_indicators(kept, gaps, self.indicator_))

    def _filling(self, found: Donors, columns: np.ndarray) -> np.ndarray:
        """The number of each gap, by its donors, of the columns that gaps are in."""
        filled = np.empty(len(columns))
        for column in np.unique(columns):
            own = columns == column
            there = self._known[:, column]
            there = there[~np.isnan(there)]
            kept = min(self.n_neighbors, len(there))
            distances, values = found.distances[own, :kept], found.values[own, :kept]
            weight = self._weights(distances)
            total = weight.sum(axis=1)
            means = np.where(weight > 0, values, 0) * weight
            with np.errstate(divide="ignore", invalid="ignore"):
                made = means.sum(axis=1) / total
            filled[own] = np.where(np.isnan(distances).all(axis=1), there.mean(), made)
        return filled

    def _weights(self, distances: np.ndarray) -> np.ndarray:
        """The weight of each donor: 0 where there is none."""
        if callable(self.weights):
            made = np.array(self.weights(distances.copy()), np.float64)
        elif self.weights == "distance":
            is_same = distances == 0
            with np.errstate(divide="ignore"):
                made = np.where(is_same.any(axis=1)[:, None], is_same, 1 / distances)
        else:
            made = np.ones(distances.shape)
        return np.where(np.isnan(made) | np.isnan(distances), 0.0, made)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the features that are kept, and those of the indicators."""
        check_is_fitted(self, "_known")
        names = names_of_input(self, input_features)
        kept = names if self.keep_empty_features else names[self._is_there]
        if self.indicator_ is None:
            return kept
        return np.concatenate([kept, self.indicator_.get_feature_names_out(input_features)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = is_gap(self.missing_values)
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
