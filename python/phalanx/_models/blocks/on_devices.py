"""Samples that lie on several devices: each device has a block, and all compute at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from ..._arrays.ndarray import ndarray
from ..._arrays.spread.array import SpreadArray
from ..._arrays.spread.group import DeviceGroup
from ..._arrays.spread.layout import Layout
from ..._arrays.spread.threads import run_on
from ..features import keep_features
from ..validation import as_array
from .source import (
    Source,
    checked,
    of_block,
    only_queues,
    refuse_dimensions,
    refuse_lengths,
)


def parts_of(X: Any) -> Sequence[Any]:
    """The rows of each device: arrays, or frames of a spread frame."""
    if isinstance(X, SpreadArray) and X.axis != 0:
        X = X.respread(axis=0)
    return tuple(X.parts)


def sizes_of(parts: Sequence[Any]) -> tuple[int, ...]:
    """The number of rows of each device."""
    return tuple(int(each.shape[0]) for each in parts)


def aligned(values: Any, name: str, group: DeviceGroup, sizes: tuple[int, ...]) -> list[Any]:
    """Targets or weights with the rows of each device; None of none, a number for each row.

    Raises ValueError for other lengths.
    """
    if values is None:
        return [None] * len(sizes)
    if isinstance(values, SpreadArray):
        refuse_lengths(sum(sizes), values.shape[0])
        return list(values.placed(group, Layout(0, sizes)).parts)
    given = as_array(values.gather() if hasattr(values, "gather") else values, name)
    if given.ndim == 0:
        return [np.full(size, given) for size in sizes]
    refuse_lengths(sum(sizes), given.shape[0])
    pieces = [given[first:last] for first, last in Layout(0, sizes).bounds]
    if not isinstance(given, ndarray):
        return pieces
    return [each.to_device(device) for each, device in zip(pieces, group, strict=True)]


def spread_over(group: DeviceGroup, found: Sequence[Any]) -> SpreadArray:
    """The results of all devices for their rows; a device without samples has None."""
    first = next(each for each in found if each is not None)
    parts = [
        first[:0].to_device(device) if each is None else each.to_device(device)
        for each, device in zip(found, group, strict=True)
    ]
    return SpreadArray(group, parts, 0)


class OnDevices(Source):
    """Blocks on the devices of a group, one each: functions of them run in a thread a device.

    What they give is NumPy's, small beside the samples, and is added up on the host.
    """

    def __init__(self, group: DeviceGroup, blocks: Sequence[Any]) -> None:
        self._group, self._blocks = group, blocks

    @classmethod
    def of(
        cls,
        model: Any,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        allow_nan: bool = False,
    ) -> Self:
        """The checked samples of a model's `fit`, a spread array or frame, and what goes with them.

        Sets the features of the model. Raises as `samples` and `weights` do.
        """
        refuse_dimensions(X)
        parts = parts_of(X)
        sizes = sizes_of(parts)
        targets = aligned(y, "y", X.group, sizes)
        shares = aligned(sample_weight, "sample_weight", X.group, sizes)
        name = type(model).__name__

        def check(part: Any, target: Any, share: Any) -> Any:
            return checked(part, target, share, name, False, allow_nan)

        made = run_on(X.group, check, parts, targets, shares)
        keep_features(model, X, X.shape[1])
        return cls(X.group, made)

    def each(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        of_blocks: Sequence[Any] | None = None,
    ) -> list[Any]:
        """What the function makes of each block, in the group's order."""
        if of_blocks is None and only_queues(function, self._blocks, *arguments):
            return self._queued(function, *arguments)
        extra = [()] * len(self._blocks) if of_blocks is None else [(each,) for each in of_blocks]

        def call(block: Any, own: tuple[Any, ...]) -> Any:
            return of_block(function, block, *arguments, *own)

        return run_on(self._group, call, self._blocks, extra)

    def _queued(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """The same of a function that only queues: all devices begin before one is waited for."""
        queued = []
        for device, block in zip(self._group, self._blocks, strict=True):
            with device:
                queued.append(None if block is None else function(block, *arguments))
        return [None if each is None else each.result() for each in queued]

    def rows(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function makes of each block, an array of its device, as a spread array."""
        return spread_over(self._group, self.each(function, *arguments))

    def here(self) -> Sequence[Any]:
        """The blocks with samples."""
        return [each for each in self._blocks if each is not None]

    def prepared(self, function: Callable[..., Any], *arguments: Any) -> OnDevices:
        """What the function makes of each block, kept on its device."""
        return OnDevices(self._group, self.each(function, *arguments))
