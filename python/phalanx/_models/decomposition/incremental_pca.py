"""Principal component analysis of samples that come in batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..options import BOOL, NONE, Rule, whole
from ..validation import given_as, samples
from .components import Components
from .factors import by_all

_BATCH = 5  # samples of a batch for each feature, unless `batch_size` says


class IncrementalPCA(Components):
    """Principal component analysis that keeps its components, not the samples, between batches.

    A batch's factors are those of its samples less their mean below the components so far, each as
    long as its singular value, and of one row for the way the mean has moved: D. Ross and others,
    "Incremental learning for robust visual tracking" (2008).

    Parameters are scikit-learn's. Attributes: as PCA's, and `var_` (one a feature),
    `n_samples_seen_`, `batch_size_`. Arrays are NumPy's unless `fit` got ours.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_components": whole(1) | NONE,
        "whiten": BOOL,
        "copy": BOOL,
        "batch_size": whole(1) | NONE,
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        whiten: bool = False,
        copy: bool = True,
        batch_size: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.copy = copy
        self.batch_size = batch_size

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components of samples x features, `batch_size` samples at a time.

        Raises ValueError for more components than a batch's samples or features, NaN and infinity,
        and what `check_options` raises.
        """
        self._check_options()
        x = samples(self, X, fitting=True)
        self.n_samples_seen_ = 0
        self.batch_size_ = self.batch_size or _BATCH * x.shape[1]
        least = self.n_components or 0
        count = x.shape[0]
        first = 0
        while first < count:
            last = first + self.batch_size_
            # A rest with too few samples for the components goes with the batch before it.
            last = count if count - last < max(least, 1) else last
            self._take(X, x[first:last])
            first = last
        return self

    def partial_fit(self, X: Any, y: Any = None, check_input: bool = True) -> Self:
        """Take a batch of samples x features more.

        Raises what `fit` raises, and ValueError for another number of features than before.
        """
        self._check_options()
        is_first = not hasattr(self, "components_")
        x = samples(self, X, fitting=is_first)
        if is_first:
            self.n_samples_seen_ = 0
        self._take(X, x)
        return self

    def _count(self, x: ndarray) -> int:
        count, features = x.shape
        if self.n_components is None:
            kept = self.n_samples_seen_ and len(self.components_)
            return int(kept or min(count, features))
        if self.n_components > features:
            raise ValueError(
                f"n_components={self.n_components} invalid for n_features={features}, need more "
                "rows than columns for IncrementalPCA processing"
            )
        if self.n_components > count and not self.n_samples_seen_:
            raise ValueError(
                f"n_components={self.n_components} must be less or equal to the batch number of "
                f"samples {count} for the first partial_fit call."
            )
        return self.n_components

    def _take(self, X: Any, x: ndarray) -> None:
        wanted = self._count(x)
        seen, count = self.n_samples_seen_, x.shape[0]
        total = seen + count
        mean = np.asarray(px.mean(x, axis=0, dtype=np.float64))
        squares = np.asarray(px.var(x, axis=0, dtype=np.float64)) * count
        moved = x - px.asarray(mean.astype(x.dtype))
        if seen:
            before = np.asarray(self.mean_, np.float64)
            squares += np.asarray(self.var_, np.float64) * seen
            squares += (before - mean) ** 2 * (seen * count / total)
            shift = np.sqrt(seen / total * count) * (before - mean)
            parts = np.asarray(self.components_) * np.asarray(self.singular_values_)[:, None]
            above = np.vstack([parts, shift[None, :]]).astype(x.dtype)
            moved = px.concatenate([px.asarray(above).to_device(x.device), moved])
            mean = before * (seen / total) + mean * (count / total)
        factors = by_all(moved)
        values = factors.values[:wanted].astype(np.float64)
        variances = values**2 / max(total - 1, 1)
        whole_variance = squares.sum()
        rest = factors.values[wanted:].astype(np.float64) ** 2 / max(total - 1, 1)
        has_rest = len(rest) and wanted not in (count, x.shape[1])

        def kept(made: np.ndarray) -> Any:
            return given_as(X, np.ascontiguousarray(made, x.dtype))

        self.n_samples_seen_ = total
        self.n_components_ = wanted
        self.components_ = kept(factors.vectors[:wanted])
        self.singular_values_ = kept(values)
        self.mean_ = kept(mean)
        self.var_ = kept(squares / total)
        self.explained_variance_ = kept(variances)
        with np.errstate(invalid="ignore", divide="ignore"):
            self.explained_variance_ratio_ = kept(values**2 / whole_variance)
        self.noise_variance_ = float(rest.mean()) if has_rest else 0.0
