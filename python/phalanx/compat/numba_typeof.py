"""``numba.core.typing.typeof``: the module of that name, which imports put over the function's."""

from __future__ import annotations

from .numba import typeof

__all__ = ["typeof"]
