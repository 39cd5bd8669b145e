"""Samples with norm 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy as shallow
from typing import Any, ClassVar, Self

import phalanx as px

from ..base import Estimator, OneToOneFeatureMixin, TransformerMixin
from ..options import BOOL, Rule, one_of
from ..sparse_loops import normalized_values
from ..sparse_results import as_matrix
from ..sparse_samples import SparseSamples
from ..tags import KeepsFloats, NeedsNoFit, TakesSparse
from ..validation import given_as, samples_or_sparse
from .column_loops import is_on_host, normalized_rows

_NORMS: dict[str, Callable[[Any], Any]] = {
    "l1": lambda x: px.sum(px.abs(x), axis=1),
    "l2": lambda x: px.sqrt(px.sum(x * x, axis=1)),
    "max": lambda x: px.max(px.abs(x), axis=1),
}


def norms_of(x: Any, norm: str) -> Any:
    """The norm of each sample: l1, l2 or max."""
    return _NORMS[norm](x)


class Normalizer(
    TakesSparse,
    NeedsNoFit,
    KeepsFloats,
    OneToOneFeatureMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    Estimator,
):
    """Divides each sample by its norm, the l1, l2 or largest; samples of zeros stay.
    Sparse samples stay sparse.

    Parameters are scikit-learn's; `copy` has no effect, as a result is always a new array.
    Attribute: `n_features_in_`, where it was fitted, which it need not be.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {"norm": one_of(*_NORMS), "copy": BOOL}

    def __init__(self, norm: str = "l2", *, copy: bool = True) -> None:
        self.norm = norm
        self.copy = copy

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check parameters and samples x features. Raises ValueError where they are wrong."""
        self._check_options()
        samples_or_sparse(self, X, fitting=True)
        return self

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Return samples x features, each of norm 1, in their dtype.

        Raises ValueError for NaN, infinities and another number of features.
        """
        if hasattr(self, "n_features_in_"):
            x = samples_or_sparse(self, X)
        else:
            self._check_options()
            # A copy keeps what is learnt of the features.
            x = samples_or_sparse(shallow(self), X, fitting=True)
        if isinstance(x, SparseSamples):
            return as_matrix(X, x.with_values(normalized_values(x.values, x.ends, self.norm)))
        if is_on_host(x):
            return given_as(X, normalized_rows(x, self.norm))
        norms = norms_of(x, self.norm)
        return given_as(X, x / px.where(norms == 0, px.asarray(1, x.dtype), norms)[:, None])
