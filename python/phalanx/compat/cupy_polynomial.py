"""``cupy.polynomial``: its two modules."""

from __future__ import annotations

from . import cupy_polynomials as polynomial
from . import cupy_polyutils as polyutils

__all__ = ["polynomial", "polyutils"]
