"""What principal component analyses share once they are fitted."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import ClassNamePrefixFeaturesOutMixin, Estimator, TransformerMixin
from ..exceptions import check_is_fitted
from ..validation import components_back, given_as, samples


class Components(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):  # type: ignore[misc]
    """Samples less their mean in the coordinates of components, and back."""

    whiten: bool
    components_: Any
    explained_variance_: Any
    singular_values_: Any
    mean_: Any
    var_: Any
    noise_variance_: float

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _scales(self) -> np.ndarray:
        """By what coordinates are divided where they are whitened: never by 0."""
        scales = np.sqrt(np.asarray(self.explained_variance_))
        return np.maximum(scales, np.finfo(scales.dtype).eps)

    def transform(self, X: Any) -> Any:
        """Return samples x components, in the dtype of the samples."""
        x = samples(self, X)
        return given_as(X, self._coordinates(x))

    def _coordinates(self, x: ndarray) -> ndarray:
        parts = np.asarray(self.components_)
        if self.whiten:
            parts = parts / self._scales()[:, None]
        across = px.asarray(np.ascontiguousarray(parts.T.astype(x.dtype))).to_device(x.device)
        # The mean's own coordinates are taken off, so that no copy of the samples is made.
        return x @ across - px.asarray(self.mean_).astype(x.dtype) @ across

    def inverse_transform(self, X: Any) -> Any:
        """Return samples x features of samples x components.

        Raises ValueError for another number of components.
        """
        check_is_fitted(self)
        x = components_back(self, X, len(self.components_))
        parts = np.asarray(self.components_)
        if self.whiten:
            parts = parts * self._scales()[:, None]
        back = px.asarray(parts.astype(x.dtype)).to_device(x.device)
        return given_as(X, x @ back + px.asarray(self.mean_).astype(x.dtype))

    def get_covariance(self) -> Any:
        """Return the features' covariances, features x features, that the model says.

        They are those of the components, and `noise_variance_` in each other direction.
        """
        check_is_fitted(self)
        parts, noise = np.asarray(self.components_), self.noise_variance_
        beyond = np.maximum(np.asarray(self.explained_variance_) - noise, 0)
        made = (parts.T * beyond) @ parts
        made.flat[:: len(made) + 1] += noise
        return made

    def get_precision(self) -> Any:
        """Return the inverse of the covariances, features x features."""
        return np.linalg.inv(self.get_covariance())
