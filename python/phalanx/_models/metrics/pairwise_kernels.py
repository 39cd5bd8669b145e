"""Kernels between all pairs of samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..kernels import POLYNOMIAL, RBF, SIGMOID, Kernel
from ..neighbors.distances import MANHATTAN, all_sums
from ..validation import given_as
from .pairwise import pair_of_samples, with_length_1


def linear_kernel(X: Any, Y: Any = None, dense_output: bool = True) -> Any:
    """Return the product of each sample of `X` with each of `Y`, or of `X`: samples x others.

    Both are samples x features; float32 stays if both have it. Raises ValueError for other shapes,
    NaN and infinity, as all of this module do. `dense_output` has no effect.
    """
    x, others = pair_of_samples(X, Y)
    return given_as(X, x @ others.T)


def cosine_similarity(X: Any, Y: Any = None, dense_output: bool = True) -> Any:
    """Return the cosine between each sample of `X` and each of `Y`, 0 for samples of length 0."""
    x, others = pair_of_samples(X, Y)
    return given_as(X, with_length_1(x) @ with_length_1(others).T)


def _with(kind: int, X: Any, Y: Any, gamma: float | None, more: tuple[float, ...] = ()) -> Any:
    x, others = pair_of_samples(X, Y)
    number = 1 / x.shape[1] if gamma is None else float(gamma)
    return given_as(X, Kernel(kind, number, *more).matrix(x, others).astype(x.dtype))


def polynomial_kernel(
    X: Any, Y: Any = None, degree: float = 3, gamma: float | None = None, coef0: float = 1
) -> Any:
    """Return ``(gamma * x y + coef0) ** degree``; `gamma` is 1 by the features unless given."""
    return _with(POLYNOMIAL, X, Y, gamma, (coef0, degree))


def sigmoid_kernel(X: Any, Y: Any = None, gamma: float | None = None, coef0: float = 1) -> Any:
    """Return ``tanh(gamma * x y + coef0)``; `gamma` is 1 by the features unless given."""
    return _with(SIGMOID, X, Y, gamma, (coef0,))


def rbf_kernel(X: Any, Y: Any = None, gamma: float | None = None) -> Any:
    """Return ``exp(-gamma * |x - y|^2)``; `gamma` is 1 by the features unless given."""
    return _with(RBF, X, Y, gamma)


def laplacian_kernel(X: Any, Y: Any = None, gamma: float | None = None) -> Any:
    """Return exp of -gamma times the sum of the sizes of differences."""
    x, others = pair_of_samples(X, Y)
    number = 1 / x.shape[1] if gamma is None else float(gamma)
    return given_as(X, px.exp(-number * all_sums(others, x, MANHATTAN)).astype(x.dtype))


def additive_chi2_kernel(X: Any, Y: Any = None) -> Any:
    """Return minus the sum of ``(x - y)^2 / (x + y)``, where a feature of both 0 counts nothing.

    Of histograms; J. Zhang et al., "Local features and kernels for classification of texture and
    object categories" (2007). Raises ValueError for negative numbers, too.
    """
    x, others = pair_of_samples(X, Y)
    for name, values in (("X", x), ("Y", others)):
        if values.size and bool(px.min(values) < 0):
            raise ValueError(f"{name} contains negative values.")
    rows = [_chi2(x, other) for other in others]
    return given_as(X, px.stack(rows, axis=1) if rows else px.empty((len(x), 0), x.dtype))


def _chi2(x: Any, other: Any) -> Any:
    both, apart = x + other, x - other
    return -px.sum(px.where(both != 0, apart * apart / px.where(both != 0, both, 1), 0), axis=1)


def chi2_kernel(X: Any, Y: Any = None, gamma: float = 1.0) -> Any:
    """Return exp of `gamma` times `additive_chi2_kernel`. Raises what that raises."""
    return given_as(X, px.exp(px.asarray(additive_chi2_kernel(X, Y)) * float(gamma)))


# Of each name the kernel, and the parameters that it takes.
_KERNELS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "additive_chi2": (additive_chi2_kernel, ()),
    "chi2": (chi2_kernel, ("gamma",)),
    "cosine": (cosine_similarity, ()),
    "laplacian": (laplacian_kernel, ("gamma",)),
    "linear": (linear_kernel, ()),
    "poly": (polynomial_kernel, ("gamma", "degree", "coef0")),
    "polynomial": (polynomial_kernel, ("gamma", "degree", "coef0")),
    "rbf": (rbf_kernel, ("gamma",)),
    "sigmoid": (sigmoid_kernel, ("gamma", "coef0")),
}


def pairwise_kernels(
    X: Any,
    Y: Any = None,
    metric: Any = "linear",
    *,
    filter_params: bool = False,
    n_jobs: int | None = None,
    **kwds: Any,
) -> Any:
    """Return a kernel of each sample of `X` and each of `Y`, or of `X`: samples x others.

    `metric` is ``"precomputed"``, the name of a kernel of this module without its ending, or a
    function of two samples, which is called for each pair; `kwds` are the kernel's parameters, of
    which `filter_params` drops those that it has not. `n_jobs` has no effect. Raises ValueError for
    other names, and what the kernel raises.
    """
    if metric == "precomputed":
        return X
    if callable(metric):
        x, others = (np.asarray(each) for each in pair_of_samples(X, Y))
        made = [[float(metric(one, other, **kwds)) for other in others] for one in x]
        return given_as(X, np.array(made, np.float64).reshape(len(x), len(others)))
    if metric not in _KERNELS:
        raise ValueError(f"Unknown kernel {metric!r}: it may be one of {[*_KERNELS]} or a function")
    kernel, names = _KERNELS[metric]
    given = {name: kwds[name] for name in kwds if name in names} if filter_params else kwds
    return kernel(X, Y, **given)
