"""Moving windows of rows: sums, moments, extremes, ends, and which rows windows of time have.

A thread takes some windows that follow one another. What they all have is folded once, out of the
states of aligned chunks of 8, 64, 512 and more rows; then rows are added, backward to the windows'
beginnings and forward to their ends. Nothing is taken back from a state, as on the host.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import read, written
from .kernels import full, launch_over
from .window_folds import KINDS as FOLDED
from .window_folds import fold_of, stored

_WIDTH = 8  # of chunks, in those of the level below, and of a thread's windows


class Windows(NamedTuple):
    """Where each window begins and ends: two arrays, or `first + i * step` and `last + i * step`,
    cut at the rows there are."""

    rows: int
    number: int
    starts: Any
    ends: Any
    first: int
    last: int
    step: int


class Parts(NamedTuple):
    """Device functions of a fold: a row added to a state, the state of a range of rows, and states
    to memory and back."""

    add_row: Any
    range_of: Any
    save: Any
    load: Any


@cache
def _parts(name: str) -> Parts:
    fold = fold_of(name)
    zero, single, merged = fold.zero, fold.single, fold.merged
    is_pair = name == "pairs"
    save, load = stored(len(fold.zero))

    @cuda.jit(device=True)
    def is_there(x: Any, keeps: Any) -> Any:
        return x - x == 0.0 or (keeps and x == x)

    @cuda.jit(device=True)
    def add_row(values: Any, second: Any, keeps: Any, row: Any, state: Any) -> Any:
        x = values[row]
        y = second[row] if is_pair else x
        if is_there(x, keeps) and is_there(y, keeps):
            state = merged(state, single(x, y))
        return state

    @cuda.jit(device=True)
    def part(values: Any, second: Any, keeps: Any, states: Any, place: Any, offset: Any) -> Any:
        """The state of a row, where the offset is negative, or of a chunk."""
        if offset >= 0:
            return load(states, offset + place)
        return add_row(values, second, keeps, place, zero)

    @cuda.jit(device=True)
    def range_of(values: Any, second: Any, keeps: Any, states: Any, low: Any, high: Any) -> Any:
        state = zero
        size = values.size
        offset = -size
        while low < high:
            while low < high and low % _WIDTH != 0:
                state = merged(state, part(values, second, keeps, states, low, offset))
                low += 1
            while low < high and high % _WIDTH != 0:
                high -= 1
                state = merged(state, part(values, second, keeps, states, high, offset))
            low //= _WIDTH
            high //= _WIDTH
            offset += size
            size //= _WIDTH
        return state

    return Parts(add_row, range_of, save, load)


@cache
def _chunks(name: str) -> tuple[Any, Any]:
    """Kernels that fold rows to chunks, and chunks to those of the next level."""
    fold, parts = fold_of(name), _parts(name)
    zero, merged = fold.zero, fold.merged
    add_row, save, load = parts.add_row, parts.save, parts.load

    @cuda.jit
    def fold_rows(values: Any, second: Any, keeps: Any, states: Any, size: Any) -> None:
        for chunk in range(cuda.grid(1), size, cuda.gridsize(1)):
            state = zero
            for k in range(_WIDTH):
                state = add_row(values, second, keeps, chunk * _WIDTH + k, state)
            save(states, chunk, state)

    @cuda.jit
    def fold_chunks(states: Any, source: Any, goal: Any, size: Any) -> None:
        for chunk in range(cuda.grid(1), size, cuda.gridsize(1)):
            state = zero
            for k in range(_WIDTH):
                state = merged(state, load(states, source + chunk * _WIDTH + k))
            save(states, goal + chunk, state)

    return fold_rows, fold_chunks


def _states(name: str, windows: Windows, values: Any, second: Any, keeps: bool) -> Any:
    """The states of all chunks, level after level; none of windows that no chunk fits."""
    sizes = []
    size = values.size // _WIDTH
    is_narrow = windows.starts is None and windows.last - windows.first < _WIDTH
    while size and not is_narrow:
        sizes.append(size)
        size //= _WIDTH
    states = px.empty(
        (len(fold_of(name).zero), max(sum(sizes), 1)), "float64", device=values.device
    )
    if not sizes:
        return states
    device = values._device
    fold_rows, fold_chunks = _chunks(name)
    launch_over(
        fold_rows, sizes[0], device, read(values), read(second), keeps, written(states), sizes[0]
    )
    offset = 0
    for below, size in pairwise(sizes):
        launch_over(fold_chunks, size, device, written(states), offset, offset + below, size)
        offset += below
    return states


@cache
def _slide(name: str) -> Any:  # noqa: C901 (a kernel and its two helpers)
    fold, parts = fold_of(name), _parts(name)
    zero, merged, result = fold.zero, fold.merged, fold.result
    add_row, range_of, save, load = parts
    numbers = len(zero)
    last_number = numbers - 1

    @cuda.jit(device=True)
    def edge(edges: Any, first: Any, step: Any, rows: Any, window: Any) -> Any:
        if edges.size > 0:
            return edges[window]
        return min(max(first + window * step, 0), rows)

    @cuda.jit(device=True)
    def finished(state: Any, form: Any, least: Any, ddof: Any) -> Any:
        if state[last_number] < least:
            return np.nan
        return result(state, form, ddof)

    @cuda.jit
    def slide_windows(
        columns: Any, states: Any, edges: Any, grid: Any, limits: Any, out: Any
    ) -> None:
        values, second = columns
        starts, ends = edges
        first, last, step, form, keeps = grid
        least, ddof = limits
        kept = cuda.local.array((numbers, _WIDTH), np.float64)
        rows = values.size
        count = out.size
        for chunk in range(cuda.grid(1), (count + _WIDTH - 1) // _WIDTH, cuda.gridsize(1)):
            begin = chunk * _WIDTH
            size = min(count - begin, _WIDTH)
            low = edge(starts, first, step, rows, begin + size - 1)
            pivot = edge(ends, last, step, rows, begin)
            is_shared = low < pivot
            state = zero
            # The number of windows is no constant, so that the loops are not unrolled: the code of
            # eight copies takes the compiler ten times as long.
            for k in range(size):
                i = size - 1 - k
                goal = edge(starts, first, step, rows, begin + i)
                if k == 0 or not is_shared:
                    stop = pivot if is_shared else edge(ends, last, step, rows, begin + i)
                    state = range_of(values, second, keeps, states, goal, max(goal, stop))
                while is_shared and low > goal:
                    low -= 1
                    state = add_row(values, second, keeps, low, state)
                save(kept, i, state)
            state = zero
            for i in range(size):
                goal = edge(ends, last, step, rows, begin + i)
                while is_shared and pivot < goal:
                    state = add_row(values, second, keeps, pivot, state)
                    pivot += 1
                out[begin + i] = finished(merged(load(kept, i), state), form, least, ddof)

    return slide_windows


def _folded(windows: Windows, wanted: Mapping[str, Any]) -> Any:
    """The numbers of a kind that is a fold's."""
    (name, form), values = FOLDED[wanted["kind"]], wanted["values"]
    second = wanted.get("second")
    second = values if second is None else second
    keeps = bool(wanted.get("infinities", False))
    out = full(windows.number, np.nan, np.float64, values.device)
    if windows.number == 0 or values.size == 0:
        if wanted.get("min_periods", 1) <= 0 and wanted["kind"] == "sum":
            return out * 0.0
        return out
    states = _states(name, windows, values, second, keeps)
    nothing = full(0, 0, np.int64, values.device)
    edges = [nothing if each is None else each for each in (windows.starts, windows.ends)]
    launch_over(
        _slide(name), -(-windows.number // _WIDTH), values._device,
        (read(values), read(second)), read(states), tuple(read(each) for each in edges),
        (windows.first, windows.last, windows.step, form, keeps),
        (float(wanted.get("min_periods", 1)), float(wanted.get("ddof", 1))), written(out),
    )  # fmt: skip
    return out


def _ends(windows: Windows, wanted: Mapping[str, Any]) -> Any:
    """The first or the last value of each window: the least or greatest of the rows that are
    there."""
    values = wanted["values"]
    if values.size == 0:
        return full(windows.number, np.nan, np.float64, values.device)
    rows = px.arange(values.size, dtype="float64", device=values.device)
    has = values == values if wanted.get("infinities") else px.isfinite(values)
    rows = px.where(has, rows, np.nan)
    kind = "min" if wanted["kind"] == "first" else "max"
    found = _folded(windows, {**wanted, "kind": kind, "values": rows})
    has = found == found
    return px.where(has, values[px.where(has, found, 0.0).astype(np.int64)], np.nan)


def slide(rows: int, bounds: tuple[Any, ...], requests: Sequence[Mapping[str, Any]]) -> list[Any]:
    """A float64 for each window and request, as `_engine.frames.slide`.

    With ``infinities`` in a request these are values, which in windows they are not. Raises
    ValueError for kinds that are not in `KINDS`.
    """
    if len(bounds) == 2:
        windows = Windows(rows, bounds[0].size, *bounds, 0, 0, 1)
    else:
        count, first, last, step = bounds
        windows = Windows(rows, count, None, None, first, last, step)
    made = []
    for wanted in requests:
        if wanted["kind"] not in KINDS:
            raise ValueError(f"there is no kind '{wanted['kind']}' of windows on a GPU")
        made.append((_ends if wanted["kind"] in _ENDS else _folded)(windows, wanted))
    return made


_ENDS = ("first", "last")
KINDS = frozenset((*FOLDED, *_ENDS))


@cache
def _spans() -> Any:
    @cuda.jit(device=True)
    def first_after(times: Any, low: Any, high: Any, bound: Any, sign: Any, or_equal: Any) -> Any:
        while low < high:
            middle = low + (high - low) // 2
            time = times[middle] * sign
            if time > bound or (or_equal and time == bound):
                high = middle
            else:
                low = middle + 1
        return low

    @cuda.jit
    def find_edges(
        times: Any, bounds: Any, reach: Any, closed: Any, starts: Any, ends: Any
    ) -> None:
        back, ahead = reach
        has_start, has_end, is_sought = closed
        for row in range(cuda.grid(1), times.size, cuda.gridsize(1)):
            run = first_after(bounds, 0, bounds.size, row, 1, False) - 1
            first, last = bounds[run], bounds[run + 1]
            sign = -1 if times[last - 1] < times[first] else 1
            time = times[row] * sign
            start = first_after(times, first, last, time - back, sign, has_start)
            start = row if row == first else min(start, row)
            stop = row + 1
            if is_sought:
                stop = first_after(times, first, last, time + ahead, sign, not has_end)
            starts[row] = start
            ends[row] = max(start, stop)

    return find_edges


def span_edges(times: Any, bounds: Any, span: int, keywords: Mapping[str, bool]) -> tuple[Any, Any]:
    """Where windows of time begin and end, as `_engine.frames.span_edges`."""
    starts, ends = (full(times.size, 0, np.int64, times.device) for _ in range(2))
    if times.size:
        is_centered, has_end = keywords["center"], keywords["closed_right"]
        back = span // 2 if is_centered else span
        launch_over(
            _spans(), times.size, times._device, read(times), read(bounds),
            (back, back if is_centered else 0),
            (keywords["closed_left"], has_end, is_centered or not has_end),
            written(starts), written(ends),
        )  # fmt: skip
    return starts, ends
