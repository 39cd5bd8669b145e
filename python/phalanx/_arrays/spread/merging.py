"""Sorts over GPUs: each sorts its part, and merges of all parts the elements that are to be its."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from .. import coerce, sorting
from .core import Core, start
from .threads import run_on

_SAMPLE = 4096  # elements of each part that splitters are chosen from


def takes(x: Core) -> bool:
    """True if every part is sorted by kernels of its device."""
    return x.dtype.kind in "biuf" and all(sorting.by_kernels(part) for part in x.parts if part.size)


def splitters(x: Core) -> list[Any]:
    """Elements that part the whole array into nearly equal buckets, ascending; no NaN."""
    samples = start([part[:: max(1, part.size // _SAMPLE)] for part in x.parts if part.size])
    drawn = np.sort(np.concatenate([np.asarray(each) for each in samples]))
    drawn = drawn[drawn == drawn]
    if not drawn.size:
        return []
    count = len(x.group)
    return [drawn[drawn.size * i // count] for i in range(1, count)]


def sort(x: Core, **options: Any) -> Any:
    """A sorted copy of a vector that `takes` allows, with options of `phalanx.sort`.

    Nothing is moved but what another device is to have, and that is read once, over the link of the
    two where there is one, by the kernel that merges it. All devices have done their work then.
    """
    group = x.group
    # A thread for each device: to get gigabytes takes the driver a while.
    ordered = x.like(run_on(group, lambda part: _sorted(part, options), x.parts))
    between = splitters(ordered)
    buckets = len(group)
    cuts = run_on(group, lambda part: _cuts(part, between, buckets), ordered.parts)
    group.synchronize()  # devices read each other's memory

    def merged(bucket: int) -> Any:
        pieces = [
            part[cut[bucket] : cut[bucket + 1]]
            for part, cut in zip(ordered.parts, cuts, strict=True)
        ]
        return _merged(pieces, group[bucket]._device)

    made = x.like(run_on(group, merged, range(buckets)))
    group.synchronize()
    return made


def _sorted(part: Any, options: dict[str, Any]) -> Any:
    made = sorting.sort(part, **options)
    made._evaluate()
    return made


def _cuts(part: Any, between: list[Any], buckets: int) -> list[int]:
    """Where the buckets begin in a sorted part, and where the last one ends."""
    places = [0] * (buckets - 1)  # NaN alone are in the last bucket
    if between and part.size:
        values = coerce.asarray(np.array(between, part.dtype), device=part._device)
        places = np.asarray(sorting.searchsorted(part, values)).tolist()
    return [0, *places, part.size]


def _merged(pieces: list[Any], device: Any) -> Any:
    """The elements of sorted pieces, sorted, on a device: equal ones in the order of the pieces.

    Pairs are merged, so that of two pieces each element is moved once.
    """
    kernels = importlib.import_module("phalanx._sorting.merging")
    while len(pieces) > 1:
        pairs = [pieces[i : i + 2] for i in range(0, len(pieces), 2)]
        pieces = [
            kernels.merged(*(_readable(each, device) for each in pair), device)
            if len(pair) == 2
            else pair[0]
            for pair in pairs
        ]
    return coerce.asarray(pieces[0], device=device)


def _readable(piece: Any, device: Any) -> Any:
    """The piece where it is, if kernels of the device read that memory; else a copy of it there."""
    is_there = piece._device == device or device.reads_peer(piece._device)
    return piece if is_there else coerce.asarray(piece, device=device)
