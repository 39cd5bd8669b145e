"""Sorts over GPUs: each sorts its part, and merges of all parts the elements that are to be its."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Sequence
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
    ordered = run_on(group, lambda part: sorted_part(part, options), x.parts)
    wanted = buckets(ordered)
    devices = [each._device for each in group]
    barrier(devices)  # parts are sorted before others read them
    made = x.like(run_on(group, merged, wanted, devices))
    barrier(devices)  # and read before their memory is used again
    return made


def buckets(ordered: Sequence[Any]) -> list[list[Any]]:
    """Of sorted parts what each device is to have in the end, nearly as much as any other."""
    sizes = [int(part.size) for part in ordered]
    bounds = Layout(0, even(sum(sizes), len(sizes))).bounds
    ends = [[0] * len(sizes), *cuts(ordered, [first for first, _ in bounds[1:]]), sizes]
    return [
        [part[low:high] for part, low, high in zip(ordered, first, last, strict=True)]
        for first, last in itertools.pairwise(ends)
    ]


def sorted_part(part: Any, options: dict[str, Any]) -> Any:
    """A part in order, which its device has been told to sort."""
    made = sorting.sort(part, **options)
    made._evaluate()
    return made


def merged(pieces: list[Any], device: Any) -> Any:
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
