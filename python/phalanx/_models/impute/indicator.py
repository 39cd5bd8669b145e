"""Columns that say where values are missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import Estimator, TransformerMixin
from ..features import names_of_input
from ..options import BOOL, Rule, one_of
from ..sparse_results import compressed
from ..validation import given_as
from .gaps import MISSING, gaps_of, samples_with_gaps


class MissingIndicator(TransformerMixin, Estimator):  # type: ignore[misc]
    """Says of features, of all or those that had gaps at `fit`, where values are missing.

    Parameters are scikit-learn's; results are bool arrays, with ``sparse=True`` matrices in CSC
    form of SciPy's, or ours. Sparse samples are refused (TypeError).

    Attributes: `features_` (the numbers of the features), `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "missing_values": MISSING,
        "features": one_of("missing-only", "all"),
        "sparse": BOOL | one_of("auto"),
        "error_on_new": BOOL,
    }

    def __init__(
        self,
        *,
        missing_values: Any = np.nan,
        features: str = "missing-only",
        sparse: Any = "auto",
        error_on_new: bool = True,
    ) -> None:
        self.missing_values = missing_values
        self.features = features
        self.sparse = sparse
        self.error_on_new = error_on_new

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the features of samples that have gaps.

        Raises ValueError for infinities, other shapes and a mark of another type, and what
        `check_options` raises.
        """
        self._check_options()
        self._keep(self._gaps(X, fitting=True))
        return self

    def _gaps(self, X: Any, fitting: bool = False) -> np.ndarray:
        x = samples_with_gaps(self, X, numeric=False, fitting=fitting)
        return np.asarray(gaps_of(x, self.missing_values))

    def _keep(self, gaps: np.ndarray) -> None:
        every = self.features == "all"
        self.features_ = np.arange(gaps.shape[1]) if every else np.flatnonzero(gaps.any(axis=0))

    def transform(self, X: Any) -> Any:
        """Return samples x features of `features_`, bool: True where a value is missing.

        Raises ValueError for gaps in other features, unless `error_on_new` is False, and as `fit`.
        """
        gaps = self._gaps(X)
        if self.features == "missing-only" and self.error_on_new:
            others = np.setdiff1d(np.flatnonzero(gaps.any(axis=0)), self.features_)
            if len(others):
                raise ValueError(
                    f"The features {others} have missing values in transform but have no missing "
                    "values in fit."
                )
        made = gaps[:, self.features_]
        if self.sparse is not True:
            return given_as(X, made)
        ends = np.append(0, np.cumsum(made.sum(axis=1))).astype(np.int32)
        columns = np.nonzero(made)[1].astype(np.int32)
        return compressed(X, (np.ones(len(columns), bool), columns, ends), made.shape).tocsc()

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the results' columns."""
        names = names_of_input(self, input_features)[self.features_]
        return np.asarray([f"missingindicator_{name}" for name in names], object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def indicator_of(imputer: Any, gaps: np.ndarray) -> MissingIndicator | None:
    """The indicator of what an imputer is fitted to; None unless its `add_indicator`."""
    if not imputer.add_indicator:
        return None
    made = MissingIndicator(missing_values=imputer.missing_values, error_on_new=False)
    made.n_features_in_ = imputer.n_features_in_
    if hasattr(imputer, "feature_names_in_"):
        made.feature_names_in_ = imputer.feature_names_in_
    made._keep(gaps)
    return made


def with_indicators(filled: Any, gaps: np.ndarray, indicator: MissingIndicator | None) -> Any:
    """Filled samples, beside them the columns of an indicator if there is one."""
    if indicator is None:
        return filled
    module: Any = px if isinstance(filled, ndarray) else np
    columns = module.asarray(gaps[:, indicator.features_].astype(filled.dtype))
    return module.concatenate([filled, columns], axis=1)
