"""``numba.core.typing.typeof``: the module of that name, which imports put over the function's."""

from __future__ import annotations

from ._placeholders import names_of
from .numba import typeof

__all__ = ["typeof"]

__getattr__ = names_of("numba.core.typing.typeof")
