"""Features made more like normal ones by powers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import Estimator, OneToOneFeatureMixin, TransformerMixin
from ..exceptions import check_is_fitted, warn_user
from ..features import compare_count
from ..minimization import least
from ..options import BOOL, Rule, one_of
from ..tags import KeepsFloats, TakesGaps
from ..validation import as_array, given_as, numbers, refuse_gaps, refuse_shapes, samples
from .column_loops import like
from .columns import extremes, is_constant, moments
from .standard_scaler import StandardScaler

_TINY = np.finfo(np.float64).eps  # exponents below it are taken for 0
_LOST = 1e-6  # a deviation, relative to the mean, of which few digits are left


class PowerTransformer(
    KeepsFloats,
    TakesGaps,
    OneToOneFeatureMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    Estimator,
):
    """Raises each feature to the power with which it is most like a normal one.

    ``"yeo-johnson"`` is of I. Yeo and R. Johnson, "A new family of power transformations to improve
    normality or symmetry" (2000), ``"box-cox"``, for positive numbers, of G. Box and D. Cox, "An
    analysis of transformations" (1964). The power is that of the greatest likelihood; features
    search for theirs together, one pass over the samples a step. NaN stays and counts nowhere.
    Parameters are scikit-learn's; `copy` has no effect, as a result is always a new array.

    Attributes: `lambdas_` (a power a feature, in the dtype of the samples), `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "method": one_of("yeo-johnson", "box-cox"),
        "standardize": BOOL,
        "copy": BOOL,
    }

    def __init__(
        self, method: str = "yeo-johnson", *, standardize: bool = True, copy: bool = True
    ) -> None:
        self.method = method
        self.standardize = standardize
        self.copy = copy

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the powers of samples x features.

        Raises ValueError for infinities and other shapes, with ``"box-cox"`` for numbers that are
        not positive and for constant features, and what `check_options` raises.
        """
        self._check_options()
        x = samples(self, X, fitting=True, allow_nan=True)
        self._refuse_negative(x)
        self.lambdas_ = self._powers(x.astype(np.float64)).astype(x.dtype)
        self._centers, self._are_above = np.zeros(x.shape[1]), extremes(x)[0] >= 0
        if self.standardize:
            self._centers = self._needed_centers(x)
            self._scaler = StandardScaler().fit(np.asarray(self._raised(x)))
        return self

    def _needed_centers(self, x: ndarray) -> np.ndarray:
        """The logarithm in the middle of features whose powers differ in no digit, else 0.

        Of numbers far from 0 the powers are all but equal to their limit, -1 / lambda. Relative to
        a number in the middle they stay apart, and the mean and scale take that factor away.
        """
        with np.errstate(all="ignore"):
            found = moments(self._raised(x))
            is_lost = np.sqrt(found.variance) < _LOST * np.abs(found.mean)
        smallest, largest = extremes(x)
        with np.errstate(invalid="ignore"):
            is_lost &= (smallest != largest) & ((smallest >= 0) | (largest <= 0))
        if not is_lost.any():
            return np.zeros(x.shape[1])
        middle = moments(self._logarithms(x.astype(np.float64)), variance=False).mean
        return np.where(is_lost, middle, 0.0)

    def _logarithms(self, x: ndarray) -> ndarray:
        return px.log(x) if self.method == "box-cox" else px.log1p(px.abs(x))

    def _refuse_negative(self, x: ndarray) -> None:
        if self.method == "box-cox" and np.nanmin(extremes(x)[0], initial=np.inf) <= 0:
            raise ValueError(
                "The Box-Cox transformation can only be applied to strictly positive data"
            )

    def _powers(self, x: ndarray) -> np.ndarray:
        found, (smallest, largest) = moments(x), extremes(x)
        is_flat = np.asarray(is_constant(found))
        if self.method == "box-cox":
            if np.isnan(smallest).any():
                raise ValueError("Column must not be all nan.")
            if (smallest == largest).any():
                raise ValueError("Data must not be constant.")
            is_flat = np.zeros(len(smallest), bool)
        is_flat |= np.isnan(smallest)
        low, high = self._bounds(smallest, largest)
        low, high = np.where(is_flat, 1.0, low), np.where(is_flat, 1.0, high)
        logarithms = px.log(x) if self.method == "box-cox" else px.sign(x) * px.log1p(px.abs(x))
        means = np.where(is_flat, 0.0, moments(logarithms, variance=False).mean)
        if self.method == "box-cox":
            signs = np.ones(len(low))
        else:
            signs = np.where(smallest >= 0, 1.0, np.where(largest <= 0, -1.0, 0.0))
        ends = extremes(logarithms)

        def cost(powers: np.ndarray) -> np.ndarray:
            with np.errstate(all="ignore"):
                variance = self._log_variance(x, logarithms, (signs, *ends), powers)
                made = 0.5 * variance - (powers - 1) * means
            return np.where(np.isnan(made), np.inf, made)

        return np.where(is_flat, 1.0, least(cost, low, high))

    def _log_variance(
        self, x: ndarray, logarithms: ndarray, ends: tuple[np.ndarray, ...], powers: np.ndarray
    ) -> np.ndarray:
        """The logarithm of the variance of features that are raised to powers.

        Where all numbers have one sign, the largest of the powers is taken out of them, so that
        none overflows and they stay apart.
        """
        signs, low, high = ends
        if (signs == 0).any():
            plain = np.log(moments(self._of(x, powers)).variance)
            if (signs == 0).all():
                return np.asarray(plain)
        own = np.where(signs < 0, powers - 2, powers)
        most = np.maximum(own * low, own * high)
        is_zero = np.abs(own) < _TINY
        made = moments(px.exp(logarithms * like(own, x) - like(most, x))).variance
        made = np.log(made) + 2 * most - 2 * np.log(np.abs(own))
        if is_zero.any():
            made = np.where(is_zero, np.log(moments(logarithms).variance), made)
        return np.where(signs == 0, plain, made) if (signs == 0).any() else np.asarray(made)

    def _bounds(self, smallest: np.ndarray, largest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Powers between which squares of the results are finite."""
        most = np.log(np.finfo(np.float64).max) / 2 - 20
        with np.errstate(all="ignore"):
            if self.method == "box-cox":
                bound = most / np.maximum(np.abs(np.log(smallest)), np.abs(np.log(largest)))
                return -bound, bound
            bound = most / np.log1p(np.maximum(np.abs(smallest), np.abs(largest)))
        # Negative numbers are raised to 2 less the power.
        low = np.where(smallest < 0, 2 - bound, -bound)
        high = np.where(largest > 0, bound, 2 + bound)
        is_mixed = (smallest < 0) & (largest > 0)
        low = np.where(is_mixed, np.maximum(low, -bound), low)
        return low, np.where(is_mixed, np.minimum(high, 2 + bound), high)

    def _of(self, x: ndarray, powers: np.ndarray, centers: Any = 0.0) -> ndarray:
        """Features raised to powers, relative to numbers whose logarithms are `centers`."""
        logarithms = self._logarithms(x) - centers
        if self.method == "box-cox":
            return _raised_logarithm(logarithms, powers, x)
        above = _raised_logarithm(logarithms, powers, x)
        below = _raised_logarithm(logarithms, 2 - powers, x)
        return px.where(x >= 0, above, -below)

    def _raised(self, x: ndarray) -> ndarray:
        """Features raised to their powers, float64: float32 overflows before it is scaled."""
        wide, powers = x.astype(np.float64), np.asarray(self.lambdas_)
        with np.errstate(all="ignore"):
            return self._of(wide, powers, like(self._centers, wide))

    def transform(self, X: Any) -> Any:
        """Return samples x features, raised, in their dtype. Raises ValueError as `fit` does."""
        x = samples(self, X, allow_nan=True)
        self._refuse_negative(x)
        made = self._raised(x)
        made = self._scaler.transform(made) if self.standardize else made
        return given_as(X, made.astype(x.dtype, copy=False))

    def inverse_transform(self, X: Any) -> Any:
        """Return what `transform` makes into samples x features.

        Raises ValueError for other shapes and infinities; warns (UserWarning) of results that are
        NaN as no number has such a power.
        """
        check_is_fitted(self)
        x = numbers(as_array(X))
        refuse_shapes(x, self)
        refuse_gaps(x, "X", self, allow_nan=True)
        compare_count(self, x.shape[1])
        wide = x.astype(np.float64)
        if self.standardize:
            wide = px.asarray(self._scaler.inverse_transform(wide))
        with np.errstate(all="ignore"):
            made = self._lowered(wide).astype(x.dtype)
        lost = np.asarray(px.any(px.isnan(made) & ~px.isnan(x), axis=0))
        for number in np.flatnonzero(lost):
            warn_user(
                f"Some values in column {number} of the inverse-transformed data are NaN. This may "
                "be caused by numerical issues in the transformation process, e.g. extremely "
                "skewed data. Consider inspecting the input data or preprocessing it before "
                "applying the transformation."
            )
        return given_as(X, made)

    def _lowered(self, x: ndarray) -> ndarray:
        powers = np.asarray(self.lambdas_, np.float64)
        centers = like(self._centers, x)
        if self.method == "box-cox":
            return px.exp(_root_logarithm(x, powers) + centers)
        # Relative powers of a feature have both signs, its numbers have one.
        is_above = px.where(centers == 0, x >= 0, px.asarray(self._are_above, device=x.device))
        above = px.expm1(_root_logarithm(px.where(is_above, x, 0), powers) + centers)
        below = px.expm1(_root_logarithm(px.where(is_above, 0, -x), 2 - powers) + centers)
        return px.where(is_above, above, -below)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = self.method == "box-cox"
        return tags


def _raised_logarithm(logarithms: ndarray, powers: np.ndarray, x: ndarray) -> ndarray:
    """(e^(p l) - 1) / p of logarithms l, and l where the power is 0."""
    is_zero = np.abs(powers) < _TINY
    power = like(np.where(is_zero, 1.0, powers), x)
    return px.where(
        px.asarray(is_zero, device=x.device), logarithms, px.expm1(logarithms * power) / power
    )


def _root_logarithm(x: ndarray, powers: np.ndarray) -> ndarray:
    """The logarithm l of which `_raised_logarithm` is x."""
    is_zero = np.abs(powers) < _TINY
    power = like(np.where(is_zero, 1.0, powers), x)
    return px.where(px.asarray(is_zero, device=x.device), x, px.log1p(x * power) / power)
