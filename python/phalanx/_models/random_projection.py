"""Random projections: fewer dimensions in which distances stay about what they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from .base import ClassNamePrefixFeaturesOutMixin, Estimator, TransformerMixin
from .draws import drawn_once
from .exceptions import DataDimensionalityWarning, check_is_fitted, warn_user
from .options import BOOL, RANDOM, Rule, generator_of, one_of, real, whole
from .validation import components_back, given_as, samples


def johnson_lindenstrauss_min_dim(n_samples: Any, *, eps: Any = 0.1) -> Any:
    """Return how many dimensions keep squared distances within 1 - `eps` and 1 + `eps` of theirs.

    Of S. Dasgupta and A. Gupta, "An elementary proof of the Johnson-Lindenstrauss lemma" (1999).
    Both may be arrays; int64. Raises ValueError for `eps` outside (0, 1), and for no samples.

    >>> from phalanx.ml.random_projection import johnson_lindenstrauss_min_dim
    >>> int(johnson_lindenstrauss_min_dim(1000, eps=0.5))
    331
    """
    errors, counts = np.asarray(eps, np.float64), np.asarray(n_samples)
    if (errors <= 0).any() or (errors >= 1).any():
        raise ValueError(f"The JL bound is defined for eps in ]0, 1[, got {eps!r}")
    if (counts <= 0).any():
        raise ValueError(
            f"The JL bound is defined for n_samples greater than zero, got {n_samples!r}"
        )
    return (4 * np.log(counts) / (errors**2 / 2 - errors**3 / 3)).astype(np.int64)


class _Projection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):  # type: ignore[misc]
    """What random projections share; a class draws its directions."""

    n_components: Any
    eps: float
    compute_inverse_components: bool
    random_state: Any

    def _directions(self, count: int, features: int, random: Any) -> np.ndarray:
        raise NotImplementedError

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the directions for samples x features, whose shape and dtype alone count.

        Raises ValueError where ``"auto"`` asks for more dimensions than features, NaN and infinity,
        and what `check_options` raises. Warns (DataDimensionalityWarning) if `n_components` does.

        >>> from phalanx.ml.random_projection import GaussianRandomProjection
        >>> model = GaussianRandomProjection(n_components=2, random_state=0).fit(np.eye(4))
        >>> model.components_.shape
        (2, 4)
        """
        self._check_options()
        x = samples(self, X, fitting=True)
        count, features = x.shape
        self.n_components_ = self._count(count, features)
        drawn = self._directions(self.n_components_, features, generator_of(self.random_state))
        self.components_ = given_as(X, drawn.astype(x.dtype))
        if self.compute_inverse_components:
            self.inverse_components_ = given_as(X, np.linalg.pinv(drawn).astype(x.dtype))
        return self

    def _count(self, count: int, features: int) -> int:
        if self.n_components != "auto":
            if self.n_components > features:
                warn_user(
                    f"The number of components is higher than the number of features: n_features < "
                    f"n_components ({features} < {self.n_components}).The dimensionality of the "
                    "problem will not be reduced.",
                    DataDimensionalityWarning,
                )
            return int(self.n_components)
        made = int(johnson_lindenstrauss_min_dim(count, eps=self.eps))
        if made <= 0 or made > features:
            than = (
                "invalid"
                if made <= 0
                else (f"larger than the original space with n_features={features}")
            )
            raise ValueError(
                f"eps={self.eps:f} and n_samples={count} lead to a target dimension of {made} "
                f"which is {than}"
            )
        return made

    def transform(self, X: Any) -> Any:
        """Return samples x components, in the dtype of the samples.

        >>> from phalanx.ml.random_projection import GaussianRandomProjection
        >>> model = GaussianRandomProjection(n_components=2, random_state=0).fit(np.eye(4))
        >>> model.transform(np.eye(4)).shape
        (4, 2)
        """
        x = samples(self, X)
        across = np.ascontiguousarray(np.asarray(self.components_).T.astype(x.dtype))
        return given_as(X, x @ px.asarray(across).to_device(x.device))

    def inverse_transform(self, X: Any) -> Any:
        """Return samples x features of samples x components: the nearest by least squares.

        Raises ValueError for another number of components.

        >>> from phalanx.ml.random_projection import GaussianRandomProjection
        >>> model = GaussianRandomProjection(n_components=2, random_state=0).fit(np.eye(4))
        >>> model.inverse_transform(model.transform(np.eye(4))).shape
        (4, 4)
        """
        check_is_fitted(self)
        x = components_back(self, X, len(self.components_))
        back = (
            np.asarray(self.inverse_components_)
            if self.compute_inverse_components
            else np.linalg.pinv(np.asarray(self.components_))
        )
        across = np.ascontiguousarray(back.T.astype(x.dtype))
        return given_as(X, x @ px.asarray(across).to_device(x.device))


_RULES: Mapping[str, Rule] = {
    "n_components": whole(1) | one_of("auto"),
    "eps": real(0, closed="right"),
    "compute_inverse_components": BOOL,
    "random_state": RANDOM,
}


class GaussianRandomProjection(_Projection):
    """Random projection by normal numbers of variance 1 / components.

    Parameters are scikit-learn's, and so are the numbers of a seed. Attributes: `n_components_`,
    `components_` (components x features), `inverse_components_`, `n_features_in_`,
    `feature_names_in_`.

    >>> from phalanx.ml.random_projection import GaussianRandomProjection
    >>> model = GaussianRandomProjection(n_components=2, random_state=0)
    >>> model.fit_transform(np.eye(4)).shape
    (4, 2)
    """

    _rules: ClassVar[Mapping[str, Rule]] = _RULES

    def __init__(
        self,
        n_components: Any = "auto",
        *,
        eps: float = 0.1,
        compute_inverse_components: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.eps = eps
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state

    def _directions(self, count: int, features: int, random: Any) -> np.ndarray:
        return np.asarray(random.normal(0.0, 1 / np.sqrt(count), size=(count, features)))


class SparseRandomProjection(_Projection):
    """Random projection by numbers that are mostly 0, and otherwise all of one size.

    Of P. Li, T. Hastie and K. Church, "Very sparse random projections" (2006). Parameters are
    scikit-learn's, and so are the numbers of a seed, in an array that is not sparse; results never
    are. Attributes: as `GaussianRandomProjection`'s, and `density_`.

    >>> from phalanx.ml.random_projection import SparseRandomProjection
    >>> model = SparseRandomProjection(n_components=2, random_state=0)
    >>> model.fit_transform(np.eye(4)).shape
    (4, 2)
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **_RULES,
        "density": real(0, 1, "right") | one_of("auto"),
        "dense_output": BOOL,
    }

    def __init__(
        self,
        n_components: Any = "auto",
        *,
        density: Any = "auto",
        eps: float = 0.1,
        dense_output: bool = False,
        compute_inverse_components: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.density = density
        self.eps = eps
        self.dense_output = dense_output
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state

    def _directions(self, count: int, features: int, random: Any) -> np.ndarray:
        self.density_ = 1 / np.sqrt(features) if self.density == "auto" else self.density
        if self.density_ == 1:
            return (random.binomial(1, 0.5, (count, features)) * 2 - 1) / np.sqrt(count)
        columns = [
            drawn_once(features, random.binomial(features, self.density_), random)
            for _ in range(count)
        ]
        signs = random.binomial(1, 0.5, size=sum(map(len, columns))) * 2 - 1
        made = np.zeros((count, features))
        rows = np.repeat(np.arange(count), [len(each) for each in columns])
        made[rows, np.concatenate(columns)] = signs
        return made * (np.sqrt(1 / self.density_) / np.sqrt(count))
