"""Rows of texts moved: each is a run of bytes between two offsets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import engine

# Offsets, bytes, and which rows are there (None: all).
Parts = tuple[ndarray, ndarray, ndarray | None]


def take(parts: Parts, rows: ndarray, has_missing: bool) -> Parts:
    """The rows at some positions; -1 gives a missing one if `has_missing`."""
    if engine.is_on_gpu(parts[0]):
        from ..._texts.engine import take as by_kernels

        rows = px.asarray(rows, dtype=np.int64, device=parts[0].device)
        return by_kernels(("string", *parts), rows, has_missing)
    wanted = np.ascontiguousarray(rows, np.int64)
    return _arrays(engine.of_host("take_strings", key_of(parts), wanted))


def key_of(parts: Parts) -> tuple[str, np.ndarray, np.ndarray, np.ndarray | None]:
    """Texts as the engine takes them."""
    offsets, text, valid = parts
    mask = None if valid is None else np.ascontiguousarray(valid)
    return "string", np.ascontiguousarray(offsets), np.ascontiguousarray(text), mask


def _arrays(found: Any) -> Parts:
    offsets, text, valid = (None if each is None else px.asarray(each) for each in found)
    return offsets, text, valid  # type: ignore[return-value]


def concatenate(parts: Sequence[Parts]) -> Parts:
    """Some columns one after the other; their offsets need not begin at 0."""
    if not any(engine.is_on_gpu(each[0]) for each in parts):
        return _arrays(engine.of_host("concatenate_strings", [key_of(each) for each in parts]))
    offsets, texts, base = [], [], 0
    for each, text, _ in parts:
        first, last = int(each[0]), int(each[-1])
        offsets.append(each[:-1] + (base - first))
        texts.append(text[first:last])
        base += last - first
    offsets.append(px.full_like(offsets[0], base, shape=(1,)))
    valid = None
    if any(each[2] is not None for each in parts):
        valid = px.concatenate([_present(each) for each in parts])
    return px.concatenate(offsets), px.concatenate(texts), valid


def _present(parts: Parts) -> ndarray:
    valid = parts[2]
    return px.ones_like(parts[0][1:], dtype=bool) if valid is None else valid


def ranks(parts: Parts) -> np.ndarray:
    """The place of each text among the different ones in order, missing ones last."""
    codes, _, firsts = engine.group_rows([key_of(parts)])
    offsets, text, _ = engine.of_host("take_strings", key_of(parts), firsts)
    order = engine.order_rows([("string", offsets, text, None)])
    places = np.empty(len(order) + 1, np.int64)
    places[order] = np.arange(len(order))
    places[-1] = len(order)
    return np.asarray(places[codes])
