"""Rows of texts moved and compared: each is a run of bytes between two offsets.

`starts` and `lengths` are int64 arrays with an element for each row, `text` the bytes of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray


def offsets_of(lengths: ndarray) -> ndarray:
    """Where each text begins, and at last where the last one ends."""
    offsets: ndarray = px.concatenate([px.zeros_like(lengths, shape=(1,)), px.cumsum(lengths)])
    return offsets


def gather(starts: ndarray, lengths: ndarray, text: ndarray) -> tuple[ndarray, ndarray]:
    """The bytes of some rows one after the other, and their offsets."""
    offsets = offsets_of(lengths)
    return offsets, text[_positions(starts, lengths, offsets)]


def _positions(starts: ndarray, lengths: ndarray, offsets: ndarray) -> ndarray:
    """The position of each byte of some rows."""
    count = int(offsets[-1])
    places: ndarray = px.repeat(starts - offsets[:-1], lengths)
    places += px.arange(count, device=starts.device)
    return places


def concatenate(parts: Sequence[tuple[ndarray, ndarray]]) -> tuple[ndarray, ndarray]:
    """The offsets and bytes of some columns, whose offsets need not begin at 0, as those of one."""
    offsets, texts, base = [], [], 0
    for each, text in parts:
        first, last = int(each[0]), int(each[-1])
        offsets.append(each[:-1] + (base - first))
        texts.append(text[first:last])
        base += last - first
    offsets.append(px.full_like(offsets[0], base, shape=(1,)))
    return px.concatenate(offsets), px.concatenate(texts)


def equal(left: tuple[ndarray, ndarray, ndarray], right: tuple[ndarray, ndarray, ndarray]) -> Any:
    """Which rows have the same bytes; each side is (starts, lengths, text)."""
    same: Any = left[1] == right[1]
    # Only rows of the same length are compared byte by byte.
    lengths = px.where(same, left[1], 0)
    offsets = offsets_of(lengths)
    mine = left[2][_positions(left[0], lengths, offsets)]
    others = right[2][_positions(right[0], lengths, offsets)]
    differing = offsets_of((mine != others).astype(np.int64))
    same &= differing[offsets[1:]] == differing[offsets[:-1]]
    return same


def equal_to(starts: ndarray, lengths: ndarray, text: ndarray, wanted: bytes) -> Any:
    """Which rows are one text."""
    same: Any = lengths == len(wanted)
    if not wanted or text.shape[0] == 0:
        return same
    rows = px.flatnonzero(same)
    places = starts[rows][:, None] + px.arange(len(wanted), device=starts.device)
    letters = px.asarray(np.frombuffer(wanted, np.uint8), device=starts.device)
    same[rows] = (text[places] == letters).all(axis=1)
    return same
