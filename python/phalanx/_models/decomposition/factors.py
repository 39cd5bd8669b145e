"""Singular values and right vectors of samples x features, in the way that their shape asks for."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..pair_products import pair_products
from ..sparse_samples import SparseSamples
from .tall_qr import orthogonal

_MOST_FEATURES = 1000  # whose products in pairs are a small matrix
_TALL = 10  # so many times as many samples as features: the products are worth it


class Factors(NamedTuple):
    """Singular values, the greatest first, and their right vectors as rows, both float64 or as X.

    `squares` is the sum of the squares of all singular values, also of those that are left out.
    """

    values: np.ndarray
    vectors: np.ndarray
    squares: float


def is_tall(x: ndarray) -> bool:
    """True if there are so many samples that products of the features in pairs are cheapest."""
    return x.shape[1] <= _MOST_FEATURES and x.shape[0] >= _TALL * x.shape[1]


def by_products(x: ndarray, middle: ndarray | None = None) -> Factors:
    """All factors, exact, from one read of the samples: by the products of features in pairs."""
    return of_products(pair_products(x, middle))


def of_products(products: np.ndarray) -> Factors:
    """All factors of samples whose products of features in pairs are known."""
    squares, vectors = np.linalg.eigh(products)
    squares = np.maximum(squares[::-1], 0)
    return Factors(np.sqrt(squares), _with_signs(vectors.T[::-1]), float(squares.sum()))


def by_all(x: ndarray, middle: ndarray | None = None) -> Factors:
    """All factors, exact, without products: the small ones are right, too."""
    moved = x if middle is None else x - middle
    _, values, vectors = px.linalg.svd(moved, full_matrices=False)
    values = np.asarray(values)
    return Factors(
        values, _with_signs(np.asarray(vectors)), float((values.astype(np.float64) ** 2).sum())
    )


class Draw(NamedTuple):
    """How `by_chance` looks for factors: `more` vectors than factors, `rounds` or ``"auto"``."""

    more: int
    rounds: Any
    normalizer: str
    random: Any


def by_chance(x: Any, middle: ndarray | None, count: int, draw: Draw) -> Factors:
    """The greatest factors, from products with `count` and some more random vectors.

    Algorithms 4.3 and 5.1 of N. Halko, P. G. Martinsson and J. A. Tropp, "Finding structure with
    randomness" (2011). Rounds of products with x and its transpose sharpen them. They are
    made orthogonal between rounds unless the normalizer is ``"none"``, or ``"auto"`` for few.
    """
    moved = x if middle is None else x - middle
    is_sparse = isinstance(moved, SparseSamples)
    values_there = moved.values if is_sparse else moved
    squares = float(px.sum(values_there * values_there, dtype=np.float64))
    is_wide = moved.shape[0] < moved.shape[1]
    if is_wide:
        moved = moved.T if is_sparse else px.ascontiguousarray(moved.T)
    least = min(moved.shape)
    few, many = 4, 7
    rounds = draw.rounds if draw.rounds != "auto" else many if count < 0.1 * least else few
    normalizer = draw.normalizer
    if normalizer == "auto":
        normalizer = "none" if rounds <= 2 else "QR"
    drawn = draw.random.normal(size=(moved.shape[1], count + draw.more)).astype(x.dtype)
    basis = px.asarray(drawn).to_device(x.device)
    for _ in range(rounds):
        basis = _straight(moved @ basis, normalizer)
        basis = _straight(moved.T @ basis, normalizer)
    basis = orthogonal(moved @ basis)[0]
    others, factor = orthogonal(moved.T @ basis)
    left, values, right = np.linalg.svd(factor.T)
    vectors = np.asarray(basis) @ left if is_wide else np.asarray(others) @ right.T
    vectors = np.ascontiguousarray(vectors.T.astype(x.dtype, copy=False))
    return Factors(values[:count], _with_signs(vectors[:count]), squares)


def _straight(basis: ndarray, normalizer: str) -> ndarray:
    """Vectors that span the same space and are orthogonal, so that small ones are not lost."""
    return basis if normalizer == "none" else orthogonal(basis, exactly=False)[0]


def _with_signs(vectors: np.ndarray) -> np.ndarray:
    """Rows whose greatest element in size is positive, as a factor's sign is anybody's choice."""
    largest = np.argmax(np.abs(vectors), axis=1)
    signs = np.sign(vectors[np.arange(len(vectors)), largest])
    return vectors * np.where(signs == 0, 1, signs)[:, None].astype(vectors.dtype)
