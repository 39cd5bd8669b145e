"""Texts of rows compared by their bytes, whose order in UTF-8 is that of the characters."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import read, written
from .._grouping.kernels import launch_over
from .texts import bytes_on, not_empty


@cache
def _equal() -> Any:
    @cuda.jit
    def find_equal(left: Any, right: Any, steps: Any, found: Any) -> None:
        offsets, text = left
        other_offsets, other = right
        step, other_step = steps
        for row in range(cuda.grid(1), found.size, cuda.gridsize(1)):
            begin = offsets[row * step]
            size = offsets[row * step + 1] - begin
            other_begin = other_offsets[row * other_step]
            is_equal = other_offsets[row * other_step + 1] - other_begin == size
            k = np.int64(0)
            while is_equal and k < size:
                is_equal = text[begin + k] == other[other_begin + k]
                k += 1
            found[row] = is_equal

    return find_equal


@cache
def _order() -> Any:
    @cuda.jit
    def find_order(left: Any, right: Any, steps: Any, found: Any) -> None:
        offsets, text = left
        other_offsets, other = right
        step, other_step = steps
        for row in range(cuda.grid(1), found.size, cuda.gridsize(1)):
            begin = offsets[row * step]
            size = offsets[row * step + 1] - begin
            other_begin = other_offsets[row * other_step]
            other_size = other_offsets[row * other_step + 1] - other_begin
            sign = 0
            k = np.int64(0)
            while sign == 0 and k < min(size, other_size):
                one = np.int32(text[begin + k])
                two = np.int32(other[other_begin + k])
                sign = 1 if one > two else -1 if one < two else 0
                k += 1
            if sign == 0:
                sign = 1 if size > other_size else -1 if size < other_size else 0
            found[row] = sign

    return find_order


def compared(left: Any, right: Any, rows: int, only_equal: bool) -> Any:
    """Where texts are equal (bool), or less than 0, 0 or greater as they are ordered (int8).

    Each side is the key of a column, or bytes for all rows. What missing rows give is not said.
    """
    array = next(each[1] for each in (left, right) if not isinstance(each, bytes))
    found = px.empty(rows, dtype="bool" if only_equal else "int8", device=array.device)
    if rows:
        sides = (_side(each, array.device) for each in (left, right))
        steps = tuple(np.int64(not isinstance(each, bytes)) for each in (left, right))
        kernel = _equal() if only_equal else _order()
        launch_over(kernel, rows, array._device, *sides, steps, written(found))
    return found


def _side(side: Any, device: str) -> tuple[Any, Any]:
    if isinstance(side, bytes):
        offsets = px.asarray(np.array([0, len(side)], np.int64), device=device)
        return read(offsets), read(bytes_on(side, device))
    return read(side[1]), read(not_empty(side[2]))
