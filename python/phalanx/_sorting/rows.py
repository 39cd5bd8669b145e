"""Rows of a contiguous array, sorted by kernels on the device that has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import creation
from .._arrays.launching import as_bits, launch_alone, read, written
from . import blocks, radix
from .key_order import KeyType, key_type
from .parts import DIGITS, Tile
from .radix import Pass

_BLOCKS = 1024  # of the histogram: several for each multiprocessor
_MOST_BLOCKS = 2**31 - 1
_MOST_COUNTED = 2**30  # elements whose counts have 32 bits, two of them for flags


def takes(dtype: str) -> bool:
    """Returns whether there are keys of a dtype."""
    return key_type(dtype) is not None


def sort(rows: Any, is_descending: bool = False) -> Any:
    """A copy of a contiguous array whose rows, its last dimension, are sorted.

    It has one element at least, and a dtype that `takes` knows.
    """
    flat, length = rows.reshape(-1), rows.shape[-1]
    key = _key_of(rows, is_descending)
    bits = _in_blocks(flat, key, length, has_positions=False)
    if bits is None and length < flat.size:
        return flat[_places(flat, length, key)].reshape(rows.shape)
    if bits is None:
        keys = _Keys(flat, key)
        for step in range(keys.passes):
            keys.move(step)
        bits = keys.array
    return bits.reshape(rows.shape)


def argsort(rows: Any, is_descending: bool = False) -> Any:
    """The positions (int64) in each row, the last dimension, that sort it stably."""
    flat, length = rows.reshape(-1), rows.shape[-1]
    key = _key_of(rows, is_descending)
    found = _in_blocks(flat, key, length, has_positions=True)
    if found is None:
        found = _places(flat, length, key)
        found = found % found.dtype.type(length) if length < flat.size else found
    return found.astype("int64").reshape(rows.shape)


def order(keys: Any, rows: Any = None) -> Any:
    """The positions (uint32, of 2**30 elements and more uint64) that sort a vector stably.

    `rows`, of that type, are what is put in that order in the place of positions, if given.
    """
    key = _key_of(keys, False)
    moved = _Keys(keys, key)
    moved.positions = rows
    for step in range(moved.passes):
        moved.move_with_positions(step, has_keys_out=step < moved.passes - 1)
    return moved.positions


def position_type(count: int) -> Any:
    """The type of what `order` gives."""
    return np.uint64 if count >= _MOST_COUNTED else np.uint32


def _key_of(array: Any, is_descending: bool) -> KeyType:
    found = key_type(array._dtype, is_descending)
    assert found is not None  # takes() has said so
    return found


def _in_blocks(flat: Any, key: KeyType, length: int, has_positions: bool) -> Any:
    """The rows' sorted bits, or positions, where each row fits a block; else None."""
    shape = blocks.shape_for(key, length)
    if shape is None or flat.size // length > _MOST_BLOCKS:
        return None
    out = creation.empty(flat.size, "int64" if has_positions else flat._dtype, device=flat._device)
    kernel = blocks.sort_block(key, has_positions, shape)
    blocks_of_rows = flat.size // length
    bits, made = as_bits(read(flat), key.stored), written(out)
    made = made if has_positions else as_bits(made, key.stored)
    launch_alone(kernel, blocks_of_rows, shape.threads, flat._device, bits, made, length)
    return out


def _places(flat: Any, length: int, key: KeyType) -> Any:
    """Where the elements are in `flat`, row after row, each row sorted."""
    keys = _Keys(flat, key)
    is_one_row = length == flat.size
    for step in range(keys.passes):
        is_last = is_one_row and step == keys.passes - 1
        keys.move_with_positions(step, has_keys_out=not is_last, out="int64" if is_last else None)
    if is_one_row:
        return keys.positions
    rows = _Keys(keys.positions, KeyType(64 if keys.is_wide else 32, "row"), length)
    digits = ((flat.size // length - 1).bit_length() + 7) // 8
    for step in range(digits):
        rows.move(step)
    return rows.array


class _Keys:
    """The keys of one sort, moved digit by digit from the lowest on."""

    def __init__(self, flat: Any, key: KeyType, length: int = 1) -> None:
        self.key = key
        self.array = flat
        self.positions: Any = None
        self.passes = key.bits // 8
        self.is_wide = flat.size >= _MOST_COUNTED
        self._device = flat._device
        self._length = np.dtype(key.held).type(length)
        self._word = position_type(flat.size)
        self._begins = self._zeros(self.passes * DIGITS, self._word)
        begins = written(self._begins)
        count, order = radix.histogram(key, self._word), radix.first_places(self._word)
        launch_alone(
            count,
            _BLOCKS,
            DIGITS,
            self._device,
            as_bits(read(self.array), key.stored),
            begins,
            self._length,
        )
        launch_alone(order, self.passes, DIGITS, self._device, begins)

    def _zeros(self, count: int, dtype: Any) -> Any:
        return creation.zeros(count, np.dtype(dtype).name, device=self._device)

    def _empty(self, dtype: str) -> Any:
        return creation.empty(self.array.size, dtype, device=self._device)

    def move(self, step: int) -> None:
        """One pass over the keys alone."""
        self._sweep(Pass(self.key, is_wide=self.is_wide), step, None)

    def move_with_positions(self, step: int, has_keys_out: bool, out: str | None = None) -> None:
        """One pass over the keys and where they were, of the dtype `out` (None: that of words)."""
        source = "first" if self.positions is None else "moved"
        what = Pass(self.key, source, has_keys_out, self.is_wide)
        moved = self._empty(out or np.dtype(self._word).name)
        self._sweep(what, step, moved)
        self.positions = moved

    def _sweep(self, what: Pass, step: int, positions_out: Any) -> None:
        bits = as_bits(read(self.array), self.key.stored)
        moved, out = bits, self.array
        if what.has_keys_out:
            out = self._empty(self.array._dtype)
            moved = as_bits(written(out), self.key.stored)
        source = read(self.positions) if what.positions == "moved" else bits
        places = source, bits if positions_out is None else written(positions_out)
        begins = read(self._begins[DIGITS * step : DIGITS * (step + 1)])
        sweep(what, (bits, moved), places, begins, (step, self._length))
        self.array = out


def sweep(what: Pass, keys: Any, positions: Any, begins: Any, order: Any) -> None:
    """One pass, of the memory that `radix.sweep` says, on the keys' device."""
    shape, device = radix.tile_of(what), keys[0].device
    tiles = -(-keys[0].size // shape.size)
    launch_alone(
        radix.sweep(what, shape),
        tiles,
        shape.threads,
        device,
        keys,
        positions,
        begins,
        *tile_states(tiles, shape, what.word, device),
        order,
    )


def tile_states(tiles: int, shape: Tile, word: Any, device: Any) -> tuple[Any, Any]:
    """The states of the tiles of a pass and the counter that they are taken by, all 0."""
    states = creation.zeros(tiles * shape.digits, np.dtype(word).name, device=device)
    return written(states), written(creation.zeros(1, "int32", device=device))
