"""Features spread evenly, or as normal ones, by their quantiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..._arrays.special import ndtr, ndtri
from ..base import Estimator, OneToOneFeatureMixin, TransformerMixin
from ..draws import shuffled
from ..exceptions import check_is_fitted, warn_user
from ..features import compare_count
from ..options import BOOL, NONE, RANDOM, Rule, generator_of, one_of, whole
from ..tags import KeepsFloats, TakesGaps
from ..validation import as_array, given_as, numbers, refuse_shapes, samples
from .column_loops import is_on_host
from .columns import quantiles
from .quantile_loops import quantiles_at, shares_of

_NEAR = 1e-7  # of the ends, where normal numbers would be infinite


class QuantileTransformer(
    KeepsFloats,
    TakesGaps,
    OneToOneFeatureMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    Estimator,
):
    """Maps each feature to its share of smaller numbers, or to the normal number of this share.

    NaN stays and counts nowhere. What lies outside the samples becomes the nearer end. Parameters
    are scikit-learn's, and so are the samples that a seed draws; `copy` has no effect, as a result
    is always a new array, and `ignore_implicit_zeros` none, as sparse samples are refused.

    Attributes: `n_quantiles_`, `references_` (the shares), `quantiles_` (shares x features),
    `n_features_in_`.

    >>> from phalanx.ml.preprocessing import QuantileTransformer
    >>> QuantileTransformer(n_quantiles=3).fit_transform([[1.0], [2.0], [4.0]])
    array([[0. ],
           [0.5],
           [1. ]])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_quantiles": whole(1),
        "output_distribution": one_of("uniform", "normal"),
        "ignore_implicit_zeros": BOOL,
        "subsample": whole(1) | NONE,
        "random_state": RANDOM,
        "copy": BOOL,
    }

    def __init__(
        self,
        *,
        n_quantiles: int = 1000,
        output_distribution: str = "uniform",
        ignore_implicit_zeros: bool = False,
        subsample: int | None = 10000,
        random_state: Any = None,
        copy: bool = True,
    ) -> None:
        self.n_quantiles = n_quantiles
        self.output_distribution = output_distribution
        self.ignore_implicit_zeros = ignore_implicit_zeros
        self.subsample = subsample
        self.random_state = random_state
        self.copy = copy

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the quantiles of samples x features, of `subsample` drawn ones where there are more.

        Raises ValueError for more quantiles than `subsample`, infinities and other shapes, and what
        `check_options` raises. Warns (UserWarning) of more quantiles than samples.

        >>> from phalanx.ml.preprocessing import QuantileTransformer
        >>> model = QuantileTransformer(n_quantiles=3).fit([[1.0], [2.0], [4.0]])
        >>> model.quantiles_
        array([[1.],
               [2.],
               [4.]])
        """
        self._check_options()
        if self.subsample is not None and self.n_quantiles > self.subsample:
            raise ValueError(
                "The number of quantiles cannot be greater than the number of samples used. Got "
                f"{self.n_quantiles} quantiles and {self.subsample} samples."
            )
        x = samples(self, X, fitting=True, allow_nan=True)
        count = x.shape[0]
        if self.n_quantiles > count:
            warn_user(
                f"n_quantiles ({self.n_quantiles}) is greater than the total number of samples "
                f"({count}). n_quantiles is set to n_samples."
            )
        if self.ignore_implicit_zeros:
            warn_user(
                "'ignore_implicit_zeros' takes effect only with sparse matrix. This parameter has "
                "no effect."
            )
        self.n_quantiles_ = max(1, min(self.n_quantiles, count))
        self.references_ = np.linspace(0, 1, self.n_quantiles_)
        if self.subsample is not None and self.subsample < count:
            (rows,) = shuffled(generator_of(self.random_state), np.arange(count))
            x = x[px.asarray(rows[: self.subsample], device=x.device)]
        # As percents, whose rounding decides between equal numbers and their neighbors. It may put
        # a quantile below the one before it, too.
        shares = self.references_ * 100 / 100
        self.quantiles_ = np.maximum.accumulate(quantiles(x, shares))
        return self

    def transform(self, X: Any) -> Any:
        """Return samples x features, spread, in their dtype. Raises ValueError as `fit` does.

        >>> from phalanx.ml.preprocessing import QuantileTransformer
        >>> model = QuantileTransformer(n_quantiles=3).fit([[1.0], [2.0], [4.0]])
        >>> model.transform([[3.0]])
        array([[0.75]])
        """
        x = samples(self, X, allow_nan=True)
        made = self._host_shares(x) if is_on_host(x) else self._columns(x, self._spread)
        return given_as(X, made)

    def inverse_transform(self, X: Any) -> Any:
        """Return what `transform` makes into samples x features. Raises ValueError as it does.

        >>> from phalanx.ml.preprocessing import QuantileTransformer
        >>> model = QuantileTransformer(n_quantiles=3).fit([[1.0], [2.0], [4.0]])
        >>> model.inverse_transform([[0.75]])
        array([[3.]])
        """
        check_is_fitted(self)
        x = numbers(as_array(X))
        refuse_shapes(x, self)
        compare_count(self, x.shape[1])
        made = self._host_quantiles(x) if is_on_host(x) else self._columns(x, self._gathered)
        return given_as(X, made)

    @property
    def _near(self) -> float:
        return _NEAR if self.output_distribution == "normal" else 0.0

    def _host_shares(self, x: ndarray) -> ndarray:
        """As `_spread`, of all features at once."""
        host = np.asarray(x, np.float64)
        made = px.asarray(shares_of(host, self.quantiles_, self.references_, self._near))
        if self.output_distribution == "normal":
            made = _normal(made)
        return made.astype(x.dtype)

    def _host_quantiles(self, x: ndarray) -> ndarray:
        """As `_gathered`, of all features at once."""
        shares = ndtr(x.astype(np.float64)) if self.output_distribution == "normal" else x
        host = np.asarray(shares, np.float64)
        made = quantiles_at(host, self.references_, self.quantiles_, self._near)
        return px.asarray(made).astype(x.dtype)

    def _columns(self, x: ndarray, change: Any) -> ndarray:
        made = [
            change(x[:, number].astype(np.float64), self.quantiles_[:, number].astype(np.float64))
            for number in range(x.shape[1])
        ]
        return px.stack(made, axis=1).astype(x.dtype)

    def _spread(self, column: ndarray, table: np.ndarray) -> ndarray:
        """The share of the numbers below each: the middle of those of equal quantiles."""
        is_normal, near = self.output_distribution == "normal", self._near
        least, largest = table[0], table[-1]
        if np.isnan(least):
            return px.full_like(column, np.nan)
        made = _middle_share(column, table, self.references_)
        made = px.where(column + near > largest if near else column == largest, 1.0, made)
        made = px.where(column - near < least if near else column == least, 0.0, made)
        if is_normal:
            made = _normal(made)
        return px.where(px.isnan(column), np.nan, made)

    def _gathered(self, column: ndarray, table: np.ndarray) -> ndarray:
        """The quantile at each share."""
        near = self._near
        if self.output_distribution == "normal":
            column = ndtr(column)
        if np.isnan(table[0]):
            return px.where(px.isnan(column), np.nan, table[0])
        made = _interpolated(column, self.references_, table)
        made = px.where(column + near > 1 if near else column == 1, table[-1], made)
        made = px.where(column - near < 0 if near else column == 0, table[0], made)
        return px.where(px.isnan(column), np.nan, made)


def _normal(shares: ndarray) -> ndarray:
    """The normal number of each share, of 0 and 1 the farthest ones."""
    ends = ndtri(np.array([_NEAR - np.spacing(1), 1 - (_NEAR - np.spacing(1))]))
    low, high = np.asarray(ends).tolist()
    return px.clip(ndtri(shares), low, high)


def _middle_share(column: ndarray, table: np.ndarray, shares: np.ndarray) -> ndarray:
    """Shares between those of the quantiles around; of equal quantiles, of the first and last."""
    last = len(table) - 1
    quantile, share = (px.asarray(each, device=column.device) for each in (table, shares))
    above = px.minimum(px.searchsorted(quantile, column, side="left"), last)
    below = px.maximum(px.searchsorted(quantile, column, side="right") - 1, 0)
    low, high = quantile[below], quantile[above]
    step = px.where(high > low, (column - low) / px.where(high > low, high - low, 1.0), 0.5)
    return share[below] + (share[above] - share[below]) * step


def _interpolated(column: ndarray, places: np.ndarray, values: np.ndarray) -> ndarray:
    """Values between those of the places around, beyond all places those of the ends."""
    last = len(places) - 1
    if last == 0:
        return px.full(column.shape, values[0], np.float64, device=column.device)
    place, value = (px.asarray(each, device=column.device) for each in (places, values))
    below = px.clip(px.searchsorted(place, column, side="right") - 1, 0, last - 1)
    low = place[below]
    step = px.clip((column - low) / (place[below + 1] - low), 0, 1)
    return value[below] + (value[below + 1] - value[below]) * step
