"""``numba.misc.special``: what kernels call by name."""

from __future__ import annotations

from .._intrinsic import Intrinsic
from ._placeholders import names_of

literal_unroll = Intrinsic("numba.literal_unroll", "Goes over a tuple of values of any types.")
literally = Intrinsic("numba.literally", "The value, which is known when the code is compiled.")

__all__ = ["literal_unroll", "literally"]

__getattr__ = names_of("numba.misc.special")
