"""Sets and maps of characters, for the host's engine and as tables in a device's memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

import phalanx as px

from .. import _engine

_ALL = 0x110000
_PAGE = 256
_PAGES = 0x200000 // _PAGE  # what four bytes can say


def paged(codes: np.ndarray, numbers: np.ndarray, default: int) -> tuple[np.ndarray, np.ndarray]:
    """Pages of 256 characters and where each is: numbers of some characters, `default` elsewhere.

    Returns two int32 vectors for `number_of`.
    """
    pages = codes >> 8
    kept, places = np.unique(pages, return_inverse=True)
    entries = np.full((len(kept) + 1, _PAGE), default, np.int32)
    entries[places + 1, codes & (_PAGE - 1)] = numbers
    return _without_repeats(kept, entries)


def paged_runs(bounds: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same of runs of characters: run `i` goes from `bounds[i]` to `bounds[i + 1]`.

    The first bound is 0, the last one the number of all characters.
    """
    whole = np.repeat(numbers.astype(np.int32), np.diff(bounds)).reshape(-1, _PAGE)
    return _without_repeats(np.arange(_ALL // _PAGE), np.concatenate([whole[:1], whole]))


def _without_repeats(kept: np.ndarray, entries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each page once. The first of the entries is that of pages that are not kept."""
    rows = np.ascontiguousarray(entries).view(f"V{_PAGE * 4}").ravel()
    different, places = np.unique(rows, return_inverse=True)
    where = np.full(_PAGES, places[0], np.int32)
    where[kept] = places[1:]
    return where, different.view(np.int32).copy()


class _Tables:
    """Arrays that are copied to a device once."""

    def __init__(self) -> None:
        self._on: dict[str, tuple[Any, ...]] = {}

    def on(self, device: str) -> tuple[Any, ...]:
        """The arrays on a device."""
        if device not in self._on:
            self._on[device] = tuple(px.asarray(each, device=device) for each in self._arrays())
        return self._on[device]

    def _arrays(self) -> tuple[np.ndarray, ...]:
        raise NotImplementedError


class CharacterSet(_Tables):
    """A set of code points."""

    def __init__(self, characters: Iterable[int]) -> None:
        super().__init__()
        self._characters = np.array(sorted(set(characters)), np.int64)

    @cached_property
    def host(self) -> Any:
        """The engine's set."""
        return _engine.frames.CharacterSet(self._characters)

    def _arrays(self) -> tuple[np.ndarray, ...]:
        """Pages and entries: 1 of characters that are in the set."""
        return paged(self._characters, np.ones(len(self._characters), np.int32), 0)


class CharacterMap(_Tables):
    """What each of some code points becomes: none, one or several others."""

    def __init__(self, pairs: Mapping[int, bytes]) -> None:
        super().__init__()
        self._characters = np.array(sorted(pairs), np.int64)
        self._texts = [pairs[each] for each in self._characters.tolist()]
        self._offsets = np.zeros(len(self._texts) + 1, np.int64)
        np.cumsum([len(each) for each in self._texts], out=self._offsets[1:])

    @cached_property
    def host(self) -> Any:
        """The engine's map."""
        joined = b"".join(self._texts)
        return _engine.frames.CharacterMap(self._characters, self._offsets, joined)

    @cached_property
    def of_bytes(self) -> np.ndarray | None:
        """What bytes of ASCII become where each becomes one byte, else None."""
        made = np.arange(256, dtype=np.uint8)
        for character, text in zip(self._characters.tolist(), self._texts, strict=True):
            if character < 128:
                if len(text) != 1:
                    return None
                made[character] = text[0]
        return made

    def _arrays(self) -> tuple[np.ndarray, ...]:
        """Pages, entries (-1 of characters that stay), offsets and bytes of the texts."""
        pages, entries = paged(self._characters, np.arange(len(self._characters)), -1)
        joined = np.frombuffer(b"".join(self._texts) + b"\0", np.uint8)
        return pages, entries, self._offsets, joined
