"""Means and centered products of samples, of blocks that are merged."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ..pair_products import by_tiles, goes_by_tiles
from .source import Block, Source, columns_of, refuse_no_weight


class Moments(NamedTuple):
    """Of features and targets beside each other: means and products in pairs; float64."""

    samples: int
    total: float  # of the weights
    mean: np.ndarray
    products: np.ndarray
    features: int
    dtype: np.dtype
    has_one_target: bool
    is_weighted: bool


def _table(block: Block) -> Any:
    """Features and targets beside each other, float64."""
    x = block.x.astype(np.float64)
    if block.y is None:
        return x
    return px.concatenate([x, columns_of(block).astype(np.float64)], axis=1)


def _mean(values: Any, weight: Any, total: float) -> np.ndarray:
    shares = values if weight is None else values * weight[:, None]
    return np.asarray(px.sum(shares, axis=0, dtype=np.float64)) / (total or 1.0)


def _products(block: Block, y: Any, mean: np.ndarray, weight: Any) -> np.ndarray:
    if goes_by_tiles(block.x, 0 if y is None else y.shape[1]):
        return by_tiles(block.x, y, mean, weight)
    moved = _table(block) - px.asarray(mean, device=block.x.device)
    left = moved if weight is None else moved * weight[:, None]
    return np.asarray(left.T @ moved)


def _of_block(block: Block, is_plain: bool) -> Moments:
    if is_plain:
        block = block._replace(weight=None)
    weight = None if block.weight is None else block.weight.astype(np.float64)
    total = float(block.x.shape[0] if weight is None else px.sum(weight))
    y = None if block.y is None else columns_of(block)
    mean = _mean(block.x, weight, total)
    if y is not None:
        mean = np.append(mean, _mean(y, weight, total))
    is_column = block.y is None or block.y.ndim == 1
    count, features = block.x.shape
    return Moments(
        count,
        total,
        mean,
        _products(block, y, mean, weight),
        features,
        block.x.dtype,
        is_column,
        weight is not None,
    )


def _merged(first: Moments, second: Moments) -> Moments:
    """Of both blocks: T. Chan, G. Golub and R. LeVeque, "Updating formulae" (1979)."""
    total = first.total + second.total
    apart = second.mean - first.mean
    share = second.total / total if total else 0.0
    return first._replace(
        samples=first.samples + second.samples,
        total=total,
        mean=first.mean + apart * share,
        products=first.products + second.products + np.outer(apart, apart) * (first.total * share),
        dtype=np.promote_types(first.dtype, second.dtype),
        is_weighted=first.is_weighted or second.is_weighted,
    )


def moments_of(blocks: Source, *, least: int = 1, is_plain: bool = False) -> Moments:
    """Moments of all samples, in one read; those without weights if `is_plain`.

    Raises ValueError for fewer than `least` samples, and for weights that are all 0.
    """
    made: Moments = blocks.reduced(_of_block, _merged, is_plain)
    if made.samples < least:
        raise ValueError(
            f"Found array with {made.samples} sample(s) while a minimum of {least} is required."
        )
    refuse_no_weight(made.total)
    return made


def uncentered(moments: Moments) -> np.ndarray:
    """The products of features and targets that are not less their means."""
    return moments.products + np.outer(moments.mean, moments.mean) * moments.total


def _triangle(block: Block, middle: np.ndarray) -> np.ndarray:
    table = np.asarray(_table(block)) - middle
    if block.weight is not None:
        table *= np.sqrt(np.asarray(block.weight, np.float64))[:, None]
    return np.asarray(np.linalg.qr(table, mode="r"))


def _triangle_of_both(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.qr(np.vstack([first, second]), mode="r"))


def triangle_of(blocks: Source, middle: np.ndarray) -> np.ndarray:
    """The triangular factor of all samples less `middle`, times the roots of their weights.

    By the factors of blocks: J. Demmel, L. Grigori, M. Hoemmen and J. Langou, "Communication-
    optimal parallel and sequential QR" (2012). Nothing is squared, so that small singular values
    are right, too.
    """
    return np.asarray(blocks.reduced(_triangle, _triangle_of_both, middle))
