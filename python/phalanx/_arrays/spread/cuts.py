"""Where sorted parts are cut, so that what lies before has so many elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .core import start

_SAMPLE = 4096  # elements of a window that are looked at in a round

_Window = tuple[int, int]


def cuts(parts: Sequence[Any], ranks: Sequence[int]) -> list[list[int]]:
    """For each rank, how many elements of each part are among so many least ones of all.

    Equal elements are in the order of the parts; NaN and zeros as NumPy sorts them. In each round a
    regular sample of each part narrows the window in which its cut is, until all elements of the
    windows are known: three rounds for 1e9 (after P. Varman, S. Scheufler, B. Iyer and G. Ricard,
    "Merging multiple lists on hierarchical-memory multiprocessors", 1991).
    """
    windows = [[(0, int(part.size)) for part in parts] for _ in ranks]
    while any(low < high for row in windows for low, high in row):
        samples = _drawn(parts, {pair for row in windows for pair in enumerate(row)})
        windows = [_narrowed(row, samples, rank) for row, rank in zip(windows, ranks, strict=True)]
    return [[low for low, _ in row] for row in windows]


def _stride(window: _Window) -> int:
    low, high = window
    return max(1, -(-(high - low) // _SAMPLE))


def _drawn(
    parts: Sequence[Any], wanted: set[tuple[int, _Window]]
) -> dict[tuple[int, _Window], np.ndarray]:
    """The samples of windows of parts; each once, however many ranks look at it."""
    keys = sorted(wanted)
    views = [parts[part][low : high : _stride((low, high))] for part, (low, high) in keys]
    return {key: np.asarray(each) for key, each in zip(keys, start(views), strict=True)}


def _narrowed(
    windows: list[_Window], samples: Mapping[tuple[int, _Window], np.ndarray], rank: int
) -> list[_Window]:
    """The windows without what surely is before the cut, or after it."""
    drawn = [samples[pair] for pair in enumerate(windows)]
    owners = np.repeat(np.arange(len(windows)), [each.size for each in drawn])
    places = np.concatenate(
        [low + _stride((low, high)) * np.arange(len(each), dtype=np.int64)
         for (low, high), each in zip(windows, drawn, strict=True)]
    )  # fmt: skip
    order = np.argsort(np.concatenate(drawn), kind="stable")
    owners, places = owners[order], places[order]
    least, most = _before(windows, owners, places)
    made = []
    for number, (low, high) in enumerate(windows):
        inside = places[(owners == number) & (most < rank)]
        outside = places[(owners == number) & (least >= rank)]
        made.append((int(max(low, inside.max(initial=-1) + 1)), int(outside.min(initial=high))))
    return made


def _before(
    windows: list[_Window], owners: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each sample, in order, how many elements of all parts are before it: at least, at most.

    Of another part those up to its last sample before are, those from its next sample on are not.
    """
    least, most = np.zeros_like(places), np.zeros_like(places)
    for number, (low, high) in enumerate(windows):
        is_own = owners == number
        passed = np.maximum.accumulate(np.where(is_own, places + 1, low))
        coming = np.minimum.accumulate(np.where(is_own, places, high)[::-1])[::-1]
        least += np.where(is_own, places, passed)
        most += np.where(is_own, places, coming)
    return least, most
