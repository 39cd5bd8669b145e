"""Functions compiled for the CPU: what ``phalanx.jit``, ``phalanx.njit`` and ``prange`` are."""

from __future__ import annotations

from ._decorators import jit, njit
from ._dispatcher import Function
from ._names import prange

__all__ = ["Function", "jit", "njit", "prange"]
