"""``numba.cuda.cudadrv``: device arrays under the name of the package that holds them there."""

from __future__ import annotations

from ..cuda import devicearray

__all__ = ["devicearray"]
