"""Launches by the number of elements: ``kernel.over(shape_or_array)(...)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .. import _engine
from .._core.typed import P
from .._device.streams import engine_stream

if TYPE_CHECKING:
    from .dispatcher import Dispatcher

# The CPU device runs a warp as one vector; blocks of many warps save calls.
_CPU_THREADS = 1024
_WARP = 32
_MOST_ALONG_Z = 64


def extents_of(given: Any) -> tuple[int, ...]:
    """The extents of a shape, an int or an array.

    Raises `TypeError` for what has none, `ValueError` for negative extents.
    """
    shape = getattr(given, "shape", given)
    if hasattr(shape, "__index__"):
        shape = (shape,)
    try:
        extents = tuple(extent.__index__() for extent in shape)
    except (TypeError, AttributeError):
        raise TypeError(f"over() takes a shape, an int or an array, not {given!r}") from None
    if any(extent < 0 for extent in extents):
        raise ValueError(f"over(): the extents must not be negative: {extents}")
    return extents


def block_for(extents: Sequence[int], threads: int) -> tuple[int, ...]:
    """A block of about `threads` threads for a grid of these extents, x first.

    In several dimensions it is one warp long along x, whose threads are beside each other; what is
    left goes to y, then to z. An extent that is shorter leaves its share to the next.
    """
    if len(extents) == 1:
        return (max(threads, 1),)
    block = []
    left = max(threads, 1)
    for axis, extent in enumerate(extents):
        cover = 1 << (max(extent, 1) - 1).bit_length()
        most = min(left, _MOST_ALONG_Z) if axis == 2 else left
        if axis == 0:
            most = min(most, _WARP) if left // _WARP > 1 else most
        block.append(min(most, cover))
        left //= block[-1]
    return tuple(block)


def over(
    dispatcher: Dispatcher[P, Any], given: Any, stream: Any = 0, sharedmem: int = 0
) -> Callable[P, None]:
    """The launch of `Dispatcher.over`."""
    extents = extents_of(given)
    # More dimensions than a grid has: the kernel counts with grid(1).
    if len(extents) > 3 or not extents:
        total = 1
        for extent in extents:
            total *= extent
        extents = (total,)

    def launch(*args: P.args, **options: P.kwargs) -> None:
        if 0 in extents:
            return
        chosen = engine_stream(stream)
        device = _engine.current_device() if chosen is None else chosen.device
        if device.is_host:
            threads = _CPU_THREADS
        else:
            threads = dispatcher._suggested_block(args, sharedmem, options)
        block = block_for(extents, threads)
        grid = tuple(-(-n // b) for n, b in zip(extents, block, strict=True))
        dispatcher[grid, block, chosen, sharedmem](*args, **options)

    return launch
