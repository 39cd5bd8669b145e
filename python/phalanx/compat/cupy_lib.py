"""``cupy.lib`` and ``cupy.lib.stride_tricks``."""

from __future__ import annotations

import sys
from typing import Any

import phalanx as px


def as_strided(
    x: Any, shape: Any = None, strides: Any = None, subok: bool = False, writeable: bool = True
) -> Any:
    """The view of an array's memory with another shape and other strides in bytes.

    Raises `ValueError` where it would leave the memory of `x`.
    """
    return px.as_strided(x, shape, strides, writeable=writeable)


sliding_window_view = px.sliding_window_view
stride_tricks = sys.modules[__name__]
