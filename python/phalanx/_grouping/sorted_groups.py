"""The rows of each group next to each other, by value too: medians, quantiles, distinct values."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import launch_alone, read, written
from .folding import folded
from .kernels import counts_of
from .words import Word, order_of


class InOrder(NamedTuple):
    """Rows by group, where each group begins in them, and how many it has (both int64)."""

    rows: Any
    begins: Any
    counts: Any


def by_group(codes: Any, count: int, *words: Word, there: Any = None) -> InOrder:
    """The rows that are in a group, by group and then by words, equal ones as they are.

    `there` leaves rows out (None: none).
    """
    if there is not None:
        codes = px.where(there, codes, codes.dtype.type(-1))
    counts = folded("count", codes, count, codes, "int64")
    begins = px.cumsum(counts) - counts
    total = int(px.sum(counts))
    if total == 0:
        return InOrder(px.zeros(0, "int64", device=codes.device), begins, counts)
    rows = None if total == codes.size else px.flatnonzero(codes >= 0)
    unsigned = np.uint32 if count <= 1 << 32 else np.uint64
    rows = order_of([Word(codes.astype(unsigned), count), *words], rows)
    return InOrder(rows, begins, counts)


def quantiles(values: Any, order: InOrder, quantile: float, between: str) -> Any:
    """A quantile of each group as numpy.quantile has it; NaN of groups without rows.

    `between` is linear, lower, higher, nearest or midpoint.
    """
    place = quantile * (order.counts - 1).astype(np.float64)
    low, high = px.floor(place), px.ceil(place)
    part = place - low
    if between == "nearest":  # as pandas: halves go to the even one
        low = high = px.rint(place)
    low, high = (px.maximum(each, 0.0).astype(np.int64) for each in (low, high))
    moved = values[order.rows]
    if moved.size == 0:
        return px.full(len(order.counts), np.nan, dtype="float64", device=values.device)
    last = np.int64(moved.size - 1)
    below, above = (
        moved[px.minimum(order.begins + each, last)].astype(np.float64) for each in (low, high)
    )
    if between in ("lower", "nearest"):
        made = below
    elif between == "higher":
        made = above
    elif between == "midpoint":
        made = px.where(low == high, below, (below + above) / 2)
    else:
        made = px.where(part == 0, below, below + (above - below) * part)
    return px.where(order.counts > 0, made, np.nan)


@cache
def _product(wide: Any) -> Any:
    one = wide(1)

    @cuda.jit
    def multiply_groups(values: Any, rows: Any, begins: Any, counts: Any, out: Any) -> None:
        lane = cuda.laneid
        for group in range(cuda.grid(1) // 32, counts.size, cuda.gridsize(1) // 32):
            product = one
            for i in range(lane, counts[group], 32):
                product = wide(product * wide(values[rows[begins[group] + i]]))
            step = 16
            while step > 0:
                product = wide(product * cuda.shfl_xor_sync(0xFFFFFFFF, product, step))
                step //= 2
            if lane == 0:
                out[group] = product

    return multiply_groups


def products(values: Any, order: InOrder, dtype: Any) -> Any:
    """The product of each group, a warp for each."""
    count = len(order.counts)
    out = px.ones(count, np.dtype(dtype).name, device=values.device)
    if count and len(values):
        blocks = max(min(-(-count // 8), 1 << 14), 1)
        given = (read(values), read(order.rows), read(order.begins), read(order.counts))
        launch_alone(
            _product(np.dtype(dtype).type), blocks, 256, values._device, *given, written(out)
        )
    return out


def distinct(words: list[Word], codes: Any, count: int, there: Any) -> Any:
    """How many different rows of words each group has (int64)."""
    order = by_group(codes, count, *words, there=there)
    if order.rows.size == 0:
        return px.zeros(count, "int64", device=codes.device)
    own = codes[order.rows]
    differs = own[1:] != own[:-1]
    for word in words:
        moved = word.numbers[order.rows]
        differs = differs | (moved[1:] != moved[:-1])
    first = px.ones(1, "bool", device=codes.device)
    heads = px.concatenate([first, differs])
    return counts_of(own[px.flatnonzero(heads)], count).astype(np.int64)
