"""Sorts over GPUs: each sorts its part, and merges of all parts the elements that are to be its."""

from __future__ import annotations

import importlib
from typing import Any

from .. import coerce, sorting
from .barrier import barrier, reaches
from .core import Core
from .cuts import cuts
from .layout import Layout, even
from .threads import run_on


def takes(x: Core) -> bool:
    """True if every part is sorted by kernels of its device."""
    return x.dtype.kind in "biuf" and all(sorting.by_kernels(part) for part in x.parts if part.size)


def sort(x: Core, **options: Any) -> Any:
    """A sorted copy of a vector that `takes` allows, in nearly equal parts.

    `options` are those of `phalanx.sort`. Nothing is moved but what another device is to have, and
    that is read once, over the link of the two where there is one, by the kernel that merges it.
    """
    group = x.group
    # A thread for each device: to get gigabytes may take the driver a while.
    ordered = run_on(group, lambda part: _sorted(part, options), x.parts)
    bounds = Layout(0, even(x.shape[0], len(group))).bounds
    inner = cuts(ordered, [first for first, _ in bounds[1:]])
    ends = [[0] * len(group), *inner, [part.size for part in ordered]]
    devices = [each._device for each in group]

    def merged(bucket: int) -> Any:
        pieces = [
            part[first:last]
            for part, first, last in zip(ordered, ends[bucket], ends[bucket + 1], strict=True)
        ]
        return _merged(pieces, devices[bucket])

    barrier(devices)  # parts are sorted before others read them
    made = x.like(run_on(group, merged, range(len(group))))
    barrier(devices)  # and read before their memory is used again
    return made


def _sorted(part: Any, options: dict[str, Any]) -> Any:
    made = sorting.sort(part, **options)
    made._evaluate()
    return made


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
    return piece if reaches(device, piece._device) else coerce.asarray(piece, device=device)
