"""Sorts over GPUs: each has a bucket, and the others write the keys of it into its memory."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import coerce, creation
from ..launching import stretch, written
from .barrier import barrier, reaches
from .core import Core, start
from .layout import Layout, even

# Elements of the sample, times the square of the devices: so that a bucket ends within its margin
# in all but five deviations.
_SAMPLE = 8192
_MARGIN = 1 / 32  # of a part
_EVERY_TILE, _NO_TILE = 0, 2**31 - 1


def sort(x: Core) -> Any:
    """A stably sorted copy of a vector that `merging.takes` allows, in nearly equal parts.

    None where it cannot be made so: devices do not reach each other's memory, or buckets by a
    sample are far from even.
    """
    steps = Steps.of(x)
    if steps is None or not steps.count(steps.splitters()):
        return None
    steps.send()
    return x.like(steps.sort())


class Steps:
    """What a sort does, one after the other.

    The host looks twice, at samples and at how many keys go where, and queues all else ahead. As
    that is known before a key is moved, a device sorts its bucket to the places of its ranks in the
    whole; the few that are over a part's end are copied at last.
    """

    def __init__(self, x: Core, what: Any, rooms: Rooms) -> None:
        self._kernels: Any = importlib.import_module("phalanx._sorting.exchange")
        self._devices = [each._device for each in x.group]
        self._parts = start([coerce.in_order(part, "C") for part in x.parts])
        self._what, self._rooms = what, rooms
        # All of it at once: more in between would keep devices waiting.
        self._here, self._there = (
            start([creation.empty(rooms.size, x.dtype, device=each) for each in self._devices])
            for _ in range(2)
        )

    @classmethod
    def of(cls, x: Core) -> Steps | None:
        """The steps, or None where devices cannot go them."""
        kernels = importlib.import_module("phalanx._sorting.exchange")
        rooms = Rooms(even(x.size, len(x.parts)), kernels.TILE)
        most = max(rooms.size, *(part.size for part in x.parts))
        what = kernels.exchange_of(x.parts[0]._dtype, len(x.parts), most)
        pairs = itertools.product([each._device for each in x.group], repeat=2)
        return cls(x, what, rooms) if what and all(reaches(*pair) for pair in pairs) else None

    def splitters(self) -> list[Any]:
        """What parts buckets, for the keys of each device, so that they are as large as parts.

        Elements of the sample are in the order of all: of equal ones the first comes first.
        """
        parts, kernels, ranks = self._parts, self._kernels, self._rooms.ranks[1:]
        total = sum(self._rooms.parts)
        stride = -(-total // (_SAMPLE * len(parts) ** 2))
        drawn = start([kernels.samples(part, stride) for part in parts])
        ends = [0, *itertools.accumulate(each.size for each in drawn)]
        sample = np.concatenate([np.asarray(each) for each in drawn])
        chosen = [rank * sample.size // total for rank in ranks]
        numbers = np.partition(sample, chosen)[chosen]
        tiles = np.empty((len(parts), len(ranks)), "int32")
        for i, (place, number) in enumerate(zip(chosen, numbers, strict=True)):
            equal = np.flatnonzero(sample == number)
            found = int(equal[place - np.count_nonzero(sample < number)])
            owner = int(np.searchsorted(ends, found, side="right")) - 1
            given = found - ends[owner], stride, parts[owner].size
            tiles[:owner, i], tiles[owner + 1 :, i] = _NO_TILE, _EVERY_TILE
            tiles[owner, i] = kernels.tile_of_sample(self._what, *given)
        return [kernels.Splitters(tuple(numbers), tuple(own)) for own in tiles]

    def count(self, splitters: Sequence[Any]) -> bool:
        """Finds how many keys go where; True if there is room for them."""
        what, kernels, self._splitters = self._what, self._kernels, splitters
        pairs = zip(self._parts, splitters, strict=True)
        counted = start([kernels.counts(part, what, own) for part, own in pairs])
        counts = np.stack([np.asarray(each) for each in counted]).astype("int64")
        self._buckets = buckets = Buckets(self._rooms, counts)
        self._begins = [
            kernels.begins(what, buckets.begins_from(i, what), buckets.begins[i], device)
            for i, device in enumerate(self._devices)
        ]
        return buckets.fit

    def send(self) -> None:
        """Moves each key to the device that has its bucket."""
        barrier(self._devices)  # memory is there before others write to it
        for part, own, begins in zip(self._parts, self._splitters, self._begins, strict=True):
            self._kernels.send(part, self._what, own, begins, self._here)
        barrier(self._devices)  # and keys before they are sorted

    def sort(self) -> list[Any]:
        """Sorts the buckets; gives the parts of the result."""
        sizes, places = self._buckets.sizes, self._buckets.places
        ordered = [
            self._kernels.sort_bucket(self._what, self._begins[i], sizes[i], memory, places[i])
            for i, memory in enumerate(zip(self._here, self._there, strict=True))
        ]
        self._buckets.settle(ordered)
        return [self._rooms.part_of(each, i) for i, each in enumerate(ordered)]


class Rooms:
    """The memory of each device, as much of all: its part of the result between two margins."""

    def __init__(self, parts: Sequence[int], tile: int) -> None:
        self.parts = parts
        # Equal keys of a tile are in one bucket, also where its end should be among them.
        self.margin = min(int(max(parts) * _MARGIN) + tile, sum(parts))
        self.size = max(parts) + 2 * self.margin
        self.ranks = [first for first, _ in Layout(0, tuple(parts)).bounds]

    def part_of(self, memory: Any, number: int) -> Any:
        """A part of the result."""
        return memory[self.margin : self.margin + self.parts[number]]


class Buckets:
    """How many keys come to each device, and where they go.

    `counts` are those of the keys of each device, for each pass, bucket, and digit.
    """

    def __init__(self, rooms: Rooms, counts: np.ndarray) -> None:
        self._rooms = rooms
        self._sent = counts[:, 0]
        self.sizes = [int(each) for each in self._sent.sum((0, 2))]
        self._ranks = [0, *itertools.accumulate(self.sizes)][:-1]
        pairs = zip(self._ranks, rooms.ranks, strict=True)
        # Where in the memory of its device a bucket is in the end.
        self.places = [rooms.margin + own - part for own, part in pairs]
        together = counts.sum(0)
        # Of each bucket, where the digits of each pass begin.
        self.begins = (together.cumsum(-1) - together).swapaxes(0, 1)

    @property
    def fit(self) -> bool:
        """True if there is memory for all of them where they are to be."""
        return all(
            place >= 0 and place + size <= self._rooms.size
            for place, size in zip(self.places, self.sizes, strict=True)
        )

    def begins_from(self, source: int, what: Any) -> np.ndarray:
        """Where in the memory of their buckets' devices the keys of one device go."""
        earlier = self._sent[:source].sum(0)  # which are other devices'
        if not what.is_first_pass:
            return earlier.sum(-1)
        begins = self.begins[:, 0] + earlier
        return begins if what.passes > 1 else begins + np.array(self.places)[:, None]

    def settle(self, ordered: Sequence[Any]) -> None:
        """Copies what is in the margins of sorted buckets to the devices whose part it is in."""
        rooms, memory = self._rooms, [written(each) for each in ordered]
        for to, giver in itertools.permutations(range(len(memory)), 2):
            first = max(rooms.ranks[to], self._ranks[giver])
            last = min(rooms.ranks[to] + rooms.parts[to], self._ranks[giver] + self.sizes[giver])
            if first < last:
                target, source = (
                    stretch(memory[i], rooms.margin + first - rooms.ranks[i], last - first)
                    for i in (to, giver)
                )
                target.copy_from(source)
