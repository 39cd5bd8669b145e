"""Texts as results: sizes are known, and their sums say where each row's bytes go."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import read, written
from .._grouping.kernels import launch_over
from .offsets import offsets_of
from .texts import not_empty, shift_of


@cache
def _copy() -> Any:
    @cuda.jit
    def copy_runs(runs: Any, goals: Any, text: Any, shift: Any, out: Any) -> None:
        starts, sizes = runs
        lanes = np.int64(1) << shift
        for i in range(cuda.grid(1), np.int64(sizes.size) << shift, cuda.gridsize(1)):
            row = i >> shift
            begin = starts[row]
            goal = goals[row]
            for k in range(i & (lanes - 1), sizes[row], lanes):
                out[goal + k] = text[begin + k]

    return copy_runs


@cache
def _cycle() -> Any:
    @cuda.jit
    def repeat_runs(runs: Any, goals: Any, totals: Any, text: Any, shift: Any, out: Any) -> None:
        starts, sizes = runs
        lanes = np.int64(1) << shift
        for i in range(cuda.grid(1), np.int64(totals.size) << shift, cuda.gridsize(1)):
            row = i >> shift
            begin = starts[row]
            size = sizes[row]
            goal = goals[row]
            for k in range(i & (lanes - 1), totals[row], lanes):
                out[goal + k] = text[begin + k % size]

    return repeat_runs


def copy_to(out: Any, goals: Any, starts: Any, sizes: Any, text: Any) -> None:
    """Writes to `goals` the bytes of `text` that begin at `starts`, for each row as many as sizes.

    All are int64 vectors but the bytes.
    """
    if out.size and sizes.size:
        shift = shift_of(out.size, sizes.size)
        given = ((read(starts), read(sizes)), read(goals), read(not_empty(text)), shift)
        launch_over(_copy(), sizes.size << int(shift), out._device, *given, written(out))


def repeat_to(out: Any, goals: Any, totals: Any, runs: tuple[Any, Any], text: Any) -> None:
    """The same for `totals` bytes of each row: its run again and again. No run of them is empty."""
    if out.size and totals.size:
        shift = shift_of(out.size, totals.size)
        given = (tuple(map(read, runs)), read(goals), read(totals), read(not_empty(text)), shift)
        launch_over(_cycle(), totals.size << int(shift), out._device, *given, written(out))


def room_for(sizes: Any) -> tuple[Any, Any]:
    """Offsets of rows of some sizes, and bytes to write to."""
    offsets = offsets_of(sizes)
    return offsets, px.empty(int(offsets[-1]), dtype="uint8", device=sizes.device)


def copied(starts: Any, sizes: Any, text: Any) -> tuple[Any, Any]:
    """Offsets and bytes of a column of runs of a text."""
    offsets, out = room_for(sizes)
    copy_to(out, offsets[:-1], starts, sizes, text)
    return offsets, out
