"""Classes as whole numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

import phalanx as px

from ..base import Estimator, TransformerMixin
from ..exceptions import DataConversionWarning, check_is_fitted, warn_user
from ..validation import as_array, given_as
from .category_columns import categories_of, codes_of


class LabelEncoder(TransformerMixin, Estimator, auto_wrap_output_keys=None):  # type: ignore[call-arg,misc]
    """Numbers the sorted classes of a target from 0. Attribute: `classes_`.

    >>> from phalanx.ml.preprocessing import LabelEncoder
    >>> LabelEncoder().fit_transform(["b", "a", "b"])
    array([1, 0, 1])
    """

    def fit(self, y: Any) -> Self:
        """Find the classes, numbers or texts, one a sample. Raises ValueError for other shapes.

        >>> from phalanx.ml.preprocessing import LabelEncoder
        >>> model = LabelEncoder().fit(["b", "a", "b"])
        >>> model.classes_
        array(['a', 'b'], dtype='<U1')
        """
        self.classes_ = categories_of(_labels(y))
        return self

    def fit_transform(self, y: Any) -> Any:
        """Find the classes, and return their numbers, int64, one a sample.

        >>> from phalanx.ml.preprocessing import LabelEncoder
        >>> model = LabelEncoder()
        >>> model.fit_transform(["b", "a", "b"])
        array([1, 0, 1])
        """
        return self.fit(y).transform(y)

    def transform(self, y: Any) -> Any:
        """Return the number of the class of each sample, int64.

        Raises ValueError for classes that are not among those of `fit`.

        >>> from phalanx.ml.preprocessing import LabelEncoder
        >>> model = LabelEncoder().fit(["b", "a", "b"])
        >>> model.transform(["b", "a"])
        array([1, 0])
        """
        check_is_fitted(self, "classes_")
        labels = _labels(y)
        codes = codes_of(labels, self.classes_)
        if (codes < 0).any():
            others = categories_of(np.asarray(labels)[codes < 0])
            raise ValueError(f"y contains previously unseen labels: {others}")
        return given_as(y, codes)

    def inverse_transform(self, y: Any) -> Any:
        """Return the classes of numbers. Raises ValueError for those that no class has.

        >>> from phalanx.ml.preprocessing import LabelEncoder
        >>> model = LabelEncoder().fit(["b", "a", "b"])
        >>> model.inverse_transform([1, 0])
        array(['b', 'a'], dtype='<U1')
        """
        check_is_fitted(self, "classes_")
        codes = np.asarray(_labels(y))
        wrong = np.setdiff1d(codes, np.arange(len(self.classes_)))
        if len(wrong):
            raise ValueError(f"y contains previously unseen labels: {wrong}")
        return given_as(y, self.classes_[codes.astype(np.int64)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.target_tags.one_d_labels = True
        return tags


def _labels(y: Any) -> Any:
    values = as_array(y, "y")
    if values.ndim == 2 and values.shape[1] == 1:
        warn_user(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of "
            "y to (n_samples, ), for example using ravel().",
            DataConversionWarning,
        )
        values = values.reshape(-1)
    if values.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {values.shape} instead.")
    return values if values.dtype.kind not in "biuf" else px.asarray(values)
