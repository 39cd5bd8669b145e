"""Transformers as functions, for samples of which nothing is to be kept."""

from __future__ import annotations

from typing import Any

import phalanx as px

from ..validation import as_array, given_as, numbers, refuse_gaps, refuse_shapes
from .binarizer import Binarizer
from .normalizer import Normalizer, norms_of
from .power_transformer import PowerTransformer
from .quantile_transformer import QuantileTransformer
from .range_scalers import MaxAbsScaler, MinMaxScaler
from .robust_scaler import RobustScaler
from .standard_scaler import StandardScaler


def _applied(model: Any, X: Any, axis: int) -> Any:
    """What a transformer makes of features, or of samples with axis 1; of one column a vector."""
    if axis not in (0, 1):
        raise ValueError(f"The 'axis' parameter must be one of 0, 1. Got {axis!r} instead.")
    values = as_array(X)
    is_vector = values.ndim == 1
    table = values.reshape(-1, 1) if is_vector else values
    across = table if axis == 0 else px.ascontiguousarray(px.asarray(table).T)
    made = model.fit_transform(given_as(X, across))
    made = made if axis == 0 else made.T
    return made.reshape(-1) if is_vector else made


def scale(
    X: Any, *, axis: int = 0, with_mean: bool = True, with_std: bool = True, copy: bool = True
) -> Any:
    """Return features, or samples with axis 1, of mean 0 and variance 1: see `StandardScaler`."""
    return _applied(StandardScaler(with_mean=with_mean, with_std=with_std), X, axis)


def minmax_scale(
    X: Any, feature_range: tuple[float, float] = (0, 1), *, axis: int = 0, copy: bool = True
) -> Any:
    """Return features, or samples with axis 1, between two numbers: see `MinMaxScaler`."""
    return _applied(MinMaxScaler(feature_range), X, axis)


def maxabs_scale(X: Any, *, axis: int = 0, copy: bool = True) -> Any:
    """Return features, or samples with axis 1, from -1 to 1: see `MaxAbsScaler`."""
    return _applied(MaxAbsScaler(), X, axis)


def robust_scale(
    X: Any,
    *,
    axis: int = 0,
    with_centering: bool = True,
    with_scaling: bool = True,
    quantile_range: tuple[float, float] = (25.0, 75.0),
    copy: bool = True,
    unit_variance: bool = False,
) -> Any:
    """Return features, or samples with axis 1, less their median: see `RobustScaler`."""
    model = RobustScaler(
        with_centering=with_centering,
        with_scaling=with_scaling,
        quantile_range=quantile_range,
        unit_variance=unit_variance,
    )
    return _applied(model, X, axis)


def normalize(
    X: Any, norm: str = "l2", *, axis: int = 1, copy: bool = True, return_norm: bool = False
) -> Any:
    """Return samples, or features with axis 0, of norm 1; also the norms if `return_norm`.

    Raises ValueError for NaN, infinities, other shapes and other parameters: see `Normalizer`.
    """
    if axis not in (0, 1):
        raise ValueError(f"The 'axis' parameter must be one of 0, 1. Got {axis!r} instead.")
    model = Normalizer(norm)
    model._check_options()
    x = numbers(as_array(X))
    refuse_shapes(x, model)
    refuse_gaps(x, "X", model)
    table = x if axis == 1 else x.T
    norms = norms_of(table, norm)
    shares = px.where(norms == 0, px.asarray(1, x.dtype), norms)
    made = table / shares[:, None]
    made = given_as(X, made if axis == 1 else made.T)
    return (made, given_as(X, norms)) if return_norm else made


def binarize(X: Any, *, threshold: float = 0.0, copy: bool = True) -> Any:
    """Return 1 for features greater than `threshold`, else 0: see `Binarizer`."""
    return Binarizer(threshold=threshold).fit_transform(X)


def quantile_transform(
    X: Any,
    *,
    axis: int = 0,
    n_quantiles: int = 1000,
    output_distribution: str = "uniform",
    ignore_implicit_zeros: bool = False,
    subsample: int | None = 100_000,
    random_state: Any = None,
    copy: bool = True,
) -> Any:
    """Return features, or samples with axis 1, spread evenly: see `QuantileTransformer`.

    >>> from phalanx.ml.preprocessing import quantile_transform
    >>> quantile_transform([[1.0], [2.0], [4.0]], n_quantiles=3)
    array([[0. ],
           [0.5],
           [1. ]])
    """
    model = QuantileTransformer(
        n_quantiles=n_quantiles,
        output_distribution=output_distribution,
        ignore_implicit_zeros=ignore_implicit_zeros,
        subsample=subsample,
        random_state=random_state,
    )
    return _applied(model, X, axis)


def power_transform(
    X: Any, method: str = "yeo-johnson", *, standardize: bool = True, copy: bool = True
) -> Any:
    """Return features more like normal ones: see `PowerTransformer`."""
    return PowerTransformer(method, standardize=standardize).fit_transform(X)


def add_dummy_feature(X: Any, value: float = 1.0) -> Any:
    """Return samples with one more feature, the first, of `value`.

    Raises ValueError for other shapes, NaN and infinities.
    """
    x = numbers(as_array(X))
    refuse_shapes(x, "add_dummy_feature")
    refuse_gaps(x, "X", "add_dummy_feature")
    first = px.full((x.shape[0], 1), value, x.dtype, device=x.device)
    return given_as(X, px.concatenate([first, x], axis=1))
