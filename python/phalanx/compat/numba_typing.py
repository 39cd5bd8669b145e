"""``numba.core.typing``: signatures, and the module with the type that a value has."""

from __future__ import annotations

from .._types.objects import Signature, signature
from . import numba_typeof as typeof
from ._placeholders import names_of

__all__ = ["Signature", "signature", "typeof"]

__getattr__ = names_of("numba.core.typing")
