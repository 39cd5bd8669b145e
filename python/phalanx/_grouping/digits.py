"""Keys as numbers from 0 on, in the order of the values: a digit of mixed radix for each row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

_WORD = 1 << 64


class Digit(NamedTuple):
    """Numbers below `limit`, uint32 or uint64 as that asks for."""

    numbers: Any
    limit: int


class Part(NamedTuple):
    """A key's values of one side: what orders them, and which are missing (None: none)."""

    image: Any  # unsigned, in the order of the values; of missing ones anything
    missing: Any


def part_of(values: Any, valid: Any, is_codes: bool) -> Part:
    """What orders a vector's values as unsigned numbers. NaN, NaT and codes below 0 are missing."""
    missing = None if valid is None else ~valid
    kind = values.dtype.kind
    if kind == "f":
        missing = _either(missing, values != values)
        return Part(_image_of_floats(values), missing)
    if kind in "mM":
        values = values.view(np.int64)
        missing = _either(missing, values == np.iinfo(np.int64).min)
    elif is_codes:
        missing = _either(missing, values < 0)
    return Part(_image_of_integers(values), missing)


def _either(one: Any, other: Any) -> Any:
    return other if one is None else one | other


def _image_of_integers(values: Any) -> Any:
    bits = values.dtype.itemsize * 8
    wide = np.uint64 if bits == 64 else np.uint32
    if values.dtype.kind != "i":
        return values.astype(wide)
    sign = wide(1 << (bits - 1))
    return (values.astype(np.int64 if bits == 64 else np.int32).view(wide) + sign).astype(wide)


def _image_of_floats(values: Any) -> Any:
    """The bits of a float, turned so that they are ordered as the numbers are; -0 is 0."""
    wide = np.uint64 if values.dtype.itemsize == 8 else np.uint32
    values = values if values.dtype.itemsize >= 4 else values.astype(np.float32)
    bits = (values + values.dtype.type(0)).view(wide)
    sign = wide(1 << (np.dtype(wide).itemsize * 8 - 1))
    return px.where(bits >= sign, ~bits, bits | sign)


Key = tuple[Any, ...]  # ("values" or "codes", array, valid) or ("string", offsets, bytes, valid)


def length_of(key: Key) -> int:
    """How many rows a key has."""
    return int(key[1].size) - (key[0] == "string")


def parts_of(keys: Sequence[Key]) -> list[list[Part]]:
    """The parts of one key of several sides."""
    if keys[0][0] == "string":
        longest = max(
            (int(px.max(key[1][1:] - key[1][:-1])) for key in keys if length_of(key)), default=0
        )
        return [chunks_of_texts(key[1], key[2], key[3], longest) for key in keys]
    return [[part_of(key[1], key[2], key[0] == "codes")] for key in keys]


def chunks_of_texts(offsets: Any, text: Any, valid: Any, longest: int) -> list[Part]:
    """Texts as words of 8 bytes, the first first, and their lengths last.

    Texts are in the order of their bytes, which of UTF-8 is that of the characters. The length
    tells texts that end with null bytes from shorter ones.
    """
    starts, lengths = offsets[:-1], offsets[1:] - offsets[:-1]
    missing = None if valid is None else ~valid
    parts = []
    for begin in range(0, longest, 8):
        word = px.zeros(len(starts), "uint64", device=offsets.device)
        for place in range(begin, min(begin + 8, longest) if text.size else begin):
            is_there = lengths > place
            byte = text[px.where(is_there, starts + place, 0)].astype(np.uint64)
            shift = np.uint64(8 * (7 - place % 8))
            word = word | px.where(is_there, byte << shift, np.uint64(0))
        parts.append(Part(word, missing))
    parts.append(Part(lengths.astype(np.uint64), missing))
    return parts


def joint_digits(sides: Sequence[Part], keeps_missing: bool) -> list[list[Digit]]:
    """The digits of a key for each side, in which equal numbers are equal values.

    There is one digit, or two where missing values need one of their own: 2**64 values have none
    left. With `keeps_missing` a missing value has the highest number.
    """
    bounds = [_bounds(each) for each in sides if each.image.size]
    low = min((first for first, _ in bounds), default=0)
    count = max((last for _, last in bounds), default=-1) - low + 1
    count = max(count, 1)
    has_missing = keeps_missing and any(each.missing is not None for each in sides)
    is_full = has_missing and count == _WORD
    made = []
    for image, missing in sides:
        numbers = image - image.dtype.type(low)
        wide = np.uint64 if count + has_missing > 1 << 32 else np.uint32
        numbers = numbers.astype(wide)
        if missing is not None:
            other = count if has_missing and not is_full else 0
            numbers = px.where(missing, wide(other), numbers)
        of_side = [Digit(numbers, count + (has_missing and not is_full))]
        if is_full:
            gone = (
                px.zeros(image.shape, "bool", device=image.device) if missing is None else missing
            )
            of_side.insert(0, Digit(gone.astype(np.uint32), 2))
        made.append(of_side)
    return made


def _bounds(part: Part) -> tuple[int, int]:
    image, missing = part
    kind = image.dtype.type
    if missing is None:
        return int(px.min(image)), int(px.max(image))
    last = np.iinfo(kind).max
    low, high = (
        px.min(px.where(missing, kind(last), image)),
        px.max(px.where(missing, kind(0), image)),
    )
    return (int(low), int(high)) if int(low) <= int(high) else (0, 0)
