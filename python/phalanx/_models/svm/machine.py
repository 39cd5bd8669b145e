"""What support vector machines share: their kernel, what they keep, and scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import Estimator
from ..exceptions import ConvergenceWarning, warn_user
from ..kernels import KINDS, PRECOMPUTED, Kernel, parts
from ..options import BOOL, FUNCTION, Rule, one_of, real, whole
from ..validation import given_as, samples, weights
from .smo import Limits, Solution

RULES: dict[str, Rule] = {
    "kernel": one_of(*KINDS) | FUNCTION,
    "degree": whole(0),
    "gamma": one_of("scale", "auto") | real(0),
    "coef0": real(closed="neither"),
    "tol": real(0, closed="neither"),
    "C": real(0, closed="right"),
    "nu": real(0, 1, closed="right"),
    "epsilon": real(0),
    "shrinking": BOOL,
    "cache_size": real(0, closed="neither"),
    "verbose": whole(0) | BOOL,
    "max_iter": whole(-1),
}


def rules_without(*names: str) -> dict[str, Rule]:
    """The rules of a machine that has not these parameters."""
    return {name: rule for name, rule in RULES.items() if name not in names}


_FLOAT64 = (np.dtype(np.float64),)


class KernelMachine(Estimator):
    """A model whose scores are sums of the kernel with some of the samples of `fit`."""

    _rules: ClassVar[Mapping[str, Rule]]
    kernel: Any
    gamma: Any
    degree: int
    coef0: float
    tol: float
    cache_size: float
    max_iter: int
    verbose: int
    support_: Any
    support_vectors_: Any
    dual_coef_: Any
    intercept_: Any

    def __sklearn_tags__(self) -> Any:
        """Return the tags: samples are pairs where the kernel is computed before."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _training(self, X: Any) -> tuple[np.ndarray, Kernel]:
        """The samples on the host, float64, or the matrix of what gives it; and the kernel.

        Raises ValueError for matrices that are not square, and what `samples` raises.
        """
        x = np.asarray(samples(self, X, fitting=True, dtypes=_FLOAT64))
        self.shape_fit_ = x.shape
        if callable(self.kernel):
            self._fitted = x
            x = self._matrix_of_function(x)
            if x.shape[0] != x.shape[1]:
                raise ValueError("X.shape[0] should be equal to X.shape[1]")
        elif self.kernel == "precomputed" and x.shape[0] != x.shape[1]:
            raise ValueError(
                "Precomputed matrix must be a square matrix. "
                f"Input is a {x.shape[0]}x{x.shape[1]} matrix."
            )
        self._gamma = self._number_of_gamma(x)
        return x, self._made_kernel()

    def _number_of_gamma(self, x: np.ndarray) -> float:
        if self._is_matrix:
            return 0.0
        if self.gamma == "scale":
            spread = float(x.var())
            return 1.0 / (x.shape[1] * spread) if spread else 1.0
        return 1.0 / x.shape[1] if self.gamma == "auto" else float(self.gamma)

    @property
    def _is_matrix(self) -> bool:
        return callable(self.kernel) or bool(self.kernel == "precomputed")

    def _made_kernel(self) -> Kernel:
        kind = PRECOMPUTED if self._is_matrix else KINDS[self.kernel]
        return Kernel(kind, self._gamma, self.coef0, self.degree)

    def _matrix_of_function(self, x: np.ndarray) -> np.ndarray:
        made = np.asarray(self.kernel(x, self._fitted), np.float64)
        if made.ndim != 2 or made.shape[0] != x.shape[0]:
            raise ValueError(f"the function of kernel= returned an array of shape {made.shape}")
        return made

    def _limits(self) -> Limits:
        return Limits(self.tol, self.max_iter, self.cache_size, bool(self.verbose))

    def _warn_of(self, *solutions: Solution) -> None:
        """Set `fit_status_`, and warn of problems that were not solved."""
        self.fit_status_ = int(not all(each.has_converged for each in solutions))
        if self.fit_status_:
            warn_user(
                f"Solver terminated early (max_iter={self.max_iter}). Consider pre-processing your "
                "data with StandardScaler or MinMaxScaler.",
                ConvergenceWarning,
            )
        if not all(np.isfinite(each.intercepts).all() for each in solutions):
            raise ValueError(
                "The dual coefficients or intercepts are not finite. The input data may contain "
                "large values and need to be preprocessed."
            )

    def _weight(self, sample_weight: Any, count: int) -> np.ndarray:
        made = weights(sample_weight, px.empty((count, 1), np.float64))
        return np.ones(count) if made is None else np.asarray(made, np.float64)

    def _keep(
        self, X: Any, x: np.ndarray, support: np.ndarray, dual: np.ndarray, intercept: np.ndarray
    ) -> None:
        """Set what scores are made of: `dual` is rows x samples."""
        vectors = np.empty((0, 0)) if self._is_matrix else x[support]
        self.support_ = given_as(X, support.astype(np.int32))
        self.support_vectors_ = given_as(X, vectors)
        self.dual_coef_ = given_as(X, np.ascontiguousarray(dual[:, support]))
        self.intercept_ = given_as(X, intercept)

    def _table(self) -> np.ndarray:
        """The shares of the support vectors, one row a score."""
        return np.asarray(self.dual_coef_)

    def _scores(self, X: Any) -> ndarray:
        """Samples x scores, where the samples are. Raises what `samples` raises."""
        x = samples(self, X, dtypes=_FLOAT64)
        if callable(self.kernel):
            x = px.asarray(self._matrix_of_function(np.asarray(x)), device=x.device)
        table = px.asarray(self._table().T, device=x.device)
        added = px.asarray(np.asarray(self.intercept_), device=x.device)
        if not table.shape[0]:
            return px.zeros((x.shape[0], 1), np.float64, device=x.device) + added
        made = [self._part(x[rows]) @ table for rows in parts(x.shape[0], table.shape[0])]
        return (made[0] if len(made) == 1 else px.concatenate(made)) + added

    def _part(self, x: ndarray) -> ndarray:
        if self._is_matrix:
            return x[:, px.asarray(np.asarray(self.support_), device=x.device)]
        others = px.asarray(np.asarray(self.support_vectors_), device=x.device)
        return self._made_kernel().matrix(x, others)

    @property
    def coef_(self) -> Any:
        """The coefficients of features, of a linear kernel only: else AttributeError."""
        if self.kernel != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        made = self._table() @ np.asarray(self.support_vectors_)
        made = given_as(self.dual_coef_, made)
        if isinstance(made, np.ndarray):  # to write to it would not change the model
            made.flags.writeable = False
        return made
