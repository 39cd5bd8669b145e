"""Functions compiled for the CPU: what ``phalanx.jit``, ``vectorize``, ``prange`` are."""

from __future__ import annotations

from ._decorators import guvectorize, jit, njit, vectorize
from ._dispatcher import Function
from ._names import prange
from ._threads import get_num_threads, set_num_threads

__all__ = [
    "Function",
    "get_num_threads",
    "guvectorize",
    "jit",
    "njit",
    "prange",
    "set_num_threads",
    "vectorize",
]
