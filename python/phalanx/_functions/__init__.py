"""Functions compiled for the CPU: what ``phalanx.jit``, ``njit``, ``prange`` are."""

from __future__ import annotations

from .._core.numba_names import prange
from .._core.threads import get_num_threads, set_num_threads
from .decorators import jit, njit
from .dispatcher import Function

__all__ = [
    "Function",
    "get_num_threads",
    "jit",
    "njit",
    "prange",
    "set_num_threads",
]
