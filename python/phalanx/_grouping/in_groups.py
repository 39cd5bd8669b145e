"""A number for each row out of its group's rows: running sums, shifts, ranks; rows by place."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import launch_alone, read, written
from .digits import joint_digits, parts_of
from .groups import heads_of
from .kernels import full, put
from .sorted_groups import InOrder, by_group
from .words import Word, words_of

METHODS = ("average", "min", "max", "first", "dense")
RUNNING = ("sum", "product", "min", "max", "count")


def _places(codes: Any, order: InOrder) -> tuple[Any, Any]:
    """Of the rows in order: the place of each in its group, and how many rows the group has."""
    own = codes[order.rows]
    at = px.arange(order.rows.size, dtype="int64", device=codes.device)
    return at - order.begins[own], order.counts[own]


def shifted_rows(codes: Any, groups: int, periods: int) -> Any:
    """The row that is `periods` before each in its group, -1 where there is none (int64)."""
    out = full(codes.size, -1, np.int64, codes.device)
    order = by_group(codes, groups)
    if order.rows.size == 0 or abs(periods) >= codes.size:
        return out
    places, counts = _places(codes, order)
    goals = places - periods
    has = (goals >= 0) & (goals < counts)
    last = np.int64(order.rows.size - 1)
    at = px.clip(px.arange(order.rows.size, dtype="int64", device=codes.device) - periods, 0, last)
    return put(out, order.rows, px.where(has, order.rows[at], np.int64(-1)).astype(np.int64))


def rows_at_places(codes: Any, groups: int, first: int, last: int | None) -> Any:
    """The rows (int64) whose places in their groups are in first:last, as of a slice."""
    order = by_group(codes, groups)
    if order.rows.size == 0:
        return full(0, 0, np.int64, codes.device)
    places, counts = _places(codes, order)
    begin = places >= (first if first >= 0 else px.maximum(counts + first, 0))
    is_in = begin if last is None else begin & (places < (last if last >= 0 else counts + last))
    mask = put(full(codes.size, False, np.bool_, codes.device), order.rows, is_in)
    return px.flatnonzero(mask)


@cache
def _joined(kind: str, wide: Any) -> Any:
    @cuda.jit(device=True)
    def add(one: Any, other: Any) -> Any:
        return wide(one + other)

    @cuda.jit(device=True)
    def multiply(one: Any, other: Any) -> Any:
        return wide(one * other)

    @cuda.jit(device=True)
    def lesser(one: Any, other: Any) -> Any:
        return min(one, other)

    @cuda.jit(device=True)
    def greater(one: Any, other: Any) -> Any:
        return max(one, other)

    return {"sum": add, "product": multiply, "min": lesser, "max": greater}[kind]


@cache
def _scan(kind: str, wide: Any) -> Any:
    joined = _joined(kind, wide)

    @cuda.jit
    def scan_groups(values: Any, rows: Any, begins: Any, counts: Any, out: Any) -> None:
        lane = cuda.laneid
        for group in range(cuda.grid(1) // 32, counts.size, cuda.gridsize(1) // 32):
            begin, count = begins[group], counts[group]
            before = wide(0)
            for first in range(0, count, 32):
                own = wide(0)
                if first + lane < count:
                    own = wide(values[rows[begin + first + lane]])
                for power in range(5):
                    lower = cuda.shfl_up_sync(0xFFFFFFFF, own, 1 << power)
                    if lane >= 1 << power:
                        own = joined(lower, own)
                if first > 0:
                    own = joined(before, own)
                if first + lane < count:
                    out[rows[begin + first + lane]] = own
                before = cuda.shfl_sync(0xFFFFFFFF, own, 31)

    return scan_groups


def running(
    codes: Any, groups: int, kind: str, values: Any = None, valid: Any = None
) -> tuple[Any, Any]:
    """For each row what its group's rows up to it make, or "count" of those before it; and which
    there are, None if all.

    Raises ValueError for other kinds.
    """
    if kind not in RUNNING:
        raise ValueError(f"there is no running '{kind}'")
    if kind == "count":
        order = by_group(codes, groups)
        out = full(codes.size, 0, np.int64, codes.device)
        if order.rows.size:
            put(out, order.rows, _places(codes, order)[0])
        return out, codes >= 0
    there = codes >= 0 if valid is None else (codes >= 0) & valid
    if values.dtype.kind in "mM":
        values = values.view(np.int64)
        there = there & (values != np.iinfo(np.int64).min)
    elif values.dtype.kind == "f":
        there = there & (values == values)
    order = by_group(codes, groups, there=there)
    wide = _running_type(values.dtype, kind)
    held: Any = np.dtype("float64") if wide.kind == "f" else wide
    out = full(codes.size, 0, held, codes.device)
    if order.rows.size:
        blocks = max(min(-(-groups // 8), 1 << 14), 1)
        given = (read(each) for each in (values, order.rows, order.begins, order.counts))
        kernel = _scan(kind, held.type)
        launch_alone(kernel, blocks, 256, codes._device, *given, written(out))
    return out.astype(wide), there


def _running_type(dtype: np.dtype, kind: str) -> np.dtype:
    if kind in ("min", "max") or dtype.kind == "f":
        return dtype
    return np.dtype("uint64" if dtype.kind == "u" else "int64")


def _key_words(key: tuple[Any, ...], is_down: bool) -> tuple[list[Word], Any]:
    """The words of a column's values, turned for an order that goes down; which are there."""
    (parts,) = parts_of([key])
    digits = [digit for part in parts for digit in joint_digits([part], False)[0]]
    if is_down:
        digits = [
            each._replace(numbers=each.numbers.dtype.type(each.limit - 1) - each.numbers)
            for each in digits
        ]
    there = None if parts[0].missing is None else ~parts[0].missing
    return words_of(digits), there


def best_rows(
    codes: Any, groups: int, column: tuple[Any, Any], count: int, greatest: bool = True
) -> tuple[Any, Any]:
    """The rows (int64) of the greatest values (array, valid) of each group, the best first, the
    groups in order; and where groups begin and the last one ends."""
    if count < 0:
        raise ValueError("the number of rows is not negative")
    words, there = _key_words(("values", *column), greatest)
    order = by_group(codes, groups, *words, there=there)
    taken = px.minimum(order.counts, count)
    zero = px.zeros(1, "int64", device=codes.device)
    begins = px.concatenate([zero, px.cumsum(taken)])
    if order.rows.size == 0:
        return order.rows.astype(np.int64), begins
    places, _ = _places(codes, order)
    return order.rows[px.flatnonzero(places < count)].astype(np.int64), begins


def rank_rows(
    codes: Any, groups: int, key: tuple[Any, ...], method: str = "average", descending: bool = False
) -> tuple[Any, Any]:
    """Each row's rank in its group from 1 on (float64), and which there are.

    Raises ValueError for a method that is not known.
    """
    if method not in METHODS:
        raise ValueError(f"there is no rank '{method}'")
    words, there = _key_words(key, descending)
    order = by_group(codes, groups, *words, there=there)
    out = full(codes.size, np.nan, np.float64, codes.device)
    if order.rows.size == 0:
        return out, codes >= 0 if there is None else (codes >= 0) & there
    places, _ = _places(codes, order)
    at = px.arange(order.rows.size, dtype="int64", device=codes.device)
    heads = heads_of([*words, Word(codes, groups)], order.rows)
    run = px.cumsum(heads.astype(np.int64)) - 1
    firsts = px.flatnonzero(heads)
    end = px.asarray(np.array([order.rows.size]), device=codes.device)
    lasts = px.concatenate([firsts[1:], end]) - 1
    low, high = places[firsts][run] + 1, (places - at)[firsts][run] + lasts[run] + 1
    own = codes[order.rows]
    ranks: dict[str, Callable[[], Any]] = {
        "first": lambda: places + 1,
        "min": lambda: low,
        "max": lambda: high,
        "average": lambda: (low + high) / 2,
        "dense": lambda: run - run[order.begins[own]] + 1,
    }
    made = ranks[method]()
    put(out, order.rows, made.astype(np.float64))
    return out, out == out
