"""Columns of texts as kernels take them, and the device functions that read a text."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import read
from .._grouping.kernels import launch_over

# Bytes of a row above which a warp has it, so that its loads are next to each other.
_LONG = 48
_WARP_SHIFT = 5


class Texts(NamedTuple):
    """Offsets (int64, one more than there are rows), bytes, and which rows are there (None: all).

    The first offset may be other than 0; rows that are missing have any bytes.
    """

    offsets: Any
    text: Any
    valid: Any

    @property
    def rows(self) -> int:
        """How many there are."""
        return int(self.offsets.size) - 1

    @property
    def device(self) -> Any:
        """Where the texts are, as arrays name it."""
        return self.offsets.device

    def source(self) -> tuple[Any, Any, Any]:
        """Offsets, bytes and mask for `bounds_of`, which has an element if all are there."""
        valid = px.ones(1, "bool", device=self.device) if self.valid is None else self.valid
        return read(self.offsets), read(not_empty(self.text)), read(valid)

    def flag(self) -> Any:
        """1 where there is a mask, for `bounds_of`."""
        return np.int64(self.valid is not None)

    def launch(self, kernel: Any, *given: Any) -> None:
        """Launches a kernel with a thread for each row, on the source, the flag and what else."""
        if self.rows:
            device = self.offsets._device
            launch_over(kernel, self.rows, device, self.source(), self.flag(), *given)

    def empty(self, dtype: str) -> Any:
        """A vector to write to, an element for each row."""
        return px.empty(self.rows, dtype=dtype, device=self.device)

    def span(self) -> tuple[int, int]:
        """Where the bytes of all rows begin and end."""
        ends = np.asarray(self.offsets[:: max(self.rows, 1)]).tolist()
        return ends[0], ends[-1]

    def is_ascii(self) -> bool:
        """True where all bytes are ASCII's, those of missing rows too."""
        first, last = self.span()
        return first == last or int(px.max(self.text[first:last])) < 0x80


def texts_of(key: tuple[Any, ...]) -> Texts:
    """The texts of a key ("string", offsets, bytes, valid)."""
    return Texts(*key[1:])


def not_empty(text: Any) -> Any:
    """Bytes of which there is one at least, for kernels have no array without memory."""
    return text if text.size else px.zeros(1, "uint8", device=text.device)


def bytes_on(data: bytes, device: Any) -> Any:
    """Bytes in a device's memory for kernels, with one more that nobody reads."""
    return px.asarray(np.frombuffer(data + b"\0", np.uint8), device=device)


def shift_of(size: int, rows: int) -> Any:
    """The logarithm of how many threads a row of bytes has."""
    return np.int64(_WARP_SHIFT if size > _LONG * max(rows, 1) else 0)


# Device functions.


@cache
def bounds_of() -> Any:
    """Where the text of a row begins and ends; a missing one is empty, and not there."""

    @cuda.jit(device=True)
    def bounds(source: Any, has_mask: Any, row: Any) -> Any:
        offsets, _, valid = source
        begin = offsets[row]
        end = offsets[row + 1]
        is_there = True
        if has_mask != 0:
            is_there = valid[row]
        if not is_there:
            end = begin
        return begin, end, is_there

    return bounds


@cache
def character_at() -> Any:
    """The character that begins at a byte, and the byte after it.

    Bytes are trusted to be UTF-8, halves of surrogate pairs included; what is not never reads past
    its end.
    """

    @cuda.jit(device=True)
    def character(text: Any, at: Any, end: Any) -> Any:
        code = np.int32(text[at])
        at += 1
        if code >= 0xC0:
            more = 1 if code < 0xE0 else 2 if code < 0xF0 else 3
            code &= 0x3F >> more
            while more > 0 and at < end and np.int32(text[at]) & 0xC0 == 0x80:
                code = (code << 6) | (np.int32(text[at]) & 0x3F)
                at += 1
                more -= 1
        return code, at

    return character


@cache
def count_characters() -> Any:
    """Characters between two bytes."""

    @cuda.jit(device=True)
    def count(text: Any, begin: Any, end: Any) -> Any:
        found = np.int64(0)
        for at in range(begin, end):
            if np.int32(text[at]) & 0xC0 != 0x80:
                found += 1
        return found

    return count


@cache
def byte_of_character() -> Any:
    """Where the character of a number begins, at most the end."""

    @cuda.jit(device=True)
    def byte_of(text: Any, begin: Any, end: Any, count: Any) -> Any:
        at = begin
        while at < end and count > 0:
            at += 1
            while at < end and np.int32(text[at]) & 0xC0 == 0x80:
                at += 1
            count -= 1
        return at

    return byte_of


@cache
def number_of() -> Any:
    """The number that a table in pages has of a character."""

    @cuda.jit(device=True)
    def number(pages: Any, entries: Any, character: Any) -> Any:
        return entries[(pages[character >> 8] << 8) + (character & 255)]

    return number


@cache
def write_of() -> Any:
    """A function that copies the bytes between two places, and gives the place after them."""

    @cuda.jit(device=True)
    def write(text: Any, begin: Any, end: Any, out: Any, goal: Any) -> Any:
        for k in range(begin, end):
            out[goal] = text[k]
            goal += 1
        return goal

    return write
