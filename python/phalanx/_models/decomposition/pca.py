"""Principal component analysis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..options import BOOL, NONE, RANDOM, Rule, generator_of, one_of, real, whole
from ..pair_products import feature_means
from ..validation import given_as, samples
from .components import Components
from .factors import Draw, Factors, by_all, by_chance, by_products, is_tall
from .rank import likeliest_rank

_SMALL = 500  # samples and features of which all factors are quickly found


class PCA(Components):
    """Principal component analysis: samples less their mean along orthogonal directions.

    The directions have the greatest variances. Where there are ten times as many samples as
    features they come from one read of the samples, by the covariances, which is exact:
    `svd_solver` ``"auto"``, ``"covariance_eigh"``, ``"arpack"`` and ``"randomized"`` do so. Of
    other shapes ``"arpack"`` finds all factors and keeps some, and ``"randomized"`` draws vectors
    as scikit-learn draws them (Halko, Martinsson and Tropp, 2011).

    Parameters are scikit-learn's. Attributes: `components_` (components x features),
    `explained_variance_`, `explained_variance_ratio_`, `singular_values_` (one a component),
    `mean_` (one a feature), all in the dtype of the samples; `n_components_`, `n_samples_`,
    `noise_variance_`, `n_features_in_`, `feature_names_in_`. Arrays are NumPy's unless `fit` got
    ours.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_components": whole(0) | real(0, 1, "neither") | one_of("mle") | NONE,
        "copy": BOOL,
        "whiten": BOOL,
        "svd_solver": one_of("auto", "full", "covariance_eigh", "arpack", "randomized"),
        "tol": real(0),
        "iterated_power": one_of("auto") | whole(0),
        "n_oversamples": whole(1),
        "power_iteration_normalizer": one_of("auto", "QR", "LU", "none"),
        "random_state": RANDOM,
    }

    def __init__(
        self,
        n_components: Any = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: str = "auto",
        tol: float = 0.0,
        iterated_power: Any = "auto",
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components of samples x features; float32 stays, others become float64.

        Raises ValueError for more components than samples or features, fewer than two samples, NaN
        and infinity, and what `check_options` raises.
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return samples x components."""
        return given_as(X, self._coordinates(self._fit(X)))

    def _fit(self, X: Any) -> ndarray:
        self._check_options()
        x = samples(self, X, fitting=True, least=2)
        solver = self._solver(x)
        wanted = self._wanted(x, solver)
        middle = feature_means(x).astype(x.dtype)
        factors = self._factors(x, middle, solver, wanted)
        self._keep(X, x, middle, factors, wanted)
        return x

    def _solver(self, x: ndarray) -> str:
        if self.svd_solver == "full" or self.svd_solver == "covariance_eigh":
            return self.svd_solver
        if self.svd_solver != "auto":
            if isinstance(self.n_components, str) or 0 < (self.n_components or 0) < 1:
                raise ValueError(
                    f"n_components={self.n_components!r} cannot be a string or a share with "
                    f"svd_solver={self.svd_solver!r}: use 'full' or 'covariance_eigh'"
                )
            return self.svd_solver
        if is_tall(x):
            return "covariance_eigh"
        least = min(x.shape)
        few = self.n_components is not None and not isinstance(self.n_components, str)
        if max(x.shape) <= _SMALL or not few or not 1 <= self.n_components < 0.8 * least:
            return "full"
        return "randomized"

    def _wanted(self, x: ndarray, solver: str) -> Any:
        """The number of components, or what decides on it: a share or ``"mle"``."""
        least, wanted = min(x.shape), self.n_components
        if wanted is None:
            return least - 1 if solver == "arpack" else least
        if wanted == "mle":
            if x.shape[0] < x.shape[1]:
                raise ValueError("n_components='mle' is only supported if n_samples >= n_features")
            return wanted
        fewest = int(solver in ("arpack", "randomized"))
        if not (fewest <= wanted <= least):
            raise ValueError(
                f"n_components={wanted!r} must be between {fewest} "
                f"and min(n_samples, n_features)={least!r} with svd_solver={solver!r}"
            )
        if solver == "arpack" and wanted == least:
            raise ValueError(
                f"n_components={wanted!r} must be strictly less than min(n_samples, "
                f"n_features)={least!r} with svd_solver='arpack'"
            )
        return wanted

    def _factors(self, x: ndarray, middle: ndarray, solver: str, wanted: Any) -> Factors:
        if solver == "covariance_eigh" or (solver != "full" and is_tall(x)):
            return by_products(x, middle)
        if solver != "randomized":
            return by_all(x, middle)
        normalizer, random = self.power_iteration_normalizer, generator_of(self.random_state)
        draw = Draw(self.n_oversamples, self.iterated_power, normalizer, random)
        return by_chance(x, middle, wanted, draw)

    def _keep(self, X: Any, x: ndarray, middle: ndarray, factors: Factors, wanted: Any) -> None:
        variances = factors.values.astype(np.float64) ** 2 / (x.shape[0] - 1)
        total = factors.squares / (x.shape[0] - 1)
        shares = variances / total if total > 0 else np.full_like(variances, np.nan)
        if wanted == "mle":
            wanted = likeliest_rank(variances.astype(x.dtype), x.shape[0])
        elif 0 < wanted < 1:
            wanted = int(np.searchsorted(np.cumsum(shares), wanted, side="right")) + 1
        wanted = min(int(wanted), len(variances))
        is_all = len(variances) > min(x.shape)  # also those that few samples cannot have
        left = (len(variances) if is_all else min(x.shape)) - wanted
        noise = (total - variances[:wanted].sum()) / left if wanted < min(x.shape) else 0.0

        def kept(values: Any) -> Any:
            return given_as(X, np.ascontiguousarray(values[:wanted], x.dtype))

        self.n_components_ = wanted
        self.n_samples_ = x.shape[0]
        self.noise_variance_ = max(float(noise), 0.0)
        self.mean_ = given_as(X, middle)
        self.components_ = kept(factors.vectors)
        self.explained_variance_ = kept(variances)
        self.explained_variance_ratio_ = kept(shares)
        self.singular_values_ = kept(factors.values)

    def score_samples(self, X: Any) -> Any:
        """Return the logarithm of each sample's likelihood under the model.

        Of M. Tipping and C. Bishop, "Mixtures of probabilistic principal component analysers"
        (1999).
        """
        x = samples(self, X)
        precision = self.get_precision().astype(x.dtype)
        moved = x - px.asarray(self.mean_).astype(x.dtype)
        apart = px.sum(moved * (moved @ px.asarray(precision)), axis=1)
        constant = x.shape[1] * np.log(2 * np.pi) - np.linalg.slogdet(precision)[1]
        return given_as(X, -0.5 * (apart + float(constant)))

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean of `score_samples`."""
        return float(np.mean(np.asarray(self.score_samples(X))))
