"""Features as B-splines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..base import Estimator, TransformerMixin
from ..exceptions import check_is_fitted
from ..features import names_of_input
from ..options import ARRAY, BOOL, Rule, one_of, whole
from ..sparse_results import compressed
from ..tags import KeepsFloats
from ..validation import given_as, is_ours, samples, weights
from .splines import AS_GIVEN, CLAMPED, LINEAR, PERIODIC, splines_of
from .weighted_quantiles import weighted_quantiles

_KINDS = {
    "error": AS_GIVEN,
    "continue": AS_GIVEN,
    "constant": CLAMPED,
    "linear": LINEAR,
    "periodic": PERIODIC,
}


class SplineTransformer(KeepsFloats, TransformerMixin, Estimator):  # type: ignore[misc]
    """Makes B-splines of each feature, so that linear models follow curves.

    Of P. Eilers and B. Marx, "Flexible smoothing with B-splines and penalties" (1996); splines are
    summed up by C. de Boor's recursion in float64. Parameters are scikit-learn's. Of degree 0
    ``"constant"`` means the spline of the end, where scikit-learn gives zeros or fails; of degrees
    0 and 1 ``"linear"`` is the same for all features, where scikit-learn's is for the first only.

    Attributes: `bsplines_` (SciPy's objects, which must be installed for it), `n_features_out_`,
    `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_knots": whole(2),
        "degree": whole(0),
        "knots": one_of("uniform", "quantile") | ARRAY,
        "extrapolation": one_of(*_KINDS),
        "include_bias": BOOL,
        "order": one_of("C", "F"),
        "handle_missing": one_of("error", "zeros"),
        "sparse_output": BOOL,
    }

    def __init__(
        self,
        n_knots: int = 5,
        degree: int = 3,
        *,
        knots: Any = "uniform",
        extrapolation: str = "constant",
        include_bias: bool = True,
        order: str = "C",
        handle_missing: str = "error",
        sparse_output: bool = False,
    ) -> None:
        self.n_knots = n_knots
        self.degree = degree
        self.knots = knots
        self.extrapolation = extrapolation
        self.include_bias = include_bias
        self.order = order
        self.handle_missing = handle_missing
        self.sparse_output = sparse_output

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the knots of samples x features.

        Weights count for quantiles; for ``"uniform"`` samples of weight 0 do not. Raises ValueError
        for NaN (unless ``handle_missing="zeros"``), infinities, other shapes, fewer than two
        samples, and knots that are not increasing or too few, and what `check_options` raises.
        """
        self._check_options()
        x = self._samples(X, fitting=True)
        weight = weights(sample_weight, x)
        share = None if weight is None else np.asarray(weight, np.float64)
        base = self._given() if not isinstance(self.knots, str) else self._found(x, share)
        if self.extrapolation == "periodic" and len(base) <= self.degree:
            raise ValueError(
                f"Periodic splines require degree < n_knots. Got n_knots={len(base)} and "
                f"degree={self.degree}."
            )
        self._knots = np.ascontiguousarray(self._extended(base).T)
        is_periodic = self.extrapolation == "periodic"
        self._splines = len(base) - 1 if is_periodic else len(base) + self.degree - 1
        self.n_features_out_ = x.shape[1] * (self._splines - (not self.include_bias))
        return self

    def _samples(self, X: Any, *, fitting: bool = False) -> Any:
        takes = self.handle_missing == "zeros"
        least = 2 if fitting else 1
        try:
            return samples(self, X, fitting=fitting, least=least, allow_nan=takes)
        except ValueError as error:
            if "contains NaN" not in str(error) or takes:
                raise
            raise ValueError(
                "Input X contains NaN values and `SplineTransformer` is configured to error in "
                "this case (handle_missing='error'). To avoid this error, set "
                "handle_missing='zeros' to encode missing values as splines with value 0 or "
                "ensure no missing values in X."
            ) from error

    def _given(self) -> np.ndarray:
        base = np.asarray(self.knots, np.float64)
        if base.ndim != 2 or len(base) < 2:
            raise ValueError("Number of knots, knots.shape[0], must be >= 2.")
        if base.shape[1] != self.n_features_in_:
            raise ValueError("knots.shape[1] == n_features is violated.")
        if not (np.diff(base, axis=0) > 0).all():
            raise ValueError("knots must be sorted without duplicates.")
        return base

    def _found(self, x: Any, weight: np.ndarray | None) -> np.ndarray:
        """Knots x features: at equal distances or at quantiles; of nothing but NaN 0."""
        host = np.asarray(x)
        shares = np.linspace(0, 1, self.n_knots)
        made = np.zeros((self.n_knots, host.shape[1]))
        for feature in range(host.shape[1]):
            column = host[:, feature]
            used = ~np.isnan(column)
            if weight is not None:
                used &= weight > 0
            column = column[used]
            if self.knots == "quantile":
                if not len(column):
                    made[:, feature] = np.nan
                elif weight is None:
                    made[:, feature] = np.percentile(column, 100 * shares)
                else:
                    made[:, feature] = weighted_quantiles(column, weight[used], shares)
            elif len(column):
                made[:, feature] = np.linspace(column.min(), column.max(), self.n_knots)
        return made

    def _extended(self, base: np.ndarray) -> np.ndarray:
        """As many knots as the degree beyond both ends, at the distance of the last two."""
        degree = self.degree
        if self.extrapolation == "periodic":
            period = base[-1] - base[0]
            low, high = base[-(degree + 1) : -1] - period, base[1 : degree + 1] + period
            return np.concatenate([low, base, high])
        first, last = base[1] - base[0], base[-1] - base[-2]
        low = np.linspace(base[0] - degree * first, base[0] - first, num=degree)
        high = np.linspace(base[-1] + last, base[-1] + degree * last, num=degree)
        return np.concatenate([low, base, high])

    def transform(self, X: Any) -> Any:
        """Return samples x splines of all features, in their dtype; sparse in CSR form.

        Raises ValueError as `fit` does, and with ``extrapolation="error"`` for numbers beyond the
        knots.
        """
        check_is_fitted(self, "n_features_out_")
        x = self._samples(X)
        if self.extrapolation == "error":
            low, high = self._knots[:, self.degree], self._knots[:, -self.degree - 1]
            least, most = (px.asarray(each, device=x.device) for each in (low, high))
            if bool(px.any((x < least) | (x > most))):
                raise ValueError("`X` contains values beyond the limits of the knots.")
        width = self._splines - (not self.include_bias)
        kind = _KINDS[self.extrapolation]
        made = splines_of(x, self._knots, (self.degree, self._splines), kind, width=width)
        table = made.reshape(x.shape[0], x.shape[1] * width)
        if self.sparse_output:
            return _in_rows(X, np.asarray(table))
        found = given_as(X, table)
        return np.asfortranarray(found) if self.order == "F" and not is_ours(X) else found

    @property
    def bsplines_(self) -> list[Any]:
        """SciPy's object for each feature. Raises ImportError where SciPy is not installed."""
        check_is_fitted(self, "n_features_out_")
        try:
            from scipy.interpolate import BSpline
        except ModuleNotFoundError as error:
            raise ImportError("bsplines_ are SciPy's objects: pip install scipy") from error
        shares = np.eye(self._splines)
        extends = self.extrapolation in ("periodic", "continue")
        if self.extrapolation == "periodic":
            shares = np.concatenate([shares, shares[: self.degree]])
        return [BSpline(each, shares, self.degree, extrapolate=extends) for each in self._knots]

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the splines: the feature's, ``_sp_`` and a number."""
        names = names_of_input(self, input_features)
        width = self._splines - (not self.include_bias)
        return np.asarray([f"{name}_sp_{j}" for name in names for j in range(width)], object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.handle_missing == "zeros"
        return tags


def _in_rows(X: Any, table: np.ndarray) -> Any:
    rows, columns = np.nonzero(table)
    ends = np.append(0, np.cumsum(np.bincount(rows, minlength=len(table))))
    parts = (table[rows, columns], columns.astype(np.int32), ends.astype(np.int32))
    return compressed(X, parts, table.shape)
