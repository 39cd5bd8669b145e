"""Answers to `numba.cuda.typing`, of which the suite's tests import `signature` and `typeof`."""

from __future__ import annotations

from numba.types import signature

__all__ = ["signature"]
__path__: list[str] = []  # a package, for `numba.cuda.typing.typeof`
