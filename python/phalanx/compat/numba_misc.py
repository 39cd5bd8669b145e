"""``numba.misc.special``: what kernels call by name."""

from __future__ import annotations

from .._core.numba_names import literal_unroll, literally
from ._placeholders import names_of

__all__ = ["literal_unroll", "literally"]

__getattr__ = names_of("numba.misc.special")
