"""Functions compiled for the CPU: what ``phalanx.jit``, ``njit``, ``prange`` are."""

from __future__ import annotations

from .._numba_names import prange
from ._decorators import jit, njit
from ._dispatcher import Function
from ._threads import get_num_threads, set_num_threads

__all__ = [
    "Function",
    "get_num_threads",
    "jit",
    "njit",
    "prange",
    "set_num_threads",
]
