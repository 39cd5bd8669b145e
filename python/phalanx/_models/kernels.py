"""Kernels of samples, as functions of their products: linear, polynomial, radial and sigmoid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .._arrays.ndarray import ndarray

LINEAR, POLYNOMIAL, RBF, SIGMOID, PRECOMPUTED = range(5)
KINDS = {
    "linear": LINEAR,
    "poly": POLYNOMIAL,
    "rbf": RBF,
    "sigmoid": SIGMOID,
    "precomputed": PRECOMPUTED,
}
_MOST_ELEMENTS = 1 << 22  # of a part of a kernel's matrix


class Kernel(NamedTuple):
    """A kernel's kind and numbers: ``gamma``, ``coef0`` and ``degree``, as scikit-learn's."""

    kind: int
    gamma: float = 1.0
    coef0: float = 0.0
    degree: float = 3

    def numbers(self) -> np.ndarray:
        """The numbers and the kind, as functions take them."""
        return np.array([self.gamma, self.coef0, self.degree, self.kind], np.float64)

    def of_products(self, products: Any) -> Any:
        """The kernel of samples from their products, arrays of NumPy's or ours; not of `RBF`."""
        library = px if isinstance(products, ndarray) else np
        if self.kind == POLYNOMIAL:
            return (self.gamma * products + self.coef0) ** self.degree
        if self.kind == SIGMOID:
            return library.tanh(self.gamma * products + self.coef0)
        return products

    def matrix(self, x: ndarray, others: ndarray) -> ndarray:
        """The kernel of each sample with each other, samples x others."""
        if self.kind != RBF:
            return self.of_products(x @ others.T)
        # Distances stay, and cancel less.
        middle = px.mean(others, axis=0)
        x, others = x - middle, others - middle
        squares = px.sum(x * x, axis=1)[:, None] + px.sum(others * others, axis=1)
        return px.exp(-self.gamma * px.maximum(squares - 2 * (x @ others.T), 0))


def parts(count: int, others: int) -> Iterator[slice]:
    """Parts of a number of samples, whose kernel with all others fits well in memory."""
    rows = max(_MOST_ELEMENTS // max(others, 1), 16)
    for first in range(0, count, rows):
        yield slice(first, min(first + rows, count))
