"""Answers to `numba.cuda.typing.typeof`."""

from __future__ import annotations

from numba import typeof

__all__ = ["typeof"]
