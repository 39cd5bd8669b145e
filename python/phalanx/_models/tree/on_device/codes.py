"""Features in bins on a GPU: the same bins as on the host, of the same samples."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .... import cuda
from ...._arrays.launching import launch_alone, read, written
from ...._arrays.ndarray import ndarray
from ..binning import Bins, drawn_rows, edges_of
from .shapes import BINS

_THREADS = 256
_MOST_BLOCKS = 1 << 14
_FARTHEST = 1e300


class Binned(NamedTuple):
    """Samples in bins, a record each; and the least and the greatest value of each bin."""

    records: ndarray
    ranges: np.ndarray  # features x 2 x bins, float64


def bins_on_device(x: ndarray, random: Any) -> Bins:
    """The bins of samples x features, as `binning.bins_of` makes them of the rows it draws."""
    count, features = x.shape
    rows = drawn_rows(count, None, random).rows
    values = x if isinstance(rows, slice) else x[px.asarray(rows, device=x.device)]
    ordered = px.sort(px.ascontiguousarray(values.T), axis=1)
    if x.dtype == np.float64:
        ordered = px.clip(ordered, -_FARTHEST, _FARTHEST)
    is_new = ordered[:, 1:] != ordered[:, :-1]
    distinct = np.asarray(px.sum(is_new, axis=1)) + 1
    wanted, is_middle = _places_of_quantiles(ordered.shape[1])
    found = np.asarray(ordered[:, px.asarray(wanted, device=x.device)]).astype(np.float64)
    made = Bins(np.full((features, BINS), np.inf), np.zeros(features, np.int32))
    for feature in range(features):
        if distinct[feature] <= BINS:
            new = px.flatnonzero(is_new[feature]) + 1
            later = np.asarray(ordered[feature][new])
            edges = edges_of(np.append(np.asarray(ordered[feature, :1]), later), None, BINS)
        else:
            edges = np.unique(_quantiles(found[feature], is_middle))
        made.edges[feature, : len(edges)] = edges
        made.counts[feature] = len(edges) + 1
    return made


def _places_of_quantiles(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Where NumPy finds quantiles of that many sorted numbers, and which are between two."""
    places = count * (np.linspace(0, 100, BINS + 1)[1:-1] / 100) - 1
    lower = np.floor(places)
    is_middle = places == lower
    last = count - 1
    pair = np.stack([lower, lower + 1]).clip(0, last).astype(np.int64)
    return pair.reshape(-1), is_middle


def _quantiles(found: np.ndarray, is_middle: np.ndarray) -> np.ndarray:
    """As `np.percentile` by the method ``"averaged_inverted_cdf"``, to the last digit."""
    lower, upper = np.split(found, 2)
    return np.asarray(np.where(is_middle, upper - (upper - lower) * 0.5, upper))


@cache
def _coder(pitch: int, dtype: str) -> Any:
    """The kernel that writes the bin of each number, and moves the ranges of bins."""

    @cuda.jit
    def code(x: Any, edges: Any, counts: Any, records: Any, ranges: Any) -> None:
        features = x.shape[1]
        for place in range(cuda.grid(1), x.shape[0] * features, cuda.gridsize(1)):
            i, f = place // features, place % features
            given = x[i, f]
            value = np.float64(given)
            first = 0
            last = counts[f] - 1
            while first < last:
                middle = (first + last) >> 1
                if value <= edges[f, middle]:
                    last = middle
                else:
                    first = middle + 1
            records[i * pitch + f] = np.uint8(first)
            # Few values are beyond those before: most of the time nothing is written.
            at = f * 2 * BINS + first
            if given < cuda.ldcg(ranges, at):
                cuda.atomic.min(ranges, at, given)
            if given > cuda.ldcg(ranges, at + BINS):
                cuda.atomic.max(ranges, at + BINS, given)

    return code


@cache
def _class_writer(pitch: int, features: int) -> Any:
    @cuda.jit
    def write(classes: Any, records: Any) -> None:
        for i in range(cuda.grid(1), classes.shape[0], cuda.gridsize(1)):
            records[i * pitch + features] = np.uint8(classes[i])

    return write


def binned(x: ndarray, bins: Bins, pitch: int) -> Binned:
    """The record of each sample, without its class."""
    count, features = x.shape
    records = px.zeros(count * pitch, np.uint8, device=x.device)
    extremes = np.empty((features, 2, BINS), x.dtype)
    extremes[:, 0], extremes[:, 1] = np.inf, -np.inf
    ranges = px.asarray(extremes.reshape(-1), device=x.device)
    edges, counts = (px.asarray(each, device=x.device) for each in bins)
    blocks = min(-(-count * features // _THREADS), _MOST_BLOCKS)
    given = read(x), read(edges), read(counts), written(records), written(ranges)
    launch_alone(_coder(pitch, x.dtype.name), blocks, _THREADS, x._device, *given)
    made = np.asarray(ranges).astype(np.float64).reshape(features, 2, BINS)
    return Binned(records, made)


def write_classes(records: ndarray, classes: ndarray, pitch: int, features: int) -> None:
    """Put the class of each sample into its record."""
    blocks = min(-(-len(classes) // _THREADS), _MOST_BLOCKS)
    kernel = _class_writer(pitch, features)
    given = read(classes), written(records)
    launch_alone(kernel, blocks, _THREADS, records._device, *given)
