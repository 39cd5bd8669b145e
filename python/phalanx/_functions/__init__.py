"""Functions compiled for the CPU: what ``phalanx.jit``, ``vectorize``, ``prange`` are."""

from __future__ import annotations

from ._decorators import guvectorize, jit, njit, vectorize
from ._dispatcher import Function
from ._names import prange

__all__ = ["Function", "guvectorize", "jit", "njit", "prange", "vectorize"]
