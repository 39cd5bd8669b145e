"""Sorting over devices: buckets of a sample's splitters, of which each device has one."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from .. import coerce, creation, joining, sequences, sets, sorting
from ..axes import one
from . import exchanging, merging
from .core import Core, flat, start

_SAMPLE = 4096  # elements of each part that splitters are chosen from


def sort(x: Core, axis: int | None = -1, kind: Any = None, *, stable: bool | None = None) -> Any:
    """A sorted copy by `phalanx.sort`'s rules.

    Along the split axis of one dimension each element moves to the device that has its bucket, and
    is sorted there (Frazer and McKellar 1970, "Samplesort"). So the parts' sizes are those of the
    buckets: of few different elements they are uneven. Those of GPUs are nearly equal. With more
    axes the array is split along another one meanwhile.
    """
    x, along = _whole(x, axis)
    options = {"kind": kind, "stable": stable}
    if along != x.axis:
        return x.each(lambda part: sorting.sort(part, axis=along, **options))
    if x.ndim > 1:
        return sort(x.respread(axis=_other(x)), along, **options).respread(axis=x.axis)
    if not _has_buckets(x):
        return x.group.asarray(sorting.sort(x.gather(), **options))
    if merging.takes(x):
        made = exchanging.sort(x) if sorting.is_plain(kind, None, stable) else None
        return merging.sort(x, **options) if made is None else made
    return x.like([sorting.sort(each, **options) for each in start(_exchanged(x, [x])[0])])


def argsort(x: Core, axis: int | None = -1, kind: Any = None, *, stable: bool | None = None) -> Any:
    """The indices (int64) that sort, in the whole array; equal elements keep their order."""
    x, along = _whole(x, axis)
    if along != x.axis:
        return x.each(lambda part: sorting.argsort(part, axis=along, stable=True))
    if x.ndim > 1:
        return argsort(x.respread(axis=_other(x)), along).respread(axis=x.axis)
    if not _has_buckets(x):
        return x.group.asarray(sorting.argsort(x.gather(), stable=True))
    values, places = _exchanged(x, [x, positions(x)])
    orders = [sorting.argsort(each, stable=True) for each in start(values)]
    return x.like([place[order] for place, order in zip(places, orders, strict=True)])


def positions(x: Core) -> Core:
    """The indices of the elements along one dimension, in the layout of the array."""
    parts = [
        sequences.arange(first, last, dtype="int64", device=part.device)
        for (first, last), part in zip(x.layout.bounds, x.parts, strict=True)
    ]
    return x.like(parts)


def _whole(x: Core, axis: int | None) -> tuple[Core, int]:
    """What is sorted, and along which axis: of None the flat array."""
    return (flat(x), 0) if axis is None else (x, one(axis, x.ndim))


def _other(x: Core) -> int:
    return 0 if x.axis != 0 else 1


def _has_buckets(x: Core) -> bool:
    return len(x.group) > 1 and x.dtype.kind in "biufmM" and x.shape[0] > len(x.group)


def _exchanged(x: Core, carried: list[Core]) -> list[list[Any]]:
    """For each of the arrays its elements by buckets of x: one bucket on each device."""
    splitters = _splitters(x)
    rows: list[list[list[Any]]] = []  # of each part, for each bucket, the pieces of the arrays
    for i, part in enumerate(x.parts):
        # NaN and NaT are below nothing: they are in the last bucket.
        with x.group[i]:
            above = [~(part < each) for each in splitters]
        own = [each.parts[i] for each in carried]
        rows.append([[each[mask] for each in own] for mask in _masks(part, above, len(x.group))])
    made = []
    for number in range(len(carried)):
        buckets = []
        for bucket, device in enumerate(x.group):
            pieces = [row[bucket][number] for row in rows]
            start(pieces)
            here = [coerce.asarray(piece, device=device) for piece in pieces]
            buckets.append(joining.concatenate(here))
        made.append(buckets)
    return made


def _splitters(x: Core) -> list[Any]:
    """Elements that part the whole array into nearly equal buckets, ascending; no NaN."""
    samples = start([part[:: max(1, part.size // _SAMPLE)] for part in x.parts if part.size])
    drawn = np.sort(np.concatenate([np.asarray(each) for each in samples]))
    drawn = drawn[drawn == drawn]
    if not drawn.size:
        return []
    count = len(x.group)
    return [drawn[drawn.size * i // count] for i in range(1, count)]


def _masks(part: Any, above: list[Any], buckets: int) -> list[Any]:
    if not above:  # NaN alone
        none = creation.zeros_like(part, dtype="bool")
        return [none] * (buckets - 1) + [~none]
    return [
        ~above[0],
        *(low & ~high for low, high in itertools.pairwise(above)),
        above[-1],
    ]


def unique(x: Core) -> Any:
    """The different elements, sorted, on the group's first device."""
    found = start([sets.unique(part) for part in x.parts])
    return sets.unique(joining.concatenate([each.to_device(x.group[0]) for each in found]))
