"""Which part of an axis each device has, and moving elements from one such layout to another."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import coerce, joining


class Layout(NamedTuple):
    """The axis that is split, and the extent along it on each device."""

    axis: int
    sizes: tuple[int, ...]

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """The first index and the one after the last, of each device."""
        ends = list(itertools.accumulate(self.sizes))
        return list(zip([0, *ends[:-1]], ends, strict=True))


def checked_axis(axis: int, ndim: int) -> int:
    """The number of an axis, from 0. Raises ValueError where it is not there."""
    if ndim == 0:
        raise ValueError("a number has no axis to spread: devices take it as it is")
    if not -ndim <= axis < ndim:
        raise ValueError(f"there is no axis {axis} to spread along, of {ndim}")
    return axis % ndim


def even(extent: int, devices: int) -> tuple[int, ...]:
    """Nearly equal sizes; the first ones have one more."""
    size, more = divmod(extent, devices)
    return tuple(size + (i < more) for i in range(devices))


def along(array: Any, axis: int, first: int, last: int) -> Any:
    """A view of the elements between two indices of an axis."""
    if (first, last) == (0, array.shape[axis]):
        return array
    return array[(slice(None),) * axis + (slice(first, last),)]


def moved(array: Any, device: Any) -> Any:
    """The array on a device: as it is where it is there."""
    return coerce.asarray(array, device=device)


def assembled(
    pieces: Sequence[Any], axis: int, sizes: Sequence[int], devices: Sequence[Any]
) -> list[Any]:
    """The elements of pieces that follow each other along an axis, so many on each device."""
    starts = [0, *itertools.accumulate(piece.shape[axis] for piece in pieces)]
    parts = []
    for (first, last), device in zip(Layout(axis, tuple(sizes)).bounds, devices, strict=True):
        met = []
        for piece, start in zip(pieces, starts, strict=False):
            low = max(first - start, 0)
            high = min(last - start, piece.shape[axis])
            if low < high:
                met.append(moved(along(piece, axis, low, high), device))
        if not met:
            met.append(moved(along(pieces[0], axis, 0, 0), device))
        parts.append(met[0] if len(met) == 1 else joining.concatenate(met, axis=axis))
    return parts
