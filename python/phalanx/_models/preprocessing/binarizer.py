"""Features as 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy as shallow
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..base import Estimator, OneToOneFeatureMixin, TransformerMixin
from ..options import BOOL, Rule, real
from ..tags import KeepsFloats, NeedsNoFit
from ..validation import FLOATS, given_as, samples

_NUMBERS: tuple[np.dtype, ...] = (*FLOATS, *(np.dtype(each) for each in "?bhilBHIL"))


class Binarizer(NeedsNoFit, KeepsFloats, OneToOneFeatureMixin, TransformerMixin, Estimator):  # type: ignore[misc]
    """Makes features 1 that are greater than `threshold`, and 0 the others.

    Parameters are scikit-learn's; `copy` has no effect, as a result is always a new array.
    Attribute: `n_features_in_`, where it was fitted, which it need not be.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {"threshold": real(), "copy": BOOL}

    def __init__(self, *, threshold: float = 0.0, copy: bool = True) -> None:
        self.threshold = threshold
        self.copy = copy

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check parameters and samples x features. Raises ValueError where they are wrong."""
        self._check_options()
        samples(self, X, fitting=True, dtypes=_NUMBERS)
        return self

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Return samples x features of 0 and 1, in their dtype.

        Raises ValueError for NaN, infinities and another number of features.
        """
        if hasattr(self, "n_features_in_"):
            x = samples(self, X, dtypes=_NUMBERS)
        else:
            self._check_options()
            x = samples(shallow(self), X, fitting=True, dtypes=_NUMBERS)
        return given_as(X, px.asarray(x > self.threshold, dtype=x.dtype))
