"""The kernel of binary searches."""

from __future__ import annotations

from functools import cache
from typing import Any

from .. import cuda
from .._arrays import creation
from .._arrays.launching import launch_alone, read, written


@cache
def _search(is_right: bool) -> Any:
    # NaN is above all numbers, and equal to itself.
    @cuda.jit(device=True)
    def is_less(x: Any, y: Any) -> Any:
        return x < y or (y != y and x == x)

    @cuda.jit
    def search_sorted(values: Any, keys: Any, out: Any) -> None:
        for i in range(cuda.grid(1), keys.size, cuda.gridsize(1)):
            key = keys[i]
            low, high = 0, values.size
            while low < high:
                middle = (low + high) // 2
                goes_right = (
                    not is_less(key, values[middle]) if is_right else is_less(values[middle], key)
                )
                if goes_right:
                    low = middle + 1
                else:
                    high = middle
            out[i] = low

    return search_sorted


def searchsorted(values: Any, keys: Any, is_right: bool) -> Any:
    """Where keys go into sorted values: contiguous vectors of one dtype. Gives int64."""
    out = creation.empty(keys.size, "int64", device=values._device)
    if keys.size:
        blocks = min(-(-keys.size // 256), 65_536)
        given = (read(values), read(keys), written(out))
        launch_alone(_search(is_right), blocks, 256, values._device, *given)
    return out
