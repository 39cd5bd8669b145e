"""Blocks of samples on several workers, one of which leads: a source for the fits of models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from distributed.protocol import pickle

from ..._models.blocks.reduction import Reduction, beside
from ..._models.blocks.source import Source, added, combined, of_block, result_of
from .communicator import Broken

_ROOM = 8192  # bytes of an order, or of sums, that need no second message


class Order(NamedTuple):
    """What each worker is to do with its blocks."""

    source: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    of_blocks: Sequence[Any] | None = None
    combine: Callable[[Any, Any], Any] | None = None
    kept_as: int | None = None  # the source that is made, whose blocks stay where they are
    is_together: bool = False  # one call a worker with all of its blocks, and the reduction


class _Failure(NamedTuple):
    """What a worker's function raised."""

    error: Exception


class Rank:
    """One of the workers: its blocks by their numbers, and what it tells the others, all by sums.

    Each worker makes the same calls in the same order. What only one knows is zeros elsewhere.
    """

    def __init__(self, reduction: Reduction, blocks: Mapping[int, Any], count: int) -> None:
        self._reduction, self._count = reduction, count
        self._sources: dict[int, Mapping[int, Any]] = {0: blocks}

    def free_number(self) -> int:
        """The number of the next source that an order keeps."""
        return len(self._sources)

    def told(self, order: Order | None = None) -> Order | None:
        """What the first of the workers tells all: an order, or None at the end."""
        message = np.zeros(_ROOM, np.uint8)
        text = b""
        if self._reduction.rank == 0:
            text = pickle.dumps(order)
            message[:8] = np.frombuffer(np.int64(len(text)).tobytes(), np.uint8)
            message[8 : 8 + len(text)] = np.frombuffer(text[: _ROOM - 8], np.uint8)
        message = self._reduction.all_reduce(message)
        size = int(message[:8].view(np.int64)[0])
        found = message[8 : 8 + size].tobytes()
        if size > len(found):
            rest = np.zeros(size - len(found), np.uint8)
            if text:
                rest[:] = np.frombuffer(text[len(found) :], np.uint8)
            found += self._reduction.all_reduce(rest).tobytes()
        made: Order | None = pickle.loads(found)
        return made

    def done(self, order: Order) -> Any:
        """Do an order with all others; return what it gives, the same on each worker.

        Raises what the function raised on the first worker where it did.
        """
        if order.is_together:
            return self._together(order)
        try:
            own = self._own(order)
        except Exception as error:
            if isinstance(error, Broken):
                raise
            own = _Failure(error)
        if order.kept_as is not None and not isinstance(own, _Failure):
            self._sources[order.kept_as], own = own, {}
        if order.combine is None:
            found = self._all(own)
            return [
                next((part[n] for part in found if n in part), None) for n in range(self._count)
            ]
        return self._sum(own) if order.combine is added else combined(order.combine, self._all(own))

    @property
    def is_broken(self) -> bool:
        """True if the workers can tell each other nothing any more."""
        return self._reduction.is_broken

    def _together(self, order: Order) -> Any:
        own = [*self._sources[order.source].values()]
        try:
            return order.function(own, self._reduction, *order.arguments)
        except Exception:
            # The others wait for what this one was to add, until the client stops them.
            self._reduction.close()
            raise

    def _own(self, order: Order) -> Any:
        made = {}
        for number, block in self._sources[order.source].items():
            more = () if order.of_blocks is None else (order.of_blocks[number],)
            made[number] = of_block(order.function, block, *order.arguments, *more)
        return made if order.combine is None else combined(order.combine, [*made.values()])

    def _all(self, own: Any) -> list[Any]:
        """What each worker has. Raises the first failure."""
        text = pickle.dumps(own)
        sizes = beside(self._reduction, len(text))
        first = int(sizes[: self._reduction.rank].sum())
        message = np.zeros(int(sizes.sum()), np.uint8)
        message[first : first + len(text)] = np.frombuffer(text, np.uint8)
        message = self._reduction.all_reduce(message)
        found = [pickle.loads(each.tobytes()) for each in np.split(message, np.cumsum(sizes)[:-1])]
        for each in found:
            if isinstance(each, _Failure):
                raise each.error
        return found

    def _sum(self, own: Any) -> Any:
        """The sums of tuples of numbers and arrays."""
        flat = np.zeros(0)
        if own is not None and not isinstance(own, _Failure):
            flat = np.concatenate([np.ravel(each).astype(np.float64) for each in own])
        workers, room = self._reduction.size, _ROOM // 8
        message = np.zeros(workers + room)
        message[self._reduction.rank] = -1 if isinstance(own, _Failure) else len(flat)
        message[workers : workers + len(flat)] = flat[:room]
        message = self._reduction.all_reduce(message)
        sizes = message[:workers].astype(np.int64)
        size = len(flat)
        if size == 0 or (sizes != size).any():
            return combined(added, self._all(own))
        fits = size <= room
        total = message[workers : workers + size] if fits else self._reduction.all_reduce(flat)
        return _cut(total, own)


def _cut(total: np.ndarray, like: tuple[Any, ...]) -> tuple[Any, ...]:
    """Sums with the shapes and dtypes of a worker's own."""
    ends = np.cumsum([np.size(each) for each in like])
    pieces = np.split(total, ends[:-1])
    return tuple(
        piece.reshape(each.shape).astype(each.dtype)
        if isinstance(each, np.ndarray)
        else type(each)(piece[0])
        for piece, each in zip(pieces, like, strict=True)
    )


class Led(Source):
    """The blocks of all workers, for the one that leads."""

    def __init__(self, rank: Rank, source: int = 0) -> None:
        self._rank, self._source = rank, source

    def _done(self, order: Order) -> Any:
        self._rank.told(order)
        return self._rank.done(order)

    def each(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        of_blocks: Sequence[Any] | None = None,
    ) -> list[Any]:
        """What the function makes of each block, in their order; None of an empty one."""
        made: list[Any] = self._done(Order(self._source, function, arguments, of_blocks))
        return made

    def reduced(
        self,
        function: Callable[..., Any],
        combine: Callable[[Any, Any], Any],
        *arguments: Any,
        of_blocks: Sequence[Any] | None = None,
    ) -> Any:
        """What the function makes of each block, combined by each worker, then over them."""
        order = Order(self._source, function, arguments, of_blocks, combine=combine)
        return result_of(self._done(order))

    def together(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function gives the first worker, which each calls with its blocks."""
        return self._done(Order(self._source, function, arguments, is_together=True))

    def prepared(self, function: Callable[..., Any], *arguments: Any) -> Led:
        """What the function makes of each block, kept by its worker until the fit ends."""
        number = self._rank.free_number()
        self._done(Order(self._source, function, arguments, kept_as=number))
        return Led(self._rank, number)


def follow(rank: Rank) -> None:
    """Do what the first worker says until it has no more to say."""
    while (order := rank.told()) is not None:
        try:
            rank.done(order)
        except Broken:
            raise
        except Exception:
            if rank.is_broken:
                raise
            # The first worker has the same, and says whether there is more.
