"""The nearest of samples in blocks: the nearest of each block, merged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._arrays.spread.array import SpreadArray
from ..._arrays.spread.layout import Layout
from ..._arrays.spread.threads import run_on
from ..neighbors.distances import Metric, nearest_rows
from .on_devices import OnDevices
from .source import Block, result_of

Near = tuple[np.ndarray, np.ndarray]


def near_in(x: Any, first: int, queries: Any, count: int, metric: Metric) -> Near:
    """The distances of queries to the nearest samples `x`, and their rows, which begin at `first`.

    On the host, queries x neighbors: as many as there are, at most `count`.
    """
    own = queries.astype(x.dtype)
    distances, rows = nearest_rows(own, x, min(count, x.shape[0]), metric)
    return np.asarray(distances), np.asarray(rows) + first


def nearest_of(count: int, parts: Sequence[Near | None]) -> Near:
    """The nearest of all blocks; of equal ones that of the lowest row."""
    there = [each for each in parts if each is not None]
    if not there:
        return np.empty((0, count)), np.empty((0, count), np.int64)
    distances = np.concatenate([each for each, _ in there], axis=1)
    rows = np.concatenate([each for _, each in there], axis=1)
    order = np.argsort(distances, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(distances, order, 1), np.take_along_axis(rows, order, 1)


def _samples(block: Block) -> Any:
    return block.x


def kept(model: Any, X: Any) -> SpreadArray:
    """The checked samples of a model's `fit`, which stay on their devices. Raises as `samples`."""
    found = OnDevices.of(model, X).each(_samples)
    first = result_of(next((each for each in found if each is not None), None))
    parts = [
        first[:0].to_device(device) if each is None else each.to_device(device)
        for each, device in zip(found, X.group, strict=True)
    ]
    return SpreadArray(X.group, parts, 0)


def nearest_in(x: Any, others: SpreadArray, count: int, metric: Metric) -> Near:
    """The nearest of samples that are spread, on the host; queries go to all devices."""
    if isinstance(x, SpreadArray):
        found = [nearest_in(part, others, count, metric) for part in x.parts if len(part)]
        distances, rows = zip(*found, strict=True)
        return np.concatenate(distances), np.concatenate(rows)
    x._evaluate()  # here, not by several threads

    def near(part: Any, first: int) -> Near | None:
        if not len(part):
            return None
        return near_in(part, first, x.to_device(part.device), count, metric)

    firsts = [first for first, _ in others.layout.bounds]
    return nearest_of(count, run_on(others.group, near, others.parts, firsts))


def like(x: SpreadArray, values: np.ndarray) -> SpreadArray:
    """An array of the host with a row for each sample, spread as these are."""
    return x.group.asarray(values).placed(x.group, Layout(0, x.layout.sizes))
