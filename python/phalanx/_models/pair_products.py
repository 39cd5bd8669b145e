"""Products of columns in pairs, summed over the samples: of features, and of features and targets.

Samples in the host's memory are read once. Tiles of them, less the middle, are written column by
column in float64 where they stay in a core's caches, and sums of products of two columns with four
others go through registers. Samples elsewhere, and of many features, take products of matrices.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from .. import njit, prange
from .._arrays.ndarray import ndarray
from .preprocessing.column_loops import is_on_host

_FAST = {"contract", "reassoc"}
_TILE = 128  # samples of a tile
# A column of a tile is a little longer: at a power of two all columns would fall into few sets of
# the cache.
_LENGTH = _TILE + 8
_ACROSS = 4  # columns whose products with two others are summed at a time
_MOST_COLUMNS = 128  # of which a tile fits into the second cache
_MOST_PARTS = 64
_TOGETHER = 8  # samples whose features are columns beside each other
_FEWEST = 16  # tiles of a part
# Elements of the samples that go into one product of matrices: they stay in a core's cache.
_PRODUCT = 1 << 19


@njit(fastmath=_FAST)
def _write_columns(x: Any, y: Any, middle: Any, own: Any) -> None:
    """The columns of a tile's samples, and nothing where it has fewer than others."""
    rows, features = x.shape
    targets = y.shape[1]
    for i in range(rows):
        row, target = x[i], y[i]
        for j in range(features):
            own[j, i] = row[j] - middle[j]
        for j in range(targets):
            own[features + j, i] = target[j] - middle[features + j]
    own[:, rows:] = 0.0


@njit(fastmath=_FAST)
def _weigh(own: Any, weight: Any, left: Any) -> None:
    for j in range(own.shape[0]):
        for i in range(weight.shape[0]):
            left[j, i] = own[j, i] * weight[i]
    left[:, weight.shape[0] :] = 0.0


@njit(fastmath=_FAST)
def _add_pairs(left: Any, own: Any, total: Any) -> None:
    """The upper triangle, and beside the diagonal some of the lower one."""
    width = own.shape[0]
    for i in range(0, width, 2):
        a, b = left[i], left[i + 1]
        for j in range(i // _ACROSS * _ACROSS, width, _ACROSS):
            c, d, e, f = own[j], own[j + 1], own[j + 2], own[j + 3]
            ac = ad = ae = af = bc = bd = be = bf = 0.0
            for k in range(_TILE):
                ac += a[k] * c[k]
                ad += a[k] * d[k]
                ae += a[k] * e[k]
                af += a[k] * f[k]
                bc += b[k] * c[k]
                bd += b[k] * d[k]
                be += b[k] * e[k]
                bf += b[k] * f[k]
            total[i, j] += ac
            total[i, j + 1] += ad
            total[i, j + 2] += ae
            total[i, j + 3] += af
            total[i + 1, j] += bc
            total[i + 1, j + 1] += bd
            total[i + 1, j + 2] += be
            total[i + 1, j + 3] += bf


@cache
def _sums(has_weight: bool) -> Any:
    @njit(parallel=True, fastmath=_FAST)
    def sums(x: Any, y: Any, middle: Any, weight: Any, out: Any) -> None:
        parts, width, count = out.shape[0], out.shape[1], x.shape[0]
        tiles = (count + _TILE - 1) // _TILE
        each = (tiles + parts - 1) // parts
        for part in prange(parts):
            own = np.zeros((width, _LENGTH))
            left = np.zeros((width, _LENGTH)) if has_weight else own
            for tile in range(part * each, min(tiles, (part + 1) * each)):
                first, last = tile * _TILE, min((tile + 1) * _TILE, count)
                _write_columns(x[first:last], y[first:last], middle, own)
                if has_weight:
                    _weigh(own, weight[first:last], left)
                _add_pairs(left, own, out[part])

    return sums


def goes_by_tiles(x: ndarray, targets: int = 0) -> bool:
    """True for samples of few features in the host's memory, row after row.

    Of one column alone, products of matrices are sums of squares.
    """
    return is_on_host(x) and 1 < x.shape[1] + targets <= _MOST_COLUMNS


def by_tiles(x: ndarray, y: ndarray | None, middle: np.ndarray, weight: Any) -> np.ndarray:
    """The products of features and targets beside each other, less `middle`, times `weight`.

    `x` (samples x features), for which `goes_by_tiles`, and `y` (samples x targets) or None;
    `middle` has a number a column, `weight` one a sample, or is None. All numbers are float64 in
    the sums; the result is columns x columns, on the host.
    """
    columns = len(middle)
    width = -(-columns // _ACROSS) * _ACROSS
    parts = max(1, min(_MOST_PARTS, x.shape[0] // (_TILE * _FEWEST)))
    out = np.zeros((parts, width, width))
    targets = np.empty((x.shape[0], 0), x.dtype) if y is None else np.ascontiguousarray(y)
    shares = np.zeros(1) if weight is None else np.ascontiguousarray(weight, np.float64)
    middles = np.ascontiguousarray(middle, np.float64)
    _sums(weight is not None)(np.asarray(x), targets, middles, shares, out)
    total = out.sum(axis=0)[:columns, :columns]
    return np.asarray(np.triu(total) + np.triu(total, 1).T)


def feature_means(x: ndarray) -> ndarray:
    """The means of features, float64, where the samples are.

    Few features, row after row in the host's memory, are summed as eight times as many columns.
    """
    count, features = x.shape
    if not goes_by_tiles(x) or count < _TILE:
        return px.mean(x, axis=0, dtype=np.float64)
    rows = count // _TOGETHER * _TOGETHER
    sums = px.sum(x[:rows].reshape(-1, _TOGETHER * features), axis=0, dtype=np.float64)
    total = np.asarray(sums).reshape(_TOGETHER, features).sum(axis=0)
    total += np.asarray(x[rows:], np.float64).sum(axis=0)
    return px.asarray(total / count, device=x.device)


def pair_products(x: ndarray, middle: ndarray | None = None) -> np.ndarray:
    """The sums over samples of products of features in pairs, less `middle`; float64."""
    count, features = x.shape
    if goes_by_tiles(x):
        none = np.zeros(features)
        return by_tiles(x, None, none if middle is None else np.asarray(middle), None)
    total = np.zeros((features, features))
    rows = max(1, _PRODUCT // features)
    for first in range(0, count, rows):
        part = x[first : first + rows]
        if middle is not None:
            part = part - middle
        total += np.asarray(part.T @ part)
    return total
