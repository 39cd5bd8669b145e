"""Products of features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ... import cuda
from ..._arrays.launching import launch_alone, read, written
from ..base import Estimator, TransformerMixin
from ..exceptions import check_is_fitted
from ..features import names_of_input
from ..options import ARRAY, BOOL, Rule, one_of, whole
from ..tags import KeepsFloats
from ..validation import given_as, samples

_THREADS = 256
_MOST_BLOCKS = 1 << 14


@cache
def _products(dtype: str) -> Any:
    real = np.dtype(dtype).type

    @cuda.jit
    def products(x: Any, factors: Any, out: Any) -> None:
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for column in range(factors.shape[0]):
                product = real(1)
                for place in range(factors.shape[1]):
                    feature = factors[column, place]
                    if feature >= 0:
                        product *= x[i, feature]
                out[i, column] = product

    return products


class PolynomialFeatures(KeepsFloats, TransformerMixin, Estimator):  # type: ignore[misc]
    """Makes the products of up to `degree` features, also of one with itself.

    Parameters are scikit-learn's; `degree` may be the least and the greatest. Attributes:
    `powers_` (columns x features, int64), `n_output_features_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "degree": whole(0) | ARRAY,
        "interaction_only": BOOL,
        "include_bias": BOOL,
        "order": one_of("C").refusing("F"),
    }

    def __init__(
        self,
        degree: Any = 2,
        *,
        interaction_only: bool = False,
        include_bias: bool = True,
        order: str = "C",
    ) -> None:
        self.degree = degree
        self.interaction_only = interaction_only
        self.include_bias = include_bias
        self.order = order

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the number of features of samples x features.

        Raises ValueError for NaN, infinities, other shapes and degrees that leave no column, and
        what `check_options` raises.
        """
        self._check_options()
        self._range()
        samples(self, X, fitting=True)
        self.n_output_features_ = sum(1 for _ in self._columns())
        return self

    def _range(self) -> tuple[int, int]:
        """The least and the greatest degree."""
        given = (0, self.degree) if isinstance(self.degree, (int, np.integer)) else self.degree
        if len(given) != 2 or not 0 <= given[0] <= given[1]:
            raise ValueError(
                "degree=(min_degree, max_degree) must be non-negative integers that fulfil "
                f"min_degree <= max_degree, got {self.degree}."
            )
        if given[1] == 0 and not self.include_bias:
            raise ValueError(
                "Setting degree to zero and include_bias to False would result in an empty output "
                "array."
            )
        return int(given[0]), int(given[1])

    def _columns(self) -> Iterator[tuple[int, ...]]:
        """The features whose product each column is."""
        least, most = self._range()
        choose = combinations if self.interaction_only else combinations_with_replacement
        features = range(self.n_features_in_)
        made = (choose(features, degree) for degree in range(max(least, 1), most + 1))
        bias: list[tuple[int, ...]] = [()] if self.include_bias else []
        return chain(bias, chain.from_iterable(made))

    @property
    def powers_(self) -> np.ndarray:
        """The power of each feature in each column."""
        check_is_fitted(self)
        rows = [
            np.bincount(np.array(each, np.int64), minlength=self.n_features_in_)
            for each in self._columns()
        ]
        return np.array(rows).reshape(-1, self.n_features_in_)

    def transform(self, X: Any) -> Any:
        """Return samples x products, in the dtype of the samples. Raises ValueError as `fit`."""
        x = samples(self, X)
        columns = list(self._columns())
        factors = np.full((len(columns), max(self._range()[1], 1)), -1, np.int64)
        for row, column in zip(factors, columns, strict=True):
            row[: len(column)] = column
        out = px.empty((x.shape[0], len(columns)), x.dtype, device=x.device)
        blocks = max(min(-(-x.shape[0] // _THREADS), _MOST_BLOCKS), 1)
        table = px.asarray(factors, device=x.device)
        launch_alone(
            _products(x.dtype.name), blocks, _THREADS, x._device, read(x), read(table), written(out)
        )
        return given_as(X, out)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns, such as ``x0^2 x1``."""
        names = names_of_input(self, input_features)
        return np.array([_name(names, row) for row in self.powers_], dtype=object)


def _name(names: Any, powers: np.ndarray) -> str:
    used = [
        names[each] if powers[each] == 1 else f"{names[each]}^{powers[each]}"
        for each in np.flatnonzero(powers)
    ]
    return " ".join(used) or "1"
